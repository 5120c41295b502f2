"""Refusals without a route: as a page in the reader's language, or as JSON for programs."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import Any, ClassVar, Final

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
from kontor.web.pages.template_context import TemplateContext
from kontor.web.pages.visitor import Visitor, nobody
from kontor.web.pages.whole_page import RefusedForm
from kontor.words import Words

RawHeaders = list[tuple[bytes, bytes]]

NOT_OUR_HOST: Final = 421
TOO_LONG: Final = 431

_JSON: Final = b"application/json"
_HTML: Final = b"text/html; charset=utf-8"
_LONGEST_NAME: Final = 100

_STYLE: Final = (
    "body{margin:0;font:1.1rem/1.5 Georgia,serif;background:#f3e8d2;color:#2b201a}"
    "main{max-width:38rem;margin:0 auto;padding:4rem 1rem;text-align:center}"
    "h1{font-size:1.6rem;line-height:1.35;overflow-wrap:break-word}a{color:inherit}"
    "@media (prefers-color-scheme:dark){body{background:#141b24;color:#efe6d2}}"
)

BARE_POLICY: Final = (
    b"default-src 'none'; style-src 'sha256-%b'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    % b64encode(sha256(_STYLE.encode()).digest())
)
"""The content policy of a page that loads no other file, because the server may not be reachable under its name."""

_BARE_PAGE: Final = Markup(
    '<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n<title>Kontor</title>\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta name="color-scheme" content="light dark">\n<style>{style}</style>\n</head>\n'
    "<body>\n<main><h1>{sentence}</h1>{link}</main>\n</body>\n</html>\n"
)


class TurnedAwayPage(TemplateContext, frozen=True, kw_only=True):
    """The context of the page for a request that no route gets."""

    template: ClassVar = "turned_away.html"

    sentence: str


class RefusalPages:
    """Responses to requests that are refused before any route sees them."""

    def __init__(self, pages: Pages, address: str) -> None:
        """Take the templates, and the server's public address if it has one."""
        self._pages = pages
        self._address = address

    async def send(self, request: HTTPScope, send: Any, status: int, sentence: str) -> None:
        """Answer a request with a status and a marked sentence."""
        visitor = _stranger(Request(request), reads_cookies=status != TOO_LONG)
        host = dict(request["headers"]).get(b"host", b"").decode("latin-1")[:_LONGEST_NAME]
        translated = visitor.words.say(sentence, host=host)
        headers = [(b"vary", b"accept, accept-language, cookie")]
        if wants_json(request["path"], request["headers"]):
            kind, body = _JSON, msgspec.json.encode(Trouble(status, translated))
        elif visitor.script:
            kind, body = _HTML, self._pages.text(visitor, RefusedForm(refused=Refused(translated))).encode()
        elif status == NOT_OUR_HOST:
            headers.append((b"content-security-policy", BARE_POLICY))
            kind, body = _HTML, _bare_page(visitor.words, visitor.language, translated, self._address)
        else:
            kind, body = _HTML, self._pages.text(visitor, TurnedAwayPage(sentence=translated)).encode()
        headers += [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def bare_refusal(path: str, headers: RawHeaders, status: int, sentence: str) -> tuple[bytes, bytes]:
    """Return the content type and body of a refusal where there are no templates: JSON, or a page of one sentence."""
    accepted = dict(headers).get(b"accept-language", b"").decode("latin-1")
    language = language_of(None, accepted)
    words = words_in(language)
    if wants_json(path, headers):
        return _JSON, msgspec.json.encode(Trouble(status, words.say(sentence)))
    return _HTML, _bare_page(words, language, words.say(sentence))


def _bare_page(words: Words, language: str, sentence: str, address: str = "") -> bytes:
    """Return a page of one sentence, with a link to the server's own address if that is given."""
    lobby = words.say("To the lobby")
    link = Markup('<p><a class="button" href="{}/">{}</a></p>').format(address, lobby) if address else ""
    style = Markup(_STYLE)  # noqa: S704 (a constant)
    return _BARE_PAGE.format(language=language, style=style, sentence=sentence, link=link).encode()


def _stranger(request: AnyRequest, *, reads_cookies: bool) -> Visitor:
    """Return the visitor of a refused request: with their language and theme, but without a person."""
    language, theme = (cookie_of(request, name) if reads_cookies else "" for name in (LANGUAGE, THEME))
    return Visitor(
        find_person=nobody,
        session="",
        language=language_of(language, request.headers.get("accept-language")),
        theme=theme if theme in THEMES else "",
        address="",
        secure=request.scope["scheme"] == "https",
        path="/",
        script="hx-request" in request.headers,
    )
