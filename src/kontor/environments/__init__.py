"""The games in the tools of researchers: OpenSpiel, PettingZoo and Gymnasium.

What they share is in ``forms`` (a game by numbered steps), and in one module for each game. ``docs/research.md``
tells what the numbers mean.
"""

from __future__ import annotations

from importlib.util import find_spec

from kontor.game import Refusal


class MissingExtra(Refusal):
    """A package that an environment needs is not installed."""


def need(package: str) -> None:
    """Raises MissingExtra if the package is not installed."""
    if find_spec(package) is None:
        raise MissingExtra(
            "",
            "The research environments need the package {package}, which is not installed:"
            ' pip install "kontor[research]".',
            package=package,
        )
