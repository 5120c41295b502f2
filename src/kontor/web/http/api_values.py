"""The JSON values of the API for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from kontor.game import Event, Value
from kontor.notifying.values import FailureReason, Frequency, WayKind
from kontor.people.values import Scope
from kontor.players import Appraised
from kontor.ratings.rating_values import Companion, GameHistory, Part, PersonRating, RatingDay, ReviewedGame
from kontor.tables.values import DiceChoice, Level, Order, Pace, SeatPlan, StandIn, TableInfo, Tempo, UndoChoice
from kontor.tournaments.values import TournamentInfo

SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=100)]
LineNumber = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class NewPerson(Value, frozen=True, forbid_unknown_fields=True):
    """A new person with the name they chose."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class Known(Value, frozen=True):
    """A person, and the token with which a program plays as them. The token is shown only once."""

    name: str
    token: str


class Me(Value, frozen=True):
    """The person as whom the program plays, and the rights of its token.

    ``scope`` is the widest of its ``scopes``. ``next_commitment`` is the commitment to the seed of the dice of the
    next table that it opens.
    """

    name: str
    scope: Scope
    next_commitment: str
    scopes: tuple[Scope, ...]


class NewToken(Value, frozen=True, forbid_unknown_fields=True):
    """A request for a token for another program, with some of one's own ``scopes``.

    ``play`` lets it see and do everything the person can. ``read`` lets it only see, ``notify`` only hear of turns.
    Without ``scopes``, it is for the one ``scope``.
    """

    label: Annotated[str, msgspec.Meta(max_length=200)] = ""
    scope: Scope = "play"
    scopes: Annotated[list[Scope], msgspec.Meta(max_length=3)] = msgspec.field(default_factory=list)


class Made(Value, frozen=True):
    """A new token. It is shown only once."""

    token: str
    scope: Scope
    scopes: tuple[Scope, ...]


class TokenInfo(Value, frozen=True):
    """A token of a program; ``used`` is the time of its last use, to the hour."""

    id: str
    label: str
    scope: Scope
    created: datetime
    expires: datetime
    used: datetime | None
    scopes: tuple[Scope, ...]


class Turn(Value, frozen=True):
    """A table where it is one's turn.

    ``number`` is that of the last line of the log, ``since`` the time of that line, ``deadline`` when the time runs
    out.
    """

    table: str
    game: str
    number: int
    since: datetime
    deadline: datetime | None


class NewWay(Value, frozen=True, forbid_unknown_fields=True):
    """An address to be called whenever it is one's turn: a webhook, or a Discord channel."""

    address: Annotated[str, msgspec.Meta(max_length=500)]
    kind: Literal["webhook", "discord"] = "webhook"


class MadeWay(Value, frozen=True):
    """A new notification channel. The ``secret`` signs what is sent to a webhook; it is shown only once."""

    id: str
    secret: str


class WayInfo(Value, frozen=True):
    """A notification channel of one's own.

    ``host`` is that of a webhook, whose full address may hold a secret. ``dead`` means that it was switched off
    because deliveries failed. ``failure`` is why deliveries have failed since ``failing``; both are null after a
    delivery.
    """

    id: str
    kind: WayKind
    host: str
    frequency: Frequency
    dead: bool
    failure: FailureReason | None = None
    failing: datetime | None = None


class PersonPage(Value, frozen=True):
    """The page of a person: the ``parts`` that they show, and their contents.

    In reviewed games, results are between 0 and 1, and losses are in parts of a victory.
    """

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
    """A table to be opened. ``options`` are those of the game; fields left out have the usual values."""

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
    """The SHA-256 of the salt, in its place, if the dice are strict."""
    commitment: str = ""
    """The commitment that ``GET /api/me`` showed; if it was for another table, nothing is opened."""


class NewSeek(Value, frozen=True, forbid_unknown_fields=True):
    """A search for a game.

    ``players`` is the number of players (0: any). With ``near``, the others must be about as strong.
    """

    game: str
    pace: Pace = Pace("live", 60, 600)
    players: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    near: bool = True
    salt: str = ""


class Found(Value, frozen=True):
    """A page of the tables found.

    ``after`` asks for the next page, if it is not empty. ``number`` counts the tables on all pages; with ``more``
    there are more than were counted.
    """

    tables: tuple[TableInfo, ...]
    after: str
    number: int
    more: bool


