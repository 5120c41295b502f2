"""Lessons of ``swift`` from its own games: chances to win between rounds, and a policy within rounds."""

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import numpy as np
import pytest

from batch.groups import OF_DUTCHMAN
from bench import demanding
from bench.pool import SHIPPED, make_generations, pool
from kontor.game import OVER
from kontor.games.dutchman.batch import SIMULATED_DUTCHMAN
from kontor.games.dutchman.batch.layout import STEPS
from kontor.games.dutchman.batch.states import write
from kontor.games.dutchman.players import greedy, values
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.state import Accept, Decline, Propose
from kontor.work import executor_of
from players.decisions import decisions, of_every_step
from players.slopes import hold_against_differences
from training.__main__ import run
from training.dutchman import first_generation, gauging, generations, self_play
from training.dutchman.gauging import gauge
from training.dutchman.generations import targets, train
from training.dutchman.imitation import as_greedy, fitted, gradient, likelihoods
from training.dutchman.learned import Learned, shipped
from training.dutchman.lessons import lesson_of
from training.dutchman.policy.describing import DESCRIBED, MOST
from training.dutchman.policy.imitating import IMITATED, POLICY_SHAPES, describe_moves, policy_of, weigh_moves
from training.dutchman.policy.thought import thought_of
from training.dutchman.self_play import Choices, as_one, choices, game, games
from training.trainers import BeliefError, Gauged

pytestmark = [OF_DUTCHMAN, pytest.mark.long]

SEATS: Final = (3, 4, 6)


def described(state: State) -> tuple[Any, list[int]]:
    """Return the features and the numbers of the described moves."""
    rows = np.zeros(1, DESCRIBED)
    count = describe_moves(np.array([write(state)]), rows, thought_of(state.options))
    return [rows["common"][0].tolist(), rows["own"][0, :count].tolist()], rows["action"][0, :count].tolist()


def imitated(players: int) -> list[State]:
    return [state for state in of_every_step(Options(players)) if state.step in IMITATED]


def chosen_in_a_game(seed: int, players: int = 4) -> dict[int, Choices]:
    """Return what ``greedy`` chooses in a game that reaches all kinds of states."""
    chosen = []
    for state in decisions(Options(players), seed):
        if state.step in IMITATED:
            view = DUTCHMAN.view(state, state.mover)
            chosen.append((state, greedy.choose(view, DUTCHMAN.moves(state), Random(0))))
    return choices(shipped(), chosen)


@pytest.mark.parametrize("players", SEATS)
def test_the_moves_described_are_legal_and_what_greedy_takes_is_among_them(players: int) -> None:
    options, seen = Options(players), set()
    for state in (*decisions(options, 0), *decisions(options, 1), *of_every_step(options)):
        if state.step not in IMITATED:
            continue
        seen.add(state.step)
        ((_, own), actions), moves = described(state), DUTCHMAN.moves(state)
        legal = [SIMULATED_DUTCHMAN.move_of(state, action) for action in actions]
        assert len(set(legal)) == len(legal)
        assert all(move in moves for move in legal)
        taken = greedy.choose(DUTCHMAN.view(state, state.mover), moves, Random(0))
        assert taken in legal, state
        if state.step in ("action", "put", "sail", "again"):
            assert own[legal.index(taken)][0] == 0, "the best stands above nobody"
        assert all(move[0] <= 0 for move in own) or state.step == "answer"
    assert seen == {*IMITATED}


@pytest.mark.parametrize("players", SEATS)
def test_descriptions_hang_on_what_the_mover_may_know_alone(players: int) -> None:
    for state in imitated(players):
        twin = DUTCHMAN.imagine(DUTCHMAN.view(state, state.mover), Random(29).randrange)
        assert described(twin) == described(state), state.step


def test_kernels_hold_moves_to_be_as_likely_as_numpy_does() -> None:
    learned = shipped()
    for state in imitated(4):
        features = np.zeros(1, DESCRIBED)
        likely = np.zeros(MOST)
        row, tools = np.array([write(state)]), learned.tools(state.options)
        count = weigh_moves(row, likely, tools.policies.copy(), tools.thoughts.copy())
        assert count == describe_moves(row, features, tools.thoughts.copy())
        step = STEPS.index(state.step)
        one = Choices(
            features["common"], features["own"][:, :count], np.ones((1, count), np.bool_), np.zeros(1, np.int64)
        )
        weights = {name: learned.arrays[name][step] for name in POLICY_SHAPES}
        np.testing.assert_allclose(likely[:count], likelihoods(weights, one)[0], atol=1e-5, err_msg=state.step)
        assert likely.sum() == pytest.approx(1)


