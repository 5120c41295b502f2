"""Secrets of the server itself, made when they are first needed; the same in all workers, also after a restart."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from sqlalchemy import Connection, insert, select

from kontor.storage.schema import keys
from kontor.storage.transactions import Change

MakeKey = Callable[[], bytes]


def read_key(db: Connection, name: str) -> bytes | None:
    """Return the key of that name, if there is one yet."""
    key: bytes | None = db.scalar(select(keys.c.secret).where(keys.c.name == name))
    return key


def new_key() -> bytes:
    """Return 32 random bytes."""
    return secrets.token_bytes(32)


def ensure_key(change: Change, name: str, make: MakeKey = new_key) -> bytes:
    """Return the key of that name; make it if there is none."""
    key = read_key(change.db, name)
    if key is None and change.db.dialect.name == "postgresql":
        change.db.exec_driver_sql("LOCK TABLE keys IN EXCLUSIVE MODE")  # if two make it, the second reads it
        key = read_key(change.db, name)
    if key is None:
        key = make()
        change.db.execute(insert(keys).values(name=name, secret=key))
    return key
