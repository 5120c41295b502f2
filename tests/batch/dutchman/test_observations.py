"""Observations of Der fliegende Holländer in batches: what the seat to move sees."""

from collections import Counter
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace as changed

from batch.dutchman.setting_up import bargain, set_up, some_legs, some_moves
from batch.groups import OF_DUTCHMAN
from dutchman.table import KARIN, Seat, go, position
from kontor.batch import Batch
from kontor.games.dutchman.batch import layout
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.dutchman.rules.state import Accept, Propose, Withhold

pytestmark = OF_DUTCHMAN


def observation_field(batch: Batch, name: str) -> Any:
    """Return a field of the first game's observation, in its shape."""
    features = layout.FEATURES
    at, field = features.at(name), features.field(name)
    return batch.observe()[0, at : at + field.size].reshape(field.shape)


def places(row: Any) -> list[int]:
    """Return the indices of the non-zero values."""
    indices: list[int] = np.flatnonzero(row).tolist()
    return indices


def test_the_seat_to_move_sees_the_table_from_its_side() -> None:
    state = position(
        Seat("red red blue", "48 20 10 1", cash=20, kontor=1),
        Seat("blue green violet", "21 10 10 2", cash=7),
        Seat("orange orange green", "47 1 1", cash=3, smith=0),
        middle="46 1", stones="red 7", counter=4, lucky=31, starter=2, pile="yellow yellow",
    )  # fmt: skip
    state = go(state, "Anne lays 1 / Karin plays a Kontor card / puts back blue yellow")
    batch = set_up(state)
    assert state.mover == 1
    assert places(observation_field(batch, "step")) == [layout.DECIDING.index("action")]
    assert (
        observation_field(batch, "round"),
        observation_field(batch, "lucky"),
        observation_field(batch, "counter"),
    ) == (1, 31, 3)
    assert observation_field(batch, "shares").tolist() == [1, 0, 1, 0, 0, 1]
    assert places(observation_field(batch, "rack_gold")) == [0]
    assert observation_field(batch, "rack_silver").tolist() == [0, 2, 1, 0]
    # From Helga's side: Helga, Anne, Karin.
    assert observation_field(batch, "place").tolist() == [3, 1, 2, 0, 0, 0]
    assert observation_field(batch, "waiting").tolist() == [1, 0, 0, 0, 0, 0]
    assert observation_field(batch, "cash").tolist() == [7, 3, 20, 0, 0, 0]
    assert observation_field(batch, "kontor").tolist() == [3, 3, 0, 0, 0, 0]
    assert observation_field(batch, "smith").tolist() == [3, 0, 3, 0, 0, 0]
    assert observation_field(batch, "hand").tolist() == [3, 3, 3, 0, 0, 0]
    assert observation_field(batch, "horseshoes").tolist() == [4, 2, 4, 0, 0, 0]
    assert observation_field(batch, "laid").tolist() == [0, 1, 0, 0, 0, 0]
    assert places(observation_field(batch, "action")[1]) == [layout.ACTIONS.index("lay")]
    assert places(observation_field(batch, "action")[2]) == [layout.ACTIONS.index("kontor")]
    assert not observation_field(batch, "action")[0].any()
    assert observation_field(batch, "stones").tolist() == list(state.stones)
    assert observation_field(batch, "in_pile") == len(state.pile)
    assert [places(by) for by in observation_field(batch, "put_by")[: len(state.pile)][-2:]] == [[2], [2]]
    assert not observation_field(batch, "pile").any()
    assert observation_field(batch, "middle") == 2
    assert not observation_field(batch, "middle_gold").any()
    assert places(observation_field(batch, "ahead")) == places(observation_field(batch, "ahead"))
    assert len(places(observation_field(batch, "ahead"))) == len(state.sea.ahead["Holland"][None])
    assert not observation_field(batch, "came_from").any()
    # Karin put the last two there, and knows them.
    batch = set_up(go(state, "Helga lays 10 / Helga sails to red 1 / dice 30 + 1"))
    assert batch.movers[0] == KARIN
    pile = batch.state(0).pile
    assert [places(card) for card in observation_field(batch, "pile")[len(pile) - 2 : len(pile)]] == [
        [COLOURS.index(card)] for card in pile[-2:]
    ]


