"""H1 to H5: components, chests, chart, set-up, and how a round begins.

More of H3 is in ``test_chart``.
"""

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dutchman.rules.situations import EVERY_TABLE, LOTTERY
from dutchman.table import (
    ANNE,
    ANYBODY,
    HELGA,
    KARIN,
    NAMES,
    Seat,
    all_draws,
    deal,
    deal_game,
    go,
    position,
    refused_by,
    results,
    start,
    values,
    whose,
)
from kontor.game import OVER, BadOptions
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.chance import DICE, Dealing, starting
from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, HORSESHOES
from kontor.games.dutchman.rules.state import Dice, Shuffle, Starter


def test_H1_sixty_horseshoes() -> None:
    assert len(HORSESHOES) == 60
    assert Counter(HORSESHOES) == Counter({**dict.fromkeys(range(21, 49), 1), 1: 13, 2: 3, 10: 13, 20: 3})


def test_H1_twenty_eight_are_golden_and_thirty_two_silver() -> None:
    golden = [shoe for shoe in HORSESHOES if shoe > 20]
    assert sorted(golden) == list(range(21, 49))
    assert len(golden) == 28
    assert len(HORSESHOES) - len(golden) == 32


def test_H1_two_dice_with_exact_probabilities() -> None:
    faces = Counter((tens, ones) for tens in (20, 20, 30, 30, 40, 40) for ones in (1, 3, 5, 5, 7, 9))
    outcomes = DUTCHMAN.chance(deal_game(ANYBODY, ANYBODY, ANYBODY)).outcomes()
    assert outcomes is not None
    assert dict(outcomes) == {Dice(*face): Fraction(count, 36) for face, count in faces.items()}
    assert len(outcomes) == 15
    assert sum(chance for _, chance in outcomes) == 1
    assert dict(outcomes) == all_draws(DICE)


def test_H1_the_lucky_number_is_odd_from_21_to_49() -> None:
    before = deal_game(ANYBODY, ANYBODY, ANYBODY)
    chances: dict[int, Fraction] = {}
    for dice, chance in DUTCHMAN.chance(before).outcomes() or ():
        lucky = DUTCHMAN.play(before, dice).lucky
        assert lucky is not None
        chances[lucky] = chances.get(lucky, Fraction(0)) + chance
    assert set(chances) == set(range(21, 50, 2))
    for lucky, chance in chances.items():
        assert chance == (Fraction(1, 9) if lucky % 10 == 5 else Fraction(1, 18)), lucky


@pytest.mark.parametrize("dice", [Dice(20, 2), Dice(10, 1), Dice(50, 1), Dice(1, 20), Starter(0), 31])
def test_H1_no_other_numbers_are_on_the_dice(dice: Any) -> None:
    before = deal_game(ANYBODY, ANYBODY, ANYBODY)
    assert DICE.probability(dice) == 0
    assert dice not in DUTCHMAN.chance(before)
    assert refused_by(before, dice) == "H5"


def test_H1_thirty_shares_five_in_each_of_six_colours() -> None:
    assert COLOURS == ("blue", "yellow", "green", "orange", "red", "violet")
    dealt_out = deal(*[ANYBODY] * 6)
    shares = Counter(share for part in (*dealt_out.hands, dealt_out.pile) for share in part)
    assert shares == Counter(dict.fromkeys(COLOURS, 5))


def test_H1_eighteen_Kontor_cards_and_eighteen_Smith_cards() -> None:
    merchants = deal_game(*[ANYBODY] * 6).merchants
    assert sum(merchant.kontor for merchant in merchants) == 18
    assert sum(merchant.smith for merchant in merchants) == 18


def test_H2_one_chest_without_a_number_then_2_to_18() -> None:
    assert CHESTS == (0, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 18)


