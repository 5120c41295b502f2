"""Clubs, as their members and others see them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from kontor.game import Value


class ClubInfo(Value, frozen=True):
    """A club in the list of one of its members."""

    id: str
    name: str
    members: int
    founder: bool
    """True if the reader runs it."""


class MemberInfo(Value, frozen=True):
    """A member of a club, for a reader."""

    handle: str
    """The handle with which the founder refers to them; empty for other readers."""
    name: str
    page: str
    """The handle of their page; empty if they show none."""
    mine: bool
    """True if the reader is this member."""
    founder: bool
    ratings: Mapping[str, str]
    """The ratings that they show, by game."""


class ClubView(Value, frozen=True):
    """A club, for one of its members or for another reader.

    Others see only the members who show themselves to everybody, and ``hidden`` counts those who do not.
    """

    id: str
    name: str
    about: str
    """A line about the club, or empty."""
    visible: bool
    """True if others than its members may see it."""
    created: datetime
    member: bool
    """True if the reader is a member."""
    founder: bool
    """True if the reader runs it."""
    invitation: str
    """The token of the invitation link, for the founder; empty for other readers."""
    members: tuple[MemberInfo, ...]
    hidden: int


class ClubInvitation(Value, frozen=True):
    """A club to which somebody is invited by its link."""

    club: str
    name: str
    about: str
    founder: str
    """The name of the person who runs the club; empty while they are suspended."""
    members: int
    member: bool
    """True if the reader is a member already."""


class OwnClub(Value, frozen=True):
    """A club of a person, for that person's own data."""

    name: str
    about: str
    founder: bool
    joined: datetime


class ClubSummary(Value, frozen=True):
    """A club, for the operator. ``founder`` is the id of the person who runs it."""

    id: str
    name: str
    about: str
    created: datetime
    founder: str
    members: int
