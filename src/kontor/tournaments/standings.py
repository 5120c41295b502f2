"""Who stands where: by points, then by tie-breaks, one after the other. Who is level in all of them shares the place:
there is no lot."""

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
"""Games for two, or for more."""

TIE_BREAKS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "pairs": ("buchholz_cut", "buchholz", "sonneborn_berger", "direct", "wins", "difference"),
    "tables": ("share", "direct", "wins"),
}
"""In the order in which they count.

- ``buchholz``: the points of all opponents; ``buchholz_cut``: without the lowest.
- ``sonneborn_berger``: the points of each opponent, times what was won from them.
- ``direct``: the points from each other, among those who are level until then, if they have all met.
- ``wins``: games won at the table (or shared with nobody).
- ``difference``: own scores in all games, less the opponents'.
- ``share``: the share of all scores at one's tables that were one's own.
"""


class Placing(Value, frozen=True):
    """Where somebody stands. ``place`` is from 1, the same for all who are level. ``points`` and ``tie_breaks`` (in
    the order of TIE_BREAKS) are to be read; they were compared exactly."""

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
    """After so many ``rounds``, of all ``entrants``, also those who have left. ``byes`` are rounds (from 1) and who
    had them: each is worth a point.

    For Buchholz and Sonneborn–Berger a bye counts as a win against somebody with one's own points, a round that one
    missed as nothing, and a round that an opponent missed as half a point of theirs: nobody loses by it that an
    opponent has left."""
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
    """What everybody has played; points are whole ones here."""

    points: Mapping[str, Fraction]
    adjusted: Mapping[str, Fraction]
    """With half a point for each round missed."""
    games: Mapping[str, Sequence[tuple[TournamentGame, int]]]
    """Each with one's own seat."""
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
    """The tie-breaks but for the direct encounter."""
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
    """What those who are level won from each other: in pairs points, at larger tables the share of them beaten.
    Nothing where not all of them have met."""
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
