"""Routes of messages: the conversations of a person, each of them, and the form in which somebody is written to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.types import ASGIApp, Receive, Scope, Send

from kontor.errors import NoConversation
from kontor.messages.live import PageOfConversation
from kontor.messages.pages import (
    ConversationPage,
    ConversationState,
    MessageReport,
    MessagesPage,
    companion_links,
    conversation_row,
    describe_hindrance,
    message_rows,
)
from kontor.messages.site import MessagesSite, TheMessagesSite
from kontor.messages.store import DAYS
from kontor.messages.values import WRITERS, CorrespondentKey, Draft, Written
from kontor.storage.errors import StorageFailure
from kontor.web.cursors import cursor_text, parse_cursor
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refusal_response, refused_on_your_page, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.request_cost import current_cost
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.live.stream import StreamReader, stream
from kontor.web.live.watcher import Watcher
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor

HERE: Final = "/messages"

_PART: Final = "writers"
"""The part of one's own page."""

_NEWEST: Final = ConversationState()


@get(HERE)
@in_reading_thread
def conversations(request: AnyRequest, site: TheMessagesSite, visitor: TheVisitor) -> Response[str]:
    """Return the list of one's conversations, the last first."""
    person = require_person_id(visitor)
    cursor = parse_cursor(request.query_params.get("older", ""))
    listed = site.messages.list_of(person, cursor)
    page = MessagesPage(
        rows=[conversation_row(visitor.words, info) for info in listed.conversations],
        older=f"{HERE}?older={cursor_text(listed.older)}" if listed.older else "",
        companions=companion_links(site.challenges.companions(person)) if cursor is None else (),
        days=DAYS,
        missing="missing" in request.query_params,
    )
    return site.page(visitor, page)


# --------------------------------------------------------------------------------------------------- a conversation


@get(f"{HERE}/{{conversation:str}}")
@in_reading_thread
def conversation_page(
    request: AnyRequest, site: TheMessagesSite, visitor: TheVisitor, conversation: FromPath[str]
) -> Response[Any]:
    """Return the page of a conversation, and note that it is read; without one, redirect to the list.

    Where two people became one, links to one of two conversations lead to the list, too.
    """
    query = Form(request.query_params.multi_items())
    state = ConversationState(before=query.number("before"), reported="reported" in query)
    try:
        return draw_conversation(site, visitor, conversation, state)
    except NoConversation:
        return redirect(f"{HERE}?missing=yes")


def draw_conversation(
    site: MessagesSite,
    visitor: Visitor,
    conversation: str,
    state: ConversationState = _NEWEST,
    refusal: Refused | None = None,
) -> Response[str]:
    """Return the page of a conversation with its newest messages, or older ones."""
    person, address = require_person_id(visitor), f"{HERE}/{conversation}"
    read = site.messages.read(conversation, person, state.before)
    if read.unread and read.messages and not state.before and not visitor.speculative:
        # Where nothing can be written now, the messages can be read all the same.
        with suppress(StorageFailure):
            site.messages.note_read(conversation, person, read.messages[0].number)
        visitor = replace(visitor)  # the number of unread conversations is looked up anew
    page = ConversationPage(
        name=read.name,
        handle=read.handle,
        id=conversation,
        address=address,
        rows=message_rows(visitor.words, read),
        older=f"{address}?before={read.older}" if read.older else "",
        newest=not state.before,
        hindrance=describe_hindrance(visitor.words, read.hindrance, read.name),
        closed=read.hindrance == "closed",
        silenced=read.silenced,
        typed=state.typed,
        report=state.report,
        reported=state.reported,
        days=DAYS,
        refused=refusal,
    )
    return site.page(visitor, page)


@post(f"{HERE}/{{conversation:str}}")
@in_acting_thread
def write(site: TheMessagesSite, visitor: TheVisitor, form: TheForm, conversation: FromPath[str]) -> Response[Any]:
    """Add a message to a conversation."""
    person, text = require_person_id(visitor), form.get("text", "")

    def send() -> Written:
        return site.messages.write(conversation, person, text)

    again = partial(draw_conversation, site, visitor, conversation, ConversationState(typed=text))
    return _send(site, visitor, send, again)


def _send(
    site: MessagesSite, visitor: Visitor, send: Callable[[], Written], again: Callable[[Refused], Response[str]]
) -> Response[Any]:
    """Send a message, and redirect to its conversation."""
    try:
        site.spend("chat", visitor)
        written = send()
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"{HERE}/{written.conversation}")


