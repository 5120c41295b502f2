"""Every page of a game is sound, and its controls are the legal moves."""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from kontor.game import OVER, Refusal
from kontor.games.shanghaien.rules import SHANGHAIEN, Move, Options, State
from kontor.games.shanghaien.rules.components import NATIONS, TRICKS
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker
from kontor.games.shanghaien.rules.state import Joker, Nudge, Number, Place, Reroll, Roll, Shanghai
from kontor.games.shanghaien.web.moves import field_of, move_of
from profiles import extended_after
from web.elements import Element, check_sound, find, read
from web.shanghaien_page.tavern import (
    build_page,
    controls,
    first_roll,
    html,
    moves_of,
    rulebook_row,
    steps,
    whole_game,
)


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
@pytest.mark.parametrize("seed", extended_after(2, range(4)))
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
        {}, {"move": ""}, {"move": "dance"}, {"move": "place"}, {"move": "place:7"}, {"move": "place:0"},
        {"move": "place:2:3"}, {"move": "number:middle"}, {"move": "nudge:2"}, {"move": "nudge:2:9"},
        {"move": "joker:nudge:X"}, {"move": "joker:dance:F"}, {"move": "Roll"}, {"place": "2"},
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_a_sentence(form: dict[str, str]) -> None:
    with pytest.raises(Refusal) as refused:
        move_of(form)
    assert refused.value.rule == "S4"
    assert refused.value.sentence.endswith(".")


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
