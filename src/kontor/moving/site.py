"""Parts of a server that the routes of choices about one's own moves use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.moving.store import OwnMoves
from kontor.tables.site import TablesSite


@dataclass(frozen=True, kw_only=True)
class MovingSite(TablesSite):
    """A server on the web, with what people choose about their own moves."""

    own_moves: OwnMoves


TheMovingSite = NamedDependency[SkipValidation[MovingSite]]
