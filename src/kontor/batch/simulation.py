"""The part of a plug-in for batches: a game's memory layout, its kernels, and conversions to and from the engine."""

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
    """The kernels of a game.

    They run over the games from ``start`` to ``stop``, their last two arguments, and do not block other threads.
    ``begin`` is one row: that of a game before its first outcome.
    """

    reset: Callable[..., None]
    """``(rows, luck, begin, seed, first)``: begins all games anew, with the random numbers of a seed; ``first`` is
    the number of the batch's first game."""
    restart: Callable[..., None]
    """``(rows, which, begin)``: begins some of the games anew; their random state is kept."""
    illegal: Callable[..., int]
    """``(rows, actions)``: returns the first game in which the action is illegal, or −1; SKIP is always legal."""
    step: Callable[..., None]
    """``(rows, actions)``: plays a legal action in each game."""
    draw: Callable[..., None]
    """``(rows, luck)``: draws outcomes in every game in which chance is to act, until a seat is to move."""
    draw_once: Callable[..., None]
    """``(rows, luck, which)``: draws one outcome in some of the games, if chance is to act."""
    impossible: Callable[..., int]
    """``(rows, outcomes)``: returns the first game in which the outcome cannot happen, or −1; one that begins with
    NOTHING is always possible."""
    give: Callable[..., None]
    """``(rows, outcomes)``: applies a possible outcome in each game."""
    legal: Callable[..., None]
    """``(rows, mask)``: marks the columns of the mask that are legal in each game."""
    choices: Callable[..., None]
    """``(rows, counts)``: writes the number of legal moves in each game."""
    nth: Callable[..., None]
    """``(rows, which, actions)``: writes the legal action with a number from 0, in the order of the actions; SKIP
    where ``which`` is below 0."""
    movers: Callable[..., None]
    """``(rows, seats)``: writes the seat to move, CHANCE or OVER."""
    observe: Callable[..., None]
    """``(rows, seen)``: writes what the seat to move may know, as numbers; where no seat is to move, ``seen`` is
    unchanged."""
    score: Callable[..., None]
    """``(rows, points, winners)``: writes the points of all seats if the games ended now, and which seats have
    won."""
    play_out: Callable[..., None]
    """``(rows, luck, decisions)``: plays random legal moves to the end of each game, and writes their number."""
    roll_out: Callable[..., None]
    """``(begin, seed, first, points, winners, decisions)``: plays whole games with random legal moves, one after the
    other in one row."""


@dataclass(frozen=True)
class Stepping:
    """A game by numbered steps, for kernels.

    The kernels run over the games from ``start`` to ``stop``, their last two arguments.
    """

    steps: Callable[[Any], int]
    """The number of different steps, by the options."""
    width: Callable[[Any], int]
    """The number of numbers in an observation, by the options."""
    play: Callable[..., None]
    """``(rows, begun, luck, begin, steps, learners, movers, ended, rewards, seen, masks)``: takes a step of the mover
    in each game, and plays on until the next learner is to move. SKIP leaves a game and its outputs as they are."""
    look: Callable[..., None]
    """``(rows, begun, seats, seen)``: writes what a seat of each game may know."""


@dataclass(frozen=True)
class Packed:
    """A game in a block of memory, for kernels that get its address (``kontor.batch.packed``)."""

    beside: np.dtype[np.void]
    """The record type of the memory beside a row."""
    beside_at: int
    """The offset of that memory in bytes."""
    step: Callable[..., int]
    """``(address, step)``: takes a step of the mover or of chance (or NO_STEP) and returns the status of the game; 0
    if there is no such step."""
    look: Callable[..., None]
    """``(address, seat, seen)``: writes what a seat may know."""
    returns: Callable[..., None]
    """``(address, points, winners, returns)``: writes what a finished game brings each seat."""


@dataclass(frozen=True)
class Simulated:
    """A game for batches."""

    game: AnyGame
    layout: Layout
    """The fields of a game's row."""
    features: Layout
    """The fields of an observation."""
    columns: int
    """The number of columns in the mask of legal actions. Each stands for the action with its number. In a game with
    too many moves to list, the last ones stand for many actions each, as its layout says."""
    outcome: int
    """The number of numbers in an outcome; 255 in the first of them is no outcome."""
    kernels: Kernels
    proved: tuple[tuple[Any, ...], ...]
    """Options for each number of players, with which the lock-step proof is made."""
    read: Callable[[GameRow, Any], Any]
    """``read(row, options)``: the engine's state for a row."""
    write: Callable[[Any], GameRow]
    """The row for a state of the engine. Raises BadOptions for options that kernels do not support."""
    action_of: Callable[[Any, Any], int]
    """``action_of(state, move)``: the number of a legal move. Raises KeyError if the game has no such move."""
    move_of: Callable[[Any, int], Any]
    """``move_of(state, action)``: the move with a number. Raises IndexError if there is none."""
    columns_of: Callable[[Any], list[int]]
    """The columns of the mask that stand for the legal moves of a state, sorted."""
    outcome_row: Callable[[Any], Sequence[int]]
    """An outcome of chance as numbers for kernels; it may be shorter than ``outcome``."""
    outcome_of: Callable[[Any, Any], Any]
    """``outcome_of(before, after)``: the outcome of chance between two states."""
    stepping: Stepping | None = None
    """The game by numbered steps, for learners."""
    packed: Packed | None = None
    """The game with chance by numbered steps, one game at a time."""
