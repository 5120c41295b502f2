"""What goes over the wire between the server and programs, as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from kontor.game import Event, Value
from kontor.players import Appraised
from kontor.table import Pace, Scope, SeatPlan, TableInfo
from kontor.table.rating_values import Companion, GameHistory, Part, PersonRating, RatingDay, ReviewedGame
from kontor.table.tournament_values import TournamentInfo
from kontor.table.values import (
    DiceChoice,
    FailureReason,
    Frequency,
    Level,
    Order,
    StandIn,
    Tempo,
    UndoChoice,
    WayKind,
)

SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=100)]
LineNumber = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class NewPerson(Value, frozen=True, forbid_unknown_fields=True):
    """Somebody who names themselves."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class Known(Value, frozen=True):
    """A person, and the token by which a program plays as them. It is told once."""

    name: str
    token: str


class Me(Value, frozen=True):
    """As whom the program plays, and what its token is good for: ``scopes``, of which ``scope`` is the widest.
    ``next_commitment`` is that to the seed of the dice of the next table that it opens."""

    name: str
    scope: Scope
    next_commitment: str
    scopes: tuple[Scope, ...]


class NewToken(Value, frozen=True, forbid_unknown_fields=True):
    """A token for another program, for some of the ``scopes`` that one has oneself: ``play`` lets it see and do what
    the person can, ``read`` see it alone, ``notify`` hear of turns. Without ``scopes``, for the one ``scope``."""

    label: Annotated[str, msgspec.Meta(max_length=200)] = ""
    scope: Scope = "play"
    scopes: Annotated[list[Scope], msgspec.Meta(max_length=3)] = msgspec.field(default_factory=list)


class Made(Value, frozen=True):
    """A new token. It is told once."""

    token: str
    scope: Scope
    scopes: tuple[Scope, ...]


class TokenInfo(Value, frozen=True):
    """A token of a program: ``used`` says when it last was, to the hour."""

    id: str
    label: str
    scope: Scope
    created: datetime
    expires: datetime
    used: datetime | None
    scopes: tuple[Scope, ...]


class Turn(Value, frozen=True):
    """A table where it is one's turn: ``number`` is that of the last line, ``since`` when that was, ``deadline`` when
    the time runs out."""

    table: str
    game: str
    number: int
    since: datetime
    deadline: datetime | None


class NewWay(Value, frozen=True, forbid_unknown_fields=True):
    """An address that is called whenever it is one's turn: a webhook, or a channel of Discord."""

    address: Annotated[str, msgspec.Meta(max_length=500)]
    kind: Literal["webhook", "discord"] = "webhook"


class MadeWay(Value, frozen=True):
    """A new way. The ``secret`` signs what is sent to a webhook; it is told once."""

    id: str
    secret: str


class WayInfo(Value, frozen=True):
    """By what one is notified. ``host`` is that of a webhook, whose address can hold a secret. ``dead``: it was
    switched off, for nothing could be delivered. ``failure`` says why nothing was delivered since ``failing``; both
    are null after a delivery."""

    id: str
    kind: WayKind
    host: str
    frequency: Frequency
    dead: bool
    failure: FailureReason | None = None
    failing: datetime | None = None


class PersonPage(Value, frozen=True):
    """What somebody shows of themselves: which ``parts``, and these. Of reviewed games, results are between 0 and 1,
    and what was lost is in parts of a victory."""

    name: str
    parts: tuple[Part, ...]
    results: tuple[GameHistory, ...]
    ratings: tuple[PersonRating, ...]
    curve: tuple[RatingDay, ...]
    reviewed: tuple[ReviewedGame, ...]
    companions: tuple[Companion, ...]


class Playable(Value, frozen=True):
    """A game of the server: its name, its title, the version of its rules, and its computer players."""

    name: str
    title: str
    rules: int
    players: tuple[str, ...]


class NewTable(Value, frozen=True, forbid_unknown_fields=True):
    """A table to be opened. ``options`` are those of the game; what is left out is as usual."""

    game: str
    seats: Annotated[list[SeatPlan], msgspec.Meta(max_length=20)]
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    pace: Pace = Pace()
    watch: bool = True
    stand_in: StandIn = "ask"
    order: Order = "given"
    hints: bool = False
    takeover: Level = "casual"
    tempo: Tempo = "brisk"
    dice: DiceChoice = "usual"
    salt: str = ""
    salt_commitment: str = ""
    """In place of the salt, where the dice are strict: its SHA-256."""
    commitment: str = ""
    """As ``GET /api/me`` told it: if it was for another table, nothing is opened."""


class NewSeek(Value, frozen=True, forbid_unknown_fields=True):
    """A game that is looked for: with so many ``players``, or any number (0); ``near``: against others about as
    strong."""

    game: str
    pace: Pace = Pace("live", 60, 600)
    players: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    near: bool = True
    salt: str = ""


class Found(Value, frozen=True):
    """A page of the tables found. ``after`` asks for the next page, where it is not empty; ``number`` counts those
    on all pages, and with ``more`` there are more than were counted."""

    tables: tuple[TableInfo, ...]
    after: str
    number: int
    more: bool


class Tables(Value, frozen=True):
    """What there is: one's own tables (the urgent ones first), one's last games, tables with a free seat, and tables
    to be watched."""

    mine: tuple[TableInfo, ...]
    finished: tuple[TableInfo, ...]
    open: tuple[TableInfo, ...]
    watchable: tuple[TableInfo, ...]


