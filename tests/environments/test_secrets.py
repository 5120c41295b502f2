"""Secrecy: no observation, mask or information state depends on what its seat cannot know (H4, H6, H14)."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import numpy as np
import pyspiel
import pytest

from kontor.environments import openspiel
from kontor.environments.encoders import ActionEncoder, Position, opening
from kontor.game import CHANCE, IllegalMove
from kontor.games.dutchman.research import DutchmanEncoder
from kontor.games.dutchman.rules import DUTCHMAN as GAME
from kontor.games.dutchman.rules.state import Deal, State

from .walks import DUTCHMAN, FORMS, name_of, walk_positions


@cache
def game_of(seats: int) -> Any:
    """Return the game of OpenSpiel; that compiles kernels, and so is for no import."""
    return pyspiel.load_game("dutchman", {"players": seats})


dutchmen = pytest.mark.parametrize("encoder", DUTCHMAN, ids=name_of)


def observe(position: Position, seat: int) -> tuple[bytes, ...]:
    """Return all that a seat gets of a position: tensors, strings, and the mask if it is to move."""
    observer = openspiel.OpenSpielObserver(position.encoder, pyspiel.IIGObservationType(perfect_recall=False))
    observer.set_from(_At(position), seat)
    mask = position.mask().tobytes() if position.mover == seat else b""
    return (
        position.observation(seat).tobytes(),
        observer.tensor.tobytes(),
        observer.string_from(_At(position), seat).encode(),
        mask,
    )


def recall(position: Position, seat: int) -> tuple[bytes, ...]:
    """Return the observation of a seat with perfect recall."""
    observer = openspiel.OpenSpielObserver(position.encoder, pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(_At(position), seat)
    return observer.tensor.tobytes(), observer.string_from(_At(position), seat).encode()


class _At(openspiel.OpenSpielState):
    """An OpenSpiel state that holds a position."""

    def __init__(self, position: Position) -> None:
        super().__init__(game_of(position.encoder.seats))
        self.position = position


@dutchmen
def test_another_deal_of_what_a_seat_cannot_know_gives_the_same_observation(encoder: ActionEncoder) -> None:
    random = Random(11)
    compared = differing = 0
    for seed in range(2):
        for position in walk_positions(encoder, seed):
            if random.random() < 0.8:
                continue
            for seat in range(encoder.seats):
                view = GAME.view(position.state, seat)
                other = GAME.imagine(view, random.randrange)
                own = position.begun if position.mover in (seat, CHANCE) else ()
                twin = Position(encoder, other, own)
                mine = Position(encoder, position.state, position.begun)
                assert observe(twin, seat) == observe(mine, seat)
                compared += 1
                differing += other != position.state
    assert compared > 100
    assert differing > compared // 2, "most deals should differ, or the test shows nothing"


@dutchmen
def test_a_move_that_another_has_only_begun_is_not_noticed(encoder: ActionEncoder) -> None:
    begun = 0
    for seed in range(2):
        for before, after in pairwise(walk_positions(encoder, seed)):
            if before.mover < 0 or not after.begun:
                continue
            begun += 1
            for seat in range(encoder.seats):
                same = observe(before, seat) == observe(after, seat) and recall(before, seat) == recall(after, seat)
                assert same == (seat != before.mover)
    assert begun > 40


@dutchmen
def test_whoever_draws_nothing_sees_nothing_of_a_deal(encoder: ActionEncoder) -> None:
    for before, after in pairwise(walk_positions(encoder, seed=1)):
        if before.state.step == "deal" and after.state.step == "deal":
            changed = [seat for seat in range(encoder.seats) if observe(before, seat) != observe(after, seat)]
            assert len(changed) <= 1


def other_deal(encoder: DutchmanEncoder, dealt: State, seat: int, random: Random) -> Deal:
    """Return a deal that gives the seat the same things, and others something else."""
    state = GAME.imagine(GAME.view(dealt, seat), random.randrange)
    return Deal(
        hands=tuple(merchant.shares for merchant in state.merchants),
        pile=state.pile,
        racks=tuple(merchant.rack for merchant in state.merchants),
        middle=state.middle,
        out=state.out,
    )


def side_by_side(encoder: DutchmanEncoder, seed: int, seat: int) -> Iterator[tuple[Position, Position]]:
    """Yield positions of two games with other hidden things, in which the same actions are taken.

    It goes on as long as the rules allow it and the rules engine tells the seat the same of each step.
    """
    one, other = opening(encoder), opening(encoder)
    random = Random(seed)
    for before, after in pairwise(walk_positions(encoder, seed)):
        if after.begun:
            continue
        one = one.played(after.action)
        dealing = isinstance(after.action, Deal)
        action: Any = other_deal(encoder, after.state, seat, random) if dealing else after.action
        before_state = other.state
        try:
            other = other.played(action)
        except IllegalMove:
            return
        heard = [
            msgspec.json.encode(GAME.event(before.state, after.action, after.state, seat)),
            msgspec.json.encode(GAME.event(before_state, action, other.state, seat)),
        ]
        if heard[0] != heard[1]:
            return
        yield one, other


@dutchmen
def test_games_that_a_seat_cannot_tell_apart_are_one_information_state(encoder: DutchmanEncoder) -> None:
    compared = 0
    for seed in range(12):
        for seat in range(encoder.seats):
            for one, other in side_by_side(encoder, seed, seat):
                if one.state != other.state:
                    assert recall(one, seat) == recall(other, seat)
                    compared += 1
    assert compared > 100


@pytest.mark.parametrize("encoder", FORMS, ids=name_of)
def test_what_is_heard_differs_where_what_was_done_differs(encoder: ActionEncoder) -> None:
    """Check that remembered numbers distinguish moves and outcomes, as far as the seat saw them."""
    meaning: dict[tuple[int, ...], bytes] = {}
    for seed in range(6):
        *_, end = walk_positions(encoder, seed)
        for position in end.past():
            assert position.before
            for seat in range(encoder.seats):
                event = encoder.game.event(position.before.state, position.action, position.state, seat)
                if event.happened:
                    continue
                action = msgspec.json.encode(event.action)
                assert meaning.setdefault(tuple(encoder.tokens(event)), action) == action
    assert len(meaning) > 80


def test_in_shanghaien_everybody_knows_the_same() -> None:
    """Check that a seat's private part is empty, because nothing is hidden."""
    observer = openspiel.OpenSpielObserver(
        FORMS[0],
        pyspiel.IIGObservationType(
            perfect_recall=False, public_info=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
        ),
    )
    assert observer.tensor.size == 0
    game = pyspiel.load_game("shanghaien")
    for position in walk_positions(FORMS[0], seed=1):
        state = openspiel.OpenSpielState(game)
        state.position = position
        assert [observer.string_from(state, seat) for seat in (0, 1)] == ["", ""]


@dutchmen
def test_the_public_part_is_the_same_for_all_that_look_from_one_seat(encoder: ActionEncoder) -> None:
    """Check that the public part depends on nothing that a spectator does not see."""
    public = pyspiel.IIGObservationType(
        perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = openspiel.OpenSpielObserver(encoder, public)
    random = Random(3)
    for position in list(walk_positions(encoder, seed=2))[::5]:
        twin = Position(encoder, GAME.imagine(GAME.view(position.state, None), random.randrange), ())
        for seat in range(encoder.seats):
            observer.set_from(_At(position), seat)
            one = observer.tensor.copy()
            observer.set_from(_At(twin), seat)
            assert np.array_equal(one, observer.tensor)
            assert observer.string_from(_At(twin), seat) == observer.string_from(_At(position), seat)
