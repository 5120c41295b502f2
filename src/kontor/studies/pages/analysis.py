"""The analysis board: a position, the moves tried from it, and the place among them, all in the address."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from kontor.analysis import Variations, decode, encode, of_record, of_view, seat_names
from kontor.analysis import adapter_of as analysed
from kontor.analysis.appraisals import PositionQuestion
from kontor.game import CHANCE, Value
from kontor.players import Appraisal
from kontor.plugins import game_named
from kontor.records import Record
from kontor.review.adapter import adapter_of as review_of
from kontor.review.review_text import assumed_opponents
from kontor.tables.pages.log_text import sentences
from kontor.tables.pages.position import BoardPosition
from kontor.tables.values import VisibleStep
from kontor.web.adapter import adapter_of
from kontor.words import Words

_NEVER: Final = datetime(1729, 1, 1, tzinfo=UTC)
"""The time of all steps that are only tried."""

_LISTED: Final = 40
"""Maximum number of outcomes of chance in a list to choose from."""

_DEEPEST: Final = 5
"""Maximum indentation of variations of variations."""


class TriedMove(Value, frozen=True):
    """A step of the tree in the list; ``depth`` grows with each variation of a variation."""

    at: int
    text: str
    depth: int
    here: bool


class PossibleOutcome(Value, frozen=True):
    """An outcome of chance, with the number by which it is chosen."""

    number: int
    text: str


@dataclass(frozen=True)
class Place:
    """A place in the tree: the node after which the game stands, and the seat whose view is shown.

    Without ``eyes`` that is the seat to move.
    """

    variations: Variations
    at: int = -1
    eyes: int | None = None
    values: bool = False
    """True if the values of the moves are requested."""
    against: str = ""
    """The computer player that moves for all seats but the one shown; empty if there is none."""
    table: str = ""
    """The table from which the position comes; it gives the seats their names, to those who may see it."""
    names: tuple[str, ...] = ()
    """The names of the seats, if they are known."""

    @property
    def state(self) -> Any:
        """Return the state of the game at this place."""
        return self.variations.state(self.at)

    @cached_property
    def seat(self) -> int:
        """Return the seat whose view is shown."""
        if self.eyes is not None:
            return self.eyes
        for number in (*reversed(self.variations.path(self.at)), -1):
            mover: int = self.variations.state(number).mover
            if mover >= 0:
                return mover
        return 0

    @cached_property
    def text(self) -> str:
        """Return the tree as text."""
        return encode(self.variations)

    def fields(self) -> dict[str, str]:
        """Return the place as fields of an address or a form."""
        return {
            "p": self.text,
            "at": str(self.at),
            **({"as": str(self.eyes)} if self.eyes is not None else {}),
            **({"values": "1"} if self.values else {}),
            **({"with": self.against} if self.against else {}),
            **({"table": self.table} if self.table else {}),
        }

    def address(self) -> str:
        """Return the address of the page of this place."""
        return f"/analysis/{self.variations.game}?{urlencode(self.fields())}"


def address_of(record: Record, steps: int, seat: int | None = None, table: str = "") -> str:
    """Return the address of the analysis board after so many steps of a record, with the view of a seat.

    It holds all hidden information: it must not be given to people who may not know that.
    """
    variations = of_record(record, steps)
    return Place(variations, variations.last(), seat, table=table).address()


def address_of_view(game: str, view: Any, table: str = "") -> str | None:
    """Return the address of a position with the view of a seat; None if the position can't be written down.

    Information hidden from the seat is imagined. So people who have the view may have the address.
    """
    variations = of_view(game, view)
    return None if variations is None else Place(variations, variations.last(), view.seat, table=table).address()


def leads_from(place: Place, view: Any) -> bool:
    """Return True if the place is a position that looks like this view to any of its seats, or comes after one."""
    game, tree = game_named(place.variations.game), place.variations
    essence = analysed(game.name).essence
    sought = essence(view)
    seats = range(game.seats(tree.begin.options))
    return any(
        essence(game.view(tree.state(at), seat)) == sought for at in (-1, *tree.path(place.at)) for seat in seats
    )


def names_at(words: Words, place: Place) -> tuple[str, ...]:
    """Return the names of the seats of a position: those of its table, or numbers."""
    if place.names:
        return place.names
    game = game_named(place.variations.game)
    return seat_names(words, game.seats(place.variations.begin.options))


def _latest_steps(place: Place) -> list[VisibleStep]:
    """Return the last move on the path to the place and all steps after it, as its seat may know them."""
    steps: list[VisibleStep] = []
    for number in reversed(place.variations.path(place.at)):
        steps.append(_step(place, number))
        if steps[-1].event.seat >= 0:
            break
    return steps[::-1]


def _step(place: Place, number: int) -> VisibleStep:
    tree, seat = place.variations, place.seat
    game, node = game_named(tree.game), tree.nodes[number]
    before, after = tree.state(node.parent), tree.state(number)
    event = game.event(before, node.action, after, seat)
    return VisibleStep(number + 2, _NEVER, event, game.view(before, seat), game.view(after, seat))


def position_at(words: Words, place: Place, address: str) -> BoardPosition:
    """Return the position as a board; moves are possible if the mover's view is shown."""
    game, state, seat = game_named(place.variations.game), place.state, place.seat
    view = game.view(state, seat)
    return BoardPosition(
        game=game.name,
        names=names_at(words, place),
        view=view,
        moves=game.moves(state) if state.mover == seat else (),
        steps=_latest_steps(place),
        address=address,
        fields=place.fields(),
    )


