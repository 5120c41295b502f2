"""Conversations: written, listed and read.

A conversation belongs to two people. Both rows of ``people`` are locked, in the order of their ids, where a message
is added; so there is one conversation of two people, and its numbers have no gaps.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BindParameter, Connection, bindparam, delete, func, insert, select, update

from kontor.errors import NoConversation, NotAllowed, TooMany
from kontor.messages.permissions import SENTENCES, correspondent_behind, hindrance_to_write, require_permission
from kontor.messages.values import (
    ConversationInfo,
    ConversationList,
    ConversationView,
    Correspondent,
    CorrespondentKey,
    Draft,
    MessageInfo,
    Writers,
    Written,
)
from kontor.people.person_rows import take_person
from kontor.people.public_pages import IS_PRESENT
from kontor.people.texts import chat_of
from kontor.storage.change_counters import WATCHED, CounterQuery
from kontor.storage.ids import is_id, new_id
from kontor.storage.schema import blocks, conversations, correspondents, messages, people, profiles
from kontor.storage.stored_times import SLACK, datetime_of
from kontor.tables import enqueuing
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.web.cursors import Cursor

DAYS: Final = 180
"""Days for which a conversation is kept after its last message."""

MOST_KEPT: Final = 2000
"""Messages kept of a conversation; the oldest are deleted."""

MOST_IN_A_ROW: Final = 20
"""The most messages of one person within a day that the other has not answered."""

MOST_BEGUN: Final = 20
"""The most conversations that one person begins within a day."""

A_PAGE: Final = 50
"""Messages on a page of a conversation."""

_LIST: Final = 25
"""Conversations on a page of the list."""

BETWEEN: Final = 3600 * 1000
"""Milliseconds for which nobody is told again of a conversation that they have not read."""

_DAY: Final = 24 * 3600 * 1000

_HERE: Final[BindParameter[str]] = bindparam("conversation")
_OTHER: Final = correspondents.alias()


class Messages:
    """The conversations of a server. Safe to use from any thread."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions
        transactions.counted += (_LAST_NUMBERS,)

    # ---------------------------------------------------------------------------------------------------- writing

    def draft(self, key: CorrespondentKey, person: str) -> Draft | None:
        """Return to whom the person is about to write; None if they do not know such a person."""
        with self._transactions.reading() as db:
            other = correspondent_behind(db, key, person)
            if other is None:
                return None
            conversation = conversation_between(db, person, other.id) or ""
            return Draft(other.name, conversation, hindrance_to_write(db, person, other.id, conversation))

    def write_to(self, person: str, key: CorrespondentKey, text: str) -> Written:
        """Write to a person, in the conversation that the two have, or in a new one.

        Raises NotAllowed, BadText, TooMany.
        """
        with self._transactions.changing() as change:
            other = correspondent_behind(change.db, key, person)
            if other is None:
                raise NotAllowed("", "You can only write to people whom you have met.")
            name = _take_both(change.db, person, other)
            conversation = conversation_between(change.db, person, other.id)
            require_permission(change.db, person, other, conversation or "")
            message_text = chat_of(text)
            conversation = conversation or _begin(change, person, name, other)
            return _add(change, conversation, person, other, message_text)

    def write(self, conversation: str, person: str, text: str) -> Written:
        """Write to the other person of a conversation. Raises NoConversation, NotAllowed, BadText, TooMany."""
        with self._transactions.changing() as change:
            other = require_other(change.db, conversation, person)
            name = _take_both(change.db, person, other)
            other = require_other(change.db, conversation, person)
            require_permission(change.db, person, other, conversation)
            is_own = (correspondents.c.conversation == conversation) & (correspondents.c.person == person)
            change.db.execute(update(correspondents).where(is_own).values(name=name))
            return _add(change, conversation, person, other, chat_of(text))

    # ---------------------------------------------------------------------------------------------------- reading

    def list_of(self, person: str, older: Cursor | None = None) -> ConversationList:
        """Return some conversations of a person, the last first; those before a cursor, if it is given."""
        query = _LISTED.where(correspondents.c.person == person)
        if older is not None:
            last, conversation = older
            is_same_time = (conversations.c.last == last) & (conversations.c.id > conversation)
            query = query.where((conversations.c.last < last) | is_same_time)
        with self._transactions.reading() as db:
            rows = db.execute(query.limit(_LIST + 1)).all()
        listed = rows[:_LIST]
        infos = [ConversationInfo(row.id, row.name, row.unread, _message(row, person)) for row in listed]
        more = len(rows) > _LIST
        return ConversationList(tuple(infos), (listed[-1].last, listed[-1].id) if more else None)

    def read(self, conversation: str, person: str, before: int = 0) -> ConversationView:
        """Return a conversation with its newest messages, or those ``before`` a number. Raises NoConversation."""
        query = select(messages).where(messages.c.conversation == conversation)
        if before:
            query = query.where(messages.c.number < before)
        with self._transactions.reading() as db:
            other = require_other(db, conversation, person)
            unread = db.scalar(_UNREAD, {"conversation": conversation, "person": person}) or 0
            rows = db.execute(query.order_by(messages.c.number.desc()).limit(A_PAGE + 1)).all()
            return ConversationView(
                id=conversation,
                name=other.name,
                handle=_handle_of(db, other.id),
                unread=unread,
                silenced=db.scalar(_SILENCED, {"person": person, "other": other.id}),
                hindrance=hindrance_to_write(db, person, other.id, conversation),
                messages=tuple([_message(row, person) for row in rows[:A_PAGE]]),
                older=rows[A_PAGE - 1].number if len(rows) > A_PAGE else 0,
            )

    def note_read(self, conversation: str, person: str, number: int) -> None:
        """Note that the person has read a conversation up to a number. Raises NoConversation."""
        is_own = (correspondents.c.conversation == conversation) & (correspondents.c.person == person)
        newer = (messages.c.conversation == conversation) & (messages.c.number > number)
        with self._transactions.changing() as change:
            db = change.db
            query = select(correspondents.c.unread).where(is_own).with_for_update()
            unread = db.scalar(query) if is_id(conversation) else None
            if unread is None:
                raise _no_conversation()
            left = db.scalar(select(func.count()).where(newer, messages.c.author != person)) or 0
            db.execute(update(correspondents).where(is_own).values(unread=min(unread, left), notified=None))

    def last_number(self, conversation: str, person: str) -> int | None:
        """Return the number of the last message; None if the person has no such conversation."""
        if not is_id(conversation):
            return None
        last = select(func.max(messages.c.number)).where(messages.c.conversation == _HERE).scalar_subquery()
        is_own = (correspondents.c.conversation == _HERE) & (correspondents.c.person == person)
        query = select(last).where(is_own)
        return self._transactions.ask(lambda db: db.scalar(query, {"conversation": conversation}))

    # --------------------------------------------------------------------------------------------------- a choice

    def writers_to(self, person: str) -> Writers:
        """Return who may write to the person."""
        query = select(people.c.writers).where(people.c.id == person)
        return self._transactions.ask(lambda db: db.scalar(query) or "nobody")

    def choose_writers(self, person: str, writers: Writers) -> None:
        """Store who may write to the person."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            change.db.execute(update(people).where(people.c.id == person).values(writers=writers))


# --------------------------------------------------------------------------------------------------- a conversation

_BETWEEN: Final = select(conversations.c.id).where(
    conversations.c.low == bindparam("low"), conversations.c.high == bindparam("high")
)
_PARTNER: Final = (
    select(_OTHER.c.person, _OTHER.c.name)
    .join(
        correspondents,
        (correspondents.c.conversation == _OTHER.c.conversation) & (correspondents.c.person != _OTHER.c.person),
    )
    .where(correspondents.c.conversation == _HERE, correspondents.c.person == bindparam("person"))
)
_UNREAD: Final = select(correspondents.c.unread).where(
    correspondents.c.conversation == _HERE, correspondents.c.person == bindparam("person")
)
_SILENCED: Final = select(blocks.c.kind).where(
    blocks.c.person == bindparam("person"), blocks.c.other == bindparam("other")
)
_LAST_NUMBER: Final = (
    select(func.max(messages.c.number))
    .where(messages.c.conversation == conversations.c.id)
    .correlate(conversations)
    .scalar_subquery()
)
_LAST_NUMBERS: Final[CounterQuery] = (
    select(messages.c.conversation.label("id"), func.max(messages.c.number).label("changes"))
    .where(messages.c.conversation.in_(bindparam(WATCHED, expanding=True)))
    .group_by(messages.c.conversation)
)
"""The counters of conversations that are open somewhere: the numbers of their last messages."""

_LISTED: Final = (
    select(
        *(conversations.c.id, conversations.c.last, correspondents.c.unread, _OTHER.c.name),
        *(messages.c.number, messages.c.author, messages.c.at, messages.c.text),
    )
    .join(correspondents, correspondents.c.conversation == conversations.c.id)
    .join(_OTHER, (_OTHER.c.conversation == conversations.c.id) & (_OTHER.c.person != correspondents.c.person))
    .join(messages, (messages.c.conversation == conversations.c.id) & (messages.c.number == _LAST_NUMBER))
    .order_by(conversations.c.last.desc(), conversations.c.id)
)


def conversation_between(db: Connection, person: str, other: str) -> str | None:
    """Return the id of the conversation of two people, if they have one."""
    low, high = sorted((person, other))
    return db.scalar(_BETWEEN, {"low": low, "high": high})


def require_other(db: Connection, conversation: str, person: str) -> Correspondent:
    """Return the other person of a conversation. Raises NoConversation if it is not one of the person."""
    parties = {"conversation": conversation, "person": person}
    row = db.execute(_PARTNER, parties).first() if is_id(conversation) else None
    if row is None:
        raise _no_conversation()
    return Correspondent(*row)


def unread_conversation(db: Connection, person: str, other: str) -> tuple[str, str] | None:
    """Return the conversation with the other and their name, if the person has not read a message there."""
    query = (
        select(correspondents.c.conversation, _OTHER.c.name)
        .join(_OTHER, _OTHER.c.conversation == correspondents.c.conversation)
        .where(correspondents.c.person == person, _OTHER.c.person == other, correspondents.c.unread > 0)
    )
    row = db.execute(query).first()
    return None if row is None else (row.conversation, row.name)


def _no_conversation() -> NoConversation:
    return NoConversation("", "There is no such conversation. It may have been deleted.")


def _handle_of(db: Connection, other: str) -> str:
    """Return the handle of the other's page, also for people whom they block; empty if they show none."""
    query = select(profiles.c.handle).join(people, people.c.id == profiles.c.person)
    return db.scalar(query.where(profiles.c.person == other, profiles.c.public, IS_PRESENT)) or ""


