"""Lays that may be worth it: the same ones in the same order as ``players.greedy.worthwhile_lays``."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow
from kontor.batch.compiled import as_int64, njit_inline, trailing_zeros
from kontor.games.dutchman.batch.tables import GOLD, SILVER_NUMBERS, SILVERS
from kontor.games.dutchman.players.greedy import FAR
from kontor.games.dutchman.rules.components import MOST_SILVER
from training.dutchman.policy.thought import SUMS

_ZERO: Final = SUMS // 2
_UNIT: Final = np.array([14 * 4 * 14, 4 * 14, 14, 1], np.int64)
"""One horseshoe of each kind of silver, in the number of a lay (``layout.LAY``)."""
_GOLDEN: Final = 4 * 14 * 4 * 14
"""One step down in gold, in the number of a lay."""
_ONE: Final = 1 << 32
"""One horseshoe, counted above the number of a lay. The whole is 1 more, so that 0 means no lay."""


@njit_inline
def find_lays(game: GameRow, thought: GameRow) -> None:
    """Write the mover's lays that may be worth it into the thought.

    There are ``lays_found`` of them, by how far they fall ``short``, with the number of the ``lay`` and its ``size``.
    """
    table, sums = _add_up(game, thought)
    thought.fewest[:] = 0
    _note_nearest(game, thought, table, as_int64(0))
    golden = np.uint64(game.rack_gold[thought.me])
    while golden:
        highest = _highest(golden)
        golden ^= np.uint64(1) << np.uint64(highest)
        _note_nearest(game, thought, table, GOLD - highest)
    for place in range(sums):
        thought.used[table, thought.sum_of[table, place]] = 0
    count = as_int64(0)
    for short in range(FAR + 1):
        lay = thought.fewest[short]
        if lay and (count == 0 or lay // _ONE < thought.size[count - 1]):
            _note(thought, count, as_int64(short), lay)
            count += 1
    if count == 0 or thought.size[count - 1] > 1:
        count += _single(game, thought, count)
    thought.lays_found = count


@njit_inline
def _highest(bits: np.uint64) -> int:
    """Return the place of the highest bit that is set."""
    highest = as_int64(0)
    while bits:
        highest = as_int64(trailing_zeros(bits))
        bits &= bits - np.uint64(1)
    return highest


@njit_inline
def _note_nearest(game: GameRow, thought: GameRow, table: int, gold: int) -> None:
    """Write the lay with the fewest horseshoes for each shortfall.

    It consists of silver and one golden horseshoe, given as in LAY; 0 stands for none.
    """
    fewest = thought.fewest
    room = as_int64(game.lucky) + _ZERO
    added = as_int64(0)
    if gold:
        room -= _golden_number(gold)
        added = _ONE + gold * _GOLDEN
    for short in range(FAR + 1):
        total = room - short
        if 0 <= total < SUMS and thought.used[table, total]:
            lay = thought.used[table, total] + added
            if lay > 1 and (fewest[short] == 0 or lay // _ONE < fewest[short] // _ONE):
                fewest[short] = lay


@njit_inline
def _golden_number(gold: int) -> int:
    return MOST_SILVER + 1 + GOLD - gold


@njit_inline
def _note(thought: GameRow, place: int, short: int, lay: int) -> None:
    thought.short[place] = short
    thought.lay[place] = lay % _ONE - 1
    thought.size[place] = lay // _ONE


@njit_inline
def _single(game: GameRow, thought: GameRow, place: int) -> int:
    """Write the lay of the lowest horseshoe alone, for a seat that only wants to take part.

    Returns how many lays that is: 0 if the rack is empty.
    """
    lucky = as_int64(game.lucky)
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        if game.rack_silver[thought.me, kind]:
            _note(thought, place, lucky - SILVER_NUMBERS[kind], _ONE + _UNIT[kind] + 1)
            return 1
    golden = np.uint64(game.rack_gold[thought.me])
    if golden:
        gold = GOLD - as_int64(trailing_zeros(golden))
        number = _golden_number(gold)
        _note(thought, place, lucky - number if number <= lucky else lucky, _ONE + gold * _GOLDEN + 1)
        return 1
    return 0


@njit_inline
def _add_up(game: GameRow, thought: GameRow) -> tuple[int, int]:
    """Write every sum that the mover's silver horseshoes make, with the fewest of them.

    Sums are in the order of Python's dictionaries; among equally few horseshoes the first found count. Returns the
    table that holds the sums, and how many there are.
    """
    table = as_int64(0)
    thought.sum_of[0, 0] = _ZERO
    thought.used[0, _ZERO] = 1
    sums = as_int64(1)
    for kind in range(SILVERS):
        pieces = as_int64(game.rack_silver[thought.me, kind])
        if pieces:
            sums = _add_kind(thought, table, sums, as_int64(kind), pieces)
            table = 1 - table
    return table, sums


@njit_inline
def _add_kind(thought: GameRow, table: int, sums: int, kind: int, pieces: int) -> int:
    """Add up to ``pieces`` horseshoes of a kind to the sums of a table; return how many sums there are then.

    The sums are written to the other table.
    """
    other = 1 - table
    more = as_int64(0)
    for place in range(sums):
        total = thought.sum_of[table, place]
        before = thought.used[table, total]
        thought.used[table, total] = 0
        for count in range(-pieces, pieces + 1):
            new = total + count * SILVER_NUMBERS[kind]
            lay = before + abs(count) * (_ONE + _UNIT[kind])
            held = thought.used[other, new]
            if held == 0:
                thought.sum_of[other, more] = new
                more += 1
            if held == 0 or lay // _ONE < held // _ONE:
                thought.used[other, new] = lay
    return more