def outcomes_at(words: Words, place: Place) -> list[PossibleOutcome]:
    """Return the outcomes that chance may draw; empty if they can't be listed, or chance is not to act."""
    game, state, seat = game_named(place.variations.game), place.state, place.seat
    if state.mover != CHANCE:
        return []
    adapter, names, before = adapter_of(game.name), names_at(words, place), game.view(state, seat)
    listed = game.chance(state).outcomes() or ()
    outcomes = []
    for number, (outcome, _) in enumerate(listed if len(listed) <= _LISTED else ()):
        after = game.play(state, outcome)
        event = game.event(state, outcome, after, seat)
        texts = adapter.describe_event(words, names, before, event, game.view(after, seat))
        outcomes.append(PossibleOutcome(number, " ".join(texts)))
    return outcomes


def moves_tried(words: Words, place: Place) -> list[TriedMove]:
    """Return the tree, line by line: the first move tried, then the alternatives, then how the first goes on."""
    texts = _texts(words, place.variations.game, place.text, place.seat)
    return [
        TriedMove(number, texts[number], min(depth, _DEEPEST), number == place.at)
        for number, depth in _in_order(place.variations)
    ]


@lru_cache(maxsize=128)
def _texts(words: Words, game: str, text: str, seat: int) -> tuple[str, ...]:
    """Return each step of a tree in words, as a seat may know it.

    It is cached: a reader who waits for values, or walks through a tree, looks at the same tree again and again.
    """
    adapter, place = adapter_of(game), Place(decode(game, text), eyes=seat)
    names = names_at(words, place)
    return tuple(
        " ".join(sentences(words, adapter, names, _step(place, number)))
        for number in range(len(place.variations.nodes))
    )


def _in_order(variations: Variations) -> Iterator[tuple[int, int]]:
    """Yield the nodes in the order of the list, with their depths."""
    after: dict[int, list[int]] = {}
    for number, node in enumerate(variations.nodes):
        after.setdefault(node.parent, []).append(number)
    left = [(-1, 0, False)]
    while left:
        at, depth, is_yielded = left.pop()
        if not is_yielded and at >= 0:
            yield at, depth
        children = after.get(at, [])
        if not children:
            continue
        first, *others = children
        yield first, depth
        left.append((first, depth, True))
        left += [(other, depth + 1, False) for other in reversed(others)]


# -------------------------------------------------------------------------------------------- the values of moves


class MoveValue(Value, frozen=True):
    """The value of a move, in words. ``action`` is the move as a form sends it.

    ``width`` is the length of its bar, 0 to 100. With a probability of two thirds the true value lies between ``low``
    and ``high``.
    """

    text: str
    chance: str
    error: str
    width: int
    low: int
    high: int
    action: str


class MoveValues(Value, frozen=True):
    """The values of the moves, the best first, and the ``stage`` of their computation.

    ``place`` is the place in the queue while the question waits.
    """

    stage: str
    place: int = 0
    moves: tuple[MoveValue, ...] = ()
    exact: bool = False
    left_out: int = 0
    refused: str = ""
    against: str = ""


def values_of(words: Words, place: Place, question: PositionQuestion) -> MoveValues:
    """Return the values of the moves at a place, as far as the question is answered."""
    if question.failed:
        return MoveValues("failed")
    if question.answer is None:
        return MoveValues("thinking", place=question.place)
    game, state, seat = game_named(place.variations.game), place.state, place.seat
    appraisal: Appraisal = question.answer
    names, view = names_at(words, place), game.view(state, seat)
    learned = 0.0 if appraisal.exact else analysed(game.name).learned_error(view) or 0.0
    describe_move = review_of(game.name).move
    values = []
    for appraised in appraisal.moves:
        error = max(appraised.error, learned)
        values.append(
            MoveValue(
                text=describe_move(words, names, view, appraised.move),
                chance=words.say("{n}%", n=words.tenths(100 * appraised.chance)).replace(" ", "\N{NO-BREAK SPACE}"),
                error=f"± {words.tenths(100 * error)}" if error else "",
                width=round(100 * appraised.chance),
                low=round(100 * max(0.0, appraised.chance - error)),
                high=round(100 * min(1.0, appraised.chance + error)),
                action=msgspec.json.encode(appraised.move).decode(),
            )
        )
    left_out = len(game.moves(state)) - len(values)
    against = assumed_opponents(words, game.name)
    return MoveValues("given", moves=tuple(values), exact=appraisal.exact, left_out=left_out, against=against)