def _message(row: Any, person: str) -> MessageInfo:
    return MessageInfo(row.number, row.author == person, datetime_of(row.at), row.text)


# ---------------------------------------------------------------------------------------------------------- writing


def _take_both(db: Connection, person: str, other: Correspondent) -> str:
    """Lock the rows of two people, in one order to avoid deadlocks; return the name of the first. Raises NotAllowed.

    The other may have left meanwhile.
    """
    names: dict[str, str] = {}
    for one in sorted((person, other.id)):
        try:
            names[one] = take_person(db, one)
        except NotAllowed as gone:
            if one == person:
                raise
            raise NotAllowed("", SENTENCES["closed"], name=other.name) from gone
    return names[person]


def _begin(change: TableChange, person: str, name: str, other: Correspondent) -> str:
    """Begin a conversation of two people; return its id. Raises TooMany."""
    lately = correspondents.c.begun.between(change.now - _DAY, change.now + SLACK)
    begun = select(func.count()).where(correspondents.c.person == person, lately)
    if (change.db.scalar(begun) or 0) >= MOST_BEGUN:
        reason = "You have begun {most} conversations within a day. Try again tomorrow."
        raise TooMany("", reason, most=MOST_BEGUN)
    conversation, (low, high) = new_id(), sorted((person, other.id))
    change.db.execute(insert(conversations).values(id=conversation, low=low, high=high, last=change.now))
    sides = [
        {"conversation": conversation, "person": person, "name": name, "unread": 0, "begun": change.now},
        {"conversation": conversation, "person": other.id, "name": other.name, "unread": 0, "begun": None},
    ]
    change.db.execute(insert(correspondents), sides)
    return conversation


