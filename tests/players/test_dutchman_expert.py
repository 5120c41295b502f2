"""The Holländer's players at three levels, and its judge.

They use only what they may know, keep the rules, find obvious moves, and cannot be blackmailed.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kontor.arena import simulate
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.players import agreeing, casual, expert, greedy
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.judge import STAGES
from kontor.games.dutchman.players.weighing import Weighed
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State
from kontor.games.dutchman.rules.bargain import Proposal
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, LAST_CHEST, PLACE_OF
from kontor.games.dutchman.rules.state import Accept, Decline, Merchant, Name, Propose, Sail, Withhold
from kontor.games.dutchman.rules.view import View
from kontor.players import judge_named
from profiles import long_after
from random_steps import game_steps

from .decisions import decisions, of_every_step

TABLES = [Options(3, circles=0), Options(4), Options(5, circles=5), Options(6)]
JUDGE = judge_named("dutchman")


def chosen_by_expert(state: State, seed: int = 1) -> Move:
    return expert.choose(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state), Random(seed))


def indistinguishable_state(state: State) -> State:
    """Return a state that the seat to move cannot distinguish from this one."""
    return DUTCHMAN.imagine(DUTCHMAN.view(state, state.mover), Random(23).randrange)


# ------------------------------------------------------------------------------------- views, and the rules


@pytest.mark.parametrize("options", long_after(2, TABLES), ids=lambda options: f"{options.players} players")
def test_the_expert_keeps_the_rules_and_decides_by_view_and_seed_alone(options: Options) -> None:
    states = of_every_step(options)
    assert {"action", "put", "sail", "name", "again", "show"} <= {state.step for state in states}
    for state in states:
        chosen = chosen_by_expert(state)
        assert chosen in DUTCHMAN.moves(state)
        assert chosen_by_expert(indistinguishable_state(state)) == chosen, state.step


@pytest.mark.parametrize("options", TABLES, ids=lambda options: f"{options.players} players")
def test_the_casual_player_keeps_the_rules_and_decides_by_its_view(options: Options) -> None:
    for state in decisions(options, 5):
        moves, other = DUTCHMAN.moves(state), indistinguishable_state(state)
        chosen = casual.choose(DUTCHMAN.view(state, state.mover), moves, Random(1))
        assert chosen in moves
        assert casual.choose(DUTCHMAN.view(other, state.mover), DUTCHMAN.moves(other), Random(1)) == chosen


def test_states_are_imagined_from_the_view_and_give_it_back() -> None:
    for options in TABLES:
        for state in of_every_step(options):
            view = DUTCHMAN.view(state, state.mover)
            for imagined in Imagined(view, Random(3)).first(3):
                assert DUTCHMAN.view(imagined, state.mover) == view


# ------------------------------------------------------------------------------------------- obvious moves


def ruins(state: State, field: str) -> bool:
    """Return True if the mover cannot pay for a ship (H11)."""
    colour = state.sea.ship[field]
    me = state.merchants[state.mover]
    return colour is not None and me.shares.count(colour) * CHESTS[state.stones[PLACE_OF[colour]]] > me.cash


def fields_ahead(state: State) -> Sequence[str]:
    return state.sea.ahead[state.dutchman][state.came_from]


def with_cash(state: State, cash: int) -> State:
    """Return the state with the mover's cash set to ``cash`` ducats."""
    merchants = list(state.merchants)
    merchants[state.mover] = replace(merchants[state.mover], cash=cash)
    return replace(state, merchants=tuple(merchants))


def test_the_expert_does_not_sail_into_its_own_ruin() -> None:
    for penniless in islice(penniless_at_the_helm(), 6):
        sailed = chosen_by_expert(penniless)
        assert isinstance(sailed, Sail)
        assert not ruins(penniless, sailed.to)


def penniless_at_the_helm() -> Iterator[State]:
    """Yield states in which the seat that steers has 3 ducats, and some fields ahead would ruin it."""
    for seed in count():
        for state in decisions(Options(4), seed):
            penniless = with_cash(state, 3)
            if state.step == "sail" and {ruins(penniless, field) for field in fields_ahead(state)} == {True, False}:
                yield penniless


def test_the_expert_sails_where_it_wins_at_once() -> None:
    """Check the last ship with all shares shown: the seat that steers knows how the game ends (H13)."""
    for state, won in islice(last_courses(), 4):
        sailed = chosen_by_expert(state)
        assert isinstance(sailed, Sail)
        assert won[sailed.to]


