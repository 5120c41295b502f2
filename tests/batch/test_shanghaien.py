"""Shanghaien in batches: in lock-step with the rules, with the rules' chances, seen from a seat."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace as changed

from kontor.batch import NOTHING, SKIP, Batch, simulated
from kontor.batch import lockstep as proof
from kontor.game import CHANCE, OVER, IllegalMove
from kontor.games.shanghaien.batch import layout
from kontor.games.shanghaien.batch.states import read, write
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.components import TrickCounts
from kontor.games.shanghaien.rules.numbering import ACTION, CARD, CARDS, MOVES
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker
from kontor.games.shanghaien.rules.state import (
    Dice,
    Joker,
    Nudge,
    Number,
    Place,
    Reroll,
    Roll,
    Row,
    Shanghai,
    Starter,
)
from random_steps import game_steps

from .groups import OF_SHANGHAIEN
from .odds import is_unlikely

pytestmark = OF_SHANGHAIEN

(PROVED,) = simulated(SHANGHAIEN).proved


def states(options: Options, games: int, seed: int = 5) -> Iterator[State]:
    """Yield all states of some random games by the rules."""
    random = Random(seed)
    for _ in range(games):
        state = SHANGHAIEN.start(options)
        yield state
        for _, _, after in game_steps(SHANGHAIEN, state, random):
            yield after


# -------------------------------------------------------------------------------------------------- lock-step


@pytest.mark.parametrize("options", PROVED)
def test_both_writings_of_the_rules_are_the_same_after_every_step(options: Options) -> None:
    proved = proof.prove(SHANGHAIEN, options, 30, seed=1)
    assert proved.games == 30
    assert proved.decisions > 30 * 8 * 5
    assert proved.outcomes > 30 * 8 * 3


def test_whatever_can_be_agreed_on_is_proved() -> None:
    """Check that the proof runs with and without the variant, with each starter, and without each kind of trick."""
    assert {options.starter for options in PROVED} == {None, 0, 1}
    assert {options.first_trick for options in PROVED} == {None, "nudge", "both", "reroll"}
    counts = [options.tricks for options in PROVED]
    assert {0, 8} <= {counts.nudge for counts in counts}
    assert {0, 8} <= {counts.both for counts in counts}
    assert {0, 6} <= {counts.reroll for counts in counts}


@pytest.mark.parametrize(
    ("difference", "wrong"),
    [
        ("the state", lambda after: changed(after, gone=(*after.gone, "A1"))),
        ("the state", lambda after: changed(after, starter=1 - after.starter, turn=1 - after.turn)),
        ("the state", lambda after: changed(after, awards=after.awards[::-1])),
    ],
)
def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch, difference: str, wrong: Any) -> None:
    """Check that the proof stops at the first *shanghai* when the rules treat it differently."""

    def play(state: State, action: Any) -> State:
        after = SHANGHAIEN.play(state, action)
        return wrong(after) if isinstance(action, Shanghai) else after

    with pytest.raises(proof.Mismatch, match=f"{difference} of game [0-4], seed 1"):
        proof.prove(replace(SHANGHAIEN, play=play), Options(), 5, seed=1)


def test_a_wrong_count_of_legal_moves_is_found() -> None:
    def moves(state: State) -> Any:
        return [move for move in SHANGHAIEN.moves(state) if not isinstance(move, Joker)]

    with pytest.raises(proof.Mismatch, match="the legal moves of game"):
        proof.prove(replace(SHANGHAIEN, moves=moves), PROVED[1], 5, seed=1)


def test_a_wrong_result_is_found() -> None:
    def result(state: State) -> Any:
        right = SHANGHAIEN.result(state)
        assert right
        return changed(right, points=(right.points[0] + 1, right.points[1]))

    with pytest.raises(proof.Mismatch, match="the result of game 0"):
        proof.prove(replace(SHANGHAIEN, result=result), Options(), 1, seed=1)


# ----------------------------------------------------------------------------------------- states and fields


@pytest.mark.parametrize("options", PROVED)
def test_a_state_is_written_and_read_again(options: Options) -> None:
    for state in states(options, 3):
        assert read(write(state), options) == state


def test_a_game_that_is_set_up_is_the_one_that_was_played() -> None:
    """Compare every field, including those that only save time; beyond the fields in use a row may hold anything."""
    options = PROVED[1]
    steps = list(states(options, 2))
    batch = Batch(SHANGHAIEN, options, 1)
    for before, after in pairwise(steps):
        if after.round == 1 and after.step in ("starter", "row") and not before.row:
            continue  # another game begins
        batch.put(0, before)
        if before.mover == CHANCE:
            outcome = simulated(SHANGHAIEN).outcome_of(before, after)
            batch.give(given(outcome))
        else:
            (move,) = {move for move in SHANGHAIEN.moves(before) if SHANGHAIEN.play(before, move) == after}
            batch.step(np.array([batch.action(0, move)]))
        wanted = Batch(SHANGHAIEN, options, 1)
        wanted.put(0, after)
        for field in layout.LAYOUT.fields:
            played, set_up = batch[field.name][0], wanted[field.name][0]
            if field.name == "pile":
                left = len(after.to_come)
                played, set_up = np.sort(played[:left]), np.sort(set_up[:left])
            assert np.array_equal(played, set_up), (field.name, before, after)


def test_fields_stay_within_what_the_layout_says() -> None:
    batch = Batch(SHANGHAIEN, PROVED[1], 200, seed=2)
    for _ in range(60):
        batch.draw()
        for field in layout.LAYOUT.fields:
            numbers = batch[field.name]
            assert numbers.shape == (200, *field.shape)
            assert ((numbers <= field.most) | (numbers == layout.NONE)).all(), field
        batch.step(some_moves(batch))


def some_moves(batch: Batch) -> Any:
    """Return the last legal action of each game, or SKIP."""
    legal = batch.legal()
    last = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
    return np.where(legal.any(axis=1), last, SKIP)


def test_a_field_is_a_look_into_the_rows() -> None:
    batch = Batch(SHANGHAIEN, Options(), 3)
    assert np.shares_memory(batch["placed"], batch.rows)
    assert batch["placed"].shape == (3, 2, 6)
    with pytest.raises(KeyError, match="colour"):
        batch["colour"]


def test_a_state_with_other_options_is_not_taken() -> None:
    batch = Batch(SHANGHAIEN, Options(), 1)
    with pytest.raises(ValueError, match="other options"):
        batch.put(0, SHANGHAIEN.start(Options(starter=1)))


# ------------------------------------------------------------------------------------------------------ moves


def test_every_move_has_a_number() -> None:
    assert len(MOVES) == len(ACTION) == 46
    assert [ACTION[move] for move in MOVES] == list(range(46))
    assert MOVES[layout.PLACE + 5] == Place(6)
    assert MOVES[layout.JOKER + 8] == Joker("both", "A")
    assert MOVES[layout.NUDGE] == Nudge(1, 2)
    assert MOVES[layout.NUDGE + 9] == Nudge(6, 5)
    assert MOVES[layout.REROLL] == Reroll()
    met = {move for options in PROVED for state in states(options, 40) for move in SHANGHAIEN.moves(state)}
    assert met == set(MOVES)


@pytest.mark.parametrize(
    ("move", "rule"), [(Shanghai(), "S4"), (Number("left"), "S7"), (Place(3), "S6"), (Reroll(), "S8")]
)
def test_an_illegal_move_is_refused_with_its_rule_and_nothing_happens(move: Any, rule: str) -> None:
    batch = Batch(SHANGHAIEN, Options(), 3)
    batch.draw()
    before = batch.rows.copy()
    with pytest.raises(IllegalMove) as refused:
        batch.step(np.array([layout.ROLL, ACTION[move], layout.ROLL]))
    assert refused.value.rule == rule
    assert refused.value.__notes__ == [f"game 1 of the batch, action {ACTION[move]}"]
    assert np.array_equal(batch.rows, before)


@pytest.mark.parametrize("action", [46, 64, 1000, -2])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    batch = Batch(SHANGHAIEN, Options(), 1)
    batch.draw()
    with pytest.raises(IllegalMove, match=f"There is no action {action}"):
        batch.step(np.array([action]))


def test_a_move_while_chance_is_to_act_is_refused() -> None:
    batch = Batch(SHANGHAIEN, Options(), 1)
    with pytest.raises(IllegalMove, match="A chance outcome is due now"):
        batch.step(np.array([layout.ROLL]))


def test_legal_moves_are_counted_and_numbered() -> None:
    batch = Batch(SHANGHAIEN, PROVED[1], 200, seed=2)
    random = np.random.default_rng(1)
    for _ in range(60):
        batch.draw()
        legal, choices = batch.legal(), batch.choices()
        assert np.array_equal(choices, legal.sum(axis=1))
        which = (random.random(200) * choices).astype(np.int64) - (choices == 0)
        actions = batch.nth(which)
        assert np.array_equal(actions == SKIP, choices == 0)
        for game in np.flatnonzero(choices):
            assert np.flatnonzero(legal[game])[which[game]] == actions[game]
        with pytest.raises(ValueError, match="not so many legal moves"):
            batch.nth(choices)
        batch.step(actions)


def test_games_that_are_skipped_stay_as_they_are() -> None:
    batch = Batch(SHANGHAIEN, Options(), 2)
    batch.draw()
    batch.step(np.array([SKIP, layout.ROLL]))
    assert [batch.state(game).step for game in (0, 1)] == ["turn", "roll"]


@pytest.mark.parametrize(
    "actions", [np.array([0]), np.array([[0, 0]]), np.array([0.5, 0]), np.array([2**63, 0], np.uint64)]
)
def test_actions_of_another_shape_or_kind_are_refused(actions: Any) -> None:
    batch = Batch(SHANGHAIEN, Options(), 2)
    batch.draw()
    with pytest.raises(ValueError, match=r"shape \(2,\) and the kind int64"):
        batch.step(actions)


# ----------------------------------------------------------------------------------------------------- chance

MANY = 36_000


def count_outcomes(state: State, options: Options, games: int = MANY) -> Counter[Any]:
    """Return how often each outcome was drawn in this number of games in the same state."""
    batch = Batch(SHANGHAIEN, options, games, seed=11)
    batch.rows[:] = write(state)
    batch.draw_once(np.ones(games, np.bool_))
    seen = Counter(row.tobytes() for row in batch.rows)
    outcome_of = simulated(SHANGHAIEN).outcome_of
    counted: Counter[Any] = Counter()
    for row, count in seen.items():
        counted[outcome_of(state, read(np.frombuffer(row, batch.rows.dtype)[0], options))] += count
    return counted


@pytest.mark.parametrize("step", ["starter", "roll", "reroll"])
def test_dice_and_lot_have_the_chances_of_the_rules(step: str) -> None:
    options = PROVED[1]
    state = next(state for state in states(options, 20) if state.step == step)
    outcomes = SHANGHAIEN.chance(state).outcomes()
    assert outcomes
    assert not is_unlikely(count_outcomes(state, options), {outcome: float(chance) for outcome, chance in outcomes})


def test_the_last_row_has_the_chances_of_the_rules() -> None:
    """Lay the six cards that are left (three, two and one alike) in one of 60 orders."""
    state = next(state for state in states(Options(), 1) if state.step == "row" and state.round == 8)
    state = changed(state, to_come=("F3", "F3", "both", "nudge", "nudge", "nudge"))
    rows = count_outcomes(state, Options())
    assert len(rows) == 60
    chances = {row: SHANGHAIEN.chance(state).probability(row) for row in rows}
    assert sum(chances.values()) == 1
    assert not is_unlikely(rows, {row: float(chance) for row, chance in chances.items()})


def test_the_first_row_has_the_chances_of_the_rules() -> None:
    """Check the first two cards and the last one, each any of the 48: all rows are too many to list."""
    state = SHANGHAIEN.start(Options(starter=0))
    rows = count_outcomes(state, Options(starter=0))
    assert all(SHANGHAIEN.chance(state).probability(row) for row in rows)
    kinds = Counter(state.to_come)
    pairs: Counter[tuple[bool, str]] = Counter()
    last: Counter[str] = Counter()
    for row, count in rows.items():
        pairs[row.cards[0] == row.cards[1], row.cards[1]] += count
        last[row.cards[5]] += count
    assert not is_unlikely(last, {card: count / 48 for card, count in kinds.items()})
    chances: dict[tuple[bool, str], Fraction] = {}
    for card, count in kinds.items():
        alike = Fraction(count, 48) * Fraction(count - 1, 47)
        chances[False, card] = Fraction(count, 48) - alike
        if alike:
            chances[True, card] = alike
    assert not is_unlikely(pairs, {pair: float(chance) for pair, chance in chances.items()})


def given(*outcomes: Any) -> Any:
    """Return outcomes, one for each game, in the format that a batch reads."""
    rows = np.full((len(outcomes), 6), NOTHING)
    for row, outcome in zip(rows, outcomes, strict=True):
        if outcome:
            values = simulated(SHANGHAIEN).outcome_row(outcome)
            row[: len(values)] = list(values)
    return rows


def test_outcomes_can_be_given() -> None:
    batch = Batch(SHANGHAIEN, Options(), 2)
    row = Row(("A1", "F3", "F3", "nudge", "I4", "both"))
    batch.give(given(Starter(1), None))
    batch.give(given(row, Starter(0)))
    assert batch.state(0).row == row.cards
    assert batch.movers.tolist() == [1, CHANCE]
    batch.step(np.array([layout.ROLL, SKIP]))
    batch.give(given(Dice(2, 5), None))
    assert batch.state(0).roll == (2, 5)
    assert batch["roll"][0].tolist() == [2, 5]


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        ("starter", [2, 0, 0, 0, 0, 0]),
        ("roll", [0, 3, 0, 0, 0, 0]),
        ("roll", [3, 7, 0, 0, 0, 0]),
        ("row", [0, 0, 1, 2, 3, 4]),  # there is one American 1
        ("row", [0, 1, 2, 3, 4, 35]),
        ("row", [0, 1, 2, 3, 4, NOTHING]),
        ("turn", [1, 1, 0, 0, 0, 0]),
        ("over", [1, 1, 0, 0, 0, 0]),
    ],
)
def test_what_cannot_happen_is_refused(step: str, outcome: list[int]) -> None:
    state = next(state for state in states(Options(), 1) if state.step == step)
    batch = Batch(SHANGHAIEN, Options(), 1)
    batch.put(0, state)
    with pytest.raises(IllegalMove, match="That outcome is not possible in game 0"):
        batch.give(np.array([outcome]))
    assert batch.state(0) == state


# ----------------------------------------------------------------------------------------------- observations


def observation_field(batch: Batch, name: str) -> list[float]:
    """Return a field of the first game's observation."""
    features = layout.FEATURES
    at, field = features.at(name), features.field(name)
    return [float(number) for number in batch.observe()[0, at : at + field.size]]


