"""Codes with which a person signs in without a known browser, or in a browser that accepts no links."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, exists, select, update

from kontor.errors import BadCode
from kontor.people.codes import DEVICE, HANDED_OVER, RECOVERY, new_code, typed_code
from kontor.people.people import Kind, changing_sessions, drop_device, hash_token, new_token, person_of
from kontor.people.person_rows import take_person
from kontor.people.values import Person
from kontor.storage.schema import people, seats, tables, tokens
from kontor.storage.stored_times import maybe_datetime
from kontor.storage.transactions import Change, Transactions

_KINDS: Final[dict[int, Kind]] = {RECOVERY: "recovery", DEVICE: "typed", HANDED_OVER: "operator"}
"""The kind of a code, by its number of letters."""

MOST_WRONG: Final = 10_000
"""Number of wrong codes for another device, typed in one process, after which all valid ones end.

So an attacker with any number of addresses guesses a new code with a probability of one to a hundred million per
worker. The links beside the codes stay valid: nobody can lock anybody out of them.
"""

_THEIR_CODE: Final = exists().where(tokens.c.person == people.c.id, tokens.c.kind == "recovery")
_THEIR_GAME: Final = exists().where(
    seats.c.person == people.c.id, tables.c.id == seats.c.table_id, tables.c.status == "over"
)
_OFFERED: Final = select(people.c.id).where(
    people.c.id == bindparam("person"), ~people.c.code_put_away, ~_THEIR_CODE, _THEIR_GAME
)


class WrongCodes:
    """A counter of wrongly typed codes for another device.

    It counts them all together, since the person meant is unknown. Recovery codes are not counted: they are too long
    to guess. It is in memory, so that guessing causes no writes.
    """

    def __init__(self, transactions: Transactions[Change]) -> None:
        self._transactions = transactions
        self._lock = threading.Lock()
        self._counted = 0

    def count(self, typed: str) -> None:
        """Count a wrong code if it has the length of a device code; at MOST_WRONG, delete all device codes."""
        if _KINDS.get(len(typed_code(typed))) != "typed":
            return
        with self._lock:
            self._counted = (self._counted + 1) % MOST_WRONG
            used_up = self._counted == 0
        if used_up:
            with changing_sessions(self._transactions) as change:
                change.db.execute(delete(tokens).where(tokens.c.kind == "typed"))


class Recovery:
    """Recovery codes and device codes of people."""

    def __init__(self, transactions: Transactions[Change], wrong: WrongCodes) -> None:
        self._transactions = transactions
        self._wrong = wrong

    def new_code(self, person: str) -> str:
        """Return a new recovery code, valid until the next one is made; the previous one ends."""
        return self._new(person, RECOVERY)

    def device_code(self, person: str) -> str:
        """Return a code for another device, valid once and for ten minutes.

        Typed there, it does the same as the newest device link.
        """
        return self._new(person, DEVICE)

    def _new(self, person: str, letters: int) -> str:
        with changing_sessions(self._transactions) as change:
            return store_code(change, person, letters)

    def code_since(self, person: str) -> datetime | None:
        """Return when the person's recovery code was made, or None if they have none."""
        query = select(tokens.c.created).where(tokens.c.person == person, tokens.c.kind == "recovery")
        return maybe_datetime(self._transactions.ask(lambda db: db.scalar(query)))

    def sign_in(self, typed: str) -> tuple[Person, str]:
        """Return the owner of the code, and a session token for their browser. Raises BadCode."""
        try:
            with changing_sessions(self._transactions) as change:
                person = owner_of(change, typed)
                return person, new_token(change, person.id, "session")
        except BadCode:
            self._wrong.count(typed)
            raise

    def is_offered(self, person: str) -> bool:
        """Return True if a recovery code is to be offered to the person.

        It is offered after the first game, until there is one or the person has dismissed the offer.
        """
        return self._transactions.ask(lambda db: db.scalar(_OFFERED, {"person": person})) is not None

    def put_away(self, person: str) -> None:
        """Record that the person has dismissed the offer of a recovery code."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            change.db.execute(update(people).where(people.c.id == person).values(code_put_away=True))


def store_code(change: Change, person: str, letters: int) -> str:
    """Return a new code of so many letters for a person. It ends the one before of the same length."""
    code = new_code(letters)
    new_token(change, person, _KINDS[letters], token=typed_code(code))
    return code


def owner_of(change: Change, typed: str, person: str | None = None) -> Person:
    """Return the owner of the code that was typed, and lock their row. Raises BadCode.

    The row of ``person``, for whom it is asked, is locked as well: until this transaction ends nobody else uses the
    code or makes another.
    """
    code = typed_code(typed)
    kind = _KINDS.get(len(code))
    owner = person_of(change.db, code, kind, change.now)[0] if kind else None
    if owner is not None:
        # Locked in one order: two people who lock each other at once would deadlock otherwise.
        for person_id in sorted({owner.id, person or owner.id}):
            take_person(change.db, person_id)
        query = select(tokens.c.hash).where(tokens.c.hash == hash_token(code)).with_for_update()
        if change.db.execute(query).first() is not None:
            if kind == "typed":
                drop_device(change, owner.id)
            elif kind == "operator":
                change.db.execute(delete(tokens).where(tokens.c.hash == hash_token(code)))
            return owner
    raise BadCode("", "This code is wrong, or no longer valid. Check each letter, or create a new one.")
