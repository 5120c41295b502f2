"""Learned chances of a captain to win, between two rounds; the same for both seats.

What counts between rounds is, for each nation, how strong either captain is in it and which of its sailors are still
to come; the trick cards in hand and to come; and who starts. Every nation, and every hand of tricks, adds a few
learned numbers: some that are turned over when the seats are changed (*leads*), and some that are not (*stakes*: how
much can still happen). A small network makes the chance of their sums::

    chance = 1 / (1 + exp(-z)),   z = m / sqrt(v) + f(leads, stakes) - f(-leads, stakes)

with m the first of the leads, and v > 0 made of the first of the stakes: as if the final lead had this mean and this
variance, and a correction. So the chances of the two captains sum to 1 by construction.

A nation's numbers come from a network that sees both strengths, what each counts now (S11), the sailors to come by
value, and the final lead's mean and variance if each of them fell to either captain by chance. There are so few
different nations that all of them are computed once: what is left at play is looking up and adding.

What a hand of tricks adds depends on how many of each kind it holds, by another network, and on what the best joker
would gain: two more of a nation may turn the points of both captains in it (S11), which is most of what a trick is
worth. There are so few different hands that all of these are computed once, too.

Weights are learned for the start of each round by itself (``training.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Final

import numpy as np

from kontor.games.shanghaien.rules.components import (
    JOKER,
    NATIONS,
    ROUNDS,
    TRICKS,
    Card,
    Trick,
    is_sailor,
    nation_of,
    value_of,
)
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.view import View

Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]
Ints = np.ndarray[Any, np.dtype[np.integer[Any]]]
Weights = dict[str, Floats]
"""The weights of one round, by name; :data:`SHAPES` has their shapes."""

# ------------------------------------------------------------------------------------ tables between rounds

STRENGTHS: Final = 40
"""Strengths in arrays are 0 … 39: sailors make 13, jokers at most 20 (S2, S3a)."""

HELD: Final = 10
"""Of one kind of trick 0 … 9 can be held (S2, S3a)."""

COMING: Final = tuple(product(range(2), range(2), range(3), range(2)))
"""The sailors of a nation that may still come: how many of value 1, 2, 3, 4. Arrays hold an index into it."""

_PLACE: Final = {1: 12, 2: 6, 3: 2, 4: 1}
"""Amount that a sailor still to come adds to the index into COMING, by its value."""


@dataclass(frozen=True)
class Between:
    """Tables between two rounds, n of them; the last axis of 8 is NATIONS, of 3 TRICKS, of 2 the seats."""

    round: int
    """The round about to start, 1 … 8."""
    strengths: Ints
    """[n, 2, 8]"""
    coming: Ints
    """[n, 8]: indices into COMING"""
    hands: Ints
    """[n, 2, 3]: trick cards in hand, by kind"""
    tricks: Ints
    """[n, 3]: trick cards still to come, by kind"""
    starter: Ints
    """[n]: the seat that starts the round"""


def between(views: Sequence[View]) -> Between:
    """Return tables as arrays, from views of one round before its row is laid, with its starter named."""
    return Between(
        views[0].round,
        np.array([[strengths(crew) for crew in view.crews] for view in views]),
        np.array([coming(view.to_come) for view in views]),
        np.array([[kinds(crew.tricks) for crew in view.crews] for view in views]),
        np.array([kinds(view.to_come) for view in views]),
        np.array([view.starter for view in views]),
    )


def strengths(crew: Crew) -> list[int]:
    """Return the strength of each nation in a crew, jokers included."""
    sums = dict.fromkeys(NATIONS, 0)
    for card in crew.sailors:
        sums[nation_of(card)] += value_of(card)
    for joker in crew.jokers:
        sums[joker.nation] += JOKER
    return list(sums.values())


def coming(cards: Sequence[Card]) -> list[int]:
    """Return the index into COMING of each nation's sailors among the cards."""
    places = dict.fromkeys(NATIONS, 0)
    for card in cards:
        if is_sailor(card):
            places[nation_of(card)] += _PLACE[value_of(card)]
    return list(places.values())


def kinds(cards: Sequence[Card] | Sequence[Trick]) -> list[int]:
    """Return the number of trick cards of each kind among the cards."""
    return [sum(card == trick for card in cards) for trick in TRICKS]


# ---------------------------------------------------------------------------------------------------- network inputs

TAKEN: Final = 0.34
"""The chance of a card still to come to fall to one captain, and to the other, if nothing else is known."""


