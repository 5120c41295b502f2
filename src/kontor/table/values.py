"""What goes into a server and comes out of it. No person's id is in what others are told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Literal

from kontor.endings import EarlyEnd
from kontor.game import Event, Result, Value
from kontor.table.daily import USUAL_HOUR
from kontor.table.rating_values import PersonRating, Profile, RatingDay, ReviewedGame

Status = Literal["waiting", "playing", "over"]
SeatKind = Literal["me", "friend", "open", "machine", "here"]
PaceKind = Literal["live", "slow", "none"]
StandIn = Literal["ask", "at once", "never"]
Tempo = Literal["calm", "brisk", "at once"]
Order = Literal["given", "random"]
UndoChoice = Literal["usual", "wait", "never"]
"""Whether a person's moves can be taken back: until the next one acts; the same, and computer players wait; never."""
Scope = Literal["play", "read", "notify"]
"""What a program's token is good for: to do what its person can (and so to see it), to see it alone, to hear whose
turn it is and say where that is told."""
SCOPES: Final[tuple[Scope, ...]] = ("play", "read", "notify")
Level = Literal["casual", "keen", "steady", "strong", "expert"]
DiceChoice = Literal["usual", "strict", "early"]
DiceKind = Literal["late", "early", "strict", "sealed", "duplicate", "in step", "stepped"]
"""When the seed of a table's dice was drawn: with the table (as it once was), or before anybody asked for it, so that
no share of the dice came before the commitment was there. ``strict``: and shares are committed to before any is
told. ``sealed``: several tables share the seed, of which some have not ended; ``duplicate``: the same, when all
have. ``in step`` and ``stepped``: the same of tables at which chance waits for the others."""
SEALED_DICE: Final[tuple[DiceKind, ...]] = ("sealed", "in step")
"""Kinds of dice by which a table could tell what is to come at another."""
SHARED_DICE: Final[tuple[DiceKind, ...]] = ("sealed", "duplicate", "in step", "stepped")
"""Kinds of dice that several tables have, before and after the last of them has ended."""


class Person(Value, frozen=True):
    """Somebody who has named themselves. The id is nobody else's to know."""

    id: str
    name: str
    scopes: tuple[Scope, ...] = SCOPES
    """What they may do here and now: a program's token can be for less than all."""


class SessionInfo(Value, frozen=True):
    """One of the ways in which a person is known: a browser (``session``), or a program (``api``)."""

    id: str
    kind: Literal["session", "api"]
    label: str
    created: datetime
    expires: datetime
    scopes: tuple[Scope, ...] = SCOPES
    used: datetime | None = None
    """When a program last used its token, to the hour."""


class PasskeyInfo(Value, frozen=True):
    """A passkey, for its person."""

    handle: str
    name: str
    created: datetime
    used: datetime | None


BlockKind = Literal["mute", "block"]


class BlockInfo(Value, frozen=True):
    """Somebody whom a person mutes or blocks; the handle is for that person alone."""

    handle: str
    kind: BlockKind
    name: str
    at: datetime


class PersonInfo(Value, frozen=True):
    """What the operator sees of a person: at how many tables they sit or sat, how many sessions and programs they
    have, and how often they were reported.
    """

    id: str
    name: str
    created: datetime
    suspended: datetime | None
    tables: int
    sessions: int
    reports: int


class ReportInfo(Value, frozen=True):
    """What the operator reads of a report. ``line`` is what was said, or empty; ``reporter`` may have left."""

    id: str
    at: datetime
    about: str
    name: str
    reporter: str | None
    table: str
    line: str
    reason: str
    handled: datetime | None


class ActInfo(Value, frozen=True):
    """Something that was done about a person; ``actor`` is the operator, or a person's id."""

    at: datetime
    actor: str
    act: str
    person: str


# ------------------------------------------------------------------------------------------------- opening a table


class Pace(Value, frozen=True):
    """How fast it goes. ``live``: so many ``seconds`` a move, and a ``reserve`` of seconds for the whole game, which
    runs beyond them; ``slow``: so many seconds a move, which are hours or days; ``none``: as long as you like.
    """

    kind: PaceKind = "none"
    seconds: int = 0
    reserve: int = 0


