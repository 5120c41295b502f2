"""The transactions of a server with tables: what one may change, and what follows once it is committed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from msgspec.structs import replace
from sqlalchemy import BindParameter, Executable, Update, bindparam, func, insert, select, update

from kontor.storage import Storage
from kontor.storage.ids import is_id
from kontor.storage.schema import TABLE_ROW, chat, tables
from kontor.storage.transactions import Change, Transactions
from kontor.tables.cache import TableCache
from kontor.tables.game_states import GameState
from kontor.tables.notifiable_people import NotifiablePeople
from kontor.tables.rows import TableRow, no_table
from kontor.tables.snapshots import TableSnapshot

_HERE: Final[BindParameter[str]] = bindparam("table")
_ONE_MORE: Final = tables.c.changes + 1
_TAKE: Final = update(tables).where(tables.c.id == _HERE).values(changes=_ONE_MORE).returning(*TABLE_ROW)
_HOLD: Final = select(*TABLE_ROW).where(tables.c.id == _HERE).with_for_update()
_GO_ON: Final = update(tables).where(tables.c.id == _HERE)
_LAST_SAID: Final = select(func.max(chat.c.number)).where(chat.c.table_id == _HERE)
_SAY: Final = insert(chat)

_GOING: Final = (
    "status",
    "number",
    "mover",
    "machine",
    "since",
    "deadline",
    "ended",
    "result",
    "changes",
    "undo",
    "undone",
    "stopped",
    "resumes",
    "paused",
    "proposed",
    "streams",
)
"""The columns of a table's row that a move can change."""


@dataclass(slots=True)
class TableChange(Change):
    """A transaction that may change tables, with what has to be done after its commit.

    The tables ``played`` are cached then, and the streams of the tables ``touched`` hear of it.
    """

    cache: TableCache
    notifiable: NotifiablePeople
    touched: dict[str, None] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    """The counter ``changes`` of each table that was taken."""
    lines: dict[str, int] = field(default_factory=dict)
    """The number of the last line of each table that goes on."""
    played: list[tuple[TableSnapshot, GameState]] = field(default_factory=list)
    mark: object = field(default_factory=object)
    """The mark by which the cache tells this transaction from others."""

    def take(self, table: str) -> TableRow:
        """Lock the row of a table that is to be changed, count the change, and return the row. Raises NoTable.

        The row stays locked until the transaction ends. Processes that have not heard of the change can see it by the
        counter.
        """
        row = TableRow(*self._fetch_row(_TAKE, table))
        self._count_change(row.id, row.changes)
        return row

    def hold(self, table: str) -> TableRow:
        """Lock the row of a table that goes on, and return it with the change counted; ``write_row`` writes it."""
        snapshot = self.cache.get_noted(table)
        row = TableRow(*self._fetch_row(_HOLD, table)) if snapshot is None else snapshot.row
        row = replace(row, changes=row.changes + 1)
        self._count_change(row.id, row.changes)
        return row

    def count(self, update_of_tables: Update) -> None:
        """Change many tables at once, and count the change for each, as :meth:`take` does."""
        counted = update_of_tables.values(changes=_ONE_MORE).returning(tables.c.id, tables.c.changes)
        for table, changes in self.db.execute(counted).all():
            self._count_change(table, changes)
            self.touch(table)

    def can_notify(self, person: str | None) -> bool:
        """Return True if the person can be notified."""
        return person is not None and self.notifiable.has(self.db, person)

    def _fetch_row(self, statement: Executable, table: str) -> Sequence[Any]:
        row = self.db.execute(statement, {"table": table}).first() if is_id(table) else None
        if row is None:
            raise no_table()
        return row

    def _count_change(self, table: str, changes: int) -> None:
        self.cache.begin_change(table, self.mark)
        self.taken[table] = changes

    def write_row(self, row: TableRow) -> None:
        """Write the new row of a table that was taken or held."""
        self.db.execute(_GO_ON, {"table": row.id} | {name: getattr(row, name) for name in _GOING})
        self.lines[row.id] = row.number
        self.touch(row.id)

    def cache_after_commit(self, snapshot: TableSnapshot, game_state: GameState) -> None:
        """Cache this snapshot and game state once the transaction commits."""
        self.played.append((snapshot, game_state))

    def touch(self, table: str) -> None:
        """Mark the table as changed: its streams redraw after the commit."""
        self.touched[table] = None
        if table not in self.taken:
            self.cache.begin_change(table, self.mark)

    def say(
        self, table: str, kind: str, seat: int | None, name: str, text: str = "", person: str | None = None
    ) -> int:
        """Add a row to the chat of a table that was taken; return its number.

        ``person`` is the one who says it, or who is named.
        """
        self.touch(table)
        last: int = self.db.scalar(_LAST_SAID, {"table": table}) or 0
        row = {"table_id": table, "number": last + 1, "kind": kind, "seat": seat, "name": name, "text": text}
        row["person"] = person
        self.db.execute(_SAY, row | {"at": self.now})
        return last + 1


class TableTransactions(Transactions[TableChange]):
    """The transactions of a server, and its cached tables."""

    def __init__(self, storage: Storage, clock: Callable[[], datetime]) -> None:
        super().__init__(storage, clock)
        self.cache = TableCache()
        self.notifiable = NotifiablePeople(lambda: self.endings)

    @contextmanager
    def changing(self, *, urgent: bool = False) -> Iterator[TableChange]:
        """Open a transaction that may change tables, too; after the block the cache is up to date as well."""
        with self.storage.writing(urgent=urgent) as db:
            change = TableChange(db, self.now, self.cache, self.notifiable)
            yield change
        self.storage.note_lines(change.lines)
        for snapshot, game_state in change.played:
            self.cache.keep(snapshot, game_state)
        if self.storage.exclusive:
            for table, changes in change.taken.items():
                self.cache.note(table, changes, change.mark)
        self.announce({table: change.taken.get(table, 0) for table in change.touched} | change.news)
