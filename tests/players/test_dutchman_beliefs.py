"""Beliefs of a seat of Der fliegende Holländer, compared with all deals, tried one by one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import ceil, sqrt
from random import Random
from typing import TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dutchman.checks import check_state
from dutchman.voyages import Table, some_tables, tables, voyage
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.rules import DUTCHMAN, Options, State, View
from kontor.games.dutchman.rules.components import (
    COLOURS,
    HORSESHOES,
    MOST_SILVER,
    Colour,
    Horseshoes,
    shares_in_play,
)
from kontor.games.dutchman.rules.horseshoes import highest_first, without
from kontor.games.dutchman.rules.state import Check, Kontor, Lay, Put
from profiles import scale_examples

FAR = 4.5
"""Standard deviations by which a count of draws may differ from its expectation."""


# ------------------------------------------------------------------------------------------------ shares

Hand = tuple[Colour, ...]


def every_deal(view: View) -> Iterator[tuple[list[Hand], list[Colour]]]:
    """Yield all ways to give each hidden physical card to a hand or to the unknown part of the pile.

    A way holds the hands by seat, and the cards for the pile. After a check (H11a) the rest of the checked cards
    comes first, then those that others put under them. All ways are equally likely.
    """
    if view.inspection is None:
        yield from every_deal_of_hands(view)
        return
    for hands, pile in every_deal_of_hands(view):
        places = range(len(pile))
        for left in combinations(places, view.put_by.count(None)):
            checked = [pile[place] for place in left]
            if Counter(checked) <= Counter(view.inspection.among):
                yield hands, checked + [pile[place] for place in places if place not in left]


def every_deal_of_hands(view: View) -> Iterator[tuple[list[Hand], list[Colour]]]:
    """Yield the ways without regard to the check."""
    hidden = Counter(shares_in_play(len(view.players)))
    hidden.subtract(card for card in view.pile if card)
    hidden.subtract(view.shares)
    cards = list(hidden.elements())
    others = [seat for seat in range(len(view.players)) if seat != view.seat]

    def give(place: int, left: frozenset[int], hands: list[Hand]) -> Iterator[tuple[list[Hand], list[Colour]]]:
        if place == len(others):
            dealt = dict(zip(others, hands, strict=True))
            yield [dealt.get(seat, view.shares) for seat in range(len(view.players))], [cards[card] for card in left]
            return
        for chosen in combinations(sorted(left), view.players[others[place]].shares):
            hand = tuple([cards[card] for card in chosen])
            if agrees(view, others[place], hand):
                yield from give(place + 1, left.difference(chosen), [*hands, hand])

    return give(0, frozenset(range(len(cards))), [])


def agrees(view: View, seat: int, hand: Hand) -> bool:
    player = view.players[seat]
    if player.held is not None:
        return Counter(hand) == Counter(player.held)
    limits = zip(COLOURS, player.at_least, player.at_most, strict=True)
    return all(least <= hand.count(colour) <= most for colour, least, most in limits)


def scattered_views(players: int, number: int, seed: int) -> Iterator[View]:
    """Yield views from all parts of games in which many shares are shown, exchanged and lost."""
    count = 0
    for table in some_tables(400, seed=seed):
        if table.options.players != players:
            continue
        legs = [leg.after for leg in voyage(replace_cash(table, 40)) if leg.after.step not in ("starter", "deal")]
        for state in Random(count).sample(legs, 3):
            yield DUTCHMAN.view(state, count % players)
            count += 1
            if count == number:
                return
    raise AssertionError(f"only {count} views of {players} players were found")


def replace_cash(table: Table, cash: int) -> Table:
    return Table(table.options, table.styles, cash, table.seed)


def held_against_all_deals(view: View) -> int:
    """Check that every probability equals the fraction of the deals, tried one by one; return their number."""
    deals = [*every_deal(view)]
    beliefs = Beliefs(view)
    for seat, player in enumerate(view.players):
        for colour in COLOURS:
            counts = Counter(hands[seat].count(colour) for hands, _ in deals)
            exact = [float(Fraction(counts[count], len(deals))) for count in range(player.shares + 1)]
            assert beliefs.shares(seat, colour) == tuple(exact), (seat, colour)
    for place, colour in enumerate(COLOURS):
        expected = Fraction(sum(pile.count(colour) for _, pile in deals), len(deals))
        if view.inspection is None:
            assert beliefs.in_pile[place] == float(expected)
        assert beliefs.in_pile[place] == pytest.approx(float(expected), abs=1e-12)
    return len(deals)


def test_shares_are_as_likely_as_in_all_deals_that_agree_three_players() -> None:
    most = [held_against_all_deals(view) for view in scattered_views(3, 60, seed=2)]
    assert sum(deals > 1 for deals in most) > 40
    assert max(most) > 800


def test_shares_are_as_likely_as_in_all_deals_that_agree_four_players() -> None:
    """Check only views in which shown shares have left few deals."""
    tried = 0
    for view in scattered_views(4, 90, seed=3):
        least_shares = sum(sum(player.at_least) for seat, player in enumerate(view.players) if seat != view.seat)
        if least_shares > 6:
            tried += held_against_all_deals(view) > 1
    assert tried > 5


def test_h6a_while_another_exchanges_five_shares_are_in_that_hand() -> None:
    state = deal_game(3, seed=5)
    state = DUTCHMAN.play(state, Kontor())
    view = DUTCHMAN.view(state, 1)
    assert held_against_all_deals(view) > 100
    assert len(Beliefs(view).shares(0, "blue")) == 6


def test_h6a_cards_that_i_put_under_the_pile_come_up_as_i_know_them() -> None:
    """Check a pile of three cards in a game of three: after my exchange one is unknown, and then mine come."""
    state = DUTCHMAN.play(deal_game(3, seed=5), Kontor())
    pair = state.merchants[0].shares[:2]
    state = DUTCHMAN.play(state, Put((pair[0], pair[1])))
    view = DUTCHMAN.view(state, 0)
    random, beliefs = Random(5), Beliefs(view)
    assert {beliefs.sample(random).pile[1] for _ in range(20)} == {pair[0]}
    assert held_against_all_deals(view) > 100


def deal_game(players: int, seed: int) -> State:
    """Return a game before its first action, which is seat 0's."""
    state = DUTCHMAN.start(Options(players=players, starter=0))
    random = Random(seed)
    for _ in range(2):
        state = DUTCHMAN.play(state, DUTCHMAN.chance(state).draw(random.randrange))
    return state