class Opened(Value, frozen=True):
    """The id of a table."""

    table: str


class Sitting(Value, frozen=True, forbid_unknown_fields=True):
    """How a seat is taken: with an invitation where it needs one, and a share of the dice: a salt, or where they are
    strict the SHA-256 of one."""

    invitation: str | None = None
    salt: str = ""
    salt_commitment: str = ""


class Revealed(Value, frozen=True, forbid_unknown_fields=True):
    """A salt that was committed to."""

    salt: str


class Filling(Value, frozen=True, forbid_unknown_fields=True):
    """The computer player for a seat; ``GET /api/games`` names them."""

    player: str


class Invitation(Value, frozen=True):
    """A token for a seat; the page for it is ``/invitations/<table>/<seat>/<token>``."""

    invitation: str


class Seen(Value, frozen=True):
    """How a game stands for a seat. ``number`` is that of the last line; ``moves`` says how many may be chosen from:
    the list itself is at ``/moves``, for it can be long. ``mover`` is −1 while chance waits for other tables, −2 when
    the game is over."""

    number: int
    seat: int | None
    mover: int
    view: Any
    moves: int
    undone: int = 0
    """How many moves were taken back at the table: another can stand under the number of one of those."""


class Moves(Value, frozen=True):
    """Some of the legal moves; ``count`` is how many there are in all."""

    number: int
    count: int
    moves: tuple[Any, ...]
    undone: int = 0


class Played(Value, frozen=True):
    """A move was played: it, and what chance made of it, are on the disk. ``number`` is that of the last line now."""

    number: int


class NewMove(Value, frozen=True, forbid_unknown_fields=True):
    """A move of a seat that has seen the lines up to ``number``. Without a seat, the one whose turn it is. With
    ``undone``, as it was seen, it is refused too if a move was taken back since."""

    number: LineNumber
    move: dict[str, Any]
    seat: SeatNumber | None = None
    undone: LineNumber | None = None
    undo: UndoChoice = "usual"
    """Whether it can be taken back."""


class Undoing(Value, frozen=True, forbid_unknown_fields=True):
    """Takes back one's move on the line ``number``, ``undone`` moves having been taken back before."""

    number: LineNumber
    undone: LineNumber = 0


class Ending(Value, frozen=True, forbid_unknown_fields=True):
    """Who proposes to end the game. Without a seat, the one whose turn it is."""

    seat: SeatNumber | None = None


class NewHint(Value, frozen=True, forbid_unknown_fields=True):
    """Who asks for a hint. Without a seat, the one whose turn it is."""

    seat: SeatNumber | None = None


class Hinted(Value, frozen=True):
    """What the judge thinks of the moves after the line ``number``, the best first. ``exact`` says that the chances
    to win (0 to 1) are no estimates."""

    number: int
    moves: tuple[Appraised, ...]
    exact: bool


class Line(Value, frozen=True):
    """A line of the log as a seat may know it, and in words."""

    number: int
    at: datetime
    event: Event
    told: tuple[str, ...]


class NewTalk(Value, frozen=True, forbid_unknown_fields=True):
    """Something to be said."""

    text: Annotated[str, msgspec.Meta(max_length=5000)]


class Trouble(Value, frozen=True):
    """Why something was not done. ``rule`` is the number of the game's rule that refuses it, or empty; ``now`` is how
    the game stands, where a move came too late; ``scope`` the one that the token lacks."""

    status: int
    reason: str
    rule: str = ""
    now: Seen | None = None
    scope: Scope | None = None


class NewTournament(Value, frozen=True, forbid_unknown_fields=True):
    """A tournament to be opened. ``system``: ``swiss``, ``all`` or ``all twice`` for games of two, ``tables`` for
    others; empty is the usual one. ``sizes`` of tables: the preferred first. ``starts``: when it begins by itself;
    with fewer than ``fewest`` it is cancelled then. With ``duplicate`` all pairs play with the same luck, from both
    sides: both games at once, and in step with all other tables; over days one after the other, only where it is not
    ``public``, and unrated."""

    game: str
    name: Annotated[str, msgspec.Meta(max_length=200)]
    system: Literal["", "swiss", "all", "all twice", "tables"] = ""
    sizes: Annotated[tuple[Annotated[int, msgspec.Meta(ge=2, le=6)], ...], msgspec.Meta(max_length=4)] = ()
    rounds: Annotated[int, msgspec.Meta(ge=1, le=30)] = 5
    pace: Pace = Pace("live", 60, 600)
    duplicate: bool = False
    public: bool = True
    takeover: Level = "casual"
    fewest: Annotated[int, msgspec.Meta(ge=2, le=200)] = 2
    starts: Annotated[datetime, msgspec.Meta(tz=True)] | None = None


class OpenedTournament(Value, frozen=True):
    """The id of a tournament; its page is ``/tournaments/<tournament>``."""

    tournament: str


class EnteringTournament(Value, frozen=True, forbid_unknown_fields=True):
    """How a tournament is joined: with a share of the dice of all one's games."""

    salt: str = ""


class TournamentsFound(Value, frozen=True):
    """One's own tournaments that are not over, and a page of the public ones. ``after`` asks for the next page, where
    it is not empty."""

    mine: tuple[TournamentInfo, ...]
    tournaments: tuple[TournamentInfo, ...]
    after: str
