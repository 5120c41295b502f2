"""Passkeys: a person makes one, loses all cookies, and comes back to the table; in Chromium, with its own keys."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from web.browsers import Chromium, come_in, new_page, no_complaints
from web.conftest import Served

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def offering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("server"), passkeys=True) as served:
        yield served


def browser_of(chromium: Chromium, served: Served, **more: Any) -> Page:
    return new_page(chromium, served.address.replace("127.0.0.1", "localhost"), **more)


def device_in(page: Page, credential: dict[str, Any] | None = None) -> tuple[CDPSession, str]:
    """Add a device with a fingerprint that is always accepted, which may have a passkey already; return its id.

    The first value returned is the browser session that controls it.
    """
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    device = session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    id_: str = device["authenticatorId"]
    if credential is not None:
        session.send("WebAuthn.addCredential", {"authenticatorId": id_, "credential": credential})
    return session, id_


def passkeys_in(session: CDPSession, device: str) -> list[dict[str, Any]]:
    credentials: list[dict[str, Any]] = session.send("WebAuthn.getCredentials", {"authenticatorId": device})[
        "credentials"
    ]
    return credentials


def test_a_person_comes_back_to_their_table_by_a_passkey(chromium: Chromium, offering: Served) -> None:
    page = browser_of(chromium, offering)
    with no_complaints(page):
        come_in(page, "Anna")
        page.goto("/open/shanghaien")
        page.locator("#open-it").click()
        expect(page.locator("#table")).to_be_visible()
        table = page.url
        session, device = device_in(page)
        page.goto("/you")
        make_passkey(page, "mein Handy")
        expect(page.locator("#passkeys .known li")).to_contain_text("mein Handy")
        # The same device needs no second passkey.
        make_passkey(page, "noch einer")
        expect(page.locator("#passkey-form .refused")).to_have_text("This device already has a passkey for you.")
        (credential,) = passkeys_in(session, device)
        assert credential["isResidentCredential"]
    page.context.close()

    page = browser_of(chromium, offering)
    with no_complaints(page):
        page.goto(table)
        expect(page.locator("#invite-2")).to_have_count(0)
        page.goto("/")
        page.locator("#been-here").click()
        session, device = device_in(page, credential)
        page.locator("#return-passkey").click()
        expect(page.locator(".me")).to_have_text("Anna")
        page.goto(table)
        expect(page.locator("#invite-2")).to_be_visible()
        page.goto("/you")
        unfold_section(page, "#passkeys")
        expect(page.locator("#passkeys .known li")).to_contain_text("last used")
        page.locator("#passkeys .known button").click()
        expect(page.locator("#passkeys .known")).to_have_count(0)
        # A passkey removed here may still be on the device: it is refused, in a sentence.
        page.goto("/return")
        page.locator("#return-passkey").click()
        expect(page.locator("#refused")).to_contain_text("This passkey was not accepted here.")
    page.context.close()


def unfold_section(page: Page, section: str) -> None:
    """Unfold a part of the page about oneself, if it is folded."""
    summary = page.locator(f"{section} > summary")
    if summary.count() and not page.locator(section).evaluate("part => part.open"):
        summary.click()


def make_passkey(page: Page, name: str) -> None:
    unfold_section(page, "#passkeys")
    page.locator("#passkey-name").fill(name)
    page.locator("#passkey-go").click()


def test_whoever_has_none_or_says_no_is_told_and_can_try_again(chromium: Chromium, offering: Served) -> None:
    page = browser_of(chromium, offering)
    with no_complaints(page):
        come_in(page, "Bernd")
        page.goto("/return")
        device_in(page)
        page.locator("#return-passkey").click()
        refusal = page.locator("#passkey-form .refused")
        expect(refusal).to_have_text("No passkey was used. You can try again, or use a code.")
        page.locator("#return-passkey").click()
        expect(refusal).to_have_count(1)
    page.context.close()


def test_without_scripts_or_a_name_of_the_server_nothing_is_offered(chromium: Chromium, offering: Served) -> None:
    plain = browser_of(chromium, offering, java_script_enabled=False)
    plain.goto("/return")
    expect(plain.locator("#return")).to_be_visible()
    expect(plain.locator("#return-passkey")).to_be_hidden()
    plain.context.close()
    numbered = new_page(chromium, offering.address)
    numbered.goto("/return")
    expect(numbered.locator("#return-passkey")).to_have_count(0)
    numbered.context.close()
