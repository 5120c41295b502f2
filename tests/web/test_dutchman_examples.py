"""Sample game on the rules page of Der fliegende Holländer: each number in its text is what the engine says."""
# ruff: noqa: N802  (tests bear the numbers of the rules)

from collections import Counter
from typing import Final, TypeVar

import pytest

from kontor.game import OVER
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.chance import DICE
from kontor.games.dutchman.rules.components import (
    CARDS,
    CASH,
    CHESTS,
    COLOURS,
    FEW,
    HORSESHOES,
    LAST_CHEST,
    RACK,
    SHARES,
    Colour,
    shares_in_play,
)
from kontor.games.dutchman.rules.play import worth
from kontor.games.dutchman.rules.state import (
    Agreed,
    Bankrupt,
    Deal,
    Decline,
    Dice,
    Earned,
    Paid,
    Propose,
    Put,
    Revealed,
    Sail,
    Sailed,
    Shared,
    Show,
    Undecided,
)
from kontor.games.dutchman.web import teaching
from kontor.games.dutchman.web.pictures import SCENES, moment
from kontor.games.dutchman.web.rulebook import BOOK
from kontor.games.dutchman.web.sample_game import ANNA, BERND, CARLA, DORA, EMIL, FRITZ, NAMES, sample_game
from kontor.web.rulebook import Callout, Grid
from kontor.words import Words
from web.rulebook_texts import every_sentence, numbers, sentences

PARTS: Final = {part.name: part for part in (*teaching.EXAMPLES, *teaching.HERE)}
LANGUAGES: Final = ("de", "fr", "it", "ja")
Kind = TypeVar("Kind")

# ----------------------------------------------------------------------------------------- numbers in the texts


def numbers_of(name: str) -> list[list[int]]:
    """Return the numbers of each sentence of an example that has some, its heading first."""
    return [
        in_sentence for in_sentence in map(numbers, (PARTS[name].title, *sentences(PARTS[name].body))) if in_sentence
    ]


# ---------------------------------------------------------------------------------------- happenings and actions


def happenings_of(round_number: int, kind: type[Kind]) -> list[Kind]:
    return [
        happening
        for each in sample_game()
        for happening in each.state.happened
        if isinstance(happening, kind) and each.steps[-1][0].round == round_number
    ]


def moves(round_number: int, kind: type[Kind]) -> list[Kind]:
    """Return the actions of one kind in a round of the sample game."""
    done = [each.steps[-1] for each in sample_game()]
    return [action for before, action, _ in done if before.round == round_number and isinstance(action, kind)]


def cash(state: State) -> list[int]:
    return [merchant.cash for merchant in state.merchants]


def value(state: State, colour: Colour) -> int:
    return CHESTS[state.stones[COLOURS.index(colour)]]


def shares_held(state: State, seat: int, colour: Colour) -> int:
    return state.merchants[seat].shares.count(colour)


# ------------------------------------------------------------------------------------------------- the sample game


def test_the_sample_game_is_played_by_the_rules() -> None:
    """Check that every action is legal, and every outcome possible."""
    steps = [each.steps[-1] for each in sample_game()]
    for before, action, _ in steps:
        if before.mover < 0:
            assert action in DUTCHMAN.chance(before)
        else:
            assert action in DUTCHMAN.moves(before)
    assert sample_game()[-1].state.mover == OVER


def test_every_scene_is_a_position_of_it() -> None:
    states = [each.state for each in sample_game()]
    for name, (_, step, _, seat, chosen) in SCENES.items():
        state = moment(name).state
        assert state in states
        assert state.step == step
        assert not chosen or state.mover == seat


def test_H13_the_tenth_ship_ends_it() -> None:
    met = [happening for each in sample_game() for happening in each.state.happened if isinstance(happening, Paid)]
    assert len(met) == LAST_CHEST - 1 == 10
    assert "red" not in {paid.colour for paid in met}


# ------------------------------------------------------------------------------------------------ the idea, a round


def test_H6_three_cards_of_each_kind_and_no_more() -> None:
    (callout,) = (part for part in teaching.ABOUT if isinstance(part, Callout))
    assert CARDS == 3
    assert callout.callout.count("three") == 2
    assert SHARES == 3
    about = [in_sentence for in_sentence in map(numbers, sentences(teaching.ABOUT)) if in_sentence]
    assert about == [[CHESTS[1]]]


def test_H5_the_lucky_number_is_odd_from_21_to_49() -> None:
    sums = sorted(dice.tens + dice.ones for dice, _ in DICE.outcomes())
    assert numbers(teaching.STEPS[0].text) == [sums[0], sums[-1]]
    assert all(number % 2 for number in sums)
    assert FEW == 5


# ----------------------------------------------------------------------------------------------------- the examples


