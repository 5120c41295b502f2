"""Chart room of Der fliegende Holländer as a page: every move has a control, and every control is a move.

Nobody sees what others hide, and the page is sound.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from itertools import combinations, pairwise
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from kontor.game import OVER, Refusal
from kontor.games.dutchman import words as dutchman_words
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.bargain import Proposal
from kontor.games.dutchman.rules.chart import MIDDLE, OURS, SIZE, Chart, sea_of
from kontor.games.dutchman.rules.components import HORSESHOES
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.rules.play import worth
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Bankrupt,
    Checked,
    Decline,
    Keep,
    Lay,
    Paid,
    Propose,
    Put,
    Show,
)
from kontor.games.dutchman.web.chart import HEIGHT, WIDTH, point
from kontor.games.dutchman.web.hand import due, net, signed_ducats
from kontor.games.dutchman.web.moves import fields_of
from kontor.games.dutchman.web.moves import move_of as do
from kontor.games.dutchman.web.tale import BOTTOM, LEFT, RIGHT, TOP, afterwards, curve
from kontor.players.levels import marked
from kontor.tables.values import Plan, SeatPlan
from timeouts import waited_for
from web.browsers import Chromium
from web.conftest import Served
from web.dutchman_positions import (
    NAMES,
    WORDS,
    at_turns,
    by_all_eyes,
    events,
    html,
    mover_html,
    places,
    play_randomly,
    submit_values,
    values,
    whole_games,
)
from web.elements import check_sound, read

COMMON: Final = files("kontor.web.pages").joinpath("static")
STATIC: Final = files("kontor.games.dutchman.web").joinpath("static")
SHEETS: Final = (
    COMMON.joinpath("kontor.css"),
    files("kontor.tables").joinpath("static").joinpath("table.css"),
    STATIC.joinpath("dutchman.css"),
)


@pytest.mark.long
def test_every_seat_and_every_onlooker_gets_a_sound_page() -> None:
    for place, (state, steps) in enumerate(places()):
        for seat in (*range(len(state.merchants)), None):
            if seat not in (state.mover, None) and (place + (seat or 0)) % 5:
                continue
            moves = DUTCHMAN.moves(state) if seat == state.mover else ()
            check_sound(read(html(DUTCHMAN.view(state, seat), moves, events(steps, seat))))


def test_a_page_is_made_of_nothing_but_the_view() -> None:
    """Compare the pages for a seat of two states that it can't tell apart."""
    for number, (state, steps) in enumerate(places()[::3]):
        for seat in (None, number % len(state.merchants)):
            view = DUTCHMAN.view(state, seat)
            other = DUTCHMAN.imagine(view, Random(number).randrange)
            last = events(steps, seat)
            moves = DUTCHMAN.moves(state) if seat == state.mover else ()
            assert html(DUTCHMAN.view(other, seat), moves, last) == html(view, moves, last)


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


@pytest.mark.long
def test_h11a_what_the_check_showed_is_drawn_for_all_as_long_as_some_of_it_lies_there() -> None:
    seen = {True: 0, False: 0}
    for place, (state, steps) in enumerate(places()):
        seat = place % len(state.merchants) if place % 2 else None
        view = DUTCHMAN.view(state, seat)
        last = events(steps, seat)
        text = html(view, (), last)
        slip = read(text).find("section", id="df-checked") if "df-checked" in text else []
        if state.inspection is None or state.mover == OVER:
            fresh = (*view.happened, *[happening for _, event, _, _ in last for happening in event.happened])
            assert not slip or any(isinstance(one, Checked) for one in fresh)
        else:
            seen[seat is None] += 1
            colours = [dutchman_words.colour(WORDS, share) for share in state.inspection.shares]
            assert [element.spoken for element in slip[0].find("li")] == colours
            assert dutchman_words.left_of_check(WORDS, view.inspection, view.put_by.count(None)) in slip[0].spoken
    assert min(seen.values()) > 5


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


