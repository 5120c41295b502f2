"""Whom people follow. The followed are not told, and nobody is followed who shows no page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, case, delete, exists, func, insert, or_, select, update

from kontor.errors import NotAllowed, TooMany
from kontor.following.values import Doing, FollowedPerson, OwnFollow
from kontor.people.blocks import is_kept_out
from kontor.people.follows import end_where_blocked
from kontor.people.person_rows import take_person
from kontor.people.public_pages import IS_PRESENT, person_behind
from kontor.storage.ids import is_id
from kontor.storage.schema import blocks, follows, people, profiles, seats, seeks, tables
from kontor.storage.stored_times import SLACK, datetime_of
from kontor.tables.infos import IS_KNOWN_GAME
from kontor.tables.transactions import TableTransactions

MOST_FOLLOWED: Final = 200
"""The most people whom one person can follow."""

MOST_DOINGS: Final = 2
"""The most tables of one person that are listed; the newest."""

_MOST_TABLES: Final = 500
"""The most tables that are looked through for all people whom somebody follows."""

_LOST: Final = 60 * 1000
"""Milliseconds without a report of its page after which a seek is not listed."""


class Following:
    """The people whom somebody follows. Safe to use from any thread."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def follow(self, person: str, handle: str) -> None:
        """Follow the person of a public page from now on. Raises NotAllowed, TooMany."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            other = person_behind(change.db, handle, person)
            if other is None:
                raise NotAllowed("", "You can only follow people who have a page that you can see.")
            if other.id == person:
                raise NotAllowed("", "You cannot follow yourself.")
            if is_kept_out(change.db, person, other.id):
                raise NotAllowed("", "You have blocked {name}.", name=other.name)
            own = follows.c.person == person
            if change.db.scalar(select(follows.c.at).where(own, follows.c.other == other.id)) is not None:
                return
            if (change.db.scalar(select(func.count()).select_from(follows).where(own)) or 0) >= MOST_FOLLOWED:
                reason = "You follow {most} people, the most there can be. Unfollow someone first."
                raise TooMany("", reason, most=MOST_FOLLOWED)
            change.db.execute(insert(follows).values(person=person, other=other.id, at=change.now))

    def unfollow(self, person: str, handle: str) -> None:
        """Stop following the person of a page, whether it is still shown or not."""
        behind = select(profiles.c.person).where(profiles.c.handle == handle)
        with self._transactions.changing() as change:
            if is_id(handle):
                change.db.execute(delete(follows).where(follows.c.person == person, follows.c.other.in_(behind)))

    def is_following(self, person: str, other: str) -> bool:
        """Return True if the person follows the other."""
        query = select(follows.c.at).where(follows.c.person == person, follows.c.other == other)
        return self._transactions.ask(lambda db: db.scalar(query)) is not None

    def followed_by(self, person: str) -> tuple[FollowedPerson, ...]:
        """Return the people whom the person follows: first those who do something just now, then by name.

        The names of those who no longer show a page are left out: they may have taken new ones since.
        """
        now = self._transactions.now()
        with self._transactions.reading() as db:
            rows = db.execute(_FOLLOWED.where(follows.c.person == person)).all()
            doings = _doings(db, person, [row.other for row in rows if row.public], now)
        followed = [
            FollowedPerson(
                *(row.name if row.public else "", row.handle, row.public),
                *(datetime_of(row.at), tuple(doings[row.other])),
            )
            for row in rows
        ]
        return tuple(sorted(followed, key=_place_in_list))


def _place_in_list(person: FollowedPerson) -> tuple[bool, bool, str]:
    """Return what people are sorted by: first those who do something, last those who show no page."""
    return not person.doings, not person.public, person.name.casefold()


_FOLLOWED: Final = (
    select(follows.c.other, follows.c.at, people.c.name, profiles.c.handle, profiles.c.public)
    .join(people, people.c.id == follows.c.other)
    .join(profiles, profiles.c.person == follows.c.other)
    .where(IS_PRESENT)
)


def follows_of(db: Connection, person: str) -> Sequence[OwnFollow]:
    """Return the people whom the person follows, for their own data."""
    query = (
        select(people.c.name, profiles.c.public, follows.c.at)
        .join(people, people.c.id == follows.c.other)
        .outerjoin(profiles, profiles.c.person == follows.c.other)
    )
    rows = db.execute(query.where(follows.c.person == person).order_by(follows.c.at, follows.c.other))
    return [OwnFollow(row.name if row.public else "", datetime_of(row.at)) for row in rows]


def merge(db: Connection, person: str, other: str) -> None:
    """Give the person whom the other follows and who follows the other, as far as they do not already.

    Their blocks are joined already: where one of two people now blocks the other, neither follows any more.
    """
    for one, beside in ((follows.c.person, follows.c.other), (follows.c.other, follows.c.person)):
        already = select(beside).where(one == person)
        moved = and_(one == other, beside != person, beside.not_in(db.scalars(already).all()))
        db.execute(update(follows).where(moved).values({one.name: person}))
    db.execute(delete(follows).where(or_(follows.c.person == other, follows.c.other == other)))
    end_where_blocked(db, person)


def _doings(db: Connection, reader: str, persons: Sequence[str], now: int) -> dict[str, list[Doing]]:
    """Return what these people do just now, as far as everybody may see it."""
    doings: dict[str, list[Doing]] = defaultdict(list)
    is_seeking = seeks.c.table_id.is_(None) & seeks.c.seen.between(now - _LOST, now + SLACK)
    for seek in db.execute(select(seeks.c.person, seeks.c.game).where(seeks.c.person.in_(persons), is_seeking)):
        doings[seek.person].append(Doing("seeks", seek.game))
    for row in db.execute(_tables_of(reader, persons)):
        if sum(bool(doing.table) for doing in doings[row.person]) < MOST_DOINGS:
            doings[row.person].append(Doing("waits" if row.status == "waiting" else "plays", row.game, row.id))
    return doings


def _tables_of(reader: str, persons: Sequence[str]) -> Any:
    """Select the tables of people that wait for anybody or may be watched: those that wait first, and the newest."""
    free = seats.alias()
    has_free_seat = exists().where(free.c.table_id == tables.c.id, free.c.kind == "open", free.c.person.is_(None))
    keeps_out = exists().where(blocks.c.person == tables.c.host, blocks.c.other == reader, blocks.c.kind == "block")
    waits: ColumnElement[bool] = (tables.c.status == "waiting") & has_free_seat & ~keeps_out
    plays = (tables.c.status == "playing") & tables.c.watch
    return (
        select(seats.c.person, tables.c.id, tables.c.game, tables.c.status)
        .join(tables, tables.c.id == seats.c.table_id)
        .where(
            *(seats.c.person.in_(persons), seats.c.kind != "here", ~seats.c.resigned, seats.c.stood_in == ""),
            *(IS_KNOWN_GAME, or_(waits, plays)),
        )
        .order_by(case((tables.c.status == "waiting", 0), else_=1), tables.c.created.desc(), tables.c.id)
        .limit(_MOST_TABLES)
    )
