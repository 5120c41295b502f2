"""Every rule and ruling of Der fliegende Holländer, H1 to H14, each test named after its rule.

Where several tests speak for one rule, they are in the order of its sentences. The notation is that of ``table``.
More of H3 is in ``test_chart``, more of H7 and H6c in ``test_horseshoes``.
"""
# ruff: noqa: N802  (tests bear the numbers of the rules)

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kontor.game import CHANCE, OVER, BadOptions, Chance, Result
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.chance import DICE, Dealing, Sharing, Shuffling, starting
from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, HORSESHOES, Colour, Horseshoes
from kontor.games.dutchman.rules.horseshoes import reading
from kontor.games.dutchman.rules.state import (
    Deal,
    Dice,
    Keep,
    Kontor,
    Lay,
    Pass,
    Propose,
    Put,
    Revealed,
    Sail,
    Share,
    Shared,
    Shuffle,
    Starter,
    Waive,
)

from .table import (
    ANNE,
    ANYBODY,
    HELGA,
    KARIN,
    KARL,
    KLAUS,
    NAMES,
    REINER,
    Seat,
    all_draws,
    cash,
    deal,
    deal_game,
    go,
    hand,
    heap,
    hear,
    legal,
    position,
    rack,
    refusal,
    refused_by,
    results,
    say,
    show,
    start,
    values,
    whose,
)

EVERY_TABLE = pytest.mark.parametrize("players", [3, 4, 5, 6])

# ------------------------------------------------------------------------------------------------ H1: components


def test_H1_sixty_horseshoes() -> None:
    assert len(HORSESHOES) == 60
    assert Counter(HORSESHOES) == Counter({**dict.fromkeys(range(21, 49), 1), 1: 13, 2: 3, 10: 13, 20: 3})


def test_H1_twenty_eight_are_golden_and_thirty_two_silver() -> None:
    golden = [shoe for shoe in HORSESHOES if shoe > 20]
    assert sorted(golden) == list(range(21, 49))
    assert len(golden) == 28
    assert len(HORSESHOES) - len(golden) == 32


def test_H1_two_dice_with_exact_probabilities() -> None:
    faces = Counter((tens, ones) for tens in (20, 20, 30, 30, 40, 40) for ones in (1, 3, 5, 5, 7, 9))
    outcomes = DUTCHMAN.chance(deal_game(ANYBODY, ANYBODY, ANYBODY)).outcomes()
    assert outcomes is not None
    assert dict(outcomes) == {Dice(*face): Fraction(count, 36) for face, count in faces.items()}
    assert len(outcomes) == 15
    assert sum(chance for _, chance in outcomes) == 1
    assert dict(outcomes) == all_draws(DICE)


def test_H1_the_lucky_number_is_odd_from_21_to_49() -> None:
    before = deal_game(ANYBODY, ANYBODY, ANYBODY)
    chances: dict[int, Fraction] = {}
    for dice, chance in DUTCHMAN.chance(before).outcomes() or ():
        lucky = DUTCHMAN.play(before, dice).lucky
        assert lucky is not None
        chances[lucky] = chances.get(lucky, Fraction(0)) + chance
    assert set(chances) == set(range(21, 50, 2))
    for lucky, chance in chances.items():
        assert chance == (Fraction(1, 9) if lucky % 10 == 5 else Fraction(1, 18)), lucky


@pytest.mark.parametrize("dice", [Dice(20, 2), Dice(10, 1), Dice(50, 1), Dice(1, 20), Starter(0), 31])
def test_H1_no_other_numbers_are_on_the_dice(dice: Any) -> None:
    before = deal_game(ANYBODY, ANYBODY, ANYBODY)
    assert DICE.probability(dice) == 0
    assert dice not in DUTCHMAN.chance(before)
    assert refused_by(before, dice) == "H5"


def test_H1_thirty_shares_five_in_each_of_six_colours() -> None:
    assert COLOURS == ("blue", "yellow", "green", "orange", "red", "violet")
    dealt_out = deal(*[ANYBODY] * 6)
    shares = Counter(share for part in (*dealt_out.hands, dealt_out.pile) for share in part)
    assert shares == Counter(dict.fromkeys(COLOURS, 5))


def test_H1_eighteen_Kontor_cards_and_eighteen_Smith_cards() -> None:
    merchants = deal_game(*[ANYBODY] * 6).merchants
    assert sum(merchant.kontor for merchant in merchants) == 18
    assert sum(merchant.smith for merchant in merchants) == 18


# ---------------------------------------------------------------------------------------------------- H2: chests


def test_H2_one_chest_without_a_number_then_2_to_18() -> None:
    assert CHESTS == (0, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 18)


def test_H2_ten_advances_end_the_game() -> None:
    """Sail from ship to ship in a circle. Nobody lays, so they roll for it."""
    state = position(*[Seat(cash=200)] * 3, dutchman="violet 1", lucky=None)
    seen = [CHESTS[state.counter]]
    for to in ("red 1", "blue 1", "orange 2", "violet 1", "red 1", "blue 1", "orange 2", "violet 1", "red 1"):
        state = go(state, f"dice 30 + 1 / passes / passes / passes / {LOTTERY} / sails to {to}")
        seen.append(CHESTS[state.counter])
        assert whose(state) == "chance: lucky"
    state = go(state, f"dice 30 + 1 / passes / passes / passes / {LOTTERY} / sails to blue 1")
    seen.append(CHESTS[state.counter])
    assert state.mover == OVER
    assert seen == [2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 18]
    assert len(seen) == 1 + 10


# -------------------------------------------------------------------------------------------------- H3: the chart


def test_H3_the_Dutchman_starts_on_Holland_which_is_an_island() -> None:
    state = start()
    assert state.dutchman == "Holland"
    assert state.sea.ship["Holland"] is None


def test_H3_ruling_ours_is_played_unless_another_is_given() -> None:
    assert Options().chart == OURS


# ------------------------------------------------------------------------------------------------- H4: setting up


@EVERY_TABLE
def test_H4_of_each_colour_one_share_fewer_than_players(players: int) -> None:
    state = deal_game(*[ANYBODY] * players)
    shares = Counter((*state.pile, *(share for merchant in state.merchants for share in merchant.shares)))
    assert shares == Counter(dict.fromkeys(COLOURS, players - 1))


@EVERY_TABLE
def test_H4_three_shares_each_and_the_rest_is_the_Kontor_pile(players: int) -> None:
    state = deal_game(*[ANYBODY] * players)
    assert [len(merchant.shares) for merchant in state.merchants] == [3] * players
    assert len(state.pile) == 3 * players - 6
    assert len(state.pile) == {3: 3, 4: 6, 5: 9, 6: 12}[players]


@EVERY_TABLE
def test_H4_each_gets_25_ducats_three_cards_of_each_kind_and_nine_horseshoes(players: int) -> None:
    for merchant in deal_game(*[ANYBODY] * players).merchants:
        assert (merchant.cash, merchant.kontor, merchant.smith, len(merchant.rack)) == (25, 3, 3, 9)
        assert merchant.lay is None


@EVERY_TABLE
def test_H4_a_horseshoe_for_each_player_in_the_middle_and_the_others_are_out(players: int) -> None:
    state = deal_game(*[ANYBODY] * players)
    assert len(state.middle) == players
    assert len(state.out) == {3: 30, 4: 20, 5: 10, 6: 0}[players]
    everywhere = (state.middle, state.out, *(merchant.rack for merchant in state.merchants))
    assert Counter(shoe for part in everywhere for shoe in part) == Counter(HORSESHOES)


@EVERY_TABLE
def test_H4_stones_and_counter_on_2_and_the_Dutchman_on_Holland(players: int) -> None:
    state = deal_game(*[ANYBODY] * players)
    assert values(state) == dict.fromkeys(COLOURS, 2)
    assert CHESTS[state.counter] == 2
    assert (state.dutchman, state.came_from) == ("Holland", None)


@EVERY_TABLE
def test_H4_everybody_gets_what_was_dealt_to_them(players: int) -> None:
    before = start(players)
    outcome = DUTCHMAN.chance(before).draw(Random(players).randrange)
    state = DUTCHMAN.play(before, outcome)
    assert tuple(merchant.shares for merchant in state.merchants) == outcome.hands
    assert tuple(merchant.rack for merchant in state.merchants) == outcome.racks
    assert (state.pile, state.middle, state.out) == (outcome.pile, outcome.middle, outcome.out)


@EVERY_TABLE
def test_H4_whatever_is_drawn_can_happen(players: int) -> None:
    dealing: Chance[Deal] = Dealing(players)
    for seed in range(20):
        drawn = dealing.draw(Random(seed).randrange)
        assert drawn in dealing
        assert dealing.probability(drawn) == one_after_another(drawn) > 0
    assert dealing.outcomes() is None  # too many to list


def one_after_another(outcome: Deal) -> Fraction:
    """Return the probability of a deal in which each heap is drawn from the rest of those before."""
    shares = Counter(share for part in (*outcome.hands, outcome.pile) for share in part)
    shoes = Counter(HORSESHOES)
    chance = Fraction(1)
    for hand_ in outcome.hands:
        chance *= drawn_at_once(hand_, shares)
    for card in outcome.pile:  # lies in an order
        chance *= drawn_at_once((card,), shares)
    for heap_ in (*outcome.racks, outcome.middle, outcome.out):
        chance *= drawn_at_once(heap_, shoes)
    return chance


def drawn_at_once(some: tuple[Any, ...], box: Counter[Any]) -> Fraction:
    ways, all_ways = 1, comb(box.total(), len(some))
    for thing, count in Counter(some).items():
        ways *= comb(box[thing], count)
    box.subtract(some)
    return Fraction(ways, all_ways)


def test_H4_every_place_of_the_deal_gets_every_share_equally_often() -> None:
    """Check 6000 deals of four players: 18 shares, three of each colour.

    Each place has one colour in a sixth of the deals, give or take (the standard deviation is 29).
    """
    random = Random(4)
    dealing = Dealing(4)
    first: Counter[str] = Counter()
    top: Counter[str] = Counter()
    for _ in range(6000):
        drawn = dealing.draw(random.randrange)
        first[drawn.hands[0][random.randrange(3)]] += 1
        top[drawn.pile[0]] += 1
    for counts in (first, top):
        assert all(850 < counts[colour] < 1150 for colour in COLOURS), counts


def wrong_deals() -> dict[str, Any]:
    right = deal(ANYBODY, ANYBODY, ANYBODY, middle="10 2 1")
    (one, *others), (rack_, *racks) = right.hands, right.racks
    return {
        "four shares": replace(right, hands=((*one, right.pile[0]), *others), pile=right.pile[1:]),
        "a seat too few": replace(right, hands=tuple(others), pile=(*right.pile, *one)),
        "a seat too many": replace(right, hands=(*right.hands, right.pile), pile=()),
        "a colour too often": replace(right, hands=(("blue",) * 3, *others)),
        "shares out of order": replace(right, hands=(one[::-1], *others)),
        "ten horseshoes": replace(right, racks=((*rack_, right.out[0]), *racks), out=right.out[1:]),
        "racks for two": replace(right, racks=tuple(racks), out=(*right.out, *rack_)),
        "a horseshoe twice": replace(right, racks=((48, *rack_[1:]), *racks)),
        "a horseshoe that there is not": replace(right, out=(49, *right.out[1:])),
        "a rack out of order": replace(right, racks=((48, 1, *rack_[2:]), *racks)),
        "four in the middle": replace(right, middle=(*right.middle, right.out[-1]), out=right.out[:-1]),
        "middle out of order": replace(right, middle=right.middle[::-1]),
        "no deal": Starter(0),
    }


@pytest.mark.parametrize("case", wrong_deals())
def test_H4_a_deal_of_anything_else_is_refused(case: str) -> None:
    wrong = wrong_deals()[case]
    assert Dealing(3).probability(wrong) == 0
    assert refused_by(start(), wrong) == "H4"


# ----------------------------------------------------------------------------------------------- H5: the round