def test_h13_the_end_says_how_each_total_comes_about() -> None:
    for state in at_turns("over"):
        view = DUTCHMAN.view(state, None)
        assert view.result is not None
        root = read(html(view))
        for seat, points in enumerate(view.result.points):
            account = root.find("li", id=f"df-total-{seat}")[0].spoken
            assert (seat in view.result.winners) == ("has won:" in account)
            if view.players[seat].bankrupt:
                assert account.endswith(f"bankrupt since round {view.players[seat].bankrupt}")
                continue
            assert account.endswith(f": {points}")
            cash = int(re.findall(r"(\d+) ducats? in cash", account)[0])
            shares = re.findall(r"(\d+) shares? in \w+ at (\d+)", account)
            assert cash + sum(int(count) * int(value) for count, value in shares) == points


def test_h13_wealth_is_cash_and_shares_as_they_stood_after_each_round() -> None:
    for steps in whole_games():
        tale = afterwards(WORDS, NAMES, 1, by_all_eyes(steps))
        dealt = [steps[0][2], *(after for before, _, after in steps if after.round > before.round), steps[-1][2]]
        for seat, wealth in enumerate(tale.wealth):
            owned = [state.merchants[seat] for state in dealt]
            had = [one.cash + worth(one.shares, state.stones) for one, state in zip(owned, dealt, strict=True)]
            assert list(wealth[1:]) == had[1:]
        result = DUTCHMAN.result(steps[-1][2])
        assert result is not None
        assert tuple(wealth[-1] for wealth in tale.wealth) == result.points


def test_h13_the_curves_lie_within_the_picture_and_their_names_apart() -> None:
    for steps in whole_games():
        last = steps[-1][2]
        bankrupt = [merchant.bankrupt for merchant in last.merchants]
        lines = curve(afterwards(WORDS, NAMES, None, by_all_eyes(steps)).wealth, bankrupt).lines
        for line in lines:
            assert len(line.points) == 1 + (bankrupt[line.seat] or last.round)
            assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in line.points)
            assert line.ruined == bool(bankrupt[line.seat])
            assert (line.points[-1][1] == BOTTOM) or not line.ruined
        heights = sorted(line.label for line in lines)
        assert all(lower - higher >= 20 for higher, lower in pairwise(heights))
        assert heights[0] > 0


def test_h13_the_moments_told_are_those_of_the_game() -> None:
    kinds = set()
    for steps in whole_games():
        tale = afterwards(WORDS, NAMES, None, by_all_eyes(steps))
        root = read(html(DUTCHMAN.view(steps[-1][2], None), tale=tale))
        moments = [element.spoken for element in root.find("div", **{"class": "df-moments"})[0].find("li")]
        happened = [(before, happening) for before, _, after in steps for happening in after.happened]
        paid = [max(one.paid) for _, one in happened if isinstance(one, Paid)]
        if max(paid):
            kinds.add("dearest")
            assert any(f" {max(paid)} ducat" in moment and "costliest" in moment for moment in moments)
        for before, one in happened:
            if isinstance(one, Bankrupt):
                kinds.add("bankrupt")
                ruined = dutchman_words.everyone(WORDS, NAMES, one.seats)
                assert f"Bankrupt in round {before.round}: {ruined}." in moments
        checks = sum(isinstance(one, Checked) for _, one in happened)
        if checks:
            kinds.add("checked")
            assert any(moment.startswith(f"The Kontor pile was checked {checks} time") for moment in moments)
        bargains = [-min(one.ducats) for _, one in happened if isinstance(one, Agreed)]
        assert any("bargain" in moment for moment in moments) == (max(bargains, default=0) > 0)
        result = DUTCHMAN.result(steps[-1][2])
        assert result is not None
        if len(result.winners) == 1 and not steps[-1][2].merchants[result.winners[0]].bankrupt:
            kinds.add("lead")
            assert re.search(r"\bled\b|\bthe lead\b", moments[0])
            assert NAMES[result.winners[0]] in moments[0]
    assert kinds == {"dearest", "bankrupt", "lead", "checked"}


