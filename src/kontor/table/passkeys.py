"""Passkeys: how a person comes back by what their device keeps for them (WebAuthn, by discoverable credentials).

Here is what is kept: public keys, and the challenges that are still to be answered. Whether an answer is right is
checked where the library for it is.
"""

from __future__ import annotations

import secrets
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, text, update

from kontor.game import Value
from kontor.table.errors import BadPasskey, TooMany
from kontor.table.people import ending, hashed, new_token
from kontor.table.rows import datetime_of, is_id, maybe_datetime, new_id, take_person
from kontor.table.schema import challenges, passkeys, people
from kontor.table.stored_times import is_to_come
from kontor.table.texts import label_of
from kontor.table.transactions import Transactions
from kontor.table.values import PasskeyInfo, Person

CHALLENGE_LASTS: Final = 5 * 60 * 1000
"""Milliseconds."""

MOST_PASSKEYS: Final = 10
"""Of one person."""

LONGEST_CREDENTIAL: Final = 1364
"""Letters in base64url: 1023 bytes, the most that a device may give (WebAuthn 3, 4)."""


_MAKE_CHALLENGE: Final = (
    "INSERT INTO challenges (hash, challenge, person, expires) VALUES (:hash, :challenge, :person, :expires) "
    "ON CONFLICT (hash) DO UPDATE SET challenge = :challenge, person = :person, expires = :expires"
)


class Credential(Value, frozen=True):
    """What is kept of a passkey: its id in base64url, the public key, how often it has signed, and as whom the device
    knows its person (the user handle)."""

    id: str
    key: bytes
    counter: int
    user_handle: str


class Passkeys:
    """Of the people of a server."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    # ------------------------------------------------------------------------------------------------- challenges

    def new_challenge(self, holder: str, person: str | None = None) -> bytes:
        """What a passkey is to sign, for whoever holds the token: the ``person`` who adds one, or somebody who wants
        to come back. The one before is good no more."""
        challenge = secrets.token_bytes(32)
        with self._transactions.changing() as change:
            new = {"hash": hashed(holder), "challenge": challenge, "person": person}
            change.db.execute(text(_MAKE_CHALLENGE), {**new, "expires": change.now + CHALLENGE_LASTS})
        return challenge

    def take_challenge(self, holder: str, person: str | None = None) -> bytes:
        """The one that was made for them. It is used up by this, whether the answer is right or not. Raises
        BadPasskey."""
        with self._transactions.changing() as change:
            row = change.db.execute(select(challenges).where(challenges.c.hash == hashed(holder))).first()
            # Whoever deletes it has taken it: of two at once, only one can.
            taken = change.db.execute(delete(challenges).where(challenges.c.hash == hashed(holder))).rowcount
            good = (
                row is not None
                and taken
                and is_to_come(row.expires, change.now, CHALLENGE_LASTS)
                and row.person == person
            )
        if not good or row is None:
            raise bad_passkey()
        challenge: bytes = row.challenge
        return challenge

    # ------------------------------------------------------------------------------------------------ for a person

    def of(self, person: str) -> tuple[PasskeyInfo, ...]:
        """The passkeys of a person, the newest first."""
        with self._transactions.reading() as db:
            return passkeys_of(db, person)

    def known(self, person: str) -> tuple[str, ...]:
        """Ids of their credentials: no device needs two."""
        theirs = select(passkeys.c.credential).where(passkeys.c.person == person)
        return self._transactions.ask(lambda db: tuple(db.scalars(theirs)))

    def add(self, person: str, name: str, credential: Credential) -> None:
        """One more, which has proved what it should. Raises BadText, TooMany, BadPasskey where it is known."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            theirs = select(func.count()).where(passkeys.c.person == person)
            if (change.db.scalar(theirs) or 0) >= MOST_PASSKEYS:
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
        """It brings nobody back any more."""
        with self._transactions.changing() as change:
            if is_id(handle):
                change.db.execute(delete(passkeys).where(passkeys.c.person == person, passkeys.c.handle == handle))

    # -------------------------------------------------------------------------------------------------- coming back

    def credential(self, id_: str) -> Credential:
        """The credential that a device has named. Raises BadPasskey."""
        wanted = select(passkeys.c.credential, passkeys.c.key, passkeys.c.counter, passkeys.c.user_handle).where(
            passkeys.c.credential == id_[:LONGEST_CREDENTIAL]
        )
        row = self._transactions.ask(lambda db: db.execute(wanted).first())
        if row is None:
            raise bad_passkey()
        return Credential(*row)

    def sign_in(self, credential: Credential, counter: int) -> tuple[Person, str]:
        """Whose it is, and a session token for their browser, once it has signed what it should and has counted so
        far. Raises BadPasskey."""
        this = (passkeys.c.credential == credential.id, passkeys.c.counter == credential.counter)
        owner = (
            select(people.c.id, people.c.name)
            .join(passkeys, passkeys.c.person == people.c.id)
            .where(*this, people.c.suspended.is_(None), people.c.left.is_(None))
        )
        with ending(self._transactions) as change:
            row = change.db.execute(owner).first()
            if row is not None:
                take_person(change.db, row.id)
                # A copy of the same passkey that signs at the same moment finds another count.
                used = update(passkeys).where(*this, passkeys.c.person == row.id)
                if change.db.execute(used.values(counter=counter, used=change.now)).rowcount:
                    return Person(row.id, row.name), new_token(change, row.id, "session")
        raise bad_passkey()


def bad_passkey() -> BadPasskey:
    """Why it was not taken is told to nobody."""
    return BadPasskey("", "This passkey was not accepted here. Try again, or use a code.")


def passkeys_of(db: Connection, person: str) -> tuple[PasskeyInfo, ...]:
    """The passkeys of a person, the newest first."""
    wanted = select(passkeys.c.handle, passkeys.c.name, passkeys.c.created, passkeys.c.used)
    rows = db.execute(
        wanted.where(passkeys.c.person == person).order_by(passkeys.c.created.desc(), passkeys.c.handle)
    )
    return tuple(
        [PasskeyInfo(row.handle, row.name, datetime_of(row.created), maybe_datetime(row.used)) for row in rows]
    )


def sweep(db: Connection, until: int) -> None:
    """Forgets challenges that had run out by then."""
    over = select(challenges.c.hash).where(challenges.c.expires <= until).with_for_update(skip_locked=True)
    db.execute(delete(challenges).where(challenges.c.hash.in_(over)))
