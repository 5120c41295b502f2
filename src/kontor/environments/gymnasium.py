"""All games for Gymnasium: one learner at a table with computer players.

    env = gymnasium.make("kontor/Pig-v1", opponents=["casual"])

Importing this module registers them by their capitalised names, and ``-v1``. An observation is a dictionary of
``observation`` and ``action_mask``, the mask of the learner's legal steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kontor.environments import RESEARCH
from kontor.environments.adapter import encoder_of
from kontor.environments.encoders import Position, as_step, opening
from kontor.game import CHANCE, OVER, BadOptions
from kontor.optional_packages import requiring_extra
from kontor.players import opponent_of, player_named
from kontor.plugins import plugins

with requiring_extra("research", RESEARCH):
    import gymnasium
    from gymnasium import spaces

Observation = dict[str, Any]

ILLEGAL: Final = -1.0
"""The reward for an illegal step, which ends the game at once."""


class Seat(gymnasium.Env[Observation, np.int64]):
    """The learner's seat at a table. The reward comes at the end: what the game brings (``docs/research.md``)."""

    def __init__(self, game: str, options: Any = None, seat: int = 0, opponents: str | Sequence[str] = "") -> None:
        """Prepare a table for the learner.

        ``opponents`` is the name of a computer player for all other seats, or one name for each of them, clockwise
        from the learner; if it is empty, ``kontor.players.opponent_of`` chooses. Raises BadOptions.
        """
        self._encoder = encoder = encoder_of(game, options)
        if not 0 <= seat < encoder.seats:
            raise BadOptions(
                "", "There is no seat {seat}; the seats are 0 to {last}.", seat=seat, last=encoder.seats - 1
            )
        opponents = opponents or opponent_of(game)
        names = [opponents] * (encoder.seats - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != encoder.seats - 1:
            raise BadOptions(
                "", "There are {seats} seats to fill, not {given}.", seats=encoder.seats - 1, given=len(names)
            )
        self._seat = seat
        self._opponents = {
            (seat + place) % encoder.seats: player_named(game, name) for place, name in enumerate(names, 1)
        }
        least, most = encoder.bounds
        self.observation_space = spaces.Dict(
            observation=spaces.Box(least, most, dtype=np.float32),
            action_mask=spaces.Box(0, 1, (encoder.actions,), np.int8),
        )
        self.action_space = spaces.Discrete(encoder.actions)
        self._random = Random()
        self._position: Position = opening(encoder)
        self._over = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game, played until the learner is to move.

        With the same seed, chance and computer players do the same after the same steps.
        """
        super().reset(seed=seed)
        self._random = Random(int(self.np_random.integers(2**63)))
        self._over = False
        self._position = self._until_my_turn(opening(self._encoder))
        return self._observe(), {}

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take one step of the learner, and play on until the learner is to move again.

        An illegal step ends the game, and sets ``illegal`` in the info. Raises ValueError for anything but an
        integer; then nothing has changed.
        """
        step = as_step(action)
        if self._over or not self._position.is_legal(step):
            self._over = True
            return self._observe(), ILLEGAL, True, False, {"illegal": True}
        self._position = position = self._until_my_turn(self._position.after(step))
        self._over = position.mover == OVER
        return self._observe(), position.returns()[self._seat], self._over, False, {}

    def action_masks(self) -> NDArray[np.int8]:
        """Return an array with 1 for each legal step of the learner; all zeros when the game is over."""
        return self._position.mask()

    def _observe(self) -> Observation:
        return {"observation": self._position.observation(self._seat), "action_mask": self.action_masks()}

    def _until_my_turn(self, position: Position) -> Position:
        while position.mover not in (self._seat, OVER):
            if position.mover == CHANCE:
                position = position.drawn(self._random.randrange)
            else:
                choose = self._opponents[position.mover]
                moves = position.encoder.game.moves(position.state)
                position = position.played(choose(position.view(position.mover), moves, self._random))
        return position


for _name, _plugin in plugins().items():
    if _plugin.research:
        gymnasium.register(
            f"kontor/{_name.capitalize()}-v1",
            entry_point=f"{__name__}:Seat",
            vector_entry_point="kontor.environments.vector:VectorSeat" if _plugin.batch else None,
            kwargs={"game": _name},
        )
