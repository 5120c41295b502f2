"""The games in the tools of researchers: OpenSpiel, PettingZoo and Gymnasium.

Their common base is in ``encoders`` (a game by numbered steps), and in one module for each game. ``docs/research.md``
explains the numbers.
"""

from __future__ import annotations

from typing import Final

from kontor.words import mark

RESEARCH: Final = mark("The research environments need the package {package}, which is not installed: {command}")
"""The sentence that is shown where a package of the extra is missing."""
