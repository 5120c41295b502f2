"""The state of a table's game: a fold of its log.

The log is the truth. Only for speed, the last states of some tables are cached in memory (``cache``). And of
each table the database stores one state, a *snapshot*, so that a table with a long log can be loaded quickly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select

from kontor import records
from kontor.distribution import installed_version
from kontor.errors import Unreadable
from kontor.fair import Dice, DuplicateDice, Occasion
from kontor.game import CHANCE, AnyGame, Below, Refusal
from kontor.plugins import game_named
from kontor.records import Header, Record, Step
from kontor.storage.schema import snapshots, steps
from kontor.storage.stored_times import datetime_of
from kontor.tables.dice_streams import other_streams
from kontor.tables.rows import SeatRow, TableRow, seat_rows, seed_of
from kontor.tables.values import SHARED_DICE, DiceKind

FIRST: Final = 1
"""The number of the line before all steps: the header."""

TAIL: Final = 64
"""Number of a table's last states in memory; older ones are folded again when needed."""

STRIDE: Final = 32
"""Lines between the snapshot and the oldest state in memory after which that becomes the snapshot."""

_PROGRAM: Final = installed_version()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A state, the line that led to it, and its time of writing. The first state has no step."""

    number: int
    state: Any
    step: Step | None
    at: int
    occasions: Mapping[Occasion, int] | None = field(default=None, repr=False)
    """At tables that share dice, how often chance was asked so far, by the series that the dice count."""


@dataclass(frozen=True, slots=True)
class GameState:
    """A table's game and its last states.

    ``tail`` are the last states, the present one at its end. ``snapshot`` is the number of the line whose state the
    database stores, or 0. ``undone`` is how many lines were taken back before. After that another line may stand
    under the number of one of them.
    """

    game: AnyGame
    seats: int
    dice: Dice = field(repr=False)
    tail: tuple[LogEntry, ...] = field(repr=False)
    snapshot: int = 0
    undone: int = 0

    @property
    def number(self) -> int:
        """Return the number of the last line."""
        return self.tail[-1].number

    @property
    def state(self) -> Any:
        """Return the present state of the game."""
        return self.tail[-1].state

    def source(self, entry: LogEntry, stream: int) -> Below:
        """Return the random source for the outcome that follows a line, where chance is to act.

        ``stream`` is the number of the stream that it comes from, unless the dice are shared.
        """
        if isinstance(self.dice, DuplicateDice):
            occasion = self.game.occasion(entry.state)
            return self.dice.below(occasion, (entry.occasions or {}).get(self.dice.series(occasion), 0))
        return self.dice.stream(stream)

    def entry(self, before: LogEntry, state: Any, step: Step, at: int) -> LogEntry:
        """Return the next line after ``before``, with the state that it led to."""
        occasions = before.occasions
        if step.seat == CHANCE and isinstance(self.dice, DuplicateDice):
            series = self.dice.series(self.game.occasion(before.state))
            counts = occasions or {}
            occasions = {**counts, series: counts.get(series, 0) + 1}
        return LogEntry(before.number + 1, state, step, at, occasions)

    def after(self, new: Sequence[LogEntry]) -> GameState:
        """Return the game state with further lines."""
        return replace(self, tail=(*self.tail, *new)[-TAIL:])

    def at(self, number: int) -> GameState | None:
        """Return the game state when the line ``number`` was the last; None if it is not in memory."""
        if number == self.number:
            return self
        present = number + 1 - self.tail[0].number
        return replace(self, tail=self.tail[:present]) if 0 < present <= len(self.tail) else None

    def at_row(self, row: TableRow) -> GameState | None:
        """Return the game state at the moment of a table's row; None if it is not in memory for certain."""
        past = self.at(row.number) if self.undone == row.undone else None
        return past if past is not None and past.tail[-1].at == row.since else None


# ---------------------------------------------------------------------------------------------------- the fold

