"""Errors of the learned values of Shanghaien at starts of round 7, compared with exact values of both rounds.

    nice -n 19 .venv/bin/python -m bench.gold --positions 300 --orders 48
    nice -n 19 .venv/bin/python -m bench.gold --positions 10 --orders 720      # all orders of each last row

Figures are percentage points of the chance to win; n is the number of positions of the line. The interval is of 95 %,
by Student's t of the squares.
"""

from __future__ import annotations

from random import Random

import numpy as np

from bench.numbered import cost, growing, parse_args
from kontor.games.shanghaien.rules.components import TRICKS
from kontor.intervals import half_width
from training.shanghaien.gold import Gold, start, valued
from training.shanghaien.last import ORDERS


def main() -> None:
    """Print each position, and the root mean square error of the learned values."""
    args = parse_args(__doc__, positions=300, orders=ORDERS)

    def measure(number: int) -> Gold:
        laid = start(number, args.seed)
        random = None if args.orders >= ORDERS else Random(f"shanghaien/{args.seed}/gold/{number}/orders")
        gold = valued(laid, args.orders, random)
        tricks = sum(card in TRICKS for card in laid.row)
        print(
            f"{number:4} starter {laid.turn} tricks {tricks} exact {100 * gold.exact:6.2f} "
            f"learned {100 * gold.learned:6.2f} doubt {100 * gold.doubt:.2f} last rounds {gold.last_rounds}"
        )
        return gold

    for golds in growing(measure, args.first, args.positions):
        off = 100 * np.array([gold.learned - gold.exact for gold in golds])
        rmse = float(np.sqrt(np.mean(off**2)))
        half = half_width((off**2).tolist()) / (2 * rmse)
        print(
            f"  n {len(off)}: rmse {rmse:.2f} ± {half:.2f}, mean {off.mean():+.2f}, "
            f"most {np.abs(off).max():.2f}; {cost()}",
            flush=True,
        )


if __name__ == "__main__":
    main()
