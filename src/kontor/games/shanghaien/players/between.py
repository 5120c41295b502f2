"""The players called ``keen`` and ``strong`` for Shanghaien: between ``casual`` and ``steady``, and between that and
``expert``. Their shares make each step alike, about (docs/strength.csv)."""

from __future__ import annotations

from typing import Final

from kontor.games.shanghaien.players import casual, expert, steady
from kontor.players.mixture import mixture

KEEN: Final = mixture(casual.choose, steady.choose, 0.5)
STRONG: Final = mixture(steady.choose, expert.choose, 0.6)