def test_h13_the_end_is_sound_told_once_and_nothing_of_it_before() -> None:
    for steps in whole_games()[::3]:
        state = steps[-1][2]
        for seat in (0, None):
            view = DUTCHMAN.view(state, seat)
            tale = afterwards(WORDS, NAMES, seat, by_all_eyes(steps))
            text = html(view, (), events(steps[-40:], seat), tale=tale)
            root = read(text)
            check_sound(root)
            mine = [element["id"] for element in root.find("g") if element["class"].endswith(" you")]
            assert mine == ([] if seat is None else [f"df-wealth-{seat}"])
            assert dutchman_words.headline(WORDS, NAMES, view) not in root.spoken, "it stands above the table"
            assert "df-wealth-0" not in html(view)


@pytest.mark.long
def test_h13_at_the_table_the_end_says_once_who_has_won_and_how(served: Served) -> None:
    names = ("Anna", "Bernd", "Carla")
    with served.guest("Dora") as dora:
        machines = tuple(SeatPlan("machine", name, "random") for name in names)
        host, _ = served.service.people.guest("Emil")
        table = served.service.opening.open(host.id, Plan("dutchman", Options(players=3), machines))
        page = dora.get(f"/tables/{table}")
        assert page.has("ending") or not page.has("df-curve"), "how wealth grew is nobody's business before the end"
        waited_for(lambda: served.service.tables.info(table).status == "over")
        page = dora.get(f"/tables/{table}")
        headline = dutchman_words.headline(
            WORDS, [marked(name) for name in names], served.service.tables.view(table).look(None).view
        )
        outcome = headline.replace("\u00a0", " ")
        assert page.text("now") == outcome
        assert page.text("main").count(outcome) == 1
        assert page.text("df-curve").startswith("Wealth after each round")
        assert page.has("df-total-2")


def test_h11_a_bankrupt_has_no_hand_and_is_told_so() -> None:
    bankrupt = [
        (state, seat)
        for state, _ in places()
        for seat, merchant in enumerate(state.merchants)
        if merchant.bankrupt and state.step != "over"
    ]
    assert bankrupt
    for state, seat in bankrupt:
        text = read(html(DUTCHMAN.view(state, seat))).spoken
        assert "You are bankrupt and out of the game." in text
        assert "Your rack" not in text


def test_h11_h12_each_destination_says_what_is_at_stake_for_the_reader() -> None:
    for state in at_turns("sail", "name", "propose"):
        view = DUTCHMAN.view(state, state.mover)
        ways = [element for element in read(mover_html(state)).find("label") if "df-way" in element["class"]]
        assert [values(way, "to") for way in ways] == [[to] for to in view.ahead]
        for way, to in zip(ways, view.ahead, strict=True):
            due = [str(element.parts[0]) for element in way.find("span") if "df-due" in element["class"]]
            ship = sea_of(view.options.chart).ship[to]
            if ship:
                assert due == [f"−{dutchman_words.value(view, ship) * view.shares.count(ship)}"] * (
                    ship in view.shares
                )
            else:
                assert due == [f"+{max(dutchman_words.value(view, share) for share in view.shares)}"]


@pytest.mark.long
def test_h8_every_field_says_what_it_is_and_whether_the_dutchman_may_go_there() -> None:
    for state, _ in places()[::4]:
        view = DUTCHMAN.view(state, None)
        spots = [element for element in read(html(view)).find("g") if "df-spot" in element["class"].split()]
        fields = view.options.chart.fields
        assert [spot["id"] for spot in spots] == [f"df-spot-{field.at[0]}-{field.at[1]}" for field in fields]
        titles = {field.name: one.find("title")[0].spoken for field, one in zip(fields, spots, strict=True)}
        assert all(
            title.startswith(dutchman_words.field(WORDS, view.options.chart, name)) for name, title in titles.items()
        )
        if state.mover == OVER:
            continue
        assert [name for name, title in titles.items() if "lies here" in title] == [state.dutchman]
        assert [name for name, title in titles.items() if "came from here" in title] == [state.came_from] * bool(
            state.came_from
        )
        assert {name for name, title in titles.items() if "can sail here" in title} == set(view.ahead)


