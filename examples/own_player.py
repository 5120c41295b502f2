"""A machine player of your own, against `random`: a hundred games of Shanghaien.

It shanghais as soon as it may, and otherwise places the die that makes most dice lie on one card.
"""

from collections.abc import Sequence
from random import Random

from kontor.game import CHANCE
from kontor.players.uniform import choose as uniform
from kontor.shanghaien import SHANGHAIEN, Move, Options, View
from kontor.shanghaien.state import Place, Shanghai


def heaper(view: View, moves: Sequence[Move], random: Random) -> Move:
    """One of the moves. A player is a function of what it may see, and of its own random numbers."""
    if Shanghai() in moves:
        return Shanghai()
    placings = [move for move in moves if isinstance(move, Place)]
    own = view.placed[view.turn]
    return max(placings, key=lambda move: own[move.die - 1]) if placings else random.choice(moves)


def play(random: Random) -> float:
    """One game: 1 for a win of the heaper, ½ for a draw, 0 for a defeat."""
    state = SHANGHAIEN.start(Options())
    while (result := SHANGHAIEN.result(state)) is None:
        if state.mover == CHANCE:
            action = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            choose = (heaper, uniform)[state.mover]
            action = choose(SHANGHAIEN.view(state, state.mover), SHANGHAIEN.moves(state), random)
        state = SHANGHAIEN.play(state, action)
    return result.winners.count(0) / len(result.winners)


if __name__ == "__main__":
    random = Random(1)
    print(f"The heaper has {sum(play(random) for _ in range(100)):g} of 100 points.")
