"""Der fliegende Holländer (Klaus Teuber, 1992): three to six merchants, secret shares, and a ghost ship.

Rule numbers H1 … H14 are those of the rules of the game. Read ``components`` and ``state`` first (the things), then
``moves`` (the legal moves) and ``play`` (their effects), with ``horseshoes`` and ``bargain``; ``view`` holds what
each seat may know.
"""

from kontor.game import Game
from kontor.games.dutchman.rules import chance, imagine, moves, serialisation, state, view
from kontor.games.dutchman.rules import play as rules
from kontor.games.dutchman.rules.state import Move, Options, State
from kontor.games.dutchman.rules.view import View

DUTCHMAN: Game[Options, State, Move, View] = Game(
    name="dutchman",
    version=1,
    options=Options,
    move=state.Move,
    outcome=state.Outcome,
    view_type=View,
    seats=state.seats,
    moved_on=state.moved_on,
    start=state.start,
    moves=moves.moves,
    chance=chance.chance,
    occasion=chance.occasion,
    play=rules.play,
    view=view.view,
    event=view.event,
    imagine=imagine.imagine,
    result=rules.result,
    serialise=serialisation.serialise,
    deserialise=serialisation.deserialise,
    reveals=view.reveals,
)

__all__ = ["DUTCHMAN", "Move", "Options", "State", "View"]
