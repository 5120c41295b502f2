"""The board of Der fliegende Holländer: what its templates know beside the view.

The chart with its chests is the board. Round it are the public facts of the merchants, the lays turned over, the
bargain and the last voyage; before the reader is the own hand. The templates read the view and choose the words; they
ask the helpers for what must be computed first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kontor.games.dutchman.rules import Move, View
from kontor.games.dutchman.web.moves import possible
from kontor.games.dutchman.web.story import Seen, happenings
from kontor.words import Words


def context(
    words: Words, names: Sequence[str], view: View, moves: Sequence[Move], last: Sequence[Seen] = ()
) -> dict[str, Any]:
    """Return what ``dutchman/board.html`` needs.

    ``moves`` are those of the reader: empty while others move; ``last`` are the steps since the reader's last move.
    """
    return {"view": view, "names": tuple(names), "can": possible(view, moves), "happenings": happenings(view, last)}
