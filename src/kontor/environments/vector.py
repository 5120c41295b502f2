"""Vector environments for Gymnasium: many games with a learner, which kernels play without Python.

    envs = gymnasium.make_vec(name, num_envs=1024)

In every game one seat is the learner's. The others move at random inside the kernels, or by a given policy that is
called for all games at once. It needs the extras ``research`` and ``batch``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from kontor.batch.arrays import Flags, Longs
from kontor.batch.loops import SKIP
from kontor.batch.step_batch import StepBatch, learner_steps
from kontor.batch.stepping import ANEW, EVERYBODY, ILLEGAL, PLAYING
from kontor.environments import RESEARCH
from kontor.environments.adapter import encoder_of
from kontor.game import BadOptions
from kontor.optional_packages import requiring_extra

with requiring_extra("research", RESEARCH):
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Observations = dict[str, Any]
Policy = Callable[[Observations], Longs]
"""A function from the observations of the movers in some games to a legal step in each."""

RANDOM: Final = "random"


class VectorSeat(VectorEnv[Observations, Longs, Any]):
    """The learner's seat in many games. The reward comes at the end: what the game brings (``docs/research.md``)."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str,
        options: Any = None,
        seat: int | Sequence[int] = 0,
        opponents: str | Policy = RANDOM,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        cores: int = 1,
    ) -> None:
        """Prepare the games.

        ``seat`` is the learner's, in all games or in each of them. ``opponents`` is ``random`` or a policy. Without
        ``copy`` the next step overwrites the arrays of observations. Raises BadOptions.
        """
        if isinstance(opponents, str) and opponents != RANDOM:
            raise BadOptions(
                "", "In a vector environment opponents are random or a policy of yours, not {name}.", name=opponents
            )
        encoder = encoder_of(game, options)
        self._policy = None if isinstance(opponents, str) else opponents
        self._seats = np.broadcast_to(np.asarray(seat, np.int8), (num_envs,))
        if self._seats.min(initial=0) < 0:
            raise BadOptions(
                "", "There is no seat {seat}; the seats are 0 to {last}.",
                seat=int(self._seats.min()), last=encoder.seats - 1,
            )  # fmt: skip
        self._batch = StepBatch(encoder.game, encoder.options, num_envs, learners=self._seats, cores=cores)
        if self._policy:
            self._batch.learners[:] = EVERYBODY
        self._mode = AutoresetMode(autoreset_mode)
        self._copy = copy
        self._over: Flags = np.zeros(num_envs, np.bool_)
        self._games = np.arange(num_envs)
        least, most = encoder.bounds
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": self._mode, "render_modes": []}
        self.single_observation_space = spaces.Dict(
            observation=spaces.Box(least, most, dtype=np.float32),
            action_mask=spaces.Box(0, 1, (encoder.actions,), np.int8),
        )
        self.single_action_space = spaces.Discrete(encoder.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin new games; the same seed gives the same games for the same steps.

        ``reset_mask`` among the options (a flag for each game) begins only some anew, and keeps their random state.
        Raises ValueError for a mask of another shape or type, or without a true flag.
        """
        super().reset(seed=seed)
        mask = (options or {}).get("reset_mask")
        if mask is None:
            self._batch.reset(int(self.np_random.integers(2**63)))
        else:
            mask = np.asarray(mask)
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError("reset_mask needs a flag for each game, and one at least that is true")
            self._batch.step(np.where(mask, ANEW, SKIP))
        self._others_move()
        self._over = self._batch.ended != PLAYING
        return self._observe(), {}

    def step(self, actions: Longs) -> tuple[Observations, Any, Flags, Flags, dict[str, Any]]:
        """Take one step of the learner in each game, and play on until the learner is to move again.

        An illegal step ends the game with −1, and sets ``illegal`` in the infos. Raises ValueError for anything but
        one integer for each game; then nothing has changed.
        """
        batch = self._batch
        steps = learner_steps(actions, self.num_envs)
        if self._mode == AutoresetMode.NEXT_STEP and self._over.any():
            steps = np.where(self._over, ANEW, steps)
        batch.step(steps)
        self._others_move()
        rewards = batch.rewards[self._games, self._seats].astype(np.float64)
        self._over = over = batch.ended != PLAYING
        infos: dict[str, Any] = {}
        illegal = batch.ended == ILLEGAL
        if illegal.any():
            infos |= {"illegal": illegal, "_illegal": illegal.copy()}
        if self._mode == AutoresetMode.SAME_STEP and over.any():
            infos = self._final(over, infos)
            batch.step(np.where(over, ANEW, SKIP))
            self._others_move()
        return self._observe(), rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> Any:
        """Return an array with 1 for each legal step of the learner, game by game; all zeros when a game is over."""
        return self._batch.masks.view(np.int8)

    def _observe(self) -> Observations:
        seen = {"observation": self._batch.observations, "action_mask": self.action_masks()}
        return {name: array.copy() for name, array in seen.items()} if self._copy else seen

    def _final(self, over: Flags, infos: dict[str, Any]) -> dict[str, Any]:
        """Return Gymnasium's infos on games that begin anew within the same step."""
        last = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(over):
            last[game] = {
                "observation": self._batch.observations[game].copy(),
                "action_mask": self.action_masks()[game].copy(),
            }
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": infos, "_final_info": over.copy()}

    def _others_move(self) -> None:
        """Take the steps of the policy for the other seats until the learner is to move.

        Games that are over are observed from the learner's seat. Raises ValueError for an illegal step of the policy.
        """
        if self._policy is None:
            return
        batch = self._batch
        while True:
            which = np.flatnonzero((batch.movers >= 0) & (batch.movers != self._seats) & (batch.ended == PLAYING))
            if not len(which):
                break
            seen = {"observation": batch.observations[which], "action_mask": self.action_masks()[which]}
            steps = np.full(self.num_envs, SKIP, np.int64)
            steps[which] = learner_steps(self._policy(seen), len(which))
            batch.step(steps)
            if (batch.ended[which] == ILLEGAL).any():
                raise ValueError("the opponents' policy took a step that is not legal")
        over = batch.movers < 0
        if over.any():
            batch.observations[over] = batch.observe(self._seats)[over]
