"""Routes about a person: their name, other devices, programs, and the look of pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from kontor.accounts.relying_party import relying_party
from kontor.accounts.site import AccountsSite, TheAccountsSite
from kontor.accounts.values import BlockInfo, PasskeyInfo
from kontor.errors import BadText
from kontor.holidays.values import HolidayInfo
from kontor.messages.values import Writers
from kontor.moving.values import MoveChoices
from kontor.notifying.pages import Notified, describe_notifications
from kontor.people.people import SESSION_DAYS, granted_scopes
from kontor.people.values import SCOPES, SessionInfo
from kontor.ratings.values import USUAL_PARTS, Part, PersonRating, Profile
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import (
    LANGUAGE,
    SESSION,
    THEME,
    THEMES,
    AnyRequest,
    TheForm,
    TheVisitor,
    cookie_for,
    session_cookie,
)
from kontor.web.http.site import in_acting_thread, in_reading_thread, local_path, redirect
from kontor.web.pages.languages import languages
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage


class NamingPage(WholePage, frozen=True, kw_only=True):
    """The context of the page for giving a name."""

    template: ClassVar = "accounts/naming.html"

    refused: Refused
    next: str
    """The address to return to."""
    name: str
    """The name that was typed."""


@post("/name")
@in_acting_thread
def name(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Give a guest a name, or rename a person who has one."""
    new_name, target = form.get("name", ""), local_path(form.get("next", "/"))

    def again(refusal: Refused) -> Response[str]:
        return site.page(visitor, NamingPage(refused=refusal, next=target, name=form.text("name", 200)))

    try:
        site.spend("name", visitor)
        if visitor.person:
            site.people.rename(visitor.person.id, new_name)
            return redirect(target)
        _, token = site.people.guest(new_name)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again)
    return redirect(target, [session_cookie(visitor, token)])


