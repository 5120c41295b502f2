"""Stepping through a game: the stops, and the table as it stood at each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import msgspec
from markupsafe import Markup
from msgspec.structs import replace

from kontor.endings import describe_early_end
from kontor.game import CHANCE, OVER, AnyGame
from kontor.tables.pages.log_text import LogLine, last_move, log_lines
from kontor.tables.pages.seating import names_of
from kontor.tables.pages.table_context import Board, PositionShown, TableShown
from kontor.tables.pages.table_page import MOST_RETOLD, afterwards, file_of, seen_of, subtitle, table_fields
from kontor.tables.values import VisibleStep
from kontor.tables.views import TableView, VisibleLog
from kontor.web.adapter import WebAdapter, adapter_of
from kontor.web.pages.refused import rule_url
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words


@dataclass(frozen=True)
class Stop:
    """A point at which one can look back: after a move and the outcomes that follow.

    ``lines`` are the steps since the last stop.
    """

    number: int
    round: int
    lines: tuple[VisibleStep, ...]


def stops_of(steps: tuple[VisibleStep, ...]) -> list[Stop]:
    """Return all stops of a game."""
    stops, lines = [], []
    for step in steps:
        lines.append(step)
        if step.after.mover != CHANCE:
            stops.append(Stop(step.number, step.after.round, tuple(lines)))
            lines = []
    return stops


def rounds_of(stops: Sequence[Stop]) -> dict[int, int]:
    """Return the number of the first stop of each round."""
    first_stops: dict[int, int] = {}
    for stop in stops:
        first_stops.setdefault(stop.round, stop.number)
    return first_stops


def stop_of(game: AnyGame, steps: Sequence[VisibleStep], before: Any, move: Any, seat: int) -> Stop:
    """Return the table as it would stand after this move in a state, as a seat sees it.

    ``steps`` are the steps before.
    """
    after = game.play(before, move)
    event = game.event(before, move, after, seat)
    last = steps[-1]
    step = VisibleStep(last.number + 1, last.at, event, last.after, game.view(after, seat))
    return Stop(step.number, last.after.round, (step,))


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it stood at a stop: ``replayed``."""

    table: TableShown | PositionShown
    board: Board
    steps: Sequence[LogLine]
    """The lines of the log since the stop before."""
    board_css: str
    """The game's own styles; empty if it has none."""


class ReplayedPage(WholePage, frozen=True, kw_only=True):
    """The context of a page that extends ``log/at_moment.html``."""

    replayed: Replayed


class ReplayLinks(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses on the page of a replay; those of pages that the game has not are empty."""

    here: str
    home: str
    """The page to which the replay belongs."""
    home_text: str
    review: str = ""
    analysis: str = ""
    """The address that leads to the analysis board; the line and the seat are added."""
    views: bool = False
    """True if any player's view can be chosen."""


class ReplayPage(ReplayedPage, frozen=True, kw_only=True):
    """The context of a game at one of its stops."""

    template: ClassVar = "log/replay.html"

    stops: int
    """The number of all stops."""
    place: int
    """The number of this stop, from 1."""
    number: int
    """The line of this stop, as ``first``, ``back``, ``on`` and ``last`` are lines of others."""
    first: int
    back: int
    on: int
    last: int
    rounds: Mapping[int, int]
    """The lines at which the rounds begin, by their numbers."""
    round_now: int
    seat_query: str
    """The part of an address that names the seat whose view is shown; else empty."""
    links: ReplayLinks


def replay_page(
    query: Mapping[str, str],
    links: ReplayLinks,
    seat: int | None,
    stops: Sequence[Stop],
    draw: Callable[[Stop], Replayed],
) -> ReplayPage:
    """Return the page of the stop that the ``query`` of an address asks for, as ``draw`` shows it."""
    place = _place(query, stops)
    return ReplayPage(
        replayed=draw(stops[place]),
        stops=len(stops),
        place=place + 1,
        number=stops[place].number,
        first=stops[0].number,
        back=stops[max(0, place - 1)].number,
        on=stops[min(len(stops) - 1, place + 1)].number,
        last=stops[-1].number,
        rounds=rounds_of(stops),
        round_now=stops[place].round,
        seat_query=f"&as={seat}" if seat is not None else "",
        links=links,
    )


def _place(query: Mapping[str, str], stops: Sequence[Stop]) -> int:
    """Return the index of the requested stop: ``at`` is a line of the log, ``place`` the stop's own number from 1."""
    line, place = (_number(query.get(name, "")) for name in ("at", "place"))
    if place is not None:
        return min(max(place, 1), len(stops)) - 1
    if line is not None:
        return next((place for place, stop in enumerate(stops) if stop.number >= line), len(stops) - 1)
    return len(stops) - 1


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def headline_of(words: Words, adapter: WebAdapter, names: Sequence[str], stop: Stop) -> str:
    """Return the headline of a stop, which says "you" to nobody."""
    view = stop.lines[-1].after
    nobodys = replace(view, seat=None)
    retold = adapter.retell(words, names, nobodys, lambda: seen_of(stop.lines))
    return retold or adapter.headline(words, names, view)


def table_at(pages: Pages, visitor: Visitor, now: TableView, seat: int | None, stop: Stop) -> Replayed:
    """Return the table at a stop, with a seat's view."""
    words, info = visitor.words, now.info
    adapter = adapter_of(info.game)
    names = names_of(words, info)
    view = stop.lines[-1].after
    early = info.early if stop.number == info.number else None
    table = TableShown(
        id=info.id,
        game=info.game,
        title=adapter.title,
        subtitle=subtitle(words, adapter),
        info=info,
        number=stop.number,
        version=stop.number,
        seat=seat,
        curtain=None,
        my_turn=False,
        over=early is not None or view.mover == OVER,
        names=names,
        headline=describe_early_end(words, names, early) if early else headline_of(words, adapter, names, stop),
    )
    return draw_stop(pages, words, table, now, stop, table_fields(seat, info.undone))


def draw_stop(
    pages: Pages,
    words: Words,
    table: TableShown | PositionShown,
    log: VisibleLog,
    stop: Stop,
    fields: Markup,
) -> Replayed:
    """Return a game at a stop, with the view of the table's seat; ``fields`` are the hidden fields of its forms."""
    adapter, names, seat, view = adapter_of(table.game), table.names, table.seat, stop.lines[-1].after
    mine = last_move(stop.lines, seat, 0)
    earlier = log_lines(words, adapter, names, log.events(seat, stop.number - MOST_RETOLD, stop.number))
    board = Board(
        table=table,
        own=adapter.context(words, names, view, (), seen_of([line for line in stop.lines if line.number > mine])),
        fields=fields,
        moves_url=f"{table.address}/moves",
        rule_url=partial(rule_url, table.game),
        earlier=[line.text for line in earlier if not line.head],
        tale=afterwards(words, table, log) if view.mover == OVER else None,
    )
    return Replayed(
        table=table,
        board=board,
        steps=[line for line in log_lines(words, adapter, names, stop.lines) if not line.head],
        board_css=file_of(pages, f"{table.game}.css"),
    )
