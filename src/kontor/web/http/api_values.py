"""The JSON values of the API for programs."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from kontor.game import Value
from kontor.people.values import Scope

SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=100)]
LineNumber = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class Seen(Value, frozen=True):
    """The state of a game as one seat sees it.

    ``number`` is that of the last line of the log. ``moves`` is the number of legal moves; their list, which can be
    long, is at ``/moves``. ``mover`` is −1 while chance waits for other tables, and −2 when the game is over.
    """

    number: int
    seat: int | None
    mover: int
    view: Any
    moves: int
    undone: int = 0
    """The number of moves taken back at the table; the number of such a move can belong to another one now."""


class Trouble(Value, frozen=True):
    """The reason why a request was refused.

    ``rule`` is the number of the game's rule that refuses it, or empty. ``now`` is the state of the game, if a move
    came too late. ``scope`` is the one that the token lacks.
    """

    status: int
    reason: str
    rule: str = ""
    now: Seen | None = None
    scope: Scope | None = None
