"""Loading of a copy's lines into an empty database, all of them or none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Table, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import DataError, IntegrityError

from kontor.server.copies.lines import BackupFooter, BackupHeader, Row, TableHeader, damaged, parts, sums, tables_of
from kontor.storage.errors import BadCopy, NewerCopy, NotADatabase, NotEmpty
from kontor.storage.migrate import VERSIONS, known_revisions, migrate, revision_of
from kontor.storage.schema import METADATA, pulse
from kontor.tables import next_seeds

_BATCH: Final = 500
"""Rows written at once."""


def load(db: Connection, lines: Iterator[bytes], place: str) -> BackupFooter:
    """Load the lines into the empty database, in the connection's transaction, and read them back to verify.

    The copy of an older Kontor is loaded at its own revision, and then migrated. Afterwards the database is up to
    date. ``place`` names the database in error messages. Raises NotADatabase, NotEmpty if people live there already,
    BadCopy, NewerCopy.
    """
    reading = parts(lines)
    head = next(reading)
    assert isinstance(head, BackupHeader)
    if head.revision not in known_revisions():
        reason = "This backup was written by a newer Kontor ({program}). Use that one."
        raise NewerCopy("", reason, program=head.program)
    tables = _empty_tables(db, place, head.revision)
    foot = _fill(db, tables, reading)
    if sums(db, tables) != foot.tables:
        raise BadCopy(
            "", "What was written to {place} does not read back the same; it has been removed.", place=place
        )
    migrate(db, place)
    next_seeds.redraw(db)
    return foot


def _empty_tables(db: Connection, place: str, revision: str) -> list[Table]:
    """Return the tables at the lines' revision, without rows. Raises NotADatabase, NotEmpty."""
    tables = tables_of(db)
    if {table.name for table in tables} != set(METADATA.tables):
        raise NotADatabase("", "The database {name} does not belong to Kontor.", name=place)
    for table in tables:
        if table.name != pulse.name and db.scalar(select(exists().select_from(table))):
            raise NotEmpty("", "{place} already contains data of a server. Choose an empty place.", place=place)
    if revision != revision_of(db, place):
        for table in reversed(tables):
            table.drop(db)
        db.execute(VERSIONS.delete())
        migrate(db, place, revision)
        tables = tables_of(db)
    for table in reversed(tables):
        db.execute(delete(table))  # rows that the migrations themselves have inserted
    return tables


def _fill(
    db: Connection, tables: list[Table], reading: Iterator[BackupHeader | TableHeader | Row | BackupFooter]
) -> BackupFooter:
    """Write all rows. Raises BadCopy."""
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
    """Writer of a table's rows, many at once.

    Rows come in the order of their keys. So references to other rows of the same table are set when all are there.
    """

    def __init__(self, db: Connection, table: Table, columns: tuple[str, ...]) -> None:
        """Prepare to write; raise KeyError unless these are the columns of the table."""
        if tuple(table.c.keys()) != columns:
            raise KeyError(table.name)
        self._db = db
        self._table = table
        self._keys = [column.name for column in table.primary_key]
        self_references = [
            column.name for column in table.c if any(key.references(table) for key in column.foreign_keys)
        ]
        self._referring: dict[str, list[dict[str, Any]]] = {name: [] for name in self_references}
        self._names = columns
        kinds: Any = tuple(
            column.type.python_type | None if column.nullable else column.type.python_type for column in table.c
        )
        self._rows = msgspec.json.Decoder(tuple[kinds])
        self._batch: list[dict[str, Any]] = []

    def add(self, line: bytes) -> None:
        """Add one row. Raises DecodeError, IntegrityError, DataError."""
        row = dict(zip(self._names, self._rows.decode(line), strict=True))
        for name, referring in self._referring.items():
            if row[name] is not None:
                referring.append({"to": row[name]} | {f"of_{key}": row[key] for key in self._keys})
                row[name] = None
        self._batch.append(row)
        if len(self._batch) == _BATCH:
            self._write()

    def end(self) -> None:
        """Write the remaining rows, and set the references. Raises IntegrityError, DataError."""
        self._write()
        is_row = [self._table.c[key] == bindparam(f"of_{key}") for key in self._keys]
        for name, referring in self._referring.items():
            if referring:
                self._db.execute(update(self._table).where(*is_row).values({name: bindparam("to")}), referring)

    def _write(self) -> None:
        if self._batch:
            self._db.execute(insert(self._table), self._batch)
            self._batch = []
