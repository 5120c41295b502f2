"""Requests that come at once to a server that has just begun."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from timeouts import HANG_TIMEOUT


@pytest.mark.process
def test_all_that_threads_decode_is_known_before_the_first_request() -> None:
    """Two threads that find out about the same struct at once crash the process (msgspec 0.22)."""
    played = subprocess.run(
        [sys.executable, "-m", "web.first_requests"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=HANG_TIMEOUT,
        check=True,
    )
    assert played.stdout == ""
