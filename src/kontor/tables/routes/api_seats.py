"""The seat whose view a program gets at a table, and what that seat sees."""

from __future__ import annotations

from typing import Annotated

from litestar.params import QueryParameter

from kontor.errors import NotAllowed
from kontor.game import OVER
from kontor.tables.routes.forms import acting_seat
from kontor.tables.site import TablesSite
from kontor.tables.values import TableInfo
from kontor.tables.views import TableView
from kontor.web.http.api_values import Seen
from kontor.web.pages.visitor import Visitor

SeatQuery = Annotated[int | None, QueryParameter(ge=0, le=99, description="By whose eyes; without it, one's own.")]


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
