"""The JSON values of the API about tournaments."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from kontor.game import Value
from kontor.tables.values import Level, Pace
from kontor.tournaments.values import Leavers, TournamentInfo


class NewTournament(Value, frozen=True, forbid_unknown_fields=True):
    """A tournament to be opened.

    ``system`` is ``swiss``, ``all`` or ``all twice`` for games of two, ``tables`` for others; empty is the usual one.
    ``sizes`` are those of tables, the preferred first. ``starts`` is when it begins by itself; with fewer people than
    ``fewest`` it is cancelled then. With ``duplicate``, all pairs play with the same luck, from both sides: both
    games at once, in step with all other tables. Over days they are played one after the other; then it can't be
    ``public``, and is unrated. With ``breaks`` holidays count, games can be paused, and people can give each other
    more time. ``options`` are those of the game; fields left out have the usual values. While there are ``most``
    entrants, others wait for a place. ``leavers`` forfeit their game, or a ``computer`` finishes it. With
    ``approval`` one looks over each pairing before the round begins, and can change it. ``club`` is the id of a club
    of yours to which it belongs; with ``members_only`` only its members can join.
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
    breaks: bool = False
    description: Annotated[str, msgspec.Meta(max_length=8000)] = ""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    most: Annotated[int, msgspec.Meta(ge=2, le=200)] | None = None
    leavers: Leavers = "forfeit"
    approval: bool = False
    club: Annotated[str, msgspec.Meta(max_length=40)] = ""
    members_only: bool = False


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


class TalkText(Value, frozen=True, forbid_unknown_fields=True):
    """A line to be written into the talk of a tournament."""

    text: Annotated[str, msgspec.Meta(max_length=2000)]


class TalkNumber(Value, frozen=True):
    """The number of the line that was written."""

    number: int


class OpenedSeason(Value, frozen=True):
    """The id of a season; its page is ``/seasons/<season>``."""

    season: str


class ChosenSeason(Value, frozen=True, forbid_unknown_fields=True):
    """The season to which a tournament is to belong; empty for none."""

    season: str
