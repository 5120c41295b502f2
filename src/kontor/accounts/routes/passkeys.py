"""Passkeys: creating and removing them on one's own page, and signing in with one.

A script first requests a challenge here, and then calls the browser; the device's response comes in the form.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any, Final

from litestar import MediaType, Response, post

from kontor.accounts.passkeys import CHALLENGE_LASTS
from kontor.accounts.relying_party import RelyingParty, relying_party
from kontor.accounts.routes.people import OwnForms, draw_your_page
from kontor.accounts.routes.returning import return_page, signed_in_response
from kontor.accounts.site import AccountsSite, TheAccountsSite
from kontor.web.http.faults import NoPage, refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor, cookie_for, cookie_of
from kontor.web.http.site import in_acting_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor

_PART: Final = "passkeys"
_HERE: Final = f"/you?open={_PART}#{_PART}"
_HOLDER: Final = "kontor-passkey"
"""The cookie of somebody signing in, who has no session to which the challenge could be bound."""
_PATH: Final = "/return"


def _party(site: AccountsSite, visitor: Visitor) -> RelyingParty:
    party = relying_party(site, visitor)
    if party is None:
        raise NoPage
    return party


# ------------------------------------------------------------------------------------------------------ on one's page


@post("/you/passkeys/challenge")
@in_acting_thread
def begin_adding(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Return the options with which a device is asked for a new passkey."""
    person, party = require_person_id(visitor), _party(site, visitor)
    from kontor.accounts.webauthn_checks import creation_options  # from an extra, installed if passkeys are offered

    site.spend("name", visitor)
    assert visitor.person
    challenge = site.passkeys.new_challenge(visitor.session, person)
    credential_ids = site.passkeys.credential_ids(person)
    return Response(
        creation_options(party, visitor.person, challenge, credential_ids), status_code=200, media_type=MediaType.JSON
    )


@post("/you/passkeys")
@in_acting_thread
def add(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Add a passkey that the person's device has made."""
    person, party = require_person_id(visitor), _party(site, visitor)
    from kontor.accounts.webauthn_checks import verify_registration

    def again(refusal: Refused) -> Response[str]:
        return draw_your_page(site, visitor, _PART, refusal, OwnForms(passkey_name=form.text("label", 200)))

    try:
        site.spend("name", visitor)
        challenge = site.passkeys.take_challenge(visitor.session, person)
        credential = verify_registration(party, person, challenge, form.get("credential", ""))
        site.passkeys.add(person, form.get("label", ""), credential)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again)
    return redirect(_HERE)


@post("/you/passkeys/remove")
@in_acting_thread
def remove(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Delete a passkey of the person."""
    site.passkeys.remove(require_person_id(visitor), form.get("passkey", ""))
    return redirect(_HERE)


# -------------------------------------------------------------------------------------------------------- coming back


@post("/return/passkey/challenge")
@in_acting_thread
def begin_returning(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Return the options with which a device is asked for a passkey."""
    party = _party(site, visitor)
    from kontor.accounts.webauthn_checks import request_options

    site.spend("name", visitor)
    holder = secrets.token_urlsafe(32)
    options = request_options(party, site.passkeys.new_challenge(holder))
    response = Response(options, status_code=200, media_type=MediaType.JSON)
    response.set_cookie(cookie_for(visitor, _HOLDER, holder, seconds=CHALLENGE_LASTS // 1000, path=_PATH))
    return response


@post("/return/passkey")
@in_acting_thread
def sign_in_with_passkey(
    request: AnyRequest, site: TheAccountsSite, visitor: TheVisitor, form: TheForm
) -> Response[Any]:
    """Sign this browser in as the person whose passkey has signed."""
    party = _party(site, visitor)
    from kontor.accounts.webauthn_checks import read_assertion, verify_assertion

    passkeys = site.passkeys
    try:
        site.spend("code", visitor)
        challenge = passkeys.take_challenge(cookie_of(request, _HOLDER, _PATH)[:200])
        assertion = read_assertion(form.get("credential", ""))
        credential = passkeys.credential(assertion.id)
        _, token = passkeys.sign_in(credential, verify_assertion(party, challenge, assertion, credential))
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(return_page, site, visitor))
    response = signed_in_response(site, visitor, token)
    response.set_cookie(cookie_for(visitor, _HOLDER, "", seconds=0, path=_PATH))
    return response


ROUTES = (begin_adding, add, remove, begin_returning, sign_in_with_passkey)
