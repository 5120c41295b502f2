"""How much a player of Shanghaien would gain by looking two rounds ahead, in rounds before the last.

    nice -n 19 .venv/bin/python -m bench.lookahead --round 4 --positions 10 --rows 16 --plays 4

From starts of a round in games between experts, their tricks taken out and none in the row, the round is played so
many times by this player on both sides. Each decision, a move where there was a choice, is held against two rounds
solved (``learning.lookahead``), over so many next rows: one half of them names the best move, the other half tells
what it is worth more than the one made, and the other way round. So luck of the rows adds nothing on average, and
hides a part of what there is to gain. Percentage points of the chance to win; intervals are of 95 %,
by Student's t over positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from numpy.typing import NDArray

from bench.numbered import asked, cost, growing
from kontor.game import CHANCE
from kontor.games.shanghaien.learning.gold import start_of
from kontor.games.shanghaien.learning.lookahead import mean_ends, next_rows, over_two_rounds
from kontor.games.shanghaien.players.thinking import Thinking
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.state import Move, State
from kontor.intervals import ratio
from kontor.players import Choose, player_named


def main() -> None:
    """Prints the mean gain of a decision, and of a round."""
    args = asked(__doc__, round=4, positions=10, rows=16, plays=4, player="expert")
    choose = player_named("shanghaien", args.player)

    def measure(number: int) -> list[list[float]]:
        stream = f"shanghaien/{args.seed}/lookahead/{args.round}/{number}"
        laid = start_of(args.round, Random(stream), 0)
        worth = over_two_rounds(laid, next_rows(laid, args.rows, Random(f"{stream}/rows")))
        halves = worth[::2], worth[1::2]
        return [gains(laid, halves, choose, Random(f"{stream}/{play}")) for play in range(args.plays)]

    for found in growing(measure, args.first, args.positions):
        decisions = [sum(map(len, plays)) for plays in found]
        gained = [100 * sum(map(sum, plays)) for plays in found]
        mean, doubt = ratio(gained, decisions)
        each, each_doubt = ratio(gained, [args.plays] * len(found))
        print(
            f"round {args.round}, {args.player}, n {len(found)} positions, {sum(decisions)} decisions: "
            f"{mean:+.3f} ± {doubt:.3f} a decision, {each:+.2f} ± {each_doubt:.2f} a round of both; {cost()}",
            flush=True,
        )


def gains(laid: State, halves: Sequence[NDArray[Any]], choose: Choose, random: Random) -> list[float]:
    """What looking ahead gains at each decision of a round, as parts of a victory, if both choose so. ``halves`` are
    two of what the ends are worth, by row."""
    judges = [_judge(half) for half in halves]
    found: list[float] = []
    state = laid
    while state.step != "row":
        if state.mover == CHANCE:
            action: Any = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            view, moves = SHANGHAIEN.view(state, state.mover), SHANGHAIEN.moves(state)
            action = choose(view, moves, random)
            if len(moves) > 1:
                one, other = (dict(judge.worths(view, moves, action)) for judge in judges)
                found.append((_gain(one, other, action, state.turn) + _gain(other, one, action, state.turn)) / 2)
        state = SHANGHAIEN.play(state, action)
    return found


def _judge(worth: NDArray[Any]) -> Thinking:
    ends = mean_ends(worth)
    return Thinking(lambda view: ends)


def _gain(named_by: dict[Move, float], told_by: dict[Move, float], made: Move, turn: int) -> float:
    """What the best move is worth more than the one made; seat 0 wants much, seat 1 little."""
    better = (min if turn else max)(named_by, key=lambda move: named_by[move])
    return (told_by[better] - told_by[made]) * (-1 if turn else 1)


if __name__ == "__main__":
    main()
