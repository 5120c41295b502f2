"""``moves`` and ``play`` agree, in every state of a random game."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dutchman.checks import check_refused, check_state, check_step
from dutchman.second_rules import BOX, ONES, TENS, all_moves, is_allowed
from dutchman.voyages import WHOLE_GAMES, Leg, Table, encode_state, some_tables, tables, voyage
from kontor.game import CHANCE
from kontor.games.dutchman.rules import DUTCHMAN, Move, State
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.dutchman.rules.state import (
    Accept,
    Deal,
    Decline,
    Dice,
    Keep,
    Kontor,
    Lay,
    Name,
    Pass,
    Propose,
    Put,
    Sail,
    Share,
    Show,
    Shuffle,
    Smith,
    Starter,
    Withhold,
)
from profiles import scale_examples


def sample(things: Sequence[Any], number: int, random: Random) -> list[Any]:
    """Return ``number`` of the things, or all of them; of a long sequence the first and the last among them."""
    if len(things) <= number:
        return list(things)
    return [things[0], things[-1], *[things[random.randrange(len(things))] for _ in range(number - 2)]]


@given(tables(), st.integers(0, 10**6))
@settings(WHOLE_GAMES, max_examples=scale_examples(40))
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


def forge(kind: Any, *fields: Any) -> Any:
    """Return a move or an outcome with any content."""
    return kind(*fields)


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
@settings(WHOLE_GAMES, max_examples=scale_examples(40))
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
                check_refused(state, action)
        assert encode_state(state) == once


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
        check_refused(state, value)


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
