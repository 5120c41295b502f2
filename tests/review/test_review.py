"""Reviews: their questions, their sums and their sentences, and that nothing depends on who thinks when."""

import dataclasses
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kontor.endings import How, early_end
from kontor.game import CHANCE
from kontor.games.dutchman.rules.state import Lay, Name, Sail, Smith
from kontor.games.shanghaien.rules import SHANGHAIEN as SHANGHAIEN_RULES
from kontor.games.shanghaien.rules.state import Options, Roll, Row, Shanghai, Starter
from kontor.players import Appraisal, Appraised, Estimate
from kontor.plugins import game_named, plugin_named
from kontor.records import GameEnding, Record, encode, ended_early
from kontor.records import replay as states_of
from kontor.review import (
    Decision,
    NotReviewable,
    Review,
    ReviewText,
    Unanswered,
    by_thinkers,
    commented,
    deserialise,
    judged,
    review,
    serialise,
)
from kontor.review.judging import judge, luck_at, parts_of
from kontor.thinking import Thinkers
from kontor.words import Words
from review.games import dutchman_record, shanghaien_record
from review.judges import DUTCHMAN_JUDGE, SHANGHAIEN_JUDGE

pytestmark = [pytest.mark.usefixtures("simple_judges"), pytest.mark.xdist_group("reviews of golden games")]
"""One process for these tests, in which each golden game is reviewed once."""

WORDS = Words("en")
SHANGHAIEN = ("starter-by-lot.txt", "first-trick-both.txt", "a-draw.txt")
DUTCHMAN = ("three-players.txt", "four-players-by-lot.txt")


@cache
def golden(name: str) -> tuple[Record, Review]:
    record = shanghaien_record(name) if name in SHANGHAIEN else dutchman_record(name)
    return record, review(record)


@pytest.mark.parametrize("name", SHANGHAIEN + DUTCHMAN)
def test_every_move_with_a_choice_is_a_decision_and_no_other(name: str) -> None:
    record, reviewed = golden(name)
    game = game_named(record.header.game)
    chosen = [
        (step, before.mover, before.round)
        for step, before in enumerate(list(states_of(record))[:-1], 1)
        if before.mover != CHANCE and len(game.moves(before)) > 1
    ]
    assert [(decision.step, decision.seat, decision.round) for decision in reviewed.decisions] == chosen
    for decision in reviewed.decisions:
        assert decision.played.move == record.steps[decision.step - 1].action
        assert decision.cost == decision.best.chance - decision.played.chance >= 0
        assert 0 <= decision.played.chance <= decision.best.chance <= 1


@pytest.mark.parametrize("name", SHANGHAIEN + DUTCHMAN)
def test_result_less_start_is_luck_less_own_costs_plus_the_others(name: str) -> None:
    record, reviewed = golden(name)
    assert isinstance(record.ending, GameEnding)
    winners = record.ending.result.winners
    for account in reviewed.accounts:
        assert account.end == (1 / len(winners) if account.seat in winners else 0)
        balance = account.luck - account.lost + account.given + account.amended
        assert account.end - account.start == pytest.approx(balance, abs=1e-12)
        assert account.adjusted == account.end - account.luck
        if reviewed.hidden:
            assert account.amended == 0
        own = [decision.cost for decision in reviewed.decisions if decision.seat == account.seat]
        assert account.lost == pytest.approx(sum(own), abs=1e-12)
        assert reviewed.hidden == (name in DUTCHMAN)
        assert account.given == (0 if reviewed.hidden else pytest.approx(reviewed.accounts[1 - account.seat].lost))


@pytest.mark.parametrize("name", SHANGHAIEN)
def test_where_all_lies_open_luck_and_amendments_are_exactly_what_chance_changed(name: str) -> None:
    record, reviewed = golden(name)
    for account in reviewed.accounts:
        changes = [
            account.at(step) - account.at(step - 1)
            for step, made in enumerate(record.steps, 1)
            if made.seat == CHANCE
        ]
        assert account.luck + account.amended == pytest.approx(sum(changes), abs=1e-9)
    first, second = reviewed.accounts
    assert first.luck == pytest.approx(-second.luck, abs=1e-12)
    assert first.amended == pytest.approx(-second.amended, abs=1e-12)
    for step in range(reviewed.steps + 1):
        assert first.at(step) == pytest.approx(1 - second.at(step), abs=1e-9)


