"""All data that the server has about a person, for that person.

It holds what they may know anyway, and of others only what they have seen at common tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select, union

from kontor.accounts.blocking import blocked_by
from kontor.accounts.passkeys import passkeys_of
from kontor.accounts.values import OwnData, OwnLine, OwnReport
from kontor.ahead.store import own_moves_of
from kontor.challenges.store import challenges_of
from kontor.clubs.lifecycle import own_clubs
from kontor.errors import NotAllowed
from kontor.following.store import follows_of
from kontor.holidays.store import holidays_of
from kontor.messages.lifecycle import messages_of
from kontor.moving.store import choices_of
from kontor.notes.store import notes_of
from kontor.notifying.table_hooks import own_webhooks
from kontor.own_records.store import records_of
from kontor.people.people import sessions_of
from kontor.ratings.reviewed_seats import reviewed_games_of
from kontor.ratings.stored_ratings import curve_of, profile_of, ratings_of
from kontor.storage.schema import TABLE_ROW, chat, mail_addresses, people, reports, seats, tables, tokens
from kontor.storage.stored_times import datetime_of, maybe_datetime
from kontor.tables import infos
from kontor.tables.rows import TableRow
from kontor.tables.transactions import TableTransactions
from kontor.tables.values import SPOKEN, TableInfo
from kontor.tournaments import tournaments
from kontor.tournaments.seasons import seasons_of

_PORTION = 200
"""Tables looked up at once."""


class Export:
    """Exports of people's own data."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def of(self, person: str) -> OwnData:
        """Return the person's data, their tables as they see them, and what they have said. Raises NotAllowed.

        Records of their finished games are requested one by one.
        """
        now = self._transactions.now()
        code = select(tokens.c.created).where(tokens.c.person == person, tokens.c.kind == "recovery")
        mail = select(mail_addresses.c.address).where(mail_addresses.c.person == person, mail_addresses.c.owned != "")
        with self._transactions.reading() as db:
            row = db.execute(select(people).where(people.c.id == person, people.c.left.is_(None))).first()
            if row is None:
                raise NotAllowed("", "There is no player with that id.")
            return OwnData(
                name=row.name,
                created=datetime_of(row.created),
                sessions=sessions_of(db, person, now),
                recovery_code=maybe_datetime(db.scalar(code)),
                mail=db.scalar(mail),
                passkeys=passkeys_of(db, person),
                blocked=blocked_by(db, person),
                reports=tuple(_reports(db, person)),
                tables=tuple(_tables(db, person, now)),
                talk=tuple(_talk(db, person)),
                profile=profile_of(db, person),
                ratings=ratings_of(db, person),
                curve=curve_of(db, person, now),
                tournaments=tournaments.tournaments_of(db, person),
                seasons=seasons_of(db, person),
                reviewed=reviewed_games_of(db, person),
                records=records_of(db, person),
                following=tuple(follows_of(db, person)),
                challenges=tuple(challenges_of(db, person, now)),
                holidays=holidays_of(db, person),
                messages=messages_of(db, person),
                writers=row.writers,
                notes=notes_of(db, person),
                moves_ahead=own_moves_of(db, person),
                own_moves=choices_of(db, person),
                clubs=own_clubs(db, person),
                table_webhooks=own_webhooks(db, person),
            )


def _tables(db: Connection, person: str, now: int) -> Sequence[TableInfo]:
    table_ids = union(
        select(tables.c.id).where(tables.c.host == person),
        select(seats.c.table_id).where(seats.c.person == person),
    ).subquery()
    query = select(*TABLE_ROW).join(table_ids, table_ids.c.id == tables.c.id).where(infos.IS_KNOWN_GAME)
    rows = [TableRow(*row) for row in db.execute(query.order_by(tables.c.created, tables.c.id))]
    return [
        info
        for first in range(0, len(rows), _PORTION)
        for info in infos.infos(db, rows[first : first + _PORTION], person, now)
    ]


def _reports(db: Connection, person: str) -> Sequence[OwnReport]:
    query = select(reports.c.table_id, reports.c.at, reports.c.reason).where(reports.c.reporter == person)
    return [
        OwnReport(row.table_id, datetime_of(row.at), row.reason)
        for row in db.execute(query.order_by(reports.c.at, reports.c.id))
    ]


def _talk(db: Connection, person: str) -> Sequence[OwnLine]:
    query = select(chat).where(chat.c.person == person, chat.c.kind.in_(SPOKEN)).order_by(chat.c.at, chat.c.number)
    return [OwnLine(row.table_id, row.number, datetime_of(row.at), row.text) for row in db.execute(query)]
