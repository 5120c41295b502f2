"""Helpers for the commands: options for the settings of games, commands of games, and messages for errors."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from traceback import walk_tb
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from kontor.game import BadOptions, Refusal
from kontor.plugins import PartFailed, leave_out, part, plugins
from kontor.records import BadRecord
from kontor.terminal.adapter import Setting, TerminalAdapter, terminal_adapters
from kontor.words import Words

# ----------------------------------------------------------------------------------------- options of the games


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
                "{game} has no option --{name}; it has {known}.",
                game=adapter.title,
                name=name,
                known=", ".join(f"--{setting_name}" for setting_name in setting_names),
            )
    options = adapter.options(settings, names)
    adapter.game.start(options)
    return options


def number(given: str, option: str, least: int) -> int:
    """Return the whole number that was given to an option. Raises BadOptions unless it is ``least`` or more."""
    value = int(given) if given.isascii() and given.lstrip("-").isdigit() and len(given) < 12 else least - 1
    if value < least:
        raise BadOptions(
            "",
            "{option} takes a whole number from {least} on, not “{given}”.",
            option=option,
            least=least,
            given=given,
        )
    return value


def add_commands_of_games(app: typer.Typer) -> None:
    """Add the commands that games bring.

    Commands that fail, or that take the name of another command, are left out.
    """
    for plugin in tuple(plugins().values()):
        if not plugin.commands:
            continue
        before = list(app.registered_commands)
        try:
            part(plugin, "commands", callable)(app)
            names = [_command_name(command) for command in app.registered_commands]
            if twice := next((name for name in names if names.count(name) > 1), None):
                raise ValueError(f"the command “{twice}” exists already")
        except PartFailed:
            pass  # it has been reported
        except (Exception, SystemExit) as error:  # noqa: BLE001 (a plug-in may be third-party code)
            app.registered_commands[:] = before
            leave_out(plugin, "commands", error)


def _command_name(command: Any) -> str:
    return str(command.name or command.callback.__name__.replace("_", "-"))


def plugin_failure(fault: BaseException) -> PartFailed | None:
    """Return the failure to report if the error arose in a third-party plug-in, else None."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(fault.__traceback__)]
    for plugin in plugins().values():
        own = [module for module in modules if f"{module}.".startswith(f"{plugin.package}.")]
        if own and not plugin.package.startswith("kontor."):
            return leave_out(plugin, own[-1], fault)
    return None


# ---------------------------------------------------------------------------------------------- words for faults


def sentence(words: Words, fault: Exception) -> str:
    """Return the message for an error, in the reader's language."""
    if isinstance(fault, BadRecord):
        return words.say("Line {line}: {reason}", line=fault.line, reason=words.refuse(fault))
    if isinstance(fault, Refusal):
        return words.refuse(fault)
    if isinstance(fault, FileExistsError):
        return words.say(
            "The file {file} already exists: resume it with --resume, or choose another name.", file=fault.filename
        )
    if isinstance(fault, OSError):
        why = fault.strerror or str(fault)
        if fault.filename is None:
            return words.say("The system reports: {why}.", why=why)
        return words.say("{file} cannot be used: {why}.", file=fault.filename, why=why)
    assert isinstance(fault, TyperException)
    return _usage(words, fault)


def _usage(words: Words, fault: TyperException) -> str:
    """Return the message for a command that was typed wrongly; Typer's own would say “Error” and “Invalid”."""
    context = getattr(fault, "ctx", None)
    parameter = getattr(fault, "param", None)
    option = getattr(fault, "option_name", "")
    match type(fault).__name__:
        case "MissingParameter" if parameter is not None:
            message = words.say("{what} is missing.", what=parameter.metavar or parameter.name)
        case "NoSuchOption":
            near = sorted(getattr(fault, "possibilities", None) or ())
            message = words.say("There is no option {option}.", option=option)
            if near:
                suggestions = words.one_of(near)
                message = words.say(
                    "There is no option {option}. Did you mean {meant}?", option=option, meant=suggestions
                )
        case "BadParameter" if parameter is not None:
            # Typer's reason is always in English.
            message = words.say("{option} does not take this value.", option=[*parameter.opts, parameter.name][0])
        case _:
            message = str(fault) if str(fault).endswith((".", "?")) else f"{fault}."
    path = context.command_path if context else "kontor"
    return words.say("{said} See {path} --help.", said=message, path=path)
