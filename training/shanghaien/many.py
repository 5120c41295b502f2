"""Many rounds of Shanghaien solved at a time, from their starts: the same plan, the same hands, other ends.

With the packages of the extra ``batch``, kernels (``round_kernels.py``) do that some fifty times as fast; the numbers
are the same without.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kontor.games.shanghaien.players.backwards import NOTHING_HELD, SHARES, Hand, solved
from kontor.games.shanghaien.players.plans import Key, Stage, plan
from kontor.games.shanghaien.players.positions import PAIRS
from kontor.games.shanghaien.players.round import BOTH, ENDS, WAYS, Ends, Use, hand_of, thoughts_of, ways_told_by
from kontor.games.shanghaien.rules.components import ROW
from kontor.optional_packages import is_installed

Lanes = NDArray[np.float32]
Places = NDArray[np.intp]

LANES: Final = 32
"""The most ends of rounds side by side. ROOM is about the most numbers of a position: uses of both seats × lanes."""
ROOM: Final = 128

_SHARES: Final = tuple(np.float32(share) for share in SHARES)
_NO_PLACES: Final = np.empty(0, np.intp)
_NO_TWO: Final = np.empty((0, 0), np.intp)


def opening(ended: tuple[Lanes, Lanes], hands: tuple[Hand, Hand]) -> tuple[Lanes, Lanes | None]:
    """Return the value, to the starter, of placing the first die of a round, or the first two, in each lane.

    ``ended`` are [729, first's uses, second's uses, lanes], with ways numbered as for ``backwards.solved``. Returned
    are [first's uses but *both*, 6, lanes], and [21, lanes] in the order of PAIRS if *both* is held.
    """
    stages = plan(0, 0, 0, ROW, (hands[0].both, hands[1].both))
    here = stages[-1]
    assert here.one is not None
    after = _solve_stages(stages, ended, hands)
    placing = np.ascontiguousarray(after[here.next][here.one[:, 0], :, 0].swapaxes(0, 1))
    if not hands[0].both:
        return placing, None
    assert here.two is not None
    return placing, after[here.next_doubled][here.two[:, 0], 0, 0]


def chances(left: Lanes, right: Lanes, both: tuple[Lanes, Lanes] | None, hand: Hand) -> Lanes:
    """Return the starter's chance, by lane, before the first roll, given the values of placing (:func:`opening`).

    They are given with the 1 at either end, which is chosen after the roll (S7). ``round.Turn`` computes the same for
    one round.
    """
    by_use = np.maximum(
        np.maximum(left[:, :, None], left[:, None]), np.maximum(right[:, :, None], right[:, None])
    )  # [uses, 6, 6, lanes]
    best = by_use[0].copy()
    for use in range(1, len(by_use)):
        if use == hand.reroll:
            np.maximum(best, by_use[use].mean(axis=(0, 1)), out=best)
        else:
            np.maximum(best, by_use[use], out=best)
    if hand.nudge:
        nudged = by_use[hand.nudge]
        for before, after in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
            np.maximum(best[before], nudged[after], out=best[before])
            np.maximum(best[:, before], nudged[:, after], out=best[:, before])
    if both is not None:
        for (low, high), pair in zip(PAIRS, np.maximum(*both), strict=True):
            np.maximum(best[low, high], pair, out=best[low, high])
            if low != high:
                np.maximum(best[high, low], pair, out=best[high, low])
    mean: Lanes = best.mean(axis=(0, 1))
    return mean


def _solve_stages(stages: Sequence[Stage], ended: tuple[Lanes, Lanes], hands: tuple[Hand, Hand]) -> dict[Key, Lanes]:
    """Return the values of the stages that the first position leads to: ``backwards.solved``, with lanes."""
    if not is_installed("numba"):
        by_lane = [
            solved(stages, (first, second), hands)
            for first, second in zip(*(np.moveaxis(each, -1, 0).copy() for each in ended), strict=True)
        ]
        return {key: np.stack([values[key] for values in by_lane], axis=-1) for key in by_lane[0]}
    kernels = _kernels()
    solutions: dict[Key, Lanes] = {}
    for stage in stages[:-1]:
        solutions[stage.key] = _stage(kernels, stage, ended, hands, solutions)
        for key in [key for key in solutions if key[0] > stage.key[0] + 1]:
            del solutions[key]
    return solutions


@cache
def _kernels() -> Any:
    """Return the module of kernels, imported when it is needed: compiling takes a while."""
    from importlib import import_module

    return import_module("training.shanghaien.round_kernels")


def _stage(
    kernels: Any, stage: Stage, ended: tuple[Lanes, Lanes], hands: tuple[Hand, Hand], later: dict[Key, Lanes]
) -> Lanes:
    mover = stage.mover
    those = [
        slice(hand.without_both, hand.uses) if doubled else slice(0, hand.without_both)
        for hand, doubled in zip(hands, stage.key[1], strict=True)
    ]
    worth = ended[mover][:, those[0], those[1]]
    shape = worth.shape[1:]
    flat = np.ascontiguousarray(worth).reshape(WAYS, -1, shape[-1])
    if stage.one is None:
        assert stage.way is not None
        return flat[stage.way].reshape(stage.classes, *shape)
    hand = NOTHING_HELD if stage.key[1][mover] else hands[mover]
    after = later[stage.next].reshape(-1, *flat.shape[1:])
    pairs = np.moveaxis(np.arange(shape[0] * shape[1]).reshape(shape[:2]), mover, 0)
    none = pairs[0].copy()
    if hand.jokers:
        kernels.mix_jokers(after, mover, none, pairs[hand.without_both - hand.jokers : hand.without_both].T.copy())
    out = np.empty((stage.classes, *flat.shape[1:]), np.float32)
    wide = out.reshape(stage.classes, -1)
    kernels.mean_of_better(after.reshape(len(after), -1), stage.one, _SHARES, mover, wide)
    if hand.dice_tricks:
        doubled, two = out, _NO_TWO
        if stage.two is not None:
            doubled, two = later[stage.next_doubled].reshape(-1, len(none), shape[-1]), stage.two
        nudge, reroll = (pairs[use].copy() if use else _NO_PLACES for use in (hand.nudge, hand.reroll))
        kernels.with_tricks(after, stage.one, doubled, two, _SHARES, mover, none, nudge, reroll, out)
    if stage.way is not None:
        kernels.or_shanghai(wide, flat.reshape(WAYS, -1), stage.way, mover)
    return out.reshape(stage.classes, *shape)


# ------------------------------------------------------------------------------------------------ rows at one table


def of_rows(laid: Sequence[Ends], turn: int) -> Lanes:
    """Return the chance of seat 0 at the start of rounds that seat ``turn`` starts, given their ends."""
    thoughts = [tuple(thoughts_of(ends, seat, ()) for seat in (turn, 1 - turn)) for ends in laid]
    order = sorted(range(len(laid)), key=lambda at: len(thoughts[at][0]) * len(thoughts[at][1]))
    values = np.empty(len(laid), np.float32)
    while order:  # those that take least first, so that rows with as many jokers lie side by side
        most = [max(len(thoughts[at][seat]) for at in order[: LANES // 2]) for seat in (0, 1)]
        numbers = order[: max(4, min(LANES, ROOM // prod(most)) // 2)]
        del order[: len(numbers)]
        some = [tuple(thoughts[at][seat] for at in numbers) for seat in (0, 1)]
        own_uses, other_uses = (
            _fill_up_uses(laid[numbers[0]].uses[seat], those)
            for seat, those in zip((turn, 1 - turn), some, strict=True)
        )
        hands = tuple(
            hand_of([laid[numbers[0]].uses[seat][use] for use in those[0]])
            for seat, those in ((turn, own_uses), (1 - turn, other_uses))
        )
        tables = []
        for at, own, other in zip(numbers, own_uses, other_uses, strict=True):
            worth = laid[at].worth[np.ix_(other, own) if turn else np.ix_(own, other)].astype(np.float32)
            tables.append(-worth.swapaxes(0, 1) if turn else worth)
        value = _of_lanes(tables, turn, (hands[0], hands[1]))
        values[numbers] = -value if turn else value
    return values


def _fill_up_uses(uses: tuple[Use, ...], thoughts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the uses to consider, filled up to equal numbers of jokers; more jokers do no harm."""
    most = max(map(len, thoughts))
    jokers = [at for at, use in enumerate(uses) if use.nation]
    filled = []
    for those in thoughts:
        more = [at for at in jokers if at not in those][: most - len(those)]
        both = [at for at in those if uses[at] == BOTH]
        filled.append([*(at for at in those if at not in both), *more, *both])
    return filled


def _of_lanes(tables: Sequence[Lanes], turn: int, hands: tuple[Hand, Hand]) -> Lanes:
    """Return the starter's chance, by lane.

    ``tables`` are [first's uses, second's uses, 2, 729] each, from the side of the starter.
    """
    first, second = (
        np.ascontiguousarray(
            np.stack(
                [table[:, :, ender][:, :, ways_told_by(ender, end)] for end in ENDS for table in tables], axis=-1
            ).transpose(2, 0, 1, 3)
        )
        for ender in (turn, 1 - turn)
    )
    placing, both = opening((first, second), hands)
    half = len(tables)
    return chances(
        placing[..., :half],
        placing[..., half:],
        None if both is None else (both[..., :half], both[..., half:]),
        hands[0],
    )
