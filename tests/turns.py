"""The marker of tests that wait for the others, where several processes share them."""

from typing import Final

import pytest

LAST_GROUP: Final = "once the others are done"

LAST: Final = pytest.mark.xdist_group(LAST_GROUP)
"""Tests that want a quiet machine: the programs that they run have limits in seconds, which we cannot raise."""
