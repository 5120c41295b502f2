"""Routes for “Play now”: finding a game with people who seek one at the same time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from litestar import Response, get, post
from litestar.types import ASGIApp, Receive, Scope, Send

from kontor.lobby.pages import Search, SeekForm, plan_together, plan_with_machines, search, seek_form, seek_of
from kontor.lobby.seek_stream import PageOfSeek
from kontor.lobby.site import LobbySite, TheLobbySite
from kontor.lobby.values import Seek, SeekInfo
from kontor.web.addresses import origin_of
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refusal_response, require_game, require_person_id
from kontor.web.http.newcomers import drop_new_session, player_of, redirect_player
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.request_cost import current_cost
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, redirect
from kontor.web.live.stream import StreamReader, stream
from kontor.web.live.watcher import Watcher
from kontor.web.pages.refused import Refused
from kontor.web.pages.template_context import TemplateContext
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage

WAITING: Final = "/play/waiting"


@post("/play/together")
@in_acting_thread
def look(site: TheLobbySite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Start a seek: from now on the person waits for a game."""
    game = require_game(form.get("game", ""))
    return _begin(site, visitor, form, lambda: seek_of(game, form), game)


@post("/play/join")
@in_acting_thread
def join(site: TheLobbySite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Join somebody who waits: look for the same game as they do."""
    return _begin(site, visitor, form, lambda: site.seeking.like(form.get("seek", "")))


def _begin(
    site: LobbySite, visitor: Visitor, form: Form, find_seek: Callable[[], Seek], game: str = ""
) -> Response[Any]:
    """Begin a seek, and redirect to its page, or to the table if there is one already."""
    player = None
    try:
        site.spend("join", visitor)
        seek = find_seek()
        player = player_of(site, visitor)
        salt, origin = form.get("salt", ""), origin_of(visitor.address)
        info = site.seeking.begin(player.person, seek, plan_together, salt, origin)
    except TURNED_DOWN as thrown:
        drop_new_session(site, player)
        return refusal_response(
            site, visitor, thrown, lambda refusal: _page(site, visitor, None, form, refusal), game
        )
    return redirect_player(visitor, player, f"/tables/{info.table}" if info.table else WAITING)


@get(WAITING)
@in_acting_thread
def waiting(site: TheLobbySite, visitor: TheVisitor) -> Response[Any]:
    """Return how the seek stands. The request also shows that the person still waits."""
    seeking, person = site.seeking, require_person_id(visitor)
    info = seeking.of(person) if visitor.speculative else seeking.wait(person, plan_together)
    if info is not None and info.table and not visitor.script:
        return _onward(info)
    return _page(site, visitor, info, Form(()))


@post("/play/waiting/on")
@in_acting_thread
def go_on(site: TheLobbySite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Go on waiting for people instead of playing with the computer players offered."""
    site.spend("join", visitor)
    site.seeking.go_on(require_person_id(visitor))
    return redirect(WAITING)


@post("/play/waiting/stop")
@in_acting_thread
def stop(site: TheLobbySite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """End the seek."""
    site.seeking.stop(require_person_id(visitor))
    return redirect("/")


@post("/play/waiting/computer")
@in_acting_thread
def play_machines(site: TheLobbySite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Open a table with the computer players that were offered."""
    person = require_person_id(visitor)

    def again(refusal: Refused) -> Response[str]:
        return _page(site, visitor, site.seeking.of(person), form, refusal)

    try:
        site.spend("open", visitor)
        table = site.seeking.play_machines(person, plan_with_machines)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"/tables/{table}")


@get("/play/waiting/live")
async def live(request: AnyRequest, site: TheLobbySite, visitor: TheVisitor) -> ASGIApp:
    """Stream an event every few seconds, and at once when there is a table, so that the page looks again."""

    def begin() -> tuple[PageOfSeek, str]:
        site.spend("live", visitor)
        info = site.seeking.of(require_person_id(visitor))
        if info is None:
            raise NoPage
        return PageOfSeek(site.seeking, Watcher(site.people, visitor), info.id), info.id

    page, key = await site.run_for(visitor, begin)

    reader = StreamReader(charge=current_cost().charge_frame)

    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await stream(scope, receive, send, site.hub, key, page, reader)

    return streaming


def _onward(info: SeekInfo) -> Response[Any]:
    return redirect(f"/tables/{info.table}" if info.table else WAITING)


class SearchPart(TemplateContext, frozen=True, kw_only=True):
    """The context of the part of the page that changes while somebody waits."""

    template: ClassVar = "lobby/search.html"

    search: Search | None
    """The state of the seek; None if there is none."""


class SeekPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a seek."""

    template: ClassVar = "lobby/seeking.html"

    search: Search | None
    """As in ``SearchPart``."""
    seek: SeekForm
    refused: Refused | None


def _page(
    site: LobbySite, visitor: Visitor, info: SeekInfo | None, form: Mapping[str, str], refusal: Refused | None = None
) -> Response[str]:
    """Return the whole page, or for its script only the part that changes."""
    words = visitor.words
    seek_state = search(words, info) if info else None
    if visitor.script and refusal is None:
        return site.page(visitor, SearchPart(search=seek_state))
    seek = seek_form(words, form, site.seeking.count_waiting())
    return site.page(visitor, SeekPage(search=seek_state, seek=seek, refused=refusal))


ROUTES = (look, join, waiting, go_on, stop, play_machines, live)
