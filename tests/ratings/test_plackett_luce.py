"""Strengths by Plackett and Luce: their properties, and their fit to simulated games."""

from math import exp, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.ratings import fitted, gone_through, pool, spearman, victories
from kontor.ratings.games import Floats, RatedGames, faded
from kontor.ratings.plackett_luce import Ratings, _Rankings, fit

PEOPLE = 6

Results = list[list[tuple[int, int]]]

a_game = st.lists(st.integers(0, PEOPLE - 1), min_size=2, max_size=PEOPLE, unique=True).flatmap(
    lambda sitting: st.tuples(*(st.tuples(st.just(player), st.integers(1, 4)) for player in sitting)).map(list)
)
some_games = st.lists(a_game, min_size=1, max_size=12)


def strengths(results: Results) -> Floats:
    return fit(RatedGames.of(results), PEOPLE).strengths


def by_hand(results: Results, at: Floats) -> float:
    """Return the log-likelihood, written down choice by choice.

    Those who share a place are equally likely to have been chosen, and the others who share it are among those who
    were left.
    """
    likelihood = 0.0
    for result in results:
        places = sorted({place for _, place in result})
        for place in places:
            chosen = [player for player, reached in result if reached == place]
            left = [player for player, reached in result if reached >= place]
            of_them = len(chosen) - 1 if place == places[-1] else len(chosen)
            mean = sum(at[player] for player in chosen) / len(chosen)
            likelihood += of_them * (mean - log(sum(exp(at[player]) for player in left)))
    return likelihood


@given(some_games, st.lists(st.floats(-3, 3), min_size=PEOPLE, max_size=PEOPLE))
def test_the_likelihood_is_that_of_the_definition(results: Results, at: list[float]) -> None:
    point = np.array(at)
    assert _Rankings(RatedGames.of(results), PEOPLE).at(point).likelihood == pytest.approx(by_hand(results, point))


@given(some_games, st.lists(st.floats(-2, 2), min_size=PEOPLE, max_size=PEOPLE))
def test_gradient_and_curvature_are_those_of_the_likelihood(results: Results, at: list[float]) -> None:
    rankings, point, little = _Rankings(RatedGames.of(results), PEOPLE), np.array(at), 1e-5
    for way in np.eye(PEOPLE):
        above, below = rankings.at(point + little * way), rankings.at(point - little * way)
        slope = (above.likelihood - below.likelihood) / (2 * little)
        assert rankings.at(point).gradient @ way == pytest.approx(slope, abs=1e-6)
        bent = (below.gradient - above.gradient) / (2 * little)
        assert rankings.at(point).curvature(way) == pytest.approx(bent, abs=1e-6)


@given(some_games, st.randoms(use_true_random=False))
def test_the_order_of_games_and_of_seats_does_not_matter(results: Results, random: Random) -> None:
    shuffled = [list(result) for result in results]
    random.shuffle(shuffled)
    for result in shuffled:
        random.shuffle(result)
    assert strengths(shuffled) == pytest.approx(strengths(results), abs=1e-6)


@given(some_games)
def test_nothing_could_be_likelier(results: Results) -> None:
    fitted_strengths = strengths(results)
    slope = _Rankings(RatedGames.of(results), PEOPLE).at(fitted_strengths).gradient - fitted_strengths
    assert slope == pytest.approx(np.zeros(PEOPLE), abs=1e-5)


def test_who_never_played_is_in_the_middle_and_as_unsure_as_before() -> None:
    ratings = fit(RatedGames.of([[(0, 1), (1, 2)]]), PEOPLE)
    assert ratings.strengths[5] == 0
    assert ratings.deviations[5] == 1
    assert ratings.points(5) == pytest.approx((1500, 173.7), abs=0.1)


def test_without_any_game_nobody_is_rated() -> None:
    ratings = fit(RatedGames.of([]), PEOPLE)
    assert list(ratings.strengths) == [0] * PEOPLE
    assert list(ratings.deviations) == [1] * PEOPLE


def test_a_draw_is_half_a_victory_of_each() -> None:
    drawn = strengths([[(0, 1), (1, 1)], [(0, 1), (2, 2)]])
    halves = fit(RatedGames.of([[(0, 1), (1, 2)], [(1, 1), (0, 2)], [(0, 1), (2, 2)]], [0.5, 0.5, 1]), PEOPLE)
    assert drawn == pytest.approx(halves.strengths, abs=1e-6)


def test_who_beats_an_anchor_half_the_time_is_as_strong() -> None:
    games = [[(0, 1), (1, 2)], [(1, 1), (0, 2)]] * 500
    ratings = fit(RatedGames.of(games), PEOPLE, anchors={1: 1.5})
    assert ratings.strengths[1] == 1.5
    assert ratings.deviations[1] == 0
    assert ratings.strengths[0] == pytest.approx(1.5, abs=0.01)
    assert ratings.deviations[0] < 0.07


def test_older_games_fade() -> None:
    assert faded([0, 365, 730, -5], 365) == pytest.approx([1, 0.5, 0.25, 1])
    won, lost = [(0, 1), (1, 2)], [(1, 1), (0, 2)]
    later = fit(RatedGames.of([won, lost], faded([900, 0], 365)), PEOPLE).strengths
    assert later[1] > later[0]


@pytest.mark.parametrize("result", [[(0, 1)], [], [(0, 1), (0, 2)]])
def test_what_is_no_game_of_several_is_refused(result: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="several"):
        RatedGames.of([result])


def test_a_player_beyond_all_is_refused() -> None:
    with pytest.raises(ValueError, match="player 6 of 6"):
        fit(RatedGames.of([[(0, 1), (6, 2)]]), PEOPLE)


@pytest.mark.parametrize("games", [4, 46])
def test_deviations_are_nearly_those_of_the_whole_inverse(games: int) -> None:
    people = 120
    true, results = pool(0, people, 4, games * people // 4)
    anchors = {0: float(true[0])}
    rated = RatedGames.of(results)
    ratings = fit(rated, people, anchors=anchors)
    ranking = _Rankings(rated, people).at(ratings.strengths)
    curvature = np.array([ranking.curvature(way) for way in np.eye(people)]) + np.eye(people)
    exact = np.sqrt(np.diag(np.linalg.inv(curvature[1:, 1:])))
    assert np.abs(ratings.deviations[1:] / exact - 1).max() < 0.1


def covered(true: Floats, ratings: Ratings) -> float:
    return float((np.abs(ratings.strengths - true) <= 1.96 * ratings.deviations).mean())


def test_intervals_of_95_percent_hold_about_95_percent() -> None:
    """Check strengths that are drawn from the prior."""
    shares = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        true = rng.normal(0, 1, 60)
        results = []
        for _ in range(400):
            sitting = rng.choice(60, 4, replace=False)
            order = sitting[np.argsort(-(true[sitting] + rng.gumbel(size=4)))]
            results.append([(int(player), place) for place, player in enumerate(order)])
        shares.append(covered(true, fit(RatedGames.of(results), 60)))
    assert 0.93 <= np.mean(shares) <= 0.97, shares


@pytest.mark.long
@pytest.mark.parametrize("games", [12, 46, 136])
def test_the_true_order_is_recovered_better_than_by_openskill_and_by_victories(games: int) -> None:
    people, correlations = 120, []
    for seed in range(5):
        true, results = pool(seed, people, 4, games * people // 4)
        correlations.append([spearman(true, method(results, people)) for method in (fitted, gone_through, victories)])
    ours, openskill, plain = np.mean(correlations, axis=0)
    assert ours > openskill > plain, correlations
