"""Playing: a move and the outcomes that follow it are appended to the log, in one transaction."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, delete, insert, update

from kontor.decoding import misfit
from kontor.endings import EarlyEnd
from kontor.errors import Conflict, Malformed, NotAllowed, NotNow, NotYourTurn, StoodIn
from kontor.fair import FairDice
from kontor.game import CHANCE, OVER, AnyGame, Below, shuffled
from kontor.plugins import game_named
from kontor.records import Record, Step, encode_line, ended, ended_early
from kontor.storage.schema import seats, steps, tables
from kontor.tables import clocks, enqueuing, game_states, undo
from kontor.tables.changes import TableChange
from kontor.tables.game_states import FIRST, GameState, LogEntry
from kontor.tables.rows import SeatRow, TableRow, is_machine, seat_rows, seed_of, table_row
from kontor.tables.table_snapshots import TableSnapshot
from kontor.tables.table_views import TableView
from kontor.tables.values import SEALED_DICE, SHARED_DICE, FairDiceInfo, SeatView, UndoChoice
from kontor.tables.visits import are_alone

_MACHINE: Final = b"kontor-machine-1"
_JUDGE: Final = b"kontor-judge-1"
"""Prefixes that separate the random numbers of computer players and the judge from the dice of the same seed.

The dice use messages that begin differently.
"""

_IMAGINED: Final = 8
"""Number of imagined states by which it is decided what everybody can see."""


# ------------------------------------------------------------------------------------------------------- beginning


def begin(change: TableChange, table: str) -> None:
    """Begin the game, as all seats are taken, and play it up to the first move of a seat."""
    db = change.db
    row = table_row(db, table)
    if row.seating == "random":
        _draw_seats(db, row)
    game = game_named(row.game)
    sitting = seat_rows(db, table)
    started = {"status": "playing", "started": change.now, "number": FIRST, "rules": game.version}
    started["visited"] = change.now if are_alone(sitting) else None
    db.execute(update(tables).where(tables.c.id == table).values(**started))
    row = table_row(db, table)
    game_state = game_states.beginning(row, game_states.header_of(row, sitting), seed_of(db, table))
    change.say(table, "started", None, "")
    snapshot = TableSnapshot(row, sitting, None, ())
    _write(change, _after_chance(snapshot, game_state, [], change.now))


def _draw_seats(db: Connection, row: TableRow) -> None:
    """Draw the order of seats from the random stream of line 1.

    That line is the header: it holds the seats, and no outcome. So people who know the seed afterwards can draw them
    again, from the salts in the order of the places.
    """
    sitting = [asdict(seat) for seat in seat_rows(db, row.id)]
    below = FairDice(seed_of(db, row.id), tuple(seat["salt"] for seat in sitting)).below(FIRST)
    drawn = shuffled(sitting, below)
    db.execute(delete(seats).where(seats.c.table_id == row.id))
    db.execute(insert(seats), [{**values, "seat": seat} for seat, values in enumerate(drawn)])


# --------------------------------------------------------------------------------------------------------- playing


@dataclass(frozen=True, slots=True)
class _Played:
    """The result of a move and the outcomes that follow it."""

    snapshot: TableSnapshot
    game_state: GameState
    lines: Sequence[Mapping[str, Any]] = field(repr=False)
    """New rows of ``steps``."""

    def with_undo(self, last: str | None) -> _Played:
        """Return the same with the row's note of the move that can be taken back."""
        snapshot = replace(self.snapshot, row=replace(self.snapshot.row, undo=last))
        return _Played(snapshot, self.game_state, self.lines)


SeenLines = tuple[int, int | None]
"""The number of the last line that the mover has seen, and how many moves had been taken back then, if known."""


def play(
    change: TableChange,
    table: str,
    seat: int,
    seen_lines: SeenLines,
    move: Any,
    choice: UndoChoice = "usual",
    *,
    machine: bool = False,
) -> int:
    """Append the seat's move, and the outcomes that follow it; return the number of the last line then.

    Raises Conflict if the last line now is not that of ``seen_lines``, IllegalMove if a rule refuses the move.
    """
    row = _require_begun(change.hold(table))
    snapshot, game_state = change.cache.read_taken(change.db, row)
    played = _apply_move(snapshot, game_state, seat, seen_lines, move, change.now, machine=machine)
    if not machine:
        new = played.game_state.tail[-len(played.lines) :]
        played = played.with_undo(undo.undo_column(game_state, new, row, snapshot.sitting(seat), choice))
    _write(change, played)
    if played.snapshot.seats[seat].left != snapshot.seats[seat].left:
        clocks.write_reserve(change.db, played.snapshot.seats[seat])
    change.cache_after_commit(
        played.snapshot, game_states.with_snapshot(change.db, played.snapshot.row, played.game_state)
    )
    return played.snapshot.row.number


