"""Reasons for refusing a move: the rule of Der fliegende Holländer that it breaks, and a sentence.

This module only chooses the words. ``moves`` alone decides what is legal; a move comes here once it is refused.
"""

from __future__ import annotations

from typing import Any, Final

from kontor.game import OVER, IllegalMove, is_malformed
from kontor.games.dutchman.rules.components import MOST_SILVER
from kontor.games.dutchman.rules.state import (
    Accept,
    Check,
    Decline,
    Keep,
    Kontor,
    Lay,
    Move,
    Name,
    Pass,
    Propose,
    Put,
    Sail,
    Show,
    Smith,
    State,
    Step,
    Waive,
    Withhold,
)
from kontor.words import mark

_DUE: Final[dict[Step, tuple[str, str, tuple[type, ...]]]] = {
    "action": (
        "H6",
        mark("Choose one action: a Kontor card, a Smith card, or horseshoes."),
        (Kontor, Smith, Lay, Pass),
    ),
    "put": ("H6a", mark("Put two of your five shares under the Kontor pile first."), (Put,)),
    "sail": ("H8", mark("You are nearest: move the Dutchman."), (Sail,)),
    "name": ("H9", mark("Name the destination you want."), (Name,)),
    "propose": ("H9", mark("Make a proposal, or make none."), (Propose, Withhold)),
    "answer": ("H9", mark("Accept the proposal or decline it."), (Accept, Decline)),
    "again": ("H10", mark("Play more horseshoes, or pass."), (Lay, Pass)),
    "show": ("H12", mark("Show one share, or keep them hidden."), (Show, Keep)),
    "check": ("H11a", mark("Ask for the Kontor pile to be checked, or leave it."), (Check, Waive)),
}
"""For each step of a player: its rule, the demand, and the types of moves allowed."""

_CHANCE: Final[dict[Step, str]] = {
    "starter": "H5",
    "deal": "H4",
    "lucky": "H5",
    "share": "H6b",
    "rolling": "H10a",
    "shuffle": "H11",
    "reshuffle": "H11a",
}


def impossible(state: State, action: Any) -> IllegalMove:
    """Return the refusal of any action after the end, or of an impossible one when chance is to act."""
    if state.mover == OVER:
        return IllegalMove("H13", "The game is over.")
    if isinstance(action, Move):
        return IllegalMove(_CHANCE[state.step], "A chance outcome is due now, not a player’s move.")
    return IllegalMove(_CHANCE[state.step], "That outcome is not possible here.")


def refusal(state: State, move: Any) -> IllegalMove:
    """Return the refusal of a move that is not legal in a state in which a seat is to move."""
    rule, due, moves = _DUE[state.step]
    if not isinstance(move, Move):
        return IllegalMove(rule, "This is not a move of Der fliegende Holländer.")
    if not isinstance(move, moves):
        return IllegalMove(rule, due)
    if isinstance(move, Put):
        return _put(state, move)
    if is_malformed(move, Move):
        return IllegalMove(rule, "This is not a move of Der fliegende Holländer.")
    match move:
        case Kontor():
            return IllegalMove("H6a", "You have no Kontor card left.")
        case Smith():
            return IllegalMove("H6b", "You have no Smith card left.")
        case Pass():
            return IllegalMove(
                "H6d", "You can pass only with fewer than {few} horseshoes.", few=state.options.box.few
            )
        case Lay():
            return _lay(state, move)
        case Sail() | Name():
            return _destination(state, move.to)
        case Propose():
            return _proposal(state, move)
        case _:
            return IllegalMove("H12", "You can show only a share that you have.")


def _put(state: State, move: Put) -> IllegalMove:
    shares = list(state.merchants[state.mover].shares)
    for share in () if is_malformed(move, Move) else move.shares:
        if share not in shares:
            return IllegalMove("H6a", "You do not have so many shares in {colour}.", colour=share)
        shares.remove(share)
    return IllegalMove("H6a", "Put back two of your five shares, in the order of the colours.")


def _lay(state: State, move: Lay) -> IllegalMove:
    horseshoes = move.horseshoes
    if not horseshoes:
        return IllegalMove("H6c", "Play at least one horseshoe.")
    rack = list(state.merchants[state.mover].rack)
    for horseshoe in horseshoes:
        if horseshoe not in rack:
            return IllegalMove("H6c", "You do not have the horseshoe {horseshoe}.", horseshoe=horseshoe)
        rack.remove(horseshoe)
    if sum(horseshoe > MOST_SILVER for horseshoe in horseshoes) > 1:
        return IllegalMove("H6c", "At most one golden horseshoe can be played.")
    return IllegalMove("H6c", "Horseshoes are listed from the highest down.")


def _destination(state: State, to: str) -> IllegalMove:
    if to == state.came_from:
        return IllegalMove("H8", "The Dutchman cannot go back to {field}, where it came from.", field=to)
    return IllegalMove("H8", "No line leads from {here} to {field}.", here=state.dutchman, field=to)


def _proposal(state: State, move: Propose) -> IllegalMove:
    if move.to not in state.sea.ahead[state.dutchman][state.came_from]:
        return _destination(state, move.to)
    tied = state.bargain.tied if state.bargain else ()
    if len(move.ducats) != len(tied):
        return IllegalMove(
            "H9", "A proposal says for each of the {count} tied players what they pay or get.", count=len(tied)
        )
    if sum(move.ducats):
        return IllegalMove("H9", "The total paid and the total received must be the same.")
    return IllegalMove("H9", "Nobody can pay more ducats than they have.")
