"""Kernels for one game at a time, from Python: chance by numbered steps too, and one short call for each step.

A game is a piece of memory: its row, and beside it what has begun and what may be done now (``beside_of``). A kernel
gets no array but its address, which is several times as quick to hand over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from kontor.batch.arrays import Bytes, Flags, GameRow, Ints, Numbers, Reals
from kontor.batch.compiled import njit_cached, record_at
from kontor.batch.fields import Layout
from kontor.batch.simulation import Packed
from kontor.batch.stepping import BEGUN, MOST_BEGUN

CHANCE_MOVES, IS_OVER, IMPOSSIBLE = -1, -4, -5
"""Instead of a seat, with the numbers of OpenSpiel: chance is to move, the game is over; no such step is possible."""

NO_STEP: Final = -(1 << 30)
"""Instead of a step: it is only listed what may be done."""

PLAYER_BITS: Final = 4
DICE_BIT: Final = PLAYER_BITS
COUNT_BIT: Final = DICE_BIT + 1
STEP_BITS: Final = 11
FEW: Final = 4
"""A status is who is to move (and 5 more), whether by chance only dice are rolled, how many steps there are, and a
player's steps themselves, if they are few."""
TOTALS: Final = 64
COUNTS: Final = 16
"""An urn holds fewer in all, and fewer of each step. What stands in it is listed by both: by its place in an array of
so many totals, counts, and steps."""
WORD: Final = 8
"""So many flags of a mask are looked at together."""

Function = TypeVar("Function", bound=Callable[..., Any])


class PackedRules(Protocol):
    """What the module of a game has beside its steps for learners (``stepping.StepRules``)."""

    def is_over(self, game: GameRow, /) -> bool: ...
    def is_chance(self, game: GameRow, /) -> bool: ...
    def mover_of(self, game: GameRow, /) -> int: ...
    def mark_steps(self, game: GameRow, begun: GameRow, mask: Bytes, /) -> None: ...
    def is_step(self, game: GameRow, begun: GameRow, step: int, /) -> bool: ...
    def take_step(self, game: GameRow, begun: GameRow, step: int, /) -> None: ...
    def look_from(self, game: GameRow, begun: GameRow, seat: int, seen: Reals, /) -> None: ...
    def score_of(self, game: GameRow, points: Ints, winners: Flags, /) -> None: ...
    def rewards_of(self, winners: Flags, rewards: Numbers, /) -> None: ...
    def rolls_dice(self, game: GameRow, /) -> bool: ...
    def fill_urn(self, game: GameRow, told: Bytes, drawn: int, urn: Ints, /) -> None: ...
    def draw_step(self, game: GameRow, told: Bytes, drawn: int, step: int, /) -> int: ...


def beside_of(outcome: int, most_steps: int, outcomes: int) -> np.dtype[np.void]:
    """What stands beside a row: ``outcome`` numbers tell what chance does, by steps below ``outcomes``; steps of
    moves are below ``most_steps``, and in this game below ``size``. It starts with what has begun (``BEGUN``)."""
    return np.dtype([
        ("count", np.int32), ("steps", np.int32, (MOST_BEGUN,)),
        ("drawn", np.int32), ("told", np.uint8, (outcome,)), ("urn", np.int32, (outcomes,)),
        ("legal", np.int64, (max(most_steps, outcomes),)), ("size", np.int64),
        ("mask", np.uint8, (-(-most_steps // WORD) * WORD,)),
    ], align=True)  # fmt: skip


def packed_of(rules: PackedRules, layout: Layout, outcome: int, most_steps: int, outcomes: int) -> Packed:
    """The kernels of a game, of the module of its rules."""
    row_type = layout.dtype
    beside_type = beside_of(outcome, most_steps, outcomes)
    beside_at = -(-row_type.itemsize // 8) * 8
    mask_at = beside_at + beside_type.fields["mask"][1]  # type: ignore[index]
    words_type = np.dtype([("words", np.int64, (beside_type["mask"].itemsize // WORD,))])

    def kernel(function: Function) -> Function:
        function.__qualname__ = f"{rules.__name__}.{function.__name__}"  # type: ignore[attr-defined]
        return njit_cached(function)

    @kernel
    def packed_step(address: int, step: int) -> int:
        game = record_at(address, row_type)[0]
        begun = record_at(address + beside_at, BEGUN)[0]
        beside = record_at(address + beside_at, beside_type)[0]
        if step != NO_STEP:
            if step < 0 or rules.is_over(game):
                return 0
            if rules.is_chance(game):
                if step >= outcomes or beside.urn[step] <= 0:
                    return 0
                beside.drawn = rules.draw_step(game, beside.told, beside.drawn, step)
            else:
                if not rules.is_step(game, begun, step):
                    return 0
                rules.take_step(game, begun, step)
        if rules.is_over(game):
            return IS_OVER - IMPOSSIBLE
        many = 0
        if rules.is_chance(game):
            urn = beside.urn
            urn[:] = 0
            rules.fill_urn(game, beside.told, beside.drawn, urn)
            total = 0
            for drawn in range(outcomes):
                total += urn[drawn]
            for drawn in range(outcomes):
                if urn[drawn]:
                    beside.legal[many] = (total * COUNTS + np.int64(urn[drawn])) * outcomes + drawn
                    many += 1
            dice = 1 if rules.rolls_dice(game) else 0
            return CHANCE_MOVES - IMPOSSIBLE + (dice << DICE_BIT) + (many << COUNT_BIT)
        mask = beside.mask
        words = record_at(address + mask_at, words_type)[0].words
        used = (beside.size + WORD - 1) // WORD
        words[:used] = 0
        rules.mark_steps(game, begun, mask)
        for word in range(used):  # nearly all are empty
            if words[word]:
                for legal in range(WORD * word, WORD * word + WORD):
                    if mask[legal]:
                        beside.legal[many] = legal
                        many += 1
        status = rules.mover_of(game) - IMPOSSIBLE + (many << COUNT_BIT)
        if many <= FEW:
            for legal in range(many):
                status += beside.legal[legal] << (COUNT_BIT + (legal + 1) * STEP_BITS)
        return status

    @kernel
    def packed_look(address: int, seat: int, seen: Numbers) -> None:
        seen[:] = 0
        game = record_at(address, row_type)[0]
        begun = record_at(address + beside_at, BEGUN)[0]
        rules.look_from(game, begun, seat, seen)

    @kernel
    def packed_returns(address: int, points: Ints, winners: Flags, returns: Numbers) -> None:
        game = record_at(address, row_type)[0]
        rules.score_of(game, points, winners)
        rules.rewards_of(winners, returns)

    return Packed(beside=beside_type, beside_at=beside_at, step=packed_step, look=packed_look, returns=packed_returns)
