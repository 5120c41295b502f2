"""Forms of the Holländer: every move has a control, every control is a move, and nothing else passes."""

from collections import Counter
from itertools import combinations
from random import Random
from typing import Final

import pytest

from kontor.game import Refusal
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.state import Accept, Decline, Keep, Lay, Propose, Put, Show
from kontor.games.dutchman.web.moves import fields_of
from kontor.games.dutchman.web.moves import move_of as do
from web.dutchman_positions import NAMES, at_turns, events, html, mover_html, places, submit_values, values
from web.elements import read


@pytest.mark.long
def test_onlookers_and_those_who_wait_have_no_controls() -> None:
    of_each_step = {(state.step, len(state.merchants) > 4): (state, steps) for state, steps in places()}
    for state, steps in of_each_step.values():
        for seat in {None, (state.mover + 1) % len(state.merchants)}:
            root = read(html(DUTCHMAN.view(state, seat), (), events(steps, seat)))
            assert not root.find("button"), (state.step, seat)
            assert not [element for element in root.find("input") if element["type"] != "hidden"]
            assert not root.find("label")


@pytest.mark.parametrize(("step", "name", "move"), [("sail", "to", "sail"), ("name", "to", "name")])
def test_h8_h9_each_destination_can_be_chosen_and_none_else(step: str, name: str, move: str) -> None:
    for state in at_turns(step):
        root = read(mover_html(state))
        assert submit_values(root) == {move}
        chosen = [do({"move": move, name: to}) for to in values(root, name)]
        assert chosen == list(DUTCHMAN.moves(state))
        rings = [
            element for element in root.find("label", **{"aria-hidden": "true"}) if "df-berth" in element["class"]
        ]
        assert {ring["for"] for ring in rings} == {element["id"] for element in root.find("input", name=name)}


def test_h6a_any_two_of_the_five_shares_can_be_put_back() -> None:
    for state in at_turns("put"):
        root = read(mover_html(state))
        assert submit_values(root) == {"put"}
        shares = values(root, "put")
        assert len(shares) == 5
        pairs = {do({"move": "put", "put": f"{one} {other}"}) for one, other in combinations(shares, 2)}
        assert pairs == set(DUTCHMAN.moves(state))


def test_h12_each_colour_in_hand_can_be_shown_or_nothing() -> None:
    for state in at_turns("show"):
        root = read(mover_html(state))
        assert submit_values(root) == {"show", "keep"}
        chosen = [do({"move": "keep"}), *(do({"move": "show", "colour": one}) for one in values(root, "colour"))]
        assert Counter(chosen) == Counter(DUTCHMAN.moves(state))


def test_h9_a_proposal_is_accepted_or_declined() -> None:
    for state in at_turns("answer"):
        assert {do({"move": move}) for move in submit_values(read(mover_html(state)))} == {Accept(), Decline()}


def test_h11a_the_check_is_asked_for_or_not() -> None:
    for state in at_turns("check"):
        root = read(mover_html(state))
        assert [do({"move": move}) for move in ("check", "waive")] == list(DUTCHMAN.moves(state))
        assert submit_values(root) == {"check", "waive"}
        assert "Check the Kontor pile?" in root.spoken


def test_h6_h10_cards_passing_and_every_horseshoe_are_there_to_be_chosen() -> None:
    for state in at_turns("action", "again"):
        root, moves = read(mover_html(state)), DUTCHMAN.moves(state)
        rack = state.merchants[state.mover].rack
        assert [int(shoe) for shoe in values(root, "shoe")] == list(rack)
        cards = {do({"move": move}) for move in submit_values(root) - {"lay"}}
        assert cards == {move for move in moves if not isinstance(move, Lay)}
        assert ("lay" in submit_values(root)) == bool(rack)


