"""The language of the output, and help translated into it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kontor.plugins import plugins
from kontor.terminal.adapter import terminal_adapters
from kontor.words import Words

LANGUAGE: Final = "--language"


def language_of(arguments: Sequence[str]) -> str | None:
    """Return the language in the arguments; it is needed before parsing, because help is translated too."""
    for place, argument in enumerate(arguments):
        if argument == LANGUAGE and place + 1 < len(arguments):
            return arguments[place + 1]
        if argument.startswith(f"{LANGUAGE}="):
            return argument.partition("=")[2]
    return None


def translated(command: Any, words: Words, **details: str) -> Any:
    """Translate and fill in the help of a command and of all its subcommands; return the command."""
    for part in ("help", "epilog", "short_help"):
        if getattr(command, part, None):
            setattr(command, part, words.say(getattr(command, part), **details))
    for parameter in command.params:
        if getattr(parameter, "help", None):
            parameter.help = words.say(parameter.help, **details)
    for below in getattr(command, "commands", {}).values():
        translated(below, words, **details)
    return command


def help_details(words: Words) -> dict[str, str]:
    """Return the names and titles of games, to fill in the help."""
    names, titles = list(plugins()), [adapter.title for adapter in terminal_adapters().values()]
    return {"game": names[0], "games": words.one_of(names), "titles": words.all_of(titles)}
