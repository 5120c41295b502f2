"""Backups, and servers restored from them or moved: either everything is there again, or nothing."""

import gzip
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import BigInteger, Boolean, Float, Integer, LargeBinary, String, create_engine

import victim
from guests import Clock, play_out, query
from kontor import records
from kontor.fair import FairDice
from kontor.server.composition import KontorServer
from kontor.server.copies import CopiedDatabase, back_up, files, move, restore
from kontor.server.copies.lines import KINDS
from kontor.storage import Place
from kontor.storage.errors import FileThere
from kontor.storage.migrate import migrate
from kontor.storage.schema import METADATA
from kontor.storage.sqlite import DATABASE
from kontor.tables.game_states import record_of
from kontor.tables.rows import table_row
from storage.test_kill import check
from timeouts import waited_for

from .copying import from_each_to_each, one_of, rows


def lines_of(file: Path) -> list[Any]:
    """Return the lines of the file, read outside the server."""
    return [msgspec.json.decode(line) for line in gzip.decompress(file.read_bytes()).splitlines()]


# --------------------------------------------------------------------------------------------------- round trips


@from_each_to_each
def test_what_is_restored_is_what_was_there(furnished_place: Place, empty_place: Place, file: Path) -> None:
    copied = back_up(furnished_place, file)
    ((lines,),) = query(furnished_place, "SELECT count(*) FROM steps")
    assert copied == CopiedDatabase(people=2, tables=5, lines=lines)
    assert restore(file, empty_place) == copied
    assert rows(empty_place) == rows(furnished_place)


@from_each_to_each
def test_in_a_restored_server_all_goes_on(furnished_place: Place, empty_place: Place, file: Path) -> None:
    over, playing = one_of(furnished_place, "over", "shanghaien"), one_of(furnished_place, "playing", "dutchman")
    back_up(furnished_place, file)
    restore(file, empty_place)
    with KontorServer.open(empty_place) as service:
        assert records.verify(service.tables.record(over)).dice
        play_out(service, playing)
        assert records.verify(service.tables.record(playing)).dice


@from_each_to_each
def test_a_server_is_moved_there_and_back(furnished_place: Place, empty_place: Place, tmp_path: Path) -> None:
    before = rows(furnished_place)
    moved = move(furnished_place, empty_place)
    assert (moved.games, moved.unplayable) == (3, ())
    assert rows(empty_place) == before
    assert rows(furnished_place) == before, "the old house stays as it is"
    assert move(empty_place, tmp_path / "third") == moved
    assert rows(tmp_path / "third") == before


def test_every_table_and_every_column_is_in_a_backup(furnished_place: Place, file: Path) -> None:
    back_up(furnished_place, file)
    columns = {
        line["table"]: line["columns"] for line in lines_of(file) if isinstance(line, dict) and "table" in line
    }
    assert {name: set(names) for name, names in columns.items()} == {
        name: set(table.c.keys()) for name, table in METADATA.tables.items()
    }


def test_lines_can_say_what_every_column_holds() -> None:
    types = (Boolean, Integer, BigInteger, Float, String, LargeBinary)
    for table in METADATA.tables.values():
        for column in table.c:
            assert isinstance(column.type, types), column
            assert column.type.python_type in KINDS, column


def test_tables_come_below_those_that_they_refer_to_and_rows_in_the_order_of_bytes(
    furnished_place: Place, file: Path
) -> None:
    back_up(furnished_place, file)
    seen: list[str] = []
    keys: list[str] = []
    for line in lines_of(file):
        if isinstance(line, list):
            keys.append(line[0])
            assert seen[-1] not in ("people", "tables") or keys == sorted(keys)
        elif "table" in line:
            keys = []
            seen.append(line["table"])
    for name, table in METADATA.tables.items():
        others = {key.column.table.name for key in table.foreign_keys} - {name}
        assert all(seen.index(other) < seen.index(name) for other in others)


