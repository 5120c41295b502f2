"""What all of it needs: who calls, by whose eyes they see a table, and how refusals are documented."""

from __future__ import annotations

from typing import Annotated, Final

from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter

from kontor.game import OVER
from kontor.table import (
    NotAllowed,
    TableInfo,
    TableView,
)
from kontor.web.http.api_values import (
    Seen,
    Trouble,
)
from kontor.web.http.faults import named
from kontor.web.http.routes.play import acting
from kontor.web.http.site import Site
from kontor.web.pages.visitor import Visitor

TheProgram = NamedDependency[Visitor]
"""Whoever calls, known by the header ``Authorization: Bearer …``; or nobody, who sees what spectators see."""

SeatQuery = Annotated[int | None, QueryParameter(ge=0, le=99, description="By whose eyes; without it, one's own.")]

REFUSED: Final = {
    status: ResponseSpec(Trouble, description=why, generate_examples=False)
    for status, why in (
        (400, "It could not be understood."),
        (401, "A token is needed."),
        (403, "Not for this person."),
        (404, "There is nothing here."),
        (409, "Something has happened meanwhile, or it is not the time for it."),
        (413, "It is too much at once."),
        (415, "The body is not said to be JSON."),
        (422, "The rules refuse it."),
        (429, "Too often; Retry-After says when."),
        (503, "Not just now."),
    )
}


TOKEN: Final[list[dict[str, list[str]]]] = [{"token": []}]
"""For what nobody can do without a token. Elsewhere it says by whose eyes one looks."""


def playing(program: Visitor) -> str:
    """The id of the person as whom a program does something. Raises NoName, NotAllowed."""
    person = named(program)
    if program.person and program.person.scope == "read":
        raise NotAllowed("", "With this token a program can only watch.")
    return person


def eyes_of(site: Site, program: Visitor, table: str, seat: int | None) -> int | None:
    """By whose eyes a program sees a table: by its own seat's, or as a spectator. Raises NotAllowed."""
    now = site.service.table_view(table, program.id)
    site.service.visits.note(now.snapshot, now.person)
    return eyes_in(now.info, seat)


def eyes_in(info: TableInfo, seat: int | None) -> int | None:
    """The same, for whom the table is described."""
    if seat is None:
        return acting(info, None)
    if seat not in info.mine:
        raise NotAllowed("", "That seat is not yours.")
    return seat


def seen(site: Site, table: str, seat: int | None) -> Seen:
    """How a game stands for a seat."""
    return seen_in(site.service.table_view(table), seat)


def seen_in(now: TableView, seat: int | None) -> Seen:
    """The same, at a moment."""
    look = now.look(seat)
    mover = OVER if now.info.status == "over" else look.view.mover  # also where it was ended early
    return Seen(look.number, seat, mover, look.view, len(look.moves), now.info.undone)
