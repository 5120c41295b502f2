"""Delays for addresses that ask for too much, or go on after a refusal, so that others notice nothing.

Each request takes processor time, however little it asks for, and each refusal needs a page. This is plain ASGI
around everything else, so it works for all requests and all refusals. Requests are charged the processor time that
they have taken. A refusal is charged to the address as if a page had been read.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kontor.web.addresses import network_of
from kontor.web.http.limits import Limits
from kontor.web.http.request_cost import Measured, RequestCost

_STREAM = b"text/event-stream"


class _Turns:
    """Turns of networks in the event loop: in each of its rounds, one request of a network begins.

    What a request does before it waits for a thread, such as a refusal, keeps the event loop busy. Requests of other
    networks come in between, however many of one network are ready at the same time.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def take(self, address: str) -> None:
        """Wait for the turn of a request from an address."""
        network = network_of(address)
        waiting = self._waiting.get(network)
        loop = asyncio.get_running_loop()
        if waiting is None:
            self._waiting[network] = deque()
            loop.call_soon(self._go_on, network)
            return
        turn = loop.create_future()
        waiting.append(turn)
        await turn

    def _go_on(self, network: str) -> None:
        """Let the next request of a network begin, and the one after it in the next round."""
        waiting = self._waiting[network]
        while waiting:
            turn = waiting.popleft()
            if not turn.done():  # its client may have gone
                turn.set_result(None)
                asyncio.get_running_loop().call_soon(self._go_on, network)
                return
        del self._waiting[network]


class AddressThrottle:
    """ASGI middleware that charges each request to its address, and delays addresses over their budget."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._turns = _Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or the start and end of the process."""
        if str(scope["type"]) != "http":
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        address = client[0] if client else ""
        if delay := self._limits.charge_request(address):
            await asyncio.sleep(delay)
        await self._turns.take(address)
        cost = RequestCost(self._limits, address)

        async def send_delayed(message: Message) -> None:
            if message["type"] == "http.response.start":
                cost.charge()
                cost.is_closed = _is_stream(message["headers"])
                if 400 <= message["status"] < 500:
                    await asyncio.sleep(self._limits.charge_refusal(address, message["status"] == 429))
            await send(message)

        try:
            await Measured(self._app(scope, receive, send_delayed), cost)
        finally:
            cost.charge()


def _is_stream(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return True for the head of an event stream; its later frames are drawn because other people have moved."""
    return any(name == b"content-type" and value.startswith(_STREAM) for name, value in headers)
