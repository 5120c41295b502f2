"""Tavern of Shanghaien as a page: every move has a control, every control is a move, and the page is sound."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest
from markupsafe import Markup
from msgspec.structs import replace

from kontor.game import CHANCE, OVER, Refusal
from kontor.games.shanghaien import words as shanghaien_words
from kontor.games.shanghaien.rules import SHANGHAIEN, Move, Options, State, View
from kontor.games.shanghaien.rules.components import NATIONS, TRICKS
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker, comparisons
from kontor.games.shanghaien.rules.state import (
    Dice,
    Joker,
    Nudge,
    Number,
    Place,
    Reroll,
    Roll,
    Row,
    Shanghai,
)
from kontor.games.shanghaien.web.board import context
from kontor.games.shanghaien.web.moves import field_of, move_of
from kontor.games.shanghaien.web.tale import afterwards, course, label, outcome, reasons, scale
from kontor.tables.pages.table_context import Board, PositionShown
from kontor.web.adapter import Seen
from kontor.web.pages.fragments import Page
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor, nobody
from kontor.words import Words
from web.elements import Element, check_sound, find, read

NAMES: Final = ("Anna <b>", "Bernd & Co")
"""Names that would do harm if they were not escaped."""

WORDS: Final = Words("en")

# ------------------------------------------------------------------------------------------------------- rendering


@cache
def pages() -> Pages:
    return Pages()


def reader(language: str) -> Visitor:
    return Visitor(nobody, "", language, "", "", False, "/", False)


def moves_of(view: View, state: State) -> Sequence[Move]:
    return SHANGHAIEN.moves(state) if view.seat is not None and view.seat == view.mover else ()


def build_page(
    state: State, seat: int | None, events: Sequence[Seen] = (), story: Sequence[Seen] = (), language: str = "en"
) -> Page:
    view = SHANGHAIEN.view(state, seat)
    board = Board(
        table=PositionShown(
            game="shanghaien",
            title="",
            subtitle="",
            address="/tables/abc",
            seat=seat,
            my_turn=False,
            over=state.mover == OVER,
            names=NAMES,
            headline="",
        ),
        own=context(WORDS, NAMES, view, moves_of(view, state), events),
        fields=Markup('<input type="hidden" name="number" value="7">'),
        moves_url="/tables/abc/moves",
        rule_url=lambda rule: f"/rules/shanghaien#{rule}",
        tale=afterwards(WORDS, NAMES, None, [story]) if story else None,
    )
    return pages().build(reader(language), board)


def html(state: State, seat: int | None, events: Sequence[Seen] = (), story: Sequence[Seen] = ()) -> str:
    return build_page(state, seat, events, story).html()


def controls(root: Element) -> list[Element]:
    return [element for element in find(root, name="move") if element.tag == "button"]


# ------------------------------------------------------------------------------------------------------- positions


def steps(seed: int, options: Options | None = None) -> Iterator[tuple[State, Any, State]]:
    """Yield the steps of a game of two random players."""
    random = Random(seed)
    state = SHANGHAIEN.start(options or Options())
    while state.mover != OVER:
        if state.mover == CHANCE:
            action: Any = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            moves = SHANGHAIEN.moves(state)
            action = moves[random.randrange(len(moves))]
        after = SHANGHAIEN.play(state, action)
        yield state, action, after
        state = after


def first_roll(low: int = 2, high: int = 5) -> State:
    """Return a state after Anna's first roll; she owns a trick of each kind, and French sailors."""
    state = SHANGHAIEN.start(Options(starter=0))
    for action in (Row(("A1", "F2", "G3", "C3", "D4", "both")), Roll(), Dice(low, high)):
        state = SHANGHAIEN.play(state, action)
    crew = Crew(sailors=("F1", "S3"), tricks=("both", "nudge", "reroll"))
    return replace(state, crews=(crew, Crew(sailors=("F3",), tricks=("nudge",))))


def rulebook_row() -> State:
    """Return a state in which Anna placed 2, 2, 3, 6, 6 and Bernd 3, 4, 5, 6, 6 (S9's example).

    Anna has to shanghai.
    """
    state = SHANGHAIEN.play(first_roll(), Number("right"))
    placed = ((0, 2, 1, 0, 0, 2), (0, 0, 1, 1, 1, 2))
    return replace(state, step="turn", roll=None, placed=placed)


