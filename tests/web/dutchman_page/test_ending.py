"""The end of a game of the Holländer as a page: totals, wealth, and the moments that decided."""

import re
from itertools import pairwise

import pytest

from kontor.games.dutchman import words as dutchman_words
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.play import worth
from kontor.games.dutchman.rules.state import Agreed, Bankrupt, Checked, Paid
from kontor.games.dutchman.web.tale import BOTTOM, LEFT, RIGHT, TOP, afterwards, curve
from kontor.players.levels import marked
from kontor.tables.values import Plan, SeatPlan
from timeouts import waited_for
from web.conftest import Served
from web.dutchman_positions import NAMES, WORDS, at_turns, by_all_eyes, events, html, whole_games
from web.elements import check_sound, read


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
