"""Fixtures: a place for a server of its own, in a folder and in PostgreSQL."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kontor.storage import Place


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Return a place in which a server can be opened."""
    if request.param == "sqlite":
        return tmp_path / "server"
    address: str = request.getfixturevalue("database")
    return address


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of this folder outside Linux: they fork processes, and read /proc."""
    if sys.platform != "linux":
        for item in items:
            if item.path.parent == Path(__file__).parent:
                item.add_marker(pytest.mark.skip(reason="faults are made with what Linux has: fork, prlimit, /proc"))
