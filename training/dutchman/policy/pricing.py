"""Ducats for which the tied players agree to a destination (``players.bargaining``), in many imagined states."""

from __future__ import annotations

from math import floor

from kontor.batch.arrays import GameRow, Longs, Rows
from kontor.batch.compiled import as_int64, njit_cached, njit_inline
from training.dutchman.policy.agreement import a_ducat, expect_tied, no_agreement, tied_bits
from training.dutchman.policy.outlook import look_ahead, standing


@njit_inline
def _price(game: GameRow, seat: int, prices: Longs, thought: GameRow) -> None:
    look_ahead(game, thought, seat)
    expect_tied(game, thought)
    alone = no_agreement(game, thought, seat)
    tied = tied_bits(game)
    for to in range(thought.many):
        prices[to] = as_int64(floor((alone - standing(game, thought, seat, to, tied)) / a_ducat(game))) + 1


@njit_cached
def price_fields(rows: Rows, prices: Longs, thoughts: Rows, start: int, stop: int) -> None:
    """Write the ``prices`` (rows, seats, fields) of the fields ahead.

    A price is the fewest ducats for which a tied player agrees to sail there, by the reckoning of ``greedy``.
    ``thoughts`` is a ``thought_of`` their options.
    """
    for at in range(start, stop):
        for place in range(rows[at].tie):
            seat = as_int64(rows[at].tied[place])
            _price(rows[at], seat, prices[at, seat], thoughts[0])
