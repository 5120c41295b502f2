"""Moves given ahead: kept for their owner alone, and played in their name when it is their turn.

Nobody else ever learns that there are any: storing them does not count as a change of the table. They are played by
the loop of the computer players, each in one transaction that also uses it up. So after a crash it is played later,
once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, insert, select, update

from kontor.ahead.values import AheadTurn, GivenMoves, OwnMovesAhead
from kontor.decoding import misfit
from kontor.errors import Conflict, Malformed, NotAllowed, NotNow, NotYourTurn, StoodIn
from kontor.game import IllegalMove
from kontor.people.public_pages import IS_PRESENT
from kontor.storage.schema import moves_ahead, people, seats, tables
from kontor.storage.stored_times import datetime_of
from kontor.tables import undo
from kontor.tables.absence import is_played_by_person
from kontor.tables.move import TableMoves
from kontor.tables.reading import TableQueries
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.values import AheadShown
from kontor.tables.views import TableView
from kontor.web.adapter import adapter_of
from kontor.web.ahead import AheadPart

_MOST_DUE: Final = 100
"""The most turns that are looked up at once."""

_NOTHING: Final = GivenMoves()

_GIVEN: Final = select(moves_ahead).where(
    moves_ahead.c.table_id == bindparam("table"),
    moves_ahead.c.seat == bindparam("seat"),
    moves_ahead.c.person == bindparam("person"),
)
"""The query for the moves of one seat, run each time that its player's page is drawn."""

_IS_LINE_CHECKED: Final = and_(moves_ahead.c.checked.is_not(None), moves_ahead.c.checked == tables.c.number)

_DUE: Final = (
    select(
        tables.c.id,
        tables.c.game,
        tables.c.number,
        tables.c.undone,
        tables.c.undo,
        moves_ahead.c.seat,
        moves_ahead.c.moves,
    )
    .join(tables, and_(tables.c.id == moves_ahead.c.table_id, tables.c.mover == moves_ahead.c.seat))
    .join(
        seats,
        and_(
            seats.c.table_id == tables.c.id,
            seats.c.seat == moves_ahead.c.seat,
            seats.c.person == moves_ahead.c.person,
        ),
    )
    .join(people, people.c.id == moves_ahead.c.person)
    .where(
        IS_PRESENT,
        tables.c.status == "playing",
        ~tables.c.paused,
        ~tables.c.machine,
        ~moves_ahead.c.missed,
        ~_IS_LINE_CHECKED,
    )
    .order_by(tables.c.since, tables.c.id)
    .limit(_MOST_DUE)
)


