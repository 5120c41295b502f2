"""How a person comes back who has no browser left that knows them, or comes to one that takes no links: by a code
that they type.
"""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, exists, select, update

from kontor.table.changes import Change
from kontor.table.codes import DEVICE, RECOVERY, new_code, typed_code
from kontor.table.errors import BadCode
from kontor.table.people import Kind, drop_device, ending, hashed, new_token, person_of
from kontor.table.rows import maybe_datetime, take_person
from kontor.table.schema import people, seats, tables, tokens
from kontor.table.transactions import Transactions
from kontor.table.values import Person

_KINDS: Final[dict[int, Kind]] = {RECOVERY: "recovery", DEVICE: "typed"}
"""By how many letters a code has."""

MOST_WRONG: Final = 10_000
"""Codes for another device that are typed wrong in one process, until all that are good end. So whoever has ever so
many addresses finds one that somebody has just made with a chance of one to a hundred million for each worker. The
links beside the codes stay good: nobody can keep anybody from them."""

_THEIR_CODE: Final = exists().where(tokens.c.person == people.c.id, tokens.c.kind == "recovery")
_THEIR_GAME: Final = exists().where(
    seats.c.person == people.c.id, tables.c.id == seats.c.table_id, tables.c.status == "over"
)
_OFFERED: Final = select(people.c.id).where(
    people.c.id == bindparam("person"), ~people.c.code_put_away, ~_THEIR_CODE, _THEIR_GAME
)


class WrongCodes:
    """Counts codes for another device that were typed wrong: nobody knows which was meant, so all together. (Nobody
    tries recovery codes, which are too long.) In memory, so that whoever guesses writes nothing.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._lock = threading.Lock()
        self._counted = 0

    def count(self, typed: str) -> None:
        """One more, if it could have been one."""
        if _KINDS.get(len(typed_code(typed))) != "typed":
            return
        with self._lock:
            self._counted = (self._counted + 1) % MOST_WRONG
            used_up = self._counted == 0
        if used_up:
            with ending(self._transactions) as change:
                change.db.execute(delete(tokens).where(tokens.c.kind == "typed"))


class Recovery:
    """Codes of people, for themselves."""

    def __init__(self, transactions: Transactions, wrong: WrongCodes) -> None:
        self._transactions = transactions
        self._wrong = wrong

    def new_code(self, person: str) -> str:
        """A recovery code, which is good until there is another. The one before is good for nothing any more."""
        return self._new(person, RECOVERY)

    def device_code(self, person: str) -> str:
        """What brings the person to another device as the newest device link does, where it is typed: once, within
        ten minutes.
        """
        return self._new(person, DEVICE)

    def _new(self, person: str, letters: int) -> str:
        code = new_code(letters)
        with ending(self._transactions) as change:
            new_token(change, person, _KINDS[letters], token=typed_code(code))
        return code

    def code_since(self, person: str) -> datetime | None:
        """When the person was given their recovery code, if they have one."""
        wanted = select(tokens.c.created).where(tokens.c.person == person, tokens.c.kind == "recovery")
        return maybe_datetime(self._transactions.ask(lambda db: db.scalar(wanted)))

    def sign_in(self, typed: str) -> tuple[Person, str]:
        """Whose code it is, and a session token for their browser. Raises BadCode."""
        try:
            with ending(self._transactions) as change:
                person = owner_of(change, typed)
                return person, new_token(change, person.id, "session")
        except BadCode:
            self._wrong.count(typed)
            raise

    def is_offered(self, person: str) -> bool:
        """Whether a recovery code is to be offered: after the first game, until there is one or the person has
        put the offer away.
        """
        return self._transactions.ask(lambda db: db.scalar(_OFFERED, {"person": person})) is not None

    def put_away(self, person: str) -> None:
        """The person does not want to be offered a recovery code any more."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            change.db.execute(update(people).where(people.c.id == person).values(code_put_away=True))


def owner_of(change: Change, typed: str, person: str | None = None) -> Person:
    """Whose code was typed. They are taken, and with them the ``person`` for whom it is asked: until this transaction
    ends nobody else uses the code, or makes another. Raises BadCode.
    """
    code = typed_code(typed)
    kind = _KINDS.get(len(code))
    owner = person_of(change.db, code, kind, change.now)[0] if kind else None
    if owner is not None:
        # Two who take each other at once do so in one order, or each would wait for the other.
        for taken in sorted({owner.id, person or owner.id}):
            take_person(change.db, taken)
        still_there = select(tokens.c.hash).where(tokens.c.hash == hashed(code)).with_for_update()
        if change.db.execute(still_there).first() is not None:
            if kind == "typed":
                drop_device(change, owner.id)
            return owner
    raise BadCode("", "This code is wrong, or no longer valid. Check each letter, or create a new one.")
