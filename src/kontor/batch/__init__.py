"""Thousands of games at a time: the rules once more, as compiled kernels over arrays.

Start with :class:`Batch` (games that are played move by move) and :func:`roll_out` (random games to the end). What a
game's rows, actions and observations hold stands in the ``layout`` of its batch; ``docs/batch.md`` tells all.

It needs the extra ``batch``; without it, importing this raises MissingExtra. That both writings of the rules agree is
proved by playing them side by side (``kontor.batch.lockstep``).
"""

from __future__ import annotations

import kontor.batch.compiled  # noqa: F401 (raises MissingExtra where numba is not installed)
from kontor.batch.batch import Batch, Results, all_simulated, roll_out, simulated
from kontor.batch.loops import NOTHING, SKIP
from kontor.batch.simulation import Simulated

__all__ = ["NOTHING", "SKIP", "Batch", "Results", "Simulated", "all_simulated", "roll_out", "simulated"]
