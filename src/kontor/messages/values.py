"""Conversations of two people, and who may write to a person."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal

import msgspec

from kontor.game import Value
from kontor.web.cursors import Cursor

Writers = Literal["met", "followed", "nobody"]
"""The people who may write to a person. ``met``: those with whom they have played, and those who follow them and whom
they follow; ``followed``: of these only people whom they follow; ``nobody``: no one."""

WRITERS: Final[tuple[Writers, ...]] = ("met", "followed", "nobody")

Hindrance = Literal["off", "blocked", "closed"]
"""Reason why a person cannot write to another. ``off``: they have chosen that nobody may write to them; ``blocked``:
they block the other; ``closed``: any other reason, which they are not told."""


class CorrespondentKey(Value, frozen=True):
    """A person to whom somebody can write: by the handle of their page, or by their seat at a common table."""

    handle: str = ""
    table: str = ""
    seat: int = 0

    @property
    def address(self) -> str:
        """Return the address of the form in which they are written to."""
        return f"/messages/to/{self.handle or f'{self.table}/{self.seat}'}"


class Correspondent(Value, frozen=True):
    """A person to whom somebody can write; the ``id`` is for the server alone."""

    id: str
    name: str


class Draft(Value, frozen=True):
    """A message that somebody is about to write to a person by a key."""

    name: str
    conversation: str
    """The id of the conversation that the two have already; empty if they have none."""
    hindrance: Hindrance | None


class MessageInfo(Value, frozen=True):
    """A message, for one of the two people of a conversation."""

    number: int
    own: bool
    """True if the reader wrote it."""
    at: datetime
    text: str


class ConversationView(Value, frozen=True):
    """A conversation, for one of its two people, with some of its messages: the newest first."""

    id: str
    name: str
    """The name of the other, as of their last message."""
    handle: str
    """The handle of their page; empty if they show none."""
    unread: int
    silenced: Literal["mute", "block"] | None
    """The way in which the reader silences the other; None if they do not."""
    hindrance: Hindrance | None
    messages: tuple[MessageInfo, ...]
    older: int
    """The number before which older messages stand; 0 if there are none."""


class ConversationInfo(Value, frozen=True):
    """A conversation in the list of one of its two people."""

    id: str
    name: str
    unread: int
    last: MessageInfo


class ConversationList(Value, frozen=True):
    """Some of a person's conversations, the last first."""

    conversations: tuple[ConversationInfo, ...]
    older: Cursor | None
    """The cursor of the next page, if there is one."""


class OwnMessage(Value, frozen=True):
    """A message by or to a person, for that person's own data."""

    name: str
    """The name of the other."""
    sent: bool
    """True if the person wrote it."""
    at: datetime
    text: str


class ReportedLine(Value, frozen=True):
    """A message beside a reported one, for the operator."""

    by_reporter: bool
    at: datetime
    text: str


# ------------------------------------------------------------------------------------------------- of the API alone


class NewMessage(Value, frozen=True, forbid_unknown_fields=True):
    """A message to a person of a conversation."""

    text: Annotated[str, msgspec.Meta(max_length=2000)]


class FirstMessage(Value, frozen=True, forbid_unknown_fields=True):
    """A message to the person of a page (``handle``), or at a seat of a common table (``table`` and ``seat``)."""

    text: Annotated[str, msgspec.Meta(max_length=2000)]
    handle: Annotated[str, msgspec.Meta(max_length=40)] = ""
    table: Annotated[str, msgspec.Meta(max_length=40)] = ""
    seat: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0


class Written(Value, frozen=True):
    """The conversation to which a message was added, and its number."""

    conversation: str
    number: int


class LastRead(Value, frozen=True, forbid_unknown_fields=True):
    """The number of the last message that was read."""

    number: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class ConversationsPage(Value, frozen=True):
    """A page of a person's conversations; ``older`` is the cursor of the next, or empty."""

    conversations: tuple[ConversationInfo, ...]
    older: str
