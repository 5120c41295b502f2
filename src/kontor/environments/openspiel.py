"""All games for OpenSpiel: importing this module registers them by their names.

    pyspiel.load_game("pig(players=3)")

Chance is explicit: cards, horseshoes and dice are drawn one by one, each with its probability.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from kontor.environments import RESEARCH
from kontor.environments.adapter import ResearchAdapter, is_research_adapter
from kontor.environments.encoders import ActionEncoder, Floats, ObservationPart, Position, opening, written
from kontor.game import CHANCE, OVER, BadOptions
from kontor.optional_packages import is_installed, requiring_extra
from kontor.plugins import plugin_named, usable

with requiring_extra("research", RESEARCH):
    import pyspiel

if TYPE_CHECKING:  # they need another extra, which may be missing
    from kontor.environments.packed import PackedGame, PackedKernels

_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game."""

    position: Position

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.position = game.opening

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or the end."""
        mover = self.position.mover
        if mover == CHANCE:
            return _CHANCE
        return _TERMINAL if mover == OVER else mover

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible steps of chance with their probabilities."""
        return self.position.chances()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return _step_name(self.position.encoder, player, action)

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.position.mover == OVER

    def returns(self) -> list[float]:
        """Return what the game has brought each seat: 0 before it is over."""
        return list(self.position.returns())

    def __str__(self) -> str:
        """Return the full state, hidden things included, as JSON in the order in which the game packs it."""
        position = self.position
        packed = msgspec.msgpack.decode(position.encoder.game.serialise(position.state))
        return msgspec.json.encode([packed, position.begun]).decode()

    def look(self, player: int, out: Floats) -> bool:
        """Write the player's observation if it needs no view, and return whether it was written: here never."""
        return False


def _step_name(encoder: ActionEncoder, player: int, step: int) -> str:
    """Return the name of a step; OpenSpiel also asks for nonexistent steps, in order to refuse them."""
    drawing = player == pyspiel.PlayerId.CHANCE
    if not 0 <= step < (encoder.outcomes if drawing else encoder.actions):
        return f"no step {step}"
    return encoder.outcome_name(step) if drawing else encoder.action_name(step)


def _of_the_game(name: str) -> Any:
    """Return a property that gives a method of the packed game, so that C++ and Python call it directly."""
    return property(attrgetter(f"_packed.{name}"))


class PackedState(OpenSpielState):
    """A position of a game in kernels; a ``Position`` is made only for what kernels cannot give."""

    def __init__(self, game: OpenSpielGame, packed: PackedGame) -> None:
        pyspiel.State.__init__(self, game)
        self._position, self._steps = game.opening, 0
        self._packed = packed

    @property
    def position(self) -> Position:  # type: ignore[override]
        """Return the position by the rules engine, after all steps so far."""
        steps = self.history()
        position = self._position
        for step in steps[self._steps :]:
            position = position.after(step)
        self._position, self._steps = position, len(steps)
        return position

    current_player = _of_the_game("mover")
    chance_outcomes = _of_the_game("outcomes")
    _apply_action = _of_the_game("take")

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal steps, without a call through C++ for those of the mover."""
        packed = self._packed
        if player is None and (steps := packed.cached_steps.get(packed.status)):
            return steps[:]
        if packed.player >= 0 and (player is None or player == packed.player):
            return packed.steps()
        legal: list[int] = super().legal_actions() if player is None else super().legal_actions(player)
        return legal

    def _legal_actions(self, player: int) -> list[int]:
        return self._packed.steps() if player == self._packed.player else []

    def is_chance_node(self) -> bool:
        """Return True if chance is to act."""
        return self._packed.player == _CHANCE

    def _action_to_string(self, player: int, action: int) -> str:
        return _step_name(self._position.encoder, player, action)

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self._packed.player == _TERMINAL

    def returns(self) -> list[float]:
        """Return what the game has brought each seat: 0 before it is over."""
        return self._packed.returns()

    def look(self, player: int, out: Floats) -> bool:
        """Write the player's observation, except while chance is to act, and return whether it was written."""
        if self._packed.player == _CHANCE:
            return False
        self._packed.look(player, out)
        return True


