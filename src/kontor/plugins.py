"""The installed games. Each is a plug-in: a package of its own, found by Python's entry points.

A package that brings a game says so in its ``pyproject.toml``::

    [project.entry-points."kontor.games"]
    pig = "kontor_pig.plugin:PIG"

``docs/own-game.md`` tells how such a package is made.
"""

from __future__ import annotations

import copyreg
import logging
import pickle
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from typing import Any, Final, cast

from kontor.game import AnyGame, BadOptions, Game, Refusal

GROUP: Final = "kontor.games"
"""The group of the entry points: each names a :class:`GamePlugin`, by the game's name."""


@dataclass(frozen=True)
class GamePlugin:
    """A game, and all that it brings.

    Parts are references, written as entry points write them: ``package.module:object``. They are imported when they
    are first needed, so that a game at the terminal does not wait for a web server. An optional part that is missing
    is empty.

    Catalogues are found in the package's folder ``locale``; templates and static files in ``web/templates`` and
    ``web/static`` (a template is included as ``<name>/board.html``, a static file is called ``<name>.css``).
    """

    name: str
    """The name in commands, addresses and records: lower-case letters, digits and ``_``."""
    package: str
    minutes: int
    """Rough length of a game."""
    rules: str
    """The ``Game``."""
    terminal: str
    """The ``TerminalAdapter`` (``kontor.terminal.adapter``)."""
    web: str
    """The ``WebAdapter`` (``kontor.web.adapter``)."""
    players: Mapping[str, str]
    """Computer players by name, the weakest first: the ``Choose`` (``kontor.players``), or the module with a
    function ``choose``. ``random`` is in every game. ``casual`` is required, because it stands in for absent
    people."""
    benchmark_players: Mapping[str, str] = field(default_factory=dict)
    """Benchmark players, which search within a given budget. Their modules have a ``choose``, with their usual
    budget, and ``with_budget(budget)``, which returns a ``Choose``."""
    level_points: Mapping[str, int] = field(default_factory=dict)
    """Strength of its levels (``kontor.players.levels``), by matches of ``kontor simulate``: they anchor the
    scale of ratings. ``casual`` stands at 1500, in the middle of people; 400 points more are ten times the odds to
    win. A level that is missing here is rated like a person."""
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
    """The function that trains the players: used only by ``training/`` in Kontor's repository."""
    gauge: str = ""
    """The function that measures learned chances: used only there."""
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
        """Return the rules, as pure functions. Raises PartFailed."""
        game: AnyGame = part(self, "rules", is_rules)
        return game


class PartFailed(Refusal):
    """A part of a plug-in cannot be imported, or is of a wrong type."""


NEEDED: Final = frozenset({"package", "rules", "terminal", "web", "casual"})
"""Parts without which the whole game is left out; a game that lacks any other is played without that part."""

Check = Callable[[Any], object]
"""Reports, by False or by an exception, that an object cannot be used as a part."""


def part(plugin: GamePlugin, name: str, check: Check = bool, reference: str = "") -> Any:
    """Return a part of a plug-in, imported when it is first needed.

    ``name`` is the field; ``reference`` names the object of a part that has no field. Raises PartFailed, and leaves
    the part out from then on: code of others may fail in any way.
    """
    try:
        loaded = load(reference or getattr(plugin, name))
        if not check(loaded):
            raise TypeError(f"{reference or getattr(plugin, name)} is a {type(loaded).__name__}")
    except Refusal:  # an extra that is not installed
        raise
    except (Exception, SystemExit) as error:
        raise leave_out(plugin, name, error) from error
    return loaded


def leave_out(plugin: GamePlugin, name: str, error: BaseException) -> PartFailed:
    """Leave a part of a plug-in out from now on, or the whole game if it needs the part.

    Return the refusal that describes the failure; it is logged once.
    """
    why = " ".join(f"{type(error).__name__}: {error}".split())
    details = {"game": plugin.name, "package": plugin.package, "part": name, "why": why}
    failed = (
        PartFailed("", "The game {game} ({package}) is left out, because its part “{part}” fails: {why}", **details)
        if name in NEEDED
        else PartFailed(
            "", "The part “{part}” of the game {game} ({package}) is left out, because it fails: {why}", **details
        )
    )
    if (plugin.name, name) not in _left_out:
        _left_out.add((plugin.name, name))
        _log.warning("%s", failed)
    plugins.cache_clear()
    games.cache_clear()
    return failed


