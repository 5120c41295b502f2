"""Der fliegende Holländer in batches: in lock-step with the rules, with the rules' chances, seen from a seat.

Besides the random games of the proof, these tests play games in which every seat prefers some moves (``voyages``).
Uniformly drawn moves rarely lead to accepted bargains, bankruptcies or long deciding rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations_with_replacement, islice
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace as changed

from dutchman.table import KARIN, Seat, deal, go, hear, position, start
from dutchman.voyages import Leg, Table, embark, some_tables, voyage
from kontor import bench
from kontor.batch import NOTHING, SKIP, Batch, roll_out, simulated
from kontor.batch import lockstep as proof
from kontor.batch.compiled import LUCK
from kontor.game import CHANCE, OVER, IllegalMove
from kontor.games.dutchman.batch import layout
from kontor.games.dutchman.batch.payments import divide_at_random
from kontor.games.dutchman.batch.states import read, write
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.dutchman.rules.state import (
    Accept,
    Dice,
    Kontor,
    Lay,
    Merchant,
    Name,
    Propose,
    Put,
    Sail,
    Shuffle,
    Starter,
    Withhold,
)

from .groups import OF_DUTCHMAN
from .odds import is_unlikely

pytestmark = OF_DUTCHMAN

GAME = simulated(DUTCHMAN)
VOYAGES = some_tables(49, checks=("never",))


def set_up(state: State, games: int = 1, seed: int = 0) -> Batch:
    """Return a batch in which every game is in this state."""
    batch = Batch(DUTCHMAN, state.options, games, seed=seed)
    batch.rows[:] = write(state)
    return batch


def given(*outcomes: Any) -> Any:
    """Return outcomes, one for each game, in the format that a batch reads."""
    rows = np.full((len(outcomes), layout.OUTCOME), NOTHING)
    for row, outcome in zip(rows, outcomes, strict=True):
        if outcome:
            values = GAME.outcome_row(outcome)
            row[: len(values)] = values
    return rows


def some_legs(number: int, every: int, tables: Iterable[Table] = VOYAGES) -> Iterable[Leg]:
    """Return this number of steps of the voyages, taking one of every ``every`` steps."""
    return islice((leg for table in tables for leg in voyage(table)), 0, number * every, every)


# -------------------------------------------------------------------------------------------------- lock-step


@pytest.mark.parametrize("options", [options for several in GAME.proved for options in several])
def test_both_writings_of_the_rules_are_the_same_after_every_step(options: Options) -> None:
    proved = proof.prove(DUTCHMAN, options, 15, seed=1)
    assert proved.games == 15
    assert proved.decisions > 15 * 30
    assert proved.outcomes > 15 * 10


def test_whatever_can_be_agreed_on_is_proved() -> None:
    """Check that the proof covers all player counts, starters, numbers of circles (none to all), and two charts."""
    assert [{options.players for options in several} for several in GAME.proved] == [{3}, {4}, {5}, {6}]
    for several in GAME.proved:
        assert {0, 1, 2, 5} == {options.circles for options in several}
        assert {None, 0, several[0].players - 1} == {options.starter for options in several}
        assert len({options.chart for options in several}) == 2


@pytest.mark.long
def test_games_in_every_style_are_the_same_after_every_step() -> None:
    """Play one batch from the beginning, and set up every position before the step in another."""
    met: Counter[str] = Counter()
    for table in VOYAGES:
        played, put = (Batch(DUTCHMAN, table.options, 1) for _ in range(2))
        played.put(0, embark(table))
        for before, action, after in voyage(table):
            put.put(0, before)
            for batch in (played, put):
                if before.mover == CHANCE:
                    batch.give(given(action))
                else:
                    batch.step(np.array([batch.action(0, action)]))
                assert batch.state(0) == after
                assert batch.movers[0] == after.mover
                assert batch.choices()[0] == len(DUTCHMAN.moves(after))
                assert np.flatnonzero(batch.legal()[0]).tolist() == GAME.columns_of(after)
            assert np.array_equal(played.observe(), put.observe())
            met.update(type(happened).__name__ for happened in after.happened)
            met.update({"third reveal": len(after.revealed) == 3, after.step: 1})
        result = DUTCHMAN.result(after)
        assert result
        points, winners = played.score()
        assert (points[0].tolist(), np.flatnonzero(winners[0]).tolist()) == ([*result.points], [*result.winners])
        met["nobody left"] += all(merchant.bankrupt for merchant in after.merchants)
    assert set(layout.STEPS) - {"starter"} <= set(met)
    assert min(met[name] for name in ("Shared", "Agreed", "Undecided", "RolledFor", "Bankrupt", "Earned")) > 20
    assert met["third reveal"]
    assert met["nobody left"]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda after: changed(after, stones=after.stones[::-1]),
        lambda after: changed(after, happened=after.happened[1:]),
        lambda after: changed(after, put_by=(0,) * len(after.pile)),
        lambda after: changed(after, middle_known_heap=1),
        lambda after: changed(after, merchants=(changed(after.merchants[0], known_heap=1), *after.merchants[1:])),
    ],
)
def test_a_difference_is_found(wrong: Any) -> None:
    """Check that the proof stops when the rules get a different result in the second round."""

    def play(state: State, action: Any) -> State:
        after = DUTCHMAN.play(state, action)
        return wrong(after) if after.happened and after.round == 2 else after

    with pytest.raises(proof.Mismatch, match=r"the state of game [0-4], seed 1"):
        proof.prove(replace(DUTCHMAN, play=play), Options(), 5, seed=1)


def test_a_wrong_count_of_legal_moves_is_found() -> None:
    def moves(state: State) -> Any:
        return [move for move in DUTCHMAN.moves(state) if not isinstance(move, Kontor)]

    with pytest.raises(proof.Mismatch, match="the legal moves of game"):
        proof.prove(replace(DUTCHMAN, moves=moves), Options(), 5, seed=1)


# ----------------------------------------------------------------------------------------- states and fields


def test_a_state_is_written_and_read_again() -> None:
    for leg in some_legs(800, 8):
        assert read(write(leg.after), leg.after.options) == leg.after


def test_fields_stay_within_what_the_layout_says() -> None:
    for number, options in enumerate(several[number % 4] for number, several in enumerate(GAME.proved)):
        batch = Batch(DUTCHMAN, options, 100, seed=number)
        for _ in range(60):
            batch.draw()
            for field in layout.LAYOUT.fields:
                numbers = batch[field.name]
                assert numbers.shape == (100, *field.shape)
                least = -field.most if field.name in ("ducats", "agreed") else layout.NONE
                assert ((numbers >= least) & (numbers <= field.most)).all(), field
            batch.step(some_moves(batch))


def some_moves(batch: Batch, seed: int = 0) -> Any:
    """Return any legal action of each game, or SKIP."""
    choices = batch.choices()
    drawn = (np.random.default_rng(seed).random(batch.games) * choices).astype(np.int64)
    return batch.nth(np.where(choices > 0, drawn, SKIP))


# ------------------------------------------------------------------------------------------------------ moves


def test_every_move_has_a_number() -> None:
    state = position(Seat("red red blue", "48 21 20 10 1"), Seat(), Seat())
    batch = set_up(state)
    names = [field.name for field in state.options.chart.fields]
    for move, number in [
        ("passes", layout.PASS),
        ("lays 1", layout.LAY + 1),
        ("lays 20 10", layout.LAY + 784 + 56),
        ("lays 48 1", layout.LAY + 3136 + 1),
        ("lays 21", layout.LAY + 28 * 3136),
        ("shows blue", layout.SHOW),
        ("puts back red red", layout.PUT + layout.PAIRS.index((4, 4))),
        ("sails to red 2", layout.SAIL + names.index("red 2")),
        ("names Holland", layout.NAME + names.index("Holland")),
    ]:
        assert batch.action(0, hear(state, f"Karin {move}")) == number
        assert batch.move(0, number) == hear(state, f"Karin {move}")


def test_legal_moves_are_counted_and_numbered() -> None:
    """Check that the numbers enumerate all legal moves, each once, where there are not too many."""
    met: Counter[str] = Counter()
    for leg in some_legs(400, 17):
        state, legal = leg.before, DUTCHMAN.moves(leg.before)
        if len(legal) > 1_000 or met[state.step] > 30:
            continue
        met[state.step] += 1
        batch = set_up(state, max(1, len(legal)))
        assert batch.choices().tolist() == [len(legal)] * batch.games
        if not legal:
            continue
        actions = batch.nth(np.arange(len(legal)))
        assert (np.diff(actions) > 0).all()
        assert {GAME.move_of(state, int(action)) for action in actions} == set(legal)
        with pytest.raises(ValueError, match="not so many legal moves"):
            batch.nth(batch.choices())
    assert met.keys() >= set(layout.DECIDING) - {"propose"}


def bargain(*cash: int) -> State:
    """Return a state in which Karin and the next seats are tied and Karin proposes; ``cash`` is their cash."""
    seats = [Seat(rack="10 10 1", cash=ducats) for ducats in cash]
    laid = " / ".join(["Karin lays 10", "Helga lays 10", "Anne lays 10", "Karl lays 10"][: len(cash)])
    state = go(position(*seats, *[Seat(rack="1 1")] * max(0, 3 - len(cash))), laid + " / lays 1" * (3 - len(cash)))
    ahead = [move.to for move in DUTCHMAN.moves(state) if isinstance(move, Name)]
    for to in (*ahead[:1], *ahead[1:2] * (len(cash) - 1)):
        state = go(state, f"names {to}")
    assert state.step == "propose"
    return state


def test_proposals_are_numbered_whatever_they_cost() -> None:
    """Check all agreements of two; of three and four seats, each with more cash, check a sample."""
    random = Random(4)
    for cash in ((2, 1), (0, 0), (3, 0, 2), (25, 40, 9), (300, 17, 0, 250)):
        state = bargain(*cash)
        legal = DUTCHMAN.moves(state)
        ahead = len(DUTCHMAN.moves(go(state, "withholds"))) - 1
        assert (len(legal) - 1) % comb(sum(cash) + len(cash) - 1, len(cash) - 1) == 0, ahead
        numbers = range(len(legal)) if len(legal) < 500 else sorted(random.sample(range(len(legal)), 300))
        batch = set_up(state, len(numbers))
        assert batch.choices().tolist() == [len(legal)] * len(numbers)
        assert np.flatnonzero(batch.legal()[0]).tolist() == [layout.WITHHOLD, layout.PROPOSE_COLUMN]
        actions = batch.nth(np.array(numbers))
        assert (np.diff(actions) > 0).all()
        moves = [GAME.move_of(state, int(action)) for action in actions]
        assert all(move in legal for move in moves)
        assert [GAME.action_of(state, move) for move in moves] == actions.tolist()
        batch.step(actions)
        for game in range(0, len(numbers), 7):
            assert batch.state(game) == DUTCHMAN.play(state, moves[game])


@pytest.mark.parametrize(
    ("move", "rule"),
    [("lays 47", "H6c"), ("passes", "H6d"), ("sails to red 1", "H6"), ("accepts", "H6")],
)
def test_an_illegal_move_is_refused_with_its_rule_and_nothing_happens(move: str, rule: str) -> None:
    state = position(Seat(rack="48 20 10 10 1"), Seat(), Seat())
    batch = set_up(state, 3)
    before = batch.rows.copy()
    lay = batch.action(0, hear(state, "Karin lays 20 10"))
    action = batch.action(0, hear(state, f"Karin {move}"))
    with pytest.raises(IllegalMove) as refused:
        batch.step(np.array([lay, action, lay]))
    assert refused.value.rule == rule
    assert refused.value.__notes__ == [f"game 1 of the batch, action {action}"]
    assert np.array_equal(batch.rows, before)


@pytest.mark.parametrize("move", [Lay(()), Lay((48, 47)), Lay((1, 2)), Lay((3,)), Sail("Atlantis"), "pass"])
def test_what_is_no_move_has_no_number(move: Any) -> None:
    with pytest.raises(KeyError):
        set_up(position(Seat(rack="48 47 2 1"), Seat(), Seat())).action(0, move)


LAST = layout.PROPOSE + layout.FIELDS * layout.WAYS - 1


@pytest.mark.parametrize("action", [-2, layout.LAY, layout.LAY + layout.LAYS, layout.PROPOSE, LAST, LAST + 1])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    """Check that there is no empty lay, and no payment while nobody bargains."""
    batch = set_up(position(Seat(rack="48 20 10 10 1"), Seat(), Seat()))
    before = batch.rows.copy()
    with pytest.raises(IllegalMove):
        batch.step(np.array([action]))
    assert np.array_equal(batch.rows, before)


# ----------------------------------------------------------------------------------------------------- chance

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


# ----------------------------------------------------------------------------------------------- observations


def observation_field(batch: Batch, name: str) -> Any:
    """Return a field of the first game's observation, in its shape."""
    features = layout.FEATURES
    at, field = features.at(name), features.field(name)
    return batch.observe()[0, at : at + field.size].reshape(field.shape)


