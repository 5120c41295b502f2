"""Which games there are. Each is a plug-in: a package of its own, here or elsewhere, found by Python's entry points.

A package that brings a game says so in its ``pyproject.toml``::

    [project.entry-points."kontor.games"]
    pig = "kontor_pig.plugin:PIG"

``docs/own-game.md`` tells how such a package is made.
"""

from __future__ import annotations

import copyreg
import logging
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from kontor.game import AnyGame, BadOptions, Game

GROUP: Final = "kontor.games"
"""Of the entry points: each names a :class:`GamePlugin`, by the game's name."""


@dataclass(frozen=True)
class GamePlugin:
    """A game, and all that it brings.

    Parts are named as entry points name objects, ``package.module:object``, and are imported when they are first
    needed: who plays at the terminal waits for no web server. Those that may be missing are empty then.

    Catalogues are found in the package's folder ``locale``; templates and static files in ``web/templates`` and
    ``web/static`` (a template is included as ``<name>/board.html``, a static file is called ``<name>.css``).
    """

    name: str
    """In commands, addresses and records: lower-case letters, digits and ``_``."""
    package: str
    minutes: int
    """How long a game takes, roughly."""
    rules: str
    """The ``Game``."""
    terminal: str
    """The ``TerminalAdapter`` (``kontor.terminal.adapter``)."""
    web: str
    """The ``WebAdapter`` (``kontor.web.adapter``)."""
    players: Mapping[str, str]
    """Computer players by name, the weakest first: the ``Choose`` (``kontor.players``), or the module whose
    ``choose`` it is. ``random`` is in every game; ``casual`` is needed, for it stands in for whoever is away."""
    benchmark_players: Mapping[str, str] = field(default_factory=dict)
    """Players that search as long as they are told, by which others are measured. Their modules have a ``choose``,
    with their usual budget, and ``with_budget(budget)``, which gives a ``Choose``."""
    level_points: Mapping[str, int] = field(default_factory=dict)
    """How strong its levels are (``kontor.players.levels``), by matches of ``kontor simulate``: they hold the scale
    of ratings. ``casual`` stands at 1500, in the middle of people; 400 points more are ten times the odds to win. One
    that is missing is rated as people are."""
    judge: str = ""
    """The ``Judge`` (``kontor.players``): without one there are no hints and no reviews."""
    review: str = ""
    """The ``ReviewAdapter`` (``kontor.review.adapter``), which goes with the judge."""
    analysis: str = ""
    """The ``AnalysisAdapter`` (``kontor.analysis``): without it, no analysis board."""
    puzzles: str = ""
    """The ``PuzzleAdapter`` (``kontor.puzzles.adapter``), where there are puzzles of the game: they are in the
    package's ``puzzles.jsonl``."""
    positions: str = ""
    """The ``PositionsAdapter`` (``kontor.positions.adapter``): without it, no files of judged positions."""
    trainer: str = ""
    """The ``TrainPlayer`` (``kontor.players.training``)."""
    gauge: str = ""
    """The ``GaugePlayer`` (``kontor.players.training``)."""
    research: str = ""
    """The ``ResearchAdapter`` (``kontor.environments.adapter``)."""
    batch: str = ""
    """The ``Simulated`` (``kontor.batch.simulation``)."""
    bench: str = ""
    """A tuple of options with which ``kontor bench`` measures the game: without it, the usual ones."""
    commands: str = ""
    """``add_to(app)``, which adds commands of the game's own to the command line."""

    @cached_property
    def game(self) -> AnyGame:
        """The rules, as pure functions."""
        found: AnyGame = load(self.rules)
        return found


def load(reference: str) -> Any:
    """The object that ``package.module:object`` names. Raises ImportError and AttributeError."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


@cache
def plugins() -> Mapping[str, GamePlugin]:
    """All games that are installed, by name: first those that come with Kontor, and of them the shortest.

    One that cannot be imported is left out, and the log says why: the others are played all the same. Of two with one
    name the first counts.
    """
    found: dict[str, GamePlugin] = {}
    for plugin in sorted(filter(None, map(_imported, entry_points(group=GROUP))), key=_place):
        found.setdefault(plugin.name, plugin)
    return found


def _place(plugin: GamePlugin) -> tuple[bool, int, str]:
    return not plugin.package.startswith("kontor.games."), plugin.minutes, plugin.name


def _imported(entry: EntryPoint) -> GamePlugin | None:
    try:
        plugin = entry.load()
    except (ImportError, AttributeError) as error:
        why = str(error)
    else:
        if isinstance(plugin, GamePlugin) and plugin.name == entry.name:
            return plugin
        why = "it is no GamePlugin of that name"
    logging.getLogger(__name__).warning("The game %s (%s) is left out: %s", entry.name, entry.value, why)
    return None


def plugin_named(name: str) -> GamePlugin:
    """The game with this name, and all that it brings. Raises BadOptions if there is none."""
    plugin = plugins().get(name)
    if plugin is None:
        raise BadOptions("", "There is no game “{name}”. There are: {games}.", name=name, games=", ".join(plugins()))
    return plugin


def _reduce_game(game: AnyGame) -> tuple[Any, ...]:
    """Pickle the rules of an installed game by its name, and copy them as themselves: they never change."""
    if games().get(game.name) is game:
        return game_named, (game.name,)
    reduced: tuple[Any, ...] = object.__reduce_ex__(game, pickle.DEFAULT_PROTOCOL)  # type: ignore[assignment]
    return reduced


copyreg.pickle(Game, _reduce_game)  # type: ignore[arg-type]


@cache
def games() -> Mapping[str, AnyGame]:
    """The rules of all games that are installed, by name."""
    return {name: plugin.game for name, plugin in plugins().items()}


def game_named(name: str) -> AnyGame:
    """The rules of the game with this name. Raises BadOptions if there is none."""
    return plugin_named(name).game
