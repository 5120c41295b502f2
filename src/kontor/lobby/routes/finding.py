"""Search for tables with a free seat, and games to watch: by game, pace and name, page by page."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response, get

from kontor.lobby.site import TheLobbySite
from kontor.tables.pages.cards import card
from kontor.tables.values import TableFilter
from kontor.web.adapter import web_adapters
from kontor.web.cursors import cursor_text, parse_cursor
from kontor.web.forms import Form
from kontor.web.http.sessions import AnyRequest, TheVisitor
from kontor.web.http.site import in_reading_thread
from kontor.words import mark

SHOWS: Final = {"open": mark("with a free seat"), "watch": mark("to watch")}
PACES: Final = {"": mark("any pace"), "live": mark("live"), "slow": mark("turn-based"), "none": mark("no time limit")}

FREE: Final = {"": mark("any number"), **{str(number): str(number) for number in range(1, 6)}}
RATED: Final = {"": mark("rated or not"), "yes": mark("rated")}

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
    words = visitor.words
    return site.page(
        "lobby/find.html",
        visitor,
        wanted=wanted,
        page=page,
        cards_found=[card(words, info) for info in page.tables],
        shows={value: words.say(label) for value, label in SHOWS.items()},
        paces={value: words.say(label) for value, label in PACES.items()},
        free=FREE | {"": words.say(FREE[""])},
        rated={value: words.say(label) for value, label in RATED.items()},
        first=f"/tables?{urlencode(query)}" if wanted.after else "",
        onward=f"/tables?{urlencode({**query, 'after': onward})}" if onward else "",
    )


ROUTES = (find,)
