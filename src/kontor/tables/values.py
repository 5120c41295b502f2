"""Requests to a server and its answers. What others see contains no person's id."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Literal

from kontor.endings import EarlyEnd
from kontor.game import Event, Result, Value

Status = Literal["waiting", "playing", "over"]
SeatKind = Literal["me", "friend", "open", "machine", "here"]
PaceKind = Literal["live", "slow", "none"]
StandIn = Literal["ask", "at once", "never"]
Tempo = Literal["calm", "brisk", "at once"]
Order = Literal["given", "random"]
ProposalKind = Literal["end", "pause", "undo"]
"""A proposal to the others: to end the game without a result, to pause it, or to take back moves."""
UndoChoice = Literal["usual", "wait", "never"]
"""Permission to take back a person's moves.

``usual``: until the next one acts, for which computer players wait unless they are to move at once; ``wait``: the
same, and they wait at any table; ``never``.
"""
Level = Literal["casual", "keen", "steady", "strong", "expert"]
DiceChoice = Literal["usual", "strict", "early"]
DiceKind = Literal["late", "early", "simple", "strict", "sealed", "duplicate", "in step", "stepped"]
"""Time when the seed of a table's dice was drawn, and its sharers.

``late``: with the table (as in earlier versions); ``early``: before anybody asked for it, so that the commitment came
before any share of the dice; ``simple``: as ``early``, chosen for a live table, where strict dice are usual;
``strict``: as ``early``, and shares are committed to before any is revealed.
``sealed``: several tables share the seed, and some have not ended; ``duplicate``: the same, when all have ended. ``in
step`` and ``stepped``: the same two for tables at which chance waits for the others.
"""
SEALED_DICE: Final[tuple[DiceKind, ...]] = ("sealed", "in step")
"""Kinds of dice that let a table reveal the future outcomes of another."""
SHARED_DICE: Final[tuple[DiceKind, ...]] = ("sealed", "duplicate", "in step", "stepped")
"""Kinds of dice that several tables share, before and after the last of them has ended."""


# ------------------------------------------------------------------------------------------------- opening a table


class Pace(Value, frozen=True):
    """The time limits of a table.

    ``live``: so many ``seconds`` a move, and a ``reserve`` of seconds for the whole game, which runs beyond them.
    ``slow``: so many seconds a move, which are hours or days. ``none``: no limit.
    """

    kind: PaceKind = "none"
    seconds: int = 0
    reserve: int = 0


class SeatPlan(Value, frozen=True):
    """A seat to be filled.

    The kinds: ``me``; a ``friend`` with an invitation; anybody (``open``); the ``machine`` ``player``; somebody
    ``here``, at the host's device.
    """

    kind: SeatKind
    name: str = ""
    player: str = ""


class Share(Value, frozen=True):
    """A person's share of the dice.

    It is a ``salt``, or at a table with strict dice the ``commitment`` to one, which is revealed when all sit
    (``fair.salt_commitment``).
    """

    salt: str = ""
    commitment: str = ""


NO_SHARE: Final = Share()


class Plan(Value, frozen=True):
    """A table to be opened.

    ``options`` are of the game's own type, and determine the number of ``seats``. With the order ``random`` seats are
    drawn when the game begins. With ``hints`` it is for practice: the person to move can ask what the judge thinks of
    the moves. ``takeover`` is the level of the computer player that plays for people who are late, stay away or
    resign. ``tempo`` is how quickly computer players move, and how long the end of a round is shown. ``dice``:
    ``strict`` or not (``early``), or as ``usual`` for the pace.
    """

    game: str
    options: Any
    seats: tuple[SeatPlan, ...]
    pace: Pace = Pace()
    watch: bool = True
    stand_in: StandIn = "ask"
    order: Order = "given"
    hints: bool = False
    takeover: Level = "casual"
    tempo: Tempo = "brisk"
    dice: DiceChoice = "usual"

    @property
    def strict_dice(self) -> bool:
        """Return True if shares of the dice are committed to before any is revealed.

        With other paces than live ones that must be requested: a game begins later, when all have come once more.
        """
        return self.dice == "strict" or (self.dice == "usual" and self.pace.kind == "live")

    @property
    def machines_only(self) -> bool:
        """Return True if all players are computer players."""
        return all(seat.kind == "machine" for seat in self.seats)


# ---------------------------------------------------------------------------------------------- a table from outside


class SeatInfo(Value, frozen=True):
    """A seat.

    ``taken``: by a person or a computer player. ``stood_in``: the computer player that stands in for an absent
    person, or empty. ``reserve``: the seconds left of a live clock's reserve, or of the time that others gave; None
    if there is none.
    """

    kind: SeatKind
    name: str
    player: str
    taken: bool
    mine: bool
    may_sit: bool
    """True if the reader can sit here without an invitation."""
    stood_in: str
    reserve: float | None
    resigned: bool
    """True if the person has resigned; then the computer player stands in until the end."""
    agreed: bool
    """True if the person agrees to what is proposed to all, while something is."""
    salt_commitment: str
    """The commitment to their share of strict dice, or empty."""
    unrevealed: bool
    """True if that share is still to be revealed, which happens when all seats are taken."""
    begins_without: bool
    """True if the person agrees to begin without the missing shares."""
    here: bool | None
    """True if the person has the table open. Only people who sit there are told, about the others."""
    away: int | None
    """For how many hours they have not been there; None if they are not away."""
    holiday: datetime | None
    """Until when the person is on holiday, if that stops their clock here."""
    more_time: int
    """Number of seconds that the reader can give to the seat now; 0 for none."""


class RematchOffer(Value, frozen=True):
    """A rematch that waits for players.

    It names who offered it (empty: somebody without a seat), whose answer is ``missing``, and who ``declined``, by
    their names at the finished table. ``own``: the reader offered it; ``asked``: the reader has not answered.
    """

    by: str
    missing: tuple[str, ...]
    declined: tuple[str, ...]
    own: bool
    asked: bool


class TableInfo(Value, frozen=True):
    """A table from outside, for one person or for a reader without a person."""

    id: str
    game: str
    options: Any
    status: Status
    seats: tuple[SeatInfo, ...]
    pace: Pace
    watch: bool
    stand_in: StandIn
    order: Order
    hints: bool
    """True if it is for practice."""
    takeover: Level
    """The level of the computer player that plays for people who are late, stay away or resign."""
    tempo: Tempo
    """Tempo of computer players."""
    created: datetime
    started: datetime | None
    ended: datetime | None
    number: int
    """The number of the last line; 0 before the start."""
    mover: int | None
    """The seat to move, while the game is going on."""
    since: datetime | None
    """Time when it became that seat's turn."""
    deadline: datetime | None
    """Time when that seat will be late, the reserve included; None while the clock stands still."""
    paused: bool
    """True while the game is paused: nobody can move."""
    resumes: datetime | None
    """Time when a clock goes on by itself that stands still in a pause, or on the mover's holiday."""
    late: int | None
    """The seat that is late."""
    undo_until: datetime | None
    """Until when the reader can take back their last move, if nobody acts before."""
    undone: int
    """Number of lines taken back: another line can have the number of one of those."""
    result: Result | None
    """The result of a game that was played to its end."""
    early: EarlyEnd | None
    """Early ending of the game, if it ended so."""
    proposed: int | None
    """The seat that proposes to end the game without a result, or None."""
    pause_proposed: int | None
    """The seat that proposes a pause, or None."""
    undo_proposed: int | None
    """The seat that proposes to take back its last move, or its last turn, with all that came after; or None."""
    undo_to: int | None
    """The number of the last line that would stay then, or None."""
    breaks: bool
    """True if the game can be paused, and people can give each other more time and be on holiday."""
    claimable: int | None
    """The seat to move, if there is no clock and its person has not come for seven days."""
    dice: DiceKind
    commitment: str
    """The commitment to the seed of its dice."""
    revealing: bool
    """True if all seats are taken, and shares of the dice are being revealed."""
    may_begin_without: bool
    """True if some shares have been missing for a minute, so that the others may agree to begin without them."""
    asked_to_begin: bool
    """True if the reader is one of those who must agree."""
    rematch: str | None
    """The table of the rematch, once there is one."""
    rematch_offer: RematchOffer | None
    """The rematch, while it waits for players."""
    next_commitment: str
    """The commitment to the seed of the next rematch's dice, made before anybody asks for a rematch."""
    host: bool
    """True if the reader opened it."""
    mine: tuple[int, ...]
    """The reader's seats."""
    my_turn: bool
    may_watch: bool
    """True if the reader may see the game: at a seat, or as a spectator."""


