"""The players called ``keen`` and ``strong`` for Der fliegende Holländer: between ``casual`` and ``steady``, which is
``greedy``, and between that and ``expert``. Their shares make each step alike, about (docs/strength.csv)."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman.players import casual, expert, greedy
from kontor.players.mixture import mixture

KEEN: Final = mixture(casual.choose, greedy.choose, 0.5)
STRONG: Final = mixture(greedy.choose, expert.choose, 0.4)
