"""API route for the event stream of a table."""

from __future__ import annotations

from typing import Any

from litestar import get
from litestar.params import FromPath
from litestar.types import ASGIApp, Receive, Scope, Send

from kontor.errors import NoTable
from kontor.game import Refusal
from kontor.tables.routes.api_calls import SeatQuery, person_seat, program_seat, seen_state_in
from kontor.tables.site import TablesSite, TheTablesSite
from kontor.tables.views import TableView
from kontor.web.http.programs import READ_OR_NOBODY, REFUSED, TheProgram
from kontor.web.http.request_cost import current_cost
from kontor.web.http.sessions import AnyRequest
from kontor.web.live.rendering import EndOfStream
from kontor.web.live.stream import StreamReader, event, stream
from kontor.web.live.watcher import Watcher


@get("/api/tables/{table:str}/stream", responses=REFUSED, security=READ_OR_NOBODY, media_type="text/event-stream")
async def streamed(
    request: AnyRequest, site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: SeatQuery = None
) -> ASGIApp:
    """Send an event stream with the state of the game now, and again after every change."""

    def begin() -> tuple[ViewOfTable, str | None]:
        site.spend("live", program)
        program_seat(site, program, table, seat)
        sits = site.tables.info(table, program.id).mine
        return ViewOfTable(site, Watcher(site.people, program), table, seat), program.id if sits else None

    screen, sitter = await site.run_for(program, begin)

    reader = StreamReader(sitter, current_cost().charge_frame)

    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await stream(scope, receive, send, site.hub, table, screen, reader)

    return streaming


class ViewOfTable:
    """A table as a program watches it, with the frame sent last."""

    def __init__(self, site: TablesSite, watcher: Watcher, table: str, seat: int | None) -> None:
        self._site = site
        self._watcher = watcher
        self._table = table
        self._seat = seat
        self._last_frame = b""
        self._left: float | None = None

    def look(self) -> TableView:
        """Return the table, for nobody in particular. Raises EndOfStream if it is gone."""
        try:
            return self._site.tables.view(self._table)
        except NoTable as gone:
            raise EndOfStream from gone

    def frame(self, seen: TableView) -> bytes:
        """Return the frame with the table and the seat's view of the game; empty if nothing changed."""
        program = self._watcher.now()
        if program is None:
            raise EndOfStream
        now = seen.for_person(program.id)
        self._left = now.left
        body: Any = {"table": now.info}
        try:
            if now.info.status != "waiting":
                body["seen"] = seen_state_in(now, person_seat(now.info, self._seat))
        except Refusal as refusal:
            raise EndOfStream from refusal
        frame = event(body, number=str(now.info.number))
        if frame == self._last_frame:
            return b""
        self._last_frame = frame
        return frame

    def left(self) -> float | None:
        """Return the seconds until a player is late by the last frame; None if time changes nothing."""
        return self._left


ROUTES = (streamed,)
