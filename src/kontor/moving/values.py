"""Choices of a person about their own moves, as values."""

from __future__ import annotations

from kontor.game import Value
from kontor.people.values import ConfirmedPace


class MoveChoices(Value, frozen=True):
    """A person's choices about their own moves; at first all are off."""

    confirms: tuple[ConfirmedPace, ...] = ()
    """The tables at which they confirm each move."""
