"""A benchmark player that takes the first move, with any budget."""

from collections.abc import Sequence
from random import Random
from typing import Any

from kontor.players import Choose
from kontor.players.budget import Budget


def choose(view: Any, moves: Sequence[Any], random: Random) -> Any:
    return moves[0]


def with_budget(budget: Budget) -> Choose:
    """Return the player; it needs no time."""
    return choose
