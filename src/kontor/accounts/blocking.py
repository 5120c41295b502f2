"""Muting, blocking and reporting of people by each other.

Only they know of it: a blocked person gets the same refusal as anyone who may not join.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, delete, exists, func, insert, or_, select, update

from kontor.accounts import acts
from kontor.accounts.values import BlockInfo, BlockKind, OtherPerson
from kontor.challenges import store as challenges
from kontor.clubs.store import founder_of, require_visible
from kontor.errors import NoSeat, NotAllowed, NotNow, TooMany
from kontor.messages import lifecycle
from kontor.messages.store import require_other
from kontor.people import follows
from kontor.people.person_rows import NOBODY, take_person
from kontor.people.texts import chat_of
from kontor.storage.ids import is_id, new_id
from kontor.storage.schema import blocks, chat, people, reports, seats, tables
from kontor.storage.stored_times import datetime_of
from kontor.tables.opening import seats_of
from kontor.tables.rows import TableRow, seat_rows, table_row
from kontor.tables.snapshots import chat_rows
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.values import SPOKEN, ChatLine
from kontor.tournaments.talk import author_of

MOST_BLOCKED: Final = 200
MOST_REPORTS: Final = 20
"""The most reports by one person that the operator has not handled yet."""

_MOST_WATCHED: Final = 500
"""The most watchable tables to refresh, of those where the muted or blocked person has spoken; the newest."""

_WHERE: Final = re.compile(r"(seat|line)-(\d{1,9})", re.ASCII)
"""Reference of a request to somebody at a table: their seat, or a line of the chat that they wrote."""


class Blocking:
    """Mutes, blocks and reports."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def other_people(self, table: str, person: str) -> tuple[OtherPerson, ...]:
        """Return the other people at the table. Raises NotAllowed, NoTable."""
        with self._transactions.reading() as db:
            row = _require_visitor(db, table, person)
            return tuple(_other_people(db, row, person))

    def put(self, table: str, person: str, where: str, kind: BlockKind | None) -> None:
        """Mute or block the other from now on, or neither. Raises NotAllowed, NoSeat, TooMany."""
        with self._transactions.changing() as change:
            other = _person_at(change.db, _require_visitor(change.db, table, person), person, where)
            take_person(change.db, person)
            _set_block(change, person, other, kind)

    def blocked_people(self, person: str) -> tuple[BlockInfo, ...]:
        """Return the people whom the person mutes or blocks, newest first."""
        with self._transactions.reading() as db:
            return blocked_by(db, person)

    def lift(self, person: str, handle: str) -> None:
        """Stop muting or blocking the other; ``handle`` is that of the list."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            query = select(blocks.c.other).where(blocks.c.person == person, blocks.c.handle == handle)
            other = change.db.scalar(query) if is_id(handle) else None
            if other is not None:
                _set_block(change, person, other, None)

    def put_correspondent(self, conversation: str, person: str, kind: BlockKind | None) -> None:
        """Mute or block the other person of a conversation, or neither. Raises NoConversation, TooMany."""
        with self._transactions.changing() as change:
            other = require_other(change.db, conversation, person)
            take_person(change.db, person)
            _set_block(change, person, other.id, kind)

    def report(self, table: str, person: str, where: str, line: int, reason: str) -> None:
        """Report the other to the operator, with a line of theirs unless ``line`` is 0.

        Raises NotAllowed, NoSeat, BadText, TooMany.
        """
        with self._transactions.changing() as change:
            other = _person_at(change.db, _require_visitor(change.db, table, person), person, where)
            take_person(change.db, person)
            _report(change, person, other, reason, table_id=table, line=_line(change.db, table, other, line))

    def report_correspondent(self, conversation: str, person: str, number: int, reason: str) -> None:
        """Report the other person of a conversation to the operator, with a message of theirs unless it is 0.

        The operator reads that message, and the two before and after it. Raises NoConversation, BadText, TooMany.
        """
        with self._transactions.changing() as change:
            other = require_other(change.db, conversation, person).id
            take_person(change.db, person)
            line, around = lifecycle.reported_text(change.db, conversation, other, number)
            _report(change, person, other, reason, table_id="", line=line, around=around)

    def put_entrant(self, tournament: str, person: str, number: int, kind: BlockKind) -> None:
        """Mute or block the author of a line in a tournament's talk. Raises NoTable, NotAllowed, TooMany."""
        with self._transactions.changing() as change:
            author, _ = author_of(change.db, tournament, person, number)
            take_person(change.db, person)
            _set_block(change, person, author, kind)

    def report_entrant(self, tournament: str, person: str, number: int, reason: str) -> None:
        """Report the author of a line in a tournament's talk to the operator, with that line.

        Raises NoTable, NotAllowed, BadText, TooMany.
        """
        with self._transactions.changing() as change:
            author, line = author_of(change.db, tournament, person, number)
            take_person(change.db, person)
            _report(change, person, author, reason, table_id="", line=line)

    def report_club(self, club: str, person: str, reason: str) -> None:
        """Report a club, its name and its line, to the operator. Raises NoClub, NotNow, BadText, TooMany."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            row = require_visible(change.db, club, person)
            founder = founder_of(change.db, club)
            if founder == person:
                raise NotNow("", "You run this club yourself.")
            line = f"{row.name}\n{row.about}".strip()
            _report(change, person, founder, reason, table_id="", line=line, club=club)


def _report(change: TableChange, person: str, other: str, reason: str, **content: str) -> None:
    """Store a report of a person, who is locked, about another. Raises BadText, TooMany."""
    waiting = select(func.count()).where(reports.c.reporter == person, reports.c.handled.is_(None))
    if (change.db.scalar(waiting) or 0) >= MOST_REPORTS:
        raise TooMany("", "{most} of your reports have not been read yet.", most=MOST_REPORTS)
    new = {"id": new_id(), "reporter": person, "about": other, "reason": chat_of(reason), "at": change.now}
    change.db.execute(insert(reports).values(**new, **content))
    acts.note(change, person, "report", other)


def blocked_by(db: Connection, person: str) -> tuple[BlockInfo, ...]:
    """Return the people whom the person mutes or blocks, newest first."""
    query = (
        select(blocks.c.handle, blocks.c.kind, people.c.name, blocks.c.at)
        .join(people, people.c.id == blocks.c.other)
        .where(blocks.c.person == person)
        .order_by(blocks.c.at.desc(), blocks.c.handle)
    )
    return tuple([BlockInfo(row.handle, row.kind, row.name, datetime_of(row.at)) for row in db.execute(query)])


def _require_visitor(db: Connection, table: str, person: str) -> TableRow:
    row = table_row(db, table)
    looks_on = row.status == "over" and row.watch  # people who may watch a finished game may also chat there
    if row.host != person and not looks_on and not seats_of(db, table, person):
        raise NotAllowed("", "Only people seated at this table can do this.")
    return row


def _other_people(db: Connection, row: TableRow, person: str) -> Sequence[OtherPerson]:
    own_blocks = select(blocks.c.other, blocks.c.kind).where(blocks.c.person == person)
    kinds = {row.other: row.kind for row in db.execute(own_blocks)}
    talk: dict[str, list[ChatLine]] = {}
    for chat_row in chat_rows(db, row.id):
        if chat_row.person is not None and chat_row.line.kind in SPOKEN:
            talk.setdefault(chat_row.person, []).append(chat_row.line)
    by_person: dict[str, OtherPerson] = {}
    for seat in seat_rows(db, row.id):
        if seat.person not in (None, NOBODY, person) and seat.person not in by_person:
            spoken = tuple(talk.get(seat.person, ()))
            by_person[seat.person] = OtherPerson(f"seat-{seat.seat}", seat.name, kinds.get(seat.person), spoken)
    for speaker, lines in talk.items():
        if speaker not in (NOBODY, person) and speaker not in by_person:
            where = f"line-{lines[-1].number}"
            by_person[speaker] = OtherPerson(where, lines[-1].name, kinds.get(speaker), tuple(lines))
    return tuple(by_person.values())


def _person_at(db: Connection, row: TableRow, person: str, where: str) -> str:
    """Return the person meant by ``where``. Raises NoSeat if that is nobody, or the person themselves."""
    match = _WHERE.fullmatch(where)
    other = None
    if match is not None and match[1] == "seat":
        other = db.scalar(select(seats.c.person).where(seats.c.table_id == row.id, seats.c.seat == int(match[2])))
    elif match is not None:
        other = db.scalar(select(chat.c.person).where(chat.c.table_id == row.id, chat.c.number == int(match[2])))
    if other is None or other in (NOBODY, person):
        raise NoSeat("", "Nobody else sits there.")
    return str(other)


def _line(db: Connection, table: str, other: str, number: int) -> str:
    """Return the text of the chat line, or "" if another person wrote it."""
    condition = (chat.c.table_id == table) & (chat.c.number == number) & (chat.c.person == other)
    return db.scalar(select(chat.c.text).where(condition)) or ""


def _set_block(change: TableChange, person: str, other: str, kind: BlockKind | None) -> None:
    db, is_block = change.db, (blocks.c.person == person) & (blocks.c.other == other)
    db.execute(delete(blocks).where(is_block))
    if kind is not None:
        if (db.scalar(select(func.count()).where(blocks.c.person == person)) or 0) >= MOST_BLOCKED:
            raise TooMany("", "You already mute or block {most} people.", most=MOST_BLOCKED)
        new = {"person": person, "other": other, "kind": kind, "handle": new_id(), "at": change.now}
        db.execute(insert(blocks).values(new))
        lifecycle.silence(db, person, other)
    if kind == "block":
        follows.end_between(db, person, other)
    # Cached tables contain who hears whom, so the change is counted at each. The rows are locked in one order to
    # avoid deadlocks.
    person_sits = exists().where(seats.c.table_id == tables.c.id, seats.c.person == person)
    other_spoke = exists().where(chat.c.table_id == tables.c.id, chat.c.person == other)
    other_took_part = or_(other_spoke, exists().where(seats.c.table_id == tables.c.id, seats.c.person == other))
    common = db.scalars(select(tables.c.id).where(or_(tables.c.host == person, person_sits), other_took_part)).all()
    newest = (
        select(tables.c.id).where(tables.c.watch, other_spoke).order_by(tables.c.created.desc()).limit(_MOST_WATCHED)
    )
    withdrawn = challenges.tables_between(db, person, other) if kind == "block" else ()
    table_ids = {*common, *db.scalars(newest), *withdrawn}
    locked = select(tables.c.id).where(tables.c.id.in_(table_ids)).order_by(tables.c.id).with_for_update()
    change.count(update(tables).where(tables.c.id.in_(db.scalars(locked).all())))
    if kind == "block":
        challenges.withdraw(change, person, other)