class SeatPlan(Value, frozen=True):
    """Who is to sit on a seat: ``me``; a ``friend`` with an invitation; whoever comes (``open``); the ``machine``
    ``player``; somebody ``here``, at the device of whoever opens the table.
    """

    kind: SeatKind
    name: str = ""
    player: str = ""


class Share(Value, frozen=True):
    """What somebody adds to the dice: a ``salt``, or at a table with strict dice the ``commitment`` to one, which is
    revealed when all sit (``fair.salt_commitment``).
    """

    salt: str = ""
    commitment: str = ""


NO_SHARE: Final = Share()


class Plan(Value, frozen=True):
    """A table to be opened. ``options`` are of the game's own type; ``seats`` as many as they say. With the order
    ``random`` seats are drawn when the game begins. With ``hints`` it is for practice: whoever is to move can ask
    what the judge thinks of the moves. ``takeover`` is the level of the computer player that plays for whoever is
    late, stays away or resigns. ``tempo`` is how quickly computer players move, and how long the end of a round stays
    to be read. ``dice``: ``strict`` or not, or as is ``usual`` for the pace.
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
        """Whether shares of the dice are committed to before any is told. Over days that is asked for: a game begins
        later, when all have come once more.
        """
        return self.dice == "strict" or (self.dice == "usual" and self.pace.kind == "live")

    @property
    def machines_only(self) -> bool:
        """Whether nobody plays there who could grow tired of it."""
        return all(seat.kind == "machine" for seat in self.seats)


class Seek(Value, frozen=True):
    """What somebody wants to play at once: with so many players, the ``fewest`` and the ``most``; with ``near``
    against others about as strong.
    """

    game: str
    pace: Pace
    fewest: int
    most: int
    near: bool = True


class SeekInfo(Value, frozen=True):
    """Somebody who looks for a game, as they are told of it: for how many seconds; how many others look for the same
    game at the same pace, and how many at another; the level of the computer player that is offered, or empty; the
    ``table``, once there is one. ``id`` is that of the search.
    """

    id: str
    seek: Seek
    waited: int
    others: int
    elsewhere: int
    offered: str
    table: str | None


# ------------------------------------------------------------------------------------------------ what a table shows


class SeatInfo(Value, frozen=True):
    """A seat. ``taken``: by a person or a computer player. ``stood_in`` is the computer player that stands in for an
    absent person, or empty; ``reserve`` the seconds left of a live clock's reserve, or None.
    """

    kind: SeatKind
    name: str
    player: str
    taken: bool
    mine: bool
    may_sit: bool
    """Whether the asking person can sit here without an invitation."""
    stood_in: str
    reserve: float | None
    resigned: bool
    """Whether the person has resigned: the computer player that stands in stays."""
    agreed: bool
    """Whether the person agrees to end the game, while somebody proposes it."""
    salt_commitment: str
    """To their share of the dice, where they are strict; empty where there is none."""
    unrevealed: bool
    """Whether that share is still to be told: when all seats are taken."""
    begins_without: bool
    """Whether the person agrees to begin without the shares that are missing."""
    here: bool | None
    """Whether the person has the table before them; told to those who sit there, of the others."""
    away: int | None
    """For how many hours they have not been there, where they are away."""


class RematchOffer(Value, frozen=True):
    """A rematch that waits for players: who offered it (empty: somebody without a seat), who has not answered, and
    who declined, by their names at the table that is over. ``own``: the asking person offered it; ``asked``: they
    have not answered.
    """

    by: str
    missing: tuple[str, ...]
    declined: tuple[str, ...]
    own: bool
    asked: bool


class TableInfo(Value, frozen=True):
    """What a table looks like from outside, to one person or to nobody in particular."""

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
    """Whether it is for practice."""
    takeover: Level
    """The level of the computer player that plays for whoever is late, stays away or resigns."""
    tempo: Tempo
    """How quickly computer players move."""
    created: datetime
    started: datetime | None
    ended: datetime | None
    number: int
    """Of the last line; 0 before the start."""
    mover: int | None
    """The seat to move, while the game is going on."""
    since: datetime | None
    """When it became that seat's turn."""
    deadline: datetime | None
    """When it will be late, the reserve included."""
    late: int | None
    """The seat that is late."""
    undo_until: datetime | None
    """Until when the asking person can take back their last move, if nobody acts before."""
    undone: int
    """How many moves were taken back: another can stand under the number of one of those."""
    result: Result | None
    """Of a game that was played to its end."""
    early: EarlyEnd | None
    """How the game ended before that, if it did."""
    proposed: int | None
    """The seat that proposes to end the game without a result, if one does."""
    claimable: int | None
    """The seat to move whose person has not come for seven days, where there is no clock."""
    dice: DiceKind
    commitment: str
    """To the seed of its dice."""
    revealing: bool
    """Whether all seats are taken, and shares of the dice are being told."""
    may_begin_without: bool
    """Whether some have been missing for a minute, so that the others may agree to begin without them."""
    asked_to_begin: bool
    """Whether the asking person is one of those who must agree."""
    rematch: str | None
    """The table of the rematch, once somebody has asked for one."""
    rematch_offer: RematchOffer | None
    """While that waits for players."""
    next_commitment: str
    """To the seed of the dice of the next rematch: it stands before anybody asks for one."""
    host: bool
    """Whether the asking person opened it."""
    mine: tuple[int, ...]
    """The asking person's seats."""
    my_turn: bool
    may_watch: bool
    """Whether the asking person may see the game: at a seat, or as a spectator."""


