"""Commands speak the language of whoever gives them, their help included; and what several of them ask for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from kontor.words import Words

LANGUAGE: Final = "--language"


def language_of(arguments: Sequence[str]) -> str | None:
    """The language asked for, known before anything is parsed, since help is in words too."""
    for place, argument in enumerate(arguments):
        if argument == LANGUAGE and place + 1 < len(arguments):
            return arguments[place + 1]
        if argument.startswith(f"{LANGUAGE}="):
            return argument.partition("=")[2]
    return None


def translated(command: Any, words: Words) -> Any:
    """A command with its help, and that of all below it, in the language of the words."""
    for part in ("help", "epilog", "short_help"):
        if getattr(command, part, None):
            setattr(command, part, words.say(getattr(command, part)))
    for parameter in command.params:
        if getattr(parameter, "help", None):
            parameter.help = words.say(parameter.help)
    for below in getattr(command, "commands", {}).values():
        translated(below, words)
    return command


def data_folder() -> Path:
    """Where the house is kept if nothing else is said."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "kontor"
