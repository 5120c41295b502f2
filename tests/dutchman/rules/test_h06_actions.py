"""H6: a Kontor card, a Smith card, horseshoes, or passing.

More of H6c is in ``test_horseshoes``.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from msgspec.structs import replace

from dutchman.rules.situations import EXCHANGE
from dutchman.table import (
    ANNE,
    ANYBODY,
    HELGA,
    KARIN,
    Seat,
    all_draws,
    go,
    hand,
    heap,
    legal,
    position,
    rack,
    refused_by,
    results,
    whose,
)
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.chance import Sharing
from kontor.games.dutchman.rules.components import Horseshoes
from kontor.games.dutchman.rules.state import Kontor, Lay, Put, Revealed, Share, Shared


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
