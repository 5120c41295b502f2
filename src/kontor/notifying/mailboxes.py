"""Limit of codes for a mailbox: at most five are sent there in an hour, by all requests together.

Anybody can give the address of a stranger. A mailbox is stored only as a keyed hash, for about a day. The sender of a
request never learns whether a code was sent, and so nothing about the requests of others.
"""

from __future__ import annotations

import hmac
from typing import Final

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from kontor.storage.schema import mailboxes
from kontor.storage.server_keys import ensure_key
from kontor.tables import enqueuing
from kontor.tables.transactions import TableChange
from kontor.tables.values import Mail

MOST_CODES: Final = 5
"""The most codes to one mailbox in an hour."""

_HOUR: Final = 60 * 60 * 1000

_KEY: Final = "mailboxes"

_TIMES: Final = msgspec.json.Decoder(tuple[int, ...])


def normalise_address(address: str) -> str:
    """Return the address in the form in which addresses are compared: they do not differ in case alone."""
    return address.strip().lower()


def send_code(change: TableChange, mail: Mail) -> bool:
    """Put a mail with a code into the outbox and return True, unless its mailbox has had enough of them."""
    if not _is_room(change, mail.to):
        return False
    enqueuing.note_mail(change, mail)
    return True


def sweep(change: TableChange, until: int) -> None:
    """Delete mailboxes for which nobody has asked for a code since then."""
    old = select(mailboxes.c.hash).where(mailboxes.c.requested <= until).with_for_update(skip_locked=True)
    change.db.execute(delete(mailboxes).where(mailboxes.c.hash.in_(old)))


def _is_room(change: TableChange, address: str) -> bool:
    """Count one more code for the mailbox of the address and return True, unless it has had enough of them."""
    insert = postgresql.insert if change.db.dialect.name == "postgresql" else sqlite.insert
    mailbox = _hash(ensure_key(change, _KEY), address)
    first = insert(mailboxes).values(hash=mailbox, sent="[]", requested=change.now)
    # This locks an existing row too: of two at once, the second counts what the first has sent.
    statement = first.on_conflict_do_update(index_elements=["hash"], set_={"requested": change.now})
    sent = _TIMES.decode(change.db.scalars(statement.returning(mailboxes.c.sent)).one())
    lately = [time for time in sent if abs(change.now - time) < _HOUR]  # also later ones, by a clock then ahead
    if len(lately) >= MOST_CODES:
        return False
    times = msgspec.json.encode([*lately, change.now]).decode()
    change.db.execute(update(mailboxes).where(mailboxes.c.hash == mailbox).values(sent=times))
    return True


def _hash(key: bytes, address: str) -> str:
    return hmac.digest(key, _mailbox_of(address).encode(), "sha256").hex()


def _mailbox_of(address: str) -> str:
    """Return the string that stands for the address's mailbox.

    Many providers ignore dots, and all that follows a plus sign. At one that does not, some people share a limit.
    """
    local, _, domain = normalise_address(address).rpartition("@")
    plain = local.partition("+")[0].replace(".", "")
    return f"{plain or local}@{domain}"
