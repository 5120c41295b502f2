"""Shanghaien: solved rounds, and the players and the judge that use them."""

from collections.abc import Iterator
from dataclasses import replace as changed
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.arena import simulate
from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.players.plans import plan
from kontor.games.shanghaien.players.positions import PAIRS, can_roll, class_of, layer
from kontor.games.shanghaien.players.round import BOTH, NOTHING, NUDGE, REROLL, WAYS, Ends, Use, solve
from kontor.games.shanghaien.players.steady import POINTS
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.components import NATIONS, ROUNDS, ROW, TRICKS, TrickCounts
from kontor.games.shanghaien.rules.state import NOBODY_PLACED, Joker, Numbers, Roll, Shanghai
from kontor.players import judge_named, player_named
from profiles import scale_examples
from shanghaien.random_games import Plan
from shanghaien.table import ANNA, go, position

NONE: Numbers = (0, 0, 0, 0, 0, 0)
DIGITS = np.arange(WAYS)[:, None] // 3 ** np.arange(ROW) % 3
"""[729, 6]: the taker of the card at each place from left to right: nobody (0), seat 0 (1), seat 1 (2)."""


def all_uses(*nations: str) -> tuple[Use, ...]:
    """Return every use of a hand with all three tricks, by a captain with sailors of these nations."""
    return (
        NOTHING,
        *map(Use, TRICKS),
        *[Use(trick, nation) for trick in TRICKS for nation in NATIONS if nation in nations],
    )


def ends_won_by(uses: tuple[tuple[Use, ...], tuple[Use, ...]], seat: int, place: int) -> Ends:
    """Return ends in which a seat wins by the card at this place from the left, with any tricks used."""
    won = (DIGITS[:, place] == 1 + seat).astype(float)
    worth = np.empty((len(uses[0]), len(uses[1]), 2, WAYS))
    worth[:] = won if seat == 0 else 1 - won
    return Ends(uses, worth)


def at_random(seed: int, *uses: tuple[Use, ...]) -> Ends:
    return Ends((uses[0], uses[1]), np.random.default_rng(seed).random((len(uses[0]), len(uses[1]), 2, WAYS)))


def swap_seats(ends: Ends) -> Ends:
    turned = (-DIGITS % 3) @ 3 ** np.arange(ROW)
    return Ends(ends.uses[::-1], 1 - ends.worth.swapaxes(0, 1)[:, :, ::-1, turned])


def mirror_row(ends: Ends) -> Ends:
    return changed(ends, worth=ends.worth[..., DIGITS[:, ::-1] @ 3 ** np.arange(ROW)])


# ------------------------------------------------------------------------------- rounds that can be solved by hand

ONE_IN_ROLL = 11 / 36
"""The probability that a roll has a certain number."""


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("use", "likely"),
    [
        (NOTHING, ONE_IN_ROLL),
        (BOTH, 8 / 36 + 3 / 25),  # with two 1s, or 1 and 2, the other's 1 is of no use
        (NUDGE, 20 / 36),  # a 1, or a 2 that becomes one
        (REROLL, 1 - (25 / 36) ** 2),
        (Use("nudge", "F"), ONE_IN_ROLL),
    ],
    ids=str,
)
def test_with_two_dice_each_the_starter_gets_a_card_if_its_number_is_rolled_and_the_other_does_not(
    seat: int, use: Use, likely: float
) -> None:
    """Check the chance of the card at the left.

    Each places one die (S6), then the starter has to shanghai (S5). With one die of each on the card it leaves (S9):
    so the other places a die there too, if that number is rolled.
    """
    own = (NOTHING, use) if use != NOTHING else (NOTHING,)
    uses = (own, (NOTHING,)) if seat == 0 else ((NOTHING,), own)
    turn = solve(ends_won_by(uses, seat, 0), NOBODY_PLACED, seat, "left", dice=2)
    chance = turn.value if seat == 0 else 1 - turn.value
    assert chance == pytest.approx(likely * 25 / 36, abs=1e-12)


