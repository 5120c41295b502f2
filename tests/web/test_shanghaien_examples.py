"""Worked examples on the rules page of Shanghaien: every number in them is what the rules engine says."""
# ruff: noqa: N802  (tests bear the numbers of the rules)

import re
from collections import Counter
from typing import Final

import pytest

from kontor.game import OVER
from kontor.games.shanghaien.rules import SHANGHAIEN, State
from kontor.games.shanghaien.rules.components import NATIONS, Nation, nation_of, value_of
from kontor.games.shanghaien.rules.scoring import comparisons, totals
from kontor.games.shanghaien.rules.state import Award, Place, Roll, Shanghai
from kontor.games.shanghaien.web import examples
from kontor.games.shanghaien.web.examples import ANNA, BERND
from kontor.games.shanghaien.web.pictures import pictures
from kontor.games.shanghaien.web.rulebook import BOOK
from kontor.games.shanghaien.web.teaching import ABOUT, EXAMPLES, HERE, SIGNS, STEPS
from kontor.web.rulebook import Figure, Grid, Points
from kontor.words import Words
from web import rulebook_texts

PARTS: Final = {part.name: part for part in (*EXAMPLES, *HERE)}
LANGUAGES: Final = ("de", "fr", "it", "ja")
GERMAN, TURKISH, CHINESE = 5, 1, 6
"""Card numbers of these nations in the row of the examples about tricks."""


# ----------------------------------------------------------------------------------------- numbers in the texts


def paragraphs(name: str) -> list[str]:
    """Return the texts of an example, without those of its pictures."""
    return [part for part in PARTS[name].body if isinstance(part, str)]


def figures(name: str) -> list[Figure]:
    """Return the pictures of an example."""
    return [part for part in PARTS[name].body if isinstance(part, Figure)]


def numbers(sentence: str) -> list[int]:
    """Return the numbers in a sentence, without the name ±1 of the trick that changes a die."""
    return rulebook_texts.numbers(sentence, but="±1")


def award(state: State, number: int) -> Award:
    """Return the award of the card with this number in the round that is over."""
    return state.awards[number - 1]


def strengths(state: State, nation: Nation) -> tuple[int, int]:
    return state.crews[ANNA].strength(nation), state.crews[BERND].strength(nation)


def points_of(state: State, nation: Nation) -> tuple[int, int]:
    return next(row.points for row in comparisons(state.crews) if row.nation == nation)


def dice(state: State, seat: int) -> list[int]:
    return [number for number, count in enumerate(state.placed[seat], 1) for _ in range(count)]


# ----------------------------------------------------------------------------------------- S7: where the 1 is


def test_S7_the_same_roll_goes_to_other_cards_from_the_other_end() -> None:
    state = examples.numbering()
    assert state.roll == (1, 2)
    assert state.one_at is None
    assert not any(dice(state, seat) for seat in (ANNA, BERND))
    first, _ = paragraphs("numbering")
    assert numbers(first) == [*state.roll, 1]
    left, right = figures("numbering")
    assert numbers(left.caption) == [1, *(value_of(state.row[die - 1]) for die in state.roll)]
    assert numbers(right.caption) == [1, *(value_of(state.row[6 - die]) for die in state.roll)]
    assert [nation_of(state.row[at]) for at in (0, 1, 5, 4)] == ["S", "A", "G", "I"]


# ------------------------------------------------------------------------------------- S9: who gets which card


def test_S9_the_deal_out_of_the_old_rulebook_card_by_card() -> None:
    state = examples.dealt()
    (table,) = (part for part in PARTS["deal-out"].body if isinstance(part, Grid))
    takers = {ANNA: "Anna", BERND: "Bernd", None: "nobody"}
    for (number, on_it, beside, taker), given in zip(table.rows, state.awards, strict=True):
        assert given is award(state, int(number))
        assert tuple(numbers(on_it)) == given.dice
        assert taker == takers[given.taker]
        sums = tuple(sum(numbers(side)) for side in beside.split(":")) if ":" in beside else None
        assert sums == given.pips
    placed, neighbours = paragraphs("deal-out")
    both = [[n for n, given in enumerate(state.awards, 1) for _ in range(given.dice[seat])] for seat in (ANNA, BERND)]
    assert numbers(placed) == [*both[ANNA], *both[BERND]]
    assert award(state, 3).pips == (4, 4)
    assert award(state, 6).pips == (0, 5)
    assert numbers(neighbours) == [3, 2, 4, 2, 4, 4, 4, 6, 5, 5]


# ------------------------------------------------------------------------------------ S8: each trick, both ways