_LOG: Final = (
    select(steps.c.number, steps.c.seat, steps.c.step, steps.c.at)
    .where(
        steps.c.table_id == bindparam("table"),
        steps.c.number > bindparam("since"),
        steps.c.number <= bindparam("until"),  # leave out lines after the row's moment
    )
    .order_by(steps.c.number)
)
_LINES: Final = (
    select(steps.c.step)
    .where(steps.c.table_id == bindparam("table"), steps.c.number <= bindparam("until"))
    .order_by(steps.c.number)
)


_LINE: Final = select(steps.c.step, steps.c.at).where(
    steps.c.table_id == bindparam("table"), steps.c.number == bindparam("number")
)


def load(db: Connection, row: TableRow, sitting: Sequence[SeatRow]) -> GameState:
    """Return the game state of a table, from its log and its snapshot if there is one. Raises Unreadable."""
    first = _first_game_state(db, row, sitting)
    start = _from_snapshot(db, row, first) or first
    return start.after(tuple(_further_entries(db, row, start)))


def fold(db: Connection, row: TableRow, sitting: Sequence[SeatRow]) -> Iterator[LogEntry]:
    """Return all states of a table, from the first, by its log alone. Raises Unreadable."""
    first = _first_game_state(db, row, sitting)
    return chain(first.tail, _further_entries(db, row, first))


def _first_game_state(db: Connection, row: TableRow, sitting: Sequence[SeatRow]) -> GameState:
    """Return the game state at the beginning of the game."""
    header = header_of(row, sitting)
    try:
        records.decode(records.encode_line(header))
    except Refusal as refused:
        raise _unreadable(refused) from refused
    return beginning(row, header, seed_of(db, row.id))


def beginning(row: TableRow, header: Header, seed: bytes) -> GameState:
    """Return the game state of a table whose log is empty."""
    assert row.started is not None
    game = game_named(row.game)
    first = LogEntry(FIRST, game.start(header.options), None, row.started)
    return GameState(game, len(header.seats), records.dice_of(header, seed), (first,), undone=row.undone)


def _further_entries(db: Connection, row: TableRow, game_state: GameState) -> Iterator[LogEntry]:
    """Yield the states after the last one of an older game state."""
    game, entry = game_state.game, game_state.tail[-1]
    log = db.execute(_LOG, {"table": row.id, "since": game_state.number, "until": row.number}).all()
    for number, seat, line, at in log:
        try:
            step = records.step_of(game, number, seat, line)
            state = game.play(entry.state, step.action)
        except Refusal as refused:
            raise _unreadable(refused) from refused
        entry = game_state.entry(entry, state, step, at)
        yield entry


def bring_up_to_date(db: Connection, row: TableRow, game_state: GameState) -> GameState | None:
    """Return a table's game state, brought on from an older one; None if that does not belong to its log.

    A database that was replaced by an older copy of itself may have lost lines, and other lines may have been written
    in their place. The same holds for lines that were taken back. Raises Unreadable.
    """
    if game_state.undone != row.undone:
        return None
    base = game_state.at(min(game_state.number, row.number))
    if base is None or not _is_in_the_log(db, row, base):
        return None
    return base.after(tuple(_further_entries(db, row, base)))


def _is_in_the_log(db: Connection, row: TableRow, game_state: GameState) -> bool:
    """Return True if the last line of a game state is in the log.

    A line has its time of writing, in milliseconds: two with the same time are the same line.
    """
    last = game_state.tail[-1]
    if last.number == FIRST:
        return last.at == row.started
    line = db.execute(_LINE, {"table": row.id, "number": last.number}).first()
    return line is not None and line.at == last.at


def record_of(db: Connection, row: TableRow) -> Record:
    """Return the table's record, without an ending. Raises Unreadable."""
    header = header_of(row, seat_rows(db, row.id))
    lines = db.scalars(_LINES, {"table": row.id, "until": row.number})
    text = b"".join([records.encode_line(header), *[line.encode() + b"\n" for line in lines]])
    try:
        return records.decode(text)
    except Refusal as refused:
        raise _unreadable(refused) from refused


def _unreadable(refused: Refusal) -> Unreadable:
    return Unreadable("", "This table cannot be read: {why}", why=refused.sentence)


