"""Finished games as arrays: the place of each player at each table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NOBODY: Final = -1
"""Fills rows of games with fewer players than the largest."""


@dataclass(frozen=True, eq=False)
class RatedGames:
    """Games, a row each; within a row the best first.

    ``players`` (games × most players) are indices from 0, or NOBODY at the end of a row. ``first`` (the same shape)
    is the position at which a player's tie begins: their own position if they share their place with nobody.
    ``weights`` (games) are from 0 to 1.
    """

    players: Integers
    first: Integers
    weights: Floats

    @classmethod
    def of(
        cls, results: Sequence[Sequence[tuple[int, int]]], weights: Sequence[float] | Floats | None = None
    ) -> RatedGames:
        """Return the arrays for games, each a sequence of (player, place); equal places are ties.

        Raises ValueError where a game has fewer than two players, or one twice.
        """
        most = max((len(result) for result in results), default=2)
        players = np.full((len(results), most), NOBODY)
        first = np.broadcast_to(np.arange(most), players.shape).copy()
        for row, result in enumerate(results):
            if len(result) < 2 or len({player for player, _ in result}) != len(result):
                raise ValueError(f"not a game of several players: {result}")
            ranked = sorted(result, key=lambda one: one[1])
            for position, (player, place) in enumerate(ranked):
                players[row, position] = player
                if position and place == ranked[position - 1][1]:
                    first[row, position] = first[row, position - 1]
        return cls(players, first, np.ones(len(results)) if weights is None else np.asarray(weights, dtype=float))

    @property
    def choices(self) -> Floats:
        """Return how much each player's place counts, in the shape of ``players``.

        By Plackett and Luce a ranking is a series of choices of the best of those who are left. The last is no
        choice. Of ``t`` players who share the last place ``t − 1`` were chosen, and it is unknown which. So a draw of
        two counts as half a victory of each.
        """
        seated = self.players != NOBODY
        last = self.first[np.arange(len(self.players)), seated.sum(axis=1) - 1][:, None] == self.first
        shared = (last & seated).sum(axis=1, keepdims=True)
        counts = np.where(last, (shared - 1) / np.maximum(shared, 1), 1.0)
        choices: Floats = counts * seated * self.weights[:, None]
        return choices


def faded(ages: Any, half_life: float) -> Floats:
    """Return weights of games by their age, in the unit of the half-life; a game of the future weighs 1."""
    weights: Floats = np.power(0.5, np.maximum(np.asarray(ages, dtype=float), 0) / half_life)
    return weights
