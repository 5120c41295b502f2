"""Passkeys: they sign in their owner, and nobody else."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from sqlalchemy import select, update

from kontor.accounts.passkeys import MOST_PASSKEYS
from kontor.storage.schema import challenges, passkeys
from kontor.web.http.limits import LIMITS
from web.conftest import GENEROUS, Served
from web.guests import Guest, Page
from web.soft_device import SoftDevice


@pytest.fixture(scope="module")
def offering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("server"), passkeys=True) as served:
        yield served


def origin_of(served: Served) -> str:
    """Return the server's origin by name: a passkey cannot belong to an IP address."""
    return served.address.replace("127.0.0.1", "localhost")


def guest(served: Served, name: str = "", **more: Any) -> Guest:
    return Guest(origin_of(served), name, **more)


def form_of(person: Guest, path: str, action: str) -> dict[str, str]:
    return next(form.fields for form in person.get(path).forms if form.action == action)


def get_options(person: Guest, page: str, action: str) -> dict[str, Any]:
    """Return the options that the browser gets for a passkey request."""
    answer = person.post(f"{action}/challenge", form_of(person, page, action))
    assert answer.status == 200, answer.text("refused")
    options: dict[str, Any] = json.loads(answer.html)
    return options


def add(person: Guest, device: SoftDevice, label: str = "my phone") -> Page:
    answer = device.create(get_options(person, "/you", "/you/passkeys"))
    return send(person, "/you", "/you/passkeys", answer, label=label)


def send(person: Guest, page: str, action: str, answer: str, **fields: str) -> Page:
    return person.post(action, {**form_of(person, page, action), "credential": answer, **fields})


def come_back(person: Guest, device: SoftDevice) -> Page:
    return send(person, "/return", "/return/passkey", device.get(get_options(person, "/return", "/return/passkey")))


def name_in(page: Guest) -> str:
    return page.get("/you").text("main").split(" ")[0]


def test_a_person_comes_back_without_a_name_typed(offering: Served) -> None:
    device = SoftDevice(origin_of(offering))
    with guest(offering, "Anna") as anna, guest(offering) as elsewhere, guest(offering, "Bernd") as bernd:
        page = add(anna, device)
        assert (page.status, page.path) == (200, "/you")
        assert "my phone, since" in page.text("main")
        assert "never used" in page.text("main")
        assert come_back(elsewhere, device).path == "/"
        assert name_in(elsewhere) == "Anna"
        assert "last used" in elsewhere.get("/you").text("passkeys")
        assert elsewhere.client.cookies["kontor"] != anna.client.cookies["kontor"]
        # The cookie of the person who used this browser before is no longer valid.
        before = bernd.client.cookies["kontor"]
        assert come_back(bernd, device).path == "/"
        assert offering.service.people.holder_of_session(before) is None
        (handle,) = [passkey.handle for passkey in offering.service.passkeys.of(offering.person_id(anna))]
        anna.press(anna.get("/you").button(f"passkey-{handle}"))
        assert "my phone, since" not in anna.get("/you").text("main")
        assert come_back(elsewhere, device).status == 403


def test_a_page_of_another_site_gets_nothing(offering: Served) -> None:
    device = SoftDevice(origin_of(offering))
    with guest(offering, "Anna") as anna, guest(offering) as elsewhere:
        for origin in (
            "https://evil.example",
            "http://localhost",
            origin_of(offering) + "0",
            "http://evil.localhost",
        ):
            device.origin = origin
            assert add(anna, device).status == 403
        device.origin = origin_of(offering)
        assert add(anna, device).status == 200
        for origin in ("https://evil.example", "http://localhost", "http://evil.localhost"):
            device.origin = origin
            assert come_back(elsewhere, device).status == 403
        device.origin, device.host = origin_of(offering), "evil.example"
        assert come_back(elsewhere, device).status == 403
        form = form_of(elsewhere, "/return", "/return/passkey")
        for action in ("/return/passkey", "/return/passkey/challenge"):
            crossing = elsewhere.client.post(action, data=form, headers={"sec-fetch-site": "cross-site"})
            assert crossing.status_code == 403
            assert "set-cookie" not in crossing.headers


