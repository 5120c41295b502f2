"""Batches of games, and random games to the end."""

from __future__ import annotations

import copyreg
import os
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

import numpy as np

from kontor.batch.arrays import Bytes, Flags, Ints, Longs, Luck, Numbers, Reals, Rows, Seats
from kontor.batch.compiled import LUCK
from kontor.batch.simulation import Simulated
from kontor.game import AnyGame, IllegalMove
from kontor.plugins import usable


@cache
def all_simulated() -> tuple[Simulated, ...]:
    """Return the games that can be played in batches."""
    return tuple(usable("batch", lambda loaded: isinstance(loaded, Simulated)).values())


_LAST_64_BITS: Final = (1 << 64) - 1
_PARTS: Final = 8
"""The number of parts for each core into which long work is cut: one delayed core does not delay the others."""


def simulated(game: AnyGame) -> Simulated:
    """Return a game's version for batches. Raises KeyError for a game that has none."""
    return _simulated_named(game.name)


def _simulated_named(name: str) -> Simulated:
    return {each.game.name: each for each in all_simulated()}[name]


def _reduce_simulated(simulated: Simulated) -> tuple[Any, ...]:
    """Pickle a game's kernels by name if they are installed, so that another process need not compile them again."""
    if any(simulated is installed for installed in all_simulated()):
        return _simulated_named, (simulated.game.name,)
    reduced: tuple[Any, ...] = object.__reduce_ex__(simulated, pickle.DEFAULT_PROTOCOL)  # type: ignore[assignment]
    return reduced


copyreg.pickle(Simulated, _reduce_simulated)