@from_each_to_each
def test_rematches_of_tables_that_come_earlier_or_later_are_restored(
    furnished_place: Place, empty_place: Place, file: Path
) -> None:
    """Check both orders: rows are sorted by their ids, which are random."""
    first, second, third, *_ = sorted(table for (table,) in query(furnished_place, "SELECT id FROM tables"))
    for one, other in ((first, third), (third, second)):
        query(furnished_place, "UPDATE tables SET rematch_of = ? WHERE id = ?", other, one)
    back_up(furnished_place, file)
    restore(file, empty_place)
    assert rows(empty_place) == rows(furnished_place)


def test_a_server_of_an_older_kontor_is_restored_and_brought_up_to_date(
    folder: Path, tmp_path: Path, empty_place: Place, file: Path
) -> None:
    old = tmp_path / "old"
    old.mkdir()
    engine = create_engine(f"sqlite:///{old / DATABASE}")
    with engine.begin() as db:
        migrate(db, "old", "0001")
        db.exec_driver_sql(f"ATTACH '{folder / DATABASE}' AS new")
        for (name,) in db.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").all():
            if name != "alembic_version":
                held = [column[1] for column in db.exec_driver_sql(f"PRAGMA table_info({name})").all()]
                columns = ", ".join(f'"{column}"' for column in held)
                db.exec_driver_sql(f"INSERT INTO {name} SELECT {columns} FROM new.{name}")  # noqa: S608
    engine.dispose()
    back_up(old, file)
    assert lines_of(file)[0]["revision"] == "0001"
    restore(file, empty_place)
    restored, new = rows(empty_place), rows(folder)
    untouched = ["people", "invitations", "steps", "chat"]
    assert {name: restored[name] for name in untouched} == {name: new[name] for name in untouched}
    statement = "SELECT hash, kind, person, handle, label, created, expires FROM tokens ORDER BY 1"
    assert query(empty_place, statement) == query(folder, statement)
    scopes = "SELECT DISTINCT kind, scopes FROM tokens WHERE kind = 'api'"
    assert query(empty_place, scopes) == [("api", "play read")], "programs may do what they could then"
    sitting = "SELECT table_id, seat, place, kind, name, player, person, salt, stood_in FROM seats ORDER BY 1, 2"
    assert query(empty_place, sitting) == query(folder, sitting)
    unseen = "SELECT count(*) FROM seats WHERE person IS NOT NULL AND visited IS NULL"
    assert query(empty_place, unseen) == [(0,)], "nobody is away because nobody counted then"
    assert query(empty_place, "SELECT at FROM pulse") == query(folder, "SELECT at FROM pulse")
    assert query(empty_place, "SELECT count(*) FROM tables WHERE hints") == [(0,)], "there was no practice then"
    with KontorServer.open(empty_place, Clock()) as service:
        assert service.listing.lobby().open


# ---------------------------------------------------------------------------------------------------- the file


def test_only_its_owner_can_read_the_file(service: KontorServer, place: Place, file: Path) -> None:
    before = os.umask(0)
    try:
        back_up(place, file)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_no_file_is_overwritten(service: KontorServer, place: Place, file: Path) -> None:
    file.write_text("Dear diary,")
    with pytest.raises(FileThere, match="monday"):
        back_up(place, file)
    assert file.read_text() == "Dear diary,"
    assert [*file.parent.iterdir()] == [file]


def test_a_file_that_came_meanwhile_is_not_overwritten(service: KontorServer, place: Place, file: Path) -> None:
    def clock() -> datetime:
        file.write_text("Dear diary,")
        return datetime.now(UTC)

    with pytest.raises(FileThere):
        back_up(place, file, clock)
    assert file.read_text() == "Dear diary,"
    assert [*file.parent.iterdir()] == [file]