def _apply_move(
    snapshot: TableSnapshot,
    game_state: GameState,
    seat: int,
    seen_lines: SeenLines,
    move: Any,
    now: int,
    *,
    machine: bool,
) -> _Played:
    """Apply the move; return the new snapshot, game state and log rows."""
    row = snapshot.row
    number, undone = seen_lines
    if number != row.number or undone not in (None, row.undone):
        raise Conflict(row.number)
    sitting = snapshot.sitting(seat)
    _check_turn(row, sitting, machine)
    action = _read_move(game_state.game, move)
    state = game_state.game.play(game_state.state, action)
    snapshot = snapshot.with_seat(clocks.with_time_spent(row, sitting, now))
    entry = game_state.entry(game_state.tail[-1], state, Step(seat, action), now)
    return _after_chance(snapshot, game_state, [entry], now)


def _require_begun(row: TableRow) -> TableRow:
    if row.status == "waiting":
        raise NotNow("", "The game has not begun yet.")
    return row


def _check_turn(row: TableRow, sitting: SeatRow, machine: bool) -> None:
    if row.status == "over":
        raise NotNow("", "The game is over.")
    if sitting.player and not machine:
        raise NotAllowed("", "This seat is played by a computer player.")
    if sitting.seat != row.mover:
        raise NotYourTurn("", "It is not your turn.")
    if sitting.resigned and not machine:
        raise NotAllowed("", "You have resigned: a computer player plays on for you.")
    if sitting.stood_in and not machine:
        raise StoodIn("", "A computer player is standing in for you. Come back first.")
    if machine and not is_machine(sitting):
        raise _came_back()


def _came_back() -> NotYourTurn:
    return NotYourTurn("", "This seat is played by a person.")


def _read_move(game: AnyGame, move: Any) -> Any:
    """Return the move as it will be read from the log; Python does not check its types. Raises Malformed."""
    try:
        return msgspec.convert(msgspec.to_builtins(move), game.move)
    except msgspec.ValidationError as error:
        raise Malformed("", "This is not a move: {error}.", error=misfit(error)) from error
    except (TypeError, UnicodeError) as error:  # UnicodeError: lone surrogates
        raise Malformed("", "This is not a move.") from error


def waits_for_others(snapshot: TableSnapshot, game_state: GameState) -> bool:
    """Return True if chance is to act, once the tables with the same dice have come as far (``stepping``)."""
    return snapshot.row.status == "playing" and game_state.state.mover == CHANCE


def draw(change: TableChange, table: str, number: int) -> None:
    """Let chance act once at a table that waits for others after the line ``number``, if it still does."""
    row = change.hold(table)
    if row.status != "playing" or row.number != number:
        return
    snapshot, game_state = change.cache.read_taken(change.db, row)
    if waits_for_others(snapshot, game_state):
        outcome = _outcome(game_state, game_state.tail[-1], change.now)
        played = _after_chance(snapshot, game_state, [outcome], change.now)
        _write(change, played)
        change.cache_after_commit(played.snapshot, played.game_state)


def _outcome(game_state: GameState, last: LogEntry, now: int) -> LogEntry:
    """Return the line of what chance does after a line."""
    game = game_state.game
    outcome = game.chance(last.state).draw(game_state.source(last))
    return game_state.entry(last, game.play(last.state, outcome), Step(CHANCE, outcome), now)


def _after_chance(snapshot: TableSnapshot, game_state: GameState, new: list[LogEntry], now: int) -> _Played:
    """Let chance act after new lines, until a seat is to move or the game is over.

    At tables in step, chance is drawn separately, so that the log alone tells that a table waits.
    """
    game = game_state.game
    last = new[-1] if new else game_state.tail[-1]
    while last.state.mover == CHANCE and snapshot.row.dice != "in step":
        last = _outcome(game_state, last, now)
        new.append(last)
    state = last.state
    row = replace(snapshot.row, number=last.number, mover=None, machine=False, since=now, deadline=None, undo=None)
    if state.mover == OVER:
        row = replace(row, status="over", ended=now, result=msgspec.json.encode(game.result(state)).decode())
    elif state.mover != CHANCE:
        mover = snapshot.seats[state.mover]
        row = replace(row, mover=state.mover, machine=is_machine(mover), deadline=clocks.deadline(row, mover, now))
    lines = [_step_row(row.id, line) for line in new]
    return _Played(replace(snapshot, row=row), game_state.after(new), lines)


