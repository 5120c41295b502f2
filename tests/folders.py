"""Folders that already hold a server's database: all migrations run once, and each test copies the result.

How a database is made is for ``storage/test_storage.py``, whose folders are empty at first.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from kontor.storage.sqlite import DATABASE, Folder


def with_database(folder: Path) -> Path:
    """Return the folder, with a new database where there is none yet."""
    database = folder / DATABASE
    if not database.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        database.touch(0o600)
        database.write_bytes(_new_database())
    return folder


@cache
def _new_database() -> bytes:
    with TemporaryDirectory() as made:
        Folder(Path(made)).close()
        return Path(made, DATABASE).read_bytes()
