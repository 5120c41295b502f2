"""The lists beside the games on the first page, a line for each thing: who waits, what is on, what can be watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final

import msgspec
from markupsafe import Markup
from msgspec.structs import replace

from kontor.game import Value
from kontor.lobby.values import WaitingSeek
from kontor.puzzles.adapter import games_with_puzzles
from kontor.puzzles.collection import puzzles_of
from kontor.puzzles.daily import FIRST_DAY, puzzle_of_day
from kontor.ratings.stored_ratings import StoredRatings
from kontor.studies.pages.puzzles import question
from kontor.tables.pages.opening import sizes
from kontor.tables.pages.seating import describe_length
from kontor.tables.values import Pace
from kontor.tournaments.pages import describe_state
from kontor.tournaments.tournaments import Tournaments
from kontor.tournaments.values import TournamentFilter, TournamentInfo
from kontor.web.adapter import adapter_of, web_adapters
from kontor.words import Words

_DAY: Final = 24 * 3600
_MINUTE: Final = 60

_FRESH: Final = timedelta(seconds=20)
"""The age up to which the lines that are the same for all readers are not looked up again."""

_MOST: Final = 2
"""Tournaments shown."""

_PAIR: Final = 2
"""The players of a game of two: those who want such a game wait each for one other."""


class Champion(Value, frozen=True):
    """The best player of a game, of those who chose to be listed."""

    game: str
    name: str
    points: int


class News(Value, frozen=True):
    """The lines that are the same for all readers: tournaments, and the best player of each game."""

    tournaments: tuple[TournamentInfo, ...]
    champions: tuple[Champion, ...]


class NewsCache:
    """The latest news, looked up every few seconds at most, since the first page is asked for most often."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._news: tuple[datetime, News] | None = None

    def get(self, now: datetime, tournaments: Tournaments, ratings: StoredRatings) -> News:
        """Return the news."""
        with self._lock:
            if self._news is None or not now - _FRESH <= self._news[0] <= now:
                self._news = now, News(_next_tournaments(tournaments), _champions(ratings))
            return self._news[1]


def _next_tournaments(tournaments: Tournaments) -> tuple[TournamentInfo, ...]:
    """Return those that can be joined, the soonest first, and then those that are running."""
    endless = datetime.max.replace(tzinfo=UTC)
    joinable = sorted(tournaments.find(TournamentFilter("open")).tournaments, key=lambda info: info.starts or endless)
    if len(joinable) < _MOST:
        joinable += tournaments.find(TournamentFilter("running"), limit=_MOST).tournaments
    return tuple(joinable[:_MOST])


def _champions(ratings: StoredRatings) -> tuple[Champion, ...]:
    champions = []
    for game in web_adapters():
        rows = [row for row in ratings.best(game, most=1).rows if not row.level and row.sure]
        champions += [Champion(game, row.name, row.points) for row in rows[:1]]
    return tuple(champions)


# ------------------------------------------------------------------------------------------------------- as lines


class SeekRow(msgspec.Struct, frozen=True, kw_only=True):
    """People who wait for the same game, and whom the reader can join."""

    id: str
    game: str
    names: str
    rating: str
    """Their rating, or “?” as long as it is uncertain; empty if there is none, or they do not show it."""
    terms: str
    since: str
    own: bool


class FirstPageLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that leads somewhere: ``what`` is the link, ``how`` a remark."""

    id: str
    url: str
    game: str
    what: str
    how: str | Markup


def seek_rows(words: Words, waiting: Sequence[WaitingSeek]) -> list[SeekRow]:
    """Return the rows of those who wait. People who want the same game of several are one row."""
    groups: dict[object, list[WaitingSeek]] = {}
    for each in waiting:
        groups.setdefault(replace(each.seek, near=True) if each.seek.most > _PAIR else each.id, []).append(each)
    return [_seek_row(words, group) for group in groups.values()]


def _seek_row(words: Words, group: Sequence[WaitingSeek]) -> SeekRow:
    seek, alone = group[0].seek, len(group) == 1
    terms = [adapter_of(seek.game).title]
    if len(sizes(seek.game)) > 1:
        if seek.fewest == seek.most:
            terms.append(words.count("{n} player", "{n} players", seek.most))
        else:
            terms.append(words.say("{fewest} to {most} players", fewest=seek.fewest, most=seek.most))
    terms.append(pace_in_short(words, seek.pace))
    points = group[0].points if alone else None
    return SeekRow(
        id=group[0].id,
        game=seek.game,
        names=words.all_of([each.name for each in group]),
        rating="" if points is None else str(points) if group[0].sure else "?",
        terms=words.in_row(terms),
        since=_since(words, max(each.waited for each in group)),
        own=any(each.own for each in group),
    )


def pace_in_short(words: Words, pace: Pace) -> str:
    """Return a pace in few words."""
    if pace.kind == "live" and pace.reserve:
        return words.count("{n} minute each", "{n} minutes each", pace.reserve // _MINUTE)
    if pace.kind == "live":
        return words.say("live")
    if pace.kind == "slow" and pace.seconds == _DAY:
        return words.say("a day a move")
    if pace.kind == "slow":
        return words.say("turn-based")
    return words.say("no time limit")


def _since(words: Words, seconds: int) -> str:
    return words.say("just now") if seconds < _MINUTE else describe_length(words, seconds // _MINUTE * _MINUTE)


def puzzle_lines(words: Words, now: datetime) -> list[FirstPageLine]:
    """Return the puzzle of the day of each game that has puzzles."""
    today = now.astimezone(UTC).date()
    games = [game for game in games_with_puzzles() if game in web_adapters() and puzzles_of(game)]
    return [
        FirstPageLine(
            id=f"puzzle-{game}",
            url=f"/puzzles/{game}/{today.isoformat()}",
            game=game,
            what=adapter_of(game).title,
            how=question(words, puzzle_of_day(game, today)),
        )
        for game in (games if today >= FIRST_DAY else ())
    ]


def tournament_lines(words: Words, news: News) -> list[FirstPageLine]:
    """Return the next tournaments."""
    return [
        FirstPageLine(
            id=f"tournament-{info.id}",
            url=f"/tournaments/{info.id}",
            game=info.game,
            what=info.name,
            how=Markup("{}, {}").format(adapter_of(info.game).title, describe_state(words, info)),
        )
        for info in news.tournaments
    ]


def champion_lines(words: Words, news: News) -> list[FirstPageLine]:
    """Return the list of the best of each game, with the one who leads it."""
    leaders: Mapping[str, Champion] = {champion.game: champion for champion in news.champions}
    return [
        FirstPageLine(
            id=f"best-{game}",
            url=f"/best/{game}",
            game=game,
            what=adapter.title,
            how=words.in_row([leaders[game].name, str(leaders[game].points)])
            if game in leaders
            else words.say("nobody yet"),
        )
        for game, adapter in web_adapters().items()
    ]
