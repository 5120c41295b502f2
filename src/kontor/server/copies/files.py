"""The file of a backup: its lines, gzipped. Only its owner can read it, for it holds all that the server holds."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kontor.server.copies.lines import damaged
from kontor.storage.errors import FileThere

_LONGEST: Final = 64 * 1024 * 1024
"""The most bytes of a line. No row is that long; other files must not be read into memory as one line."""

_EFFORT: Final = 6
"""Compression level, of 9."""


def write(path: Path, lines: Iterable[bytes]) -> None:
    """Write the lines to a new file, durably. Raises FileThere, OSError.

    Until all of it is on the disk, the file has a temporary name in the same folder. If anything fails, it is
    deleted.
    """
    if path.exists():
        raise _exists_error(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # with mode 0600
    half = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as raw:
            with gzip.GzipFile("", "wb", _EFFORT, raw) as squeezed:
                for line in lines:
                    squeezed.write(line)
            raw.flush()
            os.fsync(raw.fileno())
        os.link(half, path)  # a rename would overwrite a file made meanwhile
    except FileExistsError as error:
        raise _exists_error(path) from error
    finally:
        half.unlink()
    _keep_name(path.parent)


def _keep_name(folder: Path) -> None:
    """Make the file's name in the folder durable."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _exists_error(path: Path) -> FileThere:
    return FileThere("", "The file {file} already exists: choose another name.", file=path)


def read(path: Path) -> Iterator[bytes]:
    """Yield the lines of the file. Raises BadCopy, OSError."""
    number = 1
    with path.open("rb") as raw, gzip.GzipFile(fileobj=raw) as squeezed:
        try:
            while line := squeezed.readline(_LONGEST):
                yield line
                number += 1
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise damaged(number) from error
