"""Input of the estimates of chances to win: numbers for each merchant, for each merchant and way, and for the table.

All states of a batch are computed at once. Nothing depends on the names of the colours or the seats, nor on how many
seats there are.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kontor.games.dutchman.players.encoding import COLOUR_COUNT, HANDS, WAYS, Encoded, Floats, Numbers
from kontor.games.dutchman.players.outlook import share_worth
from kontor.games.dutchman.players.stock import Stock
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, LAST_CHEST, SHARES

Flags = NDArray[np.bool_]


class Features(NamedTuple):
    """Input of the estimates, for several states.

    ``ways`` float32[states, seats, WAYS, WAY_FEATURES] are for each merchant and way: a ship of each colour, or an
    island (the last). ``seats`` float32[states, seats, SEAT_FEATURES] are for each merchant, ``common``
    float32[states, COMMON_FEATURES] for the table. ``playing`` bool[states, seats] says who is not bankrupt.
    """

    ways: Floats
    seats: Floats
    common: Floats
    playing: Flags


WAY_FEATURES: Final = 14
RUINED: Final = 2
NEXT: Final = 6
"""Among the features of ways, RUINED says whether the way would ruin the merchant now (H11). NEXT is the probability
that the Dutchman goes there next, if every way on is equally likely."""
SEAT_FEATURES: Final = 30
COMMON_FEATURES: Final = 14

_COUNTS: Final = np.array([[hand.count(colour) for colour in COLOURS] for hand in HANDS], dtype=np.float32)
_CHESTS: Final = np.array([*CHESTS, CHESTS[-1]], dtype=np.float32)
"""Value of a share, also for one chest beyond the last."""
_WORTH: Final = np.array(
    [
        [share_worth(min(stone, LAST_CHEST), ships) for ships in range(LAST_CHEST + 1)]
        for stone in range(LAST_CHEST + 2)
    ],
    dtype=np.float32,
)
"""Ducats that a share brings until the end, by its stone and by the ships still to be met."""

DUCATS: Final = 20.0
"""Unit of differences of wealth, which keeps the numbers near 1."""
CLOSE: Final = 3.0
"""Lead in ducats that is a clear one when the game ends."""
FAR: Final = np.float32(9)
"""Number beyond any lead."""


def features(states: Encoded) -> Features:
    """Return the features of these states."""
    playing = states.merchants[..., -1] >= 0
    shares = _Shares(states, playing)
    return Features(
        _stack_features(_of_ways(states, shares), (*playing.shape, WAYS)),
        _stack_features(_of_seats(states, shares), playing.shape),
        _stack_features(_of_table(states, playing), playing.shape[:1]),
        playing,
    )


def _stack_features(parts: list[NDArray[Any]], shape: tuple[int, ...]) -> Floats:
    """Return features side by side, each broadcast to the shape."""
    stacked = np.empty((*shape, len(parts)), dtype=np.float32)
    for place, part in enumerate(parts):
        stacked[..., place] = part
    return stacked


# -------------------------------------------------------------------------------------------------- shares


class _Shares:
    """Effects of shares on everybody: arrays [states, seats, WAYS], with a column for each way."""

    def __init__(self, states: Encoded, playing: Flags) -> None:
        self.playing = playing
        self.players = np.maximum(playing.sum(axis=1), 2).astype(np.float32)[:, None, None]
        stones = states.table[:, :COLOUR_COUNT]
        self.ships = LAST_CHEST - states.table[:, COLOUR_COUNT]
        self.cash = states.merchants[..., 0].astype(np.float32)
        count = _COUNTS[states.merchants[..., 3]]
        self.count = _with_island(count, np.float32(0))
        value = _CHESTS[stones][:, None]
        self.pays = self.count * _with_island(value, np.float32(0))
        self.ruined = self.pays > self.cash[..., None]
        self.ruined_next = _with_island(count * _CHESTS[stones + 1][:, None] > self.cash[..., None], np.bool_(False))
        self.earned = np.where(count > 0, value, 0).max(axis=2) / np.float32(DUCATS)
        """Ducats that a mover earns on an island (H12), in units of DUCATS."""
        wealth = self._wealth(count, stones, value)
        self.lead, self.over_average = self._lead(wealth), self._over_average(wealth)
        self.steering = self.lead.copy()
        """The lead of a player who alone moves the Dutchman there."""
        self.steering[..., -1] += self.earned

    def _wealth(self, count: Floats, stones: Numbers, value: Floats) -> Floats:
        """Return everybody's wealth once the Dutchman is there (H11): cash and what the shares will bring.

        It is 0 for the ruined and the bankrupt.
        """
        fewer = np.maximum(self.ships - 1, 0)
        later = _WORTH[stones + 1, fewer[:, None]][:, None]
        change = _WORTH[1, fewer][:, None, None] - later - value
        island = self.cash + (count * _WORTH[stones, self.ships[:, None]][:, None]).sum(axis=2)
        base = self.cash + (count * later).sum(axis=2)
        wealth = np.concatenate([base[..., None] + count * change, island[..., None]], axis=2)
        return np.where(self.ruined | ~self.playing[..., None], np.float32(0), wealth)

    def _lead(self, wealth: Floats) -> Floats:
        """Return everybody's lead over the richest of the others."""
        places = wealth.argmax(axis=1, keepdims=True)
        richest = np.take_along_axis(wealth, places, axis=1)
        others = wealth.copy()
        np.put_along_axis(others, places, -np.inf, axis=1)
        lead = wealth - richest
        np.put_along_axis(lead, places, richest - others.max(axis=1, keepdims=True), axis=1)
        return np.asarray(lead / np.float32(DUCATS))

    def _over_average(self, wealth: Floats) -> Floats:
        """Return how far everybody is above the average of the others still in the game."""
        average = (wealth.sum(axis=1, keepdims=True) - wealth) / (self.players - 1)
        return np.asarray((wealth - average) / np.float32(DUCATS))


