"""Shanghaien in batches: ``layout`` holds the bytes of a game, ``rules`` its compiled rules."""

from typing import Any, Final

from kontor.batch.loops import kernels_of
from kontor.batch.packed import packed_of
from kontor.batch.simulation import Simulated
from kontor.batch.stepping import stepping_of
from kontor.games.shanghaien.batch import drawing, layout, rules, states, stepping
from kontor.games.shanghaien.rules import SHANGHAIEN, Move, Options, State
from kontor.games.shanghaien.rules.components import ROW, TrickCounts
from kontor.games.shanghaien.rules.numbering import ACTION, MOVES


def _action_of(_state: Any, move: Move) -> int:
    return ACTION[move]


def _move_of(_state: Any, action: int) -> Move:
    if action < 0:
        raise IndexError(action)
    return MOVES[action]


def _columns_of(state: State) -> list[int]:
    return sorted(ACTION[move] for move in SHANGHAIEN.moves(state))


_PROVED: Final = (
    Options(),
    Options(first_trick="reroll"),
    Options(first_trick="both", starter=0),
    Options(first_trick="nudge", starter=1),
    Options(tricks=TrickCounts(nudge=0, both=8, reroll=0), first_trick="both"),
    Options(tricks=TrickCounts(nudge=8, both=0, reroll=0), starter=0),
    Options(tricks=TrickCounts(nudge=1, both=1, reroll=6), first_trick="nudge", starter=1),
)

SIMULATED_SHANGHAIEN: Final = Simulated(
    game=SHANGHAIEN,
    layout=layout.LAYOUT,
    features=layout.FEATURES,
    columns=len(MOVES),
    outcome=ROW,
    kernels=kernels_of(rules, ROW),
    proved=(_PROVED,),
    read=states.read,
    write=states.write,
    action_of=_action_of,
    move_of=_move_of,
    columns_of=_columns_of,
    outcome_row=states.outcome_row,
    outcome_of=states.outcome_of,
    stepping=stepping_of(stepping, ROW, stepping.steps, stepping.width),
    packed=packed_of(drawing, layout.LAYOUT, ROW, len(MOVES), drawing.OUTCOMES),
)

__all__ = ["SIMULATED_SHANGHAIEN"]
