"""Fixtures of copies: servers with much data, places for them, and a file for a backup."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from guests import Clock
from kontor.server.composition import KontorServer
from kontor.storage import Place
from postgresql import Server

from .copying import furnish


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Yield a place where there is no server yet."""
    if request.param == "sqlite":
        yield tmp_path / "elsewhere"
        return
    server: Server = request.getfixturevalue("postgres")
    name = server.create("template0")
    yield server.address(name)
    server.drop(name)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a server with much data, which no test changes."""
    made = tmp_path_factory.mktemp("furnished")
    with KontorServer.open(made, Clock()) as service:
        furnish(service)
    return made


@pytest.fixture(scope="session")
def template(postgres: Server) -> Iterator[str]:
    """Yield a server with much data in PostgreSQL."""
    name = postgres.create()
    with KontorServer.open(postgres.address(name), Clock()) as service:
        furnish(service)
    yield name
    postgres.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def furnished_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Yield a server with much data, which no process has open."""
    if request.param == "sqlite":
        yield shutil.copytree(request.getfixturevalue("folder"), tmp_path / "furnished")
        return
    server: Server = request.getfixturevalue("postgres")
    name = server.create(request.getfixturevalue("template"))
    yield server.address(name)
    server.drop(name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups" / "monday.kontor"