def test_H4_the_set_up_for_three_to_six() -> None:
    (table,) = (part for part in PARTS["example-start"].body if isinstance(part, Grid))
    for players, row in zip(range(3, 7), table.rows, strict=True):
        state = DUTCHMAN.start(Options(players=players, starter=0))
        (deal,) = (outcome for outcome in [DUTCHMAN.chance(state).draw(lambda n: n - 1)] if isinstance(outcome, Deal))
        every = shares_in_play(players)
        assert [*map(int, row)] == [players, every.count("red"), len(every), len(deal.pile), len(deal.middle)]
        assert {len(rack) for rack in deal.racks} == {RACK}
        assert {len(hand) for hand in deal.hands} == {SHARES}
    assert numbers(PARTS["example-start"].body[0]) == [CASH]  # type: ignore[arg-type]
    anna = moment("own").state.merchants[ANNA]
    assert (len(anna.gold), len(anna.silver.horseshoes), anna.cash) == (4, 5, CASH)
    assert anna.shares == ("blue", "blue", "red")


def test_H5_to_H10_the_round_of_31() -> None:
    state = moment("chart-31").state
    (dice,) = moves(7, Dice)
    first, again = happenings_of(7, Revealed)
    (shared,) = happenings_of(7, Shared)
    assert (state.round, value(state, "blue"), len([*happenings_of(1, Paid)])) == (7, 7, 1)
    assert sum(len(happenings_of(one, Paid)) for one in range(1, 7)) == 5
    assert {sail.to for sail in DUTCHMAN.moves(moment("steering").state) if isinstance(sail, Sail)} == {
        "blue 3",
        "Mauritius",
    }
    assert (state.dutchman, state.came_from) == ("violet 3", "green 2")
    assert shares_held(state, ANNA, "blue") == 2
    assert moves(7, Put) == [Put(("blue", "blue"))]
    assert moment("chosen").state.merchants[ANNA].shares == ("green", "red", "red")
    assert (shared.smiths, shared.each, shared.left) == ((BERND, CARLA), 2, 0)
    assert first.nearest == (EMIL, FRITZ)
    assert again.nearest == (EMIL,)
    (offer,) = moves(7, Propose)
    assert (offer.to, offer.ducats, len(moves(7, Decline))) == ("Mauritius", (5, -5), 1)
    assert len(happenings_of(7, Undecided)) == 1
    rows = [[[*lay.horseshoes], lay.reading] for lay in (*first.lays, *again.lays)]
    dora, emil, fritz, emil_again, fritz_again = rows
    assert numbers_of("example-round") == [
        [state.lucky],
        [7, dice.tens, dice.ones, state.lucky],
        [*dora[0], dora[1], *emil[0], *fritz[0], fritz[1]],  # type: ignore[misc]
        [*dora[0], *emil[0], *fritz[0]],  # type: ignore[misc]
        [5, state.lucky, *emil_again[0], emil_again[1], *fritz_again[0]],  # type: ignore[misc]
        [*emil_again[0], *fritz_again[0]],  # type: ignore[misc]
    ]
    assert [row[1] for row in rows] == [30, 31, 31, 29, 27]


def test_H11_what_the_blue_ship_costs() -> None:
    (paid,) = happenings_of(7, Paid)
    before, after = moment("again").state, moment("ship").state
    assert (paid.colour, paid.value) == ("blue", 7)
    assert paid.paid == (0, 0, 0, 7, 0, 14)
    assert paid.shares == (0, 0, 0, 1, 0, 2)
    would_be = shares_held(moment("chart-31").state, ANNA, "blue") * paid.value
    climbed = [(value(before, colour), value(after, colour)) for colour in ("red", "yellow", "blue")]
    assert climbed == [(7, 9), (7, 9), (7, 2)]
    assert numbers_of("example-ship") == [
        [7],
        [7, paid.paid[DORA], paid.paid[FRITZ], would_be],
        [paid.paid[DORA], paid.paid[FRITZ]],
        [2, 7, 9],
        [7],
        [2, 9],
    ]


def test_H9_the_bargain_that_is_paid() -> None:
    (revealed,) = happenings_of(8, Revealed)
    (agreed,) = happenings_of(8, Agreed)
    (paid,) = happenings_of(8, Paid)
    before, after = moment("proposed").state, moment("agreed").state
    assert before.lucky == 45
    assert revealed.nearest == (CARLA, DORA) == agreed.tied
    lays = {lay.seat: [*lay.horseshoes] for lay in revealed.lays}
    assert agreed.ducats == (-6, 6)
    assert (
        shares_held(before, CARLA, "orange"),
        shares_held(before, CARLA, "red"),
        shares_held(before, DORA, "orange"),
    ) == (0, 2, 1)
    rises = [value(before, "red"), value(after, "red")]
    assert numbers_of("example-bargain") == [[45, *lays[CARLA], *lays[DORA], *rises, paid.paid[DORA]], [6, 6], [6]]
    assert cash(after)[DORA] - cash(before)[DORA] == 1
    assert [type(happening) for happening in after.happened] == [Agreed, Sailed, Paid]


