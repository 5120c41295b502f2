"""States of games with random moves."""

from random import Random

from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.state import Options as DutchmanOptions
from kontor.games.dutchman.rules.state import State as DutchmanState
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.components import TRICKS
from random_steps import game_steps, random_step


def voyage(players: int, seed: int) -> list[DutchmanState]:
    """Return the states at which the rounds of a randomly played game began, and the last one.

    There are no circles of bargaining: so few random proposals are accepted that most would only take time.
    """
    random = Random(seed)
    played = list(game_steps(DUTCHMAN, DUTCHMAN.start(DutchmanOptions(players, circles=0)), random))
    return [*(before for before, _, _ in played if before.step == "lucky"), played[-1][2]]


def start_round(seed: int, number: int) -> State:
    """Return a table before the row of a round, from a random game in which any cards may be held."""
    random = Random(seed)
    options = Options(first_trick=random.choice((None, *TRICKS)))
    state = SHANGHAIEN.start(options)
    while state.step != "row" or state.round < number:
        action = random_step(SHANGHAIEN, state, random)
        state = SHANGHAIEN.play(state, action)
    return state