SPOKEN: Final = ("said", "onlooker")
"""Kinds of chat rows that hold a person's text."""


class ChatLine(Value, frozen=True):
    """One row of a table's chat.

    It is ``said`` by a person, or by an ``onlooker`` after the end; ``removed``, since that person has left for good;
    or a notice of what happened to a seat. The ``text`` of ``more time`` is the seat that gave it, that of
    ``holiday`` its last day, that of ``taken back`` the number of lines.
    """

    number: int
    kind: Literal[
        "said",
        "removed",
        "sat",
        "left",
        "started",
        "stood in",
        "came back",
        "hint",
        "resigned",
        "plays on",
        "proposed",
        "agreed",
        "declined",
        "withdrew",
        "claimed",
        "ended",
        "without",
        "undone",
        "onlooker",
        "rematch",
        "no rematch",
        "more time",
        "suggested",
        "accepted",
        "paused",
        "resumed",
        "pause over",
        "holiday",
        "is back",
        "requested",
        "consented",
        "taken back",
        "webhook",
        "no webhook",
    ]
    seat: int | None
    name: str
    text: str
    at: datetime


class LatestTalk(Value, frozen=True):
    """The last message in the chat of each of several tables, by the tables' ids; ``at`` is the time of the query."""

    at: datetime
    lines: dict[str, ChatLine]


