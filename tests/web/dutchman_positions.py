"""The chart room for the tests: positions from games played at random, its page, and a reader of pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any, Final

from markupsafe import Markup

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State, View
from kontor.games.dutchman.rules.chart import OURS, Chart
from kontor.games.dutchman.rules.horseshoes import highest_first, reading
from kontor.games.dutchman.rules.state import Lay, Pass
from kontor.games.dutchman.web.board import context
from kontor.games.dutchman.web.story import Seen
from kontor.games.dutchman.web.tale import Tale
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor, nobody
from kontor.words import Words
from web.html_reader import HtmlReader

NAMES: Final = ("Karin <b>", "Helga & Co", "Anne", 'Karl "K"', "Klaus", "Reiner-Maximilian von und zu Hohenstein")
"""Names that would do harm if they were not escaped, and one that is long."""

WORDS: Final = Words("en")
VOID: Final = {"input", "br", "img", "hr", "meta", "link"}
STEPS: Final = {"action", "put", "sail", "name", "propose", "answer", "again", "show", "check"}

# ----------------------------------------------------------------------------------------------------- positions

Told = tuple[State, Any, State]
Place = tuple[State, tuple[Told, ...]]
"""A state, and the steps that led there."""


def played(seed: int, players: int, chart: Chart = OURS, kept: int = 40, checking: bool = False) -> Iterator[Place]:
    """A game of players who do anything, but agree now and then; with each state so many steps before it."""
    random = Random(seed)
    state = DUTCHMAN.start(Options(players=players, chart=chart, check="on request" if checking else "never"))
    steps: list[Told] = []
    while state.mover != OVER:
        if state.mover == CHANCE:
            action = DUTCHMAN.chance(state).draw(random.randrange)
        else:
            moves = DUTCHMAN.moves(state)
            action = moves[random.randrange(len(moves))]
            if state.step in ("action", "again") and random.random() < 0.6:
                action = best_lay(state)
        after = DUTCHMAN.play(state, action)
        steps.append((state, action, after))
        state = after
        yield state, tuple(steps[-kept:])


def best_lay(state: State) -> Move:
    """Lays that come near, so that players are equally near now and then."""
    rack = state.merchants[state.mover].rack
    singles = [(shoe,) for shoe in rack] + [highest_first(pair) for pair in combinations(rack, 2)]
    lays = [Lay(lay) for lay in dict.fromkeys(singles) if sum(shoe > 20 for shoe in lay) < 2]
    return max(lays, key=lambda lay: reading(lay.horseshoes, state.lucky or 0), default=Pass())


@cache
def places() -> tuple[Place, ...]:
    """Some states of every kind of step, from games of every size, and the ends of those games."""
    counted: Counter[tuple[str, int]] = Counter()
    found = []
    for players in (3, 4, 5, 6):
        for seed in range(3):
            for state, steps in played(10 * players + seed, players, checking=seed == 2):
                counted[state.step, players] += 1
                few = counted[state.step, players] <= 2 or (seed == 2 and state.step == "lucky")
                if few or state.step == "over":
                    found.append((state, steps))
    assert {state.step for state, _ in found} >= STEPS | {"over"}
    return tuple(found)


@cache
def whole_games() -> tuple[tuple[Told, ...], ...]:
    """All steps of some games, of every size."""
    games = []
    for players in (3, 4, 5, 6):
        for seed in range(4):
            *_, (_, steps) = played(50 * players + seed, players, kept=10_000, checking=seed == 3)
            games.append(steps)
    assert any(merchant.bankrupt for steps in games for merchant in steps[-1][2].merchants)
    return tuple(games)


def by_all_eyes(steps: Sequence[Told]) -> list[list[Seen]]:
    """A game as each of its seats saw it."""
    return [
        [
            (number, DUTCHMAN.event(*step, seat), DUTCHMAN.view(step[0], seat), DUTCHMAN.view(step[2], seat))
            for number, step in enumerate(steps, 2)
        ]
        for seat in range(len(steps[0][0].merchants))
    ]


def at_turns(*steps: str) -> list[State]:
    return [state for state, _ in places() if state.step in steps]


def events(steps: Sequence[Told], seat: int | None) -> list[Seen]:
    """What the seat sees of the steps since its last move."""
    seen = [
        (number, DUTCHMAN.event(*step, seat), DUTCHMAN.view(step[0], seat), DUTCHMAN.view(step[2], seat))
        for number, step in enumerate(steps, 2)
    ]
    own = [place for place, (_, event, _, _) in enumerate(seen) if event.seat == seat and seat is not None]
    return seen[own[-1] + 1 :] if own else seen


# ------------------------------------------------------------------------------------------------------ rendering


@cache
def pages() -> Pages:
    return Pages()


READER: Final = Visitor(nobody, "", "en", "", "", False, "/", False)


def html(view: View, moves: Sequence[Move] = (), last: Sequence[Seen] = (), tale: Tale | None = None) -> str:
    names = NAMES[: len(view.players)]
    return pages().text(
        "dutchman/board.html",
        READER,
        **context(WORDS, names, view, moves, last),
        fields=Markup('<input type="hidden" name="number" value="7">'),
        moves_url="/tables/abc/moves",
        sent={},
        happened=(),
        steps="",
        table=SimpleNamespace(seat=view.seat),
        rule_url=lambda rule: f"/rules/dutchman#{rule}",
        tale=tale,
    )


def mover_html(state: State) -> str:
    return html(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state))


class Element:
    def __init__(self, tag: str, attributes: dict[str, str | None], parent: Element | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.parts: list[Element | str] = []

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name) or ""

    def all(self) -> Iterator[Element]:
        yield self
        for part in self.parts:
            if isinstance(part, Element):
                yield from part.all()

    def find(self, tag: str, **wanted: str) -> list[Element]:
        return [one for one in self.all() if one.tag == tag and all(one[key] == wanted[key] for key in wanted)]

    @property
    def spoken(self) -> str:
        """What a screen reader would read of it."""
        if self["aria-hidden"] == "true":
            return ""
        return " ".join(" ".join(p if isinstance(p, str) else p.spoken for p in self.parts).split())


class Reader(HtmlReader):
    """Reads a page and insists that every element is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = self.at = Element("page", {}, None)
        self.feed(text)
        self.close()
        assert self.at is self.root, f"<{self.at.tag}> is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"<{tag}> says something twice: {attrs}"
        element = Element(tag, dict(attrs), self.at)
        self.at.parts.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.parts.append(Element(tag, dict(attrs), self.at))

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.parts.append(data)


