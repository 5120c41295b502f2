"""Games that people end before the rules do: by resigning, by agreeing, or by claiming from somebody who stays away.

The log stays as it is, and the table's row keeps the seat that was to move. Only the last line of the record tells of
the early end (``docs/record.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import update

from kontor.endings import EarlyEnd, early_end
from kontor.errors import NotAllowed, NotNow
from kontor.people.person_rows import NOBODY
from kontor.storage.schema import seats, tables
from kontor.tables import archiving, clocks
from kontor.tables.absence import claimable_seat, is_played_by_person
from kontor.tables.enqueuing import note_end
from kontor.tables.rows import SeatRow, TableRow, no_seat, seat_rows
from kontor.tables.transactions import TableChange, TableTransactions


def _take_playing(change: TableChange, table: str) -> tuple[TableRow, tuple[SeatRow, ...]]:
    """Take the table; return its row and its seats. Raises NotNow unless it is being played."""
    row = change.take(table)
    if row.status == "waiting":
        raise NotNow("", "The game has not begun yet.")
    if row.status == "over":
        raise NotNow("", "The game is over.")
    return row, seat_rows(change.db, table)


def _own_seats(sitting: Sequence[SeatRow], person: str) -> list[SeatRow]:
    """Return the seats that the person still plays. Raises NotAllowed if there are none."""
    own_seats = [seat for seat in sitting if is_played_by_person(seat) and seat.person == person]
    if not own_seats:
        raise NotAllowed("", "Only the players at this table can do this.")
    return own_seats


def _own_seat(own_seats: Sequence[SeatRow], seat: int) -> SeatRow:
    """Return the one of these seats that has the number. Raises NotAllowed if there is none."""
    own_seat = next((sitting for sitting in own_seats if sitting.seat == seat), None)
    if own_seat is None:
        raise NotAllowed("", "This is not your seat.")
    return own_seat


def _update_seats(change: TableChange, table: str, sitting: Sequence[SeatRow], **values: Any) -> None:
    places = [seat.seat for seat in sitting]
    change.db.execute(update(seats).where(seats.c.table_id == table, seats.c.seat.in_(places)).values(**values))


def _end_game(change: TableChange, row: TableRow, sitting: Sequence[SeatRow], early: EarlyEnd, person: str) -> None:
    early_json = msgspec.json.encode(early).decode()
    over = {
        "status": "over",
        "ended": change.now,
        "early": early_json,
        "machine": False,
        "deadline": None,
        "proposed": None,
    }
    change.db.execute(update(tables).where(tables.c.id == row.id).values(**over))
    archiving.archive_table(change, row.id)
    change.say(row.id, "ended", None, "")
    note_end(change, row, sitting, person)


# --------------------------------------------------------------------------------------------------------- resigning


class EarlyEndings:
    """Resigning, agreeing to end, and claiming."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def resign(self, table: str, seat: int, person: str) -> None:
        """Give up the seat for good. Raises NotAllowed, NotNow.

        Of two seats the other wins. Among more, a computer player plays on as long as a person is left.
        """
        with self._transactions.changing() as change:
            row, sitting = _take_playing(change, table)
            own_seat = _own_seat(_own_seats(sitting, person), seat)
            _update_seats(change, table, [own_seat], resigned=True, agreed=False)
            change.say(table, "resigned", seat, own_seat.name, person=person)
            remaining = [other for other in sitting if is_played_by_person(other) and other.seat != seat]
            if len(sitting) == 2 or not remaining:
                _end_game(change, row, sitting, early_end("resigned", seat, len(sitting)), person)
                return
            _play_on(change, row, own_seat, person)

    def propose(self, table: str, seat: int, person: str) -> None:
        """Propose to end the game without a result. Raises NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row, sitting = _take_playing(change, table)
            own_seats = _own_seats(sitting, person)
            own_seat = _own_seat(own_seats, seat)
            if row.proposed is not None:
                raise NotNow("", "Someone has already proposed this.")
            _update_seats(change, table, sitting, agreed=False)
            _update_seats(change, table, own_seats, agreed=True)
            change.db.execute(update(tables).where(tables.c.id == table).values(proposed=seat))
            change.say(table, "proposed", seat, own_seat.name, person=person)
            _end_if_agreed(change, row, seat, person)

    def agree(self, table: str, person: str) -> None:
        """Agree to the proposal; when all do, the game is over. Raises NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row, sitting = _take_playing(change, table)
            own_seats = _own_seats(sitting, person)
            proposed = _require_proposal(row)
            if own_seats[0].agreed:
                return
            _update_seats(change, table, own_seats, agreed=True)
            change.say(table, "agreed", own_seats[0].seat, own_seats[0].name, person=person)
            _end_if_agreed(change, row, proposed, person)

    def decline(self, table: str, person: str) -> None:
        """Reject the proposal, or withdraw the person's own. Raises NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row, sitting = _take_playing(change, table)
            own_seats = _own_seats(sitting, person)
            withdraws = _require_proposal(row) in [seat.seat for seat in own_seats]
            _drop_proposal(change, table)
            kind = "withdrew" if withdraws else "declined"
            change.say(table, kind, own_seats[0].seat, own_seats[0].name, person=person)

    def claim(self, table: str, seat: int, person: str) -> None:
        """Stop waiting for the seat, whose person has stayed away for seven days. Raises NotAllowed, NotNow.

        Of two seats the other wins; among more, a computer player stands in.
        """
        with self._transactions.changing() as change:
            row, sitting = _take_playing(change, table)
            if not 0 <= seat < len(sitting):
                raise no_seat()
            if sitting[seat] in _own_seats(sitting, person):
                raise NotAllowed("", "This is your own seat.")
            if claimable_seat(row, sitting, change.now) != seat:
                reason = "It has not been {name}’s turn for seven days yet, or {name} has looked at the table since."
                raise NotNow("", reason, name=sitting[seat].name)
            if len(sitting) > 2:
                clocks.stand_in(change, row, sitting[seat])
                return
            change.say(table, "claimed", seat, sitting[seat].name, person=sitting[seat].person)
            _end_game(change, row, sitting, early_end("claimed", seat, len(sitting)), person)


def hand_over(change: TableChange, row: TableRow, seat_numbers: Sequence[int]) -> None:
    """Give up the seats of a person who has left; computer players play on if other people stay."""
    sitting = seat_rows(change.db, row.id)
    given_up = [seat for seat in sitting if seat.seat in seat_numbers]
    if not given_up:
        return
    _update_seats(change, row.id, given_up, resigned=True, agreed=False)
    if not any(is_played_by_person(seat) for seat in sitting if seat.seat not in seat_numbers):
        _end_game(change, row, sitting, early_end("resigned", given_up[0].seat, len(sitting)), NOBODY)
        return
    for seat in given_up:
        _play_on(change, row, seat, NOBODY)


def _play_on(change: TableChange, row: TableRow, own_seat: SeatRow, person: str) -> None:
    """Let a computer player play on for a seat that was given up; drop a proposal that it made."""
    clocks.take_over(change, row, own_seat)
    change.say(row.id, "plays on", own_seat.seat, own_seat.name, row.takeover, person=own_seat.person)
    if row.proposed == own_seat.seat:
        _drop_proposal(change, row.id)
    elif row.proposed is not None:
        _end_if_agreed(change, row, row.proposed, person)


# ---------------------------------------------------------------------------------------------------------- agreeing


def _require_proposal(row: TableRow) -> int:
    if row.proposed is None:
        raise NotNow("", "Nobody has proposed to end the game.")
    return row.proposed


def _drop_proposal(change: TableChange, table: str) -> None:
    change.db.execute(update(tables).where(tables.c.id == table).values(proposed=None))


def _end_if_agreed(change: TableChange, row: TableRow, proposed: int, person: str) -> None:
    sitting = seat_rows(change.db, row.id)
    if all(seat.agreed for seat in sitting if is_played_by_person(seat) and not seat.stood_in):
        _end_game(change, row, sitting, early_end("agreed", proposed, len(sitting)), person)