def deal_checked(players: int, exchanges: int, seed: int) -> State:
    """Return a state after a check and some exchanges since."""
    state = DUTCHMAN.start(Options(players=players, starter=0, circles=0, check="on request"))
    random = Random(seed)
    done = 0
    while state.inspection is None or done < exchanges or state.step != "action":
        if state.mover == CHANCE:
            action = DUTCHMAN.chance(state).draw(random.randrange)
        elif state.step == "check" and not done:
            action = Check()
        elif state.inspection and state.step == "action" and Kontor() in DUTCHMAN.moves(state):
            action = Kontor()
            done += 1
        else:
            action = random.choice(DUTCHMAN.moves(state))
        state = DUTCHMAN.play(state, action)
        assert state.mover != OVER
    return state


@pytest.mark.parametrize(("exchanges", "known_more"), [(0, 18), (1, 6)])
def test_h11a_after_a_check_shares_are_as_likely_as_in_all_deals_that_agree(exchanges: int, known_more: int) -> None:
    """Check also that fewer deals agree than without the check."""
    fewer = 0
    for seed in range(6):
        state = deal_checked(3, exchanges, seed)
        for reader in (0, 1, 2):
            view = DUTCHMAN.view(state, reader)
            assert view.inspection is not None
            deals = held_against_all_deals(view)
            fewer += deals < held_against_all_deals(replace(view, inspection=None))
    assert fewer >= known_more


