"""Tables of the server at every kind of moment of a game: it is played on, and stopped where something is new."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.players import player_named
from kontor.tables.values import Plan, SeatPlan
from web.conftest import Served
from web.guests import Guest

SEED: Final = bytes(range(32))
"""Seed of the tables: tests replace a secret seed by it, and so have the same games each time."""

KINDS: Final = {
    "shanghaien": {
        *("turn", "place", "both", "over"),
        *("Roll", "Shanghai", "Number", "Place", "Joker", "Nudge", "Both", "Reroll", "Award"),
    },
    "dutchman": {
        *("action", "put", "sail", "name", "propose", "answer", "again", "show", "over"),
        *("Kontor", "Smith", "Lay", "Pass"),
        *("Shared", "Revealed", "RolledFor", "Undecided", "Agreed", "Sailed", "Paid", "Bankrupt", "Earned"),
    },
}
"""Kinds of things that a game can show: its steps, the legal moves, and the happenings."""

_MANY: Final = 1000
"""Most moves looked at; there are more proposals than that."""


def table_of(served: Served, guests: list[Guest], game: str) -> str:
    """Open a table at which the guests sit in their order; return its id."""
    options: Any = ShanghaienOptions(starter=0, first_trick="both")
    if game == "dutchman":
        options = DutchmanOptions(players=len(guests), starter=0, circles=2)
    host, *others = [served.person_id(guest) for guest in guests]
    plan = Plan(game, options, (SeatPlan("me"), *[SeatPlan("open") for _ in others]))
    table = served.service.opening.open(host, plan)
    for seat, person in enumerate(others, 1):
        served.service.opening.sit(table, seat, person)
    return table


def moments(served: Served, table: str, random: Random, seen: set[str]) -> Iterator[int]:
    """Play a game to its end; yield the mover's seat at each moment that shows something not yet ``seen``.

    At the end the first seat is yielded. Each move is either the best one or a random one.
    """
    service = served.service
    info = service.tables.info(table)
    greedy = player_named(info.game, "greedy")
    last = info.number
    while True:
        mover = service.tables.info(table).mover
        look = service.tables.view(table).look(mover or 0)
        kinds = {type(move).__name__: move for move in random.sample(look.moves, min(len(look.moves), _MANY))}
        shows = {look.view.step, *kinds}
        for line in service.tables.view(table).events(None, since=last):
            shows.update(type(happening).__name__ for happening in line.event.happened)
        last = look.number
        if shows & KINDS[info.game] - seen:
            yield mover or 0
        seen |= shows
        if mover is None:
            return
        any_move = kinds[random.choice(list(kinds))]
        move = any_move if random.random() < 0.4 else greedy(look.view, look.moves, random)
        service.moves.play(table, mover, look.number, move)
