"""A server of its own for each test, in a folder and in PostgreSQL, with a clock that stands still."""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

from folders import with_database
from guests import Clock
from kontor.fair import SEED_BYTES
from kontor.server.composition import KontorServer
from kontor.storage import Place
from postgresql import Server, database_of

_DRAWERS_OF_SEEDS: Final = ("people.people", "tables.next_seeds", "tournaments.tournaments")
"""The modules that draw seeds of games."""


@pytest.fixture(autouse=True)
def fixed_seeds(request: pytest.FixtureRequest) -> Iterator[None]:
    """Give the games of a test the same dice in every run, so that none fails only now and then."""
    drawn = Random(request.node.nodeid)
    with pytest.MonkeyPatch.context() as patch:
        for module in _DRAWERS_OF_SEEDS:
            patch.setattr(f"kontor.{module}.new_seed", partial(drawn.randbytes, SEED_BYTES))
        yield


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
def one_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Return a place in SQLite, or in what a test names: for tests of which few differ in PostgreSQL."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return with_database(tmp_path)
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
