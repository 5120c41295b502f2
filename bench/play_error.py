"""The share of a victory that a player of Shanghaien gives away with a decision in round 7.

    nice -n 19 .venv/bin/python -m bench.play_error --positions 30 --orders 48 --rounds 4
    nice -n 19 .venv/bin/python -m bench.play_error --positions 30 --orders 48 --rounds 4 --player steady

Its moves are compared with the solution of both remaining rounds. From each position of ``bench.gold``, this player
plays round 7 on both sides, ``--rounds`` times. The cost of a move is by how much the best move is worth more, in
percentage points of the chance to win. A decision is a move where there was a choice. Intervals are of 95 %, by
Student's t over positions. With few orders of each last row the solution is slightly inexact, which makes moves seem
to cost a little more.
"""

from __future__ import annotations

from random import Random

from bench.numbered import cost, growing, parse_args
from kontor.game import CHANCE
from kontor.games.shanghaien.players.round import Ends
from kontor.games.shanghaien.players.thinking import Thinking
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.state import State
from kontor.intervals import ratio
from kontor.players import Choose, player_named
from training.shanghaien.gold import exactly, start
from training.shanghaien.last import ORDERS


def main() -> None:
    """Print the mean cost of a decision, and of a round."""
    args = parse_args(__doc__, positions=30, orders=48, rounds=4, player="expert")
    choose = player_named("shanghaien", args.player)

    def measure(number: int) -> list[list[float]]:
        laid = start(number, args.seed)
        stream = f"shanghaien/{args.seed}/gold/{number}"
        worth, _, _ = exactly(laid, args.orders, None if args.orders >= ORDERS else Random(f"{stream}/orders"))
        rounds = [Random(f"{stream}/{at}") for at in range(args.rounds)]
        return [costs(laid, worth, choose, random) for random in rounds]

    for by_position in growing(measure, args.first, args.positions):
        decisions = [sum(map(len, rounds)) for rounds in by_position]
        lost = [100 * sum(map(sum, rounds)) for rounds in by_position]
        dearest = 100 * max(max(costs, default=0.0) for rounds in by_position for costs in rounds)
        mean, doubt = ratio(lost, decisions)
        each, each_doubt = ratio(lost, [args.rounds] * len(by_position))
        print(
            f"{args.player}, n {len(by_position)} positions, {sum(decisions)} decisions: "
            f"{mean:.3f} ± {doubt:.3f} a decision, "
            f"{each:.2f} ± {each_doubt:.2f} a round of both, {dearest:.1f} at most; {cost()}",
            flush=True,
        )


def costs(laid: State, worth: Ends, choose: Choose, random: Random) -> list[float]:
    """Return the cost of each decision of a round, in parts of a victory, if both seats play ``choose``.

    ``worth`` are the values of the ends of the round.
    """
    thinking = Thinking(lambda view: worth)
    decision_costs: list[float] = []
    state = laid
    while state.step != "row":
        if state.mover == CHANCE:
            action = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            view, moves = SHANGHAIEN.view(state, state.mover), SHANGHAIEN.moves(state)
            action = choose(view, moves, random)
            if len(moves) > 1:
                values = dict(thinking.worths(view, moves, action))
                best = (min if state.turn else max)(values.values())
                decision_costs.append(abs(best - values[action]))
        state = SHANGHAIEN.play(state, action)
    return decision_costs


if __name__ == "__main__":
    main()
