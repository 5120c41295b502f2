"""Metrics and an optional log line for each request, by its route and never by its path.

Requests without a route are logged once a minute, because strangers can send as many as they like. It is plain ASGI
around everything else, so that it also sees what is refused before a route is found.
"""

from __future__ import annotations

import logging
from time import monotonic
from typing import Any, Final, cast

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kontor.web.operation import metrics
from kontor.web.operation.logs import ThrottledLine

_LOG = logging.getLogger("kontor.web.requests")
_NOWHERE: Final = ThrottledLine(_LOG, logging.INFO, "answered without a route")

NO_ROUTE: Final = "(none)"
"""The route of a path at which there is nothing."""

_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class RequestMetrics:
    """ASGI middleware that counts requests and measures the time until the response begins.

    The rest is up to the network, and a stream goes on for hours.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or the start and end of the process."""
        if str(scope["type"]) != "http":
            await self._app(scope, receive, send)
            return
        started = monotonic()
        is_counted = False

        async def send_counted(message: Message) -> None:
            nonlocal is_counted
            if message["type"] == "http.response.start" and not is_counted:
                is_counted = True
                _count(scope, message["status"], monotonic() - started)
            await send(message)

        await self._app(scope, receive, send_counted)
        if not is_counted:  # it failed: the security middleware has logged where, and the server responds instead
            _count(scope, 500, monotonic() - started)


def _count(scope: Scope, status: int, seconds: float) -> None:
    request = cast("dict[str, Any]", scope)
    method = request["method"] if request["method"] in _METHODS else "other"
    route = request.get("path_template") or NO_ROUTE
    metrics.ANSWERED.labels(method, route, f"{status // 100}xx").observe(seconds)
    if route == NO_ROUTE:
        _NOWHERE.happened()
    elif _LOG.isEnabledFor(logging.INFO):
        fields = {"method": method, "route": route, "status": status, "milliseconds": round(seconds * 1000, 1)}
        _LOG.info("answered", extra=fields)
