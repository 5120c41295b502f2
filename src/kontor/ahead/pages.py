"""The contents of the page of moves given ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from kontor.web.pages.refused import Refused
from kontor.web.pages.template_context import GamePart
from kontor.web.pages.whole_page import WholePage


class GameAhead(GamePart, frozen=True, kw_only=True):
    """The context of a game's ``ahead.html``: what ``AheadPart.choices`` returns, and these."""

    game: str
    form: Mapping[str, str]
    """The fields as they were sent."""

    @property
    def template_name(self) -> str:
        """Return the name of the game's template."""
        return f"{self.game}/ahead.html"


class AheadPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of moves given ahead."""

    template: ClassVar = "ahead/ahead.html"

    game: str
    title: str
    table: str
    headline: str
    """The headline of the table."""
    moves: Sequence[str]
    """The moves given ahead, in sentences."""
    missed: bool
    """True if they do not fit, and it is the reader's decision."""
    choices: GameAhead | None
    """None if nothing can be given ahead now."""
    refused: Refused | None