@pytest.mark.process
def test_where_the_disk_is_full_no_half_backup_is_left(furnished_place: Place, file: Path) -> None:
    full = f"""
import resource
from pathlib import Path
from kontor.server.copies import back_up
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
back_up({"Path" * isinstance(furnished_place, Path)}({str(furnished_place)!r}), Path({str(file)!r}))
"""
    with KontorServer.open(furnished_place, Clock()):  # a running server has all the files that SQLite needs
        run = subprocess.run([sys.executable, "-c", full], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "File too large" in run.stderr
    assert [*file.parent.iterdir()] == []


def test_whoever_backs_up_leaves_the_writing_to_the_server(tmp_path: Path, file: Path) -> None:
    """Check that a backup never moves SQLite's log into the database, even when it is the last to close it."""
    with KontorServer.open(tmp_path) as service:
        service.people.guest("Anna")
        database, log = tmp_path / DATABASE, tmp_path / f"{DATABASE}-wal"
        before = database.read_bytes(), log.read_bytes()
        assert before[1]
        back_up(tmp_path, file)
        assert (database.read_bytes(), log.read_bytes()) == before
        killed = tmp_path / "killed"
        shutil.copytree(tmp_path, killed, ignore=shutil.ignore_patterns("backups", "killed"))
    back_up(killed, file.with_name("tuesday.kontor"))
    assert ((killed / DATABASE).read_bytes(), (killed / log.name).read_bytes()) == before
    assert lines_of(file)[1:-1] == lines_of(file.with_name("tuesday.kontor"))[1:-1]


@pytest.mark.long
@from_each_to_each
def test_people_go_on_playing_while_a_backup_is_made(
    furnished_place: Place, empty_place: Place, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = files.write
    with KontorServer.open(furnished_place) as service:
        before = rows(furnished_place)

        def yield_slowly(lines: Iterable[bytes]) -> Iterator[bytes]:
            for line in lines:
                yield line
                service.people.guest("Carla")

        monkeypatch.setattr(files, "write", lambda path, lines: write(path, yield_slowly(lines)))
        back_up(furnished_place, file)
        assert len(rows(furnished_place)["people"]) > 100
    restore(file, empty_place)
    assert rows(empty_place) == before


# ------------------------------------------------------------------------------------------------------ under load

BACKUPS = 4


@pytest.mark.process
def test_backups_are_made_while_people_and_machines_move(place: Place, tmp_path: Path) -> None:
    """Check that each backup holds every move acknowledged before it began, and one moment of each game."""
    notes = tmp_path / "notes"
    notes.touch()
    context = get_context("forkserver")
    context.set_forkserver_preload(["kontor.server.composition"])
    playing = context.Process(target=victim.live, args=(place, notes, 1), daemon=True)
    playing.start()
    acknowledged = []
    try:
        for number in range(BACKUPS):
            size = notes.stat().st_size
            waited_for(lambda: notes.stat().st_size >= size + 2000 or not playing.is_alive())  # noqa: B023 (at once)
            assert playing.is_alive()
            acknowledged.append(notes.read_bytes().rpartition(b"\n")[0] + b"\n")
            back_up(place, tmp_path / f"{number}.kontor")
    finally:
        playing.kill()
        playing.join()
    grown = []
    for number, before in enumerate(acknowledged):
        folder, known_notes = tmp_path / str(number), tmp_path / f"{number}.notes"
        restore(tmp_path / f"{number}.kontor", folder)
        known_notes.write_bytes(before)
        logs = check(folder, known_notes, {})
        grown.append(sum(map(len, logs.values())))
        with KontorServer.open(folder) as service, service._transactions.storage.reading() as db:
            for table in logs:
                ((seed,),) = query(folder, "SELECT seed FROM tables WHERE id = ?", table)
                records.check_left(record_of(db, table_row(db, table)), FairDice(seed, salts_of(folder, table)))
    assert grown == sorted(set(grown)), "each has more than the one before: it was played on"


def salts_of(folder: Path, table: str) -> tuple[str, ...]:
    return tuple(salt for (salt,) in query(folder, "SELECT salt FROM seats WHERE table_id = ? ORDER BY seat", table))
