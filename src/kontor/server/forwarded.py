"""The address of a client whose requests come through our proxy (``--proxy '*'``, as in a container).

Each proxy on the way adds the address of its client to the end of ``X-Forwarded-For``; earlier entries may be forged.
Only the last hop was written by the proxy that connects, so only that is trusted. (Where proxies are named, by
address or network, uvicorn takes the last hop that is none of them.)
"""

from __future__ import annotations

from litestar.types import ASGIApp, Receive, Scope, Send

from kontor.web.addresses import UNKNOWN, network_of


class LastHop:
    """ASGI middleware that takes the last hop for the client."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        headers = scope.get("headers", ())
        hops = b",".join(value for name, value in headers if name == b"x-forwarded-for")
        hop = hops.rpartition(b",")[2].decode("latin-1").strip()
        if network_of(hop) != UNKNOWN:
            scope["client"] = (hop, 0)
        schemes = [value.decode("latin-1").strip() for name, value in headers if name == b"x-forwarded-proto"]
        if schemes and schemes[-1] in ("http", "https"):
            scope["scheme"] = schemes[-1]
        await self._app(scope, receive, send)
