"""Thousands of games at a time: the rules a second time, as compiled kernels over arrays.

Start with :class:`Batch` (games that are played move by move) and :func:`roll_out` (random games to the end). The
``layout`` of a game's batch names the fields of rows, actions and observations; ``docs/batch.md`` describes all.

The package needs the extra ``batch``; without it, importing this raises MissingExtra. ``kontor.batch.lockstep``
proves that both versions of the rules agree, by playing them side by side.
"""

from __future__ import annotations

import kontor.batch.compiled  # noqa: F401 (raises MissingExtra where numba is not installed)
from kontor.batch.batch import Batch, Results, all_simulated, roll_out, simulated
from kontor.batch.loops import NOTHING, SKIP
from kontor.batch.simulation import Simulated

__all__ = ["NOTHING", "SKIP", "Batch", "Results", "Simulated", "all_simulated", "roll_out", "simulated"]
