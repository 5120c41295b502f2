"""Routes to end a game early: resigning, proposing and agreeing, and claiming against somebody who stays away."""

from __future__ import annotations

from typing import Any, ClassVar

from litestar import Response, get
from litestar.params import FromPath

from kontor.tables.pages.seating import (
    describe_agreeing,
    describe_resigning,
    is_something_proposed,
    names_of,
    seats_still_mine,
)
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.forms import TableForm, table_form
from kontor.tables.routes.responses import page_of, parse_seat
from kontor.tables.site import TheTablesSite
from kontor.tables.values import TableInfo
from kontor.web.adapter import adapter_of
from kontor.web.http.sessions import AnyRequest, TheVisitor
from kontor.web.http.site import in_reading_thread, redirect
from kontor.web.pages.whole_page import WholePage


class EndPage(WholePage, frozen=True, kw_only=True):
    """The context of the page on which a game is ended early."""

    template: ClassVar = "table/end.html"

    info: TableInfo
    title: str
    seat: int
    name: str
    """The name at the seat that can resign."""
    several: bool
    """True if the reader has several seats."""
    proposed: bool
    """True if somebody has proposed something to all."""
    agreeing: str
    """The consequences if all agree."""
    resigning: str
    """The consequences if the reader resigns."""
    back: str


@get("/tables/{table:str}/end")
@in_reading_thread
def ask(request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """Return the page of the choices and their consequences, so that nobody resigns by a single press of a button."""
    info = site.tables.info(table, visitor.id)
    mine = seats_still_mine(info)
    if info.status != "playing" or not mine:
        return redirect(f"/tables/{table}")
    requested = parse_seat(request.query_params.get("as"))
    seat = requested if requested in mine else mine[0]
    page = EndPage(
        info=info,
        title=adapter_of(info.game).title,
        seat=seat,
        name=names_of(visitor.words, info)[seat],
        several=len(mine) > 1,
        proposed=is_something_proposed(info),
        agreeing=describe_agreeing(visitor.words, info),
        resigning=describe_resigning(visitor.words, info, seat),
        back=f"/tables/{table}" + (f"?as={seat}" if len(info.mine) > 1 else ""),
    )
    return site.page(visitor, page)


@table_form(TableAction.RESIGN)
def resign(sent: TableForm) -> Response[Any]:
    """Resign for the seat that the page was for."""
    sent.site.early_endings.resign(sent.table, sent.require_seat(), sent.person)
    return redirect(page_of(sent.table, sent.page_request))


@table_form(TableAction.PROPOSE)
def propose(sent: TableForm) -> Response[Any]:
    """Propose to the others to end the game."""
    sent.site.early_endings.propose(sent.table, sent.require_seat(), sent.person)
    return redirect(page_of(sent.table, sent.page_request))


@table_form(TableAction.AGREE)
def agree(sent: TableForm) -> None:
    """Agree to the proposal to end the game."""
    sent.site.early_endings.agree(sent.table, sent.person)


@table_form(TableAction.DECLINE)
def decline(sent: TableForm) -> None:
    """Decline to end the game, or withdraw one's own proposal."""
    sent.site.early_endings.decline(sent.table, sent.person)


@table_form(TableAction.CLAIM)
def claim(sent: TableForm) -> None:
    """Stop waiting for somebody who stays away."""
    sent.site.early_endings.claim(sent.table, sent.form.number("at"), sent.person)


ROUTES = (ask, resign, propose, agree, decline, claim)
