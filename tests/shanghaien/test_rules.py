"""Every rule and ruling of Shanghaien, S1 to S12, each test named after its rule.

Where several tests speak for one rule, they are in the order of its sentences. The notation is that of ``table``.
"""
# ruff: noqa: N802  (tests bear the numbers of the rules)

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from kontor.game import CHANCE, OVER, BadOptions, Result
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.components import NATIONS, SAILORS, Nation, TrickCounts, whole_deck
from kontor.games.shanghaien.rules.scoring import compare, comparisons, totals
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

from .table import (
    ANNA,
    ANNA_STARTS,
    BERND,
    actions,
    all_cards,
    awards,
    below_from,
    crew,
    go,
    legal,
    open_game,
    position,
    refusing_rule,
    show,
    supply,
    word,
)

# ------------------------------------------------------------------------------------------------- S1, S2: the box


def test_S1_forty_sailors_of_eight_nations_with_the_values_1_2_3_3_4() -> None:
    assert len(SAILORS) == 40
    assert len(NATIONS) == 8
    assert set(get_args(Nation)) == set(NATIONS)
    for nation in NATIONS:
        assert sorted(int(card[1]) for card in SAILORS if card[0] == nation) == [1, 2, 3, 3, 4]


def test_S1_forty_eight_cards_with_the_eight_dirty_tricks() -> None:
    deck = whole_deck(TrickCounts())
    assert len(deck) == 48
    assert Counter(deck) - Counter(SAILORS) == Counter(nudge=3, both=2, reroll=3)
    assert Counter(SHANGHAIEN.start(Options()).to_come) == Counter(deck)


def test_S1_two_players_with_six_dice_each() -> None:
    assert SHANGHAIEN.seats(Options()) == 2
    table = open_game("12 left 1 / 12 1 / 12 1 / 12 1 / 12 1 / 12 1 / 12 1 / 12 1 / 12 1 / 12 1")
    assert (supply(table, ANNA), supply(table, BERND)) == (1, 1)
    assert legal(table) == "shanghai"


def test_S2_a_trick_card_is_either_the_joker_or_its_dice_trick() -> None:
    for card, half in {"nudge": "3>4", "both": "both", "reroll": "reroll"}.items():
        table = go(position(anna=f"F1 {card}"), "36")
        assert half in legal(table).split()
        assert f"joker:{card}:F" in legal(table).split()
        others = {"both", "reroll", "3>4"} - {half}
        assert not others & set(legal(table).split()), show(table)
        assert crew(go(table, half), ANNA) == "F1"
        assert crew(go(table, f"joker:{card}:F"), ANNA) == f"F1 joker:{card}:F"


def test_S2_the_joker_counts_as_two_sailors() -> None:
    table = go(position(anna="F1 both"), "36 joker:both:F")
    assert table.crews[ANNA].strength("F") == 3


def test_S2_ruling_three_nudge_two_both_three_reroll_by_default() -> None:
    assert Options().tricks == TrickCounts(nudge=3, both=2, reroll=3)


def test_S2_ruling_any_three_counts_that_sum_to_eight() -> None:
    accepted = 0
    for nudge, both, reroll in product(range(-1, 10), repeat=3):
        options = Options(tricks=TrickCounts(nudge, both, reroll))
        if min(nudge, both, reroll) >= 0 and nudge + both + reroll == 8:
            accepted += 1
            cards = Counter(SHANGHAIEN.start(options).to_come)
            assert (cards["nudge"], cards["both"], cards["reroll"]) == (nudge, both, reroll)
            assert cards.total() == 48
        else:
            with pytest.raises(BadOptions) as refusal:
                SHANGHAIEN.start(options)
            assert refusal.value.rule == "S2"
            assert "{" not in refusal.value.sentence
    assert accepted == 45  # 8 alike things in 3 boxes: 10 over 2


def test_S2_counts_that_do_not_sum_to_eight_are_refused_in_a_sentence() -> None:
    with pytest.raises(BadOptions, match=r"eight.* 3 Nudge, 3 Both .* 3 Reroll .* 9.*\(S2\)"):
        SHANGHAIEN.start(Options(tricks=TrickCounts(3, 3, 3)))


