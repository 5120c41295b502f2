"""The players ``keen`` and ``strong`` for Shanghaien.

``keen`` is between ``casual`` and ``steady``, ``strong`` between that and ``expert``. Their shares make the steps in
strength about equal (docs/strength.csv).
"""

from __future__ import annotations

from typing import Final

from kontor.games.shanghaien.players import casual, expert, steady
from kontor.players.mixture import mixture

KEEN: Final = mixture(casual.choose, steady.choose, 0.5)
STRONG: Final = mixture(steady.choose, expert.choose, 0.6)
