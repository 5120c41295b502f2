"""Fitting of the weights of ``values.py`` to chances to win.

The gradients are computed by hand, the steps by Adam (Kingma and Ba, 2015, https://arxiv.org/abs/1412.6980). There
are far fewer different nations than samples: each of those in a batch is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from kontor.games.shanghaien.players.values import (
    ADDED,
    LEADS,
    SHAPES,
    STRENGTHS,
    Floats,
    Ints,
    Weights,
    between,
    both_seats,
    common,
    hand,
    hand_sights,
    head,
    joker_sights,
    joker_worth,
    sights,
    variance,
)
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.view import View

BATCH: Final = 1000
"""Samples in a step, about."""

WARMING: Final = 100
"""Steps over which the rate rises from 0."""

DECAY: Final = 5e-5
"""Weight decay: how much the square of each weight counts beside the loss."""


def fitted(
    weights: Weights, samples: Sequence[tuple[View, float]], steps: int, rate: float, generator: np.random.Generator
) -> Weights:
    """Return the weights after this number of steps towards the samples.

    The samples are tables before the same round, and chances of seat 0. The rate falls to 0 by half a cosine.
    """
    order = generator.permutation(len(samples))
    batches = [Batch([samples[at] for at in some]) for some in np.array_split(order, max(1, len(samples) // BATCH))]
    now: Weights = {name: array.copy() for name, array in weights.items()}
    first = {name: np.zeros_like(array) for name, array in weights.items()}
    second = {name: np.zeros_like(array) for name, array in weights.items()}
    for step in range(1, steps + 1):
        stride = rate * min(1, step / WARMING) * (1 + np.cos(np.pi * (step - 1) / steps)) / 2
        for name, gradient in batches[step % len(batches)].gradients(now).items():
            slope = gradient + DECAY * now[name]
            first[name] += 0.1 * (slope - first[name])
            second[name] += 0.001 * (slope**2 - second[name])
            mean, square = first[name] / (1 - 0.9**step), second[name] / (1 - 0.999**step)
            now[name] -= stride * mean / (np.sqrt(square) + 1e-8)
    return now


def at_random(generator: np.random.Generator) -> Weights:
    """Return small initial weights; a nation's expected lead (``values.sights``) is the first of the leads."""
    weights: Weights = {name: generator.normal(0, 0.3 / np.sqrt(shape[0]), shape) for name, shape in SHAPES.items()}
    for name in ("nation_base", "hand_base", "start", "tricks", "stakes", "head_base"):
        weights[name][:] = 0
    weights["nation_skip"][8, 0] += 0.5  # the lead's mean: seen from both seats
    weights["nation_skip"][9, LEADS] += 0.5  # its variance
    weights["stakes"][0] = 1
    return weights


