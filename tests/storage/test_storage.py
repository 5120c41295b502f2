"""The database file: made, updated, refused with a sentence; and the effects of a failing disk."""

import shutil
from pathlib import Path
from random import Random
from typing import BinaryIO, Final

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from msgspec.structs import astuple
from sqlalchemy import Connection, create_engine, insert
from sqlalchemy.exc import IntegrityError

from guests import CARLA, ME, OPEN, dutchman, play_one, play_out, query, shanghaien
from kontor import records
from kontor.server import copies
from kontor.server.composition import KontorServer
from kontor.storage import make_empty, migrate, sqlite
from kontor.storage.errors import (
    CannotOpen,
    InUse,
    NewerDatabase,
    NoDatabase,
    NotADatabase,
    StorageFailure,
    Unwritable,
)
from kontor.storage.files import TALLY
from kontor.storage.locks import try_to_lock
from kontor.storage.schema import METADATA, people
from kontor.storage.sqlite import DATABASE, LOCK
from kontor.storage.tally import CommitTally, MissingCommits
from kontor.tables.rows import table_row
from timeouts import HANG_TIMEOUT

MIGRATIONS: Final = Path(migrate.__file__).with_name("migrations")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path


def refusal_of(kind: type[CannotOpen], folder: Path) -> str:
    with pytest.raises(kind) as refusal:
        KontorServer.open(folder)
    return str(refusal.value)


def test_a_server_is_made_where_there_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "some" / "100% new" / "folder"
    with KontorServer.open(folder) as service:
        anna, token = service.people.guest("Anna")
    assert (folder / DATABASE).is_file()
    with KontorServer.open(folder) as service:
        assert service.people.use_session(token)[0] == anna


def test_the_first_migration_makes_what_the_program_uses(service: KontorServer, tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / DATABASE}")
    try:
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, METADATA) == []
            assert context.get_current_heads() == (migrate._newest(),)
    finally:
        engine.dispose()


def test_each_step_is_named_by_its_file_and_they_are_one_chain() -> None:
    scripts = ScriptDirectory(MIGRATIONS)
    steps = {script.revision: script.down_revision for script in scripts.walk_revisions()}
    assert set(steps) == migrate.known_revisions()
    assert len(set(steps.values())) == len(steps), "none goes on from what another goes on from"
    assert scripts.get_heads() == [migrate._newest()]


def test_a_database_of_a_newer_kontor_is_refused(tmp_path: Path) -> None:
    KontorServer.open(tmp_path).close()
    query(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    sentence = refusal_of(NewerDatabase, tmp_path)
    assert "9999" in sentence
    assert str(tmp_path / DATABASE) in sentence
    assert query(tmp_path, "SELECT version_num FROM alembic_version") == [("9999",)]


@pytest.mark.parametrize("held", [b"Dear diary,\n" * 1000, b"\x00" * 4096, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, held: bytes) -> None:
    (tmp_path / DATABASE).write_bytes(held)
    assert str(tmp_path / DATABASE) in refusal_of(NotADatabase, tmp_path)
    assert (tmp_path / DATABASE).read_bytes() == held


def test_the_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    query(tmp_path, "CREATE TABLE diary (day TEXT)")
    assert "does not belong to Kontor" in refusal_of(NotADatabase, tmp_path)
    assert query(tmp_path, "SELECT name FROM sqlite_master") == [("diary",)]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert str(file) in refusal_of(Unwritable, file)
    assert str(file / "folder") in refusal_of(Unwritable, file / "folder")
    (tmp_path / "taken" / DATABASE).mkdir(parents=True)
    assert str(tmp_path / "taken") in refusal_of(Unwritable, tmp_path / "taken")


def test_only_one_program_has_a_server_open(tmp_path: Path) -> None:
    with KontorServer.open(tmp_path):
        assert str(tmp_path) in refusal_of(InUse, tmp_path)
    KontorServer.open(tmp_path).close()


def test_who_lets_go_of_a_folder_a_moment_later_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a killed server that was starting a process, which has its lock until it runs its own program."""
    monkeypatch.setattr(sqlite, "LOCK_TIMEOUT", HANG_TIMEOUT)
    held, tries = sqlite.hold(tmp_path), []

    def let_go_at_the_third(file: BinaryIO) -> None:
        tries.append(file)
        if len(tries) == 3:
            held.close()
        try_to_lock(file)

    monkeypatch.setattr(sqlite, "try_to_lock", let_go_at_the_third)
    KontorServer.open(tmp_path).close()
    assert len(tries) == 3


def test_a_server_that_could_not_open_lets_go_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"Dear diary,\n" * 1000)
    refusal_of(NotADatabase, tmp_path)
    (tmp_path / DATABASE).unlink()
    KontorServer.open(tmp_path).close()


def test_what_is_written_is_on_the_disk(service: KontorServer) -> None:
    def setting(name: str) -> object:
        return db.exec_driver_sql(f"PRAGMA {name}").scalar()

    with service._transactions.storage.writing() as db:
        assert setting("journal_mode") == "wal"
        assert setting("synchronous") == 2  # FULL
        assert setting("foreign_keys") == 1
    with service._transactions.storage.reading() as db:
        assert setting("journal_mode") == "wal"
        assert setting("query_only") == 1


def test_a_closed_server_refuses(tmp_path: Path) -> None:
    service = KontorServer.open(tmp_path)
    service.close()
    service.close()
    with pytest.raises(StorageFailure):
        service.people.guest("Anna")
    with pytest.raises(StorageFailure):
        service.listing.lobby()


def test_on_a_full_disk_nothing_happens_by_halves(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    tables = [service.opening.open(anna, dutchman(ME, CARLA, CARLA)) for _ in range(5)]  # one short game may fit
    with service._transactions.storage.writing() as db:
        pages = db.exec_driver_sql("PRAGMA page_count").scalar()
        db.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    random, acknowledged = Random(1), list[tuple[str, int]]()

    def play_on() -> None:
        for table in tables:
            acknowledged.append((table, service.tables.info(table).number))
            while play_one(service, table, random):
                acknowledged.append((table, service.tables.info(table).number))

    with pytest.raises(StorageFailure):
        play_on()
    table, number = acknowledged[-1]
    assert service.tables.info(table).number == number == service.tables.view(table).look(0).number
    with service._transactions.storage.writing() as db:
        db.exec_driver_sql("PRAGMA max_page_count = 1000000")
    play_out(service, table)
    assert records.verify(service.tables.record(table)).dice


def test_errors_of_the_database_quote_nothing(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    with pytest.raises(IntegrityError) as error, service._transactions.storage.writing() as db:
        db.execute(insert(people).values(id=anna.id, name="a secret", created=0))
    assert "secret" not in str(error.value)
    assert anna.id not in str(error.value)


def test_rows_of_tables_do_not_hold_the_seed(service: KontorServer, tmp_path: Path) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, OPEN))
    with service._transactions.storage.reading() as db:
        row = table_row(db, table)
    ((seed,),) = query(tmp_path, "SELECT seed FROM tables")
    assert seed not in astuple(row)
    assert repr(seed) not in repr(row)


PAGE: Final = 4096


@pytest.fixture(scope="module")
def closed_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a server that no process has open."""
    folder = tmp_path_factory.mktemp("made")
    with KontorServer.open(folder) as service:
        service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, OPEN))
    return folder


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != LOCK}


