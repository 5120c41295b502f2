"""The question whether a move is to be made, for people who confirm each move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kontor.game import Value
from kontor.people.values import ConfirmedPace, Person
from kontor.players import has_judge
from kontor.review.adapter import adapter_of as review_adapter_of
from kontor.tables.pages.seating import names_of
from kontor.tables.values import Pace
from kontor.tables.views import TableView
from kontor.web.adapter import adapter_of
from kontor.words import Words

ANSWER: Final = "confirmed"
"""The field of the answer: ``yes`` makes the move, ``no`` leads back to the table."""

_LEFT_OUT: Final = (ANSWER, "token")


class Confirmation(Value, frozen=True):
    """A move that is to be confirmed: the question, and the fields of the form that would make the move."""

    question: str
    fields: Sequence[tuple[str, str]]


def confirms_moves(person: Person | None, pace: Pace) -> bool:
    """Return True if the person confirms each move at a table of this pace."""
    kind: ConfirmedPace = "live" if pace.kind == "live" else "slow"
    return person is not None and kind in person.confirms


def is_possible(now: TableView, seat: int, move: Any, number: int, undone: int) -> bool:
    """Return True if the move can be made for the seat, by somebody who has seen the table up to this line."""
    info = now.info
    look = now.look(seat) if info.status == "playing" and not info.paused else None
    return look is not None and (look.number, info.undone) == (number, undone) and move in look.moves


def asks_itself(game: str, move: Any) -> bool:
    """Return True if the game's own board asks once more about such a move."""
    return isinstance(move, adapter_of(game).asks_itself)


def describe_confirmation(
    words: Words, now: TableView, seat: int, move: Any, form: Mapping[str, str]
) -> Confirmation:
    """Return the question about a possible move that a form means."""
    fields = [(name, value) for name, value in form.items() if name not in _LEFT_OUT]
    return Confirmation(ask_about(words, now, seat, move), fields)


def ask_about(words: Words, now: TableView, seat: int, move: Any) -> str:
    """Return the question whether this possible move is to be made; it names the move if the game has names."""
    game = now.info.game
    if not has_judge(game):
        return words.say("Make this move?")
    name = review_adapter_of(game).move(words, names_of(words, now.info), now.look(seat).view, move)
    return words.say("Make this move: {move}?", move=name)
