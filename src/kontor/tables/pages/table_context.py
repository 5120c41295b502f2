"""The contexts of the page of a table: what its templates in ``table/`` may show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec
from markupsafe import Markup

from kontor.analysis import is_analysed
from kontor.players import has_judge
from kontor.tables.pages.breaks import PauseShown
from kontor.tables.pages.commands import Answer
from kontor.tables.pages.confirming import Confirmation
from kontor.tables.pages.hints import HintShown
from kontor.tables.pages.log_text import LogLine, TalkLine
from kontor.tables.pages.seating import Away, ChairShown, Late, Proposal, RematchShown, Revealing, StandingUp
from kontor.tables.pages.taking_back import TakingBackShown
from kontor.tables.values import SEALED_DICE, AheadShown, TableInfo, TournamentOfTable, UndoChoice
from kontor.web.adapter import adapter_of
from kontor.web.pages.fragments import Page
from kontor.web.pages.refused import Refused
from kontor.web.pages.template_context import GamePart, TemplateContext
from kontor.web.pages.whole_page import WholePage


@dataclass(frozen=True)
class TableShown:
    """The table as templates and boards know it: ``table``."""

    id: str
    game: str
    title: str
    subtitle: str
    """A translation of the title, for readers of another language."""
    info: TableInfo
    number: int
    version: int
    """Grows with every change that a person at the table can see: a line added to the log, or taken back, and a line
    of the chat. A page is never older than its version: of two that arrive a browser shows the greater, or else the
    last."""
    seat: int | None
    """The seat whose view is shown; None for a spectator."""
    curtain: int | None
    """The seat to which the device must be handed before anything is shown."""
    my_turn: bool
    over: bool
    names: tuple[str, ...]
    headline: str

    @property
    def at_rest(self) -> bool:
        """Return True if nobody is awaited: the game is over or paused, or the mover is on holiday."""
        return self.over or self.info.paused or self.info.resumes is not None

    @property
    def sealed(self) -> bool:
        """Return True if the table could reveal the dice of another one where people still play."""
        return self.info.dice in SEALED_DICE

    @property
    def reviewable(self) -> bool:
        """Return True if the finished game can be judged without revealing the dice of another table."""
        return has_judge(self.game) and not self.sealed

    @property
    def analysable(self) -> bool:
        """Return True if the game's positions can be analysed, and nobody can play on by them at another table."""
        return is_analysed(self.game) and not self.sealed

    @property
    def address(self) -> str:
        """Return the address of the table's page."""
        return f"/tables/{self.id}"


@dataclass(frozen=True)
class PositionShown:
    """A position that belongs to no table, as boards know it: it takes the place of ``table``."""

    game: str
    title: str
    subtitle: str
    address: str
    """The address to which the board's forms are posted."""
    seat: int | None
    my_turn: bool
    over: bool
    names: tuple[str, ...]
    headline: str

    @property
    def at_rest(self) -> bool:
        """Return True if nobody is awaited, for the game is over."""
        return self.over


# ------------------------------------------------------------------------------------------------- parts of a table


class Board(GamePart, frozen=True, kw_only=True):
    """The context of a game's ``board.html``: what ``WebAdapter.context`` returns, and these."""

    table: TableShown | PositionShown
    fields: Markup
    """The hidden fields of every form."""
    moves_url: str
    """The address to which moves are posted."""
    rule_url: Callable[[str], str]
    """A function that returns the address of a rule, given its number."""
    sent: Mapping[str, str] = {}
    """The fields of the form that was just refused: the page shows them again."""
    confirmation: Confirmation | None = None
    """The question about the move that was just sent: it stands in the place of the buttons."""
    happened: Sequence[str] = ()
    """Sentences about what happened since the reader's last move."""
    earlier: Sequence[str] = ()
    """Sentences about the steps that led to a position or a moment of a replay."""
    steps: str = ""
    """The address where that is replayed step by step; empty if it was a single step."""
    tale: Any = None
    """The game's own story once it is over (``WebAdapter.afterwards``)."""

    @property
    def template_name(self) -> str:
        """Return the name of the game's template."""
        return f"{self.table.game}/board.html"

    @property
    def places_confirmation(self) -> bool:
        """Return True if the game's template has a place for the question; else it stands above the board."""
        return adapter_of(self.table.game).places_confirmation


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """The line above the board, beside the names of the game: ``heading``."""

    whereabouts: str
    """The round, or that the game is over, or that players are missing."""
    looks_on: bool
    """True if the reader is a spectator."""
    clocks: Sequence[ChairShown]
    """The chair of the mover if their time runs out; else empty."""


class UndoShown(msgspec.Struct, frozen=True, kw_only=True):
    """Taking back one's own moves: ``undo``."""

    line: int
    """The number of the line that can be taken back now; 0 for none."""
    choice: UndoChoice
    choices: Mapping[UndoChoice, str]


