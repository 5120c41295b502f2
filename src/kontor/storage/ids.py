"""Ids of people, tables and other things."""

from __future__ import annotations

import base64
import secrets

from kontor.storage.schema import ID


def new_id() -> str:
    """Return a new random id of 96 bits, which nobody can guess."""
    return base64.b32encode(secrets.token_bytes(12)).decode().rstrip("=").lower()


def is_id(text: str) -> bool:
    """Return True if the text could be an id. Strangers can send anything, and more than a database accepts."""
    return len(text) == ID and text.isascii() and text.isalnum()
