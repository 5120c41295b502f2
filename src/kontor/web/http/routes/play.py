"""The page of a table: looking, moving, chatting, and the live stream that keeps it up to date."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, get_args

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.types import ASGIApp, Receive, Scope, Send
from markupsafe import Markup

from kontor.errors import NotAllowed
from kontor.tables.values import UndoChoice
from kontor.web.adapter import adapter_of
from kontor.web.forms import Form
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.request_cost import current_cost
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor, cookie_for, cookie_of
from kontor.web.http.site import Site, TheSite, in_acting_thread, in_moving_thread, in_reading_thread, redirect
from kontor.web.live.stream import StreamReader, stream
from kontor.web.live.table_stream import OldPage, PageOfTable
from kontor.web.live.watcher import Watcher
from kontor.web.pages import previews
from kontor.web.pages.refused import Refused
from kontor.web.pages.table_page import PageRequest
from kontor.web.pages.visitor import Visitor

MUTE: Final = "kontor-mute"
"""The cookie for a muted chat; it is sent only to the table it is for."""

UNDO: Final = "kontor-undo"
"""The cookie that tells whether one's moves can be taken back."""

TIPS: Final = "kontor-tips"
"""The cookie of those who want no more tips at tables."""


_TOKEN: Final = re.compile(r"[\w-]{20,100}", re.ASCII)


def parse_seat(text: str | None) -> int | None:
    """Return the seat of a parameter like ``as=1``, or None if it is not a number."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 3 else None


def page_request_of(request: AnyRequest, site: Site, form: Form | None = None) -> PageRequest:
    """Return how the page of a table was requested: the seat, the settings in cookies, an invitation."""
    seat = parse_seat((form or request.query_params).get("as"))
    invited, token = parse_seat(request.query_params.get("seat")), request.query_params.get("invitation", "")
    return PageRequest(
        seat=seat,
        muted=cookie_of(request, MUTE, request.scope["path"]) == "yes",
        undo=_undo_choice(cookie_of(request, UNDO)),
        tips=cookie_of(request, TIPS) != "never",
        base=site.base(request),
        link=(invited, token) if invited is not None and _TOKEN.fullmatch(token) else None,
    )


def _undo_choice(text: str) -> UndoChoice:
    """Return the choice in a cookie or field, or the usual one if it is invalid."""
    return _UNDO_CHOICES.get(text, "usual")


_UNDO_CHOICES: Final[dict[str, UndoChoice]] = {choice: choice for choice in get_args(UndoChoice)}


# ------------------------------------------------------------------------------------------------------- answers


def table_response(site: Site, visitor: Visitor, table: str, page_request: PageRequest) -> Response[str]:
    """Return the table as it is now: the whole page, or for a script only the contents of ``#table``."""
    now = site.service.tables.view(table, visitor.id)
    if not visitor.speculative:
        site.service.visits.note(now.snapshot, now.person)
    context = site.table_pages.context(visitor, now, page_request)
    table_page = site.table_pages.render(visitor, context)
    html = table_page.html()
    if visitor.script:
        return Response(html, status_code=200, media_type="text/html")
    if page_request.refused:
        table_page = site.table_pages.table(visitor, now, replace(page_request, refused=None, sent={}))
    sign = "&" if "?" in context["live_url"] else "?"
    state_query = f"have={table_page.state().digest}&scripts={site.pages.assets.digest}"
    tells = visitor.id is not None and bool(now.info.mine) and site.service.visits.is_notified(visitor.id)
    context |= {"live_url": f"{context['live_url']}{sign}{state_query}", "head": "", "tells_seen": tells}
    context["tournament"] = site.service.tournaments.of_table(table)
    context["preview"] = previews.of_table(visitor.words, site.pages, now.info, page_request.base)
    return site.page("table/page.html", visitor, inside=Markup(html), **context)  # noqa: S704