class Lobby(Value, frozen=True):
    """Tables with a seat for whoever comes, and games that people may watch."""

    open: tuple[TableInfo, ...]
    watchable: tuple[TableInfo, ...]


class TableFilter(Value, frozen=True):
    """Which tables somebody looks for: with a free ``open`` seat or to ``watch``; of a game, at a pace, with a
    player's name, where these are not empty; with so many ``free`` seats, if that is not 0; ``rated``: for ratings,
    as far as can be told before the end. ``after`` is the cursor of a page: when its last table was opened (or
    begun, of those to watch), in milliseconds, and its id.
    """

    show: Literal["open", "watch"] = "open"
    game: str = ""
    pace: PaceKind | Literal[""] = ""
    name: str = ""
    free: int = 0
    rated: bool = False
    after: tuple[int, str] | None = None


class FoundTables(Value, frozen=True):
    """A page of the tables found, the newest first. ``after`` is the cursor of the next page, if there is one;
    ``number`` counts those on all pages, ``more`` says that there are more than were counted.
    """

    tables: tuple[TableInfo, ...]
    after: tuple[int, str] | None
    number: int
    more: bool


SPOKEN: Final = ("said", "onlooker")
"""Kinds of rows of a table's talk that hold what somebody wrote."""


class ChatLine(Value, frozen=True):
    """One row of a table's talk: ``said`` by a person, or by an ``onlooker`` after the end; ``removed`` since they
    have left for good; or a notice of what happened to a seat.
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
    ]
    seat: int | None
    name: str
    text: str
    at: datetime


class SaidLine(Value, frozen=True):
    """A row of a table's talk, and who has said it, or is named: for the server alone."""

    shown: ChatLine
    person: str | None


class OtherPerson(Value, frozen=True):
    """Somebody whom a person meets at a table: ``where`` is how they are meant, ``lines`` what they have said of
    late.
    """

    where: str
    name: str
    kind: BlockKind | None
    lines: tuple[ChatLine, ...]


class OwnLine(Value, frozen=True):
    """Something that a person has said at a table."""

    table: str
    number: int
    at: datetime
    text: str


class OwnReport(Value, frozen=True):
    """What somebody has told the operator of another."""

    table: str
    at: datetime
    reason: str


class OwnTournament(Value, frozen=True):
    """A tournament that a person ``opened``, or takes part in (or did): as what number, from which round on, under
    which name, with which share of the dice.
    """

    tournament: str
    name: str
    game: str
    status: Literal["open", "running", "over", "cancelled"]
    opened: bool
    number: int | None
    called: str
    first: int | None
    left: datetime | None
    removed: bool
    salt: str


