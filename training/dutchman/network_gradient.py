"""Initial weights of the network (``players.network``), and the gradient of its log loss, written out by hand."""

from __future__ import annotations

import numpy as np

from kontor.games.dutchman.players.encoding import WAYS, Floats
from kontor.games.dutchman.players.features import NEXT, SEAT_FEATURES, Features, Flags
from kontor.games.dutchman.players.network import (
    WIDTHS,
    Weights,
    Widths,
    by_way,
    forward,
    other_players,
    rows,
    shapes,
)


def new_weights(generator: np.random.Generator, widths: Widths = WIDTHS) -> Weights:
    """Return initial weights: normally distributed, and smaller if more of them are summed up.

    Biases and the weights of the score are 0.
    """
    weights: Weights = {}
    for name, shape in shapes(widths).items():
        drawn = generator.standard_normal(shape) / np.sqrt(shape[0]) if len(shape) == 2 else np.zeros(shape)
        weights[name] = drawn.astype(np.float32)
    return weights


def gradient(weights: Weights, inputs: Features, shares: Floats) -> tuple[float, Weights]:
    """Return the log loss and its gradient.

    ``shares`` are the seats' shares of the victory, float32[states, seats].
    """
    passed = forward(weights, inputs)
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
    wanting = rows(meeting) @ weights["meeting_own"].T + by_way(met_others) @ weights["meeting_others"].T
    wanting *= by_way(passed.wanting) > 0
    of_seat = wanting.reshape(states, seats, WAYS, -1).sum(axis=2)
    return loss, {
        "way_own": rows(inputs.ways).T @ wanting,
        "way_seat": rows(inputs.seats).T @ rows(of_seat),
        "way_table": inputs.common.T @ of_seat.sum(axis=1),
        "way_bias": wanting.sum(axis=0),
        "meeting_own": by_way(passed.wanting).T @ rows(meeting),
        "meeting_others": by_way(passed.wanting).T @ by_way(met_others),
        "meeting_bias": rows(meeting).sum(axis=0),
        "first_own": rows(passed.seat).T @ rows(first),
        "first_others": rows(passed.seat).T @ rows(first_others),
        "first_table": inputs.common.T @ first.sum(axis=1),
        "first_bias": rows(first).sum(axis=0),
        "second_own": rows(passed.first).T @ rows(second),
        "second_others": rows(passed.first).T @ rows(second_others),
        "second_bias": rows(second).sum(axis=0),
        "score": rows(passed.second).T @ score.ravel(),
        "score_seat": rows(passed.seat).T @ score.ravel(),
    }


def _others_back(slope: Floats, playing: Flags) -> Floats:
    """Return the gradient with respect to the values of which :func:`others` took averages."""
    return np.asarray((slope.sum(axis=1, keepdims=True) - slope) / other_players(playing) * playing[:, :, None])
