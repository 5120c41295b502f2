"""A program that ends games, notifies of it, and is killed.

It records each table after its game has ended.
"""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from guests import ME, OPEN, shanghaien
from kontor.notifying.mail import MailServer
from kontor.notifying.notifier import Notifier
from kontor.notifying.public_https import Poster
from kontor.notifying.webhook import Webhooks
from kontor.server.composition import KontorServer, utc_now
from kontor.storage import Place

FAST = 100
"""The speed of its clock relative to the machine's, so that no test waits for delays."""


@dataclass(frozen=True)
class Orders:
    """Its place, when its clock was started, who is notified and who resigns, and where all is sent."""

    place: Place
    began: datetime
    hears: str
    resigns: str
    smtp: str
    certificate: Path

    def now(self) -> datetime:
        return datetime(2026, 3, 1, tzinfo=UTC) + FAST * (utc_now() - self.began)

    def notifier(self, service: KontorServer) -> Notifier:
        trusts = ssl.create_default_context(cafile=str(self.certificate))
        poster = Poster(lambda: trusts, lambda host, port: ["127.0.0.1"], lambda address: True)
        mail = MailServer.of(self.smtp, "kontor@games.example")
        ways = {"mail": mail.send, "webhook": Webhooks(poster).send}
        return Notifier(service, ways, str.title, leads=lambda: True)  # type: ignore[arg-type]


def live(orders: Orders, notes: Path) -> None:
    """End games until it is killed."""
    notebook = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    with KontorServer.open(orders.place, orders.now) as service, orders.notifier(service):
        while True:
            table = service.opening.open(orders.resigns, shanghaien(ME, OPEN))
            service.opening.sit(table, 1, orders.hears)
            service.early_endings.resign(table, 0, orders.resigns)
            os.write(notebook, table.encode() + b"\n")
