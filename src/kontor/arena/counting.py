"""What players have won, counted, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from kontor.game import Result, Value

CONFIDENT: Final = 1.959964
"""Standard deviations to either side that hold 95 % of a normal distribution."""


class Standing(Value, frozen=True):
    """How one of the players did. ``wins`` are sole victories, ``draws`` shared ones. ``share`` is the share of
    victories, where one shared by n counts 1/n; ``ci95`` is its 95 % interval."""

    name: str
    games: int
    wins: int
    draws: int
    share: float
    ci95: tuple[float, float]
    mean_points: float


class Report(Value, frozen=True):
    """What came of the games, for the players in the order given. ``decisions`` are all moves of all players; their
    number a second counts everything: the rules, the views, the players' thoughts and the dice.

    Only ``seconds``, and what follows from them, depend on the machine and on the number of processes.
    """

    game: str
    rules: int
    """The version of the game's rules."""
    games: int
    seed: int
    decisions: int
    seconds: float
    decisions_per_second: float
    group: int
    """How many games in a row have the same luck. With 1, games have nothing to do with each other, and the intervals
    are :func:`wilson`'s; with more, each group is one observation (:func:`grouped`)."""
    players: tuple[Standing, ...]


class Tally:
    """What one player has won so far. Games that have nothing to do with each other are groups of 1."""

    def __init__(self, name: str, group: int) -> None:
        self.name = name
        self.group = group
        self.wins = self.draws = self.points = 0
        self.shares: list[float] = []

    def add(self, result: Result, seat: int) -> None:
        """The next game, in which the player had this seat."""
        self.points += result.points[seat]
        winners = result.winners
        self.shares.append(1 / len(winners) if seat in winners else 0.0)
        if seat in winners:
            self.wins += len(winners) == 1
            self.draws += len(winners) > 1

    def standing(self) -> Standing:
        """How the player did."""
        games, won = len(self.shares), sum(self.shares)
        interval = wilson(won, games) if self.group == 1 else grouped(self.shares, self.group)
        return Standing(self.name, games, self.wins, self.draws, won / games, interval, self.points / games)


def wilson(successes: float, tries: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share: it stays within 0 and 1, and says something even after ten wins out of ten.

    Shared victories count as parts of a success; since a share so counted varies less than one of wins and losses
    alone, the interval is then a little wider than need be.
    """
    share = successes / tries
    z = CONFIDENT**2 / tries
    middle = (share + z / 2) / (1 + z)
    half = sqrt(z * share * (1 - share) + z**2 / 4) / (1 + z)
    # Rounding must not push the ends of 0 of 10, or 10 of 10, beyond what a share can be, nor past the share itself.
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))


def grouped(shares: Sequence[float], size: int) -> tuple[float, float]:
    """The 95 % interval of the mean share, where each ``size`` games in a row belong together.

    Games with the same luck are not independent of each other, but groups of them are: so the mean of each group is
    one observation, and the interval is the normal one of their mean, cut off at 0 and 1 (sampling of whole clusters
    of equal size: W. G. Cochran, *Sampling Techniques*, 3rd edition 1977, chapter 9). If luck decides much, groups
    differ less than games do, and the interval is narrower than that of as many games without mirrors.

    Groups that are all alike (a single one, for instance) say nothing of how they vary: then the interval is Wilson's
    of so many tries as there are groups, which is wide.
    """
    means = [fmean(shares[first : first + size]) for first in range(0, len(shares), size)]
    share = fmean(means)
    if min(means) == max(means):
        return wilson(share * len(means), len(means))
    half = CONFIDENT * stdev(means) / sqrt(len(means))
    return max(0.0, share - half), min(1.0, share + half)