def test_the_bargain_is_seen_by_those_who_are_tied() -> None:
    state = bargain(4, 6, 2)
    to = DUTCHMAN.moves(state)[1]
    assert isinstance(to, Propose)
    state = DUTCHMAN.play(DUTCHMAN.play(state, Withhold()), changed(to, ducats=(-4, 3, 1)))
    state = DUTCHMAN.play(state, Accept())
    batch = set_up(state)
    assert batch.movers[0] == 0  # Helga proposed, Anne has accepted; Karin's side: Karin, Helga, Anne
    assert observation_field(batch, "tied").tolist() == [1, 1, 1, 0, 0, 0]
    assert observation_field(batch, "circle") == 1
    assert places(observation_field(batch, "proposer")) == [1]
    assert observation_field(batch, "ducats").tolist() == [-4, 3, 1, 0, 0, 0]
    assert observation_field(batch, "accepted").tolist() == [0, 0, 1, 0, 0, 0]
    fields = [field.name for field in state.options.chart.fields]
    assert places(observation_field(batch, "proposed_to")) == [fields.index(to.to)]
    assert state.bargain
    assert [places(named) for named in observation_field(batch, "named")[:3]] == [
        [fields.index(name)] for name in state.bargain.named
    ]
    assert observation_field(batch, "reading").tolist() == [10, 10, 10, 0, 0, 0]
    assert observation_field(batch, "middle_silver").tolist() == [0, 3, 0, 0]


def test_an_observation_never_depends_on_what_its_seat_cannot_know() -> None:
    """Deal anew all that the seat to move cannot know: its observation and legal moves must stay the same."""
    random = Random(9)
    differ: Counter[str] = Counter()
    for leg in some_legs(1_200, 5):
        state = leg.after
        if state.mover < 0:
            continue
        other = DUTCHMAN.imagine(DUTCHMAN.view(state, state.mover), random.randrange)
        one, twin = set_up(state), set_up(other)
        differ[state.step] += not np.array_equal(one.rows, twin.rows)
        assert one.observe().tobytes() == twin.observe().tobytes()
        assert np.array_equal(one.legal(), twin.legal())
        assert np.array_equal(one.choices(), twin.choices())
    assert all(differ[step] > 5 for step in layout.DECIDING), differ


def test_what_a_seat_knows_is_seen() -> None:
    """Check that observations differ between positions that differ in the seat's own things or in open ones."""
    state = position(Seat("red red blue", "20 10 1"), Seat(rack="10 1"), Seat(rack="1"), middle="1")
    observations = {set_up(state).observe().tobytes()}
    own = state.merchants[0]
    others: list[State] = [
        *[changed(state, merchants=(changed(own, shares=hand), *state.merchants[1:]))
          for hand in combinations_with_replacement(COLOURS, 3)],
        position(Seat("red red blue", "20 10 2"), Seat(rack="10 1"), Seat(rack="1"), middle="1"),
        position(Seat("red red blue", "20 10 1"), Seat(rack="10 1 1"), Seat(rack="1"), middle="1"),
        position(Seat("red red blue", "20 10 1"), Seat(rack="10 1"), Seat(rack="1"), middle="1 1"),
        position(Seat("red red blue", "20 10 1"), Seat(rack="10 1"), Seat(rack="1"), middle="1", lucky=33),
        position(Seat("red red blue", "20 10 1"), Seat(rack="10 1"), Seat(rack="1"), middle="1", counter=5),
    ]  # fmt: skip
    observations |= {set_up(other).observe().tobytes() for other in others}
    assert len(observations) == len(others)  # one of the hands is the first one's


def test_nothing_is_seen_where_no_seat_is_to_move() -> None:
    batch = Batch(DUTCHMAN, Options(), 5)
    assert not batch.observe().any()
    batch.play_out()
    assert not batch.observe().any()
    assert not batch.legal().any()


def test_features_stay_within_what_the_layout_says() -> None:
    most = np.concatenate([np.full(field.size, field.most) for field in layout.FEATURES.fields])
    least = np.concatenate(
        [np.full(field.size, -field.most * (field.name == "ducats")) for field in layout.FEATURES.fields]
    )
    for players in (3, 6):
        batch = Batch(DUTCHMAN, Options(players=players), 100, seed=9)
        for turn in range(60):
            batch.draw()
            features = batch.observe()
            assert not (features < least).any()
            assert not (features > most).any()
            batch.step(some_moves(batch, turn))
