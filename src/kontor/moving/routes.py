"""The route of what people choose about their own moves."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, post

from kontor.moving.site import TheMovingSite
from kontor.people.values import CONFIRMED_PACES
from kontor.web.http.faults import refused_on_your_page, require_person_id
from kontor.web.http.sessions import TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, redirect

_PART: Final = "own-moves"
"""The section of one's own page."""


@post("/you/moves")
@in_acting_thread
@refused_on_your_page(_PART)
def choose(site: TheMovingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Save at which tables the person confirms each move, and whether the only one is played for them."""
    person = require_person_id(visitor)
    site.spend("name", visitor)
    chosen = form.get("confirms", "").split()
    paces = [pace for pace in CONFIRMED_PACES if pace in chosen]
    site.own_moves.choose(person, paces, only_move=form.get("only") == "yes")
    return redirect(f"/you?open={_PART}#{_PART}")


ROUTES = (choose,)
