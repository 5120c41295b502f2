"""Turns in the event loop: however many requests of one network are ready, those of others come in between."""

import asyncio
from typing import Any

from anyio.from_thread import start_blocking_portal

from kontor.web.http.address_throttle import AddressThrottle
from kontor.web.http.limits import Limits
from web.conftest import GENEROUS


class Requests:
    """Requests to an application that answers in the event loop, and the order of its answers."""

    def __init__(self) -> None:
        self.answered: list[str] = []
        self._throttle = AddressThrottle(self._answer, Limits(GENEROUS))

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.answered.append(scope["client"][0])

    def begin(self, address: str) -> asyncio.Task[None]:
        """Begin a request from an address."""

        async def nothing(*message: Any) -> Any:
            raise AssertionError

        scope: Any = {"type": "http", "client": (address, 1)}
        return asyncio.ensure_future(self._throttle(scope, nothing, nothing))


def test_in_a_round_of_the_event_loop_one_request_of_a_network_begins() -> None:
    async def play() -> list[str]:
        requests = Requests()
        many = [requests.begin(f"2001:db8:1:1::{number:x}") for number in range(30)]
        other = requests.begin("192.0.2.1")
        await asyncio.gather(*many, other)
        return requests.answered

    # In a thread of its own: browser tests leave an event loop running in this one.
    with start_blocking_portal() as portal:
        answered = portal.call(play)
    assert len(answered) == 31
    assert answered.index("192.0.2.1") <= 2


def test_a_request_whose_client_has_gone_holds_up_no_other() -> None:
    async def play() -> list[str]:
        requests = Requests()
        first, gone, last = (requests.begin(f"2001:db8::{number}") for number in (1, 2, 3))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(first, last)
        return requests.answered

    with start_blocking_portal() as portal:
        assert portal.call(play) == ["2001:db8::1", "2001:db8::3"]
