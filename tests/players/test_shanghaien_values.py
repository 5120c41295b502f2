"""Shanghaien: the values of a round's ends, the chances between rounds, and their training."""

from __future__ import annotations

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

from kontor.cli import run
from kontor.game import OVER
from kontor.games.shanghaien.learning import training
from kontor.games.shanghaien.players import fitting, gauging, values
from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.players.fitting import at_random, fitted
from kontor.games.shanghaien.players.gauging import orders
from kontor.games.shanghaien.players.round import NOTHING, WAYS, Use
from kontor.games.shanghaien.players.tables import game, tables
from kontor.games.shanghaien.players.values import SHAPES, Model, Weights, between, chances
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State, View
from kontor.games.shanghaien.rules.components import ROUNDS, ROW, TRICKS, is_sailor
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker
from kontor.games.shanghaien.rules.state import Row
from kontor.players.training import MATRIX_THREADS, Gauged, in_bins, write
from profiles import scale_examples

Seeds = st.integers(0, 2**32)


def start_round(seed: int, number: int) -> State:
    """Return a table before the row of a round, from a random game in which any cards may be held."""
    random = Random(seed)
    options = Options(first_trick=random.choice((None, *TRICKS)))
    state = SHANGHAIEN.start(options)
    while state.step != "row" or state.round < number:
        if state.mover < 0:
            action = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            action = random.choice(SHANGHAIEN.moves(state))
        state = SHANGHAIEN.play(state, action)
    return state


def lay_row(state: State, seed: int = 0) -> State:
    """Return the state after a row is laid."""
    return SHANGHAIEN.play(state, SHANGHAIEN.chance(state).draw(Random(seed).randrange))


def view_of(state: State) -> View:
    return SHANGHAIEN.view(state, None)


def swap_seats(view: View) -> View:
    """Return a view between two rounds with the seats exchanged."""
    assert view.starter is not None
    return replace(view, crews=view.crews[::-1], starter=1 - view.starter, turn=1 - view.turn)


def end_round(state: State, uses: tuple[Use, Use], ender: int, way: int) -> State:
    """Return the state after a round, from the rules alone, card by card.

    Each seat has used a trick or none; ``way`` says who got each card of the row.
    """
    crews = [_use(crew, use) for crew, use in zip(state.crews, uses, strict=True)]
    for place, card in enumerate(state.row):
        taker = way // 3**place % 3 - 1
        if taker < 0:
            continue
        crew = crews[taker]
        if is_sailor(card):
            crews[taker] = replace(crew, sailors=(*crew.sailors, card))
        else:
            crews[taker] = replace(crew, tricks=tuple(sorted([*crew.tricks, card])))
    last = state.round == ROUNDS
    return replace(
        state,
        mover=OVER if last else -1,
        step="over" if last else "row",
        crews=(crews[0], crews[1]),
        row=(),
        starter=1 - ender,
        turn=1 - ender,
        round=state.round + (not last),
    )


def _use(crew: Crew, use: Use) -> Crew:
    if use.trick is None:
        return crew
    tricks = list(crew.tricks)
    tricks.remove(use.trick)
    jokers = (*crew.jokers, LaidJoker(use.trick, use.nation)) if use.nation else crew.jokers
    return replace(crew, tricks=tuple(tricks), jokers=jokers)


@pytest.fixture(scope="module")
def weights() -> Weights:
    """Return random weights: what holds for them holds for all."""
    return at_random(np.random.default_rng(7))


# -------------------------------------------------------------------------------------------------- ends of a round


@settings(max_examples=scale_examples(25), deadline=None)
@given(Seeds, st.data())
def test_s11_s12_the_end_of_the_last_round_is_worth_what_the_rules_say(seed: int, data: st.DataObject) -> None:
    state = lay_row(start_round(seed, ROUNDS), seed)
    end_values = ends(view_of(state))
    assert end_values.worth.shape == (len(end_values.uses[0]), len(end_values.uses[1]), 2, WAYS)
    for _ in range(8):
        first, second = (data.draw(st.integers(0, len(uses) - 1)) for uses in end_values.uses)
        ender, way = data.draw(st.integers(0, 1)), data.draw(st.integers(0, WAYS - 1))
        uses = end_values.uses[0][first], end_values.uses[1][second]
        result = SHANGHAIEN.result(end_round(state, uses, ender, way))
        assert result
        share = (0 in result.winners) / len(result.winners)
        assert end_values.worth[first, second, ender, way] == share, (uses, way, result.points)


