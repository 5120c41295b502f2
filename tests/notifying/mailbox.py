"""A mail server on this machine, which keeps the mail it receives."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from ports import free_ports


class Mailbox:
    """A server that accepts mail for as long as a ``with`` block lasts.

    ``gone`` are addresses that no longer exist, and while it is ``busy`` it accepts nothing. ``replies`` holds its
    replies to ``MAIL``, ``RCPT`` or ``DATA`` instead.
    """

    def __init__(self, **more: Any) -> None:
        self.letters: list[EmailMessage] = []
        self.raw = b""
        """The last message, unparsed."""
        self.gone: set[str] = set()
        self.busy = False
        self.replies: dict[str, str] = {}
        self._controller = Controller(self, hostname="127.0.0.1", port=free_ports(), **more)

    @property
    def url(self) -> str:
        """Return the address in the format of ``--smtp``."""
        return f"smtp://127.0.0.1:{self._controller.port}"

    async def handle_MAIL(  # noqa: N802 (aiosmtpd calls it so)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if "MAIL" in self.replies:
            return self.replies["MAIL"]
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 (aiosmtpd calls it so)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if "RCPT" in self.replies:
            return self.replies["RCPT"]
        if address in self.gone:
            return "550 5.1.1 no such person"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if "DATA" in self.replies:
            return self.replies["DATA"]
        if self.busy:
            return "451 try again later"
        assert isinstance(envelope.content, bytes)
        letter = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(letter, EmailMessage)
        self.letters.append(letter)
        self.raw = envelope.content
        return "250 OK"

    def take(self) -> list[EmailMessage]:
        """Return the mail since the last call."""
        letters, self.letters = self.letters, []
        return letters

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()
