"""Contradictions between Shanghaien's learned values: the Bellman residual at the start of each round.

    nice -n 19 .venv/bin/python -m bench.residual --games 60 --rows 32

The value before a row is laid is compared with the mean over rows. Each row is solved exactly, with the values of the
next round (in round 8: with the result). Positions are those of games among experts, with their tricks; games are
numbered and have random streams of their own. Figures are percentage points of the chance to win.

The luck of the rows is removed from the root mean square. Intervals are of 95 % over games: that of the root mean
square by resampling, that of the mean by Student's t. From round 5 on the figures are also given by who holds tricks,
over n tables.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.numbered import cost, growing, parse_args
from kontor.games.shanghaien.players import values
from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.state import State
from kontor.intervals import half_width
from kontor.players import player_named
from training.shanghaien.many import of_rows
from training.shanghaien.tables import played

Found = NDArray[np.floating[Any]]

FIRST: Final = 2
"""The first measured round: at the start of round 1 nobody has anything, and the chances are equal."""

LATE: Final = 5
"""The first round from which residuals are also given by who holds tricks."""

HELD: Final = ("no tricks", "one holds tricks", "both hold one", "both hold tricks, more than two")

RESAMPLED: Final = 2000


def main() -> None:
    """Print, for each round, by how much the values are off."""
    args = parse_args(__doc__, games=60, rows=32)

    def measure(number: int) -> list[tuple[float, float, str]]:
        starts = _starts(number, args.seed)
        return [(*residual(start, args.rows, random), held(start)) for start, random in starts]

    for games in growing(measure, args.first, args.games):
        print(f"n {len(games)}, rows {args.rows}; {cost()}")
        for number, of_round in enumerate(zip(*games, strict=True), FIRST):
            print(f"  round {number}: {summarise(np.array([one[:2] for one in of_round]))}", flush=True)
        late = [one for game in games for one in game[LATE - FIRST :]]
        for name in HELD:
            if those := [one[:2] for one in late if one[2] == name]:
                print(f"  {name}, n {len(those)}: {summarise(np.array(those))}", flush=True)


def _starts(number: int, seed: int) -> list[tuple[State, Random]]:
    """Return the starts of rounds 2 to 8 of a game between experts, before the row is laid, with random streams."""
    random = Random(f"shanghaien/{seed}/residual/{number}")
    starts = islice(played(player_named("shanghaien", "expert"), SHANGHAIEN.options(), random), FIRST - 1, ROUNDS)
    return [(state, Random(f"shanghaien/{seed}/residual/{number}/{state.round}")) for state in starts]


def residual(start: State, rows: int, random: Random) -> tuple[float, float]:
    """Return by how much the value before the row exceeds the mean over ``rows`` rows (at least 2).

    The second number is the square of that mean's standard error.
    """
    laid = [SHANGHAIEN.play(start, SHANGHAIEN.chance(start).draw(random.randrange)) for _ in range(rows)]
    solved = of_rows([ends(SHANGHAIEN.view(each, None)) for each in laid], start.turn).astype(float)
    estimate = values.chance(SHANGHAIEN.view(start, None))
    return estimate - float(solved.mean()), float(solved.var(ddof=1)) / rows


def held(start: State) -> str:
    """Return who holds tricks, as one of HELD."""
    counts = sorted(len(crew.tricks) for crew in start.crews)
    if not counts[0]:
        return HELD[0] if not counts[1] else HELD[1]
    return HELD[2] if sum(counts) == len(counts) else HELD[3]


def summarise(residuals: Found) -> str:
    """Return root mean square and mean with their intervals, as text.

    ``residuals`` are [n, 2], pairs as :func:`residual` returns them.
    """
    drawn = np.random.default_rng(1).integers(0, len(residuals), (RESAMPLED, len(residuals)))
    low, high = np.percentile([rmse(residuals[some]) for some in drawn], [2.5, 97.5])
    doubt = 100 * half_width(residuals[:, 0].tolist())
    mean = 100 * float(residuals[:, 0].mean())
    return f"rmse {rmse(residuals):.2f} ({low:.2f} to {high:.2f}), mean {mean:+.2f} ± {doubt:.2f}"


def rmse(residuals: Found) -> float:
    """Return the root mean square in percentage points, without the luck of the rows."""
    squares: Found = residuals[:, 0] ** 2 - residuals[:, 1]
    return 100 * float(np.sqrt(max(0.0, float(squares.mean()))))


if __name__ == "__main__":
    main()
