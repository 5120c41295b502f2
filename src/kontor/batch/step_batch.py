"""Batches of games by numbered steps: kernels write observations, masks and rewards for learners."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from kontor.batch.arrays import Bytes, Longs, Luck, Reals, Rows, Seats
from kontor.batch.batch import Cores, as_array, begin_row, seed_word, simulated
from kontor.batch.compiled import LUCK
from kontor.batch.loops import SKIP
from kontor.batch.sampling import sample_steps
from kontor.batch.simulation import Stepping
from kontor.batch.stepping import ANEW, BEGUN, EVERYBODY, PLAYING
from kontor.game import AnyGame, BadOptions
from kontor.words import mark


class StepBatch:
    """Games with the same options, played step by step.

    Every step overwrites the same arrays: copy one to keep it. In every game chance acts until a learner is to move.
    A game that is over, or ended by an illegal step, stays so until it begins anew. A game follows from the seed, its
    number and the steps in it.
    """

    rows: Rows
    """(games): the full state of every game, hidden things included (``simulated.layout``)."""
    begun: Rows
    """(games): the steps that have begun a move."""
    movers: Seats
    """(games), int8: the seat to move, or OVER (−2)."""
    ended: Bytes
    """(games), uint8: PLAYING, ENDED or ILLEGAL."""
    rewards: Reals
    """(games, seats), float32: the rewards of the last step."""
    observations: Reals
    """(games, width), float32: what the seat to move may know (``docs/observations.csv``); where the game is over,
    what the learner may know, or seat 0 if all are learners."""
    masks: Bytes
    """(games, steps), uint8: 1 for each step that the seat to move may take."""

    def __init__(
        self,
        game: AnyGame,
        options: Any,
        games: int,
        *,
        learners: int | Seats = EVERYBODY,
        seed: int = 0,
        first: int = 0,
        cores: int = 1,
    ) -> None:
        """Set up all games before their first step.

        ``learners`` is the seat of the learner, in all games or in each of them; the other seats play random legal
        moves, all equally likely. EVERYBODY: all seats are learners'. Raises BadOptions.
        """
        game.start(options)
        self.simulated = simulated(game)
        self.stepping = _stepping(game)
        self.options, self.games = options, games
        self.seats = game.seats(options)
        self.learners: Seats = np.broadcast_to(np.asarray(learners, np.int8), (games,)).copy()
        for seat in self.learners:
            if not EVERYBODY <= seat < self.seats:
                raise BadOptions(
                    "", "There is no seat {seat}; the seats are 0 to {last}.", seat=int(seat), last=self.seats - 1
                )
        self.rows = np.zeros(games, self.simulated.layout.dtype)
        self.begun = np.zeros(games, BEGUN)
        self._luck: Luck = np.zeros(games, LUCK)
        self.movers = np.zeros(games, np.int8)
        self.ended = np.zeros(games, np.uint8)
        self.rewards = np.zeros((games, self.seats), np.float32)
        self.observations = np.zeros((games, self.stepping.width(options)), np.float32)
        self.masks = np.zeros((games, self.stepping.steps(options)), np.uint8)
        self._begin = begin_row(self.simulated, options)
        self._cores = Cores(cores)
        self.reset(seed, first=first)

    def reset(self, seed: int, *, first: int = 0) -> None:
        """Begin all games anew, with random numbers from this seed.

        ``first`` is the number of the first of them in the seed's endless series of games.
        """
        reset = self.simulated.kernels.reset
        self._cores.run(reset, self.games, self.rows, self._luck, self._begin, seed_word(seed), first)
        self.step(np.full(self.games, ANEW, np.int64))

    def step(self, steps: Longs) -> None:
        """Take a step of the mover in each game: ``steps`` (games, int64) are numbers of steps.

        SKIP (−1) leaves a game and its arrays as they are. ANEW (−2) begins the game anew and keeps its random state.
        LOOK (−3) only writes the arrays. An illegal step ends the game, with a reward of −1 for the mover.
        """
        steps = as_array(steps, np.int64, (self.games,))
        self._cores.run(
            self.stepping.play,
            self.games,
            self.rows,
            self.begun,
            self._luck,
            self._begin,
            steps,
            self.learners,
            self.movers,
            self.ended,
            self.rewards,
            self.observations,
            self.masks,
        )

    def sample(self, random: np.random.Generator) -> Longs:
        """Return a random legal step for the seat to move in each game, all equally likely.

        It is SKIP where no seat is to move or an illegal step has ended the game.
        """
        steps = np.empty(self.games, np.int64)
        sample_steps(self.masks, random.random(self.games), steps)
        steps[self.ended != PLAYING] = SKIP
        return steps

    def copy(self) -> StepBatch:
        """Return an independent copy of the games."""
        other = object.__new__(StepBatch)
        vars(other).update(vars(self))
        for name in _ARRAYS:
            setattr(other, name, getattr(self, name).copy())
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields without the kernels, which follow from the game."""
        return {name: value for name, value in vars(self).items() if name != "stepping"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.stepping = _stepping(self.simulated.game)

    def observe(self, seats: Seats, out: Reals | None = None) -> Reals:
        """Return what a seat of each game (games, int8) may know: (games, width), float32.

        The result is written to ``out`` if it is given.
        """
        out = np.empty_like(self.observations) if out is None else out
        seats = as_array(seats, np.int8, (self.games,))
        self._cores.run(self.stepping.look, self.games, self.rows, self.begun, seats, out)
        return out


NO_STEP: Final = 1 << 62
"""A number that no step has."""


def learner_steps(given: Any, games: int, least: int = 0) -> Longs:
    """Return the steps of learners (games, int64).

    Numbers below ``least`` become NO_STEP, which ends the game as any illegal step does: so a learner can't skip or
    restart games. Raises ValueError for anything but integers.
    """
    steps = np.asarray(given)
    if steps.dtype.kind not in "iu":
        raise ValueError(f"steps are integers, not {steps.dtype}")
    steps = as_array(steps, np.int64, (games,))
    if steps.size and steps.min() < least:
        steps = np.where(steps < least, NO_STEP, steps)
    checked: Longs = steps
    return checked


_ARRAYS: Final = ("rows", "begun", "_luck", "learners", "movers", "ended", "rewards", "observations", "masks")


def _stepping(game: AnyGame) -> Stepping:
    stepping = simulated(game).stepping
    if stepping is None:
        raise BadOptions("", mark("There is no vector environment of {game}."), game=game.name)
    return stepping
