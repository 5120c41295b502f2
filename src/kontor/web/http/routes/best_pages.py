"""How strong people are: the best at each game, and what each person shows of themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.players.levels import level_name, marked
from kontor.review.review_text import percent
from kontor.table import Person
from kontor.table.rating_values import GameHistory, PersonRating
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, named, turned_down
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.routes.lobby import card
from kontor.web.http.routes.people import your_page
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import Site, TheSite, in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.rating_curve import RatingCurve, rating_curve
from kontor.web.pages.visitor import Visitor

_RECENT: Final = 20
"""Games whose records stand on one's own page."""

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
        return turned_down(site, visitor, thrown, lambda told: your_page(site, visitor, "showing", refused=told))
    return redirect("/you?open=showing#showing")


# ------------------------------------------------------------------------------------------------------ one person


@dataclass(frozen=True)
class PlayedGame:
    """What a page about a person shows of a game."""

    game: str
    rating: PersonRating | None
    curve: RatingCurve | None
    history: GameHistory | None


@get("/people/me")
@in_reading_thread
def me(request: AnyRequest, site: TheSite, visitor: TheVisitor) -> Response[str]:
    """My own page, whoever else may see it."""
    return _person_page(request, site, visitor, Person(named(visitor), visitor.person.name if visitor.person else ""))


@get("/people/{handle:str}")
@in_reading_thread
def somebody(request: AnyRequest, site: TheSite, visitor: TheVisitor, handle: FromPath[str]) -> Response[str]:
    """The page about a person who shows it."""
    person = site.service.histories.whose(handle, visitor.id)
    if person is None:
        raise NoPage
    return _person_page(request, site, visitor, person)


def _person_page(request: AnyRequest, site: Site, visitor: Visitor, person: Person) -> Response[str]:
    words, own = visitor.words, person.id == visitor.id
    history = site.service.histories.of(person.id, own=own)
    ratings = {one.game: one for one in site.service.ratings.of(person.id)}
    played = {one.game: one for one in history.games}
    days = site.service.ratings.curve(person.id)
    shown = []
    for game in web_adapters():
        theirs = [day for day in days if day.game == game]
        if game in ratings or game in played:
            curve = rating_curve(words, theirs) if theirs else None
            shown.append(PlayedGame(game, ratings.get(game), curve, played.get(game)))
    profile = site.service.ratings.profile(person.id) if own else None
    finished = [
        {"card": card(words, info), "day": words.day(info.ended.date())}
        for info in (site.service.listing.finished(person.id, limit=_RECENT) if own else ())
        if info.ended
    ]
    return site.page(
        "people/person.html",
        visitor,
        person=person,
        own=own,
        public=profile.handle if profile and profile.public else "",
        base=site.base(request),
        shown=shown,
        companions=history.companions,
        finished=finished,
        percent=lambda tally: percent(words, tally.won / tally.games),
    )


ROUTES = (best, show, me, somebody)
