"""The state of a table: a fold of its log. Some are kept in memory, a bounded number, for the sake of speed alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, select

from kontor import records
from kontor.fair import FairDice
from kontor.game import AnyGame, Refusal
from kontor.games import game_named
from kontor.records import Header, Record, Step
from kontor.table.errors import Unreadable
from kontor.table.rows import AnyRow, moment, seat_rows, seed_of
from kontor.table.schema import steps

FIRST: Final = 1
"""The number of the line before all steps: the header."""

_TAIL: Final = 64
"""How many of a table's last states are at hand; those before are folded anew when somebody asks."""

_MOST: Final = 256
"""Of how many tables."""


@dataclass(frozen=True, slots=True)
class Stood:
    """A state, the line that led to it, and when that was written. The first state has no step."""

    number: int
    state: Any
    step: Step | None
    at: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A table's game, and how it stands: ``tail`` are the last states, the present one at its end."""

    game: AnyGame
    seats: int
    dice: FairDice = field(repr=False)
    tail: tuple[Stood, ...] = field(repr=False)

    @property
    def number(self) -> int:
        """Of the last line."""
        return self.tail[-1].number

    @property
    def state(self) -> Any:
        """The present one."""
        return self.tail[-1].state

    def after(self, new: list[Stood]) -> Standing:
        """How it stands with further lines."""
        return Standing(self.game, self.seats, self.dice, (*self.tail, *new)[-_TAIL:])


class States:
    """How the tables stand that were last looked at. What is given is never older than the row it is asked for."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: OrderedDict[str, Standing] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def standing(self, db: Connection, row: AnyRow) -> Standing:
        """How the table of a row stands, which has begun. Raises Unreadable."""
        with self._lock:
            kept = self._kept.get(row.id)
            if kept is not None and kept.number >= row.number:
                self._kept.move_to_end(row.id)
                return kept
        standing = load(db, row)
        self.keep(row.id, standing)
        return standing

    def keep(self, table: str, standing: Standing) -> None:
        """For later; an older standing never takes the place of a newer one. Only what is on the disk is kept."""
        with self._lock:
            kept = self._kept.get(table)
            if kept is None or kept.number < standing.number:
                self._kept[table] = standing
            self._kept.move_to_end(table)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def load(db: Connection, row: AnyRow) -> Standing:
    """The fold of the whole log. Raises Unreadable."""
    record = record_of(db, row)
    game = game_named(row.game)
    tail = tuple(stood(db, row, record))[-_TAIL:]
    return Standing(game, len(record.header.seats), FairDice(seed_of(db, row.id), record.header.salts), tail)


def stood(db: Connection, row: AnyRow, record: Record) -> Iterator[Stood]:
    """All states of a table, from the first. Raises Unreadable."""
    times = db.execute(select(steps.c.at).where(_of(row)).order_by(steps.c.number)).scalars()
    game = game_named(row.game)
    state = game.start(record.header.options)
    yield Stood(FIRST, state, None, row.started)
    for number, (step, at) in enumerate(zip(record.steps, times, strict=True), FIRST + 1):
        try:
            state = game.play(state, step.action)
        except Refusal as refused:
            raise _unreadable(refused) from refused
        yield Stood(number, state, step, at)


def record_of(db: Connection, row: AnyRow) -> Record:
    """The table's record, without an ending. Raises Unreadable."""
    header = header_of(row, seat_rows(db, row.id))
    lines = db.execute(select(steps.c.step).where(_of(row)).order_by(steps.c.number)).scalars()
    text = b"".join([records.encode_line(header), *[line.encode() + b"\n" for line in lines]])
    try:
        return records.decode(text)
    except Refusal as refused:
        raise _unreadable(refused) from refused


def _of(row: AnyRow) -> Any:
    """Of the table, and of the moment: what came after the row is left out."""
    return (steps.c.table_id == row.id) & (steps.c.number <= row.number)


def _unreadable(refused: Refusal) -> Unreadable:
    return Unreadable("", "This table cannot be read: {why}", why=refused.sentence)


def header_of(row: AnyRow, seats: Any) -> Header:
    """The first line of a table's record."""
    return Header(
        record=records.VERSION,
        game=row.game,
        rules=row.rules,
        options=options_of(row),
        seats=tuple(seat.name for seat in seats),
        players=tuple(seat.player or "person" for seat in seats),
        salts=tuple(seat.salt for seat in seats),
        commitment=row.commitment,
        started=moment(row.started),
    )


def options_of(row: AnyRow) -> Any:
    """The options of the game, in its own type."""
    return msgspec.json.decode(row.options, type=game_named(row.game).options)
