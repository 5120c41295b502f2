"""All games for OpenSpiel: importing this module registers them by their names.

    pyspiel.load_game("pig(players=3)")

Chance is explicit: cards, horseshoes and dice come one by one, each with its probability.
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
        mover = self.position.mover
        if mover == CHANCE:
            return _CHANCE
        return _TERMINAL if mover == OVER else mover

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.chances()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return _step_name(self.position.encoder, player, action)

    def is_terminal(self) -> bool:
        return self.position.mover == OVER

    def returns(self) -> list[float]:
        return list(self.position.returns())

    def __str__(self) -> str:
        """All of the state, hidden things too, in the order in which the game packs it."""
        position = self.position
        packed = msgspec.msgpack.decode(position.encoder.game.serialise(position.state))
        return msgspec.json.encode([packed, position.begun]).decode()

    def look(self, player: int, out: Floats) -> bool:
        """Writes the player's observation, if that can be done without the view."""
        return False


def _step_name(encoder: ActionEncoder, player: int, step: int) -> str:
    """Return the name of a step; OpenSpiel also asks for that of a step that does not exist, to refuse it."""
    drawing = player == pyspiel.PlayerId.CHANCE
    if not 0 <= step < (encoder.outcomes if drawing else encoder.actions):
        return f"no step {step}"
    return encoder.outcome_name(step) if drawing else encoder.action_name(step)


def _of_the_game(name: str) -> Any:
    """A method of a packed state that is its game's own: C++ and Python call it with no other call in between."""
    return property(attrgetter(f"_packed.{name}"))


class PackedState(OpenSpielState):
    """The same in kernels: its position is made only for what they do not tell."""

    def __init__(self, game: OpenSpielGame, packed: PackedGame) -> None:
        pyspiel.State.__init__(self, game)
        self._known, self._steps = game.opening, 0
        self._packed = packed

    @property
    def position(self) -> Position:  # type: ignore[override]
        """By the rules engine, after all steps so far."""
        steps = self.history()
        position = self._known
        for step in steps[self._steps :]:
            position = position.after(step)
        self._known, self._steps = position, len(steps)
        return position

    current_player = _of_the_game("mover")
    chance_outcomes = _of_the_game("outcomes")
    _apply_action = _of_the_game("take")

    def legal_actions(self, player: int | None = None) -> list[int]:
        """OpenSpiel would ask through C++ for what is known here."""
        packed = self._packed
        if player is None and (known := packed.known.get(packed.status)):
            return known[:]
        if packed.player >= 0 and (player is None or player == packed.player):
            return packed.steps()
        legal: list[int] = super().legal_actions() if player is None else super().legal_actions(player)
        return legal

    def _legal_actions(self, player: int) -> list[int]:
        return self._packed.steps() if player == self._packed.player else []

    def is_chance_node(self) -> bool:
        return self._packed.player == _CHANCE

    def _action_to_string(self, player: int, action: int) -> str:
        return _step_name(self._known.encoder, player, action)

    def is_terminal(self) -> bool:
        return self._packed.player == _TERMINAL

    def returns(self) -> list[float]:
        return self._packed.returns()

    def look(self, player: int, out: Floats) -> bool:
        if self._packed.player == _CHANCE:
            return False
        self._packed.look(player, out)
        return True


class OpenSpielObserver:
    """What a player may know, as OpenSpiel's observers tell it: ``tensor``, ``dict`` of its parts, and a string.

    With perfect recall it is an information state: the observation and all that was heard before it. Of that the
    string holds everything, the tensor the latest numbers (``ActionEncoder.memory``).
    """

    def __init__(self, encoder: ActionEncoder, kind: pyspiel.IIGObservationType) -> None:
        """Raises ValueError for what there is not: the private things of all players at once, or recall of private
        things alone."""
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
        """Updates ``tensor`` and ``dict`` to what the player may know in the state."""
        if self._whole and state.look(player, self.tensor):
            return
        features = state.position.features(player)
        for part in self._parts:
            self.dict[part.name][:] = features[part.name]
        if self._recall:
            self.dict["heard"][:] = state.position.remembered(player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The same as a text: JSON, in an information state with a line for each move and outcome before."""
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
    """What the seat may know and a spectator may not; nothing in a game where all is in sight."""
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
        return PackedState(self, self._kernels.new_game()) if self._kernels else OpenSpielState(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.get_type().short_name, self.get_parameters())

    def max_chance_nodes_in_history(self) -> int:
        return self.encoder.most_outcomes

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> OpenSpielObserver:
        """Raises ValueError for a type of observation that there is not, and for any parameters."""
        if params:
            raise ValueError(f"Kontor's observers have no parameters: {dict(params)}.")
        return OpenSpielObserver(self.encoder, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _loaded(name: str, parameters: Mapping[str, Any]) -> OpenSpielGame:
    """Return the game with this name; to import this module has registered it."""
    game: OpenSpielGame = pyspiel.load_game(name, dict(parameters))
    return game


def _kernels_of(encoder: ActionEncoder) -> PackedKernels | None:
    """The game's kernels, if there are any and the extra ``batch`` is installed."""
    if not is_installed("numba") or not plugin_named(encoder.game.name).batch:
        return None
    from kontor.environments.packed import kernels_of

    try:
        return kernels_of(encoder)
    except BadOptions:  # of which kernels know nothing
        return None


def _kind(name: str, adapter: ResearchAdapter) -> pyspiel.GameType:
    """A game as OpenSpiel lists it."""
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
    """Makes a game known to OpenSpiel. With parameters that no game can have, loading it raises BadOptions."""
    kind = _kind(name, adapter)

    # OpenSpiel lets go of what is registered when Python has ended already: of a function that would be too late.
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