def test_luck_is_what_came_less_the_mean_of_what_could_whatever_was_said_before() -> None:
    """Check a judge who is wrong before chance acts (for each starter, and each roll).

    It makes nobody lucky: its values before chance are corrected.
    """

    class Wrong:
        def value(self, view: Any, random: Random) -> Estimate:
            if view.mover == CHANCE:
                return Estimate(0.9 if view.seat else 0.1, False)
            return Estimate((view.seat + (-1) ** view.seat * (view.roll or (2,))[0] / 6), False)

        def appraise(self, view: Any, moves: Sequence[Any], random: Random, played: Any = None) -> Appraisal:
            return Appraisal((Appraised(played, self.value(view, random).chance),), False)

    game, state = game_named("shanghaien"), SHANGHAIEN_RULES.start(Options())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kontor.review.judging.judge_named", lambda name: Wrong())
        state = game.play(game.play(state, Starter(0)), Row(tuple(game.start(Options()).to_come[:6])))
        rolling = game.play(state, Roll())
        for seat in (0, 1):
            for before in (game.start(Options()), rolling):
                lucks = [
                    (float(probability), luck_at(game, before, outcome, seat, Random(1)))
                    for outcome, probability in game.chance(before).outcomes() or ()
                ]
                assert sum(probability * luck for probability, luck in lucks) == pytest.approx(0, abs=1e-12)
        changes = [luck for _, luck in lucks]
        assert max(changes) > 0.1 > -0.1 > min(changes)


@pytest.mark.parametrize("name", [SHANGHAIEN[0], DUTCHMAN[0]])
def test_a_review_can_be_packed_and_is_the_same_afterwards(name: str) -> None:
    _, reviewed = golden(name)
    data = serialise(reviewed)
    assert deserialise(data) == reviewed
    for damaged in (b"", data[:-1], b"\xc0", data.replace(b"played", b"flayed")):
        with pytest.raises(msgspec.DecodeError):
            deserialise(damaged)


@pytest.mark.parametrize("name", [SHANGHAIEN[0], DUTCHMAN[0]])
def test_a_review_follows_from_the_record_alone_whoever_thinks_in_what_order(name: str) -> None:
    record, reviewed = golden(name)

    def backwards(work: Any, matters: Sequence[bytes]) -> Any:
        return reversed([work(matter) for matter in reversed(matters)])

    steps: list[tuple[int, int]] = []
    assert review(record, lambda done, of: steps.append((done, of)), backwards) == reviewed
    assert [done for done, _ in steps] == list(range(1, len(steps) + 1))
    assert len({of for _, of in steps}) == 1
    assert steps[-1][0] <= steps[-1][1]


@pytest.mark.parametrize("name", [SHANGHAIEN[0], DUTCHMAN[0]])
def test_the_numbers_of_a_review_are_the_same_without_explanations(name: str) -> None:
    record, reviewed = golden(name)
    unexplained = [replace(account, dearest=()) for account in reviewed.accounts]
    assert judged(record) == replace(reviewed, accounts=tuple(unexplained))


@pytest.mark.long
def test_thinkers_give_what_one_process_alone_gives() -> None:
    record, _ = golden(SHANGHAIEN[0])
    matters = [encode(record), b"?"]
    with Thinkers(2) as thinkers:
        assert list(by_thinkers(thinkers, low_priority=True)(_backwards, matters)) == list(map(_backwards, matters))


def _backwards(matter: bytes) -> bytes:
    return matter[::-1]


def test_a_thinker_that_fails_is_told_in_a_sentence() -> None:
    with Thinkers(1) as thinkers, pytest.raises(Unanswered, match="The computation failed: ZeroDivisionError at"):
        list(by_thinkers(thinkers)(_stumbling, [b"", b""]))