@pytest.mark.parametrize("exchanges", [1, 2])
def test_h11a_states_are_drawn_that_give_the_view_back_six_players(exchanges: int) -> None:
    state = deal_checked(6, exchanges, seed=1)
    for reader in (*range(6), None):
        view = DUTCHMAN.view(state, reader)
        assert view.inspection is not None
        beliefs = Beliefs(view)
        for seed in range(5):
            drawn = beliefs.sample(Random(seed))
            check_state(drawn)
            assert DUTCHMAN.view(drawn, reader) == view


@pytest.mark.parametrize("players", [5, 6])
def test_with_many_players_every_share_is_somewhere(players: int) -> None:
    for view in scattered_views(players, 6, seed=6):
        beliefs = Beliefs(view)
        for place, colour in enumerate(COLOURS):
            held = [beliefs.shares(seat, colour) for seat in range(players)]
            assert all(sum(likely) == pytest.approx(1) for likely in held)
            expected = sum(sum(count * chance for count, chance in enumerate(likely)) for likely in held)
            in_sight = view.pile.count(colour)
            assert expected + beliefs.in_pile[place] + in_sight == pytest.approx(players - 1)


def test_shares_are_drawn_as_often_as_they_are_likely_and_in_every_way() -> None:
    tried = 0
    for number, view in enumerate(scattered_views(3, 20, seed=7)):
        deals = Counter(
            (tuple([tuple(sorted(hand)) for hand in hands]), tuple(sorted(pile))) for hands, pile in every_deal(view)
        )
        if not 1 < len(deals) <= 200:
            continue
        tried += 1
        random = Random(number)
        beliefs = Beliefs(view)
        draws = ceil(12 * deals.total() / min(deals.values()))
        states = [beliefs.sample(random) for _ in range(draws)]
        unseen = [place for place, card in enumerate(view.pile) if card is None]
        drawn = Counter(
            (
                tuple(tuple(sorted(merchant.shares)) for merchant in state.merchants),
                tuple(sorted(state.pile[place] for place in unseen)),
            )
            for state in states
        )
        assert drawn.keys() == deals.keys()
        as_often_as_likely(drawn, {deal: Fraction(count, deals.total()) for deal, count in deals.items()})
    assert tried > 4


Thing = TypeVar("Thing")


def as_often_as_likely(drawn: Counter[Thing], likely: Mapping[Thing, Fraction]) -> None:
    """Check that nothing was drawn FAR more or less often than expected, and that frequent things were drawn."""
    draws = drawn.total()
    for outcome, chance in likely.items():
        spread = sqrt(draws * chance * (1 - chance))
        assert abs(drawn[outcome] - draws * chance) <= FAR * spread + 1, outcome


def test_the_pile_has_every_order() -> None:
    view = DUTCHMAN.view(deal_game(3, seed=8), 0)
    random = Random(8)
    beliefs = Beliefs(view)
    piles = [beliefs.sample(random).pile for _ in range(4000)]
    draws = Counter((pile[0], pile[1]) for pile in piles)
    pairs = Counter(pair for _, pile in every_deal(view) for pair in permutations(pile, 2))
    as_often_as_likely(draws, {pair: Fraction(count, pairs.total()) for pair, count in pairs.items()})
    assert draws.keys() <= pairs.keys()


# -------------------------------------------------------------------------------------------- horseshoes

Arrangement = tuple[Horseshoes, Horseshoes, Horseshoes, Horseshoes, Horseshoes]
"""The rack and the lay of seat 1, the rack of seat 2, the middle, and the horseshoes that are out."""


