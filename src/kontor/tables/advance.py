"""Games that go on by themselves: their beginning, and chance until a seat is to move or the game is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, delete, insert, update

from kontor.fair import FairDice
from kontor.game import CHANCE, OVER, shuffled
from kontor.plugins import game_named
from kontor.records import Step, encode_line
from kontor.storage.schema import seats, steps, tables
from kontor.tables import archiving, clocks, enqueuing, game_states
from kontor.tables.dice_streams import NO_STREAMS, Streams, decode_streams, encode_streams
from kontor.tables.game_states import FIRST, GameState, LogEntry
from kontor.tables.given_ahead import drop_given
from kontor.tables.holiday_clocks import note_holidays
from kontor.tables.rows import TableRow, is_machine, seat_rows, seed_of, table_row
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.transactions import TableChange
from kontor.tables.visits import are_alone


@dataclass(frozen=True, slots=True)
class GameAdvance:
    """A game after new lines of its log, before they are written."""

    snapshot: TableSnapshot
    game_state: GameState
    lines: Sequence[Mapping[str, Any]] = field(repr=False)
    """New rows of ``steps``."""

    def with_undo(self, undo: str | None) -> GameAdvance:
        """Return the same with the row's note of the move that can be taken back."""
        snapshot = replace(self.snapshot, row=replace(self.snapshot.row, undo=undo))
        return GameAdvance(snapshot, self.game_state, self.lines)


def begin(change: TableChange, table: str) -> None:
    """Begin the game, as all seats are taken, and play it up to the first move of a seat."""
    db = change.db
    row = table_row(db, table)
    if row.seating == "random":
        _draw_seats(db, row)
    game = game_named(row.game)
    note_holidays(db, row, change.now)
    sitting = seat_rows(db, table)
    started = {"status": "playing", "started": change.now, "number": FIRST, "rules": game.version}
    started["visited"] = change.now if are_alone(sitting) else None
    db.execute(update(tables).where(tables.c.id == table).values(**started))
    row = table_row(db, table)
    game_state = game_states.beginning(row, game_states.header_of(row, sitting), seed_of(db, table))
    change.say(table, "started", None, "")
    snapshot = TableSnapshot(row, sitting, None, ())
    write(change, let_chance_act(snapshot, game_state, [], change.now))


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
        outcome = _outcome(game_state, game_state.tail[-1], NO_STREAMS, change.now)
        advance = let_chance_act(snapshot, game_state, [outcome], change.now)
        write(change, advance)
        change.cache_after_commit(advance.snapshot, advance.game_state)


def _outcome(game_state: GameState, last: LogEntry, streams: Streams, now: int) -> LogEntry:
    """Return the line of what chance does after a line."""
    game, line = game_state.game, last.number + 1
    stream = line if streams is NO_STREAMS else streams.next_stream(line, game.occasion(last.state))
    outcome = game.chance(last.state).draw(game_state.source(last, stream))
    return game_state.entry(last, game.play(last.state, outcome), Step(CHANCE, outcome), now)


def let_chance_act(snapshot: TableSnapshot, game_state: GameState, new: list[LogEntry], now: int) -> GameAdvance:
    """Let chance act after new lines, until a seat is to move or the game is over.

    At tables in step, chance is drawn separately, so that the log alone tells that a table waits.
    """
    game = game_state.game
    last = new[-1] if new else game_state.tail[-1]
    streams = decode_streams(snapshot.row.streams)
    while last.state.mover == CHANCE and snapshot.row.dice != "in step":
        before, last = last, _outcome(game_state, last, streams, now)
        if streams is not NO_STREAMS:
            streams = streams.after_outcome(last.number, game.occasion(before.state))
        new.append(last)
    state = last.state
    row = replace(snapshot.row, number=last.number, mover=None, machine=False, since=now, deadline=None, undo=None)
    if streams is not NO_STREAMS:
        row = replace(row, streams=encode_streams(streams))
    if not row.paused or state.mover == OVER:
        row = replace(row, stopped=None, resumes=None, paused=False)
    if state.mover == OVER:
        row = replace(row, status="over", ended=now, result=msgspec.json.encode(game.result(state)).decode())
    elif state.mover != CHANCE:
        mover = snapshot.seats[state.mover]
        row = clocks.with_clock(replace(row, mover=state.mover, machine=is_machine(mover)), mover, now, now)
    lines = [_step_row(row.id, line) for line in new]
    return GameAdvance(replace(snapshot, row=row), game_state.after(new), lines)


_APPEND: Final = insert(steps)


def write(change: TableChange, advance: GameAdvance) -> None:
    """Write new lines to a table that was taken, and enqueue the notifications."""
    change.write_row(advance.snapshot.row)
    if advance.lines:
        change.db.execute(_APPEND, advance.lines)
    if advance.snapshot.row.status == "over":
        archiving.archive_table(change, advance.snapshot.row.id)
        drop_given(change.db, advance.snapshot.row.id)
    enqueuing.note_move(change, advance.snapshot.row, advance.snapshot.seats, advance.lines)


def _step_row(table: str, line: LogEntry) -> dict[str, Any]:
    assert line.step
    text = encode_line(line.step).decode().rstrip("\n")
    return {"table_id": table, "number": line.number, "seat": line.step.seat, "step": text, "at": line.at}
