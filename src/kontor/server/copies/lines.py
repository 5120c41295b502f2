"""A server as lines of text: the contents of a backup file, and the format in which databases are copied.

The first line is the head. Then comes each table, those first that others refer to: a heading, and a line for each
row, in the order of its key. The last line has the row count and digest of each table, and the digest of all lines
before it. All of it is read in one transaction, so it is of one moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

import msgspec
from sqlalchemy import Column as AnyColumn
from sqlalchemy import Connection, MetaData, String, Table, collate, select

from kontor.distribution import installed_version
from kontor.game import Value
from kontor.storage.errors import BadCopy, NewerCopy
from kontor.storage.migrate import VERSION_TABLE

FORMAT: Final = 1
"""The version of the format. A reader refuses newer ones."""

_BATCH: Final = 500
"""Rows read at once."""

KINDS: Final = (bool, int, float, str, bytes)
"""The types of a column's values; JSON has no bytes, so those are written in base 64."""

_BINARY: Final = {"sqlite": "BINARY", "postgresql": "C"}
"""The name of the collation that orders by bytes, by dialect; the default one depends on the language."""


class BackupHeader(Value, frozen=True, tag="kontor copy"):
    """The first line. ``revision`` is that of the database, ``program`` the version of Kontor that has read it."""

    format: int
    revision: str
    program: str
    moment: datetime


class TableHeader(Value, frozen=True, tag="table"):
    """The line before the rows of a table."""

    table: str
    columns: tuple[str, ...]


class TableChecksum(Value, frozen=True):
    """The number of a table's rows, and the SHA-256 of their lines."""

    rows: int
    sha256: str


class BackupFooter(Value, frozen=True, tag="end"):
    """The last line, with the SHA-256 of all lines before."""

    tables: dict[str, TableChecksum]
    sha256: str


Row = bytes
"""The line of a row, without its line feed: the values in the order of the columns."""

_AFTER: Final[dict[type, tuple[type, ...]]] = {
    type(None): (BackupHeader,),
    BackupHeader: (TableHeader, BackupFooter),
    TableHeader: (Row, TableHeader, BackupFooter),
    Row: (Row, TableHeader, BackupFooter),
    BackupFooter: (),
}
"""By kind of line, the kinds that may follow it."""

_PARTS: Final = msgspec.json.Decoder(BackupHeader | TableHeader | BackupFooter)


# --------------------------------------------------------------------------------------------------------- writing


def lines(db: Connection, revision: str, now: datetime) -> Iterator[bytes]:
    """Yield everything in the database as lines, with line feeds; ``revision`` is that of the database."""
    digest = sha256()

    def written(line: bytes) -> bytes:
        digest.update(line)
        return line

    yield written(_line(BackupHeader(FORMAT, revision, installed_version(), now)))
    sums = {}
    for table in tables_of(db):
        yield written(_line(TableHeader(str(table.name), tuple(map(str, table.c.keys())))))
        adding = _RunningChecksum()
        for row in _rows(db, table):
            adding.add(row)
            yield written(row)
        sums[str(table.name)] = adding.sum
    yield _line(BackupFooter(sums, digest.hexdigest()))


def sums(db: Connection, tables: Iterable[Table]) -> dict[str, TableChecksum]:
    """Return the checksums of the tables, as in the last line."""
    checksums = {}
    for table in tables:
        adding = _RunningChecksum()
        for row in _rows(db, table):
            adding.add(row)
        checksums[str(table.name)] = adding.sum
    return checksums


def tables_of(db: Connection) -> list[Table]:
    """Return the tables of the database at its own revision; those first that others refer to."""
    metadata = MetaData()
    metadata.reflect(db)
    return [table for table in metadata.sorted_tables if table.name != VERSION_TABLE]


def _rows(db: Connection, table: Table) -> Iterator[bytes]:
    ordered = select(table).order_by(*[_in_order(db, column) for column in table.primary_key])
    for batch in db.execute(ordered, execution_options={"yield_per": _BATCH}).partitions():
        yield from [_line(tuple(row)) for row in batch]


def _in_order(db: Connection, column: AnyColumn[Any]) -> Any:
    return collate(column, _BINARY[db.dialect.name]) if isinstance(column.type, String) else column


def _line(part: Any) -> bytes:
    return msgspec.json.encode(part) + b"\n"


class _RunningChecksum:
    """The checksum of a table, computed row by row."""

    def __init__(self) -> None:
        self._rows = 0
        self._digest = sha256()

    def add(self, line: bytes) -> None:
        self._rows += 1
        self._digest.update(line)

    @property
    def sum(self) -> TableChecksum:
        return TableChecksum(self._rows, self._digest.hexdigest())


# --------------------------------------------------------------------------------------------------------- reading


def parts(lines: Iterator[bytes]) -> Iterator[BackupHeader | TableHeader | Row | BackupFooter]:
    """Yield the decoded lines in order: the head, for each table its heading and rows, and the foot.

    Raises NewerCopy, and BadCopy at the first line that can't be valid. Any other damage raises BadCopy in place of
    the foot at the latest.
    """
    number, digest, adding = 0, sha256(), _RunningChecksum()
    checksums: dict[str, _RunningChecksum] = {}
    part: BackupHeader | TableHeader | Row | BackupFooter | None = None
    for number, line in enumerate(lines, 1):
        before, part = part, _part(number, line)
        if not isinstance(part, _AFTER[type(before)]):
            raise damaged(number)
        match part:
            case BackupHeader():
                _check_format(part)
            case TableHeader():
                adding = checksums[part.table] = _RunningChecksum()
            case Row():
                adding.add(line)
            case BackupFooter():
                if part.sha256 != digest.hexdigest() or part.tables != _finished_checksums(checksums):
                    raise damaged(number)
        digest.update(line)
        yield part
    if not isinstance(part, BackupFooter):
        raise damaged(number + 1)


def _part(number: int, line: bytes) -> BackupHeader | TableHeader | Row | BackupFooter:
    if not line.endswith(b"\n"):
        raise damaged(number)
    if line.startswith(b"["):
        return line[:-1]
    try:
        part: BackupHeader | TableHeader | BackupFooter = _PARTS.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(number) from error
    return part


def _finished_checksums(checksums: Mapping[str, _RunningChecksum]) -> dict[str, TableChecksum]:
    return {table: adding.sum for table, adding in checksums.items()}


def _check_format(head: BackupHeader) -> None:
    if head.format != FORMAT:
        raise NewerCopy(
            "",
            "This backup was written by a newer Kontor ({program}). Use that one.",
            program=head.program,
        )


def damaged(number: int) -> BadCopy:
    """Return the BadCopy to raise for the line with the number."""
    return BadCopy("", "This is not a Kontor backup, or it is damaged or cut off (line {line}).", line=number)