def test_S11_the_position_before_the_tricks() -> None:
    state = examples.before_tricks()
    story, _ = paragraphs("tricks")
    (figure,) = figures("tricks")
    sailors = [value_of(card) for seat in (ANNA, BERND) for card in sorted(state.crews[seat].sailors)]
    assert sorted(sailors) == sorted(numbers(story)[1:6])
    assert state.crews[ANNA].tricks == ("both", "nudge", "reroll")
    assert (strengths(state, "S"), strengths(state, "T")) == ((3, 4), (1, 7))
    anna, bernd = totals(state.crews)
    assert numbers(story)[0] == state.round
    assert numbers(story)[6:] == [anna, bernd, points_of(state, "S")[BERND], points_of(state, "T")[BERND]]
    rows = [value_of(card) for card in state.row]
    assert numbers(figure.shows) == [*rows, *dice(state, ANNA), *dice(state, BERND)]
    assert [nation_of(card) for card in state.row] == ["T", "F", "A", "I", "G", "C"]
    assert (state.turn, SHANGHAIEN.moves(state)) == (ANNA, (Roll(), Shanghai()))
    given = award(SHANGHAIEN.play(state, Shanghai()), GERMAN)
    assert (given.dice, given.pips, given.taker) == ((1, 1), (0, 6), BERND)
    assert numbers(figure.caption) == [value_of(given.card), 6]


def test_S8b_nudge_both_ways() -> None:
    helps, hurts = examples.tricks()["nudge-helps"], examples.tricks()["nudge-hurts"]
    good, bad = paragraphs("nudge")
    won = award(helps.after, GERMAN)
    assert (won.dice, won.taker) == ((2, 1), ANNA)
    assert numbers(good) == [2, 4, 4, 5, value_of(won.card), *helps.points[0], 4, *helps.points[1]]
    won = award(hurts.after, TURKISH)
    assert (won.dice, won.taker) == ((1, 0), ANNA)
    anna, bernd = strengths(hurts.after, "T")
    before = points_of(examples.before_tricks(), "T")[BERND]
    scores = points_of(hurts.after, "T")[BERND]
    assert numbers(bad) == [2, 1, value_of(won.card), anna, bernd, scores, before, *hurts.points[0]]
    assert award(hurts.after, GERMAN).taker == BERND


def test_S8c_both_at_the_right_time() -> None:
    helps = examples.tricks()["both-helps"]
    good, _ = paragraphs("both")
    german, chinese = award(helps.after, GERMAN), award(helps.after, CHINESE)
    assert (german.dice, german.taker) == ((2, 1), ANNA)
    assert (chinese.dice, chinese.pips, chinese.taker) == ((1, 1), (10, 5), ANNA)
    assert numbers(good) == [5, 6, 5, 6, 5, 5, 10, 5, *helps.points[0], 5, *helps.points[1]]


def test_S5_S8c_both_too_early_leaves_one_die_and_no_roll() -> None:
    stuck = examples.must_call()
    free = examples._play_actions(examples._one_die_later(), Place(5), *examples._double(5))  # without the trick
    _, bad = paragraphs("both")
    assert SHANGHAIEN.moves(stuck) == (Shanghai(),)
    assert 6 - len(dice(stuck, ANNA)) == 1
    assert SHANGHAIEN.moves(free) == (Roll(), Shanghai())
    before = examples.before_tricks()
    assert Counter(dice(stuck, ANNA)) - Counter(dice(before, ANNA)) == Counter([2, 4, 5])
    assert Counter(dice(stuck, BERND)) - Counter(dice(before, BERND)) == Counter([6, 5])
    hurts = examples.tricks()["both-hurts"]
    german = award(hurts.after, GERMAN)
    assert (german.dice, german.pips, german.taker) == ((2, 2), (4, 12), BERND)
    assert numbers(bad) == [2, 6, 4, 5, 5, 5, 6, 6, 12, 4, *hurts.points[0], 5]


def test_S8d_reroll_both_ways() -> None:
    helps, hurts = examples.tricks()["reroll-helps"], examples.tricks()["reroll-hurts"]
    good, bad = paragraphs("reroll")
    assert award(helps.after, GERMAN).taker == ANNA
    assert award(helps.without, 3).taker == ANNA
    assert numbers(good) == [1, 3, 1, 2, 3, 2, 5, 5, 4, *helps.points[0], 3, *helps.points[1]]
    assert award(hurts.after, TURKISH).taker == ANNA
    assert numbers(bad) == [2, 4, 1, 1, 1, 2, *hurts.points[0], 4, *hurts.points[1]]


def test_S8a_a_joker_both_ways() -> None:
    before = examples.before_tricks()
    good, bad = paragraphs("joker")
    spaniards, turks = examples.joined("S"), examples.joined("T")
    was, (anna, bernd) = strengths(before, "S")[ANNA], strengths(spaniards, "S")
    assert points_of(spaniards, "S") == (4, 0)
    assert numbers(good) == [was, anna, bernd, 4, *totals(spaniards.crews), *totals(before.crews)]
    was, (anna, bernd) = strengths(before, "T")[ANNA], strengths(turks, "T")
    assert points_of(turks, "T") == (0, 3)
    assert numbers(bad) == [was, anna, bernd, 3, points_of(before, "T")[BERND], *totals(turks.crews)]
    assert len(turks.crews[ANNA].tricks) == len(before.crews[ANNA].tricks) - 1


