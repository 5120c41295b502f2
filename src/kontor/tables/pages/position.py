"""The board for a position that belongs to no table: in the tutorial, in a puzzle, on the analysis board.

A position has a seat's view, that seat's legal moves, and the steps that led there. The board's forms are posted to
an ``address`` of its own, with hidden ``fields`` that say where one is. Nothing of it is live.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
from markupsafe import Markup

from kontor.game import OVER
from kontor.tables.pages.log_text import LogLine, last_move, log_lines
from kontor.tables.pages.table_context import Board, PositionShown
from kontor.tables.pages.table_page import MOST_RETOLD, file_of, seen_of, subtitle
from kontor.tables.values import VisibleStep
from kontor.web.adapter import adapter_of
from kontor.web.pages.fragments import TOKEN
from kontor.web.pages.refused import Refused, rule_url
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage


@dataclass(frozen=True)
class BoardPosition:
    """A position as a seat sees it: its ``view``, the moves of that seat, and the steps that led there."""

    game: str
    names: tuple[str, ...]
    view: Any
    moves: Sequence[Any] = ()
    """The moves of the view's seat; empty while others move."""
    steps: Sequence[VisibleStep] = ()
    """The steps that led here, as far as they are shown."""
    address: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Fields that every form of the board sends beside the move."""
    headline: str = ""
    """The task; if it is empty, the game describes the position."""
    sent: Mapping[str, str] = field(default_factory=dict)
    """The fields of the form that was just refused."""
    refused: Refused | None = None


class PositionContext(msgspec.Struct, frozen=True, kw_only=True):
    """A position on a page to play on: ``position``."""

    table: PositionShown
    board: Board
    steps: Sequence[LogLine]
    """The lines of the log on the way here."""
    refused: Refused | None
    board_css: str
    board_js: str
    """The game's own files; empty if it has none."""


class PositionPage(WholePage, frozen=True, kw_only=True):
    """The context of a page that extends ``position/position.html``."""

    position: PositionContext


def show_position(pages: Pages, visitor: Visitor, position: BoardPosition, tale: Any = None) -> PositionContext:
    """Return a position as pages show it; ``tale`` is what the game tells when it is over."""
    words, view = visitor.words, position.view
    adapter = adapter_of(position.game)
    seat = view.seat
    my_turn = bool(position.moves) and seat is not None and view.mover == seat
    say = adapter.addressed if adapter.addressed and seat is not None else adapter.headline
    steps = list(position.steps)
    retold = adapter.retell(words, position.names, view, lambda: seen_of(steps[-MOST_RETOLD:]))
    table = PositionShown(
        game=position.game,
        title=adapter.title,
        subtitle=subtitle(words, adapter),
        address=position.address,
        seat=seat,
        my_turn=my_turn,
        over=view.mover == OVER,
        names=position.names,
        headline=position.headline or retold or say(words, position.names, view),
    )
    mine = last_move(steps, seat, 0)
    moves = position.moves if my_turn else ()
    since = [line for line in steps if line.number > mine]
    course = [line for line in log_lines(words, adapter, position.names, steps) if not line.head]
    board = Board(
        table=table,
        own=adapter.context(words, position.names, view, moves, seen_of(since)),
        fields=hidden_fields(position.fields),
        moves_url=position.address,
        rule_url=partial(rule_url, position.game),
        sent=position.sent,
        earlier=[line.text for line in course],
        tale=tale,
    )
    return PositionContext(
        table=table,
        board=board,
        steps=course,
        refused=position.refused,
        board_css=file_of(pages, f"{position.game}.css"),
        board_js=file_of(pages, f"{position.game}.js"),
    )


def hidden_fields(fields: Mapping[str, str], *, token: bool = True) -> Markup:
    """Return hidden fields; with the ``token`` that every form needs which changes something."""
    all_fields = [*fields.items(), *([("token", TOKEN)] if token else [])]
    return Markup("").join(Markup('<input type="hidden" name="{}" value="{}">').format(*item) for item in all_fields)
