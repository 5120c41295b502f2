"""Acts of the operator of a server about people. Each act is recorded (``acts``)."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, func, select, update

from kontor.accounts import acts
from kontor.accounts.recovery import store_code
from kontor.accounts.values import ActInfo, PersonInfo, ReportInfo
from kontor.clubs import lifecycle as clubs
from kontor.clubs.values import ClubSummary
from kontor.errors import NoReport, NoTable, NotNow
from kontor.messages import lifecycle
from kontor.people.codes import HANDED_OVER
from kontor.people.confusables import alike
from kontor.people.people import changing_sessions
from kontor.people.person_rows import NOBODY, take_typed_person
from kontor.people.texts import distinct, name_of
from kontor.storage.ids import is_id
from kontor.storage.schema import chat, people, reports, seats, tokens
from kontor.storage.stored_times import datetime_of, maybe_datetime
from kontor.tables.rows import seat_rows
from kontor.tables.transactions import TableChange, TableTransactions

_MOST: Final = 200


class Operating:
    """The operator's actions and queries; no route of the server leads here."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def find(self, text: str) -> tuple[PersonInfo, ...]:
        """Return people whose name contains or looks like the text, or whose id it is, newest first."""
        everybody = select(people.c.id, people.c.name).where(people.c.id != NOBODY, people.c.left.is_(None))
        with self._transactions.reading() as db:
            rows = db.execute(everybody.order_by(people.c.created.desc(), people.c.id))
            person_ids = [
                row.id
                for row in rows
                if text == row.id or text.casefold() in row.name.casefold() or alike(text, row.name)
            ]
            return tuple([_person(db, person) for person in person_ids[:_MOST]])

    def rename(self, person: str, name: str) -> None:
        """Rename the person, also where they sit. Raises BadName, NotAllowed."""
        new_name = name_of(name)
        with self._transactions.changing() as change:
            take_typed_person(change.db, person)
            change.db.execute(update(people).where(people.c.id == person).values(name=new_name))
            lifecycle.rename(change.db, person, new_name)
            acts.note(change, acts.OPERATOR, "rename", person)
        with self._transactions.reading() as db:
            seated_at = db.scalars(select(seats.c.table_id).where(seats.c.person == person).distinct()).all()
            spoken_at = db.scalars(select(chat.c.table_id).where(chat.c.person == person).distinct()).all()
        for table in sorted({*seated_at, *spoken_at}):
            with self._transactions.changing() as change:
                _rename_at(change, table, person, new_name)

    def suspend(self, person: str) -> None:
        """Keep the person from signing in until they are restored."""
        self._suspend(person, "suspend")

    def restore(self, person: str) -> None:
        """Let a suspended person sign in again."""
        self._suspend(person, "restore")

    def _suspend(self, person: str, act: acts.Act) -> None:
        with changing_sessions(self._transactions) as change:
            take_typed_person(change.db, person)
            at = change.now if act == "suspend" else None
            change.db.execute(update(people).where(people.c.id == person).values(suspended=at))
            acts.note(change, acts.OPERATOR, act, person)

    def hand_code(self, person: str) -> str:
        """Return a code with which the person signs in once, within three days. Raises NotAllowed, NotNow."""
        with changing_sessions(self._transactions) as change:
            take_typed_person(change.db, person)
            if change.db.scalar(select(people.c.suspended).where(people.c.id == person)) is not None:
                raise NotNow("", "This person is suspended. Restore them first.")
            acts.note(change, acts.OPERATOR, "code", person)
            return store_code(change, person, HANDED_OVER)

    def reports(self, *, handled: bool = False) -> tuple[ReportInfo, ...]:
        """Return the reports that are not handled yet, or all; oldest first."""
        query = select(reports, people.c.name).join(people, people.c.id == reports.c.about)
        if not handled:
            query = query.where(reports.c.handled.is_(None))
        with self._transactions.reading() as db:
            return tuple(
                [
                    ReportInfo(
                        id=row.id,
                        at=datetime_of(row.at),
                        about=row.about,
                        name=row.name,
                        reporter=row.reporter,
                        table=row.table_id,
                        line=row.line,
                        around=lifecycle.reported_lines(row.around),
                        club=row.club,
                        reason=row.reason,
                        handled=maybe_datetime(row.handled),
                    )
                    for row in db.execute(query.order_by(reports.c.at, reports.c.id))
                ]
            )

    def handle(self, report: str) -> None:
        """Mark a report as handled. Raises NoReport."""
        with self._transactions.changing() as change:
            about = change.db.scalar(select(reports.c.about).where(reports.c.id == report)) if is_id(report) else None
            if about is None:
                raise NoReport("", "There is no report with that id.")
            change.db.execute(update(reports).where(reports.c.id == report).values(handled=change.now))
            acts.note(change, acts.OPERATOR, "handle", about)

    def clubs(self, text: str) -> tuple[ClubSummary, ...]:
        """Return clubs whose name or line contains the text, or whose id it is, newest first."""
        with self._transactions.reading() as db:
            return clubs.find(db, text)

    def close_club(self, club: str) -> None:
        """Close a club. Raises NoClub."""
        with self._transactions.changing() as change:
            acts.note(change, acts.OPERATOR, "close", clubs.close(change, club))

    def acts(self, person: str | None = None) -> tuple[ActInfo, ...]:
        """Return the acts about people, or about one, newest first."""
        with self._transactions.reading() as db:
            return acts.acts_of(db, person)


def _person(db: Connection, person: str) -> PersonInfo:
    row = db.execute(select(people).where(people.c.id == person)).one()
    table_count = select(func.count(seats.c.table_id.distinct())).where(seats.c.person == person)
    session_count = select(func.count()).where(tokens.c.person == person, tokens.c.kind.in_(("session", "api")))
    report_count = select(func.count()).where(reports.c.about == person)
    return PersonInfo(
        id=row.id,
        name=row.name,
        created=datetime_of(row.created),
        suspended=maybe_datetime(row.suspended),
        tables=db.scalar(table_count) or 0,
        sessions=db.scalar(session_count) or 0,
        reports=db.scalar(report_count) or 0,
    )


def _rename_at(change: TableChange, table: str, person: str, name: str) -> None:
    try:
        change.take(table)
    except NoTable:
        return
    sitting = seat_rows(change.db, table)
    own_lines = (chat.c.table_id == table) & (chat.c.person == person)
    change.db.execute(update(chat).where(own_lines, chat.c.seat.is_(None)).values(name=name))
    taken_names = {seat.name for seat in sitting if seat.person != person or seat.kind == "here"}
    for seat in sitting:
        if seat.person == person and seat.kind != "here":
            seat_name = distinct(name, taken_names)
            taken_names.add(seat_name)
            is_seat = (seats.c.table_id == table) & (seats.c.seat == seat.seat)
            change.db.execute(update(seats).where(is_seat).values(name=seat_name))
            change.db.execute(update(chat).where(own_lines, chat.c.seat == seat.seat).values(name=seat_name))
    change.touch(table)