def test_a_policy_begins_as_greedy() -> None:
    beginning = as_greedy()
    for step, some in chosen_in_a_game(3).items():
        if STEPS[step] not in ("answer", "name"):
            likely = likelihoods({name: weight[step] for name, weight in beginning.items()}, some)
            assert likely[np.arange(len(some.chosen)), some.chosen].min() > 0.3, STEPS[step]  # shared by equals


def test_the_gradient_is_that_of_the_log_loss() -> None:
    generator = np.random.default_rng(3)
    some = next(iter(chosen_in_a_game(1).values()))
    some = Choices(some.common.astype(np.float64), some.own.astype(np.float64), some.present, some.chosen)
    weights: Any = {name: generator.standard_normal(shape[1:]) / 3 for name, shape in POLICY_SHAPES.items()}
    _, slope = gradient(weights, some)
    hold_against_differences(slope, weights, lambda moved: gradient(moved, some)[0], generator)


def test_a_policy_is_learned_from_choices() -> None:
    """Check that the policy predicts moves of an unseen game better than a uniform guess."""
    step = STEPS.index("action")
    unseen, *several = [chosen_in_a_game(seed)[step] for seed in range(20)]
    progress: list[tuple[int, int]] = []
    policy = fitted(
        {step: as_one(several)}, np.random.default_rng(1), lambda done, total: progress.append((done, total))
    )
    loss, _ = gradient({name: weight[step] for name, weight in policy.items()}, unseen)
    assert loss < 0.9 * np.log(unseen.present.sum(axis=1)).mean()
    assert progress[-1][0] == progress[-1][1] == len(progress)
    other = STEPS.index("sail")
    assert all((policy[name][other] == as_greedy()[name][other]).all() for name in POLICY_SHAPES)


def test_targets_lie_between_what_came_and_what_was_said_of_the_next_round() -> None:
    played = game(shipped(), 4, Random(8))
    lesson = lesson_of(played, 0)
    aims, chances = targets(values.weights(), lesson), values.chances(played.states)
    np.testing.assert_allclose(aims.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(aims[-1], played.shares)
    for place, (aim, following) in enumerate(pairwise(aims)):
        np.testing.assert_allclose(aim, 0.85 * following + 0.15 * chances[place + 1], atol=1e-4)


def test_games_are_the_same_whatever_jobs_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_play, "CHUNK", 3)
    learned, progress = Learned({**values.weights(), **as_greedy()}), []
    one = games(4, 1, learned, range(5), 1, lambda done, total: progress.append((done, total)))
    other = games(4, 1, learned, range(5), 2, lambda done, total: None)
    assert progress == [(3, 5), (5, 5)]
    assert one.lessons.keys() == other.lessons.keys() == {3, 4, 5, 6}
    assert one.choices.keys() == other.choices.keys() == {STEPS.index(step) for step in IMITATED}
    for parts, again in ((one.lessons, other.lessons), (one.choices, other.choices)):
        for key, part in parts.items():
            np.testing.assert_equal(tuple(part), tuple(again[key]))


def test_a_game_is_played_to_the_end_and_told_from_the_first_round_without_odd_moves_on() -> None:
    played = game(shipped(), 3, Random(2))
    assert played.shares.sum() == 1
    assert [state.step for state in played.states] == ["lucky"] * len(played.states)
    assert all(move in DUTCHMAN.moves(state) for state, move in played.decisions)
    assert played.decisions[-1][0].mover != OVER
    assert min(state.round for state, _ in played.decisions) >= played.states[0].round