def test_a_challenge_is_good_once_for_its_browser_and_for_five_minutes(offering: Served) -> None:
    device, other = SoftDevice(origin_of(offering)), SoftDevice(origin_of(offering))
    with guest(offering, "Anna") as anna, guest(offering) as elsewhere, guest(offering) as thief:
        made = device.create(get_options(anna, "/you", "/you/passkeys"))
        with guest(offering, "Bernd") as bernd:
            assert send(bernd, "/you", "/you/passkeys", made).status == 403, "Anna’s challenge is not his"
        assert send(anna, "/you", "/you/passkeys", made).status == 200
        assert send(anna, "/you", "/you/passkeys", made).status == 403, "once"
        answer = device.get(get_options(elsewhere, "/return", "/return/passkey"))
        assert send(thief, "/return", "/return/passkey", answer).status == 403, "for the browser that asked"
        thief.client.cookies.update(elsewhere.client.cookies)
        assert send(elsewhere, "/return", "/return/passkey", answer).path == "/"
        assert send(thief, "/return", "/return/passkey", answer).status == 403, "used up"
        # A wrong response uses the challenge up, and so does a new challenge.
        options = get_options(elsewhere, "/return", "/return/passkey")
        assert send(elsewhere, "/return", "/return/passkey", "{}").status == 403
        assert send(elsewhere, "/return", "/return/passkey", device.get(options)).status == 403
        options = get_options(anna, "/you", "/you/passkeys")
        get_options(anna, "/you", "/you/passkeys")
        assert send(anna, "/you", "/you/passkeys", other.create(options)).status == 403
        options = get_options(elsewhere, "/return", "/return/passkey")
        with offering.service._transactions.changing() as change:  # five minutes pass
            change.db.execute(update(challenges).values(expires=change.now))
        assert send(elsewhere, "/return", "/return/passkey", device.get(options)).status == 403
        # A challenge for signing in adds no passkey.
        options = get_options(anna, "/return", "/return/passkey")
        assert send(anna, "/you", "/you/passkeys", other.create({**options, "user": {"id": ""}})).status == 403


def test_a_passkey_is_its_persons_alone(offering: Served) -> None:
    annas, bernds = SoftDevice(origin_of(offering)), SoftDevice(origin_of(offering))
    with guest(offering, "Anna") as anna, guest(offering, "Bernd") as bernd, guest(offering) as elsewhere:
        add(anna, annas)
        add(bernd, bernds)
        twin = SoftDevice(origin_of(offering))
        twin.id = annas.id
        assert add(bernd, twin).status == 403, "nobody takes a credential over"
        options = get_options(anna, "/you", "/you/passkeys")
        assert [credential["id"] for credential in options["excludeCredentials"]] == [
            json.loads(annas.get(options))["id"]
        ]
        # Bernd's device signs in Anna's name, or her credential's.
        true = bernds.user, bernds.id
        bernds.user = annas.user
        assert come_back(elsewhere, bernds).status == 403
        bernds.user, bernds.id = true[0], annas.id
        assert come_back(elsewhere, bernds).status == 403
        bernds.user = annas.user
        assert come_back(elsewhere, bernds).status == 403, "by a key that is not hers"
        bernds.user, bernds.id = true
        assert come_back(elsewhere, bernds).status == 200
        assert name_in(elsewhere) == "Bernd"
        # Nobody can remove another person's passkey.
        (handle,) = [passkey.handle for passkey in offering.service.passkeys.of(offering.person_id(anna))]
        token = form_of(bernd, "/you", "/you/passkeys")["token"]
        bernd.post("/you/passkeys/remove", {"token": token, "passkey": handle})
        assert offering.service.passkeys.of(offering.person_id(anna))
        with guest(offering) as stranger:
            for action in ("/you/passkeys", "/you/passkeys/challenge", "/you/passkeys/remove"):
                form = form_of(stranger, "/return", "/return/passkey")
                assert stranger.post(action, form).status == 403


def test_a_copy_that_has_signed_less_often_is_refused(offering: Served) -> None:
    device = SoftDevice(origin_of(offering))
    with guest(offering, "Anna") as anna, guest(offering) as elsewhere:
        add(anna, device)
        device.counter = 6
        assert come_back(elsewhere, device).path == "/"
        for counted in (3, 6):
            device.counter = counted
            assert come_back(elsewhere, device).status == 403
        assert come_back(elsewhere, device).path == "/"


def test_of_a_person_who_left_or_was_suspended_no_passkey_is_good(offering: Served) -> None:
    devices = [SoftDevice(origin_of(offering)) for _ in range(3)]
    with guest(offering, "Anna") as anna, guest(offering, "Bernd") as bernd, guest(offering) as elsewhere:
        add(anna, devices[0])
        add(bernd, devices[1])
        left = offering.person_id(anna)
        anna.press(anna.get("/you/leave").button("leave-go"), name="Anna")
        assert come_back(elsewhere, devices[0]).status == 403
        with offering.service._transactions.reading() as db:
            assert not db.execute(select(passkeys).where(passkeys.c.user_handle == left)).all()
        person = offering.person_id(bernd)
        offering.service.operating.suspend(person)
        assert come_back(elsewhere, devices[1]).status == 403
        offering.service.operating.restore(person)
        assert come_back(elsewhere, devices[1]).path == "/"


