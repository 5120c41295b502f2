"""What a whole state of Der fliegende Holländer looks like to those who estimate chances to win: arrays of numbers.

Two steps. :func:`encoded` reads states into small whole numbers, one line after another; training keeps these.
:func:`features` turns them into what the estimates reckon with, for all states of a batch at once. Both are meant
for the start of a round.

Nothing here depends on the names of the colours or the seats: there are numbers for each merchant, numbers for each
merchant and colour, and numbers that all have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kontor.dutchman.chart import Sea
from kontor.dutchman.components import CHESTS, COLOURS, LAST_CHEST, MOST_SILVER, ONES, PLACE_OF, SHARES, TENS, Colour
from kontor.dutchman.horseshoes import ONE, heap_of
from kontor.dutchman.state import State
from kontor.players.dutchman.outlook import share_worth

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

COLOUR_COUNT: Final = len(COLOURS)
WAYS: Final = COLOUR_COUNT + 1
"""What the Dutchman can meet: a ship of one of the colours, or an island (the last)."""

# ------------------------------------------------------------------------------------------------- encoding

MERCHANT: Final = 7
"""Numbers for each merchant: cash, Kontor cards, Smith cards, hand (a place in HANDS), heap of the rack, shares that
everybody knows of, place in the order of play (−1 when out of the game)."""

TABLE: Final = COLOUR_COUNT + 2
"""Numbers for the table: the stones by colour, the counter, the heap in the middle."""

HANDS: Final[tuple[tuple[Colour, ...], ...]] = ((), *combinations_with_replacement(COLOURS, SHARES))
"""All hands there can be at the start of a round; a bankrupt has none."""
_HAND: Final = {hand: place for place, hand in enumerate(HANDS)}


class Encoded(NamedTuple):
    """States as numbers: ``merchants`` int64[states, seats, MERCHANT], ``table`` int64[states, TABLE], and ``ways``
    float32[states, 2, WAYS]: how likely the Dutchman meets what, by its next move and the one after that, if every
    way on is equally likely."""

    merchants: Numbers
    table: Numbers
    ways: Floats


def encoded(states: Sequence[State]) -> Encoded:
    """States with the same number of seats, each at the start of a round."""
    merchants: list[int] = []
    table: list[int] = []
    ways: list[bytes] = []
    for state in states:
        turn = [-1] * len(state.merchants)
        for place, seat in enumerate(state.order):
            turn[seat] = place
        for seat, merchant in enumerate(state.merchants):
            merchants += (
                merchant.cash,
                merchant.kontor,
                merchant.smith,
                _HAND[merchant.shares],
                heap_of(merchant.gold) + merchant.silver.heap,
                sum(merchant.at_least),
                -1 if merchant.bankrupt else turn[seat],
            )
        table += state.stones
        table += (state.counter, state.middle_heap)
        ways.append(_ways(state.sea)[state.dutchman, state.came_from])
    return Encoded(
        np.array(merchants, dtype=np.int64).reshape(len(states), -1, MERCHANT),
        np.array(table, dtype=np.int64).reshape(len(states), TABLE),
        np.frombuffer(b"".join(ways), dtype=np.float32).reshape(len(states), 2, WAYS),
    )


@lru_cache(maxsize=64)
def _ways(sea: Sea) -> dict[tuple[str, str | None], bytes]:
    """``ways`` of :class:`Encoded` for wherever the Dutchman is and came from, as bytes."""
    first = {
        (field, back): np.mean([_met(sea.ship[to]) for to in ahead], axis=0)
        for field, by_back in sea.ahead.items()
        for back, ahead in by_back.items()
    }
    ways = {}
    for (field, back), one in first.items():
        two = np.mean([first[to, field] for to in sea.ahead[field][back]], axis=0)
        ways[field, back] = np.stack([one, two]).astype(np.float32).tobytes()
    return ways


def _met(colour: Colour | None) -> NDArray[np.float64]:
    met = np.zeros(WAYS)
    met[WAYS - 1 if colour is None else PLACE_OF[colour]] = 1
    return met


# ------------------------------------------------------------------------------------------------- features


class Features(NamedTuple):
    """What the estimates reckon with. ``colours`` float32[states, seats, six, COLOUR_FEATURES] are for each merchant
    and colour, ``seats`` float32[states, seats, SEAT_FEATURES] for each merchant, ``common`` float32[states,
    COMMON_FEATURES] for the table; ``playing`` bool[states, seats] says who is not bankrupt."""

    colours: Floats
    seats: Floats
    common: Floats
    playing: Flags


_COUNTS: Final = np.array([[hand.count(colour) for colour in COLOURS] for hand in HANDS], dtype=np.float32)
_CHESTS: Final = np.array([*CHESTS, CHESTS[-1]], dtype=np.float32)
"""What a share is worth, also one chest beyond the last."""
_WORTH: Final = np.array(
    [
        [share_worth(min(stone, LAST_CHEST), ships) for ships in range(LAST_CHEST + 1)]
        for stone in range(LAST_CHEST + 2)
    ],
    dtype=np.float32,
)
"""What a share brings until the end, by its stone and by the ships still to be met."""

DUCATS: Final = 20.0
"""Differences of wealth are written in this unit, so that numbers are neither large nor small."""

COLOUR_FEATURES: Final = 11
RUINED: Final = 2
NEXT: Final = 6
"""Among the features of colours: whether a ship of that colour would ruin the merchant now (H11), and how likely
the Dutchman meets one next."""
SEAT_FEATURES: Final = 30
COMMON_FEATURES: Final = 14


def features(states: Encoded) -> Features:
    """What there is to know of these states."""
    cash, kontor, smith, hand, rack, shown, turn = np.moveaxis(states.merchants, 2, 0)
    playing = turn >= 0
    cash = cash.astype(np.float32)
    count = _COUNTS[hand]
    stones, counter, middle = states.table[:, :COLOUR_COUNT], states.table[:, COLOUR_COUNT], states.table[:, -1]
    ships = LAST_CHEST - counter
    shares = _Shares(cash, count, stones, ships, playing)
    one, two = states.ways[:, :1], states.ways[:, 1:]  # [states, 1, WAYS]

    leads = shares.leads(shares.met)
    over_average = shares.over_average(shares.met)
    colours = np.empty((*count.shape, COLOUR_FEATURES), dtype=np.float32)
    colours[..., 0] = count / SHARES
    colours[..., 1] = np.minimum(shares.pays / (cash + 1)[:, :, None], 2)
    colours[..., RUINED] = shares.ruined
    colours[..., 3] = shares.ruined_next
    colours[..., 4] = leads
    colours[..., 5] = over_average
    colours[..., NEXT] = one[..., :-1]
    colours[..., 7] = two[..., :-1]
    colours[..., 8] = (stones / LAST_CHEST)[:, None]
    colours[..., 9] = one[..., :-1] * leads
    colours[..., 10] = (count.sum(axis=1) / playing.sum(axis=1)[:, None])[:, None] - colours[..., 0]

    left = shares.leads(shares.now[..., None])[..., 0]
    average = shares.over_average(shares.now[..., None])[..., 0]
    earned = np.where(count > 0, shares.value[:, None], 0).max(axis=2) / DUCATS
    island = one[..., -1]
    ahead = one[..., :-1] > 0
    none = np.float32(-9)
    best = np.maximum(np.where(ahead, leads, none).max(axis=2), np.where(island > 0, left + earned, none))
    worst = np.minimum(np.where(ahead, leads, -none).min(axis=2), np.where(island > 0, left, -none))
    expected = (one[..., :-1] * leads).sum(axis=2) + island * left
    horseshoes = Stock(rack)
    seats = np.empty((*cash.shape, SEAT_FEATURES), dtype=np.float32)
    for place, feature in enumerate(
        (
            cash / CASH_UNIT,
            left,
            average,
            left * (SOON / (ships + 2))[:, None],
            average * (SOON / (ships + 2))[:, None],
            best,
            worst,
            expected,
            best - expected,
            (shares.pays * one[..., :-1]).sum(axis=2) / DUCATS,
            (shares.ruined * one[..., :-1]).sum(axis=2),
            (shares.ruined_next * two[..., :-1]).sum(axis=2),
            shares.ruined.any(axis=2),
            earned,
            earned * island,
            count.max(axis=2) / SHARES,
            kontor / 3,
            smith / 3,
            horseshoes.gold / 5,
            horseshoes.fine / 4,
            horseshoes.coarse / 4,
            horseshoes.all / 9,
            np.minimum(horseshoes.all, 3) / 3,
            horseshoes.exact,
            horseshoes.near,
            horseshoes.exact_with_silver,
            horseshoes.near_with_silver,
            shown / SHARES,
            turn == 0,
            turn / np.maximum(playing.sum(axis=1) - 1, 1)[:, None],
        )
    ):
        seats[..., place] = feature

    players = playing.sum(axis=1)
    in_the_middle = Stock(middle)
    common = np.empty((len(stones), COMMON_FEATURES), dtype=np.float32)
    for place, feature in enumerate(
        (
            ships / LAST_CHEST,
            ships <= 1,
            ships <= 3,
            players == 2,
            players == 3,
            players == 4,
            players == 5,
            players == 6,
            in_the_middle.gold / 10,
            (in_the_middle.fine + in_the_middle.coarse) / 10,
            one[:, 0, -1],
            two[:, 0, -1],
            stones.mean(axis=1) / LAST_CHEST,
            stones.max(axis=1) / LAST_CHEST,
        )
    ):
        common[:, place] = feature
    return Features(colours, seats, common, playing)


CASH_UNIT: Final = 25
SOON: Final = 5


class _Shares:
    """What shares mean for everybody, in ducats: arrays [states, seats] or [states, seats, six], those of the stones
    [states, six]."""

    def __init__(self, cash: Floats, count: Floats, stones: Numbers, ships: Numbers, playing: Flags) -> None:
        self.playing = playing
        self.value = _CHESTS[stones]
        fewer = np.maximum(ships - 1, 0)
        later = _WORTH[stones + 1, fewer[:, None]]
        change = _WORTH[1, fewer][:, None] - later - self.value
        self.pays = count * self.value[:, None]
        self.ruined = self.pays > cash[:, :, None]
        self.ruined_next = count * _CHESTS[stones + 1][:, None] > cash[:, :, None]
        self.now = cash + (count * _WORTH[stones, ships[:, None]][:, None]).sum(axis=2)
        base = cash + (count * later[:, None]).sum(axis=2)
        met = base[..., None] + count * change[:, None]
        met[self.ruined] = 0
        self.met = met
        """Everybody's wealth once the Dutchman has met a ship of each colour (H11)."""

    def leads(self, wealth: Floats) -> Floats:
        """Wealth less that of the richest of the others."""
        wealth = np.where(self.playing[..., None], wealth, 0)
        places = wealth.argmax(axis=1, keepdims=True)
        richest = np.take_along_axis(wealth, places, axis=1)
        others = wealth.copy()
        np.put_along_axis(others, places, -np.inf, axis=1)
        second = others.max(axis=1, keepdims=True)
        lead = wealth - richest
        np.put_along_axis(lead, places, richest - second, axis=1)
        return np.asarray(lead / np.float32(DUCATS))

    def over_average(self, wealth: Floats) -> Floats:
        """Wealth less the average of the others' still in the game."""
        wealth = np.where(self.playing[..., None], wealth, 0)
        others = np.maximum(self.playing.sum(axis=1) - 1, 1).astype(np.float32)[:, None, None]
        return np.asarray((wealth - (wealth.sum(axis=1, keepdims=True) - wealth) / others) / np.float32(DUCATS))