def last_courses() -> Iterator[tuple[State, dict[str, bool]]]:
    """Yield states in which the field that is sailed to decides the game, with the fields that win it."""
    for seed in count():
        for state in decisions(Options(4), seed):
            if state.step != "sail" or state.counter != LAST_CHEST - 1:
                continue
            revealed = replace(state, merchants=tuple([all_shown(merchant) for merchant in state.merchants]))
            ends = {field: DUTCHMAN.result(DUTCHMAN.play(revealed, Sail(field))) for field in fields_ahead(revealed)}
            if not all(ends.values()):
                continue  # an island, and another round
            won = {field: end is not None and end.winners == (state.mover,) for field, end in ends.items()}
            if set(won.values()) == {True, False}:
                yield revealed, won


def all_shown(merchant: Merchant) -> Merchant:
    counts = tuple([merchant.shares.count(colour) for colour in COLOURS])
    return replace(merchant, at_least=counts, at_most=counts)


# ------------------------------------------------------------------------------------------------ blackmail


def demands(state: State) -> Iterator[State]:
    """Yield states in which the proposal demands all the mover's ducats, one for each destination."""
    bargain = state.bargain
    assert bargain
    assert bargain.proposal
    cash = state.merchants[state.mover].cash
    ducats = [0] * len(bargain.tied)
    ducats[bargain.tied.index(state.mover)] -= cash
    ducats[bargain.tied.index(bargain.proposer)] += cash
    for field in fields_ahead(state):
        proposal = Proposal(bargain.proposer, field, tuple(ducats))
        yield replace(state, bargain=replace(bargain, proposal=proposal))


@pytest.mark.long
def test_the_expert_does_not_give_all_it_has_for_an_agreement() -> None:
    """Check H9: a deciding round costs less, at least for a seat that is not far behind."""
    seen = 0
    for seed in range(4):
        for state in decisions(Options(4), seed):
            cash = [merchant.cash for merchant in state.merchants]
            if state.step == "answer" and cash[state.mover] >= sum(cash) / len(cash):
                for demand in demands(state):
                    seen += 1
                    assert chosen_by_expert(demand) == Decline()
    assert seen >= 10


def bargainer(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Play like greedy, but demand everything.

    It sails where it likes best, demands all the others' ducats for that, and accepts nothing.
    """
    if len(moves) == 1:
        return moves[0]
    table = greedy.Table(view)
    if view.step == "name":
        return Name(table.outlook.best_for(table.seat, table.bargain.tied))
    if view.step == "propose":
        tied = table.bargain.tied
        ducats = [-view.players[seat].cash for seat in tied]
        ducats[tied.index(table.seat)] = sum(view.players[seat].cash for seat in tied if seat != table.seat)
        return Propose(table.outlook.best_for(table.seat, tied), tuple(ducats))
    return Decline() if view.step == "answer" else greedy.choose(view, moves, random)


Chooser = Callable[[Any, Sequence[Any], Random], Any]


def share_of_victories(choosers: Sequence[Chooser], games: int) -> float:
    """Return the share of victories of the first of these players, who sits on each seat in turn."""
    wins = 0.0
    for number in range(games):
        luck = Random(number)
        first = number % len(choosers)
        state = DUTCHMAN.start(Options(len(choosers)))
        while state.mover != OVER:
            seat = state.mover
            if seat == CHANCE:
                action = DUTCHMAN.chance(state).draw(luck.randrange)
            else:
                choose = choosers[(seat - first) % len(choosers)]
                action = choose(DUTCHMAN.view(state, seat), DUTCHMAN.moves(state), luck)
            state = DUTCHMAN.play(state, action)
        result = DUTCHMAN.result(state)
        assert result
        wins += (first in result.winners) / len(result.winners)
    return wins / games


@pytest.mark.extended
@pytest.mark.long
def test_an_expert_gains_from_those_who_ask_for_everything() -> None:
    assert share_of_victories([expert.choose, bargainer, bargainer], 5) > 1 / 3


# ---------------------------------------------------------------------------------------- imagined bargains


def bargains(step: str) -> Iterator[State]:
    """Yield decisions of bargaining at tables of all sizes."""
    for options in (Options(3), Options(4), Options(6)):
        for seed in range(4):
            for state in decisions(options, seed):
                if state.step == step:
                    yield state


def view_when_paid(state: State, ducats: int) -> View:
    """Return the mover's view when the proposer pays it ``ducats``, and no other seat anything."""
    bargain = state.bargain
    assert bargain
    assert bargain.proposal
    payments = [0] * len(bargain.tied)
    payments[bargain.tied.index(state.mover)] = ducats
    payments[bargain.tied.index(bargain.proposer)] = -ducats
    proposal = replace(bargain.proposal, ducats=tuple(payments))
    return DUTCHMAN.view(replace(state, bargain=replace(bargain, proposal=proposal)), state.mover)


def test_in_imagined_bargains_others_agree_the_likelier_the_more_they_are_paid() -> None:
    seen = 0
    for state in bargains("answer"):
        seen += 1
        accepted = [
            sum(agreeing.answer(view_when_paid(state, ducats), Random(luck)) == Accept() for luck in range(40))
            for ducats in (-12, 0, 12)
        ]
        assert accepted == sorted(accepted)
        assert agreeing.answer(view_when_paid(state, -500), Random(1)) == Decline()
        assert agreeing.answer(view_when_paid(state, 500), Random(1)) == Accept()
    assert seen >= 5


def test_what_is_proposed_in_imagined_bargains_is_legal_and_better_than_no_agreement_h9() -> None:
    made = 0
    for state in bargains("propose"):
        view = DUTCHMAN.view(state, state.mover)
        proposed = agreeing.proposal(view)
        assert proposed in DUTCHMAN.moves(state)
        if proposed == Withhold():
            continue
        assert isinstance(proposed, Propose)
        made += 1
        table = greedy.Table(view)
        ducats = dict(zip(table.bargain.tied, proposed.ducats, strict=True))
        agreed = table.outlook.standing(table.seat, proposed.to, table.bargain.tied, ducats)
        assert agreed > table.no_agreement(table.seat)
    assert made >= 5


def test_what_is_named_in_imagined_bargains_is_ahead_h9() -> None:
    for state in bargains("name"):
        assert agreeing.name(DUTCHMAN.view(state, state.mover), Random(1)) in DUTCHMAN.moves(state)


# -------------------------------------------------------------------------------------------------- levels


@pytest.mark.long
def test_a_steady_player_beats_casual_ones() -> None:
    report = simulate(DUTCHMAN, Options(4), ["steady", "casual", "casual", "casual"], 60, 1)
    assert report.players[0].share > 0.33


# --------------------------------------------------------------------------------------------------- judge


def test_the_judge_appraises_moves_by_view_and_seed_alone() -> None:
    for state in of_every_step(Options(4)):
        views = [DUTCHMAN.view(each, state.mover) for each in (state, indistinguishable_state(state))]
        moves = DUTCHMAN.moves(state)
        played = moves[len(moves) - 1]
        one, other = [JUDGE.appraise(view, moves, Random(4), played) for view in views]
        assert one == other
        assert not one.exact
        chances = [each.chance for each in one.moves]
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= chance <= 1 for chance in chances)
        assert one.of(played).move == played
        assert all(each.move in moves for each in one.moves)


