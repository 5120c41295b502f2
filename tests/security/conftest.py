"""A server that strangers reach, and how hard they try."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from folders import with_database
from kontor.server.composition import KontorServer
from web.conftest import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a server for the tests of one file."""
    with Served(tmp_path_factory.mktemp("house")) as served:
        yield served


@pytest.fixture
def service(tmp_path: Path) -> Iterator[KontorServer]:
    """Open a server without a web interface."""
    with KontorServer.open(with_database(tmp_path)) as service:
        yield service
