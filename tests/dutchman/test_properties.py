"""Conservation: in random games of Der fliegende Holländer nothing is lost, and ``moves`` and ``play`` agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb, factorial, prod
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.game import CHANCE, OVER, IllegalMove
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State
from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Bankrupt,
    Deal,
    Decline,
    Dice,
    Happening,
    Keep,
    Kontor,
    Lay,
    Name,
    Outcome,
    Paid,
    Pass,
    Propose,
    Put,
    Revealed,
    RolledFor,
    Sail,
    Share,
    Shared,
    Show,
    Shuffle,
    Smith,
    Starter,
    Step,
    Undecided,
    Withhold,
)
from profiles import scale_examples

from .bystander import Bystander
from .checks import check_state, check_step, outcome_of
from .second_rules import BOX, ONES, ROUNDS, TENS, all_moves, is_allowed
from .voyages import Leg, Table, embark, encode_state, random_chart, some_tables, tables, voyage

voyages = settings(deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)

# ------------------------------------------------------------------------------------------ conservation


@given(tables())
@settings(voyages, max_examples=scale_examples(50))
def test_all_is_accounted_for_after_every_step(table: Table) -> None:
    state = embark(table)
    check_state(state)
    for leg in voyage(table):
        check_step(leg)
        check_state(leg.after)


@given(tables())
@settings(voyages, max_examples=scale_examples(40))
def test_what_a_spectator_sees_follows_from_what_was_said_in_public(table: Table) -> None:
    bystander = Bystander(table.options, table.cash)
    bystander.agrees_with(DUTCHMAN.view(embark(table), None))
    for leg in voyage(table):
        bystander.take_in(DUTCHMAN.event(*leg, None))
        bystander.agrees_with(DUTCHMAN.view(leg.after, None))


@given(tables())
@settings(voyages, max_examples=scale_examples(40))
def test_past_states_never_change_and_the_same_steps_give_the_same_states(table: Table) -> None:
    start = embark(table)
    sea = repr(start.sea)
    legs = []
    once = [encode_state(start)]
    for leg in voyage(table):
        legs.append(leg)
        once.append(encode_state(leg.after))
    again = embark(table)
    assert again == start
    assert repr(start.sea) == sea
    for number, leg in enumerate(legs):
        assert encode_state(leg.before) == once[number]
        with pytest.raises(AttributeError, match="immutable"):
            leg.before.round = 7  # type: ignore[misc]
        before, again = again, DUTCHMAN.play(again, leg.action)
        assert DUTCHMAN.play(before, leg.action) == again == leg.after
        assert encode_state(again) == once[number + 1]
        assert hash(again) == hash(leg.after)
        assert DUTCHMAN.event(before, leg.action, again, None) == DUTCHMAN.event(*leg, None)


def test_the_same_steps_give_the_same_states_however_many_other_charts_are_sailed_between() -> None:
    """Check a table that goes on after many others were opened: its chart, prepared anew, is the same."""
    options = Options(starter=0, chart=random_chart(0))
    before = DUTCHMAN.start(options)
    for number in range(100):
        fields = tuple(replace(field, name=f"{number} {field.name}") for field in OURS.fields)
        short, long = (
            tuple((f"{number} {one}", f"{number} {other}") for one, other in lines)
            for lines in (OURS.short, OURS.long)
        )
        DUTCHMAN.start(
            Options(chart=replace(OURS, holland=f"{number} Holland", fields=fields, short=short, long=long))
        )
    assert DUTCHMAN.start(options) == before


@given(tables())
@settings(voyages, max_examples=scale_examples(40))
def test_every_game_ends_and_the_richest_have_won(table: Table) -> None:
    """Check H13. Only rolling for it again can take long between two rounds, which chance makes unlikely."""
    seats, circles = table.options.players, table.options.circles
    legs, rolls, lays = 0, 0, 0
    end = embark(table)
    for leg in voyage(table):
        assert DUTCHMAN.result(leg.before) is None
        rolls += leg.before.step == "rolling"
        legs += leg.before.step != "rolling"
        lays += isinstance(leg.action, Lay)
        end = leg.after
    # In a round: dice, two steps an action, sharing, sailing or showing. Each lay leads to one new bargain at most.
    bargain = seats + circles * seats * seats + seats
    assert legs <= 3 + ROUNDS * (1 + 3 * seats + 2) + lays * bargain
    assert rolls < 1000
    assert end.mover == OVER
    assert end.step == "over"
    result = DUTCHMAN.result(end)
    assert result is not None
    assert (result.points, result.winners) == outcome_of(end)
    assert DUTCHMAN.view(end, None).result == DUTCHMAN.view(end, 0).result == result
    assert DUTCHMAN.view(end, None).players[0].held == end.merchants[0].shares


@given(tables())
@settings(voyages, max_examples=scale_examples(30))
def test_each_of_the_tied_may_propose_once_in_each_circle_before_a_deciding_round(table: Table) -> None:
    """Check H9 and H10."""
    proposers: list[int] = []
    for leg in voyage(table):
        if leg.before.step == "name":
            proposers = []
        if leg.before.step == "propose":
            proposers.append(leg.before.mover)
        for happened in leg.after.happened:
            if isinstance(happened, Undecided):
                assert tuple(proposers) == happened.tied * table.options.circles


# ------------------------------------------------------------------------------------------------- moves


def sample(things: Sequence[Any], number: int, random: Random) -> list[Any]:
    """Return ``number`` of the things, or all of them; of a long sequence the first and the last among them."""
    if len(things) <= number:
        return list(things)
    return [things[0], things[-1], *[things[random.randrange(len(things))] for _ in range(number - 2)]]


@given(tables(), st.integers(0, 10**6))
@settings(voyages, max_examples=scale_examples(40))
def test_moves_are_the_legal_ones_each_once_and_a_true_sequence(table: Table, seed: int) -> None:
    random = Random(seed)
    for leg in voyage(table):
        state = leg.after
        legal = DUTCHMAN.moves(state)
        assert (len(legal) == 0) == (state.mover < 0)
        if random.random() < 0.6:
            continue
        for move in sample(legal, 12, random):
            assert isinstance(move, Move)
            assert move in legal
            assert is_allowed(state, move)
        if not legal:
            assert list(legal) == []
            assert Kontor() not in legal
            continue
        expected = all_moves(state)
        if expected is not None:
            assert len(legal) == len(expected)
            assert set(legal) == expected
            is_a_sequence(legal, random)
        else:
            for _ in range(10):
                one, other = random.randrange(len(legal)), random.randrange(len(legal))
                assert (legal[one] == legal[other]) == (one == other)
                assert legal[one - len(legal)] == legal[one]
            assert list(legal[5:40:7]) == [legal[place] for place in range(5, min(40, len(legal)), 7)]


def is_a_sequence(legal: Sequence[Move], random: Random) -> None:
    """Check that length, iteration, index, slice and membership agree."""
    everything = list(legal)
    count = len(everything)
    assert len(legal) == count == len(set(everything))
    assert everything == [legal[place] for place in range(count)] == [legal[place - count] for place in range(count)]
    assert list(reversed(legal)) == everything[::-1]
    assert list(legal[:]) == everything
    for _ in range(3):
        first, last = random.randint(-count - 2, count + 2), random.randint(-count - 2, count + 2)
        step = random.choice((-3, -1, 1, 2))
        assert list(legal[first:last:step]) == everything[first:last:step]
    assert all(move in legal for move in everything)
    place = random.randrange(count)
    assert legal.index(everything[place]) == place
    assert legal.count(everything[place]) == 1
    for beyond in (count, -count - 1):
        with pytest.raises(IndexError):
            legal[beyond]


class Stranger(msgspec.Struct, frozen=True):
    """A thing that neither game knows."""

    to: str = "Holland"


def universe(state: State, random: Random) -> Iterator[Any]:
    """Yield moves of all kinds, most of them illegal, and things that are no moves."""
    yield from (Kontor(), Smith(), Pass(), Withhold(), Accept(), Decline(), Keep())
    fields = [field.name for field in state.options.chart.fields]
    for kind in (Sail, Name):
        yield from [kind(field) for field in random.sample(fields, 4)]
        yield kind(state.dutchman)
        yield kind("Atlantis")
        yield kind(state.came_from or "")
    yield from [Show(colour) for colour in COLOURS]
    yield forge(Show, "pink")
    pair = random.choice(COLOURS), random.choice(COLOURS)
    yield from (Put(pair), *[forge(Put, shares) for shares in (pair[::-1], pair[:1], (*pair, "red"), ())])
    seat = max(state.mover, 0)
    own = state.merchants[seat]
    if len(own.shares) > 2:
        two = random.sample(own.shares, 2)
        yield from (Put((two[0], two[1])), Put((two[1], two[0])))
    yield from lays(state, seat, random)
    yield from proposals(state, random)
    yield from (Starter(0), Dice(20, 1), Dice(20, 2), Dice(25, 1), Share((), ()), Shuffle(state.pile))
    yield Deal((), (), (), (), ())
    yield from (None, 0, -1, "pass", "kontor", (), Stranger(), Pass, Sail, Stranger, state)


def lays(state: State, seat: int, random: Random) -> Iterator[Lay]:
    """Yield lays of own and others' horseshoes, in order and out of it."""
    rack = state.merchants[seat].rack
    yield Lay(())
    yield from [Lay((random.choice(list(BOX)),)) for _ in range(3)]
    yield from (Lay((0,)), Lay((-10,)), Lay((49,)), Lay((5,)))
    for merchant in state.merchants:
        yield Lay(merchant.rack)
        yield Lay(merchant.rack[-1:])
        yield Lay(merchant.rack[:2])
    some = random.sample(rack, random.randint(0, len(rack)))
    yield Lay(tuple(some))
    yield Lay(tuple(sorted(some)))
    ordered = tuple(sorted(some, reverse=True))
    yield Lay(ordered)
    yield Lay((*ordered, *ordered[-1:]))
    yield Lay(tuple(sorted((*state.middle[:1], *ordered[-2:]), reverse=True)))


