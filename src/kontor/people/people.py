"""Guests, and the tokens by which they are recognised: sessions, programs, links to another device.

Of every token only the SHA-256 is stored. The tokens are 256 random bits, so their hashes need no salt, and the time
of a lookup by hash reveals nothing. (Codes that people type are shorter: ``codes``.)
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from kontor.errors import BadLink
from kontor.fair import new_seed
from kontor.people.person_rows import take_person
from kontor.people.texts import label_of, name_of
from kontor.people.values import CONFIRMED_PACES, SCOPES, ConfirmedPace, Person, Scope, SessionInfo
from kontor.storage.errors import StorageFailure
from kontor.storage.ids import is_id, new_id
from kontor.storage.schema import correspondents, people, tokens
from kontor.storage.stored_times import datetime_of, is_to_come
from kontor.storage.transactions import AnyChange, Change, Transactions

Kind = Literal["session", "api", "device", "typed", "recovery", "operator"]
"""Kinds of tokens.

``typed`` is the code beside a link to another device, ``recovery`` the code for people who have no device left, and
``operator`` the one that the operator hands to those who have lost that, too.
"""

_SECOND: Final = 1000
_HOUR: Final = 60 * 60 * _SECOND
_DAY: Final = 24 * _HOUR
SESSION_DAYS: Final = 180
"""Days that a session lasts after its last use: in the database, and as the browser's cookie."""

LIFETIME: Final[dict[Kind, int]] = {
    "session": SESSION_DAYS * _DAY,
    "api": 365 * _DAY,
    "device": 10 * 60 * _SECOND,
    "typed": 10 * 60 * _SECOND,
    "recovery": 100 * 365 * _DAY,
    "operator": 3 * _DAY,
}
"""The lifetime of each kind of token in milliseconds."""

_MOST: Final[dict[Kind, int]] = {"session": 50, "api": 20, "device": 1, "typed": 1, "recovery": 1, "operator": 1}
"""The most tokens of each kind for one person; a new one replaces the oldest."""

_BRIEF: Final[tuple[Kind, ...]] = ("device", "typed", "operator")
"""Kinds that end soon. One whose end is further away than its lifetime was made while the clock was wrong."""

_LONGEST_TOKEN: Final = 100


