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
    breaks = {who: _broken(kind, table, who) for who in entrants}
    at_direct = TIE_BREAKS[kind].index("direct")
    keys: dict[str, tuple[Fraction, ...]] = {}
    before = sorted(entrants, key=lambda who: (table.points[who], *breaks[who][:at_direct]))
    for _, level in groupby(before, key=lambda who: (table.points[who], *breaks[who][:at_direct])):
        together = list(level)
        direct = _direct(kind, together, played)
        for who in together:
            own = breaks[who]
            keys[who] = (table.points[who], *own[:at_direct], direct[who], *own[at_direct:])
    order = sorted(entrants, key=lambda who: keys[who], reverse=True)
    above = {who: sum(keys[other] > keys[who] for other in entrants) for who in entrants}
    return tuple(
        Placing(
            above[who] + 1,
            who,
            float(keys[who][0]),
            tuple(map(float, keys[who][1:])),
            len(table.games[who]),
            table.wins[who],
        )
        for who in order
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
            for seat, who in enumerate(game.seats):
                games[who].append((game, seat))
                points[who] += game.points[seat]
                wins[who] += game.points[seat] == POINT
        free = Counter(who for _, who in byes)
        everybody = {*entrants, *games}
        total = {who: Fraction(points[who], POINT) + free[who] for who in everybody}
        adjusted = {who: total[who] + Fraction(max(0, rounds - len(games[who]) - free[who]), 2) for who in everybody}
        return cls(total, adjusted, {who: games[who] for who in everybody}, free, wins)


def _broken(kind: Kind, table: _Tables, who: str) -> tuple[Fraction, ...]:
    """Return the tie-breaks of a person, without the direct encounter."""
    games = table.games[who]
    wins = Fraction(table.wins[who])
    if kind == "tables":
        scored = [(game.scores[seat], sum(game.scores)) for game, seat in games if game.scores]
        all_scores = sum(total for _, total in scored)
        return Fraction(sum(own for own, _ in scored), all_scores) if all_scores > 0 else Fraction(0), wins
    met = [(table.adjusted[game.seats[1 - seat]], Fraction(game.points[seat], POINT)) for game, seat in games]
    met += [(table.points[who], Fraction(1))] * table.byes[who]
    buchholz = sum((points for points, _ in met), Fraction(0))
    lowest = min((points for points, _ in met), default=Fraction(0))
    berger = sum((points * won for points, won in met), Fraction(0))
    difference = Fraction(sum(game.scores[seat] - game.scores[1 - seat] for game, seat in games if game.scores))
    return buchholz - lowest, buchholz, berger, wins, difference


def _direct(kind: Kind, level: Sequence[str], played: Sequence[TournamentGame]) -> dict[str, Fraction]:
    """Return how many times each of those who are level has beaten another of them; a tie counts half.

    All have 0 unless all of them have met.
    """
    among = set(level)
    won: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    for game in played:
        here = [seat for seat, who in enumerate(game.seats) if who in among]
        for one in here:
            for other in here:
                if one < other:
                    met[frozenset((game.seats[one], game.seats[other]))] += 1
                if one != other:
                    mine, theirs = game.points[one], game.points[other]
                    won[game.seats[one]] += 2 * (mine > theirs) + (mine == theirs)
    if len(met) < len(level) * (len(level) - 1) // 2:
        return dict.fromkeys(level, Fraction(0))
    return {who: Fraction(won[who], 2) for who in level}