def test_the_seat_to_move_sees_the_table_from_its_side() -> None:
    deck = SHANGHAIEN.start(Options()).to_come
    crews = (Crew(("S3", "F1"), (LaidJoker("both", "S"),), ("nudge",)), Crew(("S4",), (), ("reroll", "reroll")))
    row = ("A1", "A2", "nudge", "C3", "C3", "I4")
    left = list(deck)
    for card in (*row, "S3", "F1", "S4", "nudge", "reroll", "reroll", "both"):
        left.remove(card)
    state = changed(
        next(state for state in states(Options(), 1) if state.step == "place" and state.one_at),
        turn=1, mover=1, placed=((1, 0, 0, 0, 0, 2), (0, 3, 0, 0, 0, 0)), roll=(4, 4),
        spent=(True, False), one_at="right", row=row, crews=crews, round=3, starter=0, to_come=tuple(left),
    )  # fmt: skip
    batch = Batch(SHANGHAIEN, Options(), 1)
    batch.put(0, state)
    assert observation_field(batch, "step") == [0, 1, 0]
    assert observation_field(batch, "roll") == [0, 0, 0, 2, 0, 0]
    assert observation_field(batch, "one_at") == [0, 0, 1]
    assert observation_field(batch, "round") == [3]
    assert observation_field(batch, "starter") == [0]
    assert observation_field(batch, "spent") == [0, 1]
    assert observation_field(batch, "placed") == [0, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2]
    assert observation_field(batch, "tricks") == [0, 0, 2, 1, 0, 0]
    own, other = observation_field(batch, "strength")[:8], observation_field(batch, "strength")[8:]
    assert own == [0, 0, 0, 0, 0, 0, 4, 0]
    assert other == [0, 1, 0, 0, 0, 0, 5, 0]
    places = np.array(observation_field(batch, "row")).reshape(6, 35)
    assert [CARDS[place] for place in places.argmax(axis=1)] == list(row)
    assert places.sum() == 6
    to_come = observation_field(batch, "to_come")
    wanted = {"A1": 0, "C3": 0, "F3": 2, "nudge": 1, "reroll": 1, "both": 1}
    assert {card: to_come[CARD[card]] for card in wanted} == wanted
    assert sum(to_come) == len(left)


