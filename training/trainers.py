"""Training of computer players: what ``python -m training`` needs of each game.

A trainer makes the weights that are shipped with the game's players. It is a pure function of the seed and
the effort: samples are numbered and have random streams of their own. Sums run in the order of the numbers, so the
number of processes that share the work does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from threadpoolctl import threadpool_limits

from kontor.distribution import installed_version
from kontor.game import Value
from kontor.plugins import part, plugin_named
from kontor.work import Jobs

MATRIX_THREADS: Final = 2
"""Threads of NumPy's matrix products, independent of the number of cores: another number rounds differently. In
training on learned values, a difference in the sixteenth digit grows to one in the third."""

ReportProgress = Callable[[str, int, int], None]
"""``tell(stage, done, total)`` reports how far a stage of the training is. A stage is a few words
in English."""

Arrays = dict[str, np.ndarray[Any, np.dtype[Any]]]
"""The arrays in a file of weights, by name."""


class TrainPlayer(Protocol):
    """A function that makes weights.

    ``effort`` 1.0 made the shipped weights; time is roughly proportional to it. ``jobs`` says who shares the work.
    The result depends on the seed and the effort alone.
    """

    def __call__(self, seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays:
        """Train, and return the weights."""
        ...


class MeanError(Value, frozen=True):
    """Error of the chances predicted at the start of a round.

    ``rmse`` is the root of the mean square over a number of ``tables``, 0 to 1. ``doubt`` is the standard error of
    the true chances that they were compared with, 0 if these are exact; it has been subtracted.
    """

    round: int
    tables: int
    rmse: float
    doubt: float


class CalibrationBin(Value, frozen=True):
    """Predicted chances close to each other: their number, their mean, and the share of victories that followed."""

    count: int
    said: float
    came: float


class Calibration(Value, frozen=True):
    """Error of beliefs about hands.

    ``bias`` is how much more the hands were worth than believed, on average, in the game's own unit. ``bias_error``
    is its standard error; games are independent. ``log_loss`` is the mean of −ln of the probability that was believed
    for the actual number of cards of one kind in a hand. ``expected`` is the log loss if the beliefs were right.
    """

    bias: float
    bias_error: float
    log_loss: float
    expected: float


class BeliefError(Value, frozen=True):
    """Error of beliefs about the hidden cards of others, in games of a ``player`` with itself.

    They are measured from the start of round ``first`` to that of round ``last``, on a number of ``hands``. The
    fields of this class are about beliefs that take all deals as equally likely. ``weighed`` holds the same for
    beliefs that weigh deals by what their owners did.
    """

    player: str
    first: int
    last: int
    hands: int
    bias: float
    bias_error: float
    log_loss: float
    expected: float
    weighed: Calibration


class Gauged(Value, frozen=True):
    """Quality of learned chances: by round, and in ten bins over games that were played.

    ``beliefs`` says the same of beliefs, where cards are hidden.
    """

    misses: tuple[MeanError, ...]
    bins: tuple[CalibrationBin, ...]
    beliefs: tuple[BeliefError, ...] = ()


class GaugePlayer(Protocol):
    """A function that gauges the shipped weights; ``effort`` 1.0 is enough for a table to be published."""

    def __call__(self, seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Gauged:
        """Gauge the weights, and return how good they are."""
        ...


def in_bins(predicted: Sequence[float], came: Sequence[float]) -> tuple[CalibrationBin, ...]:
    """Return bins of a tenth of predicted chances, with what came of each (won 1, lost 0).

    Empty bins are left out.
    """
    chances, shares = np.array(predicted), np.array(came)
    places = np.minimum((chances * 10).astype(int), 9)
    return tuple(
        CalibrationBin(int(among.sum()), float(chances[among].mean()), float(shares[among].mean()))
        for among in (places == place for place in range(10))
        if among.any()
    )


TRAINERS: Final = {
    "dutchman": "training.dutchman.generations:train",
    "shanghaien": "training.shanghaien.backward_learning:train",
}
GAUGES: Final = {
    "dutchman": "training.dutchman.gauging:gauge",
    "shanghaien": "training.shanghaien.gauging:gauge",
}
"""References to the functions for our own games; others name theirs in their plug-ins."""


def gauge_of(game: str) -> GaugePlayer:
    """Return the function that gauges a game's weights. Raises BadOptions for no game, NothingToTrain."""
    return cast("GaugePlayer", _function(game, "gauge", GAUGES))


def trainer_of(game: str) -> TrainPlayer:
    """Return the function that trains a game's players. Raises BadOptions for no game, NothingToTrain."""
    return cast("TrainPlayer", _function(game, "trainer", TRAINERS))


class NothingToTrain(Exception):
    """The refusal of a game whose computer players have learned nothing."""


def _function(game: str, name: str, ours: dict[str, str]) -> Any:
    plugin = plugin_named(game)
    reference = ours.get(game, "") or getattr(plugin, name)
    if not reference:
        raise NothingToTrain(f"{game} has no computer player to train.")
    return part(plugin, name, callable, reference)


def write(path: Path, game: str, seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> None:
    """Train, and write the weights to a new file of NumPy.

    The file also says how they were made: ``seed``, ``effort``, and ``kontor``, its version. Raises as
    :func:`trainer_of` does; OSError before the training begins if the file cannot be written.
    """
    train = trainer_of(game)
    with path.open("xb") as file, ExitStack() as undoing:
        undoing.callback(path.unlink)  # a training that was stopped leaves no file
        with threadpool_limits(MATRIX_THREADS, "blas"):
            arrays = train(seed, effort, jobs, tell)
        arrays |= {"seed": np.array(seed), "effort": np.array(effort), "kontor": np.array(installed_version())}
        np.savez_compressed(file, allow_pickle=False, **arrays)
        undoing.pop_all()
