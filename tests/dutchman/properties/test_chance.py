"""Chance: the probability of each outcome, what can be drawn, and what cannot happen."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import comb, factorial, prod
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dutchman.checks import check_refused, check_state
from dutchman.second_rules import BOX, ONES, TENS
from dutchman.table import refused_by
from dutchman.voyages import WHOLE_GAMES, Table, some_tables, tables, voyage
from kontor.game import CHANCE
from kontor.games.dutchman.rules import DUTCHMAN, State
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import Deal, Dice, Share, Shuffle, Starter
from profiles import scale_examples

RULES = {
    "starter": "H5", "deal": "H4", "lucky": "H5", "share": "H6b", "rolling": "H10a", "shuffle": "H11",
    "reshuffle": "H11a",
}  # fmt: skip
"""Rule that refuses what cannot happen, by the step of a state."""


def probability_of(state: State, outcome: Any) -> Fraction:
    """Return the probability of an outcome, counted card by card in dealing order."""
    seats = len(state.merchants)
    match outcome:
        case Starter():
            return Fraction(1, seats)
        case Dice(tens=tens, ones=ones):
            return Fraction(TENS.count(tens) * ONES.count(ones), 36)
        case Share(parts=parts, left=left):
            return one_after_the_other(Counter(state.middle), [*parts, left])
        case Shuffle(pile=pile):
            return one_after_the_other(Counter(state.pile), [(card,) for card in pile])
        case Deal(hands=hands, pile=pile, racks=racks, middle=middle, out=out):
            shares = Counter(dict.fromkeys(COLOURS, seats - 1))
            cards = one_after_the_other(shares, [*hands, *[(card,) for card in pile]])
            return cards * one_after_the_other(BOX, [*racks, middle, out])
    raise AssertionError(outcome)


def one_after_the_other(stock: Counter[Any], heaps: Sequence[Sequence[Any]]) -> Fraction:
    """Return the chance of these unordered handfuls, drawn one after the other from the stock (hypergeometric)."""
    left = Counter(stock)
    chance = Fraction(1)
    for heap in heaps:
        wanted = Counter(heap)
        chance *= Fraction(prod(comb(left[thing], wanted[thing]) for thing in wanted), comb(left.total(), len(heap)))
        left -= wanted
    return chance


def alterations(outcome: Any, state: State) -> Iterator[Any]:
    """Yield manipulated outcomes."""
    seats = len(state.merchants)
    match outcome:
        case Starter():
            yield from (Starter(-1), Starter(seats), Dice(20, 1), Shuffle(()))
        case Dice(tens=tens, ones=ones):
            yield from (Dice(ones, tens), Dice(tens, ones + 1), Dice(10, ones), Dice(tens, 11), Dice(tens + ones, 0))
            yield from (Starter(0), Share((), ()))
        case Share(parts=parts, left=left):
            first, second = parts[:2]
            yield replace(outcome, parts=parts[1:])
            yield replace(outcome, parts=(*parts, ()))
            yield replace(outcome, parts=((*first, *second), (), *parts[2:]))
            yield replace(outcome, parts=((48, *first[1:]), (48, *second[1:]), *parts[2:]))
            yield replace(outcome, parts=(first[:-1], *parts[1:]), left=(*first[-1:], *left))
            if len(first) > 1 and first[0] != first[-1]:
                yield replace(outcome, parts=(first[::-1], *parts[1:]))
            if len(set(left)) > 1:
                yield replace(outcome, left=left[::-1])
            yield replace(outcome, left=(*left, 1))
        case Shuffle(pile=pile):
            other = next(colour for colour in COLOURS if colour != pile[0])
            yield from (Shuffle((other, *pile[1:])), Shuffle(pile[1:]), Shuffle((*pile, other)), Shuffle(()))
        case Deal(hands=hands, pile=pile, racks=racks, middle=middle, out=out):
            other = next(colour for colour in COLOURS if colour != pile[0])
            yield replace(outcome, pile=(other, *pile[1:]))
            yield replace(outcome, pile=pile[1:], hands=(in_colours((*hands[0], pile[0])), *hands[1:]))
            yield replace(outcome, hands=hands[1:])
            yield replace(outcome, hands=(*hands, pile[:3]), pile=pile[3:])
            yield replace(outcome, racks=racks[1:])
            yield replace(outcome, middle=middle[1:], out=tuple(sorted((middle[0], *out), reverse=True)))
            yield replace(outcome, middle=(49, *middle[1:]))
            yield replace(outcome, out=(*out, 1))
            if len(set(middle)) > 1:
                yield replace(outcome, middle=middle[::-1])
            yield replace(outcome, racks=((racks[0][0], *racks[0]), *racks[1:]))
            for seat, (hand, rack) in enumerate(zip(hands, racks, strict=True)):
                if len(set(hand)) > 1:
                    yield replace(outcome, hands=(*hands[:seat], hand[::-1], *hands[seat + 1 :]))
                yield replace(outcome, racks=(*racks[:seat], rack[::-1], *racks[seat + 1 :]))


def in_colours(shares: Sequence[Colour]) -> tuple[Colour, ...]:
    return tuple(sorted(shares, key=COLOURS.index))


@given(tables(), st.integers(0, 10**6))
@settings(WHOLE_GAMES, max_examples=scale_examples(40))
def test_chance_says_how_likely_its_outcomes_are_and_refuses_what_cannot_happen(table: Table, seed: int) -> None:
    random = Random(seed)
    for state, outcome, _ in voyage(table):
        if state.mover != CHANCE:
            continue
        chance = DUTCHMAN.chance(state)
        another = chance.draw(random.randrange)
        for drawn in (outcome, another):
            assert drawn in chance
            assert chance.probability(drawn) == probability_of(state, drawn) > 0
        check_state(DUTCHMAN.play(state, another))
        listed = chance.outcomes()
        if listed is not None:
            assert sum(probability for _, probability in listed) == 1
            assert all(chance.probability(one) == probability for one, probability in listed)
            assert len({one for one, _ in listed}) == len(listed)
            assert outcome in [one for one, _ in listed]
        for forged in alterations(outcome, state):
            assert forged not in chance
            assert chance.probability(forged) == 0
            assert refused_by(state, forged) == RULES[state.step], forged
            check_refused(state, forged)


def handfuls(things: tuple[int, ...], sizes: tuple[int, ...]) -> set[tuple[tuple[int, ...], ...]]:
    """Return all ways to cut some order of the things into heaps of these sizes; each heap highest first."""
    ways = set()
    for order in permutations(things):
        heaps, at = [], 0
        for size in sizes:
            heaps.append(tuple(sorted(order[at : at + size], reverse=True)))
            at += size
        ways.add(tuple(heaps))
    return ways


def test_all_shuffles_and_all_ways_to_share_sum_to_one() -> None:
    shared, shuffled = 0, 0
    for table in some_tables(40):
        for state, _, _ in voyage(table):
            if state.step == "share" and len(state.middle) <= 6 and shared < 12:
                shared += 1
                chance = DUTCHMAN.chance(state)
                table_seen = DUTCHMAN.view(state, None)
                smiths = sum(player.action == "smith" for player in table_seen.players)
                each, left = divmod(len(state.middle), smiths)
                ways = handfuls(state.middle, (*[each] * smiths, left))
                outcomes = [Share(heaps[:-1], heaps[-1]) for heaps in ways]
                assert sum(chance.probability(outcome) for outcome in outcomes) == 1
                assert all(outcome in chance for outcome in outcomes)
            if state.step == "shuffle" and len(state.pile) <= 6 and shuffled < 6:
                shuffled += 1
                chance = DUTCHMAN.chance(state)
                piles = set(permutations(state.pile))
                assert sum(chance.probability(Shuffle(pile)) for pile in piles) == 1
                assert chance.probability(Shuffle(state.pile)) == Fraction(
                    prod(factorial(count) for count in Counter(state.pile).values()), factorial(len(state.pile))
                )
    assert shared
    assert shuffled


def test_what_is_drawn_is_as_likely_as_it_is_said_to_be() -> None:
    """Check that every number that ``below`` can give leads to an outcome, each equally often."""
    for table in some_tables(12):
        for state, _, _ in voyage(table):
            if state.mover == CHANCE and (listed := DUTCHMAN.chance(state).outcomes()) is not None:
                drawn: Counter[Any] = Counter()
                faces = 36 if state.step in ("lucky", "rolling") else len(state.merchants)
                for number in range(faces):
                    drawn[DUTCHMAN.chance(state).draw(lambda below, number=number: number % below)] += 1  # type: ignore[misc]
                assert {one: Fraction(count, faces) for one, count in drawn.items()} == dict(listed)
                break
