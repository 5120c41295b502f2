"""Kernels for one game at a time, called from Python: a step is one short call, and chance acts by steps too.

A game is a block of memory: its row, and beside it the steps begun and the legal steps (``beside_of``). A kernel gets
only the address instead of an array: that makes a call several times as fast.
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
"""Values instead of a seat, with the numbers of OpenSpiel: chance is to move; the game is over; the step is
impossible."""

NO_STEP: Final = -(1 << 30)
"""The argument instead of a step that only lists the legal steps."""

PLAYER_BITS: Final = 4
DICE_BIT: Final = PLAYER_BITS
COUNT_BIT: Final = DICE_BIT + 1
STEP_BITS: Final = 11
FEW: Final = 4
"""The most steps that a status holds. A status has four parts, from the lowest bit: the mover (plus 5), whether
chance only rolls dice, the number of legal steps, and, if these are few, a player's steps themselves."""
TOTALS: Final = 64
COUNTS: Final = 16
"""The upper bounds of an urn's total and of its count of one step. A step of chance is listed as an index into an
array of the shape (totals, counts, steps)."""
WORD: Final = 8
"""The number of flags of a mask that are read at once."""

Function = TypeVar("Function", bound=Callable[..., Any])


class PackedRules(Protocol):
    """The functions of a game's module for packed games, beside its steps for learners (``stepping.StepRules``)."""

    def is_over(self, game: GameRow, /) -> bool:
        """Return True if the game is over."""
        ...

    def is_chance(self, game: GameRow, /) -> bool:
        """Return True if chance is to act."""
        ...

    def mover_of(self, game: GameRow, /) -> int:
        """Return the seat to move."""
        ...

    def mark_steps(self, game: GameRow, begun: GameRow, mask: Bytes, /) -> None:
        """Set the mask to 1 for each step that the mover may take."""
        ...

    def is_step(self, game: GameRow, begun: GameRow, step: int, /) -> bool:
        """Return True if the mover may take the step, which may be any number."""
        ...

    def take_step(self, game: GameRow, begun: GameRow, step: int, /) -> None:
        """Take a legal step of the mover."""
        ...

    def look_from(self, game: GameRow, begun: GameRow, seat: int, seen: Reals, /) -> None:
        """Write what a seat may know into zeros."""
        ...

    def score_of(self, game: GameRow, points: Ints, winners: Flags, /) -> None:
        """Write the points of each seat if the game ended now, and which seats have won."""
        ...

    def rewards_of(self, winners: Flags, rewards: Numbers, /) -> None:
        """Write what a finished game brings each seat."""
        ...

    def rolls_dice(self, game: GameRow, /) -> bool:
        """Return True if chance rolls dice, always with the same probabilities."""
        ...

    def fill_urn(self, game: GameRow, outcome: Bytes, drawn: int, urn: Ints, /) -> None:
        """Write a count for each step of chance, in proportion to its probability, after ``drawn`` steps."""
        ...

    def draw_step(self, game: GameRow, outcome: Bytes, drawn: int, step: int, /) -> int:
        """Take a step of chance, and apply the outcome if it is the last; return the steps so far, 0 after that."""
        ...


def beside_of(outcome_size: int, most_steps: int, outcomes: int) -> np.dtype[np.void]:
    """Return the record type of the memory beside a row, which starts with the steps begun (``BEGUN``).

    An outcome has ``outcome_size`` numbers, and is drawn by steps below ``outcomes``. Steps of moves are below
    ``most_steps``, and in this game below ``size``.
    """
    return np.dtype([
        ("count", np.int32), ("steps", np.int32, (MOST_BEGUN,)),
        ("drawn", np.int32), ("told", np.uint8, (outcome_size,)), ("urn", np.int32, (outcomes,)),
        ("legal", np.int64, (max(most_steps, outcomes),)), ("size", np.int64),
        ("mask", np.uint8, (-(-most_steps // WORD) * WORD,)),
    ], align=True)  # fmt: skip


def packed_of(rules: PackedRules, layout: Layout, outcome_size: int, most_steps: int, outcomes: int) -> Packed:
    """Return the packed kernels of a game, made of the module of its rules."""
    row_type = layout.dtype
    beside_type = beside_of(outcome_size, most_steps, outcomes)
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
        for word in range(used):  # nearly all words are 0
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
