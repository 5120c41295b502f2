"""The games as functions over arrays, like Pgx: thousands of games at a time, every seat a learner's.

    env = FunctionalEnv(game)
    state = env.init(seed=1, games=1024)
    while not state.terminated.all():
        state = env.step(state, policy(state.observation, state.legal_action_mask))

It needs only the extra ``batch``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kontor.batch.arrays import Flags, Longs, Reals, Rows, Seats
from kontor.batch.step_batch import StepBatch, learner_steps
from kontor.batch.stepping import ANEW, ILLEGAL, PLAYING
from kontor.plugins import plugin_named


@dataclass(frozen=True, eq=False)
class State:
    """Games at one moment. The arrays are views of the games; nothing is copied."""

    batch: StepBatch

    @property
    def current_player(self) -> Seats:
        """Return the seat to move, −2 where the game is over: (games), int8."""
        return self.batch.movers

    @property
    def observation(self) -> Reals:
        """Return what the seat to move may know, and seat 0 where the game is over: (games, numbers), float32."""
        return self.batch.observations

    @property
    def legal_action_mask(self) -> Flags:
        """Return the legal steps of the seat to move: (games, actions), bool."""
        return self.batch.masks.view(np.bool_)

    @property
    def rewards(self) -> Reals:
        """Return the rewards of the last step for each seat: (games, seats), float32."""
        return self.batch.rewards

    @property
    def terminated(self) -> Flags:
        """Return where the game is over, or ended by an illegal step: (games), bool."""
        over: Flags = self.batch.ended != PLAYING
        return over

    @property
    def illegal(self) -> Flags:
        """Return where an illegal step has ended the game: (games), bool."""
        illegal: Flags = self.batch.ended == ILLEGAL
        return illegal

    @property
    def rows(self) -> Rows:
        """Return the full states, hidden things included, as NumPy records (``docs/batch-fields.csv``): (games)."""
        return self.batch.rows

    @property
    def begun(self) -> Rows:
        """Return the number of steps that have begun a move, and the steps: (games)."""
        return self.batch.begun


class FunctionalEnv:
    """A game with options, by numbered steps."""

    def __init__(self, game: str, options: Any = None, *, cores: int = 1) -> None:
        """Prepare a game with options. Raises BadOptions, also for a game that has no batches."""
        self._game = plugin_named(game).game
        self._options = self._game.options() if options is None else options
        self._cores = cores
        one = self.init(seed=0, games=1)
        self.num_players = one.batch.seats
        self.num_actions: int = one.batch.masks.shape[1]
        self.observation_shape: tuple[int] = (one.batch.observations.shape[1],)

    def init(self, seed: int, games: int, *, first: int = 0) -> State:
        """Return new games, in each of which a seat is to move.

        ``first`` is the number of the first one in the seed's endless series of games.
        """
        return State(StepBatch(self._game, self._options, games, seed=seed, first=first, cores=self._cores))

    def step(self, state: State, actions: Longs, *, donate: bool = False) -> State:
        """Return the games after one step of the seat to move in each.

        A game that is over stays as it is and has rewards of 0. The step −2 begins a new game in its place, −1 leaves
        any game as it is. An illegal step, which any other integer is, ends the game, with −1 for its player. Raises
        ValueError for anything but one integer a game.

        With ``donate`` the given state becomes the new one, and its arrays are overwritten: nothing is copied.
        """
        steps = learner_steps(actions, state.batch.games, least=ANEW)
        batch = state.batch if donate else state.batch.copy()
        batch.step(steps)
        return state if donate else State(batch)

    def observe(self, state: State, seats: Seats | int) -> Reals:
        """Return what these seats may know: (games, numbers), float32; a single seat applies to all games."""
        return state.batch.observe(np.broadcast_to(np.asarray(seats, np.int8), (state.batch.games,)))

    def sample(self, state: State, random: np.random.Generator) -> Longs:
        """Return a random legal step in each game, and −1 where it is over."""
        return state.batch.sample(random)
