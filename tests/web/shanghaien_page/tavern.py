"""Tavern of Shanghaien for the tests: positions, games of random players, and their pages."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from markupsafe import Markup
from msgspec.structs import replace

from kontor.game import OVER
from kontor.games.shanghaien.rules import SHANGHAIEN, Move, Options, State, View
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import Dice, Number, Roll, Row
from kontor.games.shanghaien.web.board import context
from kontor.games.shanghaien.web.tale import afterwards
from kontor.tables.pages.table_context import Board, PositionShown
from kontor.web.adapter import Seen
from kontor.web.pages.fragments import Page
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor, nobody
from kontor.words import Words
from random_steps import game_steps
from web.elements import Element, find, read

NAMES: Final = ("Anna <b>", "Bernd & Co")
"""Names that would do harm if they were not escaped."""

WORDS: Final = Words("en")


@cache
def pages() -> Pages:
    return Pages()


def reader(language: str) -> Visitor:
    return Visitor(nobody, "", language, "", "", False, "/", False)


def moves_of(view: View, state: State) -> Sequence[Move]:
    return SHANGHAIEN.moves(state) if view.seat is not None and view.seat == view.mover else ()


def build_page(
    state: State, seat: int | None, events: Sequence[Seen] = (), story: Sequence[Seen] = (), language: str = "en"
) -> Page:
    view = SHANGHAIEN.view(state, seat)
    board = Board(
        table=PositionShown(
            game="shanghaien",
            title="",
            subtitle="",
            address="/tables/abc",
            seat=seat,
            my_turn=False,
            over=state.mover == OVER,
            names=NAMES,
            headline="",
        ),
        own=context(WORDS, NAMES, view, moves_of(view, state), events),
        fields=Markup('<input type="hidden" name="number" value="7">'),
        moves_url="/tables/abc/moves",
        rule_url=lambda rule: f"/rules/shanghaien#{rule}",
        tale=afterwards(WORDS, NAMES, None, [story]) if story else None,
    )
    return pages().build(reader(language), board)


def html(state: State, seat: int | None, events: Sequence[Seen] = (), story: Sequence[Seen] = ()) -> str:
    return build_page(state, seat, events, story).html()


def controls(root: Element) -> list[Element]:
    return [element for element in find(root, name="move") if element.tag == "button"]


def steps(seed: int, options: Options | None = None) -> Iterator[tuple[State, Any, State]]:
    """Return the steps of a game of two random players."""
    return game_steps(SHANGHAIEN, SHANGHAIEN.start(options or Options()), Random(seed))


def first_roll(low: int = 2, high: int = 5) -> State:
    """Return a state after Anna's first roll; she owns a trick of each kind, and French sailors."""
    state = SHANGHAIEN.start(Options(starter=0))
    for action in (Row(("A1", "F2", "G3", "C3", "D4", "both")), Roll(), Dice(low, high)):
        state = SHANGHAIEN.play(state, action)
    crew = Crew(sailors=("F1", "S3"), tricks=("both", "nudge", "reroll"))
    return replace(state, crews=(crew, Crew(sailors=("F3",), tricks=("nudge",))))


def rulebook_row() -> State:
    """Return a state in which Anna placed 2, 2, 3, 6, 6 and Bernd 3, 4, 5, 6, 6 (S9's example).

    Anna has to shanghai.
    """
    state = SHANGHAIEN.play(first_roll(), Number("right"))
    placed = ((0, 2, 1, 0, 0, 2), (0, 0, 1, 1, 1, 2))
    return replace(state, step="turn", roll=None, placed=placed)


def taker(fate: Element) -> str:
    """Return the new owner of a card once the round is over."""
    return next(name.removeprefix("to-") for name in fate.classes if name.startswith("to-"))


def captains(state: State, seat: int | None) -> dict[str, list[str]]:
    """Return the captains on the two places beside the card with the 1, and the end of the row where it is."""
    root = read(html(state, seat))
    end = [name for name in find(root, id="sh-posts")[0].classes if name.startswith("at-")]
    classes = {"end": end}
    for side in ("theirs", "mine"):
        drawn = find(find(root, id=f"sh-post-{side}-{state.one_at}")[0], class_="captain")
        classes[side] = [next(name for name in ("grey", "theirs", "mine") if name in one.classes) for one in drawn]
    return classes


def whole_game(seed: int, seat: int | None = 0) -> list[Seen]:
    """Return all steps of a game, as a seat saw them."""
    return [
        (
            number,
            SHANGHAIEN.event(before, action, after, seat),
            SHANGHAIEN.view(before, seat),
            SHANGHAIEN.view(after, seat),
        )
        for number, (before, action, after) in enumerate(steps(seed))
    ]
