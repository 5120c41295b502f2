"""Webhooks: by the Standard Webhooks specification (id, timestamp, HMAC), or in Discord's form."""

from __future__ import annotations

import base64
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from kontor.notifying.public_https import Poster, Posts, check_status
from kontor.notifying.texts import Message

_SECRET: Final = "whsec_"  # noqa: S105 (how secrets begin)
_MARKUP: Final = re.compile(r"([\\*_~`|>#\[\]()<@:-])")
"""Characters that Discord would read as markup."""

_JSON: Final = {"Content-Type": "application/json"}


def new_secret() -> str:
    """Return a new secret, by which a receiver verifies that a notification is ours."""
    return _SECRET + base64.b64encode(secrets.token_bytes(32)).decode()


@dataclass(frozen=True)
class Webhooks:
    """Sends to addresses that people have given."""

    poster: Posts = field(default_factory=Poster)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def send(self, message: Message) -> None:
        """Send a signed notification. Raises Failed, Dead."""
        now = self.now()
        mail = message.mail
        data: dict[str, Any] = {"game": message.game, "table": message.table, "url": mail.url}
        if mail.links:
            data["tables"] = mail.links
        text = " ".join((mail.subject, *(link.text for link in mail.links), *mail.paragraphs))
        body = msgspec.json.encode({"type": message.occasion, "timestamp": now, "data": {**data, "text": text}})
        at = str(int(now.timestamp()))
        key = base64.b64decode(message.secret.removeprefix(_SECRET))
        signature = base64.b64encode(hmac.digest(key, f"{message.id}.{at}.".encode() + body, "sha256")).decode()
        signed = {"webhook-id": message.id, "webhook-timestamp": at, "webhook-signature": f"v1,{signature}"}
        status = self.poster.post(message.address, body, _JSON | signed)
        check_status(status, (410,))

    def send_to_discord(self, message: Message) -> None:
        """Send a line to a Discord channel, without mentioning anybody. Raises Failed, Dead."""
        mail = message.mail
        links = (f"{_plain(link.text)} <{link.url}>" for link in mail.links)
        text = "\n".join((f"**{_plain(mail.subject)}**", *links, *map(_plain, mail.paragraphs), f"<{mail.url}>"))
        content: dict[str, Any] = {"content": text[:2000], "allowed_mentions": {"parse": []}}
        status = self.poster.post(message.address, msgspec.json.encode(content), _JSON)
        check_status(status, (404, 410))


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
