"""Actions about the author of a line in a tournament's talk: mute, block, report. The author is not told."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from litestar import Response, post
from litestar.params import FromPath

from kontor.accounts.site import TheAccountsSite
from kontor.accounts.values import BlockKind
from kontor.tournaments.talk_routes import TalkState, draw_talk
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, redirect

_KINDS: Final[dict[str, BlockKind]] = {"mute": "mute", "block": "block"}


@post("/tournaments/{tournament:str}/chat/person")
@in_acting_thread
def mute_or_block(
    site: TheAccountsSite, visitor: TheVisitor, form: TheForm, tournament: FromPath[str]
) -> Response[Any]:
    """Mute or block the author of a line."""
    person = require_person_id(visitor)
    try:
        site.spend("name", visitor)
        site.blocking.put_entrant(tournament, person, form.number("number"), _KINDS.get(form.get("do", ""), "mute"))
    except TURNED_DOWN as thrown:
        again = partial(draw_talk, site, visitor, tournament, TalkState())
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"/tournaments/{tournament}/chat")


@post("/tournaments/{tournament:str}/chat/report")
@in_acting_thread
def report(site: TheAccountsSite, visitor: TheVisitor, form: TheForm, tournament: FromPath[str]) -> Response[Any]:
    """Report the author of a line to the operator."""
    person, number, reason = require_person_id(visitor), form.number("number"), form.get("text", "")
    try:
        site.spend("chat", visitor)
        site.blocking.report_entrant(tournament, person, number, reason)
    except TURNED_DOWN as thrown:
        again = partial(draw_talk, site, visitor, tournament, TalkState(number=number, reason=reason))
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"/tournaments/{tournament}/chat?reported=yes")


ROUTES = (mute_or_block, report)
