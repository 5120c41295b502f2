"""The real table for a position that no table holds: what is taught, what is to be solved, what is looked into.

Whoever shows one has a seat's view, that seat's legal moves, and the steps that led there; the board's forms are
posted to an ``address`` of theirs, with hidden ``fields`` that say where one is. Nothing of it is live.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from kontor.game import OVER
from kontor.table import VisibleStep
from kontor.web.adapter import adapter_of
from kontor.web.pages.fragments import TOKEN
from kontor.web.pages.log_text import last_move, log_lines
from kontor.web.pages.refused import Refused, rule_url
from kontor.web.pages.render import Pages
from kontor.web.pages.table_page import file_of, seen_of, subtitle
from kontor.web.pages.visitor import Visitor


@dataclass(frozen=True)
class PositionShown:
    """What the templates and the boards know as ``table``, where there is none."""

    game: str
    title: str
    subtitle: str
    address: str
    """To which the board's forms are posted."""
    seat: int | None
    my_turn: bool
    over: bool
    names: tuple[str, ...]
    headline: str


@dataclass(frozen=True)
class BoardPosition:
    """A position by the eyes of a seat: its ``view``, what that seat may do, and how it came about."""

    game: str
    names: tuple[str, ...]
    view: Any
    moves: Sequence[Any] = ()
    """Of the view's seat; none while others move."""
    told: Sequence[VisibleStep] = ()
    """The steps that led here, as far as they are to be seen."""
    address: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What is sent with every form of the board, beside the move."""
    headline: str = ""
    """What is asked here; without it, what the game says of the position."""
    sent: Mapping[str, str] = field(default_factory=dict)
    """The fields of the form that was just refused."""
    refused: Refused | None = None


def position_context(pages: Pages, visitor: Visitor, position: BoardPosition) -> dict[str, Any]:
    """What ``position/position.html``, which shows a position to be played on, needs; and by ``include`` any other
    template that has the game's ``board.html`` in it."""
    words, view = visitor.words, position.view
    adapter = adapter_of(position.game)
    seat = view.seat
    my_turn = bool(position.moves) and seat is not None and view.mover == seat
    say = adapter.addressed if adapter.addressed and seat is not None else adapter.headline
    shown = PositionShown(
        game=position.game,
        title=adapter.title,
        subtitle=subtitle(words, adapter),
        address=position.address,
        seat=seat,
        my_turn=my_turn,
        over=view.mover == OVER,
        names=position.names,
        headline=position.headline or say(words, position.names, view),
    )
    told = list(position.told)
    mine = last_move(told, seat, 0)
    moves = position.moves if my_turn else ()
    since = [line for line in told if line.number > mine]
    return {
        "table": shown,
        "room": adapter,
        "board_css": file_of(pages, f"{position.game}.css"),
        "board_js": file_of(pages, f"{position.game}.js"),
        "tale": None,
        "sent": position.sent,
        "refused": position.refused,
        "happened": (),
        "steps": "",
        "told": [line for line in log_lines(words, adapter, position.names, told) if not line.head],
        **adapter.context(words, position.names, view, moves, seen_of(since)),
        "fields": hidden_fields(position.fields),
        "moves_url": position.address,
        "rule_url": lambda rule: rule_url(position.game, rule),
    }


def hidden_fields(fields: Mapping[str, str], *, token: bool = True) -> Markup:
    """Fields that are not seen; with the ``token`` that every form has which changes something."""
    told = [*fields.items(), *([("token", TOKEN)] if token else [])]
    return Markup("").join(Markup('<input type="hidden" name="{}" value="{}">').format(*each) for each in told)
