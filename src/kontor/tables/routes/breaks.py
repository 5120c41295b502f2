"""Routes of pauses and of more time for others."""

from __future__ import annotations

from typing import Any, ClassVar

from litestar import Response, get
from litestar.params import FromPath

from kontor.tables.pages.breaks import describe_pausing, may_pause
from kontor.tables.pages.seating import seats_still_mine
from kontor.tables.pauses import LONGEST
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.forms import TableForm, table_form
from kontor.tables.routes.responses import page_of, parse_seat
from kontor.tables.site import TheTablesSite
from kontor.tables.values import TableInfo
from kontor.web.adapter import adapter_of
from kontor.web.http.sessions import AnyRequest, TheVisitor
from kontor.web.http.site import in_reading_thread, redirect
from kontor.web.pages.whole_page import WholePage


class PausePage(WholePage, frozen=True, kw_only=True):
    """The context of the page on which a pause is proposed."""

    template: ClassVar = "table/pause.html"

    info: TableInfo
    title: str
    seat: int
    pausing: str
    """The consequences if the reader proposes a pause."""
    days: int
    """The days after which it ends by itself."""
    back: str


@get("/tables/{table:str}/pause")
@in_reading_thread
def ask(request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """Return the page that says what a pause is, with the button that proposes one."""
    info = site.tables.info(table, visitor.id)
    mine = seats_still_mine(info)
    if info.status != "playing" or not mine or not may_pause(info):
        return redirect(f"/tables/{table}")
    requested = parse_seat(request.query_params.get("as"))
    page = PausePage(
        info=info,
        title=adapter_of(info.game).title,
        seat=requested if requested in mine else mine[0],
        pausing=describe_pausing(visitor.words, info),
        days=LONGEST,
        back=f"/tables/{table}" + (f"?as={requested}" if requested in mine and len(info.mine) > 1 else ""),
    )
    return site.page(visitor, page)


@table_form(TableAction.PROPOSE_PAUSE)
def propose(sent: TableForm) -> Response[Any]:
    """Propose a pause to the others."""
    sent.site.early_endings.propose(sent.table, sent.require_seat(), sent.person, "pause")
    return redirect(page_of(sent.table, sent.page_request))


@table_form(TableAction.AGREE_TO_PAUSE)
def agree(sent: TableForm) -> None:
    """Agree to the pause that somebody proposes."""
    sent.site.early_endings.agree(sent.table, sent.person, "pause")


@table_form(TableAction.DECLINE_PAUSE)
def decline(sent: TableForm) -> None:
    """Decline the pause, or withdraw one's own proposal of one."""
    sent.site.early_endings.decline(sent.table, sent.person, "pause")


@table_form(TableAction.END_PAUSE)
def resume(sent: TableForm) -> None:
    """End the pause."""
    sent.site.pauses.end(sent.table, sent.person)


@table_form(TableAction.GIVE_TIME)
def give_time(sent: TableForm) -> None:
    """Give another player more time."""
    sent.site.clocks.give_time(sent.table, sent.form.number("at"), sent.person)


ROUTES = (ask, propose, agree, decline, resume, give_time)
