"""Refusals take time of the processor, too: whoever asks for what is not here, or goes on when told to wait, is
answered later and later, so that others notice nothing.

Plain ASGI round everything else: it does not matter what refused. What is refused is charged to the address as if it
had been read; of the refusals that nobody should have asked for, an address gets so many a second and no more.
"""

from __future__ import annotations

import asyncio

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kontor.web.http.limits import Limits


class RefusalThrottle:
    """The application, whose refusals of one address have to queue."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the start and end of the process."""

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start" and 400 <= message["status"] < 500:
                client = scope.get("client")
                await asyncio.sleep(self._limits.refused(client[0] if client else "", message["status"] == 429))
            await send(message)

        await self._app(scope, receive, answering)
