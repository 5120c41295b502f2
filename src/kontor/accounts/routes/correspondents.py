"""Actions about the other person of a conversation: mute, block, report. The other is not told."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from litestar import Response, post
from litestar.params import FromPath

from kontor.accounts.site import TheAccountsSite
from kontor.accounts.values import BlockKind
from kontor.messages.pages import ConversationState, MessageReport
from kontor.messages.routes import draw_conversation
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, redirect

_KINDS: Final[dict[str, BlockKind]] = {"mute": "mute", "block": "block"}


@post("/messages/{conversation:str}/person")
@in_acting_thread
def mute_or_block(
    site: TheAccountsSite, visitor: TheVisitor, form: TheForm, conversation: FromPath[str]
) -> Response[Any]:
    """Mute or block the other person of a conversation, or undo both."""
    person = require_person_id(visitor)
    try:
        site.spend("name", visitor)
        site.blocking.put_correspondent(conversation, person, _KINDS.get(form.get("do", "")))
    except TURNED_DOWN as thrown:
        again = partial(draw_conversation, site, visitor, conversation, ConversationState())
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"/messages/{conversation}")


@post("/messages/{conversation:str}/report")
@in_acting_thread
def report(site: TheAccountsSite, visitor: TheVisitor, form: TheForm, conversation: FromPath[str]) -> Response[Any]:
    """Report the other person of a conversation to the operator."""
    person, written = require_person_id(visitor), MessageReport(form.number("number"), form.get("text", ""))
    try:
        site.spend("chat", visitor)
        site.blocking.report_correspondent(conversation, person, written.number, written.text)
    except TURNED_DOWN as thrown:
        again = partial(draw_conversation, site, visitor, conversation, ConversationState(report=written))
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"/messages/{conversation}?reported=yes")


ROUTES = (mute_or_block, report)
