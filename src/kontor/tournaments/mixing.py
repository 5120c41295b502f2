"""Tables at which the same people meet as rarely as possible, found by a local search with exchanges."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

_Integers = NDArray[np.int64]

_STARTS: Final = 60
_EXCHANGES: Final = 1_000
"""The most starts of the search, and the most exchanges of two people in all of them."""

_MOST: Final = 10**6
"""The most that a pair who should not meet costs, so that sums stay below 2⁶³."""


def least_met(
    met: Sequence[Sequence[int]], apart: Sequence[Sequence[int]], sizes: Sequence[int], random: Random
) -> list[list[int]]:
    """Return tables of these sizes for people with the numbers below ``len(met)``.

    They have a low sum of ``met`` over all pairs at a table, and then of ``apart``. The people first sit in order;
    two are exchanged as long as that lowers the cost. If people who have met still sit together, the search starts
    again from a random order.
    """
    first = np.array(apart, np.int64)
    if len(set(sizes)) == 0:
        return []
    total = int(first.sum()) + 1
    costs = np.minimum(np.array(met, np.int64), _MOST) * total + first
    np.fill_diagonal(costs, 0)
    order = list(range(len(costs)))
    best: tuple[int, list[list[int]]] | None = None
    remaining = _EXCHANGES
    for _ in range(_STARTS):
        cost, tables, used = _improve(costs, _table_numbers(order, sizes), remaining)
        remaining -= used
        if best is None or cost < best[0]:
            best = cost, tables
        if best[0] < total or remaining <= 0:
            break
        random.shuffle(order)
    assert best
    return best[1]


def _table_numbers(order: Sequence[int], sizes: Sequence[int]) -> _Integers:
    """Return the table number of each person, if they sit down in this order."""
    at = np.empty(len(order), np.int64)
    at[list(order)] = np.repeat(np.arange(len(sizes)), sizes)
    return at


def _improve(costs: _Integers, at: _Integers, most: int) -> tuple[int, list[list[int]], int]:
    """Return the cost, the tables and the number of exchanges, after exchanges until none lowers the cost.

    At most ``most`` exchanges are made.
    """
    people = np.arange(len(at))
    tables = int(at.max()) + 1
    sums = np.zeros((len(at), tables), np.int64)
    for table in range(tables):
        sums[:, table] = costs[:, at == table].sum(axis=1)
    used = 0
    while used < most:
        own_sums = sums[people, at]
        across = sums[:, at]
        change = across + across.T - own_sums[:, None] - own_sums[None, :] - 2 * costs
        change[at[:, None] == at[None, :]] = 0
        person, partner = divmod(int(change.argmin()), len(at))
        if change[person, partner] >= 0:
            break
        used += 1
        old_table, new_table = at[person], at[partner]
        moved = costs[:, partner] - costs[:, person]
        sums[:, old_table] += moved
        sums[:, new_table] -= moved
        at[person], at[partner] = new_table, old_table
    seated = [np.flatnonzero(at == table).tolist() for table in range(tables)]
    return int(sums[people, at].sum()) // 2, seated, used