def with_few_hidden(loose: Horseshoes, revealed: Horseshoes, held: int, laid: int) -> View:
    """Return a view of seat 0, which has nearly all horseshoes and does not see those in ``loose``.

    Two of them are out, one is in the middle, two are with seat 2. Of seat 1, which has laid, some are known.
    """
    view = DUTCHMAN.view(DUTCHMAN.play(deal_game(3, seed=1), Lay(deal_game(3, seed=1).merchants[0].rack[:1])), 0)
    mine = without(without(HORSESHOES, loose), revealed)
    none = view.players[2]
    players = (
        replace(none, horseshoes=len(mine), laid=None),
        replace(none, horseshoes=held - laid, laid=laid, known=revealed),
        replace(none, horseshoes=2, laid=None, known=()),
    )
    return replace(view, players=players, rack=mine, lay=None, middle=1, middle_known=(), out=2)


def every_arrangement(view: View, loose: Horseshoes) -> Counter[Arrangement]:
    """Return all ways to place each hidden physical horseshoe, with a legal lay (H6c)."""
    ways: Counter[Arrangement] = Counter()
    revealed = view.players[1].known
    laid = view.players[1].laid
    assert laid
    places = range(len(loose))
    for one in combinations(places, view.players[1].horseshoes + laid - len(revealed)):
        has = (*revealed, *[loose[place] for place in one])
        left = [place for place in places if place not in one]
        for two in combinations(left, 2):
            for middle in [place for place in left if place not in two]:
                out = [loose[place] for place in left if place not in two and place != middle]
                for lay in combinations(range(len(has)), laid):
                    lain = [has[place] for place in lay]
                    if sum(horseshoe > MOST_SILVER for horseshoe in lain) <= 1:
                        rest = [has[place] for place in range(len(has)) if place not in lay]
                        second = [loose[place] for place in two]
                        heaps = (rest, lain, second, (loose[middle],), out)
                        ways[tuple(map(highest_first, heaps))] += 1  # type: ignore[index]
    return ways


HIDDEN_LAYS = [
    pytest.param((40, 30, 21, 10, 10, 2, 1, 1), (), 3, 2, id="nothing known"),
    pytest.param((40, 30, 21, 10, 2, 1, 1, 1), (48,), 4, 2, id="a golden one known"),
    pytest.param((40, 30, 10, 2, 1, 1, 1, 1), (20, 10), 5, 4, id="silver known"),
    pytest.param((40, 30, 29, 28, 27, 26, 10, 1), (), 3, 3, id="hardly enough silver"),
]


@pytest.mark.parametrize(("loose", "revealed", "held", "laid"), HIDDEN_LAYS)
def test_h6c_hidden_lays_are_as_likely_as_in_all_arrangements(
    loose: Horseshoes, revealed: Horseshoes, held: int, laid: int
) -> None:
    view = with_few_hidden(loose, revealed, held, laid)
    ways = every_arrangement(view, loose)
    beliefs = Beliefs(view)
    for seat, heaps in ((1, (0, 1)), (2, (2,))):
        having = [(way, [horseshoe for heap in heaps for horseshoe in way[heap]]) for way in ways]
        golden = sum(ways[way] * sum(h > MOST_SILVER for h in has) for way, has in having)
        assert beliefs.golden(seat) == pytest.approx(golden / ways.total())
        assert beliefs.silver(seat) == pytest.approx((held if seat == 1 else 2) - golden / ways.total())
        for horseshoe in (40, 30, 48):
            chance = sum(ways[way] for way, has in having if horseshoe in has) / ways.total()
            assert beliefs.holds(seat, horseshoe) == pytest.approx(chance)
    random = Random(laid)
    drawn: Counter[Arrangement] = Counter()
    for _ in range(12_000):
        state = beliefs.sample(random)
        one = state.merchants[1]
        drawn[one.rack, one.lay or (), state.merchants[2].rack, state.middle, state.out] += 1
    assert drawn.keys() <= ways.keys()
    as_often_as_likely(drawn, {way: Fraction(count, ways.total()) for way, count in ways.items()})


