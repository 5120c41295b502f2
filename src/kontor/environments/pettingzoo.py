"""All games for PettingZoo: agents take turns (AEC), with a mask of the legal steps.

    env = table("pig", Options(players=3))

Agents are ``seat_0``, ``seat_1`` …; an observation is a dictionary of ``observation`` and ``action_mask``. Rewards
come at the end.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kontor.environments import RESEARCH
from kontor.environments.adapter import encoder_of
from kontor.environments.encoders import ActionEncoder, Position, as_step, opening
from kontor.game import OVER
from kontor.optional_packages import requiring_extra

with requiring_extra("research", RESEARCH):
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from gymnasium import spaces  # PettingZoo requires it

Observation = dict[str, NDArray[Any]]

ILLEGAL: Final = -1.0
"""The reward for an illegal step, which ends the game at once."""


def table(game: str, options: Any = None) -> AECEnv:
    """Return a table at which agents play. Raises BadOptions.

    An illegal step, any other number included, ends the game for all (TerminateIllegalWrapper).
    """
    env: AECEnv = wrappers.TerminateIllegalWrapper(Table(encoder_of(game, options)), ILLEGAL)
    return wrappers.OrderEnforcingWrapper(EndOutOfBounds(env))


class EndOutOfBounds(wrappers.BaseWrapper):  # type: ignore[misc]
    """A wrapper that treats a number without a step as an illegal step, as the other environments do."""

    def step(self, action: int | None) -> None:
        """Take a step. Raises ValueError for anything but an integer; then nothing has changed."""
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            action = as_step(action)
            if not 0 <= action < self.action_space(agent).n:
                action = int(np.argmin(self.observe(agent)["action_mask"]))  # an illegal one
        super().step(action)


class Table(AECEnv):  # type: ignore[misc]
    """A table without wrappers: an illegal step raises IllegalMove."""

    def __init__(self, encoder: ActionEncoder) -> None:
        super().__init__()
        self.metadata = {"name": f"kontor_{encoder.game.name}_v1", "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self.possible_agents = [f"seat_{seat}" for seat in range(encoder.seats)]
        self._encoder = encoder
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        least, most = encoder.bounds
        self._observed = {
            agent: spaces.Dict(
                observation=spaces.Box(least, most, dtype=np.float32),
                action_mask=spaces.Box(0, 1, (encoder.actions,), np.int8),
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(encoder.actions) for agent in self.possible_agents}
        self._random = Random()
        self._position: Position = opening(encoder)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations and masks."""
        return self._observed[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """Return the space of steps."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. With the same seed, chance does the same; without a seed its random state is kept."""
        if seed is not None:
            self._random = Random(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._position = opening(self._encoder).drawn(self._random.randrange)
        self.agent_selection = self.possible_agents[self._position.mover]

    def observe(self, agent: str) -> Observation:
        """Return what the agent may know; the mask is all zeros for an agent that is not to move."""
        position, seat = self._position, self._seats[agent]
        mask = position.mask() if position.mover == seat else np.zeros(self._encoder.actions, np.int8)
        return {"observation": position.observation(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take a step of the selected agent; an agent that is out of the game gives None.

        Raises IllegalMove; and ValueError for anything but an integer.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._position = position = self._position.after(as_step(action)).drawn(self._random.randrange)
        self._cumulative_rewards[agent] = 0.0
        if position.mover == OVER:
            self.rewards = dict(zip(self.possible_agents, position.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[position.mover]
        self._accumulate_rewards()

    def close(self) -> None:
        """Do nothing, because nothing is open."""
