"""The part of a plug-in for programs that learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kontor.environments.encoders import ActionEncoder
from kontor.game import BadOptions
from kontor.plugins import part, plugin_named

NOBODY: Final = -1
"""The value of OpenSpiel's parameter ``starter`` if a lot decides who starts."""


@dataclass(frozen=True)
class ResearchAdapter:
    """A game by numbered steps, with its properties for OpenSpiel."""

    encoder: Callable[[Any], ActionEncoder]
    """The game with these options. Raises BadOptions."""
    title: str
    players: tuple[int, int]
    """The fewest and the most players."""
    open_information: bool
    """True if nothing is hidden from anybody."""
    parameters: Mapping[str, int | str]
    """The parameters of OpenSpiel's game, with their default values."""
    options: Callable[[Mapping[str, Any]], Any]
    """The options for values of all these parameters. Raises BadOptions."""
    smaller: ResearchAdapter | None = None
    """A game of the same rules that is small enough to be solved; its OpenSpiel name begins with ``mini_``."""


def adapter_of(game: str) -> ResearchAdapter:
    """Return the adapter of a game. Raises BadOptions if there is no such game, or if it has none."""
    plugin = plugin_named(game)
    if not plugin.research:
        raise BadOptions("", "There is no environment of {game} for programs that learn.", game=game)
    adapter: ResearchAdapter = part(plugin, "research", is_research_adapter)
    return adapter


def is_research_adapter(loaded: Any) -> bool:
    """Return True for an adapter whose game with the default parameters has steps."""
    return isinstance(loaded, ResearchAdapter) and loaded.encoder(loaded.options(loaded.parameters)).actions > 0


def encoder_of(game: str, options: Any = None) -> ActionEncoder:
    """Return the encoder of a game, with the default options if none are given. Raises BadOptions."""
    return adapter_of(game).encoder(plugin_named(game).game.options() if options is None else options)


def starter_of(parameters: Mapping[str, Any]) -> int | None:
    """Return the seat that starts, by the parameter ``starter``; None if a lot decides."""
    return None if parameters["starter"] == NOBODY else int(parameters["starter"])
