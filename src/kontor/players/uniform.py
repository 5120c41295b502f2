"""The player called ``random``: every legal move is equally likely."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any


def choose(view: Any, moves: Sequence[Any], random: Random) -> Any:
    """Return one of the moves, each with the same probability."""
    return moves[random.randrange(len(moves))]
