"""The cache of tables: in a folder the process never queries what it already knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine, event

from folders import with_database
from guests import CARLA, ME, Clock, play_one, shanghaien
from kontor.server.composition import KontorServer
from kontor.tables.cache import TableCache
from kontor.tables.snapshots import TableSnapshot


@contextmanager
def statements() -> Iterator[list[str]]:
    """Yield the list of SQL statements that databases get while the block lasts."""
    executed: list[str] = []

    def hear(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        executed.append(statement)

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        yield executed
    finally:
        event.remove(Engine, "before_cursor_execute", hear)


@pytest.fixture
def folder_service(tmp_path: Path, clock: Clock) -> Iterator[KontorServer]:
    """Open a server in a folder, which no other process can change."""
    with KontorServer.open(with_database(tmp_path), clock) as service:
        yield service


@pytest.fixture
def table(folder_service: KontorServer) -> str:
    return folder_service.opening.open(folder_service.people.guest("Anna")[0].id, shanghaien(ME, CARLA))


def test_a_table_that_was_changed_here_is_looked_at_without_a_question(
    folder_service: KontorServer, table: str
) -> None:
    before = folder_service.tables.info(table).number
    assert play_one(folder_service, table, Random(1))
    with statements() as executed:
        assert folder_service.tables.view(table).info.number > before
    assert executed == []


def test_what_was_said_counts_as_a_change(folder_service: KontorServer, table: str) -> None:
    assert play_one(folder_service, table, Random(1))
    host = folder_service.people.guest("Bernd")[0].id  # may look, and not talk
    before = folder_service.tables.view(table, host)
    sitting = before.snapshot.seats[0].person
    assert sitting is not None
    folder_service.talk.say(table, sitting, "Ahoy")
    assert folder_service.tables.view(table, host).chat_lines()[-1].text == "Ahoy"


def snapshot_of(service: KontorServer, table: str) -> TableSnapshot:
    return service.tables.view(table).snapshot


def test_only_the_last_to_change_a_table_notes_how_far_it_has_counted(
    folder_service: KontorServer, table: str
) -> None:
    assert play_one(folder_service, table, Random(1))
    snapshot, cache = snapshot_of(folder_service, table), TableCache()
    cache.keep(snapshot, None)
    first, second = object(), object()
    assert cache.get_noted(table) is None
    cache.begin_change(table, first)
    cache.begin_change(table, second)
    cache.note(table, snapshot.row.changes, first)  # late: another process is changing it by now
    assert cache.get_noted(table) is None
    cache.note(table, snapshot.row.changes + 1, second)
    assert cache.get_noted(table) is None  # the cached entry is older
    cache.begin_change(table, first)
    cache.note(table, snapshot.row.changes, first)
    assert cache.get_noted(table) == snapshot
