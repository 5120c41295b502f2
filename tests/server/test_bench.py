"""The program that measures the server: it runs, and reports its results."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from timeouts import HANG_TIMEOUT

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]


def test_the_server_is_measured() -> None:
    arguments = ["--tables", "3,6", "--moves", "12", "--lines", "3,120"]
    bench = subprocess.run(
        [sys.executable, "-m", "bench.service", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HANG_TIMEOUT,
    )
    assert bench.returncode == 0, bench.stderr
    lines = bench.stdout.splitlines()
    tables = [re.match(r" *(\d+) tables: opening +[\d.]+ ms, move +[\d.]+ ms", line) for line in lines[:2]]
    assert [match and int(match[1]) for match in tables] == [3, 6]
    logs = [re.match(r"a log of +(\d+) lines is opened in +([\d.]+) ms", line) for line in lines[2:]]
    (short, _), (long, _) = [match.groups() for match in logs if match]
    assert int(short) < 10
    assert int(long) >= 120
