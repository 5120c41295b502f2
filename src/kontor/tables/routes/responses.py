"""The page of a table as a response: how it was requested, and what is sent back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, get_args
from urllib.parse import urlencode

from litestar import Response

from kontor.tables.pages import previews
from kontor.tables.pages.table_context import Commands, TableContent, TablePage, TableShown, TipShown
from kontor.tables.pages.table_page import (
    PageRequest,
    TableMoment,
    file_of,
    moment_of,
    query_of,
    reload_after,
    table_fields,
    title_of,
)
from kontor.tables.site import TablesSite
from kontor.tables.values import UndoChoice
from kontor.web.adapter import adapter_of
from kontor.web.forms import Form
from kontor.web.http.sessions import AnyRequest, cookie_of
from kontor.web.http.site import redirect
from kontor.web.pages.fragments import NUMBER, Page
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
    to_table = "seat" not in request.query_params
    return PageRequest(
        seat=seat,
        muted=cookie_of(request, MUTE, request.scope["path"]) == "yes",
        undo=undo_choice(cookie_of(request, UNDO)),
        tips=cookie_of(request, TIPS) != "never",
        base=site.base(request),
        link=(invited, token) if (to_table or invited is not None) and _TOKEN.fullmatch(token) else None,
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
    moment = moment_of(visitor.words, now, page_request)
    content = site.table_pages.content(visitor, moment, page_request)
    drawn = site.table_pages.render(visitor, moment, content)
    if visitor.script:
        return Response(drawn.html(), status_code=200, media_type="text/html")
    return site.page(visitor, _whole_page(site, visitor, moment, content, drawn, page_request))


def _whole_page(
    site: TablesSite,
    visitor: Visitor,
    moment: TableMoment,
    content: TableContent,
    drawn: Page,
    page_request: PageRequest,
) -> TablePage:
    """Return the whole page around the content of ``#table``."""
    words, table, info = visitor.words, moment.table, moment.now.info
    adapter = adapter_of(table.game)
    unrefused = drawn
    if page_request.refused:
        unrefused = site.table_pages.table(visitor, moment.now, replace(page_request, refused=None, sent={}))
    query = query_of(page_request, info)
    state_query = f"have={unrefused.state().digest}&scripts={site.pages.assets.digest}"
    tips = [TipShown(tip.name, words.say(tip.text)) for tip in moment.tips]
    takes_tips = page_request.tips and info.mine and adapter.tips and not table.over
    return TablePage(
        preview=previews.of_table(words, site.pages, info, page_request.base),
        table=table,
        title=title_of(words, table),
        inside=drawn,
        live_url=f"{table.address}/live{query}{'&' if query else '?'}{state_query}",
        tells_seen=visitor.id is not None and bool(info.mine) and site.visits.is_notified(visitor.id),
        reload=reload_after(table, content.hint),
        tournament=site.tournament_of(table.id),
        tip=next(iter(tips), TipShown()) if takes_tips else None,
        commands=_commands(table, page_request) if adapter.question else None,
        board_css=file_of(site.pages, f"{table.game}.css"),
        board_js=file_of(site.pages, f"{table.game}.js"),
    )


def _commands(table: TableShown, page_request: PageRequest) -> Commands:
    """Return the form for typed commands."""
    return Commands(
        fields=table_fields(table.seat, table.info.undone).replace(NUMBER, str(table.number)),
        answer=page_request.answer,
        typed=page_request.sent.get("typed", ""),
    )


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
    """Return the address of a table's page, for the seat that was requested; it keeps the link to all seats."""
    fields = {} if page_request.seat is None else {"as": str(page_request.seat)}
    if page_request.link and page_request.link[0] is None:
        fields["invitation"] = page_request.link[1]
    return f"/tables/{table}" + (f"?{urlencode(fields)}" if fields else "")
