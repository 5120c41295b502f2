"""The learner of examples/learn_shanghaien.py."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from .groups import OF_SHANGHAIEN

pytestmark = [pytest.mark.long, OF_SHANGHAIEN]

ROOT = Path(__file__).parent.parent.parent
LEARNER = ROOT / "examples" / "learn_shanghaien.py"


def learned(to: Path, *, seed: int) -> list[dict[str, float]]:
    """The points of a short training."""
    subprocess.run(
        [sys.executable, LEARNER, "--points", "1", "--updates", "60", "--seed", str(seed), "--csv", to], check=True
    )
    with to.open(encoding="utf-8", newline="") as file:
        return [{name: float(number) for name, number in row.items()} for row in csv.DictReader(file)]


def test_it_learns_to_beat_random_and_the_same_seed_gives_the_same_shares(tmp_path: Path) -> None:
    points, again = (learned(tmp_path / f"{time}.csv", seed=1) for time in ("once", "again"))
    for each in (points, again):
        assert [point["updates"] for point in each] == [0, 60]
        assert each[0]["seconds"] == 0 < each[1]["seconds"]
        assert each[0]["random"] < 0.5 < 0.8 < each[1]["random"]
        for point in each:
            del point["seconds"]
    assert points == again
