"""Players with a budget: how it is named, and how the tree search of Shanghaien uses it."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.arena import simulate
from kontor.game import CHANCE, OVER, BadOptions
from kontor.games.shanghaien.players import mcts
from kontor.games.shanghaien.players.playout import played_out
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import Dice, Joker, Number, Place, Roll, Row, Shanghai, State
from kontor.players import is_player, player_named
from kontor.players.budget import Iterations, Seconds, budget_from
from kontor.plugins import games, plugin_named
from profiles import scale_examples

# ----------------------------------------------------------------------------------------------- budgets


@pytest.mark.parametrize(
    ("text", "budget"),
    [("1", Iterations(1)), ("2000", Iterations(2000)), ("10000000", Iterations(10_000_000)),
     ("0.1s", Seconds(0.1)), ("1s", Seconds(1)), ("60s", Seconds(60)), ("0.000001s", Seconds(1e-6))],
)  # fmt: skip
def test_a_budget_is_iterations_or_seconds(text: str, budget: Any) -> None:
    assert budget_from(text) == budget


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "1.5", "2k", "10000001", "²", "0s", "0.0s", "61s", "s", "1 s", "nans"]
)
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(BadOptions, match=f"“{text}” is not a search budget: 2000 means iterations"):
        player_named("shanghaien", f"mcts:{text}")


def test_who_does_not_search_takes_no_budget() -> None:
    with pytest.raises(BadOptions, match="The computer player “greedy” does not search, so it takes no budget"):
        player_named("shanghaien", "greedy:2000")


def test_an_unknown_player_is_unknown_with_a_budget_too() -> None:
    with pytest.raises(BadOptions, match=r"no computer player “Magnus:5”. There are: random, .*mcts"):
        player_named("shanghaien", "Magnus:5")


@pytest.mark.parametrize("game", games())
def test_benchmark_players_are_players_but_not_offered_as_company(game: str) -> None:
    plugin = plugin_named(game)
    assert not set(plugin.benchmark_players) & set(plugin.players)
    for name in [*plugin.players, *plugin.benchmark_players]:
        assert is_player(game, name)
        player_named(game, name)
    for name in plugin.benchmark_players:
        assert is_player(game, f"{name}:2000")
        player_named(game, f"{name}:2000")
    assert not is_player(game, "Anna")


def test_so_many_iterations() -> None:
    assert list(Iterations(3).thinking()) == [0, 1, 2]


def test_so_many_seconds_of_the_processor_and_one_iteration_always(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(100.0, 0.25)  # reading the clock and an iteration take a quarter of a second together
    monkeypatch.setattr("kontor.players.budget.thread_time", lambda: next(ticks))
    assert list(Seconds(1.0).thinking()) == [0, 1, 2, 3]
    assert list(Seconds(1.1).thinking()) == [0, 1, 2, 3, 4]
    assert list(Seconds(1e-9).thinking()) == [0]


# ----------------------------------------------------------------------------------------------- playouts


def random_state(random: Random, rounds: int) -> State:
    """Return a state of round ``rounds`` in which a seat is to move, after random moves."""
    states = []
    state = SHANGHAIEN.start(Options())
    while state.round <= rounds and state.mover != OVER:
        if state.mover == CHANCE:
            state = SHANGHAIEN.play(state, SHANGHAIEN.chance(state).draw(random.randrange))
        else:
            if state.round == rounds:
                states.append(state)
            state = SHANGHAIEN.play(state, random.choice(SHANGHAIEN.moves(state)))
    return random.choice(states)


def victory_share(state: State) -> float:
    """Return seat 0's share of the victory."""
    result = SHANGHAIEN.result(state)
    assert result
    return (0 in result.winners) / len(result.winners)


def plainly_played_out(state: State, random: Random) -> float:
    """Return seat 0's result of a random playout by the rules alone, without tricks."""
    while state.mover != OVER:
        if state.mover == CHANCE:
            state = SHANGHAIEN.play(state, SHANGHAIEN.chance(state).draw(random.randrange))
        else:
            moves = [move for move in SHANGHAIEN.moves(state) if isinstance(move, Roll | Shanghai | Number | Place)]
            state = SHANGHAIEN.play(state, random.choice(moves))
    return victory_share(state)


def test_a_playout_of_a_game_that_is_over_or_ends_now_is_its_result() -> None:
    """Check states in which five dice are placed, so that a seat must shanghai (S5, S9, S11, S12)."""
    random = Random(3)
    seen = set()
    for _ in range(60):
        state = replace(random_state(random, 8), step="turn", roll=None, one_at=random.choice(["left", "right"]))
        full = [0] * 6
        for _ in range(5):
            full[random.randrange(6)] += 1
        placed = (tuple(full), state.placed[1]) if state.mover == 0 else (state.placed[0], tuple(full))
        state = replace(state, turn=state.mover, placed=placed)
        over = SHANGHAIEN.play(state, Shanghai())
        assert played_out(state, random) == played_out(over, random) == victory_share(over)
        seen.add(victory_share(over))
    assert {0.0, 1.0} <= seen