class ChatRow(Value, frozen=True):
    """A row of a table's chat with the id of its speaker or subject: for the server alone."""

    line: ChatLine
    person: str | None


# ------------------------------------------------------------------------------------------------------- the game


class SeatView(Value, frozen=True):
    """View of a seat, and its legal moves, at one moment."""

    number: int
    view: Any
    moves: Sequence[Any]


class MachineTurn(Value, frozen=True):
    """A computer player's turn.

    ``waited`` is for how many seconds it has been its turn. ``number`` is that of the table's last line, after
    ``undone`` lines were taken back; ``host`` opened the table, from a network of the ``origin``. For ``waits``
    seconds the previous move can be taken back, so the computer player must not move earlier.
    """

    table: str
    host: str
    origin: int
    number: int
    undone: int
    seat: int
    game: str
    player: str
    pace: Pace
    tempo: Tempo
    waited: float
    waits: float


class VisibleStep(Value, frozen=True):
    """One line of the log as one seat may know it, with the seat's views before and after."""

    number: int
    at: datetime
    event: Event
    before: Any
    after: Any


class FairDiceInfo(Value, frozen=True):
    """The data that proves the dice fair.

    ``places[seat]`` is the place in the plan of the player on that seat, once the game has begun. The seed
    (hexadecimal) is published when it is over. ``salts`` and ``salt_commitments`` are by seat.
    """

    kind: DiceKind
    commitment: str
    salts: tuple[str, ...]
    salt_commitments: tuple[str, ...]
    places: tuple[int, ...] | None
    seed: str | None


# -------------------------------------------------------------------------------------------------- notifications

NotificationOccasion = Literal[
    "turn",
    "round",
    "reminder",
    "over",
    "invited",
    "stood in",
    "followed",
    "challenge",
    "counter",
    "declined",
    "message",
    "place",
    "daily",
    "try",
    "mail",
    "webhook",
]
"""The occasions of notifications.

``followed``: a person whom one follows has opened a table to all, or looks for a game. ``challenge``: a seat is kept
for one by somebody who challenges one; ``counter``: they propose other terms than one's own challenge did.
``declined``: one's own challenge was declined. ``message``: somebody has written to one. ``place``: one waited for a
place in a tournament, and has it. ``webhook``: a table has changed whose webhook is told.
"""


class MailLink(Value, frozen=True):
    """A line of a mail that leads to an address."""

    text: str
    url: str


class Mail(Value, frozen=True):
    """The content of a mail.

    ``url`` is the target of its one button, labelled ``action``. The ``links`` stand above the paragraphs. The
    ``unsubscribe`` address works without signing in.
    """

    to: str
    subject: str
    paragraphs: tuple[str, ...]
    action: str = ""
    url: str = ""
    footer: tuple[str, ...] = ()
    unsubscribe: str = ""
    links: tuple[MailLink, ...] = ()


class ShownRating(Value, frozen=True):
    """The rating of a person and the handle of their page; each is empty if they do not show it.

    A question mark follows an uncertain rating.
    """

    rating: str
    handle: str


class AheadShown(Value, frozen=True):
    """The moves that the reader of a table has given ahead: whether there are ``some``, and whether they ``missed``.

    They have missed if it is the reader's turn and they do not fit.
    """

    some: bool
    missed: bool


class TournamentOfTable(Value, frozen=True):
    """The tournament and round that a table belongs to.

    ``other`` is the table of the other game of a duplicate match, if it exists.
    """

    id: str
    name: str
    round: int
    other: str | None


class Lobby(Value, frozen=True):
    """Tables with an open seat, and games that people may watch."""

    open: tuple[TableInfo, ...]
    watchable: tuple[TableInfo, ...]


class TableFilter(Value, frozen=True):
    """A query for tables.

    ``show``: with a free ``open`` seat, or to ``watch``. ``game``, ``pace`` and ``name`` (of a player) apply where
    they are not empty; ``free`` is a number of free seats, if it is not 0. ``rated``: only games that count for
    ratings, as far as that is known before the end. ``after`` is the cursor of a page: when its last table was opened
    (or begun, of those to watch), in milliseconds, and that table's id.
    """

    show: Literal["open", "watch"] = "open"
    game: str = ""
    pace: PaceKind | Literal[""] = ""
    name: str = ""
    free: int = 0
    rated: bool = False
    after: tuple[int, str] | None = None


class FoundTables(Value, frozen=True):
    """A page of the tables found, the newest first.

    ``after`` is the cursor of the next page, or None. ``number`` counts the tables on all pages; ``more``: there are
    more than were counted.
    """

    tables: tuple[TableInfo, ...]
    after: tuple[int, str] | None
    number: int
    more: bool
