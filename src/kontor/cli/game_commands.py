"""Commands that games bring."""

from __future__ import annotations

from typing import Any

import typer

from kontor.plugins import PartFailed, leave_out, part, plugins


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
