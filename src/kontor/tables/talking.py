"""The chat of a table. It has no effect on the game, and all who see the table can read it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, delete

from kontor.errors import NotAllowed
from kontor.people.person_rows import name_of_person
from kontor.people.texts import chat_of, distinct
from kontor.storage.schema import chat
from kontor.tables.opening import seats_of
from kontor.tables.rows import seat_row, seat_rows
from kontor.tables.transactions import TableTransactions

MOST_KEPT: Final = 2000
"""Number of chat rows stored for one table; the oldest are deleted."""

_FORGOTTEN: Final = delete(chat).where(chat.c.table_id == bindparam("table"), chat.c.number <= bindparam("until"))


class Talk:
    """The chat of all tables."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def say(self, table: str, person: str, text: str, seat: int | None = None) -> int:
        """Add a chat row at the table, and return its number. Raises BadText, NotAllowed.

        ``seat`` says who speaks where several people share a device. Spectators may speak once the game is over.
        """
        with self._transactions.changing() as change:
            row = change.take(table)
            own_seats = seats_of(change.db, table, person)
            if seat is not None and seat not in own_seats:
                raise NotAllowed("", "This is not your seat.")
            kind = "said"
            if own_seats:
                seat = own_seats[0] if seat is None else seat
                name = seat_row(change.db, table, seat).name
            elif row.host == person:
                sitting = [other.name for other in seat_rows(change.db, table)]
                name = distinct(name_of_person(change.db, person), sitting)
            elif row.status == "over" and row.watch:
                sitting = [other.name for other in seat_rows(change.db, table)]
                name, kind = distinct(name_of_person(change.db, person), sitting), "onlooker"
            else:
                raise NotAllowed("", "Only people seated at this table can use its chat.")
            chat_text = chat_of(text)
            # Before the start seats are not drawn yet: the number would belong to another person later.
            at = None if row.status == "waiting" else seat
            number = change.say(table, kind, at, name, chat_text, person)
            change.db.execute(_FORGOTTEN, {"table": table, "until": number - MOST_KEPT})
            return number