def test_h11_the_last_voyage_tells_who_paid_what() -> None:
    voyages = 0
    for state, steps in play_randomly(11, 5):
        bills_paid = [
            happening for _, _, after in steps for happening in after.happened if isinstance(happening, Paid)
        ]
        if state.step not in ("action", "over") or not bills_paid:
            continue
        paid = bills_paid[-1]
        root = read(html(DUTCHMAN.view(state, None), (), events(steps, None)))
        walks = [element.spoken for element in root.find("p", **{"class": "df-walk"})]
        if walks:
            voyages += 1
            assert walks[0].startswith(f"The {paid.colour} marker moves from {paid.value} to 2")
            bills = [
                bill.spoken for element in root.find("ul", **{"class": "df-bills"}) for bill in element.find("li")
            ]
            shares = [(seat, count) for seat, count in enumerate(paid.shares) if count]
            for bill, (seat, count) in zip(bills, shares, strict=True):
                ducats = f"−{paid.paid[seat]}" if paid.paid[seat] else "0"
                assert bill.startswith(f"{NAMES[seat]} {ducats} for {count} share")
    assert voyages


@pytest.mark.long
def test_h3_another_chart_is_drawn_as_well() -> None:
    """Check a chart mirrored at its diagonal, with names to be escaped, and with its long lines as short ones."""
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
    for state, steps in play_randomly(5, 4, chart):
        if state.step in ("sail", "name"):
            text = html(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state), events(steps, state.mover))
            root = read(text)
            check_sound(root)
            assert [do({"move": state.step, "to": to}) for to in values(root, "to")] == list(DUTCHMAN.moves(state))


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


def test_h7_the_script_reads_lays_as_the_rules_do(chromium: Chromium) -> None:
    random = Random(7)
    cases = []
    for _ in range(3000):
        shoes = random.sample(HORSESHOES, random.choice((1, 2, 3, 4, 6, 9, 14)))
        golden = [shoe for shoe in shoes if shoe > 20][:1]
        lay = highest_first([*golden, *(shoe for shoe in shoes if shoe <= 20)])
        if lay:
            cases.append((lay, random.randrange(21, 50, 2)))
    [reader] = read(mover_html(at_turns("action")[0])).find("output", id="df-reading")
    sentences = {name: reader[f"data-{name}"] for name in ("exact", "below", "over", "nothing")}
    sentences |= {f"{name}Sum": reader[f"data-{name}-sum"] for name in ("exact", "below", "over")}
    source = STATIC.joinpath("dutchman.js").read_text("utf-8")
    tab = chromium.new_page()
    readings = tab.evaluate(
        """async ([source, cases, say]) => {
          const { read } = await import("data:text/javascript," + encodeURIComponent(source));
          return JSON.stringify(cases.map(([lay, lucky]) => read(lay, lucky, say)));
        }""",
        [source, cases, sentences],
    )
    tab.close()
    assert json.loads(readings) == [dutchman_words.read(WORDS, lay, lucky) for lay, lucky in cases]


def laid_out(tab: Page, text: str) -> None:
    """Show the board as on a table's page, below an empty bar."""
    sheets = "".join(sheet.read_text("utf-8") for sheet in SHEETS)
    head = f'<meta name="viewport" content="width=device-width"><style>{sheets}</style>'
    board = f'<div class="heading"></div><div class="course"><section id="board">{text}</section></div>'
    tab.set_content(
        f'<!doctype html>{head}<body class="dutchman at-table"><main><div id="table">{board}</div></main>'
    )


@pytest.mark.parametrize("width", [360, 820])
def test_nothing_scrolls_sideways_and_what_is_pressed_is_large_enough(chromium: Chromium, width: int) -> None:
    tab = chromium.new_page(viewport={"width": width, "height": 740})
    place_of_step = {state.step: (state, steps) for state, steps in places() if len(state.merchants) == 6}
    for state, steps in place_of_step.values():
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


