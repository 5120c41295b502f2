"""Plackett–Luce: the strengths that make the rankings of all games likeliest, given a normal prior.

A player of strength s is the best of a group with probability exp(s) / Σ exp(strengths in the group). Those who come
after are ranked likewise (Luce 1959, Plackett 1975). The prior keeps players with few games near the middle, and
makes the maximum unique. It is found by Newton's method, each step by conjugate gradients. The deviation of a
strength is found by Laplace's approximation.

A unit of strength is a factor of e in the odds; in points, as people know them, it is 400 / ln 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kontor.ratings.games import Floats, Integers, RatedGames

Flags = NDArray[np.bool_]

POINTS: Final = 400 / log(10)
"""Points for a unit of strength: 400 points more are ten times the odds."""

MIDDLE: Final = 1500
"""Points of strength 0."""

PRIOR: Final = 1.0
"""Prior standard deviation of people's strengths."""

_STEPS: Final = 50
_CLOSE: Final = 1e-6


@dataclass(frozen=True, eq=False)
class Ratings:
    """Strengths and their standard deviations, by player. The deviations of anchors are 0."""

    strengths: Floats
    deviations: Floats

    def points(self, player: int) -> tuple[float, float]:
        """Return the rating of a player and its standard deviation, both in points."""
        return MIDDLE + POINTS * float(self.strengths[player]), POINTS * float(self.deviations[player])


def fit(
    games: RatedGames, players: int, *, anchors: Mapping[int, float] | None = None, prior: float = PRIOR
) -> Ratings:
    """Return the strengths of ``players`` players; those of ``anchors`` are given, by index, and fixed.

    ``prior`` is the standard deviation of the prior. Raises ValueError where a game has a player whose index is too
    large.
    """
    if games.players.size and games.players.max() >= players:
        raise ValueError(f"player {games.players.max()} of {players}")
    strengths = np.zeros(players)
    free = np.ones(players, dtype=bool)
    for player, strength in (anchors or {}).items():
        strengths[player], free[player] = strength, False
    rankings = _Rankings(games, players)
    for _ in range(_STEPS):
        here = rankings.at(strengths)
        slope = np.where(free, here.gradient - strengths / prior**2, 0)
        step = _newton_step(here, prior, slope, free)
        strengths = strengths + _shorten_step(rankings, strengths, step, slope, prior)
        if np.abs(step).max(initial=0) < _CLOSE:
            break
    return Ratings(strengths, np.where(free, np.sqrt(rankings.at(strengths).variances(free, prior)), 0))


def _shorten_step(rankings: _Rankings, strengths: Floats, step: Floats, slope: Floats, prior: float) -> Floats:
    """Return the step, halved until the posterior grows enough for it (Armijo's condition).

    Far from the maximum a whole Newton step goes too far.
    """

    def height(at: Floats) -> float:
        return rankings.at(at).likelihood - float(at @ at) / (2 * prior**2)

    before, promised = height(strengths), float(step @ slope)
    while height(strengths + step) < before + 1e-4 * promised - 1e-9 * abs(before):
        step, promised = step / 2, promised / 2
    return step


def _newton_step(here: _Here, prior: float, wanted: Floats, free: Flags) -> Floats:
    """Return Newton's step, by conjugate gradients (Hestenes, Stiefel 1952).

    It solves (curvature + curvature of the prior) · step = ``wanted`` for the ``free`` players, and is 0 for the
    others.
    """
    solution = np.zeros_like(wanted)
    rest, way = wanted.copy(), wanted.copy()
    size = start = float(rest @ rest)
    for _ in range(len(wanted)):
        if size <= 1e-12 * start or size == 0:
            break
        applied = np.where(free, here.curvature(way) + way / prior**2, 0)
        length = size / float(way @ applied)
        solution += length * way
        rest -= length * applied
        size, before = float(rest @ rest), size
        way = rest + size / before * way
    return solution


