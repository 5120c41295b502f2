"""Routes of clubs: the list of one's own, the page of each, its invitation link, and what people do there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from kontor.clubs.pages import ClubInvitationPage, ClubPage, ClubsPage, ClubState, ClubText, GameRanking, member_row
from kontor.clubs.site import ClubsSite, TheClubsSite
from kontor.clubs.store import LONGEST_ABOUT
from kontor.tournaments.pages import card
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.forms import Form
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor

HERE: Final = "/clubs"

_EMPTY: Final = ClubText()
_PLAIN: Final = ClubState()


def _written(form: Form) -> ClubText:
    return ClubText(form.text("name", 200), form.get("about", ""), form.get("visible") == "yes")


# ------------------------------------------------------------------------------------------------------- one's clubs


@get(HERE)
@in_reading_thread
def clubs(site: TheClubsSite, visitor: TheVisitor) -> Response[str]:
    """Return the list of one's clubs, with the form in which one is founded."""
    return _list(site, visitor)


def _list(
    site: ClubsSite, visitor: Visitor, written: ClubText = _EMPTY, refusal: Refused | None = None
) -> Response[str]:
    listed = site.clubs.of(visitor.id) if visitor.id else ()
    return site.page(visitor, ClubsPage(clubs=listed, written=written, longest_about=LONGEST_ABOUT, refused=refusal))


@post(HERE)
@in_acting_thread
def create_club(site: TheClubsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Found a club and redirect to it."""
    person, written = require_person_id(visitor), _written(form)
    try:
        site.spend("open", visitor)
        club = site.clubs.create(person, written.name, written.about, visible=written.visible)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_list, site, visitor, written))
    return redirect(f"{HERE}/{club}")


# ------------------------------------------------------------------------------------------------------------ a club


@get(f"{HERE}/{{club:str}}")
@in_reading_thread
def club_page(request: AnyRequest, site: TheClubsSite, visitor: TheVisitor, club: FromPath[str]) -> Response[str]:
    """Return the page of a club."""
    state = ClubState(reported="reported" in request.query_params)
    return draw_club(site, visitor, club, site.base(request), state)


def draw_club(
    site: ClubsSite,
    visitor: Visitor,
    club: str,
    base: str,
    state: ClubState = _PLAIN,
    refusal: Refused | None = None,
) -> Response[str]:
    """Return the page of a club, perhaps with a form that was refused."""
    view = site.clubs.view(club, visitor.id)
    rankings = []
    for game in web_adapters():
        if rows := site.ratings.best_of_club(game, club, visitor.id):
            rankings.append(GameRanking(game, adapter_of(game).title, rows))
    page = ClubPage(
        club=view,
        rows=[member_row(visitor.words, member) for member in view.members],
        rankings=rankings,
        tournaments=[card(visitor.words, info) for info in site.tournaments.of_club(club, visitor.id)],
        address=f"{base}{HERE}/join/{view.invitation}" if view.invitation else "",
        written=state.written or ClubText(view.name, view.about, view.visible),
        longest_about=LONGEST_ABOUT,
        report=state.report,
        reported=state.reported,
        refused=refusal,
    )
    return site.page(visitor, page)


Act = Callable[[ClubsSite, str, str, Form], None]
"""An action at a club: it gets the site, the club, the person and their form."""


def club_form(action: str, *, leads: str = "") -> Callable[[Act], HTTPRouteHandler]:
    """Return a decorator that makes a route of an action: ``POST /clubs/{club}/{action}``.

    It redirects to the club, or to the address that it ``leads`` to. A refusal returns the club as it is, and the
    reason.
    """

    def wrap(act: Act) -> HTTPRouteHandler:
        def handle(
            request: AnyRequest, site: TheClubsSite, visitor: TheVisitor, form: TheForm, club: FromPath[str]
        ) -> Response[Any]:
            person = require_person_id(visitor)
            try:
                site.spend("name", visitor)
                act(site, club, person, form)
            except TURNED_DOWN as thrown:
                state = ClubState(written=_written(form) if "name" in form else None)
                again = partial(draw_club, site, visitor, club, site.base(request), state)
                return refusal_response(site, visitor, thrown, again)
            return redirect(leads or f"{HERE}/{club}")

        handle.__name__, handle.__qualname__, handle.__doc__ = act.__name__, act.__qualname__, act.__doc__
        return post(f"{HERE}/{{club:str}}/{action}")(in_acting_thread(handle))

    return wrap


@club_form("leave", leads=HERE)
def leave_club(site: ClubsSite, club: str, person: str, form: Form) -> None:
    """Leave the club."""
    site.clubs.leave(club, person)


@club_form("about")
def change_club(site: ClubsSite, club: str, person: str, form: Form) -> None:
    """Change the name of the club, the line about it, and who may see it."""
    written = _written(form)
    site.clubs.change(club, person, written.name, written.about, visible=written.visible)


@club_form("invitation")
def renew_invitation(site: ClubsSite, club: str, person: str, form: Form) -> None:
    """Replace the invitation link by a new one."""
    site.clubs.renew_invitation(club, person)


@club_form("remove")
def remove_member(site: ClubsSite, club: str, person: str, form: Form) -> None:
    """Remove a member."""
    site.clubs.remove(club, person, form.get("member", ""))


@club_form("founder")
def hand_over(site: ClubsSite, club: str, person: str, form: Form) -> None:
    """Let another member run the club."""
    site.clubs.hand_over(club, person, form.get("member", ""))


@club_form("close", leads=HERE)
def close_club(site: ClubsSite, club: str, person: str, form: Form) -> None:
    """Close the club."""
    site.clubs.close(club, person)


# ---------------------------------------------------------------------------------------------------- the invitation


@get(f"{HERE}/join/{{invitation:str}}")
@in_reading_thread
def invitation_page(site: TheClubsSite, visitor: TheVisitor, invitation: FromPath[str]) -> Response[Any]:
    """Return the page on which somebody joins a club; redirect members to the club."""
    return _invitation(site, visitor, invitation)


def _invitation(site: ClubsSite, visitor: Visitor, invitation: str, refusal: Refused | None = None) -> Response[Any]:
    invited = site.clubs.invited(invitation, visitor.id)
    if invited.member and refusal is None:
        return redirect(f"{HERE}/{invited.club}")
    address = f"{HERE}/join/{invitation}"
    return site.page(visitor, ClubInvitationPage(invitation=invited, address=address, refused=refusal))


@post(f"{HERE}/join/{{invitation:str}}")
@in_acting_thread
def join(site: TheClubsSite, visitor: TheVisitor, form: TheForm, invitation: FromPath[str]) -> Response[Any]:
    """Join the club to which the link leads, and redirect to it."""
    person = require_person_id(visitor)
    try:
        site.spend("join", visitor)
        club = site.clubs.join(invitation, person)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_invitation, site, visitor, invitation))
    return redirect(f"{HERE}/{club}")


ROUTES = (
    *(clubs, create_club, club_page, invitation_page, join),
    *(leave_club, change_club, renew_invitation, remove_member, hand_over, close_club),
)