def test_s8c_with_both_one_die_of_the_other_cannot_make_up_for_two() -> None:
    """Check that two 1s beat one, and that with equally many the 2 beside it counts (S9), but not a 3."""
    turn = solve(ends_won_by(((NOTHING, BOTH), (NOTHING,)), 0, 0), NOBODY_PLACED, 0, "left", dice=2)
    assert turn.used(BOTH, 1, 1) == turn.used(BOTH, 1, 2) == turn.rolled(1, 1) == turn.rolled(1, 2) == 1
    assert turn.rolled(1, 3) == turn.used(NOTHING, 1, 2) == pytest.approx(25 / 36, abs=1e-12)
    assert turn.rolled(3, 4) == 0


def test_s7_the_starter_chooses_the_end_by_the_first_roll() -> None:
    ends = ends_won_by(((NOTHING,), (NOTHING,)), 0, 0)
    turn = solve(ends, NOBODY_PLACED, 0, None, dice=2)
    assert turn.ends == ("left", "right")
    assert turn.rolled(6, 3) == turn.numbered("right").rolled(6, 3) == pytest.approx(25 / 36, abs=1e-12)
    assert turn.numbered("left").rolled(6, 3) == 0
    assert turn.value == pytest.approx((20 / 36) * 25 / 36, abs=1e-12)  # a 1 or a 6


def test_s8d_a_reroll_before_numbering_leaves_the_end_open() -> None:
    ends = ends_won_by(((NOTHING, REROLL), (NOTHING,)), 0, 0)
    turn = solve(ends, NOBODY_PLACED, 0, None, dice=2)
    assert turn.rerolling == turn.rolled(3, 3) == pytest.approx((20 / 36) * 25 / 36, abs=1e-12)
    assert turn.numbered("left").rerolling == pytest.approx(ONE_IN_ROLL * 25 / 36, abs=1e-12)


def test_s8a_a_joker_is_laid_only_where_it_helps() -> None:
    """Check a joker that is worth 0.6 in place of a lost card, and nothing in place of one that is won."""
    ends = ends_won_by(((NOTHING, Use("both", "F")), (NOTHING,)), 0, 0)
    ends.worth[1] = 0.6
    turn = solve(ends, NOBODY_PLACED, 0, "left", dice=2)
    assert turn.rolled(2, 3) == pytest.approx(0.6)
    assert turn.rolled(1, 3) == pytest.approx(25 / 36)
    assert turn.used(Use("both", "F"), 1, 3) == pytest.approx(0.6)


def test_s5_who_has_one_die_left_must_shanghai() -> None:
    ends = at_random(1, (NOTHING,), (NOTHING,))
    turn = solve(ends, ((5, 0, 0, 0, 0, 0), (0, 4, 0, 0, 0, 0)), 0, "left")
    assert turn.placing is None
    assert turn.value == turn.shanghai == ends.worth[0, 0, 0, 1 + 2 * 3]


def test_s4_shanghai_needs_two_own_dice() -> None:
    ends = at_random(1, (NOTHING,), (NOTHING,))
    assert solve(ends, ((1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0)), 0, "left").shanghai is None
    assert solve(ends, ((2, 0, 0, 0, 0, 0), (0, 2, 0, 0, 0, 0)), 0, "left").shanghai == ends.worth[0, 0, 0, 7]
    assert (
        solve(ends, ((2, 0, 0, 0, 0, 0), (0, 2, 0, 0, 0, 0)), 1, "right").shanghai
        == ends.worth[0, 0, 1, 3**5 + 2 * 3**4]
    )


def test_dice_that_no_round_can_bring_about_are_refused() -> None:
    with pytest.raises(ValueError, match="No round leads to 4 and 0 dice placed, with 6 dice each"):
        solve(at_random(1, (NOTHING,), (NOTHING,)), ((4, 0, 0, 0, 0, 0), NONE), 0, "left")


