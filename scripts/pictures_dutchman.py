"""Draws the pictures of the browser's table of Der fliegende Holländer in docs/pictures/dutchman anew.

    uv run --with pillow scripts/pictures_dutchman.py [STAGE …]

Every stage of a game is sought in games that machine players play with dice of our own, so the same comes out again
each time; then it is played at a real server, and looked at with Debian's Chromium. With ``--every`` each stage is
drawn at every width by day and by night, into the folder that ``--to`` says: so one can look at them all.
"""

from __future__ import annotations

import argparse
import io
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Final

import uvicorn
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from kontor.fair import FairDice
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.horseshoes import highest_first, reading
from kontor.games.dutchman.rules.state import (
    Accept,
    Bankrupt,
    Kontor,
    Lay,
    Pass,
    Propose,
    Revealed,
    Smith,
    Undecided,
)
from kontor.players import player_named
from kontor.table import TableService, opening
from kontor.table.values import Plan, SeatPlan
from kontor.thinking import Thinkers
from kontor.web.http.app import application
from kontor.web.http.limits import LIMITS, Limit, Limits
from kontor.web.live.hub import Hub

PICTURES: Final = Path(__file__).parent.parent / "docs" / "pictures" / "dutchman"
NAMES: Final = ("Karin", "Helga", "Anne", "Karl")
WIDTHS: Final = {360: 780, 820: 1180, 1440: 900}
"""How wide a window is, and how high."""
SEEN: Final = {360: 1560, 820: 1180, 1440: 1000}
"""How much of the page is kept, from its top."""
THEMES: Final = ("light", "dark")
KEPT: Final = ((1440, "light"), (360, "dark"))
"""What every stage is drawn as."""
MOST_COLOURS: Final = 160
FIRST: Final = 2
"""The line of the first step: line 1 of a record is its header."""

# ----------------------------------------------------------------------------------------------------- the stages

Step = tuple[State, Any, State]
Reached = Callable[[Step], bool]


@dataclass(frozen=True)
class Stage:
    """A moment of a game that is worth a picture. The mover looks, or whoever ``eyes`` says."""

    name: str
    reached: Reached
    eyes: Callable[[State], int] = lambda state: max(state.mover, 0)
    prepare: Callable[[Page], None] = lambda page: None
    also: tuple[tuple[int, str], ...] = ()
    """In which other ways it is kept."""
    whole: bool = True
    """Else what is seen of the page as it comes: on a phone it goes to the question by itself."""


def _at(step: str, first: int = 1) -> Reached:
    return lambda told: told[2].step == step and told[2].round >= first


def _happened(kind: type) -> Reached:
    return lambda told: any(isinstance(one, kind) for one in told[2].happened)


def _choose_shoes(page: Page) -> None:
    """A golden horseshoe and a silver one."""
    for shoe in ("nth-child(1)", "nth-last-child(2)"):
        page.locator(f"#df-rack label:{shoe} input").check(force=True)


def _choose_shares(page: Page) -> None:
    for number in (0, 3):
        page.locator("#df-shares input").nth(number).check(force=True)


def _choose_way(page: Page) -> None:
    page.locator("#df-where input").first.check()


def _write_proposal(page: Page) -> None:
    _choose_way(page)
    page.locator("#df-pays-0").fill("3")


STAGES: Final = (
    Stage("asked", _at("sail", 2), also=((360, "light"),), whole=False),
    Stage("start", lambda told: told[2].step == "action" and len(told[2].queue) == len(NAMES)),
    Stage("exchange", lambda told: isinstance(told[1], Kontor) and told[2].round > 1, prepare=_choose_shares),
    Stage(
        "smith",
        lambda told: (
            told[2].step == "action"
            and told[2].round > 2
            and told[2].merchants[told[2].mover].smith > 0
            and told[2].smiths != ()
        ),
        prepare=lambda page: page.locator("#df-play-smith").click(),
    ),
    Stage(
        "laying",
        lambda told: (
            told[2].step == "action"
            and told[2].round > 3
            and len(told[2].queue) == 1
            and len(told[2].merchants[told[2].mover].rack) > 6
        ),
        prepare=_choose_shoes,
        also=((360, "light"), (1440, "dark"), (820, "light")),
    ),
    Stage(
        "reveal",
        lambda told: (
            told[2].step == "sail"
            and told[2].round > 1
            and _happened(Revealed)(told)
            and len(told[2].revealed[-1].lays) > 2
        ),
        prepare=_choose_way,
        also=((360, "light"), (820, "dark")),
    ),
    Stage(
        "naming",
        lambda told: told[2].step == "name" and told[2].bargain is not None and bool(told[2].bargain.named),
    ),
    Stage("proposing", _at("propose", 2), prepare=_write_proposal),
    Stage(
        "answering",
        lambda told: isinstance(told[1], Propose) and any(told[1].ducats),
        also=((820, "light"),),
    ),
    Stage("deciding", lambda told: _happened(Undecided)(told) and len(told[2].merchants[told[2].mover].rack) > 1),
    Stage(
        "waiting",
        lambda told: told[2].step == "action" and told[2].round > 2 and len(told[2].queue) == 2,
        eyes=lambda state: (state.mover + 2) % len(NAMES),
    ),
    Stage(
        "ship",
        lambda told: told[2].step == "lucky" and told[2].round > 4 and len(told[2].happened) > 1,
        eyes=lambda state: 0,
        also=((1440, "dark"),),
    ),
    Stage("island", _at("show", 2)),
    Stage("bankruptcy", _happened(Bankrupt), eyes=lambda state: 0),
    Stage("end", lambda told: told[2].mover == OVER, eyes=lambda state: 0, also=((1440, "dark"), (820, "light"))),
)