_APPEND: Final = insert(steps)


def _write(change: TableChange, played: _Played) -> None:
    """Write the result to a table that was taken, and enqueue the notifications."""
    change.write_row(played.snapshot.row)
    if played.lines:
        change.db.execute(_APPEND, played.lines)
    enqueuing.note_move(change, played.snapshot.row, played.snapshot.seats, played.lines)


def _step_row(table: str, line: LogEntry) -> dict[str, Any]:
    assert line.step
    text = encode_line(line.step).decode().rstrip("\n")
    return {"table_id": table, "number": line.number, "seat": line.step.seat, "step": text, "at": line.at}


# --------------------------------------------------------------------------------------------------------- looking


def think(now: TableView, seat: int) -> tuple[SeatView, bytes]:
    """Return what a computer player gets: its seat's view, and its random seed, always the same for the same line.

    At tables that share their dice the seed depends on the table, so that none tells what another's computer player
    chooses.
    """
    if not is_machine(now.snapshot.sitting(seat)):
        raise _came_back()
    seat_view = now.look(seat)
    row = now.snapshot.row
    prefix = _MACHINE + row.id.encode() if row.dice in SHARED_DICE else _MACHINE
    return seat_view, luck_of(now.log.game_state.dice.seed, seat_view.number + 1, prefix)


def is_plainly_forced(now: TableView) -> bool:
    """Return True if everybody can see that the seat to move has only one move."""
    game_state = now.log.game_state
    return one_move_to_see(game_state.game, game_state.state, Random(game_state.number).randrange)


def one_move_to_see(game: AnyGame, state: Any, below: Below) -> bool:
    """Return True if there is only one move in all states that a spectator may imagine.

    If there is only one move because of a hand, as when all its cards are alike, others must not learn that.
    """
    view = game.view(state, None)
    return all(len(game.moves(game.imagine(view, below))) == 1 for _ in range(_IMAGINED))


def practise(now: TableView, seat: int) -> tuple[SeatView, bytes, str]:
    """Return what the judge gets when a person asks for a hint, and the name of the game.

    Raises NotAllowed, NotYourTurn, NotNow, StoodIn.
    """
    row = _require_begun(now.snapshot.row)
    check_practice(row)
    _check_turn(row, now.snapshot.sitting(seat), machine=False)
    seat_view = now.look(seat)
    return seat_view, luck_of(now.log.game_state.dice.seed, seat_view.number + 1, _JUDGE), row.game


def check_practice(row: TableRow) -> None:
    """Raise NotAllowed at a table without hints."""
    if not row.hints:
        raise NotAllowed("", "There are no hints at this table.")


def luck_of(seed: bytes, line: int, prefix: bytes = _MACHINE) -> bytes:
    """Return the seed of a computer player's random numbers, for the move on a line: 32 bytes.

    Nothing about the dice can be learned from it.
    """
    return hmac.digest(seed, prefix + line.to_bytes(8, "big"), "sha256")


# ------------------------------------------------------------------------------------------------------- afterwards


def record(db: Connection, table: str) -> Record:
    """Return the record of the whole game, with its seed. Raises NotNow unless all games with its dice are over."""
    row = _require_begun(table_row(db, table))
    if row.status != "over":
        raise NotNow("", "The game is not over: its record would reveal what is hidden.")
    if row.dice in SEALED_DICE:
        raise NotNow("", "Other tables have the same dice, and not all of them are over.")
    played, seed = game_states.record_of(db, row), seed_of(db, table)
    if row.early is not None:
        return ended_early(played, seed, msgspec.json.decode(row.early, type=EarlyEnd))
    game_state = game_states.load(db, row, seat_rows(db, table))
    result = game_state.game.result(game_state.state)
    assert result
    return ended(played, seed, result)


def fair(db: Connection, table: str) -> FairDiceInfo:
    """Return what may be told of the dice by now."""
    row = table_row(db, table)
    sitting = seat_rows(db, table)
    return FairDiceInfo(
        row.dice,
        row.commitment,
        tuple(seat.salt for seat in sitting),
        tuple(seat.salt_commitment for seat in sitting),
        None if row.status == "waiting" else tuple(seat.place for seat in sitting),
        seed_of(db, table).hex() if row.status == "over" and row.dice not in SEALED_DICE else None,
    )
