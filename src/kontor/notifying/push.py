"""Web Push: notifications to browsers, through the push services of the browsers' makers (RFC 8030).

They are encrypted for the browser alone (RFC 8291) and signed as this server (RFC 8292).
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from kontor.game import Refusal, Value
from kontor.notifying.public_https import Poster, Posts, check_status
from kontor.notifying.texts import Message
from kontor.optional_packages import requiring_extra
from kontor.words import mark

with requiring_extra("push", mark("Web Push needs the package {package}, which is not installed: {command}")):
    import http_ece
    from py_vapid import Vapid02

_KEY: Final = "push"
_LASTS: Final = 24 * 3600
"""Seconds for which the service keeps a notification for an unreachable browser."""

_POINT: Final = 65
_AUTH: Final = 16
"""Bytes of the two keys that a browser gives: the public point, and the secret."""


class BadSubscription(Refusal):
    """A subscription from a browser with invalid keys."""


class PushKeys(Value, frozen=True):
    """The keys with which a browser's notifications are encrypted."""

    p256dh: str
    auth: str


def checked_keys(p256dh: str, auth: str) -> str:
    """Return a browser's keys as stored. Raises BadSubscription."""
    try:
        point, secret = _decode(p256dh), _decode(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        point, secret = b"", b""
    if len(point) != _POINT or len(secret) != _AUTH:
        raise BadSubscription("", "Your browser could not be reached. Try again.")
    return msgspec.json.encode(PushKeys(p256dh, auth)).decode()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.encode() + b"==")


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass(frozen=True)
class Push:
    """Sends to browsers, as a server whose operator can be reached at ``contact``."""

    contact: str
    key: bytes = field(repr=False)
    poster: Posts = field(default_factory=Poster)

    @classmethod
    def of(
        cls, key_made: Callable[[str, Callable[[], bytes]], bytes], contact: str, poster: Posts | None = None
    ) -> Push:
        """Return a Push with this server's key, which ``key_made`` (``Ways.key_made``) creates if needed."""
        return cls(contact, key_made(_KEY, _new_key), poster or Poster())

    @property
    def public_key(self) -> str:
        """Return the public key in the form that browsers take (``applicationServerKey``)."""
        point = self._vapid.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return _encode(point)

    @property
    def _vapid(self) -> Vapid02:
        return Vapid02.from_raw(_encode(self.key).encode())

    def send(self, message: Message) -> None:
        """Send a notification to one browser. Raises Failed, Dead."""
        keys = msgspec.json.decode(message.secret, type=PushKeys)
        mail = message.mail
        body_text = " ".join((*(link.text for link in mail.links), *mail.paragraphs))
        payload = {"title": mail.subject, "body": body_text, "url": mail.url, "tag": message.topic}
        waiting = {} if message.waiting is None else {"waiting": message.waiting}
        body: bytes = http_ece.encrypt(
            msgspec.json.encode(payload | waiting),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_decode(keys.p256dh),
            auth_secret=_decode(keys.auth),
            version="aes128gcm",
        )
        split = urlsplit(message.address)
        signed = self._vapid.sign({"sub": self.contact, "aud": f"{split.scheme}://{split.netloc}"})
        headers = {"Content-Encoding": "aes128gcm", "TTL": str(_LASTS), "Urgency": "normal", **signed}
        if len(message.topic) <= 32:
            headers["Topic"] = message.topic
        status = self.poster.post(message.address, body, headers)
        check_status(status, (404, 410))


def _new_key() -> bytes:
    """Return a new private key, 32 bytes."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return number.to_bytes(32, "big")