@pytest.mark.parametrize("written", ['{"starter":0,"players":3}', '{"tricks":{"nudge":3,"bth":2}}'])
def test_unknown_options_are_refused(written: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(written, type=Options)


# ---------------------------------------------------------------------------------------------------- S3: set-up


def test_S3_the_first_six_cards_make_the_tavern() -> None:
    start = SHANGHAIEN.start(ANNA_STARTS)
    assert (start.mover, start.row) == (CHANCE, ())
    table = go(start, "row:A1,nudge,A3,A3,T4,I2")
    assert table.row == ("A1", "nudge", "A3", "A3", "T4", "I2")
    assert Counter(start.to_come) - Counter(table.to_come) == Counter(table.row)
    assert len(table.to_come) == 42
    assert table.round == 1


@pytest.mark.parametrize(
    "row",
    [
        "A1,A1,F2,G3,C3,D4",  # there is one red 1
        "A3,A3,A3,G3,C3,D4",  # and two red 3
        "A5,F1,F2,G3,C3,D4",  # and no 5
        "A1,F1,F2,G3,C3",
        "A1,F1,F2,G3,C3,D4,T1",
        "both,both,both,A1,A2,A3",
        "a1,F1,F2,G3,C3,D4",
    ],
)
def test_S3_a_row_is_six_cards_of_the_pile(row: str) -> None:
    start = SHANGHAIEN.start(ANNA_STARTS)
    assert refusing_rule(start, f"row:{row}") == "S3"
    assert SHANGHAIEN.chance(start).probability(actions(f"row:{row}")[0]) == 0
    assert actions(f"row:{row}")[0] not in SHANGHAIEN.chance(start)


def test_S3_every_card_laid_is_gone_from_the_pile() -> None:
    table = open_game("12 left 1 / 12 1 / 12 1 / 12 1 / shanghai")
    assert refusing_rule(table, "row:A1,F1,F3,G1,C1,D1") == "S10"  # A1 was in the first row
    assert go(table, "row:A2,F1,F3,G1,C1,D1").row[0] == "A2"


def test_S3_the_starter_is_random_each_with_one_half() -> None:
    start = SHANGHAIEN.start(Options())
    assert start.mover == CHANCE
    lot = SHANGHAIEN.chance(start)
    assert lot.outcomes() == ((Starter(ANNA), Fraction(1, 2)), (Starter(BERND), Fraction(1, 2)))
    assert [lot.draw(below_from(k)) for k in range(2)] == [Starter(ANNA), Starter(BERND)]
    for name, seat in (("Anna", ANNA), ("Bernd", BERND)):
        table = go(start, f"{name} row:A1,A2,A3,A3,A4,F1")
        assert (table.mover, table.starter) == (seat, seat)


@pytest.mark.parametrize("outcome", [Starter(2), Starter(-1), Row(("A1",) * 6), Dice(1, 2), Roll()])
def test_S3_only_two_can_be_drawn_as_starter(outcome: Any) -> None:
    assert refusing_rule(SHANGHAIEN.start(Options()), outcome) == "S3"


@pytest.mark.parametrize("seat", [ANNA, BERND])
def test_S3_or_the_starter_is_a_named_seat(seat: int) -> None:
    start = SHANGHAIEN.start(Options(starter=seat))
    assert refusing_rule(start, "Anna") == "S3"  # nothing is drawn
    assert go(start, "row:A1,A2,A3,A3,A4,F1").mover == seat


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_S3_an_unknown_starter_is_refused(seat: int) -> None:
    with pytest.raises(BadOptions, match=rf"seat 1 or 2, not {seat + 1}\. \(S3\)"):
        SHANGHAIEN.start(Options(starter=seat))


def test_S3_every_order_of_the_pile_is_equally_likely() -> None:
    """Compare with brute force: all ways to draw six of seven cards, of which some are alike, card by card."""
    pile = ("A3", "A3", "F1", "nudge", "nudge", "nudge", "reroll")
    laying = SHANGHAIEN.chance(replace(SHANGHAIEN.start(ANNA_STARTS), to_come=pile))
    ways = Counter(permutations(pile, 6))
    for cards, count in ways.items():
        assert laying.probability(Row(cards)) == Fraction(count, 5040), cards
        assert Row(cards) in laying
    assert sum(laying.probability(Row(cards)) for cards in ways) == 1
    assert laying.probability(Row(("A3", "A3", "A3", "F1", "nudge", "reroll"))) == 0
    # … and the draws of ``draw``, over all numbers of ``below``, are equally likely.
    drawn: Counter[tuple[str, ...]] = Counter()
    for choices in product(*(range(n) for n in (7, 6, 5, 4, 3, 2))):
        drawn[laying.draw(below_from(*choices)).cards] += 1
    assert drawn == ways


def test_S3_the_row_is_drawn_card_by_card_from_what_is_left() -> None:
    sizes: list[int] = []

    def first(n: int) -> int:
        sizes.append(n)
        return 0

    row = SHANGHAIEN.chance(SHANGHAIEN.start(ANNA_STARTS)).draw(first)
    assert row == Row(("A1", "A2", "A3", "A3", "A4", "C1"))  # the pile is counted in sorted order
    assert sizes == [48, 47, 46, 45, 44, 43]


def test_S3_the_chance_of_a_certain_first_row_is_exact() -> None:
    laying = SHANGHAIEN.chance(SHANGHAIEN.start(ANNA_STARTS))
    orders = 48 * 47 * 46 * 45 * 44 * 43
    assert laying.probability(Row(("A1", "A2", "A4", "F1", "F2", "F4"))) == Fraction(1, orders)
    assert laying.probability(Row(("A1", "A2", "A3", "F1", "F2", "F4"))) == Fraction(2, orders)  # either red 3
    assert laying.probability(Row(("A3", "A3", "nudge", "F1", "F2", "F4"))) == Fraction(2 * 3, orders)
    assert laying.probability(Dice(1, 2)) == 0
    assert laying.outcomes() is None


@pytest.mark.parametrize("card", ["nudge", "both", "reroll"])
def test_S3a_each_owns_a_trick_card_from_the_first_round_on(card: Any) -> None:
    table = open_game("36", options=Options(starter=ANNA, first_trick=card))
    assert (crew(table, ANNA), crew(table, BERND)) == (card, card)
    assert {"nudge": "3>4", "both": "both", "reroll": "reroll"}[card] in legal(table).split()
    assert "joker" not in legal(table)  # S8a: there is no sailor yet


def test_S3a_ruling_it_is_an_extra_card_beside_the_48() -> None:
    table = open_game(options=Options(starter=ANNA, first_trick="both"))
    assert all_cards(table) - Counter(whole_deck(TrickCounts())) == Counter(both=2)
    assert all_cards(table).total() == 50
    assert all_cards(go(table, "36 both left")).total() == 50


def test_S3a_nobody_owns_a_trick_card_unless_agreed() -> None:
    assert (crew(open_game(), ANNA), crew(open_game(), BERND)) == ("", "")


def test_S3a_an_unknown_first_trick_is_refused() -> None:
    with pytest.raises(BadOptions, match=r"“steal” is not a dice trick.*\(S3a\)"):
        SHANGHAIEN.start(Options(first_trick="steal"))  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------- S4 to S6: the turn


def test_S4_the_players_alternate() -> None:
    table = open_game()
    seen = []
    for script in ("24 left 2", "15 5", "36 6", "36 6", "22 2"):
        seen.append(table.mover)
        table = go(table, script)
    assert seen == [ANNA, BERND, ANNA, BERND, ANNA]


def test_S4_a_turn_is_to_roll_or_to_shanghai() -> None:
    assert legal(position(dice=("1 2", ""))) == "roll shanghai"


@pytest.mark.parametrize(
    ("own", "moves"), [("", "roll"), ("1", "roll"), ("1 1", "roll shanghai"), ("1 2 6", "roll shanghai")]
)
def test_S4_shanghai_only_with_at_least_two_dice_placed(own: str, moves: str) -> None:
    table = position(dice=(own, "1 2 3 4"))
    assert legal(table) == moves, show(table)
    if moves == "roll":
        assert refusing_rule(table, "shanghai") == "S4"


def test_S4_only_the_own_dice_count() -> None:
    table = position(dice=("1", "2 3 4 5"), turn=ANNA)
    assert refusing_rule(table, "shanghai") == "S4"
    assert legal(replace(table, mover=BERND, turn=BERND)) == "roll shanghai"


def test_S4_dice_of_earlier_rounds_do_not_count() -> None:
    table = open_game("12 left 1 / 12 1 / 12 1 / 12 1 / shanghai row:A2,F1,G1,C1,D1,T2 12 left 1 / 12 1")
    assert legal(table) == "roll"


def test_S4_shanghai_ends_the_round() -> None:
    table = go(position(dice=("1 2", "5")), "shanghai")
    assert (table.mover, table.round, table.row) == (CHANCE, 2, ())


@pytest.mark.parametrize(
    ("own", "moves"), [("1 1 1 1", "roll shanghai"), ("1 1 1 1 1", "shanghai"), ("1 1 1 1 1 1", "shanghai")]
)
def test_S5_with_one_die_left_or_none_one_must_shanghai(own: str, moves: str) -> None:
    table = position(dice=(own, ""))
    assert legal(table) == moves, show(table)
    if moves == "shanghai":
        assert refusing_rule(table, "roll") == "S5"


def test_S5_none_can_be_left_after_both() -> None:
    table = go(position(anna="both", dice=("1 1 1 1", "2 2 2 2")), "36 both / 22 2")
    assert supply(table, ANNA) == 0
    assert legal(table) == "shanghai"
    assert refusing_rule(table, "roll") == "S5"


def test_S6_two_dice_are_rolled_with_exact_probabilities() -> None:
    dice = SHANGHAIEN.chance(open_game("roll"))
    outcomes = dice.outcomes()
    assert outcomes is not None
    assert len(outcomes) == 21
    assert sum(chance for _, chance in outcomes) == 1
    ways = Counter(Dice(min(a, b), max(a, b)) for a in range(1, 7) for b in range(1, 7))
    assert {outcome: chance * 36 for outcome, chance in outcomes} == dict(ways)
    assert Counter(dice.draw(below_from(k)) for k in range(36)) == ways
    assert all(dice.probability(outcome) == chance and outcome in dice for outcome, chance in outcomes)


@pytest.mark.parametrize(
    "impossible", [Dice(0, 1), Dice(6, 7), Dice(5, 2), Dice(1, 1000), Starter(0), Row(("A1",) * 6)]
)
def test_S6_dice_show_one_to_six_the_lower_first(impossible: Any) -> None:
    table = open_game("roll")
    assert SHANGHAIEN.chance(table).probability(impossible) == 0
    assert impossible not in SHANGHAIEN.chance(table)
    assert refusing_rule(table, impossible) == "S6"


def test_S6_one_of_the_two_dice_is_placed() -> None:
    table = go(position(), "25")
    assert legal(table) == "2 5"
    assert go(table, "2").placed[ANNA] == (0, 1, 0, 0, 0, 0)
    assert go(table, "5").placed[ANNA] == (0, 0, 0, 0, 1, 0)
    for die in (0, 1, 3, 4, 6, 7, -2):
        assert refusing_rule(table, Place(die)) == "S6"


def test_S6_of_doubles_one_is_placed() -> None:
    table = go(position(), "44")
    assert legal(table) == "4"
    assert go(table, "4").placed[ANNA] == (0, 0, 0, 1, 0, 0)


def test_S6_the_die_lies_on_the_own_side_and_the_other_goes_back_to_the_supply() -> None:
    table = go(position(dice=("1 1", "3"), turn=BERND), "25 5")
    assert table.placed == ((2, 0, 0, 0, 0, 0), (0, 0, 1, 0, 1, 0))
    assert (supply(table, ANNA), supply(table, BERND)) == (4, 4)
    assert table.roll is None
    assert (table.mover, table.step) == (ANNA, "turn")


def test_S6_rolling_cannot_be_taken_back() -> None:
    table = go(position(dice=("1 2 3", "1 2 3")), "25")
    for move in ("shanghai", "roll"):
        assert refusing_rule(table, move) == "S6"


def test_S6_nothing_is_placed_before_rolling() -> None:
    assert refusing_rule(position(), "3") == "S6"


# ------------------------------------------------------------------------------------------------- S7: numbering


def test_S7_the_starter_says_where_the_1_is_after_the_first_roll_and_before_placing() -> None:
    table = open_game()
    assert refusing_rule(table, "left") == "S7"  # not before the roll
    table = go(table, "24")
    assert legal(table) == "left right"
    assert refusing_rule(table, "2") == "S7"
    assert legal(go(table, "left")) == legal(go(table, "right")) == "2 4"


def test_S7_once_a_round() -> None:
    table = open_game("24 right")
    assert refusing_rule(table, "left") == "S7"
    assert refusing_rule(table, "right") == "S7"
    table = go(table, "2")
    assert refusing_rule(table, "left") == "S7"
    assert legal(go(table, "15")) == "1 5"  # not by the other player
    assert refusing_rule(go(table, "15"), "left") == "S7"


def test_S7_there_are_two_ends() -> None:
    assert refusing_rule(open_game("24"), Number("middle")) == "S7"  # type: ignore[arg-type]


@pytest.mark.parametrize(("end", "won"), [("left", ["A1", "F2"]), ("right", ["T1", "D4"])])
def test_S7_the_cards_are_numbered_from_that_end(end: str, won: list[str]) -> None:
    table = open_game(f"12 {end} 1 / 66 6 / 12 2 / 66 6 / shanghai", row="A1 F2 G3 C3 D4 T1")
    assert list(table.crews[ANNA].sailors) == won


def test_S7_each_round_is_numbered_anew_by_its_starter() -> None:
    table = open_game("12 right 1 / 12 1 / 12 1 / 12 1 / shanghai row:A2,F1,G1,C1,D1,T2")
    assert (table.mover, table.one_at) == (BERND, None)
    assert legal(go(table, "36")) == "left right"


def test_S7_ruling_a_trick_on_the_first_roll_may_be_played_before_deciding() -> None:
    table = go(position(anna="F1 nudge both reroll", one_at=None), "36")
    tricks = "joker:both:F joker:nudge:F joker:reroll:F 3>2 3>4 6>5 both reroll"
    assert legal(table) == f"left right {tricks}", show(table)
    assert legal(go(table, "3>4")) == "left right"
    assert legal(go(table, "3>4 right")) == "4 6"
    assert legal(go(table, "joker:both:F")) == "left right"
    assert legal(go(table, "joker:both:F left")) == "3 6"
    assert legal(go(table, "reroll:12")) == "left right"
    assert legal(go(table, "reroll:12 left")) == "1 2"
    assert legal(go(table, "both")) == "left right"
    assert go(table, "both right").placed[ANNA] == (0, 0, 1, 0, 0, 1)


def test_S7_ruling_or_after_deciding() -> None:
    table = go(position(anna="F1 nudge both reroll", one_at=None), "36 right")
    assert legal(table) == "3 6 joker:both:F joker:nudge:F joker:reroll:F 3>2 3>4 6>5 both reroll", show(table)
    assert legal(go(table, "3>4")) == "4 6"
    assert legal(go(table, "reroll:12")) == "1 2"
    assert go(table, "both").mover == BERND


def test_S7_after_both_nothing_is_left_but_to_say_where_the_1_is() -> None:
    table = go(position(anna="F1 nudge both", one_at=None), "36 both")
    for move in ("3", "6", "3>4", "joker:nudge:F", "both", "reroll"):
        assert refusing_rule(table, move) == "S7"
    for move in ("roll", "shanghai"):
        assert refusing_rule(table, move) == "S6"
    table = go(table, "left")
    assert (table.mover, table.step, table.one_at) == (BERND, "turn", "left")


# ------------------------------------------------------------------------------------------------ S8: dirty tricks


def test_S8_one_trick_a_round() -> None:
    table = go(position(anna="F1 nudge nudge both reroll"), "36 3>4")
    assert legal(table) == "4 6"
    for move in ("4>5", "both", "reroll", "joker:both:F"):
        assert refusing_rule(table, move) == "S8"
    table = go(table, "4 / 12 1 / 36")  # nor in a later turn of the round
    assert legal(table) == "3 6"
    assert refusing_rule(table, "3>4") == "S8"


@pytest.mark.parametrize("half", ["3>4", "reroll:36", "joker:nudge:F", "joker:reroll:F"])
def test_S8_whichever_half_was_played(half: str) -> None:
    table = go(position(anna="F1 nudge nudge both reroll"), f"36 {half}")
    assert table.spent == (True, False)
    assert legal(table).split() == [str(die) for die in table.roll or ()], show(table)


def test_S8_the_other_player_still_may() -> None:
    table = go(position(anna="F1 nudge", bernd="G1 nudge"), "36 3>4 4 / 36")
    assert table.spent == (True, False)
    assert legal(table) == "3 6 joker:nudge:G 3>2 3>4 6>5"


def test_S8_again_in_the_next_round() -> None:
    before = position(anna="F1 nudge nudge", dice=("1 1", "1 1"), row="A1 A2 A3 F2 A3 A4")
    table = go(before, "36 3>4 4 / 36 3 / shanghai")
    assert table.spent == (False, False)
    table = go(table, f"row:{','.join(table.to_come[:6])} 36 left 3 / 36")
    assert legal(table) == "3 6 joker:nudge:F 3>2 3>4 6>5"


@pytest.mark.parametrize("move", ["3>4", "both", "reroll", "joker:nudge:F"])
def test_S8_only_directly_after_an_own_roll(move: str) -> None:
    table = position(anna="F1 nudge both reroll", dice=("1 2", "1 2"))
    assert move not in legal(table).split()
    assert refusing_rule(table, move) == "S8"
    table = go(table, "36 3 / 36")  # Bernd has rolled, not Anna
    assert legal(table) == "3 6"
    assert refusing_rule(table, move) == "S8"


def test_S8_not_between_the_own_roll_and_the_dice() -> None:
    table = position(anna="F1 nudge both reroll", dice=("1 2", "1 2"))
    for move in ("3>4", "both", "reroll", "joker:nudge:F", "3", "left", "roll", "shanghai"):
        assert refusing_rule(go(table, "roll"), move) == "S6"


def test_S8_hence_never_one_won_in_the_last_round() -> None:
    table = position(row="nudge both reroll A1 A2 A3", anna="F1", dice=("1 2 3", "6"), round_number=8)
    table = go(table, "shanghai")
    assert crew(table, ANNA) == "F1 both nudge reroll"
    assert (table.mover, legal(table)) == (OVER, "")
    assert refusing_rule(table, "3>4") == "S10"


def test_S8_a_trick_that_one_does_not_have_is_refused() -> None:
    table = go(position(anna="F1 nudge", bernd="G1 both reroll"), "36")
    for move in ("both", "reroll", "joker:both:F", "joker:reroll:F"):
        assert refusing_rule(table, move) == "S8"


def test_S8_alike_tricks_are_offered_once() -> None:
    table = go(position(anna="F1 F2 nudge nudge nudge"), "36")
    assert legal(table) == "3 6 joker:nudge:F 3>2 3>4 6>5"


def test_S8a_the_joker_needs_a_sailor_of_the_nation() -> None:
    table = go(position(anna="F1 S3 S4 nudge", bernd="G1 T1"), "33")
    assert [move for move in legal(table).split() if "joker" in move] == ["joker:nudge:F", "joker:nudge:S"]
    for letter in "AGCDTI":
        assert refusing_rule(table, f"joker:nudge:{letter}") == "S8a"
    assert "joker" not in legal(go(position(anna="nudge"), "33"))
    assert refusing_rule(go(position(anna="nudge", bernd="G1"), "33"), "joker:nudge:G") == "S8a"


def test_S8a_a_joker_alone_is_no_sailor_to_lay_another_with() -> None:
    """Check an impossible crew of jokers only, to see that a card is required."""
    table = go(position(anna="joker:both:S F1 nudge"), "33")
    assert refusing_rule(table, "joker:nudge:S") == "S8a"


def test_S8a_it_stays_to_the_end_counts_2_and_is_no_longer_an_unused_trick() -> None:
    before = position(anna="F1 nudge both", bernd="F3")
    assert totals(before.crews) == (2, 1)  # Anna takes… Bernd the lower French 1; two unused tricks
    table = go(before, "36 joker:nudge:F")
    assert crew(table, ANNA) == "F1 joker:nudge:F both"
    assert table.gone == before.gone
    assert [comparison.strengths for comparison in comparisons(table.crews) if comparison.nation == "F"] == [(3, 3)]
    assert totals(table.crews) == (1, 0)
    table = go(table, "3 / 12 1 / 36 3 / 12 1 / shanghai")
    assert "joker:nudge:F" in crew(table, ANNA)


def test_S8a_the_roll_is_then_placed_as_usual() -> None:
    table = go(position(anna="F1 nudge"), "36 joker:nudge:F")
    assert legal(table) == "3 6"
    assert go(table, "6").placed[ANNA] == (0, 0, 0, 0, 0, 1)


def test_S8b_one_die_is_changed_by_1_and_one_of_the_two_placed() -> None:
    table = go(position(anna="nudge"), "25")
    assert legal(table) == "2 5 2>1 2>3 5>4 5>6"
    assert legal(go(table, "2>3")) == "3 5"
    assert legal(go(table, "5>4")) == "2 4"
    assert legal(go(table, "2>1")) == "1 5"
    table = go(table, "5>6")
    assert legal(table) == "2 6"  # the unchanged die may be placed too
    assert refusing_rule(table, "5") == "S6"


def test_S8b_the_higher_die_can_become_the_lower_and_both_can_become_alike() -> None:
    assert legal(go(position(anna="nudge"), "34 3>4")) == "4"
    assert legal(go(position(anna="nudge"), "34 4>3")) == "3"
    assert legal(go(position(anna="nudge"), "33 3>2")) == "2 3"
    assert legal(go(position(anna="nudge"), "33 3>4")) == "3 4"


def test_S8b_within_1_to_6() -> None:
    table = go(position(anna="nudge"), "16")
    assert legal(table) == "1 6 1>2 6>5"
    for move in (Nudge(1, 0), Nudge(6, 7), Nudge(1, 6), Nudge(6, 1)):
        assert refusing_rule(table, move) == "S8b"
    assert legal(go(position(anna="nudge"), "11")) == "1 1>2"
    assert legal(go(position(anna="nudge"), "66")) == "6 6>5"


def test_S8b_by_1_and_of_a_die_that_was_rolled() -> None:
    table = go(position(anna="nudge"), "25")
    for move in (Nudge(2, 2), Nudge(2, 4), Nudge(5, 3), Nudge(2, 5), Nudge(3, 4), Nudge(6, 5), Nudge(0, 1)):
        assert refusing_rule(table, move) == "S8b"


def test_S8b_the_card_leaves_the_game() -> None:
    before = position(anna="F1 nudge nudge")
    table = go(before, "25 2>3")
    assert crew(table, ANNA) == "F1 nudge"
    assert Counter(table.gone) - Counter(before.gone) == Counter(nudge=1)


def test_S8c_both_dice_are_placed() -> None:
    before = position(anna="F1 both")
    table = go(before, "25 both")
    assert table.placed[ANNA] == (0, 1, 0, 0, 1, 0)
    assert supply(table, ANNA) == 4
    assert table.mover == BERND
    assert crew(table, ANNA) == "F1"
    assert Counter(table.gone) - Counter(before.gone) == Counter(both=1)


def test_S8c_also_doubles() -> None:
    assert go(position(anna="both"), "55 both").placed[ANNA] == (0, 0, 0, 0, 2, 0)


def test_S8c_two_dice_placed_at_once_are_enough_to_shanghai() -> None:
    table = go(position(anna="both"), "25 both / 12 1")
    assert legal(table) == "roll shanghai"


def test_S8d_both_dice_are_rolled_again_and_a_new_one_is_placed() -> None:
    before = position(anna="F1 reroll")
    table = go(before, "25 reroll")
    assert (table.mover, table.roll) == (CHANCE, None)  # there is no way back to the first roll
    assert SHANGHAIEN.chance(table).outcomes() == SHANGHAIEN.chance(go(before, "roll")).outcomes()
    table = go(table, "dice:16")
    assert legal(table) == "1 6"
    for die in ("2", "5"):
        assert refusing_rule(table, die) == "S6"
    assert crew(table, ANNA) == "F1"
    assert Counter(table.gone) - Counter(before.gone) == Counter(reroll=1)


def test_S8d_the_same_numbers_can_come_again() -> None:
    assert legal(go(position(anna="reroll"), "25 reroll:25")) == "2 5"


def test_S8d_only_dice_can_come_of_it() -> None:
    table = go(position(anna="reroll"), "25 reroll")
    for action in (Dice(0, 3), Place(2), Reroll(), Shanghai(), Row(("A1",) * 6)):
        assert refusing_rule(table, action) == "S6"


# -------------------------------------------------------------------------------------- S9: awards of the cards


def shared(anna: str, bernd: str, *, end: Any = "left") -> State:
    """Return the state after shanghai, with these dice placed on C1 … C4 and neighbours of another colour."""
    table = position(dice=(anna, bernd), one_at=end, row="C1 C2 C3 C4 G1 G2", turn=ANNA if len(anna) > 1 else BERND)
    return go(table, "shanghai")


def test_S9_a_card_without_dice_leaves_the_game() -> None:
    table = shared("2 2", "6")
    assert awards(table).splitlines()[0] == "1 C1 0:0 leaves"
    assert Counter(table.gone) >= Counter(["C1", "C3", "C4", "G1"])


def test_S9_dice_of_one_player_only() -> None:
    table = shared("2 2 4", "6")
    assert crew(table, ANNA) == "C2 C4"
    assert crew(table, BERND) == "G2"


def test_S9_more_dice() -> None:
    table = shared("3 3 4", "3 4 4")
    assert awards(table).splitlines()[2:4] == ["3 C3 2:1 Anna", "4 C4 1:2 Bernd"]


def test_S9_more_dice_whatever_lies_beside() -> None:
    table = shared("3 3", "3 4 4 4 2 2")
    assert awards(table).splitlines()[2] == "3 C3 2:1 Anna"


def test_S9_equal_dice_are_decided_by_the_neighbouring_pips() -> None:
    table = shared("3 4 4", "3 2 2")  # neighbours of the 3: Anna 4+4, Bernd 2+2
    assert awards(table).splitlines()[2] == "3 C3 1:1 (8:4) Anna"


def test_S9_pips_count_not_dice() -> None:
    table = shared("3 2 2", "3 5 4")
    assert awards(table).splitlines()[2] == "3 C3 1:1 (4:4) leaves"
    table = shared("5 4", "5 6")  # one die each beside the 5
    assert awards(table).splitlines()[4] == "5 G1 1:1 (4:6) Bernd"


def test_S9_only_the_two_neighbours_and_only_the_own_dice_count() -> None:
    table = shared("3 1 6 5", "3 2")  # 1, 5 and 6 are no neighbours of the 3
    assert awards(table).splitlines()[2] == "3 C3 1:1 (0:2) Bernd"
    table = shared("3 3 4", "3 3 3 4")
    assert awards(table).splitlines()[3] == "4 C4 1:1 (6:9) Bernd"


def test_S9_a_neighbour_counts_though_its_card_is_lost() -> None:
    table = shared("3 4", "3 4 4")
    assert awards(table).splitlines()[2:4] == ["3 C3 1:1 (4:8) Bernd", "4 C4 1:2 Bernd"]


def test_S9_a_card_at_the_end_has_one_neighbour() -> None:
    table = shared("1 6 2", "1 6")
    assert awards(table).splitlines()[0] == "1 C1 1:1 (2:0) Anna"
    assert awards(table).splitlines()[5] == "6 G2 1:1 (0:0) leaves"  # the 1 is not beside the 6, nor the other way
    table = shared("1 6 6", "1 1 6 5")
    assert awards(table).splitlines()[0] == "1 C1 1:2 Bernd"
    table = shared("6 6 5", "6 6 1 1")
    assert awards(table).splitlines()[5] == "6 G2 2:2 (5:0) Anna"


def test_S9_equal_again_leaves_the_game() -> None:
    table = shared("3 3", "3 3")
    assert awards(table).splitlines()[2] == "3 C3 2:2 (0:0) leaves"
    assert "C3" in table.gone
    table = shared("3 2 2 2", "3 2 4")  # 6 : 2 + 4
    assert awards(table).splitlines()[2] == "3 C3 1:1 (6:6) leaves"


def test_S9_numbered_from_the_right_the_cards_change_and_the_neighbours_do_not() -> None:
    left, right = shared("2 3 4", "2 3 1", end="left"), shared("2 3 4", "2 3 1", end="right")
    deciding = ["0:1 Bernd", "1:1 (3:4) Bernd", "1:1 (6:2) Anna", "1:0 Anna", "0:0 leaves", "0:0 leaves"]
    assert awards(left).splitlines() == [
        f"{number} {card} {how}"
        for number, (card, how) in enumerate(zip(("C1", "C2", "C3", "C4", "G1", "G2"), deciding, strict=True), 1)
    ]
    assert awards(right).splitlines() == [
        f"{number} {card} {how}"
        for number, (card, how) in enumerate(zip(("G2", "G1", "C4", "C3", "C2", "C1"), deciding, strict=True), 1)
    ]


def test_S9_trick_cards_are_shared_out_like_sailors() -> None:
    table = go(position(row="nudge A1 both A2 reroll A3", dice=("1 1 3", "3 4 5")), "shanghai")
    assert crew(table, ANNA) == "nudge"
    assert crew(table, BERND) == "A2 both reroll"
    assert {"A1", "A3"} <= set(table.gone)


def test_S9_worked_example_Anna_and_Bernd() -> None:
    """Play the example of the rulebook: Anna begins, rolls 2 and 4 and chooses the end; Bernd takes the 5."""
    table = open_game(
        "24 left 2 / 15 5 / 22 2 / 34 3 / 13 3 / 46 4 / 56 6 / 66 6 / 66 6 / 16 6 / shanghai",
        row="A1 F2 G3 C3 D4 T1",
    )
    assert awards(table).splitlines() == [
        "1 A1 0:0 leaves",
        "2 F2 2:0 Anna",
        "3 G3 1:1 (4:4) leaves",
        "4 C3 0:1 Bernd",
        "5 D4 0:1 Bernd",
        "6 T1 2:2 (0:5) Bernd",
    ]
    assert crew(table, ANNA) == "F2"
    assert crew(table, BERND) == "C3 D4 T1"
    assert sorted(table.gone) == ["A1", "G3"]


# ---------------------------------------------------------------------------------------------- S10: next round


def test_S10_both_take_their_dice_back() -> None:
    table = go(position(dice=("1 2 3", "4 5")), "shanghai")
    assert (supply(table, ANNA), supply(table, BERND)) == (6, 6)
    assert table.spent == (False, False)


def test_S10_six_new_cards_are_laid() -> None:
    table = go(position(dice=("1 2 3", "4 5")), "shanghai")
    assert len(table.to_come) == 42
    assert refusing_rule(table, "roll") == "S10"
    table = go(table, f"row:{','.join(table.to_come[-6:])}")
    assert len(table.to_come) == 36
    assert len(table.row) == 6


@pytest.mark.parametrize("starter", [ANNA, BERND])
@pytest.mark.parametrize("shanghaied", [ANNA, BERND])
def test_S10_the_player_who_did_not_shanghai_starts_the_next_round(starter: int, shanghaied: int) -> None:
    table = go(position(dice=("1 2 3", "4 5"), turn=shanghaied, starter=starter), "shanghai")
    table = go(table, f"row:{','.join(table.to_come[:6])}")
    assert (table.mover, table.starter) == (1 - shanghaied, 1 - shanghaied)


def test_S10_eight_rounds() -> None:
    table = SHANGHAIEN.start(ANNA_STARTS)
    for number in range(1, 9):
        assert (table.round, table.mover) == (number, CHANCE)
        assert len(table.to_come) == 48 - 6 * (number - 1)
        assert SHANGHAIEN.result(table) is None
        table = go(table, f"row:{','.join(table.to_come[:6])} 12 left 1 / 12 1 / 12 1 / 12 1 / shanghai")
    assert (table.mover, table.to_come, table.row) == (OVER, (), ())
    assert table.round == 8
    assert SHANGHAIEN.result(table) is not None


def test_S10_after_the_eighth_round_nothing_can_be_done() -> None:
    table = go(position(round_number=8, dice=("1 2", "3")), "shanghai")
    assert legal(table) == ""
    for action in ("roll", "shanghai", "3", "left", "both", "Anna", "dice:12", "row:A1,A2,A3,A3,A4,C1"):
        assert refusing_rule(table, action) == "S10"
    assert refusing_rule(table, None) == "S10"


# ------------------------------------------------------------------------------------------- S11, S12: the score


def final_totals(anna: str, bernd: str) -> tuple[int, int]:
    """Return the totals of two crews at the end of a game: in the last round every card leaves."""
    table = position(anna=anna, bernd=bernd, dice=("1 6", "1 6"), round_number=8)
    over = go(table, "shanghai")
    assert (crew(over, ANNA), crew(over, BERND)) == (crew(table, ANNA), crew(table, BERND))
    result = SHANGHAIEN.result(over)
    assert result is not None
    assert result.points == totals(over.crews)
    return result.points[0], result.points[1]


def test_S11_the_higher_sum_scores_the_lower_sum() -> None:
    assert final_totals("F3 F4", "F1 F2") == (3, 0)
    assert final_totals("F1", "F2") == (0, 1)


def test_S11_equal_sums_score_nothing() -> None:
    assert final_totals("F1 F4", "F2 F3") == (0, 0)


def test_S11_who_alone_has_some_scores_the_own_sum() -> None:
    assert final_totals("F3 F3 F4 F1 F2", "") == (13, 0)
    assert final_totals("", "S1 S2") == (0, 3)


def test_S11_jokers_count_two() -> None:
    assert final_totals("F1 joker:nudge:F", "F2") == (2, 0)
    assert final_totals("F1 joker:nudge:F", "F3") == (0, 0)
    assert final_totals("F1 joker:nudge:F", "F4") == (0, 3)
    assert final_totals("F1 joker:nudge:F joker:nudge:F", "") == (5, 0)


def test_S11_each_nation_for_itself() -> None:
    assert final_totals("A4 F1 G1 G2 C3", "A3 F2 G3 D4") == (3 + 0 + 0 + 3, 0 + 1 + 0 + 4)


@pytest.mark.parametrize(
    ("strengths", "points", "because"),
    [
        ((0, 0), (0, 0), "none"),
        ((5, 5), (0, 0), "equal"),
        ((5, 0), (5, 0), "alone"),
        ((0, 7), (0, 7), "alone"),
        ((5, 3), (3, 0), "lower"),
        ((3, 5), (0, 3), "lower"),
    ],
)
def test_S11_a_comparison_says_why(strengths: tuple[int, int], points: tuple[int, int], because: str) -> None:
    comparison = compare("F", strengths)
    assert (comparison.strengths, comparison.points, comparison.because) == (strengths, points, because)


def test_S11_each_unused_trick_is_one_point() -> None:
    assert final_totals("nudge nudge both", "reroll") == (3, 1)
    assert final_totals("F1 joker:nudge:F", "") == (3, 0)  # a joker is not unused
    assert final_totals("", "F1 joker:nudge:F both") == (0, 4)


def test_S11_worked_example_seven_to_eight() -> None:
    """Score Spaniards, French, Americans, Chinese, and one unused trick of Bernd's, as in the rulebook."""
    anna = "S3 joker:nudge:S joker:reroll:S F1 F4 A1 A2 A3 C1"
    bernd = "F2 F3 A3 A4 C3 C3 C4 both"
    assert final_totals(anna, bernd) == (7, 8)
    crews = position(anna=anna, bernd=bernd).crews
    table = {row.nation: (row.strengths, row.points) for row in comparisons(crews) if any(row.strengths)}
    assert table == {
        "S": ((7, 0), (7, 0)),
        "F": ((5, 5), (0, 0)),
        "A": ((6, 7), (0, 6)),
        "C": ((1, 10), (0, 1)),
    }


def final_result(anna: str, bernd: str) -> Result | None:
    return SHANGHAIEN.result(go(position(anna=anna, bernd=bernd, dice=("1 6", "1 6"), round_number=8), "shanghai"))


def test_S12_most_points_win() -> None:
    assert final_result("F4", "S3") == Result(points=(4, 3), winners=(ANNA,))
    assert final_result("F3", "S4") == Result(points=(3, 4), winners=(BERND,))
    assert final_result("F4", "F3 nudge") == Result(points=(3, 1), winners=(ANNA,))


def test_S12_ruling_equal_points_are_a_draw() -> None:
    assert final_result("F4", "S4") == Result(points=(4, 4), winners=(ANNA, BERND))
    assert final_result("", "") == Result(points=(0, 0), winners=(ANNA, BERND))


def test_S12_nobody_has_won_before_the_end() -> None:
    assert SHANGHAIEN.result(position(round_number=8, dice=("1 1 1 1 1", "2 2 2 2 2"))) is None


# ------------------------------------------------------------------------------------------------ every refusal

REFUSALS: dict[str, tuple[Callable[[], State], Any, str]] = {
    "no move at all": (lambda: position(), None, "S4"),
    "an outcome on a player's turn": (lambda: position(), Dice(1, 2), "S4"),
    "shanghai too early": (lambda: position(dice=("1", "2 2")), Shanghai(), "S4"),
    "rolling with one die": (lambda: position(dice=("1 1 1 1 1", "")), Roll(), "S5"),
    "rolling twice": (lambda: go(position(), "36"), Roll(), "S6"),
    "shanghai after the roll": (lambda: go(position(dice=("1 1", "")), "36"), Shanghai(), "S6"),
    "placing before the roll": (lambda: position(), Place(3), "S6"),
    "placing another number": (lambda: go(position(), "36"), Place(4), "S6"),
    "dice that do not exist": (lambda: go(position(), "roll"), Dice(0, 9), "S6"),
    "placing before numbering": (lambda: open_game("36"), Place(3), "S7"),
    "numbering before the roll": (lambda: open_game(), Number("left"), "S7"),
    "numbering again": (lambda: open_game("36 left"), Number("left"), "S7"),
    "placing one of both": (lambda: go(position(anna="both", one_at=None), "36 both"), Place(3), "S7"),
    "a trick before the roll": (lambda: position(anna="nudge"), Nudge(3, 4), "S8"),
    "a second trick": (lambda: go(position(anna="nudge nudge"), "36 3>4"), Nudge(4, 5), "S8"),
    "a trick one does not have": (lambda: go(position(anna="nudge"), "36"), Reroll(), "S8"),
    "a joker alone": (lambda: go(position(anna="nudge"), "36"), Joker("nudge", "F"), "S8a"),
    "a nudge by 2": (lambda: go(position(anna="nudge"), "36"), Nudge(3, 5), "S8b"),
    "a nudge of another die": (lambda: go(position(anna="nudge"), "36"), Nudge(4, 5), "S8b"),
    "a row on the starter's lot": (lambda: SHANGHAIEN.start(Options()), Row(("A1",) * 6), "S3"),
    "a row of two": (lambda: SHANGHAIEN.start(ANNA_STARTS), Row(("A1", "A2")), "S3"),
    "after the end": (lambda: go(position(round_number=8, dice=("1 1", "")), "shanghai"), Roll(), "S10"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_every_refusal_names_its_rule(case: str) -> None:
    reach, action, rule = REFUSALS[case]
    state = reach()
    assert refusing_rule(state, action) == rule, show(state)


NONSENSE = {
    "nothing": None,
    "a number": 7,
    "a word": "3",
    "a tuple": (3,),
    "a list": [3],
    "a move as a dictionary": {"move": "place", "die": 3},
    "a class": Place,
    "an object": object(),
    "a row of numbers": Row((1, 2, 3, 4, 5, 6)),  # type: ignore[arg-type]
}

EVERYWHERE: dict[str, Callable[[], State]] = {
    "starter": lambda: SHANGHAIEN.start(Options()),
    "row": lambda: SHANGHAIEN.start(ANNA_STARTS),
    "turn": lambda: position(),
    "roll": lambda: go(position(), "roll"),
    "place": lambda: go(position(), "36"),
    "both": lambda: go(position(anna="both", one_at=None), "36 both"),
    "reroll": lambda: go(position(anna="reroll"), "36 reroll"),
    "over": lambda: go(position(round_number=8, dice=("1 1", "")), "shanghai"),
}


@pytest.mark.parametrize("case", NONSENSE)
@pytest.mark.parametrize("step", EVERYWHERE)
def test_whatever_is_no_move_is_refused_everywhere(step: str, case: str) -> None:
    state = EVERYWHERE[step]()
    assert state.step == step
    assert refusing_rule(state, NONSENSE[case], a_word=False) in {"S3", "S4", "S6", "S10"}


def test_the_notation_of_these_tests_reads_back() -> None:
    script = (
        "Anna row:A1,A2,A3,A3,A4,F1 roll dice:24 left joker:nudge:F 3>4 both reroll dice:11 6 shanghai right Bernd"
    )
    assert " ".join(word(action) for action in actions(script)) == script
