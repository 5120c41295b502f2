"""Whole states of Der fliegende Holländer at the start of a round, as arrays of whole numbers.

Training keeps these; ``features`` turns them into the input of the estimates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kontor.games.dutchman.rules.chart import Sea
from kontor.games.dutchman.rules.components import COLOURS, PLACE_OF, SHARES, Colour
from kontor.games.dutchman.rules.horseshoes import heap_of
from kontor.games.dutchman.rules.state import State

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

COLOUR_COUNT: Final = len(COLOURS)
WAYS: Final = COLOUR_COUNT + 1
"""Number of ways: the Dutchman can meet a ship of one of the colours, or an island (the last)."""

MERCHANT: Final = 7
"""Numbers for each merchant: cash, Kontor cards, Smith cards, hand (a place in HANDS), heap of the rack, shares that
everybody knows of, place in the order of play (−1 when out of the game)."""

TABLE: Final = COLOUR_COUNT + 2
"""Numbers for the table: the stones by colour, the counter, the heap in the middle."""

HANDS: Final[tuple[tuple[Colour, ...], ...]] = ((), *combinations_with_replacement(COLOURS, SHARES))
"""All possible hands at the start of a round; a bankrupt has an empty one."""
_HAND: Final = {hand: place for place, hand in enumerate(HANDS)}


class Encoded(NamedTuple):
    """States as numbers.

    ``merchants`` is int64[states, seats, MERCHANT], ``table`` int64[states, TABLE]. ``ways`` float32[states, 2, WAYS]
    holds the probabilities of what the Dutchman meets by its next move and the one after that. They assume that every
    way on is equally likely.
    """

    merchants: Numbers
    table: Numbers
    ways: Floats


def encoded(states: Sequence[State]) -> Encoded:
    """Return states as numbers; all have the same number of seats and are at the start of a round."""
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
        ways.append(ways_by_place(state.sea)[state.dutchman, state.came_from])
    return Encoded(
        np.array(merchants, dtype=np.int64).reshape(len(states), -1, MERCHANT),
        np.array(table, dtype=np.int64).reshape(len(states), TABLE),
        np.frombuffer(b"".join(ways), dtype=np.float32).reshape(len(states), 2, WAYS),
    )


@lru_cache(maxsize=64)
def ways_by_place(sea: Sea) -> dict[tuple[str, str | None], bytes]:
    """Return ``ways`` of :class:`Encoded` as bytes, by where the Dutchman is and came from."""
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
