"""Under which name Kontor is installed, and what is installed of it."""

from __future__ import annotations

import shlex
from importlib.metadata import version
from pathlib import Path
from typing import Final

NAME: Final = "kontor-table"
"""Of the distribution. On PyPI ``kontor`` is somebody else's program, so nothing of ours may tell pip to fetch it."""

_SCRIPT: Final = Path(__file__).parents[2] / "scripts" / "extra"
"""Installs an extra where Kontor runs from its source."""


def installed_version() -> str:
    """Of Kontor. Raises PackageNotFoundError where it merely lies on the path."""
    return version(NAME)


def command_for(extra: str) -> str:
    """The command that installs an extra: in a clone its own, for there pip knows nothing of the environment."""
    if _SCRIPT.is_file():
        return f"{shlex.quote(str(_SCRIPT))} {extra}"
    return f'pip install "{NAME}[{extra}]"'