def test_an_observation_holds_what_the_seat_may_know_and_nothing_else() -> None:
    """Set up a game from a view, with other luck and another pile order: observation and legal moves are the same."""
    options = PROVED[1]
    batch = Batch(SHANGHAIEN, options, 60, seed=3)
    other = Batch(SHANGHAIEN, options, 60, seed=4)
    for _ in range(40):
        batch.draw()
        for game in range(60):
            state = batch.state(game)
            view = SHANGHAIEN.view(state, max(state.mover, 0))
            other.put(game, SHANGHAIEN.imagine(view, Random(game).randrange))
        assert np.array_equal(batch.observe(), other.observe())
        assert np.array_equal(batch.legal(), other.legal())
        batch.step(some_moves(batch))


def test_nothing_is_seen_where_no_seat_is_to_move() -> None:
    batch = Batch(SHANGHAIEN, Options(), 5)
    assert not batch.observe().any()
    batch.play_out()
    assert not batch.observe().any()


def test_features_stay_within_what_the_layout_says() -> None:
    batch = Batch(SHANGHAIEN, PROVED[1], 300, seed=9)
    most = np.concatenate([np.full(field.size, field.most) for field in layout.FEATURES.fields])
    for _ in range(60):
        batch.draw()
        features = batch.observe()
        assert (features >= 0).all()
        assert (features <= most).all()
        batch.step(some_moves(batch))