@cache
def sights() -> Floats:
    """Return the network's inputs for a nation, seen from the first seat: [24, 40, 40, 16].

    The first axes are the sailors to come and the strengths of both seats. All values are about 0 … 3.
    """
    own, other = np.indices((STRENGTHS, STRENGTHS))
    own_now, other_now = points(own, other), points(other, own)
    seen = np.empty((len(COMING), STRENGTHS, STRENGTHS, 16))
    means, squares = _prospects(own_now - other_now)
    for place, counts in enumerate(COMING):
        mean, square = means[place], squares[place]
        values = sum(value * count for value, count in enumerate(counts, 1))
        seen[place] = np.stack(
            [
                own / 4,
                other / 4,
                own > 0,
                other > 0,
                own > other,
                (own == other) & (own > 0),
                own_now / 4,
                other_now / 4,
                mean / 4,
                (square - mean**2) / 8,
                *[np.full(own.shape, float(count)) for count in counts],
                np.full(own.shape, sum(counts) / 2),
                np.full(own.shape, values / 4),
            ],
            axis=-1,
        )
    return seen


JOKER_SOFT: Final = 1.25
"""The width in points of the smooth maximum over a joker's nations: see :func:`joker_worth`."""


def expected_lead(tables: Between) -> Floats:
    """Return the expected final lead of seat 0 in points, if luck alone decided who gets which card: [n]."""
    seen = sights()[tables.coming, tables.strengths[:, 0], tables.strengths[:, 1]]
    lead: Floats = 4 * seen[..., 8].sum(axis=1) + tables.hands[:, 0].sum(axis=1) - tables.hands[:, 1].sum(axis=1)
    return lead


@cache
def joker_sights() -> Floats:
    """Return what a joker of the first seat, and of the second, would gain in a nation: [24, 40, 40, 2].

    The first axes are the sailors to come and the strengths of both seats. Each value is exp(gain / JOKER_SOFT), so
    that the sum over the nations tells the best gain. It is 0 where no joker can be laid (S8a).
    """
    own, other = np.indices((STRENGTHS, STRENGTHS))
    means, _ = _prospects(points(own, other) - points(other, own))
    more = np.minimum(np.arange(STRENGTHS) + JOKER, STRENGTHS - 1)
    gain = np.where(own > 0, np.exp((means[:, more] - means) / JOKER_SOFT), 0)
    return np.stack([gain, gain.swapaxes(1, 2)], axis=-1)


def joker_worth(gains: Floats) -> Floats:
    """Return about what the best joker gains, in points / 4: a smooth maximum over the nations.

    ``gains`` are the sums of :func:`joker_sights`.
    """
    worth: Floats = np.log1p(gains) * (JOKER_SOFT / 4)
    return worth


def points(own: Ints, other: Ints) -> Ints:
    """Return the points of one nation for the captain who has ``own`` (S11)."""
    return np.where(other == 0, own, np.where(own > other, other, 0))


def _prospects(lead: Ints) -> tuple[Floats, Floats]:
    """Return the mean of the final lead and of its square, [24, 40, 40] each.

    Each sailor still to come falls to either captain with the same chance (TAKEN). Strengths beyond the table count
    as its last.
    """
    means, squares = [], []
    for place, counts in enumerate(COMING):
        value = next((value for value, count in enumerate(counts, 1) if count), None)
        if value is None:
            means.append(lead.astype(float))
            squares.append(lead.astype(float) ** 2)
            continue
        up = np.minimum(np.arange(STRENGTHS) + value, STRENGTHS - 1)
        for tables in (means, squares):
            later = tables[place - _PLACE[value]]
            tables.append(TAKEN * (later[up] + later[:, up]) + (1 - 2 * TAKEN) * later)
    return np.array(means), np.array(squares)


def hand_sights(hands: Ints | Floats, later: int) -> Floats:
    """Return the network's inputs for the trick cards in one hand: [..., 3] by kind gives [..., 8].

    ``later`` is the number of rounds still to be played: one trick can be used in each (S8).
    """
    total = hands.sum(axis=-1, keepdims=True)
    hands = hands.astype(np.float32)
    return np.concatenate([hands, hands > 0, np.minimum(total, later), np.minimum(total, 2)], axis=-1)


# ------------------------------------------------------------------------------------------------------ the network

LEADS: Final = 6
STAKES: Final = 6
ADDED: Final = LEADS + STAKES
SHAPES: Final[dict[str, tuple[int, ...]]] = {
    "nation": (16, 32),
    "nation_base": (32,),
    "nation_out": (32, ADDED),
    "nation_skip": (16, ADDED),
    "hand": (8, 16),
    "hand_base": (16,),
    "hand_out": (16, 2 * ADDED),
    "hand_skip": (8, 2 * ADDED),
    "start": (LEADS,),
    "tricks": (3, STAKES),
    "stakes": (STAKES,),
    "head_leads": (LEADS, 24),
    "head_stakes": (STAKES, 24),
    "head_base": (24,),
    "head_out": (24,),
}
"""The shapes of the weights of one round."""

