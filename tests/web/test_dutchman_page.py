"""The chart room of Der fliegende Holländer as a page: every move has a control, every control is a move, nobody sees
what others hide, and the page is sound."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from itertools import combinations
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from kontor.dutchman import DUTCHMAN
from kontor.dutchman import words as said
from kontor.dutchman.chart import MIDDLE, OURS, SIZE, Chart, sea_of
from kontor.dutchman.components import HORSESHOES
from kontor.dutchman.horseshoes import highest_first
from kontor.dutchman.state import Accept, Decline, Keep, Lay, Paid, Propose, Put, Show
from kontor.game import Refusal
from kontor.web.games import dutchman as page
from kontor.web.games.dutchman import move_of as do
from kontor.web.games.dutchman_chart import HEIGHT, WIDTH, point
from web.dutchman_room import (
    NAMES,
    WORDS,
    at_turns,
    check_sound,
    events,
    html,
    mover_html,
    places,
    played,
    read,
    submitted,
    values,
)

STATIC: Final = files("kontor.web").joinpath("static")


def test_every_seat_and_every_onlooker_gets_a_sound_page() -> None:
    for place, (state, steps) in enumerate(places()):
        for seat in (*range(len(state.merchants)), None):
            if seat not in (state.mover, None) and (place + (seat or 0)) % 5:
                continue
            moves = DUTCHMAN.moves(state) if seat == state.mover else ()
            check_sound(html(DUTCHMAN.view(state, seat), moves, events(steps, seat)))


def test_a_page_is_made_of_nothing_but_the_view() -> None:
    """Two states that one seat cannot tell apart make the same page for it."""
    for number, (state, steps) in enumerate(places()[::3]):
        for seat in (None, number % len(state.merchants)):
            view = DUTCHMAN.view(state, seat)
            other = DUTCHMAN.imagine(view, Random(number).randrange)
            last = events(steps, seat)
            moves = DUTCHMAN.moves(state) if seat == state.mover else ()
            assert html(DUTCHMAN.view(other, seat), moves, last) == html(view, moves, last)


def test_onlookers_and_those_who_wait_have_no_controls() -> None:
    for state, steps in places()[::2]:
        for seat in {None, (state.mover + 1) % len(state.merchants)}:
            root = read(html(DUTCHMAN.view(state, seat), (), events(steps, seat)))
            assert not root.find("button"), (state.step, seat)
            assert not [one for one in root.find("input") if one["type"] != "hidden"]
            assert not root.find("label")


@pytest.mark.parametrize(("step", "name", "move"), [("sail", "to", "sail"), ("name", "to", "name")])
def test_h8_h9_each_destination_can_be_chosen_and_none_else(step: str, name: str, move: str) -> None:
    for state in at_turns(step):
        root = read(mover_html(state))
        assert submitted(root) == {move}
        chosen = [do({"move": move, name: to}) for to in values(root, name)]
        assert chosen == list(DUTCHMAN.moves(state))
        rings = [one for one in root.find("label", **{"aria-hidden": "true"}) if "df-berth" in one["class"]]
        assert {one["for"] for one in rings} == {one["id"] for one in root.find("input", name=name)}


def test_h6a_any_two_of_the_five_shares_can_be_put_back() -> None:
    for state in at_turns("put"):
        root = read(mover_html(state))
        assert submitted(root) == {"put"}
        shares = values(root, "put")
        assert len(shares) == 5
        pairs = {do({"move": "put", "put": f"{one} {other}"}) for one, other in combinations(shares, 2)}
        assert pairs == set(DUTCHMAN.moves(state))


def test_h12_each_colour_in_hand_can_be_shown_or_nothing() -> None:
    for state in at_turns("show"):
        root = read(mover_html(state))
        assert submitted(root) == {"show", "keep"}
        chosen = [do({"move": "keep"}), *(do({"move": "show", "colour": one}) for one in values(root, "colour"))]
        assert Counter(chosen) == Counter(DUTCHMAN.moves(state))


def test_h9_a_proposal_is_accepted_or_declined() -> None:
    for state in at_turns("answer"):
        assert {do({"move": move}) for move in submitted(read(mover_html(state)))} == {Accept(), Decline()}


def test_h6_h10_cards_passing_and_every_horseshoe_are_there_to_be_chosen() -> None:
    for state in at_turns("action", "again"):
        root, moves = read(mover_html(state)), DUTCHMAN.moves(state)
        rack = state.merchants[state.mover].rack
        assert [int(shoe) for shoe in values(root, "shoe")] == list(rack)
        cards = {do({"move": move}) for move in submitted(root) - {"lay"}}
        assert cards == {move for move in moves if not isinstance(move, Lay)}
        assert ("lay" in submitted(root)) == bool(rack)


def test_h6c_h9_lays_and_proposals_pass_through_the_form_unchanged() -> None:
    random = Random(1)
    for state in at_turns("action", "again", "propose"):
        root, moves = read(mover_html(state)), DUTCHMAN.moves(state)
        names = {one["name"] for one in root.find("input")}
        for _ in range(40):
            move = moves[random.randrange(len(moves))]
            fields = page.fields_of(move)
            assert do(fields) == move
            assert fields["move"] in submitted(root)
            assert set(fields) - {"move"} <= names
            if isinstance(move, Lay):
                assert not Counter(fields["shoe"].split()) - Counter(values(root, "shoe"))
            if isinstance(move, Propose):
                assert move.to in values(root, "to")


def test_h9_the_order_of_a_proposal_is_that_of_play() -> None:
    state = next(state for state in at_turns("propose") if state.bargain and len(state.bargain.tied) > 1)
    root = read(mover_html(state))
    assert state.bargain is not None
    tied = state.bargain.tied
    for place, seat in enumerate(tied):
        pays = root.find("input", name=f"pays{place}")[0]
        label = next(one for one in root.find("label") if one["for"] == pays["id"])
        assert label.spoken == f"{NAMES[seat]} pays"
        assert int(pays["max"]) == state.merchants[seat].cash


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
]


@pytest.mark.parametrize("form", NONSENSE)
def test_nonsense_is_refused_in_a_sentence(form: dict[str, str]) -> None:
    with pytest.raises(Refusal) as refused:
        do(form)
    assert refused.value.sentence.endswith(".")


def test_whatever_comes_is_a_move_or_is_refused() -> None:
    random = Random(3)
    names = ("shoe", "put", "to", "colour", "pays0", "gets0", "pays1")
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


def test_h13_the_end_says_how_each_total_comes_about() -> None:
    for state in at_turns("over"):
        view = DUTCHMAN.view(state, None)
        assert view.result is not None
        board = page.context(WORDS, NAMES, view, ())["board"]
        assert {total.seat: total.points for total in board.totals} == dict(enumerate(view.result.points))
        for total in board.totals:
            assert total.cash + sum(one.count * one.worth for one in total.holdings) == total.points
        assert tuple(sorted(total.seat for total in board.totals if total.won)) == tuple(sorted(view.result.winners))


def test_h11_the_last_voyage_tells_who_paid_what() -> None:
    told = 0
    for state, steps in played(11, 5):
        bills_paid = [one for _, _, after in steps for one in after.happened if isinstance(one, Paid)]
        if state.step not in ("action", "over") or not bills_paid:
            continue
        paid = bills_paid[-1]
        voyage = page.context(WORDS, NAMES, DUTCHMAN.view(state, None), (), events(steps, None))["board"].voyage
        assert voyage is not None
        if voyage.walk:
            told += 1
            assert (voyage.colour, voyage.walk[0]) == (paid.colour, paid.value)
            bills = {bill.seat: -bill.ducats for bill in voyage.bills}
            assert bills == {seat: paid.paid[seat] for seat, count in enumerate(paid.shares) if count}
    assert told


def test_h3_another_chart_is_drawn_as_well() -> None:
    """Turned over its corner, with names that must be escaped, and short lines that pass by other fields."""
    renamed = {
        field.name: field.name if field.colour else f'{field.name} & "{n}" <i>' for n, field in enumerate(OURS.fields)
    }
    chart = Chart(
        holland=renamed[OURS.holland],
        fields=tuple(replace(f, name=renamed[f.name], at=(f.at[1], f.at[0])) for f in OURS.fields),
        short=tuple((renamed[one], renamed[other]) for one, other in (*OURS.short, *OURS.long)),
        long=(),
    )
    sea_of(chart)
    for state, steps in played(5, 4, chart):
        if state.step in ("sail", "name"):
            text = html(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state), events(steps, state.mover))
            check_sound(text)
            assert [do({"move": state.step, "to": to}) for to in values(read(text), "to")] == list(
                DUTCHMAN.moves(state)
            )


def test_what_lies_over_the_sheet_lies_where_its_field_is() -> None:
    css = STATIC.joinpath("dutchman.css").read_text("utf-8")
    placed = dict(re.findall(r"\.at-(\d-\d) \{ (left: [\d.]+%; top: [\d.]+%;)", css))
    for row in range(SIZE):
        for column in range(SIZE):
            if (row, column) != MIDDLE:
                x, y = point((row, column))
                assert placed[f"{row}-{column}"] == f"left: {100 * x / WIDTH:.2f}%; top: {100 * y / HEIGHT:.2f}%;"
                assert f":has(#df-to-{row}-{column}:checked) .at-{row}-{column}" in css


# ---------------------------------------------------------------------------------------------- in a real browser


def test_h7_the_script_reads_lays_as_the_rules_do(chromium: Browser) -> None:
    random = Random(7)
    cases = []
    for _ in range(3000):
        shoes = random.sample(HORSESHOES, random.choice((1, 2, 3, 4, 6, 9, 14)))
        golden = [shoe for shoe in shoes if shoe > 20][:1]
        lay = highest_first([*golden, *(shoe for shoe in shoes if shoe <= 20)])
        if lay:
            cases.append((lay, random.randrange(21, 50, 2)))
    board = page.context(WORDS, NAMES, DUTCHMAN.view(at_turns("action")[0], None), ())["board"]
    sentences = {name: getattr(board.readings, name) for name in ("exact", "below", "over", "nothing")}
    sentences |= {f"{name}Sum": getattr(board.readings, f"{name}_sum") for name in ("exact", "below", "over")}
    source = STATIC.joinpath("dutchman.js").read_text("utf-8")
    tab = chromium.new_page()
    found = tab.evaluate(
        """async ([source, cases, say]) => {
          const { read } = await import("data:text/javascript," + encodeURIComponent(source));
          return JSON.stringify(cases.map(([lay, lucky]) => read(lay, lucky, say)));
        }""",
        [source, cases, sentences],
    )
    tab.close()
    assert json.loads(found) == [said.read(WORDS, lay, lucky) for lay, lucky in cases]


def laid_out(tab: Page, text: str) -> None:
    sheets = "".join(STATIC.joinpath(name).read_text("utf-8") for name in ("kontor.css", "dutchman.css"))
    head = f'<meta name="viewport" content="width=device-width"><style>{sheets}</style>'
    tab.set_content(f"<!doctype html>{head}<main>{text}</main>")


@pytest.mark.parametrize("width", [360, 820])
def test_nothing_scrolls_sideways_and_what_is_pressed_is_large_enough(chromium: Browser, width: int) -> None:
    tab = chromium.new_page(viewport={"width": width, "height": 740})
    shown = {state.step: (state, steps) for state, steps in places() if len(state.merchants) == 6}
    for state, steps in shown.values():
        seat = state.mover if state.mover >= 0 else 0
        moves = DUTCHMAN.moves(state) if seat == state.mover else ()
        laid_out(tab, html(DUTCHMAN.view(state, seat), moves, events(steps, seat)))
        tab.evaluate("for (const drawer of document.querySelectorAll('details')) drawer.open = true")
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), state.step
        small = tab.evaluate(
            """[...document.querySelectorAll("button, label.df-take, label.df-way, label.df-berth, summary")]
              .filter((one) => one.checkVisibility())
              .map((one) => [one.id || one.className, one.getBoundingClientRect()])
              .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
              .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
        )
        assert small == [], state.step
    tab.close()
