"""Routes for seats: sitting down, inviting, leaving, computer players standing in, and rematches."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.web.adapter import adapter_of
from kontor.web.http.faults import NoPage, refusal_response
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.routes.play import after_action, as_person
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor, session_cookie, share_of
from kontor.web.http.site import Site, TheSite, in_acting_thread, in_reading_thread, redirect
from kontor.web.pages import previews
from kontor.web.pages.refused import Refused
from kontor.web.pages.seating import names_of, terms, unusual_terms
from kontor.web.pages.table_page import PageRequest
from kontor.web.pages.visitor import Visitor


@post("/tables/{table:str}/invitations")
@in_acting_thread
def invite(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Make an invitation to a seat and redirect to the table, which shows its link.

    The link is shown once; a new one can be made at any time.
    """
    seat = form.number("at")

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        token = site.service.opening.invitation(table, seat, person)
        return redirect(f"/tables/{table}?seat={seat}&invitation={token}")

    return as_person(request, site, visitor, form, table, "join", act)


@get("/invitations/{table:str}/{seat:int}/{invitation:str}")
@in_reading_thread
def invitation_page(
    request: AnyRequest,
    site: TheSite,
    visitor: TheVisitor,
    table: FromPath[str],
    seat: FromPath[int],
    invitation: FromPath[str],
) -> Response[str]:
    """Return the page that shows to which seat an invitation leads.

    It does not claim the seat: previews of links load this page too. A form on it does.
    """
    return _invitation(site, visitor, table, seat, invitation, base=site.base(request))


def _invitation(
    site: Site, visitor: Visitor, table: str, seat: int, invitation: str, base: str = "", **more: Any
) -> Response[str]:
    """Return the page of an invitation.

    If ``base``, the server's address, is given, the page carries the preview that other sites show beside a link.
    """
    info = site.service.tables.info(table, visitor.id)
    if seat >= len(info.seats):
        raise NoPage
    words, address = visitor.words, f"/invitations/{table}/{seat}/{invitation}"
    if base:
        more["preview"] = previews.of_invitation(words, site.pages, info, seat, base + address, base)
    return site.page(
        "people/invitation.html",
        visitor,
        info=info,
        game=adapter_of(info.game).title,
        others=words.all_of([name for name, at in zip(names_of(words, info), info.seats, strict=True) if at.taken]),
        terms=terms(words, info),
        unusual=unusual_terms(words, info),
        lead=adapter_of(info.game).book.lead,
        commitment=info.commitment,
        taken=info.seats[seat].taken,
        last=sum(not at.taken for at in info.seats) == 1,
        address=address,
        **{"refused": None, "name": "", "salt": "", **more},
    )


@post("/invitations/{table:str}/{seat:int}/{invitation:str}")
@in_acting_thread
def accept(
    site: TheSite,
    visitor: TheVisitor,
    form: TheForm,
    table: FromPath[str],
    seat: FromPath[int],
    invitation: FromPath[str],
) -> Response[Any]:
    """Take the seat of an invitation. A visitor without a name gives it here.

    The visitor gets a new session in any case.
    """
    person, token = visitor.id, ""

    def again(refusal: Refused) -> Response[str]:
        name, salt = form.text("name", 200), form.get("salt", "")
        return _invitation(site, visitor, table, seat, invitation, refused=refusal, name=name, salt=salt)

    try:
        site.spend("join", visitor)
        if person is None:
            site.spend("name", visitor)
            guest, token = site.service.people.guest(form.get("name", ""))
            person = guest.id
        site.service.opening.sit(table, seat, person, invitation, share_of(form))
    except TURNED_DOWN as thrown:
        response = refusal_response(site, visitor, thrown, again)
        if token and visitor.script:
            site.service.people.end_session(token)  # the script keeps the page, and its form asks for the name again
        elif token:
            response.set_cookie(session_cookie(visitor, token))
        return response
    return redirect(f"/tables/{table}", [session_cookie(visitor, token or renew_session(site, visitor, person))])


def renew_session(site: Site, visitor: Visitor, person: str) -> str:
    """Replace the visitor's session by a new one; return its token.

    Anyone who knew the old token has no access any more.
    """
    _, token = site.service.people.claim_device(site.service.people.device_link(person))
    site.service.people.end_session(visitor.session)
    return token


@post("/tables/{table:str}/sit")
@in_acting_thread
def sit(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Take a seat that is open to anyone."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.opening.sit(table, form.number("at"), person, share=share_of(form))
        return redirect(f"/tables/{table}", [session_cookie(visitor, renew_session(site, visitor, person))])

    return as_person(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/reveal")
@in_acting_thread
def reveal(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Reveal the salt that the person has committed to."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.salts.reveal(table, person, form.get("salt", ""))
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/begin")
@in_acting_thread
def begin_without(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Agree to begin without the salts that are missing."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.salts.begin_without(table, person)
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/fill")
@in_acting_thread
def fill(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Put a computer player on an empty seat."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.opening.fill(table, form.number("at"), person, form.get("player", ""))
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/leave")
@in_acting_thread
def leave(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Leave the table before the game has begun. With its last person the table is deleted."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.opening.leave(table, person)
        return redirect("/")

    return as_person(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/stand-in")
@in_acting_thread
def stand_in(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Let a computer player stand in for a person who is late."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.clocks.stand_in(table, form.number("at"), person)
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/come-back")
@in_acting_thread
def come_back(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Give the seat back to the person for whom a computer player stands in."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.clocks.come_back(table, form.number("at"), person)
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "join", act)


@post("/tables/{table:str}/rematch")
@in_acting_thread
def rematch(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Open a rematch with the same seats for the same people, or join it, and redirect there."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        return redirect(f"/tables/{site.service.opening.rematch(table, person, share_of(form))}")

    return as_person(request, site, visitor, form, table, "open", act)


@post("/tables/{table:str}/no-rematch")
@in_acting_thread
def decline_rematch(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Decline a rematch, or withdraw the offer of one."""

    def act(person: str, page_request: PageRequest) -> Response[Any]:
        site.service.opening.decline_rematch(table, person)
        return after_action(site, visitor, table, page_request)

    return as_person(request, site, visitor, form, table, "join", act)


ROUTES = (
    invite,
    invitation_page,
    accept,
    sit,
    reveal,
    begin_without,
    fill,
    leave,
    stand_in,
    come_back,
    rematch,
    decline_rematch,
)