def places(row: Any) -> list[int]:
    """Return the indices of the non-zero values."""
    indices: list[int] = np.flatnonzero(row).tolist()
    return indices


def test_the_seat_to_move_sees_the_table_from_its_side() -> None:
    state = position(
        Seat("red red blue", "48 20 10 1", cash=20, kontor=1),
        Seat("blue green violet", "21 10 10 2", cash=7),
        Seat("orange orange green", "47 1 1", cash=3, smith=0),
        middle="46 1", stones="red 7", counter=4, lucky=31, starter=2, pile="yellow yellow",
    )  # fmt: skip
    state = go(state, "Anne lays 1 / Karin plays a Kontor card / puts back blue yellow")
    batch = set_up(state)
    assert state.mover == 1
    assert places(observation_field(batch, "step")) == [layout.DECIDING.index("action")]
    assert (
        observation_field(batch, "round"),
        observation_field(batch, "lucky"),
        observation_field(batch, "counter"),
    ) == (1, 31, 3)
    assert observation_field(batch, "shares").tolist() == [1, 0, 1, 0, 0, 1]
    assert places(observation_field(batch, "rack_gold")) == [0]
    assert observation_field(batch, "rack_silver").tolist() == [0, 2, 1, 0]
    # From Helga's side: Helga, Anne, Karin.
    assert observation_field(batch, "place").tolist() == [3, 1, 2, 0, 0, 0]
    assert observation_field(batch, "waiting").tolist() == [1, 0, 0, 0, 0, 0]
    assert observation_field(batch, "cash").tolist() == [7, 3, 20, 0, 0, 0]
    assert observation_field(batch, "kontor").tolist() == [3, 3, 0, 0, 0, 0]
    assert observation_field(batch, "smith").tolist() == [3, 0, 3, 0, 0, 0]
    assert observation_field(batch, "hand").tolist() == [3, 3, 3, 0, 0, 0]
    assert observation_field(batch, "horseshoes").tolist() == [4, 2, 4, 0, 0, 0]
    assert observation_field(batch, "laid").tolist() == [0, 1, 0, 0, 0, 0]
    assert places(observation_field(batch, "action")[1]) == [layout.ACTIONS.index("lay")]
    assert places(observation_field(batch, "action")[2]) == [layout.ACTIONS.index("kontor")]
    assert not observation_field(batch, "action")[0].any()
    assert observation_field(batch, "stones").tolist() == list(state.stones)
    assert observation_field(batch, "in_pile") == len(state.pile)
    assert [places(by) for by in observation_field(batch, "put_by")[: len(state.pile)][-2:]] == [[2], [2]]
    assert not observation_field(batch, "pile").any()
    assert observation_field(batch, "middle") == 2
    assert not observation_field(batch, "middle_gold").any()
    assert places(observation_field(batch, "ahead")) == places(observation_field(batch, "ahead"))
    assert len(places(observation_field(batch, "ahead"))) == len(state.sea.ahead["Holland"][None])
    assert not observation_field(batch, "came_from").any()
    # Karin put the last two there, and knows them.
    batch = set_up(go(state, "Helga lays 10 / Helga sails to red 1 / dice 30 + 1"))
    assert batch.movers[0] == KARIN
    pile = batch.state(0).pile
    assert [places(card) for card in observation_field(batch, "pile")[len(pile) - 2 : len(pile)]] == [
        [COLOURS.index(card)] for card in pile[-2:]
    ]