def _stumbling(matter: bytes) -> bytes:
    return bytes(1 // len(matter))


def test_parts_are_rounds_where_all_lies_open_and_else_single_questions() -> None:
    for name, one_by_one in ((SHANGHAIEN[0], False), (DUTCHMAN[0], True)):
        record, reviewed = golden(name)
        parts = parts_of(game_named(record.header.game), b"", list(states_of(record)), reviewed.hidden)
        assert len(parts) == (sum(len(part.questions) for part in parts) if one_by_one else len(reviewed.begins))


def test_a_seat_of_the_hollaender_is_judged_by_its_own_view_of_that_time() -> None:
    record, _ = golden(DUTCHMAN[0])
    game = game_named("dutchman")
    seen: list[tuple[Any, Any]] = []

    class Spy:
        def value(self, view: Any, random: Random) -> Estimate:
            seen.append((view, None))
            return DUTCHMAN_JUDGE.value(view, random)

        def appraise(self, view: Any, moves: Sequence[Any], random: Random, played: Any = None) -> Appraisal:
            seen.append((view, played))
            return DUTCHMAN_JUDGE.appraise(view, moves, random, played)

    states = list(states_of(record))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kontor.review.judging.judge_named", lambda name: Spy())
        parts = parts_of(game, encode(record), states, True)
        for part in parts:
            judge(msgspec.msgpack.encode(part))
    questions = [question for part in parts for question in part.questions if question.step < len(record.steps)]
    assert len(seen) == len(questions)
    for question, (view, played) in zip(questions, seen, strict=True):
        assert view == game.view(states[question.step], question.seat)
        assert played == (record.steps[question.step].action if question.decision else None)


def test_a_move_that_seems_better_than_the_best_is_the_best() -> None:
    class Moody:
        def value(self, view: Any, random: Random) -> Estimate:
            return SHANGHAIEN_JUDGE.value(view, random)

        def appraise(self, view: Any, moves: Sequence[Any], random: Random, played: Any = None) -> Appraisal:
            others = [Appraised(move, 0.3) for move in moves if move != played]
            return Appraisal((*others, Appraised(played, 0.4)), False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kontor.review.judging.judge_named", lambda name: Moody())
        reviewed = review(shanghaien_record(SHANGHAIEN[0]))
    assert all(decision.best == decision.played and decision.cost == 0 for decision in reviewed.decisions)


@pytest.mark.parametrize(
    ("name", "how", "steps"),
    [(SHANGHAIEN[0], "resigned", 60), (SHANGHAIEN[0], "agreed", 2), (DUTCHMAN[0], "agreed", 25)],
)
def test_a_game_that_was_ended_early_is_reviewed_as_far_as_it_went(name: str, how: How, steps: int) -> None:
    complete, full_review = golden(name)
    assert complete.ending
    states = list(states_of(complete))
    steps = next(at for at in range(steps, len(states)) if states[at].mover >= 0)
    shortened = replace(complete, steps=complete.steps[:steps], ending=None)
    seats = len(complete.header.seats)
    reviewed = review(ended_early(shortened, bytes.fromhex(complete.ending.seed), early_end(how, 1, seats)))
    assert reviewed.steps == steps
    expected = [(decision.step, decision.seat) for decision in full_review.decisions if decision.step <= steps]
    assert [(decision.step, decision.seat) for decision in reviewed.decisions] == expected
    for account in reviewed.accounts:
        assert 0 <= account.end <= 1
        balance = account.luck - account.lost + account.given + account.amended
        assert account.end - account.start == pytest.approx(balance, abs=1e-12)


def test_what_is_not_over_is_not_reviewed_nor_what_nobody_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    record, _ = golden(SHANGHAIEN[0])
    with pytest.raises(NotReviewable, match="not over yet"):
        review(replace(record, ending=None))
    unjudged = dataclasses.replace(plugin_named("shanghaien"), judge="")
    monkeypatch.setattr("kontor.plugins.plugins", lambda: {"shanghaien": unjudged})
    with pytest.raises(NotReviewable, match="nothing that can judge"):
        review(record)


# --------------------------------------------------------------------------------------------------- sentences


def explained_mistakes(name: str) -> list[tuple[Decision, str]]:
    """Return the costliest mistakes of a golden game, each with all its sentences."""
    record, reviewed = golden(name)
    teller = ReviewText(WORDS, record.header.seats, record, reviewed)
    return [
        (one.decision, " ".join([f"{one.played} / {one.better}.", one.verdict, *one.reasons]))
        for account in reviewed.accounts
        for one in teller.dearest(account)
    ]


@pytest.mark.parametrize("name", SHANGHAIEN + DUTCHMAN)
def test_the_three_dearest_moves_of_each_are_explained_each_better_move_once(name: str) -> None:
    """Check that a move that would have been better several times is explained once.

    It is explained by its costliest decision, with the number of times; the highest total cost comes first.
    """
    record, reviewed = golden(name)
    teller = ReviewText(WORDS, record.header.seats, record, reviewed)
    for account in reviewed.accounts:
        costs: defaultdict[Any, list[Decision]] = defaultdict(list)
        for one in reviewed.decisions:
            if one.seat == account.seat and one.cost >= 0.01:
                costs[one.best.move].append(one)
        dear = sorted(costs.values(), key=lambda same: -sum(one.cost for one in same))[:3]
        explained = teller.dearest(account)
        assert [reviewed.decision(mistake.step).cost for mistake in account.dearest] == [
            max(one.cost for one in same) for same in dear
        ]
        for mistake, same in zip(explained, dear, strict=True):
            assert {mistake.decision.step, *(other.step for other in mistake.again)} == {each.step for each in same}
            again = len(same) - 1
            assert (f" {again} more time" in mistake.repeated) == (again > 0)
    for decision, sentence in explained_mistakes(name):
        assert f"{round(100 * decision.best.chance)}%" in sentence
        assert "{" not in sentence


def test_a_review_of_an_older_kontor_is_told_with_each_better_move_once_too() -> None:
    record, reviewed = golden("three-players.txt")
    teller = ReviewText(WORDS, record.header.seats, record, reviewed)
    account = next(
        account for account in reviewed.accounts if any(mistake.again for mistake in teller.dearest(account))
    )
    repeated = next(mistake for mistake in teller.dearest(account) if mistake.again)
    turn = next(mistake for mistake in account.dearest if mistake.step == repeated.decision.step)
    older = replace(account, dearest=(turn, replace(turn, step=repeated.again[0].step)))
    assert [mistake.better for mistake in teller.dearest(older)] == [repeated.better]


def test_every_move_can_be_told_in_a_few_words() -> None:
    for name in SHANGHAIEN + DUTCHMAN:
        record, reviewed = golden(name)
        teller = ReviewText(WORDS, record.header.seats, record, reviewed)
        for decision in reviewed.decisions:
            assert 3 <= len(teller.played(decision)) <= 110
            assert teller.better(decision)


def test_s9_ending_the_round_is_explained_by_the_cards_it_would_have_brought() -> None:
    late = [text for name in SHANGHAIEN for one, text in explained_mistakes(name) if one.best.move == Shanghai()]
    early = [text for name in SHANGHAIEN for one, text in explained_mistakes(name) if one.played.move == Shanghai()]
    assert late
    assert early
    assert all("Ending the round brings" in text for text in late)
    assert all("Ending the round brings" in text for text in early)
    assert all(
        one.played.move == Roll()
        for name in SHANGHAIEN
        for one, _ in explained_mistakes(name)
        if one.best.move == Shanghai()
    )


def test_h8_where_the_dutchman_would_have_gone_is_told_unless_the_move_itself_says_it() -> None:
    explained = [(one, text) for name in DUTCHMAN for one, text in explained_mistakes(name)]
    assert any(
        "The Dutchman would" in text for one, text in explained if isinstance(one.played.move, Lay | Name | Smith)
    )
    assert not any("The Dutchman would" in text for one, text in explained if isinstance(one.best.move, Sail))


@pytest.mark.parametrize("name", [SHANGHAIEN[0], DUTCHMAN[0]])
def test_a_record_with_comments_is_the_record_without_them(name: str) -> None:
    record, reviewed = golden(name)
    lines = commented(record, reviewed).splitlines(keepends=True)
    assert b"".join(line for line in lines if not line.startswith(b"#")) == encode(record)
    steps, decisions = 0, 0
    for line in lines:
        if not line.startswith(b"# "):
            steps += 1
            continue
        comment = msgspec.json.decode(line[2:])
        assert 0 <= comment["chance"] <= 1
        if "best" in comment:
            decision = reviewed.decision(comment["step"])
            assert (comment["step"], comment["seat"]) == (steps, decision.seat)  # it comes before its step
            assert comment["left"] == pytest.approx(decision.played.chance, abs=1e-6)
            decisions += 1
        else:
            assert comment["after"] == steps - 1
    assert decisions == len(reviewed.decisions)
