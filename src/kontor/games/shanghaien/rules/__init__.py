"""Shanghaien (Roman Pelek and Michael Schacht, 2008): two captains recruit crews with dice.

Rule numbers S1 … S12 are those of the rules of the game. Start with ``state`` (what there is), then ``rules`` (what
may be done), ``scoring`` and ``view``.
"""

from kontor.game import Game
from kontor.games.shanghaien.rules import play as rules
from kontor.games.shanghaien.rules import state, view
from kontor.games.shanghaien.rules.state import Move, Options, State
from kontor.games.shanghaien.rules.view import View
from kontor.open_game import Serialiser, nothing_is_hidden

_serialiser = Serialiser[Options, State](State)

SHANGHAIEN: Game[Options, State, Move, View] = Game(
    name="shanghaien",
    version=1,
    options=Options,
    move=state.Move,
    outcome=state.Outcome,
    view_type=View,
    seats=state.seats,
    moved_on=state.moved_on,
    start=state.start,
    moves=rules.moves,
    chance=rules.chance,
    occasion=rules.occasion,
    play=rules.play,
    view=view.view,
    event=view.event,
    imagine=view.imagine,
    result=rules.result,
    serialise=_serialiser.serialise,
    deserialise=_serialiser.deserialise,
    reveals=nothing_is_hidden,
)

__all__ = ["SHANGHAIEN", "Move", "Options", "State", "View"]
