"""Chance in batches of Der fliegende Holländer: drawn with the probabilities of the rules, or given."""

from collections import Counter
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace as changed

from batch.dutchman.setting_up import GAME, bargain, given, set_up, some_legs
from batch.groups import OF_DUTCHMAN
from batch.odds import is_unlikely
from dutchman.table import Seat, deal, go, position, start
from kontor import bench
from kontor.batch import Batch, roll_out
from kontor.batch.compiled import LUCK
from kontor.game import CHANCE, IllegalMove
from kontor.games.dutchman.batch import layout
from kontor.games.dutchman.batch.payments import divide_at_random
from kontor.games.dutchman.batch.states import read
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.dutchman.rules.state import Dice, Propose, Shuffle, Starter

pytestmark = OF_DUTCHMAN

MANY = 6_000


def count_outcomes(state: State, games: int = MANY) -> Counter[Any]:
    """Return how often each outcome was drawn in this number of games in the same state."""
    batch = set_up(state, games, seed=11)
    batch.draw_once(np.ones(games, np.bool_))
    seen = Counter(row.tobytes() for row in batch.rows)
    counted: Counter[Any] = Counter()
    for row, count in seen.items():
        after = read(np.frombuffer(row, batch.rows.dtype)[0], state.options)
        counted[GAME.outcome_of(state, after)] += count
    return counted


def test_the_lot_has_the_chances_of_the_rules() -> None:
    for players in (3, 6):
        lots = count_outcomes(DUTCHMAN.start(Options(players=players)))
        assert not is_unlikely(lots, {Starter(seat): 1 / players for seat in range(players)})


@pytest.mark.parametrize("step", ["lucky", "rolling"])
def test_dice_have_the_chances_of_the_rules(step: str) -> None:
    state = next(leg.before for leg in some_legs(5_000, 1) if leg.before.step == step)
    sums = Counter({dice.tens + dice.ones: count for dice, count in count_outcomes(state).items()})
    likely: Counter[int] = Counter()
    for dice, chance in DUTCHMAN.chance(state).outcomes() or ():
        likely[dice.tens + dice.ones] += chance  # type: ignore[assignment]
    assert not is_unlikely(sums, {total: float(chance) for total, chance in likely.items()})


def test_sharing_has_the_chances_of_the_rules() -> None:
    """Share five horseshoes: two smiths get two each, and one stays."""
    state = position(Seat(rack="1 1"), Seat(rack="1 1"), Seat(rack="1"), middle="48 20 10 10 2")
    state = go(state, "Karin plays a Smith card / Helga lays 1 / Anne plays a Smith card")
    shares = count_outcomes(state)
    chances = {share: DUTCHMAN.chance(state).probability(share) for share in shares}
    assert sum(chances.values()) == 1
    assert not is_unlikely(shares, {share: float(chance) for share, chance in chances.items()})


def test_shuffling_has_the_chances_of_the_rules() -> None:
    state = next(leg.before for leg in some_legs(5_000, 1) if leg.before.step == "shuffle")
    state = changed(state, pile=("red", "red", "blue", "green"), put_by=(None,) * 4)
    piles = count_outcomes(state)
    assert len(piles) == 12
    assert not is_unlikely(piles, dict.fromkeys(piles, 1 / 12))


def test_the_deal_has_the_chances_of_the_rules() -> None:
    """Check one horseshoe, one seat's shares of a colour, and the top of the pile: all deals are too many to list."""
    state = start(4)
    batch = set_up(state, MANY, seed=11)
    batch.draw()
    for game in range(50):
        dealt = GAME.outcome_of(state, batch.state(game))
        assert DUTCHMAN.chance(state).probability(dealt)
    places = {"rack 0": 9, "rack 1": 9, "rack 2": 9, "rack 3": 9, "middle": 4, "out": 20}
    for gold in (0, 13, 27):
        bits = {f"rack {seat}": batch["rack_gold"][:, seat] for seat in range(4)}
        bits |= {"middle": batch["middle_gold"], "out": batch["out_gold"]}
        lying = Counter({place: int(((heap >> gold) & 1).sum()) for place, heap in bits.items()})
        assert not is_unlikely(lying, {place: size / 60 for place, size in places.items()})
    tens = Counter(batch["rack_silver"][:, 2, layout.SILVERS.index(10)].tolist())
    tens[5] += sum(tens.pop(many) for many in range(6, 10) if many in tens)
    likely = [comb(13, many) * comb(47, 9 - many) / comb(60, 9) for many in range(10)]
    assert not is_unlikely(tens, {**dict(enumerate(likely[:5])), 5: sum(likely[5:])})
    hypergeometric = {red: comb(3, red) * comb(15, 3 - red) / comb(18, 3) for red in range(4)}
    assert not is_unlikely(Counter(batch["shares"][:, 3, COLOURS.index("red")].tolist()), hypergeometric)
    top = Counter(zip(batch["pile"][:, 0].tolist(), batch["pile"][:, 1].tolist(), strict=True))
    pairs = {(one, two): (3 - (one == two)) / 17 / 6 for one in range(6) for two in range(6)}
    assert not is_unlikely(top, pairs)