@EVERY_TABLE
def test_H5_the_first_starter_is_random(players: int) -> None:
    before = start(players, starter=None)
    assert whose(before) == "chance: starter"
    outcomes = DUTCHMAN.chance(before).outcomes()
    assert outcomes == tuple((Starter(seat), Fraction(1, players)) for seat in range(players))
    assert dict(outcomes) == all_draws(starting(players))
    for seat in range(players):
        state = go(before, f"{NAMES[seat]} starts")
        assert (state.starter, whose(state)) == (seat, "chance: deal")
    for seat in (-1, players):
        assert refused_by(before, Starter(seat)) == "H5"


def test_H5_or_a_named_seat() -> None:
    before = start(4, starter=ANNE)
    assert (before.starter, whose(before)) == (ANNE, "chance: deal")
    assert refused_by(before, "Anne starts") == "H4"  # nothing is drawn
    state = DUTCHMAN.play(before, deal(*[ANYBODY] * 4))
    assert whose(go(state, "dice 30 + 1")) == "Anne: action"


def test_H5_the_sum_of_both_dice_is_the_lucky_number() -> None:
    state = deal_game(ANYBODY, ANYBODY, ANYBODY)
    assert state.lucky is None
    assert go(state, "dice 40 + 3").lucky == 43
    assert go(state, "dice 20 + 9").lucky == 29


LOTTERY = "dice 40 + 1 / dice 30 + 1 / dice 20 + 1"
"""A round in which nobody has laid, and three roll for it: the first wins."""


def test_H5_then_the_next_to_the_left_starts() -> None:
    state = position(ANYBODY, ANYBODY, ANYBODY, starter=HELGA)
    for starter, after in ((HELGA, ANNE), (ANNE, KARIN), (KARIN, HELGA)):
        assert whose(state) == f"{NAMES[starter]}: action"
        state = go(state, f"passes / passes / passes / {LOTTERY}")
        assert whose(state) == f"{NAMES[starter]}: sail"
        state = DUTCHMAN.play(state, next(move for move in DUTCHMAN.moves(state)))
        while state.step == "show":
            state = go(state, "shows nothing")
        assert (state.starter, whose(state)) == (after, "chance: lucky")
        state = go(state, "dice 30 + 1")


def test_H5_bankrupt_players_are_passed_over() -> None:
    state = position(Seat(), Seat(bankrupt=1), Seat(bankrupt=1), Seat(), Seat())
    state = go(state, f"Karin passes / Karl passes / Klaus passes / {LOTTERY} / Karin sails to red 1")
    assert whose(go(state, "dice 30 + 1")) == "Karl: action"


def test_H5_also_a_starter_who_has_just_gone_bankrupt_hands_on_to_the_left() -> None:
    state = position(Seat(shares="red red", cash=1), Seat(), Seat(bankrupt=1), Seat())
    state = go(state, f"Karin passes / Helga passes / Karl passes / {LOTTERY} / Karin sails to red 1")
    assert results(state)[-1] == "bankrupt: Karin"
    state = DUTCHMAN.play(state, Shuffle(state.pile))
    assert state.starter == HELGA


# ----------------------------------------------------------------------------------------------- H6: the actions


def test_H6_from_the_starter_clockwise_each_does_exactly_one() -> None:
    state = position(*[ANYBODY] * 4, starter=ANNE)
    for name in ("Anne", "Karl", "Karin", "Helga"):
        assert whose(state) == f"{name}: action"
        state = go(state, f"{name} passes")
    assert whose(state) == "chance: rolling"


def test_H6_bankrupt_players_do_nothing() -> None:
    state = position(Seat(bankrupt=1), Seat(), Seat(), Seat(bankrupt=2), starter=ANNE)
    state = go(state, "Anne passes")
    assert whose(state) == "Helga: action"
    assert whose(go(state, "Helga passes")) == "chance: rolling"


def test_H6_a_Kontor_card_a_Smith_card_horseshoes_or_passing() -> None:
    state = position(Seat(rack="45 1"), ANYBODY, ANYBODY)
    assert set(legal(state)) == {
        "plays a Kontor card", "plays a Smith card", "passes", "lays 45", "lays 1", "lays 45 1",
    }  # fmt: skip


def test_H6_the_action_is_seen_by_all() -> None:
    state = position(Seat(rack="1"), Seat(), Seat(), Seat())
    state = go(state, "Karin lays 1 / Helga plays a Smith card / Anne plays a Kontor card")
    for seat in (*range(4), None):
        players = DUTCHMAN.view(state, seat).players
        assert [player.action for player in players] == ["lay", "smith", "kontor", None]


def test_H6_the_next_round_is_chosen_for_anew() -> None:
    state = position(Seat(rack="31"), ANYBODY, ANYBODY)
    state = go(state, "Karin lays 31 / Helga passes / Anne plays a Smith card / Karin sails to red 1 / dice 30 + 1")
    assert [player.action for player in DUTCHMAN.view(state, None).players] == [None, None, None]


# ---- H6a: Kontor

EXCHANGE = (Seat(shares="yellow yellow violet"), Seat(), Seat())


def test_H6a_the_top_two_of_the_pile_are_taken() -> None:
    state = position(*EXCHANGE, pile="red blue green")
    state = go(state, "Karin plays a Kontor card")
    assert hand(state, KARIN) == "blue yellow yellow red violet"
    assert state.pile == ("green",)
    assert whose(state) == "Karin: put"


def test_H6a_any_two_of_the_five_go_back_under_the_pile() -> None:
    state = go(position(*EXCHANGE, pile="red blue green"), "Karin plays a Kontor card")
    pairs = set(combinations(("blue", "yellow", "yellow", "red", "violet"), 2))
    assert len(pairs) == 7  # ten, but the yellow ones are alike
    assert sorted(legal(state)) == sorted(f"puts back {one} {other}" for one, other in pairs)
    state = go(state, "Karin puts back yellow violet")
    assert hand(state, KARIN) == "blue yellow red"
    assert state.pile == ("green", "yellow", "violet")
    assert whose(state) == "Helga: action"


def test_H6a_the_two_just_drawn_may_go_back() -> None:
    state = position(*EXCHANGE, pile="red blue green")
    state = go(state, "Karin plays a Kontor card / Karin puts back blue red")
    assert hand(state, KARIN) == "yellow yellow violet"
    assert state.pile == ("green", "blue", "red")


def test_H6a_the_next_exchange_draws_on_from_the_top() -> None:
    state = position(*EXCHANGE, pile="red blue green")
    state = go(state, "Karin plays a Kontor card / Karin puts back yellow violet / Helga plays a Kontor card")
    assert Counter(state.merchants[HELGA].shares)["green"] >= 1
    assert state.pile == ("violet",)


def test_H6a_the_card_is_used_up() -> None:
    state = position(Seat(kontor=2), ANYBODY, ANYBODY)
    state = go(state, "Karin plays a Kontor card")
    assert [merchant.kontor for merchant in state.merchants] == [1, 3, 3]
    state = position(Seat(kontor=0), ANYBODY, ANYBODY)
    assert "plays a Kontor card" not in legal(state)
    assert refused_by(state, "Karin plays a Kontor card") == "H6a"


def test_H6a_openly_but_what_is_exchanged_is_hidden() -> None:
    before = position(*EXCHANGE, pile="red blue green")
    drawn = go(before, "Karin plays a Kontor card")
    put = go(drawn, "Karin puts back yellow violet")
    own = DUTCHMAN.event(before, Kontor(), drawn, KARIN).action
    assert own.shares == ("red", "blue")
    assert DUTCHMAN.event(drawn, Put(("yellow", "violet")), put, KARIN).action.shares == ("yellow", "violet")
    for other in (HELGA, ANNE, None):
        assert DUTCHMAN.event(before, Kontor(), drawn, other).action == replace(own, shares=None)
        assert DUTCHMAN.event(drawn, Put(("yellow", "violet")), put, other).action.shares is None


def test_H6a_two_shares_must_be_put_back_before_anything_else() -> None:
    state = go(position(*EXCHANGE, pile="red blue green"), "Karin plays a Kontor card")
    for move in ("passes", "plays a Kontor card", "plays a Smith card", "lays 1", "sails to red 1"):
        assert refused_by(state, move) == "H6a"
    for move in ("puts back red", "puts back red green", "puts back blue blue", "puts back violet yellow"):
        assert refused_by(state, move) == "H6a"


# ---- H6b: Smith


def test_H6b_the_card_is_used_up() -> None:
    state = go(position(Seat(smith=1), ANYBODY, ANYBODY), "Karin plays a Smith card")
    assert [merchant.smith for merchant in state.merchants] == [0, 3, 3]
    state = position(Seat(smith=0), ANYBODY, ANYBODY)
    assert "plays a Smith card" not in legal(state)
    assert refused_by(state, "Karin plays a Smith card") == "H6b"


def test_H6b_nothing_is_shared_before_all_have_chosen() -> None:
    state = position(Seat(), Seat(), Seat(rack="31"), middle="20 10 1")
    state = go(state, "Karin plays a Smith card / Helga passes")
    assert (heap(state), rack(state, KARIN)) == ("20 10 1", "")
    assert (heap(go(state, "Anne passes")), rack(go(state, "Anne passes"), KARIN)) == ("", "20 10 1")


def test_H6b_one_smith_takes_all() -> None:
    state = position(Seat(rack="48 1"), Seat(), Seat(), middle="45 20 10 1 1")
    state = go(state, "Karin plays a Smith card / Helga passes / Anne passes")
    assert rack(state, KARIN) == "48 45 20 10 1 1 1"
    assert heap(state) == ""
    assert results(state) == ["Karin gets 5 from the middle, 0 stay"]


def test_H6b_smiths_share_before_any_horseshoe_is_revealed() -> None:
    state = position(Seat(), Seat(), Seat(rack="31 20"), middle="2 1")
    before = go(state, "Karin plays a Smith card / Helga plays a Smith card / Anne lays 31")
    assert whose(before) == "chance: share"
    assert before.merchants[ANNE].lay == (31,)
    assert before.revealed == ()
    state = go(before, "share Karin: 1; Helga: 2; left:")
    assert (rack(state, KARIN), rack(state, HELGA)) == ("1", "2")
    assert [type(happening) for happening in state.happened] == [Shared, Revealed]
    assert heap(state) == "31"  # the lay is the stock for the next round, not for these smiths


def test_H6b_also_one_smith_gets_none_of_the_horseshoes_laid_in_this_round() -> None:
    state = position(Seat(), Seat(), Seat(rack="31 20"), middle="2 1")
    state = go(state, "Karin plays a Smith card / Helga passes / Anne lays 31")
    assert (rack(state, KARIN), heap(state)) == ("2 1", "31")


def test_H6b_what_cannot_be_shared_equally_stays() -> None:
    state = position(Seat(), Seat(), Seat(rack="31"), Seat(), middle="45 20 10 2 1")
    state = go(state, "Karin plays a Smith card / Helga plays a Smith card / Anne lays 31 / Karl passes")
    state = go(state, "share Karin: 45 1; Helga: 20 10; left: 2")
    assert (rack(state, KARIN), rack(state, HELGA)) == ("45 1", "20 10")
    assert heap(state) == "31 2"
    assert results(state)[0] == "Karin and Helga get 2 from the middle, 1 stay"


def test_H6b_parts_are_in_the_order_of_play() -> None:
    state = position(Seat(), Seat(), Seat(), middle="20 10", starter=HELGA)
    state = go(state, "Helga plays a Smith card / Anne passes / Karin plays a Smith card")
    state = DUTCHMAN.play(state, Share(((20,), (10,)), ()))
    assert (rack(state, HELGA), rack(state, KARIN)) == ("20", "10")


