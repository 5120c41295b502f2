"""Parts of a server that the routes of clubs use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.clubs.store import Clubs
from kontor.tournaments.site import TournamentsSite


@dataclass(frozen=True, kw_only=True)
class ClubsSite(TournamentsSite):
    """A server on the web, with its clubs."""

    clubs: Clubs


TheClubsSite = NamedDependency[SkipValidation[ClubsSite]]
