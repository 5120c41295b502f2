"""API routes for messages, with the same contents as their pages."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from kontor.messages.site import TheMessagesSite
from kontor.messages.values import (
    ConversationsPage,
    ConversationView,
    CorrespondentKey,
    FirstMessage,
    LastRead,
    NewMessage,
    Written,
)
from kontor.tables.routes.api_tables import CursorQuery
from kontor.web.cursors import cursor_text, parse_cursor
from kontor.web.http.faults import require_person_id
from kontor.web.http.programs import MESSAGES, REFUSED, TheProgram, spending
from kontor.web.http.site import in_acting_thread, in_reading_thread


@get("/api/messages", responses=REFUSED, security=MESSAGES)
@in_reading_thread
def my_conversations(site: TheMessagesSite, program: TheProgram, older: CursorQuery = "") -> ConversationsPage:
    """Return the person's conversations, the last first, 25 a page."""
    listed = site.messages.list_of(require_person_id(program), parse_cursor(older))
    return ConversationsPage(listed.conversations, cursor_text(listed.older))


@post("/api/messages", responses=REFUSED, security=MESSAGES)
@spending("chat")
def write_first(site: TheMessagesSite, program: TheProgram, data: JSONBody[FirstMessage]) -> Written:
    """Write to a person by the handle of their page, or by their seat at a common table."""
    key = CorrespondentKey(data.handle, data.table, data.seat)
    return site.messages.write_to(require_person_id(program), key, data.text)


@get("/api/messages/{conversation:str}", responses=REFUSED, security=MESSAGES)
@in_reading_thread
def conversation(
    site: TheMessagesSite,
    program: TheProgram,
    conversation: FromPath[str],
    before: Annotated[int, QueryParameter(ge=0, lt=2**31)] = 0,
) -> ConversationView:
    """Return a conversation with fifty messages, the newest first; it stays unread."""
    return site.messages.read(conversation, require_person_id(program), before)


@post("/api/messages/{conversation:str}", responses=REFUSED, security=MESSAGES)
@spending("chat")
def write_message(
    site: TheMessagesSite, program: TheProgram, conversation: FromPath[str], data: JSONBody[NewMessage]
) -> Written:
    """Write to the other person of a conversation."""
    return site.messages.write(conversation, require_person_id(program), data.text)


@post("/api/messages/{conversation:str}/read", responses=REFUSED, security=MESSAGES, status_code=204)
@in_acting_thread
def note_read(
    site: TheMessagesSite, program: TheProgram, conversation: FromPath[str], data: JSONBody[LastRead]
) -> None:
    """Note that the person has read a conversation up to a message."""
    site.messages.note_read(conversation, require_person_id(program), data.number)


ROUTES = (my_conversations, write_first, conversation, write_message, note_read)
