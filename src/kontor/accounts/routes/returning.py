"""Signing in with a typed code, here or on another device, and the recovery code for that."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ClassVar, Final

from litestar import Response, get, post

from kontor.accounts.relying_party import relying_party
from kontor.accounts.routes.people import OwnForms, draw_your_page
from kontor.accounts.site import AccountsSite, TheAccountsSite
from kontor.notifying.ways import LONGEST_ADDRESS
from kontor.storage.errors import StorageFailure
from kontor.tables.values import Mail
from kontor.web.http.faults import NoPage, refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import TheForm, TheVisitor, session_cookie
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words

_LOG = logging.getLogger(__name__)

_SENDING: Final = ThreadPoolExecutor(1, thread_name_prefix="sending codes")


class ReturnPage(WholePage, frozen=True, kw_only=True):
    """The context of the page for signing in."""

    template: ClassVar = "accounts/return.html"

    passkeys: bool
    """True if passkeys are offered."""
    mail: bool
    """True if codes can be sent by mail."""
    refused: Refused | None
    typed_code: str
    """The code that was refused."""
    address: str
    """The mail address that was typed."""
    sent: bool
    """True if a code was sent there, if anybody has it."""


@get("/return")
@in_reading_thread
def code_form(site: TheAccountsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page on which a code is typed."""
    return return_page(site, visitor)


def return_page(
    site: AccountsSite,
    visitor: Visitor,
    refusal: Refused | None = None,
    *,
    code: str = "",
    address: str = "",
    sent: bool = False,
) -> Response[str]:
    """Return the sign-in page, with what was typed there."""
    page = ReturnPage(
        passkeys=relying_party(site, visitor) is not None,
        mail="mail" in site.offered_ways,
        refused=refusal,
        typed_code=code,
        address=address,
        sent=sent,
    )
    return site.page(visitor, page)


def signed_in_response(site: AccountsSite, visitor: Visitor, token: str) -> Response[Any]:
    """Return the response that sets the new session's cookie, and end the browser's earlier session."""
    if visitor.session:
        site.people.end_session(visitor.session)
    return redirect("/", [session_cookie(visitor, token)])


@post("/return")
@in_acting_thread
def sign_in_with_code(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Sign this browser in with a code."""

    def again(refusal: Refused) -> Response[str]:
        return return_page(site, visitor, refusal, code=form.text("code", 100))

    try:
        site.spend("code", visitor)
        _, token = site.recovery.sign_in(form.get("code", ""))
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again)
    return signed_in_response(site, visitor, token)


# ---------------------------------------------------------------------------------------------------------- by mail


def _letter(words: Words, address: str, code: str) -> Mail:
    """Return the mail with the code for signing in."""
    return Mail(
        address,
        words.say("Your code for Kontor: {code}", code=code),
        (
            words.say("Type this code where you asked for it, within ten minutes: {code}", code=code),
            words.say("If you did not ask for it, you need not do anything: nobody comes in without the code."),
        ),
    )


def _require_mail(site: AccountsSite) -> None:
    if "mail" not in site.offered_ways:
        raise NoPage


def _send(site: AccountsSite, address: str, words: Words) -> None:
    try:
        site.mail_sign_in.send_code(address, partial(_letter, words))
    except StorageFailure as failure:
        _LOG.warning("A code was not sent: %s", failure)


@post("/return/mail")
@in_acting_thread
def send_code(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[str]:
    """Send a code to an address, if it belongs to a person.

    It is sent after the response, which takes as long, and says the same, for every address.
    """
    _require_mail(site)
    address = form.text("address", LONGEST_ADDRESS)
    try:
        site.spend("mail", visitor)
    except TURNED_DOWN as thrown:
        return refusal_response(
            site, visitor, thrown, lambda refusal: return_page(site, visitor, refusal, address=address)
        )
    _SENDING.submit(_send, site, address, visitor.words)
    return return_page(site, visitor, address=address, sent=True)


@post("/return/mail/code")
@in_acting_thread
def sign_in_by_mail(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Sign this browser in with a code that was sent by mail."""
    _require_mail(site)
    address = form.text("address", LONGEST_ADDRESS)
    try:
        site.spend("code", visitor)
        _, token = site.mail_sign_in.sign_in(address, form.get("code", ""))
    except TURNED_DOWN as thrown:
        return refusal_response(
            site,
            visitor,
            thrown,
            lambda refusal: return_page(site, visitor, refusal, address=address, sent=True),
        )
    return signed_in_response(site, visitor, token)


# --------------------------------------------------------------------------------------------------- on one's page


@post("/you/join")
@in_acting_thread
def join(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Merge the person whose code was typed into this one."""
    person = require_person_id(visitor)

    def again(refusal: Refused) -> Response[str]:
        return draw_your_page(site, visitor, "join", refusal, OwnForms(join_code=form.text("code", 100)))

    try:
        site.spend("code", visitor)
        site.merging.merge(person, form.get("code", ""))
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again)
    return redirect("/")


@post("/you/recovery")
@in_acting_thread
def recovery(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[str]:
    """Create a recovery code, which is shown only once."""
    person = require_person_id(visitor)
    try:
        site.spend("name", visitor)
        code = site.recovery.new_code(person)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(draw_your_page, site, visitor, "recovery"))
    return draw_your_page(site, visitor, "recovery", forms=OwnForms(recovery_code=code))


@post("/you/recovery/later")
@in_acting_thread
def dismiss_recovery(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[None]:
    """Dismiss the offer of a recovery code."""
    site.recovery.put_away(require_person_id(visitor))
    return redirect("/")


ROUTES = (code_form, sign_in_with_code, send_code, sign_in_by_mail, join, recovery, dismiss_recovery)
