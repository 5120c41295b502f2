"""Which tests wait for the others, where several processes share them."""

from __future__ import annotations

from typing import Final

import pytest

LAST_GROUP: Final = "once the others are done"

LAST: Final = pytest.mark.xdist_group(LAST_GROUP)
"""Tests that want a quiet machine: what they run has limits in seconds of its own, which we cannot raise."""
