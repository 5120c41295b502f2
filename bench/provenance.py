"""Columns that say where the figures of a table come from: player version, weights, command, interval."""

from __future__ import annotations

import subprocess
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final

from kontor.distribution import installed_version

T_BY_GROUP: Final = "Student's t by group"
"""Method by which :func:`kontor.intervals.grouped` finds an interval; groups that are all alike get Wilson's."""


def player_version() -> str:
    """Return the commit of this clone, or the installed version of Kontor."""
    command = ["git", "rev-parse", "--short=8", "HEAD"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else installed_version()


def weights_digest(game: str) -> str:
    """Return the first 12 digits of the SHA-256 of a game's shipped ``values.npz``."""
    return digest_of(files(f"kontor.games.{game}.players").joinpath("values.npz").read_bytes())


def digest_of(weights: bytes) -> str:
    """Return the first 12 digits of the SHA-256 of a file of weights."""
    return sha256(weights).hexdigest()[:12]
