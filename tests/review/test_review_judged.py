"""Reviews by those who judge the games in earnest."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest

from kontor.game import CHANCE
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.records import Record
from kontor.review import Review, by_thinkers, review
from kontor.thinking import Thinkers
from review.games import shanghaien_record

pytestmark = pytest.mark.xdist_group("games judged in earnest")
"""In one process, where each game is judged once."""

NEAR = 1e-5
"""Rounds before the last one are reckoned in single precision: each chance is good to seven digits, and a game has
some 150 steps."""


@cache
def judged(name: str) -> tuple[Record, Review]:
    record = shanghaien_record(name)
    return record, review(record)


@pytest.mark.parametrize("name", ["starter-by-lot.txt", "a-draw.txt"])
def test_shanghaien_luck_is_what_chance_did_and_skill_what_moves_did(name: str) -> None:
    record, found = judged(name)
    first, second = found.accounts
    changes = [(made.seat, first.at(step) - first.at(step - 1)) for step, made in enumerate(record.steps, 1)]
    by_whom: dict[int, float] = defaultdict(float)
    for seat, change in changes:
        by_whom[seat] += change
    assert first.luck == pytest.approx(by_whom[CHANCE], abs=NEAR)
    assert -first.lost == pytest.approx(by_whom[0], abs=NEAR)
    assert first.given == pytest.approx(by_whom[1], abs=NEAR)
    assert second.luck == pytest.approx(-first.luck, abs=NEAR)
    assert first.end == pytest.approx(first.start + sum(by_whom.values()), abs=NEAR)


def test_shanghaien_is_exact_in_the_last_round_and_says_so() -> None:
    _, found = judged("a-draw.txt")
    last = [one for one in found.decisions if one.round == ROUNDS]
    assert {one.exact for one in last} == {True}
    for one in last:
        assert found.accounts[one.seat].at(one.step) == pytest.approx(one.played.chance, abs=1e-12)
    assert {one.exact for one in found.decisions if one.round < ROUNDS} == {False}


@pytest.mark.process
def test_thinkers_in_other_processes_come_to_the_same_review() -> None:
    record, found = judged("a-draw.txt")
    with Thinkers(1) as thinkers:
        assert review(record, share=by_thinkers(thinkers)) == found
