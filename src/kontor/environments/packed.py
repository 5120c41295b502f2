"""A game in a piece of memory, played one step at a time from Python (``kontor.batch.packed``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, cast

import numpy as np

from kontor.batch.arrays import Longs, Reals
from kontor.batch.batch import begin_row, simulated
from kontor.batch.packed import (
    COUNT_BIT,
    COUNTS,
    DICE_BIT,
    FEW,
    IMPOSSIBLE,
    IS_OVER,
    NO_STEP,
    PLAYER_BITS,
    STEP_BITS,
    TOTALS,
)
from kontor.environments.encoders import ActionEncoder
from kontor.game import IllegalMove

_PLAYER: Final = (1 << PLAYER_BITS) - 1
_DICE: Final = 1 << DICE_BIT
_COUNT: Final = (1 << STEP_BITS) - 1

_LISTS: Final[dict[int, list[int]]] = {}
_MOST_LISTS: Final = 1 << 14
"""Lists of few steps that have been asked for, by the status; so many are kept."""


def _without_dispatcher(kernel: Callable[..., int]) -> Callable[[int, int], int]:
    """A kernel that has been called, without numba's look at the types of each call."""
    (compiled,) = cast(Any, kernel).overloads.values()
    found: Callable[[int, int], int] = compiled.entry_point
    return found


class PackedKernels:
    """The kernels of a game with options, and its beginning."""

    def __init__(self, encoder: ActionEncoder) -> None:
        """Raises BadOptions for options that kernels do not know."""
        found = simulated(encoder.game)
        assert found.packed is not None
        packed, self._encoder = found.packed, encoder
        self.look, self.returns = packed.look, packed.returns
        self.beside, self.beside_at = packed.beside, packed.beside_at
        legal, at = self.beside.fields["legal"][:2]  # type: ignore[index]
        self.legal_at, self.legal_size = self.beside_at + at, legal.itemsize
        self.seats = encoder.seats
        self.start = np.zeros(self.beside_at + self.beside.itemsize, np.uint8)
        row = begin_row(found, encoder.options).view(np.uint8)
        self.start[: len(row)] = row
        self.start[self.beside_at :].view(self.beside)["size"] = encoder.actions
        self._status = packed.step(self.start.__array_interface__["data"][0], NO_STEP)
        self.step = _without_dispatcher(packed.step)
        self.dice: list[tuple[int, float]] = []
        """The chances of the dice, once they have been asked for."""
        self._likely: Any = np.full((TOTALS, COUNTS, self.beside["urn"].shape[0]), None, np.object_)
        """Steps of chance with their probabilities, each where kernels say, once its total has been needed."""
        self._places = self._likely.reshape(-1)

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedKernels, (self._encoder,)

    def chances(self, listed: Longs) -> list[tuple[int, float]]:
        """Steps of chance with their probabilities, as kernels list them: an array hands over many at once."""
        found: list[Any] = self._places[listed].tolist()
        if found[0]:
            return found
        total = int(listed[0]) // self._likely[0].size
        for count, step in np.ndindex(self._likely[total].shape):
            self._likely[total, count, step] = step, count / total
        return self.chances(listed)

    def new_game(self) -> PackedGame:
        """A game before its first outcome."""
        return PackedGame(self, self.start, self._status)


def kernels_of(encoder: ActionEncoder) -> PackedKernels | None:
    """The kernels of a game, if it has any."""
    return None if simulated(encoder.game).packed is None else PackedKernels(encoder)


class PackedGame:
    """One game. A copy goes its own way."""

    __slots__ = ("_kernels", "_legal", "_memory", "_step", "address", "player", "status")

    known: ClassVar = _LISTS
    """Steps that need not be asked for: whoever hands them on copies them."""
    status: int
    """What kernels tell of the game (``COUNT_BIT``)."""
    player: int
    """The seat to move, or chance or the end by the numbers of OpenSpiel."""

    def __init__(self, kernels: PackedKernels, memory: Any, status: int) -> None:
        self._kernels, self._step = kernels, kernels.step
        self._memory = memory.copy()
        self.address: int = self._memory.__array_interface__["data"][0]
        self._legal = self._memory[kernels.legal_at :][: kernels.legal_size].view(np.int64)
        self.status = status
        self.player = (status & _PLAYER) + IMPOSSIBLE

    def __deepcopy__(self, _: object) -> PackedGame:
        return PackedGame(self._kernels, self._memory, self.status)

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedGame, (self._kernels, self._memory, self.status)

    def take(self, step: int) -> None:
        """Takes a step of the mover or of chance. Raises IllegalMove, and nothing has changed then."""
        status = self._step(self.address, step)
        if not status:
            raise IllegalMove("", "There is no step number {step} here.", step=step)
        self.status = status
        self.player = (status & _PLAYER) + IMPOSSIBLE

    def mover(self) -> int:
        """The same, for OpenSpiel."""
        return self.player

    def steps(self) -> list[int]:
        """The steps that the mover may take, ascending."""
        status = self.status
        if known := _LISTS.get(status):
            return known[:]
        count = status >> COUNT_BIT & _COUNT
        steps: list[int] = self._legal[:count].tolist()
        if count <= FEW and len(_LISTS) < _MOST_LISTS:
            _LISTS[status] = steps[:]
        return steps

    def outcomes(self) -> list[tuple[int, float]]:
        """The steps that chance may take, ascending, with their probabilities."""
        status, kernels = self.status, self._kernels
        if not status & _DICE:
            return kernels.chances(self._legal[: status >> COUNT_BIT])
        if not kernels.dice:
            kernels.dice = kernels.chances(self._legal[: status >> COUNT_BIT])
        return kernels.dice[:]

    def look(self, seat: int, out: Reals) -> None:
        """Writes what a seat may know; not in the midst of an outcome of chance."""
        self._kernels.look(self.address, seat, out)

    def returns(self) -> list[float]:
        """What the game has brought each seat: nothing before it is over."""
        brought = np.zeros(self._kernels.seats)
        if self.player == IS_OVER:
            points, winners = np.empty(len(brought), np.int32), np.empty(len(brought), np.bool_)
            self._kernels.returns(self.address, points, winners, brought)
        returns: list[float] = brought.tolist()
        return returns
