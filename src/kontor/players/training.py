"""Training of computer players: what ``kontor train`` needs of a game's folder.

A game's ``trainer`` makes the weights that are shipped with the game's players. It is a pure
function of the seed and the effort: samples are numbered and have random streams of their own, and sums run in the
order of the numbers, so that it does not matter how many processes share the work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from threadpoolctl import threadpool_limits

from kontor.distribution import installed_version
from kontor.game import BadOptions, Value
from kontor.plugins import part, plugin_named
from kontor.work import Jobs

MATRIX_THREADS: Final = 2
"""Threads of NumPy's matrix products, whatever the number of cores: others round otherwise. Where what is
learned is learned from in turn, a difference in the sixteenth digit grows to one in the third."""

ReportProgress = Callable[[str, int, int], None]
"""``tell(stage, done, total)``: how far a stage of the training is. A stage is a short sentence (``words.mark``)."""

Arrays = dict[str, np.ndarray[Any, np.dtype[Any]]]
"""What a file of weights holds, by name."""


class TrainPlayer(Protocol):
    """Makes weights. ``effort`` 1.0 is what made the shipped ones; time is roughly proportional to it. The result is
    the same for the same seed and effort, whatever ``jobs`` (who shares the work) is."""

    def __call__(self, seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays: ...


class MeanError(Value, frozen=True):
    """How far the chances told at the start of a round are off: the root of the mean square over so many tables,
    0 to 1. ``doubt`` is the standard error of the truth they were held against, 0 if it is exact; it has been taken
    out."""

    round: int
    tables: int
    rmse: float
    doubt: float


class CalibrationBin(Value, frozen=True):
    """Chances told that lie close together, so many of them: their mean, and the share of victories that came."""

    count: int
    said: float
    came: float


class Calibration(Value, frozen=True):
    """How far off beliefs about hands are.

    ``bias`` is how much more they were worth than believed, in the game's own unit, on average; ``bias_error`` its
    standard error, games being independent. ``log_loss`` is the mean of −ln of what was believed of the number of
    cards of one kind in a hand; ``expected`` what it were if the beliefs were right.
    """

    bias: float
    bias_error: float
    log_loss: float
    expected: float


class BeliefError(Value, frozen=True):
    """How far off beliefs about the hidden cards of others are, in games of a ``player`` with itself, from the start
    of round ``first`` to that of round ``last``.

    There were so many ``hands``. What is said of them as fields of this class is said of beliefs that all deals are
    equally likely; ``weighed`` says the same of beliefs that weigh deals by what their owners did.
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
    """How good chances are that were learned: by round, and in ten bins over games that were played; and beliefs,
    where cards are hidden."""

    misses: tuple[MeanError, ...]
    bins: tuple[CalibrationBin, ...]
    beliefs: tuple[BeliefError, ...] = ()


class GaugePlayer(Protocol):
    """Gauges the shipped weights; ``effort`` 1.0 is enough for a table to be published."""

    def __call__(self, seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Gauged: ...


def in_bins(said: Sequence[float], came: Sequence[float]) -> tuple[CalibrationBin, ...]:
    """Chances told, and what came of each (won 1, lost 0), in bins of a tenth; empty ones are left out."""
    chances, shares = np.array(said), np.array(came)
    places = np.minimum((chances * 10).astype(int), 9)
    return tuple(
        CalibrationBin(int(among.sum()), float(chances[among].mean()), float(shares[among].mean()))
        for among in (places == place for place in range(10))
        if among.any()
    )


def gauge_of(game: str) -> GaugePlayer:
    """How what a game's players have learned is gauged. Raises BadOptions if they have learned nothing."""
    return cast("GaugePlayer", _part(game, "gauge"))


def trainer_of(game: str) -> TrainPlayer:
    """How a game's players are trained. Raises BadOptions if they are not."""
    return cast("TrainPlayer", _part(game, "trainer"))


def _part(game: str, name: str) -> Any:
    plugin = plugin_named(game)
    if not getattr(plugin, name):
        raise BadOptions("", "{game} has no computer player to train.", game=game)
    return part(plugin, name, callable)


def write(path: Path, game: str, seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> None:
    """Trains, and writes the weights with how they were made (``seed``, ``effort``, ``kontor``: its version) as a
    new file of NumPy. Raises BadOptions; OSError if the file cannot be written, before anything is trained."""
    train = trainer_of(game)
    with path.open("xb") as file, ExitStack() as undoing:
        undoing.callback(path.unlink)  # nothing is left of a training that was stopped
        with threadpool_limits(MATRIX_THREADS, "blas"):
            arrays = train(seed, effort, jobs, tell)
        arrays |= {"seed": np.array(seed), "effort": np.array(effort), "kontor": np.array(installed_version())}
        np.savez_compressed(file, allow_pickle=False, **arrays)
        undoing.pop_all()