@post("/settings")
@in_acting_thread
def settings(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Save the theme (light or dark) and the language."""
    cookies = []
    if form.get("theme") in (*THEMES, "auto"):
        cookies.append(cookie_for(visitor, THEME, form["theme"]))
    if form.get("language") in languages():
        cookies.append(cookie_for(visitor, LANGUAGE, form["language"]))
        if visitor.id:
            site.ways.note_language(visitor.id, form["language"])
    return redirect(local_path(form.get("next", "/")), cookies)


# ----------------------------------------------------------------------------------------------------------- me


_FIRST: Final = "rename"
"""The section of one's own page that is unfolded by default."""


@get("/you")
@in_reading_thread
def you(request: AnyRequest, site: TheAccountsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page of the person's own data, and the sessions and programs that act as them."""
    return draw_your_page(site, visitor, request.query_params.get("open", _FIRST))


class OwnForms(msgspec.Struct, frozen=True, kw_only=True):
    """The results of the forms on a person's own page, and the texts typed into them: ``forms``."""

    device: str = ""
    """The new link for another device."""
    code: str = ""
    """The new code for another device."""
    recovery_code: str = ""
    """The new recovery code."""
    join_code: str = ""
    """The code of another person that was typed."""
    passkey_name: str = ""
    program: str = ""
    """The new program's token."""
    label: str = ""
    """The program's name."""
    scopes: Sequence[str] = ("play",)
    """The scopes that were chosen for the program."""


_NO_FORMS: Final = OwnForms()


class OwnPage(WholePage, frozen=True, kw_only=True):
    """The context of a person's own page."""

    template: ClassVar = "accounts/you.html"

    opened: str
    """The section that is unfolded."""
    refused: Refused | None
    forms: OwnForms
    sessions: Sequence[SessionInfo]
    days: int
    """Days for which a browser is remembered."""
    code_since: datetime | None
    """The time since which the person has a recovery code."""
    blocked: Sequence[BlockInfo]
    ratings: Sequence[PersonRating]
    profile: Profile | None
    parts: Sequence[Part]
    """The parts of the profile that are shown to others."""
    passkeys: Sequence[PasskeyInfo]
    offers_passkeys: bool
    notified: Notified
    holidays: HolidayInfo | None
    """None where there are no holidays."""
    own_moves: MoveChoices
    """Their choices about their own moves."""
    writers: Writers
    """The people who may write to the person."""


def draw_your_page(
    site: AccountsSite,
    visitor: Visitor,
    opened: str,
    refusal: Refused | None = None,
    forms: OwnForms = _NO_FORMS,
    notified: Notified | None = None,
) -> Response[str]:
    """Return the person's own page with the section ``opened`` unfolded."""
    person = require_person_id(visitor)
    profile = site.ratings.profile(person)
    page = OwnPage(
        opened=opened,
        refused=refusal,
        forms=forms,
        sessions=site.people.sessions(person),
        days=SESSION_DAYS,
        code_since=site.recovery.code_since(person),
        blocked=site.blocking.blocked_people(person),
        ratings=site.ratings.of(person),
        profile=profile,
        parts=profile.parts if profile else USUAL_PARTS,
        passkeys=site.passkeys.of(person),
        offers_passkeys=relying_party(site, visitor) is not None,
        notified=notified or describe_notifications(site, person),
        holidays=site.holidays_of(person),
        own_moves=site.own_moves.of(person),
        writers=site.messages.writers_to(person),
    )
    return site.page(visitor, page)


@post("/you/device")
@in_acting_thread
def device(request: AnyRequest, site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[str]:
    """Create a link that signs in another device, once, within ten minutes; and a code for use without a link."""
    person = require_person_id(visitor)
    try:
        site.spend("name", visitor)
        token = site.people.device_link(person)
        code = site.recovery.device_code(person)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(draw_your_page, site, visitor, "device"))
    return draw_your_page(
        site, visitor, "device", forms=OwnForms(device=f"{site.base(request)}/device/{token}", code=code)
    )


@post("/you/program")
@in_acting_thread
def program(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[str]:
    """Create a token by which a program can play as the person, or look on."""
    person, label = require_person_id(visitor), form.get("label", "")
    chosen = form.get("scope", "").split()
    scopes = granted_scopes([scope for scope in SCOPES if scope in chosen])
    try:
        site.spend("name", visitor)
        if not scopes:
            raise BadText("", "Choose what the program may do.")
        token = site.people.api_token(person, label, scopes)
    except TURNED_DOWN as thrown:
        return refusal_response(
            site,
            visitor,
            thrown,
            lambda refusal: draw_your_page(site, visitor, "programs", refusal, OwnForms(label=label, scopes=scopes)),
        )
    return draw_your_page(site, visitor, "programs", forms=OwnForms(program=token, scopes=scopes))


@post("/you/forget")
@in_acting_thread
def forget(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Revoke one of the person's sessions or programs, or end this very session."""
    person = require_person_id(visitor)
    if form.get("session"):
        site.people.revoke(person, form["session"])
        return redirect("/you?open=known#known")
    site.people.end_session(visitor.session)
    response = redirect("/", [cookie_for(visitor, SESSION, "", seconds=0)])
    response.headers["clear-site-data"] = '"cache", "storage"'  # the cookies of theme and language may stay
    return response


# ------------------------------------------------------------------------------------------------ another device


class DevicePage(WholePage, frozen=True, kw_only=True):
    """The context of the page on which another device is signed in."""

    template: ClassVar = "accounts/device.html"

    token: str
    """The token of the link that was opened."""
    refused: Refused | None = None


@get("/device/{link:str}")
@in_reading_thread
def arriving(site: TheAccountsSite, visitor: TheVisitor, link: FromPath[str]) -> Response[str]:
    """Show the page of the link's purpose. Looking claims nothing, because previews of links look too."""
    return site.page(visitor, DevicePage(token=link))


@post("/device/{link:str}")
@in_acting_thread
def arrive(site: TheAccountsSite, visitor: TheVisitor, form: TheForm, link: FromPath[str]) -> Response[Any]:
    """Sign this device in as the person of the link, with a session of its own."""

    def again(refusal: Refused) -> Response[str]:
        return site.page(visitor, DevicePage(token=link, refused=refusal))

    try:
        site.spend("name", visitor)
        _, token = site.people.claim_device(link)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again)
    if visitor.session:
        site.people.end_session(visitor.session)
    return redirect("/", [session_cookie(visitor, token)])


ROUTES = (name, settings, you, device, program, forget, arriving, arrive)
