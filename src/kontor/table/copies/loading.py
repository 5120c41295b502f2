"""Lines become a server again: in an empty database, all of them or none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Table, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import DataError, IntegrityError

from kontor.table import next_seeds
from kontor.table.copies.lines import BackupFooter, BackupHeader, Row, TableHeader, damaged, parts, sums, tables_of
from kontor.table.errors import BadCopy, NewerCopy, NotADatabase, NotEmpty
from kontor.table.migrate import VERSIONS, known_revisions, migrate, revision_of
from kontor.table.schema import METADATA, pulse

_BATCH: Final = 500
"""Rows that are written at once."""


def load(db: Connection, lines: Iterator[bytes], place: str) -> BackupFooter:
    """Makes the server that the lines tell of, in the transaction that the connection is in, and reads it back. One
    of an older Kontor is made as it was, and then brought up to date. ``place`` is for the sentences.

    The database is up to date. Raises NotEmpty if people live there already, BadCopy, NewerCopy.
    """
    reading = parts(lines)
    head = next(reading)
    assert isinstance(head, BackupHeader)
    if head.revision not in known_revisions():
        reason = "This backup was written by a newer Kontor ({program}). Use that one."
        raise NewerCopy("", reason, program=head.program)
    tables = _emptied(db, place, head.revision)
    foot = _fill(db, tables, reading)
    if sums(db, tables) != foot.tables:
        raise BadCopy(
            "", "What was written to {place} does not read back the same; it has been removed.", place=place
        )
    migrate(db, place)
    next_seeds.redraw(db)
    return foot


def _emptied(db: Connection, place: str, revision: str) -> list[Table]:
    """The tables as they were when the lines were written, without rows. Raises NotADatabase, NotEmpty."""
    there = tables_of(db)
    if {table.name for table in there} != set(METADATA.tables):
        raise NotADatabase("", "The database {name} does not belong to Kontor.", name=place)
    for table in there:
        if table.name != pulse.name and db.scalar(select(exists().select_from(table))):
            raise NotEmpty("", "{place} already contains data of a server. Choose an empty place.", place=place)
    if revision != revision_of(db, place):
        for table in reversed(there):
            table.drop(db)
        db.execute(VERSIONS.delete())
        migrate(db, place, revision)
        there = tables_of(db)
    for table in reversed(there):
        db.execute(delete(table))  # what the steps have put there themselves
    return there


def _fill(
    db: Connection, tables: list[Table], reading: Iterator[BackupHeader | TableHeader | Row | BackupFooter]
) -> BackupFooter:
    """Writes all rows. Raises BadCopy."""
    missing = {table.name: table for table in tables}
    filling: _TableWriter | None = None
    for number, part in enumerate(reading, 2):
        try:
            if isinstance(part, Row):
                assert filling, "rows stand below a heading"
                filling.add(part)
                continue
            if filling:
                filling.end()
            if isinstance(part, TableHeader):
                filling = _TableWriter(db, missing.pop(part.table), part.columns)
            elif isinstance(part, BackupFooter) and not missing:
                return part
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError, IntegrityError, DataError) as error:
            raise damaged(number) from error
    raise damaged(1)


class _TableWriter:
    """Writes rows to a table, many at once. What refers to another row of the same table is added when all are there:
    they come in the order of their keys."""

    def __init__(self, db: Connection, table: Table, columns: tuple[str, ...]) -> None:
        """Raises KeyError unless these are the columns of the table."""
        if tuple(table.c.keys()) != columns:
            raise KeyError(table.name)
        self._db = db
        self._table = table
        self._keys = [column.name for column in table.primary_key]
        own = [column.name for column in table.c if any(key.references(table) for key in column.foreign_keys)]
        self._referring: dict[str, list[dict[str, Any]]] = {name: [] for name in own}
        self._names = columns
        kinds: Any = tuple(
            column.type.python_type | None if column.nullable else column.type.python_type for column in table.c
        )
        self._rows = msgspec.json.Decoder(tuple[kinds])
        self._batch: list[dict[str, Any]] = []

    def add(self, line: bytes) -> None:
        """One row. Raises DecodeError, IntegrityError, DataError."""
        row = dict(zip(self._names, self._rows.decode(line), strict=True))
        for name, referring in self._referring.items():
            if row[name] is not None:
                referring.append({"to": row[name]} | {f"of_{key}": row[key] for key in self._keys})
                row[name] = None
        self._batch.append(row)
        if len(self._batch) == _BATCH:
            self._write()

    def end(self) -> None:
        """All are there. Raises IntegrityError, DataError."""
        self._write()
        this = [self._table.c[key] == bindparam(f"of_{key}") for key in self._keys]
        for name, referring in self._referring.items():
            if referring:
                self._db.execute(update(self._table).where(*this).values({name: bindparam("to")}), referring)

    def _write(self) -> None:
        if self._batch:
            self._db.execute(insert(self._table), self._batch)
            self._batch = []
