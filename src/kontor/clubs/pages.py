"""The contents of the pages of clubs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from kontor.clubs.values import ClubInfo, ClubInvitation, ClubView, MemberInfo
from kontor.ratings.values import BestRow
from kontor.tournaments.pages import TournamentCard
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages.refused import Refused
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words


class ClubText(msgspec.Struct, frozen=True):
    """The text about a club, as it was written into a form."""

    name: str = ""
    about: str = ""
    visible: bool = False


class ClubState(msgspec.Struct, frozen=True, kw_only=True):
    """The state in which the page of a club is shown, beyond the club."""

    written: ClubText | None = None
    """The text about the club that was refused."""
    report: str = ""
    """The report that was refused."""
    reported: bool = False
    """True if a report was just sent."""


class ClubsPage(WholePage, frozen=True, kw_only=True):
    """The context of the list of one's clubs, with the form in which one is founded."""

    template: ClassVar = "clubs/list.html"

    clubs: Sequence[ClubInfo]
    written: ClubText
    longest_about: int
    """The most characters of the line about a club."""
    refused: Refused | None


class MemberRow(msgspec.Struct, frozen=True, kw_only=True):
    """A member of a club, as its page shows them."""

    member: MemberInfo
    ratings: str
    """The ratings that they show, with the names of the games; empty if they show none."""


class GameRanking(msgspec.Struct, frozen=True):
    """The best members of a club at a game."""

    game: str
    title: str
    rows: Sequence[BestRow]


class ClubPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a club."""

    template: ClassVar = "clubs/club.html"

    club: ClubView
    rows: Sequence[MemberRow]
    rankings: Sequence[GameRanking]
    tournaments: Sequence[TournamentCard]
    address: str
    """The invitation link, for the founder; empty for other readers."""
    written: ClubText
    """The text about the club in the founder's form."""
    longest_about: int
    """The most characters of the line about a club."""
    report: str
    """The report that was refused, as it was written."""
    reported: bool
    """True if a report was just sent."""
    refused: Refused | None


class ClubInvitationPage(WholePage, frozen=True, kw_only=True):
    """The context of the page to which an invitation link leads."""

    template: ClassVar = "clubs/invitation.html"

    invitation: ClubInvitation
    address: str
    """The address of the page and of its form."""
    refused: Refused | None


def member_row(words: Words, member: MemberInfo) -> MemberRow:
    """Return a member of a club, as its page shows them."""
    rated = [
        words.say("{game} {rating}", game=adapter_of(game).title, rating=rating)
        for game, rating in member.ratings.items()
        if game in web_adapters()
    ]
    return MemberRow(member=member, ratings=words.in_row(rated))
