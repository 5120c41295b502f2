"""S1 to S3: cards, dice, dirty tricks, and the set-up."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from kontor.game import CHANCE, BadOptions
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.games.shanghaien.rules.components import NATIONS, SAILORS, Nation, TrickCounts, whole_deck
from kontor.games.shanghaien.rules.state import Dice, Roll, Row, Starter
from shanghaien.table import (
    ANNA,
    ANNA_STARTS,
    BERND,
    actions,
    all_cards,
    below_from,
    crew,
    go,
    legal,
    open_game,
    position,
    refusing_rule,
    show,
    supply,
)


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