# ------------------------------------------------------------------------------------------- every page of many games


def every_move_has_a_control(root: Element, state: State, seat: int | None) -> None:
    view = SHANGHAIEN.view(state, seat)
    legal = moves_of(view, state)
    spoken = [control for control in controls(root) if control["aria-hidden"] != "true"]
    meant = [move_of({"move": control["value"], "number": "7"}) for control in spoken]
    assert Counter(map(repr, meant)) == Counter(map(repr, legal))
    for control in controls(root):
        assert move_of({"move": control["value"]}) in legal
        forms = [element for element in ancestors(control) if element.tag == "form"]
        assert [(form["method"], form["action"]) for form in forms] == [("post", "/tables/abc/moves")]
    for element in root.all():
        if element.tag == "button" and element["name"] != "move":
            assert element["type"] == "button", "it would send the form"


def ancestors(element: Element) -> Iterator[Element]:
    while element.parent:
        element = element.parent
        yield element


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_every_page_of_a_game_is_sound_and_holds_exactly_the_legal_moves(seed: int) -> None:
    random = Random(seed)
    options = (Options(), Options(first_trick=random.choice(TRICKS)))[seed % 2]
    seen: set[str] = set()
    for number, (before, action, after) in enumerate(steps(seed, options)):
        for seat in (0, 1, None):
            if after.step in seen and random.randrange(8):
                continue
            event = SHANGHAIEN.event(before, action, after, seat)
            last = [(number, event, SHANGHAIEN.view(before, seat), SHANGHAIEN.view(after, seat))]
            root = read(html(after, seat, last))
            check_sound(root)
            every_move_has_a_control(root, after, seat)
        seen.add(after.step)
    assert {"row", "turn", "roll", "place", "over"} <= seen


def test_every_page_of_the_beginning_is_sound() -> None:
    state = SHANGHAIEN.start(Options())
    for seat in (0, 1, None):
        root = read(html(state, seat))
        check_sound(root)
        assert not controls(root)


def test_a_fragment_is_said_only_when_it_is_drawn() -> None:
    """Check that a fragment's inputs are the same in all languages: parts of the view, and names."""
    for state in (first_roll(), SHANGHAIEN.play(first_roll(), Number("left")), rulebook_row(), [*steps(3)][-1][2]):
        story = whole_game(3) if state.mover == OVER else ()
        one, other = (build_page(state, 0, (), story, language) for language in ("en", "ja"))
        ours = [key for key, fragment in one.fragments.items() if fragment.template.startswith("shanghaien/")]
        assert len(ours) > 12
        assert [one.fragments[key].about for key in ours] == [other.fragments[key].about for key in ours]
        assert one.html() != other.html()


def test_names_are_escaped() -> None:
    text = html(first_roll(), 0)
    assert "Anna <b>" not in text
    assert "Anna &lt;b&gt;" in text
    assert "Bernd & Co" not in text


# ------------------------------------------------------------------------------------------------- forms as moves


def test_every_move_is_the_one_its_field_means() -> None:
    moves: list[Move] = [Roll(), Shanghai(), Number("left"), Number("right"), Reroll()]
    moves += [Place(die) for die in range(1, 7)]
    moves += [Nudge(die, to) for die in range(1, 7) for to in (die - 1, die + 1) if 1 <= to <= 6]
    moves += [Joker(trick, nation) for trick in TRICKS for nation in NATIONS]
    fields = [field_of(move) for move in moves]
    assert len(set(fields)) == len(fields)
    assert [move_of({"move": field}) for field in fields] == moves


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"move": ""},
        {"move": "dance"},
        {"move": "place"},
        {"move": "place:7"},
        {"move": "place:0"},
        {"move": "place:2:3"},
        {"move": "number:middle"},
        {"move": "nudge:2"},
        {"move": "nudge:2:9"},
        {"move": "joker:nudge:X"},
        {"move": "joker:dance:F"},
        {"move": "Roll"},
        {"place": "2"},
    ],
)
def test_nonsense_is_refused_in_a_sentence(form: dict[str, str]) -> None:
    with pytest.raises(Refusal) as refused:
        move_of(form)
    assert refused.value.rule == "S4"
    assert refused.value.sentence.endswith(".")


# ----------------------------------------------------------------------------------------- the rules of the table


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


