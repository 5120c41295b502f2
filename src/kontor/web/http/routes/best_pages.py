"""How strong people are: the best at each game, and what each person shows of themselves."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.players.levels import level_name, marked
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, named, turned_down
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.routes.people import your_page
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import TheSite, in_acting_thread, in_reading_thread, redirect

_A_PAGE: Final = 50
"""People on one page of the best."""


@get("/best/{game:str}")
@in_reading_thread
def best(request: AnyRequest, site: TheSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """The best at a game, of those who chose to be listed."""
    if game not in web_adapters():
        raise NoPage
    stored, words = site.service.ratings, visitor.words
    nth = max(1, Form(request.query_params.multi_items()).number("page", 1))
    page = stored.best(game, visitor.id, (nth - 1) * _A_PAGE, _A_PAGE)
    own = next((one for one in stored.of(visitor.id) if one.game == game), None) if visitor.id else None
    profile = stored.profile(visitor.id) if visitor.id else None
    return site.page(
        "people/best.html",
        visitor,
        game=game,
        title=adapter_of(game).title,
        page=page,
        levels={row.level: marked(level_name(words, row.level)) for row in page.rows if row.level},
        own=own,
        listed=bool(profile and profile.listed),
        nth=nth,
    )


@post("/you/profile")
@in_acting_thread
def show(site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """What I show to others."""
    person = named(visitor)
    try:
        site.spend("name", visitor)
        site.service.ratings.show(person, listed="listed" in form, public="public" in form)
    except TURNED_DOWN as thrown:
        return turned_down(site, visitor, thrown, lambda told: your_page(site, visitor, refused=told))
    return redirect("/you#showing")


ROUTES = (best, show)
