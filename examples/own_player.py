"""A computer player of your own, against `random`: a hundred games of Shanghaien.

It looks only at the row: on how many cards does it have more dice than the other? It places dice where they decide
most, and calls “Shanghai!” as soon as it leads on at least two cards more than the other.
"""

from collections.abc import Sequence
from random import Random

from kontor.game import CHANCE
from kontor.games.shanghaien.rules import SHANGHAIEN, Move, Options, View
from kontor.games.shanghaien.rules.state import Place, Shanghai
from kontor.players.uniform import choose as uniform


def leader(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Return one of the moves. A player is a function of what it may see, and of its own random numbers."""
    own, other = view.placed[view.turn], view.placed[1 - view.turn]
    ahead = [own_dice - other_dice for own_dice, other_dice in zip(own, other, strict=True)]
    if Shanghai() in moves and sum(lead > 0 for lead in ahead) >= sum(lead < 0 for lead in ahead) + 2:
        return Shanghai()
    placings = [move for move in moves if isinstance(move, Place)]
    if placings:  # on a level card, one more die decides; on a card far ahead or behind it changes nothing
        return min(placings, key=lambda move: abs(ahead[move.die - 1]))
    return moves[0] if Shanghai() in moves else random.choice(moves)


def play(random: Random) -> float:
    """Play a game; return 1 for a win of the leader, ½ for a draw, 0 for a defeat."""
    state = SHANGHAIEN.start(Options())
    while (result := SHANGHAIEN.result(state)) is None:
        if state.mover == CHANCE:
            action = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            choose = (leader, uniform)[state.mover]
            action = choose(SHANGHAIEN.view(state, state.mover), SHANGHAIEN.moves(state), random)
        state = SHANGHAIEN.play(state, action)
    return result.winners.count(0) / len(result.winners)


if __name__ == "__main__":
    random = Random(1)
    print(f"The leader has {sum(play(random) for _ in range(100)):g} of 100 points.")
