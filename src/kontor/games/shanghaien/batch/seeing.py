"""What the seat to move may know, as numbers (``layout.FEATURES``)."""

from __future__ import annotations

from kontor.batch.arrays import Bytes, Reals
from kontor.batch.compiled import njit_inline
from kontor.games.shanghaien.batch.places import (
    CARD_KINDS,
    CARDS,
    CREWS,
    DUE_BOTH,
    DUE_PLACE,
    DUE_TURN,
    HIGH,
    IN_PILE,
    KINDS,
    LOW,
    ONE_AT,
    PILE,
    PLACED,
    ROUND,
    SEES_ONE_AT,
    SEES_PLACED,
    SEES_ROLL,
    SEES_ROUND,
    SEES_ROW,
    SEES_SPENT,
    SEES_STARTER,
    SEES_STEP,
    SEES_STRENGTH,
    SEES_TO_COME,
    SEES_TRICKS,
    SPENT,
    STARTER,
    STEP,
    STRENGTH,
    TRICKS,
    TURN,
)
from kontor.games.shanghaien.rules.components import ROW


@njit_inline
def see(rows: Bytes, game: int, features: Reals) -> None:
    """What lies open, if a seat is to move: its own things first."""
    step = rows[game, STEP]
    if step in (DUE_TURN, DUE_PLACE, DUE_BOTH):
        _see(rows, game, rows[game, TURN], features)


@njit_inline
def _see(rows: Bytes, game: int, seat: int, features: Reals) -> None:
    step = rows[game, STEP]
    features[game, SEES_STEP + (0 if step == DUE_TURN else 1 if step == DUE_PLACE else 2)] = 1
    if rows[game, LOW]:
        features[game, SEES_ROLL + rows[game, LOW] - 1] += 1
        features[game, SEES_ROLL + rows[game, HIGH] - 1] += 1
    features[game, SEES_ONE_AT + rows[game, ONE_AT]] = 1
    features[game, SEES_ROUND] = rows[game, ROUND]
    features[game, SEES_STARTER] = rows[game, STARTER] == seat
    for at in range(ROW):
        card = rows[game, CARDS + at]
        features[game, SEES_ROW + CARD_KINDS * at + card] = 1
    for place in range(rows[game, IN_PILE]):
        features[game, SEES_TO_COME + rows[game, PILE + place]] += 1
    for side in range(2):
        who = seat if side == 0 else 1 - seat
        features[game, SEES_SPENT + side] = rows[game, SPENT + who]
        for at in range(ROW):
            features[game, SEES_PLACED + ROW * side + at] = rows[game, PLACED + ROW * who + at]
        for kind in range(KINDS):
            features[game, SEES_TRICKS + KINDS * side + kind] = rows[game, TRICKS + KINDS * who + kind]
        for nation in range(CREWS):
            features[game, SEES_STRENGTH + CREWS * side + nation] = rows[game, STRENGTH + CREWS * who + nation]
