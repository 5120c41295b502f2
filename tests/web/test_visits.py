"""Computer players among themselves go on as soon as somebody looks, by a page, a stream or a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.guests import MACHINE, query, shanghaien
from timeouts import waited_for
from web.conftest import Served

LOOKS = {
    "a page": "/tables/{table}",
    "a program": "/api/tables/{table}",
    "a program that looks at the game": "/api/tables/{table}/view",
    "a program that looks at what happened": "/api/tables/{table}/events",
}

STREAMS = {"the stream of a page": "/tables/{table}/live", "the stream of a program": "/api/tables/{table}/stream"}


def left_alone(served: Served, folder: Path) -> str:
    """A table of computer players only at which nobody has looked for long."""
    table = served.service.opening.open(served.service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
    query(folder, "UPDATE tables SET visited = 0")
    assert served.service.listing.machine_turns() == ()
    return table


@pytest.mark.parametrize("path", LOOKS.values(), ids=list(LOOKS))
def test_whoever_looks_lets_them_go_on(tmp_path: Path, path: str) -> None:
    with Served(tmp_path) as served, served.guest() as stranger:
        table = left_alone(served, tmp_path)
        assert stranger.client.get(path.format(table=table)).status_code == 200
        waited_for(lambda: served.service.info(table).status == "over")


@pytest.mark.parametrize("path", STREAMS.values(), ids=list(STREAMS))
def test_a_stream_lets_them_go_on(tmp_path: Path, path: str) -> None:
    with Served(tmp_path) as served, served.guest() as stranger:
        table = left_alone(served, tmp_path)
        with stranger.client.stream("GET", path.format(table=table)) as stream:
            assert next(stream.iter_raw())
            waited_for(lambda: served.service.info(table).status == "over")