# -------------------------------------------------------------------------------------- properties of all solutions


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Ends, int, int]:
    """Draw ends with any values, the starter, and three or four dice each."""
    seats = [
        draw(st.sampled_from([(NOTHING,), (NOTHING, NUDGE, REROLL), (NOTHING, BOTH), all_uses("F")])) for _ in "01"
    ]
    return at_random(draw(st.integers(0, 999)), *seats), draw(st.integers(0, 1)), draw(st.integers(3, 4))


@settings(max_examples=scale_examples(25), deadline=None)
@given(rounds())
def test_the_seats_are_alike(case: tuple[Ends, int, int]) -> None:
    ends, starter, dice = case
    turn = solve(ends, NOBODY_PLACED, starter, None, dice=dice)
    other = solve(swap_seats(ends), NOBODY_PLACED, 1 - starter, None, dice=dice)
    assert turn.value == pytest.approx(1 - other.value, abs=1e-12)
    assert turn.rolled(2, 5) == pytest.approx(1 - other.rolled(2, 5), abs=1e-12)


@settings(max_examples=scale_examples(25), deadline=None)
@given(rounds())
def test_the_ends_of_the_row_are_alike(case: tuple[Ends, int, int]) -> None:
    ends, starter, dice = case
    turn = solve(ends, NOBODY_PLACED, starter, None, dice=dice)
    other = solve(mirror_row(ends), NOBODY_PLACED, starter, None, dice=dice)
    assert turn.value == pytest.approx(other.value, abs=1e-12)
    assert turn.numbered("left").rolled(2, 5) == pytest.approx(other.numbered("right").rolled(2, 5), abs=1e-12)


@settings(max_examples=scale_examples(25), deadline=None)
@given(rounds(), st.integers(0, 999))
def test_better_ends_and_more_tricks_do_no_harm(case: tuple[Ends, int, int], seed: int) -> None:
    ends, starter, dice = case
    value = solve(ends, NOBODY_PLACED, starter, None, dice=dice).value
    better = changed(ends, worth=ends.worth + np.random.default_rng(seed).random(ends.worth.shape) / 10)
    assert solve(better, NOBODY_PLACED, starter, None, dice=dice).value >= value - 1e-12
    fewer = changed(ends, uses=(ends.uses[0][:1], ends.uses[1]), worth=ends.worth[:1])
    assert solve(fewer, NOBODY_PLACED, starter, None, dice=dice).value <= value + 1e-12


def test_jokers_that_are_nowhere_better_are_left_out_unless_they_are_asked_for() -> None:
    jokers = [Use("nudge", nation) for nation in ("F", "G", "A")]
    ends = at_random(7, (NOTHING, *jokers), (NOTHING, REROLL))
    ends.worth[2] = ends.worth[1] - 0.01  # German: never better than French
    ends.worth[3] = ends.worth[0]  # American: never better than none
    turn = solve(ends, NOBODY_PLACED, 0, None, dice=4)
    every = solve(ends, NOBODY_PLACED, 0, None, dice=4, keep=jokers)
    assert turn.uses == (NOTHING, jokers[0])
    assert every.uses == (NOTHING, *jokers)
    assert turn.value == every.value
    for joker in jokers:
        after = solve(ends.after(0, joker), NOBODY_PLACED, 0, None, dice=4)
        assert every.used(joker, 3, 4) == pytest.approx(after.rolled(3, 4), abs=1e-12)


# --------------------------------------------------------------------------------------------------------- positions


@settings(deadline=None)
@given(st.data())
def test_positions_of_a_class_come_to_the_same_whatever_dice_follow(data: st.DataObject) -> None:
    both = data.draw(st.booleans())
    own, other = data.draw(st.sampled_from([(2, 2), (3, 3), (3, 4), (4, 4), (4, 5), (4, 6)]))
    start = layer(own, other, 6, both)
    alike = np.argwhere(start.of == data.draw(st.integers(0, len(start) - 1)))
    first, second = data.draw(st.sampled_from(list(map(tuple, alike)))), tuple(alike[0])
    placed = [(first, start), (second, start)]
    while can_roll(own, 6):
        assert len({int(grid.way[grid.of[position]]) for position, grid in placed}) == 1
        die = data.draw(st.integers(0, ROW - 1))
        after = layer(other, own + 1, 6, both)
        classes = {int(grid.one[grid.of[position]][die]) for position, grid in placed if grid.one is not None}
        assert len(classes) == 1
        placed = [(tuple(np.argwhere(after.of == classes.pop())[0]), after)] * 2
        own, other = other, own + 1


