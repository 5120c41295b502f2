"""Rules of the table, Y2 to Y7: dice, captains, tricks, overviews, and the score table."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kontor.game import CHANCE
from kontor.games.shanghaien import words as shanghaien_words
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.components import NATIONS
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker
from kontor.games.shanghaien.rules.state import Dice, Joker, Number, Place, Roll, Row, Shanghai
from web.elements import Element, check_sound, find, read
from web.shanghaien_page.tavern import NAMES, WORDS, captains, controls, first_roll, html, rulebook_row, taker


def test_y2_my_dice_lie_below_in_red_and_the_others_above_in_blue() -> None:
    state = rulebook_row()
    for seat in (0, 1, None):
        root, me = read(html(state, seat)), seat or 0
        assert [find(root, id=f"sh-name-{side}")[0].spoken for side in ("mine", "theirs")] == [
            NAMES[me],
            NAMES[1 - me],
        ]
        for number in range(1, 7):
            above, below = find(find(root, id=f"sh-card-{7 - number}")[0], class_="lane-of")
            assert len(find(above, class_="die")) == state.placed[1 - me][number - 1]
            assert len(find(below, class_="die")) == state.placed[me][number - 1]
    root = read(html(state, 1))
    six = find(root, id="sh-card-1")[0]
    above, below = find(six, class_="lane-of")
    assert "theirs" in above.classes
    assert "mine" in below.classes
    assert [len(find(lane, class_="die")) for lane in (above, below)] == [2, 2]
    assert six.spoken.startswith("6")


def test_y3_the_starter_chooses_one_of_two_grey_captains() -> None:
    state = first_roll()
    root = read(html(state, 0))
    left, right = [control for control in controls(root) if "rail" in control.classes]
    assert (left["value"], right["value"]) == ("number:left", "number:right")
    assert (left.spoken, right.spoken) == ("The 1 is on the left", "The 1 is on the right")
    assert len(find(left, class_="grey")) == 1
    assert [number.parts for number in find(right, class_="numbers")[0].all() if number.tag == "span"][1:] == [
        ["6"], ["5"], ["4"], ["3"], ["2"], ["1"],
    ]  # fmt: skip
    assert [element.parts for element in find(left, class_="rolled")] == [["2"], ["5"]]
    assert not [control for control in controls(root) if control["value"].startswith("place")]
    assert not find(read(html(state, 1)), class_="rail")
    assert not find(read(html(SHANGHAIEN.play(state, Number("left")), 0)), class_="rail")


@pytest.mark.parametrize("end", ["left", "right"])
def test_y4_the_overview_shows_what_decided_and_an_arrow_to_the_taker(end: Any) -> None:
    state = replace(rulebook_row(), one_at=end)
    over = SHANGHAIEN.play(SHANGHAIEN.play(state, Shanghai()), Row(("A2", "A3", "A3", "A4", "G1", "G2")))
    for seat in (0, 1, None):
        root = read(html(over, seat))
        assert find(root, id="sh-settled-1")[0].spoken.startswith("Round 1 is over: who gets which card")
        fates = find(find(root, id="sh-got-1")[0], class_="stand")
        numbers = [int(fate["id"].removeprefix("sh-fate-")) for fate in fates]
        assert numbers == ([1, 2, 3, 4, 5, 6] if end == "left" else [6, 5, 4, 3, 2, 1])
        mine, theirs = ("theirs", "mine") if seat == 1 else ("mine", "theirs")
        by_number = dict(zip(numbers, fates, strict=True))
        assert [taker(by_number[number]) for number in range(1, 7)] == ["nobody", mine, "nobody", *[theirs] * 3]
        above, below = find(by_number[6], class_="tally")
        anna, bernd = (above, below) if seat == 1 else (below, above)
        assert (anna.text, bernd.text) == ("0", "5")
        assert find(anna, r="4"), "the pips on the cards beside it decided"
        assert ("more" in anna.classes, "more" in bernd.classes) == (False, True)
        assert [len(find(tally, class_="arrow")) for tally in (anna, bernd)] == [0, 1], "an arrow behind the figure"
        assert not find(by_number[1], class_="tally")
        assert len(find(find(root, id="sh-got-1")[0], class_="arrow")) == 4
    rolled = SHANGHAIEN.play(over, Roll())
    for state in (rolled, SHANGHAIEN.play(rolled, Dice(1, 2))):
        assert not find(read(html(state, 0)), class_="settled")


@pytest.mark.long
@pytest.mark.parametrize("end", ["left", "right"])
def test_y3_two_grey_captains_stay_beside_the_card_with_the_1_to_the_end_of_the_round(end: Any) -> None:
    state = first_roll()
    nobody: dict[str, list[str]] = {"end": [], "theirs": [], "mine": []}
    assert captains(state, 0) == nobody
    two = {"end": [f"at-{end}"], "theirs": ["grey"], "mine": ["grey"]}
    state = SHANGHAIEN.play(state, Number(end))
    while state.step != "row":
        for seat in (0, 1, None):
            assert captains(state, seat) == two
        moves = SHANGHAIEN.moves(state) if state.mover >= 0 else ()
        if state.mover == CHANCE:
            state = SHANGHAIEN.play(state, Dice(3, 4))
        else:
            state = SHANGHAIEN.play(
                state, next(move for move in (Shanghai(), Roll(), Place(2), Place(3)) if move in moves)
            )
    state = SHANGHAIEN.play(state, SHANGHAIEN.chance(state).draw(Random(5).randrange))
    while state.one_at is None:
        assert not find(read(html(state, 0)), class_="at-row") or captains(state, 0) == nobody
        if state.mover == CHANCE:
            state = SHANGHAIEN.play(state, Dice(1, 2))
        else:
            state = SHANGHAIEN.play(state, Roll() if state.step == "turn" else Number("left"))


@pytest.mark.parametrize("end", ["left", "right"])
def test_y5_s8_the_coloured_captain_takes_the_place_of_his_grey_one(end: Any) -> None:
    state = SHANGHAIEN.play(first_roll(), Number(end))
    mine = SHANGHAIEN.play(state, Joker("nudge", "F"))
    assert captains(mine, 0) == {"end": [f"at-{end}"], "theirs": ["grey"], "mine": ["mine"]}
    assert captains(mine, 1) == {"end": [f"at-{end}"], "theirs": ["theirs"], "mine": ["grey"]}
    plate = find(read(html(mine, 0)), id="sh-plate-mine")[0]
    assert "the captain stands beside the 1" in plate.spoken


def test_s7_a_trick_before_the_1_is_chosen_sends_the_captain_to_the_row() -> None:
    """Check a ruling of ours: a trick may be played before it is said where the 1 is.

    The captain waits at the row, and no grey captain can stand beside a card yet.
    """
    spent = SHANGHAIEN.play(first_roll(), Joker("nudge", "F"))
    assert captains(spent, 0) == {"end": [], "theirs": [], "mine": ["mine"]}
    numbered = SHANGHAIEN.play(spent, Number("right"))
    assert captains(numbered, 0) == {"end": ["at-right"], "theirs": ["grey"], "mine": ["mine"]}


def test_y4_the_overview_goes_with_the_next_roll_of_either_player() -> None:
    state = SHANGHAIEN.play(rulebook_row(), Shanghai())
    dealt = SHANGHAIEN.play(state, Row(("A2", "A3", "A3", "A4", "G1", "G2")))
    for seat in (0, 1, None):
        assert find(read(html(dealt, seat)), id="sh-got-1")
    rolled = SHANGHAIEN.play(dealt, Roll())
    thrown = SHANGHAIEN.play(rolled, Dice(1, 2))
    numbered = SHANGHAIEN.play(thrown, Number("left"))
    placed = SHANGHAIEN.play(numbered, Place(1))
    for state in (rolled, thrown, numbered, placed, SHANGHAIEN.play(placed, Roll())):
        for seat in (0, 1, None):
            root = read(html(state, seat))
            check_sound(root)
            assert not find(root, id="sh-got-1")
            assert not find(root, class_="settled")
            assert find(root, id="sh-card-6"), "and the new row is played on"


def test_y4_the_log_says_who_got_what() -> None:
    before = rulebook_row()
    after = SHANGHAIEN.play(before, Shanghai())
    event = SHANGHAIEN.event(before, Shanghai(), after, None)
    cards = [
        [shanghaien_words.card(WORDS, award.card) for award in after.awards if award.taker == taker]
        for taker in (0, 1, None)
    ]
    assert [len(some) for some in cards] == [1, 3, 2]
    assert shanghaien_words.describe_event(
        WORDS, NAMES, SHANGHAIEN.view(before, None), event, SHANGHAIEN.view(after, None)
    ) == [
        f"{NAMES[before.turn]} calls “Shanghai!”: the round is over.",
        f"{NAMES[0]} gets {cards[0][0]}.",
        f"{NAMES[1]} gets {cards[1][0]}, {cards[1][1]} and {cards[1][2]}.",
        f"Out of the game: {cards[2][0]} and {cards[2][1]}.",
    ]


def test_y5_a_trick_card_has_two_halves_and_the_captain_goes_to_the_row() -> None:
    state = SHANGHAIEN.play(first_roll(), Number("left"))
    root = read(html(state, 0))
    card = find(root, id="sh-trick-nudge")[0]
    upper, lower = [half for half in card.all() if "half" in half.classes]
    assert (upper.spoken, lower.spoken) == ("Joker: two sailors", "Nudge one die by 1")
    assert (upper["popovertarget"], lower["popovertarget"]) == ("sh-joker-nudge", "sh-nudge")
    joker = find(root, value="joker:nudge:F")[0]
    assert joker.spoken == "French: from 1 to 3 Bernd & Co has 3"
    nudged = find(root, value="nudge:5:6")[0]
    assert nudged.spoken == "The 5 becomes a 6 the Both card"
    assert [find(root, value=value)[0].tag for value in ("both", "reroll")] == ["button", "button"]

    played = SHANGHAIEN.play(state, Joker("nudge", "F"))
    assert captains(played, 0) == {"end": ["at-left"], "theirs": ["grey"], "mine": ["mine"]}
    assert captains(played, 1) == {"end": ["at-left"], "theirs": ["theirs"], "mine": ["grey"]}
    root = read(html(played, 0))
    assert len(find(find(root, id="sh-post-mine-left")[0], class_="captain")) == 1
    assert not find(find(root, id="sh-plate-mine")[0], class_="captain")
    assert [control["value"] for control in controls(root) if control["aria-hidden"] != "true"] == [
        "place:2",
        "place:5",
    ]


def test_s5_who_must_shanghai_sees_no_roll_and_what_it_would_bring() -> None:
    root = read(html(rulebook_row(), 0))
    assert not find(root, id="sh-do-roll")
    assert "main" in find(root, id="sh-end")[0].classes
    fates = [part for part in find(root, class_="fates")[0].parts if isinstance(part, Element)]
    assert [taker(fate) for fate in fates] == ["nobody", "mine", "nobody", *["theirs"] * 3]
    assert fates[1].spoken.endswith(f"dice 2 : 0: {NAMES[0]}")


def test_y6_the_ledger_holds_both_crews_their_points_and_what_is_in_play() -> None:
    mine = Crew(("S3", "F1", "F4"), (LaidJoker("both", "S"), LaidJoker("both", "S")))
    crews = (mine, Crew(("F2", "F3"), (), ("nudge",)))
    row = ("A2", "T4", "I1", "S1", "both", "reroll")
    state = replace(rulebook_row(), crews=crews, row=row, to_come=("A1", "A4", "F3", "nudge"))
    root, playing = read(html(state, 0)), in_play(state, 0)
    for line, theirs, own in (
        ("S", "0 0 points", "7 7 points"),
        ("F", "5 0 points", "5 0 points"),
        ("tricks", "1 1 point", "0 0 points"),
        ("total", "1 show how", "7 show how"),
    ):
        ledger_line = find(root, id=f"sh-line-{line}")[0]
        assert [find(ledger_line, class_=side)[0].spoken for side in ("theirs", "mine")] == [theirs, own]
    assert playing["A"] == "3 cards, 7 points"
    assert playing["tricks"] == "3 cards, 3 points"
    assert playing["total"] == "10 cards, 19 points"


def in_play(state: State, seat: int | None) -> dict[str, str]:
    """Return the last column of the score table as it is read aloud, by line."""
    lines = [line for line in find(read(html(state, seat)), class_="line") if line["id"]]
    return {line["id"].removeprefix("sh-line-"): find(line, class_="still")[0].spoken for line in lines}


def test_y6_before_the_first_round_all_48_cards_are_in_play_and_a_new_row_changes_nothing() -> None:
    before = SHANGHAIEN.start(Options(starter=0, first_trick="both"))
    every = dict.fromkeys(NATIONS, "5 cards, 13 points")
    for state in (before, SHANGHAIEN.play(before, Row(("T2", "G4", "I4", "D2", "C3", "nudge")))):
        for seat in (0, 1, None):
            assert in_play(state, seat) == every | {"tricks": "8 cards, 8 points", "total": "48 cards, 112 points"}


def test_y6_what_is_in_play_is_counted_anew_after_each_shanghai() -> None:
    """Check that card 1 of the rulebook's example leaves the game with the rest of the row (S9)."""
    state = rulebook_row()
    row = state.row
    dealt = SHANGHAIEN.play(state, Shanghai())
    laid = SHANGHAIEN.play(dealt, Row(("A2", "A3", "A3", "A4", "G1", "G2")))
    assert len(row) == 6
    assert in_play(state, 0)["total"].startswith(f"{len(state.to_come) + 6} cards")
    assert in_play(dealt, 0)["total"].startswith(f"{len(state.to_come)} cards")
    assert in_play(laid, 0) == in_play(dealt, 0)


