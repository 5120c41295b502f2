"""Choices of a person about their own moves, as values."""

from __future__ import annotations

from kontor.game import Value
from kontor.people.values import ConfirmedPace


class MoveChoices(Value, frozen=True):
    """A person's choices about their own moves; at first all are off."""

    confirms: tuple[ConfirmedPace, ...] = ()
    """The tables at which they confirm each move."""
    only_move: bool = False
    """True if a move is played for them where all see that there is no other."""


class ForcedTurn(Value, frozen=True):
    """A seat on turn, of a person for whom the only move is played; ``number`` is that of the last line."""

    table: str
    game: str
    seat: int
    number: int
    undone: int
