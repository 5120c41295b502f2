"""Mail, by the operator's own server (SMTP)."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, parseaddr
from html import escape
from typing import Final
from urllib.parse import unquote, urlsplit

from kontor.game import Refusal
from kontor.notifying.smtp_replies import Stage, failure_of
from kontor.notifying.texts import Message
from kontor.tables.values import Mail

_TIMEOUT: Final = 20.0
"""Seconds for each step of a conversation."""

_PORTS: Final = {"smtp": 587, "smtps": 465}
_HERE: Final = ("localhost", "127.0.0.1", "::1")
"""On the same machine nobody listens in."""


class CannotMail(Refusal):
    """Settings by which no mail can be sent."""


@dataclass(frozen=True)
class MailServer:
    """Server that takes mail, and its sender. The certificate of the server is checked by ``tls``."""

    host: str
    port: int
    user: str
    password: str
    at_once: bool
    """True if it is encrypted from the first byte (``smtps``); else by STARTTLS."""
    sender: str
    tls: Callable[[], ssl.SSLContext] = ssl.create_default_context

    @classmethod
    def of(cls, url: str, sender: str) -> MailServer:
        """Return the server at an address like ``smtp://user:password@mail.example:587``.

        ``sender`` is the mail address that mails come from. Raises CannotMail.
        """
        try:
            split = urlsplit(url)
            port = split.port
        except ValueError:
            split, port = urlsplit(""), None
        if split.scheme not in _PORTS or not split.hostname:
            raise CannotMail("", "--smtp takes an address like smtp://user:password@mail.example:587.")
        if "@" not in parseaddr(sender)[1]:
            raise CannotMail("", "--smtp needs --mail-from: the address that mails come from.")
        return cls(
            split.hostname,
            port or _PORTS[split.scheme],
            unquote(split.username or ""),
            unquote(split.password or ""),
            split.scheme == "smtps",
            sender,
        )

    def send(self, message: Message) -> None:
        """Hand a mail to the server. Raises Failed, Dead."""
        letter = compose(message.id, message.mail, self.sender)
        with self._signed_in() as server:
            try:
                server.send_message(letter, to_addrs=[message.mail.to])
            except (smtplib.SMTPException, OSError) as error:
                raise failure_of(error, "DATA") from error

    @contextmanager
    def _signed_in(self) -> Iterator[smtplib.SMTP]:
        """Connect, encrypt and sign in; quit at the end. Raises Failed."""
        stage: Stage = "connect"
        try:
            server = self._connected()
        except (smtplib.SMTPException, OSError) as error:
            raise failure_of(error, stage) from error
        try:
            if not self.at_once and (server.has_extn("starttls") or self.host not in _HERE):
                server.starttls(context=self.tls())
                server.ehlo()
            if self.user:
                stage = "AUTH"
                server.login(self.user, self.password)
        except (smtplib.SMTPException, OSError) as error:
            server.close()
            raise failure_of(error, stage) from error
        try:
            yield server
        finally:
            with suppress(smtplib.SMTPException, OSError):  # the mail was taken, or refused, before
                server.quit()
            server.close()

    def _connected(self) -> smtplib.SMTP:
        if self.at_once:
            server: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=_TIMEOUT, context=self.tls())
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=_TIMEOUT)
        try:
            server.ehlo()
        except BaseException:
            with suppress(OSError):
                server.close()
            raise
        return server


class _UnfoldedHeader(UnstructuredHeader, BaseHeader):
    """Header that is never folded: mailboxes expect its address in one line."""

    def fold(self, *, policy: Policy) -> str:
        """Return the header in one line."""
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS: Final = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _UnfoldedHeader)


def compose(id_: str, mail: Mail, sender: str) -> EmailMessage:
    """Return a mail in plain text and HTML; its id lets mailboxes recognise a second copy."""
    letter = EmailMessage(SMTP.clone(header_factory=_HEADERS))
    name, address = parseaddr(sender)
    domain = address.rpartition("@")[2]
    letter["From"] = Address(display_name=name or "Kontor", addr_spec=address)
    letter["To"] = Address(addr_spec=mail.to)
    letter["Subject"] = " ".join(mail.subject.split())
    letter["Date"] = format_datetime(datetime.now(UTC))
    letter["Message-ID"] = f"<{id_}@{domain}>"
    letter["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe:
        letter["List-Unsubscribe"] = f"<{mail.unsubscribe}>"
        letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    letter.set_content(_plain(mail), cte="quoted-printable")
    letter.add_alternative(_html(mail), subtype="html", cte="quoted-printable")
    return letter


def _plain(mail: Mail) -> str:
    parts = [
        *(f"{link.text}\n{link.url}" for link in mail.links),
        *mail.paragraphs,
        *([f"{mail.action}: {mail.url}"] if mail.url else []),
    ]
    text = "\n\n".join(parts)
    return "\n".join([text, "", "-- ", *mail.footer, ""]) if mail.footer else text + "\n"


def _html(mail: Mail) -> str:
    """Return the HTML body: small and without pictures, so that reading it fetches nothing."""
    links = "".join(f'<p><a href="{escape(link.url)}">{escape(link.text)}</a></p>' for link in mail.links)
    paragraphs = links + "".join(f"<p>{escape(paragraph)}</p>" for paragraph in mail.paragraphs)
    button = (
        f'<p><a href="{escape(mail.url)}" style="display:inline-block;padding:.6em 1.2em;border-radius:.4em;'
        f'background:#1d4a5c;color:#ffffff;text-decoration:none">{escape(mail.action)}</a></p>'
        if mail.url
        else ""
    )
    footer = "".join(f"<p>{_link_address(line)}</p>" for line in mail.footer)
    small = f'<hr><div style="font-size:small;color:#555555">{footer}</div>' if footer else ""
    return (
        '<!doctype html><html><body style="font-family:Georgia,serif;font-size:17px;line-height:1.5">'
        f"{paragraphs}{button}{small}</body></html>\n"
    )


def _link_address(line: str) -> str:
    """Return the line as HTML, with an address at its end as a link."""
    sentence, _, address = line.rpartition(" ")
    if not address.startswith(("http://", "https://")):
        return escape(line)
    return f'{escape(sentence)} <a href="{escape(address)}">{escape(address)}</a>'
