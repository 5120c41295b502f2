"""Webhooks: what a receiver gets and can check, and which addresses strangers must not reach."""

from __future__ import annotations

import base64
import hmac
import json
import socket
import ssl
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from kontor.notifying.public_https import Poster, resolve_host
from kontor.notifying.sending import Dead, Failed
from kontor.notifying.texts import Message
from kontor.notifying.webhook import Webhooks, new_secret
from kontor.tables.values import Mail
from notifying.receiver import Receiver


@pytest.fixture(scope="module")
def receiver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    with Receiver(tmp_path_factory.mktemp("receiver")) as receiver:
        yield receiver


def message(url: str, secret: str = "") -> Message:
    mail = Mail("", "Your turn: Shanghaien", ("*Bernd* @everyone has moved.",), url="https://games.example/tables/x")
    return Message("way.1", "turn", url, secret, mail, "shanghaien", "x")


def test_a_receiver_can_check_who_sent_it_and_when(receiver: Receiver) -> None:
    secret, now = new_secret(), datetime(2026, 3, 1, 19, 30, tzinfo=UTC)
    hooks = Webhooks(receiver.poster(), lambda: now)
    hooks.send(message(receiver.url, secret))
    (posted,) = receiver.take()
    assert posted.path == "/hook?key=1"
    assert posted.headers["host"] == f"hooks.example:{receiver.port}"
    signed = f"{posted.headers['webhook-id']}.{posted.headers['webhook-timestamp']}.".encode() + posted.body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    assert (
        posted.headers["webhook-signature"] == "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    )
    assert (posted.headers["webhook-id"], posted.headers["webhook-timestamp"]) == ("way.1", str(int(now.timestamp())))
    assert json.loads(posted.body) == {
        "type": "turn",
        "timestamp": "2026-03-01T19:30:00Z",
        "data": {
            "game": "shanghaien",
            "table": "x",
            "url": "https://games.example/tables/x",
            "text": "Your turn: Shanghaien *Bernd* @everyone has moved.",
        },
    }


def test_in_discord_nobody_is_called_by_a_name(receiver: Receiver) -> None:
    Webhooks(receiver.poster()).send_to_discord(message(receiver.url))
    (posted,) = receiver.take()
    assert json.loads(posted.body) == {
        "content": "**Your turn\\: Shanghaien**\n\\*Bernd\\* \\@everyone has moved.\n<https://games.example/tables/x>",
        "allowed_mentions": {"parse": []},
    }


def test_what_has_gone_is_known_from_what_fails_and_nobody_is_led_on(receiver: Receiver) -> None:
    hooks = Webhooks(receiver.poster())
    sends = {410: Dead, 404: Failed, 500: Failed, 429: Failed, 302: Failed}
    receiver.headers = {"location": f"https://127.0.0.1:{receiver.port}/elsewhere"}
    try:
        for status, error in sends.items():
            receiver.status = status
            with pytest.raises(error):
                hooks.send(message(receiver.url, new_secret()))
        receiver.status = 404
        with pytest.raises(Dead):
            hooks.send_to_discord(message(receiver.url))
    finally:
        receiver.status, receiver.headers = 204, {}
    assert {posted.path for posted in receiver.take()} == {"/hook?key=1"}


PRIVATE = [
    "127.0.0.1",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",  # noqa: S104
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::10.0.0.1",
    "2002:a00:1::",
    "fe80::1",
    "fec0::1",
    "fd00::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_public_is_never_connected_to(receiver: Receiver, address: str) -> None:
    for addresses in ([address], ["8.8.8.8", address], [address, "2606:4700::1111"]):
        poster = Poster(resolve=lambda host, port, addresses=addresses: addresses)  # type: ignore[misc]
        with pytest.raises(Failed) as failed:
            poster.post(f"https://hooks.example:{receiver.port}/", b"", {})
        assert failed.value.__cause__ is None, "nothing was even tried"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "0177.0.0.1"]
)
def test_however_the_own_machine_is_written_it_is_not_reached(receiver: Receiver, host: str) -> None:
    with pytest.raises(Failed):
        Poster().post(f"https://{host}:{receiver.port}/", b"", {})
    assert receiver.take() == []


def test_a_name_that_leads_elsewhere_a_moment_later_changes_nothing(receiver: Receiver) -> None:
    answers = iter([["8.8.8.8"], ["127.0.0.1"]])
    lookups: list[str] = []

    def rebinding(host: str, port: int) -> list[str]:
        addresses = next(answers)
        lookups.extend(addresses)
        return addresses

    connected: list[str] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        connected.append(address[0])
        raise ConnectionRefusedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "create_connection", connect)
        with pytest.raises(Failed):
            Poster(resolve=rebinding).post(receiver.url, b"", {})
    assert (lookups, connected) == (["8.8.8.8"], ["8.8.8.8"]), "asked once, and connected to what was looked at"


def test_another_scheme_and_a_wrong_certificate_are_not_posted_to(receiver: Receiver) -> None:
    poster = receiver.poster()
    with pytest.raises(Dead):
        poster.post(f"http://hooks.example:{receiver.port}/", b"", {})
    with pytest.raises(Failed):
        poster.post(f"https://other.example:{receiver.port}/", b"", {})
    with pytest.raises(Failed):
        replace(poster, tls=ssl.create_default_context).post(receiver.url, b"", {})
    assert receiver.take() == []
    assert "127.0.0.1" in resolve_host("localhost", 443)