class Tables(Value, frozen=True):
    """The tables of interest to a person.

    They are one's own tables (the urgent ones first), one's last games, tables with a free seat, and tables open to
    spectators.
    """

    mine: tuple[TableInfo, ...]
    finished: tuple[TableInfo, ...]
    open: tuple[TableInfo, ...]
    watchable: tuple[TableInfo, ...]


class Opened(Value, frozen=True):
    """The id of the table that was opened."""

    table: str


class Sitting(Value, frozen=True, forbid_unknown_fields=True):
    """A request for a seat, with an invitation if the seat needs one, and a share of the dice.

    The share is a salt, or its SHA-256 if the dice are strict.
    """

    invitation: str | None = None
    salt: str = ""
    salt_commitment: str = ""


class Revealed(Value, frozen=True, forbid_unknown_fields=True):
    """A salt whose SHA-256 was committed to."""

    salt: str


class Filling(Value, frozen=True, forbid_unknown_fields=True):
    """The computer player for a seat; ``GET /api/games`` names them."""

    player: str


class Invitation(Value, frozen=True):
    """A token for a seat; the page for it is ``/invitations/<table>/<seat>/<token>``."""

    invitation: str


class Seen(Value, frozen=True):
    """The state of a game as one seat sees it.

    ``number`` is that of the last line of the log. ``moves`` is the number of legal moves; their list, which can be
    long, is at ``/moves``. ``mover`` is −1 while chance waits for other tables, and −2 when the game is over.
    """

    number: int
    seat: int | None
    mover: int
    view: Any
    moves: int
    undone: int = 0
    """The number of moves taken back at the table; the number of such a move can belong to another one now."""


class Moves(Value, frozen=True):
    """Some of the legal moves; ``count`` is how many there are in all."""

    number: int
    count: int
    moves: tuple[Any, ...]
    undone: int = 0


class Played(Value, frozen=True):
    """A move was played and stored, with the outcomes of chance after it. ``number`` is that of the last line now."""

    number: int


class NewMove(Value, frozen=True, forbid_unknown_fields=True):
    """A move of a seat that has seen the lines up to ``number``. The default ``seat`` is the one whose turn it is.

    With ``undone``, as it was seen, it is also refused if a move was taken back since.
    """

    number: LineNumber
    move: dict[str, Any]
    seat: SeatNumber | None = None
    undone: LineNumber | None = None
    undo: UndoChoice = "usual"
    """Whether the move can be taken back."""


class Undoing(Value, frozen=True, forbid_unknown_fields=True):
    """A request to take back one's move on the line ``number``, after ``undone`` moves were taken back before."""

    number: LineNumber
    undone: LineNumber = 0


class Ending(Value, frozen=True, forbid_unknown_fields=True):
    """The seat that proposes to end the game; by default the one whose turn it is."""

    seat: SeatNumber | None = None


class NewHint(Value, frozen=True, forbid_unknown_fields=True):
    """The seat that asks for a hint; by default the one whose turn it is."""

    seat: SeatNumber | None = None


class Hinted(Value, frozen=True):
    """The judge's values of the moves after the line ``number``, the best first.

    ``exact`` is true if the chances to win (0 to 1) are not estimates.
    """

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
    """A message for the chat."""

    text: Annotated[str, msgspec.Meta(max_length=5000)]


class Trouble(Value, frozen=True):
    """The reason why a request was refused.

    ``rule`` is the number of the game's rule that refuses it, or empty. ``now`` is the state of the game, if a move
    came too late. ``scope`` is the one that the token lacks.
    """

    status: int
    reason: str
    rule: str = ""
    now: Seen | None = None
    scope: Scope | None = None


class NewTournament(Value, frozen=True, forbid_unknown_fields=True):
    """A tournament to be opened.

    ``system`` is ``swiss``, ``all`` or ``all twice`` for games of two, ``tables`` for others; empty is the usual one.
    ``sizes`` are those of tables, the preferred first. ``starts`` is when it begins by itself; with fewer people than
    ``fewest`` it is cancelled then. With ``duplicate``, all pairs play with the same luck, from both sides: both
    games at once, in step with all other tables. Over days they are played one after the other; then it can't be
    ``public``, and is unrated.
    """

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
    """A request to join a tournament, with a share of the dice of all one's games."""

    salt: str = ""


class TournamentsFound(Value, frozen=True):
    """One's own tournaments that are not over, and a page of the public ones.

    ``after`` asks for the next page, if it is not empty.
    """

    mine: tuple[TournamentInfo, ...]
    tournaments: tuple[TournamentInfo, ...]
    after: str
