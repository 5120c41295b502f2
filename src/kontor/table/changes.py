"""A transaction that changes something, with what is to be done once it is on the disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, insert, select, update

from kontor.table.rows import AnyRow, is_id, no_table
from kontor.table.schema import TABLE_ROW, chat, tables
from kontor.table.states import Standing, States


@dataclass(slots=True)
class Change:
    """Afterwards the ``standings`` are kept in memory, and whoever listens hears of the tables that were
    ``touched``."""

    db: Connection
    clock: Callable[[], int]
    """The time in milliseconds."""
    states: States
    touched: dict[str, None] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    """The counter ``changes`` of each table that was taken."""
    standings: dict[str, Standing] = field(default_factory=dict)
    _now: int | None = None

    @property
    def now(self) -> int:
        """The time in milliseconds when it was first asked for: once it is this transaction's turn at the table, so
        that lines stand in the order of their times."""
        if self._now is None:
            self._now = self.clock()
        return self._now

    def take(self, table: str) -> AnyRow:
        """The row of a table that is to be changed. It is kept from others until the transaction ends, and the change
        is counted: whoever has not heard of it can see by the counter that there was one. Raises NoTable."""
        counted = update(tables).where(tables.c.id == table).values(changes=tables.c.changes + 1)
        row = self.db.execute(counted.returning(*TABLE_ROW)).first() if is_id(table) else None
        if row is None:
            raise no_table()
        self.taken[table] = row.changes
        return row

    def touch(self, table: str) -> None:
        """Something at the table has changed, for some eye."""
        self.touched[table] = None

    def say(self, table: str, kind: str, seat: int | None, name: str, text: str = "") -> int:
        """One more row of the talk of a table that was taken. Its number is returned."""
        self.touch(table)
        last: int = self.db.scalar(select(func.max(chat.c.number)).where(chat.c.table_id == table)) or 0
        row = {"table_id": table, "number": last + 1, "kind": kind, "seat": seat, "name": name, "text": text}
        self.db.execute(insert(chat).values(**row, at=self.now))
        return last + 1
