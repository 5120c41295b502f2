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
    """The games that can be played in batches."""
    return tuple(usable("batch", lambda loaded: isinstance(loaded, Simulated)).values())


_LAST_64_BITS: Final = (1 << 64) - 1
_PARTS: Final = 8
"""Long work is cut into so many parts for each core, so that a core that is held up does not hold up the others."""


def simulated(game: AnyGame) -> Simulated:
    """How a game is played in batches. Raises KeyError for one that cannot be."""
    return _simulated_named(game.name)


def _simulated_named(name: str) -> Simulated:
    return {each.game.name: each for each in all_simulated()}[name]


def _reduce_simulated(simulated: Simulated) -> tuple[Any, ...]:
    """Pickle a game's kernels by name if they are installed: another process compiles nothing anew."""
    if any(simulated is installed for installed in all_simulated()):
        return _simulated_named, (simulated.game.name,)
    reduced: tuple[Any, ...] = object.__reduce_ex__(simulated, pickle.DEFAULT_PROTOCOL)  # type: ignore[assignment]
    return reduced


copyreg.pickle(Simulated, _reduce_simulated)


class Cores:
    """Shares out the games of a kernel's run among threads; kernels do not hold each other up.

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
        """What the kernel gave for each part of the games, in their order."""
        if self._cores <= 1:
            return [kernel(*arguments, 0, games)]
        count = self._cores * parts
        bounds = [games * part // count for part in range(count + 1)]
        submit = self._executor().submit
        work = [submit(kernel, *arguments, start, stop) for start, stop in pairwise(bounds) if start < stop]
        return [done.result() for done in work]


class Batch:
    """Games with the same options, played move by move.

    ``rows`` holds a numpy record for each game, ``batch["placed"]`` is one field of all of them (a view, to be read).
    Games have numbers from 0; ``games`` says how many. What happens in a game follows from the seed, its number and
    what is played in it, whatever the number of games and of cores.
    """

    def __init__(
        self, game: AnyGame, options: Any, games: int, *, seed: int = 0, first: int = 0, cores: int = 1
    ) -> None:
        """Every game stands before its first outcome of chance. Raises BadOptions.

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
        """A field of every game: an array of the shape (games, *shape of the field) that looks into ``rows``. Raises
        KeyError."""
        self.simulated.layout.field(name)
        return self.rows[name]

    def _run(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        return self._cores.run(kernel, self.games, self.rows, *arguments)

    # ------------------------------------------------------------------------------------------ beginning

    def reset(self, seed: int, *, first: int = 0) -> None:
        """All games begin anew, with the luck of this seed (of which the last 64 bits count). ``first`` is the number
        of the first game in the seed's long line of games: two batches with 0 and 1,000 have different luck, and one
        of twice the size has both."""
        self._run(self._kernels.reset, self._luck, self._begin, seed_word(seed), first)

    def restart(self, which: Flags) -> None:
        """The games for which ``which`` (games, bool) is true begin anew. Their luck goes on."""
        self._run(self._kernels.restart, as_array(which, np.bool_, (self.games,)), self._begin)

    # -------------------------------------------------------------------------------------------- playing

    def step(self, actions: Longs) -> None:
        """In each game the mover does what ``actions`` says (games, int64; numbers of actions, and SKIP leaves a game
        as it is).

        Chance may be to act then: :meth:`draw` or :meth:`give`. Raises IllegalMove for the first illegal action, with
        the rule that refuses it; no game has changed then.
        """
        actions = as_array(actions, np.int64, (self.games,))
        illegal = self._first(self._run(self._kernels.illegal, actions))
        if illegal is not None:
            raise self._refusal(illegal, int(actions[illegal]))
        self._run(self._kernels.step, actions)

    def draw(self) -> None:
        """Chance acts, wherever it is due, until a seat is to move or the game is over."""
        self._run(self._kernels.draw, self._luck)

    def draw_once(self, which: Flags) -> None:
        """Chance acts once, if it is due, in the games for which ``which`` (games, bool) is true."""
        self._run(self._kernels.draw_once, self._luck, as_array(which, np.bool_, (self.games,)))

    def give(self, outcomes: Bytes) -> None:
        """In each game chance does what ``outcomes`` says, once: (games, ``simulated.outcome``), uint8; NOTHING (255)
        in a row's first place leaves the game as it is.

        Raises IllegalMove for the first that cannot happen; no game has changed then.
        """
        outcomes = as_array(outcomes, np.uint8, (self.games, self.simulated.outcome))
        impossible = self._first(self._run(self._kernels.impossible, outcomes))
        if impossible is not None:
            raise IllegalMove("", "That outcome is not possible in game {game}.", game=impossible)
        self._run(self._kernels.give, outcomes)

    def play_out(self) -> Ints:
        """Plays every game to its end from where it stands, with random legal moves, all equally likely. How many
        moves that took: (games,), int32."""
        decisions = np.zeros(self.games, np.int32)
        self._run(self._kernels.play_out, self._luck, decisions)
        return decisions

    @staticmethod
    def _first(found: list[int]) -> int | None:
        return next((game for game in found if game >= 0), None)

    def _refusal(self, game: int, action: int) -> IllegalMove:
        """Why an action is illegal, in the words of the rules engine."""
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
        """The seat to move in each game, or CHANCE (−1), or OVER (−2): (games,), int8."""
        seats = np.empty(self.games, np.int8)
        self._run(self._kernels.movers, seats)
        return seats

    def legal(self, out: Flags | None = None) -> Flags:
        """Which actions are legal for the seat to move: (games, ``simulated.columns``), bool; none where no seat is
        to move. The result is written to ``out`` if it is given."""
        out = np.empty((self.games, self.simulated.columns), np.bool_) if out is None else out
        self._run(self._kernels.legal, out)
        return out

    def choices(self) -> Longs:
        """How many moves are legal for the seat to move: (games,), int64; 0 where no seat is to move."""
        counts = np.empty(self.games, np.int64)
        self._run(self._kernels.choices, counts)
        return counts

    def nth(self, which: Longs) -> Longs:
        """The legal actions with the numbers ``which`` (games, int64), counted from 0 in the order of the actions and
        below :meth:`choices`; SKIP where it is below 0. (games,), int64."""
        which = as_array(which, np.int64, (self.games,))
        if (which >= self.choices()).any():
            raise ValueError("there are not so many legal moves")
        actions = np.empty(self.games, np.int64)
        self._run(self._kernels.nth, which, actions)
        return actions

    def observe(self, out: Reals | None = None) -> Reals:
        """What the seat to move may know, as numbers: (games, ``simulated.features.width``), float32, cut into the
        fields of ``simulated.features``; all 0 where no seat is to move. It is written to ``out`` if given."""
        features = self.simulated.features
        out = np.empty((self.games, features.width), np.float32) if out is None else out
        out[:] = 0
        self._run(self._kernels.observe, out.view(features.dtype).reshape(self.games))
        return out

    def score(self) -> tuple[Ints, Flags]:
        """The points of each seat if the game ended now, (games, seats), int32; and who has won, (games, seats),
        bool: nobody before the end, several for a draw."""
        points = np.zeros((self.games, self._seats), np.int32)
        winners = np.zeros((self.games, self._seats), np.bool_)
        self._run(self._kernels.score, points, winners)
        return points, winners

    # --------------------------------------------------------------------------- to and from the rules engine

    def state(self, game: int) -> Any:
        """A game as a state of the rules engine."""
        return self.simulated.read(self.rows[game], self.options)

    def put(self, game: int, state: Any) -> None:
        """Sets up a game as a state of the rules engine, whose options are those of the batch. Its luck goes on."""
        if state.options != self.options:
            raise ValueError("the state has other options than the batch")
        self.rows[game] = self.simulated.write(state)

    def move(self, game: int, action: int) -> Any:
        """The move of the rules engine that an action means in a game. Raises IllegalMove where there is none."""
        try:
            return self.simulated.move_of(self.state(game), action)
        except IndexError:
            raise IllegalMove("", "There is no action {action}.", action=action) from None

    def action(self, game: int, move: Any) -> int:
        """The number of a move of the rules engine in a game. Raises KeyError for what is no move."""
        return self.simulated.action_of(self.state(game), move)


@dataclass(frozen=True)
class Results:
    """How games ended: the points and the winners by seat, (games, seats), int32 and bool, and the moves of each
    game, (games,), int32."""

    points: Ints
    winners: Flags
    decisions: Ints


def roll_out(game: AnyGame, options: Any, games: int, *, seed: int = 0, first: int = 0, cores: int = 1) -> Results:
    """Plays whole games with random legal moves, all equally likely, without leaving the compiled loop. Raises
    BadOptions. Game number n is the same as in a batch of this seed that is played out."""
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
    """The one row of a game before its first outcome."""
    rows: Rows = np.empty(1, simulated.layout.dtype)
    rows[0] = simulated.write(simulated.game.start(options))
    return rows


def seed_word(seed: int) -> np.uint64:
    return np.uint64(seed & _LAST_64_BITS)


def as_array(given: Any, kind: Any, shape: tuple[int, ...]) -> Any:
    """As an array of a kind. Raises ValueError if it has another shape or numbers that the kind cannot hold."""
    array = np.asarray(given)
    if array.dtype == kind and array.shape == shape and array.flags.carray:  # as kernels were compiled for
        return array
    found = array.astype(kind) if array.dtype.kind in "iub" else array
    if found.dtype != kind or found.shape != shape or not np.array_equal(found, array):
        raise ValueError(f"an array of the shape {shape} and the kind {np.dtype(kind).name} is needed")
    return found
