"""The games in the tools of researchers: OpenSpiel, PettingZoo and Gymnasium.

What they share is in ``encoders`` (a game by numbered steps), and in one module for each game. ``docs/research.md``
tells what the numbers mean.
"""

from __future__ import annotations

from typing import Final

from kontor.words import mark

RESEARCH: Final = mark("The research environments need the package {package}, which is not installed: {command}")
"""What is said where a package of the extra is missing."""
