"""A house that strangers come to, and how hard they try."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kontor.table import House
from web.conftest import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house for the tests of one file."""
    with Served(tmp_path_factory.mktemp("house")) as served:
        yield served


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house without a web."""
    with House.open(tmp_path) as house:
        yield house
