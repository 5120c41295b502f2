"""Decisions of the Holländer, in games in which all kinds of them come up."""

from collections.abc import Iterator
from functools import cache
from random import Random

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.players import player_named


@cache
def decisions(options: Options, seed: int) -> tuple[State, ...]:
    """Return the states of a game in which a seat has a choice.

    Greedy and random players take turns, so that all kinds of states are reached.
    """
    return tuple(_played(options, seed))


def _played(options: Options, seed: int) -> Iterator[State]:
    random = Random(seed)
    choosing = [player_named("dutchman", name) for name in ("random", "greedy", "greedy")]
    state = DUTCHMAN.start(options)
    while state.mover != OVER:
        if state.mover == CHANCE:
            state = DUTCHMAN.play(state, DUTCHMAN.chance(state).draw(random.randrange))
            continue
        moves = DUTCHMAN.moves(state)
        if len(moves) > 1:
            yield state
        choose = random.choice(choosing)
        state = DUTCHMAN.play(state, choose(DUTCHMAN.view(state, state.mover), moves, random))


@cache
def of_every_step(options: Options) -> tuple[State, ...]:
    """Return a decision of every kind, most of them in the middle of a game."""
    state_of_step: dict[str, State] = {}
    for seed in range(6):
        for state in decisions(options, seed):
            if state.step not in state_of_step or seed == len(state_of_step) % 6:
                state_of_step[state.step] = state
    return tuple(state_of_step.values())