@pytest.mark.parametrize("rounds", [1, 7, 8])
def test_playouts_end_as_by_the_rules(rounds: int) -> None:
    """Compare 800 playouts of each kind from one state: their means differ by at most 4 standard deviations."""
    random = Random(rounds)
    for _ in range(2):
        state = random_state(random, rounds)
        quick = sum(played_out(state, random) for _ in range(800)) / 800
        plain = sum(plainly_played_out(state, random) for _ in range(800)) / 800
        assert abs(quick - plain) < 4 * (2 * 0.25 / 800) ** 0.5, state


# ----------------------------------------------------------------------------------------------- mcts

FEW = mcts.with_budget(Iterations(12))


@given(st.integers(0, 2**32))
@settings(max_examples=scale_examples(25))
def test_mcts_keeps_the_rules_and_follows_from_view_and_seed(seed: int) -> None:
    """Check some moves of a whole game, with random moves in between."""
    random = Random(seed)
    state = SHANGHAIEN.start(Options(first_trick=random.choice(["nudge", "both", "reroll", None])))
    while state.mover != OVER:
        if state.mover == CHANCE:
            state = SHANGHAIEN.play(state, SHANGHAIEN.chance(state).draw(random.randrange))
            continue
        moves = SHANGHAIEN.moves(state)
        move = random.choice(moves)
        if random.random() < 0.1:
            view = SHANGHAIEN.view(state, state.mover)
            move = FEW(view, moves, Random(seed))
            assert move in moves
            assert FEW(view, moves, Random(seed)) == move
        state = SHANGHAIEN.play(state, move)


def test_a_move_without_a_choice_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def think(budget: Seconds) -> None:
        raise AssertionError("there is nothing to think about")

    monkeypatch.setattr(Seconds, "thinking", think)
    state = SHANGHAIEN.play(SHANGHAIEN.start(Options(starter=0)), Row(("A1", "A2", "A3", "A4", "F1", "F2")))
    moves = SHANGHAIEN.moves(state)
    assert moves == (Roll(),)
    assert mcts.with_budget(Seconds(60))(SHANGHAIEN.view(state, 0), moves, Random(1)) == Roll()


def last_round(row: str, **changes: Any) -> State:
    """Return a state of the last round with seat 0 to move; the cards are numbered from the left."""
    start = SHANGHAIEN.start(Options(starter=0))
    laid = replace(start, mover=0, step="turn", row=tuple(row.split()), to_come=(), round=8, one_at="left")
    return replace(laid, **changes)


WINNING = {
    "S4: to shanghai while S3 and G1 are more than F1 and F2": (
        last_round("S3 A1 A2 F1 F2 G1", placed=((1, 0, 0, 0, 0, 1), (0, 0, 0, 1, 1, 0))),
        Shanghai(),
    ),
    "S6: the die on S4, for then the other must shanghai (S5), and has 7": (
        last_round("S4 both A1 F1 G1 I4", step="place", roll=(1, 3), placed=((0, 0, 0, 0, 1, 1), (0, 1, 0, 1, 2, 1)),
                   crews=(Crew(sailors=("D4",)), Crew())),
        Place(1),
    ),
    "S8a: the joker that turns 4 Spaniards against 5": (
        last_round("A1 A2 F1 F2 G1 G2", step="place", roll=(1, 2), placed=((1, 2, 1, 0, 0, 0), (0, 0, 0, 2, 2, 1)),
                   crews=(Crew(sailors=("S4",), tricks=("reroll",)), Crew(sailors=("S3", "S2")))),
        Joker("reroll", "S"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("state", "best"), WINNING.values(), ids=WINNING)
def test_mcts_finds_the_winning_move_of_a_last_round(state: State, best: Any) -> None:
    choose = mcts.with_budget(Iterations(600))
    assert choose(SHANGHAIEN.view(state, 0), SHANGHAIEN.moves(state), Random(1)) == best


def test_mcts_says_where_the_1_is_and_goes_through_both_dice() -> None:
    """Check S7 and S8c, with the trick still to be played, or played before the number is chosen."""
    state = replace(last_round("S4 T4 A1 F1 G1 D1", crews=(Crew(tricks=("both",)), Crew()), step="turn"), one_at=None)
    state = SHANGHAIEN.play(SHANGHAIEN.play(state, Roll()), Dice(1, 2))
    for before in (state, SHANGHAIEN.play(state, SHANGHAIEN.moves(state)[-1])):
        moves = SHANGHAIEN.moves(before)
        assert FEW(SHANGHAIEN.view(before, 0), moves, Random(1)) in moves
        assert {Number("left"), Number("right")} <= set(moves)


def test_mcts_beats_random() -> None:
    report = simulate(SHANGHAIEN, Options(), ["mcts:40", "random"], 12, 1, mirrored=True)
    assert report.players[0].share > 0.8
