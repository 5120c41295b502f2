"""Test of how reviews tell luck from skill: over many games, the luck that a review computes must average 0.

    nice -n 19 .venv/bin/python -m bench.luck --games 500                  # among experts
    nice -n 19 .venv/bin/python -m bench.luck --games 200 steady casual    # they change seats
    nice -n 19 .venv/bin/python -m bench.luck --reviewed --game dutchman --games 10 greedy greedy greedy

Luck is measured during a game, by kind of chance, for the first seat. With ``--reviewed`` each game is reviewed
instead: that is slower, but covers every seat and also moves. In games with hidden information, luck is everything
that a seat did not decide itself, and the judge's errors are part of it. All numbers are percentage points of the
chance to win.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev
from time import monotonic, process_time
from typing import Final

from kontor.arena import Series
from kontor.fair import FairDice
from kontor.game import CHANCE, OVER
from kontor.players import player_named
from kontor.plugins import game_named
from kontor.review import judged
from kontor.review.judging import luck_at

_TOLD: Final = 25
"""Games between two reports."""

Numbers = dict[str, float]


def main() -> None:
    """Print the means over all games, with their standard errors and standard deviations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", default=["expert", "expert"])
    parser.add_argument("--game", default="shanghaien")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game: parts run side by side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=1, help="rows that stand for all")
    parser.add_argument("--reviewed", action="store_true")
    args = parser.parse_args()
    game = game_named(args.game)
    options = game.options(players=len(args.players)) if args.game == "dutchman" else game.options()
    series = Series(game, options, args.players, args.seed)
    figures: list[Numbers] = []
    for number in range(args.first, args.first + args.games):
        figures.append(review_game(series, number) if args.reviewed else play_game(series, number, args.samples))
        done = number - args.first + 1
        if done % _TOLD == 0 or done == args.games:
            seconds = f"{process_time():.0f} s of processor time, {monotonic() - _BEGUN:.0f} s by the clock"
            print(f"{args.game}, seed {args.seed}, games {args.first} to {number}: {seconds}")
            for name in dict.fromkeys(name for numbers in figures for name in numbers):
                values = [
                    numbers.get(name, 0.0) for numbers in figures if name in numbers or name.startswith("luck by")
                ]
                print(f"  {name:24} {summarise(values)}", flush=True)


_BEGUN: Final = monotonic()


def play_game(series: Series, number: int, samples: int) -> Numbers:
    """Play a game of the series, and return the luck of the first seat in it."""
    game, seating = series.game, series.seating(number)
    choose = [player_named(game.name, series.players[player]) for player in seating]
    own = [Random(f"{series.seed}/{number}/{player}") for player in seating]
    dice, drawing = FairDice(series.secret(number), ("",) * len(seating)), Random(f"{series.seed}/{number}/luck")
    figures = dict.fromkeys(("luck", "result less luck"), 0.0)
    state, line = game.start(series.options_of(number)), 2
    while state.mover != OVER:
        if state.mover == CHANCE:
            action = game.chance(state).draw(dice.below(line))
            luck = 100 * luck_at(game, state, action, 0, drawing, samples)
            kind = f"luck by {game.occasion(state)[0]}"
            figures["luck"] += luck
            figures[kind] = figures.get(kind, 0.0) + luck
        else:
            seat = state.mover
            action = choose[seat](game.view(state, seat), game.moves(state), own[seat])
        state = game.play(state, action)
        line += 1
    result = game.result(state)
    assert result
    share = 100 / len(result.winners) if 0 in result.winners else 0.0
    sits = f"{series.players[seating[0]]}: "
    figures |= {"result": share, "result less luck": share - figures["luck"]}
    return figures | (
        {} if len(set(series.players)) == 1 else {sits + "result": share, sits + "less luck": share - figures["luck"]}
    )


def review_game(series: Series, number: int) -> Numbers:
    """Play and review a game, and return the figures of all seats."""
    record = series.play(number, recorded=True).record
    assert record
    review = judged(record)
    figures: Numbers = {}
    for account in review.accounts:
        decided = sum(decision.seat == account.seat for decision in review.decisions)
        seat, player = f"seat {account.seat + 1} ", record.header.players[account.seat]
        figures |= {
            seat + "luck": 100 * account.luck,
            seat + "result": 100 * account.end,
            seat + "less luck": 100 * account.adjusted,
            seat + "amended": 100 * account.amended,
            seat + player + " lost per decision": 100 * account.lost / max(1, decided),
        }
    return figures


def summarise(values: Sequence[float]) -> str:
    """Return the mean, its standard error, and the standard deviation, as text."""
    spread = stdev(values) if len(values) > 1 else float("nan")
    return f"{fmean(values):+7.2f} ± {spread / len(values) ** 0.5:.2f}   sd {spread:.1f}, n {len(values)}"


if __name__ == "__main__":
    main()
