"""How far the learned values of Shanghaien are off at starts of round 7, valued over both rounds that are left.

    nice -n 19 .venv/bin/python -m bench.gold --positions 300 --orders 48
    nice -n 19 .venv/bin/python -m bench.gold --positions 10 --orders 720      # all orders of each last row

Positions are numbered and have random streams of their own: parts (``--first``) can run side by side. Percentage
points of the chance to win; n is how many positions the line is about.
"""

from __future__ import annotations

import argparse
from random import Random
from time import process_time
from typing import Final

import numpy as np

from kontor.games.shanghaien.learning.gold import Gold, start, valued
from kontor.games.shanghaien.learning.last import ORDERS
from kontor.games.shanghaien.rules.components import TRICKS

_TOLD: Final = 10
"""After so many positions it is told how it stands."""


def main() -> None:
    """Prints each position, and the root of the mean square by which the learned values are off."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--orders", type=int, default=ORDERS)
    asked = parser.parse_args()
    found: list[Gold] = []
    for number in range(asked.first, asked.first + asked.positions):
        laid = start(number, asked.seed)
        random = None if asked.orders >= ORDERS else Random(f"shanghaien/{asked.seed}/gold/{number}/orders")
        found.append(gold := valued(laid, asked.orders, random))
        tricks = sum(card in TRICKS for card in laid.row)
        print(
            f"{number:4} starter {laid.turn} tricks {tricks} exact {100 * gold.exact:6.2f} "
            f"learned {100 * gold.learned:6.2f} doubt {100 * gold.doubt:.2f} last rounds {gold.last_rounds}"
        )
        if len(found) % _TOLD == 0 or len(found) == asked.positions:
            off = 100 * np.array([one.learned - one.exact for one in found])
            spread = float(np.std(off**2)) / len(off) ** 0.5
            rmse = float(np.sqrt(np.mean(off**2)))
            print(
                f"  n {len(off)}: rmse {rmse:.2f} ± {spread / (2 * rmse):.2f}, mean {off.mean():+.2f}, "
                f"most {np.abs(off).max():.2f}; {process_time():.0f} s of processor time",
                flush=True,
            )


if __name__ == "__main__":
    main()
