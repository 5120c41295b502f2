"""Data that the server stores about a person: export and deletion."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ClassVar, Final

from litestar import Response, get, post

from kontor.accounts.archive import pack_data
from kontor.accounts.site import AccountsSite, TheAccountsSite
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import SESSION, TheForm, TheVisitor, cookie_for
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage

_PACKING: Final = ThreadPoolExecutor(1, thread_name_prefix="packing")
"""Packs exports one after the other: hundreds of games take seconds, and must not delay readers or players."""


@get("/you/data.zip")
async def data(site: TheAccountsSite, visitor: TheVisitor) -> Response[bytes]:
    """Return all data about the person, as a ZIP file."""
    return await site.run_for(visitor, partial(_export_response, site, visitor), apart=_PACKING)


def _export_response(site: AccountsSite, visitor: Visitor) -> Response[bytes]:
    person = require_person_id(visitor)
    site.spend("export", visitor)
    return Response(
        pack_data(visitor.words, site, person),
        media_type="application/zip",
        headers={"content-disposition": 'attachment; filename="kontor.zip"', "cache-control": "no-store"},
    )


class LeavePage(WholePage, frozen=True, kw_only=True):
    """The context of the page on which a person deletes themselves."""

    template: ClassVar = "accounts/leave.html"

    refused: Refused | None = None
    typed: str = ""
    """The name that was typed to confirm it."""


@get("/you/leave")
@in_reading_thread
def leaving(site: TheAccountsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page that explains what deletion means."""
    require_person_id(visitor)
    return site.page(visitor, LeavePage())


@post("/you/leave")
@in_acting_thread
def leave(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Delete the person, if their name was typed."""
    person = require_person_id(visitor)

    def again(refusal: Refused) -> Response[str]:
        return site.page(visitor, LeavePage(refused=refusal, typed=form.text("name", 200)))

    try:
        site.spend("name", visitor)
        site.leaving.leave(person, form.get("name", ""))
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again)
    response = redirect("/you/left", [cookie_for(visitor, SESSION, "", seconds=0)])
    response.headers["clear-site-data"] = '"cache", "storage"'
    return response


class LeftPage(WholePage, frozen=True, kw_only=True):
    """The context of the page that says that a person is deleted."""

    template: ClassVar = "accounts/left.html"


@get("/you/left")
@in_reading_thread
def left(site: TheAccountsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page that a person sees once they are deleted."""
    return site.page(visitor, LeftPage())


ROUTES = (data, leaving, leave, left)