class People:
    """People, and the tokens by which they are recognised."""

    def __init__(self, transactions: Transactions[Change]) -> None:
        self._transactions = transactions

    def guest(self, name: str) -> tuple[Person, str]:
        """Create a person; return them and a session token for their browser. Raises BadName."""
        with self._transactions.changing() as change:
            person = Person(new_id(), name_of(name))
            new = {"id": person.id, "name": person.name, "created": change.now, "next_seed": new_seed()}
            change.db.execute(insert(people).values(new))
            return person, new_token(change, person.id, "session")

    def rename(self, person: str, name: str) -> Person:
        """Rename the person; at tables where they sit already, they keep the old name. Raises BadName."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            renamed = Person(person, name_of(name))
            change.db.execute(update(people).where(people.c.id == person).values(name=renamed.name))
            return renamed

    # ------------------------------------------------------------------------------------------------- sessions

    def use_session(self, token: str) -> tuple[Person | None, bool]:
        """Return the person of a session token, and whether the session was prolonged just now.

        It ends ``SESSION_DAYS`` after its last use. If that was prolonged, the browser should keep its cookie longer,
        too.
        """
        person, to_prolong = self._look_up(token, "session")
        return person, to_prolong and self._record_use(_prolong, token)

    def holder_of_session(self, token: str) -> Person | None:
        """Return the person of a session token; this is no use of it, and prolongs nothing."""
        return self._look_up(token, "session")[0]

    @property
    def endings(self) -> int:
        """Return how often sessions may have been ended, by this process or, once it has heard of it, by others.

        A cached session has to be looked up again when this has grown, and now and then, for time ends sessions too.
        """
        return self._transactions.endings

    def end_session(self, token: str) -> None:
        """Delete the session's token."""
        with changing_sessions(self._transactions) as change:
            change.db.execute(delete(tokens).where(tokens.c.hash == hash_token(token)))

    def sessions(self, person: str) -> tuple[SessionInfo, ...]:
        """Return the sessions of the person's browsers and programs, newest first."""
        with self._transactions.reading() as db:
            return sessions_of(db, person, self._transactions.now())

    def revoke(self, person: str, session: str) -> None:
        """End one of the person's sessions, by its id."""
        with changing_sessions(self._transactions) as change:
            take_person(change.db, person)
            if is_id(session):
                change.db.execute(delete(tokens).where(tokens.c.person == person, tokens.c.handle == session))

    # ------------------------------------------------------------------------------------- devices and programs

    def device_link(self, person: str) -> str:
        """Return a token that signs the person in on another device.

        It works once, within ten minutes, and only the newest one does.
        """
        with changing_sessions(self._transactions) as change:
            return new_token(change, person, "device")

    def claim_device(self, link: str) -> tuple[Person, str]:
        """Return the owner of the link and a session token for this device; use the link up. Raises BadLink."""
        with changing_sessions(self._transactions) as change:
            person, _ = person_of(change.db, link, "device", change.now)
            if person is not None:
                take_person(change.db, person.id)
            # The transaction that deletes it has claimed it: of two at once, only one can.
            if (
                person is None
                or not change.db.execute(delete(tokens).where(tokens.c.hash == hash_token(link))).rowcount
            ):
                raise BadLink("", "This link was already used or has expired (ten minutes). Create a new one.")
            drop_device(change, person.id)
            return person, new_token(change, person.id, "session")

    def api_token(self, person: str, label: str = "", scopes: Collection[Scope] = SCOPES) -> str:
        """Return a token for a program that acts as the person within the scopes, for a year."""
        with changing_sessions(self._transactions) as change:
            return new_token(change, person, "api", label, scopes)

    def of_api_token(self, token: str) -> Person | None:
        """Return the person as whom a program acts."""
        person, used = self._look_up(token, "api")
        if used:
            self._record_use(_note_use, token)
        return person

    # -------------------------------------------------------------------------------------------------- helpers

    def _look_up(self, token: str, kind: Kind) -> tuple[Person | None, bool]:
        now = self._transactions.now()
        return self._transactions.ask(lambda db: person_of(db, token, kind, now))

    def _record_use(self, note: Callable[[Change, str], None], token: str) -> bool:
        """Record the use of a token; return False if the database can't be written now.

        Then the next use is recorded: people who only look are not kept from it.
        """
        try:
            with self._transactions.changing() as change:
                note(change, token)
        except StorageFailure:
            return False
        return True


@contextmanager
def changing_sessions(transactions: Transactions[AnyChange]) -> Iterator[AnyChange]:
    """Open a transaction that may end sessions, of which other processes hear."""
    with transactions.changing() as change:
        yield change
        change.count_ending()


def new_token(
    change: Change,
    person: str,
    kind: Kind,
    label: str = "",
    scopes: Collection[Scope] = (),
    token: str | None = None,
) -> str:
    """Store a token by which the person is recognised, a new one or the one given, and return it.

    It replaces the oldest of its kind if there are too many.
    """
    take_person(change.db, person)
    token = token or secrets.token_urlsafe(32)
    same = (tokens.c.person == person, tokens.c.kind == kind)
    newest_first = (tokens.c.created.desc(), tokens.c.handle)
    newest = change.db.scalars(
        select(tokens.c.hash).where(*same).order_by(*newest_first).limit(_MOST[kind] - 1)
    ).all()
    change.db.execute(delete(tokens).where(*same, tokens.c.hash.not_in(newest)))
    change.db.execute(
        insert(tokens).values(
            hash=hash_token(token),
            kind=kind,
            person=person,
            handle=new_id(),
            label=label_of(label),
            created=change.now,
            expires=change.now + LIFETIME[kind],
            scopes=" ".join(granted_scopes(scopes)),
        )
    )
    return token


