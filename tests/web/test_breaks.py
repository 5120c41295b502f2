"""More time, pauses and holidays as people and programs do them: without scripts, in a browser, and by the API."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from guests import Clock
from kontor.tables.clocks import write_clock
from web.browsers import Pages
from web.conftest import GENEROUS, Come, Served
from web.guests import Guest, seat_friend
from web.test_api import Make, table_for
from web.test_api import program as program

SLOW = "slow-86400-0"


@pytest.fixture
def timed(tmp_path: Path, clock: Clock) -> Iterator[Served]:
    """Yield a server whose clock is set by hand."""
    with Served(tmp_path, GENEROUS, clock=clock) as served:
        yield served


def pause(anna: Guest, bernd: Guest, path: str) -> None:
    anna.press(anna.get(f"{path}/pause").button("propose-pause"))
    bernd.press(bernd.get(path).button("agree-pause"))


def test_one_click_gives_another_more_time(served: Served, pages: Pages, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, pace=SLOW)
    with pages(anna) as one, pages(bernd) as other:
        one.goto(path)
        other.goto(path)
        expect(other.locator("#connection")).to_have_attribute("data-is", "live")
        expect(one.locator("#more-time-1")).to_have_count(0)
        one.locator("#more-time-2").click()
        for page in (one, other):
            expect(page.locator("#sitting")).to_contain_text("24 hours in reserve")
            expect(page.locator("#chat")).to_contain_text("Anna gives Bernd more time.")


def test_without_scripts_people_give_time_and_pause(served: Served, come: Come) -> None:
    anna, bernd, carla = (come(served, name) for name in ("Anna", "Bernd", "Carla"))
    path = seat_friend(anna, bernd, pace="live-60-600")
    page = anna.get(path)
    for _ in range(10):
        page = anna.press(page.button("more-time-2"))
    assert "20:00 in reserve" in page.text("sitting")
    assert not page.has("more-time-2")
    over = anna.post(f"{path}/more-time", {**page.forms[0].fields, "at": "1"})
    assert over.status == 409
    assert "Bernd has been given more time 10 times: that is enough." in over.text("refused")
    assert not carla.get(path).has("more-time-2")
    assert carla.get(f"{path}/pause").path == path

    page = anna.get(f"{path}/pause")
    assert "The pause begins when Bernd agrees." in page.text("main")
    proposed = anna.press(page.button("propose-pause"))
    assert proposed.text("pause") == "Anna proposes a pause. Still to answer: Bernd. Withdraw the proposal"
    assert not proposed.has("pause-there")
    assert not anna.get(f"{path}/end").has("propose"), "one proposal at a time"
    stale = bernd.post(f"{path}/decline", bernd.get(path).forms[0].fields)
    assert stale.status == 409
    assert "Nobody has proposed to end the game." in stale.text("refused")
    assert not anna.press(proposed.button("decline-pause")).has("pause")
    pause(anna, bernd, path)
    for guest in (anna, bernd, carla):
        paused = guest.get(path)
        assert paused.text("now") == "The game is paused."
        assert not paused.moves
        assert "is thinking" not in paused.html
        assert paused.has("resume") == (guest is not carla)
    assert "Paused" in anna.get("/").html
    going = bernd.press(bernd.get(path).button("resume"))
    assert not going.has("pause")
    assert "Bernd ends the pause." in going.text("chat")
    assert anna.get(path).moves or bernd.get(path).moves


def test_who_is_late_can_be_given_more_time_where_it_is_told(timed: Served) -> None:
    with timed.guest("Anna") as anna, timed.guest("Bernd") as bernd:
        path = seat_friend(anna, bernd, starter="0", pace=SLOW)
        # The turn is moved back: of a clock that jumps ahead, upkeep would take that the program did not run.
        with timed.service._transactions.changing() as change:
            row = change.take(path.rpartition("/")[2])
            assert row.since is not None
            earlier = row.since - 2 * 24 * 3600 * 1000
            write_clock(change, replace(row, since=earlier, deadline=earlier + row.seconds * 1000))
        assert not anna.get(path).has("give-time")
        late = bernd.get(path)
        assert "Anna is out of time." in late.text("late")
        assert not bernd.press(late.button("give-time")).has("late")


def test_a_move_in_a_pause_is_refused_and_says_why(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, starter="0")
    roll = anna.get(path).moves[0]
    pause(anna, bernd, path)
    refused = anna.press(roll)
    assert refused.status == 409
    assert "The game is paused. Anyone at the table can end the pause." in refused.text("refused")


def test_holidays_begin_and_end_on_ones_own_page(timed: Served, clock: Clock) -> None:
    with timed.guest("Anna") as anna, timed.guest("Bernd") as bernd:
        path = seat_friend(anna, bernd, pace=SLOW)
        page = anna.get("/you?open=holidays")
        assert "You have 30 days of holiday left this year." in page.text("holidays")
        for day, sentence in (
            ("", "Choose the last day of your holiday."),
            ("2026-02-28", "cannot be in the past"),
            ("2026-12-24", "You do not have that many days of holiday left in 2026."),
            ("9999-12-31", "You do not have that many days of holiday left in 2026."),
        ):
            refused = anna.press(page.button("holiday-go"), until=day)
            assert refused.status in (409, 422)
            assert sentence in refused.text("refused")
        begun = anna.press(page.button("holiday-go"), until="2026-03-10")
        assert "You are on holiday until 2026-03-10." in begun.text("holidays")
        assert "You have 20 days of holiday left this year." in begun.text("holidays")
        seen = bernd.get(path)
        assert "Anna you" not in seen.text("sitting")
        assert "Anna on holiday until 2026-03-10" in seen.text("sitting")
        assert "Anna is on holiday until 2026-03-10." in seen.text("chat")
        clock.tick(days=2)
        back = anna.press(anna.get("/you?open=holidays").button("holiday-end"))
        assert not back.has("holiday-end")
        assert "You have 27 days of holiday left this year." in back.text("holidays")
        assert "on holiday" not in bernd.get(path).text("sitting")
        assert "Anna is back from holiday." in bernd.get(path).text("chat")


def test_others_learn_of_a_holiday_only_where_they_may_look(timed: Served, clock: Clock) -> None:
    with timed.guest("Anna") as anna, timed.guest("Bernd") as bernd:
        path = seat_friend(anna, bernd, pace=SLOW, watch="no")
        service, table = timed.service, path.rpartition("/")[2]
        service.holidays.begin(timed.person_id(anna), clock.time.date() + timedelta(days=3), 30)
        stranger, friend = service.tables.info(table), service.tables.info(table, timed.person_id(bernd))
        assert (stranger.resumes, [seat.holiday for seat in stranger.seats]) == (None, [None, None])
        midnight = datetime(2026, 3, 5, tzinfo=UTC)
        assert [seat.holiday for seat in friend.seats] == [midnight, None]


def test_where_there_are_no_holidays_none_are_offered(tmp_path: Path) -> None:
    with Served(tmp_path, GENEROUS, holidays=0) as served, served.guest("Anna") as anna:
        page = anna.get("/you")
        assert not page.has("holidays")
        refused = anna.post("/you/holiday", {**page.forms[0].fields, "until": "2100-01-01"})
        assert refused.status == 403
        assert "On this server there are no holidays." in refused.html


def test_programs_give_time_and_pause(program: Make) -> None:
    anna, bernd = program("Anna"), program("Bernd")
    table = table_for([anna, bernd], "shanghaien", pace={"kind": "slow", "seconds": 86400})
    seats = anna.get(f"tables/{table}")["seats"]
    assert [seat["more_time"] for seat in seats] == [0, 86400]
    given = anna.post(f"tables/{table}/seats/1/time")
    assert given["seats"][1]["reserve"] == 86400
    assert anna.try_post(f"tables/{table}/seats/0/time")[0] == 403
    assert anna.post(f"tables/{table}/pause")["pause_proposed"] == 0
    assert bernd.client.delete(f"tables/{table}/pause").status_code == 204
    assert anna.post(f"tables/{table}/pause")["pause_proposed"] == 0
    assert bernd.try_post(f"tables/{table}/end")[0] == 409
    assert bernd.client.delete(f"tables/{table}/end").status_code == 409
    assert bernd.get(f"tables/{table}")["pause_proposed"] == 0
    paused = bernd.post(f"tables/{table}/pause")
    assert (paused["paused"], paused["my_turn"], paused["deadline"]) == (True, False, None)
    mover = (anna, bernd)[paused["mover"]]
    number = mover.get(f"tables/{table}/view")["number"]
    assert mover.get(f"tables/{table}/moves")["count"] == 0
    assert mover.try_post(f"tables/{table}/moves", number=number, move={"type": "roll"})[0] == 409
    assert anna.client.delete(f"tables/{table}/pause").status_code == 204
    assert anna.client.delete(f"tables/{table}/pause").status_code == 409
    assert not anna.get(f"tables/{table}")["paused"]


@pytest.mark.parametrize("breaks", ["yes", ""])
def test_the_organiser_chooses_when_opening_a_tournament(served: Served, come: Come, breaks: str) -> None:
    anna = come(served, "Anna")
    page = anna.get("/tournaments/new/shanghaien")
    opened = anna.press(page.button("open-it"), name="Winter Cup", breaks=breaks)
    assert ("Holidays count, and games can be paused." in opened.text("main")) == bool(breaks)