def test_H2_ten_advances_end_the_game() -> None:
    """Sail from ship to ship in a circle. Nobody lays, so they roll for it."""
    state = position(*[Seat(cash=200)] * 3, dutchman="violet 1", lucky=None)
    seen = [CHESTS[state.counter]]
    for to in ("red 1", "blue 1", "orange 2", "violet 1", "red 1", "blue 1", "orange 2", "violet 1", "red 1"):
        state = go(state, f"dice 30 + 1 / passes / passes / passes / {LOTTERY} / sails to {to}")
        seen.append(CHESTS[state.counter])
        assert whose(state) == "chance: lucky"
    state = go(state, f"dice 30 + 1 / passes / passes / passes / {LOTTERY} / sails to blue 1")
    seen.append(CHESTS[state.counter])
    assert state.mover == OVER
    assert seen == [2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 18]
    assert len(seen) == 1 + 10


def test_H3_the_Dutchman_starts_on_Holland_which_is_an_island() -> None:
    state = start()
    assert state.dutchman == "Holland"
    assert state.sea.ship["Holland"] is None


def test_H3_ruling_ours_is_played_unless_another_is_given() -> None:
    assert Options().chart == OURS


@EVERY_TABLE
def test_H4_of_each_colour_one_share_fewer_than_players(players: int) -> None:
    state = deal_game(*[ANYBODY] * players)
    shares = Counter((*state.pile, *(share for merchant in state.merchants for share in merchant.shares)))
    assert shares == Counter(dict.fromkeys(COLOURS, players - 1))


@EVERY_TABLE
def test_H4_three_shares_each_and_the_rest_is_the_Kontor_pile(players: int) -> None:
    state = deal_game(*[ANYBODY] * players)
    assert [len(merchant.shares) for merchant in state.merchants] == [3] * players
    assert len(state.pile) == 3 * players - 6
    assert len(state.pile) == {3: 3, 4: 6, 5: 9, 6: 12}[players]


@EVERY_TABLE
def test_H4_each_gets_25_ducats_three_cards_of_each_kind_and_nine_horseshoes(players: int) -> None:
    for merchant in deal_game(*[ANYBODY] * players).merchants:
        assert (merchant.cash, merchant.kontor, merchant.smith, len(merchant.rack)) == (25, 3, 3, 9)
        assert merchant.lay is None


@EVERY_TABLE
def test_H4_a_horseshoe_for_each_player_in_the_middle_and_the_others_are_out(players: int) -> None:
    state = deal_game(*[ANYBODY] * players)
    assert len(state.middle) == players
    assert len(state.out) == {3: 30, 4: 20, 5: 10, 6: 0}[players]
    everywhere = (state.middle, state.out, *(merchant.rack for merchant in state.merchants))
    assert Counter(shoe for part in everywhere for shoe in part) == Counter(HORSESHOES)


@EVERY_TABLE
def test_H4_stones_and_counter_on_2_and_the_Dutchman_on_Holland(players: int) -> None:
    state = deal_game(*[ANYBODY] * players)
    assert values(state) == dict.fromkeys(COLOURS, 2)
    assert CHESTS[state.counter] == 2
    assert (state.dutchman, state.came_from) == ("Holland", None)


@EVERY_TABLE
def test_H4_everybody_gets_what_was_dealt_to_them(players: int) -> None:
    before = start(players)
    outcome = DUTCHMAN.chance(before).draw(Random(players).randrange)
    state = DUTCHMAN.play(before, outcome)
    assert tuple(merchant.shares for merchant in state.merchants) == outcome.hands
    assert tuple(merchant.rack for merchant in state.merchants) == outcome.racks
    assert (state.pile, state.middle, state.out) == (outcome.pile, outcome.middle, outcome.out)


def test_H4_every_place_of_the_deal_gets_every_share_equally_often() -> None:
    """Check 6000 deals of four players: 18 shares, three of each colour.

    Each place has one colour in a sixth of the deals, give or take (the standard deviation is 29).
    """
    random = Random(4)
    dealing = Dealing(4)
    first: Counter[str] = Counter()
    top: Counter[str] = Counter()
    for _ in range(6000):
        drawn = dealing.draw(random.randrange)
        first[drawn.hands[0][random.randrange(3)]] += 1
        top[drawn.pile[0]] += 1
    for counts in (first, top):
        assert all(850 < counts[colour] < 1150 for colour in COLOURS), counts