class Cores:
    """Threads that share the games of a kernel's run; kernels do not block each other.

    Threads start at the first run of each process: a copy, a pickle and a forked process get threads of their own.
    """

    def __init__(self, cores: int) -> None:
        self._cores = cores
        self._threads: ThreadPoolExecutor | None = None
        self._process = 0
        """The process in which the threads run; a forked child has none of them."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Cores, (self._cores,)

    def _executor(self) -> ThreadPoolExecutor:
        """Return the threads of this process; start them if there are none yet."""
        if self._threads is None or self._process != os.getpid():
            self._threads, self._process = ThreadPoolExecutor(self._cores), os.getpid()
        return self._threads

    def run(self, kernel: Callable[..., Any], games: int, *arguments: Any, parts: int = 1) -> list[Any]:
        """Run the kernel on all games; return its result for each part of them, in order."""
        if self._cores <= 1:
            return [kernel(*arguments, 0, games)]
        count = self._cores * parts
        bounds = [games * part // count for part in range(count + 1)]
        submit = self._executor().submit
        work = [submit(kernel, *arguments, start, stop) for start, stop in pairwise(bounds) if start < stop]
        return [done.result() for done in work]


class Batch:
    """Games with the same options, played move by move.

    ``rows`` holds a numpy record for each game; ``batch["placed"]`` is one field of all of them (a view: do not write
    to it). Games have numbers from 0; ``games`` is their count. A game follows from the seed, its number and the
    actions in it, with any number of games and of cores.
    """

    def __init__(
        self, game: AnyGame, options: Any, games: int, *, seed: int = 0, first: int = 0, cores: int = 1
    ) -> None:
        """Set up every game before its first outcome of chance. Raises BadOptions.

        ``seed`` and ``first`` are those of :meth:`reset`.
        """
        game.start(options)
        self.simulated = simulated(game)
        self.options = options
        self.games = games
        self.rows: Rows = np.zeros(games, self.simulated.layout.dtype)
        self._luck: Luck = np.zeros(games, LUCK)
        self._kernels = self.simulated.kernels
        self._begin = begin_row(self.simulated, options)
        self._seats = game.seats(options)
        self._cores = Cores(cores)
        self.reset(seed, first=first)

    def __getitem__(self, name: str) -> Numbers:
        """Return a field of every game: a view of ``rows``. Raises KeyError.

        Its shape is (games, *shape of the field).
        """
        self.simulated.layout.field(name)
        return self.rows[name]

    def _run(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        return self._cores.run(kernel, self.games, self.rows, *arguments)

    # ------------------------------------------------------------------------------------------ beginning

    def reset(self, seed: int, *, first: int = 0) -> None:
        """Begin all games anew, with random numbers from this seed, of which the last 64 bits count.

        ``first`` is the number of the first game in the seed's endless series of games: two batches with 0 and 1,000
        have different random numbers, and one of twice the size has both.
        """
        self._run(self._kernels.reset, self._luck, self._begin, seed_word(seed), first)

    def restart(self, which: Flags) -> None:
        """Begin the games anew for which ``which`` (games, bool) is true. Their random state is kept."""
        self._run(self._kernels.restart, as_array(which, np.bool_, (self.games,)), self._begin)

    # -------------------------------------------------------------------------------------------- playing

    def step(self, actions: Longs) -> None:
        """Play an action in each game: ``actions`` (games, int64) are numbers of actions.

        SKIP leaves a game as it is. Afterwards chance may be to act: :meth:`draw` or :meth:`give`. Raises IllegalMove
        for the first illegal action, with the rule that refuses it; then no game has changed.
        """
        actions = as_array(actions, np.int64, (self.games,))
        illegal = self._first(self._run(self._kernels.illegal, actions))
        if illegal is not None:
            raise self._refusal(illegal, int(actions[illegal]))
        self._run(self._kernels.step, actions)

    def draw(self) -> None:
        """Draw outcomes in every game in which chance is to act, until a seat is to move or the game is over."""
        self._run(self._kernels.draw, self._luck)

    def draw_once(self, which: Flags) -> None:
        """Draw one outcome, if chance is to act, in the games for which ``which`` (games, bool) is true."""
        self._run(self._kernels.draw_once, self._luck, as_array(which, np.bool_, (self.games,)))

    def give(self, outcomes: Bytes) -> None:
        """Apply one given outcome in each game: (games, ``simulated.outcome``), uint8.

        NOTHING (255) in a row's first place leaves the game as it is. Raises IllegalMove for the first outcome that
        cannot happen; then no game has changed.
        """
        outcomes = as_array(outcomes, np.uint8, (self.games, self.simulated.outcome))
        impossible = self._first(self._run(self._kernels.impossible, outcomes))
        if impossible is not None:
            raise IllegalMove("", "That outcome is not possible in game {game}.", game=impossible)
        self._run(self._kernels.give, outcomes)

    def play_out(self) -> Ints:
        """Play every game to its end with random legal moves, all equally likely.

        Return the number of moves of each game: (games,), int32.
        """
        decisions = np.zeros(self.games, np.int32)
        self._run(self._kernels.play_out, self._luck, decisions)
        return decisions

    @staticmethod
    def _first(games: list[int]) -> int | None:
        return next((game for game in games if game >= 0), None)

    def _refusal(self, game: int, action: int) -> IllegalMove:
        """Return the refusal of an illegal action, with the reason of the rules engine."""
        state = self.state(game)
        try:
            self.simulated.game.play(state, self.move(game, action))
        except IllegalMove as refused:
            refused.add_note(f"game {game} of the batch, action {action}")
            return refused
        raise AssertionError(f"the kernels refuse action {action} of game {game}, which is legal")

    # -------------------------------------------------------------------------------------------- looking

    @property
    def movers(self) -> Seats:
        """Return the seat to move in each game, or CHANCE (−1), or OVER (−2): (games,), int8."""
        seats = np.empty(self.games, np.int8)
        self._run(self._kernels.movers, seats)
        return seats

    def legal(self, out: Flags | None = None) -> Flags:
        """Return which actions are legal for the seat to move: (games, ``simulated.columns``), bool.

        A row is all False where no seat is to move. The result is written to ``out`` if it is given.
        """
        out = np.empty((self.games, self.simulated.columns), np.bool_) if out is None else out
        self._run(self._kernels.legal, out)
        return out

    def choices(self) -> Longs:
        """Return the number of legal moves of the seat to move: (games,), int64; 0 where no seat is to move."""
        counts = np.empty(self.games, np.int64)
        self._run(self._kernels.choices, counts)
        return counts

    def nth(self, which: Longs) -> Longs:
        """Return the legal actions with the numbers ``which`` (games, int64), as (games,), int64.

        Numbers count from 0 in the order of the actions, and are below :meth:`choices`; where they are below 0 the
        result is SKIP. Raises ValueError for a number that is too high.
        """
        which = as_array(which, np.int64, (self.games,))
        if (which >= self.choices()).any():
            raise ValueError("there are not so many legal moves")
        actions = np.empty(self.games, np.int64)
        self._run(self._kernels.nth, which, actions)
        return actions

    def observe(self, out: Reals | None = None) -> Reals:
        """Return what the seat to move may know, as numbers: (games, ``simulated.features.width``), float32.

        ``simulated.features`` names the fields of an observation. It is all 0 where no seat is to move. The result is
        written to ``out`` if it is given.
        """
        features = self.simulated.features
        out = np.empty((self.games, features.width), np.float32) if out is None else out
        out[:] = 0
        self._run(self._kernels.observe, out.view(features.dtype).reshape(self.games))
        return out

    def score(self) -> tuple[Ints, Flags]:
        """Return the points of each seat if the game ended now, and the winners.

        They are (games, seats), int32 and bool. There are no winners before the end, and several for a draw.
        """
        points = np.zeros((self.games, self._seats), np.int32)
        winners = np.zeros((self.games, self._seats), np.bool_)
        self._run(self._kernels.score, points, winners)
        return points, winners

    # --------------------------------------------------------------------------- to and from the rules engine

    def state(self, game: int) -> Any:
        """Return a game as a state of the rules engine."""
        return self.simulated.read(self.rows[game], self.options)

    def put(self, game: int, state: Any) -> None:
        """Set a game to a state of the rules engine with the batch's options; its random state is kept.

        Raises ValueError for other options.
        """
        if state.options != self.options:
            raise ValueError("the state has other options than the batch")
        self.rows[game] = self.simulated.write(state)

    def move(self, game: int, action: int) -> Any:
        """Return the move of the rules engine for an action in a game. Raises IllegalMove if there is none."""
        try:
            return self.simulated.move_of(self.state(game), action)
        except IndexError:
            raise IllegalMove("", "There is no action {action}.", action=action) from None

    def action(self, game: int, move: Any) -> int:
        """Return the number of a move of the rules engine in a game. Raises KeyError if the game has no such move."""
        return self.simulated.action_of(self.state(game), move)


@dataclass(frozen=True)
class Results:
    """The results of games.

    Points and winners by seat are (games, seats), int32 and bool; the number of moves of each game is (games,),
    int32.
    """

    points: Ints
    winners: Flags
    decisions: Ints


def roll_out(game: AnyGame, options: Any, games: int, *, seed: int = 0, first: int = 0, cores: int = 1) -> Results:
    """Play whole games with random legal moves, all equally likely, without leaving the compiled loop.

    Game number n is the same as in a batch of this seed that is played out. Raises BadOptions.
    """
    game.start(options)
    kernels = simulated(game)
    seats = game.seats(options)
    results = Results(
        np.zeros((games, seats), np.int32), np.zeros((games, seats), np.bool_), np.zeros(games, np.int32)
    )
    Cores(cores).run(
        kernels.kernels.roll_out,
        games,
        begin_row(kernels, options),
        seed_word(seed),
        first,
        results.points,
        results.winners,
        results.decisions,
        parts=_PARTS,
    )
    return results


def begin_row(simulated: Simulated, options: Any) -> Rows:
    """Return the one row of a game before its first outcome."""
    rows: Rows = np.empty(1, simulated.layout.dtype)
    rows[0] = simulated.write(simulated.game.start(options))
    return rows


def seed_word(seed: int) -> np.uint64:
    """Return the last 64 bits of a seed."""
    return np.uint64(seed & _LAST_64_BITS)


def as_array(given: Any, kind: Any, shape: tuple[int, ...]) -> Any:
    """Return the data as an array of a kind.

    Raises ValueError if it has another shape, or numbers that the kind cannot hold.
    """
    array = np.asarray(given)
    if array.dtype == kind and array.shape == shape and array.flags.carray:  # kernels are compiled for this
        return array
    converted = array.astype(kind) if array.dtype.kind in "iub" else array
    if converted.dtype != kind or converted.shape != shape or not np.array_equal(converted, array):
        raise ValueError(f"an array of the shape {shape} and the kind {np.dtype(kind).name} is needed")
    return converted
