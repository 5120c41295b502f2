"""Web Push: what a browser decrypts, and what the service between can check."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import http_ece
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec.structs import replace
from py_vapid import Vapid02

from folders import with_database
from kontor.notifying.push import BadSubscription, Push, checked_keys
from kontor.notifying.sending import Dead, Failed
from kontor.notifying.texts import Message
from kontor.server.composition import KontorServer
from kontor.tables.values import Mail
from notifying.receiver import Receiver


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Browser:
    """A browser's part of its subscription."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.given = encode(point), encode(self.auth)

    def read(self, body: bytes) -> object:
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        return json.loads(plain)


@pytest.fixture(scope="module")
def receiver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    with Receiver(tmp_path_factory.mktemp("receiver")) as receiver:
        yield receiver


def test_a_browser_alone_can_read_it_and_its_service_knows_from_whom_it_is(
    receiver: Receiver, tmp_path: Path
) -> None:
    browser = Browser()
    with KontorServer.open(with_database(tmp_path)) as service:
        push = Push.of(service.ways.key_made, "mailto:me@games.example")
        assert Push.of(service.ways.key_made, "").key == push.key, "made once, and kept"
    push = Push(push.contact, push.key, receiver.poster())
    mail = Mail("", "Your turn: Shanghaien", ("Bernd has moved.",), url="https://games.example/tables/x")
    message = Message("way.1", "turn", receiver.url, checked_keys(*browser.given), mail, "shanghaien", "x", "x")
    push.send(message)
    (posted,) = receiver.take()
    assert b"Shanghaien" not in posted.body
    assert browser.read(posted.body) == {
        "title": "Your turn: Shanghaien",
        "body": "Bernd has moved.",
        "url": "https://games.example/tables/x",
        "tag": "x",
    }
    push.send(replace(message, waiting=3))
    (counted,) = receiver.take()
    assert browser.read(counted.body)["waiting"] == 3  # type: ignore[index]
    headers = posted.headers
    assert (headers["content-encoding"], headers["topic"], headers["urgency"]) == ("aes128gcm", "x", "normal")
    assert int(headers["ttl"]) > 0
    token, key = headers["authorization"].removeprefix("vapid t=").split(",k=")
    assert key == push.public_key
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    split = urlsplit(receiver.url)
    assert (claims["aud"], claims["sub"]) == (f"{split.scheme}://{split.netloc}", "mailto:me@games.example")
    signed, _, signature = token.rpartition(".")
    vapid = Vapid02.from_raw_public(key.encode())
    assert vapid.verify_token(signed.encode(), signature)

    try:
        for status, error in {404: Dead, 410: Dead, 429: Failed, 503: Failed}.items():
            receiver.status = status
            with pytest.raises(error):
                push.send(message)
    finally:
        receiver.status = 204


def test_what_is_no_key_of_a_browser_is_refused() -> None:
    point, auth = Browser().given
    for bad in (("", ""), (point, ""), ("", auth), (point[:-4], auth), (point, auth + "AAAA"), ("é", auth)):
        with pytest.raises(BadSubscription):
            checked_keys(*bad)
