"""Kills at any moment (SIGKILL): no acknowledged move is lost or doubled, and chance is never drawn differently."""

from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import sleep

import msgspec
import pytest

import victim
from guests import lines, play_out, query
from kontor import records
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.game_states import record_of
from kontor.tables.rows import table_row
from timeouts import waited_for

pytestmark = pytest.mark.process

KILLS = 10

Logs = dict[str, list[tuple[int, int, str]]]


def test_no_acknowledged_move_is_lost_and_none_doubled(place: Place, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.touch()
    context = get_context("forkserver")  # loads the program once, not ten times
    context.set_forkserver_preload(["kontor.server.composition"])
    random, before = Random(1), Logs()
    for kill in range(KILLS):
        size = notes.stat().st_size
        process = context.Process(target=victim.live, args=(place, notes, kill), daemon=True)
        process.start()
        waited_for(lambda: notes.stat().st_size > size or not process.is_alive())  # noqa: B023 (called at once)
        assert process.is_alive()
        sleep(random.random() * 0.2)
        process.kill()
        process.join()
        before = check(place, notes, before)
    assert len(before) >= 3
    finish(place, [*before])


def check(place: Place, notes: Path, before: Logs) -> Logs:
    """Return the present logs, after checking that they continue the old ones with every acknowledged move."""
    tables = [table for (table,) in query(place, "SELECT id FROM tables")]
    logs = {table: lines(place, table) for table in tables}
    for table, log in before.items():
        assert logs[table][: len(log)] == log
    for table, log in logs.items():
        assert [number for number, _, _ in log] == list(range(2, len(log) + 2))
        assert query(place, "SELECT number FROM tables WHERE id = ?", table) == [(len(log) + 1,)]
    entries = notes.read_bytes().rpartition(b"\n")[0].splitlines()
    assert entries
    for note in entries:
        noted = msgspec.json.decode(note, type=victim.Noted)
        assert logs[noted.table][noted.number - 2] == (noted.number, noted.seat, noted.line)
    return logs


def finish(place: Place, tables: list[str]) -> None:
    """Check that every outcome follows from the seed, and that every game can be played to its end."""
    with KontorServer.open(place) as service:
        for table in tables:
            with service._transactions.storage.reading() as db:
                record = record_of(db, table_row(db, table))
            ((seed,),) = query(place, "SELECT seed FROM tables WHERE id = ?", table)
            if service.tables.info(table).status == "over":
                record = service.tables.record(table)
            assert records.verify(record, seed).dice
        play_out(service, *tables)
        for table in tables:
            assert records.verify(service.tables.record(table)).dice