def test_every_division_of_the_cash_is_equally_likely() -> None:
    """Check that a random proposal is uniform although it is drawn without its number.

    Three seats share five ducats in one of 21 ways.
    """
    state = bargain(3, 0, 2)
    batch = set_up(state)
    luck = np.array([(5,)], LUCK)
    counted: Counter[tuple[int, ...]] = Counter()
    for _ in range(6_300):
        divide_at_random(batch.rows[0], luck[0])
        counted[tuple(batch["ducats"][0, :3].tolist())] += 1
    ways = {move.ducats for move in DUTCHMAN.moves(state) if isinstance(move, Propose)}
    assert len(ways) == 21
    assert not is_unlikely(counted, dict.fromkeys(ways, 1 / 21))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_games_are_as_long_and_end_as_those_of_the_rules(players: int) -> None:
    """Check random moves in both: equally many decisions a game, and equally many winners in all."""
    random = Random(3)
    options = Options(players=players)
    decisions = [bench.random_game(DUTCHMAN, options, random) for _ in range(150)]
    games = 10_000
    results = roll_out(DUTCHMAN, options, games, seed=3)
    edges = np.quantile(results.decisions, [0.2, 0.4, 0.6, 0.8])
    likely = Counter(np.searchsorted(edges, results.decisions, "right").tolist())
    counted = Counter(np.searchsorted(edges, decisions, "right").tolist())
    assert not is_unlikely(counted, {fifth: count / games for fifth, count in likely.items()})
    wins = results.winners.sum(axis=0)
    assert not is_unlikely(dict(enumerate(wins.tolist())), dict.fromkeys(range(players), 1 / players))


def test_outcomes_can_be_given() -> None:
    batch = Batch(DUTCHMAN, Options(players=3), 2)
    batch.give(given(Starter(1), None))
    batch.give(given(deal(Seat("red red blue", "48 20"), Seat(), Seat(), middle="47"), Starter(0)))
    batch.give(given(Dice(30, 5), None))
    assert batch.movers.tolist() == [1, CHANCE]
    assert batch["lucky"].tolist() == [35, 0]
    assert batch["shares"][0, 0].tolist() == [1, 0, 0, 0, 2, 0]
    assert batch.state(0).merchants[0].rack[:2] == (48, 20)
    assert batch.state(0).middle[0] == 47


def test_what_cannot_happen_is_refused() -> None:
    lawful = deal(*[Seat()] * 3)
    bankrupt = next(leg.before for leg in some_legs(5_000, 1) if leg.before.step == "shuffle")
    other = next(colour for colour in COLOURS if colour != bankrupt.pile[0])
    smiths = position(Seat(rack="1"), Seat(rack="1"), Seat(rack="1"), middle="48 20 10")
    smiths = go(smiths, "plays a Smith card / plays a Smith card / plays a Smith card")
    for state, outcome in [
        (DUTCHMAN.start(Options(players=3)), [3]),
        (start(3), GAME.outcome_row(changed(lawful, out=(20, *lawful.out[1:])))),
        (start(3), GAME.outcome_row(changed(lawful, pile=(lawful.pile[1], *lawful.pile[1:])))),
        (position(*[Seat()] * 3, lucky=None), [25, 1]),
        (position(*[Seat()] * 3, lucky=None), [20, 2]),
        (smiths, [48, 20, 20]),
        (smiths, [47, 20, 10]),
        (bankrupt, GAME.outcome_row(Shuffle((other, *bankrupt.pile[1:])))),
        (position(*[Seat(rack="1")] * 3), [20, 1]),
    ]:  # fmt: skip
        batch = set_up(state)
        outcomes = np.full((1, layout.OUTCOME), 0)
        outcomes[0, : len(outcome)] = outcome
        with pytest.raises(IllegalMove, match="That outcome is not possible in game 0"):
            batch.give(outcomes)
        assert batch.state(0) == state