# ----------------------------------------------------------------------------------------------------- scoring


def test_the_worked_example_of_scoring() -> None:
    anna = Crew(("S3", "F1", "F4", "A1", "A2", "A3", "C1"), (LaidJoker("both", "S"), LaidJoker("nudge", "S")), ())
    bernd = Crew(("F2", "F3", "A3", "A4", "C3", "C3", "C4"), (), ("reroll",))
    state = next(state for state in states(Options(), 1) if state.mover == OVER)
    batch = Batch(SHANGHAIEN, Options(), 1)
    batch.put(0, changed(state, crews=(anna, bernd)))
    points, winners = batch.score()
    assert points.tolist() == [[7, 8]]
    assert winners.tolist() == [[False, True]]


def test_the_worked_example_of_a_shanghai() -> None:
    """Resolve the row: card 1 leaves; 2 is Anna's; 3 leaves; 4, 5 and 6 are Bernd's."""
    row = ("A1", "A2", "A3", "A3", "A4", "F1")
    left = list(SHANGHAIEN.start(Options()).to_come)
    for card in row:
        left.remove(card)
    state = changed(
        next(state for state in states(Options(starter=0), 1) if state.step == "turn" and state.round == 1),
        placed=((0, 2, 1, 0, 0, 2), (0, 0, 1, 1, 1, 2)), one_at="right", row=row[::-1], to_come=tuple(left),
        options=Options(),
    )  # fmt: skip
    batch = Batch(SHANGHAIEN, Options(), 1)
    batch.put(0, state)
    batch.step(np.array([layout.SHANGHAI]))
    assert [award.taker for award in batch.state(0).awards] == [None, 0, None, 1, 1, 1]
    assert batch.state(0).gone == ("A1", "A3")
    assert batch.state(0).crews[1].sailors == ("A3", "A4", "F1")


def test_a_draw_has_two_winners_and_an_unfinished_game_none() -> None:
    state = next(state for state in states(Options(), 1) if state.mover == OVER)
    batch = Batch(SHANGHAIEN, Options(), 2)
    batch.put(0, changed(state, crews=(Crew(("A1",)), Crew(("F1",)))))
    points, winners = batch.score()
    assert points.tolist() == [[1, 1], [0, 0]]
    assert winners.tolist() == [[True, True], [False, False]]


def test_all_eight_trick_cards_of_a_kind_can_be_played_with() -> None:
    options = Options(tricks=TrickCounts(nudge=8, both=0, reroll=0))
    assert Batch(SHANGHAIEN, options, 1)["pile"][0].tolist().count(CARD["nudge"]) == 8
    assert Roll() in ACTION
