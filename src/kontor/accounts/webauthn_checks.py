"""The requests for WebAuthn that browsers get, and the checks of their responses, by a library: an extra."""

from __future__ import annotations

from typing import Final

from kontor.accounts.passkeys import CHALLENGE_LASTS, LONGEST_CREDENTIAL, Credential, bad_passkey
from kontor.accounts.relying_party import RelyingParty
from kontor.optional_packages import requiring_extra
from kontor.people.values import Person
from kontor.words import mark

with requiring_extra("passkeys", mark("Passkeys need the package {package}, which is not installed: {command}")):
    from webauthn import (
        generate_authentication_options,
        generate_registration_options,
        options_to_json,
        verify_authentication_response,
        verify_registration_response,
    )
    from webauthn.helpers import (
        base64url_to_bytes,
        bytes_to_base64url,
        parse_authentication_credential_json,
        parse_registration_credential_json,
    )
    from webauthn.helpers.exceptions import WebAuthnException
    from webauthn.helpers.structs import (
        AuthenticationCredential,
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

_NAME: Final = "Kontor"

_WRONG: Final = (WebAuthnException, ValueError, RecursionError)
"""The errors that an invalid response can raise."""


def creation_options(party: RelyingParty, person: Person, challenge: bytes, credential_ids: tuple[str, ...]) -> str:
    """Return the JSON for ``navigator.credentials.create``.

    It asks for a discoverable credential, which signs a person in without a name, on a device that has none of theirs
    yet.
    """
    return options_to_json(
        generate_registration_options(
            rp_id=party.host,
            rp_name=_NAME,
            user_id=person.id.encode(),
            user_name=person.name,
            user_display_name=person.name,
            challenge=challenge,
            timeout=CHALLENGE_LASTS,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(id_)) for id_ in credential_ids],
        )
    )


def verify_registration(party: RelyingParty, person: str, challenge: bytes, answer: str) -> Credential:
    """Return the credential that a device has made for the person. Raises BadPasskey."""
    try:
        verified = verify_registration_response(
            credential=parse_registration_credential_json(answer),
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            require_user_verification=False,
        )
    except _WRONG as error:
        raise bad_passkey() from error
    id_ = bytes_to_base64url(verified.credential_id)
    if len(id_) > LONGEST_CREDENTIAL:
        raise bad_passkey()
    return Credential(id_, verified.credential_public_key, verified.sign_count, person)


def request_options(party: RelyingParty, challenge: bytes) -> str:
    """Return the JSON for ``navigator.credentials.get``: the person chooses any of their passkeys for this site."""
    return options_to_json(
        generate_authentication_options(
            rp_id=party.host,
            challenge=challenge,
            timeout=CHALLENGE_LASTS,
            user_verification=UserVerificationRequirement.PREFERRED,
        )
    )


def read_assertion(answer: str) -> AuthenticationCredential:
    """Return the assertion that a device has signed. Raises BadPasskey."""
    try:
        return parse_authentication_credential_json(answer)
    except _WRONG as error:
        raise bad_passkey() from error


def verify_assertion(
    party: RelyingParty, challenge: bytes, assertion: AuthenticationCredential, credential: Credential
) -> int:
    """Return the passkey's sign count after this assertion, once its signature is verified.

    If the passkey counts, the number must be higher than before. Raises BadPasskey.
    """
    if assertion.response.user_handle != credential.user_handle.encode():
        raise bad_passkey()
    try:
        verified = verify_authentication_response(
            credential=assertion,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=credential.key,
            credential_current_sign_count=credential.counter,
            require_user_verification=False,
        )
    except _WRONG as error:
        raise bad_passkey() from error
    return verified.new_sign_count
