"""Players between two others in strength: each decision is made by one of the two, so none is a blunder."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from kontor.players import Choose


def mixture(weaker: Choose, stronger: Choose, share: float) -> Choose:
    """Return a player that decides as ``stronger`` with probability ``share``, 0 to 1, or else as ``weaker``."""

    def choose(view: Any, moves: Sequence[Any], random: Random) -> Any:
        return (stronger if random.random() < share else weaker)(view, moves, random)

    return choose
