"""A transaction that changes something, with what is to be done once it is on the disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec.structs import replace
from sqlalchemy import BindParameter, Connection, Executable, Update, bindparam, func, insert, select, update

from kontor.table.game_states import GameState
from kontor.table.hearers import Hearers
from kontor.table.rows import TableRow, is_id, no_table
from kontor.table.schema import TABLE_ROW, chat, pulse, tables
from kontor.table.storage.change_counters import SESSIONS_KEY
from kontor.table.table_cache import TableCache
from kontor.table.table_snapshots import TableSnapshot

_HERE: Final[BindParameter[str]] = bindparam("table")
_ONE_MORE: Final = tables.c.changes + 1
_TAKE: Final = update(tables).where(tables.c.id == _HERE).values(changes=_ONE_MORE).returning(*TABLE_ROW)
_HOLD: Final = select(*TABLE_ROW).where(tables.c.id == _HERE).with_for_update()
_GO_ON: Final = update(tables).where(tables.c.id == _HERE)
_LAST_SAID: Final = select(func.max(chat.c.number)).where(chat.c.table_id == _HERE)
_SAY: Final = insert(chat)
_COUNT_ENDING: Final = update(pulse).values(endings=pulse.c.endings + 1).returning(pulse.c.endings)

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
)
"""What a move can change of a table's row."""


@dataclass(slots=True)
class Change:
    """Afterwards what was ``played`` is kept in memory, and whoever listens hears of the tables that were
    ``touched``."""

    db: Connection
    clock: Callable[[], int]
    """The time in milliseconds."""
    cache: TableCache
    hearers: Hearers
    touched: dict[str, None] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    """The counter ``changes`` of each table that was taken."""
    lines: dict[str, int] = field(default_factory=dict)
    """The number of the last line of each table that goes on."""
    played: list[tuple[TableSnapshot, GameState]] = field(default_factory=list)
    news: dict[str, int] = field(default_factory=dict)
    """Of what besides tables others are told, by its counter."""
    mark: object = field(default_factory=object)
    """By which the cache tells this transaction from others."""
    _now: int | None = None

    @property
    def now(self) -> int:
        """The time in milliseconds when it was first asked for: once it is this transaction's turn at the table, so
        that lines stand in the order of their times."""
        if self._now is None:
            self._now = self.clock()
        return self._now

    def take(self, table: str) -> TableRow:
        """The row of a table that is to be changed. It is kept from others until the transaction ends, and the change
        is counted: whoever has not heard of it can see by the counter that there was one. Raises NoTable."""
        return self._taken(TableRow(*self._asked(_TAKE, table)))

    def hold(self, table: str) -> TableRow:
        """The same for a table that goes on: the change is counted in the row that is returned, and ``go_on`` writes
        it."""
        noted = self.cache.noted(table)
        row = TableRow(*self._asked(_HOLD, table)) if noted is None else noted.row
        return self._taken(replace(row, changes=row.changes + 1))

    def count(self, update_of_tables: Update) -> None:
        """Changes many tables at once; for each the change is counted, as by :meth:`take`."""
        counted = update_of_tables.values(changes=_ONE_MORE).returning(tables.c.id, tables.c.changes)
        for table, changes in self.db.execute(counted).all():
            self._counted(table, changes)
            self.touch(table)

    def hears(self, person: str | None) -> bool:
        """Whether the person can be notified."""
        return person is not None and self.hearers.has(self.db, person)

    def count_ending(self) -> None:
        """Who is known by which token, or can be notified, is asked anew: by this process, and by the others."""
        self.news[SESSIONS_KEY] = self.db.execute(_COUNT_ENDING).scalar_one()

    def _asked(self, statement: Executable, table: str) -> Sequence[Any]:
        found = self.db.execute(statement, {"table": table}).first() if is_id(table) else None
        if found is None:
            raise no_table()
        return found

    def _taken(self, row: TableRow) -> TableRow:
        self._counted(row.id, row.changes)
        return row

    def _counted(self, table: str, changes: int) -> None:
        self.cache.begin_change(table, self.mark)
        self.taken[table] = changes

    def go_on(self, row: TableRow) -> None:
        """Writes how a table goes on that was taken, or is held."""
        self.db.execute(_GO_ON, {"table": row.id} | {name: getattr(row, name) for name in _GOING})
        self.lines[row.id] = row.number
        self.touch(row.id)

    def remember(self, snapshot: TableSnapshot, game_state: GameState) -> None:
        """How a table looks and stands when the transaction is on the disk."""
        self.played.append((snapshot, game_state))

    def touch(self, table: str) -> None:
        """Something at the table has changed, for some eye."""
        self.touched[table] = None
        if table not in self.taken:
            self.cache.begin_change(table, self.mark)

    def say(
        self, table: str, kind: str, seat: int | None, name: str, text: str = "", person: str | None = None
    ) -> int:
        """One more row of the talk of a table that was taken; ``person`` is who says it, or who is named. Its number
        is returned."""
        self.touch(table)
        last: int = self.db.scalar(_LAST_SAID, {"table": table}) or 0
        row = {"table_id": table, "number": last + 1, "kind": kind, "seat": seat, "name": name, "text": text}
        row["person"] = person
        self.db.execute(_SAY, row | {"at": self.now})
        return last + 1
