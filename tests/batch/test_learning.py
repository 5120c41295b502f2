"""The learner of examples/learn_shanghaien.py."""

from __future__ import annotations

import csv
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .groups import OF_SHANGHAIEN

pytestmark = [pytest.mark.long, OF_SHANGHAIEN]

ROOT = Path(__file__).parent.parent.parent
LEARNER = ROOT / "examples" / "learn_shanghaien.py"


def test_it_learns_to_beat_random_and_the_same_seed_gives_the_same_shares(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    subprocess.run(
        [sys.executable, LEARNER, "--points", "1", "--updates", "10", "--seed", "1", "--csv", path], check=True
    )
    with path.open(encoding="utf-8", newline="") as file:
        points = [{name: float(number) for name, number in row.items()} for row in csv.DictReader(file)]
    start, end = points[0], points[-1]
    assert [point["updates"] for point in points] == [0, 10]
    assert start["seconds"] == 0 < end["seconds"]
    assert start["random"] < 0.5 < 0.8 < end["random"]

    learner: dict[str, Any] = runpy.run_path(str(LEARNER))
    again = learner["learn"](learner["first_weights"](1), 1, 10, 1)
    for point, then in zip(again, points, strict=True):
        same = ("updates", "games", "random", "greedy")
        assert [round(getattr(point, name), 4) for name in same] == [then[name] for name in same]
