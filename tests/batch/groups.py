"""The tests that run in one process: those of one game, whose kernels take seconds to compile."""

from typing import Final

import pytest

OF_DUTCHMAN: Final = pytest.mark.xdist_group("kernels of dutchman")
OF_SHANGHAIEN: Final = pytest.mark.xdist_group("kernels of shanghaien")
OF_STEPS: Final = pytest.mark.xdist_group("kernels of numbered steps")
"""For both games: their steps are other kernels than their moves."""
