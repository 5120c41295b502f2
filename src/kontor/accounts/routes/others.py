"""Actions about other people at tables: mute, block, report. The others are not told."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from kontor.accounts.site import AccountsSite, TheAccountsSite
from kontor.accounts.values import BlockKind, OtherPerson
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage

_KINDS: Final[dict[str, BlockKind]] = {"mute": "mute", "block": "block"}


class WrittenReport(msgspec.Struct, frozen=True):
    """A report, as it was written: about whom, and the text."""

    about: str = ""
    text: str = ""


_NO_REPORT: Final = WrittenReport()


class OthersPage(WholePage, frozen=True, kw_only=True):
    """The context of the page about the other people at a table."""

    template: ClassVar = "accounts/others.html"

    table: str
    """The table's id."""
    others: Sequence[OtherPerson]
    seated: bool
    """True if the reader sits there, so that they can write to the people at other seats."""
    reported: bool
    """True if a report was just sent."""
    report: WrittenReport
    """The report that was refused."""
    refused: Refused | None


@get("/tables/{table:str}/people")
@in_reading_thread
def others(request: AnyRequest, site: TheAccountsSite, visitor: TheVisitor, table: FromPath[str]) -> Response[str]:
    """Return the page of the other people at a table. Raises NotAllowed."""
    return _page(site, visitor, table, reported="reported" in request.query_params)


def _page(
    site: AccountsSite,
    visitor: Visitor,
    table: str,
    refusal: Refused | None = None,
    report: WrittenReport = _NO_REPORT,
    *,
    reported: bool = False,
) -> Response[str]:
    person = require_person_id(visitor)
    page = OthersPage(
        table=table,
        others=site.blocking.other_people(table, person),
        seated=bool(site.tables.info(table, person).mine),
        reported=reported,
        report=report,
        refused=refusal,
    )
    return site.page(visitor, page)


@post("/tables/{table:str}/people")
@in_acting_thread
def mute_or_block(site: TheAccountsSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]) -> Response[Any]:
    """Mute or block somebody, or undo both."""
    person = require_person_id(visitor)
    try:
        site.spend("name", visitor)
        site.blocking.put(table, person, form.get("who", ""), _KINDS.get(form.get("do", "")))
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_page, site, visitor, table))
    return redirect(f"/tables/{table}/people")


@post("/tables/{table:str}/report")
@in_acting_thread
def report(site: TheAccountsSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]) -> Response[Any]:
    """Report somebody to the operator."""
    person, reported, text = require_person_id(visitor), form.get("who", ""), form.get("text", "")

    def again(refusal: Refused) -> Response[str]:
        return _page(site, visitor, table, refusal, WrittenReport(reported, text))

    try:
        site.spend("chat", visitor)
        site.blocking.report(table, person, reported, form.number("line"), text)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"/tables/{table}/people?reported=yes")


@post("/you/blocked")
@in_acting_thread
def lift(site: TheAccountsSite, visitor: TheVisitor, form: TheForm) -> Response[None]:
    """Undo muting or blocking somebody."""
    site.blocking.lift(require_person_id(visitor), form.get("other", ""))
    return redirect("/you?open=blocked#blocked")


ROUTES = (others, mute_or_block, report, lift)
