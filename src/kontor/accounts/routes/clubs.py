"""Reports of clubs to the operator."""

from __future__ import annotations

from functools import partial
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from kontor.accounts.site import TheAccountsSite
from kontor.clubs.pages import ClubState
from kontor.clubs.routes import draw_club
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, redirect


@post("/clubs/{club:str}/report")
@in_acting_thread
def report(
    request: AnyRequest, site: TheAccountsSite, visitor: TheVisitor, form: TheForm, club: FromPath[str]
) -> Response[Any]:
    """Report a club to the operator."""
    person, text = require_person_id(visitor), form.get("text", "")
    try:
        site.spend("chat", visitor)
        site.blocking.report_club(club, person, text)
    except TURNED_DOWN as thrown:
        again = partial(draw_club, site, visitor, club, site.base(request), ClubState(report=text))
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"/clubs/{club}?reported=yes")


ROUTES = (report,)
