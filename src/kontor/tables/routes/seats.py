"""Routes for seats: sitting down, inviting, leaving, computer players standing in, and rematches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.tables.pages import previews
from kontor.tables.pages.opening import MACHINES, pace_of, share_of
from kontor.tables.pages.seating import describe_rating, names_of, terms, unusual_terms
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.forms import TableForm, table_form
from kontor.tables.site import TablesSite, TheTablesSite
from kontor.tables.values import TableInfo
from kontor.web.adapter import adapter_of
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refusal_response
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor, session_cookie
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage


@table_form(TableAction.INVITE)
def invite(sent: TableForm) -> Response[Any]:
    """Make an invitation to a seat and redirect to the table, which shows its link.

    The link is shown once; a new one can be made at any time.
    """
    seat = sent.form.number("at")
    token = sent.site.opening.invitation(sent.table, seat, sent.person)
    return redirect(f"/tables/{sent.table}?seat={seat}&invitation={token}")


@table_form(TableAction.INVITE_TO_TABLE)
def invite_to_table(sent: TableForm) -> Response[Any]:
    """Make an invitation to all empty seats and redirect to the table, which shows its link."""
    token = sent.site.opening.invitation_to_table(sent.table, sent.person)
    return redirect(f"/tables/{sent.table}?invitation={token}")


@table_form(TableAction.CHANGE_PACE)
def change_pace(sent: TableForm) -> None:
    """Change the pace, as long as nobody else sits there."""
    sent.site.opening.change_pace(sent.table, sent.person, pace_of(sent.form))


class InvitationPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of an invitation."""

    template: ClassVar = "table/invitation.html"

    info: TableInfo
    game: str
    """The title of the game."""
    others: str
    """The names of those who sit there already."""
    terms: str
    rated: str
    """The sentence on whether the game counts for ratings."""
    unusual: Sequence[str]
    """The agreements that differ from the usual ones."""
    lead: str
    """A sentence about the game."""
    commitment: str
    taken: bool
    last: bool
    """True if no other seat is empty."""
    address: str
    refused: Refused | None
    name: str
    """The name that was typed, as the ``salt``."""
    salt: str


@get("/invitations/{table:str}/{seat:int}/{invitation:str}")
@in_reading_thread
def invitation_page(
    request: AnyRequest,
    site: TheTablesSite,
    visitor: TheVisitor,
    table: FromPath[str],
    seat: FromPath[int],
    invitation: FromPath[str],
) -> Response[str]:
    """Return the page that shows to which seat an invitation leads.

    It does not claim the seat: previews of links load this page too. A form on it does.
    """
    page = _invitation(site, visitor, _Invitation(table, seat, invitation), base=site.base(request))
    return site.page(visitor, page)


@get("/invitations/{table:str}/{invitation:str}")
@in_reading_thread
def table_invitation_page(
    request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str], invitation: FromPath[str]
) -> Response[str]:
    """Return the page of an invitation to all seats of a table. Like that of one seat, it does not claim any."""
    page = _invitation(site, visitor, _Invitation(table, None, invitation), base=site.base(request))
    return site.page(visitor, page)


class _Invitation(NamedTuple):
    """An invitation: the table, the seat, and its token; without a seat it leads to the first that is empty."""

    table: str
    seat: int | None
    token: str

    @property
    def address(self) -> str:
        """Return the address of its page."""
        seat = "" if self.seat is None else f"/{self.seat}"
        return f"/invitations/{self.table}{seat}/{self.token}"


def _invitation(
    site: TablesSite,
    visitor: Visitor,
    invitation: _Invitation,
    refusal: Refused | None = None,
    *,
    base: str = "",
    name: str = "",
    salt: str = "",
) -> InvitationPage:
    """Return the page of an invitation.

    If ``base``, the server's address, is given, the page carries the preview that other sites show beside a link.
    """
    words, address = visitor.words, invitation.address
    info = site.tables.info(invitation.table, visitor.id)
    empty_seats = [place for place, at in enumerate(info.seats) if not at.taken]
    seat = invitation.seat if invitation.seat is not None else next(iter(empty_seats), 0)
    if seat >= len(info.seats):
        raise NoPage
    return InvitationPage(
        preview=previews.of_invitation(words, site.pages, info, seat, base + address, base) if base else None,
        info=info,
        game=adapter_of(info.game).title,
        others=words.all_of([name for name, at in zip(names_of(words, info), info.seats, strict=True) if at.taken]),
        terms=terms(words, info),
        rated=describe_rating(words, info),
        unusual=unusual_terms(words, info),
        lead=adapter_of(info.game).book.lead,
        commitment=info.commitment,
        taken=info.seats[seat].taken,
        last=len(empty_seats) == 1,
        address=address,
        refused=refusal,
        name=name,
        salt=salt,
    )


