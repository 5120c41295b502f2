"""What a game brings for programs that learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kontor.environments.encoders import ActionEncoder
from kontor.game import BadOptions
from kontor.plugins import part, plugin_named

NOBODY: Final = -1
"""In OpenSpiel's parameters, for the seat that starts: whoever the lot falls on."""


@dataclass(frozen=True)
class ResearchAdapter:
    """A game by numbered steps, and as OpenSpiel sees it."""

    encoder: Callable[[Any], ActionEncoder]
    """The game with these options. Raises BadOptions."""
    title: str
    players: tuple[int, int]
    """The fewest and the most."""
    open_information: bool
    """Whether nothing is hidden from anybody."""
    parameters: Mapping[str, int | str]
    """Of OpenSpiel's game, with their usual values."""
    options: Callable[[Mapping[str, Any]], Any]
    """The options that all these parameters mean. Raises BadOptions."""
    smaller: ResearchAdapter | None = None
    """A game of the same rules that is small enough to be solved; in OpenSpiel its name begins with ``mini_``."""


def adapter_of(game: str) -> ResearchAdapter:
    """Of a game. Raises BadOptions if there is none with this name, or if it brings nothing for programs."""
    plugin = plugin_named(game)
    if not plugin.research:
        raise BadOptions("", "There is no environment of {game} for programs that learn.", game=game)
    found: ResearchAdapter = part(plugin, "research", is_research_adapter)
    return found


def is_research_adapter(loaded: Any) -> bool:
    """Return True for an adapter whose game with the usual parameters has steps."""
    return isinstance(loaded, ResearchAdapter) and loaded.encoder(loaded.options(loaded.parameters)).actions > 0


def encoder_of(game: str, options: Any = None) -> ActionEncoder:
    """A game by numbered steps, with the usual options if none are given. Raises BadOptions."""
    return adapter_of(game).encoder(plugin_named(game).game.options() if options is None else options)


def starter_of(parameters: Mapping[str, Any]) -> int | None:
    """The seat that starts, by the parameter ``starter``; None for whoever the lot falls on."""
    return None if parameters["starter"] == NOBODY else int(parameters["starter"])
