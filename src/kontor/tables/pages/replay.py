"""Stepping through a game: the stops, and the table as it stood at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from kontor.endings import describe_early_end
from kontor.game import CHANCE, OVER, AnyGame
from kontor.tables.pages.log_text import LogLine, last_move, log_lines
from kontor.tables.pages.seating import names_of
from kontor.tables.pages.table_context import Board, TableShown
from kontor.tables.pages.table_page import afterwards, file_of, seen_of, subtitle, table_fields
from kontor.tables.values import VisibleStep
from kontor.tables.views import TableView
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


def rounds_of(stops: list[Stop]) -> dict[int, int]:
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

    table: TableShown
    board: Board
    steps: Sequence[LogLine]
    """The lines of the log since the stop before."""
    board_css: str
    """The game's own styles; empty if it has none."""


class ReplayedPage(WholePage, frozen=True, kw_only=True):
    """The context of a page that extends ``log/at_moment.html``."""

    replayed: Replayed


def _headline(words: Words, adapter: WebAdapter, names: Sequence[str], stop: Stop) -> str:
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
    mine = last_move(stop.lines, seat, 0)
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
        headline=describe_early_end(words, names, early) if early else _headline(words, adapter, names, stop),
    )
    board = Board(
        table=table,
        own=adapter.context(words, names, view, (), seen_of([line for line in stop.lines if line.number > mine])),
        fields=table_fields(seat, info.undone),
        moves_url=f"{table.address}/moves",
        rule_url=partial(rule_url, info.game),
        tale=afterwards(words, table, now) if view.mover == OVER else None,
    )
    return Replayed(
        table=table,
        board=board,
        steps=[line for line in log_lines(words, adapter, names, stop.lines) if not line.head],
        board_css=file_of(pages, f"{info.game}.css"),
    )
