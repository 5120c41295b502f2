"""Refusals that no route answers: as a page in the reader's language, or as JSON for programs."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Request
from litestar.types import HTTPScope
from markupsafe import Markup

from kontor.web.http.api_values import Trouble
from kontor.web.http.sessions import LANGUAGE, THEME, THEMES, AnyRequest, cookie_of
from kontor.web.negotiation import wants_json
from kontor.web.pages.languages import language_of, words_in
from kontor.web.pages.refused import Refused
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor, nobody

RawHeaders = list[tuple[bytes, bytes]]

NOT_OUR_HOST: Final = 421
TOO_LONG: Final = 431

_JSON: Final = b"application/json"
_HTML: Final = b"text/html; charset=utf-8"
_LONGEST_NAME: Final = 100

_BARE_PAGE: Final = Markup(
    '<!doctype html>\n<html lang="{}">\n<head>\n<meta charset="utf-8">\n<title>Kontor</title>\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta name="color-scheme" content="light dark">\n</head>\n<body>\n<main><h1>{}</h1></main>\n</body>\n</html>\n'
)


class RefusalPages:
    """Builds the answers to requests that are refused before any route sees them."""

    def __init__(self, pages: Pages, address: str) -> None:
        """Take the templates, and the server's public address if it has one."""
        self._pages = pages
        self._address = address

    async def send(self, request: HTTPScope, send: Any, status: int, sentence: str) -> None:
        """Answer a request with a status and a marked sentence."""
        kind, body = self._drawn(request, status, sentence)
        headers = [
            (b"content-type", kind),
            (b"content-length", b"%d" % len(body)),
            (b"vary", b"accept, accept-language, cookie"),
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _drawn(self, request: HTTPScope, status: int, sentence: str) -> tuple[bytes, bytes]:
        visitor = _stranger(Request(request), reads_cookies=status != TOO_LONG)
        host = dict(request["headers"]).get(b"host", b"").decode("latin-1")[:_LONGEST_NAME]
        said = visitor.words.say(sentence, host=host)
        if wants_json(request["path"], request["headers"]):
            return _JSON, msgspec.json.encode(Trouble(status, said))
        if visitor.script:
            return _HTML, self._pages.text("refused.html", visitor, refused=Refused(said)).encode()
        # Under a host that is not ours, style sheets and links would be refused as well.
        styled = status != NOT_OUR_HOST
        home = "/" if styled else self._address and f"{self._address}/"
        page = self._pages.text("turned_away.html", visitor, sentence=said, styled=styled, home=home)
        return _HTML, page.encode()


def bare_refusal(path: str, headers: RawHeaders, status: int, sentence: str) -> tuple[bytes, bytes]:
    """Return the content type and body of a refusal where there are no templates: JSON, or a page of one sentence."""
    accepted = dict(headers).get(b"accept-language", b"").decode("latin-1")
    language = language_of(None, accepted)
    said = words_in(language).say(sentence)
    if wants_json(path, headers):
        return _JSON, msgspec.json.encode(Trouble(status, said))
    return _HTML, _BARE_PAGE.format(language, said).encode()


def _stranger(request: AnyRequest, *, reads_cookies: bool) -> Visitor:
    """Return the visitor of a refused request: their language and theme, but nobody in particular."""
    language, theme = (cookie_of(request, name) if reads_cookies else "" for name in (LANGUAGE, THEME))
    return Visitor(
        whose=nobody,
        session="",
        language=language_of(language, request.headers.get("accept-language")),
        theme=theme if theme in THEMES else "",
        address="",
        secure=request.scope["scheme"] == "https",
        path="/",
        script="hx-request" in request.headers,
    )
