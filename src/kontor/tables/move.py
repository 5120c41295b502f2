"""A move, from the locked row to the change events: this file reads in the order in which it happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from kontor.decoding import misfit
from kontor.errors import Conflict, Malformed
from kontor.game import AnyGame, Refusal
from kontor.records import Step
from kontor.tables import clocks, game_states, undo
from kontor.tables.advance import GameAdvance, let_chance_act, write
from kontor.tables.agreed_undo import without_proposal
from kontor.tables.game_states import GameState
from kontor.tables.rows import table_row
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.turn_checks import check_turn_of_machine, check_turn_of_person, require_begun
from kontor.tables.values import UndoChoice


@dataclass(frozen=True, slots=True)
class _Request:
    """A move that somebody wants to make, and what they had seen of the table."""

    table: str
    seat: int
    number: int
    """Number of the last line that the mover has seen."""
    undone: int | None
    """Number of lines that had been taken back then; None if that is not to be checked."""
    move: Any
    choice: UndoChoice
    by_machine: bool
    claim: Callable[[TableChange], None] | None = None
    """Called in the transaction, before the move; what it raises refuses the move."""


class TableMoves:
    """Moves at tables, each in one transaction; safe from any thread.

    The seat is not checked to be the caller's: call ``TableQueries.seats_of`` first to serve strangers.
    """

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def play(
        self, table: str, seat: int, number: int, move: Any, undone: int | None = None, choice: UndoChoice = "usual"
    ) -> int:
        """Play a person's move at the seat, and return the number of the last line.

        The person has seen the lines up to ``number``, and so many ``undone`` before (None: not checked). ``choice``:
        whether the move can be taken back. When this returns, the move and the outcomes of chance after it are on the
        disk.

        Raises IllegalMove with the rule, Conflict if something has happened since, NotYourTurn, StoodIn.
        """
        return self._count(_Request(table, seat, number, undone, move, choice, by_machine=False))

    def play_machine(self, table: str, seat: int, number: int, move: Any, undone: int | None = None) -> int:
        """Play a computer player's move, as :meth:`play` does. Raises NotYourTurn if the person has come back."""
        return self._count(_Request(table, seat, number, undone, move, "never", by_machine=True))

    def play_ahead(
        self, table: str, seat: int, number: int, move: Any, undone: int, claim: Callable[[TableChange], None]
    ) -> int:
        """Play a move that the person has given ahead, as :meth:`play` does; it cannot be taken back.

        ``claim`` uses the given move up in the same transaction. It raises Conflict if the person has withdrawn it.
        """
        return self._count(_Request(table, seat, number, undone, move, "never", by_machine=False, claim=claim))

    def undo(self, table: str, person: str, number: int, undone: int) -> None:
        """Take back the person's move on the line ``number``, of a table with so many lines ``undone`` before.

        A second call changes nothing. Raises NotNow, NotAllowed.
        """
        with self._transactions.changing(urgent=True) as change:
            undo.undo(change, table, person, number, undone)

    def _count(self, request: _Request) -> int:
        """Play the move and count it; return the number of the last line."""
        counters = self._transactions.counters
        try:
            game, last = self._commit(request)
        except Refusal as refusal:
            for counter in counters:
                counter.refused(refusal, machine=request.by_machine)
            raise
        for counter in counters:
            counter.moved(game, machine=request.by_machine)
        return last

    def _commit(self, request: _Request) -> tuple[str, int]:
        """Play the move in a transaction; return the game's name and the number of the last line."""
        try:
            with self._transactions.changing(urgent=True) as change:
                return _play(change, request)
        except IntegrityError as error:
            # Two lines of one number: another process was faster, where a database allows several writers.
            with self._transactions.reading() as db:
                raise Conflict(table_row(db, request.table).number) from error


def _play(change: TableChange, request: _Request) -> tuple[str, int]:
    """Append the move, and the outcomes that follow it; return the game's name and the number of the last line."""
    row = require_begun(change.hold(request.table))
    if request.number != row.number or request.undone not in (None, row.undone):
        raise Conflict(row.number)
    if request.claim is not None:
        request.claim(change)
    before, state_before = change.cache.read_taken(change.db, row)
    advance = _apply_rules(before, state_before, request, change.now)
    if not request.by_machine:
        new = advance.game_state.tail[-len(advance.lines) :]
        note = undo.undo_column(state_before, new, row, before.sitting(request.seat), request.choice)
        advance = advance.with_undo(note)
    write(change, advance)
    after = advance.snapshot
    if after.seats[request.seat].left != before.seats[request.seat].left:
        clocks.write_reserve(change.db, after.seats[request.seat])
    change.cache_after_commit(after, game_states.with_snapshot(change.db, after.row, advance.game_state))
    return state_before.game.name, after.row.number


def _apply_rules(snapshot: TableSnapshot, game_state: GameState, request: _Request, now: int) -> GameAdvance:
    """Let the rules play the move, and chance after it. Raises IllegalMove, NotYourTurn and others."""
    row, sitting = snapshot.row, snapshot.sitting(request.seat)
    if not request.by_machine and row.proposed is not None:
        row = without_proposal(row)
        snapshot = replace(snapshot, row=row)
    check_turn = check_turn_of_machine if request.by_machine else check_turn_of_person
    check_turn(row, sitting)
    action = _read_move(game_state.game, request.move)
    state = game_state.game.play(game_state.state, action)
    entry = game_state.entry(game_state.tail[-1], state, Step(request.seat, action), now)
    return let_chance_act(snapshot.with_seat(clocks.with_time_spent(row, sitting, now)), game_state, [entry], now)


def _read_move(game: AnyGame, move: Any) -> Any:
    """Return the move as it will be read from the log; Python does not check its types. Raises Malformed."""
    try:
        return msgspec.convert(msgspec.to_builtins(move), game.move)
    except msgspec.ValidationError as error:
        raise Malformed("", "This is not a move: {error}.", error=misfit(error)) from error
    except (TypeError, UnicodeError) as error:  # UnicodeError: lone surrogates
        raise Malformed("", "This is not a move.") from error
