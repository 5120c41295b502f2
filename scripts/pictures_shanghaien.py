"""Draws the pictures of the tavern and of the server's own pages in docs/pictures anew, in a real browser.

PYTHONPATH=tests .venv/bin/python scripts/pictures_shanghaien.py [--every] [--to FOLDER] [NAME …]

The dice are those of one seed, so the same pictures come out again. ``--every`` draws each at three widths, by day
and by night. It needs Debian's chromium, and pngquant to make the files small.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from playwright.sync_api import Browser, Page, sync_playwright

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options, View
from kontor.games.shanghaien.rules.state import Both, Joker, Nudge, Reroll
from kontor.players import player_named
from kontor.table import Pace, Plan, SeatPlan, TableService
from kontor.web.http.limits import Limit
from web.conftest import GENEROUS, Served

ROOT = Path(__file__).parent.parent

PICTURES = ROOT / "docs" / "pictures"
SEED = bytes(range(4, 36))
WIDTHS = (360, 820, 1440)
HEIGHTS = {360: 740, 820: 1100, 1440: 900}
COLOURS = "32"
ME, FRIEND = SeatPlan("me"), SeatPlan("friend")
TRICKS = (Joker, Nudge, Both, Reroll)
QUICK = 8
"""Lines that can be said in a row."""

LONG_NAMES = ("Captain Annabella Longfellow of Rotterdam", "W" * 40, "Karl-Friedrich-Theodor von und zu Harburg")
LONG_TALK = "Look at this: https://example.org/a-pasted-link?" + "with-no-end=" * 24


@dataclass(frozen=True)
class Sitting:
    """Somebody in the server: their id, and the cookie by which a browser is known as them."""

    id: str
    cookie: str


@dataclass(frozen=True)
class Stage:
    """A picture: which page, as whom, and what is done there before it is taken."""

    name: str
    path: str
    who: Sitting | None
    then: Callable[[Page], object] = lambda page: None
    also: tuple[tuple[int, str], ...] = ()
    """Widths and themes beyond the two that every picture has."""
    whole: bool = True


# ------------------------------------------------------------------------------------------------- tables to be drawn


class Guests:
    """Who is in the server, and the tables they play at."""

    def __init__(self, service: TableService) -> None:
        self.service = service
        self.random = Random(1729)
        self.anna, self.bernd, self.carla = (self._come(name) for name in ("Anna", "Bernd", "Carla"))

    def talkative(self, game: str) -> tuple[str, Sitting]:
        """A table in play of people with long names, one of whom pastes a link; and one of them."""
        people = [self._come(name[:40]) for name in LONG_NAMES[: 2 if game == "shanghaien" else 3]]
        options: Any = Options(starter=0) if game == "shanghaien" else DutchmanOptions(players=3, starter=0)
        plan = Plan(game, options, (ME, *[SeatPlan("open")] * (len(people) - 1)))
        table = self.service.open_table(people[0].id, plan)
        for seat, person in enumerate(people[1:], 1):
            self.service.sit(table, seat, person.id)
        choose = player_named(game, "greedy")
        for _ in range(14):
            info = self.service.info(table)
            assert info.mover is not None
            look = self.service.look(table, info.mover)
            self.service.play(table, info.mover, look.number, choose(look.view, look.moves, self.random))
        self.service.chat(table, people[1].id, LONG_TALK)
        return f"/tables/{table}", people[0]

    def _come(self, name: str) -> Sitting:
        person, token = self.service.guest(name)
        return Sitting(person.id, token)

    def table(self, *, seats: tuple[SeatPlan, ...] = (ME, FRIEND), sits: bool = True, **more: Any) -> str:
        """A table of Shanghaien that Anna opens, with Bernd if he ``sits``."""
        options = more.pop("options", Options(starter=0, first_trick="nudge"))
        plan = Plan("shanghaien", options, seats, **more)
        table = self.service.open_table(self.anna.id, plan, "lantern")
        if sits:
            self.service.sit(table, 1, self.bernd.id, self.service.invitation(table, 1, self.anna.id), "anchor")
        return table

    def play(self, table: str, wanted: Callable[[View], bool]) -> str:
        """Greedy captains move, until a view is wanted."""
        choose = player_named("shanghaien", "greedy")
        while True:
            info = self.service.info(table)
            look = self.service.look(table, info.mover)
            if wanted(look.view):
                return f"/tables/{table}"
            assert info.mover is not None, "the game is over"
            move = choose(look.view, look.moves, self.random)
            self.service.play(table, info.mover, look.number, move)

    def played(self, wanted: Callable[[View], bool], **more: Any) -> str:
        """A new table, at which greedy captains move until a view is wanted."""
        return self.play(self.table(**more), wanted)


def placing(view: View) -> bool:
    """Late in a round Anna chooses among two dice, and has two kinds of tricks in hand."""
    mine = view.mover == 0 and view.step == "place" and view.one_at is not None and not view.spent[0]
    return mine and view.round >= 3 and len(set(view.crews[0].tricks)) > 1 and sum(map(sum, view.placed)) > 5


def unspent(end: str) -> Callable[[View], bool]:
    """Nobody has used a trick this round, and the 1 is at that end of the row."""

    def wanted(view: View) -> bool:
        return view.one_at == end and not any(view.spent) and view.mover == 0 and sum(map(sum, view.placed)) > 3

    return wanted


def second(view: View) -> bool:
    """Anna is to roll for the first time in a round that Bernd has begun."""
    return view.mover == 0 and view.round > 2 and any(view.placed[1]) and not any(view.placed[0])


def shanghaien(guests: Guests) -> Iterator[Stage]:
    """The table of Shanghaien, from the first roll to the end."""
    anna, bernd = guests.anna, guests.bernd
    yield Stage("score-table-before-round-1", guests.played(lambda view: view.step == "turn"), anna)
    yield Stage("where-is-the-1", guests.played(lambda view: view.step == "place"), anna)
    place = guests.played(placing)
    yield Stage("placing", place, anna, also=((360, "light"), (820, "light"), (1440, "dark")))
    yield Stage("lit-card", place, anna, pointed_at, also=((360, "light"), (1440, "dark")), whole=False)
    early = guests.played(lambda view: view.step == "place" and view.one_at is not None and view.mover == 0)
    yield Stage("trick-halves", early, anna, to_the_tricks, also=((360, "light"),), whole=False)
    resting = guests.played(lambda view: view.round == 2 and view.step == "turn" and view.mover == 0)
    yield Stage("trick-halves-resting", resting, anna, to_the_tricks, also=((360, "light"),), whole=False)
    yield Stage("nudge", place, anna, lambda page: page.click("#sh-nudge-open"), whole=False)
    yield Stage("joker", place, anna, lambda page: page.click("[id^=sh-joker-][id$=-open]"), whole=False)
    yield Stage("why-not", place, anna, refused)
    yield Stage("waiting-for-bernd", place, bernd)
    spent = guests.played(lambda view: any(view.spent) and view.step == "place" and view.mover == 0)
    yield Stage("trick-used", spent, anna)
    yield Stage("grey-captains-left", guests.played(unspent("left")), anna, also=((360, "light"),))
    yield Stage("grey-captains-right", guests.played(unspent("right")), anna)
    bell = guests.played(lambda view: view.round == 3 and view.step == "turn" and sum(view.placed[view.mover]) > 2)
    mover = (anna, bernd)[guests.service.info(bell.removeprefix("/tables/")).mover or 0]
    yield Stage("choice-to-shanghai", bell, mover)
    yield Stage("shanghai", bell, mover, lambda page: page.click("#sh-end"), whole=False)
    ended = guests.played(lambda view: view.round >= 3 and view.mover == 0 and not any(map(any, view.placed)))
    yield Stage("round-over", ended, anna, also=((820, "dark"),))
    begun = guests.played(second)
    yield Stage("last-round", begun, anna)
    yield Stage("crew", ended, anna, lambda page: page.click("#sh-open-mine"), whole=False)
    yield Stage("still-to-come", ended, anna, lambda page: page.click("#sh-open-coming"), whole=False)
    yield Stage("totals", ended, anna, lambda page: page.click("#sh-open-sum-mine"), whole=False)
    yield Stage("spectator", place, guests.carla)
    over = guests.played(lambda view: view.step == "over")
    yield Stage("game-over", over, anna, also=((360, "light"), (1440, "dark")))
    yield Stage("review", f"{over}/review", anna, reviewed)
    yield Stage("too-quick", place, anna, too_quick)
    yield Stage("looking-back", f"{over}/replay?at=120", anna)


def open_talk(page: Page) -> None:
    """On a phone the talk is a drawer that begins closed."""
    if not page.is_visible("#text"):
        page.click("#chat > summary")


def too_quick(page: Page) -> None:
    """Somebody says more than anybody can read."""
    open_talk(page)
    for line in range(1, QUICK + 2):
        page.fill("#text", f"This is line {line}.")
        page.press("#text", "Enter")
        if line <= QUICK:
            page.locator("#chat .line").nth(line - 1).wait_for()
    page.wait_for_selector("#say-it #refused")


def pointed_at(page: Page) -> None:
    """The pointer rests on a card that is lit."""
    page.locator(".lands").first.hover()


def to_the_tricks(page: Page) -> None:
    """The own trick cards are looked at."""
    page.locator("#sh-hand").scroll_into_view_if_needed()


def reviewed(page: Page) -> None:
    """The review is thought out."""
    page.wait_for_selector("#review-curve")


def refused(page: Page) -> None:
    """Somebody tries what the rules forbid."""
    page.eval_on_selector("button.thrown", "button => { button.value = 'shanghai'; button.click(); }")
    page.wait_for_selector("#refused")


def pages(guests: Guests) -> Iterator[Stage]:
    """The server's own pages."""
    anna, bernd, carla, inside = guests.anna, guests.bernd, guests.carla, guests.service
    yield Stage("lobby-empty", "/", carla)
    yield Stage("lobby-newcomer", "/", None, also=((360, "light"), (820, "light")))
    yield Stage("opening-shanghaien", "/open/shanghaien", anna, also=((360, "light"),))
    yield Stage("opening-dutchman", "/open/dutchman", anna)
    waiting = guests.table(sits=False, pace=Pace("slow", 86400))
    link = inside.invitation(waiting, 1, anna.id)
    yield Stage("invitation", f"/invitations/{waiting}/1/{link}", None, also=((360, "light"),))
    yield Stage("waiting-alone", f"/tables/{waiting}", anna)
    yield Stage("waiting-with-a-link", f"/tables/{waiting}?seat=1&invitation={link}", anna, also=((360, "light"),))
    guests.table(seats=(ME, SeatPlan("open")), sits=False, pace=Pace("live", 60, 600))
    guests.play(guests.table(), lambda view: view.mover == 0)
    guests.play(guests.table(), lambda view: view.mover == 1 and view.round == 3)
    over = guests.play(guests.table(), lambda view: view.step == "over")
    dutch = Plan("dutchman", DutchmanOptions(players=4), (ME, FRIEND, SeatPlan("open"), SeatPlan("open")))
    inside.open_table(carla.id, dutch)
    yield Stage("lobby", "/", anna, also=((360, "light"), (1440, "dark")))
    yield Stage("log", f"{over}/log", anna, whole=False)
    yield Stage("fair-dice", f"{over}/fair?verify=1", bernd)
    yield Stage("fair-dice-promised", f"/tables/{waiting}/fair", anna)
    yield Stage("rules-shanghaien", "/rules/shanghaien", None, also=((360, "light"),), whole=False)
    yield Stage("rules-dutchman", "/rules/dutchman", None, whole=False)
    yield Stage("nothing-here", "/tables/nothinghere", anna)
    yield Stage("you", "/you", anna)
    yield Stage("for-programs", "/api", None, whole=False)
    here = tuple(SeatPlan("here", name=name) for name in ("Bernd", "Carla"))
    shared = inside.open_table(anna.id, Plan("dutchman", DutchmanOptions(players=3, starter=0), (ME, *here)))
    yield Stage("curtain", f"/tables/{shared}", anna)
    for game in ("shanghaien", "dutchman"):
        path, reader = guests.talkative(game)
        yield Stage(f"long-words-{game}", path, reader, open_talk)


