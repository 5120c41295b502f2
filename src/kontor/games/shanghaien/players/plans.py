"""The order in which a round of Shanghaien is solved: turn by turn, the classes of positions that can still come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kontor.games.shanghaien.players.positions import Index, Layer, can_shanghai, layer

Doubled = tuple[bool, bool]
"""True if the trick *both* has been used since the first position: by the seat to act there, and by the other."""

Key = tuple[int, Doubled]
"""Key of a stage: the number of turns after the first position, and whether *both* was used."""


@dataclass(frozen=True, eq=False)
class Stage:
    """The positions of one turn.

    The seat to act is ``mover``: 0 is the seat that acts in the first position, 1 the other.

    ``classes`` is their number. ``way`` is intp[classes]: how shanghai deals out the cards, from the side of the
    mover; None if it is not allowed. ``one`` is intp[6, classes]: where each die leads to, among the classes of the
    stage ``next``; None if the mover cannot roll. ``two`` is intp[21, classes], where the trick *both* leads to, in
    the stage ``next_doubled``; None if the mover has no such trick any more.
    """

    key: Key
    classes: int
    way: Index | None
    one: Index | None
    two: Index | None

    @property
    def mover(self) -> int:
        """Return the seat that acts in this stage."""
        return self.key[0] % 2

    @property
    def next(self) -> Key:
        """Return the key of the stage that one die leads to."""
        return _next(self.key)

    @property
    def next_doubled(self) -> Key:
        """Return the key of the stage that the trick *both* leads to."""
        return _next_doubled(self.key)


def _next(key: Key) -> Key:
    return key[0] + 1, key[1]


def _next_doubled(key: Key) -> Key:
    turn, (first, second) = key
    return turn + 1, ((first, True) if turn % 2 else (True, second))


@lru_cache(maxsize=12)
def plan(own: int, other: int, first: int, dice: int, both: Doubled) -> tuple[Stage, ...]:
    """Return the stages from a position on, the last turn first, the position itself last.

    The position is given by the numbers of dice placed by the seat to act and by the other, and its class ``first``,
    among those for ``any(both)``. ``both`` tells which seat still holds the trick *both*.
    """
    reached = _find_reachable(own, other, first, dice, both)
    compact = {key: np.cumsum(flags) - 1 for key, (_, flags) in reached.items()}
    stages = []
    for key in sorted(reached, reverse=True):
        current, flags = reached[key]
        way = current.way[flags] if can_shanghai(_count_placed(key, own, other)[0], dice) else None
        one = two = None
        if current.one is not None:
            one = _number_successors(compact[_next(key)], current.one[flags])
        if current.two is not None and _can_double(key, both):
            two = _number_successors(compact[_next_doubled(key)], current.two[flags])
        stages.append(Stage(key, int(flags.sum()), way, one, two))
    return tuple(stages)


def _find_reachable(
    own: int, other: int, first: int, dice: int, both: Doubled
) -> dict[Key, tuple[Layer, NDArray[np.bool_]]]:
    """Return, for each stage that can come, its layer and the flags of its classes that can come."""
    start: Key = (0, (False, False))
    flags = np.zeros(len(layer(own, other, dice, any(both))), np.bool_)
    flags[first] = True
    reached = {start: (layer(own, other, dice, any(both)), flags)}
    open_stages = [start]
    while open_stages:
        key = open_stages.pop(0)
        current, flags = reached[key]
        if current.one is None:
            continue
        ways_on = [(_next(key), current.one)]
        if current.two is not None and _can_double(key, both):
            ways_on.append((_next_doubled(key), current.two))
        for after, leads in ways_on:
            if after not in reached:
                next_layer = layer(*_count_placed(after, own, other), dice, any(both))
                reached[after] = next_layer, np.zeros(len(next_layer), np.bool_)
                open_stages.append(after)
            reached[after][1][leads[flags]] = True
    return reached


def _number_successors(compact: Index, classes: Index) -> Index:
    """Return successors, numbered among the classes that can come, with the dice as first axis."""
    return np.ascontiguousarray(compact[classes].T)


def _count_placed(key: Key, own: int, other: int) -> tuple[int, int]:
    """Return the numbers of dice that the mover of a stage has placed, and the other."""
    turn, doubled = key
    placed = own + (turn + 1) // 2 + doubled[0], other + turn // 2 + doubled[1]
    return placed[::-1] if turn % 2 else placed


def _can_double(key: Key, both: Doubled) -> bool:
    """Return True if the mover of a stage still holds the trick *both*."""
    turn, doubled = key
    return both[turn % 2] and not doubled[turn % 2]