class Batch:
    """Samples of one step, laid out for gradients."""

    def __init__(self, samples: Sequence[tuple[View, float]]) -> None:
        self.tables = tables = between([view for view, _ in samples])
        self.targets: Floats = np.array([target for _, target in samples])
        self.signs = np.where(tables.starter == 0, 1.0, -1.0)
        gains = joker_sights()[tables.coming, tables.strengths[:, 0], tables.strengths[:, 1]].sum(axis=1)
        self.jokers = joker_worth(gains)
        self.hands = hand_sights(tables.hands, ROUNDS - tables.round + 1)
        keys = (tables.coming * STRENGTHS + tables.strengths[:, 0]) * STRENGTHS + tables.strengths[:, 1]
        unique, places = np.unique(keys, return_inverse=True)
        self.places: Ints = places.reshape(keys.shape)
        self.seen = sights().reshape(-1, sights().shape[-1])[unique]
        turned = (
            unique // STRENGTHS**2 * STRENGTHS + unique % STRENGTHS
        ) * STRENGTHS + unique // STRENGTHS % STRENGTHS
        self.turned = sights().reshape(-1, sights().shape[-1])[turned]
        order = np.argsort(self.places, axis=None, kind="stable")
        self.order = order // keys.shape[1]
        self.begins = np.searchsorted(self.places.ravel()[order], np.arange(len(unique)))

    def loss(self, weights: Weights) -> float:
        """Return the mean log loss (cross-entropy), in nats."""
        estimates = head(weights, self._sums(weights)[-1])
        return float(-(self.targets * np.log(estimates) + (1 - self.targets) * np.log(1 - estimates)).mean())

    def _sums(self, weights: Weights) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the hidden layers, and leads and stakes of each sample, [n, 12].

        The hidden layers are for each of the nations from either seat, and for both hands.
        """
        hidden = np.tanh(self.seen @ weights["nation"] + weights["nation_base"])
        hidden_turned = np.tanh(self.turned @ weights["nation"] + weights["nation_base"])
        added = hidden @ weights["nation_out"] + self.seen @ weights["nation_skip"]
        added_turned = hidden_turned @ weights["nation_out"] + self.turned @ weights["nation_skip"]
        each = both_seats(added, added_turned)[self.places].sum(axis=1)
        hidden_hand = np.tanh(self.hands @ weights["hand"] + weights["hand_base"])
        hands = hand(hidden_hand @ weights["hand_out"] + self.hands @ weights["hand_skip"], self.jokers)
        sums = each + both_seats(hands[:, 0], hands[:, 1])
        return hidden, hidden_turned, hidden_hand, sums + common(weights, self.tables.tricks, self.tables.starter)

    def gradients(self, weights: Weights) -> Weights:
        """Return the gradient of the loss."""
        hidden, hidden_turned, hidden_hand, sums = self._sums(weights)
        slopes, slope = self._head(weights, sums)
        leads, stakes = slope[:, :LEADS], slope[:, LEADS:]
        slopes["start"] = self.signs @ leads
        slopes["tricks"] = self.tables.tricks.T @ stakes
        slopes["stakes"] = stakes.sum(axis=0)
        other = np.concatenate([-leads, stakes], axis=1)
        hand = np.stack([slope, other], axis=1)
        hand = np.concatenate([hand, hand * self.jokers[..., None]], axis=-1).reshape(-1, 2 * ADDED)
        seen = self.hands.reshape(len(hand), -1)
        hidden_hand = hidden_hand.reshape(len(hand), -1)
        slopes["hand_skip"] = seen.T @ hand
        slopes["hand_out"] = hidden_hand.T @ hand
        inner_hand = hand @ weights["hand_out"].T * (1 - hidden_hand**2)
        slopes["hand"] = seen.T @ inner_hand
        slopes["hand_base"] = inner_hand.sum(axis=0)

        nation = np.add.reduceat(slope[self.order], self.begins, axis=0)
        nation_turned = np.concatenate([-nation[:, :LEADS], nation[:, LEADS:]], axis=1)
        slopes["nation_skip"] = self.seen.T @ nation + self.turned.T @ nation_turned
        slopes["nation_out"] = hidden.T @ nation + hidden_turned.T @ nation_turned
        inner = nation @ weights["nation_out"].T * (1 - hidden**2)
        inner_turned = nation_turned @ weights["nation_out"].T * (1 - hidden_turned**2)
        slopes["nation"] = self.seen.T @ inner + self.turned.T @ inner_turned
        slopes["nation_base"] = inner.sum(axis=0) + inner_turned.sum(axis=0)
        return slopes

    def _head(self, weights: Weights, sums: Floats) -> tuple[Weights, Floats]:
        """Return the gradients of the head's weights, and those of leads and stakes, [n, 12]; see ``values.head``."""
        leads, stakes = sums[:, :LEADS], sums[:, LEADS:]
        turned, still = leads @ weights["head_leads"], stakes @ weights["head_stakes"] + weights["head_base"]
        plus, minus = np.tanh(still + turned), np.tanh(still - turned)
        varies = variance(stakes[:, 0])
        logit = leads[:, 0] / np.sqrt(varies) + (plus - minus) @ weights["head_out"]
        slope = (1 / (1 + np.exp(-logit)) - self.targets) / len(logit)

        to_plus = slope[:, None] * weights["head_out"] * (1 - plus**2)
        to_minus = -slope[:, None] * weights["head_out"] * (1 - minus**2)
        to_still, to_turned = to_plus + to_minus, to_plus - to_minus
        to_leads = to_turned @ weights["head_leads"].T
        to_stakes = to_still @ weights["head_stakes"].T
        to_leads[:, 0] += slope / np.sqrt(varies)
        to_varies = -slope * leads[:, 0] / (2 * varies**1.5)
        to_stakes[:, 0] += to_varies * (1 + stakes[:, 0] / np.sqrt(stakes[:, 0] ** 2 + 1)) / 2
        slopes = {
            "head_out": (plus - minus).T @ slope,
            "head_leads": leads.T @ to_turned,
            "head_stakes": stakes.T @ to_still,
            "head_base": to_still.sum(axis=0),
        }
        return slopes, np.concatenate([to_leads, to_stakes], axis=1)
