"""Crawler that follows everything in a server's responses, and reports each address outside the server's path."""

import json
import re
from collections import deque
from collections.abc import Iterable
from html import unescape
from typing import Final
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx

from kontor.web.http.sessions import cookie_name
from timeouts import HANG_TIMEOUT
from web.html_reader import HtmlReader

FOLLOWED: Final = {"href", "src", "data-icon", "data-live", "data-next", "data-texts"}
POSTED: Final = {"action", "formaction", "data-passkey", "data-seen"}
"""Attributes whose addresses are requested by GET, and those that take a form. A form may use GET, too."""

NO_ADDRESSES: Final = {"aria-keyshortcuts", "value"}
"""Attributes that may begin with a slash: keys, and fields with paths as the program itself knows them."""

UNUSED: Final = re.compile("/records/[^/]+/moves")
"""The address of the form around the board of a record, which has no button."""

ROUTE: Final = re.compile(r"\d+|[A-Za-z0-9_-]{20,}")
"""The parts of an address that differ between pages of one kind."""

IN_STYLES: Final = re.compile(r"""url\("?([^")]+)"?\)""")
IN_SCRIPTS: Final = re.compile(r"""(?:from|import)\s*\(?\s*"(\./[^"]+)\"""")
LITERAL: Final = re.compile(r"""(?<!endsWith\()(?<!\*=)["'`](/[a-z][^"'`\n]*)["'`]""")
"""An address in a script that begins at the root of the host."""

REFUSED: Final = {401, 403, 409, 429}
"""Statuses of pages that need a name, a token, patience, or another state of the game."""


class _Attributes(HtmlReader):
    """The attributes of a page that may hold addresses: name and value."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.pairs: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.pairs += [
            (name, value) for name, value in attrs if value and not (name in NO_ADDRESSES and value[0] == "/")
        ]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the attributes of an empty element."""
        self.handle_starttag(tag, attrs)


class Crawler:
    """A client that follows all addresses of a server: one page of each kind with a session, and one without."""

    def __init__(self, address: str, line: str = "") -> None:
        """Take the public address of the server, and the origin where it really listens, if that is another one."""
        split = urlsplit(address)
        self.address = address
        self.path = split.path
        self.origin = f"{split.scheme}://{split.netloc}"
        self._line = line or self.origin
        headers = {"host": split.netloc}
        self._client = httpx.Client(verify=False, timeout=HANG_TIMEOUT, headers=headers)  # noqa: S501 (a test's proxy)
        self._cookie = cookie_name("kontor", split.scheme == "https", base_path=split.path)
        self._queue: deque[tuple[str, str | None]] = deque()
        self._kinds: set[tuple[str, bool]] = set()
        self.problems: set[str] = set()
        self.visited: set[str] = set()
        """The paths of the visited pages, without the server's own."""

    def close(self) -> None:
        self._client.close()

    def crawl(self, path: str, token: str | None = None) -> None:
        """Visit a page by its path within the server, and all that can be reached from there.

        The page itself may be missing in this state of the server; what it leads to may not.
        """
        self._is_new(self.address + path, token)
        self._visit(self.address + path, token, may_be_missing=True)
        while self._queue:
            self._visit(*self._queue.popleft())

    def _visit(self, url: str, token: str | None, *, may_be_missing: bool = False) -> None:
        headers = {"cookie": f"{self._cookie}={token}"} if token else {}
        with self._client.stream("GET", self._real(url), headers=headers) as response:
            self._check_head(url, response, token)
            if response.status_code >= 400 and not (may_be_missing or response.status_code in REFUSED):
                self.problems.add(f"{url}: {response.status_code}")
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                return
            response.read()
        self.visited.add(urlsplit(url).path.removeprefix(self.path))
        kind = response.headers.get("content-type", "").partition(";")[0]
        if kind.startswith("text/") or kind.endswith(("xml", "json")):
            self._check_text(url, response.text)
        match kind:
            case "text/html":
                self._read_page(url, response.text, token)
            case "text/css":
                self._follow(url, IN_STYLES.findall(response.text), token)
            case "text/javascript" if ".min." not in url:
                self._follow(url, IN_SCRIPTS.findall(response.text), token)
                self.problems |= {f"{url}: {literal}" for literal in LITERAL.findall(response.text)}
            case "application/manifest+json":
                manifest = json.loads(response.text)
                inside = (manifest["start_url"], manifest["scope"], *(icon["src"] for icon in manifest["icons"]))
                self._follow(url, inside, token)

    def _real(self, url: str) -> str:
        return self._line + url.removeprefix(self.origin)

    def _check_head(self, url: str, response: httpx.Response, token: str | None) -> None:
        if location := response.headers.get("location"):
            self._follow(url, [location], token)
        self._follow(url, re.findall("<(.*?)>", response.headers.get("link", "")), token)
        for cookie in response.headers.get_list("set-cookie"):
            if f"path={self.path}/" not in cookie.lower():
                self.problems.add(f"{url}: {cookie}")

    def _check_text(self, url: str, text: str) -> None:
        """Report absolute addresses of this host outside the path, wherever they stand."""
        outside = re.findall(re.escape(self.origin) + rf"(?!{self.path}\b).{{,30}}", unescape(text))
        self.problems |= {f"{url}: {address}" for address in outside}

    def _read_page(self, url: str, html: str, token: str | None) -> None:
        for name, value in _Attributes(html).pairs:
            is_absolute = value.startswith(("/", self.origin))
            if name in POSTED:
                self._try_form(url, value)
            elif name in FOLLOWED or is_absolute:
                self._follow(url, [value], token)

    def _try_form(self, url: str, action: str) -> None:
        """Check that the server has an address for forms, without sending one."""
        address = urljoin(url, action)
        if self._is_inside(url, address) and not UNUSED.search(address) and self._is_new(f"form {address}", None):
            response = self._client.options(self._real(address))
            if response.status_code != 204:
                self.problems.add(f"{url}: form to {action}: {response.status_code}")

    def _follow(self, url: str, addresses: Iterable[str], token: str | None) -> None:
        for given in addresses:
            address = urljoin(url, given).partition("#")[0]
            if given[0] != "#" and self._is_inside(url, address) and self._is_new(address, token):
                self._queue.append((address, token))

    def _is_inside(self, url: str, address: str) -> bool:
        """Return True for an address of the server; report one of its host that is not the server's."""
        if not address.startswith(self.origin):
            return False
        inside = address.startswith(f"{self.address}/")
        if not inside:
            self.problems.add(f"{url}: {address}")
        return inside

    def _is_new(self, address: str, token: str | None) -> bool:
        """Return True for the first address of its kind: the path without ids, and the fields of the query."""
        split = urlsplit(address)
        path = split.path if "/static/" in split.path else ROUTE.sub("…", split.path)
        kind = (f"{path}?{sorted({name for name, _ in parse_qsl(split.query)})}", token is not None)
        is_new = kind not in self._kinds
        self._kinds.add(kind)
        return is_new