class MovesAhead:
    """The moves that people have given ahead. Safe to use from any thread."""

    def __init__(self, transactions: TableTransactions, queries: TableQueries, moves: TableMoves) -> None:
        self._transactions = transactions
        self._queries = queries
        self._moves = moves
        self._given_at = _tables_with_moves(transactions) if transactions.storage.exclusive else None
        """Tables at which moves have been given ahead, also if none is left; None if other processes take some."""

    # ------------------------------------------------------------------------------------------------- for the owner

    def given(self, now: TableView) -> GivenMoves:
        """Return the moves that the reader of the view has given ahead and that can still be played."""
        seat = seat_for_ahead(now)
        if seat is None or (self._given_at is not None and now.snapshot.row.id not in self._given_at):
            return _NOTHING
        place = {"table": now.snapshot.row.id, "seat": seat, "person": now.person}
        row = self._transactions.ask(lambda db: db.execute(_GIVEN, place).first())
        if row is None:
            return _NOTHING
        seat_view = now.look(seat)
        if row.missed:
            return GivenMoves(missed=bool(seat_view.moves) and row.checked == seat_view.number)
        part = part_of(now.snapshot.row.game)
        try:
            choice = part.choose(seat_view.view, seat_view.moves, _decode(part, row.moves))
        except msgspec.DecodeError:
            return _NOTHING
        return GivenMoves(choice.left, choice.missed)

    def marks_of(self, now: TableView) -> AheadShown | None:
        """Return what the page of the table shows its reader of moves given ahead; None if they can give none."""
        if seat_for_ahead(now) is None:
            return None
        given = self.given(now)
        return AheadShown(bool(given.moves), given.missed)

    def give(self, table: str, person: str, moves: Sequence[Any]) -> None:
        """Keep these moves for the person's seat, instead of those given before.

        Raises NotAllowed, NotNow, Malformed, Conflict, and what the game raises for moves that cannot be given now.
        """
        now = self._queries.view(table, person)
        seat = require_seat_for_ahead(now)
        part = part_of(now.snapshot.row.game)
        given = _read_moves(part, moves)
        seat_view = now.look(seat)
        part.check(seat_view.view, given)
        row = {
            "table_id": table,
            "seat": seat,
            "person": person,
            "number": seat_view.number,
            "moves": msgspec.json.encode(given).decode(),
            "missed": False,
        }
        seen = now.snapshot.row
        if self._given_at is not None:
            self._given_at.add(table)
        with self._transactions.changing() as change:
            line = _lock(change.db, table, seat, person)
            if line != (seen.number, seen.undone):
                raise Conflict(line[0])
            change.db.execute(delete(moves_ahead).where(_is_seat(table, seat)))
            change.db.execute(insert(moves_ahead).values(**row, at=change.now))

    def drop(self, table: str, person: str) -> None:
        """Delete the moves that the person has given ahead at the table. Raises NotAllowed, NotNow, Conflict."""
        seat = require_seat_for_ahead(self._queries.view(table, person))
        with self._transactions.changing() as change:
            _lock(change.db, table, seat, person)
            change.db.execute(delete(moves_ahead).where(_is_seat(table, seat)))

    # ------------------------------------------------------------------------------------------ when the turn comes

    def due(self) -> Sequence[AheadTurn]:
        """Return the turns at which moves given ahead have not been looked at, the longest waiting first.

        A move before that can still be taken back is waited for.
        """
        with self._transactions.reading() as db:
            rows = db.execute(_DUE).all()
            now = self._transactions.now()
        return [
            AheadTurn(row.id, row.game, row.seat, row.number, row.undone, row.moves)
            for row in rows
            if not undo.is_undoable(row, now)
        ]

    def play(self, turn: AheadTurn) -> bool:
        """Play the move given ahead for this turn; return False if none fits, or somebody was quicker."""
        now = self._queries.view(turn.table)
        row = now.snapshot.row
        if (row.number, row.undone) != (turn.number, turn.undone):
            return False
        part = adapter_of(turn.game).ahead
        seat_view = now.look(turn.seat)
        try:
            given = () if part is None else _decode(part, turn.written)
        except msgspec.DecodeError:  # those of another version of the game
            given = ()
        if part is None or not given:
            self._note_checked(turn, missed=True)
            return False
        choice = part.choose(seat_view.view, seat_view.moves, given)
        if choice.move is None:
            if choice.left or choice.missed:
                self._note_checked(turn, missed=choice.missed)
            else:
                self._drop_unneeded(turn)
            return False
        try:
            claim = _claim(turn, choice.left)
            self._moves.play_ahead(turn.table, turn.seat, turn.number, choice.move, turn.undone, claim)
        except IllegalMove:
            self._note_checked(turn, missed=True)
            return False
        except (Conflict, NotAllowed, NotNow, NotYourTurn, StoodIn):
            return False
        return True

    def _note_checked(self, turn: AheadTurn, *, missed: bool) -> None:
        """Note that nothing is to be played after this line; if something was missed, nothing is at all."""
        values: dict[str, Any] = {"checked": turn.number, "missed": missed}
        if missed:
            values["moves"] = "[]"
        with self._transactions.changing() as change:
            change.db.execute(update(moves_ahead).where(_is_given_for(turn)).values(**values))

    def _drop_unneeded(self, turn: AheadTurn) -> None:
        """Delete moves whose decision has passed or has never come: nothing was missed."""
        with self._transactions.changing() as change:
            change.db.execute(delete(moves_ahead).where(_is_given_for(turn)))


def _tables_with_moves(transactions: TableTransactions) -> set[str]:
    """Return the tables at which moves are given ahead."""
    with transactions.reading() as db:
        return {*db.scalars(select(moves_ahead.c.table_id))}


def _claim(turn: AheadTurn, left: tuple[Any, ...]) -> Callable[[TableChange], None]:
    """Return the function that uses up the move of a turn: it keeps those ``left``, or deletes all."""

    def claim(change: TableChange) -> None:
        is_same = _is_given_for(turn)
        if left:
            written = msgspec.json.encode(left).decode()
            claimed = change.db.execute(update(moves_ahead).where(is_same).values(moves=written))
        else:
            claimed = change.db.execute(delete(moves_ahead).where(is_same))
        if not claimed.rowcount:
            raise Conflict(turn.number)

    return claim


