"""The commands for operators of a server: their output and their errors, in sentences."""

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from sqlalchemy import MetaData, create_engine, insert

from folders import with_database
from guests import CARLA, MACHINE, ME, OPEN, dutchman, play_one, play_out, query, shanghaien
from kontor import records
from kontor.cli import run
from kontor.distribution import command_for
from kontor.server.composition import KontorServer
from kontor.server.copies import back_up
from kontor.storage import Place
from kontor.storage.migrate import _newest as newest
from kontor.storage.migrate import migrate
from kontor.storage.sqlite import DATABASE
from postgresql import Server
from timeouts import HANG_TIMEOUT

pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
def _no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KONTOR_DATABASE", raising=False)


@pytest.fixture
def service(tmp_path: Path) -> Path:
    """Return the folder of a server with a finished game and a running one."""
    with KontorServer.open(with_database(tmp_path / "house")) as service:
        anna = service.people.guest("Anna")[0].id
        play_out(service, service.opening.open(anna, shanghaien(ME, CARLA)))
        service.opening.open(anna, shanghaien(ME, CARLA))
    return tmp_path / "house"


def run_command(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert run(command) == 0
    output = capsys.readouterr()
    assert not output.err
    return output.out


def test_ratings_are_fitted_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "house"
    with KontorServer.open(with_database(folder)) as service:
        anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
        table = service.opening.open(anna, shanghaien(ME, OPEN))
        service.opening.sit(table, 1, bernd)
        service.early_endings.resign(table, 1, bernd)
        output = run_command(capsys, "ratings", "--data", str(folder))
        assert "shanghaien: people 2, rated games 1" in output, "while a server has the folder"
        assert not service.ratings.of(anna)
    ratings = [
        msgspec.json.decode(line)
        for line in run_command(capsys, "ratings", "--json", "--save", "--data", str(folder)).splitlines()
    ]
    assert {rating["person"]: rating["points"] > 1500 for rating in ratings} == {anna: True, bernd: False}
    with KontorServer.open(folder) as service:
        assert [one.games for one in service.ratings.of(anna)] == [1]


def failing_command(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert run(command) == 1
    heard = capsys.readouterr()
    assert not heard.out
    return " ".join(heard.err.split())


def test_a_server_is_backed_up_and_restored(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with KontorServer.open(service):
        output = run_command(capsys, "backup", "monday.kontor", "--data", "house")
    ((lines,),) = query(service, "SELECT count(*) FROM steps")
    assert re.match(rf"Copied in \d+\.\d s: 1 people, 2 tables, {lines} moves and rolls\.\n", output)
    assert "monday.kontor" in output
    assert "keep it safe" in output
    assert "has been restored" in run_command(capsys, "restore", "monday.kontor", "--data", "other")
    assert query(Path("other"), "SELECT * FROM steps ORDER BY table_id, number") == query(
        service, "SELECT * FROM steps ORDER BY table_id, number"
    )


def test_the_usual_folder_is_backed_up_if_nothing_is_said(
    service: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    service.rename(tmp_path / "kontor")
    assert "1 people" in run_command(capsys, "backup", "monday.kontor")


def test_a_server_is_moved_to_postgresql_and_back(
    service: Path, database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = run_command(capsys, "move", "--from", "house", "--to", database)
    assert "1 people, 2 tables" in output
    assert "Every row was read back" in output
    assert "2 unfinished games" in output
    monkeypatch.setenv("KONTOR_DATABASE", database)
    assert "1 people, 2 tables" in run_command(capsys, "backup", "monday.kontor")
    assert "2 unfinished games" in run_command(capsys, "move", "--from", database, "--to", "back")
    assert query(Path("back"), "SELECT name FROM people") == [("Anna",)]


def test_games_that_cannot_be_played_again_are_told(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ((broken,),) = query(service, "SELECT id FROM tables WHERE status = 'playing'")
    query(service, "UPDATE tables SET mover = 1 - mover WHERE id = ?", broken)
    output = run_command(capsys, "move", "--from", "house", "--to", "other")
    assert "One unfinished game" in output
    assert "One game cannot be replayed by this version of Kontor" in output
    assert f"neither in the old place nor in the new one: {broken}." in output


def test_what_stands_in_the_way_is_told_in_a_sentence(
    service: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no server data in nowhere" in failing_command(capsys, "backup", "monday.kontor", "--data", "nowhere")
    Path("monday.kontor").write_text("Dear diary,")
    assert "choose another name" in failing_command(capsys, "backup", "monday.kontor", "--data", "house")
    assert "not a Kontor backup" in failing_command(capsys, "restore", "monday.kontor", "--data", "other")
    assert not Path("other").exists()
    assert "cannot be used" in failing_command(capsys, "restore", "tuesday.kontor", "--data", "other")
    assert "cannot be used" in failing_command(capsys, "backup", "no/folder", "--data", "house")
    with KontorServer.open(service):
        assert "Another Kontor" in failing_command(capsys, "move", "--from", "house", "--to", "other")
    assert "in a folder or in a database" in failing_command(
        capsys, "backup", "tuesday.kontor", "--data", "house", "--database", database
    )
    shutil.copytree(service, "copy")
    assert "Choose an empty place" in failing_command(capsys, "move", "--from", "house", "--to", "copy")


def test_no_password_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    address = "postgresql://anna:secret@127.0.0.1:1/house"
    for command in (["backup", "file", "--database", address], ["move", "--from", address, "--to", "other"]):
        message = failing_command(capsys, *command)
        assert "postgresql://127.0.0.1:1/house" in message
        assert "secret" not in message


# --------------------------------------------------------------------------------------------------------- migration

OLDEST = "0001"


@pytest.fixture(params=["sqlite", "postgresql"])
def old_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Yield the place of a server of the first Kontor with two running games.

    One is of two people, one of computer players.
    """
    if request.param == "sqlite":
        place, url = tmp_path / "old", f"sqlite:///{tmp_path / 'old' / DATABASE}"
        place.mkdir()
        fill(url, tmp_path)
        yield place
    else:
        server: Server = request.getfixturevalue("postgres")
        name = server.create("template1")
        fill(server.address(name).replace("postgresql:", "postgresql+psycopg:"), tmp_path)
        yield server.address(name)
        server.drop(name)


def fill(url: str, tmp_path: Path) -> None:
    """Copy the content of a new server into the oldest schema, as far as it has the columns."""
    with KontorServer.open(tmp_path / "new") as new:
        anna = new.people.guest("Anna")[0].id
        people = new.opening.open(anna, shanghaien(ME, CARLA))
        new.opening.open(anna, shanghaien(MACHINE, MACHINE))
        for _ in range(3):
            play_one(new, people, Random(1))
    engine = create_engine(url)
    with engine.begin() as db:
        migrate(db, "old", OLDEST)
        then = MetaData()
        then.reflect(db)
        for table in then.sorted_tables:
            if table.name != "alembic_version":
                columns = ", ".join(table.c.keys())
                rows = query(tmp_path / "new", f"SELECT {columns} FROM {table.name}")  # noqa: S608
                for row in rows:
                    db.execute(insert(table).values(dict(zip(table.c.keys(), row, strict=True))))
    engine.dispose()


def at(place: Place) -> tuple[str, str]:
    """Return the arguments that give a place to a command."""
    return ("--database", place) if isinstance(place, str) else ("--data", str(place))


def test_an_old_server_is_brought_up_to_date_and_all_goes_on(
    old_server: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    assert query(old_server, "SELECT version_num FROM alembic_version") == [(OLDEST,)]
    log = query(old_server, "SELECT * FROM steps ORDER BY table_id, number")
    for _ in range(2):
        assert run_command(capsys, "migrate", *at(old_server)) == "The database is up to date.\n"
        assert query(old_server, "SELECT version_num FROM alembic_version") == [(newest(),)]
        assert query(old_server, "SELECT * FROM steps ORDER BY table_id, number") == log
    with KontorServer.open(old_server) as service:
        assert service.is_current()
        (machines,) = service.listing.machine_turns()
        people = query(old_server, "SELECT id FROM tables WHERE id <> ?", machines.table)[0][0]
        play_out(service, people, machines.table)
        assert all(records.verify(service.tables.record(table)).dice for table in (people, machines.table))


def test_where_there_is_no_server_migrate_makes_one(
    tmp_path: Path, postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    name = postgres.create("template1")
    try:
        for place in (tmp_path / "none", postgres.address(name)):
            assert run_command(capsys, "migrate", *at(place)) == "The database is up to date.\n"
            assert query(place, "SELECT count(*) FROM people") == [(0,)]
    finally:
        postgres.drop(name)


def test_a_server_of_a_newer_kontor_is_refused_and_left_alone(
    old_server: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    query(old_server, "UPDATE alembic_version SET version_num = '9999'")
    message = failing_command(capsys, "migrate", *at(old_server))
    assert "made by a newer Kontor" in message
    assert "9999" in message
    assert query(old_server, "SELECT version_num FROM alembic_version") == [("9999",)]
    assert query(old_server, "SELECT count(*) FROM people") == [(1,)]
    assert "made by a newer Kontor" in failing_command(capsys, "backup", "file", *at(old_server))
    result = in_a_process("serve", "--port", "0", "--thinkers", "1", *at(old_server))
    assert (result.returncode, result.stdout) == (1, "")
    assert "made by a newer Kontor" in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


# ------------------------------------------------------------------------------------------------------- no driver

NO_PSYCOPG = """
import sys
sys.modules["psycopg"] = None  # like a Python without psycopg
from kontor.cli import run
for command in sys.argv[1:]:
    print(command, run(command.split()), file=sys.stderr)
"""


def in_a_process(
    *command: str, program: str = "from kontor.cli import main\nmain()"
) -> subprocess.CompletedProcess[str]:
    """Run a command, or a program with it, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", program, *command], capture_output=True, text=True, timeout=HANG_TIMEOUT, check=False
    )


def test_without_psycopg_it_is_said_how_to_get_it_and_a_folder_needs_none(service: Path) -> None:
    back_up(service, Path("monday.kontor"))
    address = "postgresql://anna:secret@127.0.0.1:1/house"
    words = ("serve --port 0", "serve --port 0 --workers 2", "migrate", "backup file", "restore monday.kontor")
    commands = [f"{command} --database {address}" for command in words]
    result = in_a_process(*commands, f"migrate --data {service}", program=NO_PSYCOPG)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "The database is up to date.\n"
    rest = " ".join(result.stderr.split())
    for command in commands:
        message, separator, rest = rest.partition(f" {command} 1")
        assert separator, command
        assert "psycopg, which is not installed" in message
        assert message.endswith(f"which is not installed: {command_for('postgres')}")
        assert "Traceback" not in message
        assert "secret" not in message
    assert rest.split() == ["migrate", "--data", str(service), "0"]


def test_the_operator_finds_a_club_and_closes_it(
    service: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ("--data", "house")
    with KontorServer.open(service) as opened:
        anna, bernd = opened.operating.find("Anna")[0].id, opened.people.guest("Bernd")[0].id
        club = opened.clubs.create(anna, "Hafenrunde", "Dienstags")
        opened.clubs.join(opened.clubs.view(club, anna).invitation, bernd)
        opened.blocking.report_club(club, bernd, "Na!")
    report = msgspec.json.decode(run_command(capsys, "people", "reports", *at))
    assert (report["club"], report["about"]) == (club, anna)
    listed = msgspec.json.decode(run_command(capsys, "people", "clubs", "hafen", *at))
    assert (listed["id"], listed["founder"], listed["members"]) == (club, anna, 2)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run(("people", "close-club", club, *at)) != 0
    capsys.readouterr()
    assert run_command(capsys, "people", "close-club", club, "--yes", *at) == "Done.\n"
    assert run_command(capsys, "people", "clubs", "hafen", *at) == ""
    assert "no such club" in failing_command(capsys, "people", "close-club", club, "--yes", *at)


def test_the_operator_does_about_people_what_has_to_be_done(
    service: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ("--data", "house")
    with KontorServer.open(service) as opened:
        anna, bernd = opened.operating.find("Anna")[0].id, opened.people.guest("Bernd")[0].id
        table = opened.opening.open(bernd, dutchman(ME, OPEN, OPEN))
        opened.opening.sit(table, 1, anna)
        opened.blocking.report(table, anna, "seat-0", 0, "Na!")
        assert "Another Kontor is using" in failing_command(capsys, "people", "find", "Bernd", *at)
    output = run_command(capsys, "people", "find", "ern", *at)
    assert output.startswith(f"{bernd}  Bernd: since ")
    assert run_command(capsys, "people", "find", "Zoe", *at) == "Nobody is called that.\n"
    report = msgspec.json.decode(run_command(capsys, "people", "reports", *at))
    assert (report["about"], report["reporter"], report["reason"]) == (bernd, anna, "Na!")
    assert run_command(capsys, "people", "handled", report["id"], *at) == "Done.\n"
    assert run_command(capsys, "people", "reports", *at) == ""
    assert msgspec.json.decode(run_command(capsys, "people", "reports", "--all", *at))["handled"]
    assert run_command(capsys, "people", "rename", bernd, "Berta", *at) == "Done.\n"
    assert run_command(capsys, "people", "suspend", bernd, *at) == "Done.\n"
    assert "suspended" in run_command(capsys, "people", "find", "Berta", *at)
    assert run_command(capsys, "people", "restore", bernd, *at) == "Done.\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run(("people", "code", bernd, *at)) != 0
    capsys.readouterr()
    code, hint = run_command(capsys, "people", "code", bernd, "--yes", *at).splitlines()
    assert "three days" in hint
    with KontorServer.open(service) as opened:
        assert opened.recovery.sign_in(code)[0].id == bernd
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run(("people", "delete", bernd, *at)) != 0
    capsys.readouterr()
    assert "Berta" in run_command(capsys, "people", "find", "Berta", *at)
    assert run_command(capsys, "people", "delete", bernd, "--yes", *at) == "Done.\n"
    assert run_command(capsys, "people", "find", bernd, *at) == "Nobody is called that.\n"
    acts = [msgspec.json.decode(line) for line in run_command(capsys, "people", "acts", *at).splitlines()]
    assert [(act["actor"], act["act"]) for act in reversed(acts)] == [
        (anna, "report"),
        *(("operator", act) for act in ("handle", "rename", "suspend", "restore", "code", "delete")),
    ]
    for command in (("suspend", "nobody"), ("handled", "nothing"), ("rename", anna, "\u202e")):
        assert failing_command(capsys, "people", *command, *at).endswith(".")
