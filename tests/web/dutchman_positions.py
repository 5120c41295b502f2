"""Chart room for the tests: positions from games played at random, and its page."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from random import Random
from typing import Any, Final

from markupsafe import Markup

from kontor.game import OVER
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State, View
from kontor.games.dutchman.rules.chart import OURS, Chart
from kontor.games.dutchman.rules.horseshoes import highest_first, reading
from kontor.games.dutchman.rules.state import Lay, Pass
from kontor.games.dutchman.web.board import context
from kontor.games.dutchman.web.story import Seen
from kontor.games.dutchman.web.tale import Tale
from kontor.tables.pages.table_context import Board, PositionShown
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor, nobody
from kontor.words import Words
from random_steps import random_step
from web.elements import Element

NAMES: Final = ("Karin <b>", "Helga & Co", "Anne", 'Karl "K"', "Klaus", "Reiner-Maximilian von und zu Hohenstein")
"""Names that would do harm if they were not escaped, and one that is long."""

WORDS: Final = Words("en")
STATIC: Final = files("kontor.games.dutchman.web").joinpath("static")
STEPS: Final = {"action", "put", "sail", "name", "propose", "answer", "again", "show", "check"}

Told = tuple[State, Any, State]
Place = tuple[State, tuple[Told, ...]]
"""State, and the steps that led to it."""


def play_randomly(
    seed: int, players: int, chart: Chart = OURS, last_steps: int = 40, checking: bool = False
) -> Iterator[Place]:
    """Yield each state of a random game, with the last ``last_steps`` steps before it.

    Players move at random, but often lay their best horseshoes, so that some of them tie.
    """
    random = Random(seed)
    state = DUTCHMAN.start(Options(players=players, chart=chart, check="on request" if checking else "never"))
    steps: list[Told] = []
    while state.mover != OVER:
        action = random_step(DUTCHMAN, state, random)
        if state.step in ("action", "again") and random.random() < 0.6:
            action = best_lay(state)
        after = DUTCHMAN.play(state, action)
        steps.append((state, action, after))
        state = after
        yield state, tuple(steps[-last_steps:])


def best_lay(state: State) -> Move:
    """Return the lay of at most two horseshoes with the highest reading, so that players tie now and then."""
    rack = state.merchants[state.mover].rack
    singles = [(shoe,) for shoe in rack] + [highest_first(pair) for pair in combinations(rack, 2)]
    lays = [Lay(lay) for lay in dict.fromkeys(singles) if sum(shoe > 20 for shoe in lay) < 2]
    return max(lays, key=lambda lay: reading(lay.horseshoes, state.lucky or 0), default=Pass())


FEW: Final = {3: 2, 4: 1, 5: 1, 6: 2}
"""Most states of a step, by the number of players; there are more of the least and the most players."""


@cache
def places() -> tuple[Place, ...]:
    """Return some states of every kind of step, from games of every size, and the ends of those games."""
    counted: Counter[tuple[str, int]] = Counter()
    listed = []
    for players in (3, 4, 5, 6):
        for seed in range(3):
            for state, steps in play_randomly(10 * players + seed, players, checking=seed == 2):
                counted[state.step, players] += 1
                few = counted[state.step, players] <= FEW[players] or (seed == 2 and state.step == "lucky")
                if few or state.step == "over":
                    listed.append((state, steps))
    assert {state.step for state, _ in listed} >= STEPS | {"over"}
    return tuple(listed)


@cache
def whole_games() -> tuple[tuple[Told, ...], ...]:
    """Return all steps of some games, of every size."""
    games = []
    for players in (3, 4, 5, 6):
        for seed in range(4):
            *_, (_, steps) = play_randomly(50 * players + seed, players, last_steps=10_000, checking=seed == 3)
            games.append(steps)
    assert any(merchant.bankrupt for steps in games for merchant in steps[-1][2].merchants)
    return tuple(games)


def by_all_eyes(steps: Sequence[Told]) -> list[list[Seen]]:
    """Return a game as each of its seats saw it."""
    return [
        [
            (number, DUTCHMAN.event(*step, seat), DUTCHMAN.view(step[0], seat), DUTCHMAN.view(step[2], seat))
            for number, step in enumerate(steps, 2)
        ]
        for seat in range(len(steps[0][0].merchants))
    ]


def at_turns(*steps: str) -> list[State]:
    return [state for state, _ in places() if state.step in steps]


def events(steps: Sequence[Told], seat: int | None) -> list[Seen]:
    """Return what the seat sees of the steps since its last move."""
    seen = [
        (number, DUTCHMAN.event(*step, seat), DUTCHMAN.view(step[0], seat), DUTCHMAN.view(step[2], seat))
        for number, step in enumerate(steps, 2)
    ]
    own = [place for place, (_, event, _, _) in enumerate(seen) if event.seat == seat and seat is not None]
    return seen[own[-1] + 1 :] if own else seen


@cache
def pages() -> Pages:
    return Pages()


READER: Final = Visitor(nobody, "", "en", "", "", False, "/", False)


def html(view: View, moves: Sequence[Move] = (), last: Sequence[Seen] = (), tale: Tale | None = None) -> str:
    return pages().text(READER, board_of(view, moves, last, tale))


def board_of(view: View, moves: Sequence[Move], last: Sequence[Seen], tale: Tale | None) -> Board:
    names = NAMES[: len(view.players)]
    return Board(
        table=PositionShown(
            game="dutchman",
            title="",
            subtitle="",
            address="/tables/abc",
            seat=view.seat,
            my_turn=bool(moves),
            over=view.mover == OVER,
            names=names,
            headline="",
        ),
        own=context(WORDS, names, view, moves, last),
        fields=Markup('<input type="hidden" name="number" value="7">'),
        moves_url="/tables/abc/moves",
        rule_url=lambda rule: f"/rules/dutchman#{rule}",
        tale=tale,
    )


def mover_html(state: State) -> str:
    return html(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state))


def submit_values(root: Element) -> set[str]:
    """Return the values of all buttons that send the form."""
    return {element["value"] for element in root.find("button", name="move")}


def values(root: Element, name: str) -> list[str]:
    return [element["value"] for element in root.find("input", name=name)]
