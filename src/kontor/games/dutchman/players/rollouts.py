"""Imagined games played to the end of the round: all seats play as ``greedy``, but agree at random (``agreeing``).

An imagined state is complete: nothing in it is hidden from us. But each merchant in it decides from their own view,
so that they use only what they could know.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.players import agreeing, greedy
from kontor.games.dutchman.rules.chance import chance
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.play import carried_out
from kontor.games.dutchman.rules.state import Decline, Move, Name, Sail, State
from kontor.games.dutchman.rules.view import View, view

Ends = dict[str | None, State]
"""Ends of a round, by the field to which the thinking seat sails if it steers alone, otherwise by None."""


def at_rest(state: State) -> bool:
    """Return True if a round is about to begin, or the game is over.

    States in between are judged by playing them to that point.
    """
    return state.step == "lucky" or state.mover == OVER


class Rollout:
    """One imagined round, played on as the thinking seat expects it.

    ``refusing`` are other seats that agree to nothing. After :meth:`ends`, ``agreed`` holds the other seats whose
    consent made an agreement: without it the round would have gone on differently.
    """

    def __init__(self, seat: int, random: Random, refusing: Collection[int] = ()) -> None:
        self._seat = seat
        self._random = random
        self._refusing = refusing
        self.agreed: set[int] = set()

    def ends(self, state: State) -> Ends:
        """Return the states when the round is over: all that follow if ``seat`` steers, since it chooses where."""
        while not at_rest(state):
            if state.mover == self._seat and state.step == "sail":
                return {field: self._end(carried_out(state, Sail(field))) for field in _ahead(state)}
            state = self._after_step(state)
        return {None: state}

    def _end(self, state: State) -> State:
        while not at_rest(state):
            state = self._after_step(state)
        return state

    def _after_step(self, state: State) -> State:
        if state.mover == CHANCE:
            return carried_out(state, chance(state).draw(self._random.randrange))
        return carried_out(state, self._next_move(state))

    def _next_move(self, state: State) -> Move:
        """Return what the thinking seat expects of the mover."""
        seen = view(state, state.mover)
        if state.step == "answer":
            return self._answer(seen, state)
        if state.step == "name":
            return self._name(seen, state)
        if state.mover == self._seat and state.step == "propose":
            return agreeing.proposal(seen)
        return greedy.choose(seen, moves(state), self._random)

    def _answer(self, seen: View, state: State) -> Move:
        """Answer a proposal, and note who consents to it."""
        if state.mover == self._seat:
            answer = greedy.choose(seen, moves(state), self._random)
        else:
            # A refusing seat draws its random number too, so that the luck of what follows stays the same.
            answer = agreeing.answer(seen, self._random)
            if state.mover in self._refusing:
                answer = Decline()
        if answer == Decline():
            self.agreed.clear()
        elif state.mover != self._seat:
            self.agreed.add(state.mover)
        return answer

    def _name(self, seen: View, state: State) -> Move:
        """Name a destination, and note who joins the one that all have named so far."""
        if state.mover == self._seat:
            named = greedy.choose(seen, moves(state), self._random)
        else:
            named = agreeing.name(seen, self._random)
            if state.mover in self._refusing:
                named = agreeing.own_destination(seen)
        assert isinstance(named, Name)
        assert seen.bargain
        before = set(seen.bargain.named)
        if before - {named.to}:
            self.agreed.clear()
        elif before and state.mover != self._seat:
            self.agreed.add(state.mover)
        return named


def _ahead(state: State) -> tuple[str, ...]:
    return state.sea.ahead[state.dutchman][state.came_from]
