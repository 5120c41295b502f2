"""The context of Shanghaien's board templates, which read the view and call ``helpers``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kontor.games.shanghaien.rules import Move, View
from kontor.games.shanghaien.rules.components import ROW
from kontor.games.shanghaien.rules.state import Dice
from kontor.games.shanghaien.web.moves import by_kind
from kontor.web.adapter import Seen
from kontor.words import Words


def context(
    words: Words, names: Sequence[str], view: View, moves: Sequence[Move], events: Sequence[Seen] = ()
) -> dict[str, Any]:
    """Return what ``shanghaien/board.html`` needs.

    ``me`` is the seat that is *mine*, ``moves`` the reader's legal moves by kind, none while the other moves. Since
    their last move: ``new`` dice by seat and number, and whether a roll was ``thrown``.
    """
    return {
        "names": tuple(names),
        "view": view,
        "me": view.seat or 0,
        "moves": by_kind(moves if view.seat is not None and view.seat == view.mover else ()),
        "new": _new_dice(view, events),
        "thrown": any(isinstance(event.action, Dice) for _, event, _, _ in events),
    }


def _new_dice(view: View, events: Sequence[Seen]) -> tuple[list[int], list[int]]:
    """Count, by seat and number, the dice that others placed this round since the reader's last move."""
    new = ([0] * ROW, [0] * ROW)
    for _, _, before, after in events:
        if before.round == view.round == after.round:
            for seat in {0, 1} - {view.seat}:
                for at in range(ROW):
                    new[seat][at] += max(0, after.placed[seat][at] - before.placed[seat][at])
    return new