# ------------------------------------------------------------------------------------------------------- the pictures


def draw(browser: Browser, address: str, stage: Stage, width: int, theme: Any, file: Path) -> None:
    """One picture."""
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": HEIGHTS[width]},
        color_scheme=theme,
        reduced_motion="reduce",
        has_touch=width < 400,
    )
    if stage.who:
        context.add_cookies([{"name": "kontor", "value": stage.who.cookie, "url": address}])
    page = context.new_page()
    page.goto(stage.path)
    page.evaluate("document.fonts.ready")
    if page.locator("#connection").count():
        page.wait_for_selector("#connection[data-is=live]")
    stage.then(page)
    page.wait_for_timeout(120)
    page.screenshot(path=str(file), full_page=stage.whole)
    context.close()
    if pngquant := shutil.which("pngquant"):
        small = (pngquant, "--force", "--nofs", "--strip", "--output", str(file), "--", COLOURS, str(file))
        subprocess.run(small, check=True)  # noqa: S603 (what we have just found)


def main() -> None:
    """Draws what is asked for."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--to", type=Path, default=PICTURES)
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        patch("kontor.table.opening.new_seed", lambda: SEED),
        Served(Path(folder), {**GENEROUS, "chat": Limit(QUICK, 1)}) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for part in (pages, shanghaien):
            for stage in part(Guests(served.service)):
                if asked.names and stage.name not in asked.names:
                    continue
                usual = ((1440, "light"), (360, "dark"), *stage.also)
                every = tuple((width, theme) for width in WIDTHS for theme in ("light", "dark"))
                target = asked.to / part.__name__
                target.mkdir(parents=True, exist_ok=True)
                for width, theme in every if asked.every else usual:
                    draw(browser, served.address, stage, width, theme, target / f"{stage.name}-{width}-{theme}.png")
        browser.close()


if __name__ == "__main__":
    main()
