"""Parts of a server that the routes of the lobby use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.accounts.site import AccountsSite
from kontor.lobby.seeking import Seeking
from kontor.tournaments.site import TournamentsSite


@dataclass(frozen=True, kw_only=True)
class LobbySite(AccountsSite, TournamentsSite):
    """A server on the web, with its first page and seeks."""

    seeking: Seeking


TheLobbySite = NamedDependency[SkipValidation[LobbySite]]
