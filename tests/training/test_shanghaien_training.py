"""Training and gauging of the chances between rounds of Shanghaien."""

from itertools import permutations
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from threadpoolctl import threadpool_info, threadpool_limits

from kontor.games.shanghaien.players import values
from kontor.games.shanghaien.players.values import SHAPES, Model, Weights, between, chances
from kontor.games.shanghaien.rules import SHANGHAIEN, State, View
from kontor.games.shanghaien.rules.components import ROUNDS, ROW
from kontor.games.shanghaien.rules.state import Row
from players.random_games import start_round
from profiles import scale_examples
from training.__main__ import run
from training.shanghaien import backward_learning, fitting, gauging
from training.shanghaien.fitting import at_random, fitted
from training.shanghaien.gauging import orders
from training.shanghaien.tables import game, tables
from training.trainers import MATRIX_THREADS, Gauged, in_bins, write

Seeds = st.integers(0, 2**32)


def view_of(state: State) -> View:
    return SHANGHAIEN.view(state, None)


@pytest.fixture(scope="module")
def weights() -> Weights:
    """Return random weights: what holds for them holds for all."""
    return at_random(np.random.default_rng(7))


def some_samples(count: int, number: int) -> list[tuple[View, float]]:
    """Return tables with chances that depend on them."""
    views = [view_of(start_round(seed, number)) for seed in range(count)]
    leads = values.expected_lead(between(views))
    return [(view, float(1 / (1 + np.exp(-lead / 3)))) for view, lead in zip(views, leads, strict=True)]


@pytest.mark.parametrize("name", SHAPES)
def test_gradients_are_those_of_the_loss(name: str, weights: Weights) -> None:
    random = np.random.default_rng(3)
    rough = {key: array + random.normal(0, 0.2, array.shape) for key, array in weights.items()}
    samples = some_samples(20, 6)
    batch = fitting.Batch(samples)
    gradient = batch.gradients(rough)[name]
    for _ in range(3):
        at = tuple(random.integers(0, size) for size in SHAPES[name])
        sides = []
        for step in (1e-5, -1e-5):
            moved = {key: array.copy() for key, array in rough.items()}
            moved[name][at] += step
            sides.append(batch.loss(moved))
        assert gradient[at] == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-4, abs=1e-8), at


def test_fitting_comes_nearer_to_the_targets() -> None:
    samples = some_samples(150, 7)
    tables, targets = between([view for view, _ in samples]), np.array([target for _, target in samples])
    begun = at_random(np.random.default_rng(1))
    learned = fitted(begun, samples, 300, 0.01, np.random.default_rng(1))
    off = [np.sqrt(np.mean((chances(Model(7, some), tables) - targets) ** 2)) for some in (begun, learned)]
    assert off[1] < off[0] / 3, off


@settings(max_examples=scale_examples(10), deadline=None)
@given(Seeds)
def test_tables_to_learn_from_could_lie_there(seed: int) -> None:
    random = Random(seed)
    for start in game(random):
        for table in tables(start, random):
            assert (table.step, table.round, table.to_come) == ("row", start.round, start.to_come)
            assert len(table.to_come) == (ROUNDS + 1 - table.round) * ROW
            cards = [card for crew in table.crews for card in crew.sailors]
            for card in cards:
                assert cards.count(card) + table.to_come.count(card) <= (2 if card[1] == "3" else 1)
            for crew in table.crews:
                assert {joker.nation for joker in crew.jokers} <= set(crew.nations)


