"""Horseshoes and ducats in numbers: readings (H7), all lays of a rack (H6c), all ways to pay (H9).

Each is compared with a slow enumeration that follows the rule literally.
"""
# ruff: noqa: N802  (tests bear the numbers of the rules)

from itertools import combinations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.bargain import Payments
from kontor.games.dutchman.rules.components import HORSESHOES, Horseshoes
from kontor.games.dutchman.rules.horseshoes import lay_number, number_of_lays, reading, split
from kontor.games.dutchman.rules.state import Lay, Propose, Withhold
from profiles import scale_examples

from .table import ANYBODY, KARIN, Seat, go, position, refused_by

LUCKY = range(21, 50, 2)

at_leisure = settings(deadline=None)
"""No test asks how long something takes."""


def racks(most: int) -> st.SearchStrategy[Horseshoes]:
    """Return a strategy for any horseshoes of the box, highest first; mostly silver, which can be laid together."""
    shoes = st.lists(st.sampled_from(range(60)), max_size=most, unique=True)
    silver = st.lists(st.sampled_from(range(28, 60)), max_size=most, unique=True)
    return (shoes | silver).map(lambda places: tuple(HORSESHOES[place] for place in sorted(places)))


def lays(most: int) -> st.SearchStrategy[Horseshoes]:
    """Return a strategy for any lay: at most one golden horseshoe, any silver ones, at least one in all."""
    gold = st.lists(st.integers(21, 48), max_size=1)
    silver = st.lists(st.sampled_from(range(28, 60)), max_size=most, unique=True)
    both = st.tuples(gold, silver).filter(any)
    return both.map(lambda parts: (*parts[0], *(HORSESHOES[place] for place in sorted(parts[1]))))


def slow_reading(lay: Horseshoes, lucky: int) -> int:
    """Return the best reading over all signs: gold is added, silver added or subtracted; too much is worth 0."""
    best = 0
    for signs in product(*[(1,) if shoe > 20 else (1, -1) for shoe in lay]):
        total = sum(sign * shoe for sign, shoe in zip(signs, lay, strict=True))
        best = max(best, 0 if total > lucky else total)
    return best


@settings(at_leisure, max_examples=scale_examples(500))
@given(lays(11), st.sampled_from(LUCKY))
@example((20, 20, 20), 21)
@example((48, 20, 20, 10, 2, 2), 21)
@example((21, 20, 20, 20, 2, 2, 2), 49)
@example((22, 2, 2, 2), 21)
@example((20, 2), 21)
def test_H7_the_reading_is_the_best_of_all_signs(lay: Horseshoes, lucky: int) -> None:
    assert reading(lay, lucky) == slow_reading(lay, lucky)


@pytest.mark.parametrize("gold", [(), (21,), (22,), (30,), (35,), (48,)])
def test_H7_every_lay_of_up_to_two_silver_horseshoes_of_each_kind(gold: Horseshoes) -> None:
    for counts in product(range(3), repeat=4):
        silver = (shoe for shoe, count in zip((20, 10, 2, 1), counts, strict=True) for _ in range(count))
        lay = (*gold, *silver)
        for lucky in (21, 31, 45, 49) if lay else ():
            assert reading(lay, lucky) == slow_reading(lay, lucky), (lay, lucky)


@at_leisure
@given(lays(11), st.sampled_from(LUCKY))
def test_H7_a_reading_is_never_above_the_lucky_number_nor_below_0(lay: Horseshoes, lucky: int) -> None:
    assert 0 <= reading(lay, lucky) <= lucky


def slow_lays(rack: Horseshoes) -> set[Horseshoes]:
    """Return all choices of at least one horseshoe of the rack with at most one golden."""
    chosen = {some for count in range(1, len(rack) + 1) for some in combinations(rack, count)}
    return {some for some in chosen if sum(shoe > 20 for shoe in some) <= 1}


@at_leisure
@given(racks(11))
@example(())
@example((48, 47, 46, 45, 44, 43, 42, 41, 40))
@example((1,) * 11)
def test_H6c_lays_are_numbered_each_once(rack: Horseshoes) -> None:
    gold, silver = split(rack)
    total = number_of_lays(gold, silver)
    numbered = [lay_number(number, gold, silver) for number in range(total)]
    assert len(set(numbered)) == len(numbered) == total
    assert set(numbered) == slow_lays(rack)
    for lay in numbered:
        assert lay == tuple(sorted(lay, reverse=True))


