"""Processes that use one core each: for small matrices threads only wait for each other."""

from __future__ import annotations

from typing import Final

ONE_CORE: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""For the environment, before NumPy is imported."""
