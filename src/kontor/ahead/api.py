"""API routes of moves given ahead."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath, JSONBody

from kontor.ahead.api_values import GivenAhead, NewMovesAhead
from kontor.ahead.site import AheadSite, TheAheadSite
from kontor.ahead.store import part_of, require_seat_for_ahead
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.api_calls import table_call
from kontor.web.http.faults import require_person_id
from kontor.web.http.programs import READ, REFUSED, TheProgram
from kontor.web.http.site import in_reading_thread
from kontor.web.pages.visitor import Visitor


def _moves_ahead(site: AheadSite, program: Visitor, table: str) -> GivenAhead:
    now = site.tables.view(table, require_person_id(program))
    seat = require_seat_for_ahead(now)
    given = site.moves_ahead.given(now)
    sentences = part_of(now.info.game).describe(program.words, now.look(seat).view, given.moves)
    return GivenAhead(given.moves, tuple(sentences), given.missed)


@get("/api/tables/{table:str}/ahead", responses=REFUSED, security=READ)
@in_reading_thread
def read(site: TheAheadSite, program: TheProgram, table: FromPath[str]) -> GivenAhead:
    """Return the moves that one has given ahead at a table."""
    return _moves_ahead(site, program, table)


@table_call(TableAction.GIVE_AHEAD)
def give(site: TheAheadSite, program: TheProgram, table: FromPath[str], data: JSONBody[NewMovesAhead]) -> GivenAhead:
    """Give moves ahead, instead of those given before."""
    site.moves_ahead.give(table, require_person_id(program), data.moves)
    return _moves_ahead(site, program, table)


@table_call(TableAction.DROP_AHEAD)
def drop(site: TheAheadSite, program: TheProgram, table: FromPath[str]) -> None:
    """Take back one's moves given ahead."""
    site.moves_ahead.drop(table, require_person_id(program))


ROUTES = (read, give, drop)
