"""Requests that arrive at once on a server that has just started."""

import subprocess
import sys
from pathlib import Path

import pytest

from timeouts import HANG_TIMEOUT


@pytest.mark.process
def test_all_that_threads_decode_is_known_before_the_first_request() -> None:
    """Check that no type is looked up late.

    Two threads that inspect the same struct at once crash the process (msgspec 0.22).
    """
    played = subprocess.run(
        [sys.executable, "-m", "web.first_requests"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=HANG_TIMEOUT,
        check=True,
    )
    assert played.stdout == ""
