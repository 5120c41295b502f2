"""Many rounds at a time, compared with the solver of one (S4 to S9); starts of last rounds, with their orders.

The numbers are the same with kernels and without.
"""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from bench.play_error import costs
from bench.residual import HELD, held, residual, rmse
from kontor.games.shanghaien.players import values
from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.players.judge import JUDGE
from kontor.games.shanghaien.players.round import Ends, solve
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS, Trick
from kontor.games.shanghaien.rules.state import NOBODY_PLACED, Move, Row, State
from kontor.games.shanghaien.rules.view import View
from kontor.players import player_named
from players.test_round_solver import HANDS, some_ends
from training.shanghaien import gold, many
from training.shanghaien.gauging import orders, solved
from training.shanghaien.last import LastRound
from training.shanghaien.many import of_rows
from training.shanghaien.tables import game

EMPTY: tuple[Trick, ...] = ()


def table(seed: int, number: int, *hands: tuple[Trick, ...]) -> State:
    """Return a table before the row of a round, in a game of greedy, with these tricks in hand."""
    state = list(game(Random(seed)))[number - 1]
    first, second = (replace(crew, tricks=hand) for crew, hand in zip(state.crews, hands, strict=True))
    return replace(state, crews=(first, second))


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("hands", HANDS[:-1], ids=str)
def test_s4_to_s9_many_rounds_are_worth_what_each_of_them_is(hands: object, turn: int) -> None:
    laid = [_single(some_ends(hands, seed)) for seed in range(3)]  # type: ignore[arg-type]
    alone = [solve(each, NOBODY_PLACED, turn, None).value for each in laid]
    assert of_rows(laid, turn) == pytest.approx(alone, abs=1e-6)


def _single(ends: Ends) -> Ends:
    return Ends(ends.uses, ends.worth.astype(np.float32))


def test_without_the_packages_of_the_extra_the_numbers_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for hands in (HANDS[0], HANDS[3], HANDS[7]):
        laid = [_single(some_ends(hands, seed)) for seed in range(2)]
        compiled = of_rows(laid, 0)
        with monkeypatch.context() as without:
            without.setattr(many, "is_installed", lambda _: False)
            assert (of_rows(laid, 0) == compiled).all()


@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "hands"), [(1, (EMPTY, EMPTY)), (3, (EMPTY, ("nudge",))), (9, (("reroll",), EMPTY))]
)
def test_s12_a_last_round_is_the_mean_over_all_orders_of_its_cards(
    seed: int, hands: tuple[tuple[Trick, ...], ...]
) -> None:
    state = table(seed, ROUNDS, *hands)
    laid = SHANGHAIEN.play(state, Row(state.to_come))
    value, doubt, _ = LastRound(ends(SHANGHAIEN.view(laid, None)), state.turn).value()
    rows = list(orders(state.to_come))
    slowly = np.average(
        [solved(SHANGHAIEN.play(state, row), None) for row, _ in rows], weights=[weight for _, weight in rows]
    )
    assert doubt == 0
    assert value == pytest.approx(slowly, abs=1e-6)


def test_some_orders_at_random_are_off_by_about_their_standard_error() -> None:
    state = table(1, ROUNDS, EMPTY, EMPTY)
    last = LastRound(ends(SHANGHAIEN.view(SHANGHAIEN.play(state, Row(state.to_come)), None)), state.turn)
    exact, _, _ = last.value()
    drawn = [last.value(40, Random(seed)) for seed in range(60)]
    off = np.array([(value - exact) / doubt for value, doubt, _ in drawn])
    assert abs(off.mean()) < 4 / len(off) ** 0.5
    assert 0.6 < off.std() < 1.5


