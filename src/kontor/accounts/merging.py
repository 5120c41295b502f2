"""Merging of two guests who are the same person.

A signed-in person proves it by typing a code of the other. Everything of the other then becomes theirs, and the other
is deleted.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, and_, delete, or_, select, update
from sqlalchemy.exc import IntegrityError

from kontor.accounts import acts
from kontor.accounts.recovery import WrongCodes, owner_of
from kontor.challenges import store as challenges
from kontor.clubs import lifecycle as clubs
from kontor.errors import BadCode, NotNow
from kontor.following import store as following
from kontor.holidays import store as holidays
from kontor.messages import lifecycle
from kontor.moving import store as moving
from kontor.notes import store as notes
from kontor.notifying import table_posts
from kontor.people.people import changing_sessions
from kontor.ratings import stored_ratings
from kontor.storage.schema import (
    blocks,
    chat,
    entrants,
    mail_addresses,
    moves_ahead,
    notification_settings,
    outbox,
    own_records,
    passkeys,
    people,
    record_reviews,
    reports,
    reviews,
    seasons,
    seats,
    solved,
    table_webhooks,
    tables,
    tokens,
    tournament_log,
    tournament_talk,
    tournaments,
    ways,
)
from kontor.tables.rows import tables_of
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tournaments import tournament_entrants

_MOVED: Final = (
    *(seats.c.person, seats.c.reserved, tables.c.host, chat.c.person, reviews.c.person, reports.c.reporter),
    *(tournaments.c.host, entrants.c.person, own_records.c.person, record_reviews.c.person),
    *(tournament_log.c.person, tournament_talk.c.person, seasons.c.host, outbox.c.about, moves_ahead.c.person),
    table_webhooks.c.person,
)
"""The columns that name a person and are changed from the other to the person."""


class Merging:
    """Merges two people into one."""

    def __init__(self, transactions: TableTransactions, wrong: WrongCodes) -> None:
        self._transactions = transactions
        self._wrong = wrong

    def merge(self, person: str, typed: str) -> None:
        """Merge the owner of the typed code into the person. Raises BadCode; NotNow while both sit at one table."""
        other = None
        try:
            with changing_sessions(self._transactions) as change:
                other = owner_of(change, typed, person)
                if other.id == person:
                    raise BadCode("", "This is your own code. Enter that of the other player.")
                _merge(change, person, other.id)
        except BadCode:
            if other is None:  # otherwise the code was right, but their own
                self._wrong.count(typed)
            raise
        except IntegrityError as error:
            # The other has just sat down at a table that was not in the list.
            raise NotNow("", "Something has just changed. Please try again.") from error


def _merge(change: TableChange, person: str, other: str) -> None:
    db = change.db
    clubs.lock_all(db, person, other)
    tournament_entrants.lock_all(db, person, other)
    table_ids = db.scalars(tables_of(person, other)).all()
    # The rows are locked in one order to avoid deadlocks.
    locked_ids = db.scalars(
        select(tables.c.id).where(tables.c.id.in_(table_ids)).order_by(tables.c.id).with_for_update()
    ).all()
    if _share_table(db, person, other):
        raise NotNow("", "Both players sit at the same table. Finish that game or leave the table first.")
    if tournament_entrants.both_take_part(db, person, other):
        raise NotNow("", "Both players take part in the same tournament. Leave it with one of them first.")
    _join_blocks(db, person, other)
    holidays.end_for_merge(change, other)
    table_posts.lock_for_merge(db, person, other)
    for column in _MOVED:
        db.execute(update(column.table).where(column == other).values({column.name: person}))
    db.execute(update(reports).where(reports.c.about == other).values(about=person))
    holidays.merge(change, person, other)
    _move_ways(db, person, other)
    _move_solved(db, person, other)
    following.merge(db, person, other)
    notes.merge(db, person, other)
    moving.merge(db, person, other)
    clubs.merge(db, person, other)
    challenges.merge(change, person, other)
    lifecycle.merge(change, person, other)
    stored_ratings.merge(db, person, other)
    are_sessions = tokens.c.kind.in_(("session", "api"))
    db.execute(update(tokens).where(tokens.c.person == other, are_sessions).values(person=person))
    db.execute(update(passkeys).where(passkeys.c.person == other).values(person=person))
    db.execute(delete(people).where(people.c.id == other))
    change.count(update(tables).where(tables.c.id.in_(locked_ids)))
    acts.note(change, person, "merge", other)


def _move_solved(db: Connection, person: str, other: str) -> None:
    """Give the other's solved puzzles to the person if they have none: two levels cannot be added."""
    if db.scalar(select(solved.c.person).where(solved.c.person == person)) is None:
        db.execute(update(solved).where(solved.c.person == other).values(person=person))


def _share_table(db: Connection, person: str, other: str) -> bool:
    """Return True if both sit or are awaited at one unfinished table: there they know what two people may know."""
    own_seats, other_seats = seats.alias(), seats.alias()
    query = (
        select(tables.c.id)
        .join(
            own_seats,
            and_(
                own_seats.c.table_id == tables.c.id, or_(own_seats.c.person == person, own_seats.c.reserved == person)
            ),
        )
        .join(
            other_seats,
            and_(
                other_seats.c.table_id == tables.c.id,
                or_(other_seats.c.person == other, other_seats.c.reserved == other),
            ),
        )
        .where(tables.c.status != "over")
        .limit(1)
    )
    return db.execute(query).first() is not None


def _move_ways(db: Connection, person: str, other: str) -> None:
    """Move notification channels. Of mail addresses and settings a person has one: their own, if they have it."""
    for table in (notification_settings, mail_addresses):
        if db.execute(select(table.c.person).where(table.c.person == person)).first() is None:
            db.execute(update(table).where(table.c.person == other).values(person=person))
    has_mail = select(ways.c.id).where(ways.c.person == person, ways.c.kind == "mail")
    if db.execute(has_mail).first() is not None:
        db.execute(delete(ways).where(ways.c.person == other, ways.c.kind == "mail"))
    db.execute(update(ways).where(ways.c.person == other).values(person=person))


def _join_blocks(db: Connection, person: str, other: str) -> None:
    """Apply the mutes and blocks by and against either of the two to the one who is left."""
    two = (person, other)
    rows = db.execute(select(blocks).where(or_(blocks.c.person.in_(two), blocks.c.other.in_(two)))).all()
    joined: dict[tuple[str, str], dict[str, object]] = {}
    for row in sorted(rows, key=lambda row: row.kind == "block"):  # a block has priority over a mute
        by = person if row.person == other else row.person
        of = person if row.other == other else row.other
        if by != of:
            joined[by, of] = {"person": by, "other": of, "kind": row.kind, "handle": row.handle, "at": row.at}
    db.execute(delete(blocks).where(or_(blocks.c.person.in_(two), blocks.c.other.in_(two))))
    if joined:
        db.execute(blocks.insert(), list(joined.values()))
