"""A PostgreSQL of the tests' own: real, made anew each time, of an unprivileged user, and removed afterwards."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from kontor.server.composition import KontorServer
from timeouts import HANG_TIMEOUT, waited_for

TEMPLATE: Final = "template_server"
"""A database in which a server has been opened once; others are copied from it."""

_PLACES: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/*/bin")
_QUICK: Final = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "32MB",
    "max_wal_size": "128MB",
}
"""Settings for a server whose data need not outlive the tests, and may lie in memory.

(A test checks that transactions ask to be durable.)
"""

_SETTINGS: Final = {"max_connections": "200", "listen_addresses": "", "log_min_messages": "warning"}


def programs() -> Path:
    """Return the folder of ``initdb`` and ``postgres``; without them the tests are skipped, under CI they fail."""
    folders = [Path(path).resolve().parent for path in [shutil.which("initdb")] if path]
    for place in _PLACES:
        folders += sorted(Path("/").glob(place[1:]), reverse=True)
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    reason = "PostgreSQL is not installed: nothing is tried with it (apt-get install postgresql)"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def _owner() -> dict[str, Any]:
    """Return the user for PostgreSQL, which does not run as root, though tests in a container do."""
    if os.geteuid():
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise RuntimeError("there is neither a user postgres nor nobody")


class Server:
    """A server with a folder of its own, reached through a socket in it."""

    def __init__(self, **settings: str) -> None:
        """Set up the server; ``settings`` are those of postgresql.conf, beside those that make it quick."""
        self._programs = programs()
        self._owner = _owner()
        self.folder = Path(tempfile.mkdtemp(prefix="kontor-postgresql-"))
        self._settings = _SETTINGS | _QUICK | {"unix_socket_directories": str(self.folder)} | settings
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        if self._owner:
            os.chown(self.folder, self._owner["user"], self._owner["group"])
        self._run("initdb", "-D", str(self._data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        # The user called guarded needs a password; all others are trusted.
        rules = self._data / "pg_hba.conf"
        rules.write_text("local all guarded scram-sha-256\nlocal all all trust\n")

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            cwd=self.folder,
            env={"PATH": os.defpath, "LC_ALL": "C"},
            capture_output=True,
            check=True,
            **self._owner,
        )

    def start(self) -> None:
        """Start the server, and wait until it responds."""
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, *settings],
                cwd=self.folder,
                env={"PATH": os.defpath, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._owner,
            )
        waited_for(self._answers)

    def _answers(self) -> bool:
        """Return True if the server responds; fail if it has ended."""
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "log").read_text()
        try:
            self.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, signal_number: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: with SIGINT in order, cutting all connections; with SIGQUIT at once, as in a crash."""
        if self._process is not None:
            self._process.send_signal(signal_number)
            self._process.wait(HANG_TIMEOUT)
            self._process = None

    def kill(self) -> None:
        """Kill all processes at once: those that serve a connection have sessions of their own."""
        if self._process is not None:
            main = self._process.pid
            for pid in (main, *map(int, Path(f"/proc/{main}/task/{main}/children").read_text().split())):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait(HANG_TIMEOUT)
            self._process = None

    def turn_into_standby(self) -> None:
        """Turn the server into a read-only standby that waits to take over."""
        self.stop()
        (self._data / "standby.signal").touch()
        self.start()

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)

    def address(self, database: str, user: str = "postgres", password: str = "") -> str:
        login = f"{user}:{password}" if password else user
        return f"postgresql://{login}@/{database}?host={self.folder}"

    def execute(self, sql: str, *values: object, database: str = "postgres") -> list[Any]:
        """Return the rows of a statement, run outside the server under test."""
        return execute(self.address(database), sql, *values)

    @cached_property
    def _copying(self) -> str:
        """Return how to copy a database.

        A file copy takes half the processor time of PostgreSQL's default since it has several strategies.
        """
        ((number,),) = self.execute("SELECT current_setting('server_version_num')::int")
        return " STRATEGY file_copy" if number >= 150_000 else ""

    def create(self, template: str = TEMPLATE) -> str:
        name = f"house_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}{self._copying}")
        return name

    def drop(self, database: str) -> None:
        """Delete a database, and disconnect its clients."""
        self.execute(f"DROP DATABASE {database} WITH (FORCE)")


def database_of(address: str) -> str:
    """Return the name of a database from its address."""
    return address.partition("@/")[2].partition("?")[0]


def execute(address: str, sql: str, *values: object) -> list[Any]:
    """Return the rows of a statement. Its placeholders are question marks."""
    with psycopg.connect(address, autocommit=True) as connection:
        result = connection.execute(
            sql.replace("%", "%%" if values else "%").replace("?", "%s").encode(), values or None
        )
        return result.fetchall() if result.description else []


@contextmanager
def server(**settings: str) -> Iterator[Server]:
    """Run a server for as long as a ``with`` block lasts, with a template of a Kontor server."""
    started = Server(**settings)
    try:
        started.start()
        started.execute(f"CREATE DATABASE {TEMPLATE}")
        KontorServer.open(started.address(TEMPLATE)).close()
        # The first server has recorded when it was open. A copy is opened at a time of its own.
        started.execute("UPDATE pulse SET at = 0, settled = 0", database=TEMPLATE)
        yield started
    finally:
        started.remove()
