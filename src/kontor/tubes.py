"""Tubes between processes of one machine: each has an inbox, and the others put messages into it, with an open file
if they like.

Whoever begins the processes makes the tubes and keeps them. So what is in the inbox of one that dies waits for the
one that takes its place. Nobody waits for room: what does not fit is not sent.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Final

from kontor.game import Value

MOST: Final = 64 * 1024
"""Bytes of a message."""


class Ends(Value, frozen=True):
    """What a process is told of the tubes: its number, and file descriptors of its inbox, and of the way into each
    inbox, its own among them."""

    place: int
    inbox: int
    ways: tuple[int, ...]

    @property
    def files(self) -> tuple[int, ...]:
        """What the process must inherit."""
        return (self.inbox, *self.ways)


class Tubes:
    """Those of so many processes, for whoever begins them."""

    def __init__(self, number: int) -> None:
        # Of a pair, unlike of a socket with a name, the line of messages may be as long as there is memory for.
        self._pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(number)]

    def ends(self, place: int) -> Ends:
        """Those of one process, from 0."""
        return Ends(place, self._pairs[place][0].fileno(), tuple([way.fileno() for _, way in self._pairs]))

    def close(self) -> None:
        """For whoever has them besides, they stay open."""
        for pair in self._pairs:
            for end in pair:
                end.close()


class Tube:
    """One process's part of the tubes."""

    def __init__(self, ends: Ends) -> None:
        """Takes over the files."""
        self.place = ends.place
        self._inbox = socket.socket(fileno=ends.inbox)
        self._inbox.setblocking(False)
        self._ways = [socket.socket(fileno=way) for way in ends.ways]
        for way in self._ways:
            way.setblocking(False)

    @property
    def places(self) -> range:
        """All processes."""
        return range(len(self._ways))

    def fileno(self) -> int:
        """By which others can wait for a message, as by that of a socket."""
        return self._inbox.fileno()

    def put(self, place: int, message: bytes, files: Sequence[int] = ()) -> bool:
        """Whether a process will find the message in its inbox, with files of its own that are these."""
        try:
            socket.send_fds(self._ways[place], [message], files)
        except OSError:  # there is no room; or the message is too long
            return False
        return True

    def take(self) -> tuple[bytes, list[int]] | None:
        """The next message, and the file that came with it, if one did; None if there is no message."""
        try:
            message, files, _, _ = socket.recv_fds(self._inbox, MOST, 1)
        except BlockingIOError:
            return None
        return message, files

    def close(self) -> None:
        """Messages that nobody has taken wait for another."""
        for end in (self._inbox, *self._ways):
            end.close()
