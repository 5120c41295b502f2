"""Steps of random games: what chance draws, and any legal move."""

from random import Random
from typing import Any

from kontor.game import CHANCE, AnyGame


def random_step(game: AnyGame, state: Any, random: Random) -> Any:
    """Return an outcome, with the probabilities of the rules, or a legal move, each as likely as the others."""
    if state.mover == CHANCE:
        return game.chance(state).draw(random.randrange)
    moves = game.moves(state)
    return moves[random.randrange(len(moves))]