def test_without_hidden_lays_every_hidden_horseshoe_is_as_likely_everywhere() -> None:
    view = DUTCHMAN.view(deal_game(4, seed=9), 0)
    beliefs = Beliefs(view)
    hidden = without(HORSESHOES, view.rack)
    gold = [horseshoe for horseshoe in hidden if horseshoe > MOST_SILVER]
    for seat in (1, 2, 3):
        assert beliefs.golden(seat) == pytest.approx(9 * len(gold) / len(hidden))
        assert beliefs.holds(seat, gold[0]) == pytest.approx(9 / len(hidden))
    random = Random(9)
    where: Counter[int | None] = Counter()
    for _ in range(4000):
        state = beliefs.sample(random)
        holders = [seat for seat, merchant in enumerate(state.merchants) if gold[3] in merchant.rack]
        where[holders[0] if holders else None] += 1
    rack = Fraction(9, len(hidden))
    as_often_as_likely(where, {1: rack, 2: rack, 3: rack, None: 1 - 3 * rack})


def test_h6c_lays_that_are_hardly_possible_are_drawn_at_once() -> None:
    """Check a rare case: three of six have laid all they have, nearly all silver.

    Less than one deal in a million is like that.
    """
    state = deal_game(6, seed=2)
    view = DUTCHMAN.view(state, 5)
    players = [replace(player, horseshoes=0, laid=9, action="lay") for player in view.players[:3]]
    view = replace(view, players=(*players, *view.players[3:]), mover=3, queue=(3, 4, 5))
    random = Random(2)
    for _ in range(50):
        twin = Beliefs(view).sample(random)
        for merchant in twin.merchants[:3]:
            assert merchant.lay
            assert sum(horseshoe > MOST_SILVER for horseshoe in merchant.lay) <= 1
        assert DUTCHMAN.view(twin, 5) == view


# ---------------------------------------------------------------------------------------------- whole states


def readers(state: State) -> Sequence[int | None]:
    return (*range(len(state.merchants)), None)


@given(tables(), st.integers(0, 10**6))
@settings(deadline=None, max_examples=scale_examples(25))
def test_a_drawn_state_gives_the_same_view_byte_for_byte(table: Table, seed: int) -> None:
    random = Random(seed)
    for leg in voyage(table):
        if random.random() < 0.8:
            continue
        reader = random.choice(readers(leg.after))
        view = DUTCHMAN.view(leg.after, reader)
        twin = Beliefs(view).sample(random)
        check_state(twin)
        assert msgspec.json.encode(DUTCHMAN.view(twin, reader)) == msgspec.json.encode(view)
        assert DUTCHMAN.moves(twin)[:20] == DUTCHMAN.moves(leg.after)[:20] or reader != leg.after.mover


def test_the_same_random_numbers_give_the_same_state() -> None:
    """Check that earlier draws from the same tables change nothing."""
    for view in scattered_views(4, 12, seed=11):
        once = Beliefs(view).sample(Random(3))
        beliefs = Beliefs(view)
        for number in range(20):
            beliefs.sample(Random(number))
        assert beliefs.sample(Random(3)) == once


def test_h4_before_the_deal_there_is_nothing_to_believe() -> None:
    state = DUTCHMAN.start(Options(players=4))
    for reader in readers(state):
        beliefs = Beliefs(DUTCHMAN.view(state, reader))
        assert beliefs.sample(Random(1)) == state
        assert beliefs.shares(1, "blue") == (1.0,)
        assert beliefs.in_pile == (0.0,) * len(COLOURS)
        assert (beliefs.golden(1), beliefs.silver(1), beliefs.holds(1, 40)) == (0, 0, 0)


def test_h13_at_the_end_all_shares_are_known() -> None:
    for table in some_tables(6, seed=12):
        state = [*voyage(table)][-1].after
        beliefs = Beliefs(DUTCHMAN.view(state, None))
        for seat, merchant in enumerate(state.merchants):
            for colour in COLOURS:
                assert beliefs.shares(seat, colour)[merchant.shares.count(colour)] == 1
        assert sum(beliefs.in_pile) == len(state.pile)
        twin = beliefs.sample(Random(2))
        assert DUTCHMAN.result(twin) == DUTCHMAN.result(state)
