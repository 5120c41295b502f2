"""Parts of a server that the routes of tournaments use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.ratings.site import RatingsSite
from kontor.tournaments.seasons import Seasons
from kontor.tournaments.talk import EntrantsTalk
from kontor.tournaments.tournaments import Tournaments


@dataclass(frozen=True, kw_only=True)
class TournamentsSite(RatingsSite):
    """A server on the web, with its tournaments."""

    tournaments: Tournaments
    entrants_talk: EntrantsTalk
    seasons: Seasons


TheTournamentsSite = NamedDependency[SkipValidation[TournamentsSite]]