# ----------------------------------------------------------------------------------------------- horseshoes


def _count(heaps: Numbers, kind: int, following: int) -> Numbers:
    """How many of a kind of silver are in heaps; ``following`` is the kind whose bits come next."""
    return heaps // ONE[kind] % (ONE[following] // ONE[kind])


_LOWEST_GOLD: Final = MOST_SILVER + 1
_GOLD_FROM: Final = ONE[_LOWEST_GOLD].bit_length() - 1
_LUCKY: Final = {tens + ones for tens in TENS for ones in ONES}
_ONCE: Final = sum(1 << lucky for lucky in _LUCKY)
_TWICE: Final = sum(1 << lucky for lucky in _LUCKY if ONES.count(lucky % 10) == 2)
"""The lucky numbers as bits; and those that are twice as likely as the others (H1)."""
_FACES: Final = _ONCE.bit_count() + _TWICE.bit_count()
_HIGHEST_BIT: Final = 62


class Stock:
    """Heaps of horseshoes, in arrays of any one shape: how many are gold, fine silver and coarse silver, and how good
    they are. ``exact`` is how likely the lucky number is hit, ``near`` how likely it is hit or missed by one or two
    (H7): by a single golden horseshoe, or with up to one piece of silver of each kind (``…_with_silver``)."""

    def __init__(self, heaps: Numbers) -> None:
        ones, twos = _count(heaps, 1, 2), _count(heaps, 2, 10)
        tens, twenties = _count(heaps, 10, 20), _count(heaps, 20, _LOWEST_GOLD)
        golden = heaps >> _GOLD_FROM
        self.gold = np.bitwise_count(golden)
        self.fine = ones + twos
        self.coarse = tens + twenties
        self.all = self.gold + self.fine + self.coarse
        reached = golden << _LOWEST_GOLD
        self.exact = _likely(reached)
        self.near = _likely(_nearly(reached))
        # The highest silver first: so no sum falls below 0 that could still become a lucky number.
        reached = reached | 1
        for kind, there in ((20, twenties), (10, tens), (2, twos), (1, ones)):
            more = (reached & (1 << _HIGHEST_BIT - kind + 1) - 1) << kind
            reached = reached | np.where(there > 0, more | reached >> kind, 0)
        self.exact_with_silver = _likely(reached)
        self.near_with_silver = _likely(_nearly(reached))


def _nearly(reached: Numbers) -> Numbers:
    return reached | reached << 1 | reached << 2


def _likely(reached: Numbers) -> Floats:
    """How likely one of the numbers reached is the lucky one."""
    counted = np.bitwise_count(reached & _ONCE) + np.bitwise_count(reached & _TWICE)
    return np.asarray(counted / _FACES, dtype=np.float32)
