"""The state of a table: a fold of its log.

The log is the truth. For the sake of speed alone the last states of some tables are kept in memory (``table_cache``);
and of each table one state is kept in the database, a *snapshot*, so that it is soon opened however long its log is.
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
from kontor.fair import Dice, DuplicateDice, Occasion
from kontor.game import CHANCE, AnyGame, Below, Refusal
from kontor.plugins import game_named
from kontor.records import Header, Record, Step
from kontor.table.errors import Unreadable
from kontor.table.rows import SeatRow, TableRow, datetime_of, seat_rows, seed_of
from kontor.table.schema import snapshots, steps
from kontor.table.values import SHARED_DICE, DiceKind

FIRST: Final = 1
"""The number of the line before all steps: the header."""

TAIL: Final = 64
"""How many of a table's last states are in memory; those before are folded anew when somebody asks."""

STRIDE: Final = 32
"""By how many lines a snapshot is behind the oldest state in memory when that takes its place."""

_PROGRAM: Final = installed_version()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A state, the line that led to it, and when that was written. The first state has no step."""

    number: int
    state: Any
    step: Step | None
    at: int
    occasions: Mapping[Occasion, int] | None = field(default=None, repr=False)
    """How often chance was asked for what until then, where other tables have the same dice: by the series that the
    dice count."""


@dataclass(frozen=True, slots=True)
class GameState:
    """A table's game, and how it stands: ``tail`` are the last states, the present one at its end. ``snapshot`` is
    the number of the line whose state is kept in the database, or 0. ``undone`` moves were taken back before:
    another line may have come to stand under the number of one of them."""

    game: AnyGame
    seats: int
    dice: Dice = field(repr=False)
    tail: tuple[LogEntry, ...] = field(repr=False)
    snapshot: int = 0
    undone: int = 0

    @property
    def number(self) -> int:
        """Of the last line."""
        return self.tail[-1].number

    @property
    def state(self) -> Any:
        """The present state of the game."""
        return self.tail[-1].state

    def source(self, entry: LogEntry) -> Below:
        """From which the outcome is drawn that follows a line, and chance is to act."""
        if isinstance(self.dice, DuplicateDice):
            occasion = self.game.occasion(entry.state)
            return self.dice.below(occasion, (entry.occasions or {}).get(self.dice.series(occasion), 0))
        return self.dice.below(entry.number + 1)

    def entry(self, before: LogEntry, state: Any, step: Step, at: int) -> LogEntry:
        """The next line after one, with the state that it led to."""
        occasions = before.occasions
        if step.seat == CHANCE and isinstance(self.dice, DuplicateDice):
            series = self.dice.series(self.game.occasion(before.state))
            known = occasions or {}
            occasions = {**known, series: known.get(series, 0) + 1}
        return LogEntry(before.number + 1, state, step, at, occasions)

    def after(self, new: Sequence[LogEntry]) -> GameState:
        """How it stands with further lines."""
        return replace(self, tail=(*self.tail, *new)[-TAIL:])

    def at(self, number: int) -> GameState | None:
        """How it stood when a line was the last; None if that is not in memory."""
        if number == self.number:
            return self
        present = number + 1 - self.tail[0].number
        return replace(self, tail=self.tail[:present]) if 0 < present <= len(self.tail) else None

    def at_row(self, row: TableRow) -> GameState | None:
        """How it stood at the moment of a table's row; None if that is not in memory for certain."""
        then = self.at(row.number) if self.undone == row.undone else None
        return then if then is not None and then.tail[-1].at == row.since else None


# ---------------------------------------------------------------------------------------------------- the fold

