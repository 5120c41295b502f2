"""Proposals to all people at a table: to end the game, to pause it, or to take back moves. There is one at a time.

When all agree who still play, it is carried out. Computer players always agree. Those who stand in for people agree
to an end or a pause, but not to taking back moves: for that, the people themselves must agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace
from sqlalchemy import update

from kontor.endings import early_end
from kontor.errors import NotNow
from kontor.game import Value
from kontor.storage.schema import tables
from kontor.tables import agreed_undo, pauses
from kontor.tables.absence import is_played_by_person
from kontor.tables.agreed_undo import NO_MOVES_SEEN, SeenMoves
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
    change: TableChange,
    table: str,
    seat: int,
    person: str,
    kind: ProposalKind,
    *,
    turn: bool = False,
    seen: SeenMoves = NO_MOVES_SEEN,
) -> None:
    """Propose something to the others at the table: of moves to take back, the last one or the whole last ``turn``.

    Raises NotAllowed, NotNow; Conflict if the moves would be others than those that were ``seen``.
    """
    row, sitting = take_playing(change, table)
    own_seats = own_seats_of(sitting, person)
    own_seat = own_seat_of(own_seats, seat)
    if kind == "pause":
        pauses.check_can_pause(row)
    undo_to = None
    if kind == "undo":
        seen.check_undone(row)
        agreed_undo.check_can_undo(change.db, row, sitting, own_seats)
        agreed_undo.check_not_declined(change.db, row, seat)
        undo_to = agreed_undo.line_to_return_to(change.db, row, seat, turn=turn)
        seen.check_moves(row, undo_to)
    if row.proposed is not None:
        raise NotNow("", mark("Someone has already proposed this.") if row.proposal == kind else _OTHER)
    update_seats(change, table, sitting, agreed=False)
    update_seats(change, table, own_seats, agreed=True)
    change.db.execute(
        update(tables).where(tables.c.id == table).values(proposed=seat, proposal=kind, undo_to=undo_to)
    )
    change.say(table, _NOTICES[kind].proposed, seat, own_seat.name, person=person)
    _carry_out_if_agreed(change, replace(row, proposed=seat, proposal=kind, undo_to=undo_to), person)


def agree(change: TableChange, table: str, person: str, kind: ProposalKind, seen: SeenMoves = NO_MOVES_SEEN) -> None:
    """Agree to the proposal of this kind; when all do, it is carried out.

    Raises NotAllowed, NotNow; Conflict if the moves to take back are others than those that were ``seen``.
    """
    row, sitting = take_playing(change, table)
    own_seats = own_seats_of(sitting, person)
    _require_proposal(row, kind)
    if kind == "undo":
        seen.check_undone(row)
        seen.check_moves(row, row.undo_to)
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


def note_computer_players(change: TableChange, table: str, seat_numbers: Sequence[int], person: str) -> None:
    """Note that computer players go on for these seats, which were given up, or whose people are away.

    A proposal of one of the seats is dropped, and any to take back moves; another is carried out if only these seats
    had not agreed.
    """
    row = table_row(change.db, table)
    if row.proposed in seat_numbers or row.proposal == "undo":
        drop(change, table)
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
    people = [seat for seat in sitting if is_played_by_person(seat)]
    if not all(seat.agreed for seat in people if row.proposal == "undo" or not seat.stood_in):
        return
    assert row.proposed is not None
    if row.proposal == "end":
        end_game(change, row, sitting, early_end("agreed", row.proposed, len(sitting)), person)
    elif row.proposal == "pause":
        drop(change, row.id)
        pauses.begin(change, table_row(change.db, row.id))
    else:
        agreed_undo.take_back(change, row, sitting, person)