ROUND_THE_CHART: Final = """() => {
  const table = document.getElementById("df-table"), told = document.getElementById("df-glance"), ways = {};
  const press = (key) => table.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const waiting = [[]];
  while (waiting.length) {
    const way = waiting.shift();
    for (const arrow of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      ["Escape", "ArrowDown", ...way, arrow].forEach(press);
      const spot = document.querySelector(".df-spot.looked-at");
      if (told.textContent !== spot.querySelector("title").textContent) throw new Error(spot.id);
      if (!(spot.id in ways)) waiting.push(ways[spot.id] = [...way, arrow]);
    }
  }
  press("Escape");
  return ways;
}"""
"""Script that returns the keys that lead from the Dutchman to every field."""


def test_h8_the_chart_is_looked_round_and_chosen_from_by_the_arrow_keys(chromium: Chromium) -> None:
    tab = chromium.new_page(viewport={"width": 1000, "height": 800})
    for state in at_turns("sail")[:3]:
        laid_out(tab, mover_html(state))
        tab.add_script_tag(content=STATIC.joinpath("dutchman.js").read_text("utf-8"), type="module")
        tab.locator("#df-table[tabindex]").focus()
        ways = tab.evaluate(ROUND_THE_CHART)
        keys = {field.name: f"{field.at[0]}-{field.at[1]}" for field in state.options.chart.fields}
        assert set(ways) == {f"df-spot-{key}" for key in keys.values()}
        for to in state.sea.ahead[state.dutchman][state.came_from]:
            for key in ("Escape", "ArrowDown", *ways[f"df-spot-{keys[to]}"], "Enter"):
                tab.keyboard.press(key)
            assert "can sail here" in (tab.locator("#df-glance").text_content() or "")
            assert tab.locator(f"#df-to-{keys[to]}").is_checked()
    tab.close()


def box_of(tab: Page, part: str) -> dict[str, float]:
    """Return the edges of an element."""
    box = tab.locator(part).bounding_box()
    assert box, part
    return {"left": box["x"], "top": box["y"], "right": box["x"] + box["width"], "bottom": box["y"] + box["height"]}


def test_on_a_phone_the_chart_comes_first_and_the_buttons_are_at_the_foot(chromium: Chromium) -> None:
    tab = chromium.new_page(viewport={"width": 360, "height": 740})
    for step in ("action", "sail", "name", "propose", "answer", "show"):
        laid_out(tab, mover_html(at_turns(step)[0]))
        tops = [box_of(tab, part)["top"] for part in ("#df-sheet", "#df-stones", ".df-ask", ".df-do", ".df-drawers")]
        assert tops == sorted(tops), step
        assert box_of(tab, ".df-do")["bottom"] <= 740, step
        assert box_of(tab, ".df-drawers")["top"] >= 740, "they are a second screen"
    tab.close()


@pytest.mark.parametrize("size", [(1366, 768), (1366, 650), (1920, 1080)])
def test_on_a_desk_the_question_and_the_hand_stand_beside_the_chart(
    chromium: Chromium, size: tuple[int, int]
) -> None:
    tab = chromium.new_page(viewport={"width": size[0], "height": size[1]})
    for state in at_turns("action", "sail", "answer")[:6]:
        laid_out(tab, mover_html(state))
        chart = box_of(tab, ".df-board")
        for part in (".df-people", ".df-question", "#df-own", "#df-hand .df-do"):
            assert box_of(tab, part)["left"] > chart["right"]
            assert box_of(tab, part)["bottom"] <= size[1], "what is pressed is seen without scrolling"
        assert box_of(tab, ".df-chests")["bottom"] > size[1] - 20, "the chart and the chests use the height"
    tab.close()


def test_in_a_window_nearly_square_the_hand_lies_under_the_chests(chromium: Chromium) -> None:
    tab = chromium.new_page(viewport={"width": 1100, "height": 900})
    for state in at_turns("action", "sail", "answer")[:6]:
        laid_out(tab, mover_html(state))
        assert box_of(tab, "#df-own")["top"] > box_of(tab, ".df-chests")["bottom"]
        assert box_of(tab, ".df-question")["left"] > box_of(tab, ".df-board")["right"]
        assert box_of(tab, "#df-hand .df-do")["bottom"] <= 900
    tab.close()


