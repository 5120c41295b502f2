"""The pairings of a round. Pairing never fails.

What is undesirable (the same people meet again, somebody has a second bye) has a cost, and the cheapest pairing is
chosen.

``played`` are the games of the rounds before; a bye counts as a full point. A person who has left is not among the
entrants. A person who joined late is, and has no points for the rounds missed. Ties that remain are broken by lot,
from ``seed``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from random import Random
from typing import Final, Literal

from kontor.game import Value
from kontor.tournaments.scoring import POINT, TournamentGame

Seed = int | str | bytes


class Entrant(Value, frozen=True):
    """A participant. ``strength`` is a rating, or another estimate; equal strengths are ordered by lot."""

    id: str
    strength: float = 0.0


class Round(Value, frozen=True):
    """The pairings of a round.

    ``tables`` are those who play each other, in the order of their seats (seat 0 is the first). ``byes`` are those
    without an opponent.
    """

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Before:
    """The games and byes of the rounds before."""

    met: Mapping[frozenset[str], int]
    """Number of times that two people sat at one table."""
    points: Mapping[str, int]
    byes: Mapping[str, int]
    seats: Mapping[str, Sequence[tuple[int, int]]]
    """The seats that each person had, in order, each with the number of people at that table."""

    @classmethod
    def of(cls, played: Iterable[TournamentGame], bye_history: Iterable[str]) -> _Before:
        met: Counter[frozenset[str]] = Counter()
        points: Counter[str] = Counter()
        seats: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for game in sorted(played, key=lambda game: game.number):
            met.update(map(frozenset, combinations(game.seats, 2)))
            for seat, player in enumerate(game.seats):
                points[player] += game.points[seat]
                seats[player].append((seat, len(game.seats)))
        byes = Counter(bye_history)
        for player, times in byes.items():
            points[player] += times * POINT
        return cls(met, points, byes, seats)

    def ranked(self, entrants: Sequence[Entrant], random: Random) -> list[str]:
        """Return the ids ordered by points, then by strength, then by lot."""
        lots = {entrant.id: random.random() for entrant in sorted(entrants, key=lambda entrant: entrant.id)}
        return [
            entrant.id
            for entrant in sorted(
                entrants, key=lambda entrant: (-self.points.get(entrant.id, 0), -entrant.strength, lots[entrant.id])
            )
        ]


# ----------------------------------------------------------------------------------------------------------- Swiss


def swiss(
    entrants: Sequence[Entrant], played: Sequence[TournamentGame], bye_history: Sequence[str], seed: Seed
) -> Round:
    """Return the next round of a Swiss tournament of games for two.

    ``bye_history`` names a person once for each of their byes. The criteria, the most important first:

    1. Nobody meets the same person or has the bye again.
    2. The bye goes to the last in the ranking.
    3. Nobody's first seats exceed their second seats by three, or the other way round.
    4. Both players of a pair have the same points.
    5. Nobody's first seats exceed their second seats by two, or the other way round.
    6. The upper half of those with the same points plays the lower half, in order.
    """
    from kontor.tournaments.matching import least_cost_pairs

    random = Random(seed)
    before = _Before.of(played, bye_history)
    ranked = before.ranked(entrants, random)
    count = len(ranked)
    if count < 2:
        return Round((), tuple(ranked))
    begun = {player: _first_seat_lead(before, player) for player in ranked}
    groups = _Groups.of([before.points.get(player, 0) for player in ranked])
    costs = []
    for upper in range(count):
        for lower in range(upper + 1, count):
            pair = ranked[upper], ranked[lower]
            met = before.met.get(frozenset(pair), 0)
            apart = abs(before.points.get(pair[0], 0) - before.points.get(pair[1], 0)) * 2 // POINT
            excess = _balance_costs(begun[pair[0]], begun[pair[1]])
            costs.append(
                (upper, lower, (met**2, 0, excess[0], apart**2, excess[1], groups.out_of_order(upper, lower)))
            )
    if count % 2:
        for upper in range(count):
            costs.append((upper, count, (before.byes.get(ranked[upper], 0) ** 2, count - 1 - upper, 0, 0, 0, 0)))
    pairs = least_cost_pairs(count + count % 2, costs)
    tables = [
        _order_seats(before, begun, ranked[upper], ranked[lower], random) for upper, lower in pairs if lower < count
    ]
    return Round(tuple(tables), tuple(ranked[upper] for upper, lower in pairs if lower == count))


class BrokenRule(Value, frozen=True):
    """A broken rule of pairing: people ``met`` before, a second ``bye``, or one of two ``seats`` too often."""

    kind: Literal["met", "bye", "seats"]
    entrants: tuple[str, ...]


def pairing_faults(
    paired: Round, played: Sequence[TournamentGame], bye_history: Sequence[str]
) -> tuple[BrokenRule, ...]:
    """Return the rules that a round breaks which was paired by hand: those that pairing keeps if it can."""
    before = _Before.of(played, bye_history)
    faults = [BrokenRule("bye", (player,)) for player in paired.byes if before.byes.get(player)]
    for table in paired.tables:
        pairs = [pair for pair in combinations(sorted(table), 2) if before.met.get(frozenset(pair))]
        faults += [BrokenRule("met", pair) for pair in pairs]
        if len(table) == 2:
            leads = [_first_seat_lead(before, player) + change for player, change in zip(table, (1, -1), strict=True)]
            faults += [
                BrokenRule("seats", (player,)) for player, lead in zip(table, leads, strict=True) if abs(lead) > 2
            ]
    return tuple(faults)


def _first_seat_lead(before: _Before, player: str) -> int:
    """Return how many times more a person had the first seat than the second, in games for two."""
    return sum(1 - 2 * seat for seat, size in before.seats.get(player, ()) if size == 2)


def _balance_costs(lead: int, other_lead: int) -> tuple[int, int]:
    """Return costs for the balance of first seats of a pair, if the one who has begun less often begins.

    ``lead`` and ``other_lead`` are how many times more each has begun. The first cost counts what exceeds a
    difference of two after the game, the second what exceeds one.
    """
    less, more = min(lead, other_lead) + 1, max(lead, other_lead) - 1
    after = (abs(less), abs(more))
    return sum(max(0, lead - 2) ** 2 for lead in after), sum(max(0, lead - 1) ** 2 for lead in after)


@dataclass(frozen=True, slots=True)
class _Groups:
    """Groups of people with the same points. For each place: number, first place and size of its group."""

    number: Sequence[int]
    first: Sequence[int]
    size: Sequence[int]

    @classmethod
    def of(cls, points: Sequence[int]) -> _Groups:
        sizes = Counter(points)
        first: dict[int, int] = {}
        for place, have in enumerate(points):
            first.setdefault(have, place)
        numbers = {have: number for number, have in enumerate(first)}
        return cls(*([of[have] for have in points] for of in (numbers, first, sizes)))

    def out_of_order(self, upper: int, lower: int) -> int:
        """Return the squared distance of two places (the better first) from those that ought to meet.

        Within a group, the first of the upper half meets the first of the lower half. Between groups, the last of the
        better meets the first of the worse.
        """
        if self.first[upper] == self.first[lower]:
            return (2 * (lower - upper) - self.size[upper]) ** 2
        last = self.first[upper] + self.size[upper] - 1
        return 4 * (last - upper + lower - self.first[lower]) ** 2


def _order_seats(
    before: _Before, begun: Mapping[str, int], better: str, worse: str, random: Random
) -> tuple[str, str]:
    """Return the pair in the order of their seats.

    The one who has begun less often begins; then the one who did not begin when last their seats differed; then by
    lot.
    """
    if begun[better] != begun[worse]:
        return (better, worse) if begun[better] < begun[worse] else (worse, better)
    histories = [[seat for seat, _ in reversed(before.seats.get(player, ()))] for player in (better, worse)]
    for better_seat, worse_seat in zip(*histories, strict=False):
        if better_seat != worse_seat:
            return (better, worse) if better_seat > worse_seat else (worse, better)
    return (better, worse) if random.random() < 0.5 else (worse, better)


# ----------------------------------------------------------------------------------------------------- round robin


def rounds_in_all(entrants: int) -> int:
    """Return the number of rounds until everybody has met everybody else."""
    return max(0, entrants - 1 + entrants % 2)


def round_robin(entrants: Sequence[str], number: int) -> Round:
    """Return the round with this number, from 1, of all against all, by the circle method.

    The entrants are all who were there at the beginning, always in the same order. The opponent of a person who has
    left has the bye. After :func:`rounds_in_all` it starts again, with the seats swapped.

    With an odd number of entrants, each has either seat equally often; with an even number, one seat once more.
    """
    rounds = rounds_in_all(len(entrants))
    if not rounds:
        return Round((), tuple(entrants))
    cycle, turn = divmod(number - 1, rounds)
    places: list[str | None] = [*([None] if len(entrants) % 2 else []), *entrants]
    fixed, *circle = places
    circle = circle[-turn:] + circle[:-turn] if turn else circle
    half = len(places) // 2
    line = [fixed, *circle]
    tables: list[tuple[str, str]] = []
    byes: list[str] = []
    for place in range(half):
        first, second = line[place], line[len(line) - 1 - place]
        swapped = (turn if place == 0 else place) % 2 == 1
        if (cycle % 2 == 1) != swapped:
            first, second = second, first
        if first is None or second is None:
            byes += [entrant for entrant in (first, second) if entrant is not None]
        else:
            tables.append((first, second))
    return Round(tuple(tables), tuple(byes))


# ---------------------------------------------------------------------------------------------------- larger tables

FEWEST: Final = 3
MOST: Final = 6
"""The fewest and the most people at a table of a game for more than two."""


def tables_of(
    entrants: Sequence[Entrant], played: Sequence[TournamentGame], sizes: Sequence[int], seed: Seed
) -> Round:
    """Return the next round of games for three to six.

    ``sizes`` are the desired sizes of tables, the preferred first: (4, 3). The criteria, the most important first:

    1. All sit, at tables of the desired sizes.
    2. The same people meet as rarely as possible.
    3. Those at a table have similar points.
    4. All have had each seat equally often.

    One or two people alone have the bye.
    """
    from kontor.tournaments.mixing import least_met

    random = Random(seed)
    before = _Before.of(played, ())
    order = before.ranked([Entrant(entrant.id) for entrant in entrants], random)
    if len(order) < FEWEST:
        return Round((), tuple(order))
    met = [[before.met.get(frozenset((one, other)), 0) ** 2 for other in order] for one in order]
    groups = _Groups.of([before.points.get(player, 0) for player in order])
    apart = [[(one - other) ** 2 for other in groups.number] for one in groups.number]
    tables = least_met(met, apart, sizes_for(len(order), sizes), random)
    return Round(tuple(_best_seats(before, [order[place] for place in table], random) for table in tables))


def _best_seats(before: _Before, table: list[str], random: Random) -> tuple[str, ...]:
    """Return the order in which people take the seats that they have had most rarely; ties are broken by lot."""
    random.shuffle(table)
    seat_counts = {player: Counter(seat for seat, _ in before.seats.get(player, ())) for player in table}
    return min(
        permutations(table),
        key=lambda order: sum(2 ** min(seat_counts[player][seat], 60) for seat, player in enumerate(order)),
    )


def sizes_for(entrants: int, sizes: Sequence[int]) -> list[int]:
    """Return sizes of tables at which all entrants sit, the largest first.

    As few people as possible sit at tables of a size not desired. Then as few as possible sit at the size desired
    least, and so on. Then the sizes are as even as possible.
    """
    cheapest: list[tuple[tuple[int, ...], list[int]] | None] = [((0,) * (len(sizes) + 1), [])]
    for people in range(1, entrants + 1):
        ways = []
        for size in range(FEWEST, MOST + 1):
            smaller = cheapest[people - size] if people >= size else None
            if smaller is not None:
                costs, tables = smaller
                less_wished = [size * (size == wished) for wished in reversed(sizes)][: len(sizes) - 1]
                cost = (size * (size not in sizes), *less_wished, size**2)
                ways.append((tuple(map(sum, zip(costs, cost, strict=True))), sorted([*tables, size], reverse=True)))
        cheapest.append(min(ways, default=None))
    best = cheapest[entrants]
    assert best  # three and more can always be seated
    return best[1]