def read(text: str) -> Element:
    return Reader(text).root


def check_sound(text: str) -> None:
    """Well-formed, with ids that are there once, names for all controls, and nothing that a strict policy refuses."""
    root = read(text)
    ids = Counter(one["id"] for one in root.all() if one["id"])
    assert [name for name, number in ids.items() if number > 1] == []
    labels = {one["for"]: one for one in root.find("label") if one["for"] and one["aria-hidden"] != "true"}
    for one in root.all():
        assert one.tag not in ("style", "script", "foreignobject"), one.tag
        assert not [name for name in one.attributes if name == "style" or name.startswith("on")], one.attributes
        for name in ("for", "aria-labelledby", "popovertarget"):
            assert not one[name] or one[name] in ids, f"{name} says {one[name]}, which is not there"
        if one.tag == "use":
            assert one["href"].removeprefix("#") in ids, one["href"]
        if one.tag in ("button", "input") and one["type"] != "hidden":
            assert one["id"], f"<{one.tag}> without an id"
        if one.tag == "button":
            assert one.spoken, f"button {one['id']} has no name"
        if one.tag == "input" and one["type"] != "hidden":
            label = labels.get(one["id"], one.parent)
            assert label is not None
            assert label.tag == "label", f"input {one['id']} has no label"
            assert label.spoken


def submitted(root: Element) -> set[str]:
    """The values of all buttons that send the form."""
    return {one["value"] for one in root.find("button", name="move")}


def values(root: Element, name: str) -> list[str]:
    return [one["value"] for one in root.find("input", name=name)]