def proposals(state: State, random: Random) -> Iterator[Propose]:
    """Yield proposals, balanced and not, with more and less than there is, for too many and too few."""
    tied = state.bargain.tied if state.bargain else (0, 1)
    to = random.choice(state.options.chart.fields).name
    near = random.choice(DUTCHMAN.view(state, None).ahead)
    purses = [state.merchants[seat].cash for seat in tied]
    nothing = (0,) * len(tied)
    yield from (Propose(to, nothing), Propose(near, nothing), Propose(state.dutchman, nothing), Propose("", nothing))
    yield from (Propose(near, nothing[1:]), Propose(near, (*nothing, 0)), Propose(near, (1, *nothing[1:])))
    yield from (Propose(near, (-1, *nothing[1:])), Propose(near, ()))
    rest = nothing[2:]
    for ducats in (1, purses[0], purses[0] + 1, -purses[1], -purses[1] - 1, 10**6):
        yield Propose(near, (-ducats, ducats, *rest))
    shifts = [random.randint(-purse - 1, 3) for purse in purses[1:]]
    yield Propose(near, (-sum(shifts), *shifts))


@given(tables(), st.integers(0, 10**6))
@settings(voyages, max_examples=scale_examples(40))
def test_play_takes_the_legal_moves_and_refuses_all_others_with_the_rule(table: Table, seed: int) -> None:
    random = Random(seed)
    for leg in voyage(table):
        state = leg.before
        if random.random() < 0.8:
            continue
        once = encode_state(state)
        legal = DUTCHMAN.moves(state)
        for move in sample(legal, 6, random):
            after = DUTCHMAN.play(state, move)
            check_step(Leg(state, move, after))
            check_state(after)
        for action in universe(state, random):
            may = is_allowed(state, action)
            assert (action in legal) == may, action
            if may or (state.mover == CHANCE and can_happen(state, action)):
                check_step(Leg(state, action, DUTCHMAN.play(state, action)))
            else:
                is_refused(state, action)
        assert encode_state(state) == once