def test_S11_a_sailor_for_the_crew_that_stays_weaker_only_helps_the_other() -> None:
    """Check the sentence at the beginning of the page; the Turks of the examples are such a crew."""
    before, after = examples.before_tricks(), examples.tricks()["nudge-hurts"].after
    assert strengths(before, "T")[ANNA] < strengths(after, "T")[ANNA] < strengths(after, "T")[BERND]
    assert points_of(after, "T")[ANNA] == points_of(before, "T")[ANNA] == 0
    assert points_of(after, "T")[BERND] > points_of(before, "T")[BERND]


# --------------------------------------------------------------------- S8, S11, S12: the last round, and the end


def test_S11_in_the_last_round_one_sailor_costs_nine_points() -> None:
    before, after = examples.last_round(), examples.final()
    led, sailor, late = paragraphs("last-round")
    assert before.round == 8
    anna, bernd = totals(before.crews)
    assert numbers(led) == [bernd, anna, points_of(before, "C")[BERND], value_of(award(after, 1).card)]
    assert strengths(before, "C") == (0, 10)
    lost = points_of(before, "C")[BERND] - points_of(after, "C")[BERND]
    assert points_of(after, "C") == (0, 1)
    assert numbers(sailor) == [lost, points_of(after, "C")[BERND]]
    assert numbers(late) == [len(after.crews[BERND].tricks)]


def test_S8_a_trick_won_in_the_last_round_cannot_be_played_but_is_a_point() -> None:
    before, after = examples.last_round(), examples.final()
    given = award(after, 2)
    assert (given.card, given.taker) == ("both", BERND)
    assert (before.crews[BERND].tricks, after.crews[BERND].tricks) == ((), ("both",))
    assert (after.mover, SHANGHAIEN.moves(after)) == (OVER, ())
    assert [each.taker for each in after.awards[2:]] == [None] * 4


def test_S11_S12_the_final_score_of_the_old_rulebook() -> None:
    state = examples.final()
    (points,) = (part for part in PARTS["final-score"].body if isinstance(part, Points))
    americans, french, chinese, spaniards, tricks = points.items

    def values(seat: int, nation: Nation) -> list[int]:
        return sorted(value_of(card) for card in state.crews[seat].sailors if nation_of(card) == nation)

    def add_sum(seat: int, nation: Nation) -> list[int]:
        of_nation = values(seat, nation)
        return [*of_nation, sum(of_nation)] if len(of_nation) > 1 else of_nation

    three: tuple[tuple[str, Nation], ...] = ((americans, "A"), (french, "F"), (chinese, "C"))
    for sentence, nation in three:
        scored = [each for each in points_of(state, nation) if each]
        assert numbers(sentence) == [*add_sum(ANNA, nation), *add_sum(BERND, nation), *scored]
    assert [joker.nation for joker in state.crews[ANNA].jokers] == ["S", "S"]
    assert numbers(spaniards) == [3, 3, 2, 2, points_of(state, "S")[ANNA]]
    assert strengths(state, "S") == (7, 0)
    assert numbers(tricks) == [len(state.crews[BERND].tricks)]
    result = SHANGHAIEN.result(state)
    assert result
    assert (result.points, result.winners) == ((7, 8), (BERND,))
    assert numbers(paragraphs("final-score")[0]) == [7, 6, 1, 1, 8]
    assert {row.nation for row in comparisons(state.crews) if any(row.strengths)} == {"A", "F", "C", "S"}


# ------------------------------------------------------------------------------------------ pictures and languages


def test_every_picture_has_a_scene_and_every_scene_a_picture() -> None:
    about = {part.scene for part in ABOUT if isinstance(part, Figure)}
    wanted = about | {figure.scene for name in PARTS for figure in figures(name)}
    assert wanted == set(pictures(Words("en")))


def test_S1_every_nation_and_every_trick_has_its_sign_and_name() -> None:
    drawn = [sign.draws for signs in SIGNS for sign in signs.signs]
    assert {each[5] for each in drawn if re.fullmatch(r"card \w\d", each)} == set(NATIONS)
    assert {"card nudge", "card both", "card reroll"} <= set(drawn)
    assert len(drawn) == len(set(drawn))


def test_every_rule_that_is_cited_is_in_the_book() -> None:
    cited = {rule for part in PARTS.values() for rule in part.rules} | {rule for step in STEPS for rule in step.rules}
    assert cited <= set(BOOK.numbers)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_the_same_in_every_language(language: str) -> None:
    """Compare the numbers. In Japanese counted things have figures too, and sentences another order."""
    words = Words(language)
    for sentence in rulebook_texts.every_sentence(BOOK):
        translation = words.say(sentence)
        if language == "ja":
            assert Counter(numbers(sentence)) <= Counter(numbers(translation)), translation
        else:
            assert numbers(translation) == numbers(sentence), translation


@pytest.mark.parametrize("part", ["nudge", "both", "reroll", "joker"])
def test_the_points_of_tricks_in_japanese(part: str) -> None:
    words = Words("ja")
    for sentence in paragraphs(part):
        scores = set(re.findall(r"(\d+)(?: points)? to (\d+)", sentence))
        steps = set(re.findall(r"from (\d+) to (\d+)", sentence))
        assert scores - steps == set(re.findall(r"(\d+)対(\d+)", words.say(sentence)))
