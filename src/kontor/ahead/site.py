"""Parts of a server that the routes of moves given ahead use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.ahead.store import MovesAhead
from kontor.tables.site import TablesSite


@dataclass(frozen=True, kw_only=True)
class AheadSite(TablesSite):
    """A server on the web, with the moves that people give ahead."""

    moves_ahead: MovesAhead


TheAheadSite = NamedDependency[SkipValidation[AheadSite]]
