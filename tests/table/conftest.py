"""A house in a folder of its own, at a time that stands still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kontor.table import House

from .guests import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    with House.open(tmp_path, clock) as house:
        yield house
