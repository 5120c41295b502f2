"""A table at one moment: all that a page shows of it agrees, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any

from sqlalchemy import Connection

from kontor.once import once
from kontor.table import faces, listing
from kontor.table.errors import NotAllowed, NotNow
from kontor.table.faces import Face
from kontor.table.rows import moment, no_seat
from kontor.table.states import FIRST, Standing, States, Stood, fold
from kontor.table.values import Look, Said, TableInfo, Told

Reading = Callable[[], AbstractContextManager[Connection]]


class Lines:
    """The log of a table at one moment, and how it stood after each line: for the house alone. Usually it is in
    memory; what is not is read when it is asked for, and is the same later: a log only grows."""

    def __init__(self, face: Face, states: States, reading: Reading) -> None:
        self._face = face
        self._states = states
        self.reading = reading
        self._told: dict[int | None, tuple[Told, ...]] = {}
        self._seen: dict[tuple[int, int | None], Any] = {}

    @once
    def standing(self) -> Standing:
        """How the game stands. Raises NotNow, Unreadable."""
        row = self._face.row
        if row.status == "waiting":
            raise NotNow("", "The game has not begun yet.")
        at_hand = self._states.at_hand(row)
        if at_hand is not None:
            return at_hand
        with self.reading() as db:
            return self._states.standing(db, row, self._face.seats)

    @once
    def whole(self) -> tuple[Stood, ...]:
        """All lines, with the states they led to."""
        with self.reading() as db:
            return tuple(fold(db, self._face.row, self._face.seats))

    def told(self, seat: int | None) -> tuple[Told, ...]:
        """All lines as a seat may know them."""
        if seat not in self._told:
            at_hand = self.standing.tail[0].number == FIRST
            self._told[seat] = self.told_of(self.standing.tail if at_hand else self.whole, seat)
        return self._told[seat]

    def told_of(self, lines: Sequence[Stood], seat: int | None) -> tuple[Told, ...]:
        """All but the first of some lines, each with what the seat saw before and after."""
        told = []
        for before, after in pairwise(lines):
            assert after.step
            event = self.standing.game.event(before.state, after.step.action, after.state, seat)
            told.append(Told(after.number, moment(after.at), event, self.seen(before, seat), self.seen(after, seat)))
        return tuple(told)

    def seen(self, line: Stood, seat: int | None) -> Any:
        """What a seat saw after a line."""
        key = line.number, seat
        view = self._seen.get(key)
        if view is None:
            view = self._seen[key] = self.standing.game.view(line.state, seat)
        return view


class Moment:
    """What can be asked about a table as it was then, for one person or for nobody in particular."""

    def __init__(self, face: Face, person: str | None, now: int, log: Lines) -> None:
        """Use ``House.moment``. ``now`` is in milliseconds; ``face`` and ``log`` are for the house alone."""
        self.face = face
        self.person = person
        self._now = now
        self.log = log

    def seen_by(self, person: str | None) -> Moment:
        """The same moment, for somebody else. What was found out for one need not be for the other."""
        return Moment(self.face, person, self._now, self.log)

    @once
    def info(self) -> TableInfo:
        """The table from outside."""
        return listing.info(self.face, self.person, self._now)

    @property
    def left(self) -> float | None:
        """How many seconds whoever is to move has left, none or fewer if they are late; None without a clock."""
        deadline = self.face.row.deadline
        return None if deadline is None else (deadline - self._now) / 1000

    def said(self, since: int = 0, limit: int = 200) -> tuple[Said, ...]:
        """The last rows of the table's talk, after the one with the number ``since``; at most 500."""
        told = faces.said_at_hand(self.face, since, limit)
        if told is not None:
            return told
        with self.log.reading() as db:
            last = self.face.talk[-1].number
            return tuple([row for row in faces.said(db, self.face.row.id, since, limit) if row.number <= last])

    def look(self, seat: int | None) -> Look:
        """What a seat sees and may do; None is a spectator. Raises NotNow before the start, NotAllowed, NoSeat,
        Unreadable."""
        self._check_eye(seat)
        standing = self.log.standing
        state = standing.state
        acts = seat is not None and seat == state.mover and self.face.row.status == "playing"
        moves: Sequence[Any] = standing.game.moves(state) if acts else ()
        return Look(standing.number, self.log.seen(standing.tail[-1], seat), moves)

    def events(self, seat: int | None, since: int = 0, until: int | None = None) -> tuple[Told, ...]:
        """The lines after ``since``, up to and with ``until``, as a seat may know them. Raises what ``look`` does."""
        self._check_eye(seat)
        standing = self.log.standing
        since = max(since, FIRST)
        until = standing.number if until is None else min(until, standing.number)
        if since >= until:
            return ()
        if since == FIRST and until == standing.number:
            return self.log.told(seat)
        lines = standing.tail if standing.tail[0].number <= since else self.log.whole
        first = lines[0].number
        return self.log.told_of(lines[since - first : until + 1 - first], seat)

    def _check_eye(self, seat: int | None) -> None:
        if self.face.row.status == "waiting":
            raise NotNow("", "The game has not begun yet.")
        if seat is None:
            if not self.face.row.watch:
                raise NotAllowed("", "Only those who sit at this table can see the game.")
        elif not 0 <= seat < len(self.face.seats):
            raise no_seat()
