"""Learned chances to win for Der fliegende Holländer: their inputs, and their outputs."""

from collections.abc import Sequence
from importlib.resources import files
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.games.dutchman.players.encoding import HANDS, Encoded, encoded
from kontor.games.dutchman.players.features import RUINED, features
from kontor.games.dutchman.players.network import chances as by_network
from kontor.games.dutchman.players.network import shapes
from kontor.games.dutchman.players.stock import Stock
from kontor.games.dutchman.players.values import chances, weights
from kontor.games.dutchman.rules.chance import in_order
from kontor.games.dutchman.rules.components import COLOURS, HORSESHOES, MOST_SILVER, ONES, PLACE_OF, TENS
from kontor.games.dutchman.rules.horseshoes import heap_of, highest_first, reading
from kontor.games.dutchman.rules.play import play, result
from kontor.games.dutchman.rules.state import Merchant, Sail, State
from players.random_games import voyage
from profiles import scale_examples
from training.dutchman.network_gradient import new_weights

PLAYERS = st.integers(3, 6)
SEEDS = st.integers(0, 10**6)


def deal_game(players: int, seed: int = 0) -> State:
    """Return a game at the beginning of its first round."""
    return voyage(players, seed)[0]


def with_merchants(state: State, *merchants: Merchant) -> State:
    return replace(state, merchants=merchants)


@given(PLAYERS, SEEDS)
@settings(max_examples=scale_examples(20), deadline=None)
def test_chances_are_those_of_who_is_still_in_the_game_and_sum_to_one(players: int, seed: int) -> None:
    states = voyage(players, seed)
    shares = chances(states)
    assert shares.shape == (len(states), players)
    assert shares.dtype == np.float64
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    for state, row in zip(states[:-1], shares[:-1], strict=True):
        for merchant, chance_to_win in zip(state.merchants, row, strict=True):
            assert chance_to_win == 0 if merchant.bankrupt else 0 < chance_to_win < 1


@given(PLAYERS, SEEDS)
@settings(max_examples=scale_examples(20), deadline=None)
def test_at_the_end_chances_are_exact_h13(players: int, seed: int) -> None:
    state = voyage(players, seed)[-1]
    ended = result(state)
    assert ended
    (row,) = chances([state])
    assert row.tolist() == [1 / len(ended.winners) if seat in ended.winners else 0 for seat in range(players)]


def test_a_shared_victory_is_shared_h13() -> None:
    state = replace(voyage(4, 1)[-1], stones=(1,) * 6)
    merchants = [Merchant(cash=cash, shares=("blue",) * 3) for cash in (20, 30, 30, 29)]
    assert chances([with_merchants(state, *merchants)]).tolist() == [[0, 0.5, 0.5, 0]]


def test_no_states_no_chances() -> None:
    assert chances([]).size == 0


def test_whoever_is_much_richer_in_the_last_round_is_likely_to_win() -> None:
    state = replace(deal_game(4), counter=10, stones=(3, 5, 6, 7, 8, 9))
    merchant = replace(state.merchants[0], shares=("yellow", "green", "orange"))
    (row,) = chances([with_merchants(state, replace(merchant, cash=60), *[replace(merchant, cash=25)] * 3)])
    assert row[0] > 0.9


def test_whoever_is_ruined_by_every_ship_ahead_is_likely_to_lose_h11() -> None:
    """Set up two ways on, to two ships, one of a colour that has ruined the first merchant before."""
    state = replace(deal_game(3), counter=7, stones=(9,) * 6)
    ahead = state.sea.ahead[state.dutchman][state.came_from]
    feared = [colour for field in ahead if (colour := state.sea.ship[field])]
    others = [colour for colour in COLOURS if colour not in feared]
    safe = replace(state.merchants[0], cash=25, shares=tuple(others[:1] * 3))
    hand = in_order((feared * 3)[:3])
    before, after = chances(
        [with_merchants(state, replace(safe, shares=hand, cash=cash), safe, safe) for cash in (60, 10)]
    )
    assert after[0] < before[0] / 2


