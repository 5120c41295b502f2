"""A game in a block of memory, played one step at a time from Python (``kontor.batch.packed``)."""

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
"""The most lists of legal steps that are cached by their status."""


def _without_dispatcher(kernel: Callable[..., int]) -> Callable[[int, int], int]:
    """Return the machine code of a kernel that has been called.

    It does without numba's check of argument types at each call.
    """
    (compiled,) = cast(Any, kernel).overloads.values()
    entry_point: Callable[[int, int], int] = compiled.entry_point
    return entry_point


class PackedKernels:
    """The kernels of a game with options, and its first position."""

    def __init__(self, encoder: ActionEncoder) -> None:
        """Prepare the kernels. Raises BadOptions for options that they do not support."""
        batch_game = simulated(encoder.game)
        assert batch_game.packed is not None
        packed, self._encoder = batch_game.packed, encoder
        self.look, self.returns = packed.look, packed.returns
        self.beside, self.beside_at = packed.beside, packed.beside_at
        legal, at = self.beside.fields["legal"][:2]  # type: ignore[index]
        self.legal_at, self.legal_size = self.beside_at + at, legal.itemsize
        self.seats = encoder.seats
        self.start = np.zeros(self.beside_at + self.beside.itemsize, np.uint8)
        row = begin_row(batch_game, encoder.options).view(np.uint8)
        self.start[: len(row)] = row
        self.start[self.beside_at :].view(self.beside)["size"] = encoder.actions
        self._status = packed.step(self.start.__array_interface__["data"][0], NO_STEP)
        self.step = _without_dispatcher(packed.step)
        self.dice: list[tuple[int, float]] = []
        """The probabilities of the dice, once they have been needed."""
        self._likely: Any = np.full((TOTALS, COUNTS, self.beside["urn"].shape[0]), None, np.object_)
        """Steps of chance with their probabilities, at the index that kernels list; filled once a total has been
        needed."""
        self._places = self._likely.reshape(-1)

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedKernels, (self._encoder,)

    def chances(self, listed: Longs) -> list[tuple[int, float]]:
        """Return the steps of chance with their probabilities, from the indices that kernels list.

        They are looked up in an array, which returns all at once.
        """
        steps: list[Any] = self._places[listed].tolist()
        if steps[0]:
            return steps
        total = int(listed[0]) // self._likely[0].size
        for count, step in np.ndindex(self._likely[total].shape):
            self._likely[total, count, step] = step, count / total
        return self.chances(listed)

    def new_game(self) -> PackedGame:
        """Return a game before its first outcome."""
        return PackedGame(self, self.start, self._status)


def kernels_of(encoder: ActionEncoder) -> PackedKernels | None:
    """Return the kernels of a game, if it has any."""
    return None if simulated(encoder.game).packed is None else PackedKernels(encoder)


class PackedGame:
    """One game. A copy is independent."""

    __slots__ = ("_kernels", "_legal", "_memory", "_step", "address", "player", "status")

    cached_steps: ClassVar = _LISTS
    """The cache of legal steps by status; a caller must copy a list before returning it."""
    status: int
    """The status of the game as kernels report it (``FEW``)."""
    player: int
    """The seat to move, or OpenSpiel's number for chance or the end."""

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
        """Take a step of the mover or of chance. Raises IllegalMove; then nothing has changed."""
        status = self._step(self.address, step)
        if not status:
            raise IllegalMove("", "There is no step number {step} here.", step=step)
        self.status = status
        self.player = (status & _PLAYER) + IMPOSSIBLE

    def mover(self) -> int:
        """Return ``player``, as a method for OpenSpiel."""
        return self.player

    def steps(self) -> list[int]:
        """Return the legal steps of the mover, ascending."""
        status = self.status
        if cached := _LISTS.get(status):
            return cached[:]
        count = status >> COUNT_BIT & _COUNT
        steps: list[int] = self._legal[:count].tolist()
        if count <= FEW and len(_LISTS) < _MOST_LISTS:
            _LISTS[status] = steps[:]
        return steps

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the possible steps of chance, ascending, with their probabilities."""
        status, kernels = self.status, self._kernels
        if not status & _DICE:
            return kernels.chances(self._legal[: status >> COUNT_BIT])
        if not kernels.dice:
            kernels.dice = kernels.chances(self._legal[: status >> COUNT_BIT])
        return kernels.dice[:]

    def look(self, seat: int, out: Reals) -> None:
        """Write what a seat may know; not for an unfinished outcome of chance."""
        self._kernels.look(self.address, seat, out)

    def returns(self) -> list[float]:
        """Return what the game has brought each seat: 0 before it is over."""
        brought = np.zeros(self._kernels.seats)
        if self.player == IS_OVER:
            points, winners = np.empty(len(brought), np.int32), np.empty(len(brought), np.bool_)
            self._kernels.returns(self.address, points, winners, brought)
        returns: list[float] = brought.tolist()
        return returns
