"""Standings: by points, then by one tie-break after the other.

People who are equal in all of them share the place: there is no lot.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final, Literal

from kontor.game import Value
from kontor.tournaments.scoring import POINT, TournamentGame

Kind = Literal["pairs", "tables"]
"""The kind of a tournament: games for two, or for more."""

TIE_BREAKS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "pairs": ("buchholz_cut", "buchholz", "sonneborn_berger", "direct", "wins", "difference"),
    "tables": ("share", "direct", "wins"),
}
"""The tie-breaks in the order in which they count.

- ``buchholz``: the points of all opponents; ``buchholz_cut``: without the lowest.
- ``sonneborn_berger``: the points of each opponent, times what was won from them.
- ``direct``: the points from each other, among those who are level until then, if they have all met.
- ``wins``: games won at the table, not shared.
- ``difference``: own scores in all games, less the opponents'.
- ``share``: the share of all scores at one's tables that were one's own.
"""


class Placing(Value, frozen=True):
    """A row of the standings. ``place`` counts from 1; people who are level have the same.

    ``points`` and ``tie_breaks`` (in the order of TIE_BREAKS) are rounded for display; exact values were compared.
    """

    place: int
    entrant: str
    points: float
    tie_breaks: tuple[float, ...]
    played: int
    wins: int


def standings(
    kind: Kind,
    entrants: Sequence[str],
    played: Sequence[TournamentGame],
    byes: Sequence[tuple[int, str]],
    rounds: int,
) -> tuple[Placing, ...]:
    """Return the standings after so many ``rounds`` of all ``entrants``, also those who have left.

    ``byes`` are rounds (from 1) and the person who had the bye: each is worth a point.

    For Buchholz and Sonneborn–Berger, a bye counts as a win against somebody with one's own points. A round that one
    missed oneself counts as nothing. A round that an opponent missed counts as half a point of theirs, so that no one
    loses when an opponent leaves.
    """
    table = _Tables.of(entrants, played, byes, rounds)
    breaks = {entrant: _tie_breaks(kind, table, entrant) for entrant in entrants}
    at_direct = TIE_BREAKS[kind].index("direct")
    keys: dict[str, tuple[Fraction, ...]] = {}
    before = sorted(entrants, key=lambda entrant: (table.points[entrant], *breaks[entrant][:at_direct]))
    for _, level in groupby(before, key=lambda entrant: (table.points[entrant], *breaks[entrant][:at_direct])):
        together = list(level)
        direct = _direct_encounters(kind, together, played)
        for entrant in together:
            tie_breaks = breaks[entrant]
            keys[entrant] = (table.points[entrant], *tie_breaks[:at_direct], direct[entrant], *tie_breaks[at_direct:])
    order = sorted(entrants, key=lambda entrant: keys[entrant], reverse=True)
    above = {entrant: sum(keys[other] > keys[entrant] for other in entrants) for entrant in entrants}
    return tuple(
        Placing(
            above[entrant] + 1,
            entrant,
            float(keys[entrant][0]),
            tuple(map(float, keys[entrant][1:])),
            len(table.games[entrant]),
            table.wins[entrant],
        )
        for entrant in order
    )


@dataclass(frozen=True, slots=True)
class _Tables:
    """The games, byes and wins of everybody. Points are in whole points here, as fractions."""

    points: Mapping[str, Fraction]
    adjusted: Mapping[str, Fraction]
    """The points with half a point added for each round missed."""
    games: Mapping[str, Sequence[tuple[TournamentGame, int]]]
    """The games of each person, each with their seat."""
    byes: Mapping[str, int]
    wins: Mapping[str, int]

    @classmethod
    def of(
        cls, entrants: Iterable[str], played: Iterable[TournamentGame], byes: Iterable[tuple[int, str]], rounds: int
    ) -> _Tables:
        games: defaultdict[str, list[tuple[TournamentGame, int]]] = defaultdict(list)
        points: Counter[str] = Counter()
        wins: Counter[str] = Counter()
        for game in played:
            for seat, entrant in enumerate(game.seats):
                games[entrant].append((game, seat))
                points[entrant] += game.points[seat]
                wins[entrant] += game.points[seat] == POINT
        free = Counter(entrant for _, entrant in byes)
        everybody = {*entrants, *games}
        total = {entrant: Fraction(points[entrant], POINT) + free[entrant] for entrant in everybody}
        adjusted = {
            entrant: total[entrant] + Fraction(max(0, rounds - len(games[entrant]) - free[entrant]), 2)
            for entrant in everybody
        }
        return cls(total, adjusted, {entrant: games[entrant] for entrant in everybody}, free, wins)


def _tie_breaks(kind: Kind, table: _Tables, entrant: str) -> tuple[Fraction, ...]:
    """Return the tie-breaks of a person, without the direct encounter."""
    games = table.games[entrant]
    wins = Fraction(table.wins[entrant])
    if kind == "tables":
        scored = [(game.scores[seat], sum(game.scores)) for game, seat in games if game.scores]
        all_scores = sum(total for _, total in scored)
        return Fraction(sum(score for score, _ in scored), all_scores) if all_scores > 0 else Fraction(0), wins
    met = [(table.adjusted[game.seats[1 - seat]], Fraction(game.points[seat], POINT)) for game, seat in games]
    met += [(table.points[entrant], Fraction(1))] * table.byes[entrant]
    buchholz = sum((points for points, _ in met), Fraction(0))
    lowest = min((points for points, _ in met), default=Fraction(0))
    berger = sum((points * won for points, won in met), Fraction(0))
    difference = Fraction(sum(game.scores[seat] - game.scores[1 - seat] for game, seat in games if game.scores))
    return buchholz - lowest, buchholz, berger, wins, difference


def _direct_encounters(kind: Kind, level: Sequence[str], played: Sequence[TournamentGame]) -> dict[str, Fraction]:
    """Return how many times each of those who are level has beaten another of them; a tie counts half.

    All have 0 unless all of them have met.
    """
    among = set(level)
    won: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    for game in played:
        seats = [seat for seat, entrant in enumerate(game.seats) if entrant in among]
        for seat in seats:
            for opponent in seats:
                if seat < opponent:
                    met[frozenset((game.seats[seat], game.seats[opponent]))] += 1
                if seat != opponent:
                    points, opponent_points = game.points[seat], game.points[opponent]
                    won[game.seats[seat]] += 2 * (points > opponent_points) + (points == opponent_points)
    if len(met) < len(level) * (len(level) - 1) // 2:
        return dict.fromkeys(level, Fraction(0))
    return {entrant: Fraction(won[entrant], 2) for entrant in level}
