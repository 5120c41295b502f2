"""The page of a table as its stream sees it: what is new for it after each change."""

from __future__ import annotations

from kontor.errors import NoTable
from kontor.game import Refusal
from kontor.tables.pages.table_page import PageRequest, TablePages
from kontor.tables.reading import TableQueries
from kontor.tables.views import TableView
from kontor.web.live.rendering import EndOfStream
from kontor.web.live.stream import event
from kontor.web.live.watcher import Watcher
from kontor.web.pages.fragments import NOTHING_SHOWN, PageState


class PageOfTable:
    """An open page of a table; ``had`` is the digest of the state that it shows."""

    def __init__(
        self,
        tables: TableQueries,
        table_pages: TablePages,
        watcher: Watcher,
        table: str,
        page_request: PageRequest,
        had: str,
    ) -> None:
        self._tables = tables
        self._table_pages = table_pages
        self._watcher = watcher
        self._table = table
        self._page_request = page_request
        self._had = had
        self._state = NOTHING_SHOWN
        self._left: float | None = None

    def look(self) -> TableView:
        """Return the table without anything that depends on the reader. Raises EndOfStream."""
        try:
            return self._tables.view(self._table)
        except NoTable as gone:
            raise EndOfStream from gone

    def frame(self, seen: TableView) -> bytes:
        """Return what is new for the page. Raises EndOfStream, also if the reader's session has ended."""
        visitor = self._watcher.now()
        if visitor is None:
            raise EndOfStream
        try:
            page = self._table_pages.table(visitor, seen.for_person(visitor.id), self._page_request)
        except Refusal as refusal:
            raise EndOfStream from refusal  # the table may not be watched, or cannot be read
        self._left = seen.left
        before, now = self._state, page.state()
        if now.digest == self._had:
            # The browser loaded the whole page, and its script knows no layout yet.
            self._state = before if before.layout else PageState(etags=now.etags)
            return b""
        update, self._state = page.since(before, now)
        self._had = now.digest
        return event(update, number=now.digest)

    def left(self) -> float | None:
        """Return the seconds until the mover is late, as of the last frame: clocks run while nothing changes."""
        return self._left


class OldPage(PageOfTable):
    """A page of another version of the program: its stream tells it to reload.

    Its scripts may not understand our events.
    """

    def frame(self, seen: TableView) -> bytes:
        """Return the event that tells the page to reload."""
        return b"event: anew\ndata: yes\n\n"