@post("/invitations/{table:str}/{seat:int}/{invitation:str}")
@in_acting_thread
def accept(
    site: TheTablesSite,
    visitor: TheVisitor,
    form: TheForm,
    table: FromPath[str],
    seat: FromPath[int],
    invitation: FromPath[str],
) -> Response[Any]:
    """Take the seat of an invitation. A visitor without a name gives it here.

    The visitor gets a new session in any case.
    """
    return _accept(site, visitor, form, _Invitation(table, seat, invitation))


@post("/invitations/{table:str}/{invitation:str}")
@in_acting_thread
def accept_at_table(
    site: TheTablesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str], invitation: FromPath[str]
) -> Response[Any]:
    """Take the first empty seat of a table, by an invitation to all of them."""
    return _accept(site, visitor, form, _Invitation(table, None, invitation))


def _accept(site: TablesSite, visitor: Visitor, form: Form, invitation: _Invitation) -> Response[Any]:
    person, token, table = visitor.id, "", invitation.table

    def again(refusal: Refused) -> Response[str]:
        name, salt = form.text("name", 200), form.get("salt", "")
        return site.page(visitor, _invitation(site, visitor, invitation, refusal, name=name, salt=salt))

    try:
        site.spend("join", visitor)
        if person is None:
            site.spend("name", visitor)
            guest, token = site.people.guest(form.get("name", ""))
            person = guest.id
        if invitation.seat is None:
            site.opening.sit_anywhere(table, person, invitation.token, share_of(form))
        else:
            site.opening.sit(table, invitation.seat, person, invitation.token, share_of(form))
    except TURNED_DOWN as thrown:
        response = refusal_response(site, visitor, thrown, again)
        if token and visitor.script:
            site.people.end_session(token)  # the script keeps the page, and its form asks for the name again
        elif token:
            response.set_cookie(session_cookie(visitor, token))
        return response
    return redirect(f"/tables/{table}", [session_cookie(visitor, token or renew_session(site, visitor, person))])


def renew_session(site: TablesSite, visitor: Visitor, person: str) -> str:
    """Replace the visitor's session by a new one; return its token.

    Anyone who knew the old token has no access any more.
    """
    _, token = site.people.claim_device(site.people.device_link(person))
    site.people.end_session(visitor.session)
    return token


@table_form(TableAction.SIT)
def sit(sent: TableForm) -> Response[Any]:
    """Take a seat that is open to anyone."""
    sent.site.opening.sit(sent.table, sent.form.number("at"), sent.person, share=share_of(sent.form))
    token = renew_session(sent.site, sent.visitor, sent.person)
    return redirect(f"/tables/{sent.table}", [session_cookie(sent.visitor, token)])


@table_form(TableAction.REVEAL)
def reveal(sent: TableForm) -> None:
    """Reveal the salt that the person has committed to."""
    sent.site.salts.reveal(sent.table, sent.person, sent.form.get("salt", ""))


@table_form(TableAction.BEGIN)
def begin_without(sent: TableForm) -> None:
    """Agree to begin without the salts that are missing."""
    sent.site.salts.begin_without(sent.table, sent.person)


@table_form(TableAction.FILL)
def fill(sent: TableForm) -> None:
    """Put a computer player on an empty seat."""
    form = sent.form
    sent.site.opening.fill(sent.table, form.number("at"), sent.person, form.get("player", ""), MACHINES)


@table_form(TableAction.FILL_REST)
def fill_rest(sent: TableForm) -> None:
    """Put computer players on all empty seats."""
    sent.site.opening.fill_rest(sent.table, sent.person, sent.form.get("player", ""), MACHINES)


@table_form(TableAction.LEAVE)
def leave(sent: TableForm) -> Response[Any]:
    """Leave the table before the game has begun. With its last person the table is deleted."""
    sent.site.opening.leave(sent.table, sent.person)
    return redirect("/")


@table_form(TableAction.STAND_IN)
def stand_in(sent: TableForm) -> None:
    """Let a computer player stand in for a person who is late."""
    sent.site.clocks.stand_in(sent.table, sent.form.number("at"), sent.person)


@table_form(TableAction.COME_BACK)
def come_back(sent: TableForm) -> None:
    """Give the seat back to the person for whom a computer player stands in."""
    sent.site.clocks.come_back(sent.table, sent.form.number("at"), sent.person)


@table_form(TableAction.REMATCH)
def rematch(sent: TableForm) -> Response[Any]:
    """Open a rematch with the same seats for the same people, or join it, and redirect there."""
    rematch = sent.site.opening.rematch(sent.table, sent.person, share_of(sent.form))
    return redirect(f"/tables/{rematch}")


@table_form(TableAction.DECLINE_REMATCH)
def decline_rematch(sent: TableForm) -> None:
    """Decline a rematch, or withdraw the offer of one."""
    sent.site.opening.decline_rematch(sent.table, sent.person)


ROUTES = (
    invite,
    invite_to_table,
    change_pace,
    invitation_page,
    table_invitation_page,
    accept,
    accept_at_table,
    sit,
    reveal,
    begin_without,
    fill,
    fill_rest,
    leave,
    stand_in,
    come_back,
    rematch,
    decline_rematch,
)
