"""Commands, run to an exit code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import typer
from typer.exceptions import TyperException

from kontor.cli.faults import plugin_failure, print_error, sentence
from kontor.cli.sharing import with_ray_values
from kontor.game import BadOptions, Refusal
from kontor.plugins import PartFailed
from kontor.terminal.prompt import Leave
from kontor.words import Words

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C."""


def run_command(command: Any, arguments: Sequence[str], program: str, words: Words) -> int:
    """Run a command of a program and return the exit code; known errors are printed as a sentence."""
    try:
        code = command.main(with_ray_values(arguments), prog_name=program, standalone_mode=False, obj=words)
    except (TyperException, BadOptions) as fault:
        print_error(sentence(words, fault))
        return 2
    except PartFailed:  # it has been logged
        return 1
    except (Refusal, OSError) as fault:
        print_error(sentence(words, fault))
        return 1
    except Leave:
        return 0
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as fault:  # only a plug-in of others may raise anything: it is logged, all else goes on
        if plugin_failure(fault) is None:
            raise
        return 1
    if code == INTERRUPTED:  # Typer returns it too, after it has caught Ctrl-C
        print_error(words.say("Stopped before the end."))
    return code if isinstance(code, int) else 0
