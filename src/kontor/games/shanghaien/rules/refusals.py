"""Reasons to refuse a move: the rule of Shanghaien that it breaks, and a sentence.

Only words are decided here. What is legal is decided by ``rules.moves`` alone; a move comes here once it is refused.
"""

from __future__ import annotations

from typing import Any

from kontor.game import OVER, IllegalMove
from kontor.games.shanghaien.rules.components import ROW
from kontor.games.shanghaien.rules.state import Both, Joker, Move, Nudge, Number, Place, Reroll, Roll, Shanghai, State


def impossible(state: State, action: Any) -> IllegalMove:
    """Return the refusal of any action after the end, or of an impossible one when chance is to act."""
    if state.mover == OVER:
        return IllegalMove("S10", "The game is over after eight rounds.")
    rule = "S6" if state.step in ("roll", "reroll") else "S3" if state.round == 1 else "S10"
    if isinstance(action, Move):
        return IllegalMove(rule, "A chance outcome is due now, not a player’s move.")
    return IllegalMove(rule, "That outcome is not possible here.")


def refusal(state: State, move: Any) -> IllegalMove:
    """Return the refusal of an illegal move in a state in which a seat is to move."""
    if not isinstance(move, Move):
        return IllegalMove("S4", "This is not a move of Shanghaien.")
    if isinstance(move, Roll | Shanghai):
        return _turn(state, move)
    if state.step == "turn":
        if isinstance(move, Joker | Nudge | Both | Reroll):
            return IllegalMove("S8", "You can use a trick only directly after your own roll.")
        if isinstance(move, Number):
            return IllegalMove(
                "S7", "The starting player decides once per round, after the first roll, at which end the 1 is."
            )
        return IllegalMove("S6", "Roll first, then place one of the two dice.")
    if isinstance(move, Number):
        if state.one_at is None:
            return IllegalMove("S7", "The 1 can only be on the left or on the right.")
        return IllegalMove("S7", "The position of the 1 is already decided for this round.")
    if state.step == "both":
        return IllegalMove("S7", "First choose the end for the 1; then both dice are placed.")
    if isinstance(move, Place):
        if not state.one_at:
            return IllegalMove("S7", "First choose at which end of the row the 1 is.")
        return IllegalMove("S6", "You did not roll a {die}.", die=move.die)
    return _trick(state, move)


def _turn(state: State, move: Roll | Shanghai) -> IllegalMove:
    if state.step != "turn":
        return IllegalMove("S6", "You have rolled: now place one of the dice.")
    if isinstance(move, Roll):
        return IllegalMove("S5", "You have fewer than two dice left: you must call “Shanghai!”.")
    return IllegalMove("S4", "You can call “Shanghai!” only after placing at least two of your own dice.")


def _trick(state: State, move: Joker | Nudge | Both | Reroll) -> IllegalMove:
    crew = state.crews[state.turn]
    if state.spent[state.turn]:
        return IllegalMove("S8", "You have already used a trick this round: your captain stands at the row.")
    trick = move.trick if isinstance(move, Joker) else type(move).__name__.lower()
    if trick not in crew.tricks:
        return IllegalMove("S8", "You have no trick card “{trick}”.", trick=trick)
    if isinstance(move, Joker):
        return IllegalMove("S8a", "A joker needs a nation of which you already have sailors.")
    if isinstance(move, Nudge) and move.die in (state.roll or ()):
        return IllegalMove(
            "S8b",
            "A die changes by 1, within 1 to {most}: {die} to {to} is not possible.",
            most=ROW,
            die=move.die,
            to=move.to,
        )
    return IllegalMove("S8b", "You did not roll a {die}.", die=getattr(move, "die", 0))