@pytest.mark.long
def test_s10_gold_values_are_those_of_a_round_7_solved_with_exact_last_rounds() -> None:
    """Recompute one position slowly: each last round by the solver of one row, by the rules alone."""
    laid = gold.start(2, 1)
    random = Random(5)
    for ender, way, last in random.sample(list(gold._last_rounds(laid)), 4):
        crews = [*laid.crews]
        for place, card in enumerate(laid.row):
            digit = way // 3**place % 3
            if digit:
                crews[digit - 1] = gold._with_cards(crews[digit - 1], [card])
        after = replace(
            laid,
            mover=-1,
            step="row",
            round=ROUNDS,
            row=(),
            crews=(crews[0], crews[1]),
            turn=1 - ender,
            starter=1 - ender,
        )
        row = random.choice(list(orders(after.to_come)))[0]
        cards = [*laid.to_come]
        order = []
        for card in row.cards:
            order.append(cards.index(card))
            cards[order[-1]] = ""
        value = last.of([tuple(order)])[0]
        alone = solved(SHANGHAIEN.play(after, row), None)
        assert (1 - value if after.turn else value) == pytest.approx(alone, abs=1e-6)


def test_only_starts_of_round_7_without_tricks_in_hand_are_valued() -> None:
    laid = gold.start(0, 1)
    holding = replace(laid, crews=(replace(laid.crews[0], tricks=("nudge",)), laid.crews[1]))
    with pytest.raises(ValueError, match="round 7"):
        gold.valued(holding)
    with pytest.raises(ValueError, match="round 7"):
        gold.valued(replace(laid, round=6))


@pytest.mark.parametrize(
    ("number", "hands"),
    [(7, (EMPTY, ("nudge",))), (ROUNDS, (("both", "reroll"), ("both", "nudge")))],
    ids=["one trick", "several each"],
)
def test_a_residual_is_the_value_less_the_mean_of_the_rows_solved(
    number: int, hands: tuple[tuple[Trick, ...], ...]
) -> None:
    start = table(3, number, *hands)
    random = Random(4)
    rows = [SHANGHAIEN.chance(start).draw(random.randrange) for _ in range(3)]
    following = None if number == ROUNDS else values.model(number + 1)
    slowly = [solved(SHANGHAIEN.play(start, row), following) for row in rows]
    off, doubt = residual(start, 3, Random(4))
    assert off == pytest.approx(values.chance(SHANGHAIEN.view(start, None)) - np.mean(slowly), abs=1e-6)
    assert doubt == pytest.approx(np.var(slowly, ddof=1) / 3, abs=1e-6)


def test_tables_are_told_by_who_holds_tricks() -> None:
    hands: list[tuple[tuple[Trick, ...], tuple[Trick, ...]]] = [
        (EMPTY, EMPTY),
        (EMPTY, ("nudge", "both")),
        (("nudge",), ("both",)),
        (("nudge", "reroll"), ("both",)),
    ]
    assert [held(table(3, 7, *each)) for each in hands] == list(HELD)


def test_the_luck_of_the_rows_is_no_residual() -> None:
    random = np.random.default_rng(1)
    luck = random.uniform(0.01, 0.05, 20_000)
    off = random.normal(0.01, 0.02, 20_000)
    residuals = np.stack([off + random.normal(0, luck), luck**2], axis=-1)
    assert rmse(residuals) == pytest.approx(100 * (0.01**2 + 0.02**2) ** 0.5, rel=0.03)
    assert rmse(np.array([[0.01, 0.0004]])) == 0


def test_a_decision_costs_what_the_best_move_is_worth_more() -> None:
    """Check that moves of experts cost nothing by their own values, and that others cost what the judge says."""
    laid = gold.start(0, 1)
    worth = ends(SHANGHAIEN.view(laid, None))
    expected: list[float] = []

    def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
        move = random.choice(moves)
        if len(moves) > 1:
            appraisal = JUDGE.appraise(view, moves, random, move)
            expected.append(appraisal.best.chance - appraisal.of(move).chance)
        return move

    for seed in range(3):
        expected.clear()
        assert costs(laid, worth, choose, Random(seed)) == pytest.approx(expected, abs=2e-6)
        assert max(expected) > 0.01
    assert max(costs(laid, worth, player_named("shanghaien", "expert"), Random(1))) < 2e-6
