"""Pages of the archive, and its records as a file."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

from litestar import Response, get
from litestar.response import Stream

from kontor.archive.downloads import MOST_RECORDS, records_response, tables_of_file
from kontor.archive.pages import ENDS, RATED, RESULTS, GamesPage, game_row, numbers_of_players
from kontor.archive.searching import MOST_STEPS, GameSearch, prepare, search_of
from kontor.ratings.site import RatingsSite, TheRatingsSite
from kontor.storage.stored_times import milliseconds_of
from kontor.tables.finished_games import GamesCursor, GamesFound
from kontor.web.cursors import cursor_text
from kontor.web.forms import Form
from kontor.web.http.sessions import AnyRequest, TheVisitor
from kontor.web.http.site import in_reading_thread
from kontor.web.pages.visitor import Visitor


def _address(search: GameSearch, *, path: str = "/games", **cursor: str) -> str:
    """Return the address of a search, perhaps at a cursor."""
    query = urlencode(search.fields() | {name: value for name, value in cursor.items() if value})
    return f"{path}?{query}" if query else path


def _onward(search: GameSearch, direction: str, cursor: GamesCursor | None) -> str:
    return _address(search, **{direction: cursor_text(cursor)}) if cursor else ""


def _records_address(search: GameSearch, page: GamesFound) -> str:
    """Return the address of the records of the games on a page and of older ones; empty if there are none."""
    if not page.games:
        return ""
    ended = page.games[0].table.ended
    from_here = cursor_text((milliseconds_of(ended) + 1, "0")) if search.newer and ended else search.older
    return _address(search, path="/games/records.jsonl", older=from_here)


@get("/games")
@in_reading_thread
def games(request: AnyRequest, site: TheRatingsSite, visitor: TheVisitor) -> Response[str]:
    """Return a page of the finished games that match the search."""
    search, words = search_of(Form(request.query_params.multi_items())), visitor.words
    prepared = prepare(site, search, visitor.id, words.zone)
    page = site.finished_games.find(prepared.wanted, visitor.id)
    profiles = site.ratings.at_tables([finished.table.id for finished in page.games])
    any_number = {"": words.say("any number")}
    games_page = GamesPage(
        search=search,
        owner=prepared.owner,
        rows=[game_row(words, finished, profiles) for finished in page.games],
        rated={value: words.say(label) for value, label in RATED.items()},
        ends={value: words.say(label) for value, label in ENDS.items()},
        results={value: words.say(label) for value, label in RESULTS.items()},
        most_steps=MOST_STEPS,
        players=any_number | {str(number): str(number) for number in numbers_of_players()},
        first=_address(search) if page.newer else "",
        newer=_onward(search, "newer", page.newer),
        older=_onward(search, "older", page.older),
        records=_records_address(search, page),
        most_records=MOST_RECORDS,
    )
    return site.page(visitor, games_page)


@get("/games/records.jsonl")
async def records(request: AnyRequest, site: TheRatingsSite, visitor: TheVisitor) -> Stream:
    """Return the records of the games that match the search as a file, the newest first."""
    search = search_of(Form(request.query_params.multi_items()))
    tables, older = await site.run_for(visitor, partial(_tables_of_search, site, visitor, search))
    onward = _address(search, path="/games/records.jsonl", older=older) if older else ""
    return records_response(site, visitor, tables, onward)


def _tables_of_search(site: RatingsSite, visitor: Visitor, search: GameSearch) -> tuple[list[str], str]:
    return tables_of_file(site, visitor, prepare(site, search, visitor.id, visitor.words.zone).wanted)


ROUTES = (games, records)