def test_H6b_smiths_may_find_the_middle_empty() -> None:
    state = position(Seat(), Seat(rack="31"), Seat())
    one = go(state, "Karin plays a Smith card / Helga lays 31 / Anne passes")
    assert (rack(one, KARIN), heap(one), whose(one)) == ("", "31", "Helga: sail")
    two = go(state, "Karin plays a Smith card / Helga lays 31 / Anne plays a Smith card")
    assert (rack(two, KARIN), rack(two, ANNE), heap(two), whose(two)) == ("", "", "31", "Helga: sail")


def test_H6b_fewer_horseshoes_than_smiths_all_stay() -> None:
    state = position(Seat(), Seat(), Seat(), middle="20 10")
    state = go(state, "Karin plays a Smith card / Helga plays a Smith card / Anne plays a Smith card")
    assert heap(state) == "20 10"
    assert [rack(state, seat) for seat in range(3)] == ["", "", ""]
    assert whose(state) == "chance: rolling"


def test_H6b_without_a_smith_the_middle_stays() -> None:
    state = go(position(Seat(), Seat(), Seat(), middle="20 10 1"), "Karin passes / Helga passes / Anne passes")
    assert heap(state) == "20 10 1"


@pytest.mark.parametrize(("middle", "smiths"), [((20, 10, 1, 1), 2), ((45, 10, 10, 1, 1), 2), ((20, 10, 10, 1), 3)])
def test_H6b_shared_unseen_every_order_of_the_middle_is_equally_likely(middle: Horseshoes, smiths: int) -> None:
    each = len(middle) // smiths
    orders = list(permutations(middle))
    brute: dict[Share, Fraction] = {}
    for order in orders:
        heaps = [tuple(sorted(order[each * at : each * (at + 1)], reverse=True)) for at in range(smiths)]
        share = Share(tuple(heaps), tuple(sorted(order[each * smiths :], reverse=True)))
        brute[share] = brute.get(share, Fraction(0)) + Fraction(1, len(orders))
    sharing = Sharing(middle, smiths)
    assert all_draws(sharing) == brute
    for share, chance in brute.items():
        assert share in sharing
        assert sharing.probability(share) == chance


@pytest.mark.parametrize(
    "share",
    [
        "share Karin: 20; Helga: 10; left: 1 1",  # one each, though there are two
        "share Karin: 20 10; Helga: 1; left: 1",  # not equally
        "share Karin: 20 10 1; Helga: 1; left:",
        "share Karin: 20 10; Helga: 20 10; left: 1",  # one of them twice
        "share Karin: 45 10; Helga: 1 1; left:",  # one that is not there
        "share Karin: 10 20; Helga: 1 1; left:",  # out of order
        "share Karin: 20 10; left: 1 1",
        "share Karin: 20 10; Helga: 1 1; Anne:; left:",
    ],
)
def test_H6b_sharing_in_any_other_way_is_refused(share: str) -> None:
    state = position(Seat(), Seat(), Seat(), middle="20 10 1 1")
    state = go(state, "Karin plays a Smith card / Helga plays a Smith card / Anne passes")
    outcome = hear(state, share)
    assert Sharing(state.middle, 2).probability(outcome) == 0
    assert refused_by(state, outcome) == "H6b"


# ---- H6c: laying horseshoes


def test_H6c_at_least_one_horseshoe() -> None:
    assert refused_by(position(Seat(rack="45"), ANYBODY, ANYBODY), Lay(())) == "H6c"


def test_H6c_at_most_one_golden_and_any_number_of_silver_ones() -> None:
    state = position(Seat(rack="45 31 20 10 10 2 1 1 1"), ANYBODY, ANYBODY)
    assert "lays 20 10 10 2 1 1 1" in legal(state)
    assert "lays 45 20 10 10 2 1 1 1" in legal(state)
    assert refused_by(state, "lays 45 31") == "H6c"
    assert refused_by(state, "lays 45 31 20") == "H6c"
    assert (
        len(legal(state)) == 2 + 3 * (2 * 3 * 2 * 4) - 1
    )  # two cards; no gold or one of two, with silver, but not nothing


def test_H6c_only_own_horseshoes() -> None:
    state = position(Seat(rack="45 10"), Seat(rack="31 20"), ANYBODY, middle="1")
    for lay in ("lays 31", "lays 20", "lays 1", "lays 10 10", "lays 45 10 10", "lays 49", "lays 0", "lays -10"):
        assert refused_by(state, lay) == "H6c"


def test_H6c_they_leave_the_rack() -> None:
    state = go(position(Seat(rack="45 10 10 1"), ANYBODY, ANYBODY), "Karin lays 45 10")
    assert rack(state, KARIN) == "10 1"
    assert state.merchants[KARIN].lay == (45, 10)
    assert whose(state) == "Helga: action"


def test_H6c_face_down_but_how_many_is_seen_by_all() -> None:
    before = position(Seat(rack="45 10 10 1"), ANYBODY, ANYBODY)
    state = go(before, "Karin lays 45 10")
    seen = DUTCHMAN.view(state, HELGA)
    assert (seen.players[KARIN].laid, seen.players[KARIN].horseshoes, seen.lay) == (2, 2, None)
    assert DUTCHMAN.view(state, KARIN).lay == (45, 10)
    assert DUTCHMAN.event(before, Lay((45, 10)), state, HELGA).action.count == 2
    assert DUTCHMAN.event(before, Lay((45, 10)), state, HELGA).action.horseshoes is None


# ---- H6d: passing


@pytest.mark.parametrize("rack_", ["", "45", "45 10 1", "45 44 43 42"])
def test_H6d_with_fewer_than_five_horseshoes_one_may_pass(rack_: str) -> None:
    state = position(Seat(rack=rack_), ANYBODY, ANYBODY)
    assert "passes" in legal(state)
    after = go(state, "Karin passes")
    assert (rack(after, KARIN), after.merchants[KARIN].lay, whose(after)) == (rack_, None, "Helga: action")


@pytest.mark.parametrize("rack_", ["45 10 10 1 1", "45 44 43 42 41", "45 10 10 1 1 1 1 1 1"])
def test_H6d_with_five_or_more_one_may_not(rack_: str) -> None:
    state = position(Seat(rack=rack_, kontor=0, smith=0), ANYBODY, ANYBODY)
    assert refused_by(state, "Karin passes") == "H6d"
    assert all(move.startswith("lays") for move in legal(state))


def test_H6d_somebody_with_nothing_left_at_all_can_only_pass() -> None:
    assert legal(position(Seat(kontor=0, smith=0), ANYBODY, ANYBODY)) == ["passes"]


# -------------------------------------------------------------------------------------------- H7: reading a lay


@pytest.mark.parametrize("lay", [(45, 2), (43,), (20, 20, 2, 1), (31, 10, 2)])
def test_H7_the_four_ways_of_the_rulebook_to_43(lay: Horseshoes) -> None:
    assert reading(lay, 43) == 43
    state = position(Seat(rack=" ".join(map(str, lay))), ANYBODY, ANYBODY, lucky=43)
    state = go(DUTCHMAN.play(state, Lay(lay)), "Helga passes / Anne passes")
    assert results(state) == [f"revealed: Karin {' '.join(map(str, lay))} = 43; nearest: Karin"]


@pytest.mark.parametrize(
    ("lay", "lucky", "value"),
    [
        ((43, 1), 43, 42),  # 44 is above, so the 1 is taken off
        ((43, 1, 1), 43, 43),
        ((20, 20), 43, 40),
        ((20, 20), 31, 0),  # 40 is above, and 20 − 20 is nothing
        ((20, 20, 10), 31, 30),  # 20 + 20 − 10
        ((22, 1, 1, 1), 49, 25),
        ((10,), 21, 10),
    ],
)
def test_H7_every_horseshoe_counts_and_silver_is_added_or_subtracted(lay: Horseshoes, lucky: int, value: int) -> None:
    assert reading(lay, lucky) == value


@pytest.mark.parametrize(
    ("lay", "lucky", "value"),
    [
        ((45,), 43, 0),
        ((45, 1), 43, 0),  # 44
        ((48, 20, 2), 21, 0),  # 26
        ((20, 20, 20), 21, 20),  # 20 − 20 + 20
        ((20, 10), 21, 10),  # 30 is above
        ((20, 20, 20, 10), 21, 10),  # 20 + 20 − 20 − 10
    ],
)
def test_H7_above_the_lucky_number_is_worth_0(lay: Horseshoes, lucky: int, value: int) -> None:
    assert reading(lay, lucky) == value


def test_H7_lower_is_allowed() -> None:
    assert reading((21,), 49) == 21
    assert reading((1,), 49) == 1


def test_H7_ruling_the_best_reading_is_taken() -> None:
    # 31 ± 10 ± 10 ± 2 can be 9, 13, 29, 33, 49, 53
    assert [reading((31, 10, 10, 2), lucky) for lucky in (21, 29, 31, 33, 47, 49)] == [13, 29, 29, 33, 33, 49]


def test_H7_nothing_is_worth_less_than_0() -> None:
    # 30 ± 20 ± 20 can be −10, 30, 70: for the lucky number 21 there is only −10, and too much, which is worth 0
    assert reading((30, 20, 20), 21) == 0


# ------------------------------------------------------------------------------------------------- H8: steering

AT_YELLOW_3: dict[str, Any] = {"dutchman": "yellow 3"}
"""From yellow 3 one can sail to blue 1, orange 3 and the island Curaçao."""


def test_H8_nothing_is_revealed_before_all_have_chosen() -> None:
    state = position(Seat(rack="30"), Seat(rack="29"), Seat(rack="28"))
    state = go(state, "Karin lays 30 / Helga lays 29")
    assert state.revealed == ()
    assert heap(state) == ""
    state = go(state, "Anne lays 28")
    assert results(state) == ["revealed: Karin 30 = 30, Helga 29 = 29, Anne 28 = 28; nearest: Karin"]


@pytest.mark.parametrize(
    ("helga", "anne", "nearest"),
    [
        ("31", "20 10", "Helga"),  # the lucky number itself
        ("20 10", "29", "Helga"),  # 30 and 29
        ("32", "1", "Anne"),  # too much is nothing
        ("32 2", "29", "Helga"),  # 30 and 29
    ],
)
def test_H8_the_player_nearest_to_the_lucky_number_moves_the_Dutchman(helga: str, anne: str, nearest: str) -> None:
    state = position(ANYBODY, Seat(rack=helga), Seat(rack=anne))
    state = go(state, f"Karin passes / Helga lays {helga} / Anne lays {anne}")
    assert whose(state) == f"{nearest}: sail"


def test_H8_along_one_line_short_or_long_to_a_neighbouring_field() -> None:
    state = go(position(Seat(rack="31"), ANYBODY, ANYBODY), "Karin lays 31 / Helga passes / Anne passes")
    assert set(legal(state)) == {f"sails to {field}" for field in ("green 1", "red 1", "yellow 1", "orange 3")}
    state = go(state, "Karin sails to yellow 1")
    assert (state.dutchman, state.came_from) == ("yellow 1", "Holland")


def test_H8_from_every_field_to_every_neighbour_but_back() -> None:
    lines = (*OURS.short, *OURS.long)
    for field in OURS.fields:
        neighbours = {end for line in lines if field.name in line for end in line} - {field.name}
        for came_from in (None, *neighbours):
            state = position(Seat(rack="31"), ANYBODY, ANYBODY, dutchman=field.name, came_from=came_from)
            state = go(state, "Karin lays 31 / Helga passes / Anne passes")
            assert set(legal(state)) == {f"sails to {other}" for other in neighbours - {came_from}}


def test_H8_the_Dutchman_must_be_moved() -> None:
    state = go(position(Seat(rack="31"), ANYBODY, ANYBODY), "Karin lays 31 / Helga passes / Anne passes")
    for move in ("passes", "sails to Holland", "sails to blue 1", "sails to Atlantis"):
        assert refused_by(state, move) == "H8"