def test_an_empty_file_is_no_new_server(tmp_path: Path) -> None:
    """Check that nothing is written over it: it may be all that is left of a server."""
    (tmp_path / DATABASE).touch()
    for _ in range(2):
        with pytest.raises(NotADatabase, match="is empty"):
            KontorServer.open(tmp_path)
        with pytest.raises(NotADatabase, match="is empty"):
            copies.back_up(tmp_path, tmp_path.with_name("backup"))
        assert files_in(tmp_path) == {DATABASE: b""}


def test_a_first_start_that_is_cut_off_leaves_nothing_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(connection: Connection, name: str) -> None:
        migrate.migrate(connection, name)
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(sqlite, "migrate", cut_off)
        with pytest.raises(KeyboardInterrupt):
            KontorServer.open(tmp_path)
    assert DATABASE not in files_in(tmp_path)
    (tmp_path / f"{DATABASE}.new-journal").write_bytes(b"as after a loss of power")
    with KontorServer.open(tmp_path) as service:
        service.people.guest("Anna")
        assert not [name for name in files_in(tmp_path) if ".new" in name]


@pytest.fixture
def killed_server(tmp_path: Path) -> Path:
    """Return the files of a killed server without its database."""
    folder = tmp_path / "killed"
    with KontorServer.open(folder / "alive") as service:
        service.people.guest("Anna")
        shutil.copy(folder / "alive" / f"{DATABASE}-wal", folder)
    shutil.rmtree(folder / "alive")
    return folder


def test_a_folder_that_has_lost_its_database_is_no_new_server(killed_server: Path) -> None:
    before = files_in(killed_server)
    for _ in range(2):
        assert f"{DATABASE}-wal" in refusal_of(NoDatabase, killed_server)
        assert files_in(killed_server) == before


def test_backups_without_a_database_are_no_new_server(tmp_path: Path) -> None:
    (tmp_path / "monday.kontor").touch()
    assert "monday.kontor" in refusal_of(NoDatabase, tmp_path)


def test_a_new_server_takes_nothing_from_what_an_earlier_one_has_left(killed_server: Path) -> None:
    """Check the log, which SQLite would take for the new database's own."""
    log = (killed_server / f"{DATABASE}-wal").read_bytes()
    make_empty(killed_server)
    make_empty(killed_server)  # nothing happens where there is a database
    with KontorServer.open(killed_server) as service:
        assert not service.operating.find("Anna")
    assert log in files_in(killed_server).values(), "what was left is kept"


def test_a_backup_is_restored_where_the_database_is_missing(killed_server: Path, tmp_path: Path) -> None:
    backup = killed_server / "monday.kontor"
    with KontorServer.open(tmp_path / "earlier") as service:
        service.people.guest("Bernd")
    copies.back_up(tmp_path / "earlier", backup)
    copies.restore(backup, killed_server)
    with KontorServer.open(killed_server) as service:
        assert [person.name for person in service.operating.find("")] == ["Bernd"]


