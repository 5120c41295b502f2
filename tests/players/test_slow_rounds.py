"""Two slow checks of Shanghaien's last rounds, one with the engine and one from the rules.

They agree with each other, and the judge agrees with the engine, in every position and for every move.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.games.shanghaien.rules.components import ROUNDS, TRICKS, Trick, TrickCounts
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker, totals
from kontor.games.shanghaien.rules.state import State
from kontor.players import judge_named
from players.slow_endgame import SlowEndgame
from players.slow_round import Position, SlowRound
from profiles import extended_after


@dataclass(frozen=True)
class Use:
    trick: Trick | None = None
    nation: Any = None


def uses_of(state: State, seat: int) -> list[Use]:
    """Return the uses of a seat (S8): none; and each half of each trick card in hand, if no trick was used."""
    crew = state.crews[seat]
    uses = [Use()]
    if not state.spent[seat]:
        for trick in TRICKS:
            if trick in crew.tricks:
                uses.append(Use(trick))
                uses.extend(Use(trick, nation) for nation in crew.nations)
    return uses


def use_trick(crew: Crew, use: Use) -> Crew:
    if use.trick is None:
        return crew
    tricks = list(crew.tricks)
    tricks.remove(use.trick)
    jokers = crew.jokers if use.nation is None else (*crew.jokers, LaidJoker(use.trick, use.nation))
    return replace(crew, tricks=tuple(tricks), jokers=jokers)


def plain_worth(state: State, uses: list[list[Use]]) -> list[list[list[list[float]]]]:
    """Return seat 0's chance to win by the scores (S11, S12), for each use, ender and way of the last round."""

    def chance(crews: tuple[Crew, Crew], way: int) -> float:
        won: tuple[list[str], list[str]] = ([], [])
        for card in state.row:
            way, taker = divmod(way, 3)
            if taker:
                won[taker - 1].append(card)
        first, second = totals((recruit(crews[0], won[0]), recruit(crews[1], won[1])))
        return (first > second) + (first == second) / 2

    def both(crews: tuple[Crew, Crew]) -> list[list[float]]:
        ways = [chance(crews, way) for way in range(3**6)]
        return [ways, ways]

    return [
        [both((use_trick(state.crews[0], mine), use_trick(state.crews[1], other))) for other in uses[1]]
        for mine in uses[0]
    ]


def recruit(crew: Crew, won: list[str]) -> Crew:
    sailors = tuple(card for card in won if len(card) == 2)
    tricks: Any = tuple(card for card in won if len(card) > 2)
    return replace(crew, sailors=crew.sailors + sailors, tricks=crew.tricks + tricks)


def last_rounds(games: int, fewest: int, options: Options, seed: int) -> Iterator[State]:
    """Yield states of random games' last rounds in which both have placed at least ``fewest`` dice.

    No seat shanghais before it has to, so that there are decisions to compare.
    """
    random = Random(seed)
    for _ in range(games):
        state = SHANGHAIEN.start(options)
        while state.mover != OVER:
            if state.mover == CHANCE:
                action: Any = SHANGHAIEN.chance(state).draw(random.randrange)
            else:
                moves = SHANGHAIEN.moves(state)
                late = state.round == ROUNDS and state.mover >= 0 and len(moves) > 1 and state.step == "turn"
                tricks = [move for move in moves if type(move).__name__ not in ("Joker", "Nudge", "Both", "Reroll")]
                # Tricks are usually kept for the last round.
                sparing = state.round < ROUNDS or random.random() < 0.8
                action = moves[0] if late else random.choice(tricks if sparing else list(moves))
            state = SHANGHAIEN.play(state, action)
            if state.round == ROUNDS and state.row and min(map(sum, state.placed)) >= fewest:
                yield state
        yield state


def slow_value(slow: SlowRound, state: State) -> float:
    """Return the value of the state by the plain recursion."""
    at = Position(state.placed, state.turn, (0, 0), state.one_at)
    if state.step == "turn":
        return slow.turn(at)
    if state.step == "both":
        raise ValueError("between a trick and its numbering")
    return slow.rolling(at) if state.roll is None else slow.rolled(at, state.roll)


@pytest.mark.long
@pytest.mark.parametrize(
    "tricks", extended_after(2, [TrickCounts(), TrickCounts(8, 0, 0), TrickCounts(0, 8, 0), TrickCounts(0, 0, 8)])
)
def test_the_two_slow_checks_agree_s4_to_s12(tricks: TrickCounts) -> None:
    compared = 0
    for state in last_rounds(4, 4, Options(tricks), seed=tricks.nudge):
        if state.step not in ("turn", "roll", "place", "reroll"):
            continue
        uses = [uses_of(state, 0), uses_of(state, 1)]
        if len(uses[0]) * len(uses[1]) > 12:
            continue
        by_engine = SlowEndgame().value(state)
        by_law = slow_value(SlowRound(plain_worth(state, uses), uses), state)
        assert by_engine == pytest.approx(by_law, abs=1e-12), state
        compared += 1
    assert compared > 10


@pytest.mark.parametrize("seed", extended_after(2, range(1, 5)))
@pytest.mark.long
def test_the_judge_is_exact_in_last_rounds_s4_to_s12(seed: int) -> None:
    judge = judge_named("shanghaien")
    tricks = (TrickCounts(), TrickCounts(8, 0, 0), TrickCounts(0, 8, 0), TrickCounts(0, 0, 8))[seed % 4]
    random = Random(seed)
    steps: set[str] = set()
    for state in last_rounds(3, 4, Options(tricks, first_trick="both" if seed > 3 else None), seed):
        slow = SlowEndgame()
        expected = slow.value(state)
        for seat in (0, 1):
            estimate = judge.value(SHANGHAIEN.view(state, seat), random)
            assert estimate.exact
            assert estimate.chance == pytest.approx(1 - expected if seat else expected, abs=1e-9), state
        if state.mover >= 0:
            check_moves(state, slow)
        steps.add(state.step)
    assert {"turn", "roll", "place", "over"} <= steps


def check_moves(state: State, slow: SlowEndgame) -> None:
    judge = judge_named("shanghaien")
    seat = state.mover
    view, moves = SHANGHAIEN.view(state, seat), SHANGHAIEN.moves(state)
    values = {move: 1 - worth if seat else worth for move, worth in slow.of_moves(state).items()}
    for move, value in values.items():
        appraisal = judge.appraise(view, moves, Random(1), move)
        assert appraisal.exact
        assert appraisal.of(move).chance == pytest.approx(value, abs=1e-9), (state, move)
        assert appraisal.best.chance == pytest.approx(max(values.values()), abs=1e-9), state
        assert values[appraisal.best.move] == pytest.approx(max(values.values()), abs=1e-9), state
