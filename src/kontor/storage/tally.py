"""The tally: a small file beside the database that counts its commits, so that a start finds missing ones.

SQLite silently drops what follows a damaged byte in its log. So each commit has a number, which is in the database
(``user_version``), and in the tally once the commit is on the disk. The tally is not forced to the disk: after a kill
it is complete, after a loss of power it may lag behind. It is never ahead of what was on the disk.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from struct import Struct
from threading import Lock
from typing import Any, BinaryIO, Final
from zlib import crc32

from sqlalchemy import Connection, select

from kontor.game import Value
from kontor.storage.files import TALLY, Identity, identity_of
from kontor.storage.schema import tables

_LOG = logging.getLogger(__name__)

_NUMBERS: Final = 1 << 31
"""Number of values of a ``user_version``; after them it starts again at 0."""

_ENTRIES: Final = 4096
"""Number of entries: far more than SQLite's log holds before it starts again."""

_HEADER_LINE: Final = 1
"""The number of the header's line, with which each game's log begins."""

_HEADER: Final = Struct("<8sQQ")
_ENTRY: Final = Struct("<II20s")
_SUM: Final = Struct("<I")
_MAGIC: Final = b"tally 1\n"
_SIZE: Final = _ENTRY.size + _SUM.size
_START: Final = _HEADER.size + _SUM.size


class MissingCommits(Value, frozen=True):
    """Number of commits that a database lacks, and the least numbers of moves, rolls and tables."""

    commits: int
    moves: int
    tables: int


class _TallyEntry(Value, frozen=True):
    """An entry: after this commit, the table's last line had this number; without a table only the commit counts."""

    commit: int
    line: int = 0
    table: str = ""


def next_commit(commit: int) -> int:
    """Return the number of the commit after another."""
    return (commit + 1) % _NUMBERS


class CommitTally:
    """The tally of an open database. Safe to use from any thread; entries that cannot be written are left out."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._lock = Lock()
        self._file: BinaryIO | None = None
        self._commit = 0
        self._written = 0

    def begin(self, commit: int) -> None:
        """Continue the tally of a database with this last commit; begin one if there is none. Raises OSError.

        Entries of commits that the database lacks are dropped.
        """
        path = self._database.with_name(TALLY)
        new = path.with_name(f"{TALLY}.new")
        header = _HEADER.pack(_MAGIC, *_identity_numbers(identity_of(self._database)))
        entries = [
            entry for entry in _entries(self._database) if entry.table and not _commits_ahead(entry.commit, commit)
        ]
        entries.sort(key=lambda entry: -_commits_ahead(commit, entry.commit))
        with open(new, "wb", opener=_private) as file:
            written = b"".join(map(_pack, entries))
            file.write(_with_checksum(header) + written + bytes(_ENTRIES * _SIZE - len(written)))
        new.replace(path)
        self._file = path.open("r+b", buffering=0)
        self._written = len(entries)
        self.count(commit)

    def count(self, commit: int) -> None:
        """Record a commit that is on the disk."""
        with self._lock:
            self._commit = commit
            self._write(_TallyEntry(commit))

    def note_lines(self, lines: Mapping[str, int]) -> None:
        """Record the numbers of the last lines of tables; their commit is on the disk."""
        with self._lock:
            for table, line in lines.items():
                self._write(_TallyEntry(self._commit, line, table))

    def close(self) -> None:
        """Close the file: later commits are left out."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def _write(self, entry: _TallyEntry) -> None:
        if self._file is None:
            return
        with suppress(OSError):  # the commit has happened: a full disk must not make it fail now
            self._file.seek(_START + self._written % _ENTRIES * _SIZE)
            self._file.write(_pack(entry))
        self._written += 1


def last_commit(connection: Connection) -> int:
    """Return the number of the last commit in the database."""
    number: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    return number


def changed_rows(connection: Connection) -> int:
    """Return how many rows a connection has changed since it was opened."""
    driver: Any = connection.connection.driver_connection
    number: int = driver.total_changes
    return number


def missing_commits(connection: Connection, database: Path) -> MissingCommits | None:
    """Return the commits that are in the tally but not in the database; None if there are none. Raises OSError.

    Also None if the database has no tally of its own.
    """
    commit = last_commit(connection)
    lost = [(ahead, entry) for entry in _entries(database) if (ahead := _commits_ahead(entry.commit, commit))]
    if not lost:
        return None
    last: dict[str, int] = {}
    for _, entry in sorted(lost, key=lambda ahead_and_entry: (ahead_and_entry[0], -ahead_and_entry[1].line)):
        if entry.table:
            last[entry.table] = entry.line
    moves = [line - _last_line(connection, table) for table, line in last.items()]
    moves = [number for number in moves if number > 0]
    return MissingCommits(max(ahead for ahead, _ in lost), sum(moves), len(moves))


def log_missing(missing: MissingCommits | None) -> None:
    """Log what a database lacks, for the operator."""
    if missing is not None:
        _LOG.critical(
            "The database lacks the last %d commits that were on the disk, with at least %d moves and rolls of %d "
            "tables: SQLite's log was damaged, or an older database was put in its place",
            missing.commits,
            missing.moves,
            missing.tables,
        )


def _last_line(connection: Connection, table: str) -> int:
    """Return the number of a table's last line; that of the header if the database has no line of it."""
    return max(connection.scalar(select(tables.c.number).where(tables.c.id == table)) or 0, _HEADER_LINE)


def _commits_ahead(commit: int, last: int) -> int:
    """Return by how many commits ``commit`` comes after ``last``; 0 if it does not."""
    ahead = (commit - last) % _NUMBERS
    return ahead if ahead < _NUMBERS // 2 else 0


def _entries(database: Path) -> Iterator[_TallyEntry]:
    """Yield all entries of a database's tally; none if it is the tally of another file."""
    try:
        content = database.with_name(TALLY).read_bytes()
    except FileNotFoundError:
        return
    if content[:_START] != _with_checksum(_HEADER.pack(_MAGIC, *_identity_numbers(identity_of(database)))):
        return
    for start in range(_START, len(content), _SIZE):
        entry = content[start : start + _ENTRY.size]
        if content[start : start + _SIZE] == _with_checksum(entry) and any(entry):
            commit, line, table = _ENTRY.unpack(entry)
            yield _TallyEntry(commit, line, table.rstrip(b"\x00").decode())


def _pack(entry: _TallyEntry) -> bytes:
    return _with_checksum(_ENTRY.pack(entry.commit, entry.line, entry.table.encode()))


def _with_checksum(part: bytes) -> bytes:
    return part + _SUM.pack(crc32(part))


def _identity_numbers(identity: Identity) -> tuple[int, ...]:
    """Return an identity in the header's form: some systems have numbers of more than 64 bits."""
    return tuple(number % (1 << 64) for number in identity)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
