"""Backups, and servers restored from them or moved: either everything is there again, or nothing."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import BigInteger, Boolean, Float, Integer, LargeBinary, String, create_engine

import victim
from guests import CARLA, FRIEND, MACHINE, ME, OPEN, Clock, dutchman, play_one, play_out, query, shanghaien
from kontor import records
from kontor.fair import FairDice
from kontor.server.composition import KontorServer
from kontor.server.copies import CopiedDatabase, MovedDatabase, back_up, files, move, restore
from kontor.server.copies.lines import FORMAT, KINDS, BackupFooter, TableChecksum
from kontor.storage import Place
from kontor.storage.errors import (
    BadCopy,
    CannotOpen,
    FileThere,
    InUse,
    NewerCopy,
    NewerDatabase,
    NotADatabase,
    NotEmpty,
    NothingToCopy,
)
from kontor.storage.migrate import migrate
from kontor.storage.schema import METADATA
from kontor.storage.sqlite import DATABASE
from kontor.tables.game_states import record_of
from kontor.tables.rows import table_row
from kontor.tables.values import Share
from postgresql import Server
from storage.test_kill import check
from timeouts import waited_for


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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a server with much data, which no test changes."""
    made = tmp_path_factory.mktemp("furnished")
    with KontorServer.open(made, Clock()) as service:
        furnish(service)
    return made


@pytest.fixture(scope="module")
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


from_each_to_each = pytest.mark.parametrize(
    ("furnished_place", "empty_place"),
    [("sqlite", "sqlite"), ("sqlite", "postgresql"), ("postgresql", "sqlite")],
    indirect=True,
)
"""Copies from each kind of database and into each kind; those from PostgreSQL into PostgreSQL show nothing else."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file for a backup."""
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups" / "monday.kontor"


def furnish(service: KontorServer) -> None:
    """Make people with sessions, and tables in every state, with all possible details."""
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd Österreicher 🂡"))
    service.people.api_token(anna, "robot")
    service.people.device_link(bernd)
    over = service.opening.open(anna, shanghaien(ME, CARLA), Share("salt"))
    play_out(service, over)
    service.talk.say(service.opening.rematch(over, anna), anna, "“Noch einmal?”\\ '")
    playing = service.opening.open(anna, dutchman(ME, CARLA, MACHINE, hints=True))
    random = Random(1)
    for _ in range(10):
        play_one(service, playing, random)
    waiting = service.opening.open(bernd, shanghaien(ME, FRIEND))
    service.opening.invitation(waiting, 1, bernd)
    service.opening.open(bernd, dutchman(ME, OPEN, OPEN))


def one_of(place: Place, status: str, game: str) -> str:
    """Return the id of a table."""
    ((table,),) = query(
        place, "SELECT id FROM tables WHERE status = ? AND game = ? AND rematch_of IS NULL", status, game
    )
    return str(table)


DRAWN_ANEW = ("next_seed", "next_commitment")
"""Columns that a copy leaves out: ``test_next_seeds.py`` says why."""


def rows(place: Place) -> dict[str, set[Any]]:
    """Return all other contents of a server's tables, read outside the server."""
    columns = {
        name: ", ".join(f'"{column.name}"' for column in table.c if column.name not in DRAWN_ANEW)
        for name, table in METADATA.tables.items()
    }
    values = {name: query(place, f"SELECT {columns[name]} FROM {name}") for name in METADATA.tables}  # noqa: S608
    assert all(len(set(listed)) == len(listed) for listed in values.values())
    return {name: set(listed) for name, listed in values.items()}


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
@pytest.mark.skipif(sys.platform == "win32", reason="there the size of files cannot be limited")
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


# --------------------------------------------------------------------------------------------------- invalid files


