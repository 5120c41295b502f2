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


class Moment:
    """What can be asked about a table as it was then, for one person or for nobody in particular. Usually everything
    is in memory; what is not is read when it is asked for, and is the same later: a log only grows."""

    def __init__(self, face: Face, person: str | None, now: int, states: States, reading: Reading) -> None:
        """Use ``House.moment``. ``now`` is in milliseconds; ``face`` is for the house alone."""
        self.face = face
        self._person = person
        self._now = now
        self._states = states
        self._reading = reading

    def seen_by(self, person: str | None) -> Moment:
        """The same moment, for somebody else."""
        return Moment(self.face, person, self._now, self._states, self._reading)

    @once
    def info(self) -> TableInfo:
        """The table from outside."""
        return listing.info(self.face, self._person, self._now)

    def said(self, since: int = 0, limit: int = 200) -> tuple[Said, ...]:
        """The last rows of the table's talk, after the one with the number ``since``; at most 500."""
        told = faces.said_at_hand(self.face, since, limit)
        if told is not None:
            return told
        with self._reading() as db:
            last = self.face.talk[-1].number
            return tuple([row for row in faces.said(db, self.face.row.id, since, limit) if row.number <= last])

    def look(self, seat: int | None) -> Look:
        """What a seat sees and may do; None is a spectator. Raises NotNow before the start, NotAllowed, NoSeat,
        Unreadable."""
        self._check_eye(seat)
        game, state = self.standing.game, self.standing.state
        moves: Sequence[Any] = game.moves(state) if seat is not None and seat == state.mover else ()
        return Look(self.standing.number, game.view(state, seat), moves)

    def events(self, seat: int | None, since: int = 0, until: int | None = None) -> tuple[Told, ...]:
        """The lines after ``since``, up to and with ``until``, as a seat may know them. Raises what ``look`` does."""
        self._check_eye(seat)
        standing = self.standing
        since = max(since, FIRST)
        until = standing.number if until is None else min(until, standing.number)
        if since >= until:
            return ()
        lines = standing.tail if standing.tail[0].number <= since else self._whole
        first = lines[0].number
        return _told(standing, lines[since - first : until + 1 - first], seat)

    @once
    def standing(self) -> Standing:
        """How the game stands, with all that is hidden: for the house alone. Raises NotNow, Unreadable."""
        row = self.face.row
        if row.status == "waiting":
            raise NotNow("", "The game has not begun yet.")
        at_hand = self._states.at_hand(row)
        if at_hand is not None:
            return at_hand
        with self._reading() as db:
            return self._states.standing(db, row, self.face.seats)

    @once
    def _whole(self) -> tuple[Stood, ...]:
        with self._reading() as db:
            return tuple(fold(db, self.face.row, self.face.seats))

    def _check_eye(self, seat: int | None) -> None:
        if self.face.row.status == "waiting":
            raise NotNow("", "The game has not begun yet.")
        if seat is None:
            if not self.face.row.watch:
                raise NotAllowed("", "Only those who sit at this table can see the game.")
        elif not 0 <= seat < len(self.face.seats):
            raise no_seat()


def _told(standing: Standing, lines: Sequence[Stood], seat: int | None) -> tuple[Told, ...]:
    """All but the first of the lines, each with what the seat saw before and after."""
    game = standing.game
    seen = [game.view(line.state, seat) for line in lines]
    told = []
    for place, (before, after) in enumerate(pairwise(lines)):
        assert after.step
        event = game.event(before.state, after.step.action, after.state, seat)
        told.append(Told(after.number, moment(after.at), event, seen[place], seen[place + 1]))
    return tuple(told)
