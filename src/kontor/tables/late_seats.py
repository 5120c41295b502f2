"""Seats that are late: others give them more time, or let a computer player stand in."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import ColumnElement, update

from kontor.errors import NotAllowed, NotNow
from kontor.people.person_rows import NOBODY
from kontor.storage.schema import seats, tables
from kontor.tables import clocks, proposals
from kontor.tables.enqueuing import note_stand_in
from kontor.tables.rows import SeatRow, TableRow, is_machine, seat_row, seat_rows
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.visits import note_seating


class Clocks:
    """More time for others, and computer players that stand in for people who are late."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def give_time(self, table: str, seat: int, person: str) -> None:
        """Give a minute (or a day, where moves take hours) to another's seat. Raises NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row = change.take(table)
            sitting = seat_rows(change.db, table)
            receiver = seat_row(change.db, table, seat)
            own_seats = [other for other in sitting if other.person == person and not other.resigned]
            if not own_seats or receiver.person == person:
                raise NotAllowed("", "Only the others at the table can give more time.")
            _check_gift(row, receiver)
            with_gift = clocks.with_gift(row, receiver, change.now)
            change.db.execute(
                update(seats).where(_is_seat(table, seat)).values(left=with_gift.left, given=with_gift.given)
            )
            if row.mover == seat and row.stopped is None:
                assert row.since is not None
                clocks.write_clock(change, clocks.with_clock(row, with_gift, row.since, change.now))
            change.db.execute(update(tables).where(tables.c.id == table).values(undo=None))  # they have seen the move
            giver = str(own_seats[0].seat)
            change.say(table, "more time", seat, receiver.name, giver, person=receiver.person)

    def stand_in(self, table: str, seat: int, person: str) -> None:
        """Let a computer player go on for a late seat, for another person at the table. Raises NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row = change.take(table)
            sitting = seat_row(change.db, table, seat)
            if person not in {other.person for other in seat_rows(change.db, table)} - {sitting.person}:
                raise NotAllowed("", "Only the others at the table can bring in a computer player.")
            if row.stand_in == "never":
                raise NotAllowed("", "At this table no computer player stands in.")
            if clocks.late_seat(row, change.now) != seat:
                raise NotNow("", "{name} still has time.", name=sitting.name)
            stand_in(change, row, sitting)

    def come_back(self, table: str, seat: int, person: str) -> None:
        """Let the person at the seat move again. Raises NotAllowed, NotNow.

        If other tables wait for this one, the computer player first makes the late move. So a person can't keep them
        waiting by coming back each time.
        """
        with self._transactions.changing() as change:
            row = change.take(table)
            sitting = seat_row(change.db, table, seat)
            if sitting.person != person:
                raise NotAllowed("", "This is not your seat.")
            if sitting.resigned:
                raise NotAllowed("", "You have resigned: the computer player keeps your seat.")
            if not sitting.stood_in:
                return
            if row.dice == "in step" and row.mover == seat:
                raise NotNow("", "The computer player is just moving for you: come back after that.")
            change.db.execute(update(seats).where(_is_seat(table, seat)).values(stood_in=""))
            note_seating(change, table)
            if row.mover == seat:
                back = seat_row(change.db, table, seat)
                clocks.write_clock(
                    change, clocks.with_clock(replace(row, machine=False), back, change.now, change.now)
                )
            change.say(table, "came back", seat, sitting.name, person=person)


def stand_in(change: TableChange, row: TableRow, sitting: SeatRow) -> None:
    """Let a computer player move for the seat until the person comes back."""
    clocks.take_over(change, row, sitting)
    change.say(row.id, "stood in", sitting.seat, sitting.name, person=sitting.person)
    note_stand_in(change, row, sitting.person)
    proposals.note_computer_players(change, row.id, [sitting.seat], NOBODY)


def _check_gift(row: TableRow, receiver: SeatRow) -> None:
    """Raise NotAllowed or NotNow if the seat cannot be given more time."""
    if row.status != "playing":
        raise NotNow("", "The game is not being played.")
    if row.pace == "none":
        raise NotAllowed("", "This table has no time limit.")
    if not row.breaks:
        raise NotAllowed("", "In this tournament there are no pauses, no holidays and no extra time.")
    if is_machine(receiver):
        raise NotAllowed("", "Computer players need no more time.")
    if not clocks.gift(row, receiver):
        raise NotNow(
            "",
            "{name} has been given more time {most} times: that is enough.",
            name=receiver.name,
            most=clocks.MOST_GIFTS,
        )


def _is_seat(table: str, seat: int) -> ColumnElement[bool]:
    return (seats.c.table_id == table) & (seats.c.seat == seat)
