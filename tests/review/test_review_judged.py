"""Reviews by the real judges of the games."""

from collections import defaultdict
from functools import cache
from itertools import permutations
from random import Random
from statistics import fmean, pstdev

import pytest
from msgspec.structs import replace

from kontor.endings import early_end
from kontor.game import CHANCE
from kontor.games.shanghaien.players.judge import JUDGE
from kontor.games.shanghaien.review import drawn_evenly
from kontor.games.shanghaien.rules import SHANGHAIEN, State
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.state import Row
from kontor.records import Record, ended_early, replay
from kontor.review import Review, by_thinkers, review
from kontor.review.judging import luck_at
from kontor.thinking import Thinkers
from review.games import SEED, shanghaien_record

pytestmark = pytest.mark.xdist_group("games judged in earnest")
"""One process for these tests, in which each game is judged once."""

NEAR = 1e-5
"""Tolerance for single precision, in which rounds before the last one are computed.

Each chance is good to seven digits, and a game has some 150 steps.
"""


@cache
def judge_game() -> tuple[Record, Review]:
    """Return the golden game in which the lot named the starter, too."""
    record = shanghaien_record("starter-by-lot.txt")
    return record, review(record)


@pytest.mark.long
def test_shanghaien_luck_is_what_chance_did_and_skill_what_moves_did() -> None:
    record, reviewed = judge_game()
    first, second = reviewed.accounts
    changes = [(made.seat, first.at(step) - first.at(step - 1)) for step, made in enumerate(record.steps, 1)]
    by_whom: dict[int, float] = defaultdict(float)
    for seat, change in changes:
        by_whom[seat] += change
    assert first.luck + first.amended == pytest.approx(by_whom[CHANCE], abs=NEAR)
    assert -first.lost == pytest.approx(by_whom[0], abs=NEAR)
    assert first.given == pytest.approx(by_whom[1], abs=NEAR)
    assert second.luck == pytest.approx(-first.luck, abs=NEAR)
    assert first.end == pytest.approx(first.start + sum(by_whom.values()), abs=NEAR)


def test_no_kind_of_chance_in_shanghaien_makes_anybody_lucky_on_average() -> None:
    """Check the lot for the starter, rolls, and rolls by *reroll* (S8d): luck times probability sums to 0."""
    seen: set[str] = set()
    for name in ("starter-by-lot.txt", "first-trick-both.txt"):
        for state in replay(shanghaien_record(name)):
            if state.mover == CHANCE and state.step not in {"row", *seen}:
                seen.add(state.step)
                _check_mean(state)
    assert seen == {"starter", "roll", "reroll"}


def _check_mean(state: State) -> None:
    outcomes = SHANGHAIEN.chance(state).outcomes()
    assert outcomes
    for seat in (0, 1):
        total = sum(
            float(probability) * luck_at(SHANGHAIEN, state, outcome, seat, Random(1))
            for outcome, probability in outcomes
        )
        assert total == pytest.approx(0, abs=1e-7)


@pytest.mark.long
def test_no_row_of_shanghaien_makes_anybody_lucky_on_average() -> None:
    """Check the last round with three different cards at two places each: all 90 orders are covered."""
    start = next(state for state in replay(shanghaien_record("a-draw.txt")) if state.round == ROUNDS)
    assert start.step == "row"
    first, second, third = sorted(set(start.to_come))[:3]
    start = replace(start, to_come=(first, first, second, second, third, third))
    rows = [Row(cards) for cards in sorted(set(permutations(start.to_come)))]
    assert len(rows) == 90
    chances = {row: JUDGE.value(SHANGHAIEN.view(SHANGHAIEN.play(start, row), 0), Random(1)).chance for row in rows}
    mean, spread = fmean(chances.values()), pstdev(chances.values())
    random = Random(3)
    drawn = [drawn_evenly(SHANGHAIEN.view(start, None), 6, random.randrange) for _ in range(500)]
    means = [fmean(chances[row] for row in six) for six in drawn]
    assert {len(six) for six in drawn} == {6}
    assert fmean(means) == pytest.approx(mean, abs=4 * spread / 3000**0.5)


def test_rows_drawn_evenly_lay_out_the_whole_pile() -> None:
    start = next(
        state for state in replay(shanghaien_record("a-draw.txt")) if state.step == "row" and state.round == 3
    )
    rows = drawn_evenly(SHANGHAIEN.view(start, None), 12, Random(1).randrange)
    assert len(rows) == 12
    for laid in (rows[:6], rows[6:]):
        assert sorted(card for row in laid for card in row.cards) == sorted(start.to_come)


@pytest.mark.long
def test_shanghaien_is_exact_in_the_last_round_and_says_so() -> None:
    _, reviewed = judge_game()
    last = [decision for decision in reviewed.decisions if decision.round == ROUNDS]
    assert {decision.exact for decision in last} == {True}
    for one in last:
        assert reviewed.accounts[one.seat].at(one.step) == pytest.approx(one.played.chance, abs=1e-12)
    assert {decision.exact for decision in reviewed.decisions if decision.round < ROUNDS} == {False}


@pytest.mark.process
def test_thinkers_in_other_processes_come_to_the_same_review() -> None:
    """Check a game that was ended in its first round."""
    record = shanghaien_record("starter-by-lot.txt")
    steps = next(step for step, state in enumerate(replay(record)) if step > 20 and state.mover >= 0)
    record = ended_early(replace(record, steps=record.steps[:steps], ending=None), SEED, early_end("agreed", 0, 2))
    with Thinkers(1) as thinkers:
        assert review(record, share=by_thinkers(thinkers)) == review(record)