def after_action(site: Site, visitor: Visitor, table: str, page_request: PageRequest) -> Response[Any]:
    """Return the response after an action.

    A browser is redirected to the table. A script gets the table as it is now, unless it has a live stream, which
    sends the same.
    """
    if visitor.live:
        return Response(None, status_code=204)
    if visitor.script:
        return table_response(site, visitor, table, page_request)
    return redirect(page_of(table, page_request))


def page_of(table: str, page_request: PageRequest) -> str:
    """Return the address of a table's page, for the seat that was requested."""
    return f"/tables/{table}" + (f"?as={page_request.seat}" if page_request.seat is not None else "")


def as_person(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    form: Form,
    table: str,
    action: str,
    act: Callable[[str, PageRequest], Response[Any]],
) -> Response[Any]:
    """Let a person ``act`` at a table; a refusal returns the table as it is, and the reason.

    ``action`` is a kind of action in LIMITS.
    """
    person = require_person_id(visitor)
    seats = site.service.tables.seats_of(table, person)
    page_request = page_request_of(request, site)
    try:
        site.spend(action, visitor)
        return act(person, page_request)
    except TURNED_DOWN as thrown:
        page = _refusal_page(site, visitor, table, page_request, form)
        return refusal_response(site, visitor, thrown, page, seats.game)


def _refusal_page(
    site: Site, visitor: Visitor, table: str, page_request: PageRequest, form: Form
) -> Callable[[Refused], Response[str]]:
    """Return a function that makes the table's page with a refusal, and with everything that was written."""
    return lambda refusal: table_response(site, visitor, table, replace(page_request, refused=refusal, sent=form))


def acting_seat(mine: Sequence[int], mover: int | None, requested: int | None) -> int | None:
    """Return the seat for which a person moves: the one they looked from, else the mover's, else any of theirs."""
    if requested in mine:
        return requested
    if mover in mine:
        return mover
    return mine[0] if mine else None


def as_seat(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    form: Form,
    table: str,
    action: str,
    act: Callable[[str, int, PageRequest], Response[Any]],
) -> Response[Any]:
    """Do the same as ``as_person``, for the seat that the form was made for."""
    person = require_person_id(visitor)
    seats = site.service.tables.seats_of(table, person)
    page_request = page_request_of(request, site, form)
    seat = acting_seat(seats.mine, seats.mover, page_request.seat)
    try:
        site.spend(action, visitor)
        if seat is None:
            raise NotAllowed("", "You have no seat at this table.")
        return act(seats.game, seat, page_request)
    except TURNED_DOWN as thrown:
        page = _refusal_page(site, visitor, table, page_request, form)
        return refusal_response(site, visitor, thrown, page, seats.game)


# -------------------------------------------------------------------------------------------------------- routes


@get("/tables/{table:str}")
@in_reading_thread
def look(request: AnyRequest, site: TheSite, visitor: TheVisitor, table: FromPath[str]) -> Response[str]:
    """Return the table as it is now."""
    return table_response(site, visitor, table, page_request_of(request, site))