def is_refused(state: State, action: Any) -> None:
    with pytest.raises(IllegalMove) as caught:
        DUTCHMAN.play(state, action)
    refusal = caught.value
    assert re.fullmatch("H([4-9]|1[0-3])[a-d]?", refusal.rule), action
    assert str(refusal).endswith(f" ({refusal.rule})")
    assert "{" not in str(refusal)


def forge(kind: Any, *fields: Any) -> Any:
    """Return a move or an outcome with any content."""
    return kind(*fields)


@cache
def one_of_each_step() -> tuple[State, ...]:
    states = {leg.after.step: leg.after for table in some_tables(12) for leg in voyage(table)}
    assert len(states) > 12
    return tuple(states.values())


STRANGE: tuple[Any, ...] = (
    [],
    {},
    forge(Starter, [0]),
    forge(Dice, [20], 1),
    forge(Deal, None, None, None, None, None),
    forge(Deal, ((),) * 3, ((),), ((),) * 3, (), ()),
    forge(Share, None, None),
    forge(Share, (None, None), None),
    forge(Shuffle, None),
    forge(Put, None),
    forge(Put, ([], {})),
    forge(Lay, None),
    forge(Lay, ("x",)),
    forge(Lay, (None,)),
    forge(Lay, ([48],)),
    forge(Lay, {48}),
    forge(Sail, []),
    forge(Name, None),
    forge(Show, []),
    forge(Propose, "Holland", None),
    forge(Propose, [], (0, 0)),
)


