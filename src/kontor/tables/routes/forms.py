"""Forms that people send at a table: each action is a function of the form, and refusals are handled here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from kontor.tables.pages.confirming import Confirmation
from kontor.tables.pages.table_context import ConfirmationAnswer
from kontor.tables.pages.table_page import PageRequest
from kontor.tables.reading import PersonSeats, acting_seat, require_seat
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.responses import after_action, page_request_of, table_response
from kontor.tables.site import TablesSite, TheTablesSite
from kontor.web.forms import Form
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.lanes import Lane
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_moving_thread
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor


@dataclass(frozen=True)
class TableForm:
    """A form that a person has sent at a table."""

    site: TablesSite
    visitor: Visitor
    person: str
    table: str
    form: Form
    page_request: PageRequest
    seats: PersonSeats

    def require_seat(self) -> int:
        """Return the seat for which the form was made. Raises NotAllowed if the person has none."""
        return require_seat(acting_seat(self.seats.mine, self.seats.mover, self.page_request.seat))

    def page(self, refused: Refused | None = None) -> Response[Any]:
        """Return the table's page with a refusal, and with everything that was written."""
        page_request = replace(self.page_request, refused=refused, sent=self.form)
        return table_response(self.site, self.visitor, self.table, page_request)

    def confirm(self, confirmation: Confirmation) -> Response[Any]:
        """Return the table's page with the question whether a move is to be made; our script gets only that."""
        if self.visitor.script:
            answer = ConfirmationAnswer(confirmation=confirmation, moves_url=f"/tables/{self.table}/moves")
            response = self.site.page(self.visitor, answer)
            response.status_code = 202
            return response
        page_request = replace(self.page_request, confirmation=confirmation, sent=self.form)
        return table_response(self.site, self.visitor, self.table, page_request)


Act = Callable[[TableForm], Response[Any] | None]
"""An action at a table; without a response of its own, the table is sent as it is then."""


def table_form(action: TableAction) -> Callable[[Act], HTTPRouteHandler]:
    """Return a decorator that makes a route of an action: ``POST /tables/{table}/{form}``.

    A refusal returns the table as it is, and the reason.
    """
    in_thread = in_moving_thread if action.lane is Lane.MOVE else in_acting_thread

    def wrap(act: Act) -> HTTPRouteHandler:
        def handle(
            request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
        ) -> Response[Any]:
            person = require_person_id(visitor)
            seats = site.tables.seats_of(table, person)
            page_request = page_request_of(request, site, form)
            sent = TableForm(site, visitor, person, table, form, page_request, seats)
            try:
                site.spend(action.spends, visitor)
                return act(sent) or after_action(site, visitor, table, page_request)
            except TURNED_DOWN as refusal:
                return refusal_response(site, visitor, refusal, sent.page, seats.game)

        handle.__name__, handle.__qualname__, handle.__doc__ = act.__name__, act.__qualname__, act.__doc__
        return post(f"/tables/{{table:str}}/{action.form}")(in_thread(handle))

    return wrap
