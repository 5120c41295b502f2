"""Parts of a server that the routes of the lobby use."""

from __future__ import annotations

from dataclasses import dataclass, field

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.accounts.site import AccountsSite
from kontor.lessons.site import LessonsSite
from kontor.lobby.first_page import NewsCache
from kontor.lobby.living import LivingGames
from kontor.lobby.seeking import Seeking


@dataclass(frozen=True, kw_only=True)
class LobbySite(AccountsSite, LessonsSite):
    """A server on the web, with its first page and seeks."""

    seeking: Seeking
    living_games: LivingGames = field(default_factory=LivingGames)
    news: NewsCache = field(default_factory=NewsCache)


TheLobbySite = NamedDependency[SkipValidation[LobbySite]]
