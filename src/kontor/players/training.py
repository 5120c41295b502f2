"""Training of machine players: what ``kontor train`` needs of a game's folder here, and work shared among processes.

``kontor.players.<game>.training.train`` makes the weights that are shipped with the game's players. It is a pure
function of the seed and the effort: samples are numbered and have random streams of their own, and sums run in the
order of the numbers, so that it does not matter how many processes share the work.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from kontor.game import BadOptions

Tell = Callable[[str, int, int], None]
"""``tell(stage, done, total)``: how far a stage of the training is. A stage is a short sentence (``words.mark``)."""

Arrays = dict[str, np.ndarray[Any, np.dtype[Any]]]
"""What a file of weights holds, by name."""

Task = TypeVar("Task")
Done = TypeVar("Done")


class Train(Protocol):
    """Makes weights. ``effort`` 1.0 is what made the shipped ones; time is roughly proportional to it. The result is
    the same for the same seed and effort, whatever ``jobs`` (how many processes share the work) is."""

    def __call__(self, seed: int, effort: float, jobs: int, tell: Tell) -> Arrays: ...


def trainer_of(game: str) -> Train:
    """How a game's players are trained. Raises BadOptions if they are not."""
    module = f"kontor.players.{game}.training"
    if find_spec(module) is None:
        raise BadOptions("", "No machine player of {game} is trained.", game=game)
    return cast("Train", import_module(module).train)


def write(path: Path, game: str, seed: int, effort: float, jobs: int, tell: Tell) -> None:
    """Trains, and writes the weights with how they were made (``seed``, ``effort``, ``kontor``: its version) as a
    new file of NumPy. Raises BadOptions; OSError if the file cannot be written, before anything is trained."""
    train = trainer_of(game)
    with path.open("xb") as file, ExitStack() as undoing:
        undoing.callback(path.unlink)  # nothing is left of a training that was stopped
        arrays = train(seed, effort, jobs, tell)
        arrays |= {"seed": np.array(seed), "effort": np.array(effort), "kontor": np.array(version("kontor"))}
        np.savez_compressed(file, allow_pickle=False, **arrays)
        undoing.pop_all()


def shared(work: Callable[[Task], Done], tasks: Iterable[Task], jobs: int) -> Iterator[Done]:
    """``work`` of each task, in the order of the tasks; ``jobs`` processes share them. For several processes ``work``
    must be a function of a module, and tasks and results such as can be sent from one process to another."""
    if jobs == 1:
        yield from map(work, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(work, tasks)
