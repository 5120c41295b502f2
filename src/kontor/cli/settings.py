"""Options of commands for the settings of games."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer

from kontor.game import BadOptions
from kontor.terminal.adapter import Setting, TerminalAdapter, terminal_adapters


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with an option for each setting of each game; those given reach it as ``settings``."""
    signature = inspect.signature(command, eval_str=True)
    settings = _all_settings()
    own = [parameter for name, parameter in signature.parameters.items() if name != "settings"]
    added = [_parameter(setting) for setting in settings.values()]

    @functools.wraps(command)
    def extended(**given: Any) -> None:
        chosen = {name: given.pop(_variable(name)) for name in settings}
        command(**given, settings={name: value for name, value in chosen.items() if value is not None})

    extended.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    return extended


def _all_settings() -> dict[str, Setting]:
    return {setting.name: setting for adapter in terminal_adapters().values() for setting in adapter.settings}


def _variable(name: str) -> str:
    """Return the name of the parameter for a setting; no own parameter of a command begins like it."""
    return f"setting_{name.replace('-', '_')}"


def _parameter(setting: Setting) -> inspect.Parameter:
    option = typer.Option(f"--{setting.name}", metavar=setting.value, help=setting.help, show_default=False)
    return inspect.Parameter(
        _variable(setting.name),
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[str | None, option],
    )


def options_from(adapter: TerminalAdapter, settings: Mapping[str, str], names: Sequence[str]) -> Any:
    """Return the game's options for these settings.

    Raises BadOptions, also for a setting that only another game has.
    """
    setting_names = [setting.name for setting in adapter.settings]
    for name in settings:
        if name not in setting_names:
            raise BadOptions(
                "",
                "{game} has no option --{name}; it has {options}.",
                game=adapter.title,
                name=name,
                options=", ".join(f"--{setting_name}" for setting_name in setting_names),
            )
    options = adapter.options(settings, names)
    adapter.game.start(options)
    return options
