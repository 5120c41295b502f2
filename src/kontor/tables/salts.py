"""The players' shares of the dice, their *salts*.

They are given when people sit down. With *strict dice* (``docs/fair-dice.md``) people commit to them then and reveal
them when all sit. So nobody knows another's salt before their own is fixed.

The others wait a minute for a salt that is not revealed. Then the game begins without it, if all agree who have
revealed theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, update

from kontor.errors import BadText, NotAllowed, NotNow
from kontor.fair import salt_commitment
from kontor.people.texts import check_salt, check_salt_commitment
from kontor.storage.schema import seats, tables
from kontor.tables import advance
from kontor.tables.rows import (
    SeatRow,
    TableRow,
    asked_to_begin,
    is_taken,
    is_unrevealed,
    may_begin_without,
    seat_rows,
)
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.values import DiceKind, Share

REVEAL_TIMEOUT: Final = 60_000
"""Milliseconds for revealing salts; then the others may begin without the missing ones."""


class Salts:
    """Reveals salts, and begins games without salts that are never revealed."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def reveal(self, table: str, person: str, salt: str) -> None:
        """Reveal the salt that the person has committed to; begin the game if it was the last.

        Raises NotNow, BadText.
        """
        with self._transactions.changing() as change:
            row = change.take(table)
            own_seats = [
                seat for seat in seat_rows(change.db, table) if seat.person == person and is_unrevealed(seat)
            ]
            if not own_seats:
                return  # requested twice
            _check_revealing(row)
            if salt_commitment(check_salt(salt)) != own_seats[0].salt_commitment:
                raise BadText("", "This is not the contribution that was promised.")
            change.db.execute(update(seats).where(_of(table, person)).values(salt=salt))
            change.touch(table)
            begin_if_ready(change, table)

    def begin_without(self, table: str, person: str) -> None:
        """Record that the person agrees to begin without the missing salts; begin the game if they were the last.

        Raises NotNow, NotAllowed.
        """
        with self._transactions.changing() as change:
            row = change.take(table)
            _check_revealing(row)
            if not may_begin_without(row, seat_rows(change.db, table), change.now):
                raise NotNow("", "Wait a minute for the missing contributions.")
            if person not in asked_to_begin(seat_rows(change.db, table)):
                raise NotAllowed(
                    "",
                    "Only players who have revealed their contribution can agree to begin without the missing ones.",
                )
            change.db.execute(update(seats).where(_of(table, person)).values(begins_without=True))
            change.touch(table)
            begin_if_ready(change, table)


def share_columns(share: Share, dice: DiceKind) -> dict[str, Any]:
    """Return the columns of ``seats`` that hold a share. Raises BadText."""
    if share.commitment and dice != "strict":
        raise BadText("", "The dice at this table are not strict: contributions are given when people sit down.")
    if share.commitment and share.salt:
        raise BadText("", "A contribution is either given now or promised, not both.")
    return {"salt": check_salt(share.salt), "salt_commitment": check_salt_commitment(share.commitment)}


def begin_if_ready(change: TableChange, table: str) -> None:
    """Begin the game if all seats are taken and no salt is missing, or all have agreed to begin without.

    Where salts are missing, start the time in which they can be revealed.
    """
    sitting = seat_rows(change.db, table)
    if not all(map(is_taken, sitting)):
        return
    missing = [seat for seat in sitting if is_unrevealed(seat)]
    agreed = {seat.person for seat in sitting if seat.begins_without}
    if missing and not asked_to_begin(sitting) <= agreed:
        _wait_for_salts(change, table)
        return
    for seat in missing:
        change.say(table, "without", None, seat.name, person=seat.person)
    advance.begin(change, table)


def _wait_for_salts(change: TableChange, table: str) -> None:
    is_table = (tables.c.id == table) & tables.c.since.is_(None)
    change.db.execute(update(tables).where(is_table).values(since=change.now, deadline=change.now + REVEAL_TIMEOUT))


def _check_revealing(row: TableRow) -> None:
    if row.status != "waiting":
        raise NotNow("", "The game has already begun.")
    if row.since is None:
        raise NotNow("", "Contributions are revealed when all seats are taken.")


def is_revealing(row: TableRow, sitting: Sequence[SeatRow]) -> bool:
    """Return True if some salts are known while others are still awaited."""
    return row.since is not None and any(seat.salt for seat in sitting)


def check_nothing_revealed(row: TableRow, sitting: Sequence[SeatRow]) -> None:
    """Raise NotNow if salts have been revealed, so that nobody who may know the dice stands up.

    With every seat that is taken anew, the dice would fall in another way.
    """
    if is_revealing(row, sitting):
        raise NotNow("", "The contributions to the dice are being revealed: the game is about to begin.")


def _of(table: str, person: str) -> ColumnElement[bool]:
    return (seats.c.table_id == table) & (seats.c.person == person)
