"""A small network that gives every seat a score: the chances to win are the softmax of the scores of those playing.

It is the same for all seats and all colours, whatever their order and however many players there are. ``Weights`` is
a dict of arrays, float32; written with the sizes C, S, T of the features of colours, seats and the table, and three
widths c, v, w:

- For each seat and colour: ``relu(colour · [C, c] + seat · [S, c] + table · [T, c] + bias)``. Two sums over the
  colours, a plain one and one weighted by how likely the Dutchman meets the colour next, are put beside the features
  of the seat.
- For each seat twice: ``relu(own · […] + average of the others still playing · […] + bias)``, of widths v and w; the
  first also sees the table.
- The score: a weighted sum of the last, and of all that the first of these saw of the seat itself.

The gradient is written out by hand below; a test holds it against differences.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from kontor.players.dutchman.features import (
    COLOUR_COUNT,
    COLOUR_FEATURES,
    COMMON_FEATURES,
    NEXT,
    SEAT_FEATURES,
    Features,
    Flags,
    Floats,
)

Weights = dict[str, Floats]

WIDTHS: Final = (32, 64, 32)


def shapes(widths: tuple[int, int, int] = WIDTHS) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights."""
    colour, first, second = widths
    seat = SEAT_FEATURES + 2 * colour
    return {
        "colour_own": (COLOUR_FEATURES, colour),
        "colour_seat": (SEAT_FEATURES, colour),
        "colour_table": (COMMON_FEATURES, colour),
        "colour_bias": (colour,),
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


def new_weights(generator: np.random.Generator, widths: tuple[int, int, int] = WIDTHS) -> Weights:
    """Weights to begin with: normally distributed, smaller the more of them are summed up; biases are 0."""
    return {
        name: (generator.standard_normal(shape) / np.sqrt(shape[0]) if len(shape) == 2 else np.zeros(shape)).astype(
            np.float32
        )
        for name, shape in shapes(widths).items()
    }


class _Passed(NamedTuple):
    """What the way forward leaves for the way back."""

    by_colour: Floats
    """[states, seats, six, c], after relu."""
    seat: Floats
    """[states, seats, S + 2c]: the features of the seat and the sums over the colours."""
    first: Floats
    second: Floats
    chances: Floats
    """[states, seats]."""


def chances(weights: Weights, known: Features) -> Floats:
    """Each seat's chance to win, float32[states, seats]; the bankrupt have none."""
    return _forward(weights, known).chances


def _forward(weights: Weights, known: Features) -> _Passed:
    states, seats = known.playing.shape
    by_colour = known.colours.reshape(states * seats, -1, COLOUR_FEATURES) @ weights["colour_own"]
    by_colour = by_colour.reshape(states, seats, COLOUR_COUNT, by_colour.shape[-1])
    by_colour += (
        known.seats @ weights["colour_seat"]
        + (known.common @ weights["colour_table"] + weights["colour_bias"])[:, None]
    )[:, :, None]
    np.maximum(by_colour, 0, out=by_colour)
    summed = by_colour.sum(axis=2)
    ahead = (known.colours[:, :, None, :, NEXT] @ by_colour)[:, :, 0]
    seat: Floats = np.concatenate([known.seats, summed, ahead], axis=2)
    first: Floats = seat @ weights["first_own"] + others(seat @ weights["first_others"], known.playing)
    first += (known.common @ weights["first_table"] + weights["first_bias"])[:, None]
    np.maximum(first, 0, out=first)
    second: Floats = first @ weights["second_own"] + others(first @ weights["second_others"], known.playing)
    second = np.maximum(second + weights["second_bias"], 0)
    scores: Floats = second @ weights["score"] + seat @ weights["score_seat"]
    return _Passed(by_colour, seat, first, second, softmax(scores, known.playing))


def softmax(scores: Floats, playing: Flags) -> Floats:
    """Scores [states, seats] as chances among those playing."""
    scores = np.where(playing, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def others(values: Floats, playing: Flags) -> Floats:
    """For each seat the average of the others still playing, of values [states, seats, width]. It is linear, and its
    own transpose but for who is playing."""
    there = values * playing[:, :, None]
    many = np.maximum(playing.sum(axis=1) - 1, 1).astype(np.float32)[:, None, None]
    return np.asarray((there.sum(axis=1, keepdims=True) - there) / many)


def gradient(weights: Weights, known: Features, shares: Floats) -> tuple[float, Weights]:
    """The log loss, and by how much it grows with each weight; ``shares`` are the parts of the victory that the seats
    had, float32[states, seats]."""
    passed = _forward(weights, known)
    states = len(known.playing)
    loss = -float(np.sum(shares * np.log(np.maximum(passed.chances, np.float32(1e-9))))) / states
    score = (passed.chances - shares) / np.float32(states)
    second = score[:, :, None] * weights["score"] * (passed.second > 0)
    second_others = _back(second, known.playing)
    first = second @ weights["second_own"].T + second_others @ weights["second_others"].T
    first *= passed.first > 0
    first_others = _back(first, known.playing)
    seat = first @ weights["first_own"].T + first_others @ weights["first_others"].T
    seat += score[:, :, None] * weights["score_seat"]
    width = passed.by_colour.shape[-1]
    summed, ahead = seat[..., SEAT_FEATURES : SEAT_FEATURES + width], seat[..., SEAT_FEATURES + width :]
    by_colour = summed[:, :, None] + ahead[:, :, None] * known.colours[..., NEXT, None]
    by_colour *= passed.by_colour > 0
    of_seat = by_colour.sum(axis=2)
    return loss, {
        "colour_own": _rows(known.colours).T @ _rows(by_colour),
        "colour_seat": _rows(known.seats).T @ _rows(of_seat),
        "colour_table": known.common.T @ of_seat.sum(axis=1),
        "colour_bias": _rows(of_seat).sum(axis=0),
        "first_own": _rows(passed.seat).T @ _rows(first),
        "first_others": _rows(passed.seat).T @ _rows(first_others),
        "first_table": known.common.T @ first.sum(axis=1),
        "first_bias": _rows(first).sum(axis=0),
        "second_own": _rows(passed.first).T @ _rows(second),
        "second_others": _rows(passed.first).T @ _rows(second_others),
        "second_bias": _rows(second).sum(axis=0),
        "score": _rows(passed.second).T @ score.ravel(),
        "score_seat": _rows(passed.seat).T @ score.ravel(),
    }


def _rows(values: Floats) -> Floats:
    return values.reshape(-1, values.shape[-1])


def _back(gradient: Floats, playing: Flags) -> Floats:
    """The gradient of what :func:`others` averaged."""
    many = np.maximum(playing.sum(axis=1) - 1, 1).astype(np.float32)[:, None, None]
    back = (gradient.sum(axis=1, keepdims=True) - gradient) / many
    return np.asarray(back * playing[:, :, None])
