"""The JSON values of the API about tables."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec

from kontor.game import Event, Value
from kontor.players import Appraised
from kontor.tables.values import DiceChoice, Level, Order, Pace, SeatPlan, StandIn, TableInfo, Tempo, UndoChoice
from kontor.web.http.api_values import LineNumber, SeatNumber


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
    """A token for a seat, or for all that are empty.

    The page for it is ``/invitations/<table>/<seat>/<token>``, or ``/invitations/<table>/<token>``.
    """

    invitation: str


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
    """True if the move can be taken back."""


class Undoing(Value, frozen=True, forbid_unknown_fields=True):
    """A request to take back one's move on the line ``number``, after ``undone`` lines were taken back before."""

    number: LineNumber
    undone: LineNumber = 0


class Ending(Value, frozen=True, forbid_unknown_fields=True):
    """The seat that proposes to end the game; by default the one whose turn it is."""

    seat: SeatNumber | None = None


class TakingBack(Value, frozen=True, forbid_unknown_fields=True):
    """The seat whose last move is to be taken back, or its whole last ``turn``.

    By default it is the one whose turn it is. With ``undone``, as it was seen, this only proposes, and is refused if
    lines were taken back since. With ``undo_to``, as it was seen, it only agrees, and is refused if the proposal is
    another by now. With neither it agrees if somebody has proposed it, and else proposes.
    """

    seat: SeatNumber | None = None
    turn: bool = False
    undone: LineNumber | None = None
    undo_to: LineNumber | None = None


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
