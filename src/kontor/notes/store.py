"""The private notes of people, one for each table at which they sit; nobody else ever gets them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, and_, delete, insert, or_, select, update

from kontor.errors import BadText, NotAllowed
from kontor.notes.values import ListedNote, OwnNote
from kontor.people.person_rows import take_person
from kontor.storage.ids import is_id
from kontor.storage.schema import notes, seats, tables
from kontor.storage.stored_times import datetime_of
from kontor.tables.infos import IS_KNOWN_GAME
from kontor.tables.opening import seats_of
from kontor.tables.rows import no_table
from kontor.tables.transactions import TableTransactions
from kontor.visible_text import visible

LONGEST: Final = 2000
"""The most characters of a note that is written; two that are merged can have twice as many."""

MOST_LISTED: Final = 200
"""The most notes on the page of one's own, the last changed first; all are in one's own data."""


class Notes:
    """The notes of all people. Safe to use from any thread."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def of(self, table: str, person: str) -> str:
        """Return the person's note about a table; empty if there is none. Raises NotAllowed where they never sat."""
        with self._transactions.reading() as db:
            return _read(db, table, person)

    def write(self, table: str, person: str, text: str) -> None:
        """Replace the person's note about a table, or delete it by an empty text. Raises BadText, NotAllowed."""
        cleaned = "\n".join(visible(line.expandtabs(4)).rstrip() for line in text.splitlines()).strip()
        if len(cleaned) > LONGEST:
            raise BadText("", "A note can have at most {most} characters.", most=LONGEST)
        with self._transactions.changing() as change:
            db = change.db
            take_person(db, person)  # of two texts saved at once, the second replaces the first
            _read(db, table, person)
            db.execute(delete(notes).where(notes.c.person == person, notes.c.table_id == table))
            if cleaned:
                db.execute(insert(notes).values(person=person, table_id=table, text=cleaned, at=change.now))

    def listed(self, person: str) -> Sequence[ListedNote]:
        """Return the person's notes, at most MOST_LISTED, the last changed first."""
        query = (
            select(notes.c.table_id, notes.c.at, notes.c.text, tables.c.game, tables.c.status)
            .join(tables, tables.c.id == notes.c.table_id)
            .where(notes.c.person == person, IS_KNOWN_GAME)
            .order_by(notes.c.at.desc(), notes.c.table_id)
            .limit(MOST_LISTED)
        )
        with self._transactions.reading() as db:
            rows = db.execute(query).all()
            others = _others(db, person, [row.table_id for row in rows])
        return [
            ListedNote(
                OwnNote(row.table_id, datetime_of(row.at), row.text),
                row.game,
                tuple(others[row.table_id]),
                row.status == "over",
            )
            for row in rows
        ]


def _others(db: Connection, person: str, table_ids: Sequence[str]) -> Mapping[str, list[tuple[str, str]]]:
    """Return the taken seats of these tables at which the person does not sit: name and computer player."""
    query = select(seats.c.table_id, seats.c.name, seats.c.player).where(seats.c.table_id.in_(table_ids))
    is_other = and_(seats.c.name != "", or_(seats.c.person.is_(None), seats.c.person != person))
    others = defaultdict(list)
    for row in db.execute(query.where(is_other).order_by(seats.c.seat)):
        others[row.table_id].append((row.name, row.player))
    return others


def _read(db: Connection, table: str, person: str) -> str:
    """Return the person's note about a table. Raises NoTable; NotAllowed if they neither sit there nor have one."""
    if not is_id(table):
        raise no_table()
    text = db.scalar(select(notes.c.text).where(notes.c.person == person, notes.c.table_id == table))
    if text is None and not seats_of(db, table, person):
        raise NotAllowed("", "Only people who sit at a table can make notes about it.")
    return text or ""


def notes_of(db: Connection, person: str) -> tuple[OwnNote, ...]:
    """Return the notes of a person, for their own data."""
    query = select(notes.c.table_id, notes.c.at, notes.c.text).where(notes.c.person == person)
    rows = db.execute(query.order_by(notes.c.at, notes.c.table_id))
    return tuple([OwnNote(row.table_id, datetime_of(row.at), row.text) for row in rows])


def merge(db: Connection, person: str, other: str) -> None:
    """Give the person the notes of the other; of two about one table, the other's follows their own."""
    own = {note.table: note.text for note in notes_of(db, person)}
    for note in notes_of(db, other):
        if note.table in own:
            joined = f"{own[note.table]}\n\n{note.text}"
            is_own = and_(notes.c.person == person, notes.c.table_id == note.table)
            db.execute(update(notes).where(is_own).values(text=joined))
            db.execute(delete(notes).where(notes.c.person == other, notes.c.table_id == note.table))
    db.execute(update(notes).where(notes.c.person == other).values(person=person))