def test_a_class_is_found_by_the_dice_on_each_number() -> None:
    grid = layer(2, 1, 6, False)
    position = class_of((1, 0, 0, 0, 0, 1), (0, 1, 0, 0, 0, 0), 6, False)
    assert DIGITS[grid.way[position]].tolist() == [1, 2, 0, 0, 0, 1]


def test_a_round_is_solved_by_few_classes() -> None:
    """Check the cost: 123,110 positions without tricks, half a million if both hold the trick *both*."""
    assert sum(stage.classes for stage in plan(0, 0, 0, 6, (False, False))) == 19_446
    assert sum(stage.classes for stage in plan(0, 0, 0, 6, (True, True))) == 99_670
    assert len(PAIRS) == 21


# --------------------------------------------------------------------------------------------------- views and moves

OPTIONS = Options(TrickCounts(3, 2, 3), first_trick="both")


def last_rounds(seed: int) -> Iterator[State]:
    """Yield the states of a last round, from the laid row on."""
    for step in Plan(OPTIONS, seed, shanghai=0.2, trick=0.15).steps():
        if step.after.round == ROUNDS and step.after.row:
            yield step.after


def value(state: State, seat: int) -> float:
    return float(judge_named("shanghaien").value(SHANGHAIEN.view(state, seat), Random(1)).chance)


@pytest.mark.parametrize("seed", range(6))
def test_in_the_last_round_every_value_follows_from_those_after_it(seed: int) -> None:
    """Check that a seat's value is that of its best move, and chance's the mean of its outcomes.

    It covers all states from the laid row to the end.
    """
    judge = judge_named("shanghaien")
    for state in last_rounds(seed):
        view = SHANGHAIEN.view(state, max(state.mover, 0))
        estimate = judge.value(view, Random(1))
        assert estimate.exact
        assert value(state, 0) + value(state, 1) == pytest.approx(1, abs=1e-12)
        if state.mover == CHANCE:
            outcomes = SHANGHAIEN.chance(state).outcomes() or ()
            mean = sum(float(likely) * value(SHANGHAIEN.play(state, outcome), 0) for outcome, likely in outcomes)
            assert estimate.chance == pytest.approx(mean, abs=1e-9)
        elif state.mover != OVER:
            moves = SHANGHAIEN.moves(state)
            appraisal = judge.appraise(view, moves, Random(1))
            assert appraisal.exact
            assert appraisal.best.chance == pytest.approx(estimate.chance, abs=1e-9)
            for appraised in appraisal.moves:
                after = value(SHANGHAIEN.play(state, appraised.move), state.mover)
                assert appraised.chance == pytest.approx(after, abs=1e-9), appraised.move


@pytest.mark.parametrize("seed", range(3))
def test_before_it_too_as_far_as_single_precision_goes(seed: int) -> None:
    """Check that *shanghai* leads to the learned chance between rounds."""
    judge = judge_named("shanghaien")
    for step in list(Plan(OPTIONS, seed).steps())[:-1:7]:
        state = step.after
        view = SHANGHAIEN.view(state, max(state.mover, 0))
        assert judge.value(view, Random(1)).exact == (state.round == ROUNDS and state.step != "row")
        assert value(state, 0) + value(state, 1) == pytest.approx(1, abs=1e-5)
        if state.mover != CHANCE:
            for appraised in judge.appraise(view, SHANGHAIEN.moves(state), Random(1)).moves:
                after = value(SHANGHAIEN.play(state, appraised.move), state.mover)
                assert appraised.chance == pytest.approx(after, abs=1e-5), appraised.move


