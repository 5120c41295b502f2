"""Codes for signing in again: they cannot be guessed, and no other way leads to another person's account."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import update

from guests import CARLA, ME, shanghaien
from kontor.storage.schema import mail_addresses
from kontor.web.http.limits import LIMITS
from notifying.mailbox import Mailbox
from timeouts import waited_for
from web.conftest import GENEROUS, Served
from web.guests import Guest, Page, open_shanghaien, seat_friend
from web.test_notifications import Reached


def link_of(page: Page) -> str:
    """Return the path of the device link that a page shows."""
    return httpx.URL(page.html.split('id="device-link"')[1].split('value="')[1].split('"')[0]).path


def try_code(guest: Guest, code: str) -> httpx.Response:
    form = guest.get("/return").button("return").form
    return guest.client.post(
        form.action,
        data={**form.fields, "code": code},
        headers={"sec-fetch-site": "same-origin"},
        follow_redirects=False,
    )


def test_a_person_without_a_browser_comes_back_by_a_recovery_code(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger, served.guest("Bernd") as bernd:
        table = open_shanghaien(anna)
        made = anna.press(anna.get("/you").button("recovery-go"))
        code = made.text("recovery-code")
        assert code not in anna.get("/you").html, "it is shown once"
        form = anna.get("/you").button("forget-here").form
        anna.press(anna.get("/you").button("forget-here"))
        assert anna.get("/you").status == 403
        assert stranger.get("/").has("been-here")
        answer = try_code(stranger, code.lower().replace("-", " "))
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert "httponly" in answer.headers["set-cookie"].lower()
        assert stranger.get("/you").text("main").startswith("Anna")
        assert stranger.get(table).has("invite-2"), "as her, at her table"
        assert form.fields["token"] not in stranger.get("/you").html
        # The cookie of the person who used this browser before is no longer valid.
        before = bernd.client.cookies["kontor"]
        assert "In this browser you are Bernd" in bernd.get("/return").text("main")
        assert try_code(bernd, code).status_code == 303
        assert bernd.client.cookies["kontor"] != before
        assert served.service.people.holder_of_session(before) is None


def test_a_device_code_is_typed_where_no_link_leads(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as app, served.guest() as late:
        page = anna.press(anna.get("/you").button("device-go"))
        code, link = page.text("device-code"), link_of(page)
        assert try_code(app, code).status_code == 303
        assert app.get("/you").text("main").startswith("Anna")
        assert late.press(late.get(link).button("arrive")).status == 410, "the link went with it"
        again = try_code(late, code)
        assert again.status_code == 403
        assert code in again.text, "what was typed stays"


def test_codes_cannot_be_guessed_and_no_form_of_others_tries_one(tmp_path: Path) -> None:
    with Served(tmp_path, {**GENEROUS, "code": LIMITS["code"]}) as served, served.guest("Anna") as anna:
        code = anna.press(anna.get("/you").button("recovery-go")).text("recovery-code")
        with served.guest() as thief:
            # From another site's page, or without the token of the form, nothing is tried.
            form = thief.get("/return").button("return").form
            for fields, site in ((form.fields, "cross-site"), ({}, "same-origin")):
                answer = thief.client.post(
                    form.action, data={**fields, "code": code}, headers={"sec-fetch-site": site}
                )
                assert answer.status_code == 403
                assert "set-cookie" not in answer.headers
            statuses = [try_code(thief, "0" * 25).status_code for _ in range(31)]
            assert statuses == [403] * 30 + [429], "thirty at once from one address, in whatever name"
            assert try_code(thief, code).status_code == 429, "and then not even the right one"
        with served.guest("Bernd") as bernd:
            assert try_code(bernd, code).status_code == 429, "under another name neither"


def test_the_offer_is_for_the_person_and_put_away_by_them_alone(served: Served, anna: Guest) -> None:
    person = served.person_id(anna)
    table = served.service.opening.open(person, shanghaien(ME, CARLA))
    assert not anna.get("/").has("offer")
    served.service.early_endings.propose(table, 0, person)
    assert served.service.tables.info(table).status == "over"
    assert anna.get("/").has("offer")
    with served.guest() as stranger:
        assert not stranger.get("/").has("offer")
        assert stranger.post("/you/recovery/later", {}).status == 403
        assert stranger.post("/you/recovery", {}).status == 403
    assert anna.get("/").has("offer")
    anna.press(anna.get("/").button("offer-later"))
    assert not anna.get("/").has("offer")


@pytest.fixture(scope="module")
def served_with_mail(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reached]:
    with Mailbox() as mailbox, Reached(tmp_path_factory.mktemp("server"), mailbox) as reached:
        yield reached


def ask(guest: Guest, address: str) -> Page:
    return guest.press(guest.get("/return").button("return-mail"), address=address)


def test_a_person_comes_back_by_mail_and_nobody_learns_whose_an_address_is(served_with_mail: Reached) -> None:
    with (
        served_with_mail.guest("Anna") as anna,
        served_with_mail.guest() as elsewhere,
        served_with_mail.guest() as stranger,
    ):
        anna.press(anna.get("/you").button("mail-go"), address="anna@mail.example")
        anna.press(anna.get("/you").button("mail-code-go"), code=served_with_mail.code())
        with served_with_mail.service._transactions.changing() as change:  # a minute passes
            change.db.execute(update(mail_addresses).values(expires=0))
        registered, unregistered = ask(elsewhere, "anna@mail.example"), ask(stranger, "nobody@mail.example")
        assert registered.status == unregistered.status == 200
        plain = [re.sub(r"\b[0-9a-f]{48}\b|<!-- .* -->", "", page.html) for page in (registered, unregistered)]
        assert plain[0].replace("anna@", "nobody@") == plain[1]
        waited_for(lambda: served_with_mail.service.outbox.figures()[0] or None)  # it is sent after the response
        code = served_with_mail.code()
        wrong = f"{(int(code) + 1) % 10**6:06}"
        for page, address in ((registered, "anna@mail.example"), (unregistered, "nobody@mail.example")):
            again = (elsewhere if page is registered else stranger).press(page.button("return-mailed"), code=wrong)
            assert again.status == 403
            assert "This is not the code" in again.text("refused"), address
        assert stranger.press(unregistered.button("return-mailed"), code=code).status == 403
        assert elsewhere.press(registered.button("return-mailed"), code=code).path == "/"
        assert elsewhere.get("/you").text("main").startswith("Anna")


def test_where_no_mail_is_sent_nobody_is_asked_for_an_address(stranger: Guest) -> None:
    page = stranger.get("/return")
    assert not page.has("return-mail")
    token = page.forms[0].fields["token"]
    for path in ("/return/mail", "/return/mail/code"):
        assert stranger.post(path, {"token": token, "address": "anna@mail.example", "code": "000000"}).status == 404


def test_two_guests_become_one_after_proof_and_not_at_one_table(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Anni") as phone, served.guest("Bernd") as bernd:
        code = phone.press(phone.get("/you").button("recovery-go")).text("recovery-code")
        mine = open_shanghaien(phone)
        refused = anna.press(anna.get("/you").button("join-go"), code="0" * 25)
        assert refused.status == 403
        assert "This code is wrong" in refused.text("refused")
        together = seat_friend(anna, phone)
        refused = anna.press(anna.get("/you").button("join-go"), code=code)
        assert refused.status == 409
        assert "Both players sit at the same table." in refused.text("refused")
        person = served.person_id(anna)
        seat = served.service.opening.seats_of(together.split("/")[-1], person)[0]
        served.service.early_endings.resign(together.split("/")[-1], seat, person)
        with served.guest() as stranger:
            assert stranger.post("/you/join", {"code": code}).status == 403
        assert anna.press(anna.get("/you").button("join-go"), code=code).path == "/"
        assert anna.get(mine).has("invite-2")
        assert phone.get("/you").text("main").startswith("Anna"), "her browser is Anna's, too"
        assert bernd.get("/you").text("main").startswith("Bernd")
