"""Pages of the archive: what its templates get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

import msgspec
from markupsafe import Markup

from kontor.archive.searching import GameSearch
from kontor.challenges.pages import rematch_address
from kontor.players import has_judge
from kontor.tables.finished_games import FinishedGame
from kontor.tables.game_states import FIRST
from kontor.tables.pages.cards import outcome_text
from kontor.tables.pages.opening import sizes
from kontor.tables.pages.seating import names_of
from kontor.tables.values import ShownRating
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages.moments import moment
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words, mark

RATED: Final = {"": mark("either"), "yes": mark("rated"), "no": mark("not rated")}
ENDS: Final = {"": mark("any end"), "rules": mark("played to the end"), "early": mark("ended early")}
RESULTS: Final = {"": mark("any result"), "won": mark("won"), "not-won": mark("did not win")}


def numbers_of_players() -> list[int]:
    """Return the numbers of players that the games of this server can have."""
    return sorted({size for game in web_adapters() for size in sizes(game)})


class GameRow(msgspec.Struct, frozen=True):
    """A finished game in the list. ``names`` are those of the seats, each with the address of a page, or empty."""

    id: str
    game: str
    title: str
    ended: Markup
    names: Sequence[tuple[str, str]]
    outcome: str
    length: str
    rated: bool
    judged: bool
    """True if the game can be reviewed."""
    rematch: str
    """The address at which the reader can challenge the other player again; empty if they can't."""
    mine: bool
    """True if the reader sat there."""


class GamesPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of finished games."""

    template: ClassVar = "archive/games.html"

    search: GameSearch
    owner: str
    """The name of the person whose games these are, if a page of theirs led here; else empty."""
    rows: Sequence[GameRow]
    rated: Mapping[str, str]
    """The choices of a field by their values, as ``players``, ``ends`` and ``results``."""
    players: Mapping[str, str]
    ends: Mapping[str, str]
    results: Mapping[str, str]
    most_steps: int
    first: str
    """The addresses of the newest games, of newer ones, of older ones, and of records; empty where there are none."""
    newer: str
    older: str
    records: str
    most_records: int
    """The number of games in a file of records."""


def game_row(words: Words, finished: FinishedGame, profiles: Mapping[tuple[str, int], ShownRating]) -> GameRow:
    """Return a finished game as the list shows it; ``profiles`` are what people show of themselves."""
    info = finished.table
    assert info.ended
    names = []
    for seat, name in enumerate(names_of(words, info)):
        page = profiles.get((info.id, seat))
        names.append((name, f"/people/{page.handle}" if page and page.handle else ""))
    length = words.count("{n} step", "{n} steps", max(0, info.number - FIRST))
    return GameRow(
        id=info.id,
        game=info.game,
        title=adapter_of(info.game).title,
        ended=moment(words, info.ended),
        names=names,
        outcome=outcome_text(words, info),
        length=length,
        rated=bool(finished.rated),
        judged=has_judge(info.game),
        rematch=rematch_address(info),
        mine=bool(info.mine),
    )
