"""Chart room of the Holländer as drawn: sound, of nothing but the view, and saying what is at stake."""

import re
from random import Random

import pytest
from msgspec.structs import replace

from kontor.game import OVER
from kontor.games.dutchman import words as dutchman_words
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.bargain import Proposal
from kontor.games.dutchman.rules.chart import MIDDLE, OURS, SIZE, Chart, sea_of
from kontor.games.dutchman.rules.state import Checked, Paid
from kontor.games.dutchman.web.chart import HEIGHT, WIDTH, point
from kontor.games.dutchman.web.hand import net
from kontor.games.dutchman.web.moves import move_of as do
from web.dutchman_positions import (
    NAMES,
    STATIC,
    WORDS,
    at_turns,
    events,
    html,
    mover_html,
    places,
    play_randomly,
    values,
)
from web.elements import check_sound, read


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