@pytest.mark.parametrize("value", STRANGE, ids=str)
def test_what_cannot_even_be_compared_is_refused_with_the_rule(value: Any) -> None:
    for state in one_of_each_step():
        is_refused(state, value)


# ------------------------------------------------------------------------------------------------ chance


def can_happen(state: State, outcome: object) -> bool:
    """Return True if the rules allow this outcome in this state."""
    seats = len(state.merchants)
    match state.step, outcome:
        case "starter", Starter(seat=seat):
            return seat in range(seats)
        case (("lucky" | "rolling"), Dice(tens=tens, ones=ones)):
            return tens in TENS and ones in ONES
        case (("shuffle" | "reshuffle"), Shuffle(pile=pile)):
            return Counter(pile) == Counter(state.pile)
        case _:
            return False


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
            yield replace(outcome, racks=racks[1:])
            yield replace(outcome, middle=middle[1:], out=tuple(sorted((middle[0], *out), reverse=True)))
            yield replace(outcome, middle=(49, *middle[1:]))
            yield replace(outcome, out=(*out, 1))
            yield replace(outcome, racks=((racks[0][0], *racks[0]), *racks[1:]))
            for seat, (hand, rack) in enumerate(zip(hands, racks, strict=True)):
                if len(set(hand)) > 1:
                    yield replace(outcome, hands=(*hands[:seat], hand[::-1], *hands[seat + 1 :]))
                yield replace(outcome, racks=(*racks[:seat], rack[::-1], *racks[seat + 1 :]))


def in_colours(shares: Sequence[Colour]) -> tuple[Colour, ...]:
    return tuple(sorted(shares, key=COLOURS.index))


@given(tables(), st.integers(0, 10**6))
@settings(voyages, max_examples=scale_examples(40))
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
            is_refused(state, forged)


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


# ---------------------------------------------------------------------------------------------- coverage


