"""The page of a table: looking, moving, chatting, and the live stream that keeps it up to date."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.types import ASGIApp, Receive, Scope, Send

from kontor.tables.pages.confirming import ANSWER, asks_itself, confirms_moves, describe_confirmation, is_possible
from kontor.tables.pages.live import OldPage, PageOfTable
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.forms import TableForm, table_form
from kontor.tables.routes.responses import MUTE, TIPS, UNDO, page_of, page_request_of, table_response, undo_choice
from kontor.tables.site import TheTablesSite
from kontor.web.adapter import adapter_of
from kontor.web.http.faults import require_person_id
from kontor.web.http.request_cost import current_cost
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor, cookie_for
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.live.stream import StreamReader, stream
from kontor.web.live.watcher import Watcher


@get("/tables/{table:str}")
@in_reading_thread
def look(request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[str]:
    """Return the table as it is now."""
    return table_response(site, visitor, table, page_request_of(request, site))


@get("/next")
@in_reading_thread
def go_to_next_table(request: AnyRequest, site: TheTablesSite, visitor: TheVisitor) -> Response[Any]:
    """Redirect to the table that has waited longest for the person's move, or to the list of their tables.

    The table that they come ``from`` is passed over.
    """
    passed_over = request.query_params.get("from")
    mine = site.listing.my_tables(visitor.id) if visitor.id else ()
    waiting = [info.id for info in mine if info.my_turn and info.id != passed_over]
    return redirect(f"/tables/{waiting[0]}" if waiting else "/#mine")


@table_form(TableAction.MOVE)
def move(sent: TableForm) -> Response[Any] | None:
    """Make a move, or ask once more. If it is refused or came too late, return the table with the reason."""
    seat, form, game = sent.require_seat(), sent.form, sent.seats.game
    move = adapter_of(game).move_of(form)
    number, undone, answer = form.number("number"), form.number("undone"), form.get(ANSWER)
    if answer == "no":
        return sent.page()
    person = sent.visitor.person
    if answer != "yes" and person is not None and person.confirms and not asks_itself(game, move):
        now = sent.site.tables.view(sent.table, sent.person)
        if confirms_moves(person, now.info.pace) and is_possible(now, seat, move, number, undone):
            return sent.confirm(describe_confirmation(sent.visitor.words, now, seat, move, form))
    sent.site.moves.play(sent.table, seat, number, move, undone, sent.page_request.undo)
    return None


@table_form(TableAction.UNDO)
def undo(sent: TableForm) -> None:
    """Take back one's last move, given the number of its line and how many moves were taken back before."""
    sent.site.moves.undo(sent.table, sent.person, sent.form.number("number"), sent.form.number("undone"))


@post("/tables/{table:str}/tips")
@in_acting_thread
def end_tips(
    request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Stop showing tips. The page is reloaded, because its stream was started without the cookie."""
    page_request = page_request_of(request, site)
    site.tables.info(table, visitor.id)
    response = redirect(page_of(table, page_request))
    response.set_cookie(cookie_for(visitor, TIPS, "never"))
    return response


@post("/tables/{table:str}/undo-choice")
@in_acting_thread
def choose_undo(
    request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Save whether one's moves can be taken back.

    The page is reloaded, because its stream was started with the old cookie.
    """
    page_request = page_request_of(request, site)
    site.tables.info(table, visitor.id)
    response = redirect(page_of(table, page_request))
    response.set_cookie(cookie_for(visitor, UNDO, undo_choice(form.get("undo", ""))))
    return response


@table_form(TableAction.HINT)
def hint(sent: TableForm) -> None:
    """Ask for a hint. It is shown as soon as it has been computed."""
    sent.site.hints.ask(sent.table, sent.require_seat())


@table_form(TableAction.CHAT)
def chat(sent: TableForm) -> None:
    """Say something at the table."""
    seat = sent.page_request.seat if sent.page_request.seat in sent.seats.mine else None
    sent.site.talk.say(sent.table, sent.person, sent.form.get("text", ""), seat)


@post("/tables/{table:str}/seen")
@in_acting_thread
def note_visibility(site: TheTablesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]) -> Response[Any]:
    """Record whether the table's page is visible to its reader."""
    person = require_person_id(visitor)
    site.spend("live", visitor)
    if site.visits.is_notified(person) and site.tables.seats_of(table, person).mine:
        site.visits.note_visible(table, person, form.get("visible") == "yes")
    return Response(None, status_code=204)


@post("/tables/{table:str}/mute")
@in_acting_thread
def mute(
    request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Mute or unmute the others at this table.

    The page is reloaded, because its stream was started with the old cookie.
    """
    silent = form.get("mute") == "yes"
    page_request = page_request_of(request, site)
    site.tables.info(table, visitor.id)
    response = redirect(page_of(table, page_request))
    cookie = cookie_for(visitor, MUTE, "yes" if silent else "no", path=f"/tables/{table}")
    response.set_cookie(cookie)
    return response


# ------------------------------------------------------------------------------------------------ the live stream


@get("/tables/{table:str}/live")
async def live(request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str]) -> ASGIApp:
    """Send the table again after every change, to the page that opened the stream."""

    def begin() -> tuple[PageOfTable, str | None]:
        site.spend("live", visitor)
        now = site.tables.view(table, visitor.id)
        if not visitor.speculative:
            site.visits.note(now.snapshot, None)  # a tab in the background reopens its stream, too
        had = request.headers.get("last-event-id") or str(request.query_params.get("have", ""))
        scripts = request.query_params.get("scripts", site.pages.assets.digest)
        page_class = PageOfTable if scripts == site.pages.assets.digest else OldPage
        watcher = Watcher(site.people, visitor)
        page = page_class(site.tables, site.table_pages, watcher, table, page_request_of(request, site), had)
        return page, visitor.id if now.info.mine else None

    screen, sitter = await site.run_for(visitor, begin)

    reader = StreamReader(sitter, current_cost().charge_frame)

    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await stream(scope, receive, send, site.hub, table, screen, reader)

    return streaming


_FORMS: Final = (*(action.form for action in TableAction if action.form), "undo-choice", "tips", "mute", "seen")
"""The last parts of the addresses of all forms on the page of a table."""


@get([f"/tables/{{table:str}}/{form}" for form in _FORMS])
async def redirect_to_table(table: FromPath[str]) -> Response[Any]:
    """Redirect to the table, from the addresses of its forms."""
    return redirect(f"/tables/{table}")


ROUTES = (
    look,
    go_to_next_table,
    move,
    undo,
    end_tips,
    choose_undo,
    hint,
    chat,
    mute,
    note_visibility,
    live,
    redirect_to_table,
)
