"""Connections go to the process that has their table.

Processes that serve a house share the socket on which they listen, so anybody's connection comes to any of them. All
could answer; but a table that one of them has in memory, with the streams of all who look at it, need not be read,
folded and drawn in each. So each table has its process, by its id, and a connection whose next request is about a
table is handed to that: the open file, with what was read of it. The peer does not notice. Where that process is
gone, or has no room, whoever has the connection answers.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import re
import socket
import tempfile
from collections.abc import Callable
from typing import Final
from zlib import crc32

from kontor.game import Value
from kontor.tubes import MOST, Ends, Tube, Tubes

_ABOUT: Final = re.compile(rb"[A-Z]+ (?:/api)?/tables/([a-z2-7]+)[/? ]")
"""The first line of a request about a table."""

_AT_ONCE: Final = 16
"""Connections that are taken over before others have their turn."""


class Doorway(Value, frozen=True):
    """What a process is told of the doors: the tubes, and the file descriptor where it is noted who is there."""

    ends: Ends
    present: int

    @property
    def files(self) -> tuple[int, ...]:
        """What the process must inherit."""
        return (self.present, *self.ends.files)


class Doors:
    """Those of so many processes, for whoever begins them."""

    def __init__(self, number: int) -> None:
        self._tubes = Tubes(number)
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the processes are)
        self._file.truncate(number)
        self._present = mmap.mmap(self._file.fileno(), number)

    def doorway(self, place: int) -> Doorway:
        """That of one process, from 0."""
        return Doorway(self._tubes.ends(place), self._file.fileno())

    def gone(self, place: int) -> None:
        """The process there has died. What others hand over waits for the next."""
        self._present[place] = 0

    def close(self) -> None:
        """The processes have ended."""
        self._tubes.close()
        self._present.close()
        self._file.close()


Taken = Callable[[socket.socket, bytes], None]


class Door:
    """One process's own. All calls come from its event loop."""

    def __init__(self, doorway: Doorway) -> None:
        """Takes over the files."""
        self._tube = Tube(doorway.ends)
        with os.fdopen(doorway.present, "r+b") as file:
            self._present = mmap.mmap(file.fileno(), len(self._tube.places))

    def open(self, taken: Taken) -> None:
        """From now on others hand over what is ours: ``taken(connection, data)`` with what was read of it already."""
        asyncio.get_running_loop().add_reader(self._tube, self._take, taken)
        self._present[self._tube.place] = 1

    def shut(self) -> None:
        """Others keep what they have."""
        self._present[self._tube.place] = 0

    def pass_on(self, connection: int, data: bytes) -> bool:
        """Whether a connection (a file descriptor), of which some bytes were read, belongs to another and was handed
        over. If so, it is to be closed here."""
        asked = _ABOUT.match(data)
        if asked is None or len(data) > MOST:
            return False
        place = crc32(asked[1]) % len(self._tube.places)
        if place == self._tube.place or not self._present[place]:
            return False
        return self._tube.put(place, data, [connection])

    def _take(self, taken: Taken) -> None:
        for _ in range(_AT_ONCE):
            given = self._tube.take()
            if given is None:
                return
            data, files = given
            for file in files:
                taken(socket.socket(fileno=file), data)
