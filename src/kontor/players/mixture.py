"""Players between two others: each decision is made by one of these, so none is a blunder."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from kontor.players import Choose


def mixture(weaker: Choose, stronger: Choose, share: float) -> Choose:
    """Who decides as ``stronger`` in this share of all decisions, 0 to 1, and as ``weaker`` in the others."""

    def choose(view: Any, moves: Sequence[Any], random: Random) -> Any:
        return (stronger if random.random() < share else weaker)(view, moves, random)

    return choose