def test_a_move_that_is_plainly_worse_is_not_tried_any_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that it is worth less than the best by as much as in the states in which both were tried."""
    tried: list[Weighed] = []

    class Watched(Weighed):
        def __init__(self, move: Move | None) -> None:
            super().__init__(move)
            tried.append(self)

    monkeypatch.setattr("kontor.games.dutchman.players.judge.Weighed", Watched)
    for state in of_every_step(Options(4)):
        view, moves = DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state)
        played = moves[len(moves) - 1]
        tried.clear()
        appraisal = JUDGE.appraise(view, moves, Random(4), played)
        by_move = {each.move: each for each in tried}
        best = by_move[appraisal.best.move]
        assert best.tried == by_move[played].tried == STAGES[-1]
        assert appraisal.best.chance == best.chance
        for move, each in by_move.items():
            assert each.tried in STAGES
            less = max(0.0, each.less_than(best).mean)
            assert appraisal.of(move).chance == pytest.approx(max(0.0, best.chance - less))


def test_the_judge_values_what_a_seat_can_know_whoever_is_to_act() -> None:
    for state in (DUTCHMAN.start(Options(4)), *of_every_step(Options(4))[:3]):
        chances = [JUDGE.value(DUTCHMAN.view(state, seat), Random(1)) for seat in range(4)]
        assert not any(estimate.exact for estimate in chances)
        # Each judges by its own view; together they expect about one victory.
        assert sum(estimate.chance for estimate in chances) == pytest.approx(1, abs=0.5)


def test_the_judge_knows_who_has_won() -> None:
    random = Random(2)

    def choose(state: State) -> Any:
        return greedy.choose(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state), random)

    *_, (_, _, state) = game_steps(DUTCHMAN, DUTCHMAN.start(Options(3)), random, choose)
    result = DUTCHMAN.result(state)
    assert result
    for seat in range(3):
        estimate = JUDGE.value(DUTCHMAN.view(state, seat), Random(1))
        assert estimate.exact
        assert estimate.chance == (seat in result.winners) / len(result.winners)
