"""States of games with random moves."""

from random import Random

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules.chance import chance
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.play import play
from kontor.games.dutchman.rules.state import Options as DutchmanOptions
from kontor.games.dutchman.rules.state import State as DutchmanState
from kontor.games.dutchman.rules.state import start
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.components import TRICKS
from random_steps import random_step


def voyage(players: int, seed: int) -> list[DutchmanState]:
    """Return the states at which the rounds of a randomly played game began, and the last one.

    There are no circles of bargaining: so few random proposals are accepted that most would only take time.
    """
    random = Random(seed)
    states = []
    state = start(DutchmanOptions(players, circles=0))
    while state.mover != OVER:
        if state.step == "lucky":
            states.append(state)
        drawn = chance(state).draw(random.randrange) if state.mover == CHANCE else random.choice(moves(state))
        state = play(state, drawn)
    return [*states, state]


def start_round(seed: int, number: int) -> State:
    """Return a table before the row of a round, from a random game in which any cards may be held."""
    random = Random(seed)
    options = Options(first_trick=random.choice((None, *TRICKS)))
    state = SHANGHAIEN.start(options)
    while state.step != "row" or state.round < number:
        action = random_step(SHANGHAIEN, state, random)
        state = SHANGHAIEN.play(state, action)
    return state
