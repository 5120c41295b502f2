"""Values for due rows of the outbox: the row, the message made of it, and the outcome of sending it."""

from __future__ import annotations

from typing import Literal

from kontor.endings import EarlyEnd
from kontor.game import Value
from kontor.notifying.values import FailureReason, SendKind, WayKind, WebhookForm
from kontor.tables.values import Mail, NotificationOccasion


class Due(Value, frozen=True):
    """A row of the outbox that a process has taken."""

    id: str
    way: str | None
    table: str | None
    occasion: NotificationOccasion
    number: int
    mail: str | None
    created: int
    tries: int
    kind: SendKind | None = None
    """The kind of its channel; None for a mail to an address that need not be a channel."""
    person: str = ""
    """The id of the recipient, if it has a channel."""
    origin: int = 0
    """The network from which its table was opened."""
    about: str | None = None
    """The id of the person whose news it is, who is not the recipient; or of the tournament."""


class WaitingTable(Value, frozen=True):
    """A table where it is the person's turn; ``left`` are the hours left, if there is a clock."""

    id: str
    game: str
    left: int | None


class EndedGame(Value, frozen=True):
    """The end of a game, for the person at the seats ``own``."""

    names: tuple[tuple[str, str], ...]
    """The name of each seat, and its computer player or an empty text."""
    own: tuple[int, ...]
    winners: tuple[int, ...]
    early: EarlyEnd | None


class Notification(Value, frozen=True):
    """A message to a person. It says of a game which it is, who has moved, and who has won at the end."""

    due: Due
    kind: WayKind
    address: str
    secret: str
    person: str
    language: str
    base: str
    table: WaitingTable | None = None
    moved: str = ""
    """Person who moved last, asks for a rematch, or whose news or message it is; or the name of the tournament."""
    conversation: str = ""
    """The id of the conversation in which somebody has written."""
    tournament: str = ""
    """The id of the tournament in which the person has a place."""
    wanted: str = ""
    """The game for which a person is looking whom the recipient follows."""
    ending: EndedGame | None = None
    """Ending of the game, if that is the message."""
    tables: tuple[WaitingTable, ...] = ()
    """All tables that wait for the person, in a summary."""
    waiting: int | None = None
    """The number of tables where it is the person's turn; counted for browsers only."""


class TablePost(Value, frozen=True):
    """A post to the webhook of a table: whose turn it is, or how the game ended."""

    due: Due
    form: WebhookForm
    address: str
    secret: str
    person: str
    """The id of the person who set it up."""
    language: str
    base: str
    table: str
    game: str
    state: str
    """The state that it tells, by which it is told once."""
    mover: str
    """The name of the person to move; empty at the end."""
    seat: int | None
    """Their seat."""
    mention: str
    """The id by which they are mentioned; empty if there is none."""
    ending: EndedGame | None
    """The end of a game that could be watched; None for others."""


class Later(Value, frozen=True):
    """A request to look at the row again at the time ``due``."""

    due: int


ToSend = Notification | TablePost | Mail


class Outcome(Value, frozen=True):
    """The outcome of sending a row, by ``kind``.

    - ``sent``
    - ``dropped``: it need not be sent any more.
    - ``later``: it is looked at again at the time ``at``.
    - ``summary``: a daily summary at the time ``at`` replaces it.
    - ``failed``: it is tried again.
    - ``dead``: its recipient is gone, and nothing more is sent there.
    """

    due: Due
    kind: Literal["sent", "dropped", "later", "summary", "failed", "dead"]
    at: int = 0
    person: str = ""
    reason: FailureReason | None = None
    """Reason of the failure; ``detail`` holds the codes of the response."""
    detail: str = ""
    state: str = ""
    """State of a table that was posted to its webhook."""
