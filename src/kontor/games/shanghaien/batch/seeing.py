"""Observations of the seat to move, as numbers (``layout.FEATURES``)."""

from __future__ import annotations

from kontor.batch.arrays import GameRow
from kontor.batch.compiled import njit_inline
from kontor.games.shanghaien.batch.tables import CREWS, DUE_BOTH, DUE_PLACE, DUE_TURN, KINDS
from kontor.games.shanghaien.rules.components import ROW


@njit_inline
def see(game: GameRow, seen: GameRow) -> None:
    """Write the observation of the seat to move, if there is one: its own things first."""
    if game.step in (DUE_TURN, DUE_PLACE, DUE_BOTH):
        _see(game, game.turn, seen)


@njit_inline
def _see(game: GameRow, seat: int, seen: GameRow) -> None:
    step = game.step
    seen.step[0 if step == DUE_TURN else 1 if step == DUE_PLACE else 2] = 1
    if game.roll[0]:
        seen.roll[game.roll[0] - 1] += 1
        seen.roll[game.roll[1] - 1] += 1
    seen.one_at[game.one_at] = 1
    seen.round = game.round
    seen.starter = game.starter == seat
    for at in range(ROW):
        seen.row[at, game.row[at]] = 1
    for place in range(game.left):
        seen.to_come[game.pile[place]] += 1
    for side in range(2):
        who = seat if side == 0 else 1 - seat
        seen.spent[side] = game.spent[who]
        for at in range(ROW):
            seen.placed[side, at] = game.placed[who, at]
        for kind in range(KINDS):
            seen.tricks[side, kind] = game.tricks[who, kind]
        for nation in range(CREWS):
            seen.strength[side, nation] = game.strength[who, nation]
