"""A game in a piece of memory, played one step at a time from Python (``kontor.batch.packed``)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from kontor.batch.arrays import Reals
from kontor.batch.batch import begin_row, simulated
from kontor.batch.packed import COUNT_BITS, DICE_BIT, IMPOSSIBLE, IS_OVER, NO_STEP, PLAYER_BITS, STEP_BITS, TOTAL_BITS
from kontor.environments.encoders import ActionEncoder
from kontor.game import IllegalMove

_PLAYER: Final = (1 << PLAYER_BITS) - 1
_DICE: Final = 1 << DICE_BIT
_NUMBER: Final = (1 << STEP_BITS) - 1


class _Outcomes(dict[int, tuple[int, float]]):
    """Steps of chance with their probabilities, by how kernels list them."""

    def __missing__(self, listed: int) -> tuple[int, float]:
        likely = (listed >> STEP_BITS & _NUMBER) / (listed >> TOTAL_BITS)
        found = self[listed] = listed & _NUMBER, likely
        return found


_OUTCOMES: Final = _Outcomes()


class PackedKernels:
    """The kernels of a game with options, and its beginning."""

    def __init__(self, encoder: ActionEncoder) -> None:
        """Raises BadOptions for options that kernels do not know."""
        found = simulated(encoder.game)
        assert found.packed is not None
        packed = found.packed
        self.step, self.look, self.returns = packed.step, packed.look, packed.returns
        self.beside, self.beside_at = packed.beside, packed.beside_at
        self.seats = encoder.seats
        self.start = np.zeros(self.beside_at + self.beside.itemsize, np.uint8)
        row = begin_row(found, encoder.options).view(np.uint8)
        self.start[: len(row)] = row
        self.start[self.beside_at :].view(self.beside)["size"] = encoder.actions
        self.dice: list[tuple[int, float]] = []
        """The chances of the dice, once they have been asked for."""

    def new_game(self) -> PackedGame:
        """A game before its first outcome."""
        return PackedGame(self, self.start, self.step(self.start.__array_interface__["data"][0], NO_STEP))


def kernels_of(encoder: ActionEncoder) -> PackedKernels | None:
    """The kernels of a game, if it has any."""
    return None if simulated(encoder.game).packed is None else PackedKernels(encoder)


class PackedGame:
    """One game. A copy goes its own way."""

    __slots__ = ("_kernels", "_legal", "_memory", "_status", "_step", "address", "player")

    player: int
    """The seat to move, or chance or the end by the numbers of OpenSpiel."""

    def __init__(self, kernels: PackedKernels, memory: Any, status: int) -> None:
        self._kernels, self._step = kernels, kernels.step
        self._memory = memory.copy()
        self.address: int = self._memory.__array_interface__["data"][0]
        self._legal = self._memory[kernels.beside_at :].view(kernels.beside)["legal"][0]
        self._status = status
        self.player = (status & _PLAYER) + IMPOSSIBLE

    def __deepcopy__(self, _: object) -> PackedGame:
        return PackedGame(self._kernels, self._memory, self._status)

    def take(self, step: int) -> None:
        """Takes a step of the mover or of chance. Raises IllegalMove, and nothing has changed then."""
        status = self._step(self.address, step)
        if not status:
            raise IllegalMove("", "There is no step number {step} here.", step=step)
        self._status = status
        self.player = (status & _PLAYER) + IMPOSSIBLE

    def steps(self) -> list[int]:
        """The steps that the mover may take, ascending."""
        steps: list[int] = self._legal[: self._status >> COUNT_BITS].tolist()
        return steps

    def outcomes(self) -> list[tuple[int, float]]:
        """The steps that chance may take, ascending, with their probabilities."""
        if self._status & _DICE:
            if not self._kernels.dice:
                self._kernels.dice = self._listed()
            return self._kernels.dice[:]
        return self._listed()

    def _listed(self) -> list[tuple[int, float]]:
        return list(map(_OUTCOMES.__getitem__, self._legal[: self._status >> COUNT_BITS].tolist()))

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
