"""Parts of a server that the routes of notifications use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.notifying.table_hooks import TableWebhooks
from kontor.notifying.values import SendKind
from kontor.notifying.ways import Ways
from kontor.tables.site import TablesSite


@dataclass(frozen=True, kw_only=True)
class NotifyingSite(TablesSite):
    """A server on the web, with its notifications."""

    ways: Ways
    table_webhooks: TableWebhooks
    offered_ways: frozenset[SendKind]
    """The ways in which people can be notified, and ``table`` if tables can have webhooks."""
    push_key: str
    """The server's public key for Web Push; empty if it does not send any."""
    check_url: Callable[[str], None]
    """A function that raises Failed if a webhook's host does not resolve, or not to a public address."""


TheNotifyingSite = NamedDependency[SkipValidation[NotifyingSite]]
