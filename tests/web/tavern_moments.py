"""Every kind of moment at a table of Shanghaien that its page must show, each in its place."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.components import ROUNDS, TRICKS, Trick
from kontor.games.shanghaien.rules.state import Roll, Shanghai
from kontor.games.shanghaien.web.helpers import shows_overview
from kontor.server.composition import KontorServer
from web.tables import Table, brought_there, open_known_table

Wanted = Callable[[Any, Sequence[Any]], bool]
"""Condition ``wanted(view, moves)`` on the mover's view and legal moves."""


def _can(moves: Sequence[Any], *kinds: type) -> bool:
    return {type(move) for move in moves} == set(kinds)


MOMENTS: Final[dict[str, tuple[int, Trick | None, Wanted]]] = {
    "the first turn": (1, None, lambda view, _: view.step == "turn"),
    "where is the 1": (1, "both", lambda view, _: view.step == "place" and view.one_at is None),
    "where is the 1, for both dice": (14, "both", lambda view, _: view.step == "both"),
    "one of two dice": (1, None, lambda view, _: view.step == "place" and view.one_at and not view.crews[0].tricks),
    "dice and three tricks": (
        13,
        "both",
        lambda view, _: view.step == "place" and view.one_at and len({*view.crews[view.mover].tricks}) == len(TRICKS),
    ),
    "dice, and the trick is used": (
        1,
        "both",
        lambda view, _: view.step == "place" and view.spent[view.mover] and view.crews[view.mover].tricks,
    ),
    "roll or end": (1, None, lambda view, moves: view.round > 1 and _can(moves, Roll, Shanghai)),
    "the round must end": (1, None, lambda _, moves: _can(moves, Shanghai)),
    "the row was dealt out": (1, None, lambda view, _: shows_overview(view)),
    "the other has rolled in the new row": (
        1,
        None,
        lambda view, _: view.round > 1 and view.step == "turn" and list(map(any, view.placed)).count(True) == 1,
    ),
    "late in the game": (1, "nudge", lambda view, _: view.round == ROUNDS and view.step == "place" and view.one_at),
}
"""By moment: the number of the dice that lead to it, the trick that both captains begin with, and its condition."""


def moment(service: KontorServer, name: str) -> Table:
    """Return a table at such a moment."""
    seed, first_trick, wanted = MOMENTS[name]
    options = Options(starter=0, first_trick=first_trick)
    table = open_known_table(service, "shanghaien", options, 2, seed)
    return brought_there(table, "shanghaien", lambda view: bool(wanted(view, table.moves)))