def test_H8_the_dutchman_may_not_go_back_where_it_came_from() -> None:
    state = position(Seat(rack="31 29"), Seat(rack="30"), ANYBODY)
    state = go(state, "Karin lays 31 / Helga passes / Anne passes / Karin sails to green 1 / dice 30 + 1")
    state = go(state, "Helga lays 30 / Anne passes / Karin passes")
    assert refused_by(state, "Helga sails to Holland") == "H8"
    state = go(state, "Helga sails to orange 1 / dice 20 + 9 / Anne passes / Karin lays 29 / Helga passes")
    assert refused_by(state, "Karin sails to green 1") == "H8"
    assert "sails to Madeira" in legal(state)


def test_H8_nor_back_from_an_island_nor_to_one() -> None:
    state = go(at_sea(25, 25, 25, 25), SHIP.replace("blue 1", "Curaçao") + " / shows nothing / dice 20 + 1")
    state = go(state, "Helga lays 20 / passes / passes / passes")
    assert refused_by(state, "Helga sails to yellow 3") == "H8"
    state = go(state, "Helga sails to green 2 / dice 20 + 1 / Anne lays 10 / passes / passes / passes")
    assert refused_by(state, "Anne sails to Curaçao") == "H8"


def test_H8_only_in_the_round_before() -> None:
    """Sail Holland, green 1, violet 1, red 1, and then back to Holland."""
    state = position(Seat(rack="31 30 29 28"), ANYBODY, ANYBODY)
    for lay, to in ((31, "green 1"), (30, "violet 1"), (29, "red 1"), (28, "Holland")):
        if state.step == "lucky":
            state = go(state, "dice 30 + 1")
        for _ in range(3):
            state = go(state, f"Karin lays {lay}" if state.mover == KARIN else "passes")
        state = go(state, f"Karin sails to {to}")
    assert state.dutchman == "Holland"


def test_H8_all_revealed_horseshoes_are_the_stock_for_the_next_round() -> None:
    state = position(Seat(rack="31"), Seat(rack="20 10 1"), ANYBODY, middle="2")
    state = go(state, "Karin lays 31 / Helga lays 20 10 / Anne passes")
    assert heap(state) == "31 20 10 2"  # those of the winner and of the others
    assert all(merchant.lay is None for merchant in state.merchants)
    state = go(state, "Karin sails to red 1 / dice 30 + 1 / Helga passes / Anne plays a Smith card / Karin passes")
    assert rack(state, ANNE) == "31 20 10 2"


def test_H8_ruling_if_all_readings_are_0_all_who_laid_are_equally_near() -> None:
    state = position(Seat(rack="45"), Seat(rack="20 20"), Seat(rack="44"), Seat(rack="1"))
    state = go(state, "Karin lays 45 / Helga lays 20 20 / Anne lays 44 / Karl passes")
    assert results(state)[0].endswith("nearest: Karin and Helga and Anne")
    assert whose(state) == "Karin: name"


# -------------------------------------------------------------------------------------- H9: equally near: agreeing


def equally_near(
    cash_: tuple[int, int, int] = (25, 25, 25), *, tied: int = 3, circles: int = 2, starter: int = KARIN
) -> State:
    """Return a state in which Karin and Helga have laid 31, the lucky number.

    Anne has laid 31 too if three are tied, or else 27. The Dutchman is at yellow 3, and can sail to blue 1, orange 3
    and Curaçao.
    """
    karin, helga, anne = cash_
    state = position(
        Seat(shares="blue yellow yellow", rack="31 29 1", cash=karin),
        Seat(shares="blue orange red", rack="30 28 1 1", cash=helga),
        Seat(shares="orange green violet", rack="27 20 10 2 1", cash=anne),
        stones="blue 7, yellow 11, green 4, orange 5, red 6, violet 3",
        counter=11,
        circles=circles,
        starter=starter,
        **AT_YELLOW_3,
    )
    lays = {KARIN: "31", HELGA: "30 1", ANNE: "20 10 1" if tied == 3 else "27"}
    for place in range(3):
        state = go(state, f"lays {lays[(starter + place) % 3]}")
    assert state.step == "name", show(state)
    return state


TWO_NAME = "Karin names Curaçao / Helga names blue 1"
THREE_NAME = "Karin names Curaçao / Helga names blue 1 / Anne names orange 3"


def test_H9_in_the_order_of_play_each_of_them_names_a_destination() -> None:
    state = equally_near(starter=HELGA)
    for name in ("Helga", "Anne", "Karin"):
        assert whose(state) == f"{name}: name"
        assert set(legal(state)) == {"names blue 1", "names orange 3", "names Curaçao"}
        state = go(state, f"{name} names {'blue 1' if name == 'Karin' else 'Curaçao'}")
    assert state.bargain is not None
    assert state.bargain.named == ("Curaçao", "Curaçao", "blue 1")


def test_H9_only_where_the_Dutchman_may_go() -> None:
    state = replace(equally_near(), came_from="orange 3")
    assert set(legal(state)) == {"names blue 1", "names Curaçao"}
    assert refused_by(state, "Karin names orange 3") == "H8"
    assert refused_by(state, "Karin names Java") == "H8"


def test_H9_all_the_same_and_it_is_moved_there() -> None:
    state = go(equally_near(), "Karin names Curaçao / Helga names Curaçao / Anne names Curaçao")
    assert state.dutchman == "Curaçao"
    assert results(state) == [
        "Karin and Helga and Anne agree",
        "from yellow 3 to Curaçao, moved by Karin and Helga and Anne",
    ]


def test_H9_majorities_do_not_count() -> None:
    state = go(equally_near(), "Karin names Curaçao / Helga names Curaçao / Anne names blue 1")
    assert state.dutchman == "yellow 3"
    assert whose(state) == "Karin: propose"


def test_H9_ruling_in_the_order_of_play_each_may_make_one_proposal() -> None:
    state = go(equally_near(starter=HELGA), "names Curaçao / names blue 1 / names orange 3")
    for name in ("Helga", "Anne", "Karin"):
        assert whose(state) == f"{name}: propose"
        state = go(state, f"{name} withholds")
    assert whose(state) == "Helga: propose"  # the second circle


def test_H9_ruling_a_proposal_is_a_destination_and_payments_between_the_tied() -> None:
    state = go(equally_near((2, 1, 25), tied=2), TWO_NAME)
    # three destinations; of three ducats Karin can have 0, 1, 2 or 3 afterwards
    payments = ("", ": Karin -2, Helga +2", ": Karin -1, Helga +1", ": Karin +1, Helga -1")
    expected = [f"proposes {to}{pay}" for to in ("blue 1", "orange 3", "Curaçao") for pay in payments]
    assert sorted(legal(state)) == sorted(["withholds", *expected])


def test_H9_ruling_a_destination_that_nobody_named_may_be_proposed() -> None:
    state = go(equally_near(tied=2), f"{TWO_NAME} / Karin proposes orange 3 / Helga accepts")
    assert state.dutchman == "orange 3"


def test_H9_ruling_the_others_answer_in_turn() -> None:
    state = go(equally_near(), f"{THREE_NAME} / Karin withholds / Helga proposes Curaçao")
    assert legal(state) == ["accepts", "declines"]
    assert whose(state) == "Anne: answer"  # round the table from Helga
    state = go(state, "Anne accepts")
    assert whose(state) == "Karin: answer"
    assert state.dutchman == "yellow 3"  # not before all have accepted
    assert go(state, "Karin accepts").dutchman == "Curaçao"


def test_H9_ruling_one_who_declines_ends_the_proposal() -> None:
    state = go(equally_near(), f"{THREE_NAME} / Karin proposes Curaçao: Karin -3, Helga +3 / Helga declines")
    assert whose(state) == "Helga: propose"  # Anne is not asked any more
    assert cash(state) == [25, 25, 25]
    state = go(state, "Helga proposes Curaçao: Karin -3, Helga +3 / Anne accepts / Karin declines")
    assert whose(state) == "Anne: propose"
    assert cash(state) == [25, 25, 25]
    assert state.dutchman == "yellow 3"


def test_H9_ruling_with_all_accepting_the_payments_are_made_and_the_Dutchman_moves() -> None:
    state = go(equally_near(), f"{THREE_NAME} / Karin proposes Curaçao: Karin -3, Helga +1, Anne +2")
    state = go(state, "Helga accepts / Anne accepts")
    assert cash(state) == [22, 26, 27]
    assert results(state) == [
        "Karin and Helga and Anne agree: Karin -3, Helga +1, Anne +2",
        "from yellow 3 to Curaçao, moved by Karin and Helga and Anne",
    ]


def test_H9_ruling_any_of_the_tied_may_be_asked_to_pay_or_be_paid() -> None:
    state = go(equally_near(), f"{THREE_NAME} / Karin proposes Curaçao: Helga -25, Anne +25")
    assert cash(go(state, "Helga accepts / Anne accepts")) == [25, 0, 50]
    state = go(equally_near(), f"{THREE_NAME} / Karin proposes Curaçao: Karin +8, Helga -5, Anne -3")
    assert cash(go(state, "Helga accepts / Anne accepts")) == [33, 20, 22]


def test_H9_ruling_up_to_the_cash_they_have() -> None:
    state = go(equally_near((4, 25, 25)), THREE_NAME)
    assert "Karin -4" in say(state, hear(state, "proposes Curaçao: Karin -4, Helga +4"))
    assert DUTCHMAN.play(state, hear(state, "proposes Curaçao: Karin -4, Helga +4")).mover == HELGA
    for payment in ("Karin -5, Helga +5", "Karin -5, Helga +2, Anne +3", "Helga -26, Karin +26"):
        assert refused_by(state, f"proposes Curaçao: {payment}") == "H9"


def test_H9_ruling_ducats_are_whole() -> None:
    half = Propose("Curaçao", (-0.5, 0.5, 0))  # type: ignore[arg-type]
    assert half not in DUTCHMAN.moves(go(equally_near(), THREE_NAME))
    assert refused_by(go(equally_near(), THREE_NAME), half) == "H9"


def test_H9_ruling_what_is_paid_is_what_is_got() -> None:
    state = go(equally_near(), THREE_NAME)
    for payment in ("Karin -5", "Helga +1", "Karin -3, Helga +1, Anne +1", "Karin -1, Helga +1, Anne +1"):
        assert refused_by(state, f"proposes Curaçao: {payment}") == "H9"


def test_H9_ruling_only_the_tied_are_party_to_a_bargain() -> None:
    state = equally_near(tied=2)
    assert state.bargain is not None
    assert state.bargain.tied == (KARIN, HELGA)
    state = go(state, TWO_NAME)
    assert refused_by(state, Propose("Curaçao", (-3, 0, 3))) == "H9"
    state = go(state, "Karin proposes Curaçao: Karin -3, Helga +3 / Helga accepts")
    assert cash(state) == [22, 28, 25]
    assert results(state)[-1] == "from yellow 3 to Curaçao, moved by Karin and Helga"


def test_H9_ruling_one_pays_before_the_Dutchman_comes() -> None:
    """Check a payment with a share value of 7: Helga has 3 ducats, and with Karin's four she can pay."""
    deal_ = f"{TWO_NAME} / Karin proposes blue 1: Karin -4, Helga +4 / Helga accepts"
    assert cash(go(equally_near((25, 3, 25), tied=2), deal_)) == [25 - 4 - 7, 0, 25]
    assert (
        results(go(equally_near((25, 3, 25), tied=2), deal_))[-1]
        == "blue at 7: Karin has 1 and pays 7, Helga has 1 and pays 7"
    )
    state = go(equally_near((25, 2, 25), tied=2), deal_)
    assert results(state)[-1] == "bankrupt: Helga"


@pytest.mark.parametrize("circles", range(6))
def test_H9_ruling_two_circles_or_as_many_as_agreed_from_0_to_5(circles: int) -> None:
    assert Options().circles == 2
    state = go(equally_near(tied=2, circles=circles), TWO_NAME)
    for circle in range(circles):
        for name in ("Karin", "Helga"):
            assert whose(state) == f"{name}: propose", circle
            state = go(state, f"{name} withholds")
    assert whose(state) == "Karin: again"
    assert results(state) == ["no agreement: Karin and Helga decide"]


