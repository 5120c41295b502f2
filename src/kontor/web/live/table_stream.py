"""The page of a table as its stream keeps it: what is new for it after each change."""

from __future__ import annotations

from kontor.game import Refusal
from kontor.table import NoTable, TableService, TableView
from kontor.web.live.rendering import EndOfStream
from kontor.web.live.stream import event
from kontor.web.live.watcher import Watcher
from kontor.web.pages.fragments import NOTHING_SHOWN, PageState
from kontor.web.pages.table_page import PageRequest, TablePages


class PageOfTable:
    """A page that is open somewhere, and shows the table as it stood when it ``had`` a digest."""

    def __init__(
        self,
        service: TableService,
        table_pages: TablePages,
        watcher: Watcher,
        table: str,
        page_request: PageRequest,
        had: str,
    ) -> None:
        self._service = service
        self._table_pages = table_pages
        self._watcher = watcher
        self._table = table
        self._page_request = page_request
        self._had = had
        self._shown = NOTHING_SHOWN
        self._left: float | None = None

    def look(self) -> TableView:
        """The table, for nobody in particular."""
        try:
            return self._service.table_view(self._table)
        except NoTable as gone:
            raise EndOfStream from gone

    def frame(self, seen: TableView) -> bytes:
        """What is new for the page. Whoever is not any more who they were is told nothing."""
        visitor = self._watcher.now()
        if visitor is None:
            raise EndOfStream
        try:
            page = self._table_pages.table(visitor, seen.seen_by(visitor.id), self._page_request)
        except Refusal as refusal:
            raise EndOfStream from refusal  # it may not be watched, or cannot be read
        self._left = seen.left
        before, now = self._shown, page.shown()
        if now.digest == self._had:
            # It came as a whole, and its script knows no layout yet.
            self._shown = before if before.layout else PageState(etags=now.etags)
            return b""
        self._shown, self._had = now, now.digest
        return event(page.since(before, now), number=now.digest)

    def left(self) -> float | None:
        """Clocks run while nothing happens."""
        return self._left


class OldPage(PageOfTable):
    """A page of another version of the program, whose scripts need not understand ours: it is asked to come anew."""

    def frame(self, seen: TableView) -> bytes:
        """The event that asks the page to come anew."""
        return b"event: anew\ndata: yes\n\n"