def test_two_guests_made_one_keep_both_passkeys(offering: Served) -> None:
    devices = [SoftDevice(origin_of(offering)) for _ in range(2)]
    with guest(offering, "Anna") as anna, guest(offering, "Anne") as anne, guest(offering) as elsewhere:
        add(anna, devices[0], "phone")
        add(anne, devices[1], "laptop")
        code = anne.press(anne.get("/you").button("recovery-go")).text("recovery-code")
        anna.press(anna.get("/you").button("join-go"), code=code)
        for device in devices:
            assert come_back(elsewhere, device).path == "/"
            assert name_in(elsewhere) == "Anna"
        assert {passkey.name for passkey in offering.service.passkeys.of(offering.person_id(anna))} == {
            "phone",
            "laptop",
        }


def test_ones_own_data_tells_of_them_without_keys(offering: Served) -> None:
    device = SoftDevice(origin_of(offering))
    with guest(offering, "Anna") as anna:
        add(anna, device, "my phone")
        with ZipFile(BytesIO(anna.client.get("/you/data.zip").content)) as archive:
            text = archive.read("person.json").decode()
        (passkey,) = json.loads(text)["passkeys"]
        assert (passkey["name"], passkey["used"]) == ("my phone", None)
        assert set(passkey) == {"handle", "name", "created", "used"}


def test_where_no_passkey_can_be_good_none_is_offered(offering: Served, tmp_path: Path) -> None:
    def offers(base: str, **more: Any) -> tuple[bool, bool]:
        with Guest(base, "Anna", **more) as anna:
            form = {"token": anna.get("/").forms[0].fields["token"]}
            assert anna.post("/you/passkeys/challenge", form).status in (200, 404)
            return anna.get("/you").has("passkey-form"), anna.get("/return").has("passkey-form")

    assert offers(origin_of(offering)) == (True, True)
    assert offers(offering.address) == (False, False), "for an address none is good"
    named = {"host": "games.local"}
    assert offers(offering.address, headers=named) == (False, False), "nor without https"
    with Served(tmp_path / "without") as without:
        assert offers(origin_of(without)) == (False, False)
    with Served(tmp_path / "told", passkeys=True, address="https://games.example") as configured:
        assert offers(origin_of(configured)) == (False, False), "they are good where the operator says"


def test_trying_passkeys_is_limited_as_typing_codes_is(tmp_path: Path) -> None:
    limits = {**GENEROUS, "code": LIMITS["code"]}
    with Served(tmp_path, limits, passkeys=True) as served, guest(served) as thief:
        statuses = [send(thief, "/return", "/return/passkey", "{}").status for _ in range(31)]
        assert statuses == [403] * 30 + [429]


def test_a_person_has_no_more_than_ten(offering: Served) -> None:
    with guest(offering, "Anna") as anna:
        statuses = [add(anna, SoftDevice(origin_of(offering))).status for _ in range(MOST_PASSKEYS + 1)]
        assert statuses == [200] * MOST_PASSKEYS + [429]


@pytest.mark.long
def test_whatever_is_sent_as_an_answer_is_refused_in_a_sentence(offering: Served) -> None:
    random, device = Random(7), SoftDevice(origin_of(offering))
    with guest(offering, "Anna") as anna, guest(offering) as elsewhere:
        add(anna, device)
        for action, page, person in (("/return/passkey", "/return", elsewhere), ("/you/passkeys", "/you", anna)):
            for _ in range(40):
                options = get_options(person, page, action)
                good = device.get(options) if page == "/return" else SoftDevice(device.origin).create(options)
                answer = send(person, page, action, _spoil(random, good))
                # A new passkey is signed by nobody: there, not all changes matter.
                assert answer.status in ((403,) if page == "/return" else (200, 403, 429)), answer.html
                assert answer.status != 403 or "This passkey was not accepted here." in answer.text("refused")
            for odd in ("", "null", "[]", '"x"', "{", "[" * 5000, '{"id": 1}', "é"):
                get_options(person, page, action)
                assert send(person, page, action, odd).status == 403


def _spoil(random: Random, answer: str) -> str:
    """Return the response with a part removed or changed."""
    parts = json.loads(answer)
    part = random.choice(sorted(parts["response"]))
    text = parts["response"][part]
    at = random.randrange(len(text) - 1)  # not all bits of the last letter are used
    match random.randrange(4):
        case 0:
            del parts["response"][part]
        case 1:
            parts["response"][part] = text[:at]
        case 2:
            parts["response"][part] = random.choice((None, 7, [], {}, "", "AAAA", "ä"))
        case _:
            parts["response"][part] = text[:at] + ("B" if text[at] == "A" else "A") + text[at + 1 :]
    return json.dumps(parts)