# ---------------------------------------------------------------------------------------------- games to be seen


@dataclass(frozen=True)
class Game:
    """A game as it was played: the seed of its dice, and its steps."""

    seed: bytes
    steps: tuple[Step, ...]


def _seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


@cache
def game(number: int) -> Game:
    """A game of merchants who are shrewd, but now and then do whatever comes to their mind."""
    greedy, random = player_named("dutchman", "greedy"), Random(number)
    dice = FairDice(_seed(number), ("",) * len(NAMES))
    state = DUTCHMAN.start(Options(players=len(NAMES), starter=0))
    steps: list[Step] = []
    while state.mover != OVER:
        if state.mover == CHANCE:
            action = DUTCHMAN.chance(state).draw(dice.below(len(steps) + FIRST))
        elif random.random() < 0.25:
            action = _whim(state, random)
        else:
            action = greedy(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state), random)
        after = DUTCHMAN.play(state, action)
        steps.append((state, action, after))
        state = after
    return Game(_seed(number), tuple(steps))


def _whim(state: State, random: Random) -> Any:
    moves = DUTCHMAN.moves(state)
    if state.step in ("action", "again"):
        rack = state.merchants[state.mover].rack
        pairs = [(shoe,) for shoe in rack] + [highest_first(pair) for pair in combinations(rack, 2)]
        lays = [Lay(pair) for pair in pairs if sum(shoe > 20 for shoe in pair) < 2]
        best = max(lays, key=lambda lay: reading(lay.horseshoes, state.lucky or 0), default=Pass())
        return random.choice((best, best, *(move for move in (Kontor(), Smith()) if move in moves)))
    return Accept() if state.step == "answer" else moves[random.randrange(len(moves))]


def moment(stage: Stage) -> tuple[Game, int]:
    """The first game in which a stage comes, and after how many steps."""
    for number in range(200):
        found = game(number)
        for place, told in enumerate(found.steps, 1):
            if stage.reached(told):
                return found, place
    raise LookupError(stage.name)


# ------------------------------------------------------------------------------------------------------ the server


@contextmanager
def open_service(folder: Path) -> Iterator[tuple[TableService, str]]:
    """A server that nobody knows of, and its address."""
    generous = {what: Limit(100_000, 100_000) for what in LIMITS}
    with Thinkers() as thinkers, TableService.open(folder) as service:
        hub = Hub()
        app = application(service, thinkers, limits=Limits(generous), hub=hub)
        server = uvicorn.Server(
            uvicorn.Config(app, port=0, log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1)
        )
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield service, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        hub.close()
        server.should_exit = True
        thread.join(5)


def seat_all(service: TableService, found: Game) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A table with the dice of a game, and who sits there: their ids and the tokens of their sessions."""
    opening.new_seed = lambda: found.seed
    people = [service.guest(name) for name in NAMES]
    seats = (SeatPlan("me"), *(SeatPlan("open") for _ in NAMES[1:]))
    table = service.open_table(people[0][0].id, Plan("dutchman", Options(players=len(NAMES), starter=0), seats))
    for seat, (person, _) in enumerate(people[1:], 1):
        service.sit(table, seat, person.id)
    return table, tuple((person.id, token) for person, token in people)


def play(service: TableService, table: str, steps: Sequence[Step]) -> None:
    """Plays what was played; chance comes by itself, and must be the same."""
    for before, action, _ in steps:
        if before.mover != CHANCE:
            number, view = service.view(table, before.mover)
            assert view == DUTCHMAN.view(before, before.mover)
            service.play(table, before.mover, number, action)


# ---------------------------------------------------------------------------------------------------- the pictures


def save(picture: bytes, path: Path) -> None:
    """Few colours are enough for ink on paper."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    few = image.quantize(MOST_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def taken(page: Page, stage: Stage, width: int, every: bool) -> bytes:
    """The picture of a page: from its top, or as it comes."""
    if not stage.whole:
        return page.screenshot()
    page.evaluate("scrollTo(0, 0)")
    high = page.evaluate("document.documentElement.scrollHeight")
    seen: Any = {"x": 0, "y": 0, "width": width, "height": high if every else min(high, SEEN[width])}
    return page.screenshot(full_page=True, clip=seen)


def draw(stages: Sequence[Stage], folder: Path, every: bool) -> None:
    """Brings a table to each stage and draws it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        open_service(Path(data)) as (service, address),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for stage in stages:
            found, place = moment(stage)
            table, people = seat_all(service, found)
            play(service, table, found.steps[:place])
            seat = stage.eyes(found.steps[place - 1][2])
            token = people[seat][1]
            ways = [(w, t) for w in WIDTHS for t in THEMES] if every else [*KEPT, *stage.also]
            for width, theme in ways:
                context = browser.new_context(
                    base_url=address,
                    viewport={"width": width, "height": WIDTHS[width]},
                    color_scheme="dark" if theme == "dark" else "light",
                    reduced_motion="reduce",
                    locale="en-GB",
                )
                context.add_cookies([{"name": "kontor", "value": token, "url": address}])
                page = context.new_page()
                page.goto(f"/tables/{table}")
                page.wait_for_selector("#connection[data-is=live]")
                stage.prepare(page)
                page.mouse.move(1, 1)
                save(taken(page, stage, width, every), folder / f"{stage.name}-{width}-{theme}.png")
                context.close()
        browser.close()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("stages", nargs="*", choices=[[], *(stage.name for stage in STAGES)])
    asked.add_argument("--every", action="store_true")
    asked.add_argument("--to", type=Path, default=PICTURES)
    given = asked.parse_args()
    draw([stage for stage in STAGES if not given.stages or stage.name in given.stages], given.to, given.every)
