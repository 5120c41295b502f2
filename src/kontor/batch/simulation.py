"""What a game brings to be played in batches: how it lies in memory, its kernels, and the way to the rules engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from kontor.batch.arrays import Bytes, Flags, Ints, Reals, Seats, Words
from kontor.batch.fields import Layout
from kontor.game import AnyGame


class Kernels(Protocol):
    """The kernels of a game. They go through the games from ``start`` to ``stop`` and don't hold up other threads."""

    def reset(
        self, rows: Bytes, luck: Words, options: Bytes, seed: Any, first: int, start: int, stop: int, /
    ) -> None: ...
    def restart(self, rows: Bytes, which: Flags, options: Bytes, start: int, stop: int, /) -> None: ...
    def illegal(self, rows: Bytes, actions: Ints, start: int, stop: int, /) -> int: ...
    def step(self, rows: Bytes, actions: Ints, start: int, stop: int, /) -> None: ...
    def draw(self, rows: Bytes, luck: Words, start: int, stop: int, /) -> None: ...
    def draw_once(self, rows: Bytes, luck: Words, which: Flags, start: int, stop: int, /) -> None: ...
    def impossible(self, rows: Bytes, outcomes: Bytes, start: int, stop: int, /) -> int: ...
    def give(self, rows: Bytes, outcomes: Bytes, start: int, stop: int, /) -> None: ...
    def legal(self, rows: Bytes, mask: Flags, start: int, stop: int, /) -> None: ...
    def movers(self, rows: Bytes, seats: Seats, start: int, stop: int, /) -> None: ...
    def observe(self, rows: Bytes, features: Reals, start: int, stop: int, /) -> None: ...
    def score(self, rows: Bytes, points: Ints, winners: Flags, start: int, stop: int, /) -> None: ...
    def play_out(self, rows: Bytes, luck: Words, decisions: Ints, start: int, stop: int, /) -> None: ...
    def roll_out(
        self,
        options: Bytes,
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
    layout: Layout
    """The fields of a game's row."""
    features: Layout
    """The fields of an observation."""
    actions: int
    """Actions are numbered from 0; how many there are."""
    outcome: int
    """Numbers that tell what chance does; 255 in the first of them is nothing."""
    kernels: Kernels
    proved: tuple[tuple[Any, ...], ...]
    """Options for each number of players, with which the lock-step proof is made."""
    options_row: Callable[[Any], bytes]
    """The options as kernels read them. Raises BadOptions."""
    read: Callable[[bytes, Any], Any]
    """The engine's state that a row holds, with the options."""
    write: Callable[[Any], bytes]
    """The row that holds a state of the engine."""
    action_of: Callable[[Any, Any], int]
    """``action_of(state, move)``: the number of a legal move. Raises KeyError for what is no move of the game."""
    move_of: Callable[[Any, int], Any]
    """``move_of(state, action)``: the move with a number. Raises IndexError where there is none."""
    outcome_row: Callable[[Any], bytes]
    """An outcome of chance as kernels read it."""
    outcome_of: Callable[[Any, Any], Any]
    """``outcome_of(before, after)``: what chance did between two states."""
