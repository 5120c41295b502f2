"""Pages about the past of a game: the log, the replay, and the record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from litestar import Response, get
from litestar.params import FromPath

from kontor.analysis import is_analysed
from kontor.endings import describe_early_end
from kontor.errors import NotAllowed
from kontor.players import has_judge
from kontor.records import encode
from kontor.tables.pages.log_text import LogLine, log_lines
from kontor.tables.pages.replay import ReplayLinks, replay_page, stops_of, table_at
from kontor.tables.pages.seating import ChairShown, chairs, names_of
from kontor.tables.pages.table_page import viewing_seat
from kontor.tables.routes.responses import parse_seat
from kontor.tables.site import TablesSite, TheTablesSite
from kontor.tables.values import SEALED_DICE, TableInfo
from kontor.tables.views import TableView
from kontor.web.adapter import adapter_of
from kontor.web.http.sessions import AnyRequest, TheVisitor
from kontor.web.http.site import in_reading_thread, redirect
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words


def _requested_view(
    request: AnyRequest, site: TablesSite, visitor: Visitor, table: str
) -> tuple[TableView, int | None, int | None]:
    """Return the table, the seat whose view to show, and the seat that a curtain hides. Raises NotAllowed.

    When a game is over, nothing is hidden any more, so any seat's view can be chosen.
    """
    now = site.tables.view(table, visitor.id)
    info = now.info
    if not info.may_watch:
        raise NotAllowed("", "This game is for its players only.")
    requested = parse_seat(request.query_params.get("as"))
    if info.status == "over" and requested is not None and requested < len(info.seats):
        return now, requested, None
    return now, *viewing_seat(now, requested)


class LogPage(WholePage, frozen=True, kw_only=True):
    """The context of the page with all events."""

    template: ClassVar = "log/log.html"

    info: TableInfo
    title: str
    sitters: Sequence[ChairShown]
    lines: Sequence[LogLine]
    early: str
    """A sentence about the end, if the game ended before the rules end it; else empty."""


@get("/tables/{table:str}/log")
@in_reading_thread
def log(request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """Return the page with all events, in sentences."""
    now, seat, curtain = _requested_view(request, site, visitor, table)
    info = now.info
    if info.status == "waiting" or curtain is not None:
        return redirect(f"/tables/{table}")
    adapter = adapter_of(info.game)
    names = names_of(visitor.words, info)
    lines = log_lines(visitor.words, adapter, names, now.events(seat))
    early = describe_early_end(visitor.words, names, info.early) if info.early else ""
    sitters = chairs(visitor.words, info, ratings=site.ratings_beside_names(now.snapshot))
    return site.page(visitor, LogPage(info=info, title=adapter.title, sitters=sitters, lines=lines, early=early))


@get("/tables/{table:str}/replay")
@in_reading_thread
def replay(request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """Return the table as it was at any point: of a game that is over, or of the visitor's own running game."""
    now, seat, curtain = _requested_view(request, site, visitor, table)
    stops = stops_of(now.events(seat)) if now.info.status != "waiting" and curtain is None else []
    if not stops:
        return redirect(f"/tables/{table}")
    page = replay_page(
        request.query_params,
        _replay_links(visitor.words, now.info),
        seat,
        stops,
        partial(table_at, site.pages, visitor, now, seat),
    )
    return site.page(visitor, page)


def _replay_links(words: Words, info: TableInfo) -> ReplayLinks:
    """Return the addresses on the page of a table's replay.

    A running game is neither reviewed nor analysed, and none that could reveal the dice of another table.
    """
    table = f"/tables/{info.id}"
    is_over = info.status == "over"
    is_open = is_over and info.dice not in SEALED_DICE
    return ReplayLinks(
        here=f"{table}/replay",
        home=table,
        home_text=words.say("Back to the table"),
        review=f"{table}/review" if is_open and has_judge(info.game) else "",
        analysis=f"{table}/analysis" if is_open and is_analysed(info.game) else "",
        views=is_over,
    )


@get("/tables/{table:str}/record.jsonl")
@in_reading_thread
def record(request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[bytes]:
    """Return the record of a game that is over, as a file. Raises NotNow."""
    now, _, _ = _requested_view(request, site, visitor, table)
    info = now.info
    name = f"{info.game}-{info.created:%Y-%m-%d}-{info.id[:6]}.jsonl"
    return Response(
        encode(site.tables.record(table)),
        media_type="application/jsonl",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


ROUTES = (log, replay, record)