@pytest.mark.long
def test_training_gives_the_same_weights_however_many_share_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backward_learning, "TOGETHER", 1)
    progress: list[tuple[str, int, int]] = []
    effort = 2 / backward_learning.GAMES
    train = backward_learning.train
    alone, together = (train(3, effort, jobs, lambda *stage: progress.append(stage)) for jobs in (1, 2))
    assert {f"{number}/{name}" for number in range(1, ROUNDS + 1) for name in SHAPES} <= set(alone)
    for name, array in alone.items():
        assert np.array_equal(array, together[name], equal_nan=True), name
    assert progress[: len(progress) // 2] == progress[len(progress) // 2 :]
    assert all(0 < done <= total for _, done, total in progress)


@pytest.mark.long
def test_the_command_writes_weights_and_how_they_were_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.chdir(tmp_path)
    arguments = ["train", "shanghaien", "--seed", "5", "--effort", "0.001"]
    assert run(arguments) == 0
    assert "shanghaien-values.npz" in capsys.readouterr().out
    with np.load("shanghaien-values.npz") as arrays:
        assert (arrays["seed"], arrays["effort"]) == (5, 0.001)
        model = Model(8, {name: arrays[f"8/{name}"] for name in SHAPES})
    assert 0 < chances(model, between([view_of(start_round(1, 8))]))[0] < 1
    assert run(arguments) == 2
    assert "choose another name" in capsys.readouterr().err


def test_what_was_stopped_leaves_nothing(tmp_path: Path) -> None:
    def stop(*stage: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "weights.npz", "shanghaien", 1, 0.001, 1, stop)
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_training_multiplies_matrices_by_as_many_threads_on_any_machine(tmp_path: Path) -> None:
    threads: set[int] = set()
    libraries = {library["filepath"] for library in threadpool_info()}

    def matrix_threads() -> set[int]:
        """Return the threads of NumPy's library; Numba loads SciPy's later, and multiplies nothing by it."""
        blas = [library for library in threadpool_info() if library["user_api"] == "blas"]
        return {library["num_threads"] for library in blas if library["filepath"] in libraries}

    def tell(*stage: object) -> None:
        threads.update(matrix_threads())

    for cores in (1, 3):
        with threadpool_limits(cores, "blas"):
            write(tmp_path / f"{cores}.npz", "shanghaien", 1, 0.001, 1, tell)
            assert matrix_threads() == {cores}
    assert threads == {MATRIX_THREADS}
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "3.npz").read_bytes()


def test_s7_every_order_of_the_last_row_counts_once() -> None:
    cards = ("A3", "A3", "F1", "G2", "both", "nudge")
    weighted = list(orders(cards))
    assert sum(weight for _, weight in weighted) == len(set(permutations(cards))) == 360
    assert len(weighted) == 180


def test_s7_a_row_and_its_mirror_image_are_worth_the_same() -> None:
    played = start_round(4, ROUNDS)
    first, second = (replace(crew, tricks=()) for crew in played.crews)
    table = replace(played, crews=(first, second))
    row = SHANGHAIEN.chance(table).draw(Random(1).randrange)
    rows = row, Row(row.cards[::-1])
    one, other = (gauging.solved(SHANGHAIEN.play(table, some), None) for some in rows)
    assert one == pytest.approx(other, abs=1e-12)


def test_chances_told_are_held_against_what_came() -> None:
    bins = in_bins([0.02, 0.04, 0.55, 1.0], [0, 1, 1, 0.5])
    assert [bucket.count for bucket in bins] == [2, 1, 1]
    assert [bucket.said for bucket in bins] == pytest.approx([0.03, 0.55, 1])
    assert [bucket.came for bucket in bins] == [0.5, 1, 0.5]


def test_the_command_tells_errors_and_what_came(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setattr(gauging, "ROWS", 2)
    monkeypatch.setattr(gauging, "LEAST", 1)
    monkeypatch.setattr(gauging, "orders", lambda cards: [(Row(cards), 1), (Row(cards[::-1]), 1)])
    assert run(["gauge", "shanghaien", "--effort", "0.001", "--json"]) == 0
    gauged = msgspec.json.decode(capsys.readouterr().out, type=Gauged)
    assert [miss.round for miss in gauged.misses] == list(range(8, 1, -1))
    assert all(0 <= miss.rmse < 0.5 for miss in gauged.misses)
    assert sum(bucket.count for bucket in gauged.bins) == gauging.LEAST * 7
