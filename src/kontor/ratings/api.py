"""API routes for ratings and game histories, with the same contents as the pages about people."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.params import FromPath, QueryParameter

from kontor.people.values import Person
from kontor.ratings.api_values import PersonPage
from kontor.ratings.site import RatingsSite, TheRatingsSite
from kontor.ratings.values import PARTS, BestPage, Calibration
from kontor.web.http.faults import NoPage, require_game, require_person_id
from kontor.web.http.programs import READ, READ_OR_NOBODY, REFUSED, TheProgram
from kontor.web.http.site import in_reading_thread

_A_PAGE = 50
"""People on one page of the best."""


@get("/api/me/page", responses=REFUSED, security=READ)
@in_reading_thread
def my_page(site: TheRatingsSite, program: TheProgram) -> PersonPage:
    """Return all parts of one's own page, including those hidden from others."""
    person = Person(require_person_id(program), program.person.name if program.person else "")
    return _page(site, person, person.id)


@get("/api/people/{handle:str}", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def page(site: TheRatingsSite, program: TheProgram, handle: FromPath[str]) -> PersonPage:
    """Return what a person shows of themselves. The handle is that in the address of their page."""
    person = site.histories.page_owner(handle, program.id)
    if person is None:
        raise NoPage
    return _page(site, person, program.id)


@get("/api/best/{game:str}", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def best(
    site: TheRatingsSite,
    program: TheProgram,
    game: FromPath[str],
    page: Annotated[int, QueryParameter(ge=1, lt=10**6)] = 1,
) -> BestPage:
    """Return the best players of a game, of those who chose to be listed; fifty on a page."""
    require_game(game)
    return site.ratings.best(game, program.id, (page - 1) * _A_PAGE, _A_PAGE)


@get("/api/best/{game:str}/calibration", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def calibration(site: TheRatingsSite, program: TheProgram, game: FromPath[str]) -> Calibration:
    """Return how often favourites have won, beside the chances that their ratings gave them before."""
    require_game(game)
    return site.ratings.calibration(game)


def _page(site: RatingsSite, person: Person, reader: str | None) -> PersonPage:
    own = person.id == reader
    profile = site.ratings.profile(person.id)
    parts = PARTS if own else profile.parts if profile else ()
    history = site.histories.of(person.id, own=own)
    return PersonPage(
        name=person.name,
        parts=parts,
        results=history.games if "results" in parts else (),
        ratings=site.ratings.of(person.id) if "rating" in parts else (),
        curve=site.ratings.curve(person.id) if "rating" in parts else (),
        reviewed=site.reviewed_seats.of(person.id) if "play" in parts else (),
        companions=history.companions if "companions" in parts else (),
        meetings=site.histories.meetings(person.id, reader) if reader and not own else (),
    )


ROUTES = (my_page, page, best, calibration)