def test_the_bargain_is_seen_by_those_who_are_tied() -> None:
    state = bargain(4, 6, 2)
    to = DUTCHMAN.moves(state)[1]
    assert isinstance(to, Propose)
    state = DUTCHMAN.play(DUTCHMAN.play(state, Withhold()), changed(to, ducats=(-4, 3, 1)))
    state = DUTCHMAN.play(state, Accept())
    batch = set_up(state)
    assert batch.movers[0] == 0  # Helga proposed, Anne has accepted; Karin's side: Karin, Helga, Anne
    assert observation_field(batch, "tied").tolist() == [1, 1, 1, 0, 0, 0]
    assert observation_field(batch, "circle") == 1
    assert places(observation_field(batch, "proposer")) == [1]
    assert observation_field(batch, "ducats").tolist() == [-4, 3, 1, 0, 0, 0]
    assert observation_field(batch, "accepted").tolist() == [0, 0, 1, 0, 0, 0]
    fields = [field.name for field in state.options.chart.fields]
    assert places(observation_field(batch, "proposed_to")) == [fields.index(to.to)]
    assert state.bargain
    assert [places(named) for named in observation_field(batch, "named")[:3]] == [
        [fields.index(name)] for name in state.bargain.named
    ]
    assert observation_field(batch, "reading").tolist() == [10, 10, 10, 0, 0, 0]
    assert observation_field(batch, "middle_silver").tolist() == [0, 3, 0, 0]


