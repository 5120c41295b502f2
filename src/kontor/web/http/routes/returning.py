"""Coming back, or to another device, by a code that is typed; and the recovery code that one keeps for it."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from kontor.web.http.faults import named, turned_down
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.routes.people import your_page
from kontor.web.http.sessions import TheForm, TheVisitor, session_cookie
from kontor.web.http.site import TheSite, in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused


@get("/return")
@in_reading_thread
def asked(site: TheSite, visitor: TheVisitor) -> Response[str]:
    """Where a code is typed."""
    return site.page("people/return.html", visitor, refused=None, code="")


@post("/return")
@in_acting_thread
def returned(site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """This browser is that person's from now on."""

    def again(told: Refused) -> Response[str]:
        return site.page("people/return.html", visitor, refused=told, code=form.text("code", 100))

    try:
        site.spend("code", visitor)
        _, token = site.service.recovery.sign_in(form.get("code", ""))
    except TURNED_DOWN as thrown:
        return turned_down(site, visitor, thrown, again)
    if visitor.session:
        site.service.people.end_session(visitor.session)
    return redirect("/", [session_cookie(visitor, token)])


@post("/you/recovery")
@in_acting_thread
def recovery(site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[str]:
    """A recovery code, shown once."""
    person = named(visitor)
    try:
        site.spend("name", visitor)
        code = site.service.recovery.new_code(person)
    except TURNED_DOWN as thrown:
        return turned_down(site, visitor, thrown, lambda told: your_page(site, visitor, refused=told))
    return your_page(site, visitor, recovery_code=code)


@post("/you/recovery/later")
@in_acting_thread
def later(site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[None]:
    """Puts the offer of one away."""
    site.service.recovery.put_away(named(visitor))
    return redirect("/")


ROUTES = (asked, returned, recovery, later)
