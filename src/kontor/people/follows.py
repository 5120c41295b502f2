"""Queries of who follows whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, and_, bindparam, delete, exists, func, or_, select, update

from kontor.people.blocks import does_block
from kontor.storage.schema import follows, notification_settings, profiles, ways
from kontor.storage.stored_times import SLACK

BETWEEN: Final = 3600 * 1000
"""Milliseconds for which nobody is told again of the same person whom they follow."""

MOST_NOTIFIED: Final = 500
"""The most followers who are told of one table or seek; those come first who were told longest ago."""

_IS_PUBLIC: Final = exists().where(profiles.c.person == follows.c.other, profiles.c.public)
_ARE_APART: Final = or_(
    does_block(follows.c.person, follows.c.other),
    does_block(follows.c.other, follows.c.person),
)
"""The condition that one of the two blocks the other."""

_HAS_WAY: Final = exists().where(ways.c.person == follows.c.person, ~ways.c.dead)
_TO_NOTIFY: Final = (
    select(follows.c.person)
    .join(notification_settings, notification_settings.c.person == follows.c.person)
    .where(
        follows.c.other == bindparam("person"),
        notification_settings.c.followed,
        or_(
            follows.c.notified.is_(None),
            follows.c.notified <= bindparam("long_ago"),
            follows.c.notified > bindparam("to_come"),  # the clock was put back
        ),
        _IS_PUBLIC,
        ~_ARE_APART,
        _HAS_WAY,
    )
    .order_by(func.coalesce(follows.c.notified, 0), follows.c.person)
    .limit(MOST_NOTIFIED)
)
_IS_FOLLOWED: Final = select(follows.c.at).where(
    *(follows.c.person == bindparam("follower"), follows.c.other == bindparam("person")),
    *(_IS_PUBLIC, ~_ARE_APART),
)


def followers_to_notify(db: Connection, person: str, now: int) -> Sequence[str]:
    """Return those who follow the person, want to be told of it, and were not told within the last hour."""
    return db.scalars(_TO_NOTIFY, {"person": person, "long_ago": now - BETWEEN, "to_come": now + SLACK}).all()


def note_notified(db: Connection, person: str, followers: Sequence[str], now: int) -> None:
    """Note that these followers of the person are told of them now."""
    are_told = follows.c.person.in_(followers) & (follows.c.other == person)
    db.execute(update(follows).where(are_told).values(notified=now))


def is_followed(db: Connection, person: str, follower: str) -> bool:
    """Return True if the follower follows the person, who shows a page, and neither blocks the other."""
    return db.execute(_IS_FOLLOWED, {"person": person, "follower": follower}).first() is not None


def end_between(db: Connection, person: str, other: str) -> None:
    """End following between two people, in both directions."""
    one_way = and_(follows.c.person == person, follows.c.other == other)
    other_way = and_(follows.c.person == other, follows.c.other == person)
    db.execute(delete(follows).where(or_(one_way, other_way)))


def end_where_blocked(db: Connection, person: str) -> None:
    """End following between the person and those who block them, or whom they block."""
    is_own = or_(follows.c.person == person, follows.c.other == person)
    db.execute(delete(follows).where(is_own, _ARE_APART))
