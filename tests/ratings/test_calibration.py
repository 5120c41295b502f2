"""Calibration of ratings: what predicts a game, what many games show, and that no number shows a single one."""

from collections.abc import Callable
from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guests import ME, OPEN, Clock, query, shanghaien
from kontor.ratings.calibration import AT_ONCE, Prediction, RatingHistory, calibrate, predict, win_chances
from kontor.ratings.calibration_figure import calibration_figure
from kontor.ratings.fits import fit_ratings
from kontor.ratings.rated_games import RatedGame
from kontor.ratings.values import Calibration
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.stored_times import milliseconds_of

DAY = 24 * 3600 * 1000
POINTS = 400 / log(10)
LEVELS = {"casual": 1500.0, "expert": 2000.0}
PEOPLE = ("a" * 20, "b" * 20, "c" * 20)

some_days = st.lists(st.tuples(st.integers(0, 20), st.integers(1000, 2000)), unique_by=lambda one: one[0])


def rated_game(*players: str, day: int = 10, lasted: int = DAY) -> RatedGame:
    """Return a game that the first of the players wins."""
    started = day * DAY + DAY // 2
    places = tuple([(player, number) for number, player in enumerate(players)])
    return RatedGame("shanghaien", started + lasted, places, "t" * 20, started)


def history_of(*ratings: tuple[str, int, int], deviation: int = 0) -> RatingHistory:
    history = RatingHistory()
    for person, day, points in sorted(ratings):
        history.add(person, day, points, deviation)
    return history


def simulated(
    players: int, games: int, believed: Callable[[float], float] = lambda points: points, deviation: int = 0
) -> Calibration:
    """Return the calibration of games that go by Plackett and Luce, predicted from what is believed of strengths."""
    rng = np.random.default_rng(2026)
    predictions = []
    for number in range(games):
        ids = [f"{seat:020}" for seat in range(players)]
        points = [float(one) for one in rng.normal(1500, 200, players)]
        history = history_of(
            *((who, 1, round(believed(one))) for who, one in zip(ids, points, strict=True)), deviation=deviation
        )
        true = np.array(points) + rng.normal(0, deviation, players)
        order = np.argsort(-(true / POINTS + rng.gumbel(size=players)))
        prediction = predict(rated_game(*(ids[seat] for seat in order), lasted=number), history, LEVELS)
        assert prediction is not None
        predictions.append(prediction)
    return calibrate("shanghaien", predictions)


# ------------------------------------------------------------------------------------------- what predicts a game


@given(some_days, some_days, st.integers(0, 20), st.integers(0, 3))
def test_a_game_is_never_predicted_by_ratings_that_could_know_it(
    ones: list[tuple[int, int]], others: list[tuple[int, int]], day: int, lasted: int
) -> None:
    ratings = [(PEOPLE[0], *one) for one in ones] + [(PEOPLE[1], *other) for other in others]
    earlier = [rating for rating in ratings if rating[1] < day]
    game = rated_game(*PEOPLE[:2], day=day, lasted=lasted * DAY)
    assert predict(game, history_of(*ratings), LEVELS) == predict(game, history_of(*earlier), LEVELS)


def test_the_last_of_the_earlier_ratings_predicts() -> None:
    history = history_of((PEOPLE[0], 3, 1400), (PEOPLE[0], 9, 1900), (PEOPLE[0], 10, 1000), (PEOPLE[1], 1, 1500))
    prediction = predict(rated_game(*PEOPLE[:2]), history, LEVELS)
    assert prediction is not None
    numbers = (prediction.chance, prediction.share, prediction.score, prediction.even)
    assert numbers == pytest.approx((10 / 11, 1, 1 / 121, 0.25))


def test_a_game_in_which_somebody_had_no_rating_is_not_predicted() -> None:
    history = history_of((PEOPLE[0], 3, 1400), (PEOPLE[1], 10, 1500))
    assert predict(rated_game(*PEOPLE[:2]), history, LEVELS) is None
    assert predict(rated_game(PEOPLE[0], "keen"), history, LEVELS) is None, "nor with a level without points"
    assert predict(rated_game(PEOPLE[0], "casual", "casual 2"), history, LEVELS) is not None


