"""Neural network that gives every seat a score; the chances to win are the softmax of the scores of those playing.

It is the same for all seats and all colours, in any order and for any number of players. ``Weights`` is a dict of
arrays, float32, with the sizes W, S, T of the features of ways, seats and the table, and four widths:

- For each seat and each way of the Dutchman: ``relu(way · [W, a] + seat · [S, a] + table · [T, a] + bias)``, and then
  ``relu(own · [a, b] + average of the others still playing, for the same way · [a, b] + bias)``. Two sums over the
  ways follow the features of the seat: a plain one, and one weighted by the probability that the Dutchman goes there
  next.
- For each seat, twice: ``relu(own · […] + average of the others still playing · […] + bias)``, of widths c and d; the
  first also gets the features of the table.
- The score: a weighted sum of the last layer, and of all input of the first of these layers that is the seat's own.

The gradient is written out by hand below; a test compares it with finite differences.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from kontor.games.dutchman.players.encoding import WAYS, Floats
from kontor.games.dutchman.players.features import (
    COMMON_FEATURES,
    NEXT,
    SEAT_FEATURES,
    WAY_FEATURES,
    Features,
    Flags,
)

Weights = dict[str, Floats]
Widths = tuple[int, int, int, int]

WIDTHS: Final[Widths] = (24, 24, 64, 32)


def shapes(widths: Widths = WIDTHS) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the weights, by name."""
    wanting, meeting, first, second = widths
    seat = SEAT_FEATURES + 2 * meeting
    return {
        "way_own": (WAY_FEATURES, wanting),
        "way_seat": (SEAT_FEATURES, wanting),
        "way_table": (COMMON_FEATURES, wanting),
        "way_bias": (wanting,),
        "meeting_own": (wanting, meeting),
        "meeting_others": (wanting, meeting),
        "meeting_bias": (meeting,),
        "first_own": (seat, first),
        "first_others": (seat, first),
        "first_table": (COMMON_FEATURES, first),
        "first_bias": (first,),
        "second_own": (first, second),
        "second_others": (first, second),
        "second_bias": (second,),
        "score": (second,),
        "score_seat": (seat,),
    }


def new_weights(generator: np.random.Generator, widths: Widths = WIDTHS) -> Weights:
    """Return initial weights: normally distributed, and smaller if more of them are summed up.

    Biases and the weights of the score are 0.
    """
    weights: Weights = {}
    for name, shape in shapes(widths).items():
        drawn = generator.standard_normal(shape) / np.sqrt(shape[0]) if len(shape) == 2 else np.zeros(shape)
        weights[name] = drawn.astype(np.float32)
    return weights


class _Passed(NamedTuple):
    """Results of the forward pass that the backward pass needs; all but the last after relu."""

    wanting: Floats
    """[states, seats, WAYS * a]."""
    meeting: Floats
    """[states, seats, WAYS, b]."""
    seat: Floats
    """[states, seats, S + 2b]: the features of the seat and the sums over the ways."""
    first: Floats
    second: Floats
    chances: Floats
    """[states, seats]."""


def chances(weights: Weights, inputs: Features) -> Floats:
    """Return each seat's chance to win, float32[states, seats]; it is 0 for the bankrupt."""
    return _forward(weights, inputs).chances


def _forward(weights: Weights, inputs: Features) -> _Passed:
    states, seats = inputs.playing.shape
    wanting: Floats = (_rows(inputs.ways) @ weights["way_own"]).reshape(states, seats, WAYS, -1)
    of_table = inputs.common @ weights["way_table"] + weights["way_bias"]
    wanting += (inputs.seats @ weights["way_seat"] + of_table[:, None])[:, :, None]
    wanting = np.maximum(wanting, 0).reshape(states, seats, -1)
    others_wanting = others(wanting, inputs.playing)
    meeting: Floats = _by_way(wanting) @ weights["meeting_own"] + _by_way(others_wanting) @ weights["meeting_others"]
    meeting = np.maximum(meeting + weights["meeting_bias"], 0).reshape(states, seats, WAYS, -1)
    ahead = (inputs.ways[:, :, None, :, NEXT] @ meeting)[:, :, 0]
    seat: Floats = np.concatenate([inputs.seats, meeting.sum(axis=2), ahead], axis=2)
    first: Floats = seat @ weights["first_own"] + others(seat @ weights["first_others"], inputs.playing)
    first += (inputs.common @ weights["first_table"] + weights["first_bias"])[:, None]
    first = np.maximum(first, 0)
    second: Floats = first @ weights["second_own"] + others(first @ weights["second_others"], inputs.playing)
    second = np.maximum(second + weights["second_bias"], 0)
    scores: Floats = second @ weights["score"] + seat @ weights["score_seat"]
    return _Passed(wanting, meeting, seat, first, second, softmax(scores, inputs.playing))


