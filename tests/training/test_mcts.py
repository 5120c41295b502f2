"""The benchmark player ``mcts`` of Shanghaien: its playouts, and its tree search."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.arena import simulate
from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import Dice, Joker, Number, Place, Roll, Row, Shanghai, State
from kontor.players.budget import Iterations, Seconds
from profiles import scale_examples
from training.benchmark_players import add_benchmark_players
from training.shanghaien import mcts
from training.shanghaien.playout import played_out


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


@pytest.mark.long
@pytest.mark.parametrize("rounds", [1, 7, 8])
def test_playouts_end_as_by_the_rules(rounds: int) -> None:
    """Compare 800 playouts of each kind from one state: their means differ by at most 4 standard deviations."""
    random = Random(rounds)
    for _ in range(2):
        state = random_state(random, rounds)
        quick = sum(played_out(state, random) for _ in range(800)) / 800
        plain = sum(plainly_played_out(state, random) for _ in range(800)) / 800
        assert abs(quick - plain) < 4 * (2 * 0.25 / 800) ** 0.5, state


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


def test_mcts_beats_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.players._added_players", {})
    add_benchmark_players()
    report = simulate(SHANGHAIEN, Options(), ["mcts:40", "random"], 12, 1, mirrored=True)
    assert report.players[0].share > 0.8
