"""Sign-in by mail: a code is sent to the confirmed address of a person, and typed.

Nobody learns whether an address belongs to anybody here.

A code is six digits, valid for ten minutes and five tries. After five wrong ones there is no new one before the ten
minutes are over. With five codes an hour (``mailboxes``), an attacker has 600 tries a day at one person, of a
million.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Row, select, update

from kontor.errors import BadCode
from kontor.notifying import mail_codes, mailboxes
from kontor.notifying.mailboxes import normalise_address
from kontor.notifying.ways import LetterOf, is_address
from kontor.people.people import changing_sessions, new_token
from kontor.people.person_rows import take_person
from kontor.people.values import Person
from kontor.storage.schema import mail_addresses, people
from kontor.tables.transactions import TableChange, TableTransactions

_PAUSE: Final = 60 * 1000
"""Milliseconds between two mails to an address."""

_OWNER: Final = (
    select(mail_addresses, people.c.name)
    .join(people, people.c.id == mail_addresses.c.person)
    .where(people.c.suspended.is_(None))
)


class MailSignIn:
    """Sign-in with codes sent by mail."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def send_code(self, address: str, letter: LetterOf) -> None:
        """Send a code to the address, in the mail ``letter(address, code)``, if it belongs to a person.

        Nothing is sent if the last mail is less than a minute old, or five were sent within the hour. The caller
        can't learn which of these it was, nor from how long it took.
        """
        with self._transactions.changing() as change:
            row = _owner(change, address)
            if row is None:
                return
            last = row.expires - mail_codes.CODE_LASTS
            used_up = row.tries >= mail_codes.MOST_TRIES and mail_codes.is_good(row, change.now)
            if used_up or 0 <= change.now - last < _PAUSE:
                return
            code = mail_codes.new_mail_code()
            if mailboxes.send_code(change, letter(row.address, code)):  # otherwise the last one stays valid
                sent = mail_codes.columns_of(code, change.now)
                change.db.execute(update(mail_addresses).where(_of(row)).values(**sent))

    def sign_in(self, address: str, typed: str) -> tuple[Person, str]:
        """Return the owner of the address and a session token for their browser, if the code is right.

        Raises BadCode.
        """
        with changing_sessions(self._transactions) as change:
            row = _owner(change, address)
            if row is not None and mail_codes.is_open(row, change.now):
                if mail_codes.is_right(row, typed, change.now):
                    change.db.execute(update(mail_addresses).where(_of(row)).values(code=None))
                    return Person(row.person, row.name), new_token(change, row.person, "session")
                change.db.execute(update(mail_addresses).where(_of(row)).values(tries=row.tries + 1))
        raise BadCode("", mail_codes.WRONG_CODE)


def _owner(change: TableChange, address: str) -> Row[Any] | None:
    """Return the owner of a confirmed address, with the person's row locked.

    Of two requests at once, the second sees the tries of the first.
    """
    if not is_address(address):
        return None
    query = _OWNER.where(mail_addresses.c.owned == normalise_address(address))
    row = change.db.execute(query).first()
    if row is None:
        return None
    take_person(change.db, row.person)
    return change.db.execute(query).first()


def _of(row: Row[Any]) -> Any:
    return mail_addresses.c.person == row.person
