"""Where a house is copied from: its database is only read, while people may be playing in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from kontor.table.errors import NoHouse
from kontor.table.storage import DATABASE, prepare, why

_READING: Final = ("PRAGMA query_only=ON",)


@contextmanager
def one_moment(folder: Path) -> Iterator[Connection]:
    """A transaction that sees the house of the folder as it is now, and in which nothing can be written.

    The file is opened for reading alone. So this connection can never move pages from SQLite's log into the database,
    not even when it is closed: that is the one thing that a second process must not do (:mod:`kontor.table.storage`).

    Raises NoHouse, CannotOpen.
    """
    file = folder / DATABASE
    if not file.is_file():
        raise NoHouse("", "There is no house in {place}.", place=folder)
    address = f"{file.absolute().as_uri()}?mode=ro"
    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(address, uri=True, check_same_thread=False),
        poolclass=NullPool,
        hide_parameters=True,
    )
    prepare(engine, "BEGIN", *_READING)
    try:
        with engine.begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise why(file, error) from error
    finally:
        engine.dispose()
