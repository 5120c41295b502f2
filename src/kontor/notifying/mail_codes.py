"""Codes sent to a mailbox: six digits, valid for ten minutes and five tries.

They prove who owns a mail address, when a person claims it and when they sign in with it.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Any, Final

from sqlalchemy import Row

from kontor.people.people import hash_token
from kontor.storage.stored_times import is_to_come
from kontor.words import mark

CODE_LASTS: Final = 10 * 60 * 1000
"""Milliseconds in which a code can be typed after it was sent."""

MOST_TRIES: Final = 5
"""Wrong codes after which a new one has to be requested."""

WRONG_CODE: Final = mark("This is not the code, or it is older than ten minutes. Have a new one sent.")


def new_mail_code() -> str:
    """Return six random digits, as they stand in a mail."""
    return f"{secrets.randbelow(10**6):06}"


def columns_of(code: str, now: int) -> dict[str, Any]:
    """Return the columns of ``mail_addresses`` for a code that is sent now."""
    return {"code": hash_token(code), "expires": now + CODE_LASTS, "tries": 0}


def is_open(address: Row[Any], now: int) -> bool:
    """Return True if a code that was sent to the address can still be typed."""
    return address.code is not None and address.tries < MOST_TRIES and is_good(address, now)


def is_good(address: Row[Any], now: int) -> bool:
    """Return True if a code that was sent to the address has not expired."""
    return is_to_come(address.expires, now, CODE_LASTS)


def is_right(address: Row[Any], typed: str, now: int) -> bool:
    """Return True if the typed code is the one sent to the address, and still valid; spaces do not matter."""
    return is_open(address, now) and hmac.compare_digest(address.code, hash_token("".join(typed.split())))
