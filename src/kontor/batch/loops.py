"""The kernels: the rules of a game, and what seats see, for the games ``start`` to ``stop`` of a batch.

The loops are written once for all games. Each is compiled for a game as a closure over the module of that game's
rules. Numba caches such closures for the next process (it cannot cache closures over compiled functions).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from kontor.batch.arrays import Bytes, Flags, GameRow, Ints, Longs, Luck, LuckRow, Rows, Seats
from kontor.batch.compiled import LUCK, initial_rng_state, njit_cached
from kontor.batch.simulation import Kernels
from kontor.game import CHANCE, OVER

SKIP: Final = -1
"""The action that leaves a game as it is."""

NOTHING: Final = 255
"""The first number of an outcome that leaves a game as it is."""

Function = TypeVar("Function", bound=Callable[..., Any])


class Rules(Protocol):
    """The functions of a module with a game's compiled rules, for one game of a batch.

    They do not check their arguments; ``is_legal`` and ``can_happen`` do.
    """

    def is_over(self, game: GameRow, /) -> bool:
        """Return True if the game is over."""
        ...

    def is_chance(self, game: GameRow, /) -> bool:
        """Return True if chance is to act."""
        ...

    def mover_of(self, game: GameRow, /) -> int:
        """Return the seat to move."""
        ...

    def is_legal(self, game: GameRow, action: int, /) -> bool:
        """Return True if the mover may play the action with this number, which may be any from 0."""
        ...

    def act(self, game: GameRow, action: int, /) -> None:
        """Play a legal action of the mover."""
        ...

    def chance_acts(self, game: GameRow, luck: LuckRow, outcome: Bytes, /) -> None:
        """Draw an outcome, write it into ``outcome``, and apply it."""
        ...

    def can_happen(self, game: GameRow, outcome: Bytes, /) -> bool:
        """Return True if chance is to act and the outcome is possible."""
        ...

    def happen(self, game: GameRow, outcome: Bytes, /) -> None:
        """Apply a possible outcome."""
        ...

    def mark_legal(self, game: GameRow, mask: Flags, /) -> None:
        """Set the mask to True in each column that stands for a legal move."""
        ...

    def count_moves(self, game: GameRow, /) -> int:
        """Return the number of legal moves; 0 where no seat is to move."""
        ...

    def nth_move(self, game: GameRow, number: int, /) -> int:
        """Return the legal action with this number, counted from 0 in the order of the actions."""
        ...

    def see(self, game: GameRow, features: GameRow, /) -> None:
        """Write what the seat to move may know, if a seat is to move."""
        ...

    def score_of(self, game: GameRow, points: Ints, winners: Flags, /) -> None:
        """Write the points of each seat if the game ended now, and which seats have won."""
        ...

    def play_on(self, game: GameRow, luck: LuckRow, outcome: Bytes, /) -> int:
        """Play random legal moves to the end of the game; return their number."""
        ...


def kernels_of(rules: Rules, outcome_size: int) -> Kernels:
    """Return the kernels of a game, made of the module of its rules; an outcome has ``outcome_size`` numbers.

    Each kernel is compiled when it is first called.
    """

    def kernel(function: Function) -> Function:
        # numba names its cache files by this: two games that compile at once must not write into the same one.
        function.__qualname__ = f"{rules.__name__}.{function.__name__}"  # type: ignore[attr-defined]
        return njit_cached(function)

    @kernel
    def reset(rows: Rows, luck: Luck, begin: Rows, seed: np.uint64, first: int, start: int, stop: int) -> None:
        for at in range(start, stop):
            rows[at] = begin[0]
            luck[at].state = initial_rng_state(seed, np.uint64(first + at))

    @kernel
    def restart(rows: Rows, which: Flags, begin: Rows, start: int, stop: int) -> None:
        for at in range(start, stop):
            if which[at]:
                rows[at] = begin[0]

    @kernel
    def illegal(rows: Rows, actions: Longs, start: int, stop: int) -> int:
        for at in range(start, stop):
            action = actions[at]
            if action < SKIP or (action >= 0 and not rules.is_legal(rows[at], action)):
                return at
        return -1

    @kernel
    def step(rows: Rows, actions: Longs, start: int, stop: int) -> None:
        for at in range(start, stop):
            if actions[at] >= 0:
                rules.act(rows[at], actions[at])

    @kernel
    def draw(rows: Rows, luck: Luck, start: int, stop: int) -> None:
        outcome = np.empty(outcome_size, np.uint8)
        for at in range(start, stop):
            while rules.is_chance(rows[at]):
                rules.chance_acts(rows[at], luck[at], outcome)

    @kernel
    def draw_once(rows: Rows, luck: Luck, which: Flags, start: int, stop: int) -> None:
        outcome = np.empty(outcome_size, np.uint8)
        for at in range(start, stop):
            if which[at] and rules.is_chance(rows[at]):
                rules.chance_acts(rows[at], luck[at], outcome)

    @kernel
    def impossible(rows: Rows, outcomes: Bytes, start: int, stop: int) -> int:
        for at in range(start, stop):
            if outcomes[at, 0] != NOTHING and not rules.can_happen(rows[at], outcomes[at]):
                return at
        return -1

    @kernel
    def give(rows: Rows, outcomes: Bytes, start: int, stop: int) -> None:
        for at in range(start, stop):
            if outcomes[at, 0] != NOTHING:
                rules.happen(rows[at], outcomes[at])

    @kernel
    def legal(rows: Rows, mask: Flags, start: int, stop: int) -> None:
        for at in range(start, stop):
            mask[at] = False
            rules.mark_legal(rows[at], mask[at])

    @kernel
    def choices(rows: Rows, counts: Longs, start: int, stop: int) -> None:
        for at in range(start, stop):
            counts[at] = rules.count_moves(rows[at])

    @kernel
    def nth(rows: Rows, which: Longs, actions: Longs, start: int, stop: int) -> None:
        for at in range(start, stop):
            actions[at] = rules.nth_move(rows[at], which[at]) if which[at] >= 0 else SKIP

    @kernel
    def movers(rows: Rows, seats: Seats, start: int, stop: int) -> None:
        for at in range(start, stop):
            if rules.is_over(rows[at]):
                seats[at] = OVER
            else:
                seats[at] = CHANCE if rules.is_chance(rows[at]) else rules.mover_of(rows[at])

    @kernel
    def observe(rows: Rows, features: Rows, start: int, stop: int) -> None:
        for at in range(start, stop):
            rules.see(rows[at], features[at])

    @kernel
    def score(rows: Rows, points: Ints, winners: Flags, start: int, stop: int) -> None:
        for at in range(start, stop):
            rules.score_of(rows[at], points[at], winners[at])

    @kernel
    def play_out(rows: Rows, luck: Luck, decisions: Ints, start: int, stop: int) -> None:
        outcome = np.empty(outcome_size, np.uint8)
        for at in range(start, stop):
            decisions[at] = rules.play_on(rows[at], luck[at], outcome)

    @kernel
    def roll_out(
        begin: Rows, seed: np.uint64, first: int, points: Ints, winners: Flags, decisions: Ints, start: int, stop: int
    ) -> None:
        rows = begin.copy()
        luck = np.empty(1, LUCK)
        outcome = np.empty(outcome_size, np.uint8)
        for at in range(start, stop):
            rows[0] = begin[0]
            luck[0].state = initial_rng_state(seed, np.uint64(first + at))
            decisions[at] = rules.play_on(rows[0], luck[0], outcome)
            rules.score_of(rows[0], points[at], winners[at])

    return Kernels(
        reset=reset,
        restart=restart,
        illegal=illegal,
        step=step,
        draw=draw,
        draw_once=draw_once,
        impossible=impossible,
        give=give,
        legal=legal,
        choices=choices,
        nth=nth,
        movers=movers,
        observe=observe,
        score=score,
        play_out=play_out,
        roll_out=roll_out,
    )