@pytest.mark.long
def test_training_makes_all_that_swift_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train two generations on ten games each, of which five are kept apart; ``swift`` tries moves in few states."""
    monkeypatch.setattr(generations, "GENERATIONS", (1, 1))
    monkeypatch.setattr(generations, "KEPT_APART", 2)
    monkeypatch.setattr(first_generation, "KEPT_APART", 2)
    monkeypatch.setattr(self_play, "TRIALS", 8)
    monkeypatch.setattr(self_play, "FEWEST", 2)
    stages = set()
    trained = train(1, 0.0002, 1, lambda stage, done, total: stages.add(stage))
    assert stages == {"games played", "steps of learning"}
    shapes = {name: array.shape for name, array in shipped().arrays.items()}
    assert {name: array.shape for name, array in Learned(trained).arrays.items()} == shapes
    assert trained["log_loss"] < 2
    assert any((trained[name] != as_greedy()[name]).any() for name in POLICY_SHAPES)
    policy_of(Learned(trained).arrays)


def test_generations_that_are_there_play_against_each_other_and_others(tmp_path: Path) -> None:
    for number in range(SHIPPED + 2):
        policy = as_greedy() if number == 0 else {}
        np.savez(tmp_path / f"{number}.npz", allow_pickle=False, **{**shipped().arrays, **policy})
    files = sorted(tmp_path.iterdir())
    make_generations(tmp_path, 1, 1.0, 1)
    assert sorted(tmp_path.iterdir()) == files
    with executor_of(1) as executor:
        lines = list(pool(tmp_path, ["1"], ["0", "1", "demanding"], 4, 4, 2026, executor))
    assert [line[:3] for line in lines] == [("1", other, 4) for other in ("0", "demanding")]
    assert [line[-4:-1] for line in lines] == [(2026, 4, 1)] * 2
    assert [len(str(line[8])) for line in lines] == [12, 0]
    for _, _, _, share, low, high, *_ in lines:
        assert 0 <= float(str(low)) <= float(str(share)) <= float(str(high)) <= 100


def test_who_demands_everything_agrees_to_little_and_pays_no_more_than_greedy() -> None:
    """Check states in which agreements are made (H9)."""
    answered, paid = [], []
    for state in (state for seed in range(6, 12) for state in decisions(Options(4), seed)):
        if state.step in ("name", "answer", "propose"):
            view, moves = DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state)
            move, other = [choose(view, moves, Random(0)) for choose in (demanding.choose, greedy.choose)]
            assert move in moves
            if isinstance(move, (Accept, Decline)):
                answered.append((isinstance(move, Accept), isinstance(other, Accept)))
            if isinstance(move, Propose) and isinstance(other, Propose) and move.to == other.to:
                me = state.bargain.tied.index(state.mover) if state.bargain else 0
                paid.append((move.ducats[me], other.ducats[me]))
    assert sum(ours for ours, _ in answered) < sum(greedys for _, greedys in answered)
    assert paid
    assert all(ours >= greedys for ours, greedys in paid)


def test_chances_told_from_views_are_gauged_the_same_whatever_jobs_is() -> None:
    progress: list[tuple[str, int, int]] = []
    gauged = gauge(1, 0.001, 1, lambda stage, done, total: progress.append((stage, done, total)))
    believing = 1  # a game of greedy, too few for the expert
    assert progress == [("games played", done, most) for most in (2, believing) for done in range(1, most + 1)]
    assert gauged == gauge(1, 0.001, 2, lambda stage, done, total: None)
    assert gauged.misses == ()
    views = sum(bucket.count for bucket in gauged.bins)
    assert 10 < views < 2 * 25
    assert all(0 <= bucket.said <= 1 and 0 <= bucket.came <= 1 for bucket in gauged.bins)


def test_the_command_tells_what_was_believed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setattr(gauging, "GAMES", 0)
    monkeypatch.setattr(gauging, "BELIEVED", {"greedy": 600})
    assert run(["gauge", "dutchman", "--effort", "0.01", "--json"]) == 0
    gauged = msgspec.json.decode(capsys.readouterr().out, type=Gauged)
    assert {error.player for error in gauged.beliefs} == {"greedy"}
    assert gauged.beliefs[0].first == 1
    assert all(isinstance(error, BeliefError) and error.first <= error.last for error in gauged.beliefs)
    assert run(["gauge", "dutchman", "--effort", "0.01"]) == 0
    output = capsys.readouterr().out
    assert "log loss" in output
    for error in (gauged.beliefs[0], gauged.beliefs[0].weighed):
        assert f"{error.log_loss:.4f}" in output