@pytest.mark.parametrize(
    ("trick", "likely"), [("", 11 / 36), ("nudge", 20 / 36), ("both", 12 / 36), ("reroll", 1 - (25 / 36) ** 2)]
)
def test_the_chance_of_a_last_throw(trick: str, likely: float) -> None:
    """Check the last turn before Bernd has to shanghai (S5).

    Anna needs the German 4, with its 4 points against 2 + 1. Or, with 1 and 2 placed both, she gets the French 1 for
    its neighbour, and the Turk: 2 points to 2.
    """
    dice = ("1 1 1 1", "1 1 1 1 1")
    state = position(anna=trick, bernd="C2", dice=dice, row="F1 T1 D1 S1 I1 G4", round_number=ROUNDS)
    appraisal = judge_named("shanghaien").appraise(SHANGHAIEN.view(state, ANNA), SHANGHAIEN.moves(state), Random(1))
    assert appraisal.best.move == Roll()
    assert appraisal.best.chance == pytest.approx(likely, abs=1e-12)
    assert appraisal.of(Shanghai()).chance == 0


def test_a_joker_that_is_nowhere_better_is_appraised_if_it_was_played() -> None:
    """Check a wasted joker: played in the last row for the Americans, of whom the other has more anyway."""
    state = position(anna="A1 F4 nudge", bernd="A4 A3 A3", dice=("1 2 3", "1 2 3"), round_number=ROUNDS)
    state = go(state, "13")
    view, moves = SHANGHAIEN.view(state, ANNA), SHANGHAIEN.moves(state)
    thrown_away = Joker("nudge", "A")
    judge = judge_named("shanghaien")
    appraisal = judge.appraise(view, moves, Random(1))
    with pytest.raises(KeyError):
        appraisal.of(thrown_away)
    played = judge.appraise(view, moves, Random(1), thrown_away)
    assert played.best == appraisal.best
    after = judge.value(SHANGHAIEN.view(SHANGHAIEN.play(state, thrown_away), ANNA), Random(1))
    assert played.of(thrown_away).chance == pytest.approx(after.chance, abs=1e-12)


# ------------------------------------------------------------------------------------------------------- the players


@pytest.mark.parametrize("seed", range(8))
def test_with_the_game_won_or_lost_expert_still_plays_for_points(seed: int) -> None:
    expert, judge = player_named("shanghaien", "expert"), judge_named("shanghaien")
    for state in last_rounds(seed):
        if state.mover >= 0 and min(value(state, 0), value(state, 1)) < 1e-13:
            view, moves = SHANGHAIEN.view(state, state.mover), SHANGHAIEN.moves(state)
            appraisal = judge.appraise(view, moves, Random(1))
            sure = [
                appraised.move for appraised in appraisal.moves if appraised.chance > appraisal.best.chance - 1e-12
            ]
            leads = dict(POINTS.worths(view, sure))
            greatest = max(leads.values()) if state.mover == 0 else min(leads.values())
            assert leads[expert(view, moves, Random(1))] == pytest.approx(greatest)


@pytest.mark.parametrize("name", ["casual", "steady", "expert"])
def test_levels_leave_nothing_to_luck_and_keep_the_rules(name: str) -> None:
    choose = player_named("shanghaien", name)
    for step in list(Plan(OPTIONS, 4).steps())[::3]:
        if step.before.mover >= 0:
            view, moves = SHANGHAIEN.view(step.before, step.before.mover), SHANGHAIEN.moves(step.before)
            chosen = choose(view, moves, Random(1))
            assert chosen in moves
            assert choose(replace(view), moves, Random(2)) == chosen


@pytest.mark.long
@pytest.mark.parametrize(
    ("better", "worse", "games", "share"),
    [("casual", "random", 20, 0.9), ("steady", "casual", 6, 0.5), ("expert", "casual", 4, 0.5)],
)
def test_each_level_is_better_than_the_one_below(better: str, worse: str, games: int, share: float) -> None:
    """Check it in few games: docs/strength.md says how much better."""
    report = simulate(SHANGHAIEN, Options(), [better, worse], games, 1)
    assert report.players[0].share > share