def _with_island(of_colours: NDArray[Any], island: Any) -> NDArray[Any]:
    """Return the values of the colours with a column for islands beside them."""
    return np.concatenate([of_colours, np.full((*of_colours.shape[:-1], 1), island)], axis=-1)


# ------------------------------------------------------------------------------------------------ features


def _of_ways(states: Encoded, shares: _Shares) -> list[NDArray[Any]]:
    next_one, next_but_one = states.ways[:, :1], states.ways[:, 1:]
    stones = _with_island(states.table[:, :COLOUR_COUNT], 0) / LAST_CHEST
    count = shares.count / np.float32(SHARES)
    return [
        count,
        np.minimum(shares.pays / (shares.cash + 1)[..., None], 2),
        shares.ruined,
        shares.ruined_next,
        shares.lead,
        shares.over_average,
        next_one,
        next_but_one,
        stones[:, None],
        next_one * shares.lead,
        (count.sum(axis=1, keepdims=True) - count) / (shares.players - 1),
        np.clip(shares.lead * np.float32(DUCATS / CLOSE), -1, 1),
        shares.steering,
        np.arange(WAYS) == WAYS - 1,
    ]


def _of_seats(states: Encoded, shares: _Shares) -> list[NDArray[Any]]:
    _, kontor, smith, _, rack, public_shares, turn = np.moveaxis(states.merchants, 2, 0)
    next_one, next_but_one = states.ways[:, :1], states.ways[:, 1:]
    stock = Stock(rack)
    lead, over_average = shares.lead[..., -1], shares.over_average[..., -1]
    soon = (5 / (shares.ships + 2)).astype(np.float32)[:, None]
    best = np.where(next_one > 0, shares.steering, -FAR).max(axis=2)
    expected = (next_one * shares.lead).sum(axis=2)
    return [
        shares.cash / 25,
        lead,
        over_average,
        lead * soon,
        over_average * soon,
        best,
        np.where(next_one > 0, shares.lead, FAR).min(axis=2),
        expected,
        best - expected,
        (shares.pays * next_one).sum(axis=2) / np.float32(DUCATS),
        (shares.ruined * next_one).sum(axis=2),
        (shares.ruined_next * next_but_one).sum(axis=2),
        shares.ruined.any(axis=2),
        shares.earned,
        shares.earned * next_one[..., -1],
        shares.count.max(axis=2) / SHARES,
        kontor / 3,
        smith / 3,
        stock.gold / 5,
        stock.fine / 4,
        stock.coarse / 4,
        stock.all / 9,
        np.minimum(stock.all, 3) / 3,
        stock.exact,
        stock.near,
        stock.exact_with_silver,
        stock.near_with_silver,
        public_shares / SHARES,
        turn == 0,
        turn / np.maximum(shares.players[..., 0] - 1, 1),
    ]


def _of_table(states: Encoded, playing: Flags) -> list[NDArray[Any]]:
    stones = states.table[:, :COLOUR_COUNT]
    ships = LAST_CHEST - states.table[:, COLOUR_COUNT]
    players = playing.sum(axis=1)
    middle = Stock(states.table[:, -1])
    return [
        ships / LAST_CHEST,
        ships <= 1,
        ships <= 3,
        players == 2,
        players == 3,
        players == 4,
        players == 5,
        players == 6,
        middle.gold / 10,
        (middle.fine + middle.coarse) / 10,
        states.ways[:, 0, -1],
        states.ways[:, 1, -1],
        stones.mean(axis=1) / LAST_CHEST,
        stones.max(axis=1) / LAST_CHEST,
    ]