def taker(fate: Element) -> str:
    """Return the new owner of a card once the round is over."""
    return next(name.removeprefix("to-") for name in fate.classes if name.startswith("to-"))


def captains(state: State, seat: int | None) -> dict[str, list[str]]:
    """Return the captains on the two places beside the card with the 1, and the end of the row where it is."""
    root = read(html(state, seat))
    end = [name for name in find(root, id="sh-posts")[0].classes if name.startswith("at-")]
    classes = {"end": end}
    for side in ("theirs", "mine"):
        drawn = find(find(root, id=f"sh-post-{side}-{state.one_at}")[0], class_="captain")
        classes[side] = [next(name for name in ("grey", "theirs", "mine") if name in one.classes) for one in drawn]
    return classes


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


def test_a_die_says_where_it_goes_and_its_card_is_lit() -> None:
    state = SHANGHAIEN.play(first_roll(), Number("right"))
    root = read(html(state, 0))
    assert find(root, id="sh-do-place-2")[0].spoken == "Place the 2 on the Dutch 4"
    assert [element["id"] for element in find(root, class_="lit")] == ["sh-card-2", "sh-card-5"]
    assert [element["value"] for element in find(root, class_="lands")] == ["place:5", "place:2"]
    others = read(html(state, 1))
    assert len(find(others, class_="for-theirs")) == 2
    assert not controls(others)


def test_of_two_equal_dice_one_can_be_placed() -> None:
    state = SHANGHAIEN.play(first_roll(3, 3), Number("left"))
    assert [element.tag for element in find(read(html(state, 0)), class_="thrown")] == ["button", "span"]


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


def test_the_end_says_who_won_and_how_the_totals_come_about() -> None:
    *_, (_, _, over) = steps(3)
    result = SHANGHAIEN.result(over)
    assert result is not None
    assert len(result.winners) == 1
    for seat in (0, 1, None):
        me = seat or 0
        root = read(html(over, seat, (), whole_game(3, seat)))
        (winner,) = find(find(root, id="sh-outcome")[0], class_="captain")
        assert ("mine" if result.winners[0] == me else "theirs") in winner.classes
        last = find(root, id="sh-last")[0]
        assert all(shanghaien_words.comparison(WORDS, NAMES, row) in last.spoken for row in comparisons(over.crews))
        assert find(last, class_="mine")[-1].spoken == str(result.points[me])
        assert find(last, class_="theirs")[-1].spoken == str(result.points[1 - me])


def whole_game(seed: int, seat: int | None = 0) -> list[Seen]:
    """Return all steps of a game, as a seat saw them."""
    return [
        (
            number,
            SHANGHAIEN.event(before, action, after, seat),
            SHANGHAIEN.view(before, seat),
            SHANGHAIEN.view(after, seat),
        )
        for number, (before, action, after) in enumerate(steps(seed))
    ]


@pytest.mark.parametrize("seed", range(6))
def test_the_tale_of_a_game_follows_its_points(seed: int) -> None:
    story = whole_game(seed)
    score = afterwards(WORDS, NAMES, None, [story])
    last = story[-1][3]
    assert last.result is not None
    assert (score[-1], len(score)) == (last.result.points, 9)
    lines = [y for _, y in scale(score)]
    for seat in (0, 1):
        spots = course(score, seat)
        assert [x for x, _ in spots] == list(range(0, 401, 50))
        assert all(lines[-1] <= y <= lines[0] for _, y in spots)
        drawn = zip([points[seat] for points in score], [y for _, y in spots], strict=True)
        for (before, was), (after, now) in pairwise(drawn):
            assert (before < after) == (now < was)
    assert abs(label(score, 0, 0) - label(score, 1, 0)) >= 26
    ahead = [one - other for one, other in score]
    if ahead[-1]:
        winner, sentence = NAMES[0 if ahead[-1] > 0 else 1], outcome(WORDS, NAMES, score)
        assert sentence.startswith((winner, f"It was decided in the last round: {winner}"))
        if match := re.search(r"took the lead in round (\d)", sentence):
            since = int(match[1])
            assert all(lead * ahead[-1] > 0 for lead in ahead[since:])
            assert ahead[since - 1] * ahead[-1] <= 0


