"""The file of a backup: its lines, gzipped. It is readable by its owner alone, for it holds what the server holds."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kontor.table.copies.lines import damaged
from kontor.table.errors import FileThere

_LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a line. No row is that long, and a file of something else need not be read into memory."""

_EFFORT: Final = 6
"""Of 9, at squeezing."""


def write(path: Path, lines: Iterable[bytes]) -> None:
    """The file is there when all of it is on the disk; until then it has another name beside, and goes if anything
    goes wrong. Raises FileThere, OSError."""
    if path.exists():
        raise _there(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # with the rights 0600
    half = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as raw:
            with gzip.GzipFile("", "wb", _EFFORT, raw) as squeezed:
                for line in lines:
                    squeezed.write(line)
            raw.flush()
            os.fsync(raw.fileno())
        os.link(half, path)  # renaming would overwrite what somebody else has put there meanwhile
    except FileExistsError as error:
        raise _there(path) from error
    finally:
        half.unlink()
    _keep_name(path.parent)


def _keep_name(folder: Path) -> None:
    """That the file is called so is on the disk, too."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _there(path: Path) -> FileThere:
    return FileThere("", "The file {file} already exists: choose another name.", file=path)


def read(path: Path) -> Iterator[bytes]:
    """The lines of the file. Raises BadCopy, OSError."""
    number = 1
    with path.open("rb") as raw, gzip.GzipFile(fileobj=raw) as squeezed:
        try:
            while line := squeezed.readline(_LONGEST):
                yield line
                number += 1
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise damaged(number) from error
