"""Notices of the site: the licences of its parts, and the contact for security problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.metadata import distribution
from importlib.resources import files
from typing import ClassVar, Final

from litestar import MediaType, Response, get

from kontor.distribution import NAME
from kontor.web.http.faults import NoPage
from kontor.web.http.sessions import TheVisitor
from kontor.web.http.site import TheSite, in_reading_thread
from kontor.web.pages.whole_page import WholePage
from kontor.words import mark

FRESH: Final = timedelta(days=180)
"""Validity of ``security.txt``; RFC 9116 wants less than a year."""


@dataclass(frozen=True)
class Notice:
    """A part of Kontor that has a licence of its own: ``licence`` is its SPDX identifier."""

    name: str
    what: str
    url: str
    licence: str
    text: str


@cache
def notices() -> tuple[Notice, ...]:
    """Return the notices of all parts, Kontor itself first."""
    static = files("kontor.web.pages").joinpath("static")
    own_licence = distribution(NAME).read_text("licenses/LICENSE")
    assert own_licence, "the licence is a part of the distribution"
    return (
        Notice("Kontor", mark("The program itself, with its pictures."), "", "MIT", own_licence),
        Notice(
            "htmx 4.0.1",
            mark("A script that makes pages live, with its extension for event streams, unchanged."),
            "https://htmx.org",
            "0BSD",
            static.joinpath("htmx-LICENSE.txt").read_text("utf-8"),
        ),
        Notice(
            "EB Garamond",
            mark("The typeface, in two weights, reduced to the signs that are needed here."),
            "https://github.com/octaviopardo/EBGaramond12",
            "OFL-1.1",
            static.joinpath("kontor-text-LICENSE.txt").read_text("utf-8"),
        ),
        Notice(
            "Unicode confusables",
            mark("A table of characters that look alike, in a shorter form."),
            "https://www.unicode.org/Public/security/",
            "Unicode-DFS-2016",
            files("kontor.people").joinpath("confusables-LICENSE.txt").read_text("utf-8"),
        ),
    )


class NoticesPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of all licences."""

    template: ClassVar = "notices.html"

    notices: Sequence[Notice]


@get("/notices")
@in_reading_thread
def licences(site: TheSite, visitor: TheVisitor) -> Response[str]:
    """Return the page of all parts and their licences."""
    return site.page(visitor, NoticesPage(notices=notices()))


@get("/.well-known/security.txt", sync_to_thread=False)
def security(site: TheSite) -> Response[str]:
    """Return the contact for security problems, by RFC 9116. Raises NoPage if the operator has named none."""
    if not site.contact:
        raise NoPage
    lines = [
        f"Contact: {site.contact}",
        f"Expires: {datetime.now(UTC) + FRESH:%Y-%m-%dT00:00:00Z}",
        "Preferred-Languages: en",
    ]
    if site.address:
        lines.append(f"Canonical: {site.address}/.well-known/security.txt")
    return Response("\n".join([*lines, ""]), media_type=MediaType.TEXT)


ROUTES = (licences, security)
