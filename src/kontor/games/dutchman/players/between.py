"""Computer players ``keen`` and ``strong`` for Der fliegende Holländer.

``keen`` is between ``casual`` and ``steady`` (which is ``greedy``), ``strong`` between ``steady`` and ``expert``. The
parts of their mixtures make all steps of strength about equal (docs/strength.csv).
"""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman.players import casual, expert, greedy
from kontor.players.mixture import mixture

KEEN: Final = mixture(casual.choose, greedy.choose, 0.5)
STRONG: Final = mixture(greedy.choose, expert.choose, 0.4)