# ------------------------------------------------------------------------------------------------- missing commits


def missing_in(folder: Path) -> MissingCommits | None:
    """Return the commits that a server misses when it is opened."""
    with KontorServer.open(folder) as service:
        return service.missing_commits()


def test_an_older_database_in_the_place_of_a_server_s_own_lacks_what_came_since_and_it_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    random, older = Random(1), tmp_path / "older"
    with KontorServer.open(tmp_path) as service:
        table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, CARLA))
        play_one(service, table, random)
        before = service.tables.info(table).number
    shutil.copy(tmp_path / DATABASE, older)
    with KontorServer.open(tmp_path) as service:
        for _ in range(3):
            play_one(service, table, random)
        new = service.opening.open(service.people.guest("Bernd")[0].id, shanghaien(ME, CARLA))
        play_one(service, new, random)
        lines = service.tables.info(table).number - before + service.tables.info(new).number - 1
    assert missing_in(tmp_path) is None
    shutil.copyfile(older, tmp_path / DATABASE)
    missing = missing_in(tmp_path)
    assert missing
    assert (missing.moves, missing.tables) == (lines, 2)
    assert missing.commits > 4
    assert f"at least {lines} moves and rolls of 2 tables" in caplog.text
    assert "Anna" not in caplog.text
    assert table not in caplog.text
    assert missing_in(tmp_path) is None


def test_a_server_that_was_restored_or_copied_lacks_nothing(tmp_path: Path) -> None:
    folder, backup = tmp_path / "killed", tmp_path / "monday.kontor"
    with KontorServer.open(folder) as service:
        copies.back_up(folder, backup)
        for number in range(20):
            service.people.guest(f"Guest {number}")
    copied = shutil.copytree(folder, tmp_path / "copied")
    copies.restore(backup, tmp_path / "restored")
    shutil.copy(folder / TALLY, tmp_path / "restored")
    (folder / DATABASE).unlink()
    assert TALLY in refusal_of(NoDatabase, folder), "it shows that there was a server"
    copies.restore(backup, folder)
    assert [missing_in(each) for each in (folder, tmp_path / "restored", copied)] == [None, None, None]


@pytest.mark.parametrize("tally", [None, b"", b"\x00" * 100, b"tally 1\n" * 1000])
def test_a_tally_that_says_nothing_stands_in_nobody_s_way(
    closed_server: Path, tmp_path: Path, tally: bytes | None
) -> None:
    folder = shutil.copytree(closed_server, tmp_path / "house")
    if tally is None:
        (folder / TALLY).unlink()
    else:
        (folder / TALLY).write_bytes(tally)
    assert missing_in(folder) is None


def test_a_tally_goes_on_beyond_its_end_and_beyond_the_last_number(tmp_path: Path) -> None:
    last = (1 << 31) - 1
    with KontorServer.open(tmp_path):
        pass
    query(tmp_path, f"PRAGMA user_version = {last}")
    older = (tmp_path / DATABASE).read_bytes()
    with KontorServer.open(tmp_path) as service, service._transactions.storage.writing() as db:
        db.execute(insert(people).values(id="a", name="Anna", created=0))
    assert query(tmp_path, "PRAGMA user_version")[0][0] < last
    tally = CommitTally(tmp_path / DATABASE)
    tally.begin(last)
    for number in range(10_000):
        tally.count(number)
    tally.close()
    (tmp_path / DATABASE).write_bytes(older)
    missing = missing_in(tmp_path)
    assert missing
    assert missing.commits == 10_000


def with_zeros(file: Path, first: int, last: int) -> None:
    """Overwrite pages of a database with zeros, like a disk that has lost them."""
    with file.open("r+b") as pages:
        pages.seek(first * PAGE)
        pages.write(bytes((last - first) * PAGE))


@pytest.mark.parametrize(
    ("first", "last"), [(0, 10_000), (0, 1), (1, 10_000), *[(at, at + 1) for at in range(1, 39)]]
)
def test_pages_of_zeros_are_told_and_left_as_they_are(
    closed_server: Path, tmp_path: Path, first: int, last: int
) -> None:
    folder = shutil.copytree(closed_server, tmp_path / "house")
    file = folder / DATABASE
    with_zeros(file, first, min(last, file.stat().st_size // PAGE))
    before = files_in(folder)
    with pytest.raises(NotADatabase, match="is not a database, or it is damaged"):
        KontorServer.open(folder)
    assert files_in(folder) == before


def test_a_database_that_is_damaged_while_it_is_open_is_told(tmp_path: Path) -> None:
    KontorServer.open(tmp_path).close()
    with KontorServer.open(tmp_path) as service:
        with_zeros(tmp_path / DATABASE, 1, (tmp_path / DATABASE).stat().st_size // PAGE)
        for ask in (service.listing.lobby, service.listing.count_tables, lambda: service.people.use_session("x")[0]):
            with pytest.raises(StorageFailure, match="is damaged"):
                ask()
