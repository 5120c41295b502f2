"""Settings for processes that use one core each: with small matrices threads only wait for each other."""

from __future__ import annotations

from typing import Final

ONE_CORE: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Environment variables to set before NumPy is imported."""
