"""Comparison of the chances that ratings gave before games with how the games ended.

Only ratings of days before a game began predict it, so none of them knows the game. The favourite of each game is
compared: so each game counts once, and the games of a class are independent of each other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import exp, floor, pi
from statistics import fmean
from typing import Final

from kontor.intervals import wilson
from kontor.ratings.plackett_luce import POINTS
from kontor.ratings.rated_games import RatedGame, level_of
from kontor.ratings.values import Calibration, ChanceClass

_DAY: Final = 24 * 3600 * 1000

AT_ONCE: Final = 50
"""Games in the smallest class, and games that are added at once, so that no number shows how a single game ended."""

_CLASSES: Final = 10
"""Number of classes of equal width between 0 and 1, before small ones are merged."""


@dataclass(frozen=True)
class Prediction:
    """A game that ended, with the chance of its favourite to win and their share of the victory.

    ``score`` is the game's Brier score, and ``even`` the score if all players had had the same chance.
    """

    ended: int
    chance: float
    share: float
    score: float
    even: float


class RatingHistory:
    """Points and deviations of people at one game, by the days on which they were fitted."""

    def __init__(self) -> None:
        self._days: dict[str, list[int]] = {}
        self._ratings: dict[str, list[tuple[float, float]]] = {}

    def add(self, person: str, day: int, points: float, deviation: float) -> None:
        """Add a rating. Those of a person are added in the order of their days."""
        self._days.setdefault(person, []).append(day)
        self._ratings.setdefault(person, []).append((points, deviation))

    def before(self, person: str, day: int) -> tuple[float, float] | None:
        """Return the person's last rating of an earlier day; None if they had none."""
        number = bisect_left(self._days.get(person, ()), day)
        return self._ratings[person][number - 1] if number else None


def predict(game: RatedGame, history: RatingHistory, level_points: Mapping[str, float]) -> Prediction | None:
    """Return the prediction of a game from the ratings of earlier days; None if a player had no rating."""
    ratings = []
    for player, _ in game.places:
        level = level_of(player)
        if level:
            rating = (level_points[level], 0.0) if level in level_points else None
        else:
            rating = history.before(player, game.started // _DAY)
        if rating is None:
            return None
        ratings.append(rating)
    chances = win_chances(ratings)
    winners = sum(place == 0 for _, place in game.places)
    shares = [1 / winners if place == 0 else 0.0 for _, place in game.places]
    most = max(chances)
    return Prediction(
        game.ended,
        most,
        fmean(share for share, chance in zip(shares, chances, strict=True) if chance == most),
        _brier_score(chances, shares),
        _brier_score([1 / len(shares)] * len(shares), shares),
    )


def win_chances(ratings: Sequence[tuple[float, float]]) -> list[float]:
    """Return each player's chance to win by Plackett and Luce, from points and deviations.

    Uncertain ratings bring the chances nearer to each other: the mean of the logistic function over a normal
    distribution is nearly the function of a smaller difference (D. J. C. MacKay, *The evidence framework applied to
    classification networks*, 1992).
    """
    variance = 2 * fmean((deviation / POINTS) ** 2 for _, deviation in ratings)
    factor = 1 / (POINTS * (1 + pi * variance / 8) ** 0.5)
    highest = max(points for points, _ in ratings)
    odds = [exp(factor * (points - highest)) for points, _ in ratings]
    return [one / sum(odds) for one in odds]


def _brier_score(chances: Sequence[float], shares: Sequence[float]) -> float:
    """Return half of the sum of squared errors, which for two players is the squared error of either."""
    return sum((chance - share) ** 2 for chance, share in zip(chances, shares, strict=True)) / 2


def calibrate(game: str, predictions: Iterable[Prediction]) -> Calibration:
    """Return the calibration from all predictions but the last ones that do not fill a round number of games."""
    in_order = sorted(predictions, key=lambda prediction: prediction.ended)
    counted = in_order[: len(in_order) // AT_ONCE * AT_ONCE]
    if not counted:
        return Calibration(game)
    total = _chance_class(0.0, 1.0, counted)
    return Calibration(
        game,
        len(counted),
        datetime.fromtimestamp(counted[0].ended // 1000, UTC).date(),
        datetime.fromtimestamp(counted[-1].ended // 1000, UTC).date(),
        round(fmean(prediction.score for prediction in counted), 4),
        round(fmean(prediction.even for prediction in counted), 4),
        total,
        _divide(counted),
    )


def _divide(predictions: Sequence[Prediction]) -> tuple[ChanceClass, ...]:
    """Return classes of predicted chances, each with its neighbours until it has enough games."""
    by_number: list[list[Prediction]] = [[] for _ in range(_CLASSES)]
    for prediction in predictions:
        by_number[min(floor(prediction.chance * _CLASSES + 1e-9), _CLASSES - 1)].append(prediction)
    merged: list[tuple[int, int, list[Prediction]]] = []
    for number, members in enumerate(by_number):
        if not members:
            continue
        if merged and len(merged[-1][2]) < AT_ONCE:
            first, _, others = merged.pop()
            merged.append((first, number + 1, others + members))
        else:
            merged.append((number, number + 1, members))
    if len(merged) > 1 and len(merged[-1][2]) < AT_ONCE:
        _, end, members = merged.pop()
        first, _, others = merged.pop()
        merged.append((first, end, others + members))
    return tuple([_chance_class(first / _CLASSES, end / _CLASSES, members) for first, end, members in merged])


def _chance_class(low: float, high: float, members: Sequence[Prediction]) -> ChanceClass:
    share = fmean(prediction.share for prediction in members)
    share_low, share_high = wilson(share * len(members), len(members))
    chance = fmean(prediction.chance for prediction in members)
    return ChanceClass(
        low, high, len(members), *(round(number, 3) for number in (chance, share, share_low, share_high))
    )
