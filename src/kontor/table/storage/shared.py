"""A folder that several processes of one machine share, all begun by one that keeps the folder from others.

They write one after the other: who has the lock of a file, writes. So there is never more than one that moves pages
from SQLite's log into the database, as with one process alone (``sqlite``). Whoever has the lock of another file
leads. After a commit the others are told by tubes; what does not fit there they find out by the counters.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from select import select
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import BinaryIO, Final, Self

from kontor.game import Value
from kontor.table.errors import StorageFailure
from kontor.table.storage import locks
from kontor.table.storage.counters import LOOK, SESSIONS, Heard, Known, LookUp, Watched, read, written
from kontor.table.storage.sqlite import Folder, hold, open_private
from kontor.tubes import MOST, Ends, Tube, Tubes

TURN: Final = "kontor.turn"
LEAD: Final = "kontor.lead"

_COUNTERS: Final = (
    "SELECT id, changes FROM tables WHERE id IN (SELECT value FROM json_each(?))"
    " UNION ALL SELECT ?, endings FROM pulse"
)

_PATIENCE: Final = 0.25
"""Seconds for which nobody hears that it is over."""

_BREATH: Final = 0.02
"""Seconds for which news may wait for more: each time they are looked at costs more than they do."""

_LONGEST: Final = 64
"""Bytes of a table and its counter."""


class Share(Value, frozen=True):
    """What one of the processes is told: the folder, the file descriptor of its lock, and the tubes for news."""

    folder: str
    held: int
    news: Ends

    @property
    def files(self) -> tuple[int, ...]:
        """The descriptors that the process must inherit."""
        return (self.held, *self.news.files)


class Sharing:
    """A folder for so many processes. It is kept from others until all of them have gone."""

    def __init__(self, folder: Path, number: int) -> None:
        """Raises Unwritable, InUse."""
        self._folder = folder
        self._held = hold(folder)
        self._tubes = Tubes(number)

    def share(self, place: int) -> Share:
        """That of one process, from 0."""
        return Share(str(self._folder), self._held.fileno(), self._tubes.ends(place))

    def close(self) -> None:
        """Those who share it go on."""
        self._tubes.close()
        self._held.close()


class SharedFolder(Folder):
    """Transactions on the database of a folder that others have open, too."""

    def __init__(self, share: Share) -> None:
        """Takes over the open files. Raises CannotOpen."""
        folder = Path(share.folder)
        self._neighbours = _Neighbours(Tube(share.news), self._counters)
        self._lead = open_private(folder / LEAD)
        self._leads = False
        self._turns = open_private(folder / TURN)
        super().__init__(folder, os.fdopen(share.held, "ab"), _Turn(self._turns))

    def announce(self, changes: Mapping[str, int]) -> None:
        """Tells the others which tables have changed."""
        self._neighbours.tell(changes)

    def hear(self, heard: Heard, watched: Watched) -> None:
        """From now on ``heard(table)`` is called after others have changed a table."""
        self._neighbours.hear(heard, watched)

    def leads(self) -> bool:
        """Whether this process plays for the machine players."""
        if not self._leads:
            try:
                locks.try_to_lock(self._lead)
            except OSError:
                return False
            self._leads = True
        return True

    def close(self) -> None:
        """Waits for the transaction that is being written, and closes the files."""
        self._neighbours.end()
        self._lead.close()
        super().close()
        self._turns.close()

    def _counters(self, tables: Collection[str]) -> Mapping[str, int] | None:
        try:
            with self.reading() as db:
                asked = db.exec_driver_sql(_COUNTERS, (json.dumps(list(tables)), SESSIONS))
                return {row.id: row.changes for row in asked}
        except StorageFailure:
            return None


class _Turn:
    """Whose turn it is to write."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def __enter__(self) -> Self:
        locks.lock(self._file)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        locks.unlock(self._file)


class _Neighbours:
    """The other processes. Safe to use from any thread."""

    def __init__(self, tube: Tube, look_up: LookUp) -> None:
        self._tube = tube
        self._look_up = look_up
        self._known = Known()
        self._ended = Event()
        self._hearing: Thread | None = None

    def tell(self, changes: Mapping[str, int]) -> None:
        """The others shall hear of it; this process has done so already."""
        for table, counter in changes.items():
            self._known.is_new(table, counter)
        words = written(changes)
        for first in range(0, len(words), MOST // _LONGEST):
            told = " ".join(words[first : first + MOST // _LONGEST]).encode()
            for place in self._tube.places:
                if place != self._tube.place:
                    self._tube.put(place, told)

    def hear(self, heard: Heard, watched: Watched) -> None:
        """From now on news are heard, in a thread of its own."""
        self._hearing = Thread(target=self._hear_on, args=(heard, watched), name="news of others", daemon=True)
        self._hearing.start()

    def end(self) -> None:
        """Nothing more is heard."""
        self._ended.set()
        if self._hearing is not None:
            self._hearing.join()
        self._tube.close()

    def _hear_on(self, heard: Heard, watched: Watched) -> None:
        due = monotonic()
        while not self._ended.is_set():
            select((self._tube,), (), (), _PATIENCE)
            self._ended.wait(_BREATH)
            while (told := self._tube.take()) is not None:
                for table, counter in map(read, told[0].decode().split()):
                    if self._known.is_new(table, counter):
                        heard(table)
            if monotonic() >= due:
                self._known.look(watched(), self._look_up, heard)
                due = monotonic() + LOOK