LEAST: Final = 0.1
"""The least variance."""


def both_seats(first: Floats, second: Floats) -> Floats:
    """Return leads and stakes, [..., 12], from what the first seat adds and what the second would in its place."""
    return np.concatenate([(first - second)[..., :LEADS], (first + second)[..., LEADS:]], axis=-1)


def nations(weights: Weights) -> Floats:
    """Return what each nation adds: [24, 40, 40, 14], by sailors to come and strengths.

    The first 12 numbers add to leads and stakes, the last 2 to what a joker of either seat would gain
    (:func:`joker_sights`).
    """
    seen = sights()
    hidden = np.tanh(seen @ weights["nation"] + weights["nation_base"])
    added = hidden @ weights["nation_out"] + seen @ weights["nation_skip"]
    return np.concatenate([both_seats(added, added.swapaxes(1, 2)), joker_sights()], axis=-1)


def hands(weights: Weights, later: int) -> Floats:
    """Return what each hand of tricks adds: [10, 10, 10, 24], by the number of each kind in it; see :func:`hand`.

    ``later`` is the number of rounds still to be played.
    """
    seen = hand_sights(np.moveaxis(np.indices((HELD, HELD, HELD)), 0, -1), later)
    hidden = np.tanh(seen @ weights["hand"] + weights["hand_base"])
    added: Floats = hidden @ weights["hand_out"] + seen @ weights["hand_skip"]
    return added


def hand(added: Floats, joker: Floats) -> Floats:
    """Return what a hand of tricks adds for its own seat, [..., 12]; see :func:`both_seats`.

    It is the first half of ``added``, [..., 24], plus the second half times the worth of its best joker, [...].
    """
    both: Floats = added[..., :ADDED] + joker[..., None] * added[..., ADDED:]
    return both


def common(weights: Weights, tricks: Ints, starter: Ints) -> Floats:
    """Return what the trick cards to come, [..., 3], and the starter add to leads and stakes: [..., 12]."""
    leads = np.where(starter[..., None] == 0, weights["start"], -weights["start"])
    return np.concatenate([leads, tricks @ weights["tricks"] + weights["stakes"]], axis=-1)


def head(weights: Weights, sums: Floats) -> Floats:
    """Return the chance of the first seat, from leads and stakes, [..., 12]."""
    leads, stakes = sums[..., :LEADS], sums[..., LEADS:]
    turned, still = leads @ weights["head_leads"], stakes @ weights["head_stakes"] + weights["head_base"]
    correction = (np.tanh(still + turned) - np.tanh(still - turned)) @ weights["head_out"]
    return 1 / (1 + np.exp(-leads[..., 0] / np.sqrt(variance(stakes[..., 0])) - correction))


def variance(stake: Floats) -> Floats:
    """Return a variance for a stake: about the stake itself if it is large, and never below LEAST."""
    return (stake + np.sqrt(stake**2 + 1)) / 2 + LEAST


# ------------------------------------------------------------------------------------------------------------ lookup


class Model:
    """The weights for the start of one round, with all nations and hands computed by them.

    All of it is in single precision, for speed.
    """

    def __init__(self, number: int, weights: Weights) -> None:
        self.weights: Weights = {name: array.astype(np.float32) for name, array in weights.items()}
        self.nations = nations(weights).astype(np.float32)
        self.hands = hands(weights, ROUNDS - number + 1).astype(np.float32)

    def added(self, held: Ints) -> Floats:
        """Return what hands add (:func:`hands`), [..., 24], by the number of each kind in them, [..., 3]."""
        return self.hands[held[..., 0], held[..., 1], held[..., 2]]


def chances(model: Model, tables: Between) -> Floats:
    """Return the chance of seat 0 to win each of the tables, [n]."""
    weights = model.weights
    each = model.nations[tables.coming, tables.strengths[:, 0], tables.strengths[:, 1]].sum(axis=1)
    jokers = joker_worth(each[:, ADDED:])
    both = hand(model.added(tables.hands), jokers)
    sums = each[:, :ADDED] + both_seats(both[:, 0], both[:, 1])
    return head(weights, sums + common(weights, tables.tricks, tables.starter)).astype(np.float64)


def chance(view: View) -> float:
    """Return the chance of seat 0 to win by the shipped model, from a view before the row of a round is laid."""
    if view.starter is None:
        return 0.5  # both captains still have the same (S3, S3a)
    return float(chances(model(view.round), between([view]))[0])


@cache
def model(number: int) -> Model:
    """Return the shipped model for the start of a round: 1 … 8."""
    with np.load(str(files("kontor.games.shanghaien.players").joinpath("values.npz"))) as arrays:
        return Model(number, {name: arrays[f"{number}/{name}"] for name in SHAPES})