_log: Final = logging.getLogger(__name__)
_left_out: Final[set[tuple[str, str]]] = set()
"""Pairs of a game and a part of it that failed in this process."""


def _without_failed(plugin: GamePlugin) -> GamePlugin | None:
    """Return the plug-in without the parts that have failed; None if it needs one of them."""
    failed = {name for game, name in _left_out if game == plugin.name}
    if not failed:
        return plugin
    if failed & NEEDED:
        return None
    empty = {name: "" for name in failed if isinstance(getattr(plugin, name, None), str)}
    able = {name: reference for name, reference in plugin.players.items() if name not in failed}
    return replace(plugin, players=able, **empty)  # type: ignore[arg-type]


def usable(name: str, check: Check = bool) -> dict[str, Any]:
    """Return a part of each game that has it, by the game's name. A part that fails is left out."""
    loaded = {}
    for plugin in tuple(plugins().values()):
        if getattr(plugin, name):
            with suppress(PartFailed):
                loaded[plugin.name] = part(plugin, name, check)
    return {game: loaded[game] for game in plugins() if game in loaded}


def is_rules(loaded: Any) -> bool:
    """Return True for rules with which a game can begin."""
    return isinstance(loaded, Game) and bool(loaded.start(loaded.options()))


def load(reference: str) -> Any:
    """Return the object that ``package.module:object`` names. Raises any error of the module."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


@cache
def plugins() -> Mapping[str, GamePlugin]:
    """Return all installed games by name: those that come with Kontor first, then by length, the shortest first.

    A game that cannot be imported is left out, and the log says why: the others are played all the same. Of two with
    the same name the first counts.
    """
    by_name: dict[str, GamePlugin] = {}
    for plugin in sorted(_installed(), key=_place):
        by_name.setdefault(plugin.name, plugin)
    return {name: working for name, plugin in by_name.items() if (working := _without_failed(plugin))}


@cache
def _installed() -> tuple[GamePlugin, ...]:
    return tuple(filter(None, map(_import, entry_points(group=GROUP))))


def _place(plugin: GamePlugin) -> tuple[bool, int, str]:
    return not plugin.package.startswith("kontor.games."), plugin.minutes, plugin.name


def _import(entry: EntryPoint) -> GamePlugin | None:
    try:
        plugin = entry.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 (a plug-in can be anybody's code)
        why = " ".join(str(error).split()) or type(error).__name__
    else:
        why = _fault_of(plugin, entry.name)
        if not why:
            return cast("GamePlugin", plugin)
    _log.warning("The game %s (%s) is left out: %s", entry.name, entry.value, why)
    return None


_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


def _fault_of(plugin: object, name: str) -> str:
    """Return why an object cannot be used as a plug-in; an empty text if it can."""
    if not isinstance(plugin, GamePlugin) or plugin.name != name:
        return "it is no GamePlugin of that name"
    if not _NAME.fullmatch(name):
        return "its name has other letters than a-z, 0-9 and _"
    wrong = [
        each.name for each in fields(plugin) if each.type == "str" and not isinstance(getattr(plugin, each.name), str)
    ]
    wrong += [each for each in ("rules", "terminal", "web", "package") if not getattr(plugin, each)]
    kinds = {"minutes": int, "players": Mapping, "benchmark_players": Mapping, "level_points": Mapping}
    wrong += [each for each, kind in kinds.items() if not isinstance(getattr(plugin, each), kind)]
    if wrong:
        return f"its part “{wrong[0]}” is missing or of a wrong type"
    if not all(
        isinstance(reference, str) for reference in [*plugin.players.values(), *plugin.benchmark_players.values()]
    ):
        return "its part “players” is of a wrong type"
    if "casual" not in plugin.players:
        return "its part “players” has no “casual”"
    try:
        files(plugin.package)
    except (ImportError, TypeError, ValueError) as error:
        return f"its package {plugin.package} cannot be found: {error}"
    return ""


def plugin_named(name: str) -> GamePlugin:
    """Return the plug-in of the game with this name. Raises BadOptions if there is none."""
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


copyreg.pickle(Game, _reduce_game)


@cache
def games() -> Mapping[str, AnyGame]:
    """Return the rules of all installed games, by name."""
    return usable("rules", is_rules)


def game_named(name: str) -> AnyGame:
    """Return the rules of the game with this name. Raises BadOptions if there is none."""
    return plugin_named(name).game
