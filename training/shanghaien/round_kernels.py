"""Rounds of Shanghaien solved backwards, many at a time: the arithmetic of ``players/backwards.py`` as kernels.

Values are arrays [classes, first's uses × second's uses, lanes] of float32. A lane is one set of ends, all of them
for the same plan and the same hands: a processor works on sixteen numbers at the price of one. The order of
operations is the same as there, so that the numbers are the same to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kontor.batch.compiled import njit_cached, njit_inline

Lanes = NDArray[np.float32]
Places = NDArray[np.intp]
Shares = tuple[np.float32, ...]


@njit_cached
def mix_jokers(after: Lanes, mover: int, none: Places, jokers: Places) -> None:
    """Raise the values without a trick to those with the best joker: one can be laid before a die is placed (S8a).

    ``none`` are the pairs of uses in which the mover has used nothing. ``jokers``, [len(none), jokers], are those in
    which one was laid and the other's use is the same.
    """
    for at in range(after.shape[0]):
        for number in range(none.shape[0]):
            best = after[at, none[number]]
            for joker in range(jokers.shape[1]):
                laid = after[at, jokers[number, joker]]
                if mover == 0:
                    for lane in range(after.shape[2]):
                        best[lane] = _high(best[lane], laid[lane])
                else:
                    for lane in range(after.shape[2]):
                        best[lane] = _low(best[lane], laid[lane])


@njit_cached
def mean_of_better(after: Lanes, one: Places, shares: Shares, mover: int, out: Lanes) -> None:
    """Write to ``out``, for each class, the mean over all rolls of the better die's value.

    ``one`` is where each die leads to. All uses and lanes are alike here: the arrays are [classes, uses × lanes].
    """
    for at in range(out.shape[0]):
        _mean(
            after[one[0, at]],
            after[one[1, at]],
            after[one[2, at]],
            after[one[3, at]],
            after[one[4, at]],
            after[one[5, at]],
            shares,
            mover,
            out[at],
        )


@njit_cached
def with_tricks(
    after: Lanes,
    one: Places,
    doubled: Lanes,
    two: Places,
    shares: Shares,
    mover: int,
    none: Places,
    nudge: Places,
    reroll: Places,
    out: Lanes,
) -> None:
    """Write to ``out`` the mean values where the mover has used nothing, dice tricks included (S8b to S8d).

    ``nudge`` and ``reroll`` are the pairs of uses after these, by those in ``none``; they, and ``two``, are empty
    where the trick is not held.
    """
    own = np.empty((6, after.shape[2]), np.float32)
    for at in range(out.shape[0]):
        for number in range(none.shape[0]):
            for die in range(6):
                _copy(own[die], after[one[die, at], none[number]])
            if nudge.shape[0]:
                for die in range(6):
                    _improve(own[die], after[one[die, at], nudge[number]], mover)
                    if die > 0:
                        _improve(own[die], after[one[die - 1, at], nudge[number]], mover)
                    if die < 5:
                        _improve(own[die], after[one[die + 1, at], nudge[number]], mover)
            if reroll.shape[0]:
                for die in range(6):
                    _improve(own[die], out[at, reroll[number]], mover)
            if two.shape[0]:
                _mean_with_both(own, doubled, two, at, number, mover, out[at, none[number]])
            else:
                _mean(own[0], own[1], own[2], own[3], own[4], own[5], shares, mover, out[at, none[number]])


@njit_cached
def or_shanghai(out: Lanes, ended: Lanes, way: Places, mover: int) -> None:
    """Raise the values to those of ending the round, where the mover may (S4).

    The arrays are [classes, uses × lanes].
    """
    for at in range(out.shape[0]):
        _improve(out[at], ended[way[at]], mover)


@njit_inline
def _copy(target: Any, source: Any) -> None:
    for lane in range(target.shape[0]):
        target[lane] = source[lane]


@njit_inline
def _improve(target: Any, source: Any, mover: int) -> None:
    if mover == 0:
        for lane in range(target.shape[0]):
            target[lane] = _high(target[lane], source[lane])
    else:
        for lane in range(target.shape[0]):
            target[lane] = _low(target[lane], source[lane])


@njit_inline
def _mean_with_both(own: Any, doubled: Any, two: Any, at: int, number: int, mover: int, out: Any) -> None:
    """Write to ``out`` the mean, over all pairs of dice, of the better die's value or of both dice's (S8c)."""
    for lane in range(out.shape[0]):
        out[lane] = 0
    pair = 0
    for low in range(6):
        for high in range(low, 6):
            both = doubled[two[pair, at], number]
            for lane in range(out.shape[0]):
                value = both[lane]
                first = own[low, lane]
                second = own[high, lane]
                value = _high(value, _high(first, second)) if mover == 0 else _low(value, _low(first, second))
                total = out[lane] + value
                out[lane] = total if low == high else total + value
            pair += 1
    for lane in range(out.shape[0]):
        out[lane] *= np.float32(1 / 36)


@njit_inline
def _low(one: Any, other: Any) -> Any:
    return one if one < other else other


@njit_inline
def _high(one: Any, other: Any) -> Any:
    return other if one < other else one


@njit_inline
def _sort_six(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
    """Return six numbers sorted, by the network of ``players/backwards.py``."""
    a, f = _low(a, f), _high(a, f)
    b, d = _low(b, d), _high(b, d)
    c, e = _low(c, e), _high(c, e)
    b, c = _low(b, c), _high(b, c)
    d, e = _low(d, e), _high(d, e)
    a, d = _low(a, d), _high(a, d)
    c, f = _low(c, f), _high(c, f)
    a, b = _low(a, b), _high(a, b)
    c, d = _low(c, d), _high(c, d)
    e, f = _low(e, f), _high(e, f)
    b, c = _low(b, c), _high(b, c)
    d, e = _low(d, e), _high(d, e)
    return a, b, c, d, e, f


@njit_inline
def _mean(one: Any, two: Any, three: Any, four: Any, five: Any, six: Any, shares: Any, mover: int, out: Any) -> None:
    """Write to ``out`` six numbers sorted, and weighted by how often each is the better of two."""
    s0, s1, s2, s3, s4, s5 = shares  # local variables: read in the loop, they would keep it from being vectorised
    if mover == 0:
        for lane in range(out.shape[0]):
            a, b, c, d, e, f = _sort_six(one[lane], two[lane], three[lane], four[lane], five[lane], six[lane])
            out[lane] = ((((a * s0 + b * s1) + c * s2) + d * s3) + e * s4) + f * s5
    else:
        for lane in range(out.shape[0]):
            a, b, c, d, e, f = _sort_six(one[lane], two[lane], three[lane], four[lane], five[lane], six[lane])
            out[lane] = ((((f * s0 + e * s1) + d * s2) + c * s3) + b * s4) + a * s5
