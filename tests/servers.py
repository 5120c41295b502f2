"""A server of its own for each test, in a folder and in PostgreSQL, with a clock that stands still."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from folders import with_database
from guests import Clock
from kontor.server.composition import KontorServer
from kontor.storage import Place
from postgresql import Server, database_of


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> Place:
    """Return a place in which a server can be opened: tests of a server run in both kinds."""
    if request.param == "sqlite":
        return with_database(request.getfixturevalue("tmp_path"))
    address: str = request.getfixturevalue("database")
    return address


@pytest.fixture
def copied(request: pytest.FixtureRequest, tmp_path: Path, place: Place) -> Iterator[Callable[[], Place]]:
    """Yield a function that returns a copy of the server, which no process has open."""
    if isinstance(place, Path):
        yield lambda: shutil.copytree(place, tmp_path / "copy")
        return
    server: Server = request.getfixturevalue("postgres")
    made: list[str] = []

    def copy() -> str:
        made.append(server.create(database_of(place)))
        return server.address(made[-1])

    yield copy
    for name in made:
        server.drop(name)


@pytest.fixture
def service(place: Place, clock: Clock) -> Iterator[KontorServer]:
    with KontorServer.open(place, clock) as service:
        yield service
