"""Passkeys: sign-in with a key that the person's device keeps (WebAuthn, with discoverable credentials).

This module stores public keys and the challenges that are still to be signed. The module that uses the WebAuthn
library checks the responses.
"""

from __future__ import annotations

import secrets
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, text, update

from kontor.accounts.values import PasskeyInfo
from kontor.errors import BadPasskey, TooMany
from kontor.game import Value
from kontor.people.people import changing_sessions, hash_token, new_token
from kontor.people.person_rows import take_person
from kontor.people.texts import label_of
from kontor.people.values import Person
from kontor.storage.ids import is_id, new_id
from kontor.storage.schema import challenges, passkeys, people
from kontor.storage.stored_times import datetime_of, is_to_come, maybe_datetime
from kontor.storage.transactions import Change, Transactions

CHALLENGE_LASTS: Final = 5 * 60 * 1000
"""Milliseconds for which a challenge can be signed."""

MOST_PASSKEYS: Final = 10
"""The most passkeys of one person."""

LONGEST_CREDENTIAL: Final = 1364
"""The most letters of a credential id in base64url: 1023 bytes, the most that a device may give (WebAuthn 3, 4)."""


_MAKE_CHALLENGE: Final = (
    "INSERT INTO challenges (hash, challenge, person, expires) VALUES (:hash, :challenge, :person, :expires) "
    "ON CONFLICT (hash) DO UPDATE SET challenge = :challenge, person = :person, expires = :expires"
)


class Credential(Value, frozen=True):
    """The stored parts of a passkey.

    They are its id in base64url, the public key, its signature counter, and the user handle by which the device knows
    its person.
    """

    id: str
    key: bytes
    counter: int
    user_handle: str


class Passkeys:
    """The passkeys of the people of a server."""

    def __init__(self, transactions: Transactions[Change]) -> None:
        self._transactions = transactions

    # ------------------------------------------------------------------------------------------------- challenges

    def new_challenge(self, holder: str, person: str | None = None) -> bytes:
        """Return a new challenge for the holder of a token, in place of the one before.

        It is for the ``person`` who adds a passkey, or, with None, for somebody who wants to sign in.
        """
        challenge = secrets.token_bytes(32)
        with self._transactions.changing() as change:
            new = {"hash": hash_token(holder), "challenge": challenge, "person": person}
            change.db.execute(text(_MAKE_CHALLENGE), {**new, "expires": change.now + CHALLENGE_LASTS})
        return challenge

    def take_challenge(self, holder: str, person: str | None = None) -> bytes:
        """Return the holder's challenge and delete it, even if the response is wrong. Raises BadPasskey."""
        with self._transactions.changing() as change:
            row = change.db.execute(select(challenges).where(challenges.c.hash == hash_token(holder))).first()
            # The transaction that deletes it has it: of two at once, only one can.
            deleted = change.db.execute(delete(challenges).where(challenges.c.hash == hash_token(holder))).rowcount
            good = (
                row is not None
                and deleted
                and is_to_come(row.expires, change.now, CHALLENGE_LASTS)
                and row.person == person
            )
        if not good or row is None:
            raise bad_passkey()
        challenge: bytes = row.challenge
        return challenge

    # ------------------------------------------------------------------------------------------------ for a person

    def of(self, person: str) -> tuple[PasskeyInfo, ...]:
        """Return the passkeys of a person, newest first."""
        with self._transactions.reading() as db:
            return passkeys_of(db, person)

    def credential_ids(self, person: str) -> tuple[str, ...]:
        """Return the ids of a person's credentials: no device needs two."""
        query = select(passkeys.c.credential).where(passkeys.c.person == person)
        return self._transactions.ask(lambda db: tuple(db.scalars(query)))

    def add(self, person: str, name: str, credential: Credential) -> None:
        """Add a passkey whose proof was checked. Raises BadText, TooMany, and BadPasskey if it is known already."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            query = select(func.count()).where(passkeys.c.person == person)
            if (change.db.scalar(query) or 0) >= MOST_PASSKEYS:
                raise TooMany("", "You can have at most {most} passkeys: remove one first.", most=MOST_PASSKEYS)
            if change.db.scalar(select(passkeys.c.handle).where(passkeys.c.credential == credential.id)) is not None:
                raise bad_passkey()
            change.db.execute(
                insert(passkeys).values(
                    handle=new_id(),
                    person=person,
                    user_handle=credential.user_handle,
                    credential=credential.id,
                    key=credential.key,
                    counter=credential.counter,
                    name=label_of(name),
                    created=change.now,
                )
            )

    def remove(self, person: str, handle: str) -> None:
        """Delete a passkey."""
        with self._transactions.changing() as change:
            if is_id(handle):
                change.db.execute(delete(passkeys).where(passkeys.c.person == person, passkeys.c.handle == handle))

    # ------------------------------------------------------------------------------------------------- signing in

    def credential(self, id_: str) -> Credential:
        """Return the credential that a device has named. Raises BadPasskey."""
        query = select(passkeys.c.credential, passkeys.c.key, passkeys.c.counter, passkeys.c.user_handle).where(
            passkeys.c.credential == id_[:LONGEST_CREDENTIAL]
        )
        row = self._transactions.ask(lambda db: db.execute(query).first())
        if row is None:
            raise bad_passkey()
        return Credential(*row)

    def sign_in(self, credential: Credential, counter: int) -> tuple[Person, str]:
        """Return the owner and a session token for their browser, after a signature that was checked.

        ``counter`` is the passkey's new signature counter. Raises BadPasskey.
        """
        is_credential = (passkeys.c.credential == credential.id, passkeys.c.counter == credential.counter)
        owner = (
            select(people.c.id, people.c.name)
            .join(passkeys, passkeys.c.person == people.c.id)
            .where(*is_credential, people.c.suspended.is_(None), people.c.left.is_(None))
        )
        with changing_sessions(self._transactions) as change:
            row = change.db.execute(owner).first()
            if row is not None:
                take_person(change.db, row.id)
                # A copy of the same passkey that signs at the same moment finds another counter.
                used = update(passkeys).where(*is_credential, passkeys.c.person == row.id)
                if change.db.execute(used.values(counter=counter, used=change.now)).rowcount:
                    return Person(row.id, row.name), new_token(change, row.id, "session")
        raise bad_passkey()


def bad_passkey() -> BadPasskey:
    """Return the refusal of a passkey; it tells nobody the reason."""
    return BadPasskey("", "This passkey was not accepted here. Try again, or use a code.")


def passkeys_of(db: Connection, person: str) -> tuple[PasskeyInfo, ...]:
    """Return the passkeys of a person, newest first."""
    query = select(passkeys.c.handle, passkeys.c.name, passkeys.c.created, passkeys.c.used)
    rows = db.execute(query.where(passkeys.c.person == person).order_by(passkeys.c.created.desc(), passkeys.c.handle))
    return tuple(
        [PasskeyInfo(row.handle, row.name, datetime_of(row.created), maybe_datetime(row.used)) for row in rows]
    )


def sweep(db: Connection, until: int) -> None:
    """Delete challenges that had expired by then."""
    over = select(challenges.c.hash).where(challenges.c.expires <= until).with_for_update(skip_locked=True)
    db.execute(delete(challenges).where(challenges.c.hash.in_(over)))
