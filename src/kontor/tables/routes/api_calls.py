"""Calls by which programs act at a table, the seat whose view they get, and what that seat sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from litestar import delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter

from kontor.errors import NotAllowed
from kontor.game import OVER
from kontor.tables.reading import acting_seat
from kontor.tables.routes.actions import TableAction
from kontor.tables.site import TablesSite
from kontor.tables.values import TableInfo
from kontor.tables.views import TableView
from kontor.web.http.api_values import Seen
from kontor.web.http.programs import PLAY, REFUSED, spending
from kontor.web.pages.visitor import Visitor

SeatQuery = Annotated[int | None, QueryParameter(ge=0, le=99, description="By whose eyes; without it, one's own.")]


def call_route(
    action: TableAction, responses: Mapping[int, ResponseSpec] = REFUSED
) -> Callable[[Callable[..., Any]], HTTPRouteHandler]:
    """Return a decorator that makes a route of a function: the action's call in the API."""
    method, path = action.call.split()
    decorate = delete if method == "DELETE" else post
    return decorate(f"/api/tables/{{table:str}}{path}", responses=responses, security=PLAY)


def table_call(
    action: TableAction, responses: Mapping[int, ResponseSpec] = REFUSED
) -> Callable[[Callable[..., Any]], HTTPRouteHandler]:
    """Return a decorator that makes a route of an action, as ``table_form`` does: the same limit, the same lane."""

    def wrap(act: Callable[..., Any]) -> HTTPRouteHandler:
        return call_route(action, responses)(spending(action.spends, action.lane)(act))

    return wrap


def program_seat(site: TablesSite, program: Visitor, table: str, seat: int | None) -> int | None:
    """Return the seat whose view a program gets at a table; None for a spectator's. Raises NotAllowed."""
    now = site.tables.view(table, program.id)
    if not program.speculative:
        site.visits.note(now.snapshot, None)  # a program looks, not its person
    return person_seat(now.info, seat)


def person_seat(info: TableInfo, seat: int | None) -> int | None:
    """Return the same for the person for whom the table is described."""
    if seat is None:
        return acting_seat(info.mine, info.mover, None)
    if seat not in info.mine:
        raise NotAllowed("", "That seat is not yours.")
    return seat


def seen_state(site: TablesSite, table: str, seat: int | None) -> Seen:
    """Return the game as a seat sees it."""
    return seen_state_in(site.tables.view(table), seat)


def seen_state_in(now: TableView, seat: int | None) -> Seen:
    """Return the game as a seat sees it in a table view."""
    look = now.look(seat)
    mover = OVER if now.info.status == "over" else look.view.mover  # also where it was ended early
    return Seen(look.number, seat, mover, look.view, len(look.moves), now.info.undone)
