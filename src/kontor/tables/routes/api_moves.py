"""API routes for games: views, moves, hints and events."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from kontor.errors import Conflict
from kontor.tables.api_values import Hinted, Line, Moves, NewHint, NewMove, Played, Undoing
from kontor.tables.hints import Hint
from kontor.tables.pages.seating import names_of
from kontor.tables.reading import require_seat
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.api_calls import SeatQuery, call_route, program_seat, seen_state, table_call
from kontor.tables.site import TheTablesSite
from kontor.tables.values import TableInfo
from kontor.web.adapter import adapter_of
from kontor.web.http.api_values import Seen, Trouble
from kontor.web.http.faults import fault_of, require_person_id
from kontor.web.http.programs import READ_OR_NOBODY, REFUSED, TheProgram
from kontor.web.http.site import in_reading_thread


@get("/api/tables/{table:str}/view", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def view(site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: SeatQuery = None) -> Seen:
    """Return the view of the game that the seat may have."""
    return seen_state(site, table, program_seat(site, program, table, seat))


@get("/api/tables/{table:str}/moves", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def moves(
    site: TheTablesSite,
    program: TheProgram,
    table: FromPath[str],
    seat: SeatQuery = None,
    start: Annotated[int, QueryParameter(ge=0, lt=2**31)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 100,
) -> Moves:
    """Return the legal moves from ``start`` on."""
    eyes = program_seat(site, program, table, seat)
    now = site.tables.view(table)
    look = now.look(eyes)
    count = len(look.moves)
    some = tuple(look.moves[at] for at in range(min(start, count), min(start + limit, count)))
    return Moves(look.number, count, some, now.info.undone)


_PLAYED: Final = ResponseSpec(Played, description="It was played.", generate_examples=False)


@table_call(TableAction.MOVE, {**REFUSED, 201: _PLAYED})
def play(site: TheTablesSite, program: TheProgram, table: FromPath[str], data: JSONBody[NewMove]) -> Response[Any]:
    """Play a move. A move that comes too late gets 409 and the current state of the game."""
    seat = require_seat(program_seat(site, program, table, data.seat))
    try:
        number = site.moves.play(table, seat, data.number, data.move, data.undone, data.undo)
        return Response(Played(number), status_code=201)
    except Conflict as conflict:
        fault = fault_of(program, conflict)
        return Response(Trouble(409, fault.sentence, now=seen_state(site, table, seat)), status_code=409)


@table_call(TableAction.UNDO)
def undo(site: TheTablesSite, program: TheProgram, table: FromPath[str], data: JSONBody[Undoing]) -> TableInfo:
    """Take back one's last move. It is possible until ``undo_until``, and until the next one acts."""
    site.moves.undo(table, require_person_id(program), data.number, data.undone)
    return site.tables.info(table, require_person_id(program))


@call_route(TableAction.HINT)
async def hint(site: TheTablesSite, program: TheProgram, table: FromPath[str], data: JSONBody[NewHint]) -> Hinted:
    """Return the judge's values of the moves, at a practice table. The other players are told of it."""

    def ask() -> Hint:
        require_person_id(program)
        site.spend(TableAction.HINT.spends, program)
        return site.hints.ask(table, require_seat(program_seat(site, program, table, data.seat)))

    pending = await site.run_for(program, ask)
    # The shield keeps one caller's disconnect from cancelling the answer for others.
    advice = await asyncio.shield(asyncio.wrap_future(pending.answer))
    return Hinted(pending.number, advice.moves, advice.exact)


@get("/api/tables/{table:str}/events", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def events(
    site: TheTablesSite,
    program: TheProgram,
    table: FromPath[str],
    seat: SeatQuery = None,
    since: Annotated[int, QueryParameter(ge=0, lt=2**31)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 200,
) -> list[Line]:
    """Return the events after the line ``since``, as the seat may know them."""
    eyes = program_seat(site, program, table, seat)
    info = site.tables.info(table, program.id)
    adapter, names, words = adapter_of(info.game), names_of(program.words, info), program.words
    return [
        Line(
            line.number,
            line.at,
            line.event,
            tuple(adapter.describe_event(words, names, line.before, line.event, line.after)),
        )
        for line in site.tables.view(table).events(eyes, since, max(since, 1) + limit)
    ]


ROUTES = (
    view,
    moves,
    play,
    undo,
    hint,
    events,
)
