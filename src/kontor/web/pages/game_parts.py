"""The parts of a game that a server needs; those of plug-ins by others are tested before anybody plays them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from kontor.analysis import adapter as analysis
from kontor.players import judge_named, player_named, players_of
from kontor.plugins import GamePlugin, PartFailed, leave_out, plugins
from kontor.puzzles import adapter as puzzles
from kontor.review import adapter as review
from kontor.web.adapter import web_adapters

NEEDED: Final = ("sign.svg", "options.html", "board.html")
"""Templates that every game has."""

_OPTIONAL: Final[Mapping[str, Callable[[str], Any]]] = {
    "judge": judge_named,
    "review": review.adapter_of,
    "analysis": analysis.adapter_of,
    "puzzles": puzzles.adapter_of,
}


def template_loaders() -> dict[str, PackageLoader]:
    """Return the template loader of each game.

    A plug-in by others is tested first: a game that a server can't use is left out, and so is each part of it that
    fails.
    """
    web_adapters()
    loaders = {}
    for plugin in tuple(plugins().values()):
        try:
            loaders[plugin.name] = PackageLoader(f"{plugin.package}.web")
            if not plugin.package.startswith("kontor.games."):
                _try_templates(plugin, loaders[plugin.name])
        except Exception as error:  # noqa: BLE001 (templates of others can raise anything)
            leave_out(plugin, "web", error)
            continue
        if not plugin.package.startswith("kontor.games."):
            _try_parts(plugin)
    web_adapters.cache_clear()
    return {game: loaders[game] for game in plugins()}


def _try_templates(plugin: GamePlugin, loader: PackageLoader) -> None:
    """Raise an error for missing or unreadable templates, and for a sign that can't be rendered."""
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    for name in (*NEEDED, *loader.list_templates()):
        environment.parse(environment.loader.get_source(environment, name)[0], name)  # type: ignore[union-attr]
    environment.get_template("sign.svg").render(game=plugin.name)


def _try_parts(plugin: GamePlugin) -> None:
    for name in players_of(plugin.name):
        if plugin.name not in plugins():
            return  # the game was left out, because its casual player failed
        with suppress(PartFailed):
            player_named(plugin.name, name)
    for name, load in _OPTIONAL.items():
        if plugin.name in plugins() and getattr(plugin, name):
            with suppress(PartFailed):
                load(plugin.name)
