"""The command ``kontor``, as a process."""

import os
import sys
from pathlib import Path

CHART = Path(__file__).parents[2] / "src/kontor/games/dutchman/rules/chart.toml"
KONTOR = [sys.executable, "-m", "kontor.cli"]


def is_there(group: int) -> bool:
    """Return True if any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
