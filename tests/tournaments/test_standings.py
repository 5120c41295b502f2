"""Standings: points, and tie-breaks one after the other, compared with a second computation and cases by hand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor.game import Result
from kontor.tournaments import (
    POINT,
    TIE_BREAKS,
    Placing,
    TournamentGame,
    duplicate_match,
    played,
    played_early,
    standings,
)
from profiles import scale_examples

from .test_pairing import Tournament, by_fours


def won_game(number: int, one: str, other: str, scores: tuple[int, int] = (1, 0)) -> TournamentGame:
    winners = tuple(seat for seat in (0, 1) if scores[seat] == max(scores))
    return played(number, (one, other), Result(scores, winners))


def places(table: Sequence[Placing]) -> list[tuple[int, str]]:
    return [(row.place, row.entrant) for row in table]


def test_points_are_the_share_of_the_others_that_one_has_beaten() -> None:
    def points(*scores: int) -> list[float]:
        game = played(1, [f"e{seat}" for seat in range(len(scores))], Result(scores, ()))
        return [points / POINT for points in game.points]

    assert points(3, 1) == [1, 0]
    assert points(2, 2) == [0.5, 0.5]
    assert points(9, 5, 1) == [1, 0.5, 0]
    assert points(9, 5, 5) == [1, 0.25, 0.25]
    assert points(4, 3, 2, 1, 0) == [1, 0.75, 0.5, 0.25, 0]
    for seats in range(2, 7):
        assert sum(points(*range(seats))) == pytest.approx(seats / 2), "no table is worth more than another"
    assert played(1, ("a", "b"), Result((8, 8), (1,))).points == (0, POINT), "who won by the rules comes first"


def test_a_game_that_was_ended_early_goes_to_the_winner_or_is_shared() -> None:
    assert played_early(1, ("a", "b"), (1,)).points == (0, POINT)
    assert played_early(1, ("a", "b"), ()).points == (POINT // 2, POINT // 2)
    assert played_early(1, ("a", "b", "c"), ()).points == (POINT // 2,) * 3


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        ((5, 3), (1, 2), (POINT, 0)),  # a wins both
        ((5, 3), (2, 1), (POINT, 0)),  # one each: a is ahead by two and behind by one
        ((5, 3), (4, 1), (0, POINT)),
        ((5, 3), (5, 3), (POINT // 2, POINT // 2)),
        ((5, 5), (1, 2), (POINT, 0)),
    ],
)
def test_a_duplicate_match_is_two_games(first: tuple[int, int], second: tuple[int, int], points: object) -> None:
    """Check the scores, which are in the order of the seats, which the second game swaps."""
    match = duplicate_match(won_game(1, "a", "b", first), won_game(1, "b", "a", second))
    assert (match.seats, match.points) == (("a", "b"), points)
    assert match.scores == (first[0] + second[1], first[1] + second[0])


def test_a_duplicate_match_with_a_game_that_was_ended_early_counts_games_alone() -> None:
    match = duplicate_match(won_game(1, "a", "b", (5, 3)), played_early(1, ("b", "a"), (0,)))
    assert (match.points, match.scores) == ((POINT // 2, POINT // 2), ())
    with pytest.raises(ValueError, match="swapped"):
        duplicate_match(won_game(1, "a", "b"), won_game(1, "a", "b"))


def test_four_players_by_hand() -> None:
    """Compute four players by hand.

    Bernd wins all. The others win one each, from each other in a ring, and have all met all: Buchholz 5, without the
    lowest 4, Sonneborn–Berger 1, one point from each other, one win. The scores decide: Anna +4 −2 −1, Carla −4 +3
    −1, Dora −1 −3 +1.
    """
    games = [
        *(won_game(1, "anna", "carla", (5, 1)), won_game(1, "bernd", "dora", (3, 2))),
        *(won_game(2, "anna", "bernd", (1, 3)), won_game(2, "carla", "dora", (4, 1))),
        *(won_game(3, "dora", "anna", (2, 1)), won_game(3, "bernd", "carla", (2, 1))),
    ]
    table = standings("pairs", ["anna", "bernd", "carla", "dora"], games, (), 3)
    assert [(row.place, row.entrant, row.points, row.played, row.wins) for row in table] == [
        (1, "bernd", 3.0, 3, 3),
        (2, "anna", 1.0, 3, 1),
        (3, "carla", 1.0, 3, 1),
        (4, "dora", 1.0, 3, 1),
    ]
    assert table[0].tie_breaks == (2.0, 3.0, 3.0, 0.0, 3.0, 4.0)
    assert [row.tie_breaks for row in table[1:]] == [(4.0, 5.0, 1.0, 1.0, 1.0, own) for own in (1.0, -2.0, -3.0)]


def test_who_is_level_in_everything_shares_the_place() -> None:
    ring = [won_game(1, "a", "b"), won_game(1, "c", "d"), won_game(2, "b", "c"), won_game(2, "d", "a")]
    table = standings("pairs", ["a", "b", "c", "d"], ring, (), 2)
    assert {row.place for row in table} == {1}
    assert len({row.tie_breaks for row in table}) == 1


def test_a_bye_is_a_point_and_a_win_against_oneself() -> None:
    games = [won_game(1, "a", "b"), won_game(2, "c", "a")]
    table = standings("pairs", ["a", "b", "c"], games, [(1, "c"), (2, "b")], 2)
    assert [(row.entrant, row.points) for row in table] == [("c", 2.0), ("a", 1.0), ("b", 1.0)]
    by_name = {row.entrant: dict(zip(TIE_BREAKS["pairs"], row.tie_breaks, strict=True)) for row in table}
    assert by_name["c"]["buchholz"] == 1 + 2  # Anna's point, and two of its own for the bye
    assert by_name["b"]["buchholz"] == 1 + 1
    assert by_name["c"]["wins"] == 1, "a bye is no game"


def test_nobody_loses_by_an_opponent_who_has_left() -> None:
    """Check two who won one game each, against equals.

    The first one's opponent left afterwards; the second one's lost two more games.
    """
    games = [
        won_game(1, "a", "x"),
        won_game(1, "b", "y"),
        won_game(2, "c", "y", (0, 0)),
        won_game(3, "d", "y", (0, 0)),
    ]
    table = standings("pairs", [*"abcdxy"], games, (), 3)
    by_name = {row.entrant: row for row in table}
    assert by_name["a"].tie_breaks[:3] == by_name["b"].tie_breaks[:3], (
        "two halves for the rounds missed, as for two draws"
    )


def test_direct_encounters_count_where_all_who_are_level_have_met() -> None:
    """Check Anna and Bernd, level in points (1), Buchholz (2, 1) and Sonneborn–Berger (1); Anna beat Bernd."""
    games = [
        *(won_game(1, "anna", "bernd"), won_game(1, "y", "z"), won_game(1, "w", "x")),
        *(won_game(2, "x", "anna"), won_game(2, "bernd", "y"), won_game(2, "w", "z")),
    ]
    table = {row.entrant: row for row in standings("pairs", ["anna", "bernd", *"wxyz"], games, (), 2)}
    assert table["anna"].tie_breaks[:4] == (1.0, 2.0, 1.0, 1.0)
    assert table["bernd"].tie_breaks[:4] == (1.0, 2.0, 1.0, 0.0)
    assert table["anna"].place == table["bernd"].place - 1
    apart = [won_game(1, "a", "b"), won_game(1, "c", "d"), won_game(2, "d", "a"), won_game(2, "b", "c")]
    four = standings("pairs", [*"abcd"], apart, (), 2)
    assert {row.tie_breaks[3] for row in four} == {0.0}, "a has not met c"


def test_at_tables_the_share_of_ducats_comes_before_who_beat_whom() -> None:
    first = played(1, ("a", "b", "c"), Result((60, 30, 10), (0,)))
    second = played(2, ("b", "a", "d"), Result((90, 5, 5), (0,)))
    table = standings("tables", [*"abcd"], [first, second], (), 2)
    by_name = {row.entrant: row for row in table}
    assert by_name["b"].points == 1.5
    assert by_name["b"].tie_breaks[0] == pytest.approx(120 / 200)
    assert places(table)[0] == (1, "b")
    assert by_name["a"].points == 1.25


# ----------------------------------------------------------------------------------------------- a second computation


def by_hand(
    entrants: Sequence[str], games: Sequence[TournamentGame], byes: Sequence[tuple[int, str]], rounds: int
) -> list[tuple[int, str]]:
    """Return the places in a tournament of pairs, computed in another way: by rounds, in units of 1/120."""
    cards: dict[str, list[tuple[str, int, int]]] = {who: [] for who in entrants}
    for number in range(1, rounds + 1):
        for who in entrants:
            for game in games:
                if game.number == number and who in game.seats:
                    mine = game.seats.index(who)
                    scores = game.scores or (0, 0)
                    cards[who].append((game.seats[1 - mine], game.points[mine], scores[mine] - scores[1 - mine]))
            if (number, who) in byes:
                cards[who].append(("", POINT, 0))
    total = {who: sum(points for _, points, _ in card) for who, card in cards.items()}
    worth = {who: total[who] + (rounds - len(card)) * POINT // 2 for who, card in cards.items()}

    def key(who: str) -> tuple[int, ...]:
        met = [(worth[other] if other else total[who], points) for other, points, _ in cards[who]]
        sums = sum(value for value, _ in met)
        least = min([value for value, _ in met], default=0)
        return total[who], sums - least, sums, sum(value * points for value, points in met)

    def rest(who: str) -> tuple[int, int]:
        return (
            sum(bool(other) and points == POINT for other, points, _ in cards[who]),
            sum(difference for _, _, difference in cards[who]),
        )

    full = {}
    for who in entrants:
        level = [other for other in entrants if key(other) == key(who)]
        mutual = {one: [points for other, points, _ in cards[one] if other in level] for one in level}
        pairs = {frozenset((one, other)) for one in level for other, _, _ in cards[one] if other in level}
        all_met = len(pairs) == len(level) * (len(level) - 1) // 2
        full[who] = (*key(who), sum(mutual[who]) if all_met else 0, *rest(who))
    return [(1 + sum(full[other] > full[who] for other in entrants), who) for who in entrants]


@given(st.integers(2, 40), st.integers(1, 9), st.integers(0, 2**32))
@settings(max_examples=scale_examples(40))
def test_places_are_those_of_a_second_reckoning(entrants: int, rounds: int, seed: int) -> None:
    tournament = Tournament(entrants, seed)
    everybody = {entrant.id for entrant in tournament.here}
    random = Random(seed)
    for _ in range(rounds):
        tournament.next_round()
        if random.random() < 0.3:
            tournament.leave_and_join()
            everybody |= {entrant.id for entrant in tournament.here}
    names = sorted(everybody)
    table = standings("pairs", names, tournament.played, tournament.byes, rounds)
    assert sorted(places(table)) == sorted(by_hand(names, tournament.played, tournament.byes, rounds))
    assert [row.place for row in table] == sorted(row.place for row in table)


@given(st.integers(3, 40), st.integers(1, 6), st.integers(0, 2**32))
@settings(max_examples=scale_examples(20))
def test_at_tables_more_points_are_a_better_place(entrants: int, rounds: int, seed: int) -> None:
    tournament = Tournament(entrants, seed, by_fours)
    for _ in range(rounds):
        tournament.next_round()
    names = [entrant.id for entrant in tournament.here]
    table = standings("tables", names, tournament.played, tournament.byes, rounds)
    points = [row.points for row in table]
    assert points == sorted(points, reverse=True)
    assert sum(points) == pytest.approx(sum(len(game.seats) for game in tournament.played) / 2)
    for one in table:
        for other in table:
            assert (one.place == other.place) == ((one.points, one.tie_breaks) == (other.points, other.tie_breaks))