def test_H9_ruling_also_declined_proposals_come_to_an_end() -> None:
    state = go(equally_near(tied=2), TWO_NAME)
    for _ in range(2):
        state = go(state, "Karin proposes Curaçao / Helga declines / Helga proposes blue 1 / Karin declines")
    assert whose(state) == "Karin: again"


@pytest.mark.parametrize("circles", [-1, 6])
def test_H9_ruling_no_other_number_of_circles(circles: int) -> None:
    with pytest.raises(BadOptions, match=rf"0 to 5 bargaining rounds, not {circles}\. \(H9\)"):
        start(circles=circles)


# -------------------------------------------------------------------------------------- H10: the deciding round

TWO_DECIDE = f"{TWO_NAME} / withholds / withholds / withholds / withholds"
THREE_DECIDE = f"{THREE_NAME} / withholds / withholds / withholds / withholds / withholds / withholds"


def test_H10_each_tied_player_in_the_order_of_play_lays_further_horseshoes_or_passes() -> None:
    state = go(equally_near(tied=2, starter=ANNE), TWO_DECIDE)
    assert whose(state) == "Karin: again"
    assert set(legal(state)) == {"passes", "lays 29", "lays 1", "lays 29 1"}
    state = go(state, "Karin lays 29")
    assert whose(state) == "Helga: again"
    assert state.merchants[KARIN].lay == (29,)
    assert heap(state) == "31 30 27 1"  # what was laid before lies in the middle


def test_H10_the_same_lucky_number_and_the_nearest_moves() -> None:
    state = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin lays 29 / Helga lays 28")
    assert state.lucky == 31
    assert results(state) == ["revealed: Karin 29 = 29, Helga 28 = 28; nearest: Karin"]
    assert whose(state) == "Karin: sail"
    assert heap(state) == "31 30 29 28 27 1"
    assert results(go(state, "Karin sails to Curaçao")) == ["from yellow 3 to Curaçao, moved by Karin"]


def test_H10_who_was_not_equally_near_lays_nothing() -> None:
    state = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin lays 29 / Helga lays 28")
    assert rack(state, ANNE) == "20 10 2 1"
    assert {lay.seat for lay in state.revealed[-1].lays} == {KARIN, HELGA}


def test_H10_any_number_of_horseshoes_left_allows_to_pass() -> None:
    state = position(Seat(rack="31 48 47 46 45 44 43"), Seat(rack="30 1"), ANYBODY, circles=0)
    state = go(state, "Karin lays 31 / Helga lays 30 1 / Anne passes / Karin names red 1 / Helga names green 1")
    assert "passes" in legal(state)  # with six left
    state = go(state, "Karin passes")
    assert legal(state) == ["passes"]  # Helga has none left


def test_H10_the_best_among_those_who_laid() -> None:
    """Check that Karin, who would be nearest with 29, passes and so does not win."""
    state = go(equally_near(), f"{THREE_DECIDE} / Karin passes / Helga lays 1 / Anne lays 2")
    assert whose(state) == "Anne: sail"
    state = go(equally_near(), f"{THREE_DECIDE} / Karin passes / Helga passes / Anne lays 2")
    assert whose(state) == "Anne: sail"


def test_H10_a_reading_of_0_is_nearer_than_passing() -> None:
    state = position(Seat(rack="45 31"), Seat(rack="30 1"), ANYBODY, circles=0)
    state = go(state, "Karin lays 31 / Helga lays 30 1 / Anne passes / Karin names red 1 / Helga names green 1")
    state = go(state, "Karin lays 45 / Helga passes")
    assert results(state) == ["revealed: Karin 45 = 0; nearest: Karin"]
    assert whose(state) == "Karin: sail"


def test_H10_equally_near_again_name_and_bargain_anew() -> None:
    state = go(equally_near(), f"{THREE_DECIDE} / Karin lays 29 / Helga lays 28 1 / Anne lays 27 2")
    assert results(state)[0].endswith("nearest: Karin and Helga and Anne")
    for name in ("Karin", "Helga", "Anne"):
        assert whose(state) == f"{name}: name"
        state = go(state, f"{name} names {'Curaçao' if name == 'Karin' else 'blue 1'}")
    for name in ("Karin", "Helga", "Anne") * 2:
        assert whose(state) == f"{name}: propose"
        state = go(state, f"{name} withholds")
    assert whose(state) == "Karin: again"


def test_H10_who_falls_behind_is_no_longer_party() -> None:
    state = go(equally_near(), f"{THREE_DECIDE} / Karin lays 29 / Helga lays 28 1 / Anne lays 27")
    state = go(state, "Karin names Curaçao / Helga names blue 1 / Karin proposes blue 1 / Helga accepts")
    assert state.dutchman == "blue 1"
    state = go(equally_near(), f"{THREE_DECIDE} / Karin lays 29 / Helga passes / Anne lays 27 2")
    assert state.bargain is not None
    assert state.bargain.tied == (KARIN, ANNE)


def test_H10_they_may_agree_after_a_deciding_round() -> None:
    state = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin lays 29 / Helga lays 28 1")
    state = go(state, "Karin names Curaçao / Helga names Curaçao")
    assert results(state)[-1] == "from yellow 3 to Curaçao, moved by Karin and Helga"


def test_H10_so_on_until_one_is_left() -> None:
    state = go(equally_near(tied=2, circles=0), f"{TWO_NAME} / Karin lays 29 / Helga lays 28 1")
    state = go(state, f"{TWO_NAME} / Karin lays 1 / Helga passes")
    assert whose(state) == "Karin: sail"
    assert len(state.revealed) == 3


def test_H10_ruling_all_readings_0_are_equally_near_here_too() -> None:
    state = position(Seat(rack="45 31"), Seat(rack="44 30 1"), ANYBODY, circles=0)
    state = go(state, "Karin lays 31 / Helga lays 30 1 / Anne passes / Karin names red 1 / Helga names green 1")
    state = go(state, "Karin lays 45 / Helga lays 44")
    assert results(state)[0].endswith("nearest: Karin and Helga")
    assert whose(state) == "Karin: name"


def test_H10_if_all_pass_they_roll_for_it() -> None:
    state = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin passes / Helga passes")
    assert whose(state) == "chance: rolling"
    assert state.queue == (KARIN, HELGA)
    state = go(state, "Karin rolls 30 + 5 / Helga rolls 30 + 7")
    assert results(state) == ["rolled: Karin 35, Helga 37; highest: Helga"]
    assert whose(state) == "Helga: sail"
    state = go(state, "Helga sails to Curaçao")
    assert results(state) == ["from yellow 3 to Curaçao, moved by Helga"]
    assert whose(go(state, "Helga shows red")) == "chance: lucky"  # Karin took no part in the move


def test_H10_having_nothing_to_lay_is_passing() -> None:
    state = position(Seat(rack="31"), Seat(rack="30 1"), ANYBODY, circles=0)
    state = go(state, "Karin lays 31 / Helga lays 30 1 / Anne passes / Karin names red 1 / Helga names green 1")
    assert legal(state) == ["passes"]
    assert whose(go(state, "Karin passes / Helga passes")) == "chance: rolling"


def test_H10a_ruling_both_dice_the_highest_sum() -> None:
    before = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin passes / Helga passes")
    outcomes = DUTCHMAN.chance(before).outcomes()
    assert dict(outcomes or ()) == all_draws(DICE)
    assert refused_by(before, Dice(30, 2)) == "H10a"
    assert before.lucky == 31
    assert go(before, "dice 40 + 9 / dice 20 + 1").lucky == 31  # no new lucky number


def test_H10a_ruling_equal_ones_roll_again() -> None:
    state = go(equally_near(), f"{THREE_DECIDE} / passes / passes / passes")
    state = go(state, "Karin rolls 40 + 5 / Helga rolls 20 + 1 / Anne rolls 40 + 5")
    assert results(state) == ["rolled: Karin 45, Helga 21, Anne 45; highest: Karin and Anne"]
    assert (whose(state), state.queue, state.rolls) == ("chance: rolling", (KARIN, ANNE), ())
    state = go(state, "Karin rolls 20 + 3 / Anne rolls 20 + 3")
    assert state.queue == (KARIN, ANNE)
    state = go(state, "Karin rolls 20 + 3 / Anne rolls 20 + 5")
    assert whose(state) == "Anne: sail"


def test_H10b_ruling_if_nobody_lays_all_still_in_the_game_roll_for_it() -> None:
    state = position(Seat(), Seat(bankrupt=1), Seat(), Seat(), Seat(), starter=KARL)
    state = go(state, "Karl plays a Kontor card")
    state = DUTCHMAN.play(state, DUTCHMAN.moves(state)[0])
    state = go(state, "Klaus passes / Karin plays a Smith card / Anne passes")
    assert whose(state) == "chance: rolling"
    assert state.queue == (KARL, KLAUS, KARIN, ANNE)
    state = go(state, "Karl rolls 20 + 1 / Klaus rolls 30 + 1 / Karin rolls 40 + 1 / Anne rolls 40 + 1")
    assert results(state)[-1] == "rolled: Karl 21, Klaus 31, Karin 41, Anne 41; highest: Karin and Anne"
    state = go(state, "Karin rolls 20 + 1 / Anne rolls 20 + 3")
    assert whose(state) == "Anne: sail"
    state = go(state, "Anne sails to red 1")
    assert results(state)[0] == "from Holland to red 1, moved by Anne"


# -------------------------------------------------------------------------------------------------- H11: a ship

SHIP = "Karin lays 31 / Helga passes / Anne passes / Karl passes / Karin sails to blue 1"


def at_sea(*cash_: int | None, stones: str = "blue 7, red 11, violet 15", counter: int = 11, **more: Any) -> State:
    """Return a state of four players; Karin has one blue share, Helga two, Anne and Karl none; blue is worth 7.

    A seat without cash (None) has been bankrupt since the first round.
    """
    shares = ("blue yellow red", "blue blue green", "orange orange red", "violet violet red")
    seats = [
        Seat(shares=hand_, bankrupt=1) if ducats is None else Seat(shares=hand_, cash=ducats, rack=rack_)
        for hand_, ducats, rack_ in zip(shares, cash_, ("31 10", "48 20 1", "10", ""), strict=True)
    ]
    return position(*seats, stones=stones, counter=counter, **{**AT_YELLOW_3, **more})


def test_H11_all_shareholders_pay_the_value_for_each_share_to_the_bank() -> None:
    state = go(at_sea(25, 25, 25, 25), SHIP)
    assert cash(state) == [25 - 7, 25 - 14, 25, 25]
    assert results(state) == [
        "from yellow 3 to blue 1, moved by Karin",
        "blue at 7: Karin has 1 and pays 7, Helga has 2 and pays 14",
    ]


def test_H11_the_stone_of_the_ship_goes_back_and_all_stones_and_the_counter_move_on() -> None:
    before = at_sea(25, 25, 25, 25)
    state = go(before, SHIP)
    assert values(before) == {"blue": 7, "yellow": 2, "green": 2, "orange": 2, "red": 11, "violet": 15}
    assert values(state) == {"blue": 2, "yellow": 3, "green": 3, "orange": 3, "red": 13, "violet": 18}
    assert (CHESTS[before.counter], CHESTS[state.counter]) == (11, 13)


def test_H11_a_ship_that_nobody_holds_is_met_all_the_same() -> None:
    state = position(
        *[Seat(shares="yellow green red"), Seat(shares="yellow green red"), Seat(shares="orange orange violet")],
        **AT_YELLOW_3,
    )
    state = go(state, f"passes / passes / passes / {LOTTERY} / Karin sails to blue 1")
    assert results(state)[-1] == "blue at 2: nobody has any"
    assert values(state) == {"blue": 2, "yellow": 3, "green": 3, "orange": 3, "red": 3, "violet": 3}
    assert CHESTS[state.counter] == 3


