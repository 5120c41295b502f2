"""Counts of what players have won, and how certain they are."""

from __future__ import annotations

from kontor.game import Result, Value
from kontor.intervals import grouped, wilson


class Standing(Value, frozen=True):
    """The results of one player.

    ``wins`` are sole victories, ``draws`` shared ones. ``share`` is the share of victories, where one shared by n
    counts 1/n; ``ci95`` is its 95 % interval.
    """

    name: str
    games: int
    wins: int
    draws: int
    share: float
    ci95: tuple[float, float]
    mean_points: float


class Report(Value, frozen=True):
    """The results of a series, for the players in the order given.

    ``decisions`` are all moves of all players. Decisions a second count all work: the rules, the views, the players'
    thinking and the dice.

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
    """The number of consecutive games with the same luck. With 1, games are independent, and intervals are Wilson's;
    with more, each group is one observation of Student's t (:mod:`kontor.intervals`)."""
    players: tuple[Standing, ...]


class Tally:
    """A running count of one player's results. Independent games are groups of 1."""

    def __init__(self, name: str, group: int) -> None:
        self.name = name
        self.group = group
        self.wins = self.draws = self.points = 0
        self.shares: list[float] = []

    def add(self, result: Result, seat: int) -> None:
        """Count the next game, in which the player had this seat."""
        self.points += result.points[seat]
        winners = result.winners
        self.shares.append(1 / len(winners) if seat in winners else 0.0)
        if seat in winners:
            self.wins += len(winners) == 1
            self.draws += len(winners) > 1

    def standing(self) -> Standing:
        """Return the player's results so far."""
        games, won = len(self.shares), sum(self.shares)
        interval = wilson(won, games) if self.group == 1 else grouped(self.shares, self.group)
        return Standing(self.name, games, self.wins, self.draws, won / games, interval, self.points / games)
