"""Seats: taking one, inviting friends, leaving, standing in for the absent, and the rematch."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.game import Refusal
from kontor.web.around import names_of, terms
from kontor.web.faults import NoPage, status_of
from kontor.web.frame import Wish
from kontor.web.play import attempt, back
from kontor.web.refusals import refused
from kontor.web.rooms import ROOMS
from kontor.web.rulebook import BOOKS
from kontor.web.sessions import AnyRequest, TheForm, TheVisitor, Visitor
from kontor.web.site import Site, TheSite, go, threaded


@post("/tables/{table:str}/invitations")
@threaded
def invite(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """A link for a friend. It is shown once; a new one can be made at any time."""
    seat = form.number("at")

    def act(person: str, wish: Wish) -> Response[Any]:
        token = site.house.invitation(table, seat, person)
        return go(f"/tables/{table}?seat={seat}&invitation={token}")

    return attempt(request, site, visitor, table, "join", act)


@get("/invitations/{table:str}/{seat:int}/{invitation:str}")
@threaded
def invited(
    site: TheSite, visitor: TheVisitor, table: FromPath[str], seat: FromPath[int], invitation: FromPath[str]
) -> Response[str]:
    """Shows to what somebody is invited. (The seat is claimed by a form: previews of links look too.)"""
    return _invitation(site, visitor, table, seat, invitation)


def _invitation(
    site: Site, visitor: Visitor, table: str, seat: int, invitation: str, status: int = 200, **more: Any
) -> Response[str]:
    info = site.house.info(table, visitor.id)
    if seat >= len(info.seats):
        raise NoPage
    words = visitor.words
    return site.pages.page(
        "people/invitation.html",
        visitor,
        status=status,
        info=info,
        game=ROOMS[info.game].title,
        others=words.all_of([name for name, at in zip(names_of(words, info), info.seats, strict=True) if at.taken]),
        terms=terms(words, info),
        lead=BOOKS[info.game].lead,
        taken=info.seats[seat].taken,
        last=sum(not at.taken for at in info.seats) == 1,
        address=f"/invitations/{table}/{seat}/{invitation}",
        **{"refused": None, "name": "", **more},
    )


@post("/invitations/{table:str}/{seat:int}/{invitation:str}")
@threaded
def accept(
    site: TheSite,
    visitor: TheVisitor,
    form: TheForm,
    table: FromPath[str],
    seat: FromPath[int],
    invitation: FromPath[str],
) -> Response[Any]:
    """Takes the seat. Whoever has no name yet gives it here; in any case the session is a new one."""
    site.spend("join", visitor)
    person, token = visitor.id, ""
    try:
        if person is None:
            site.spend("name", visitor)
            guest, token = site.house.guest(form.get("name", ""))
            person = guest.id
        site.house.sit(table, seat, person, invitation, form.get("salt", ""))
    except Refusal as refusal:
        told = refused(visitor.words, "", refusal)
        page = _invitation(
            site, visitor, table, seat, invitation, status_of(refusal), refused=told, name=form.text("name", 60)
        )
        if token:
            page.set_cookie(visitor.session_cookie(token))
        return page
    return go(f"/tables/{table}", [visitor.session_cookie(token or fresh(site, visitor, person))])


def fresh(site: Site, visitor: Visitor, person: str) -> str:
    """A new session in place of the old: whoever knew the old one's token knows nothing any more."""
    _, token = site.house.claim_device(site.house.device_link(person))
    site.house.end_session(visitor.session)
    return token


@post("/tables/{table:str}/sit")
@threaded
def sit(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Takes a seat that is free for whoever comes."""

    def act(person: str, wish: Wish) -> Response[Any]:
        site.house.sit(table, form.number("at"), person)
        return go(f"/tables/{table}", [visitor.session_cookie(fresh(site, visitor, person))])

    return attempt(request, site, visitor, table, "join", act)


@post("/tables/{table:str}/fill")
@threaded
def fill(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Puts a machine player on a seat that nobody has taken."""

    def act(person: str, wish: Wish) -> Response[Any]:
        site.house.fill(table, form.number("at"), person, form.get("player", ""))
        return back(site, visitor, table, wish)

    return attempt(request, site, visitor, table, "join", act)


@post("/tables/{table:str}/leave")
@threaded
def leave(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Stands up before the game has begun; with whoever opened it the table goes."""

    def act(person: str, wish: Wish) -> Response[Any]:
        site.house.leave(table, person)
        return go("/")

    return attempt(request, site, visitor, table, "join", act)


@post("/tables/{table:str}/stand-in")
@threaded
def stand_in(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """A machine player sits in for somebody who is late."""

    def act(person: str, wish: Wish) -> Response[Any]:
        site.house.stand_in(table, form.number("at"), person)
        return back(site, visitor, table, wish)

    return attempt(request, site, visitor, table, "join", act)


@post("/tables/{table:str}/come-back")
@threaded
def come_back(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """The person takes their chair again."""

    def act(person: str, wish: Wish) -> Response[Any]:
        site.house.come_back(table, form.number("at"), person)
        return back(site, visitor, table, wish)

    return attempt(request, site, visitor, table, "join", act)


@post("/tables/{table:str}/rematch")
@threaded
def rematch(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """The same again: the same seats, for the same people."""

    def act(person: str, wish: Wish) -> Response[Any]:
        return go(f"/tables/{site.house.rematch(table, person)}")

    return attempt(request, site, visitor, table, "open", act)


ROUTES = (invite, invited, accept, sit, fill, leave, stand_in, come_back, rematch)
