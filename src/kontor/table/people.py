"""Guests, and how they are known again: sessions, programs, links to another device.

Of every token only the SHA-256 is kept. The tokens are 256 random bits, so their hashes need no salt, and looking one
up by its hash tells nobody anything by the time it takes.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final, Literal

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from kontor.table.errors import BadLink
from kontor.table.rows import datetime_of, is_id, new_id, take_person
from kontor.table.schema import people, pulse, tokens
from kontor.table.texts import label_of, name_of
from kontor.table.values import Person, Scope, SessionInfo

Kind = Literal["session", "api", "device"]

_SECOND: Final = 1000
_HOUR: Final = 60 * 60 * _SECOND
_DAY: Final = 24 * _HOUR
SESSION_DAYS: Final = 180
"""A session lives that long from when it was last used: in the database, and as the browser's cookie."""

LIFETIME: Final[dict[Kind, int]] = {"session": SESSION_DAYS * _DAY, "api": 365 * _DAY, "device": 10 * 60 * _SECOND}
"""In milliseconds."""

_MOST: Final[dict[Kind, int]] = {"session": 50, "api": 20, "device": 1}
"""Of one person; the oldest make room."""

_LONGEST_TOKEN: Final = 100


def guest(db: Connection, name: str, now: int) -> tuple[Person, str]:
    """A new person, and the token of their session. Raises BadName."""
    person = Person(new_id(), name_of(name))
    db.execute(insert(people).values(id=person.id, name=person.name, created=now))
    return person, new_token(db, person.id, "session", now)


def rename(db: Connection, person: str, name: str) -> Person:
    """From now on; at tables where they sit they keep the name under which they sat down. Raises BadName."""
    take_person(db, person)
    renamed = Person(person, name_of(name))
    db.execute(update(people).where(people.c.id == person).values(name=renamed.name))
    return renamed


def new_token(db: Connection, person: str, kind: Kind, now: int, label: str = "", scope: Scope = "play") -> str:
    """A token by which the person is known. The oldest of the kind make room for it."""
    take_person(db, person)
    token = secrets.token_urlsafe(32)
    same = (tokens.c.person == person, tokens.c.kind == kind)
    newest_first = (tokens.c.created.desc(), tokens.c.handle)
    kept = db.scalars(select(tokens.c.hash).where(*same).order_by(*newest_first).limit(_MOST[kind] - 1)).all()
    db.execute(delete(tokens).where(*same, tokens.c.hash.not_in(kept)))
    db.execute(
        insert(tokens).values(
            hash=hashed(token),
            kind=kind,
            person=person,
            handle=new_id(),
            label=label_of(label),
            created=now,
            expires=now + LIFETIME[kind],
            scope=scope,
        )
    )
    return token


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token[:_LONGEST_TOKEN].encode(errors="replace")).hexdigest()


_WHOSE: Final = (
    select(people.c.id, people.c.name, tokens.c.expires, tokens.c.scope, tokens.c.used)
    .join(tokens, tokens.c.person == people.c.id)
    .where(
        tokens.c.hash == bindparam("hash"), tokens.c.kind == bindparam("kind"), tokens.c.expires > bindparam("now")
    )
)


def person_of(db: Connection, token: str, kind: Kind, now: int) -> tuple[Person | None, bool]:
    """Whose token it is, if it is good; and whether it is to be noted that it was used: of a session once a day, of a
    program's token once an hour."""
    row = db.execute(_WHOSE, {"hash": hashed(token), "kind": kind, "now": now}).first()
    if row is None:
        return None, False
    person = Person(row.id, row.name, row.scope)
    if kind == "api":
        return person, row.used is None or abs(now - row.used) >= _HOUR
    return person, kind == "session" and row.expires < now + LIFETIME[kind] - _DAY


def prolong(db: Connection, token: str, now: int) -> None:
    """The session was used."""
    used = tokens.c.hash == hashed(token)
    db.execute(update(tokens).where(used).values(expires=now + LIFETIME["session"]))


def note_use(db: Connection, token: str, now: int) -> None:
    """A program used its token."""
    db.execute(update(tokens).where(tokens.c.hash == hashed(token)).values(used=now))


def claim_device(db: Connection, token: str, now: int) -> tuple[Person, str]:
    """Whose link it is, and a session for the new device. Good once. Raises BadLink."""
    person, _ = person_of(db, token, "device", now)
    if person is not None:
        take_person(db, person.id)
    # Whoever deletes it has claimed it: of two at once, only one can.
    if person is None or not db.execute(delete(tokens).where(tokens.c.hash == hashed(token))).rowcount:
        raise BadLink("", "This link was used already, or its ten minutes are over. Make a new one.")
    return person, new_token(db, person.id, "session", now)


def end(db: Connection, token: str) -> None:
    """Nobody is known by it any longer."""
    db.execute(delete(tokens).where(tokens.c.hash == hashed(token)))


def sessions(db: Connection, person: str, now: int) -> tuple[SessionInfo, ...]:
    """By which browsers and programs the person is known, the newest first."""
    wanted = (
        select(tokens)
        .where(tokens.c.person == person, tokens.c.kind != "device", tokens.c.expires > now)
        .order_by(tokens.c.created.desc(), tokens.c.handle)
    )
    return tuple(
        SessionInfo(
            row.handle,
            row.kind,
            row.label,
            datetime_of(row.created),
            datetime_of(row.expires),
            row.scope,
            None if row.used is None else datetime_of(row.used),
        )
        for row in db.execute(wanted)
    )


def revoke(db: Connection, person: str, handle: str | None) -> None:
    """Ends one of the person's sessions; None: all of them, programs and links too."""
    take_person(db, person)
    theirs = delete(tokens).where(tokens.c.person == person)
    if handle is None:
        db.execute(theirs)
    elif is_id(handle):
        db.execute(theirs.where(tokens.c.handle == handle))


def count_ending(db: Connection) -> int:
    """Sessions may have been ended. Returns how often that was so."""
    counted: int = db.execute(_COUNT_ENDING).scalar_one()
    return counted


_COUNT_ENDING: Final = update(pulse).values(endings=pulse.c.endings + 1).returning(pulse.c.endings)


def sweep(db: Connection, until: int) -> None:
    """Forgets what had run out by then."""
    # One that somebody is just using goes the next time: nobody waits for anybody here.
    over = select(tokens.c.hash).where(tokens.c.expires <= until).with_for_update(skip_locked=True)
    db.execute(delete(tokens).where(tokens.c.hash.in_(over)))