def granted_scopes(scopes: Collection[Scope]) -> tuple[Scope, ...]:
    """Return the scopes that a token gets for those requested: "play" includes "read"."""
    return tuple([scope for scope in SCOPES if scope in scopes or (scope == "read" and "play" in scopes)])


def _scopes_of(stored: str) -> tuple[Scope, ...]:
    words = stored.split()
    return tuple([scope for scope in SCOPES if scope in words])


def confirmed_paces(stored: str) -> tuple[ConfirmedPace, ...]:
    """Return the tables at which a person confirms each move, from their column."""
    words = stored.split()
    return tuple([pace for pace in CONFIRMED_PACES if pace in words])


def drop_device(change: Change, person: str) -> None:
    """Delete the link to another device and the code beside it: if one is used, both are used up."""
    change.db.execute(delete(tokens).where(tokens.c.person == person, tokens.c.kind.in_(("device", "typed"))))


def hash_token(token: str) -> str:
    """Return the digest of a token that is stored."""
    return hashlib.sha256(token[:_LONGEST_TOKEN].encode(errors="replace")).hexdigest()


_UNREAD: Final = (
    select(func.count())
    .where(correspondents.c.person == people.c.id, correspondents.c.unread > 0)
    .correlate(people)
    .scalar_subquery()
)
"""The number of conversations with unread messages. Every page shows it, so the query of the session has it."""

_WHOSE: Final = (
    select(
        *(people.c.id, people.c.name, people.c.confirms),
        *(tokens.c.expires, tokens.c.scopes, tokens.c.used, _UNREAD.label("unread")),
    )
    .join(tokens, tokens.c.person == people.c.id)
    .where(
        tokens.c.hash == bindparam("hash"),
        tokens.c.kind == bindparam("kind"),
        tokens.c.expires > bindparam("now"),
        people.c.suspended.is_(None),
    )
)


def person_of(db: Connection, token: str, kind: Kind, now: int) -> tuple[Person | None, bool]:
    """Return the owner of a valid token, and whether its use is to be recorded.

    The use of a session is recorded once a day, of a program's token once an hour.
    """
    row = db.execute(_WHOSE, {"hash": hash_token(token), "kind": kind, "now": now}).first()
    if row is None or (kind in _BRIEF and not is_to_come(row.expires, now, LIFETIME[kind])):
        return None, False
    if kind == "api":
        person = Person(row.id, row.name, _scopes_of(row.scopes), row.unread)
        return person, row.used is None or abs(now - row.used) >= _HOUR
    is_to_prolong = kind == "session" and row.expires < now + LIFETIME[kind] - _DAY
    return Person(row.id, row.name, unread=row.unread, confirms=confirmed_paces(row.confirms)), is_to_prolong


def _prolong(change: Change, token: str) -> None:
    used = tokens.c.hash == hash_token(token)
    change.db.execute(update(tokens).where(used).values(expires=change.now + LIFETIME["session"]))


def _note_use(change: Change, token: str) -> None:
    change.db.execute(update(tokens).where(tokens.c.hash == hash_token(token)).values(used=change.now))


def sessions_of(db: Connection, person: str, now: int) -> tuple[SessionInfo, ...]:
    """Return the sessions of the person's browsers and programs, newest first."""
    query = (
        select(tokens)
        .where(tokens.c.person == person, tokens.c.kind.in_(("session", "api")), tokens.c.expires > now)
        .order_by(tokens.c.created.desc(), tokens.c.handle)
    )
    return tuple([_session_info(row) for row in db.execute(query)])


def _session_info(row: Row[Any]) -> SessionInfo:
    return SessionInfo(
        row.handle,
        row.kind,
        row.label,
        datetime_of(row.created),
        datetime_of(row.expires),
        _scopes_of(row.scopes),
        None if row.used is None else datetime_of(row.used),
    )


def sweep(db: Connection, until: int) -> None:
    """Delete tokens that had expired by then."""
    # A token that is in use just now is deleted the next time, so that nothing waits here.
    over = select(tokens.c.hash).where(tokens.c.expires <= until).with_for_update(skip_locked=True)
    db.execute(delete(tokens).where(tokens.c.hash.in_(over)))
