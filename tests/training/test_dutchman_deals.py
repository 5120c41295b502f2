"""States sampled by kernels from what a seat may know.

Each sample gives the seat the same view, with the probabilities of its beliefs. Also: the prices of other seats in
them.
"""

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import mean, pstdev
from typing import Final

import numpy as np
import pytest

from batch.groups import OF_DUTCHMAN
from batch.odds import is_unlikely
from kontor.batch.compiled import LUCK
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.batch.layout import LAYOUT
from kontor.games.dutchman.batch.states import read, write
from kontor.games.dutchman.players import greedy
from kontor.games.dutchman.players.bargaining import asking_prices
from kontor.games.dutchman.players.beliefs import Beliefs, WeightsOf, all_equal
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.components import COLOURS, HORSESHOES
from kontor.games.dutchman.rules.view import View
from training.dutchman import keeping
from training.dutchman.policy.dealing import deal_states, deals_of
from training.dutchman.policy.pricing import price_fields
from training.dutchman.policy.thought import thought_of

pytestmark = [OF_DUTCHMAN, pytest.mark.long]

MANY: Final = 2_000


def positions(options: Options, games: int) -> Iterator[State]:
    """Yield states in which a seat is to move, from games in which nobody plays badly throughout."""
    for number in range(games):
        random = Random(f"deals/{options.players}/{number}")
        state = DUTCHMAN.start(options)
        while state.mover != OVER:
            if state.mover == CHANCE:
                state = DUTCHMAN.play(state, DUTCHMAN.chance(state).draw(random.randrange))
                continue
            yield state
            moves, view = DUTCHMAN.moves(state), DUTCHMAN.view(state, state.mover)
            odd = random.random() < 0.2
            state = DUTCHMAN.play(state, random.choice(moves) if odd else greedy.choose(view, moves, random))


def draw_states(view: View, count: int, weights_of: WeightsOf = all_equal) -> list[State]:
    assert view.seat is not None
    beliefs = Beliefs(view, weights_of)
    rows = np.zeros(count, LAYOUT.dtype)
    base = np.array([write(beliefs.sample(Random(1)))])
    luck = np.array([(7,)], LUCK)
    deal_states(rows, base, view.seat, deals_of(view, beliefs), luck, thought_of(view.options))
    return [read(row, view.options) for row in rows]


def horseshoes(state: State) -> list[int]:
    """Return all horseshoes, wherever they lie."""
    heaps = [heap for merchant in state.merchants for heap in (merchant.rack, merchant.lay or ())]
    return sorted([*state.middle, *state.out, *[horseshoe for heap in heaps for horseshoe in heap]])


@pytest.mark.parametrize("options", [Options(3), Options(4), Options(6)], ids=lambda options: f"{options.players}")
def test_the_view_comes_from_each_state(options: Options) -> None:
    random = Random(3)
    hidden = 0
    for state in positions(options, 4):
        if random.random() < 0.25:
            view = DUTCHMAN.view(state, state.mover)
            hidden += any(player.laid for player in view.players if player is not view.players[state.mover])
            for other in draw_states(view, 10):
                assert DUTCHMAN.view(other, state.mover) == view
                assert horseshoes(other) == sorted(HORSESHOES)
    assert hidden > 5


@pytest.mark.parametrize("weights_of", [all_equal, keeping.weights_of])
def test_shares_and_horseshoes_are_as_likely_as_the_beliefs_say(weights_of: WeightsOf) -> None:
    """Check states in which nobody has laid: there no sample is rejected."""
    random = Random(5)
    tested = 0
    for state in positions(Options(4), 6):
        view = DUTCHMAN.view(state, state.mover)
        if any(player.laid for player in view.players) or state.step != "action" or random.random() < 0.85:
            continue
        beliefs = Beliefs(view, weights_of)
        states = draw_states(view, MANY, weights_of)
        seat = (state.mover + 1) % 4
        for place, colour in enumerate(COLOURS):
            likely = beliefs.shares(seat, colour)
            counted = Counter(each.merchants[seat].shares.count(colour) for each in states)
            expected = {count: chance for count, chance in enumerate(likely) if chance * MANY >= 5}
            if sum(expected.values()) > 1 - 1e-9:
                assert not is_unlikely(counted, expected), (place, view)
                tested += 1
        golden = [sum(horseshoe > 20 for horseshoe in each.merchants[seat].rack) for each in states]
        error = pstdev(golden) / sqrt(MANY)
        assert abs(mean(golden) - beliefs.golden(seat)) <= 4 * error
    assert tested > 12


def test_hidden_lays_are_as_good_as_those_imagined_in_python() -> None:
    """Compare averages: the sum of a lay's numbers, and its share of silver."""
    compared = 0
    for state in positions(Options(4), 2):
        view = DUTCHMAN.view(state, state.mover)
        seats = [seat for seat, player in enumerate(view.players) if player.laid and seat != state.mover]
        if state.step != "action" or not seats or state.round % 3:
            continue
        imagined = Imagined(view, Random(4)).first(400)
        for measure in (sum, lambda lay: sum(horseshoe <= 20 for horseshoe in lay)):
            one = [float(measure(each.merchants[seats[0]].lay or ())) for each in draw_states(view, 1_000)]
            two = [float(measure(each.merchants[seats[0]].lay or ())) for each in imagined]
            error = sqrt(pstdev(one) ** 2 / len(one) + pstdev(two) ** 2 / len(two))
            assert abs(mean(one) - mean(two)) <= 4.5 * error + 1e-9, (view, measure)
        compared += 1
    assert compared > 4


def test_prices_are_those_of_python() -> None:
    for players in (4, 6):
        options = Options(players)
        compared = 0
        for state in positions(options, 12):
            if state.bargain and state.step == "propose":
                rows = np.array([write(state)])
                prices = np.zeros((1, players, 12), np.int64)
                price_fields(rows, prices, thought_of(options), 0, 1)
                for seat in state.bargain.tied:
                    wanted = asking_prices(DUTCHMAN.view(state, seat))
                    assert prices[0, seat, : len(wanted)].tolist() == wanted
                    compared += 1
        assert compared > 5
