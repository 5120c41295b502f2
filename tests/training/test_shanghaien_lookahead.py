"""Values of rounds with two rounds of lookahead, compared with the rules and the solver of one round."""

from random import Random

import pytest
from msgspec.structs import replace

from bench.lookahead import gains
from bench.play_error import costs
from kontor.game import CHANCE
from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.players.round import solve
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.state import NOBODY_PLACED, State
from kontor.players import player_named
from training.shanghaien.gold import start_of
from training.shanghaien.lookahead import mean_ends, next_rows, over_two_rounds


def played_out(laid: State, random: Random) -> tuple[State, list[int | None], int]:
    """Play a round at random; return the state before the next row, the taker of each card, and the ender."""
    state = laid
    ender = -1
    while state.step != "row":
        if state.mover == CHANCE:
            action = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            ender = state.mover
            action = random.choice(SHANGHAIEN.moves(state))
        state = SHANGHAIEN.play(state, action)
    gained = [list(crew.sailors[len(before.sailors) :]) for crew, before in zip(state.crews, laid.crews, strict=True)]
    takers: list[int | None] = []
    for card in laid.row:
        taker = next((seat for seat in (0, 1) if card in gained[seat]), None)
        if taker is not None:
            gained[taker].remove(card)
        takers.append(taker)
    return state, takers, ender


@pytest.mark.long
def test_s10_an_end_is_worth_the_next_round_solved_as_the_rules_begin_it() -> None:
    laid = start_of(4, Random(2), 0)
    rows = next_rows(laid, 2, Random(3))
    worth = over_two_rounds(laid, rows)
    for seed in range(4):
        after, takers, ender = played_out(laid, Random(seed))
        way = sum(3**place * (0 if taker is None else taker + 1) for place, taker in enumerate(takers))
        for number, row in enumerate(rows):
            begun = SHANGHAIEN.play(after, row)
            alone = solve(ends(SHANGHAIEN.view(begun, None)), NOBODY_PLACED, begun.turn, None).value
            assert worth[number, ender, way] == pytest.approx(alone, abs=1e-6)


def test_s3_the_next_rows_are_of_the_cards_still_to_come_whoever_gets_this_one() -> None:
    laid = start_of(5, Random(1), 0)
    for seed in range(5):
        after, _, _ = played_out(laid, Random(seed))
        for row in next_rows(laid, 5, Random(seed)):
            assert SHANGHAIEN.play(after, row).row == row.cards


def test_only_rounds_before_the_last_without_tricks_are_looked_ahead_from() -> None:
    laid = start_of(4, Random(2), 0)
    rows = next_rows(laid, 1, Random(3))
    holding = replace(laid, crews=(replace(laid.crews[0], tricks=("nudge",)), laid.crews[1]))
    bearing = replace(laid, row=("nudge", *laid.row[1:]))
    for other in (replace(laid, round=ROUNDS), holding, bearing):
        with pytest.raises(ValueError, match="without tricks"):
            over_two_rounds(other, rows)


@pytest.mark.long
def test_looking_ahead_gains_what_a_decision_costs_and_nothing_where_two_judgements_contradict_each_other() -> None:
    laid = start_of(6, Random(4), 0)
    worth = over_two_rounds(laid, next_rows(laid, 1, Random(5)))
    steady = player_named("shanghaien", "steady")
    cost = costs(laid, mean_ends(worth), steady, Random(6))
    assert gains(laid, (worth, worth), steady, Random(6)) == pytest.approx(cost, abs=1e-9)
    assert max(cost) > 0.001
    assert max(gains(laid, (worth, 1 - worth), steady, Random(6))) <= 0
