"""The contents of the pages of messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import msgspec
from markupsafe import Markup

from kontor.challenges.values import PastOpponent
from kontor.messages.permissions import SENTENCES
from kontor.messages.values import ConversationInfo, ConversationView, CorrespondentKey, Hindrance, MessageInfo
from kontor.web.pages.moments import moment
from kontor.web.pages.refused import Refused
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words


class ConversationRow(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation in the list."""

    id: str
    name: str
    text: str
    """The last message; one's own with a mark."""
    at: Markup
    unread: int


class AcquaintanceLink(msgspec.Struct, frozen=True):
    """A person with whom the reader has played, and the address at which they are written to."""

    name: str
    address: str


class MessagesPage(WholePage, frozen=True, kw_only=True):
    """The context of the list of one's conversations."""

    template: ClassVar = "messages/list.html"

    rows: Sequence[ConversationRow]
    older: str
    """The address of the next page; empty if there is none."""
    companions: Sequence[AcquaintanceLink]
    days: int
    """Days for which a conversation is kept after its last message."""
    missing: bool
    """True if the reader looked for a conversation that is not theirs, or not any more."""


class MessageRow(msgspec.Struct, frozen=True, kw_only=True):
    """A message on the page of its conversation."""

    number: int
    own: bool
    author: str
    text: str
    at: Markup


class MessageReport(msgspec.Struct, frozen=True):
    """A report that was refused, as it was written: the number of the message, and the text."""

    number: int = 0
    text: str = ""


class ConversationState(msgspec.Struct, frozen=True, kw_only=True):
    """The state in which a conversation is shown, beyond its messages."""

    before: int = 0
    """The number before which the messages stand; 0 for the newest."""
    typed: str = ""
    """The message that was refused."""
    report: MessageReport = MessageReport()
    reported: bool = False
    """True if a report was just sent."""


class ConversationPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a conversation, or of one that begins with the first message."""

    template: ClassVar = "messages/conversation.html"

    name: str
    handle: str
    """The handle of the other's page; empty if they show none."""
    id: str
    """The id of the conversation; empty if there is none yet."""
    address: str
    """The address of the form."""
    rows: Sequence[MessageRow]
    older: str
    """The address of older messages; empty if there are none."""
    newest: bool
    """True if these are the newest messages."""
    hindrance: str
    """A sentence on why the reader cannot write; empty if they can."""
    closed: bool
    """True if the reason is not theirs to know."""
    silenced: Literal["mute", "block"] | None
    """The way in which the reader silences the other; None if they do not."""
    typed: str
    """The message that was refused."""
    report: MessageReport
    reported: bool
    """True if a report was just sent."""
    days: int
    """Days for which a conversation is kept after its last message."""
    refused: Refused | None


def conversation_row(words: Words, info: ConversationInfo) -> ConversationRow:
    """Return a conversation as the list shows it."""
    text = " ".join(info.last.text.split("\n"))
    return ConversationRow(
        id=info.id,
        name=info.name,
        text=words.say("You: {text}", text=text) if info.last.own else text,
        at=moment(words, info.last.at),
        unread=info.unread,
    )


def companion_links(companions: Sequence[PastOpponent]) -> list[AcquaintanceLink]:
    """Return the people with whom the reader has played, with the address of the form."""
    keys = [CorrespondentKey(one.key.handle, one.key.table, one.key.seat) for one in companions]
    return [AcquaintanceLink(one.name, key.address) for one, key in zip(companions, keys, strict=True)]


def message_rows(words: Words, conversation: ConversationView) -> list[MessageRow]:
    """Return the messages of a conversation, the newest first."""
    return [_message_row(words, conversation.name, message) for message in conversation.messages]


def _message_row(words: Words, name: str, message: MessageInfo) -> MessageRow:
    return MessageRow(
        number=message.number,
        own=message.own,
        author=words.say("You") if message.own else name,
        text=message.text,
        at=moment(words, message.at),
    )


def describe_hindrance(words: Words, hindrance: Hindrance | None, name: str) -> str:
    """Return a sentence on why the reader cannot write to a person; empty if they can."""
    return words.say(SENTENCES[hindrance], name=name) if hindrance else ""
