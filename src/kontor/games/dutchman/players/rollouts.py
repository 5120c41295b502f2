"""Playing an imagined game on to the end of the round, with the player called ``greedy`` for everybody; but
agreements come about by chance (``agreeing``).

What is imagined is whole: nothing in it is hidden from us. But each merchant in it decides from a view of their own,
so nobody is held to know more than they could.
"""

from __future__ import annotations

from random import Random

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.players import agreeing, greedy
from kontor.games.dutchman.rules.chance import chance
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.play import carried_out
from kontor.games.dutchman.rules.state import Move, Sail, State
from kontor.games.dutchman.rules.view import view

Ends = dict[str | None, State]
"""How a round ends, by the field to which the thinking seat sails if it steers alone; None if it does not."""


def at_rest(state: State) -> bool:
    """Whether a round is about to begin, or the game is over: what is between is judged by playing it."""
    return state.step == "lucky" or state.mover == OVER


def ends(state: State, seat: int, random: Random) -> Ends:
    """The states when the round is over: all that follow if ``seat`` steers, since where it sails is its choice."""
    while not at_rest(state):
        if state.mover == seat and state.step == "sail":
            return {field: _end(carried_out(state, Sail(field)), seat, random) for field in _ahead(state)}
        state = _step(state, seat, random)
    return {None: state}


def _ahead(state: State) -> tuple[str, ...]:
    return state.sea.ahead[state.dutchman][state.came_from]


def _end(state: State, seat: int, random: Random) -> State:
    while not at_rest(state):
        state = _step(state, seat, random)
    return state


def _step(state: State, seat: int, random: Random) -> State:
    if state.mover == CHANCE:
        return carried_out(state, chance(state).draw(random.randrange))
    return carried_out(state, next_move(state, seat, random))


def next_move(state: State, seat: int, random: Random) -> Move:
    """What the thinking seat expects of the mover."""
    seen = view(state, state.mover)
    if state.mover == seat and state.step == "propose":
        return agreeing.proposal(seen)
    if state.mover != seat and state.step == "answer":
        return agreeing.answer(seen, random)
    if state.mover != seat and state.step == "name":
        return agreeing.name(seen, random)
    return greedy.choose(seen, moves(state), random)
