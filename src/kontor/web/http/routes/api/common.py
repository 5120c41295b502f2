"""Shared parts of the API: the caller, the seat whose view they get, and the documentation of refusals."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Annotated, Any, Final, ParamSpec, TypeVar

from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter

from kontor.errors import NotAllowed
from kontor.game import OVER
from kontor.people.values import Scope
from kontor.tables.table_views import TableView
from kontor.tables.values import TableInfo
from kontor.web.http.api_values import (
    Seen,
    Trouble,
)
from kontor.web.http.faults import require_person_id
from kontor.web.http.lanes import Lane
from kontor.web.http.routes.play import acting_seat
from kontor.web.http.sessions import TOKEN_SCHEME
from kontor.web.http.site import Site, in_acting_thread, in_moving_thread
from kontor.web.pages.visitor import Visitor

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

TheProgram = NamedDependency[Visitor]
"""The caller, identified by the header ``Authorization: Bearer …``; without it, nobody, with a spectator's view."""

SeatQuery = Annotated[int | None, QueryParameter(ge=0, le=99, description="By whose eyes; without it, one's own.")]

REFUSED: Final = {
    status: ResponseSpec(Trouble, description=reason, generate_examples=False)
    for status, reason in (
        (400, "It could not be understood."),
        (401, "A token is needed."),
        (403, "Not for this person; or the token lacks a `scope`."),
        (404, "There is nothing here."),
        (409, "Something has happened meanwhile, or it is not the time for it."),
        (413, "It is too much at once."),
        (415, "The body is not said to be JSON."),
        (422, "The rules refuse it."),
        (429, "Too often; Retry-After says when."),
        (503, "Not just now."),
    )
}


def _security(*scopes: Scope) -> list[dict[str, list[str]]]:
    return [{TOKEN_SCHEME: list(scopes)}]


PLAY: Final = _security("play")
READ: Final = _security("read")
NOTIFY: Final = _security("notify")
ANY_TOKEN: Final = _security()
"""Security of routes that need a token, and the scope it needs; ``program_of`` checks it."""
READ_OR_NOBODY: Final = [*READ, {}]
"""Security of routes that also work without a token. A token decides whose view is returned."""
NOBODY: Final[list[dict[str, list[str]]]] = [{}]
"""Security of routes that need no token."""


def spending(
    action: str, lane: Lane = Lane.ACT
) -> Callable[[Callable[Given, Answer]], Callable[Given, Coroutine[Any, Any, Answer]]]:
    """Return a decorator for routes by which a program acts as its person.

    The route runs in a thread of its lane, within the limits of ``action``. Raises NoName, MissingScope, RateLimited.
    """

    def wrap(route: Callable[Given, Answer]) -> Callable[Given, Coroutine[Any, Any, Answer]]:
        @wraps(route)
        def act(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
            site: Any = kwargs["site"]
            program: Any = kwargs["program"]
            require_person_id(program)
            site.spend(action, program)
            return route(*args, **kwargs)

        return in_moving_thread(act) if lane is Lane.MOVE else in_acting_thread(act)

    return wrap


def program_seat(site: Site, program: Visitor, table: str, seat: int | None) -> int | None:
    """Return the seat whose view a program gets at a table; None for a spectator's. Raises NotAllowed."""
    now = site.service.tables.view(table, program.id)
    if not program.speculative:
        site.service.visits.note(now.snapshot, None)  # a program looks, not its person
    return person_seat(now.info, seat)


def person_seat(info: TableInfo, seat: int | None) -> int | None:
    """Return the same for the person for whom the table is described."""
    if seat is None:
        return acting_seat(info.mine, info.mover, None)
    if seat not in info.mine:
        raise NotAllowed("", "That seat is not yours.")
    return seat


def seen_state(site: Site, table: str, seat: int | None) -> Seen:
    """Return the game as a seat sees it."""
    return seen_state_in(site.service.tables.view(table), seat)


def seen_state_in(now: TableView, seat: int | None) -> Seen:
    """Return the game as a seat sees it in a table view."""
    look = now.look(seat)
    mover = OVER if now.info.status == "over" else look.view.mover  # also where it was ended early
    return Seen(look.number, seat, mover, look.view, len(look.moves), now.info.undone)