def test_H11_exactly_enough_is_enough() -> None:
    state = go(at_sea(7, 14, 25, 0), SHIP)
    assert cash(state) == [0, 0, 25, 0]
    assert [merchant.bankrupt for merchant in state.merchants] == [0, 0, 0, 0]
    assert whose(state) == "chance: lucky"


def test_H11_who_cannot_pay_in_full_is_bankrupt_and_out_of_the_game() -> None:
    state = go(at_sea(25, 13, 25, 25, round_number=4), SHIP)
    assert results(state)[-2:] == [
        "blue at 7: Karin has 1 and pays 7, Helga has 2 and pays 13",
        "bankrupt: Helga",
    ]
    assert state.merchants[HELGA].bankrupt == 4
    state = go(DUTCHMAN.play(state, Shuffle(state.pile)), "dice 30 + 1")
    for name in ("Anne", "Karl", "Karin"):  # passing over Helga, who would have been next
        assert whose(state) == f"{name}: action"
        state = go(state, f"{name} passes")


def test_H11_ruling_they_pay_what_they_have() -> None:
    assert cash(go(at_sea(25, 13, 25, 25), SHIP)) == [18, 0, 25, 25]
    assert cash(go(at_sea(25, 0, 25, 25), SHIP)) == [18, 0, 25, 25]


def test_H11_ruling_their_shares_are_shuffled_into_the_Kontor_pile() -> None:
    before = at_sea(25, 13, 25, 25)
    state = go(before, SHIP)
    assert state.merchants[HELGA].shares == ()
    assert Counter(state.pile) == Counter((*before.pile, "blue", "blue", "green"))
    assert whose(state) == "chance: shuffle"
    order = state.pile[::-1]
    after = DUTCHMAN.play(state, Shuffle(order))
    assert (after.pile, whose(after)) == (order, "chance: lucky")
    assert set(after.put_by) == {None}  # nobody knows the places of the cards
    for wrong in (order[1:], (*order, "blue"), ("red", *order[1:]) if order[0] != "red" else ("blue", *order[1:])):
        assert refused_by(state, Shuffle(wrong)) == "H11"


def test_H11_ruling_every_order_of_the_pile_is_equally_likely() -> None:
    pile: tuple[Colour, ...] = ("red", "blue", "blue", "green")
    brute = {Shuffle(order): Fraction(1, 12) for order in permutations(pile)}
    assert len(brute) == 12
    shuffling: Chance[Shuffle] = Shuffling(pile)
    assert all_draws(shuffling) == brute
    for outcome, chance in brute.items():
        assert outcome in shuffling
        assert shuffling.probability(outcome) == chance
    assert shuffling.probability(Shuffle(("red", "blue", "green", "green"))) == 0
    assert shuffling.outcomes() is None


def test_H11_ruling_their_horseshoes_go_to_the_middle_and_their_cards_out_of_the_game() -> None:
    state = go(at_sea(25, 13, 25, 25, middle="2"), SHIP)
    assert rack(state, HELGA) == ""
    assert heap(state) == "48 31 20 2 1"  # Helga's three, Karin's lay, and those that were there
    assert (state.merchants[HELGA].kontor, state.merchants[HELGA].smith) == (0, 0)
    assert [merchant.kontor for merchant in state.merchants] == [3, 0, 3, 3]


def test_H11_several_can_go_bankrupt_together() -> None:
    state = go(at_sea(6, 13, 25, 25), SHIP)
    assert results(state)[-1] == "bankrupt: Karin and Helga"
    assert cash(state) == [0, 0, 25, 25]
    assert len(state.pile) == 6 + 2 * 3
    state = go(DUTCHMAN.play(state, Shuffle(state.pile)), "dice 30 + 1")
    assert whose(state) == "Anne: action"


def test_H11_ruling_shares_shown_are_known_to_all_until_exchanged() -> None:
    state = go(at_sea(25, 25, 25, 25), SHIP)
    for seat in (*range(4), None):
        players = DUTCHMAN.view(state, seat).players
        assert [(player.at_least[0], player.at_most[0]) for player in players] == [(1, 1), (2, 2), (0, 0), (0, 0)]
        assert players[HELGA].at_least == (2, 0, 0, 0, 0, 0)
    state = go(state, "dice 30 + 1 / Helga plays a Kontor card")
    state = DUTCHMAN.play(state, DUTCHMAN.moves(state)[-1])
    helga, karin = (DUTCHMAN.view(state, ANNE).players[seat] for seat in (HELGA, KARIN))
    assert helga.at_least[0] == 0  # both may have gone
    assert helga.at_most[0] == 3  # or the third have come: of four players' shares there are three of a colour
    assert (karin.at_least[0], karin.at_most[0]) == (1, 1)


# ---------------------------------------------------------------------------------------------- H11a: the check

LEFT_IN_THE_PILE = "yellow yellow green green orange violet"
"""The shares that nobody holds in ``at_sea``."""


def after_check(pile: str = LEFT_IN_THE_PILE, **more: Any) -> State:
    """Return the state after a check, with the pile shuffled into this order."""
    state = go(at_sea(25, 25, 25, 25, check="on request", **more), SHIP)
    return go(state, f"Helga asks for the check / shuffle {pile}")


def test_H11a_option_it_is_never_checked_unless_that_was_agreed_on() -> None:
    assert not Options().may_check
    assert Options(check="never") == Options()
    assert whose(go(at_sea(25, 25, 25, 25), SHIP)) == "chance: lucky"


def test_H11a_option_what_was_agreed_on_before_there_was_a_check_is_written_as_it_was() -> None:
    """Check that old records, tables and links stay as they are."""
    assert b"check" not in msgspec.json.encode(Options())
    assert b"check" not in msgspec.json.encode(msgspec.json.decode(b'{"check": "never"}', type=Options))
    encoded = msgspec.json.encode(Options(check="on request"))
    assert msgspec.json.decode(encoded, type=Options).may_check
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"check": "always"}', type=Options)


def test_H11a_any_player_may_ask_after_a_ship_before_the_next_round() -> None:
    state = go(at_sea(25, 25, 25, 25, check="on request"), SHIP)
    for name in ("Helga", "Anne", "Karl", "Karin"):
        assert whose(state) == f"{name}: check"
        assert legal(state) == ["asks for the check", "waives the check"]
        assert results(go(state, "asks for the check")) == [f"the pile is shown: {LEFT_IN_THE_PILE}"]
        assert state.round == 1
        state = go(state, f"{name} waives the check")
        assert results(state) == []
    assert (whose(state), state.round, state.starter) == ("chance: lucky", 2, HELGA)
    assert state.inspection is None


def test_H11a_the_first_who_asks_ends_the_asking_once_after_each_ship() -> None:
    state = go(at_sea(25, 25, 25, 25, check="on request"), SHIP)
    state = go(state, "Helga waives the check / Anne asks for the check")
    assert whose(state) == "chance: reshuffle"
    state = go(state, f"shuffle {LEFT_IN_THE_PILE} / dice 30 + 1")
    assert (whose(state), state.round) == ("Helga: action", 2)
    state = go(state, "Helga lays 48 / Anne passes / Karl passes / Karin lays 10 / Karin sails to red 1")
    assert whose(state) == "Anne: check"  # and again after the next ship


def test_H11a_nobody_asks_after_an_island() -> None:
    state = position(Seat(rack="31"), ANYBODY, ANYBODY, dutchman="yellow 3", check="on request")
    state = go(state, "Karin lays 31 / Helga passes / Anne passes / Karin sails to Curaçao / Karin shows nothing")
    assert whose(state) == "chance: lucky"


def test_H11a_nobody_asks_when_the_game_is_over() -> None:
    assert whose(go(last_round(25, 25, 25, 25, check="on request"), SHIP)) == "nobody: over"


def test_H11a_the_bankrupt_do_not_ask_and_their_shares_are_checked_too() -> None:
    state = go(at_sea(25, 13, 25, 25, check="on request"), SHIP)
    assert whose(state) == "chance: shuffle"
    state = DUTCHMAN.play(state, Shuffle(state.pile))
    assert (whose(state), state.queue) == ("Anne: check", (ANNE, KARL, KARIN))
    state = go(state, "Anne asks for the check")
    assert results(state) == ["the pile is shown: blue blue yellow yellow green green green orange violet"]


def test_H11a_it_tells_everybody_the_pile_and_ends_what_anyone_knows_of_its_order() -> None:
    before = at_sea(25, 25, 25, 25, check="on request", pile="violet orange green green yellow yellow")
    state = go(before, "Karin plays a Kontor card / Karin puts back orange violet / Helga lays 48 / Anne lays 10")
    state = go(state, "Karl passes / Anne sails to blue 1")
    assert DUTCHMAN.view(state, KARIN).pile[-2:] == ("orange", "violet")
    state = go(state, "Helga asks for the check / shuffle orange yellow green yellow violet green")
    for seat in (*range(4), None):
        view = DUTCHMAN.view(state, seat)
        assert view.pile == (None,) * 6
        assert view.put_by == (None,) * 6
        assert view.inspection is not None
        assert view.inspection.among == view.inspection.shares
        assert " ".join(view.inspection.shares) == LEFT_IN_THE_PILE
        imagined = DUTCHMAN.imagine(view, Random(1).randrange)
        assert Counter(imagined.pile) == Counter(state.pile)


def test_H11a_who_draws_knows_what_is_left_and_the_others_what_it_is_among() -> None:
    state = go(after_check("violet orange green green yellow yellow"), "dice 30 + 1 / Helga plays a Kontor card")
    state = go(state, "Helga puts back blue blue")
    own, other = DUTCHMAN.view(state, HELGA).inspection, DUTCHMAN.view(state, KARL).inspection
    assert own is not None
    assert other is not None
    assert own.among == ("yellow", "yellow", "green", "green")
    assert " ".join(other.among) == LEFT_IN_THE_PILE
    assert own.drawn == other.drawn == (0, 2, 0, 0)
    imagined = [DUTCHMAN.imagine(DUTCHMAN.view(state, KARL), Random(seed).randrange) for seed in range(100)]
    tops = {tuple(sorted(state.pile[:4])) for state in imagined}
    assert len(tops) == 8  # any four of the six, as far as they differ
    assert {Counter(state.pile[:4])["red"] for state in imagined} == {0}


def test_H11a_what_it_showed_is_forgotten_when_the_last_of_it_is_drawn() -> None:
    state = position(ANYBODY, ANYBODY, ANYBODY, dutchman="yellow 3", check="on request")
    state = go(state, f"passes / passes / passes / {LOTTERY} / Karin sails to blue 1 / Helga asks for the check")
    state = go(DUTCHMAN.play(state, Shuffle(state.pile)), "dice 30 + 1 / Helga plays a Kontor card")
    assert state.inspection is not None
    state = DUTCHMAN.play(state, DUTCHMAN.moves(state)[0])
    assert state.put_by == (None, HELGA, HELGA)
    assert go(state, "Anne plays a Kontor card").inspection is None


def test_H11a_a_bankrupts_shares_end_it_until_somebody_asks_again() -> None:
    state = go(after_check(), "dice 30 + 1 / Helga lays 48 / Anne passes / Karl passes / Karin lays 10")
    karin, *others = state.merchants
    state = go(replace(state, merchants=(replace(karin, cash=0), *others)), "Karin sails to red 1")
    assert results(state)[-1] == "bankrupt: Karin"
    assert state.inspection is None
    state = DUTCHMAN.play(state, Shuffle(state.pile))
    assert DUTCHMAN.view(state, HELGA).inspection is None
    assert go(state, "Anne asks for the check").inspection is not None


def test_H11a_every_order_is_equally_likely() -> None:
    state = go(at_sea(25, 25, 25, 25, check="on request"), SHIP)
    state = go(state, "Helga asks for the check")
    orders = set(permutations(state.pile))
    chance = DUTCHMAN.chance(state)
    assert {chance.probability(Shuffle(order)) for order in orders} == {Fraction(1, len(orders))}
    assert refused_by(state, Shuffle(state.pile[1:])) == "H11a"
    assert DUTCHMAN.occasion(state) == ("reshuffle", 1)


