"""The files of a folder's database: checks that they are still the opened ones, and what is left without them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kontor.storage.errors import DatabaseMoved, NoDatabase

DATABASE: Final = "kontor.db"
NEW: Final = f"{DATABASE}.new"
"""Name of a database that is being made, until it is complete."""

TALLY: Final = "kontor.tally"
"""The name of the file that counts the commits: see ``tally``."""

_BESIDE: Final = ("-wal", "-shm")
"""Endings of the files that SQLite keeps beside the database as long as it is open."""

_BACKUPS: Final = "*.kontor"

Identity = tuple[int, int]
"""The device and the inode of a file."""


class OpenFiles:
    """The files that a connection has open, known by their identities."""

    def __init__(self, database: Path) -> None:
        """Store the identities of the files of an open database. Raises OSError."""
        names = [str(database), *(f"{database}{end}" for end in _BESIDE)]
        self._opened = {name: identity_of(Path(name)) for name in names}

    def check(self) -> None:
        """Raise DatabaseMoved if a file is missing, or another one is in its place.

        Otherwise writes would be lost with the last process that has the old file open.
        """
        for name, opened in self._opened.items():
            try:
                present = identity_of(Path(name))
            except OSError as error:
                raise _moved() from error
            if present != opened:
                raise _moved()


def identity_of(file: Path) -> Identity:
    """Return the identity of a file. Raises OSError."""
    status = file.stat()
    return status.st_dev, status.st_ino


def _moved() -> DatabaseMoved:
    return DatabaseMoved(
        "", "The server’s database is not in its place. Nothing was changed; the operator must put it back."
    )


def leftovers(folder: Path) -> list[Path]:
    """Return the files that show that a folder without a database had one: of SQLite, backups, and the tally."""
    files = [file for file in folder.glob(f"{DATABASE}?*") if not file.name.startswith(NEW)]
    return sorted([*files, *folder.glob(_BACKUPS), *folder.glob(TALLY)])


def check_no_leftovers(folder: Path) -> None:
    """Raise NoDatabase if a folder without a database had one."""
    names = ", ".join(file.name for file in leftovers(folder))
    if names:
        raise NoDatabase(
            "",
            "The folder {folder} has no database {database}, but files of an earlier server: {files}. Put the "
            "database back, restore a backup (kontor restore), or start an empty server with kontor serve "
            "--start-empty.",
            folder=folder,
            database=DATABASE,
            files=names,
        )


def set_aside(folder: Path) -> None:
    """Rename the files of SQLite that have lost their database. Raises OSError.

    SQLite would take them for part of a new database.
    """
    for file in leftovers(folder):
        if file.name.startswith(f"{DATABASE}-"):
            file.rename(_free_name(file))


def _free_name(file: Path) -> Path:
    number = 1
    while (free := file.with_name(f"{DATABASE}.left{number}{file.name.removeprefix(DATABASE)}")).exists():
        number += 1
    return free
