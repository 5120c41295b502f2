"""Guests of the server: by a browser's cookie and by a program's token, each household from an address of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import msgspec

from bench.load.wire import Address, Answer, Caller, request

_FORM_TOKEN: Final = re.compile(rb'name="token" value="([^"]+)"')
_PROGRAM_TOKEN: Final = re.compile(rb'id="program-token"[^>]* value="([^"]+)"')
_SESSION: Final = "kontor="
_BROWSER: Final = "Accept-Language: en\r\nUser-Agent: kontor bench/load\r\n"


class Unexpected(Exception):
    """A response of the server that differs from what it should be."""

    def __init__(self, action: str, answer: Answer) -> None:
        super().__init__(f"{action}: {answer.status} {answer.body[:200].decode(errors='replace')}")
        self.status = answer.status


class ServerAddress(NamedTuple):
    """The host and port of the server."""

    host: str
    port: int

    def from_household(self, number: int) -> Address:
        """Return the address for a household: to the server 127.1.0.1, 127.1.0.2 … are different clients."""
        return Address(self.host, self.port, f"127.{1 + number // 62500}.{number // 250 % 250}.{1 + number % 250}")


@dataclass
class Guest:
    """A person: in a browser if there is a ``cookie``, by a program if there is a ``token``."""

    caller: Caller
    name: str
    cookie: str = ""
    token: str = ""
    form_token: str = ""

    # ---------------------------------------------------------------------------------------------- registering

    async def come_in(self) -> None:
        """Register as in a browser: load the lobby, enter a name, and make a token for a program on one's own page.

        Raises Unexpected, Cut.
        """
        await self._look("/")
        named = await self.submit("/name", {"token": self.form_token, "name": self.name, "next": "/"})
        self.cookie = next((cookie for cookie in named.cookies if cookie.startswith(_SESSION)), "")
        if named.status != 303 or not self.cookie:
            raise Unexpected("naming oneself", named)
        await self._look("/you")
        made = await self.submit("/you/program", {"token": self.form_token, "label": "bench/load", "scope": "play"})
        match = _PROGRAM_TOKEN.search(made.body)
        if not match:
            raise Unexpected("a token for a program", made)
        self.token = match[1].decode()

    async def register(self) -> None:
        """Register as a program. Raises Unexpected, Cut."""
        self.token = (await self.api("POST", "people", {"name": self.name}))["token"]

    async def _look(self, path: str) -> None:
        page = await self.page(path)
        match = _FORM_TOKEN.search(page.body)
        if not match:
            raise Unexpected(f"the page {path}", page)
        self.form_token = match[1].decode()

    # ------------------------------------------------------------------------------------------- as a browser

    def browsing(self, path: str, accept: str = "text/html", more: str = "") -> bytes:
        """Return a browser's request for a page or a stream."""
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        return request(
            "GET",
            path,
            self.caller.address,
            f"{_BROWSER}Accept: {accept}\r\nAccept-Encoding: gzip, deflate\r\n{cookie}{more}",
        )

    async def page(self, path: str) -> Answer:
        """Request a page as a browser. Raises Cut."""
        return await self.caller.ask(self.browsing(path))

    def submitting(self, path: str, fields: Mapping[str, str | tuple[str, ...]], more: str = "") -> bytes:
        """Return the request with which a browser sends a form."""
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        headers = (
            f"{_BROWSER}Accept: */*\r\nAccept-Encoding: gzip, deflate\r\nOrigin: {self.caller.address.origin}\r\n"
            f"Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n{cookie}{more}"
        )
        return request("POST", path, self.caller.address, headers, urlencode(fields, doseq=True).encode())

    async def submit(self, path: str, fields: Mapping[str, str | tuple[str, ...]]) -> Answer:
        """Send a form. Raises Cut."""
        return await self.caller.ask(self.submitting(path, fields))

    # ------------------------------------------------------------------------------------------- as a program

    def calling(self, method: str, path: str, body: bytes = b"", accept: str = "application/json") -> bytes:
        """Return a program's request."""
        kind = "Content-Type: application/json\r\n" if body else ""
        allowed = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        return request(
            method, f"/api/{path}", self.caller.address, f"Accept: {accept}\r\n{_BROWSER}{kind}{allowed}", body
        )

    async def api(self, method: str, path: str, body: Any = None) -> Any:
        """Send a program's request and return its decoded response. Raises Unexpected, Cut."""
        sent = b"" if body is None else msgspec.json.encode(body)
        answer = await self.caller.ask(self.calling(method, path, sent))
        if answer.status not in (200, 201):
            raise Unexpected(f"{method} {path}", answer)
        return msgspec.json.decode(answer.body)
