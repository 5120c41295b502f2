"""Each seat's chance to win at the start of a round (``players.values``), by ``players.network`` as kernels.

Sums are taken in a fixed order, so the numbers are the same on every machine. They equal NumPy's except for rounding.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow, Numbers, Reals, Rows
from kontor.batch.compiled import as_int64, njit_cached, njit_inline
from kontor.games.dutchman.batch.layout import SEATS
from kontor.games.dutchman.batch.rules import score_of
from kontor.games.dutchman.batch.turns import is_over
from kontor.games.dutchman.players.encoding import WAYS
from kontor.games.dutchman.players.features import NEXT, SEAT_FEATURES
from kontor.games.dutchman.players.network import WIDTHS, Weights, shapes
from kontor.games.dutchman.rules import Options
from training.dutchman.policy.knowing import KNOWN, know, write_ways

_WANTING, _MEETING, _FIRST, _SECOND = WIDTHS
_SEAT: Final = SEAT_FEATURES + 2 * _MEETING

JUDGEMENT: Final = np.dtype([
    ("weights", np.dtype([(name, np.float32, shape) for name, shape in shapes().items()], align=True)),
    ("known", KNOWN),
    ("wanting", np.float32, (SEATS, WAYS, _WANTING)), ("all_wanting", np.float32, (WAYS, _WANTING)),
    ("theirs", np.float32, (max(WIDTHS),)), ("meeting", np.float32, (_MEETING,)),
    ("seat", np.float32, (SEATS, _SEAT)), ("first", np.float32, (SEATS, _FIRST)),
    ("first_others", np.float32, (SEATS, _FIRST)), ("second", np.float32, (SEATS, _SECOND)),
    ("second_others", np.float32, (SEATS, _SECOND)), ("of_table", np.float32, (max(WIDTHS),)),
    ("all_first", np.float32, (_FIRST,)), ("all_second", np.float32, (_SECOND,)), ("score", np.float32, (SEATS,)),
], align=True)  # fmt: skip
"""Weights of the network, and working memory."""


def judgement_of(weights: Weights, options: Options) -> Rows:
    """Return one JUDGEMENT with these weights, for games with these options.

    Kernels write into it, so each thread needs one of its own.
    """
    judgement = np.zeros(1, JUDGEMENT)
    for name in shapes():
        judgement["weights"][name][0] = weights[name]
    write_ways(judgement["known"][0], options)
    return judgement


@njit_inline
def _add_product(given: Reals, weights: Reals, to: Reals) -> None:
    for place in range(len(given)):
        number = given[place]
        for column in range(weights.shape[1]):
            to[column] += number * weights[place, column]


@njit_inline
def _cut(values: Reals) -> None:
    """Replace negative values by 0."""
    for place in range(len(values)):
        values[place] = max(values[place], np.float32(0))


@njit_inline
def _want(game: GameRow, judgement: GameRow) -> None:
    """Compute the hidden layer of each seat and way, for each seat on its own."""
    weights = judgement.weights
    features = judgement.known
    of_table = judgement.of_table[:_WANTING]
    of_table[:] = weights.way_bias
    _add_product(features.common, weights.way_table, of_table)
    judgement.all_wanting[:] = 0
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        of_seat = judgement.theirs[:_WANTING]
        of_seat[:] = of_table
        _add_product(features.seats[seat], weights.way_seat, of_seat)
        for way in range(WAYS):
            wanting = judgement.wanting[seat, way]
            wanting[:] = of_seat
            _add_product(features.ways[seat, way], weights.way_own, wanting)
            _cut(wanting)
            for unit in range(_WANTING):
                judgement.all_wanting[way, unit] += wanting[unit]


@njit_inline
def _meet(judgement: GameRow, seat: int, others: np.float32) -> None:
    """Compute the hidden layer of a seat's ways beside the others', summed up over the ways.

    The result follows the seat's features in ``judgement.seat``.
    """
    weights = judgement.weights
    seen = judgement.seat[seat]
    seen[:] = 0
    for feature in range(SEAT_FEATURES):
        seen[feature] = judgement.known.seats[seat, feature]
    theirs = judgement.theirs[:_WANTING]
    meeting = judgement.meeting
    for way in range(WAYS):
        own = judgement.wanting[seat, way]
        for unit in range(_WANTING):
            theirs[unit] = (judgement.all_wanting[way, unit] - own[unit]) / others
        meeting[:] = weights.meeting_bias
        _add_product(own, weights.meeting_own, meeting)
        _add_product(theirs, weights.meeting_others, meeting)
        _cut(meeting)
        likely = judgement.known.ways[seat, way, NEXT]
        for unit in range(_MEETING):
            seen[SEAT_FEATURES + unit] += meeting[unit]
            seen[SEAT_FEATURES + _MEETING + unit] += likely * meeting[unit]


@njit_inline
def _see_first(game: GameRow, judgement: GameRow, others: np.float32) -> None:
    weights = judgement.weights
    of_table = judgement.of_table[:_FIRST]
    of_table[:] = weights.first_bias
    _add_product(judgement.known.common, weights.first_table, of_table)
    judgement.all_first[:] = 0
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        judgement.first[seat] = of_table
        judgement.first_others[seat] = 0
        _add_product(judgement.seat[seat], weights.first_own, judgement.first[seat])
        _add_product(judgement.seat[seat], weights.first_others, judgement.first_others[seat])
        for unit in range(_FIRST):
            judgement.all_first[unit] += judgement.first_others[seat, unit]
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        for unit in range(_FIRST):
            judgement.first[seat, unit] += (judgement.all_first[unit] - judgement.first_others[seat, unit]) / others
        _cut(judgement.first[seat])


@njit_inline
def _see_second(game: GameRow, judgement: GameRow, others: np.float32) -> None:
    weights = judgement.weights
    judgement.all_second[:] = 0
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        judgement.second[seat] = weights.second_bias
        judgement.second_others[seat] = 0
        _add_product(judgement.first[seat], weights.second_own, judgement.second[seat])
        _add_product(judgement.first[seat], weights.second_others, judgement.second_others[seat])
        for unit in range(_SECOND):
            judgement.all_second[unit] += judgement.second_others[seat, unit]
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        for unit in range(_SECOND):
            judgement.second[seat, unit] += (
                judgement.all_second[unit] - judgement.second_others[seat, unit]
            ) / others
        _cut(judgement.second[seat])


@njit_inline
def _score(judgement: GameRow, seat: int) -> np.float32:
    weights = judgement.weights
    score = np.float32(0)
    for unit in range(_SECOND):
        score += judgement.second[seat, unit] * weights.score[unit]
    for place in range(_SEAT):
        score += judgement.seat[seat, place] * weights.score_seat[place]
    return score


@njit_inline
def _estimate(game: GameRow, judgement: GameRow, chances: Numbers) -> None:
    know(game, judgement.known)
    others = np.float32(max(game.in_order - 1, 1))
    _want(game, judgement)
    for place in range(game.in_order):
        _meet(judgement, as_int64(game.order[place]), others)
    _see_first(game, judgement, others)
    _see_second(game, judgement, others)
    best = -np.inf
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        judgement.score[seat] = _score(judgement, seat)
        best = max(best, judgement.score[seat])
    total = 0.0
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        chances[seat] = np.exp(judgement.score[seat] - best)
        total += chances[seat]
    for place in range(game.in_order):
        chances[game.order[place]] /= total


@njit_cached
def judge(rows: Rows, chances: Numbers, judgements: Rows, start: int, stop: int) -> None:
    """Write each seat's chance to win, for games at the start of a round.

    ``chances`` is float64 (rows, seats). In a finished game they are exact, and a shared victory counts 1/n.
    """
    points = np.empty(SEATS, np.int32)
    winners = np.empty(SEATS, np.bool_)
    for at in range(start, stop):
        chances[at] = 0
        if is_over(rows[at]):
            score_of(rows[at], points, winners)
            many = 0
            for seat in range(rows[at].players):
                many += winners[seat]
            for seat in range(rows[at].players):
                if winners[seat]:
                    chances[at, seat] = 1 / many
        else:
            _estimate(rows[at], judgements[0], chances[at])
