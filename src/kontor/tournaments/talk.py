"""The talk of a tournament: its entrants, those who wait for a place, and its host read and write it.

Nobody else reads it. Lines of people whom a reader mutes or blocks are left out for that reader.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, delete, exists, func, insert, select

from kontor.errors import NotAllowed
from kontor.people.person_rows import name_of_person
from kontor.people.texts import chat_of, distinct
from kontor.storage.schema import blocks, tournament_talk
from kontor.storage.stored_times import datetime_of
from kontor.tables.transactions import TableTransactions
from kontor.tournaments.rows import EntrantRow, TournamentRow, entrant_rows, take, tournament_row
from kontor.tournaments.values import TournamentLine

MOST_KEPT: Final = 500
"""Lines kept of the talk of a tournament; the oldest are deleted."""


class EntrantsTalk:
    """The talk of all tournaments."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def say(self, tournament: str, person: str, text: str) -> int:
        """Add a line, and return its number. Raises NoTable, NotAllowed, BadText."""
        with self._transactions.changing() as change:
            row = take(change, tournament)
            name = _name_in(change.db, row, person)
            line = chat_of(text)
            of_tournament = tournament_talk.c.tournament == tournament
            number = (change.db.scalar(select(func.max(tournament_talk.c.number)).where(of_tournament)) or 0) + 1
            values = {"number": number, "person": person, "name": name, "text": line, "at": change.now}
            change.db.execute(insert(tournament_talk).values(tournament=tournament, **values))
            old = of_tournament & (tournament_talk.c.number <= number - MOST_KEPT)
            change.db.execute(delete(tournament_talk).where(old))
            return number

    def read(self, tournament: str, person: str) -> tuple[TournamentLine, ...]:
        """Return the lines that the person reads, the first one first. Raises NoTable, NotAllowed."""
        with self._transactions.reading() as db:
            require_part(db, tournament, person)
            silenced = exists().where(blocks.c.person == person, blocks.c.other == tournament_talk.c.person)
            query = select(tournament_talk).where(tournament_talk.c.tournament == tournament, ~silenced)
            rows = db.execute(query.order_by(tournament_talk.c.number)).all()
        return tuple([_line(row, person) for row in rows])


def require_part(db: Connection, tournament: str, person: str) -> None:
    """Raise NotAllowed unless the person may read the talk of the tournament; NoTable if there is none."""
    _name_in(db, tournament_row(db, tournament), person)


def _name_in(db: Connection, row: TournamentRow, person: str) -> str:
    """Return the person's name in a tournament. Raises NotAllowed if they neither take part nor have opened it."""
    everybody = entrant_rows(db, row.id)
    own_entry = next((entrant for entrant in everybody if entrant.person == person and _is_there(entrant)), None)
    if own_entry is not None:
        return own_entry.name
    if row.host != person:
        raise NotAllowed("", "Only the players and the organiser can use this chat.")
    return distinct(name_of_person(db, person), [entrant.name for entrant in everybody])


def _is_there(entrant: EntrantRow) -> bool:
    return entrant.left is None


def author_of(db: Connection, tournament: str, person: str, number: int) -> tuple[str, str]:
    """Return who wrote a line that the person can read, and its text. Raises NoTable, NotAllowed."""
    require_part(db, tournament, person)
    is_line = (tournament_talk.c.tournament == tournament) & (tournament_talk.c.number == number)
    row = db.execute(select(tournament_talk.c.person, tournament_talk.c.text).where(is_line)).first()
    if row is None or row.person == person:
        raise NotAllowed("", "Choose someone else’s message.")
    return row.person, row.text


def own_lines(db: Connection, tournament: str, person: str) -> tuple[TournamentLine, ...]:
    """Return the lines that the person has written in a tournament, for their own data."""
    is_own = (tournament_talk.c.tournament == tournament) & (tournament_talk.c.person == person)
    rows = db.execute(select(tournament_talk).where(is_own).order_by(tournament_talk.c.number))
    return tuple([_line(row, person) for row in rows])


def _line(row: Any, person: str) -> TournamentLine:
    return TournamentLine(row.number, row.name, row.text, datetime_of(row.at), row.person == person)
