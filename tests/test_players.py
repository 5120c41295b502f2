"""Computer players: they keep the rules, use only what they may know, and play soundly."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.arena import simulate
from kontor.game import CHANCE, OVER, AnyGame, BadOptions
from kontor.games.dutchman.players.greedy import worthwhile_lays
from kontor.games.dutchman.players.outlook import share_worth
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as Dutchman
from kontor.games.dutchman.rules import State as DutchmanState
from kontor.games.dutchman.rules.bargain import Bargain, Proposal
from kontor.games.dutchman.rules.components import CHESTS, HORSESHOES, MOST_SILVER, Colour, Horseshoes, shares_in_play
from kontor.games.dutchman.rules.horseshoes import heap_of, highest_first, lay_number, number_of_lays, reading, split
from kontor.games.dutchman.rules.state import (
    Accept,
    Deal,
    Decline,
    Kontor,
    Lay,
    Name,
    Pass,
    Propose,
    Put,
    Sail,
    Show,
    Withhold,
)
from kontor.games.dutchman.rules.state import Dice as DutchmanDice
from kontor.games.shanghaien import rules as shanghaien
from kontor.games.shanghaien.players.greedy import prospect
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import State as ShanghaienState
from kontor.games.shanghaien.rules.components import ROUNDS, TrickCounts
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import Joker, Move, Number, Numbers, Place, Roll, Row, Shanghai
from kontor.players import player_named, players_of
from kontor.plugins import games
from profiles import scale_examples

TABLES: list[tuple[AnyGame, Any]] = [
    (SHANGHAIEN, shanghaien.Options()),
    (SHANGHAIEN, shanghaien.Options(TrickCounts(0, 8, 0), first_trick="both")),
    (SHANGHAIEN, shanghaien.Options(TrickCounts(1, 0, 7), starter=1, first_trick="nudge")),
    (DUTCHMAN, Dutchman(players=3)),
    (DUTCHMAN, Dutchman(players=4)),
    (DUTCHMAN, Dutchman(players=5, circles=0)),
    (DUTCHMAN, Dutchman(players=6, circles=5)),
]
QUICK = ("random", "greedy")
"""Quick players; slower ones have tests of their own."""
PLAYED = [
    pytest.param(game, options, name, id=f"{game.name}-{place}-{name}")
    for place, (game, options) in enumerate(TABLES)
    for name in QUICK
]


def decisions(game: AnyGame, options: Any, seed: int) -> Iterator[tuple[Any, Sequence[Any]]]:
    """Yield the states of a game in which a seat is to move, with the legal moves.

    Seats play well and badly by turns, so that all kinds of states are reached.
    """
    random = Random(seed)
    players = [player_named(game.name, name) for name in QUICK]
    state = game.start(options)
    while state.mover != OVER:
        if state.mover == CHANCE:
            state = game.play(state, game.chance(state).draw(random.randrange))
            continue
        moves = game.moves(state)
        yield state, moves
        choose = random.choice(players)
        state = game.play(state, choose(game.view(state, state.mover), moves, random))


def test_every_game_has_the_same_players() -> None:
    assert {players_of(game) for game in games()} == {
        ("random", "casual", "keen", "greedy", "steady", "strong", "expert")
    }


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(BadOptions, match=r"There is no computer player “Magnus”\. There are: random, casual, keen"):
        player_named("dutchman", "Magnus")


@pytest.mark.parametrize(("game", "options", "name"), PLAYED)
def test_players_keep_the_rules_and_decide_by_view_and_seed_alone(game: AnyGame, options: Any, name: str) -> None:
    choose = player_named(game.name, name)
    below = Random(17).randrange
    for seed in range(3):
        for state, moves in decisions(game, options, seed):
            view = game.view(state, state.mover)
            chosen = choose(view, moves, Random(seed))
            assert chosen in moves
            assert choose(view, moves, Random(seed)) == chosen
            other = game.imagine(view, below)
            assert choose(game.view(other, state.mover), game.moves(other), Random(seed)) == chosen


def test_greedy_beats_random_at_shanghaien() -> None:
    report = simulate(SHANGHAIEN, shanghaien.Options(), ["greedy", "random"], 30, 1)
    assert report.players[0].share > 0.9


@pytest.mark.parametrize("players", [3, 4, 6])
def test_greedy_beats_random_at_the_hollander(players: int) -> None:
    names = ["greedy"] + ["random"] * (players - 1)
    report = simulate(DUTCHMAN, Dutchman(players=players), names, 20, 1)
    assert report.players[0].share > 0.7


def test_greedy_does_not_go_bankrupt_against_random() -> None:
    bankrupt = 0

    def see(played: Any) -> None:
        nonlocal bankrupt
        bankrupt += not played.result.points[played.players.index(0)]

    simulate(DUTCHMAN, Dutchman(), ["greedy", "random", "random", "random"], 20, 2, on_game=see)
    assert bankrupt <= 1


# ----------------------------------------------------------------------------------------------- Shanghaien

NONE: Numbers = (0, 0, 0, 0, 0, 0)
NOBODY = Crew()


def tavern(
    row: str,
    *,
    mine: Numbers = NONE,
    theirs: Numbers = NONE,
    roll: tuple[int, int] | None = None,
    crew: Crew = NOBODY,
    other: Crew = NOBODY,
    rounds: int = ROUNDS,
) -> ShanghaienState:
    """Return a state in which seat 0 is to move; the cards are numbered from the left.

    Cards that are not in the row or a crew have left the game, in the last round; before that, they are still to
    come.
    """
    state = SHANGHAIEN.start(shanghaien.Options(starter=0))
    state = SHANGHAIEN.play(state, Row(tuple(row.split())))
    held = Counter([*row.split(), *crew.sailors, *crew.tricks, *other.sailors, *other.tricks])
    rest = tuple(sorted((Counter(state.to_come) + Counter(state.row) - held).elements()))
    return replace(
        state,
        step="place" if roll else "turn",
        placed=(mine, theirs),
        roll=roll,
        one_at="left",
        crews=(crew, other),
        round=rounds,
        to_come=rest if rounds < ROUNDS else (),
        gone=() if rounds < ROUNDS else rest,
    )


def greedy_captain(state: ShanghaienState) -> Move:
    choose = player_named("shanghaien", "greedy")
    move: Move = choose(SHANGHAIEN.view(state, 0), SHANGHAIEN.moves(state), Random(0))
    return move


def test_shanghai_when_leading_everywhere() -> None:
    state = tavern("A4 F4 G3 C3 D4 T3", mine=(1, 1, 1, 0, 1, 0), theirs=(0, 0, 0, 1, 0, 1))
    assert greedy_captain(state) == Shanghai()


def test_no_shanghai_that_loses_the_game() -> None:
    state = tavern("A4 F4 G3 C3 D4 T3", mine=(1, 1, 0, 0, 0, 0), theirs=(0, 0, 1, 1, 1, 0))
    assert greedy_captain(state) == Roll()


@pytest.mark.parametrize("rounds", [1, 4, ROUNDS])
def test_the_better_card_is_taken(rounds: int) -> None:
    assert greedy_captain(tavern("A1 F4 G3 C3 D4 T3", roll=(1, 2), rounds=rounds)) == Place(2)


def test_s11_a_monopoly_is_broken() -> None:
    """Check Americans that only the other has, worth 10: one sailor of them is worth more than a 4 of the French."""
    other = Crew(sailors=("A3", "A3", "A4"))
    assert greedy_captain(tavern("A1 F4 G3 C3 D4 T3", other=other, roll=(1, 2))) == Place(1)


def test_s7_the_end_is_chosen_for_the_roll() -> None:
    state = replace(tavern("A1 F1 nudge both reroll T4", roll=(1, 1)), one_at=None)
    assert greedy_captain(state) == Number("right")


def test_s8a_in_the_last_round_a_joker_is_laid_that_gains_more_than_its_point() -> None:
    crew = Crew(sailors=("A4",), tricks=("reroll",))
    state = tavern("F1 G1 C1 D1 T1 S1", mine=(1, 0, 0, 0, 0, 0), roll=(2, 2), crew=crew)
    assert greedy_captain(state) == Joker("reroll", "A")


def test_s8_a_trick_that_gains_nothing_is_kept_for_its_point() -> None:
    """Check a joker that would only raise the own sum of Americans, which is the higher one anyway (S11)."""
    crew = Crew(sailors=("A4",), tricks=("reroll",))
    other = Crew(sailors=("A1",))
    state = tavern("F1 G1 C1 D1 T1 S1", mine=(1, 2, 1, 1, 0, 0), roll=(2, 2), crew=crew, other=other)
    assert greedy_captain(state) == Place(2)


@given(st.integers(0, 15), st.integers(0, 15), st.lists(st.integers(1, 4), max_size=4).map(tuple))
def test_prospects_are_the_other_way_round_for_the_other(mine: int, theirs: int, to_come: tuple[int, ...]) -> None:
    assert prospect(mine, theirs, to_come) == pytest.approx(-prospect(theirs, mine, to_come))


# ------------------------------------------------------------------------------------------ der fliegende Holländer

HANDS: tuple[tuple[Colour, ...], ...] = (
    ("blue", "blue", "green"),
    ("yellow", "orange", "violet"),
    ("yellow", "orange", "violet"),
)
"""Hands in which only seat 0 has blue shares."""


def voyage(
    *, hands: tuple[tuple[Colour, ...], ...] = HANDS, racks: Sequence[Horseshoes] = (), **changes: Any
) -> DutchmanState:
    """Return a state of three players; seat 0 starts the first round with the lucky number 41 (or ``changes``)."""
    loose = list(shares_in_play(3))
    for hand in hands:
        for share in hand:
            loose.remove(share)
    horseshoes = list(HORSESHOES)
    for horseshoe in (horseshoe for rack in racks for horseshoe in rack):
        horseshoes.remove(horseshoe)
    horseshoes.sort()  # the rest are small silver ones
    dealt = [*racks, *[()] * (3 - len(racks))]
    full = []
    for rack in dealt:
        missing = 9 - len(rack)
        full.append(highest_first((*rack, *horseshoes[:missing])))
        del horseshoes[:missing]
    state = DUTCHMAN.start(Dutchman(players=3, starter=0))
    middle, out = highest_first(horseshoes[:3]), highest_first(horseshoes[3:])
    state = DUTCHMAN.play(state, Deal(hands, tuple(loose), tuple(full), middle, out))
    state = DUTCHMAN.play(state, DutchmanDice(40, 1))
    merchants = list(state.merchants)
    for seat, rack in enumerate(racks):
        # The rest of the rack goes to the middle, where no test looks for it.
        rest = Counter(full[seat]) - Counter(rack)
        gold, silver = split(rack)
        merchants[seat] = replace(merchants[seat], gold=gold, silver=silver)
        state = replace(state, middle_heap=state.middle_heap + heap_of(rest.elements()))
    return replace(state, merchants=tuple(merchants), **changes)


def with_seat(state: DutchmanState, seat: int, **changes: Any) -> DutchmanState:
    merchants = list(state.merchants)
    merchants[seat] = replace(merchants[seat], **changes)
    return replace(state, merchants=tuple(merchants))


def greedy_merchant(state: DutchmanState) -> Any:
    choose = player_named("dutchman", "greedy")
    return choose(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state), Random(0))


def steering_state(field: str, came_from: str, **changes: Any) -> DutchmanState:
    """Return a state in which seat 0 sails from a field."""
    return voyage(step="sail", queue=(0,), dutchman=field, came_from=came_from, **changes)


def test_h8_sails_to_a_ship_of_others() -> None:
    # From violet 1: green 1, Ceylon, orange 2 (from red 1). Blue and green are mine; with a high stone, orange hurts.
    state = steering_state("violet 1", "red 1", stones=(1, 5, 5, 9, 5, 5), counter=9)
    assert greedy_merchant(state) == Sail("orange 2")


def test_h8_does_not_ruin_itself() -> None:
    # From orange 2 (from violet 1): blue 1, Curaçao.
    state = with_seat(steering_state("orange 2", "violet 1", stones=(9, 8, 7, 6, 5, 4), counter=9), 0, cash=20)
    assert greedy_merchant(state) == Sail("Curaçao")


def test_h13_what_a_share_is_worth_with_no_ship_or_one_still_to_be_met() -> None:
    assert share_worth(5, 0) == CHESTS[5]
    assert share_worth(5, 1) == pytest.approx(5 / 6 * CHESTS[6] + 1 / 6 * (CHESTS[1] - CHESTS[5]))


def test_h12_shows_the_most_valuable_share() -> None:
    state = voyage(step="show", queue=(0,), dutchman="Ceylon", came_from="violet 1", stones=(2, 5, 8, 1, 1, 1))
    assert greedy_merchant(state) == Show("green")


def test_h6a_puts_back_the_shares_that_would_ruin_it() -> None:
    # From orange 2 (from violet 1): blue 1, Curaçao. Three blue ones at 9 cannot be paid with 20 ducats.
    hands: tuple[tuple[Colour, ...], ...] = (
        ("blue", "blue", "green"),
        ("orange", "orange", "violet"),
        ("yellow", "red", "violet"),
    )
    state = voyage(hands=hands, dutchman="orange 2", came_from="violet 1", stones=(9, 5, 5, 5, 9, 5), counter=9)
    state = with_seat(state, 0, cash=10)
    assert greedy_merchant(state) == Kontor()
    drawn = DUTCHMAN.play(state, Kontor())
    assert greedy_merchant(drawn) == Put(("blue", "blue"))


def test_h6_lays_no_horseshoes_where_nothing_is_to_be_won() -> None:
    """Check the Dutchman on blue 1 (from red 1): orange 2 and yellow 3 are equally good for seat 0."""
    state = voyage(
        hands=(("blue", "green", "red"), ("blue", "green", "red"), ("yellow", "orange", "violet")),
        racks=[(48, 35, 10, 1)],
        dutchman="blue 1",
        came_from="red 1",
    )
    assert not isinstance(greedy_merchant(state), Lay)


def test_h6c_alone_at_the_end_of_a_round_one_horseshoe_is_enough() -> None:
    """Check a lay after the others have passed: any lay steers."""
    state = voyage(
        racks=[(41, 30, 10, 1), (), ()],
        dutchman="orange 2",
        came_from="violet 1",
        stones=(10, 8, 7, 6, 5, 4),
        counter=10,
        order=(1, 2, 0),
        starter=1,
        actions=("pass", "pass"),
        queue=(0,),
        mover=0,
    )
    state = with_seat(with_seat(state, 0, cash=10, kontor=0, smith=0), 1, cash=40)
    chosen = greedy_merchant(state)
    assert isinstance(chosen, Lay)
    assert len(chosen.horseshoes) == 1


def test_h6c_what_is_at_stake_is_worth_a_good_lay() -> None:
    """Check that with ruin ahead and another lay, the lucky number is laid with the fewest horseshoes."""
    state = voyage(
        racks=[(41, 30, 10, 1), (45,), ()],
        dutchman="orange 2",
        came_from="violet 1",
        stones=(10, 8, 7, 6, 5, 4),
        counter=10,
    )
    state = with_seat(with_seat(state, 0, cash=10, kontor=0), 1, cash=40)
    assert greedy_merchant(state) == Lay((41,))


def bargaining(step: str, bargain: Bargain, **changes: Any) -> DutchmanState:
    """Return a state on orange 2, from violet 1, with blue 1 and Curaçao ahead. All three are tied."""
    return voyage(
        step=step,
        mover=0,
        queue=(0, *[seat for seat in bargain.tied if seat]),
        bargain=bargain,
        dutchman="orange 2",
        came_from="violet 1",
        **changes,
    )


@pytest.mark.parametrize("ducats", [0, 3])
def test_h9_accepts_what_only_gains(ducats: int) -> None:
    """Check Curaçao, which the seat named itself; the others named its ship, and now even pay."""
    proposal = Proposal(1, "Curaçao", (2 * ducats, -ducats, -ducats))
    bargain = Bargain((0, 1, 2), ("Curaçao", "blue 1", "blue 1"), asked=1, proposal=proposal, accepted=(2,))
    state = bargaining("answer", bargain, stones=(6, 5, 5, 5, 5, 5), counter=6)
    assert greedy_merchant(state) == Accept()


@pytest.mark.parametrize(
    ("ducats", "stone", "counter", "cash"),
    [
        pytest.param((-6, 3, 3), 6, 6, 25, id="what only loses"),
        pytest.param((5, -3, -2), 11, 9, 20, id="ruin for money"),
    ],
)
def test_h9_declines(ducats: tuple[int, ...], stone: int, counter: int, cash: int) -> None:
    bargain = Bargain(
        (0, 1, 2), ("Curaçao", "blue 1", "Curaçao"), 1, proposal=Proposal(1, "blue 1", ducats), accepted=(2,)
    )
    state = with_seat(bargaining("answer", bargain, stones=(stone, 5, 5, 5, 5, 5), counter=counter), 0, cash=cash)
    assert greedy_merchant(state) == Decline()


def test_h9_names_the_destination_that_is_good_for_it() -> None:
    state = bargaining("name", Bargain((0, 1, 2)), stones=(8, 5, 5, 5, 5, 5), counter=8)
    assert greedy_merchant(state) == Name("Curaçao")


def test_h9_pays_for_a_better_destination() -> None:
    """Check a tie of two, of whom the other named seat 0's ship.

    Curaçao is good for both against the third, and worth some ducats to seat 0.
    """
    bargain = Bargain((0, 1), ("Curaçao", "blue 1"), circle=2)
    state = bargaining("propose", bargain, stones=(6, 3, 3, 3, 3, 3), counter=6)
    chosen = greedy_merchant(state)
    assert isinstance(chosen, Propose)
    assert chosen.to == "Curaçao"
    assert chosen.ducats[0] < 0 < chosen.ducats[1]


def test_h9_withholds_where_no_agreement_can_be_better_for_all() -> None:
    """Check a tie of all, in which one's gain is the others' loss."""
    bargain = Bargain((0, 1, 2), ("Curaçao", "blue 1", "blue 1"))
    assert greedy_merchant(bargaining("propose", bargain, stones=(10, 2, 2, 2, 2, 2), counter=10)) == Withhold()


def test_h10_passes_in_a_deciding_round_that_is_not_worth_it() -> None:
    """Check the Dutchman on blue 1 (from red 1): orange 2 and yellow 3 are equally good for seat 0."""
    state = voyage(
        hands=(("blue", "green", "red"), ("blue", "green", "red"), ("yellow", "orange", "violet")),
        racks=[(48, 35, 10, 1), (47,)],
        step="again",
        queue=(0, 1),
        bargain=Bargain((0, 1), ("orange 2", "yellow 3")),
        dutchman="blue 1",
        came_from="red 1",
        stones=(3,) * 6,
        counter=3,
    )
    assert greedy_merchant(state) == Pass()


@settings(max_examples=scale_examples(150), deadline=None)
@given(st.permutations(HORSESHOES), st.integers(0, 8), st.sampled_from(range(21, 50, 2)))
def test_h7_worthwhile_lays_are_the_nearest_and_the_cheapest(box: list[int], count: int, lucky: int) -> None:
    """Compare with all possible lays: no lay is both as near and smaller."""
    rack = highest_first(box[:count])
    lays = worthwhile_lays(rack, lucky)
    gold, silver = split(rack)
    everything = [lay_number(number, gold, silver) for number in range(number_of_lays(gold, silver))]
    assert bool(lays) == bool(everything)
    for short, lay in lays:
        assert lay in everything
        assert lucky - reading(lay, lucky) <= short
    if everything:
        nearest = min(lucky - reading(lay, lucky) for lay in everything)
        if nearest <= 12:
            short, lay = lays[0]
            assert short == nearest
            assert len(lay) == min(len(other) for other in everything if lucky - reading(other, lucky) == nearest)
        assert len(lays[-1][1]) == 1
    assert all(sum(horseshoe > MOST_SILVER for horseshoe in lay) <= 1 for _, lay in lays)


def test_h11_shares_are_worth_less_where_they_may_still_be_met() -> None:
    for ships in range(1, 11):
        for stone in range(1, len(CHESTS)):
            assert share_worth(stone, ships) < CHESTS[min(stone + ships, len(CHESTS) - 1)]