@given(PLAYERS, SEEDS, st.randoms(use_true_random=False))
@settings(max_examples=scale_examples(20), deadline=None)
def test_neither_the_names_of_seats_nor_of_colours_matter(players: int, seed: int, random: Random) -> None:
    seen = encoded(voyage(players, seed)[:-1])
    seats = random.sample(range(players), players)
    colours = random.sample(range(6), 6)
    named = [COLOURS[colours.index(place)] for place in range(6)]
    again = [HANDS.index(in_order(named[PLACE_OF[colour]] for colour in hand)) for hand in HANDS]
    merchants = seen.merchants[:, seats].copy()
    merchants[..., 3] = np.array(again)[merchants[..., 3]]
    other = Encoded(
        merchants,
        np.concatenate([seen.table[:, colours], seen.table[:, 6:]], axis=1),
        np.concatenate([seen.ways[..., colours], seen.ways[..., 6:]], axis=2),
    )
    some = new_weights(np.random.default_rng(seed))
    np.testing.assert_allclose(
        by_network(some, features(seen))[:, seats], by_network(some, features(other)), atol=1e-5
    )


@given(PLAYERS, SEEDS)
@settings(max_examples=scale_examples(20), deadline=None)
def test_who_is_ruined_by_the_next_ship_is_known_h11(players: int, seed: int) -> None:
    for state in voyage(players, seed)[:-1]:
        ruined = features(encoded([state])).ways[0, :, :, RUINED]
        steering = replace(state, mover=state.order[0], step="sail", queue=state.order[:1])
        for to in state.sea.ahead[state.dutchman][state.came_from]:
            colour = state.sea.ship[to]
            if colour:
                after = play(steering, Sail(to))
                predicted = [bool(ruined[seat, PLACE_OF[colour]]) for seat in state.order]
                assert predicted == [bool(after.merchants[seat].bankrupt) for seat in state.order]


def test_ways_are_equally_likely_h8() -> None:
    """Check the ships ahead of Holland, and the round after that, which has no way back."""
    state = deal_game(4)
    ways = encoded([state]).ways[0]
    ahead = [state.sea.ship[field] for field in state.sea.ahead["Holland"][None]]
    assert ways[0].tolist() == pytest.approx([ahead.count(colour) / len(ahead) for colour in (*COLOURS, None)])
    then = [
        [state.sea.ship[field] for field in state.sea.ahead[first]["Holland"]]
        for first in state.sea.ahead["Holland"][None]
    ]
    expected = [sum(each.count(colour) / len(each) for each in then) / len(then) for colour in (*COLOURS, None)]
    assert ways[1].tolist() == pytest.approx(expected)


RACKS = st.lists(st.sampled_from(HORSESHOES), max_size=12).filter(
    lambda rack: all(rack.count(horseshoe) <= HORSESHOES.count(horseshoe) for horseshoe in rack)
)


@given(RACKS)
def test_how_good_horseshoes_are_for_the_lucky_number_to_come_h7(rack: list[int]) -> None:
    gold = [horseshoe for horseshoe in rack if horseshoe > MOST_SILVER]
    silver = sorted({horseshoe for horseshoe in rack if horseshoe <= MOST_SILVER})
    lucky = [tens + ones for tens in TENS for ones in ONES]
    alone = [(horseshoe,) for horseshoe in gold]
    lays = [
        highest_first((*golden, *few))
        for golden in [(), *alone]
        for count in range(len(silver) + 1)
        for few in combinations(silver, count)
        if golden or few
    ]

    def probability(lays: Sequence[tuple[int, ...]], short: int) -> float:
        return sum(any(reading(lay, number) >= number - short for lay in lays) for number in lucky) / len(lucky)

    stock = Stock(np.array(heap_of(rack)))
    assert (stock.all, stock.gold) == (len(rack), len(gold))
    assert stock.exact == pytest.approx(probability(alone, 0))
    assert stock.near == pytest.approx(probability(alone, 2))
    assert stock.exact_with_silver == pytest.approx(probability(lays, 0))
    assert stock.near_with_silver == pytest.approx(probability(lays, 2))


def test_the_weights_shipped_are_those_of_the_network() -> None:
    assert {name: weight.shape for name, weight in weights().items()} == shapes()
    assert all(weight.dtype == np.float32 and np.isfinite(weight).all() for weight in weights().values())


def test_the_weights_shipped_are_small_and_say_how_they_were_made() -> None:
    file = files("kontor.games.dutchman.players") / "values.npz"
    assert len(file.read_bytes()) < 200_000
    with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
        assert arrays["effort"] == 1
        assert arrays["log_loss"] < 1.1985, "the generation before says 1.1986 of the same games"
        count, estimate, share = arrays["calibration"].T
        off = np.abs(estimate - share)
        # The states of one game are correlated: eleven of them count like three or four that are not.
        error = 1.8 * np.sqrt(share * (1 - share) / count)
        assert count.min() > 150, arrays["calibration"]
        assert (off < 3 * error).all(), arrays["calibration"]
        assert (count * off).sum() / count.sum() < 0.01, arrays["calibration"]
