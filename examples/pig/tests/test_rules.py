"""The rules of Pig, each by its number, and the contract of all games."""

from fractions import Fraction
from random import Random

import msgspec
import pytest

from kontor.game import CHANCE, OVER, BadOptions, IllegalMove, Starter
from kontor_pig.players import CASUAL, STEADY
from kontor_pig.rules import PIG, Hold, Options, Outcome, Roll, Rolled, State, moves, play, result, start


def rolled(state: State, *pips: int) -> State:
    """Return the state after the seat whose turn it is has rolled these numbers."""
    for number in pips:
        state = play(play(state, Roll()), Rolled(number))
    return state


@pytest.mark.parametrize("options", [Options(1), Options(5), Options(goal=19), Options(goal=501), Options(starter=2)])
def test_p1_two_to_four_play_and_one_of_them_starts(options: Options) -> None:
    with pytest.raises(BadOptions, match="P1"):
        start(options)


def test_p1_who_starts_is_drawn_or_agreed_on() -> None:
    assert start(Options(starter=1)).mover == 1
    drawn = start(Options(players=4))
    assert [PIG.chance(drawn).probability(Starter(seat)) for seat in range(5)] == [Fraction(1, 4)] * 4 + [0]
    assert play(drawn, Starter(3)).mover == 3
    assert PIG.moved_on(Options(players=3, starter=2), 1).starter == 0


def test_p2_a_turn_begins_with_a_roll_and_pips_are_added_up() -> None:
    state = start(Options(starter=0))
    assert moves(state) == (Roll(),)
    with pytest.raises(IllegalMove, match="P2"):
        play(state, Hold())
    assert PIG.chance(play(state, Roll())).outcomes() == tuple((Rolled(n), Fraction(1, 6)) for n in range(1, 7))
    state = rolled(state, 4, 6)
    assert (state.mover, state.total, moves(state)) == (0, 10, (Roll(), Hold()))


def test_p3_a_1_takes_what_was_rolled_and_the_turn_is_over() -> None:
    state = rolled(start(Options(starter=0)), 6, 1)
    assert (state.mover, state.total, state.points) == (1, 0, (0, 0))


def test_p4_who_holds_keeps_what_was_rolled() -> None:
    state = play(rolled(start(Options(starter=1)), 6, 5), Hold())
    assert (state.mover, state.total, state.points, state.round) == (0, 0, (0, 11), 1)
    assert rolled(state, 1).round == 2


def test_p5_who_holds_with_enough_wins_and_who_has_enough_must_hold() -> None:
    state = rolled(start(Options(goal=20, starter=0)), 6, 6, 6, 3)
    assert moves(state) == (Hold(),)
    won = result(play(state, Hold()))
    assert won is not None
    assert (won.points, won.winners) == ((21, 0), (0,))


def test_p6_after_as_many_rounds_as_points_the_most_points_win() -> None:
    state = play(rolled(start(Options(goal=20, starter=0)), 2), Hold())
    while state.mover != OVER:
        assert result(state) is None
        state = rolled(state, 1)
    assert state.round == 20
    won = result(state)
    assert won is not None
    assert won.winners == (0,)


def test_every_state_can_be_kept_and_seen() -> None:
    random, outcome = Random(1), msgspec.json.Decoder(Outcome)
    state = start(Options(players=3))
    while state.mover != OVER:
        if state.mover == CHANCE:
            action = PIG.chance(state).draw(random.randrange)
            assert outcome.decode(msgspec.json.encode(action)) == action
        else:
            choose = (CASUAL, STEADY, STEADY)[state.mover]
            action = choose(PIG.view(state, state.mover), moves(state), random)
        state = play(state, action)
        assert PIG.deserialise(PIG.serialise(state), state.options) == state
        assert PIG.imagine(PIG.view(state, 1), random.randrange) == state
