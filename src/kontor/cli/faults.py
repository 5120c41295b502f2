"""Sentences for errors, in the reader's language."""

from __future__ import annotations

from traceback import walk_tb

from typer.exceptions import TyperException

from kontor.game import Refusal
from kontor.plugins import PartFailed, leave_out, plugins
from kontor.records import BadRecord
from kontor.terminal.screen import console
from kontor.visible_text import visible
from kontor.words import Words


def print_error(message: str) -> None:
    """Print a sentence to standard error, with control characters escaped: it may quote a stranger's file."""
    console(stderr=True).print(visible(message))


def plugin_failure(fault: BaseException) -> PartFailed | None:
    """Return the failure to report if the error arose in a third-party plug-in, else None."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(fault.__traceback__)]
    for plugin in plugins().values():
        own = [module for module in modules if f"{module}.".startswith(f"{plugin.package}.")]
        if own and not plugin.package.startswith("kontor."):
            return leave_out(plugin, own[-1], fault)
    return None


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
    return words.say("{message} See {path} --help.", message=message, path=path)
