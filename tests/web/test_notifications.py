"""Notifications that it is a person's turn: how they choose them, on the page about themselves and from a mail."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from guests import ME, OPEN, play_one, shanghaien
from kontor.notifying.mail import MailServer
from kontor.notifying.notifier import Notifier
from kontor.notifying.public_https import Poster
from kontor.web.http.limits import Limit
from notifying.mailbox import Mailbox
from web.conftest import GENEROUS, Refused, Served
from web.guests import Guest, seat_friend


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host, some of them inside the network, as a machine's resolver may."""
    if host == "nowhere.example":
        raise OSError
    return ["10.0.0.7"] if host == "inside.example" else ["93.184.216.34"]


class Reached(Served):
    """Server whose operator offers mail and webhooks."""

    def __init__(self, place: Path, mailbox: Mailbox, limits: dict[str, Limit] | None = None) -> None:
        super().__init__(
            place, limits, ways=frozenset({"mail", "webhook", "discord"}), check_url=Poster(resolve=resolve).check
        )
        self.mailbox = mailbox
        mail = MailServer.of(mailbox.url, "kontor@games.example")
        self.notifier = Notifier(self.service, {"mail": mail.send}, str.title, leads=lambda: True)

    def code(self) -> str:
        """Return the code that was sent by mail."""
        self.notifier.finish()
        (letter,) = self.mailbox.take()
        match = re.search(r"\d{6}", str(letter["Subject"]))
        assert match
        return match[0]


@pytest.fixture(scope="module")
def served_with_mail(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reached]:
    with Mailbox() as mailbox, Reached(tmp_path_factory.mktemp("server"), mailbox) as reached:
        yield reached