@post("/tables/{table:str}/moves")
@in_moving_thread
def move(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Make a move. If the rules refuse it, or it came too late, return the table as it is now, with the reason."""

    def act(game: str, seat: int, page_request: PageRequest) -> Response[Any]:
        move = adapter_of(game).move_of(form)
        site.service.moves.play(table, seat, form.number("number"), move, form.number("undone"), page_request.undo)
        return after_action(site, visitor, table, page_request)

    return as_seat(request, site, visitor, form, table, "move", act)


@post("/tables/{table:str}/undo")
@in_moving_thread
def undo(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Take back one's last move, given the number of its line and how many moves were taken back before."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.moves.undo(table, person, form.number("number"), form.number("undone"))
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "move", act)


@post("/tables/{table:str}/tips")
@in_acting_thread
def end_tips(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Stop showing tips. The page is reloaded, because its stream was started without the cookie."""
    page_request = page_request_of(request, site)
    site.service.tables.info(table, visitor.id)
    response = redirect(page_of(table, page_request))
    response.set_cookie(cookie_for(visitor, TIPS, "never"))
    return response


@post("/tables/{table:str}/undo-choice")
@in_acting_thread
def choose_undo(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Save whether one's moves can be taken back.

    The page is reloaded, because its stream was started with the old cookie.
    """
    page_request = page_request_of(request, site)
    site.service.tables.info(table, visitor.id)
    response = redirect(page_of(table, page_request))
    response.set_cookie(cookie_for(visitor, UNDO, _undo_choice(form.get("undo", ""))))
    return response


@post("/tables/{table:str}/hint")
@in_acting_thread
def hint(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Ask for a hint. It is shown as soon as it has been computed."""

    def act(game: str, seat: int, page_request: PageRequest) -> Response[Any]:
        site.hints.ask(table, seat)
        return after_action(site, visitor, table, page_request)

    return as_seat(request, site, visitor, form, table, "hint", act)


@post("/tables/{table:str}/chat")
@in_acting_thread
def chat(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Say something at the table."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        seat = page_request.seat if page_request.seat in site.service.tables.info(table, person).mine else None
        site.service.talk.say(table, person, form.get("text", ""), seat)
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "chat", act)


@post("/tables/{table:str}/seen")
@in_acting_thread
def note_visibility(site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]) -> Response[Any]:
    """Record whether the table's page is visible to its reader."""
    person = require_person_id(visitor)
    site.spend("live", visitor)
    if site.service.visits.is_notified(person) and site.service.tables.seats_of(table, person).mine:
        site.service.visits.note_visible(table, person, form.get("visible") == "yes")
    return Response(None, status_code=204)


@post("/tables/{table:str}/mute")
@in_acting_thread
def mute(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Mute or unmute the others at this table.

    The page is reloaded, because its stream was started with the old cookie.
    """
    silent = form.get("mute") == "yes"
    page_request = page_request_of(request, site)
    site.service.tables.info(table, visitor.id)
    response = redirect(page_of(table, page_request))
    cookie = cookie_for(visitor, MUTE, "yes" if silent else "no", path=f"/tables/{table}")
    response.set_cookie(cookie)
    return response


# ------------------------------------------------------------------------------------------------ the live stream


@get("/tables/{table:str}/live")
async def live(request: AnyRequest, site: TheSite, visitor: TheVisitor, table: FromPath[str]) -> ASGIApp:
    """Send the table again after every change, to the page that opened the stream."""

    def begin() -> tuple[PageOfTable, str | None]:
        site.spend("live", visitor)
        now = site.service.tables.view(table, visitor.id)
        if not visitor.speculative:
            site.service.visits.note(now.snapshot, None)  # a tab in the background reopens its stream, too
        had = request.headers.get("last-event-id") or str(request.query_params.get("have", ""))
        scripts = request.query_params.get("scripts", site.pages.assets.digest)
        page_class = PageOfTable if scripts == site.pages.assets.digest else OldPage
        watcher = Watcher(site.service, visitor)
        page = page_class(site.service, site.table_pages, watcher, table, page_request_of(request, site), had)
        return page, visitor.id if now.info.mine else None

    screen, sitter = await site.run_for(visitor, begin)

    reader = StreamReader(sitter, current_cost().charge_frame)

    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await stream(scope, receive, send, site.hub, table, screen, reader)

    return streaming


_DONE: Final = (
    "moves",
    "commands",
    "undo",
    "undo-choice",
    "tips",
    "hint",
    "chat",
    "mute",
    "seen",
    "sit",
    "reveal",
    "begin",
    "leave",
    "invitations",
    "rematch",
    "no-rematch",
    "fill",
    "stand-in",
    "come-back",
    "resign",
    "propose",
    "agree",
    "decline",
    "claim",
)


@get([f"/tables/{{table:str}}/{action}" for action in _DONE])
async def redirect_to_table(table: FromPath[str]) -> Response[Any]:
    """Redirect to the table, from the addresses of its forms."""
    return redirect(f"/tables/{table}")


ROUTES = (look, move, undo, end_tips, choose_undo, hint, chat, mute, note_visibility, live, redirect_to_table)
