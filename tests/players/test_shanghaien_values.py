"""Shanghaien: the values of a round's ends, and the chances between rounds."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.game import OVER
from kontor.games.shanghaien.players import values
from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.players.round import NOTHING, WAYS, Use
from kontor.games.shanghaien.players.values import Model, Weights, between, chances
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State, View
from kontor.games.shanghaien.rules.components import ROUNDS, TRICKS, is_sailor
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker
from players.random_games import start_round
from profiles import scale_examples
from training.shanghaien.fitting import at_random

Seeds = st.integers(0, 2**32)


def lay_row(state: State, seed: int = 0) -> State:
    return SHANGHAIEN.play(state, SHANGHAIEN.chance(state).draw(Random(seed).randrange))


def view_of(state: State) -> View:
    return SHANGHAIEN.view(state, None)


def swap_seats(view: View) -> View:
    """Return a view between two rounds with the seats exchanged."""
    assert view.starter is not None
    return replace(view, crews=view.crews[::-1], starter=1 - view.starter, turn=1 - view.turn)


def end_round(state: State, uses: tuple[Use, Use], ender: int, way: int) -> State:
    """Return the state after a round, from the rules alone, card by card.

    Each seat has used a trick or none; ``way`` says who got each card of the row.
    """
    crews = [_use(crew, use) for crew, use in zip(state.crews, uses, strict=True)]
    for place, card in enumerate(state.row):
        taker = way // 3**place % 3 - 1
        if taker < 0:
            continue
        crew = crews[taker]
        if is_sailor(card):
            crews[taker] = replace(crew, sailors=(*crew.sailors, card))
        else:
            crews[taker] = replace(crew, tricks=tuple(sorted([*crew.tricks, card])))
    last = state.round == ROUNDS
    return replace(
        state,
        mover=OVER if last else -1,
        step="over" if last else "row",
        crews=(crews[0], crews[1]),
        row=(),
        starter=1 - ender,
        turn=1 - ender,
        round=state.round + (not last),
    )


def _use(crew: Crew, use: Use) -> Crew:
    if use.trick is None:
        return crew
    tricks = list(crew.tricks)
    tricks.remove(use.trick)
    jokers = (*crew.jokers, LaidJoker(use.trick, use.nation)) if use.nation else crew.jokers
    return replace(crew, tricks=tuple(tricks), jokers=jokers)


@pytest.fixture(scope="module")
def weights() -> Weights:
    """Return random weights: what holds for them holds for all."""
    return at_random(np.random.default_rng(7))


@settings(max_examples=scale_examples(25), deadline=None)
@given(Seeds, st.data())
def test_s11_s12_the_end_of_the_last_round_is_worth_what_the_rules_say(seed: int, data: st.DataObject) -> None:
    state = lay_row(start_round(seed, ROUNDS), seed)
    end_values = ends(view_of(state))
    assert end_values.worth.shape == (len(end_values.uses[0]), len(end_values.uses[1]), 2, WAYS)
    for _ in range(8):
        first, second = (data.draw(st.integers(0, len(uses) - 1)) for uses in end_values.uses)
        ender, way = data.draw(st.integers(0, 1)), data.draw(st.integers(0, WAYS - 1))
        uses = end_values.uses[0][first], end_values.uses[1][second]
        result = SHANGHAIEN.result(end_round(state, uses, ender, way))
        assert result
        share = (0 in result.winners) / len(result.winners)
        assert end_values.worth[first, second, ender, way] == share, (uses, way, result.points)


@settings(max_examples=scale_examples(25), deadline=None)
@given(Seeds, st.integers(1, ROUNDS - 1), st.data())
def test_s10_before_it_an_end_is_worth_the_table_at_the_start_of_the_next_round(
    weights: Weights, seed: int, number: int, data: st.DataObject
) -> None:
    state = lay_row(start_round(seed, number), seed)
    model = Model(number + 1, weights)
    end_values = ends(view_of(state), model)
    for _ in range(8):
        first, second = (data.draw(st.integers(0, len(uses) - 1)) for uses in end_values.uses)
        ender, way = data.draw(st.integers(0, 1)), data.draw(st.integers(0, WAYS - 1))
        uses = end_values.uses[0][first], end_values.uses[1][second]
        table = view_of(end_round(state, uses, ender, way))
        worth = chances(model, between([table]))[0]
        assert end_values.worth[first, second, ender, way] == pytest.approx(worth, abs=2e-6), (uses, ender, way)


@settings(max_examples=scale_examples(30), deadline=None)
@given(Seeds, st.integers(1, ROUNDS))
def test_s8_each_use_of_a_trick_is_one_that_the_rules_allow(seed: int, number: int) -> None:
    state = lay_row(start_round(seed, number), seed)
    for seat, uses in enumerate(ends(view_of(state)).uses):
        crew = state.crews[seat]
        held = set(crew.tricks)
        jokers = {Use(trick, nation) for trick in held for nation in crew.nations}
        assert uses[0] == NOTHING
        assert len(set(uses)) == len(uses)
        assert set(uses) == {NOTHING} | {Use(trick) for trick in held} | jokers


def test_s8_whoever_has_used_a_trick_uses_no_other_in_the_round() -> None:
    state = start_round(3, 1)
    crew = Crew(sailors=("A1",), tricks=TRICKS)
    view = replace(view_of(lay_row(state)), crews=(crew, crew), spent=(True, False))
    end_values = ends(view)
    assert end_values.uses[0] == (NOTHING,)
    assert len(end_values.uses[1]) == 1 + 3 + 3


@settings(max_examples=scale_examples(40), deadline=None)
@given(Seeds, st.integers(2, ROUNDS))
def test_the_chances_of_the_seats_sum_to_1_whoever_sits_where(weights: Weights, seed: int, number: int) -> None:
    view = view_of(start_round(seed, number))
    for model in (values.model(number), Model(number, weights)):
        one, other = chances(model, between([view, swap_seats(view)]))
        assert one + other == pytest.approx(1, abs=1e-6)


def test_before_the_starter_is_named_both_have_the_same_chance() -> None:
    assert values.chance(view_of(SHANGHAIEN.start(Options()))) == 0.5


@settings(max_examples=scale_examples(20), deadline=None)
@given(Seeds)
def test_more_trick_cards_in_hand_are_never_much_worse(seed: int) -> None:
    """Check that the shipped weights know that an unused trick is a point, and may be more (S11)."""
    for number in range(3, ROUNDS + 1):
        view = view_of(start_round(seed, number))
        crew = replace(view.crews[0], tricks=())
        plain, richer = (
            replace(view, crews=(crew, view.crews[1])),
            replace(view, crews=(replace(crew, tricks=("nudge",)), view.crews[1])),
        )
        before, after = chances(values.model(number), between([plain, richer]))
        assert after > before - 0.02, (number, before, after)


def test_nations_are_seen_from_both_sides_alike() -> None:
    mine, others = values.sights()[..., 8], values.sights()[..., 8].swapaxes(1, 2)
    assert np.abs(mine + others)[:, :30, :30].max() < 1e-12


def test_with_nothing_to_come_the_expected_lead_is_the_lead() -> None:
    state = start_round(5, ROUNDS)
    view = replace(view_of(state), to_come=())
    final = replace(state, mover=OVER, to_come=())
    result = SHANGHAIEN.result(final)
    assert result
    assert values.expected_lead(between([view])) == result.points[0] - result.points[1]