def test_an_observation_never_depends_on_what_its_seat_cannot_know() -> None:
    """Deal anew all that the seat to move cannot know: its observation and legal moves must stay the same."""
    random = Random(9)
    differ: Counter[str] = Counter()
    for leg in some_legs(1_200, 5):
        state = leg.after
        if state.mover < 0:
            continue
        other = DUTCHMAN.imagine(DUTCHMAN.view(state, state.mover), random.randrange)
        one, twin = set_up(state), set_up(other)
        differ[state.step] += not np.array_equal(one.rows, twin.rows)
        assert one.observe().tobytes() == twin.observe().tobytes()
        assert np.array_equal(one.legal(), twin.legal())
        assert np.array_equal(one.choices(), twin.choices())
    assert all(differ[step] > 5 for step in layout.DECIDING), differ


def test_what_a_seat_knows_is_seen() -> None:
    """Check that observations differ between positions that differ in the seat's own things or in open ones."""
    state = position(Seat("red red blue", "20 10 1"), Seat(rack="10 1"), Seat(rack="1"), middle="1")
    observations = {set_up(state).observe().tobytes()}
    own = state.merchants[0]
    others: list[State] = [
        *[changed(state, merchants=(changed(own, shares=hand), *state.merchants[1:]))
          for hand in combinations_with_replacement(COLOURS, 3)],
        position(Seat("red red blue", "20 10 2"), Seat(rack="10 1"), Seat(rack="1"), middle="1"),
        position(Seat("red red blue", "20 10 1"), Seat(rack="10 1 1"), Seat(rack="1"), middle="1"),
        position(Seat("red red blue", "20 10 1"), Seat(rack="10 1"), Seat(rack="1"), middle="1 1"),
        position(Seat("red red blue", "20 10 1"), Seat(rack="10 1"), Seat(rack="1"), middle="1", lucky=33),
        position(Seat("red red blue", "20 10 1"), Seat(rack="10 1"), Seat(rack="1"), middle="1", counter=5),
    ]  # fmt: skip
    observations |= {set_up(other).observe().tobytes() for other in others}
    assert len(observations) == len(others)  # one of the hands is the first one's