_LOG: Final = (
    select(steps.c.number, steps.c.seat, steps.c.step, steps.c.at)
    .where(
        steps.c.table_id == bindparam("table"),
        steps.c.number > bindparam("since"),
        steps.c.number <= bindparam("until"),  # what came after the moment is left out
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
    """How a table stands, by its log alone, or from its snapshot on. Raises Unreadable."""
    first = _first(db, row, sitting)
    start = _from_snapshot(db, row, first) or first
    return start.after(tuple(_further(db, row, start)))


def fold(db: Connection, row: TableRow, sitting: Sequence[SeatRow]) -> Iterator[LogEntry]:
    """All states of a table, from the first, by its log alone. Raises Unreadable."""
    first = _first(db, row, sitting)
    return chain(first.tail, _further(db, row, first))


def _first(db: Connection, row: TableRow, sitting: Sequence[SeatRow]) -> GameState:
    """How it stood when the game began."""
    header = header_of(row, sitting)
    try:
        records.decode(records.encode_line(header))
    except Refusal as refused:
        raise _unreadable(refused) from refused
    return beginning(row, header, seed_of(db, row.id))


def beginning(row: TableRow, header: Header, seed: bytes) -> GameState:
    """How a table stands whose log is empty."""
    assert row.started is not None
    game = game_named(row.game)
    first = LogEntry(FIRST, game.start(header.options), None, row.started)
    return GameState(game, len(header.seats), records.dice_of(header, seed), (first,), undone=row.undone)


def _further(db: Connection, row: TableRow, game_state: GameState) -> Iterator[LogEntry]:
    """The states after the present one of an older game state."""
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


def brought_on(db: Connection, row: TableRow, game_state: GameState) -> GameState | None:
    """How a table stands, from an older game state on; None if that does not belong to its log. A database that was
    replaced by an older copy of itself may have lost lines, and others were written in their place; so may those that
    were taken back. Raises Unreadable."""
    if game_state.undone != row.undone:
        return None
    then = game_state.at(min(game_state.number, row.number))
    if then is None or not _is_in_the_log(db, row, then):
        return None
    return then.after(tuple(_further(db, row, then)))


def _is_in_the_log(db: Connection, row: TableRow, game_state: GameState) -> bool:
    """Whether the last line of a game state is what the log says. (A line tells when it was written, to the
    millisecond: two that are alike are the same one.)"""
    last = game_state.tail[-1]
    if last.number == FIRST:
        return last.at == row.started
    line = db.execute(_LINE, {"table": row.id, "number": last.number}).first()
    return line is not None and line.at == last.at


def record_of(db: Connection, row: TableRow) -> Record:
    """The table's record, without an ending. Raises Unreadable."""
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
    """The first line of a table's record."""
    assert row.started is not None
    committed = tuple([seat.salt_commitment for seat in sitting])
    return Header(
        record=_version(row.dice, strict=any(committed)),
        game=row.game,
        rules=row.rules,
        options=options_of(row),
        seats=tuple([seat.name for seat in sitting]),
        players=tuple([seat.player or "person" for seat in sitting]),
        salts=tuple([seat.salt for seat in sitting]),
        commitment=row.commitment,
        salt_commitments=committed if any(committed) else (),
        started=datetime_of(row.started),
    )


def _version(dice: DiceKind, *, strict: bool) -> int:
    """Of the format of a table's record."""
    if dice in ("in step", "stepped"):
        return records.STEPPED_VERSION
    if dice in SHARED_DICE:
        return records.DUPLICATE_VERSION
    return records.STRICT_VERSION if strict else records.VERSION


def options_of(row: TableRow) -> Any:
    """The options of the game, in its own type. Tables with the same ones share them."""
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
    """As the table stands; with a new snapshot, if the last one is far behind. It is of the oldest state in memory:
    so whoever opens the table has as many states in memory as whoever has it open."""
    oldest = game_state.tail[0]
    if oldest.number < game_state.snapshot + STRIDE or isinstance(game_state.dice, DuplicateDice):
        return game_state  # how often chance was asked for what stands in no snapshot
    serialised = game_state.game.serialise(oldest.state)
    kept = {
        "table_id": row.id,
        "number": oldest.number,
        "state": _digest(row, oldest.number, serialised) + serialised,
    }
    db.execute(_NO_SNAPSHOT, {"table": row.id})
    db.execute(_NEW_SNAPSHOT, kept)
    return replace(game_state, snapshot=oldest.number)


def _from_snapshot(db: Connection, row: TableRow, first: GameState) -> GameState | None:
    """How the table stood at its snapshot. One that is damaged, or was made by another program or for other rules, is
    as good as none: the log tells the same."""
    found = db.execute(_SNAPSHOT, {"table": row.id, "until": row.number}).first()
    if found is None or isinstance(first.dice, DuplicateDice):
        return None
    digest, serialised = found.state[:_DIGEST], found.state[_DIGEST:]
    if digest != _digest(row, found.number, serialised):
        return None
    try:
        state = first.game.deserialise(serialised, options_of(row))
    except msgspec.DecodeError:
        return None
    return replace(first, tail=(LogEntry(found.number, state, None, found.at),), snapshot=found.number)


def _digest(row: TableRow, number: int, serialised: bytes) -> bytes:
    """By which a snapshot is known as one of this program, these rules, this table and this line."""
    head = f"{_PROGRAM} {row.game} {row.rules} {row.id} {number}\n".encode()
    return blake2b(head + serialised, digest_size=_DIGEST).digest()
