"""Permissions of people to write to each other."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, and_, bindparam, exists, or_, select

from kontor.errors import NotAllowed
from kontor.messages.values import Correspondent, CorrespondentKey, Hindrance
from kontor.people.blocks import is_kept_out
from kontor.people.person_rows import NOBODY
from kontor.people.public_pages import IS_PRESENT, person_in_public
from kontor.storage.ids import is_id, is_seat
from kontor.storage.schema import follows, messages, people, seats, tables
from kontor.words import mark

SENTENCES: Final[dict[Hindrance, str]] = {
    "off": mark("You have chosen that nobody may write to you. Change that on your page, and you can write, too."),
    "blocked": mark("You have blocked {name}."),
    "closed": mark("You cannot write to {name}."),
}
"""The sentence for each hindrance. Nobody learns whether another person blocks them or takes no messages."""

_OWN: Final = seats.alias()
_BACK: Final = follows.alias()

_HAVE_PLAYED: Final = exists().where(
    *(_OWN.c.table_id == seats.c.table_id, tables.c.id == seats.c.table_id, tables.c.status != "waiting"),
    *(seats.c.person == bindparam("other"), _OWN.c.person == bindparam("person")),
    *(seats.c.kind != "here", _OWN.c.kind != "here"),
)
_IS_FOLLOWED: Final = exists().where(_BACK.c.person == bindparam("other"), _BACK.c.other == bindparam("person"))
_FOLLOW_EACH_OTHER: Final = and_(
    exists().where(follows.c.person == bindparam("person"), follows.c.other == bindparam("other")), _IS_FOLLOWED
)
_HAS_WRITTEN: Final = exists().where(
    messages.c.conversation == bindparam("conversation"), messages.c.author == bindparam("other")
)
_MAY_WRITE: Final = select(people.c.id).where(
    *(people.c.id == bindparam("other"), IS_PRESENT),
    or_(
        and_(people.c.writers != "nobody", _HAS_WRITTEN),
        and_(people.c.writers == "met", or_(_HAVE_PLAYED, _FOLLOW_EACH_OTHER)),
        and_(people.c.writers == "followed", _IS_FOLLOWED, or_(_HAVE_PLAYED, _FOLLOW_EACH_OTHER)),
    ),
)
"""The query for the other, if they take messages of the person; an answer to their own message they always take."""

_WRITERS: Final = select(people.c.writers).where(people.c.id == bindparam("person"))


def hindrance_to_write(db: Connection, person: str, other: str, conversation: str = "") -> Hindrance | None:
    """Return why the person cannot write to the other; ``conversation`` is the one that they have, if any."""
    if db.scalar(_WRITERS, {"person": person}) == "nobody":
        return "off"
    if is_kept_out(db, person, other):
        return "blocked"
    parties = {"person": person, "other": other, "conversation": conversation}
    if is_kept_out(db, other, person) or db.execute(_MAY_WRITE, parties).first() is None:
        return "closed"
    return None


def require_permission(db: Connection, person: str, other: Correspondent, conversation: str = "") -> None:
    """Raise NotAllowed unless the person may write to the other."""
    hindrance = hindrance_to_write(db, person, other.id, conversation)
    if hindrance is not None:
        raise NotAllowed("", SENTENCES[hindrance], name=other.name)


def correspondent_behind(db: Connection, key: CorrespondentKey, reader: str | None) -> Correspondent | None:
    """Return the person who is meant by a key, if it is one that the reader knows, and not the reader.

    A person at a table is known by the name of their seat. People whom they block get the same answer as people of
    whom they take no messages.
    """
    row = person_in_public(db, key.handle) if key.handle else _person_at_seat(db, key, reader or "")
    return None if row is None or row.id == reader else Correspondent(row.id, row.name)


def _person_at_seat(db: Connection, key: CorrespondentKey, reader: str) -> Any:
    """Return the id and the name of the person at a seat of a table at which the reader sits or sat too."""
    query = (
        select(people.c.id, seats.c.name)
        .join(seats, seats.c.person == people.c.id)
        .join(_OWN, _OWN.c.table_id == seats.c.table_id)
        .where(
            *(seats.c.table_id == key.table, seats.c.seat == key.seat, seats.c.kind != "here"),
            *(_OWN.c.person == reader, people.c.id != NOBODY, IS_PRESENT),
        )
    )
    return db.execute(query).first() if is_seat(key.table, key.seat) and is_id(reader) else None
