"""Conversations beyond their messages: merged, muted or blocked, exported, reported and deleted."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, insert, or_, select, update

from kontor.messages.store import DAYS, MOST_KEPT, conversation_between
from kontor.messages.values import WRITERS, OwnMessage, ReportedLine
from kontor.storage.schema import blocks, conversations, correspondents, messages, people
from kontor.storage.stored_times import datetime_of
from kontor.tables.transactions import TableChange

LASTS: Final = DAYS * 24 * 3600 * 1000
"""Milliseconds for which a conversation is kept after its last message."""

_AT_ONCE: Final = 200
"""Conversations that are deleted at one heartbeat."""

_NEIGHBOURS: Final = 2
"""Messages before a reported one, and after it, that the operator reads."""


def sweep(change: TableChange, until: int) -> None:
    """Delete some conversations whose last message was written long before the time ``until``."""
    # One to which somebody writes just now is kept; the next heartbeat sees its new time.
    is_old = conversations.c.last < until - LASTS
    old = select(conversations.c.id).where(is_old).limit(_AT_ONCE).with_for_update(skip_locked=True)
    change.db.execute(delete(conversations).where(conversations.c.id.in_(change.db.scalars(old).all())))


def silence(db: Connection, person: str, other: str) -> None:
    """Count nothing by the other as unread for a person who now mutes or blocks them."""
    conversation = conversation_between(db, person, other)
    is_own = (correspondents.c.conversation == conversation) & (correspondents.c.person == person)
    db.execute(update(correspondents).where(is_own).values(unread=0, notified=None))


def rename(db: Connection, person: str, name: str) -> None:
    """Give a person whom the operator renames the new name in all conversations."""
    db.execute(update(correspondents).where(correspondents.c.person == person).values(name=name))


def messages_of(db: Connection, person: str) -> Sequence[OwnMessage]:
    """Return all messages by and to a person, for their own data."""
    other = correspondents.alias()
    query = (
        select(messages, other.c.name)
        .join(correspondents, correspondents.c.conversation == messages.c.conversation)
        .join(other, (other.c.conversation == messages.c.conversation) & (other.c.person != person))
        .where(correspondents.c.person == person)
        .order_by(messages.c.conversation, messages.c.number)
    )
    return [OwnMessage(row.name, row.author == person, datetime_of(row.at), row.text) for row in db.execute(query)]


# ------------------------------------------------------------------------------------------------------- reporting


def reported_text(db: Connection, conversation: str, other: str, number: int) -> tuple[str, str]:
    """Return the text of a message by the other, and its neighbours as JSON; both are empty if there is none."""
    here = messages.c.conversation == conversation
    near = messages.c.number.between(number - _NEIGHBOURS, number + _NEIGHBOURS)
    rows = db.execute(select(messages).where(here, near).order_by(messages.c.number)).all()
    reported = next((row.text for row in rows if row.number == number and row.author == other), None)
    if reported is None:
        return "", ""
    around = [
        ReportedLine(row.author != other, datetime_of(row.at), row.text) for row in rows if row.number != number
    ]
    return reported, msgspec.json.encode(around).decode()


def reported_lines(around: str) -> tuple[ReportedLine, ...]:
    """Return the messages beside a reported one that ``reported_text`` encoded."""
    return msgspec.json.decode(around, type=tuple[ReportedLine, ...]) if around else ()


# --------------------------------------------------------------------------------------------------------- merging


def merge(change: TableChange, person: str, other: str) -> None:
    """Give the person the conversations of the other; those with the same third person become one.

    Their rows of ``people`` are locked, so nobody writes to either of them meanwhile, and their blocks are joined
    already.
    """
    db = change.db
    chosen = frozenset(db.scalars(select(people.c.writers).where(people.c.id.in_((person, other)))))
    strictest = next(writers for writers in reversed(WRITERS) if writers in chosen)
    db.execute(update(people).where(people.c.id == person).values(writers=strictest))
    for third, conversation in _conversations_of(db, other).items():
        joined = conversation_between(db, person, third)
        if third == person:
            db.execute(delete(conversations).where(conversations.c.id == conversation))
            continue
        if joined is None:
            _hand_over(db, conversation, person, other, third)
        else:
            _join(change, joined, conversation, person, other)
    is_own = or_(blocks.c.person == person, blocks.c.other == person)
    for row in db.execute(select(blocks.c.person, blocks.c.other).where(is_own)).all():
        silence(db, row.person, row.other)


def _conversations_of(db: Connection, person: str) -> dict[str, str]:
    """Return the conversations of a person by the other person of each, in the order of their ids."""
    is_own = (conversations.c.low == person) | (conversations.c.high == person)
    rows = db.execute(select(conversations).where(is_own).order_by(conversations.c.id))
    return {row.high if row.low == person else row.low: row.id for row in rows}


def _hand_over(db: Connection, conversation: str, person: str, other: str, third: str) -> None:
    """Give the person a conversation of the other with a third person, with whom they have none."""
    low, high = sorted((person, third))
    db.execute(update(conversations).where(conversations.c.id == conversation).values(low=low, high=high))
    for table, column in ((correspondents, correspondents.c.person), (messages, messages.c.author)):
        is_others = (table.c.conversation == conversation) & (column == other)
        db.execute(update(table).where(is_others).values({column.name: person}))


def _join(change: TableChange, joined: str, ended: str, person: str, other: str) -> None:
    """Add the messages of a conversation that ends to one of the same people, in the order of their times.

    Open pages of both hear of it: the numbers of the messages are others.
    """
    db = change.db
    both = messages.c.conversation.in_((joined, ended))
    in_order = select(messages).order_by(messages.c.number)
    of_each = [db.execute(in_order.where(messages.c.conversation == one)).all() for one in (joined, ended)]
    rows = list(heapq.merge(*of_each, key=attrgetter("at")))
    db.execute(delete(messages).where(both))
    numbered = [
        {
            "conversation": joined,
            "number": number,
            "author": person if row.author == other else row.author,
            "text": row.text,
            "at": row.at,
        }
        for number, row in enumerate(rows[-MOST_KEPT:], 1)
    ]
    db.execute(insert(messages), numbered)
    for row in db.execute(select(correspondents).where(correspondents.c.conversation == ended)).all():
        one = person if row.person == other else row.person
        is_side = (correspondents.c.conversation == joined) & (correspondents.c.person == one)
        more = correspondents.c.unread + row.unread
        db.execute(update(correspondents).where(is_side).values(unread=more))
    last = max(row.at for row in rows)
    db.execute(update(conversations).where(conversations.c.id == joined).values(last=last))
    db.execute(delete(conversations).where(conversations.c.id == ended))
    change.news |= {joined: len(numbered), ended: change.now}