def test_H12_what_holland_brings() -> None:
    (earned,) = happenings_of(9, Earned)
    before, after = moment("showing").state, moment("island").state
    assert (before.round, before.dutchman, earned.seat) == (9, "Holland", CARLA)
    assert moves(9, Show) == [Show("red")]
    assert max(value(before, colour) for colour in COLOURS) == value(before, "red") == earned.ducats
    assert numbers_of("example-island") == [[11], [earned.ducats], [earned.ducats]]
    assert before.stones == after.stones
    assert before.merchants[CARLA].shares == after.merchants[CARLA].shares == ("red", "red", "violet")
    assert after.merchants[CARLA].at_least[COLOURS.index("red")] == 1


def test_H11_bernd_is_bankrupt() -> None:
    (paid,) = happenings_of(10, Paid)
    assert happenings_of(10, Bankrupt) == [Bankrupt((BERND,))]
    before, after = moment("bankrupt").steps[-1][0], moment("bankrupt").state
    assert before.merchants[BERND].shares == ("yellow", "yellow", "green")
    owed = paid.shares[BERND] * paid.value
    assert numbers_of("example-bankrupt") == [
        [paid.value, owed, cash(before)[BERND], paid.paid[BERND]],
        [paid.paid[BERND]],
    ]
    assert (owed, paid.paid[BERND]) == (22, 19)
    assert Counter(after.pile) - Counter(before.pile) == Counter({"yellow": 2, "green": 1})


def test_H13_the_totals() -> None:
    state = moment("end").state
    result = DUTCHMAN.result(state)
    assert result
    carla = state.merchants[CARLA]
    assert (state.round, result.winners) == (12, (CARLA,))
    assert CHESTS[state.counter] == value(state, "red") == 18
    assert carla.cash + worth(carla.shares, state.stones) == result.points[CARLA]
    (story, *totals) = numbers_of("example-end")
    assert story == [18, carla.cash, value(state, "red"), value(state, "violet"), result.points[CARLA],
                     result.points[ANNA], 11]  # fmt: skip
    order = (CARLA, ANNA, EMIL, FRITZ, DORA)
    assert totals == [[result.points[seat] for seat in order]]
    assert state.merchants[BERND].bankrupt
    assert 0 < result.points[CARLA] - result.points[ANNA] < 11


def test_H9_what_carla_proposes_and_H8_where_emil_can_go() -> None:
    scene = SCENES["proposing"]
    assert scene[4] == {"to": "orange 3", "ducats1": "6"}
    assert numbers_of("here-bargain") == [[6, 6]]
    assert numbers_of("here-laying") == [[20, 10], [20, 10]]
    assert {20, 10} <= {*moment("laying").state.merchants[DORA].rack}


def test_H14_what_everyone_knows_after_the_blue_ship() -> None:
    state = moment("ship").state
    blue = COLOURS.index("blue")
    ranges = [(merchant.at_least[blue], merchant.at_most[blue]) for merchant in state.merchants]
    assert (ranges[DORA], ranges[FRITZ]) == ((1, 1), (2, 2))


def test_H1_the_signs_of_horseshoes() -> None:
    (shoes,) = (signs for signs in teaching.SIGNS if signs.title == "Horseshoes")
    golden, silver, _ = shoes.signs
    assert numbers(golden.text) == [min(n for n in HORSESHOES if n > 20), max(HORSESHOES)]
    assert numbers(silver.text) == sorted({n for n in HORSESHOES if n <= 20})


# ------------------------------------------------------------------------------------------------- in every language


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_the_same_in_every_language(language: str) -> None:
    """Compare the numbers. In Japanese there may be more, because counted things have figures too."""
    words = Words(language)
    for sentence in every_sentence(BOOK):
        translation = words.say(sentence)
        if language == "ja":
            assert Counter(numbers(sentence)) <= Counter(numbers(translation)), translation
        else:
            assert numbers(translation) == numbers(sentence), translation


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_merchants_are_told_of_in_every_language(language: str) -> None:
    words = Words(language)
    for sentence in every_sentence(BOOK):
        translation = words.say(sentence)
        assert {name for name in NAMES if name in sentence} == {name for name in NAMES if name in translation}, (
            translation
        )


def test_each_example_cites_its_rules_in_their_order() -> None:
    for part in PARTS.values():
        places = [BOOK.numbers.index(rule) for rule in part.rules]
        assert places == sorted(places)
        assert places