def test_H11a_a_snapshot_keeps_what_is_known_and_is_as_it_was_without_the_check() -> None:
    state = go(after_check(), "dice 30 + 1 / Helga plays a Kontor card")
    assert DUTCHMAN.deserialise(DUTCHMAN.serialise(state), state.options) == state
    merchants, rest = msgspec.msgpack.decode(DUTCHMAN.serialise(at_sea(25, 25, 25, 25)))
    assert (len(merchants), len(rest)) == (4, len(State.__struct_fields__) - 4)


# ----------------------------------------------------------------------------------------------- H12: an island


def agreed_on_island(*, starter: int = KARIN) -> State:
    """Return a state in which Karin and Helga have agreed on Curaçao; Anne took no part."""
    state = equally_near(tied=2, starter=starter)
    return go(state, "names Curaçao / names Curaçao")


def test_H12_everyone_who_took_part_in_the_move_may_show_one_share_and_receives_its_value() -> None:
    state = agreed_on_island()
    assert whose(state) == "Karin: show"
    assert set(legal(state)) == {"shows blue", "shows yellow", "shows nothing"}
    state = go(state, "Karin shows yellow")
    assert (cash(state), results(state)) == ([25 + 11, 25, 25], ["Karin earns 11"])
    assert set(legal(state)) == {"shows blue", "shows orange", "shows red", "shows nothing"}
    state = go(state, "Helga shows red")
    assert cash(state) == [36, 31, 25]
    assert whose(state) == "chance: lucky"  # nothing for Anne


def test_H12_one_who_has_won_the_move_alone() -> None:
    state = go(
        at_sea(25, 25, 25, 25), "Karin lays 31 / passes / passes / passes / Karin sails to Curaçao / Karin shows red"
    )
    assert cash(state) == [36, 25, 25, 25]
    assert whose(state) == "chance: lucky"


def test_H12_in_the_order_of_play() -> None:
    state = agreed_on_island(starter=HELGA)
    assert whose(state) == "Helga: show"
    state = go(state, "Helga shows nothing")
    assert whose(state) == "Karin: show"


def test_H12_not_showing_is_allowed() -> None:
    state = go(agreed_on_island(), "Karin shows nothing / Helga shows nothing")
    assert cash(state) == [25, 25, 25]
    assert whose(state) == "chance: lucky"


def test_H12_only_a_share_that_one_has() -> None:
    for move in ("shows red", "shows green"):
        assert refused_by(agreed_on_island(), move) == "H12"
    assert refused_by(agreed_on_island(), "passes") == "H12"


def test_H12_no_stone_moves() -> None:
    before = equally_near(tied=2)
    state = go(agreed_on_island(), "Karin shows yellow / Helga shows red")
    assert (state.stones, state.counter) == (before.stones, before.counter)


def test_H12_a_share_is_shown_and_kept_and_known_to_all_from_then_on() -> None:
    state = go(agreed_on_island(), "Karin shows yellow")
    assert hand(state, KARIN) == "blue yellow yellow"
    karin = DUTCHMAN.view(state, ANNE).players[KARIN]
    assert karin.at_least == (0, 1, 0, 0, 0, 0)  # that there is another is not seen


# ------------------------------------------------------------------------------------------------- H13: the end


def last_round(*cash_: int | None, **more: Any) -> State:
    return at_sea(*cash_, **{"stones": "blue 7, red 11, violet 13, orange 2", "counter": 15, **more})


def test_H13_the_game_ends_when_the_counter_reaches_18() -> None:
    state = last_round(25, 25, 25, 25)
    assert DUTCHMAN.result(state) is None
    state = go(state, SHIP)
    assert CHESTS[state.counter] == 18
    assert (state.mover, state.step) == (OVER, "over")
    assert DUTCHMAN.moves(state) == ()


def test_H13_not_before() -> None:
    state = go(last_round(25, 25, 25, 25, counter=13), SHIP)
    assert CHESTS[state.counter] == 15
    assert whose(state) == "chance: lucky"
    assert DUTCHMAN.result(state) is None


def test_H13_an_island_does_not_end_it() -> None:
    state = go(last_round(25, 25, 25, 25), SHIP.replace("blue 1", "Curaçao"))
    assert whose(go(state, "shows nothing")) == "chance: lucky"


def test_H13_cash_plus_the_value_of_the_own_shares_and_the_richest_wins() -> None:
    state = go(last_round(25, 25, 25, 25), SHIP)
    # paid 7, 14, 0, 0; then blue is worth 2, yellow, green and orange 3, red 13, violet 15
    karin = 25 - 7 + 2 + 3 + 13
    helga = 25 - 14 + 2 + 2 + 3
    anne = 25 + 3 + 3 + 13
    karl = 25 + 15 + 15 + 13
    assert DUTCHMAN.result(state) == Result((karin, helga, anne, karl), (KARL,))


def test_H13_also_shares_on_the_last_chest_count_18() -> None:
    state = go(last_round(25, 25, 25, 25, stones="violet 15"), SHIP)
    result = DUTCHMAN.result(state)
    assert result is not None
    assert result.points[KARL] == 25 + 18 + 18 + 3


def test_H13_ruling_equally_rich_share_the_victory() -> None:
    # Anne has 3 + 3 + 13 in shares, Karl 15 + 15 + 13
    state = go(last_round(25, 25, 49, 25), SHIP)
    assert DUTCHMAN.result(state) == Result((36, 18, 68, 68), (ANNE, KARL))


def test_H13_ruling_who_goes_bankrupt_in_the_last_round_does_not_win() -> None:
    state = go(last_round(25, 13, 0, 0, stones="blue 7, orange 2"), SHIP)
    result = DUTCHMAN.result(state)
    assert state.mover == OVER
    assert result is not None
    assert (result.points[HELGA], HELGA in result.winners) == (0, False)


def test_H13_ruling_only_one_player_not_bankrupt_wins_at_once() -> None:
    state = at_sea(7, 13, None, None, round_number=3)
    state = go(state, "Karin lays 31 / Helga passes / Karin sails to blue 1")
    assert results(state)[-1] == "bankrupt: Helga"
    assert (state.mover, CHESTS[state.counter]) == (OVER, 13)
    assert DUTCHMAN.result(state) == Result((0 + 2 + 3 + 13, 0, 0, 0), (KARIN,))


def test_H13_ruling_all_the_last_ones_bankrupt_together_share_the_victory() -> None:
    state = position(
        Seat(shares="blue yellow red", cash=6, rack="31"),
        Seat(shares="blue yellow red", cash=0),
        Seat(bankrupt=1),
        stones="blue 7",
        round_number=3,
        **AT_YELLOW_3,
    )
    state = go(state, "Karin lays 31 / Helga passes / Karin sails to blue 1")
    assert results(state)[-1] == "bankrupt: Karin and Helga"
    assert state.mover == OVER
    assert DUTCHMAN.result(state) == Result((0, 0, 0), (KARIN, HELGA))  # not Anne, who was bankrupt before


def test_H13_after_the_end_nothing_is_played() -> None:
    state = go(last_round(25, 25, 25, 25), SHIP)
    for action in (Pass(), Sail("yellow 3"), Keep(), Dice(30, 1), Shuffle(state.pile), Starter(0), None):
        assert refused_by(state, action) == "H13"


def test_H13_at_the_end_all_shares_are_shown() -> None:
    before = last_round(25, 25, 25, 25)
    assert [player.held for player in DUTCHMAN.view(before, None).players] == [None] * 4
    state = go(before, SHIP)
    assert [player.held for player in DUTCHMAN.view(state, None).players] == [
        merchant.shares for merchant in state.merchants
    ]


# ----------------------------------------------------------------------------------- H14: open and hidden things


def test_H14_ruling_the_bank_never_runs_out() -> None:
    """Check that merchants may have more than the 90 ducats in the box."""
    state = go(equally_near((500, 400, 300), tied=2), "names Curaçao / names Curaçao / shows yellow / shows red")
    assert cash(state) == [511, 406, 300]


def test_H14_ruling_cash_numbers_and_cards_are_open_shares_and_horseshoes_hidden() -> None:
    state = position(
        Seat(rack="48 10 1", cash=13, kontor=1, smith=2), Seat(rack="45", cash=0, kontor=0), ANYBODY, middle="20 2"
    )
    for seat in (HELGA, None):
        seen = DUTCHMAN.view(state, seat)
        karin = seen.players[KARIN]
        assert (karin.cash, karin.horseshoes, karin.kontor, karin.smith, karin.shares) == (13, 3, 1, 2, 3)
        assert karin.held is None
        assert (karin.at_least, karin.at_most, karin.known) == ((0,) * 6, (2,) * 6, ())
        assert (seen.middle, seen.pile) == (2, (None,) * 3)
    assert DUTCHMAN.view(state, HELGA).rack == (45,)
    assert DUTCHMAN.view(state, None).rack == ()


# -------------------------------------------------------------------------- the example round of the rulebook


def test_the_example_round_of_the_rulebook() -> None:
    """Play the round: lucky number 31; Karin exchanges, Helga and Anne play Smith cards, three others lay.

    Karl, Klaus and Reiner lay horseshoes.
    """
    state = deal_game(
        Seat(shares="blue blue red"),
        Seat(shares="yellow green violet"),
        Seat(shares="yellow green orange"),
        Seat(shares="blue red violet", rack="20 10"),
        Seat(shares="yellow orange red", rack="31 28 1"),
        Seat(shares="blue green violet", rack="29 27 2"),
        pile="orange yellow",
        middle="48 20 10 10 2 1",
    )
    state = replace(state, dutchman="yellow 3", came_from="orange 3", stones=(6,) * 6, counter=6)
    nine = [rack(state, seat) for seat in range(6)]
    state = go(state, "dice 30 + 1")
    assert state.lucky == 31
    assert CHESTS[6] == 7  # the blue ship is worth 7 in the rulebook's next example

    # Karin plays a Kontor card and exchanges two of her shares.
    state = go(state, "Karin plays a Kontor card / Karin puts back blue blue")
    assert hand(state, KARIN) == "yellow orange red"

    # Helga and Anne play a Smith card each; the others lay horseshoes face down.
    state = go(state, "Helga plays a Smith card / Anne plays a Smith card")
    state = go(state, "Karl lays 20 10 / Klaus lays 31 / Reiner lays 29 2")
    assert whose(state) == "chance: share"
    assert state.revealed == ()

    # Helga and Anne share the horseshoes of the middle. Then Karl, Klaus and Reiner reveal theirs.
    state = go(state, "share Helga: 48 10 1; Anne: 20 10 2; left:")
    assert results(state) == [
        "Helga and Anne get 3 from the middle, 0 stay",
        "revealed: Karl 20 10 = 30, Klaus 31 = 31, Reiner 29 2 = 31; nearest: Klaus and Reiner",
    ]
    assert [len(merchant.rack) for merchant in state.merchants] == [9, 12, 12, 7, 8, 7]
    assert heap(state) == "31 29 20 10 2"  # the horseshoes laid before go to the middle

    # Reiner wants an island, Klaus the blue ship; they cannot agree, and lay again.
    state = go(state, "Klaus names blue 1 / Reiner names Curaçao")
    state = go(state, "Klaus proposes blue 1: Klaus -3, Reiner +3 / Reiner declines / Reiner withholds")
    state = go(state, "Klaus withholds / Reiner proposes Curaçao: Klaus +5, Reiner -5 / Klaus declines")
    assert results(state) == ["no agreement: Klaus and Reiner decide"]
    assert cash(state) == [25] * 6
    assert whose(state) == "Klaus: again"

    # Reiner makes 27 and Klaus 29: Klaus is nearer to 31, and moves the Dutchman alone.
    state = go(state, "Klaus lays 28 1 / Reiner lays 27")
    assert results(state) == ["revealed: Klaus 28 1 = 29, Reiner 27 = 27; nearest: Klaus"]
    assert whose(state) == "Klaus: sail"
    assert heap(state) == "31 29 28 27 20 10 2 1"
    state = go(state, "Klaus sails to blue 1")
    assert results(state) == [
        "from yellow 3 to blue 1, moved by Klaus",
        "blue at 7: Karl has 1 and pays 7, Reiner has 1 and pays 7",
    ]
    assert cash(state) == [25, 25, 25, 18, 25, 18]
    assert values(state) == {**dict.fromkeys(COLOURS, 9), "blue": 2}
    assert CHESTS[state.counter] == 9
    assert rack(state, KARIN) == nine[KARIN]
    assert (whose(state), state.starter, state.round) == ("chance: lucky", HELGA, 2)


