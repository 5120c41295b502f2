"""Values about a person's account, for that person or for the operator."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from kontor.ahead.values import OwnMovesAhead
from kontor.challenges.values import OwnChallenge
from kontor.clubs.values import OwnClub
from kontor.following.values import OwnFollow
from kontor.game import Value
from kontor.holidays.values import Holiday
from kontor.messages.values import OwnMessage, ReportedLine, Writers
from kontor.moving.values import MoveChoices
from kontor.notes.values import OwnNote
from kontor.notifying.values import OwnTableWebhook
from kontor.own_records.values import OwnRecord
from kontor.people.values import SessionInfo
from kontor.ratings.values import PersonRating, Profile, RatingDay, ReviewedGame
from kontor.tables.values import ChatLine, TableInfo
from kontor.tournaments.values import OwnTournament, SeasonOfTournament


class PasskeyInfo(Value, frozen=True):
    """A passkey, for its person."""

    handle: str
    name: str
    created: datetime
    used: datetime | None


BlockKind = Literal["mute", "block"]


class BlockInfo(Value, frozen=True):
    """A person whom somebody mutes or blocks; the handle is for the latter alone."""

    handle: str
    kind: BlockKind
    name: str
    at: datetime


class PersonInfo(Value, frozen=True):
    """A person, for the operator.

    It holds at how many tables they sit or sat, how many sessions and programs they have, and how often they were
    reported.
    """

    id: str
    name: str
    created: datetime
    suspended: datetime | None
    tables: int
    sessions: int
    reports: int


class ReportInfo(Value, frozen=True):
    """A report, for the operator. ``line`` is the reported text, or empty; ``reporter`` may have left.

    Of a message ``table`` is empty, and the messages beside it are ``around`` it. Of a club ``club`` is its id, and
    ``about`` the person who runs it.
    """

    id: str
    at: datetime
    about: str
    name: str
    reporter: str | None
    table: str
    line: str
    around: tuple[ReportedLine, ...]
    club: str
    reason: str
    handled: datetime | None


class ActInfo(Value, frozen=True):
    """An act about a person; ``actor`` is the operator, or a person's id."""

    at: datetime
    actor: str
    act: str
    person: str


class OtherPerson(Value, frozen=True):
    """A person whom somebody meets at a table.

    ``where`` refers to them; ``lines`` are their last chat rows.
    """

    where: str
    name: str
    kind: BlockKind | None
    lines: tuple[ChatLine, ...]


class OwnLine(Value, frozen=True):
    """A chat text of a person, for their own data."""

    table: str
    number: int
    at: datetime
    text: str


class OwnReport(Value, frozen=True):
    """A report by a person, for their own data."""

    table: str
    at: datetime
    reason: str


class OwnData(Value, frozen=True):
    """A person's own data on the server. ``recovery_code`` is when theirs was made."""

    name: str
    created: datetime
    sessions: tuple[SessionInfo, ...]
    recovery_code: datetime | None
    mail: str | None
    """The confirmed mail address."""
    passkeys: tuple[PasskeyInfo, ...]
    blocked: tuple[BlockInfo, ...]
    reports: tuple[OwnReport, ...]
    tables: tuple[TableInfo, ...]
    talk: tuple[OwnLine, ...]
    profile: Profile | None
    """Their choice of what others see about them; None before they have chosen."""
    ratings: tuple[PersonRating, ...]
    curve: tuple[RatingDay, ...]
    tournaments: tuple[OwnTournament, ...]
    seasons: tuple[SeasonOfTournament, ...]
    reviewed: tuple[ReviewedGame, ...]
    records: Sequence[tuple[OwnRecord, bytes]]
    """The records that they have brought, with their content."""
    following: tuple[OwnFollow, ...]
    challenges: tuple[OwnChallenge, ...]
    holidays: tuple[Holiday, ...]
    messages: Sequence[OwnMessage]
    writers: Writers
    """The people who may write to them."""
    notes: tuple[OwnNote, ...]
    moves_ahead: tuple[OwnMovesAhead, ...]
    own_moves: MoveChoices
    clubs: tuple[OwnClub, ...]
    table_webhooks: tuple[OwnTableWebhook, ...]