def header_of(row: TableRow, sitting: Sequence[SeatRow]) -> Header:
    """Return the header of a table's record."""
    assert row.started is not None
    committed = tuple([seat.salt_commitment for seat in sitting])
    streams = other_streams(row.streams)
    return Header(
        record=_record_version(row.dice, strict=any(committed), taken_back=bool(streams)),
        game=row.game,
        rules=row.rules,
        options=options_of(row),
        seats=tuple([seat.name for seat in sitting]),
        players=tuple([seat.player or "person" for seat in sitting]),
        salts=tuple([seat.salt for seat in sitting]),
        commitment=row.commitment,
        salt_commitments=committed if any(committed) else (),
        started=datetime_of(row.started),
        streams=streams,
        undone=row.undone if streams else 0,
    )


def _record_version(dice: DiceKind, *, strict: bool, taken_back: bool) -> int:
    """Return the version of the format of a table's record."""
    if dice in ("in step", "stepped"):
        return records.STEPPED_VERSION
    if dice in SHARED_DICE:
        return records.DUPLICATE_VERSION
    if taken_back:
        return records.TAKEN_BACK_VERSION
    return records.STRICT_VERSION if strict else records.VERSION


def options_of(row: TableRow) -> Any:
    """Return the options of the game, in its own type; equal options are one cached object."""
    return _options(row.game, row.options)


@lru_cache(maxsize=256)
def _options(game: str, options: str) -> Any:
    return msgspec.json.decode(options, type=game_named(game).options)


# --------------------------------------------------------------------------------------------------- snapshots

_SNAPSHOT: Final = select(snapshots.c.number, snapshots.c.state, steps.c.at).where(
    snapshots.c.table_id == bindparam("table"),
    snapshots.c.number <= bindparam("until"),
    steps.c.table_id == snapshots.c.table_id,
    steps.c.number == snapshots.c.number,
)
_NO_SNAPSHOT: Final = delete(snapshots).where(snapshots.c.table_id == bindparam("table"))
_NEW_SNAPSHOT: Final = insert(snapshots)
_DIGEST: Final = 16


def with_snapshot(db: Connection, row: TableRow, game_state: GameState) -> GameState:
    """Return the game state; with a new snapshot, if the last one is far behind.

    The snapshot is the oldest state in memory. So a process that loads the table has as many states in memory as one
    that had it open.
    """
    oldest = game_state.tail[0]
    if oldest.number < game_state.snapshot + STRIDE or isinstance(game_state.dice, DuplicateDice):
        return game_state  # a snapshot does not contain how often chance was asked
    serialised = game_state.game.serialise(oldest.state)
    new_row = {
        "table_id": row.id,
        "number": oldest.number,
        "state": _digest(row, oldest.number, serialised) + serialised,
    }
    db.execute(_NO_SNAPSHOT, {"table": row.id})
    db.execute(_NEW_SNAPSHOT, new_row)
    return replace(game_state, snapshot=oldest.number)


def _from_snapshot(db: Connection, row: TableRow, first: GameState) -> GameState | None:
    """Return the game state at the table's snapshot, or None.

    A snapshot that is damaged, or of another program or other rules, counts as none: the log leads to the same state.
    """
    stored = db.execute(_SNAPSHOT, {"table": row.id, "until": row.number}).first()
    if stored is None or isinstance(first.dice, DuplicateDice):
        return None
    digest, serialised = stored.state[:_DIGEST], stored.state[_DIGEST:]
    if digest != _digest(row, stored.number, serialised):
        return None
    try:
        state = first.game.deserialise(serialised, options_of(row))
    except msgspec.DecodeError:
        return None
    return replace(first, tail=(LogEntry(stored.number, state, None, stored.at),), snapshot=stored.number)


def _digest(row: TableRow, number: int, serialised: bytes) -> bytes:
    """Return the digest that identifies a snapshot as one of this program, these rules, this table and this line."""
    head = f"{_PROGRAM} {row.game} {row.rules} {row.id} {number}\n".encode()
    return blake2b(head + serialised, digest_size=_DIGEST).digest()
