"""Each request takes time of the processor, however little it asks for, and each refusal its page: whoever asks for
very much, or goes on when told to wait, is answered later and later, so that others notice nothing.

Plain ASGI round everything else: it does not matter what was asked for, nor what refused. What is refused is charged
to the address as if it had been read.
"""

from __future__ import annotations

import asyncio

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kontor.web.http.limits import Limits


class AddressThrottle:
    """The application, at which an address has to queue that asks for too much."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the start and end of the process."""
        if str(scope["type"]) != "http":
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        address = client[0] if client else ""
        if delay := self._limits.requested(address):
            await asyncio.sleep(delay)

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start" and 400 <= message["status"] < 500:
                await asyncio.sleep(self._limits.refused(address, message["status"] == 429))
            await send(message)

        await self._app(scope, receive, answering)
