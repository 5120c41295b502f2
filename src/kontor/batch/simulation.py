"""What a game brings to be played in batches: how it lies in memory, its kernels, and the way to the rules engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from kontor.batch.arrays import Bytes, Flags, Ints, Longs, Reals, Rows, Seats, Words
from kontor.batch.fields import Layout
from kontor.game import AnyGame


class Kernels(Protocol):
    """The kernels of a game. They go through the games from ``start`` to ``stop`` and don't hold up other threads."""

    def reset(
        self, rows: Rows, luck: Words, options: Rows, seed: Any, first: int, start: int, stop: int, /
    ) -> None: ...
    def restart(self, rows: Rows, which: Flags, options: Rows, start: int, stop: int, /) -> None: ...
    def illegal(self, rows: Rows, actions: Longs, start: int, stop: int, /) -> int: ...
    def step(self, rows: Rows, actions: Longs, start: int, stop: int, /) -> None: ...
    def draw(self, rows: Rows, luck: Words, start: int, stop: int, /) -> None: ...
    def draw_once(self, rows: Rows, luck: Words, which: Flags, start: int, stop: int, /) -> None: ...
    def impossible(self, rows: Rows, outcomes: Bytes, start: int, stop: int, /) -> int: ...
    def give(self, rows: Rows, outcomes: Bytes, start: int, stop: int, /) -> None: ...
    def legal(self, rows: Rows, mask: Flags, start: int, stop: int, /) -> None: ...
    def choices(self, rows: Rows, counts: Longs, start: int, stop: int, /) -> None: ...
    def nth(self, rows: Rows, which: Longs, actions: Longs, start: int, stop: int, /) -> None: ...
    def movers(self, rows: Rows, seats: Seats, start: int, stop: int, /) -> None: ...
    def observe(self, rows: Rows, features: Reals, start: int, stop: int, /) -> None: ...
    def score(self, rows: Rows, points: Ints, winners: Flags, start: int, stop: int, /) -> None: ...
    def play_out(self, rows: Rows, luck: Words, decisions: Ints, start: int, stop: int, /) -> None: ...
    def roll_out(
        self,
        options: Rows,
        seed: Any,
        first: int,
        points: Ints,
        winners: Flags,
        decisions: Ints,
        start: int,
        stop: int,
        /,
    ) -> None: ...


@dataclass(frozen=True)
class Simulated:
    """A game as kernels see it."""

    game: AnyGame
    kind: type[np.generic]
    """Of the numbers in a row."""
    layout: Layout
    """The fields of a game's row."""
    features: Layout
    """The fields of an observation."""
    columns: int
    """Of the mask of legal actions. Each stands for the action with its number; in a game with too many moves to
    list, the last ones stand for many actions each, as its layout says."""
    outcome: int
    """Numbers that tell what chance does; 255 in the first of them is nothing."""
    kernels: Kernels
    proved: tuple[tuple[Any, ...], ...]
    """Options for each number of players, with which the lock-step proof is made."""
    options_row: Callable[[Any], Sequence[int]]
    """The options as kernels read them. Raises BadOptions."""
    read: Callable[[Sequence[int], Any], Any]
    """The engine's state that a row holds, with the options."""
    write: Callable[[Any], Sequence[int]]
    """The row that holds a state of the engine."""
    action_of: Callable[[Any, Any], int]
    """``action_of(state, move)``: the number of a legal move. Raises KeyError for what is no move of the game."""
    move_of: Callable[[Any, int], Any]
    """``move_of(state, action)``: the move with a number. Raises IndexError where there is none."""
    columns_of: Callable[[Any], list[int]]
    """The columns of the mask that stand for the legal moves of a state, sorted."""
    outcome_row: Callable[[Any], Sequence[int]]
    """An outcome of chance as kernels read it; it may be shorter than ``outcome``."""
    outcome_of: Callable[[Any, Any], Any]
    """``outcome_of(before, after)``: what chance did between two states."""
