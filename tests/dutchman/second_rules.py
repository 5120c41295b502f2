"""The box and the rules of Der fliegende Holländer, a second time: written from the rules alone.

They use the engine's types and none of its functions, and have their own list of what is in the box.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import product
from math import prod
from typing import Any, Final

from kontor.games.dutchman.rules import Move, State
from kontor.games.dutchman.rules.chart import Chart
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import (
    Accept,
    Check,
    Decline,
    Keep,
    Kontor,
    Lay,
    Name,
    Pass,
    Propose,
    Put,
    Sail,
    Show,
    Smith,
    Waive,
    Withhold,
)

GOLD: Final = range(21, 49)
BOX: Final = Counter({**dict.fromkeys(GOLD, 1), 1: 13, 2: 3, 10: 13, 20: 3})
"""The 60 horseshoes (H1)."""
VALUES: Final = (0, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 18)
"""The values of the chests (H2)."""
TENS: Final = (20, 20, 30, 30, 40, 40)
ONES: Final = (1, 3, 5, 5, 7, 9)
ROUNDS: Final = 19
"""Ten ships end the game (H2), and after an island there is always a ship (H3); the first field met is one."""
CHANCES: Final = ("starter", "deal", "lucky", "share", "rolling", "shuffle", "reshuffle")
"""The steps of chance; in all others but ``over`` a seat is to move."""


def best_reading(lay: Iterable[int], lucky: int) -> int:
    """Return the best reading (H7)."""
    sums = {0}
    for horseshoe in lay:
        sums = {total + horseshoe for total in sums} | {total - horseshoe for total in sums if horseshoe not in GOLD}
    return max((total for total in sums if 0 < total <= lucky), default=0)


def neighbours(chart: Chart, field: str) -> set[str]:
    """Return the neighbours of a field (H3)."""
    lines = (*chart.short, *chart.long)
    return {one if other == field else other for one, other in lines if field in (one, other)}


def ways_ahead(state: State) -> set[str]:
    """Return the fields to which the Dutchman may sail (H8)."""
    return neighbours(state.options.chart, state.dutchman) - {state.came_from}


def ship_on(chart: Chart, field: str) -> Colour | None:
    """Return the colour of the ship on a field; None for an island."""
    return next(place.colour for place in chart.fields if place.name == field)


def seats_clockwise(state: State) -> list[int]:
    """Return the seats still in the game, clockwise from the starter (H6)."""
    seats = len(state.merchants)
    order = [(state.starter + place) % seats for place in range(seats)]
    return [seat for seat in order if not state.merchants[seat].bankrupt]


def is_allowed(state: State, move: object) -> bool:
    """Return True if a move is legal: slowly, one rule after the other."""
    if state.mover < 0:
        return False
    own = state.merchants[state.mover]
    ahead = ways_ahead(state)
    match state.step, move:
        case "action", Kontor():
            return own.kontor > 0
        case "action", Smith():
            return own.smith > 0
        case "action", Pass():
            return len(own.rack) < 5
        case (("action" | "again"), Lay(horseshoes=horseshoes)):
            return (
                len(horseshoes) > 0
                and Counter(horseshoes) <= Counter(own.rack)
                and sum(horseshoe in GOLD for horseshoe in horseshoes) <= 1
                and list(horseshoes) == sorted(horseshoes, reverse=True)
            )
        case "again", Pass():
            return True
        case "put", Put(shares=shares):
            return (
                len(shares) == 2
                and Counter(shares) <= Counter(own.shares)
                and list(shares) == sorted(shares, key=COLOURS.index)
            )
        case ("sail", Sail(to=to)) | ("name", Name(to=to)):
            return to in ahead
        case "propose", Propose(to=to, ducats=ducats):
            assert state.bargain is not None
            purses = [state.merchants[seat].cash for seat in state.bargain.tied]
            return (
                to in ahead
                and len(ducats) == len(purses)
                and sum(ducats) == 0
                and all(purse + got >= 0 for purse, got in zip(purses, ducats, strict=True))
            )
        case ("propose", Withhold()) | ("answer", Accept() | Decline()) | ("show", Keep()):
            return True
        case "check", Check() | Waive():
            return True
        case "show", Show(colour=colour):
            return colour in own.shares
        case _:
            return False


def all_moves(state: State) -> set[Move] | None:
    """Return every legal move, found by trying; None where that would take long."""
    if state.mover < 0:
        return set()
    own = state.merchants[state.mover]
    fields = [field.name for field in state.options.chart.fields]
    tries: Iterable[Move] = (Kontor(), Smith(), Pass(), Withhold(), Accept(), Decline(), Keep(), Check(), Waive())
    if state.step in ("action", "again"):
        kinds = sorted(Counter(own.rack).items(), reverse=True)
        gold: list[tuple[int, ...]] = [(), *[(kind,) for kind, _ in kinds if kind in GOLD]]
        numbers = [range(count + 1) for kind, count in kinds if kind not in GOLD]
        if len(gold) * prod(map(len, numbers)) > 600:
            return None
        counts = product(*numbers)
        silver = [kind for kind, _ in kinds if kind not in GOLD]
        tries = [
            *tries,
            *[
                Lay((*one, *[kind for kind, count in zip(silver, many, strict=True) for _ in range(count)]))
                for many in counts
                for one in gold
            ],
        ]
    elif state.step == "put":
        tries = [*tries, *[Put(pair) for pair in product(COLOURS, COLOURS)]]
    elif state.step == "show":
        tries = [*tries, *[Show(colour) for colour in COLOURS]]
    elif state.step in ("sail", "name"):
        tries = [*tries, *[kind(field) for field in fields for kind in (Sail, Name)]]
    elif state.step == "propose":
        assert state.bargain is not None
        purses = [state.merchants[seat].cash for seat in state.bargain.tied]
        total = sum(purses)
        if (total + 1) ** (len(purses) - 1) > 400:
            return None
        divided = [rest for rest in product(range(total + 1), repeat=len(purses) - 1) if sum(rest) <= total]
        tries = [
            *tries,
            *[
                Propose(to, tuple(has - had for has, had in zip((*rest, total - sum(rest)), purses, strict=True)))
                for to in ways_ahead(state)
                for rest in divided
            ],
        ]
    return {move for move in tries if is_allowed(state, move)}


def total(heaps: Iterable[Iterable[Any]]) -> Counter[Any]:
    """Return how often each thing is in the heaps."""
    return Counter(thing for heap in heaps for thing in heap)
