"""Routes of moves given ahead: the page at a table, and its forms."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.ahead.pages import AheadPage, GameAhead
from kontor.ahead.site import AheadSite, TheAheadSite
from kontor.ahead.store import part_of, require_seat_for_ahead
from kontor.tables.pages.seating import names_of
from kontor.tables.routes.actions import TableAction
from kontor.web.adapter import adapter_of
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor


@get("/tables/{table:str}/ahead")
@in_reading_thread
def ahead(site: TheAheadSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """Return the page of one's moves given ahead at a table; after the end, the table."""
    if site.tables.info(table, visitor.id).status == "over":
        return redirect(f"/tables/{table}")
    return _page(site, visitor, table, {})


def _page(
    site: AheadSite, visitor: Visitor, table: str, form: Mapping[str, str], refused: Refused | None = None
) -> Response[str]:
    now = site.tables.view(table, require_person_id(visitor))
    seat = require_seat_for_ahead(now)
    words, game = visitor.words, now.info.game
    adapter, part, view = adapter_of(game), part_of(game), now.look(seat).view
    given, own = site.moves_ahead.given(now), part.choices(words, view)
    names = names_of(words, now.info)
    headline = (adapter.addressed or adapter.headline)(words, names, view)
    page = AheadPage(
        game=game,
        title=adapter.title,
        table=table,
        headline=words.say("The game is paused.") if now.info.paused else headline,
        moves=part.describe(words, view, given.moves),
        missed=given.missed,
        choices=None if own is None else GameAhead(own=own, game=game, form=form),
        refused=refused,
    )
    return site.page(visitor, page)


@post(f"/tables/{{table:str}}/{TableAction.GIVE_AHEAD.form}")
@in_acting_thread
def give(site: TheAheadSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]) -> Response[Any]:
    """Give moves ahead, instead of those given before."""
    person = require_person_id(visitor)
    now = site.tables.view(table, person)
    try:
        site.spend(TableAction.GIVE_AHEAD.spends, visitor)
        seat = require_seat_for_ahead(now)
        site.moves_ahead.give(table, person, part_of(now.info.game).given(form, now.look(seat).view))
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_page, site, visitor, table, form), now.info.game)
    return redirect(f"/tables/{table}/ahead")


@post(f"/tables/{{table:str}}/{TableAction.DROP_AHEAD.form}")
@in_acting_thread
def drop(site: TheAheadSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]) -> Response[Any]:
    """Take back one's moves given ahead."""
    person = require_person_id(visitor)
    game = site.tables.info(table, person).game
    try:
        site.spend(TableAction.DROP_AHEAD.spends, visitor)
        site.moves_ahead.drop(table, person)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_page, site, visitor, table, {}), game)
    return redirect(f"/tables/{table}/ahead")


ROUTES = (ahead, give, drop)