@given(st.lists(st.tuples(st.floats(500, 2500), st.floats(0, 200)), min_size=2, max_size=6))
def test_chances_are_shares_of_one_and_the_stronger_has_the_better(ratings: list[tuple[float, float]]) -> None:
    chances = win_chances(ratings)
    assert sum(chances) == pytest.approx(1)
    in_order = sorted(zip(ratings, chances, strict=True))
    assert all(weaker[1] <= stronger[1] + 1e-12 for weaker, stronger in pairwise(in_order))
    unsure = win_chances([(points, deviation + 50) for points, deviation in ratings])
    assert max(unsure) <= max(chances) + 1e-12, "uncertainty brings chances together"


def test_equal_favourites_and_winners_share_the_victory() -> None:
    even = history_of(*((person, 1, 1500) for person in PEOPLE))
    prediction = predict(rated_game(*PEOPLE), even, LEVELS)
    assert prediction is not None
    assert prediction.share == pytest.approx(1 / 3)
    started = 10 * DAY
    drawn = RatedGame("shanghaien", started, ((PEOPLE[0], 0), (PEOPLE[1], 0)), "t" * 20, started)
    uneven = predict(drawn, history_of((PEOPLE[0], 1, 1900), (PEOPLE[1], 1, 1500)), LEVELS)
    assert uneven is not None
    assert uneven.share == 0.5


# ---------------------------------------------------------------------------------------------- many games together


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("deviation", [0, 90])
def test_games_that_go_by_the_model_lie_on_the_diagonal(players: int, deviation: int) -> None:
    calibration = simulated(players, 3000, deviation=deviation)
    assert calibration.total is not None
    assert calibration.total.share_low <= calibration.total.chance <= calibration.total.share_high
    outside = [one for one in calibration.classes if not one.share_low <= one.chance <= one.share_high]
    assert len(outside) <= 1 < len(calibration.classes)
    assert calibration.score is not None
    assert calibration.even_score is not None
    assert calibration.score < calibration.even_score


@pytest.mark.parametrize("players", [2, 4])
def test_a_wrong_scale_does_not_lie_on_the_diagonal(players: int) -> None:
    too_wide = simulated(players, 1500, lambda points: 1500 + 2 * (points - 1500)).total
    assert too_wide is not None
    assert too_wide.chance > too_wide.share_high
    too_narrow = simulated(players, 1500, lambda points: 1500 + (points - 1500) / 2).total
    assert too_narrow is not None
    assert too_narrow.chance < too_narrow.share_low


@given(st.lists(st.floats(0.2, 1), max_size=230))
def test_no_number_is_of_fewer_games_than_are_added_at_once(chances: list[float]) -> None:
    predictions = [Prediction(number, chance, 1, 0, 0.25) for number, chance in enumerate(chances)]
    calibration = calibrate("shanghaien", predictions)
    assert calibration.games == len(chances) // AT_ONCE * AT_ONCE
    assert sum(one.games for one in calibration.classes) == calibration.games
    assert all(one.games >= AT_ONCE for one in calibration.classes)
    assert all(one.low - 1e-3 <= one.chance <= one.high + 1e-3 for one in calibration.classes)
    assert calibration == calibrate("shanghaien", predictions[: calibration.games]), "the last ones wait"
    figure = calibration_figure(calibration)
    assert all(12 <= point.high <= point.y <= point.low <= 332 for point in figure.points)


# --------------------------------------------------------------------------------------------------- in a database


def test_the_night_calibrates_games_by_the_nights_before(service: KontorServer, place: Place, clock: Clock) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))

    def play() -> None:
        table = service.opening.open(anna, shanghaien(ME, OPEN))
        service.opening.sit(table, 1, bernd)
        service.early_endings.resign(table, 1, bernd)

    def run_night() -> None:
        clock.tick(days=1)
        service.ratings.keep(fit_ratings(place, milliseconds_of(clock())), pause=0)

    play()
    run_night()
    assert service.ratings.calibration("shanghaien") == Calibration("shanghaien"), "nobody had a rating"
    clock.tick(days=1)
    for _ in range(AT_ONCE + 1):
        play()
    run_night()
    calibration = service.ratings.calibration("shanghaien")
    assert calibration.games == AT_ONCE
    assert calibration.total is not None
    assert 0.5 < calibration.total.chance < 0.7 < calibration.total.share == 1, "by the rating of one victory"
    assert service.ratings.calibration("dutchman").games == 0
    ((content,),) = query(place, "SELECT content FROM calibrations WHERE game = 'shanghaien'")
    assert anna not in content
    assert bernd not in content
