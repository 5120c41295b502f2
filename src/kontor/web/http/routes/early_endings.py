"""Routes to end a game early: resigning, proposing and agreeing, and claiming against somebody who stays away."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.web.adapter import adapter_of
from kontor.web.http.faults import require_person_id
from kontor.web.http.routes.play import after_action, as_person, as_seat, page_of, parse_seat
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import TheSite, in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.seating import describe_agreeing, describe_resigning, names_of, seats_still_mine
from kontor.web.pages.table_page import PageRequest


@get("/tables/{table:str}/end")
@in_reading_thread
def ask(request: AnyRequest, site: TheSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """Return the page of the choices and their consequences, so that nobody resigns by a single press of a button."""
    info = site.service.tables.info(table, visitor.id)
    mine = seats_still_mine(info)
    if info.status != "playing" or not mine:
        return redirect(f"/tables/{table}")
    requested = parse_seat(request.query_params.get("as"))
    seat = requested if requested in mine else mine[0]
    return site.page(
        "table/end.html",
        visitor,
        info=info,
        title=adapter_of(info.game).title,
        seat=seat,
        name=names_of(visitor.words, info)[seat],
        several=len(mine) > 1,
        proposed=info.proposed is not None,
        agreeing=describe_agreeing(visitor.words, info),
        resigning=describe_resigning(visitor.words, info, seat),
        back=f"/tables/{table}" + (f"?as={seat}" if len(info.mine) > 1 else ""),
        refused=None,
    )


@post("/tables/{table:str}/resign")
@in_acting_thread
def resign(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Resign for the seat that the page was for."""

    def act(game: str, seat: int, page_request: PageRequest) -> Response[Any]:
        site.service.early_endings.resign(table, seat, require_person_id(visitor))
        return redirect(page_of(table, page_request))

    return as_seat(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/propose")
@in_acting_thread
def propose(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Propose to the others to end the game."""

    def act(game: str, seat: int, page_request: PageRequest) -> Response[Any]:
        site.service.early_endings.propose(table, seat, require_person_id(visitor))
        return redirect(page_of(table, page_request))

    return as_seat(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/agree")
@in_acting_thread
def agree(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Agree to the proposal to end the game."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.early_endings.agree(table, person)
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/decline")
@in_acting_thread
def decline(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Decline to end the game, or withdraw one's own proposal."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.early_endings.decline(table, person)
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/claim")
@in_acting_thread
def claim(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Stop waiting for somebody who stays away."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.early_endings.claim(table, form.number("at"), person)
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "join", act)


ROUTES = (ask, resign, propose, agree, decline, claim)
