"""Parts of a server that the routes of tables use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.tables.early_endings import EarlyEndings
from kontor.tables.finished_games import FinishedGames
from kontor.tables.hints import Hints
from kontor.tables.late_seats import Clocks
from kontor.tables.listing import Listing
from kontor.tables.move import TableMoves
from kontor.tables.opening import TableOpening
from kontor.tables.pages.log_text import LogTexts
from kontor.tables.pages.table_page import TablePages
from kontor.tables.pauses import GamePauses
from kontor.tables.reading import TableQueries
from kontor.tables.salts import Salts
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.talking import Talk
from kontor.tables.values import AheadShown, ShownRating, TournamentOfTable
from kontor.tables.views import TableView
from kontor.tables.visits import Visits
from kontor.web.http.site import Site


@dataclass(frozen=True, kw_only=True)
class TablesSite(Site):
    """A server on the web, with its tables."""

    tables: TableQueries
    moves: TableMoves
    opening: TableOpening
    listing: Listing
    finished_games: FinishedGames
    salts: Salts
    clocks: Clocks
    early_endings: EarlyEndings
    pauses: GamePauses
    talk: Talk
    visits: Visits
    hints: Hints
    log_texts: LogTexts = field(default_factory=LogTexts)
    tournament_of: Callable[[str], TournamentOfTable | None]
    """A function that returns the tournament that a table belongs to, if any."""
    ratings_beside_names: Callable[[TableSnapshot], Mapping[int, ShownRating]]
    """A function that returns what the people at a table show of themselves, by seat."""
    ahead_of: Callable[[TableView], AheadShown | None]
    """A function that returns what the reader of a table sees of the moves that they have given ahead."""

    offers_webhooks: bool = False
    """True if tables can have webhooks."""

    @property
    def table_pages(self) -> TablePages:
        """Return the renderer of table pages."""
        return TablePages(
            *(self.pages, self.hints, self.log_texts, self.ratings_beside_names, self.hub.looking_on, self.ahead_of),
            offers_webhooks=self.offers_webhooks,
        )


TheTablesSite = NamedDependency[SkipValidation[TablesSite]]