def softmax(scores: Floats, playing: Flags) -> Floats:
    """Return scores [states, seats] as chances among those playing."""
    scores = np.where(playing, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def others(values: Floats, playing: Flags) -> Floats:
    """Return for each seat the average of the others still playing, of values [states, seats, width]."""
    masked = values * playing[:, :, None]
    return np.asarray((masked.sum(axis=1, keepdims=True) - masked) / _other_players(playing))


def _other_players(playing: Flags) -> Floats:
    return np.asarray(np.maximum(playing.sum(axis=1) - 1, 1)[:, None, None], dtype=np.float32)


def _by_way(values: Floats) -> Floats:
    """Reshape [states, seats, WAYS * width] to [states * seats * WAYS, width]."""
    return values.reshape(values.shape[0] * values.shape[1] * WAYS, -1)


def _rows(values: Floats) -> Floats:
    return values.reshape(-1, values.shape[-1])


# ----------------------------------------------------------------------------------------------- gradient


def gradient(weights: Weights, inputs: Features, shares: Floats) -> tuple[float, Weights]:
    """Return the log loss and its gradient.

    ``shares`` are the seats' shares of the victory, float32[states, seats].
    """
    passed = _forward(weights, inputs)
    states, seats = inputs.playing.shape
    loss = -float(np.sum(shares * np.log(np.maximum(passed.chances, np.float32(1e-9))))) / states
    score = (passed.chances - shares) / np.float32(states)
    second = score[:, :, None] * weights["score"] * (passed.second > 0)
    second_others = _others_back(second, inputs.playing)
    first = second @ weights["second_own"].T + second_others @ weights["second_others"].T
    first *= passed.first > 0
    first_others = _others_back(first, inputs.playing)
    seat = first @ weights["first_own"].T + first_others @ weights["first_others"].T
    seat += score[:, :, None] * weights["score_seat"]
    width = passed.meeting.shape[-1]
    summed, ahead = seat[..., SEAT_FEATURES : SEAT_FEATURES + width], seat[..., SEAT_FEATURES + width :]
    meeting = summed[:, :, None] + ahead[:, :, None] * inputs.ways[..., NEXT, None]
    meeting *= passed.meeting > 0
    met_others = _others_back(meeting.reshape(states, seats, -1), inputs.playing)
    wanting = _rows(meeting) @ weights["meeting_own"].T + _by_way(met_others) @ weights["meeting_others"].T
    wanting *= _by_way(passed.wanting) > 0
    of_seat = wanting.reshape(states, seats, WAYS, -1).sum(axis=2)
    return loss, {
        "way_own": _rows(inputs.ways).T @ wanting,
        "way_seat": _rows(inputs.seats).T @ _rows(of_seat),
        "way_table": inputs.common.T @ of_seat.sum(axis=1),
        "way_bias": wanting.sum(axis=0),
        "meeting_own": _by_way(passed.wanting).T @ _rows(meeting),
        "meeting_others": _by_way(passed.wanting).T @ _by_way(met_others),
        "meeting_bias": _rows(meeting).sum(axis=0),
        "first_own": _rows(passed.seat).T @ _rows(first),
        "first_others": _rows(passed.seat).T @ _rows(first_others),
        "first_table": inputs.common.T @ first.sum(axis=1),
        "first_bias": _rows(first).sum(axis=0),
        "second_own": _rows(passed.first).T @ _rows(second),
        "second_others": _rows(passed.first).T @ _rows(second_others),
        "second_bias": _rows(second).sum(axis=0),
        "score": _rows(passed.second).T @ score.ravel(),
        "score_seat": _rows(passed.seat).T @ score.ravel(),
    }


def _others_back(slope: Floats, playing: Flags) -> Floats:
    """Return the gradient with respect to the values of which :func:`others` took averages."""
    return np.asarray((slope.sum(axis=1, keepdims=True) - slope) / _other_players(playing) * playing[:, :, None])
