"""Shanghaien in batches: ``layout`` says how a game lies in memory, ``kernels`` are its rules."""

from typing import Any

from kontor.batch.shanghaien import kernels, layout, states
from kontor.batch.simulation import Simulated
from kontor.shanghaien import SHANGHAIEN, Move
from kontor.shanghaien.components import ROW


def _action_of(_state: Any, move: Move) -> int:
    return layout.ACTION[move]


def _move_of(_state: Any, action: int) -> Move:
    return layout.MOVES[action]


SIMULATED_SHANGHAIEN = Simulated(
    game=SHANGHAIEN,
    layout=layout.LAYOUT,
    features=layout.FEATURES,
    actions=len(layout.MOVES),
    outcome=ROW,
    kernels=kernels,
    options_row=layout.options_row,
    read=states.read,
    write=states.write,
    action_of=_action_of,
    move_of=_move_of,
    outcome_row=states.outcome_row,
    outcome_of=states.outcome_of,
)

__all__ = ["SIMULATED_SHANGHAIEN"]
