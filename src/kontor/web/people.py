"""Who somebody is: naming oneself, the same person on another device, programs, and how pages look."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.game import Refusal
from kontor.table import SESSION_DAYS, BadName
from kontor.web.faults import named, status_of
from kontor.web.languages import languages
from kontor.web.refusals import refused
from kontor.web.sessions import LANGUAGE, SESSION, THEME, THEMES, AnyRequest, TheForm, TheVisitor, Visitor
from kontor.web.site import Site, TheSite, go, threaded, within


@post("/name")
@threaded
def name(site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """A guest names themselves; whoever has a name changes it."""
    site.spend("name", visitor)
    wished, target = form.get("name", ""), within(form.get("next", "/"))
    try:
        if visitor.person:
            site.house.rename(visitor.person.id, wished)
            return go(target)
        _, token = site.house.guest(wished)
    except BadName as refusal:
        told = refused(visitor.words, "", refusal)
        return site.pages.page(
            "people/naming.html", visitor, status=422, refused=told, next=target, name=form.text("name", 60)
        )
    return go(target, [visitor.session_cookie(token)])


@post("/settings", sync_to_thread=False)
def settings(visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Day or night, and the language."""
    cookies = []
    if form.get("theme") in (*THEMES, "auto"):
        cookies.append(visitor.cookie(THEME, form["theme"]))
    if form.get("language") in languages():
        cookies.append(visitor.cookie(LANGUAGE, form["language"]))
    return go(within(form.get("next", "/")), cookies)


# ----------------------------------------------------------------------------------------------------------- me


@get("/you")
@threaded
def you(site: TheSite, visitor: TheVisitor) -> Response[str]:
    """What the house knows of me, and the ways in which I am known."""
    return _you(site, visitor)


def _you(site: Site, visitor: Visitor, **more: Any) -> Response[str]:
    person = named(visitor)
    known = site.house.sessions(person)
    return site.pages.page(
        "people/you.html",
        visitor,
        known=known,
        days=SESSION_DAYS,
        **{"device": "", "program": "", "refused": None, **more},
    )


@post("/you/device")
@threaded
def device(request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[str]:
    """A link that brings me to another device, once, within ten minutes."""
    person = named(visitor)
    site.spend("name", visitor)
    token = site.house.device_link(person)
    return _you(site, visitor, device=f"{site.base(request)}/device/{token}")


@post("/you/program")
@threaded
def program(site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[str]:
    """A token by which a program can sit at tables for me."""
    person = named(visitor)
    site.spend("name", visitor)
    return _you(site, visitor, program=site.house.api_token(person, form.get("label", "")))


@post("/you/forget")
@threaded
def forget(site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Ends one of my sessions or programs, or this very session."""
    person = named(visitor)
    if form.get("session"):
        site.house.revoke(person, form["session"])
        return go("/you")
    site.house.end_session(visitor.session)
    answer = go("/", [visitor.cookie(SESSION, "", seconds=0)])
    answer.headers["clear-site-data"] = '"cache", "storage"'  # the cookies of light and language may stay
    return answer


# ------------------------------------------------------------------------------------------------ another device


@get("/device/{link:str}")
@threaded
def arriving(site: TheSite, visitor: TheVisitor, link: FromPath[str]) -> Response[str]:
    """Shows what the link is for. (Nothing is claimed by looking: previews of links look too.)"""
    return site.pages.page("people/device.html", visitor, link=link, refused=None)


@post("/device/{link:str}")
@threaded
def arrive(site: TheSite, visitor: TheVisitor, form: TheForm, link: FromPath[str]) -> Response[Any]:
    """This device is that person's from now on, by a session of its own."""
    site.spend("name", visitor)
    try:
        _, token = site.house.claim_device(link)
    except Refusal as refusal:
        told = refused(visitor.words, "", refusal)
        return site.pages.page("people/device.html", visitor, status=status_of(refusal), link=link, refused=told)
    if visitor.session:
        site.house.end_session(visitor.session)
    return go("/", [visitor.session_cookie(token)])


ROUTES = (name, settings, you, device, program, forget, arriving, arrive)