def test_an_address_is_confirmed_tried_stopped_from_a_mail_and_removed(served_with_mail: Reached) -> None:
    with served_with_mail.guest("Anna") as anna, served_with_mail.guest() as mailbox:
        page = anna.press(anna.get("/you").button("mail-go"), address="anna@mail.example")
        assert page.path == "/you"
        page = anna.press(page.button("mail-code-go"), code="nonsense")
        assert page.status == 403
        assert "not the code" in page.text("refused")
        page = anna.press(anna.get("/you").button("mail-code-go"), code=served_with_mail.code())
        assert "anna@mail.example" in page.text("notifications")

        page = anna.press(next(button for form in page.forms for button in form.buttons if button.name == "try"))
        assert page.text("tried")
        served_with_mail.notifier.finish()
        (mail,) = served_with_mail.mailbox.take()
        assert mail["Subject"] == "Kontor can reach you"
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        written = next(
            line for line in served_with_mail.mailbox.raw.splitlines() if line.startswith(b"List-Unsubscribe:")
        )
        assert written.split()[1].startswith(f"<{served_with_mail.address}/unsubscribe/".encode()), (
            "in one line, as it is"
        )
        link = str(mail["List-Unsubscribe"]).strip("<>").removeprefix(served_with_mail.address)

        page = mailbox.get(link)
        assert anna.get("/you").has("notifications-go"), "nothing is ended by looking"
        # As a mail service does it: without a cookie, an Origin or a form of ours.
        answer = mailbox.client.post(link, data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert not anna.get("/you").has("notifications-go")
        page = mailbox.press(page.button("unsubscribe"))
        assert page.status == 200, "the same again"
        page = mailbox.press(mailbox.get("/unsubscribe/aaaaaaaaaaaaaaaaaaaa.0").button("unsubscribe"))
        assert page.has("unsubscribe"), "nothing was ended"

        page = anna.press(anna.get("/you").button("mail-resume"))
        button = next(button for form in page.forms for button in form.buttons if button.name == "remove")
        fields = {"frequency": "both", "hour": "7", "lead": "12", "quiet-from": "22", "quiet-to": "6"}
        chosen = {f"{name}-{button.value}": value for name, value in fields.items()} | {"zone": "Asia/Tokyo"}
        page = anna.press(page.button("notifications-go"), **chosen)
        for selected in ("both", "7", "12", "22", "6", "Asia/Tokyo"):
            assert f'value="{selected}" selected' in page.html
        with ZipFile(BytesIO(anna.client.get("/you/data.zip").content)) as own:
            assert json.loads(own.read("person.json"))["notifications"]["address"] == "anna@mail.example"
        page = anna.press(page.button("mail-forget"))
        assert "anna@mail.example" not in page.html


def test_a_mail_is_in_the_language_that_its_reader_chose_last(served_with_mail: Reached) -> None:
    with served_with_mail.guest("Jean") as jean:
        page = jean.press(jean.get("/you").button("mail-go"), address="jean@mail.example")
        page = jean.press(page.button("mail-code-go"), code=served_with_mail.code())
        buttons = [button for form in page.forms if form.action == "/settings" for button in form.buttons]
        jean.press(next(button for button in buttons if button.value == "fr"))
        page = jean.get("/you")
        jean.press(next(button for form in page.forms for button in form.buttons if button.name == "try"))
        served_with_mail.notifier.finish()
        (mail,) = served_with_mail.mailbox.take()
        assert mail["Subject"] == "Kontor peut te joindre"


def test_nobody_has_mails_sent_to_strangers_without_end(tmp_path: Path) -> None:
    limits = GENEROUS | {"mail": Limit(2, 0.1)}
    with Mailbox() as mailbox, Reached(tmp_path, mailbox, limits) as reached, reached.guest("Anna") as anna:
        for _ in range(2):
            assert anna.press(anna.get("/you").button("mail-go"), address="x@mail.example").status == 200
        assert anna.press(anna.get("/you").button("mail-go"), address="x@mail.example").status == 429
        assert anna.press(anna.get("/you").button("mail-go"), address="x\r\nBcc: y@mail.example").status in (422, 429)


def test_a_mailbox_gets_five_codes_an_hour_and_who_asks_sees_no_difference(tmp_path: Path) -> None:
    pages = list[str]()
    with Mailbox() as mailbox, Reached(tmp_path, mailbox) as reached:
        for number in range(6):
            with reached.guest(f"Guest {number}") as guest:
                page = guest.press(guest.get("/you").button("mail-go"), address="Anna@mail.example")
                assert page.has("mail-code-go")
                pages.append(page.text("notifications"))
        reached.notifier.finish()
        assert [letter["To"] for letter in mailbox.take()] == ["Anna@mail.example"] * 5
    assert len(set(pages)) == 1


def test_where_the_operator_offers_nothing_nothing_is_asked(served: Served) -> None:
    with Guest(served.address, "Anna") as anna:
        page = anna.get("/you")
        assert not page.has("mail-go")
        assert not page.has("notifications-go")


def test_a_webhook_is_added_with_a_secret_shown_once_and_a_feed_by_a_secret_address(
    served_with_mail: Reached,
) -> None:
    with (
        served_with_mail.guest("Carla") as carla,
        served_with_mail.guest("Dora") as dora,
        served_with_mail.guest() as reader,
    ):
        page = carla.press(carla.get("/you").button("webhook-go"), webhook="http://hooks.example/")
        assert "https://" in page.text("refused")
        page = carla.press(carla.get("/you").button("webhook-go"), webhook="https://hooks.example/")
        assert "whsec_" in page.html
        page = carla.press(carla.get("/you").button("webhook-go"), webhook="https://discord.example/", kind="discord")
        assert "whsec_" not in page.html
        assert sum(button.name == "remove" for form in page.forms for button in form.buttons) == 2

        path = seat_friend(carla, dora, starter="0", pace="slow", hours="24")
        page = carla.press(carla.get("/you").button("feed-go"))
        match = re.search(r'value="[^"]*(/feed/[^"]*)/turns\.ics"', page.html)
        assert match
        calendar = reader.client.get(f"{match[1]}/turns.ics")
        assert calendar.headers["content-type"].startswith("text/calendar")
        assert f"URL:{served_with_mail.address}{path}\r\n" in calendar.text
        assert "SUMMARY:Your turn: Shanghaien\r\n" in calendar.text
        assert re.search(r"DTSTART:\d{8}T\d{6}Z\r\n", calendar.text)
        atom = ElementTree.fromstring(reader.client.get(f"{match[1]}/turns.atom").content)  # noqa: S314 (it is our own)
        (entry,) = atom.findall("{*}entry")
        assert entry.findtext("{*}title") == "Your turn: Shanghaien"
        carla.press(carla.get("/you").button("feed-go"))
        assert reader.client.get(f"{match[1]}/turns.ics").status_code == 404, "a new address ends the old one"
        assert reader.client.get("/feed/nonsense/turns.atom").status_code == 404


def test_the_lobby_tells_whoever_can_be_reached_no_more(served_with_mail: Reached) -> None:
    with served_with_mail.guest("Emil") as emil:
        page = emil.press(emil.get("/you").button("mail-go"), address="emil@mail.example")
        page = emil.press(page.button("mail-code-go"), code=served_with_mail.code())
        served_with_mail.mailbox.gone.add("emil@mail.example")
        emil.press(next(button for form in page.forms for button in form.buttons if button.name == "try"))
        served_with_mail.notifier.finish()
        assert "can no longer reach you" in emil.get("/").html
        page = emil.get("/you")
        emil.press(next(button for form in page.forms for button in form.buttons if button.name == "revive"))
        assert "can no longer reach you" not in emil.get("/").html


INSIDE = [
    *("127.0.0.1", "localhost", "localhost.", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "0177.0.0.1"),
    *("10.1.2.3", "172.20.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
    *("[fd00::1]", "[fe80::1]", "[64:ff9b::10.0.0.1]", "router", "nas.local", "ci.internal", "inside.example"),
]


@pytest.mark.parametrize("host", INSIDE)
def test_an_address_that_is_not_public_is_refused_when_it_is_entered(served_with_mail: Reached, host: str) -> None:
    with served_with_mail.guest("Greta") as greta:
        for kind in ("webhook", "discord"):
            page = greta.press(greta.get("/you").button("webhook-go"), webhook=f"https://{host}:8443/x", kind=kind)
            assert page.status == 422
            assert "public internet addresses only" in page.text("refused")
        person = served_with_mail.service.people.holder_of_session(greta.client.cookies["kontor"])
        assert person
        token = served_with_mail.service.people.api_token(person.id)
        answer = greta.client.post(
            "/api/me/ways", json={"address": f"https://{host}/"}, headers={"authorization": f"Bearer {token}"}
        )
        assert answer.status_code == 422
        assert "public internet addresses only" in answer.json()["reason"]
        assert served_with_mail.service.ways.of(person.id).ways == ()


def test_a_name_that_leads_nowhere_just_now_is_taken(served_with_mail: Reached) -> None:
    with served_with_mail.guest("Hugo") as hugo:
        page = hugo.press(hugo.get("/you").button("webhook-go"), webhook="https://nowhere.example/")
        assert "whsec_" in page.html


def test_the_page_of_a_person_says_why_nothing_arrives_and_since_when(served_with_mail: Reached) -> None:
    with served_with_mail.guest("Ida") as ida:
        page = ida.press(ida.get("/you").button("mail-go"), address="ida@mail.example")
        page = ida.press(page.button("mail-code-go"), code=served_with_mail.code())
        person = served_with_mail.service.people.holder_of_session(ida.client.cookies["kontor"])
        assert person
        (way,) = served_with_mail.service.ways.of(person.id).ways
        assert not page.has(f"failure-{way.id}")
        served_with_mail.mailbox.replies["RCPT"] = "550 5.7.23 SPF validation failed"
        try:
            ida.press(page.button(f"try-{way.id}"))
            served_with_mail.notifier.finish()
        finally:
            served_with_mail.mailbox.replies.clear()
        page = ida.get("/you")
        failure = page.text(f"failure-{way.id}")
        assert re.search(r"Nothing has been delivered since .+ UTC ?\.", failure)
        assert "takes no messages from this server" in failure
        assert "(RCPT: 550 5.7.23)" in failure
        assert page.has(f"try-{way.id}"), "it is still on"
        assert "can no longer reach you" not in ida.get("/").html
        token = served_with_mail.service.people.api_token(person.id)
        answer = ida.client.get("/api/me/ways", headers={"authorization": f"Bearer {token}"})
        (described,) = answer.json()
        assert (described["dead"], described["failure"]) == (False, "policy")
        assert described["failing"]


MANY = 57


def test_nothing_that_waits_is_left_out(served_with_mail: Reached) -> None:
    service = served_with_mail.service
    with served_with_mail.guest("Jonas") as jonas:
        person = service.people.holder_of_session(jonas.client.cookies["kontor"])
        assert person
        random = Random(1)
        other = service.people.guest("Karla")[0].id
        for _ in range(MANY):
            table = service.opening.open(other, shanghaien(OPEN, ME))
            service.opening.sit(table, 0, person.id)
            while service.tables.info(table).mover != 0:
                assert play_one(service, table, random)
        waiting = {turn.table for turn in service.ways.turns(person.id)}
        assert len(waiting) == MANY
        token = service.people.api_token(person.id)
        turns = jonas.client.get("/api/me/turns", headers={"authorization": f"Bearer {token}"}).json()
        assert {turn["table"] for turn in turns} == waiting
        assert jonas.client.get("/you/waiting").json() == {"waiting": MANY}
        feed = service.ways.new_feed(person.id, "en", served_with_mail.address)
        atom = ElementTree.fromstring(jonas.client.get(f"/feed/{feed}/turns.atom").content)  # noqa: S314 (it is our own)
        assert len(atom.findall("{*}entry")) == MANY
        assert jonas.get("/").html.count('class="table-card') >= MANY


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--smtp", "smtp://127.0.0.1:1"), "--smtp needs --mail-from"),
        (("--smtp", "http://127.0.0.1", "--mail-from", "a@b.example"), "--smtp takes an address like smtp://"),
        (("--push-contact", "me"), "--push-contact begins with mailto: or https://"),
    ],
)
def test_settings_by_which_nobody_would_be_reached_are_refused(
    refused: Refused, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert refused("--port", "0", "--data", str(tmp_path), *arguments).startswith(sentence)