def test_the_end_shows_how_the_game_went_and_tells_the_result_once() -> None:
    for seat in (0, 1, None):
        story = whole_game(3, seat)
        *_, (_, _, over) = steps(3)
        score = afterwards(WORDS, NAMES, None, [story])
        root = read(html(over, seat, story[-3:], story))
        check_sound(root)
        assert find(root, id="sh-outcome")[0].spoken == outcome(WORDS, NAMES, score)
        section = find(root, id="sh-tale")[0]
        assert all(sentence in section.spoken for sentence in reasons(WORDS, NAMES, score, over.crews))
        assert shanghaien_words.headline(WORDS, NAMES, SHANGHAIEN.view(over, seat)) not in root.spoken
        assert len(find(section, class_="spot")) == 18
        assert len([element for element in section.all() if element.tag == "tr"]) == 9


def test_y2_in_the_tale_too_my_line_is_mine() -> None:
    """Check that the reader's line shows their own points, for both players and an onlooker."""
    story = whole_game(3)
    for seat in (0, 1, None):
        tale = find(read(html([*steps(3)][-1][2], seat, (), story)), id="sh-tale")[0]
        mine = next(line for line in tale.all() if line.tag == "g" and "mine" in line.classes)
        assert find(mine, class_="sum")[0].text == str(story[-1][3].result.points[seat or 0])


def test_crews_lie_on_the_bar_as_chips_each_nation_in_its_place() -> None:
    state = first_roll()
    with_joker = SHANGHAIEN.play(SHANGHAIEN.play(state, Number("left")), Joker("nudge", "F"))
    two = Crew(("F1",), (LaidJoker("both", "F"), LaidJoker("nudge", "F")))
    with_two = replace(state, crews=(two, state.crews[1]))
    for now, seat, side, lying in (
        (state, 0, "mine", {"F": ["1"], "S": ["3"]}),
        (state, 0, "theirs", {"F": ["3"]}),
        (state, 1, "mine", {"F": ["3"]}),
        (with_joker, 0, "mine", {"F": ["1", "+2"], "S": ["3"]}),
        (with_two, 0, "mine", {"F": ["1", "+4"]}),
    ):
        (lineup,) = find(read(html(now, seat)), id=f"sh-lineup-{side}")
        assert lineup["aria-hidden"] == "true", "the ledger and the crew's own sheet say it in words"
        gangs = [part for part in lineup.all() if "gang" in part.classes]
        assert [f"tone-{nation}" in gang.classes for nation, gang in zip(NATIONS, gangs, strict=True)] == [True] * 8
        cards_of_gangs = [[card.text for card in gang.all() if card.tag == "i"] for gang in gangs]
        assert {nation: cards for nation, cards in zip(NATIONS, cards_of_gangs, strict=True) if cards} == lying


def test_dice_that_came_since_my_last_move_are_marked() -> None:
    before = SHANGHAIEN.play(first_roll(), Number("left"))
    after = SHANGHAIEN.play(before, Place(5))
    for seat, marked in ((1, 1), (0, 0), (None, 1)):
        event = SHANGHAIEN.event(before, Place(5), after, seat)
        root = read(html(after, seat, [(9, event, SHANGHAIEN.view(before, seat), SHANGHAIEN.view(after, seat))]))
        assert len(find(root, class_="new")) == marked


def test_the_row_can_be_read_aloud() -> None:
    state = rulebook_row()
    root = read(html(state, 0))
    assert find(root, id="sh-card-5")[0].spoken == "2: the Dutch 4. Anna <b> has 2 dice here."
    assert find(root, id="sh-supply-mine")[0].spoken == "1 die in the supply"
    assert find(root, id="sh-round")[0].spoken == "Round 1 of 8"


def test_each_colour_has_an_emblem_too() -> None:
    """Check that no information is in colours alone.

    Every card has its nation's emblem, each die and captain its owner's.
    """
    root = read(html(rulebook_row(), 0))
    symbols = {element["id"] for element in root.all() if element.tag == "symbol"}
    assert {f"sh-e-{which}" for which in (*NATIONS, "mine", "theirs", "trick")} <= symbols
    faces = find(root, class_="face")
    assert faces
    for face in faces:
        (drawing,) = find(root, id=next(use["href"] for use in face.all() if use.tag == "use").removeprefix("#"))
        uses = [use["href"] for use in drawing.all() if use.tag == "use"]
        tone = re.findall(r"tone-(\w)", face["class"])
        assert uses
        if tone:
            assert set(uses) == {f"#sh-e-{tone[0]}"}