class OwnData(Value, frozen=True):
    """What the server knows of a person. ``recovery_code`` says when they were given theirs."""

    name: str
    created: datetime
    sessions: tuple[SessionInfo, ...]
    recovery_code: datetime | None
    mail: str | None
    """The confirmed address."""
    passkeys: tuple[PasskeyInfo, ...]
    blocked: tuple[BlockInfo, ...]
    reports: tuple[OwnReport, ...]
    tables: tuple[TableInfo, ...]
    talk: tuple[OwnLine, ...]
    profile: Profile | None
    """What they show of themselves, once they have chosen."""
    ratings: tuple[PersonRating, ...]
    curve: tuple[RatingDay, ...]
    tournaments: tuple[OwnTournament, ...]
    reviewed: tuple[ReviewedGame, ...]


# ------------------------------------------------------------------------------------------------------- the game


class SeatView(Value, frozen=True):
    """What a seat sees and may do, at one moment."""

    number: int
    view: Any
    moves: Sequence[Any]


class MachineTurn(Value, frozen=True):
    """A computer player's turn: who it is, for how many seconds it has waited, and at which pace and tempo.
    ``number`` is that of the table's last line, ``undone`` moves having been taken back; ``host`` the person who
    opened the table, from a network of the ``origin``. For ``waits`` seconds the move before it can be taken back, in
    any case.
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
    """One line of the log as one seat may know it, with what it saw before and after."""

    number: int
    at: datetime
    event: Event
    before: Any
    after: Any


class FairDiceInfo(Value, frozen=True):
    """What makes the dice fair. ``places[seat]`` is the place in the plan of whoever sits there, once the game has
    begun; the seed (hexadecimal) is told when it is over. ``salts`` and ``salt_commitments`` are of the
    seats.
    """

    kind: DiceKind
    commitment: str
    salts: tuple[str, ...]
    salt_commitments: tuple[str, ...]
    places: tuple[int, ...] | None
    seed: str | None


# -------------------------------------------------------------------------------------------------- notifications

WayKind = Literal["mail", "webhook", "discord", "push"]
"""By what somebody is notified. ``discord`` is a webhook that is spoken to in Discord's form."""
Frequency = Literal["once", "daily", "never"]
"""How often somebody is told that it is their turn: at a table once until they have looked there, or once a day of
all tables."""
NotificationOccasion = Literal["turn", "round", "reminder", "over", "invited", "stood in", "daily", "try", "mail"]


class Mail(Value, frozen=True):
    """A mail before it is put in form. ``url`` is where its one button leads, labelled ``action``; under the
    ``unsubscribe`` address nobody needs to be signed in.
    """

    to: str
    subject: str
    paragraphs: tuple[str, ...]
    action: str = ""
    url: str = ""
    footer: tuple[str, ...] = ()
    unsubscribe: str = ""


FailureReason = Literal[
    "gone",
    "refused",
    "policy",
    "full",
    "size",
    "busy",
    "unreached",
    "certificate",
    "forbidden",
    "operator",
]
"""Why a notification was not delivered. ``gone``: no recipient exists; ``refused``: the other side takes none;
``policy``: it takes none from this server, or takes it for spam; ``full``: the mailbox is; ``size``: it is too large;
``busy``: another try may help; ``unreached``: nothing answers; ``certificate``: that is not valid; ``forbidden``: the
address is not public; ``operator``: only the operator of this server can put it right."""


class Failure(Value, frozen=True):
    """Why nothing is delivered, since when (Unix time in milliseconds), and the codes of the last answer."""

    reason: FailureReason
    detail: str
    since: int


class Way(Value, frozen=True):
    """By what a person is notified. ``dead``: it was switched off, for nothing could be delivered. ``failure``: the
    last message was not delivered; None after one that was.
    """

    id: str
    kind: WayKind
    address: str
    dead: bool
    frequency: Frequency = "once"
    failure: Failure | None = None


class NotificationSettings(Value, frozen=True):
    """What a person has chosen. ``address`` is their address of mail, ``confirmed`` once they have read a code
    there.
    """

    hour: int = USUAL_HOUR
    """At which summaries come, by the clock of the ``zone``; that is empty where none was chosen yet."""
    zone: str = ""
    reminders: bool = True
    address: str = ""
    confirmed: bool = False
    asked: bool = False
    """Whether a code that was sent to the address is good."""
    feed: bool = False
    """Whether there is a secret address of the feed."""
    ways: tuple[Way, ...] = ()
    language: str = ""
    """In which the person is told; empty where nothing was chosen yet."""
