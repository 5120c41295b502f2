"""How far Shanghaien's learned values contradict each other: the Bellman residual at the start of each round.

    nice -n 19 .venv/bin/python -m bench.residual --games 60 --rows 32

What the values say before a row is laid is held against the mean over rows, each solved exactly with what they say of
the next round (in round 8: with the result). Positions are those of games among experts, tricks and all; games are
numbered and have random streams of their own. Percentage points of the chance to win. The rows' luck is taken out of
the root of the mean square. Intervals are of 95 % over games: its own by resampling them, that of the mean by
Student's t. By who holds tricks they are told once more, from round 5 on, over n tables.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.numbered import asked, cost, growing
from kontor.games.shanghaien.learning.many import of_rows
from kontor.games.shanghaien.players import values
from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.players.tables import played
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.state import State
from kontor.intervals import half_width
from kontor.players import player_named

Found = NDArray[np.floating[Any]]

FIRST: Final = 2
"""At the start of round 1 nobody has anything, and the chances are equal."""

LATE: Final = 5
"""From this round on residuals are told by who holds tricks."""

HELD: Final = ("no tricks", "one holds tricks", "both hold one", "both hold tricks, more than two")

RESAMPLED: Final = 2000


def main() -> None:
    """Prints, for each round, by how much the values are off."""
    args = asked(__doc__, games=60, rows=32)

    def measure(number: int) -> list[tuple[float, float, str]]:
        starts = _starts(number, args.seed)
        return [(*residual(start, args.rows, random), held(start)) for start, random in starts]

    for found in growing(measure, args.first, args.games):
        print(f"n {len(found)}, rows {args.rows}; {cost()}")
        for number, of_round in enumerate(zip(*found, strict=True), FIRST):
            print(f"  round {number}: {told(np.array([one[:2] for one in of_round]))}", flush=True)
        late = [one for game in found for one in game[LATE - FIRST :]]
        for name in HELD:
            if those := [one[:2] for one in late if one[2] == name]:
                print(f"  {name}, n {len(those)}: {told(np.array(those))}", flush=True)


def _starts(number: int, seed: int) -> list[tuple[State, Random]]:
    """The starts of rounds 2 to 8, before their rows are laid, in a game between experts; and luck for each."""
    random = Random(f"shanghaien/{seed}/residual/{number}")
    starts = islice(played(player_named("shanghaien", "expert"), SHANGHAIEN.options(), random), FIRST - 1, ROUNDS)
    return [(state, Random(f"shanghaien/{seed}/residual/{number}/{state.round}")) for state in starts]


def residual(start: State, rows: int, random: Random) -> tuple[float, float]:
    """By how much the value before the row is above the mean over so many rows, at least 2; and the square of that
    mean's standard error."""
    laid = [SHANGHAIEN.play(start, SHANGHAIEN.chance(start).draw(random.randrange)) for _ in range(rows)]
    solved = of_rows([ends(SHANGHAIEN.view(each, None)) for each in laid], start.turn).astype(float)
    said = values.chance(SHANGHAIEN.view(start, None))
    return said - float(solved.mean()), float(solved.var(ddof=1)) / rows


def held(start: State) -> str:
    """Who holds tricks, as one of HELD."""
    counts = sorted(len(crew.tricks) for crew in start.crews)
    if not counts[0]:
        return HELD[0] if not counts[1] else HELD[1]
    return HELD[2] if sum(counts) == len(counts) else HELD[3]


def told(residuals: Found) -> str:
    """Root of the mean square and mean, with their intervals. ``residuals`` are [n, 2], as :func:`residual` has
    them."""
    drawn = np.random.default_rng(1).integers(0, len(residuals), (RESAMPLED, len(residuals)))
    low, high = np.percentile([rmse(residuals[some]) for some in drawn], [2.5, 97.5])
    doubt = 100 * half_width(residuals[:, 0].tolist())
    mean = 100 * float(residuals[:, 0].mean())
    return f"rmse {rmse(residuals):.2f} ({low:.2f} to {high:.2f}), mean {mean:+.2f} ± {doubt:.2f}"


def rmse(residuals: Found) -> float:
    """In percentage points, the luck of the rows taken out."""
    squares: Found = residuals[:, 0] ** 2 - residuals[:, 1]
    return 100 * float(np.sqrt(max(0.0, float(squares.mean()))))


if __name__ == "__main__":
    main()