@get(f"{HERE}/{{conversation:str}}/live")
async def live(
    request: AnyRequest, site: TheMessagesSite, visitor: TheVisitor, conversation: FromPath[str]
) -> ASGIApp:
    """Stream the number of the last message, so that an open page fetches new ones."""

    def begin() -> PageOfConversation:
        site.spend("live", visitor)
        if site.messages.last_number(conversation, require_person_id(visitor)) is None:
            raise NoPage
        return PageOfConversation(site.messages, Watcher(site.people, visitor), conversation)

    page = await site.run_for(visitor, begin)
    reader = StreamReader(charge=current_cost().charge_frame)

    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await stream(scope, receive, send, site.hub, conversation, page, reader)

    return streaming


# -------------------------------------------------------------------------------------------------- the first message


@get(f"{HERE}/to/{{handle:str}}")
@in_reading_thread
def form_by_page(site: TheMessagesSite, visitor: TheVisitor, handle: FromPath[str]) -> Response[Any]:
    """Return the form in which the person of a page is written to, or redirect to their conversation."""
    return _form(site, visitor, CorrespondentKey(handle=handle))


@get(f"{HERE}/to/{{table:str}}/{{seat:int}}")
@in_reading_thread
def form_by_seat(
    site: TheMessagesSite, visitor: TheVisitor, table: FromPath[str], seat: FromPath[int]
) -> Response[Any]:
    """Return the form in which somebody at a common table is written to, or redirect to their conversation."""
    return _form(site, visitor, CorrespondentKey(table=table, seat=seat))


def _form(site: MessagesSite, visitor: Visitor, key: CorrespondentKey) -> Response[Any]:
    draft = _draft(site, visitor, key)
    return redirect(f"{HERE}/{draft.conversation}") if draft.conversation else _draw_draft(site, visitor, key, draft)


def _draft(site: MessagesSite, visitor: Visitor, key: CorrespondentKey) -> Draft:
    draft = site.messages.draft(key, require_person_id(visitor))
    if draft is None:
        raise NoPage
    return draft


def _draw_draft(
    site: MessagesSite,
    visitor: Visitor,
    key: CorrespondentKey,
    draft: Draft,
    refusal: Refused | None = None,
    typed: str = "",
) -> Response[str]:
    page = ConversationPage(
        name=draft.name,
        handle=key.handle,
        id="",
        address=key.address,
        rows=(),
        older="",
        newest=True,
        hindrance=describe_hindrance(visitor.words, draft.hindrance, draft.name),
        closed=draft.hindrance == "closed",
        silenced=None,
        typed=typed,
        report=MessageReport(),
        reported=False,
        days=DAYS,
        refused=refusal,
    )
    return site.page(visitor, page)


@post(f"{HERE}/to/{{handle:str}}")
@in_acting_thread
def write_by_page(site: TheMessagesSite, visitor: TheVisitor, form: TheForm, handle: FromPath[str]) -> Response[Any]:
    """Write to the person of a page, and redirect to the conversation."""
    return _write_to(site, visitor, form, CorrespondentKey(handle=handle))


@post(f"{HERE}/to/{{table:str}}/{{seat:int}}")
@in_acting_thread
def write_by_seat(
    site: TheMessagesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str], seat: FromPath[int]
) -> Response[Any]:
    """Write to somebody at a common table, and redirect to the conversation."""
    return _write_to(site, visitor, form, CorrespondentKey(table=table, seat=seat))


def _write_to(site: MessagesSite, visitor: Visitor, form: Form, key: CorrespondentKey) -> Response[Any]:
    person, text = require_person_id(visitor), form.get("text", "")

    def send() -> Written:
        return site.messages.write_to(person, key, text)

    def again(refusal: Refused) -> Response[str]:
        return _draw_draft(site, visitor, key, _draft(site, visitor, key), refusal, text)

    return _send(site, visitor, send, again)


# ---------------------------------------------------------------------------------------------------------- a choice


@post("/you/writers")
@in_acting_thread
@refused_on_your_page(_PART)
def choose_writers(site: TheMessagesSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Save who may write to the person."""
    person = require_person_id(visitor)
    site.spend("name", visitor)
    site.messages.choose_writers(person, form.one_of("writers", WRITERS, "nobody"))
    return redirect(f"/you?open={_PART}#{_PART}")


ROUTES = (
    *(conversations, form_by_page, form_by_seat, write_by_page, write_by_seat),
    *(conversation_page, write, live, choose_writers),
)
