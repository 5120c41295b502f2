"""Ids of people, tables and other things."""

from __future__ import annotations

import base64
import secrets
from typing import Final

from kontor.storage.schema import ID


def new_id() -> str:
    """Return a new random id of 96 bits, which nobody can guess."""
    return base64.b32encode(secrets.token_bytes(12)).decode().rstrip("=").lower()


MOST_SEATS: Final = 100
"""A number of seats that no table reaches."""


def is_id(text: str) -> bool:
    """Return True if the text could be an id. Strangers can send anything, and more than a database accepts."""
    return len(text) == ID and text.isascii() and text.isalnum()


def is_seat(table: str, seat: int) -> bool:
    """Return True if these could be the id of a table and the number of a seat there."""
    return is_id(table) and 0 <= seat < MOST_SEATS
