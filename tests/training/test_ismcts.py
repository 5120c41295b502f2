"""``ismcts``, the benchmark player for Der fliegende Holländer: it is fair, keeps the rules, and ends games well."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from dutchman.table import HELGA, KARIN, Seat, position
from dutchman.voyages import STYLES, choice, some_tables, voyage
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State
from kontor.games.dutchman.rules.bargain import Bargain, Proposal
from kontor.games.dutchman.rules.state import Accept, Decline, Lay, Name, Pass, Propose, Put, Sail, Withhold
from kontor.players import player_named
from kontor.players.budget import Iterations
from random_steps import game_steps
from training.benchmark_players import add_benchmark_players
from training.dutchman import playouts
from training.dutchman.ismcts import choose, with_budget

DECISIONS = ("action", "put", "sail", "name", "propose", "answer", "again", "show")


def choose_move(state: State, iterations: int, seed: int = 0) -> Move:
    decide = with_budget(Iterations(iterations))
    move: Move = decide(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state), Random(seed))
    return move


def turns() -> Iterator[State]:
    """Yield a few states of every step, from all parts of games, in which a seat has a choice."""
    left = dict.fromkeys(DECISIONS, 6)
    for table in some_tables(40, seed=5):
        legs = [leg.after for leg in voyage(table) if left.get(leg.after.step) and len(DUTCHMAN.moves(leg.after)) > 1]
        for state in Random(table.seed).sample(legs, min(4, len(legs))):
            if left[state.step]:
                left[state.step] -= 1
                yield state
    assert max(left.values()) < 6, f"hardly any such decisions were found: {left}"


@pytest.mark.long
def test_it_decides_by_its_view_and_the_random_numbers_alone() -> None:
    for number, state in enumerate(turns()):
        twin = DUTCHMAN.imagine(DUTCHMAN.view(state, state.mover), Random(number).randrange)
        move = choose_move(state, 25, number)
        assert move in DUTCHMAN.moves(state)
        assert choose_move(twin, 25, number) == move, state.step
        assert choose_move(state, 25, number) == move, state.step


@pytest.mark.parametrize(("players", "circles"), [(3, 2), (4, 5), (5, 0), (6, 2)])
def test_it_plays_whole_games_by_the_rules(players: int, circles: int) -> None:
    """Play against a player that makes all kinds of moves."""
    random = Random(players)
    state = DUTCHMAN.start(Options(players=players, circles=circles))

    def choose(state: State) -> object:
        is_varied = state.mover == 1
        return choice(state, STYLES["any"], random) if is_varied else choose_move(state, 6, random.randrange(100))

    *_, (_, _, end) = game_steps(DUTCHMAN, state, random, choose)
    assert DUTCHMAN.result(end)


def test_a_forced_move_is_made_without_a_thought() -> None:
    """Check with ten million iterations, which would take an hour."""
    state = DUTCHMAN.play(last_ship(), Lay((31,)))
    moves = DUTCHMAN.moves(state)
    assert list(moves) == [Pass()]
    decide = with_budget(Iterations(10_000_000))
    assert decide(DUTCHMAN.view(state, HELGA), moves, Random(0)) == Pass()


def test_it_can_be_named_with_a_budget_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.players._added_players", {})
    add_benchmark_players()
    assert player_named("dutchman", "ismcts") is choose
    state = steering_state()
    decide = player_named("dutchman", "ismcts:0.01s")
    assert decide(DUTCHMAN.view(state, KARIN), DUTCHMAN.moves(state), Random(0)) in DUTCHMAN.moves(state)


def last_ship() -> State:
    """Return a state in which the next ship ends the game.

    From red 1 (from Holland) that is violet 1 or blue 1: on violet 1 Karin pays nearly all she has, on blue 1 she is
    by far the richest. She is the only one with horseshoes.
    """
    return position(
        Seat(shares="violet violet red", rack="31 1", cash=30, kontor=0, smith=0),
        Seat(rack="", kontor=0, smith=0),
        Seat(rack="", kontor=0, smith=0),
        dutchman="red 1",
        came_from="Holland",
        stones="violet 13, red 13",
        counter=15,
        round_number=12,
    )


def steering_state() -> State:
    """Return a state in which Karin has won the round and is to sail (H8)."""
    state = last_ship()
    for move in (Lay((31,)), Pass(), Pass()):
        state = DUTCHMAN.play(state, move)
    return state


@pytest.mark.parametrize("seed", range(3))
def test_h8_it_sails_where_it_wins(seed: int) -> None:
    assert choose_move(steering_state(), 100, seed) == Sail("blue 1")


@pytest.mark.parametrize("seed", range(3))
def test_h6c_it_lays_where_that_wins_the_game(seed: int) -> None:
    """Check Karin's lay: no other seat can lay, and if she does not, they roll for it."""
    assert isinstance(choose_move(last_ship(), 300, seed), Lay)


@pytest.mark.parametrize("seed", range(3))
def test_h9_it_declines_to_be_ruined(seed: int) -> None:
    bargain = Bargain((KARIN, HELGA), ("blue 1", "violet 1"), asked=1, proposal=Proposal(HELGA, "violet 1", (0, 0)))
    state = answering_state(steering_state(), bargain)
    assert set(DUTCHMAN.moves(state)) == {Accept(), Decline()}
    assert choose_move(state, 300, seed) == Decline()


def answering_state(state: State, bargain: Bargain) -> State:
    return replace(state, step="answer", mover=KARIN, queue=(KARIN,), bargain=bargain)


def test_random_play_is_lawful_and_ends() -> None:
    random = Random(1)
    kinds: set[type] = set()
    for table in some_tables(12, seed=9):
        state = next(leg.after for leg in voyage(table) if leg.after.step == "lucky")
        played = list(game_steps(DUTCHMAN, state, random, lambda state: playouts.some_move(state, random)))
        kinds.update(type(action) for _, action, _ in played)
        end = played[-1][2]
        result = DUTCHMAN.result(end)
        assert result
        shared = tuple([(seat in result.winners) / len(result.winners) for seat in range(len(result.points))])
        assert shared == playouts.shares_of_victory(end, random)
    assert kinds >= {Lay, Pass, Put, Sail, Name, Withhold}
    assert Propose not in kinds