@at_leisure
@given(racks(8))
def test_H6c_exactly_these_are_legal_and_all_are_played(rack: Horseshoes) -> None:
    state = position(Seat(rack=" ".join(map(str, rack)), kontor=0, smith=0), ANYBODY, ANYBODY)
    moves = DUTCHMAN.moves(state)
    legal = [move.horseshoes for move in moves if isinstance(move, Lay)]
    assert len(legal) == len(set(legal))
    assert set(legal) == slow_lays(rack)
    assert len(moves) == len(legal) + (len(rack) < 5)
    for lay in legal[:20]:
        merchant = DUTCHMAN.play(state, Lay(lay)).merchants[KARIN]
        assert merchant.lay == lay
        assert tuple(sorted(merchant.rack + lay, reverse=True)) == rack


@at_leisure
@given(racks(8), racks(5) | st.lists(st.sampled_from((*HORSESHOES, 0, -1, 49)), max_size=4).map(tuple))
def test_H6c_any_other_lay_is_refused(rack: Horseshoes, lay: Horseshoes) -> None:
    state = position(Seat(rack=" ".join(map(str, rack))), ANYBODY, ANYBODY)
    if lay in slow_lays(rack):
        assert Lay(lay) in DUTCHMAN.moves(state)
    else:
        assert Lay(lay) not in DUTCHMAN.moves(state)
        assert refused_by(state, Lay(lay)) == "H6c"


PURSES = (
    st.lists(st.integers(0, 6), min_size=2, max_size=6).filter(lambda cash: sum(cash) * len(cash) < 36).map(tuple)
)


def slow_payments(cash: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return all balanced payments: nobody loses more than they have, or gets more than the others have."""
    total = sum(cash)
    changes = product(*[range(-purse, total - purse + 1) for purse in cash[:-1]])
    all_changes = ((*change, -sum(change)) for change in changes)
    return {change for change in all_changes if -cash[-1] <= change[-1] <= total - cash[-1]}


@at_leisure
@given(PURSES)
@example((0, 0))
@example((0, 0, 0, 0, 0, 0))
@example((6, 0))
def test_H9_payments_are_numbered_each_once(cash: tuple[int, ...]) -> None:
    payments = Payments(cash)
    numbered = [payments.ducats(number) for number in range(payments.count)]
    assert len(set(numbered)) == len(numbered) == payments.count
    assert set(numbered) == slow_payments(cash)
    assert all(payments.possible(ducats) for ducats in numbered)


@at_leisure
@given(PURSES, st.lists(st.integers(-8, 8), min_size=1, max_size=6).map(tuple))
def test_H9_no_other_payment_is_possible(cash: tuple[int, ...], ducats: tuple[int, ...]) -> None:
    fits = ducats in slow_payments(cash)
    assert Payments(cash).possible(ducats) == fits


@at_leisure
@given(st.lists(st.integers(0, 200), min_size=2, max_size=6).map(tuple))
def test_H9_also_of_many_ducats_every_number_is_a_payment_of_its_own(cash: tuple[int, ...]) -> None:
    payments = Payments(cash)
    last = payments.count - 1
    some = sorted({0, min(1, last), last // 3, last // 2, max(0, last - 1), last})
    amounts = [payments.ducats(number) for number in some]
    assert len(set(amounts)) == len(some)
    assert all(payments.possible(ducats) for ducats in amounts)


@at_leisure
@given(st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_H9_exactly_these_proposals_are_legal(cash: tuple[int, int]) -> None:
    state = position(Seat(rack="31", cash=cash[0]), Seat(rack="30 1", cash=cash[1]), ANYBODY, dutchman="yellow 3")
    state = go(state, "Karin lays 31 / Helga lays 30 1 / Anne passes / Karin names blue 1 / Helga names orange 3")
    moves = list(DUTCHMAN.moves(state))
    expected = {Propose(to, ducats) for to in ("blue 1", "orange 3", "Curaçao") for ducats in slow_payments(cash)}
    assert len(moves) == 1 + len(expected)
    assert set(moves) == {Withhold(), *expected}


@pytest.mark.parametrize("cash", [(25, 25), (25, 25, 25), (25,) * 6, (200,) * 6])
def test_H9_proposals_are_many_and_found_at_once(cash: tuple[int, ...]) -> None:
    """Check two players with 50 ducats (51 divisions), and six with 1200 (some 20 million million)."""
    payments = Payments(cash)
    bars = 1
    for place in range(1, len(cash)):
        bars = bars * (sum(cash) + place) // place
    assert payments.count == bars
    for number in (0, bars // 2, bars - 1):
        assert payments.possible(payments.ducats(number))
