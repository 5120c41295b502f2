"""Prepared game of the Holländer, in which everything happens that can happen at a table.

Two people, Anna and Bernd, and two computer players of the kind ``random`` sit in alternate seats. The seed
determines the moves of computer players and every outcome of chance. So every line of the game is known beforehand,
as long as the people make the moves of its record. The tests own the seed (``owned_seed``); the server does
everything else as always.

``prepared`` checks that the game still has everything it is for. If a change of the rules or of the players made
another game of it, run ``python -m web.prepared`` (in ``tests``): it looks for a better ``NUMBER``.
"""

import hashlib
from functools import cache
from random import Random
from typing import Any, Final

import pytest

from kontor.fair import FairDice, commitment
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Bankrupt,
    Check,
    Decline,
    Lay,
    Propose,
    Shuffle,
    State,
    Undecided,
    Waive,
    Withhold,
)
from kontor.players.uniform import choose as uniform
from kontor.records import Record, Step, ended, new_header
from kontor.server.composition import KontorServer
from kontor.tables.turn_inputs import luck_of
from kontor.tables.values import Plan, SeatPlan
from kontor.thinking.turn_tasks import random_from
from timeouts import waited_for
from web.dutchman_positions import best_lay

NUMBER: Final = 4649
OPTIONS: Final = Options(players=4, circles=1)
MOVES: Final = {*DUTCHMAN.move.__args__} - {Check, Waive}
"""Every kind of move in a game without a check (H11a)."""
NAMES: Final = ("Anna", "Robota", "Bernd", "Automa")
ANNA: Final = 0
BERND: Final = 2
PEOPLE: Final = (ANNA, BERND)


def seed_of(number: int) -> bytes:
    """Return the dealer's secret of a game."""
    return hashlib.sha256(b"a prepared game %d" % number).digest()


def owned_seed(monkeypatch: pytest.MonkeyPatch, seed: bytes) -> None:
    """Give each table opened from now on this seed, and let no share change its dice.

    Everything else stays as it is.
    """
    monkeypatch.setattr("kontor.tables.next_seeds.of_person", lambda *_: seed)
    monkeypatch.setattr("kontor.tables.salts.check_salt", lambda _: "")


@cache
def prepared() -> Record:
    """Return the game as its record will be."""
    record, missing = make_game(NUMBER)
    assert not missing, f"The prepared game lacks {missing}: look for another NUMBER, as {__name__} says."
    return record


def make_game(number: int) -> tuple[Record, str]:
    """Return the game with a number, and what it lacks."""
    seed, random = seed_of(number), Random(number)
    dice = FairDice(seed, ("",) * len(NAMES))
    state = DUTCHMAN.start(OPTIONS)
    steps: list[Step] = []
    happened: list[Any] = []
    while state.mover != OVER:
        line = len(steps) + 2
        if state.mover == CHANCE:
            action = DUTCHMAN.chance(state).draw(dice.below(line))
        elif state.mover in PEOPLE:
            action = _choice(state, random)
        else:
            action = uniform(None, DUTCHMAN.moves(state), random_from(luck_of(seed, line)))
        steps.append(Step(state.mover, action))
        state = DUTCHMAN.play(state, action)
        happened += state.happened
    players = tuple("person" if seat in PEOPLE else "random" for seat in range(len(NAMES)))
    header = new_header(
        DUTCHMAN, OPTIONS, seats=NAMES, players=players, salts=("",) * len(NAMES), commitment=commitment(seed)
    )
    result = DUTCHMAN.result(state)
    assert result
    return ended(Record(header, tuple(steps)), seed, result), _missing(steps, happened)


def _missing(steps: list[Step], happened: list[Any]) -> str:
    if not any(
        isinstance(happening, Agreed) and set(happening.tied) == set(PEOPLE) and any(happening.ducats)
        for happening in happened
    ):
        return "a bargain between the two people, with a payment"
    if not any(isinstance(happening, Undecided) and set(happening.tied) == set(PEOPLE) for happening in happened):
        return "a deciding round between the two people"
    after = [step.seat for step in steps[_place_of(Shuffle, steps) :]]
    if (
        next((happening.seats for happening in happened if isinstance(happening, Bankrupt)), ()) != (BERND,)
        or ANNA not in after
    ):
        return "the bankruptcy of Bernd, while Anna plays on"
    if {type(step.action) for step in steps if step.seat in PEOPLE} != MOVES:
        return "some kind of move"
    return ""


def _place_of(kind: type, steps: list[Step]) -> int:
    return next((place for place, step in enumerate(steps) if isinstance(step.action, kind)), len(steps))


def _choice(state: State, random: Random) -> Any:
    """Return a move of Anna or Bernd, who try to tie, and then like to bargain."""
    moves = DUTCHMAN.moves(state)
    if state.step in ("action", "again"):
        if random.random() < 0.7 and state.merchants[state.mover].rack:
            return best_lay(state)
        return random.choice([move for move in moves[:3] if not isinstance(move, Lay)] or [moves[0]])
    if state.step == "answer":
        return Accept() if random.random() < 0.6 else Decline()
    if state.step == "propose" and state.bargain:
        if random.random() < 0.35:
            return Withhold()
        tied = state.bargain.tied
        pays, gets = tied.index(state.mover), random.choice([seat for seat in tied if seat != state.mover])
        ducats = [0] * len(tied)
        ducats[pays] = -min(state.merchants[state.mover].cash, random.randrange(1, 4))
        ducats[tied.index(gets)] = -ducats[pays]
        return Propose(random.choice(state.sea.ahead[state.dutchman][state.came_from]), tuple(ducats))
    return moves[random.randrange(len(moves))]


PLAN: Final = Plan(
    "dutchman",
    OPTIONS,
    (
        SeatPlan("me"),
        SeatPlan("machine", NAMES[1], "random"),
        SeatPlan("open"),
        SeatPlan("machine", NAMES[3], "random"),
    ),
    tempo="at once",
)


def prepared_table(
    monkeypatch: pytest.MonkeyPatch, service: KontorServer, anna: str, bernd: str | None = None, plan: Plan = PLAN
) -> str:
    """Open a table at which the prepared game begins. Anna and Bernd are ids of people."""
    with monkeypatch.context() as patch:
        owned_seed(patch, seed_of(NUMBER))
        table = service.opening.open(anna, plan)
    if bernd:
        service.opening.sit(table, BERND, bernd)
    return table


def brought_to(service: KontorServer, table: str, line: int) -> None:
    """Let the server play the people's moves of the prepared game, up to a line."""
    for number, step in lines(service.tables.info(table).number, line):
        if step.seat in PEOPLE:
            at_line(service, table, number - 1)
            service.moves.play(table, step.seat, number - 1, step.action)
    at_line(service, table, line)


def lines(after: int = 1, last: int | None = None) -> list[tuple[int, Step]]:
    """Return the steps after one line and up to another, with the numbers of their lines."""
    return list(enumerate(prepared().steps, 2))[after - 1 : last and last - 1]


def at_line(service: KontorServer, table: str, line: int) -> None:
    """Wait until the computer players have brought the game to a line."""
    waited_for(lambda: service.tables.info(table).number >= line)
    assert service.tables.info(table).number == line, "this is not the prepared game any more"


if __name__ == "__main__":
    good = [number for number in range(10_000) if not make_game(number)[1]]
    print(sorted((len(make_game(number)[0].steps), number) for number in good)[:10])  # noqa: T201 (it is asked for)