# ------------------------------------------------------------------------------------------------------ refusals


def acting() -> State:
    return position(Seat(rack="45 44 10 10 1", kontor=0, smith=0), ANYBODY, ANYBODY)


def putting() -> State:
    return go(position(*EXCHANGE, pile="red blue green"), "Karin plays a Kontor card")


def sailing() -> State:
    state = position(Seat(rack="31"), ANYBODY, ANYBODY, dutchman="yellow 3", came_from="orange 3")
    return go(state, "Karin lays 31 / Helga passes / Anne passes")


def naming() -> State:
    return replace(equally_near(tied=2), came_from="orange 3")


def proposing() -> State:
    return go(naming(), TWO_NAME)


def answering() -> State:
    return go(proposing(), "Karin proposes Curaçao")


def deciding() -> State:
    return go(equally_near(tied=2), TWO_DECIDE)


def rolling() -> State:
    return go(deciding(), "passes / passes")


def sharing() -> State:
    state = position(Seat(), Seat(), Seat(), middle="20 10")
    return go(state, "Karin plays a Smith card / Helga plays a Smith card / Anne passes")


def shuffling() -> State:
    return go(at_sea(25, 13, 25, 25), SHIP)


def over() -> State:
    return go(last_round(25, 25, 25, 25), SHIP)


def unstarted() -> State:
    return start(starter=None)


def undealt() -> State:
    return start()


def unrolled() -> State:
    return deal_game(ANYBODY, ANYBODY, ANYBODY)


def asking() -> State:
    return go(at_sea(25, 25, 25, 25, check="on request"), SHIP)


def reshuffling() -> State:
    return go(asking(), "Helga asks for the check")


EACH_STEP: tuple[Callable[[], State], ...] = (
    unstarted, undealt, unrolled, acting, putting, sharing, sailing, naming, proposing, answering, deciding, rolling,
    agreed_on_island, shuffling, asking, reshuffling, over,
)  # fmt: skip


ONE_ACTION = "Choose one action: a Kontor card, a Smith card, or horseshoes. (H6)"
PUT_TWO = "Put back two of your five shares, in the order of the colours. (H6a)"
NO_MOVE = "This is not a move of Der fliegende Holländer."

REFUSALS: list[tuple[Callable[[], State], Any, str]] = [
    # an action
    (acting, "plays a Kontor card", "You have no Kontor card left. (H6a)"),
    (acting, "plays a Smith card", "You have no Smith card left. (H6b)"),
    (acting, "passes", "You can pass only with fewer than 5 horseshoes. (H6d)"),
    (acting, Lay(()), "Play at least one horseshoe. (H6c)"),
    (acting, "lays 43", "You do not have the horseshoe 43. (H6c)"),
    (acting, "lays 10 10 10", "You do not have the horseshoe 10. (H6c)"),
    (acting, "lays 45 44", "At most one golden horseshoe can be played. (H6c)"),
    (acting, "lays 1 45", "Horseshoes are listed from the highest down. (H6c)"),
    (acting, "sails to red 1", ONE_ACTION),
    (acting, "accepts", ONE_ACTION),
    (acting, Put(("blue", "red")), ONE_ACTION),
    (acting, Dice(30, 1), f"{NO_MOVE} (H6)"),
    (acting, None, f"{NO_MOVE} (H6)"),
    # putting back
    (putting, "puts back red green", "You do not have so many shares in green. (H6a)"),
    (putting, "puts back red blue", PUT_TWO),
    (putting, "puts back violet violet", "You do not have so many shares in violet. (H6a)"),
    (putting, "passes", "Put two of your five shares under the Kontor pile first. (H6a)"),
    (putting, 7, f"{NO_MOVE} (H6a)"),
    # steering
    (sailing, "sails to orange 3", "The Dutchman cannot go back to orange 3, where it came from. (H8)"),
    (sailing, "sails to Java", "No line leads from yellow 3 to Java. (H8)"),
    (sailing, "sails to yellow 3", "No line leads from yellow 3 to yellow 3. (H8)"),
    (sailing, "sails to Atlantis", "No line leads from yellow 3 to Atlantis. (H8)"),
    (sailing, "passes", "You are nearest: move the Dutchman. (H8)"),
    (sailing, "names blue 1", "You are nearest: move the Dutchman. (H8)"),
    # agreeing
    (naming, "names orange 3", "The Dutchman cannot go back to orange 3, where it came from. (H8)"),
    (naming, "names Java", "No line leads from yellow 3 to Java. (H8)"),
    (naming, "sails to blue 1", "Name the destination you want. (H9)"),
    (proposing, "proposes orange 3", "The Dutchman cannot go back to orange 3, where it came from. (H8)"),
    (proposing, "proposes Java", "No line leads from yellow 3 to Java. (H8)"),
    (proposing, Propose("blue 1", ()), "A proposal says for each of the 2 tied players what they pay or get. (H9)"),
    (
        proposing,
        Propose("blue 1", (0, 0, 0)),
        "A proposal says for each of the 2 tied players what they pay or get. (H9)",
    ),
    (proposing, Propose("blue 1", (-1, 2)), "The total paid and the total received must be the same. (H9)"),
    (proposing, Propose("blue 1", (-26, 26)), "Nobody can pay more ducats than they have. (H9)"),
    (proposing, Propose("blue 1", (26, -26)), "Nobody can pay more ducats than they have. (H9)"),
    (proposing, "accepts", "Make a proposal, or make none. (H9)"),
    (answering, "withholds", "Accept the proposal or decline it. (H9)"),
    (answering, "proposes blue 1", "Accept the proposal or decline it. (H9)"),
    # a deciding round
    (deciding, "plays a Smith card", "Play more horseshoes, or pass. (H10)"),
    (deciding, "lays 31", "You do not have the horseshoe 31. (H6c)"),
    (deciding, Lay(()), "Play at least one horseshoe. (H6c)"),
    # an island
    (agreed_on_island, "shows red", "You can show only a share that you have. (H12)"),
    (agreed_on_island, "passes", "Show one share, or keep them hidden. (H12)"),
    # the check
    (asking, "passes", "Ask for the Kontor pile to be checked, or leave it. (H11a)"),
    (acting, "asks for the check", ONE_ACTION),
    (reshuffling, Shuffle(()), "That outcome is not possible here. (H11a)"),
    (reshuffling, Waive(), "A chance outcome is due now, not a player’s move. (H11a)"),
    # chance
    (unstarted, Starter(3), "That outcome is not possible here. (H5)"),
    (undealt, Starter(0), "That outcome is not possible here. (H4)"),
    (unrolled, Dice(50, 1), "That outcome is not possible here. (H5)"),
    (unrolled, Pass(), "A chance outcome is due now, not a player’s move. (H5)"),
    (rolling, Pass(), "A chance outcome is due now, not a player’s move. (H10a)"),
    (sharing, Share(((20, 10), ()), ()), "That outcome is not possible here. (H6b)"),
    (rolling, Dice(20, 2), "That outcome is not possible here. (H10a)"),
    (shuffling, Shuffle(()), "That outcome is not possible here. (H11)"),
    # the end
    (over, Pass(), "The game is over. (H13)"),
    (over, Dice(30, 1), "The game is over. (H13)"),
]


@pytest.mark.parametrize(
    ("at", "move", "sentence"), REFUSALS, ids=[f"{at.__name__}-{move}" for at, move, _ in REFUSALS]
)
def test_every_refusal_names_its_rule_and_says_why(at: Callable[[], State], move: Any, sentence: str) -> None:
    assert refusal(at(), move) == sentence


@pytest.mark.parametrize("at", EACH_STEP)
@pytest.mark.parametrize("value", [None, 0, 0.5, (), ("pass",), b"pass", object(), Options(), Pass, Seat()])
def test_whatever_is_no_move_is_refused_everywhere(at: Callable[[], State], value: object) -> None:
    assert refused_by(at(), value).startswith("H")


@pytest.mark.parametrize("at", EACH_STEP)
@pytest.mark.parametrize("value", [[1], {"move": "pass"}, {3}])
def test_also_what_cannot_be_hashed_is_refused_everywhere(at: Callable[[], State], value: object) -> None:
    assert refused_by(at(), value).startswith("H")


@pytest.mark.parametrize("at", EACH_STEP)
def test_moves_and_play_agree_for_every_kind_of_move(at: Callable[[], State]) -> None:
    """Check one move of each kind at every step: legal exactly if it is among the moves."""
    state = at()
    every = [move for other in EACH_STEP for move in DUTCHMAN.moves(other())[:40]]
    for move in dict.fromkeys(every):
        if move in DUTCHMAN.moves(state):
            assert DUTCHMAN.play(state, move) != state
        else:
            assert refused_by(state, move).startswith("H")


@pytest.mark.parametrize("at", EACH_STEP)
def test_the_moves_are_a_sequence_with_each_move_once(at: Callable[[], State]) -> None:
    moves = DUTCHMAN.moves(at())
    every = list(moves)
    assert len(moves) == len(every) == len(set(every))
    assert bool(every) == (at().mover not in (CHANCE, OVER))
    assert tuple(moves[:5]) == tuple(every[:5])
    assert tuple(moves[::-1]) == tuple(every[::-1])
    for place, move in enumerate(every[:50]):
        assert moves[place] == move
        assert moves[place - len(every)] == move
        assert move in moves
    with pytest.raises(IndexError):
        moves[len(every)]
    with pytest.raises(IndexError):
        moves[-len(every) - 1]


# ------------------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize("players", [-1, 0, 1, 2, 7, 60])
def test_H4_three_to_six_players(players: int) -> None:
    with pytest.raises(BadOptions, match=rf"for 3 to 6 players, not {players}\. \(H4\)$"):
        DUTCHMAN.start(Options(players=players))


@pytest.mark.parametrize(("players", "starter"), [(3, 3), (3, -1), (6, 6), (4, 5)])
def test_H5_a_starter_who_does_not_play_is_refused(players: int, starter: int) -> None:
    with pytest.raises(BadOptions, match=rf"must be seat 1 to {players}, not {starter + 1}\. \(H5\)$"):
        start(players, starter=starter)


def test_H3_a_broken_chart_is_refused_as_an_option() -> None:
    with pytest.raises(BadOptions, match=r"\(H3\)$"):
        start(chart=replace(OURS, holland="Atlantis"))


@pytest.mark.parametrize("written", ['{"players":3,"circle":1}', '{"chart":{"name":"x"}}', '{"players":"three"}'])
def test_unknown_options_are_refused(written: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=Options)


@EVERY_TABLE
def test_as_many_seats_as_players(players: int) -> None:
    assert DUTCHMAN.seats(Options(players=players)) == players
    assert len(start(players).merchants) == players


# --------------------------------------------------------------------------------------- the notation of the tests


def test_the_notation_of_these_tests_reads_back() -> None:
    for at in EACH_STEP:
        state = at()
        for move in DUTCHMAN.moves(state)[:60]:
            assert hear(state, say(state, move)) == move
    everybody = deal(*[ANYBODY] * 6)
    assert hear(start(6), say(start(6), everybody)) == everybody
    share = Share(((20,), (10,)), ())
    assert hear(sharing(), say(sharing(), share)) == share
    for outcome in (Dice(30, 1), Starter(REINER), Shuffle(("red", "blue"))):
        assert hear(unrolled(), say(unrolled(), outcome)) == outcome
