"""Moves given ahead, as their owner knows them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from kontor.game import Value


class GivenMoves(Value, frozen=True):
    """The moves that a person has given ahead for their seat.

    ``missed``: it is their turn, and the moves do not fit, so none is played.
    """

    moves: tuple[Any, ...] = ()
    missed: bool = False


class OwnMovesAhead(Value, frozen=True):
    """A person's moves given ahead at a table, for their own data; ``moves`` are as the game writes them."""

    table: str
    seat: int
    at: datetime
    moves: tuple[Any, ...]


class AheadTurn(Value, frozen=True):
    """A seat whose turn it is and for which moves were given ahead; ``written`` are these as they are stored."""

    table: str
    game: str
    seat: int
    number: int
    """Of the last line."""
    undone: int
    written: str
