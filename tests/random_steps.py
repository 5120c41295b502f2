"""Steps of random games: what chance draws, and any legal move."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from kontor.game import CHANCE, OVER, AnyGame


def random_step(game: AnyGame, state: Any, random: Random) -> Any:
    """Return an outcome, with the probabilities of the rules, or a legal move, each as likely as the others."""
    if state.mover == CHANCE:
        return game.chance(state).draw(random.randrange)
    moves = game.moves(state)
    return moves[random.randrange(len(moves))]


def game_steps(
    game: AnyGame, state: Any, random: Random, choose: Callable[[Any], Any] | None = None
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the steps of a game to its end: the state before, the action, and the state after.

    ``choose`` returns the move of a state; by default it is any legal one.
    """
    while state.mover != OVER:
        before = state
        action = random_step(game, state, random) if choose is None or state.mover == CHANCE else choose(state)
        state = game.play(state, action)
        yield before, action, state