@dataclass(frozen=True, eq=False)
class _Here:
    """The log-likelihood of all games at given strengths, its gradient and its curvature."""

    players: Integers
    first: Integers
    count: int
    choices: Floats
    odds: Floats
    """exp(strength) of each seat, relative to its game's strongest; 0 for an empty seat."""
    left: Floats
    """The sum of the odds of all who are left at a position."""
    likelihood: float

    def _sum_by_player(self, values: Floats) -> Floats:
        """Return the sum of values by seat for each player."""
        seated = self.odds > 0
        return np.bincount(self.players[seated], values[seated], self.count).astype(np.float64)

    def _sum_from_first(self, values: Floats) -> Floats:
        """Return for each seat the sum of a value over all choices in which it could have been chosen."""
        games = np.arange(len(values))[:, None]
        moved = np.zeros_like(values)
        np.add.at(moved, (games, self.first), values)
        return np.cumsum(moved, axis=1)

    @property
    def gradient(self) -> Floats:
        """Return the gradient of the log-likelihood by strength."""
        return self._sum_by_player(self.choices - self.odds * self._sum_from_first(self.choices / self.left))

    def curvature(self, v: Floats) -> Floats:
        """Return the negative Hessian times ``v``."""
        by_seat = v[self.players] * (self.odds > 0)
        mean = np.take_along_axis(_reverse_cumsum(self.odds * by_seat), self.first, axis=1) / self.left
        share = self.choices / self.left
        return self._sum_by_player(
            self.odds * (by_seat * self._sum_from_first(share) - self._sum_from_first(share * mean))
        )

    def variances(self, free: Flags, prior: float) -> Floats:
        """Return the variances of the strengths, without a matrix of all players.

        They are nearly the diagonal of the inverse of the curvature, and the sum of two parts. The first is how
        unsure a player is against those they have met (Schur's complement, with the others' own elements alone). The
        second is how unsure all together are who have met, directly or through others: only the prior and the anchors
        determine that, not their games. A test compares the result with the whole inverse.
        """
        once = self._sum_from_first(self.choices / self.left)
        twice = self._sum_from_first(self.choices / self.left**2)
        diagonal = self._sum_by_player(self.odds * once - self.odds**2 * twice) + 1 / prior**2
        pairs, met = [], []
        width = self.players.shape[1]
        for one in range(width):
            for other in range(one + 1, width):
                both = (self.odds[:, other] > 0) & free[self.players[:, one]] & free[self.players[:, other]]
                low = np.minimum(self.players[both, one], self.players[both, other])
                high = np.maximum(self.players[both, one], self.players[both, other])
                pairs.append(low * self.count + high)
                met.append((self.odds[:, one] * self.odds[:, other] * twice[:, one])[both])
        where, which = np.unique(np.concatenate(pairs), return_inverse=True)
        squares = np.bincount(which, np.concatenate(met), len(where)) ** 2
        low, high = np.divmod(where, self.count)
        correction = np.bincount(low, squares / diagonal[high], self.count)
        correction += np.bincount(high, squares / diagonal[low], self.count)
        pools = self._pools(free)
        together = np.bincount(
            pools, np.where(free, self.curvature(free.astype(float)) + 1 / prior**2, 0), self.count
        )
        size = np.bincount(pools, minlength=self.count)[pools]
        variances: Floats = (1 - 1 / size) / (diagonal - correction) + 1 / np.where(free, together[pools], 1)
        # A player without games has the variance of the prior.
        return np.where(self._sum_by_player(np.ones_like(self.odds)) > 0, variances, prior**2)

    def _pools(self, free: Flags) -> Integers:
        """Return for each player the lowest index of those linked to them by games, anchors excluded."""
        seated = (self.odds > 0) & free[self.players]
        pools, before = np.arange(self.count), np.zeros(self.count, dtype=np.int64)
        while not np.array_equal(pools, before):
            before = pools
            lowest = np.where(seated, pools[self.players], self.count).min(axis=1, initial=self.count)
            pools = pools.copy()
            np.minimum.at(pools, self.players[seated], np.broadcast_to(lowest[:, None], seated.shape)[seated])
            pools = np.minimum(pools, pools[pools])
        return pools


@dataclass(frozen=True, eq=False)
class _Rankings:
    """All games, evaluated at one set of strengths after the other."""

    games: RatedGames
    count: int

    def at(self, strengths: Floats) -> _Here:
        """Return the log-likelihood and its derivatives at these strengths."""
        players, first, choices = self.games.players, self.games.first, self.games.choices
        seated = players >= 0
        shifted = np.where(seated, strengths[players], -np.inf)
        shifted = shifted - shifted.max(axis=1, keepdims=True, initial=-np.inf)
        odds = np.exp(shifted)
        left = np.take_along_axis(_reverse_cumsum(odds), first, axis=1)
        left = np.where(seated, left, 1)
        likelihood = float((choices * (np.where(seated, shifted, 0) - np.log(left))).sum())
        return _Here(players, first, self.count, choices, odds, left, likelihood)


def _reverse_cumsum(values: Floats) -> Floats:
    """Return the sum from each position to the end of its row."""
    sums: Floats = np.cumsum(values[:, ::-1], axis=1)[:, ::-1]
    return sums