def _add(change: TableChange, conversation: str, person: str, other: Correspondent, text: str) -> Written:
    """Add a message to a conversation whose people are locked. Raises TooMany."""
    db, here = change.db, messages.c.conversation == conversation
    answered = db.scalar(select(func.max(messages.c.number)).where(here, messages.c.author == other.id)) or 0
    lately = messages.c.at.between(change.now - _DAY, change.now + SLACK)
    in_a_row = select(func.count()).where(here, messages.c.number > answered, lately)
    if (db.scalar(in_a_row) or 0) >= MOST_IN_A_ROW:
        reason = "You have written {most} messages without an answer. Wait until {name} writes, or until tomorrow."
        raise TooMany("", reason, most=MOST_IN_A_ROW, name=other.name)
    number = (db.scalar(select(func.max(messages.c.number)).where(here)) or 0) + 1
    new = {"conversation": conversation, "number": number, "author": person, "text": text, "at": change.now}
    db.execute(insert(messages).values(new))
    db.execute(delete(messages).where(here, messages.c.number <= number - MOST_KEPT))
    db.execute(update(conversations).where(conversations.c.id == conversation).values(last=change.now))
    if db.scalar(_SILENCED, {"person": other.id, "other": person}) is None:
        _deliver(change, conversation, person, other.id)
    change.news[conversation] = number
    return Written(conversation, number)


def _deliver(change: TableChange, conversation: str, person: str, other: str) -> None:
    """Count a new message as unread for the other, and notify them, unless they were told within the last hour."""
    is_other = (correspondents.c.conversation == conversation) & (correspondents.c.person == other)
    one_more = {"unread": correspondents.c.unread + 1}
    counted = update(correspondents).where(is_other).values(one_more).returning(correspondents.c.notified)
    notified = change.db.scalar(counted)
    was_told = notified is not None and change.now - BETWEEN < notified <= change.now + SLACK
    if not was_told and change.can_notify(other):
        enqueuing.note_message(change, person, other)
        change.db.execute(update(correspondents).where(is_other).values(notified=change.now))
