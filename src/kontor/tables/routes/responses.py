"""The page of a table as a response: how it was requested, and what is sent back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, get_args

from litestar import Response
from markupsafe import Markup

from kontor.tables.pages import previews
from kontor.tables.pages.table_page import PageRequest
from kontor.tables.site import TablesSite
from kontor.tables.values import UndoChoice
from kontor.web.forms import Form
from kontor.web.http.sessions import AnyRequest, cookie_of
from kontor.web.http.site import redirect
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


def page_request_of(request: AnyRequest, site: TablesSite, form: Form | None = None) -> PageRequest:
    """Return how the page of a table was requested: the seat, the settings in cookies, an invitation.

    The seat is that of the ``form``, if it names one.
    """
    seat = parse_seat((form.get("as") if form else None) or request.query_params.get("as"))
    invited, token = parse_seat(request.query_params.get("seat")), request.query_params.get("invitation", "")
    return PageRequest(
        seat=seat,
        muted=cookie_of(request, MUTE, request.scope["path"]) == "yes",
        undo=undo_choice(cookie_of(request, UNDO)),
        tips=cookie_of(request, TIPS) != "never",
        base=site.base(request),
        link=(invited, token) if invited is not None and _TOKEN.fullmatch(token) else None,
    )


def undo_choice(text: str) -> UndoChoice:
    """Return the choice in a cookie or field, or the usual one if it is invalid."""
    return _UNDO_CHOICES.get(text, "usual")


_UNDO_CHOICES: Final[dict[str, UndoChoice]] = {choice: choice for choice in get_args(UndoChoice)}


def table_response(site: TablesSite, visitor: Visitor, table: str, page_request: PageRequest) -> Response[str]:
    """Return the table as it is now: the whole page, or for a script only the contents of ``#table``."""
    now = site.tables.view(table, visitor.id)
    if not visitor.speculative:
        site.visits.note(now.snapshot, now.person)
    context = site.table_pages.context(visitor, now, page_request)
    table_page = site.table_pages.render(visitor, context)
    html = table_page.html()
    if visitor.script:
        return Response(html, status_code=200, media_type="text/html")
    if page_request.refused:
        table_page = site.table_pages.table(visitor, now, replace(page_request, refused=None, sent={}))
    sign = "&" if "?" in context["live_url"] else "?"
    state_query = f"have={table_page.state().digest}&scripts={site.pages.assets.digest}"
    tells = visitor.id is not None and bool(now.info.mine) and site.visits.is_notified(visitor.id)
    context |= {"live_url": f"{context['live_url']}{sign}{state_query}", "head": "", "tells_seen": tells}
    context["tournament"] = site.tournament_of(table)
    context["preview"] = previews.of_table(visitor.words, site.pages, now.info, page_request.base)
    return site.page("table/page.html", visitor, inside=Markup(html), **context)  # noqa: S704


def after_action(site: TablesSite, visitor: Visitor, table: str, page_request: PageRequest) -> Response[Any]:
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
