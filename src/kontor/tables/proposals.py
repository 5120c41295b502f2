"""Proposals to all people at a table: to end the game, to pause it, or to take back moves. There is one at a time.

When all agree who still play, it is carried out. Computer players, also those who stand in, always agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace
from sqlalchemy import update

from kontor.endings import early_end
from kontor.errors import NotNow
from kontor.game import Value
from kontor.storage.schema import tables
from kontor.tables import agreed_undo, pauses
from kontor.tables.absence import is_played_by_person
from kontor.tables.game_end import end_game
from kontor.tables.playing import own_seat_of, own_seats_of, take_playing, update_seats
from kontor.tables.rows import TableRow, seat_rows, table_row
from kontor.tables.transactions import TableChange
from kontor.tables.values import ProposalKind
from kontor.words import mark


class _Notices(Value, frozen=True):
    """The kinds of the chat rows of a proposal and of agreement to it, and the refusal where there is none."""

    proposed: str
    agreed: str
    missing: str


_NOTICES: Final[Mapping[ProposalKind, _Notices]] = {
    "end": _Notices("proposed", "agreed", mark("Nobody has proposed to end the game.")),
    "pause": _Notices("suggested", "accepted", mark("Nobody has proposed a pause.")),
    "undo": _Notices("requested", "consented", mark("Nobody has asked to take back a move.")),
}


def propose(
    change: TableChange, table: str, seat: int, person: str, kind: ProposalKind, *, turn: bool = False
) -> None:
    """Propose something to the others at the table: of moves to take back, the last one or the whole last ``turn``.

    Raises NotAllowed, NotNow.
    """
    row, sitting = take_playing(change, table)
    own_seats = own_seats_of(sitting, person)
    own_seat = own_seat_of(own_seats, seat)
    if kind == "pause":
        pauses.check_can_pause(row)
    undo_to = None
    if kind == "undo":
        agreed_undo.check_can_undo(change.db, row, sitting, own_seats)
        undo_to = agreed_undo.line_to_return_to(change.db, row, seat, turn=turn)
    if row.proposed is not None:
        raise NotNow("", mark("Someone has already proposed this.") if row.proposal == kind else _OTHER)
    update_seats(change, table, sitting, agreed=False)
    update_seats(change, table, own_seats, agreed=True)
    change.db.execute(
        update(tables).where(tables.c.id == table).values(proposed=seat, proposal=kind, undo_to=undo_to)
    )
    change.say(table, _NOTICES[kind].proposed, seat, own_seat.name, person=person)
    _carry_out_if_agreed(change, replace(row, proposed=seat, proposal=kind, undo_to=undo_to), person)


def agree(change: TableChange, table: str, person: str, kind: ProposalKind) -> None:
    """Agree to the proposal of this kind; when all do, it is carried out. Raises NotAllowed, NotNow."""
    row, sitting = take_playing(change, table)
    own_seats = own_seats_of(sitting, person)
    _require_proposal(row, kind)
    if own_seats[0].agreed:
        return
    update_seats(change, table, own_seats, agreed=True)
    change.say(table, _NOTICES[kind].agreed, own_seats[0].seat, own_seats[0].name, person=person)
    _carry_out_if_agreed(change, row, person)


def decline(change: TableChange, table: str, person: str, kind: ProposalKind) -> None:
    """Reject the proposal of this kind, or withdraw the person's own. Raises NotAllowed, NotNow."""
    row, sitting = take_playing(change, table)
    own_seats = own_seats_of(sitting, person)
    withdraws = _require_proposal(row, kind) in [seat.seat for seat in own_seats]
    drop(change, table)
    notice = "withdrew" if withdraws else "declined"
    change.say(table, notice, own_seats[0].seat, own_seats[0].name, person=person)


def note_seat_given_up(change: TableChange, row: TableRow, seat: int, person: str) -> None:
    """Drop the proposal of a seat that was given up; carry out another's if only that seat had not agreed."""
    if row.proposed == seat:
        drop(change, row.id)
    elif row.proposed is not None:
        _carry_out_if_agreed(change, row, person)


def drop(change: TableChange, table: str) -> None:
    """Delete the proposal of a table."""
    change.db.execute(update(tables).where(tables.c.id == table).values(proposed=None))


_OTHER: Final = mark("Someone has proposed something else: answer that first.")


def _require_proposal(row: TableRow, kind: ProposalKind) -> int:
    if row.proposed is None or row.proposal != kind:
        raise NotNow("", _NOTICES[kind].missing)
    return row.proposed


def _carry_out_if_agreed(change: TableChange, row: TableRow, person: str) -> None:
    """Carry out the proposal of the row if all have agreed; ``person`` was the last to answer."""
    sitting = seat_rows(change.db, row.id)
    if not all(seat.agreed for seat in sitting if is_played_by_person(seat) and not seat.stood_in):
        return
    assert row.proposed is not None
    if row.proposal == "end":
        end_game(change, row, sitting, early_end("agreed", row.proposed, len(sitting)), person)
    elif row.proposal == "pause":
        drop(change, row.id)
        pauses.begin(change, table_row(change.db, row.id))
    else:
        agreed_undo.take_back(change, row, sitting, person)
