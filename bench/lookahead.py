"""Gains of a player of Shanghaien from looking two rounds ahead, in rounds before the last.

    nice -n 19 .venv/bin/python -m bench.lookahead --round 4 --positions 10 --rows 16 --plays 4

Positions are starts of a round in games between experts, with their tricks removed and none in the row. From each,
this player plays the round on both sides, ``--plays`` times. A decision is a move where there was a choice. Each
decision is compared with two solved rounds (``training.shanghaien.lookahead``), over ``--rows`` next rows.

One half of the rows names the best move, and the other half values it against the move made; then the halves change
roles. So luck of the rows adds nothing on average, and hides a part of the possible gain. Figures are percentage
points of the chance to win; intervals are of 95 %, by Student's t over positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from numpy.typing import NDArray

from bench.numbered import cost, growing, parse_args
from kontor.game import CHANCE
from kontor.games.shanghaien.players.thinking import Thinking
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.state import Move, State
from kontor.intervals import ratio
from kontor.players import Choose, player_named
from training.shanghaien.gold import start_of
from training.shanghaien.lookahead import mean_ends, next_rows, over_two_rounds


def main() -> None:
    """Print the mean gain of a decision, and of a round."""
    args = parse_args(__doc__, round=4, positions=10, rows=16, plays=4, player="expert")
    choose = player_named("shanghaien", args.player)

    def measure(number: int) -> list[list[float]]:
        stream = f"shanghaien/{args.seed}/lookahead/{args.round}/{number}"
        laid = start_of(args.round, Random(stream), 0)
        worth = over_two_rounds(laid, next_rows(laid, args.rows, Random(f"{stream}/rows")))
        halves = worth[::2], worth[1::2]
        return [gains(laid, halves, choose, Random(f"{stream}/{play}")) for play in range(args.plays)]

    for by_position in growing(measure, args.first, args.positions):
        decisions = [sum(map(len, plays)) for plays in by_position]
        gained = [100 * sum(map(sum, plays)) for plays in by_position]
        mean, doubt = ratio(gained, decisions)
        each, each_doubt = ratio(gained, [args.plays] * len(by_position))
        print(
            f"round {args.round}, {args.player}, n {len(by_position)} positions, {sum(decisions)} decisions: "
            f"{mean:+.3f} ± {doubt:.3f} a decision, {each:+.2f} ± {each_doubt:.2f} a round of both; {cost()}",
            flush=True,
        )


def gains(laid: State, halves: Sequence[NDArray[Any]], choose: Choose, random: Random) -> list[float]:
    """Return what looking ahead gains at each decision of a round, in parts of a victory.

    Both seats play ``choose``. ``halves`` are two arrays of the values of the ends, by row.
    """
    judges = [_judge(half) for half in halves]
    decision_gains: list[float] = []
    state = laid
    while state.step != "row":
        if state.mover == CHANCE:
            action: Any = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            view, moves = SHANGHAIEN.view(state, state.mover), SHANGHAIEN.moves(state)
            action = choose(view, moves, random)
            if len(moves) > 1:
                one, other = (dict(judge.worths(view, moves, action)) for judge in judges)
                decision_gains.append(
                    (_gain(one, other, action, state.turn) + _gain(other, one, action, state.turn)) / 2
                )
        state = SHANGHAIEN.play(state, action)
    return decision_gains


def _judge(worth: NDArray[Any]) -> Thinking:
    ends = mean_ends(worth)
    return Thinking(lambda view: ends)


def _gain(named_by: dict[Move, float], told_by: dict[Move, float], made: Move, turn: int) -> float:
    """Return by how much the best move of one half beats the move made, in the values of the other half.

    Seat 0 wants high values, seat 1 low ones.
    """
    better = (min if turn else max)(named_by, key=lambda move: named_by[move])
    return (told_by[better] - told_by[made]) * (-1 if turn else 1)


if __name__ == "__main__":
    main()
