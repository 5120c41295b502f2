"""What a game brings to be played in batches: how it lies in memory, its kernels, and the way to the rules engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kontor.batch.arrays import GameRow
from kontor.batch.fields import Layout
from kontor.game import AnyGame


@dataclass(frozen=True)
class Kernels:
    """The kernels of a game. They go through the games from ``start`` to ``stop``, their last two arguments, and do
    not hold up other threads. ``begin`` is one row: that of a game before its first outcome."""

    reset: Callable[..., None]
    """``(rows, luck, begin, seed, first)``: games begin anew, with the luck of a seed; the number of the first
    game of the batch is ``first``."""
    restart: Callable[..., None]
    """``(rows, which, begin)``: some of the games begin anew, and their luck goes on."""
    illegal: Callable[..., int]
    """``(rows, actions)``: the first game in which the action is not legal, or −1; SKIP is nothing."""
    step: Callable[..., None]
    """``(rows, actions)``: each game's mover does what ``actions`` says, which is legal."""
    draw: Callable[..., None]
    """``(rows, luck)``: chance acts in every game in which it is due, until a seat is to move."""
    draw_once: Callable[..., None]
    """``(rows, luck, which)``: chance acts once, in some of the games in which it is due."""
    impossible: Callable[..., int]
    """``(rows, outcomes)``: the first game in which the outcome cannot happen, or −1; one that begins with NOTHING is
    nothing."""
    give: Callable[..., None]
    """``(rows, outcomes)``: chance does what ``outcomes`` says, which can happen."""
    legal: Callable[..., None]
    """``(rows, mask)``: which columns of the mask are legal in each game."""
    choices: Callable[..., None]
    """``(rows, counts)``: how many moves are legal in each game."""
    nth: Callable[..., None]
    """``(rows, which, actions)``: the legal action with a number from 0, in the order of the actions; SKIP where
    ``which`` is below 0."""
    movers: Callable[..., None]
    """``(rows, seats)``: the seat to move, CHANCE or OVER."""
    observe: Callable[..., None]
    """``(rows, seen)``: what the seat to move may know, as numbers; where no seat is to move, ``seen`` stays as it
    is."""
    score: Callable[..., None]
    """``(rows, points, winners)``: the points of all seats if the games ended now, and who has won."""
    play_out: Callable[..., None]
    """``(rows, luck, decisions)``: random legal moves from where the games stand to their end; how many they were."""
    roll_out: Callable[..., None]
    """``(begin, seed, first, points, winners, decisions)``: whole games with random legal moves, one after the other
    in one row."""


@dataclass(frozen=True)
class Stepping:
    """A game by numbered steps, as kernels see it. The kernels go through the games from ``start`` to ``stop``, their
    last two arguments."""

    steps: Callable[[Any], int]
    """How many numbers of steps there are, by the options."""
    width: Callable[[Any], int]
    """How many numbers an observation has, by the options."""
    play: Callable[..., None]
    """``(rows, begun, luck, begin, steps, learners, movers, ended, rewards, seen, masks)``: in each game the mover
    takes a step, and all goes on until the next learner is to move; SKIP leaves a game and all that is told of it
    as they are."""
    look: Callable[..., None]
    """``(rows, begun, seats, seen)``: what a seat of each game may know."""


@dataclass(frozen=True)
class Packed:
    """A game in a piece of memory, for kernels that get its address (``kontor.batch.packed``)."""

    beside: np.dtype[np.void]
    """What stands beside a row."""
    beside_at: int
    """After how many bytes it begins."""
    step: Callable[..., int]
    """``(address, step)``: takes a step of the mover or of chance (or NO_STEP), and says how the game stands then;
    0 if there is no such step."""
    look: Callable[..., None]
    """``(address, seat, seen)``: what a seat may know."""
    returns: Callable[..., None]
    """``(address, points, winners, returns)``: what a game that is over brings each seat."""


@dataclass(frozen=True)
class Simulated:
    """A game as kernels see it."""

    game: AnyGame
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
    read: Callable[[GameRow, Any], Any]
    """The engine's state that a row holds, with the options."""
    write: Callable[[Any], GameRow]
    """The row that holds a state of the engine. Raises BadOptions for one whose options kernels do not know."""
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
    stepping: Stepping | None = None
    """The same by numbered steps, for learners."""
    packed: Packed | None = None
    """The same with chance by numbered steps, one game at a time."""
