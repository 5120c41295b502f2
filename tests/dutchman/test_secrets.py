"""Secrecy: hidden things change nothing that reaches a seat of Der fliegende Holländer (H4, H6, H14).

``imagine`` deals anew all that is hidden from a seat, and neither the seat nor a computer player must notice.
"""

from functools import cache
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.game import OVER
from kontor.games.dutchman.rules import DUTCHMAN, State
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.players import player_named, players_of
from profiles import scale_examples
from random_steps import game_steps, random_step

from .checks import check_state
from .readers import other_deal, readers, same_to
from .voyages import STYLES, WHOLE_GAMES, Table, choice, some_tables, tables, voyage


@given(tables(), st.integers(0, 10**6))
@settings(WHOLE_GAMES, max_examples=scale_examples(40))
def test_a_new_deal_of_what_a_seat_cannot_know_changes_nothing_for_it(table: Table, seed: int) -> None:
    random = Random(seed)
    for leg in voyage(table):
        if random.random() < 0.7:
            continue
        for reader in readers(leg.after):
            twin = other_deal(leg.after, reader, random)
            same_to(reader, leg.after, twin, random)
            check_state(twin)


@given(tables(), st.integers(0, 10**6))
@settings(WHOLE_GAMES, max_examples=scale_examples(20))
def test_the_game_can_be_played_to_its_end_from_any_imagined_state(table: Table, seed: int) -> None:
    random = Random(seed)
    legs = list(voyage(table))
    state = random.choice(legs).after
    state = other_deal(state, random.choice(readers(state)), random)
    for _, _, state in game_steps(
        DUTCHMAN, state, random, lambda state: choice(state, STYLES[table.styles[state.mover]], random)
    ):
        check_state(state)
    assert DUTCHMAN.result(state) is not None


@given(tables())
@settings(WHOLE_GAMES, max_examples=scale_examples(20))
def test_what_was_the_same_for_all_is_what_a_spectator_sees(table: Table) -> None:
    """Check that a seat's view differs from a spectator's only by its own cards."""
    own = {"seat", "shares", "rack", "lay", "pile", "inspection"}
    for leg in voyage(table):
        public = DUTCHMAN.view(leg.after, None)
        assert (public.seat, public.shares, public.rack, public.lay) == (None, (), (), None)
        assert set(public.pile) <= {None}
        for seat, merchant in enumerate(leg.after.merchants):
            view = DUTCHMAN.view(leg.after, seat)
            assert replace(view, **{name: getattr(public, name) for name in own}) == public
            assert (view.seat, view.shares, view.rack, view.lay) == (
                seat,
                merchant.shares,
                merchant.rack,
                merchant.lay,
            )
            put = zip(leg.after.pile, leg.after.put_by, strict=True)
            assert view.pile == tuple(card if by == seat else None for card, by in put)
            if leg.after.inspection is None:
                assert view.inspection is None
                continue
            assert view.inspection is not None
            assert view.inspection.own == leg.after.inspection.drawn[seat]
            assert replace(view.inspection, own=()) == public.inspection


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(players_of("dutchman")))
def test_a_machine_player_chooses_by_its_view_alone(name: str) -> None:
    choose = player_named("dutchman", name)
    steps: set[str] = set()
    for number, state in enumerate(scattered_turns()):
        random = Random(number)
        twin = other_deal(state, state.mover, random)
        choices = []
        for side in (state, twin):
            legal = DUTCHMAN.moves(side)
            choices.append(choose(DUTCHMAN.view(side, side.mover), legal, Random(number)))
            assert choices[-1] in legal
        assert choices[0] == choices[1]
        steps.add(state.step)
    assert steps == {"action", "put", "sail", "name", "propose", "answer", "again", "show", "check"}


@cache
def scattered_turns() -> tuple[State, ...]:
    turns: dict[str, list[State]] = {}
    for table in some_tables(20):
        for leg in voyage(table):
            if leg.after.mover >= 0:
                turns.setdefault(leg.after.step, []).append(leg.after)
    return tuple(state for _, states in sorted(turns.items()) for state in Random(1).sample(states, 2))


@pytest.mark.parametrize("seed", range(6))
def test_all_at_a_table_of_shanghaien_see_the_same(seed: int) -> None:
    """Check that all is open but the order of the pile, which nobody knows (S2 to S11)."""
    random = Random(seed)
    state = SHANGHAIEN.start(SHANGHAIEN.options())
    while state.mover != OVER:
        views = [SHANGHAIEN.view(state, reader) for reader in (0, 1, None)]
        assert [view.seat for view in views] == [0, 1, None]
        assert len({msgspec.json.encode(replace(view, seat=None)) for view in views}) == 1
        twin = SHANGHAIEN.imagine(views[0], random.randrange)
        assert msgspec.json.encode(SHANGHAIEN.view(twin, 0)) == msgspec.json.encode(views[0])
        assert list(SHANGHAIEN.moves(twin)) == list(SHANGHAIEN.moves(state))
        before = state
        action = random_step(SHANGHAIEN, state, random)
        state = SHANGHAIEN.play(state, action)
        events = {msgspec.json.encode(SHANGHAIEN.event(before, action, state, reader)) for reader in (0, 1, None)}
        assert len(events) == 1