def _lock(db: Connection, table: str, seat: int, person: str) -> tuple[int, int]:
    """Lock the table without counting a change; return its last line, and how many lines were taken back.

    So of a move and its withdrawal, one waits for the other. Raises NotNow after the end, Conflict if the person no
    longer plays the seat.
    """
    locked = select(tables.c.status, tables.c.number, tables.c.undone).where(tables.c.id == table)
    row = db.execute(locked.with_for_update(key_share=True)).first()
    if row is None or row.status != "playing":
        raise NotNow("", "The game is over.")
    is_theirs = and_(seats.c.table_id == table, seats.c.seat == seat, seats.c.person == person)
    sitting = select(seats.c.seat).where(is_theirs, seats.c.stood_in == "", ~seats.c.resigned)
    if db.scalar(sitting) is None:
        raise Conflict(row.number)
    return row.number, row.undone


def part_of(game: str) -> AheadPart:
    """Return what the game brings for moves given ahead. Raises NotAllowed if it is nothing."""
    part = adapter_of(game).ahead
    if part is None:
        raise NotAllowed("", "In this game no moves can be given ahead.")
    return part


def seat_for_ahead(now: TableView) -> int | None:
    """Return the seat for which the reader can give moves ahead; None if there is none.

    Where several people share a device there is none: each would see what the others have given.
    """
    row, sitting = now.snapshot.row, now.snapshot.seats
    if row.status != "playing" or now.person is None or adapter_of(row.game).ahead is None:
        return None
    mine = [seat for seat in sitting if seat.person == now.person]
    return mine[0].seat if len(mine) == 1 and is_played_by_person(mine[0]) and not mine[0].stood_in else None


def require_seat_for_ahead(now: TableView) -> int:
    """Return the same seat. Raises NotAllowed, NotNow, StoodIn."""
    part_of(now.snapshot.row.game)
    seat = seat_for_ahead(now)
    if seat is not None:
        return seat
    mine = [seat for seat in now.snapshot.seats if now.person is not None and seat.person == now.person]
    if not mine:
        raise NotAllowed("", "Only the players at this table can do this.")
    if len(mine) > 1:
        raise NotAllowed("", "Where several people play on one device, no moves can be given ahead.")
    if now.snapshot.row.status == "waiting":
        raise NotNow("", "The game has not begun yet.")
    if now.snapshot.row.status == "over":
        raise NotNow("", "The game is over.")
    if mine[0].resigned:
        raise NotAllowed("", "You have resigned: a computer player plays on for you.")
    raise StoodIn("", "A computer player is standing in for you. Come back first.")


def _is_seat(table: str, seat: int) -> ColumnElement[bool]:
    return and_(moves_ahead.c.table_id == table, moves_ahead.c.seat == seat)


def _is_given_for(turn: AheadTurn) -> ColumnElement[bool]:
    return and_(_is_seat(turn.table, turn.seat), moves_ahead.c.moves == turn.written)


def _decode(part: AheadPart, written: str) -> tuple[Any, ...]:
    """Return moves as they are stored. Raises msgspec.DecodeError."""
    return tuple([msgspec.convert(move, part.kind) for move in msgspec.json.decode(written, type=list[Any])])


def _read_moves(part: AheadPart, moves: Sequence[Any]) -> tuple[Any, ...]:
    """Return the moves as they will be read from the database. Raises Malformed."""
    try:
        return tuple(msgspec.convert(msgspec.to_builtins(move), part.kind) for move in moves)
    except msgspec.ValidationError as error:
        raise Malformed("", "This is not a move: {error}.", error=misfit(error)) from error
    except (TypeError, UnicodeError) as error:  # UnicodeError: lone surrogates
        raise Malformed("", "This is not a move.") from error


def own_moves_of(db: Connection, person: str) -> tuple[OwnMovesAhead, ...]:
    """Return the moves that a person has given ahead, for their own data."""
    query = select(moves_ahead).where(moves_ahead.c.person == person, ~moves_ahead.c.missed)
    rows = db.execute(query.order_by(moves_ahead.c.at, moves_ahead.c.table_id))
    return tuple(
        [
            OwnMovesAhead(row.table_id, row.seat, datetime_of(row.at), tuple(msgspec.json.decode(row.moves)))
            for row in rows
        ]
    )
