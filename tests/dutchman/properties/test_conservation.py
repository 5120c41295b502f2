"""Conservation: in random games nothing is lost, past states stay, and every game ends."""

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from dutchman.bystander import Bystander
from dutchman.checks import check_state, check_step, outcome_of
from dutchman.second_rules import ROUNDS
from dutchman.voyages import WHOLE_GAMES, Table, embark, encode_state, random_chart, tables, voyage
from kontor.game import OVER
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.rules.state import Lay, Undecided
from profiles import scale_examples


@given(tables())
@settings(WHOLE_GAMES, max_examples=scale_examples(50))
def test_all_is_accounted_for_after_every_step(table: Table) -> None:
    state = embark(table)
    check_state(state)
    for leg in voyage(table):
        check_step(leg)
        check_state(leg.after)


@given(tables())
@settings(WHOLE_GAMES, max_examples=scale_examples(40))
def test_what_a_spectator_sees_follows_from_what_was_said_in_public(table: Table) -> None:
    bystander = Bystander(table.options, table.cash)
    bystander.agrees_with(DUTCHMAN.view(embark(table), None))
    for leg in voyage(table):
        bystander.take_in(DUTCHMAN.event(*leg, None))
        bystander.agrees_with(DUTCHMAN.view(leg.after, None))


@given(tables())
@settings(WHOLE_GAMES, max_examples=scale_examples(40))
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
@settings(WHOLE_GAMES, max_examples=scale_examples(40))
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
@settings(WHOLE_GAMES, max_examples=scale_examples(30))
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
