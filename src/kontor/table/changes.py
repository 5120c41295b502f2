"""A transaction that changes something, with what is to be done once it is on the disk."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Connection, func, insert, select

from kontor.table.schema import chat
from kontor.table.states import Standing, States


@dataclass(slots=True)
class Change:
    """``now`` is in milliseconds. Afterwards the ``standings`` are kept in memory, and whoever listens hears of the
    tables that were ``touched``."""

    db: Connection
    now: int
    states: States
    touched: dict[str, None] = field(default_factory=dict)
    standings: dict[str, Standing] = field(default_factory=dict)

    def touch(self, table: str) -> None:
        """Something at the table has changed, for some eye."""
        self.touched[table] = None

    def say(self, table: str, kind: str, seat: int | None, name: str, text: str = "") -> int:
        """One more row of the table's talk. Its number is returned."""
        self.touch(table)
        last: int = self.db.scalar(select(func.max(chat.c.number)).where(chat.c.table_id == table)) or 0
        row = {"table_id": table, "number": last + 1, "kind": kind, "seat": seat, "name": name, "text": text}
        self.db.execute(insert(chat).values(**row, at=self.now))
        return last + 1