def landmarks(leg: Leg, drawn_before: int | None) -> Iterator[str]:
    """Yield the names of the rare events in a step that the voyages should reach."""
    before, action, after = leg
    seats = len(before.merchants)
    alive = sum(not merchant.bankrupt for merchant in after.merchants)
    for happened in after.happened:
        match happened:
            case Shared(smiths=smiths, left=left):
                yield f"{min(len(smiths), 3)} smiths"
                if left:
                    yield "horseshoes left by the smiths"
            case Revealed(lays=lays, nearest=nearest):
                if all(lain.reading == 0 for lain in lays):
                    yield "all readings 0"
                yield f"{len(nearest)} nearest"
                if before.step == "again":
                    yield "a deciding round" if len(nearest) == 1 else "equal in a deciding round"
                if len(after.revealed) > 3:
                    yield "three deciding rounds and more"
            case RolledFor(highest=highest):
                yield "rolled again" if len(highest) > 1 else "rolled"
                yield "rolled after a deciding round" if before.revealed else "rolled for the round"
            case Agreed(tied=tied, ducats=ducats):
                yield "agreed at once" if before.step == "name" else "agreed in a bargain"
                if any(ducats):
                    yield "ducats changed hands"
                if len(tied) > 2:
                    yield "three agreed"
            case Undecided():
                yield "undecided"
            case Paid(paid=paid):
                if sum(paid) > 30:
                    yield "a dear ship"
            case Bankrupt(seats=gone):
                yield "several bankrupt" if len(gone) > 1 else "one bankrupt"
                if before.merchants[gone[0]].known:
                    yield "known horseshoes of a bankrupt"
    if after.mover == OVER:
        yield f"{'all' if alive == seats else 'one' if alive == 1 else 'none' if alive == 0 else 'some'} lasted"
        yield "the counter reached the end" if after.counter == 11 else "all but one gone"
        yield f"{seats} players"
        result = DUTCHMAN.result(after)
        if result and len(result.winners) > 1:
            yield "shared victory"
    if isinstance(action, Kontor) and any(by not in (None, before.mover) for by in before.put_by[:2]):
        yield "a card was drawn that another put there"
    if isinstance(action, Kontor) and before.mover in before.put_by[:2]:
        yield "an own card was drawn again"
    if isinstance(action, Smith) and not before.middle:
        yield "a smith with nothing to take"
    if before.step == "action" and not before.merchants[before.mover].rack:
        yield "an empty rack"
    if before.step == "again" and isinstance(action, Pass):
        yield "passed in a deciding round"
    if before.bargain and before.bargain.circle == 5:
        yield "the fifth circle"
    if any(merchant.known for merchant in after.merchants):
        yield "known horseshoes"
    if any(merchant.known and merchant.lay for merchant in after.merchants):
        yield "known horseshoes, and a lay"
    if drawn_before is not None and before.step == "lucky" and (before.starter - drawn_before) % seats > 1:
        yield "a bankrupt starter passed over"


@pytest.mark.long
def test_the_voyages_reach_every_step_move_outcome_and_event() -> None:
    """Check that the properties above are tested on every case, and check them on this batch too."""
    steps: set[str] = set()
    kinds: set[type] = set()
    seen: Counter[str] = Counter()
    for table in some_tables(120):
        starter = None
        bystander = Bystander(table.options, table.cash)
        for leg in voyage(table):
            check_step(leg)
            check_state(leg.after)
            bystander.take_in(DUTCHMAN.event(*leg, None))
            bystander.agrees_with(DUTCHMAN.view(leg.after, None))
            steps |= {leg.before.step, leg.after.step}
            kinds |= {type(leg.action), *map(type, leg.after.happened)}
            seen.update(set(landmarks(leg, starter)))
            starter = leg.before.starter
    assert steps == set(get_args(Step))
    assert kinds == {*get_args(Move), *get_args(Outcome), *get_args(Happening)}
    expected = {
        *[f"{number} smiths" for number in (1, 2, 3)],
        *[f"{number} nearest" for number in (1, 2, 3, 4, 5, 6)],
        *[f"{number} players" for number in (3, 4, 5, 6)],
        *[f"{who} lasted" for who in ("all", "one", "none", "some")],
        "horseshoes left by the smiths",
        "a smith with nothing to take",
        "all readings 0",
        "a deciding round",
        "equal in a deciding round",
        "three deciding rounds and more",
        "passed in a deciding round",
        "rolled",
        "rolled again",
        "rolled after a deciding round",
        "rolled for the round",
        "agreed at once",
        "agreed in a bargain",
        "ducats changed hands",
        "three agreed",
        "undecided",
        "the fifth circle",
        "a dear ship",
        "one bankrupt",
        "several bankrupt",
        "known horseshoes of a bankrupt",
        "a bankrupt starter passed over",
        "the counter reached the end",
        "all but one gone",
        "shared victory",
        "a card was drawn that another put there",
        "an own card was drawn again",
        "an empty rack",
        "known horseshoes",
        "known horseshoes, and a lay",
    }
    assert expected - set(seen) == set()
    assert set(seen) - expected == set(), "give these their place in the list"