@pytest.fixture(scope="module")
def backup(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of a valid backup."""
    file = tmp_path_factory.mktemp("backup") / "monday.kontor"
    back_up(folder, file)
    return file.read_bytes()


def refusal_of(kind: type[Exception], file: Path, held: bytes, place: Path) -> str:
    """Return the refusal of such a file; nothing may be left where it was to be restored."""
    file.write_bytes(held)
    with pytest.raises(kind) as refusal:
        restore(file, place)
    assert not place.exists()
    return str(refusal.value)


def test_a_file_that_is_cut_off_is_refused_wherever_it_is_cut(backup: bytes, file: Path, tmp_path: Path) -> None:
    cuts = [0, 1, *Random(1).sample(range(len(backup)), 60), len(backup) - 1]
    for cut in cuts:
        refusal_of(BadCopy, file, backup[:cut], tmp_path / "house")


def test_a_file_in_which_a_byte_is_wrong_is_refused(backup: bytes, file: Path, tmp_path: Path) -> None:
    """Change single bytes of a backup.

    The reader ignores parts of the gzip header, for example the time of writing. And some bits only fill a byte.
    """
    random = Random(2)
    refusals = 0
    for at in [0, 1, 2, *random.sample(range(10, len(backup)), 60)]:
        wrong = bytearray(backup)
        wrong[at] ^= random.randrange(1, 256)
        if not same_content(bytes(wrong), backup):
            refusal_of(BadCopy, file, bytes(wrong), tmp_path / "house")
            refusals += 1
    assert refusals >= 60


def same_content(compressed: bytes, other: bytes) -> bool:
    """Return True if two gzip files have the same content."""
    try:
        return gzip.decompress(compressed) == gzip.decompress(other)
    except (OSError, EOFError, zlib.error):
        return False


def test_what_is_no_backup_is_refused(file: Path, tmp_path: Path) -> None:
    for held in (b"Dear diary,\n", gzip.compress(b""), gzip.compress(b"Dear diary,\n"), gzip.compress(b"[1]\n"), b""):
        assert "not a Kontor backup" in refusal_of(BadCopy, file, held, tmp_path / "house")


def compress_lines(lines: list[bytes]) -> bytes:
    """Return the lines compressed, unchanged."""
    return gzip.compress(b"".join(line + b"\n" for line in lines))


def add_digests(lines: list[bytes]) -> bytes:
    """Return the lines with a foot of correct digests, as a forger would."""
    tables: dict[str, list[bytes]] = {}
    for line in lines:
        if line.startswith(b"["):
            tables[[*tables][-1]].append(line + b"\n")
        elif b'"table"' in line:
            tables[msgspec.json.decode(line)["table"]] = []
    sums = {name: TableChecksum(len(rows), sha256(b"".join(rows)).hexdigest()) for name, rows in tables.items()}
    total = sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
    return compress_lines([*lines, msgspec.json.encode(BackupFooter(sums, total))])


def test_lines_that_are_changed_lost_or_moved_are_found(backup: bytes, file: Path, tmp_path: Path) -> None:
    lines = gzip.decompress(backup).splitlines()
    random = Random(3)
    for at in random.sample(range(len(lines) - 1), 30):
        refusal_of(BadCopy, file, compress_lines([*lines[:at], *lines[at + 1 :]]), tmp_path / "house")
        refusal_of(BadCopy, file, compress_lines([*lines[:at], lines[at], *lines[at:]]), tmp_path / "house")
        moved = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        refusal_of(BadCopy, file, compress_lines(moved), tmp_path / "house")
    refusal_of(BadCopy, file, compress_lines([*lines, lines[-1]]), tmp_path / "house")
    (before,) = [at for at, line in enumerate(lines) if b"Bernd" in line and line.startswith(b"[")][:1]
    changed = [*lines[:before], lines[before].replace(b"Bernd", b"Berta"), *lines[before + 1 :]]
    refusal_of(BadCopy, file, compress_lines(changed), tmp_path / "house")


FORGED: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a table is missing": lambda lines: without_table(lines, "chat"),
    "a table is not ours": lambda lines: [*lines, b'{"type":"table","table":"diary","columns":["day"]}'],
    "a table comes twice": lambda lines: [*lines, *of(lines, "chat")],
    "what is referred to is missing": lambda lines: without_rows(lines, "people"),
    "a column is missing": lambda lines: [line.replace(b'"name","created",', b'"created",') for line in lines],
    "a value is of another kind": lambda lines: [
        b"[[7]," + line[1:] if line[:2] == b'["' else line for line in lines
    ],
    "a value is missing": lambda lines: [cut_short(line) for line in lines],
    "a row comes twice": lambda lines: [twice for line in lines for twice in [line] * (1 + line.startswith(b"["))],
}


def of(lines: list[bytes], table: str) -> list[bytes]:
    """Return the heading of a table and its rows."""
    (at,) = [at for at, line in enumerate(lines) if line.startswith(b'{"type":"table","table":"%b"' % table.encode())]
    rest = lines[at + 1 :]
    return [lines[at], *rest[: next((at for at, line in enumerate(rest) if line.startswith(b"{")), len(rest))]]


def without_table(lines: list[bytes], table: str) -> list[bytes]:
    return [line for line in lines if line not in of(lines, table)]


def without_rows(lines: list[bytes], table: str) -> list[bytes]:
    return [line for line in lines if line not in of(lines, table)[1:]]


def of_another_kind(line: bytes) -> bytes:
    return b"[7" + line[line.index(b'"', 2) + 1 :] if line.startswith(b'["') else line


def cut_short(line: bytes) -> bytes:
    return line.rpartition(b",")[0] + b"]" if line.startswith(b"[") else line


def test_lines_that_are_no_server_are_refused_though_their_digests_are_right(
    backup: bytes, file: Path, empty_place: Place
) -> None:
    *lines, _ = gzip.decompress(backup).splitlines()
    for how, forge in FORGED.items():
        forged = forge(lines)
        assert forged != lines, how
        file.write_bytes(add_digests(forged))
        with pytest.raises(BadCopy):
            restore(file, empty_place)
    with KontorServer.open(empty_place) as service:
        assert service.listing.lobby().open == ()
    assert not rows(empty_place)["people"]
    file.write_bytes(backup)
    restore(file, empty_place)


def test_a_backup_of_a_newer_kontor_is_refused(backup: bytes, file: Path, tmp_path: Path) -> None:
    head, *lines, _ = gzip.decompress(backup).splitlines()
    newer = head.replace(b'"format":%d' % FORMAT, b'"format":%d' % (FORMAT + 1))
    assert "newer Kontor" in refusal_of(NewerCopy, file, add_digests([newer, *lines]), tmp_path / "house")
    revision = msgspec.json.decode(head)["revision"].encode()
    newer = head.replace(b'"revision":"%b"' % revision, b'"revision":"9999"')
    file.write_bytes(add_digests([newer, *lines]))
    with pytest.raises(NewerCopy, match="newer Kontor"):
        restore(file, tmp_path / "house")


def test_a_server_where_people_live_is_not_restored_over(
    service: KontorServer, place: Place, file: Path, tmp_path: Path
) -> None:
    with KontorServer.open(tmp_path / "other") as other:
        furnish(other)
    back_up(tmp_path / "other", file)
    service.people.guest("Anna")
    service.close()
    before = rows(place)
    with pytest.raises(NotEmpty):
        restore(file, place)
    with pytest.raises(NotEmpty):
        move(tmp_path / "other", place)
    assert rows(place) == before


def test_a_server_that_somebody_has_open_is_neither_moved_nor_restored_over(
    service: KontorServer, place: Place, empty_place: Place, file: Path
) -> None:
    with pytest.raises(InUse):
        move(place, empty_place)
    back_up(place, file)
    with pytest.raises(InUse):
        restore(file, place)


def test_where_there_is_no_server_there_is_nothing_to_back_up(empty_place: Place, file: Path, tmp_path: Path) -> None:
    with pytest.raises(NothingToCopy):
        back_up(empty_place, file)
    with pytest.raises(NothingToCopy):
        move(empty_place, tmp_path / "third")
    assert [*file.parent.iterdir()] == []
    assert not isinstance(empty_place, Path) or not empty_place.exists()
    assert not (tmp_path / "third").exists()


def test_what_is_no_server_is_not_backed_up(tmp_path: Path, file: Path) -> None:
    query(tmp_path, "CREATE TABLE diary (day TEXT)")
    with pytest.raises(NotADatabase):
        back_up(tmp_path, file)
    (tmp_path / DATABASE).write_bytes(b"Dear diary,\n" * 1000)
    with pytest.raises(CannotOpen):
        back_up(tmp_path, file)
    assert [*file.parent.iterdir()] == []


def test_a_server_of_a_newer_kontor_is_not_backed_up(place: Place, file: Path) -> None:
    KontorServer.open(place).close()
    query(place, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerDatabase, match="9999"):
        back_up(place, file)
    assert [*file.parent.iterdir()] == []


@from_each_to_each
def test_games_that_are_not_what_their_log_says_are_told(furnished_place: Place, empty_place: Place) -> None:
    """Check that such games are moved all the same: nobody can play them here either."""
    over, playing = one_of(furnished_place, "over", "shanghaien"), one_of(furnished_place, "playing", "dutchman")
    query(furnished_place, "UPDATE tables SET mover = 1 - mover WHERE id = ?", playing)
    query(furnished_place, "UPDATE tables SET rules = 99 WHERE id = ?", over)
    moved = move(furnished_place, empty_place)
    assert moved == MovedDatabase(moved.copied, 3, moved.unplayable)
    assert set(moved.unplayable) == {over, playing}
    assert rows(empty_place) == rows(furnished_place)


# ------------------------------------------------------------------------------------------------------ under load

BACKUPS = 4


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="there is no server there that forks what it has loaded")
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
