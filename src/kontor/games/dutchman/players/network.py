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

The weights are trained by ``training.dutchman``, which has the gradient of this.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from kontor.games.dutchman.players.encoding import WAYS, Floats
from kontor.games.dutchman.players.features import COMMON_FEATURES, NEXT, SEAT_FEATURES, WAY_FEATURES, Features, Flags

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


class Passed(NamedTuple):
    """Results of a forward pass, which the gradient needs; all but the last after relu."""

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
    return forward(weights, inputs).chances


def forward(weights: Weights, inputs: Features) -> Passed:
    """Return the results of all layers."""
    states, seats = inputs.playing.shape
    wanting: Floats = (rows(inputs.ways) @ weights["way_own"]).reshape(states, seats, WAYS, -1)
    of_table = inputs.common @ weights["way_table"] + weights["way_bias"]
    wanting += (inputs.seats @ weights["way_seat"] + of_table[:, None])[:, :, None]
    wanting = np.maximum(wanting, 0).reshape(states, seats, -1)
    others_wanting = others(wanting, inputs.playing)
    meeting: Floats = by_way(wanting) @ weights["meeting_own"] + by_way(others_wanting) @ weights["meeting_others"]
    meeting = np.maximum(meeting + weights["meeting_bias"], 0).reshape(states, seats, WAYS, -1)
    ahead = (inputs.ways[:, :, None, :, NEXT] @ meeting)[:, :, 0]
    seat: Floats = np.concatenate([inputs.seats, meeting.sum(axis=2), ahead], axis=2)
    first: Floats = seat @ weights["first_own"] + others(seat @ weights["first_others"], inputs.playing)
    first += (inputs.common @ weights["first_table"] + weights["first_bias"])[:, None]
    first = np.maximum(first, 0)
    second: Floats = first @ weights["second_own"] + others(first @ weights["second_others"], inputs.playing)
    second = np.maximum(second + weights["second_bias"], 0)
    scores: Floats = second @ weights["score"] + seat @ weights["score_seat"]
    return Passed(wanting, meeting, seat, first, second, softmax(scores, inputs.playing))


def softmax(scores: Floats, playing: Flags) -> Floats:
    """Return scores [states, seats] as chances among those playing."""
    scores = np.where(playing, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def others(values: Floats, playing: Flags) -> Floats:
    """Return for each seat the average of the others still playing, of values [states, seats, width]."""
    masked = values * playing[:, :, None]
    return np.asarray((masked.sum(axis=1, keepdims=True) - masked) / other_players(playing))


def other_players(playing: Flags) -> Floats:
    """Return how many others are still playing, float32[states, 1, 1], at least 1."""
    return np.asarray(np.maximum(playing.sum(axis=1) - 1, 1)[:, None, None], dtype=np.float32)


def by_way(values: Floats) -> Floats:
    """Reshape [states, seats, WAYS * width] to [states * seats * WAYS, width]."""
    return values.reshape(values.shape[0] * values.shape[1] * WAYS, -1)


def rows(values: Floats) -> Floats:
    """Reshape [..., width] to [rows, width]."""
    return values.reshape(-1, values.shape[-1])
