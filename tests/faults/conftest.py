"""Fixtures: a place for a server of its own, in a folder and in PostgreSQL, and metrics of a test's own."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from kontor.storage import Place
from kontor.work import loops


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Return a place in which a server can be opened."""
    if request.param == "sqlite":
        return tmp_path / "server"
    address: str = request.getfixturevalue("database")
    return address


@pytest.fixture(autouse=True)
def own_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the loops of these tests out of the metrics of the process."""
    monkeypatch.setattr(loops, "_failures", Counter())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of this folder outside Linux: they fork processes, and read /proc."""
    if sys.platform != "linux":
        for item in items:
            if item.path.parent == Path(__file__).parent:
                item.add_marker(pytest.mark.skip(reason="faults are made with what Linux has: fork, prlimit, /proc"))
