"""Undo by agreement: a seat's last move, or its whole last turn, is taken back with all that came after it.

The log is the truth: the lines are deleted, and the game is as it was before them. Dice that have fallen fall the
same again (``dice_streams``). The time that was used is not given back, nor is that of the turn that is broken off;
the seat has the time of a new move. ``tables.undone`` counts the deleted lines, so that clients and caches tell new
lines from old ones.

What people have seen they still know; that is why all must agree. A move by a person means that they play on: it
drops the proposal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection, delete, func, select

from kontor.errors import Conflict, NotAllowed, NotNow
from kontor.fair import Occasion
from kontor.game import CHANCE, Value
from kontor.players.levels import LEVELS
from kontor.plugins import game_named
from kontor.storage.schema import chat, hints, outbox, pairings, snapshots, steps
from kontor.tables import clocks, enqueuing, game_states
from kontor.tables.absence import is_played_by_person
from kontor.tables.dice_streams import decode_streams, encode_streams
from kontor.tables.given_ahead import drop_given
from kontor.tables.rows import SeatRow, TableRow, is_machine
from kontor.tables.transactions import TableChange
from kontor.tables.values import SHARED_DICE


class SeenMoves(Value, frozen=True):
    """The moves that somebody was shown before they asked to take them back, or agreed.

    They are those after the line ``undo_to``, at a table where so many lines were ``undone`` before. What is None was
    not named, and is not compared.
    """

    undone: int | None = None
    undo_to: int | None = None

    def check_undone(self, row: TableRow) -> None:
        """Raise Conflict if lines were taken back since."""
        if self.undone not in (None, row.undone):
            raise Conflict(row.number)

    def check_moves(self, row: TableRow, undo_to: int | None) -> None:
        """Raise Conflict unless the moves are those after the line ``undo_to``."""
        if self.undo_to not in (None, undo_to):
            raise Conflict(row.number)


_AFTER_REQUEST: Final = ("declined", "withdrew", "requested", "proposed", "suggested")
"""The kinds of the chat rows of which the first after a request says how it ended: with a refusal, or otherwise."""

NO_MOVES_SEEN: Final = SeenMoves()
"""The moves of a request that does not name any: they are not compared."""


def is_for_rating(row: TableRow, sitting: Sequence[SeatRow]) -> bool:
    """Return True if the game counts for ratings, as far as that is known before its end."""
    helped = any(seat.kind == "here" or (seat.player and seat.player not in LEVELS) for seat in sitting)
    return not (row.hints or helped)


def check_can_undo(db: Connection, row: TableRow, sitting: Sequence[SeatRow], own_seats: Sequence[SeatRow]) -> None:
    """Raise NotAllowed or NotNow where a person with these seats cannot propose to take back moves."""
    paired = select(pairings.c.tournament).where(pairings.c.table_id == row.id).limit(1)
    if row.dice in SHARED_DICE or db.scalar(paired) is not None:
        raise NotAllowed("", "In tournaments every move stands once its three seconds are over.")
    if row.paused:
        raise NotNow("", "The game is paused.")
    others = [seat for seat in sitting if seat not in own_seats]
    with_machines = not all(is_played_by_person(seat) and not is_machine(seat) for seat in others)
    if with_machines and is_for_rating(row, sitting):
        reason = (
            "In a game that may be rated, moves against computer players stand once their three seconds are over."
        )
        raise NotAllowed("", reason)


def check_not_declined(db: Connection, row: TableRow, seat: int) -> None:
    """Raise NotNow if the others declined what the seat last asked to take back, and no line was written since."""
    at_table = chat.c.table_id == row.id
    last = select(func.max(chat.c.number)).where(at_table, chat.c.kind == "requested", chat.c.seat == seat)
    answers = select(chat.c.kind, chat.c.at).where(
        at_table, chat.c.number > last.scalar_subquery(), chat.c.kind.in_(_AFTER_REQUEST)
    )
    answer = db.execute(answers.order_by(chat.c.number).limit(1)).first()
    if answer is None or answer.kind != "declined":
        return
    written = db.scalar(select(steps.c.at).where(steps.c.table_id == row.id, steps.c.number == row.number))
    if written is None or written <= answer.at:
        raise NotNow("", "The others would rather play on. You can ask again after the next move.")


def line_before(movers: Iterable[tuple[int, int]], seat: int, *, turn: bool) -> int | None:
    """Return the number of the line before the seat's last move, or before its last turn; None if it has not moved.

    ``movers`` are the numbers of lines and who moved, the last line first. A turn is all moves of the seat between
    those of others; outcomes of chance do not end it.
    """
    before = None
    for number, mover in movers:
        if mover == seat:
            before = number - 1
            if not turn:
                return before
        elif mover != CHANCE and before is not None:
            return before
    return before


def line_to_return_to(db: Connection, row: TableRow, seat: int, *, turn: bool) -> int:
    """Return the number of the last line that stays if the seat's last move or turn is taken back. Raises NotNow."""
    log = select(steps.c.number, steps.c.seat).where(steps.c.table_id == row.id, steps.c.number <= row.number)
    rows = db.execute(log.order_by(steps.c.number.desc())).all()
    before = line_before([(row.number, row.seat) for row in rows], seat, turn=turn)
    if before is None:
        raise NotNow("", "You have not moved yet.")
    return before


def without_proposal(row: TableRow) -> TableRow:
    """Return the row of a table where a person moves: they play on, so nothing is to be taken back any more."""
    return replace(row, proposed=None) if row.proposed is not None and row.proposal == "undo" else row


def take_back(change: TableChange, row: TableRow, sitting: Sequence[SeatRow], person: str) -> None:
    """Delete the lines that all have agreed to take back; ``person`` was the last to agree.

    The row is that of a table that was taken, before anything of it was changed.
    """
    assert row.undo_to is not None
    assert row.proposed is not None
    assert row.mover is not None
    last, db = row.undo_to, change.db
    interrupted = clocks.with_time_spent(row, sitting[row.mover], change.now)
    clocks.write_reserve(db, interrupted)
    mover = interrupted if row.proposed == row.mover else sitting[row.proposed]
    streams = decode_streams(row.streams).after_undo(last, _outcomes_after(db, row, sitting, last))
    for table in (steps, snapshots):
        db.execute(delete(table).where(table.c.table_id == row.id, table.c.number > last))
    db.execute(delete(hints).where(hints.c.table_id == row.id))
    drop_given(db, row.id)
    about_turns = outbox.c.occasion.in_(("turn", "reminder"))
    db.execute(delete(outbox).where(outbox.c.table_id == row.id, about_turns))
    count = row.number - last
    before = replace(
        row,
        number=last,
        mover=mover.seat,
        machine=is_machine(mover),
        proposed=None,
        undo=None,
        undone=row.undone + count,
        streams=encode_streams(streams),
    )
    before = clocks.with_clock(before, mover, change.now, change.now)
    change.write_row(before)
    change.say(row.id, "taken back", mover.seat, mover.name, str(count), person=mover.person)
    if mover.person != person:
        enqueuing.note_turn(change, before, mover)
    enqueuing.renew_reminder(change, before, mover)


def _outcomes_after(
    db: Connection, row: TableRow, sitting: Sequence[SeatRow], last: int
) -> list[tuple[int, Occasion]]:
    """Return the lines after ``last`` that are outcomes of chance, in order, each with its occasion."""
    game, outcomes, state = game_named(row.game), [], None
    for entry in game_states.fold(db, row, sitting):
        if entry.number > last and entry.step is not None and entry.step.seat == CHANCE:
            outcomes.append((entry.number, game.occasion(state)))
        state = entry.state
    return outcomes
