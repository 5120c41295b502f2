"""API routes for finished games, and their records."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Annotated
from urllib.parse import urlencode

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import ClientException
from litestar.params import FromQuery, QueryParameter, SkipValidation
from litestar.response import Stream

from kontor.archive.api_values import FinishedGamesPage
from kontor.archive.downloads import MEDIA_TYPE, records_response, tables_of_file
from kontor.archive.searching import (
    LONGEST_NAME,
    MOST_STEPS,
    EndChoice,
    GameSearch,
    RatedChoice,
    ResultChoice,
    prepare,
)
from kontor.ratings.site import RatingsSite, TheRatingsSite
from kontor.tables.routes.api_tables import CursorQuery
from kontor.web.cursors import cursor_text
from kontor.web.forms import one_line
from kontor.web.http.programs import READ_OR_NOBODY, REFUSED, TheProgram
from kontor.web.http.site import in_reading_thread
from kontor.web.pages.visitor import Visitor

DayQuery = Annotated[date | None, QueryParameter(description="A day in UTC.")]
StepsQuery = Annotated[int, QueryParameter(ge=0, le=MOST_STEPS, description="0: any number.")]


def provide_search(
    game: Annotated[str, QueryParameter(max_length=40)] = "",
    name: Annotated[str, QueryParameter(max_length=40, description="Part of a person's name.")] = "",
    person: Annotated[str, QueryParameter(max_length=40, description="The handle of a person's page.")] = "",
    players: Annotated[int, QueryParameter(ge=0, le=99, description="The number of seats.")] = 0,
    since: DayQuery = None,
    until: DayQuery = None,
    rated: FromQuery[RatedChoice] = "",
    end: FromQuery[EndChoice] = "",
    result: Annotated[ResultChoice, QueryParameter(description="Of the person, or of somebody with the name.")] = "",
    min_steps: StepsQuery = 0,
    max_steps: StepsQuery = 0,
    older: CursorQuery = "",
    newer: CursorQuery = "",
) -> GameSearch:
    """Return the search that the parameters of a call ask for. Raises ClientException for a result of nobody."""
    search = GameSearch(
        game=game,
        name=one_line(name, LONGEST_NAME),
        person=person,
        players=players,
        since=since,
        until=until,
        rated=rated,
        end=end,
        result=result,
        min_steps=min_steps,
        max_steps=max_steps,
        older=older,
        newer=newer,
    )
    if search.lacks_person():
        raise ClientException
    return search


_SEARCHING = {"search": Provide(provide_search, sync_to_thread=False)}
TheSearch = NamedDependency[SkipValidation[GameSearch]]


@get("/api/games/finished", responses=REFUSED, security=READ_OR_NOBODY, dependencies=_SEARCHING)
@in_reading_thread
def finished_games(site: TheRatingsSite, program: TheProgram, search: TheSearch) -> FinishedGamesPage:
    """Find finished games that anybody may watch: the newest first, 25 a page."""
    page = site.finished_games.find(prepare(site, search, program.id).wanted, program.id)
    return FinishedGamesPage(page.games, cursor_text(page.older), cursor_text(page.newer))


@get(
    "/api/games/finished/records",
    responses=REFUSED,
    security=READ_OR_NOBODY,
    media_type=MEDIA_TYPE,
    dependencies=_SEARCHING,
)
async def finished_records(site: TheRatingsSite, program: TheProgram, search: TheSearch) -> Stream:
    """Return the records of such games, one after the other, of 100 games at most.

    The header ``Link`` has the address of the next hundred, if there are more.
    """
    tables, older = await site.run_for(program, partial(_tables_of_search, site, program, search))
    query = urlencode(search.fields() | {"older": older})
    return records_response(site, program, tables, f"/api/games/finished/records?{query}" if older else "")


def _tables_of_search(site: RatingsSite, program: Visitor, search: GameSearch) -> tuple[list[str], str]:
    return tables_of_file(site, program, prepare(site, search, program.id).wanted)


ROUTES = (finished_games, finished_records)