def test_h9_what_a_proposal_comes_to_is_said_to_whoever_answers_it(chromium: Chromium) -> None:
    """Compare the server's words to those who answer with the script's words to the proposer."""
    (state,) = at_turns("propose")[:1]
    assert state.bargain is not None
    own = state.bargain.tied.index(state.mover)
    other = (own + 1) % len(state.bargain.tied)
    ducats = tuple({own: 4, other: -4}.get(place, 0) for place in range(len(state.bargain.tied)))
    tab = chromium.new_page(viewport={"width": 1100, "height": 900})
    laid_out(tab, mover_html(state))
    tab.add_script_tag(content=STATIC.joinpath("dutchman.js").read_text("utf-8"), type="module")
    tab.locator("#df-table[tabindex]").wait_for()
    view = DUTCHMAN.view(state, state.mover)
    ships = sea_of(view.options.chart).ship
    sentences = []
    for to in view.ahead:
        tab.locator(f'#df-where input[value="{to}"]').check(force=True)
        for gets in ("4", ""):
            tab.locator(f"#df-ducats-{other}").fill(f"-{gets}" if gets else "")
            terms = ducats if gets else (0,) * len(ducats)
            sentence = net(WORDS, view, Proposal(state.mover, to, terms))
            assert tab.locator("#df-net").inner_text() == sentence
            met = ships[to]
            stake = -dutchman_words.value(view, met) * view.shares.count(met) if met else due(view, None)
            if gets and stake:
                sign = "+" if stake > 0 else "−"
                assert sentence == f"+4 {sign} {abs(stake)} = {signed_ducats(4 + stake)} for you"
            sentences.append(sentence)
    tab.close()
    assert {"=" in sentence for sentence in sentences} == {True, False}


def test_h9_ducats_are_stepped_one_by_one_and_the_own_share_is_the_balance(chromium: Chromium) -> None:
    state = next(state for state in at_turns("propose") if state.bargain and len(state.bargain.tied) > 1)
    assert state.bargain is not None
    tied = state.bargain.tied
    own = tied.index(state.mover)
    other = (own + 1) % len(tied)
    tab = chromium.new_page(viewport={"width": 1366, "height": 768})
    laid_out(tab, mover_html(state))
    tab.add_script_tag(content=STATIC.joinpath("dutchman.js").read_text("utf-8"), type="module")
    tab.locator("#df-table[tabindex]").wait_for()
    balance, field = tab.locator("#df-balance"), tab.locator(f"#df-ducats-{other}")
    for button, number, amount, rest in (
        ("more", "1", "gets 1", "pays 1"),
        ("less", "", "", "0"),
        ("less", "-1", "pays 1", "gets 1"),
    ):
        tab.locator(f"#df-{button}-{other}").click()
        assert field.input_value() == number
        assert tab.locator(f"#df-amount-{other}").inner_text() == amount
        assert balance.inner_text() == rest
    cash = state.merchants[tied[other]].cash
    for _ in range(cash + 3):
        tab.locator(f"#df-less-{other}").click(force=True)  # it is shown as disabled in the end
    assert field.input_value() == (str(-cash) if cash else ""), "nobody pays more than they have"
    field.fill(str(state.merchants[state.mover].cash + 1))
    assert balance.inner_text() == f"You have only {state.merchants[state.mover].cash}."
    tab.close()


def test_h9_the_net_of_a_proposal_counts_what_an_island_earns() -> None:
    state = next(
        state
        for state in at_turns("propose")
        if state.bargain
        and any(
            sea_of(state.options.chart).ship[to] is None for to in state.sea.ahead[state.dutchman][state.came_from]
        )
    )
    assert state.bargain is not None
    view = DUTCHMAN.view(state, state.mover)
    island = next(to for to in view.ahead if sea_of(view.options.chart).ship[to] is None)
    best = max(dutchman_words.value(view, share) for share in view.shares)
    nothing = (0,) * len(state.bargain.tied)
    assert net(WORDS, view, Proposal(state.mover, island, nothing)) == f"+{best} for you"
