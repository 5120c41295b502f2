"""Moments at a table of the Holländer, each with the seat of the reader, for tests of how the desk looks."""

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any, Final

from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.components import MOST_PLAYERS
from kontor.games.dutchman.rules.horseshoes import highest_first, reading
from kontor.games.dutchman.rules.state import Lay, Propose
from kontor.players import player_named
from kontor.server.composition import KontorServer
from web.tables import Table, open_known_table

Moment = tuple[Table, int]
"""Table, and the seat of the reader."""

MOST_SEEDS: Final = 40
LATE: Final = 4
"""Round in which racks are full of all sorts, and voyages have been made."""


def start(service: KontorServer, players: int, seed: int, **options: Any) -> Table:
    """Open a table of the Holländer at which the first seat begins."""
    chosen = Options(players=players, starter=0, **options)
    return open_known_table(service, "dutchman", chosen, players, seed)


def play_until(
    service: KontorServer,
    players: int,
    is_wanted: Callable[[Any], bool],
    **options: Any,
) -> Moment:
    """Play until the mover's view is wanted; the reader is the mover. Proposals are drawn at random."""
    greedy = player_named("dutchman", "greedy")
    for seed in range(1, MOST_SEEDS):
        table, random = start(service, players, seed, **options), Random(seed)
        while service.tables.info(table.id).mover is not None and table.view.round < 2 * LATE:
            view, moves = table.view, table.moves
            if is_wanted(view):
                return table, table.mover
            is_shrewd = view.step != "propose" and random.random() < 0.7
            table.play(greedy(view, moves, random) if is_shrewd else random.choice(moves))
    raise AssertionError("no game comes to this moment")


def bargaining(service: KontorServer, players: int, step: str, seed: int = 1) -> Table:
    """Let everyone tie in the first round, and play the bargain up to the first decision of kind ``step``."""
    for other in range(seed, seed + MOST_SEEDS):
        table = start(service, players, other)
        lays = _tying_lays(table)
        if lays is None:
            continue
        while table.view.step == "action":
            table.play(lays[table.mover])
        while table.view.step != step:
            is_naming = table.view.step == "name"
            table.play(table.moves[table.mover % len(table.moves)] if is_naming else _from_all(table.view))
        assert len(table.view.bargain.tied) == players
        return table
    raise AssertionError("no racks allow such a tie")


def uninvolved_seat(table: Table) -> int:
    """Return the seat of a tied merchant who has neither made the proposal nor answers it now."""
    bargain = table.view.bargain
    by = bargain.proposal.by
    return next(seat for seat in range(len(table.tokens)) if seat in bargain.tied and seat not in (table.mover, by))


def _tying_lays(table: Table) -> list[Lay] | None:
    """Return a lay for each seat by which all of them tie, or None if their racks don't allow it."""
    readings: list[dict[int, Lay]] = []
    for seat in range(len(table.tokens)):
        view = table.service.tables.view(table.id).look(seat).view
        lays = [highest_first(lay) for many in (1, 2, 3) for lay in combinations(view.rack, many)]
        legal = [lay for lay in lays if len(lay) < 2 or lay[1] <= 20]
        readings.append({reading(lay, view.lucky): Lay(lay) for lay in legal})
    common = set.intersection(*(set(own) for own in readings)) - {0}
    return [own[max(common)] for own in readings] if common else None


def _from_all(view: Any) -> Propose:
    """Return a proposal by which everyone else pays the mover, as its sentence is the longest."""
    tied = view.bargain.tied
    ducats = [-2] * len(tied)
    ducats[tied.index(view.seat)] = 2 * (len(tied) - 1)
    return Propose(view.ahead[0], tuple(ducats))


def _at_bargain(players: int, step: str, *, as_third: bool = False) -> Callable[..., Moment]:
    def make(service: KontorServer) -> Moment:
        table = bargaining(service, players, step)
        return table, uninvolved_seat(table) if as_third else table.mover

    return make


def _at_decision(players: int, is_wanted: Callable[[Any], bool], **options: Any) -> Callable[..., Moment]:
    return lambda service: play_until(service, players, is_wanted, **options)


def _is_late_action(view: Any) -> bool:
    return view.step == "action" and view.round >= LATE and len(view.rack) > 4


MOMENTS: Final[dict[str, Callable[[KontorServer], Moment]]] = {
    "first action": _at_decision(4, lambda view: view.step == "action"),
    "action": _at_decision(4, _is_late_action),
    "action of six": _at_decision(MOST_PLAYERS, _is_late_action),
    "put": _at_decision(4, lambda view: view.step == "put"),
    "sail": _at_decision(4, lambda view: view.step == "sail"),
    "again": _at_decision(4, lambda view: view.step == "again"),
    "show": _at_decision(4, lambda view: view.step == "show"),
    "check": _at_decision(4, lambda view: view.step == "check", check="on request"),
    "name": _at_bargain(3, "name"),
    "propose, three tied": _at_bargain(3, "propose"),
    "propose, four tied": _at_bargain(4, "propose"),
    "answer": _at_bargain(3, "answer"),
    "answer, four tied": _at_bargain(4, "answer"),
    "the third reads a proposal": _at_bargain(3, "answer", as_third=True),
    "the third of four reads a proposal": _at_bargain(4, "answer", as_third=True),
}
"""Functions by name of the moment; each returns a table at the moment, and the seat of the reader."""