@EVERY_TABLE
def test_H5_the_first_starter_is_random(players: int) -> None:
    before = start(players, starter=None)
    assert whose(before) == "chance: starter"
    outcomes = DUTCHMAN.chance(before).outcomes()
    assert outcomes == tuple((Starter(seat), Fraction(1, players)) for seat in range(players))
    assert dict(outcomes) == all_draws(starting(players))
    for seat in range(players):
        state = go(before, f"{NAMES[seat]} starts")
        assert (state.starter, whose(state)) == (seat, "chance: deal")
    for seat in (-1, players):
        assert refused_by(before, Starter(seat)) == "H5"


def test_H5_or_a_named_seat() -> None:
    before = start(4, starter=ANNE)
    assert (before.starter, whose(before)) == (ANNE, "chance: deal")
    assert refused_by(before, "Anne starts") == "H4"  # nothing is drawn
    state = DUTCHMAN.play(before, deal(*[ANYBODY] * 4))
    assert whose(go(state, "dice 30 + 1")) == "Anne: action"


def test_H5_the_sum_of_both_dice_is_the_lucky_number() -> None:
    state = deal_game(ANYBODY, ANYBODY, ANYBODY)
    assert state.lucky is None
    assert go(state, "dice 40 + 3").lucky == 43
    assert go(state, "dice 20 + 9").lucky == 29


def test_H5_then_the_next_to_the_left_starts() -> None:
    state = position(ANYBODY, ANYBODY, ANYBODY, starter=HELGA)
    for starter, after in ((HELGA, ANNE), (ANNE, KARIN), (KARIN, HELGA)):
        assert whose(state) == f"{NAMES[starter]}: action"
        state = go(state, f"passes / passes / passes / {LOTTERY}")
        assert whose(state) == f"{NAMES[starter]}: sail"
        state = DUTCHMAN.play(state, next(move for move in DUTCHMAN.moves(state)))
        while state.step == "show":
            state = go(state, "shows nothing")
        assert (state.starter, whose(state)) == (after, "chance: lucky")
        state = go(state, "dice 30 + 1")


def test_H5_bankrupt_players_are_passed_over() -> None:
    state = position(Seat(), Seat(bankrupt=1), Seat(bankrupt=1), Seat(), Seat())
    state = go(state, f"Karin passes / Karl passes / Klaus passes / {LOTTERY} / Karin sails to red 1")
    assert whose(go(state, "dice 30 + 1")) == "Karl: action"


def test_H5_also_a_starter_who_has_just_gone_bankrupt_hands_on_to_the_left() -> None:
    state = position(Seat(shares="red red", cash=1), Seat(), Seat(bankrupt=1), Seat())
    state = go(state, f"Karin passes / Helga passes / Karl passes / {LOTTERY} / Karin sails to red 1")
    assert results(state)[-1] == "bankrupt: Karin"
    state = DUTCHMAN.play(state, Shuffle(state.pile))
    assert state.starter == HELGA


@pytest.mark.parametrize("players", [-1, 0, 1, 2, 7, 60])
def test_H4_three_to_six_players(players: int) -> None:
    with pytest.raises(BadOptions, match=rf"for 3 to 6 players, not {players}\. \(H4\)$"):
        DUTCHMAN.start(Options(players=players))


@pytest.mark.parametrize(("players", "starter"), [(3, 3), (3, -1), (6, 6), (4, 5)])
def test_H5_a_starter_who_does_not_play_is_refused(players: int, starter: int) -> None:
    with pytest.raises(BadOptions, match=rf"must be seat 1 to {players}, not {starter + 1}\. \(H5\)$"):
        start(players, starter=starter)


def test_H3_a_broken_chart_is_refused_as_an_option() -> None:
    with pytest.raises(BadOptions, match=r"\(H3\)$"):
        start(chart=replace(OURS, holland="Atlantis"))


@pytest.mark.parametrize("written", ['{"players":3,"circle":1}', '{"chart":{"name":"x"}}', '{"players":"three"}'])
def test_unknown_options_are_refused(written: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=Options)


@EVERY_TABLE
def test_as_many_seats_as_players(players: int) -> None:
    assert DUTCHMAN.seats(Options(players=players)) == players
    assert len(start(players).merchants) == players
