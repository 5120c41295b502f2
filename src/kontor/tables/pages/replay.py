"""Stepping through a game: the stops, and the table as it stood at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kontor.endings import describe_early_end
from kontor.game import CHANCE, OVER, AnyGame
from kontor.tables.pages.log_text import last_move, log_lines
from kontor.tables.pages.seating import names_of
from kontor.tables.pages.table_page import TableShown, afterwards, board, file_of, subtitle
from kontor.tables.values import SeatView, VisibleStep
from kontor.tables.views import TableView
from kontor.web.adapter import adapter_of
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor


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


def table_at(pages: Pages, visitor: Visitor, now: TableView, seat: int | None, stop: Stop) -> dict[str, Any]:
    """Return the values that a page needs to show the table at a stop, with a seat's view."""
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
        headline=describe_early_end(words, names, early) if early else adapter.headline(words, names, view),
    )
    return {
        "table": table,
        "board_css": file_of(pages, f"{info.game}.css"),
        "tale": afterwards(words, table, now) if view.mover == OVER else None,
        "sent": {},
        "happened": (),
        "steps": "",
        "told": [line for line in log_lines(words, adapter, names, stop.lines) if not line.head],
        **board(
            visitor,
            adapter,
            table,
            SeatView(stop.number, view, ()),
            [line for line in stop.lines if line.number > mine],
        ),
    }
