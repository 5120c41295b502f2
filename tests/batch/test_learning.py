"""The learner of examples/learn_shanghaien.py."""

import csv
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .groups import OF_SHANGHAIEN

pytestmark = [pytest.mark.extended, pytest.mark.long, OF_SHANGHAIEN]

ROOT = Path(__file__).parent.parent.parent
LEARNER = ROOT / "examples" / "learn_shanghaien.py"


def learn(updates: int) -> list[Any]:
    """Return the points of a learner with seed 1, before and after the updates."""
    learner: dict[str, Any] = runpy.run_path(str(LEARNER))
    return list(learner["learn"](learner["first_weights"](1), 1, updates, 1))


def test_it_learns_to_beat_random() -> None:
    start, end = learn(10)
    assert (start.updates, end.updates) == (0, 10)
    assert start.seconds == 0 < end.seconds
    assert start.random < 0.5 < 0.8 < end.random


def test_the_program_writes_the_same_shares_for_the_same_seed(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    subprocess.run(
        [sys.executable, LEARNER, "--points", "1", "--updates", "2", "--seed", "1", "--csv", path], check=True
    )
    with path.open(encoding="utf-8", newline="") as file:
        written = [{name: float(number) for name, number in row.items()} for row in csv.DictReader(file)]
    assert [row["seconds"] == 0 for row in written] == [True, False]
    names = ("updates", "games", "random", "greedy")
    assert [[round(getattr(point, name), 4) for name in names] for point in learn(2)] == [
        [row[name] for name in names] for row in written
    ]
