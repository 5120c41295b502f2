"""Backing up, restoring and moving a server."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, select

from kontor.errors import Unreadable
from kontor.game import CHANCE, OVER, Value
from kontor.server.composition import utc_now
from kontor.server.copies import files
from kontor.server.copies.lines import BackupFooter, lines, parts
from kontor.server.copies.loading import load
from kontor.storage import Place, closed, consistent_read, make_empty, name_of, open_storage
from kontor.storage.errors import NothingToCopy
from kontor.storage.migrate import revision_of
from kontor.storage.schema import TABLE_ROW, people, steps, tables
from kontor.tables import game_states
from kontor.tables.rows import TableRow, seat_rows


class CopiedDatabase(Value, frozen=True):
    """The number of rows copied. ``lines`` are those of the logs of all games."""

    people: int
    tables: int
    lines: int


class MovedDatabase(Value, frozen=True):
    """The result of a copy from one database to another.

    ``games`` is the number of games that had begun and were replayed from their logs. The tables ``unplayable`` were
    played by rules that this Kontor does not know, or do not match their logs.
    """

    copied: CopiedDatabase
    games: int
    unplayable: tuple[str, ...]


def back_up(service: Place, file: Path, now: Callable[[], datetime] = utc_now) -> CopiedDatabase:
    """Write the present state of a server to a file; people can go on playing.

    When it returns, the file is on the disk. Raises CannotOpen, FileThere, OSError.
    """
    with consistent_read(service) as db:
        files.write(file, _lines(db, service, now()))
    return _verify(file)


def restore(file: Path, service: Place) -> CopiedDatabase:
    """Make a server from a backup file, in a place without a server or without people; all of it or nothing.

    Raises BadCopy, NewerCopy, NotEmpty, CannotOpen, StorageFailure, OSError.
    """
    _verify(file)  # fail before anything is changed if the file is damaged
    make_empty(service)
    with closing(open_storage(service)) as storage, storage.filling() as db:
        return _counts_of(load(db, files.read(file), name_of(service)))


def move(source: Place, destination: Place, now: Callable[[], datetime] = utc_now) -> MovedDatabase:
    """Copy a server that is not open to an empty place, and replay every game there; all of it or nothing.

    The source stays as it is. Raises NotEmpty, CannotOpen, BadCopy, StorageFailure.
    """
    with consistent_read(source) as service, closed(source, service):
        source_lines = _lines(service, source, now())
        with closing(open_storage(destination)) as storage, storage.filling() as db:
            copied = _counts_of(load(db, source_lines, name_of(destination)))
            begun = [TableRow(*row) for row in db.execute(select(*TABLE_ROW).where(tables.c.status != "waiting"))]
            return MovedDatabase(copied, len(begun), tuple(row.id for row in begun if not _replays_to_row(db, row)))


def _lines(db: Connection, service: Place, now: datetime) -> Iterator[bytes]:
    revision = revision_of(db, name_of(service))
    if revision is None:
        raise NothingToCopy("", "There is no server data in {place}.", place=name_of(service))
    return lines(db, revision, now)


def _verify(file: Path) -> CopiedDatabase:
    """Read a whole file to verify it, and return its counts. Raises BadCopy, OSError."""
    *_, foot = deque(parts(files.read(file)), maxlen=1)
    assert isinstance(foot, BackupFooter)
    return _counts_of(foot)


def _counts_of(foot: BackupFooter) -> CopiedDatabase:
    return CopiedDatabase(*(foot.tables[table.name].rows for table in (people, tables, steps)))


def _replays_to_row(db: Connection, row: TableRow) -> bool:
    """Return True if the log of a game leads to the state in its row."""
    try:
        ((last,),) = (deque(game_states.fold(db, row, seat_rows(db, row.id)), maxlen=1),)
    except Unreadable:
        return False
    movers = (CHANCE, OVER) if row.mover is None else (row.mover,)
    return bool(last.number == row.number and last.state.mover in movers)
