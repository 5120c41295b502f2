"""Support for HEAD on every path: the head of the response to GET, without its body.

It is plain ASGI around the application, so that it also works for responses that no route gives.
"""

from __future__ import annotations

from typing import Any, cast

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kontor.web.negotiation import as_get

_ROUTE = "path_template"


class HeadMiddleware:
    """ASGI middleware that handles HEAD as GET and drops the body.

    Routes call ``is_head_only`` before actions that only a visit of a person may cause.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or the start and end of the process."""
        if str(scope["type"]) != "http" or cast("Any", scope)["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        outer = cast("dict[str, Any]", scope)
        inner = as_get(outer)

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.start":
                if _ROUTE in inner:
                    outer[_ROUTE] = inner[_ROUTE]  # for the metrics
                await send(message)
            elif message["type"] == "http.response.body" and not message.get("more_body", False):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        await self._app(cast("Scope", inner), receive, send_head)