def test_nothing_is_seen_where_no_seat_is_to_move() -> None:
    batch = Batch(DUTCHMAN, Options(), 5)
    assert not batch.observe().any()
    batch.play_out()
    assert not batch.observe().any()
    assert not batch.legal().any()


def test_features_stay_within_what_the_layout_says() -> None:
    most = np.concatenate([np.full(field.size, field.most) for field in layout.FEATURES.fields])
    least = np.concatenate(
        [np.full(field.size, -field.most * (field.name == "ducats")) for field in layout.FEATURES.fields]
    )
    for players in (3, 6):
        batch = Batch(DUTCHMAN, Options(players=players), 100, seed=9)
        for turn in range(60):
            batch.draw()
            features = batch.observe()
            assert not (features < least).any()
            assert not (features > most).any()
            batch.step(some_moves(batch, turn))


# ----------------------------------------------------------------------------------------------------- scoring


def finished_game(*merchants: Merchant) -> State:
    """Return a finished game in which the seats have these things; every share is worth 2."""
    state = position(*[Seat()] * len(merchants))
    return changed(state, mover=OVER, step="over", queue=(), merchants=merchants, round=9)


def test_the_richest_of_those_not_bankrupt_win() -> None:
    batch = set_up(
        finished_game(
            Merchant(cash=3, shares=("red", "red", "blue")),
            Merchant(cash=9),
            Merchant(cash=0, bankrupt=2),
            Merchant(cash=5),
        )
    )
    points, winners = batch.score()
    assert points.tolist() == [[9, 9, 0, 5]]
    assert winners.tolist() == [[True, True, False, False]]


def test_if_all_are_bankrupt_the_last_to_go_so_win() -> None:
    _, winners = set_up(finished_game(*[Merchant(cash=0, bankrupt=last) for last in (3, 7, 7)])).score()
    assert winners.tolist() == [[False, True, True]]


def test_nobody_has_won_before_the_end() -> None:
    points, winners = set_up(position(Seat("red red blue", cash=10), Seat(), Seat(), stones="red 5")).score()
    assert points[0, 0] == 10 + 5 + 5 + 2
    assert not winners.any()


def test_put_and_lay_are_the_moves_they_are_numbered_as() -> None:
    assert GAME.move_of(position(*[Seat()] * 3), layout.PUT) == Put(("blue", "blue"))
    assert GAME.move_of(position(*[Seat()] * 3), layout.LAY + 1) == Lay((1,))
