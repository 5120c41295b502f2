"""Pairing: everybody sits once or has the bye, and avoidable faults are avoided, with any history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor.game import Result
from kontor.tournaments import (
    POINT,
    Entrant,
    Round,
    TournamentGame,
    played,
    played_early,
    round_robin,
    rounds_in_all,
    swiss,
    tables_of,
)
from kontor.tournaments.pairing import sizes_for
from profiles import scale_examples

Pairing = Callable[[Sequence[Entrant], Sequence[TournamentGame], Sequence[str], int], Round]


def by_fours(entrants: Sequence[Entrant], before: Sequence[TournamentGame], byes: Sequence[str], seed: int) -> Round:
    return tables_of(entrants, before, (4, 3), seed)


class Tournament:
    """A tournament whose games are decided by lot, or by strength."""

    def __init__(self, entrants: int, seed: int, pairing: Pairing = swiss) -> None:
        self.here = [Entrant(f"e{number:03}", float(entrants - number)) for number in range(entrants)]
        self.played: list[TournamentGame] = []
        self.byes: list[tuple[int, str]] = []
        self.rounds = 0
        self.pairing = pairing
        self.random = Random(seed)
        self.seed = seed

    def next_round(self, *, by_strength: bool = False) -> Round:
        self.rounds += 1
        pairings = self.pairing(self.here, self.played, [who for _, who in self.byes], self.seed)
        all_sit_once(self.here, pairings)
        self.byes += [(self.rounds, who) for who in pairings.byes]
        for table in pairings.tables:
            if by_strength:
                scores = [1000 - int(who[1:]) for who in table]
            else:
                scores = [self.random.randrange(4) for _ in table]
            best = max(scores)
            result = Result(tuple(scores), tuple(seat for seat, score in enumerate(scores) if score == best))
            self.played.append(played(self.rounds, table, result))
        return pairings

    def leave_and_join(self) -> None:
        random = self.random
        self.here = [entrant for entrant in self.here if random.random() > 0.1]
        for _ in range(random.randrange(4)):
            self.here.append(Entrant(f"e{500 + random.randrange(10**6)}", random.random() * 50))
        if len(self.here) < 2:
            self.here.append(Entrant(f"e{2 * 10**6 + random.randrange(10**6)}"))

    def met(self) -> Counter[frozenset[str]]:
        return Counter(frozenset(pair) for game in self.played for pair in combinations(game.seats, 2))

    def points(self) -> Counter[str]:
        points = Counter({who: times * POINT for who, times in Counter(who for _, who in self.byes).items()})
        for game in self.played:
            points.update(dict(zip(game.seats, game.points, strict=True)))
        return points


def all_sit_once(entrants: Sequence[Entrant], pairings: Round) -> None:
    sitting = [who for table in pairings.tables for who in table] + list(pairings.byes)
    assert sorted(sitting) == sorted(entrant.id for entrant in entrants)


def begun_more(games: Sequence[TournamentGame]) -> Counter[str]:
    """Return how much more often each player had the first seat than the second."""
    count: Counter[str] = Counter()
    for game in games:
        count.update({game.seats[0]: 1, game.seats[1]: -1})
    return count


# ----------------------------------------------------------------------------------------------------------- Swiss


@given(st.integers(2, 200), st.integers(1, 6), st.integers(0, 2**32), st.booleans())
@settings(max_examples=scale_examples(25))
def test_swiss_seats_everybody_once_whoever_leaves_and_joins(
    entrants: int, rounds: int, seed: int, moving: bool
) -> None:
    tournament = Tournament(entrants, seed)
    for number in range(rounds):
        pairings = tournament.next_round()
        assert all(len(table) == 2 for table in pairings.tables)
        assert len(pairings.byes) == len(tournament.here) % 2
        if moving and number < rounds - 1:
            tournament.leave_and_join()
    if not moving:
        if entrants > 2 * rounds:
            assert max(tournament.met().values()) == 1, "there were enough others"
        if entrants >= rounds:
            assert max(Counter(who for _, who in tournament.byes).values(), default=0) <= 1
        assert max(map(abs, begun_more(tournament.played).values())) <= 2


@given(st.integers(1, 60), st.integers(0, 2**32), st.integers(0, 80))
@settings(max_examples=scale_examples(40))
def test_swiss_never_fails_whatever_the_history(entrants: int, seed: int, games: int) -> None:
    random = Random(seed)
    here = [Entrant(f"e{number}", random.choice([0.0, 1.0, random.random()])) for number in range(entrants)]
    people = [f"e{number}" for number in range(entrants + 3)]
    before = [
        played_early(random.randrange(1, 30), random.sample(people, 2), random.choice([(), (0,), (1,)]))
        for _ in range(games)
    ]
    byes = [random.choice(people) for _ in range(random.randrange(6))]
    pairings = swiss(here, before, byes, seed)
    all_sit_once(here, pairings)
    assert pairings == swiss(here, before, byes, seed), "the same again"


def all_pairings(people: Sequence[str]) -> Iterator[list[tuple[str, ...]]]:
    """Yield every way to pair them; with an odd number one is left alone."""
    if len(people) < 2:
        yield [tuple(people)] if people else []
        return
    first, *rest = people
    if len(people) % 2:
        for others in all_pairings(rest):
            yield [(first,), *others]
    for other in rest:
        for others in all_pairings([one for one in rest if one != other]):
            yield [(first, other), *others]


@given(st.integers(2, 7), st.integers(0, 2**32), st.integers(0, 20))
@settings(max_examples=scale_examples(60))
def test_repeats_and_second_byes_are_as_few_as_can_be(entrants: int, seed: int, games: int) -> None:
    random = Random(seed)
    people = [f"e{number}" for number in range(entrants)]
    before = [played_early(1, random.sample(people, 2), (0,)) for _ in range(games)]
    byes = [random.choice(people) for _ in range(random.randrange(entrants))]
    met = Counter(frozenset(game.seats) for game in before)
    had = Counter(byes)

    def cost(pairs: Sequence[Sequence[str]]) -> int:
        return sum((met[frozenset(pair)] if len(pair) == 2 else had[pair[0]]) ** 2 for pair in pairs)

    pairings = swiss([Entrant(who) for who in people], before, byes, seed)
    assert cost([*pairings.tables, *((who,) for who in pairings.byes)]) == min(map(cost, all_pairings(people)))


def test_five_rounds_of_sixteen_are_what_an_arbiter_would_pair() -> None:
    """Check an arbiter's pairings of five rounds.

    The upper half meets the lower in the first round; then only those with equal points meet, as long as their
    numbers are even; if the stronger always wins, the strongest has won all games, alone.
    """
    tournament = Tournament(16, 1)
    first = tournament.next_round(by_strength=True)
    numbers = sorted(sorted(int(who[1:]) for who in table) for table in first.tables)
    assert numbers == [[number, number + 8] for number in range(8)]
    for _ in range(3):
        points = tournament.points()
        pairings = tournament.next_round(by_strength=True)
        assert all(abs(points[one] - points[other]) <= POINT for one, other in pairings.tables)
        if tournament.rounds <= 3:
            assert all(points[one] == points[other] for one, other in pairings.tables)
    tournament.next_round(by_strength=True)
    assert max(tournament.met().values()) == 1
    assert set(map(abs, begun_more(tournament.played).values())) == {1}
    (best, most), (_, second) = tournament.points().most_common(2)
    assert (best, most) == ("e000", 5 * POINT)
    assert second == 4 * POINT


def test_the_bye_goes_to_the_last_who_has_had_none() -> None:
    tournament = Tournament(5, 1)
    assert tournament.next_round(by_strength=True).byes == ("e004",)
    points = tournament.points()
    (bye,) = tournament.next_round(by_strength=True).byes
    assert points[bye] == 0, "the last after the first round who had none"


def test_who_comes_late_has_no_points_and_plays_those_who_have_none() -> None:
    tournament = Tournament(8, 1)
    tournament.next_round(by_strength=True)
    tournament.next_round(by_strength=True)
    tournament.here += [Entrant("e900"), Entrant("e901")]
    points = tournament.points()
    pairings = tournament.next_round(by_strength=True)
    late = [table for table in pairings.tables if {"e900", "e901"} & set(table)]
    assert all(points[who] <= POINT for table in late for who in table)


# ----------------------------------------------------------------------------------------------------- round robin


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 8, 9, 16, 33])
def test_in_a_round_robin_all_meet_once_from_either_side(entrants: int) -> None:
    people = [f"e{number}" for number in range(entrants)]
    rounds = [round_robin(people, number) for number in range(1, rounds_in_all(entrants) + 1)]
    for pairings in rounds:
        all_sit_once([Entrant(who) for who in people], pairings)
    tables = [table for pairings in rounds for table in pairings.tables]
    assert Counter(map(frozenset, tables)) == Counter(map(frozenset, combinations(people, 2)))
    byes = Counter(who for pairings in rounds for who in pairings.byes)
    assert set(byes.values()) == ({1} if entrants % 2 else set())
    games = [TournamentGame(1, table, (0, 0)) for table in tables]
    assert set(map(abs, begun_more(games).values())) == {1 - entrants % 2}
    again = [round_robin(people, len(rounds) + number) for number in range(1, len(rounds) + 1)]
    assert [table[::-1] for pairings in again for table in pairings.tables] == tables


def test_one_alone_has_the_bye() -> None:
    assert round_robin(["anna"], 1) == Round((), ("anna",)) == swiss([Entrant("anna")], [], [], 1)
    assert tables_of([Entrant("anna")], [], (4, 3), 1) == Round((), ("anna",))


# ---------------------------------------------------------------------------------------------------- larger tables


@pytest.mark.parametrize(
    ("entrants", "sizes", "tables"),
    [
        (3, (4, 3), [3]),
        (5, (4, 3), [5]),
        (6, (4, 3), [3, 3]),
        (9, (4, 3), [3, 3, 3]),
        (10, (4, 3), [4, 3, 3]),
        (11, (4, 3), [4, 4, 3]),
        (16, (4, 3), [4, 4, 4, 4]),
        (7, (6,), [4, 3]),
        (12, (6,), [6, 6]),
        (13, (6,), [6, 4, 3]),
        (10, (5, 4), [5, 5]),
    ],
)
def test_tables_have_the_sizes_wished_for(entrants: int, sizes: tuple[int, ...], tables: list[int]) -> None:
    assert sizes_for(entrants, sizes) == tables


@given(st.integers(3, 200), st.integers(1, 5), st.integers(0, 2**32), st.booleans())
@settings(max_examples=scale_examples(15))
def test_at_tables_all_sit_once_whoever_leaves_and_joins(entrants: int, rounds: int, seed: int, moving: bool) -> None:
    tournament = Tournament(entrants, seed, by_fours)
    for number in range(rounds):
        pairings = tournament.next_round()
        sizes = Counter(map(len, pairings.tables))
        assert pairings.byes == () or len(tournament.here) < 3
        assert set(sizes) <= {3, 4} or len(tournament.here) == 5
        if moving and number < rounds - 1:
            tournament.leave_and_join()
    if not moving and entrants >= 40:
        assert max(tournament.met().values()) == 1, "there were enough others"


def all_tables(people: Sequence[str], sizes: Sequence[int]) -> Iterator[list[tuple[str, ...]]]:
    """Yield every way to seat them at tables of these sizes."""
    if not people:
        yield []
        return
    first, *rest = people
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for others in combinations(rest, size - 1):
            for tables in all_tables([one for one in rest if one not in others], left):
                yield [(first, *others), *tables]


@given(st.integers(3, 9), st.integers(0, 2**32), st.integers(0, 9))
@settings(max_examples=scale_examples(30))
def test_the_same_people_meet_as_rarely_as_can_be(entrants: int, seed: int, games: int) -> None:
    random = Random(seed)
    people = [f"e{number}" for number in range(entrants)]
    before = [played_early(1, random.sample(people, 3), ()) for _ in range(games)]
    met = Counter(frozenset(pair) for game in before for pair in combinations(game.seats, 2))

    def cost(tables: Sequence[Sequence[str]]) -> int:
        return sum(met[frozenset(pair)] ** 2 for table in tables for pair in combinations(table, 2))

    pairings = tables_of([Entrant(who) for who in people], before, (4, 3), seed)
    assert cost(pairings.tables) == min(map(cost, all_tables(people, sizes_for(entrants, (4, 3)))))


@pytest.mark.parametrize(("entrants", "sizes"), [(12, (4, 3)), (16, (4, 3)), (30, (6,)), (9, (3,)), (23, (5, 4))])
def test_everybody_has_each_seat_about_equally_often(entrants: int, sizes: tuple[int, ...]) -> None:
    tournament = Tournament(entrants, 3, lambda here, before, byes, seed: tables_of(here, before, sizes, seed))
    for _ in range(8):
        tournament.next_round()
    everywhere = range(min(len(game.seats) for game in tournament.played))
    for entrant in tournament.here:
        had = Counter(game.seats.index(entrant.id) for game in tournament.played if entrant.id in game.seats)
        assert max(had[seat] for seat in everywhere) - min(had[seat] for seat in everywhere) <= 2