@settings(max_examples=scale_examples(25), deadline=None)
@given(Seeds, st.integers(1, ROUNDS - 1), st.data())
def test_s10_before_it_an_end_is_worth_the_table_at_the_start_of_the_next_round(
    weights: Weights, seed: int, number: int, data: st.DataObject
) -> None:
    state = lay_row(start_round(seed, number), seed)
    model = Model(number + 1, weights)
    end_values = ends(view_of(state), model)
    for _ in range(8):
        first, second = (data.draw(st.integers(0, len(uses) - 1)) for uses in end_values.uses)
        ender, way = data.draw(st.integers(0, 1)), data.draw(st.integers(0, WAYS - 1))
        uses = end_values.uses[0][first], end_values.uses[1][second]
        table = view_of(end_round(state, uses, ender, way))
        worth = chances(model, between([table]))[0]
        assert end_values.worth[first, second, ender, way] == pytest.approx(worth, abs=2e-6), (uses, ender, way)


@settings(max_examples=scale_examples(30), deadline=None)
@given(Seeds, st.integers(1, ROUNDS))
def test_s8_each_use_of_a_trick_is_one_that_the_rules_allow(seed: int, number: int) -> None:
    state = lay_row(start_round(seed, number), seed)
    for seat, uses in enumerate(ends(view_of(state)).uses):
        crew = state.crews[seat]
        held = set(crew.tricks)
        jokers = {Use(trick, nation) for trick in held for nation in crew.nations}
        assert uses[0] == NOTHING
        assert len(set(uses)) == len(uses)
        assert set(uses) == {NOTHING} | {Use(trick) for trick in held} | jokers


def test_s8_whoever_has_used_a_trick_uses_no_other_in_the_round() -> None:
    state = start_round(3, 1)
    crew = Crew(sailors=("A1",), tricks=TRICKS)
    view = replace(view_of(lay_row(state)), crews=(crew, crew), spent=(True, False))
    end_values = ends(view)
    assert end_values.uses[0] == (NOTHING,)
    assert len(end_values.uses[1]) == 1 + 3 + 3


# ------------------------------------------------------------------------------------------------ between two rounds


@settings(max_examples=scale_examples(40), deadline=None)
@given(Seeds, st.integers(2, ROUNDS))
def test_the_chances_of_the_seats_sum_to_1_whoever_sits_where(weights: Weights, seed: int, number: int) -> None:
    view = view_of(start_round(seed, number))
    for model in (values.model(number), Model(number, weights)):
        one, other = chances(model, between([view, swap_seats(view)]))
        assert one + other == pytest.approx(1, abs=1e-6)


def test_before_the_starter_is_named_both_have_the_same_chance() -> None:
    assert values.chance(view_of(SHANGHAIEN.start(Options()))) == 0.5


@settings(max_examples=scale_examples(20), deadline=None)
@given(Seeds)
def test_more_trick_cards_in_hand_are_never_much_worse(seed: int) -> None:
    """Check that the shipped weights know that an unused trick is a point, and may be more (S11)."""
    for number in range(3, ROUNDS + 1):
        view = view_of(start_round(seed, number))
        crew = replace(view.crews[0], tricks=())
        plain, richer = (
            replace(view, crews=(crew, view.crews[1])),
            replace(view, crews=(replace(crew, tricks=("nudge",)), view.crews[1])),
        )
        before, after = chances(values.model(number), between([plain, richer]))
        assert after > before - 0.02, (number, before, after)


def test_nations_are_seen_from_both_sides_alike() -> None:
    mine, others = values.sights()[..., 8], values.sights()[..., 8].swapaxes(1, 2)
    assert np.abs(mine + others)[:, :30, :30].max() < 1e-12


def test_with_nothing_to_come_the_expected_lead_is_the_lead() -> None:
    state = start_round(5, ROUNDS)
    view = replace(view_of(state), to_come=())
    final = replace(state, mover=OVER, to_come=())
    result = SHANGHAIEN.result(final)
    assert result
    assert values.expected_lead(between([view])) == result.points[0] - result.points[1]


# ----------------------------------------------------------------------------------------------------------- learning


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
    monkeypatch.setattr(training, "TOGETHER", 1)
    progress: list[tuple[str, int, int]] = []
    effort = 2 / training.GAMES
    alone, together = (training.train(3, effort, jobs, lambda *stage: progress.append(stage)) for jobs in (1, 2))
    assert {f"{number}/{name}" for number in range(1, ROUNDS + 1) for name in SHAPES} <= set(alone)
    for name, array in alone.items():
        assert np.array_equal(array, together[name], equal_nan=True), name
    assert progress[: len(progress) // 2] == progress[len(progress) // 2 :]
    assert all(0 < done <= total for _, done, total in progress)


@pytest.mark.long
def test_kontor_train_writes_weights_and_how_they_were_made(
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

    def tell(*stage: object) -> None:
        threads.update(matrix_threads())

    for cores in (1, 3):
        with threadpool_limits(cores, "blas"):
            write(tmp_path / f"{cores}.npz", "shanghaien", 1, 0.001, 1, tell)
            assert matrix_threads() == {cores}
    assert threads == {MATRIX_THREADS}
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "3.npz").read_bytes()


def matrix_threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


# ------------------------------------------------------------------------------------------------------------ gauging


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


@pytest.mark.long
def test_kontor_gauge_tells_errors_and_what_came(
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
