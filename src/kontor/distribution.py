"""The name of the installed distribution, its version, and the command that installs its extras."""

from __future__ import annotations

import shlex
from importlib.metadata import version
from pathlib import Path
from typing import Final

NAME: Final = "kontor-table"
"""The name of the distribution. On PyPI ``kontor`` is another program, so no text of ours may tell pip to install
that."""

_SCRIPT: Final = Path(__file__).parents[2] / "scripts" / "extra"
"""The script that installs an extra where Kontor runs from its source."""


def installed_version() -> str:
    """Return the version of Kontor. Raises PackageNotFoundError where it is on the path but not installed."""
    return version(NAME)


def command_for(extra: str) -> str:
    """Return the command that installs an extra.

    In a clone it is a script of its own, because pip knows nothing of the environment there.
    """
    if _SCRIPT.is_file():
        return f"{shlex.quote(str(_SCRIPT))} {extra}"
    return f'pip install "{NAME}[{extra}]"'
