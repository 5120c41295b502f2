"""Shanghaien: rounds solved, and the players and the judge who think with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as changed
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor.game import CHANCE, OVER
from kontor.players import judge_named
from kontor.players.shanghaien.plans import plan
from kontor.players.shanghaien.positions import PAIRS, can_roll, class_of, layer
from kontor.players.shanghaien.round import BOTH, NOTHING, NUDGE, REROLL, WAYS, Ends, Use, solve
from kontor.shanghaien import SHANGHAIEN, Options, State
from kontor.shanghaien.components import NATIONS, ROUNDS, ROW, TRICKS, TrickCounts
from kontor.shanghaien.state import NOBODY_PLACED, Numbers
from shanghaien.random_games import Plan

NONE: Numbers = (0, 0, 0, 0, 0, 0)
DIGITS = np.arange(WAYS)[:, None] // 3 ** np.arange(ROW) % 3
"""[729, 6]: who gets the card at each place from left to right: nobody, seat 0 (1), seat 1 (2)."""


def all_uses(*nations: str) -> tuple[Use, ...]:
    """Every use of a hand with all three tricks, by a captain with sailors of these nations."""
    return (
        NOTHING,
        *map(Use, TRICKS),
        *[Use(trick, nation) for trick in TRICKS for nation in NATIONS if nation in nations],
    )


def wanted(uses: tuple[tuple[Use, ...], tuple[Use, ...]], seat: int, place: int) -> Ends:
    """A seat wins by getting the card at this place from the left, whatever tricks are used."""
    won = (DIGITS[:, place] == 1 + seat).astype(float)
    worth = np.empty((len(uses[0]), len(uses[1]), 2, WAYS))
    worth[:] = won if seat == 0 else 1 - won
    return Ends(uses, worth)


def at_random(seed: int, *uses: tuple[Use, ...]) -> Ends:
    return Ends((uses[0], uses[1]), np.random.default_rng(seed).random((len(uses[0]), len(uses[1]), 2, WAYS)))


def swapped(ends: Ends) -> Ends:
    """The seats changed."""
    turned = (-DIGITS % 3) @ 3 ** np.arange(ROW)
    return Ends(ends.uses[::-1], 1 - ends.worth.swapaxes(0, 1)[:, :, ::-1, turned])


def mirrored(ends: Ends) -> Ends:
    """The row turned round."""
    return changed(ends, worth=ends.worth[..., DIGITS[:, ::-1] @ 3 ** np.arange(ROW)])


# ------------------------------------------------------------------------------- rounds that can be solved by hand

ONE_IN_ROLL = 11 / 36
"""How likely a roll has a certain number."""


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
    """Each places one die (S6), then the starter has to shanghai (S5). With one die of each on the card it leaves
    (S9): so the other places a die there too, if that number is rolled."""
    own = (NOTHING, use) if use != NOTHING else (NOTHING,)
    uses = (own, (NOTHING,)) if seat == 0 else ((NOTHING,), own)
    turn = solve(wanted(uses, seat, 0), NOBODY_PLACED, seat, "left", dice=2)
    chance = turn.value if seat == 0 else 1 - turn.value
    assert chance == pytest.approx(likely * 25 / 36, abs=1e-12)


def test_s8c_with_both_one_die_of_the_other_cannot_make_up_for_two() -> None:
    """Two 1s are more than one, and with equally many the 2 beside it counts (S9); a 3 does not."""
    turn = solve(wanted(((NOTHING, BOTH), (NOTHING,)), 0, 0), NOBODY_PLACED, 0, "left", dice=2)
    assert turn.used(BOTH, 1, 1) == turn.used(BOTH, 1, 2) == turn.rolled(1, 1) == turn.rolled(1, 2) == 1
    assert turn.rolled(1, 3) == turn.used(NOTHING, 1, 2) == pytest.approx(25 / 36, abs=1e-12)
    assert turn.rolled(3, 4) == 0


def test_s7_the_starter_chooses_the_end_by_the_first_roll() -> None:
    ends = wanted(((NOTHING,), (NOTHING,)), 0, 0)
    turn = solve(ends, NOBODY_PLACED, 0, None, dice=2)
    assert turn.ends == ("left", "right")
    assert turn.rolled(6, 3) == turn.numbered("right").rolled(6, 3) == pytest.approx(25 / 36, abs=1e-12)
    assert turn.numbered("left").rolled(6, 3) == 0
    assert turn.value == pytest.approx((20 / 36) * 25 / 36, abs=1e-12)  # a 1 or a 6


def test_s8d_a_reroll_before_numbering_leaves_the_end_open() -> None:
    ends = wanted(((NOTHING, REROLL), (NOTHING,)), 0, 0)
    turn = solve(ends, NOBODY_PLACED, 0, None, dice=2)
    assert turn.rerolling == turn.rolled(3, 3) == pytest.approx((20 / 36) * 25 / 36, abs=1e-12)
    assert turn.numbered("left").rerolling == pytest.approx(ONE_IN_ROLL * 25 / 36, abs=1e-12)


def test_s8a_a_joker_is_laid_only_where_it_helps() -> None:
    """Worth 0.6 in place of a card that is lost; nothing in place of one that is won."""
    ends = wanted(((NOTHING, Use("both", "F")), (NOTHING,)), 0, 0)
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


# -------------------------------------------------------------------------------------------- what must hold of all


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Ends, int, int]:
    """Ends of any worth, who starts, and three or four dice each."""
    seats = [
        draw(st.sampled_from([(NOTHING,), (NOTHING, NUDGE, REROLL), (NOTHING, BOTH), all_uses("F")])) for _ in "01"
    ]
    return at_random(draw(st.integers(0, 999)), *seats), draw(st.integers(0, 1)), draw(st.integers(3, 4))


@settings(max_examples=25, deadline=None)
@given(rounds())
def test_the_seats_are_alike(case: tuple[Ends, int, int]) -> None:
    ends, starter, dice = case
    turn = solve(ends, NOBODY_PLACED, starter, None, dice=dice)
    other = solve(swapped(ends), NOBODY_PLACED, 1 - starter, None, dice=dice)
    assert turn.value == pytest.approx(1 - other.value, abs=1e-12)
    assert turn.rolled(2, 5) == pytest.approx(1 - other.rolled(2, 5), abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(rounds())
def test_the_ends_of_the_row_are_alike(case: tuple[Ends, int, int]) -> None:
    ends, starter, dice = case
    turn = solve(ends, NOBODY_PLACED, starter, None, dice=dice)
    other = solve(mirrored(ends), NOBODY_PLACED, starter, None, dice=dice)
    assert turn.value == pytest.approx(other.value, abs=1e-12)
    assert turn.numbered("left").rolled(2, 5) == pytest.approx(other.numbered("right").rolled(2, 5), abs=1e-12)


@settings(max_examples=25, deadline=None)
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


@given(st.data())
def test_positions_of_a_class_come_to_the_same_whatever_dice_follow(data: st.DataObject) -> None:
    both = data.draw(st.booleans())
    own, other = data.draw(st.sampled_from([(2, 2), (3, 3), (3, 4), (4, 4), (4, 5), (4, 6)]))
    here = layer(own, other, 6, both)
    alike = np.argwhere(here.of == data.draw(st.integers(0, len(here) - 1)))
    first, second = data.draw(st.sampled_from(list(map(tuple, alike)))), tuple(alike[0])
    placed = [(first, here), (second, here)]
    while can_roll(own, 6):
        assert len({int(there.way[there.of[position]]) for position, there in placed}) == 1
        die = data.draw(st.integers(0, ROW - 1))
        after = layer(other, own + 1, 6, both)
        classes = {int(there.one[there.of[position]][die]) for position, there in placed if there.one is not None}
        assert len(classes) == 1
        placed = [(tuple(np.argwhere(after.of == classes.pop())[0]), after)] * 2
        own, other = other, own + 1


def test_a_class_is_found_by_the_dice_on_each_number() -> None:
    here = layer(2, 1, 6, False)
    position = class_of((1, 0, 0, 0, 0, 1), (0, 1, 0, 0, 0, 0), 6, False)
    assert DIGITS[here.way[position]].tolist() == [1, 2, 0, 0, 0, 1]


def test_a_round_is_solved_by_few_classes() -> None:
    """What a solution costs: 123,110 positions without tricks, half a million if both hold the trick *both*."""
    assert sum(stage.classes for stage in plan(0, 0, 0, 6, (False, False))) == 19_446
    assert sum(stage.classes for stage in plan(0, 0, 0, 6, (True, True))) == 99_670
    assert len(PAIRS) == 21


# --------------------------------------------------------------------------------------------------- views and moves

OPTIONS = Options(TrickCounts(3, 2, 3), first_trick="both")


def last_rounds(seed: int) -> Iterator[State]:
    """The states of a last round, from the laid row on."""
    for step in Plan(OPTIONS, seed, shanghai=0.2, trick=0.15).steps():
        if step.after.round == ROUNDS and step.after.row:
            yield step.after


def value(state: State, seat: int) -> float:
    return float(judge_named("shanghaien").value(SHANGHAIEN.view(state, seat), Random(1)).chance)


@pytest.mark.parametrize("seed", range(6))
def test_in_the_last_round_every_value_follows_from_those_after_it(seed: int) -> None:
    """A seat has the best of its moves, and chance the mean of its outcomes: from the laid row to the end."""
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
