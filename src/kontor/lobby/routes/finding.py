"""Search for tables with a free seat, and games to watch: by game, pace and name, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

from litestar import Response, get

from kontor.lobby.pages import shown_ratings
from kontor.lobby.site import TheLobbySite
from kontor.tables.pages.cards import Card, card
from kontor.tables.values import FoundTables, TableFilter
from kontor.web.adapter import web_adapters
from kontor.web.cursors import cursor_text, parse_cursor
from kontor.web.forms import Form
from kontor.web.http.sessions import AnyRequest, TheVisitor
from kontor.web.http.site import in_reading_thread
from kontor.web.pages.whole_page import WholePage
from kontor.words import mark

SHOWS: Final = {"open": mark("with a free seat"), "watch": mark("to watch")}
PACES: Final = {"": mark("any pace"), "live": mark("live"), "slow": mark("turn-based"), "none": mark("no time limit")}

FREE: Final = {"": mark("any number"), **{str(number): str(number) for number in range(1, 6)}}
RATED: Final = {"": mark("either"), "yes": mark("rated")}

_LONGEST_NAME: Final = 40


def filter_of(form: Form) -> TableFilter:
    """Return the filter that a form describes; invalid fields are ignored."""
    return TableFilter(
        show=form.one_of("show", ("open", "watch"), "open"),
        game=form.one_of("game", tuple(web_adapters()), ""),
        pace=form.one_of("pace", ("live", "slow", "none"), ""),
        name=form.text("name", _LONGEST_NAME),
        free=int(form.one_of("free", tuple(FREE), "") or 0),
        rated=form.get("rated") == "yes",
        after=parse_cursor(form.get("after", "")),
    )


class FindPage(WholePage, frozen=True, kw_only=True):
    """The context of the page that searches tables."""

    template: ClassVar = "lobby/find.html"

    wanted: TableFilter
    page: FoundTables
    cards_found: Sequence[Card]
    shows: Mapping[str, str]
    """The choices of a field by their values, as ``paces``, ``free`` and ``rated``."""
    paces: Mapping[str, str]
    free: Mapping[str, str]
    rated: Mapping[str, str]
    first: str
    """The address of the first page; empty on that page."""
    onward: str
    """The address of the next page; empty on the last."""


@get("/tables")
@in_reading_thread
def find(request: AnyRequest, site: TheLobbySite, visitor: TheVisitor) -> Response[Any]:
    """Return a page of the tables that match the search."""
    wanted = filter_of(Form(request.query_params.multi_items()))
    page = site.listing.find(wanted, visitor.id)
    fields = {"show": wanted.show, "game": wanted.game, "pace": wanted.pace, "name": wanted.name}
    fields |= {"free": str(wanted.free or ""), "rated": "yes" if wanted.rated else ""}
    query = {name: value for name, value in fields.items() if value}
    onward = cursor_text(page.after)
    words, ratings = visitor.words, shown_ratings(site, page.tables)
    found_page = FindPage(
        wanted=wanted,
        page=page,
        cards_found=[card(words, info, ratings) for info in page.tables],
        shows={value: words.say(label) for value, label in SHOWS.items()},
        paces={value: words.say(label) for value, label in PACES.items()},
        free=FREE | {"": words.say(FREE[""])},
        rated={value: words.say(label) for value, label in RATED.items()},
        first=f"/tables?{urlencode(query)}" if wanted.after else "",
        onward=f"/tables?{urlencode({**query, 'after': onward})}" if onward else "",
    )
    return site.page(visitor, found_page)


ROUTES = (find,)