class Seats(msgspec.Struct, frozen=True, kw_only=True):
    """The people at the table, and what they agreed on: ``seats``."""

    chairs: Sequence[ChairShown]
    terms: str
    unusual: Sequence[str]
    """The agreements that differ from the usual ones."""
    watching: str
    """The number of spectators in words; empty if there are none."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A table where seats are empty, or contributions to the dice are missing: ``waiting``."""

    link: str
    """The link to all seats of the table, if it was just made; else empty."""
    invites: bool
    """True if the reader can invite others to an empty seat."""
    rated: str
    """The sentence on whether the game counts for ratings."""
    free: int
    """The number of empty seats."""
    pace_url: str
    """The address of the form that changes the pace; it keeps the link."""
    pace: str
    """The key of the table's pace; empty if it is none of the usual ones."""
    paces: Mapping[str, str]
    """The paces to which the host can still change, by their keys; empty if they can't."""
    leaving: StandingUp
    revealing: Revealing | None
    players: Mapping[str, str]
    """The computer players that can take a seat."""
    usual_player: str


class Endings(msgspec.Struct, frozen=True, kw_only=True):
    """People who are late or away, and the end of the game, early or not: ``endings``."""

    late: Late | None
    away: Away | None
    stood_in: Sequence[int]
    """The reader's own seats for which a computer player moves."""
    proposal: Proposal | None
    """The proposal to end the game."""
    may_end: bool
    pause: PauseShown | None
    """The pause, or the proposal of one."""
    may_pause: bool
    taking_back: TakingBackShown | None
    """The proposal to take back moves."""
    ahead_missed: bool
    """True if it is the reader's turn, and the moves that they have given ahead do not fit."""
    early: str
    """A sentence about the end, if the game ended before the rules end it; else empty."""
    rematch: RematchShown | None
    rated: str
    """A sentence that says whether the finished game is rated, or why not; empty before the end."""

    @property
    def has_notes(self) -> bool:
        """Return True if a note to the people at the table stands below the headline."""
        return any(
            (self.late, self.away, self.proposal, self.pause, self.taking_back, self.ahead_missed, self.stood_in)
        )


class Log(msgspec.Struct, frozen=True, kw_only=True):
    """The log: ``log``. It is empty where no board is shown."""

    parts: Sequence[tuple[int, Sequence[LogLine]]] = ()
    """The lines in numbered parts, each a fragment."""
    happened: Sequence[str] = ()
    """As in ``Board``."""
    steps: str = ""
    """As in ``Board``."""


class ChatShown(msgspec.Struct, frozen=True, kw_only=True):
    """The chat: ``chat``."""

    parts: Sequence[tuple[int, Sequence[TalkLine]]]
    """The lines in numbered parts, each a fragment."""
    may_talk: bool
    muted: bool
    others: str
    """The address of the page about the people whom the reader met here; empty if there is nobody."""


# ---------------------------------------------------------------------------------------------------------- templates


class TableContent(TemplateContext, frozen=True, kw_only=True):
    """The context of the content of ``#table``, which is drawn again after each change."""

    template: ClassVar = "table/table.html"

    table: TableShown
    heading: Heading
    seats: Seats
    waiting: Waiting | None
    """None once the game has begun."""
    endings: Endings
    undo: UndoShown | None
    """None if the reader cannot take anything back."""
    ahead: AheadShown | None
    """None if the reader cannot give moves ahead."""
    refused: Refused | None
    sent: Mapping[str, str]
    """The fields of the form that was just refused."""
    hint: HintShown | None
    board: Board | None
    """None if the reader sees no board: before the game, behind the curtain, or at others' closed table."""
    log: Log
    rules_now: Sequence[tuple[str, str]]
    """The rules that matter now, with their numbers."""
    chat: ChatShown
    takes_commands: bool
    """True if commands can be typed at tables of this game."""
    offers_webhook: bool
    """True if the reader, who sits there, can set up the webhook of the table."""
    here: str
    """The address of this page, as the reader asked for it."""


class Commands(msgspec.Struct, frozen=True, kw_only=True):
    """The form for typed commands: ``commands``."""

    fields: Markup
    """The hidden fields of the form."""
    answer: Answer | None
    """The answer to the command just typed."""
    typed: str
    """The command that was refused, or has to be confirmed; else empty."""


class TipShown(msgspec.Struct, frozen=True):
    """The explanation of something that is possible for the first time: ``tip``. It is empty at most moments."""

    name: str = ""
    text: str = ""


class TablePage(WholePage, frozen=True, kw_only=True):
    """The context of the whole page of a table."""

    template: ClassVar = "table/page.html"

    table: TableShown
    title: str
    inside: Page
    """The content of ``#table``, drawn."""
    live_url: str
    """The address of the page's stream."""
    tells_seen: bool
    """True if the page tells that its reader has seen the table, so that no mail is sent."""
    reload: int
    """Seconds after which a page without scripts reloads; 0 for never."""
    tournament: TournamentOfTable | None
    """The tournament that the table is part of."""
    tip: TipShown | None
    """None if this reader gets no tips."""
    commands: Commands | None
    """None in a game that takes no commands."""
    board_css: str
    board_js: str
    """The game's own files; empty if it has none."""


class CommandAnswer(TemplateContext, frozen=True, kw_only=True):
    """The context of what our script gets for a typed command."""

    template: ClassVar = "table/said_to_command.html"

    answer: Answer


class ConfirmationAnswer(TemplateContext, frozen=True, kw_only=True):
    """The context of what our script gets for a move that is to be confirmed."""

    template: ClassVar = "table/confirmation_alone.html"

    confirmation: Confirmation
    moves_url: str
    """The address to which moves are posted."""