def test_h6c_h9_lays_and_proposals_pass_through_the_form_unchanged() -> None:
    random = Random(1)
    for state in at_turns("action", "again", "propose"):
        root, moves = read(mover_html(state)), DUTCHMAN.moves(state)
        names = {element["name"] for element in root.find("input")}
        for _ in range(40):
            move = moves[random.randrange(len(moves))]
            fields = fields_of(move)
            assert do(fields) == move
            assert fields["move"] in submit_values(root)
            own = state.bargain.tied.index(state.mover) if state.bargain else None
            sent = {name: value for name, value in fields.items() if name != f"ducats{own}"}
            if isinstance(move, Propose):
                sent["balance"] = str(own)
                assert do(sent) == move, "the own share is the balance"
            assert set(sent) - {"move"} <= names
            if isinstance(move, Lay):
                assert not Counter(fields["shoe"].split()) - Counter(values(root, "shoe"))
            if isinstance(move, Propose):
                assert move.to in values(root, "to")


def test_h9_the_order_of_a_proposal_is_that_of_play() -> None:
    state = next(state for state in at_turns("propose") if state.bargain and len(state.bargain.tied) > 1)
    root = read(mover_html(state))
    assert state.bargain is not None
    tied = state.bargain.tied
    own = tied.index(state.mover)
    assert values(root, "balance") == [str(own)]
    assert not root.find("input", name=f"ducats{own}")
    for place, seat in enumerate(tied):
        if place != own:
            [field] = root.find("input", name=f"ducats{place}")
            label = next(element for element in root.find("label") if element["for"] == field["id"])
            assert label.spoken == f"{NAMES[seat]} gets; with a minus: pays"
            assert int(field["min"]) == -state.merchants[seat].cash


def test_h9_what_each_pays_and_gets_may_be_sent_as_two_numbers() -> None:
    form = {"move": "propose", "to": "Java", "pays0": "3", "gets0": "", "pays1": "", "gets1": "3"}
    assert do(form) == Propose("Java", (-3, 3))


NONSENSE: Final = [
    {},
    {"move": "fly"},
    {"move": "lay"},
    {"move": "lay", "shoe": "49"},
    {"move": "lay", "shoe": "²"},
    {"move": "lay", "shoe": "1 " * 61},
    {"move": "lay", "shoe": "9" * 5000},
    {"move": "put", "put": "blue"},
    {"move": "put", "put": "blue red green"},
    {"move": "put", "put": "blue pink"},
    {"move": "show"},
    {"move": "show", "colour": "pink"},
    {"move": "sail"},
    {"move": "propose", "to": "Java", "pays0": "1.5", "gets1": "1"},
    {"move": "propose", "to": "Java", "pays0": "-1", "gets0": ""},
    {"move": "propose", "to": "Java", "balance": "1", "ducats0": "--1"},
    {"move": "propose", "to": "Java", "balance": "-1", "ducats0": "1"},
    {"move": "propose", "to": "Java", "balance": "x", "ducats0": "1"},
]


@pytest.mark.parametrize("form", NONSENSE)
def test_nonsense_is_refused_in_a_sentence(form: dict[str, str]) -> None:
    with pytest.raises(Refusal) as refused:
        do(form)
    assert refused.value.sentence.endswith(".")


def test_whatever_comes_is_a_move_or_is_refused() -> None:
    random = Random(3)
    names = ("shoe", "put", "to", "colour", "pays0", "gets0", "pays1", "ducats0", "balance")
    parts = (*"0129 ²٣\0é−", "48", "10", "blue", "red violet", "Java", " ")
    seen: Counter[str] = Counter()
    for _ in range(3000):
        form = {name: "".join(random.choices(parts, k=random.randrange(4))) for name in random.sample(names, 3)}
        form["move"] = random.choice(("lay", "put", "propose", "name", "show", "sail", ""))
        try:
            seen[type(do(form)).__name__] += 1
        except Refusal as refusal:
            seen[refusal.rule] += 1
    assert {"Lay", "Put", "Show", "Propose", "H6", "H6a", "H6c", "H8", "H9", "H12"} <= set(seen)


def test_the_same_colour_twice_is_put_back_in_order() -> None:
    assert do({"move": "put", "put": "violet blue"}) == Put(("blue", "violet"))
    assert do({"move": "put", "put": "red red"}) == Put(("red", "red"))
    assert do({"move": "show", "colour": "red"}) == Show("red")
    assert do({"move": "keep"}) == Keep()