class OpenSpielObserver:
    """Observation of a player, in the form of OpenSpiel's observers: ``tensor``, ``dict`` of its parts, and a string.

    With perfect recall it is an information state: the observation and all events before it. The string has all
    events, the tensor the latest tokens (``ActionEncoder.memory``).
    """

    def __init__(self, encoder: ActionEncoder, kind: pyspiel.IIGObservationType) -> None:
        """Prepare an observer of a type.

        Raises ValueError for unsupported types: the private things of all players at once, or recall of private
        things alone.
        """
        private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("Kontor's games have no observation of all players' private things.")
        if kind.perfect_recall and not (kind.public_info and private):
            raise ValueError("Kontor's games recall public and private things together.")
        self._public, self._private, self._recall = kind.public_info, private, kind.perfect_recall
        self._whole = kind.public_info and private and not kind.perfect_recall
        self._parts = [part for part in encoder.parts if (private if part.private else kind.public_info)]
        parts = [*self._parts, ObservationPart("heard", (encoder.memory,), inf)] if self._recall else self._parts
        self.tensor: Floats = np.zeros(sum(part.size for part in parts), np.float32)
        self.dict: dict[str, Floats] = {}
        at = 0
        for part in parts:
            self.dict[part.name] = self.tensor[at : at + part.size].reshape(part.shape)
            at += part.size

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Update ``tensor`` and ``dict`` to what the player may know in the state."""
        if self._whole and state.look(player, self.tensor):
            return
        features = state.position.features(player)
        for part in self._parts:
            self.dict[part.name][:] = features[part.name]
        if self._recall:
            self.dict["heard"][:] = state.position.remembered(player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what the player may know as JSON.

        In an information state a line for each move and outcome before comes first.
        """
        position = state.position
        if self._recall:
            heard = [line.decode() for line in position.heard(player)]
            return "\n".join([*heard, _all_that(position, player)])
        if self._public:
            return _all_that(position, player if self._private else None)
        return _what_alone(position, player) if self._private else ""


def _all_that(position: Position, seat: int | None) -> str:
    return written(position.view(seat), position.begun_for(seat))


def _what_alone(position: Position, seat: int) -> str:
    """Return what the seat may know and a spectator may not, as JSON; empty in a game without hidden things."""
    view, public = position.view(seat), position.view(None)
    fields = (name for name in view.__struct_fields__ if name != "seat")
    alone = {name: getattr(view, name) for name in fields if getattr(view, name) != getattr(public, name)}
    if position.begun_for(seat) != position.begun_for(None):
        alone["begun"] = position.begun
    return msgspec.json.encode(alone).decode() if alone else ""


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with options."""

    encoder: ActionEncoder

    def __init__(self, kind: pyspiel.GameType, encoder: ActionEncoder, parameters: Mapping[str, Any]) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=encoder.actions,
            max_chance_outcomes=encoder.outcomes,
            num_players=encoder.seats,
            min_utility=encoder.least_return,
            max_utility=encoder.most_return,
            utility_sum=encoder.sum_of_returns,
            max_game_length=encoder.most_actions,
        )
        super().__init__(kind, info, dict(parameters))
        self.encoder, self.opening = encoder, opening(encoder)
        self._kernels = _kernels_of(encoder)

    def new_initial_state(self) -> OpenSpielState:
        """Return the state before the first outcome."""
        return PackedState(self, self._kernels.new_game()) if self._kernels else OpenSpielState(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_game, (self.get_type().short_name, self.get_parameters())

    def max_chance_nodes_in_history(self) -> int:
        """Return the most steps of outcomes in a game."""
        return self.encoder.most_outcomes

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> OpenSpielObserver:
        """Return an observer. Raises ValueError for an unsupported type of observation, and for any parameters."""
        if params:
            raise ValueError(f"Kontor's observers have no parameters: {dict(params)}.")
        return OpenSpielObserver(self.encoder, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _load_game(name: str, parameters: Mapping[str, Any]) -> OpenSpielGame:
    """Return the game with this name, which the import of this module has registered."""
    game: OpenSpielGame = pyspiel.load_game(name, dict(parameters))
    return game


def _kernels_of(encoder: ActionEncoder) -> PackedKernels | None:
    """Return the game's kernels, if there are any and the extra ``batch`` is installed."""
    if not is_installed("numba") or not plugin_named(encoder.game.name).batch:
        return None
    from kontor.environments.packed import kernels_of

    try:
        return kernels_of(encoder)
    except BadOptions:  # kernels do not support these options
        return None


def _kind(name: str, adapter: ResearchAdapter) -> pyspiel.GameType:
    """Return OpenSpiel's description of a game."""
    information, utility = pyspiel.GameType.Information, pyspiel.GameType.Utility
    zero_sum = adapter.encoder(adapter.options(adapter.parameters)).sum_of_returns == 0
    return pyspiel.GameType(
        short_name=name,
        long_name=adapter.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION
        if adapter.open_information
        else information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=adapter.players[0],
        max_num_players=adapter.players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(adapter.parameters),
    )


def _register(name: str, adapter: ResearchAdapter) -> None:
    """Register a game with OpenSpiel. Loading it with impossible parameters raises BadOptions."""
    kind = _kind(name, adapter)

    # A class, not a function: OpenSpiel releases registered objects after Python has ended, too late for a function.
    class Registered(OpenSpielGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            given = dict(params or {})
            super().__init__(kind, adapter.encoder(adapter.options({**adapter.parameters, **given})), given)

    pyspiel.register_game(kind, Registered)


_ADAPTERS: Final[Mapping[str, ResearchAdapter]] = usable("research", is_research_adapter)
REGISTERED: Final = tuple(_ADAPTERS)
"""The short names of the games that OpenSpiel knows from here."""

for _name, _adapter in _ADAPTERS.items():
    _register(_name, _adapter)
    if _adapter.smaller:
        _register(f"mini_{_name}", _adapter.smaller)
