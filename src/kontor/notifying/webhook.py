"""Webhooks: by the Standard Webhooks specification (id, timestamp, HMAC), or in Discord's form."""

from __future__ import annotations

import base64
import hmac
import html
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from kontor.notifying.public_https import Poster, Posts, check_status
from kontor.notifying.texts import Message, TablePostText

_SECRET: Final = "whsec_"  # noqa: S105 (how secrets begin)
_MARKUP: Final = re.compile(r"([\\*_~`|>#\[\]()<@:-])")
"""Characters that Discord would read as markup."""

_LONGEST: Final = 2000
"""The most characters of a message to a chat service: those that Discord takes."""

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
        status = self.poster.post(message.address, body, _JSON | _signature(message, body, now))
        check_status(status, (410,))

    def send_of_table(self, message: Message) -> None:
        """Post whose turn it is at a table, signed, in the form of its receiver. Raises Failed, Dead."""
        post = message.post
        assert post is not None
        now = self.now()
        body = msgspec.json.encode(_body_of(message, post, now))
        signed = _signature(message, body, now)
        status = self.poster.post(message.address, body, _JSON | signed)
        check_status(status, (410,) if post.form == "json" else (404, 410))

    def send_to_discord(self, message: Message) -> None:
        """Send a line to a Discord channel, without mentioning anybody. Raises Failed, Dead."""
        mail = message.mail
        links = (f"{_plain(link.text)} <{link.url}>" for link in mail.links)
        text = "\n".join((f"**{_plain(mail.subject)}**", *links, *map(_plain, mail.paragraphs), f"<{mail.url}>"))
        content: dict[str, Any] = {"content": text[:_LONGEST], "allowed_mentions": {"parse": []}}
        status = self.poster.post(message.address, msgspec.json.encode(content), _JSON)
        check_status(status, (404, 410))


def _signature(message: Message, body: bytes, now: datetime) -> dict[str, str]:
    """Return the headers by which a receiver verifies that a body is ours."""
    at = str(int(now.timestamp()))
    key = base64.b64decode(message.secret.removeprefix(_SECRET))
    signature = base64.b64encode(hmac.digest(key, f"{message.id}.{at}.".encode() + body, "sha256")).decode()
    return {"webhook-id": message.id, "webhook-timestamp": at, "webhook-signature": f"v1,{signature}"}


def _body_of(message: Message, post: TablePostText, now: datetime) -> dict[str, Any]:
    """Return the body of a post to the webhook of a table.

    Only the person of the id is mentioned. Names can contain signs of mentions: Discord is told to ignore them, and
    for Slack and Mattermost they are broken.
    """
    mail = message.mail
    lines = (mail.subject, *mail.paragraphs)
    match post.form:
        case "discord":
            mention = f"<@{post.mention}> " if post.mention else ""
            bold, *others = map(_plain, lines)
            text = "\n".join((f"{mention}**{bold}**", *others, f"<{mail.url}>"))
            allowed = {"parse": [], "users": [post.mention] if post.mention else []}
            return {"content": text[:_LONGEST], "allowed_mentions": allowed}
        case "slack":
            mention = f"<@{post.mention}> " if post.mention else ""
            bold, *others = [_broken(html.escape(line, quote=False)) for line in lines]
            return {"text": "\n".join((f"{mention}*{bold}*", *others, f"<{mail.url}>"))[:_LONGEST]}
        case "mattermost":
            mention = f"@{post.mention} " if post.mention else ""
            bold, *others = [_broken(_plain(line)) for line in lines]
            return {"text": "\n".join((f"{mention}**{bold}**", *others, mail.url))[:_LONGEST]}
        case _:
            data = {"game": message.game, "table": message.table, "url": mail.url, "text": " ".join(lines)}
            return {
                "type": message.occasion,
                "timestamp": now,
                "data": data | {"turn": post.seat, "mention": post.mention},
            }


def _broken(text: str) -> str:
    """Return a text in which no sign begins a mention: an invisible space follows each."""
    return text.replace("@", "@\u200b")


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