def test_y7_overviews_of_crews_of_cards_to_come_and_of_totals() -> None:
    state = replace(
        first_roll(),
        crews=(Crew(("F4", "F1"), (LaidJoker("nudge", "F"),), ("both",)), Crew()),
        to_come=("F3", "S1", "reroll", "reroll"),
    )
    root = read(html(state, 0))
    theirs, mine, coming = (find(root, id=f"sh-{which}")[0] for which in ("crew-theirs", "crew-mine", "coming"))
    assert "Nobody has signed on yet." in theirs.spoken
    assert "French 7 the French 1 the French 4 a joker, counts as 2 Unused tricks 1 the Both card" in mine.spoken
    box = {line.spoken: line for line in find(coming, class_="box")[0].parts if isinstance(line, Element)}
    assert {"French 3", "Turks none", "Tricks 2 × reroll"} <= {*box}
    gone = ["gone" in face.classes for face in find(box["French 3"], class_="face")]
    assert gone == [True, True, False, True, True]
    for opener in ("sh-open-mine", "sh-open-theirs", "sh-open-coming", "sh-open-sum-mine", "sh-open-sum-theirs"):
        target = find(root, id=find(root, id=opener)[0]["popovertarget"])[0]
        assert "popover" in target.attributes
        assert target.spoken
