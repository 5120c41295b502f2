"""Play now: strangers who come at the same time sit at one table; in browsers, without scripts, by the API."""

from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from kontor.lobby.pages import plan_together
from kontor.server.composition import utc_now
from web.browsers import PHONE, Chromium, browsing
from web.conftest import Served
from web.guests import Guest


class AheadClock:
    """Clock that runs ahead of the machine's time by ``ahead``."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead


def looks_for(page: Page, game: str, **chosen: str) -> None:
    page.goto("/")
    page.locator("#seek-game").select_option(game)
    for field, value in chosen.items():
        page.locator(f"#seek-{field}").select_option(value)
    page.locator("#seek-go").click()


def test_two_browsers_press_find_a_game_sit_at_one_table_and_move(chromium: Chromium, tmp_path: Path) -> None:
    with (
        Served(tmp_path) as served,
        served.guest("Anna") as anna,
        served.guest("Bernd") as bernd,
        browsing(chromium, served.address, anna) as hers,
        browsing(chromium, served.address, bernd, **PHONE) as his,
    ):
        looks_for(hers, "shanghaien")
        expect(hers.locator("#waited")).to_be_visible()
        expect(hers.locator("#others")).to_contain_text("Nobody else")
        looks_for(his, "shanghaien", near="no")
        his.wait_for_url("**/tables/*")
        hers.wait_for_url("**/tables/*")
        assert hers.url == his.url
        table = his.url.rpartition("/")[2]
        assert served.service.tables.info(table).order == "random"
        mover = served.service.tables.info(table).mover
        assert mover is not None
        seat = served.service.tables.info(table).seats[mover]
        page = hers if seat.name == "Anna" else his
        page.locator('#table button[name="move"]').first.click()
        page.wait_for_function("Number(document.getElementById('state').dataset.version) > 0")
        expect(page.locator("#state")).to_be_attached()
        assert served.service.tables.info(table).number >= 1


def test_who_waits_is_offered_the_computer_and_takes_it(chromium: Chromium, tmp_path: Path) -> None:
    clock = AheadClock()
    with (
        Served(tmp_path, clock=clock) as served,
        served.guest("Anna") as anna,
        browsing(chromium, served.address, anna, **PHONE) as page,
    ):
        looks_for(page, "dutchman", players="4")
        expect(page.locator("#waited")).to_be_visible()
        expect(page.locator("#seek-computer")).to_have_count(0)
        for _ in range(2):
            clock.ahead += timedelta(seconds=16)
            served.service.seeking.wait(served.person_id(anna), plan_together)
        expect(page.locator("#seek-computer")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator("#seek-on").click()
        expect(page.locator("#seek-computer")).to_have_count(0)
        for _ in range(5):
            clock.ahead += timedelta(seconds=16)
            served.service.seeking.wait(served.person_id(anna), plan_together)
        page.locator("#seek-computer").click()
        page.wait_for_url("**/tables/*")
        info = served.service.tables.info(page.url.rpartition("/")[2])
        assert (info.status, len(info.seats), sum(bool(seat.player) for seat in info.seats)) == ("playing", 4, 3)


@pytest.mark.parametrize("language", ["en", "de", "fr", "it", "ja"])
def test_it_works_without_scripts_in_all_languages(served: Served, language: str) -> None:
    headers = {"accept-language": language}
    with served.guest("Anna", headers=headers) as anna, served.guest("Bernd", headers=headers) as bernd:
        page = anna.press(anna.get("/").button("seek-go"), game="shanghaien", pace="none")
        assert page.path == "/play/waiting"
        assert 'http-equiv="refresh"' in page.html
        assert anna.get("/").status == 200
        table = bernd.press(bernd.get("/").button("seek-go"), game="shanghaien", pace="none")
        assert table.path.startswith("/tables/")
        assert anna.get("/play/waiting").path == table.path, "the page is there anew, and leads on"


def test_who_stops_waits_no_longer_and_can_begin_again(anna: Guest) -> None:
    page = anna.press(anna.get("/").button("seek-go"), game="dutchman", players="5")
    assert anna.press(page.button("seek-stop")).path == "/"
    page = anna.get("/play/waiting")
    assert "You are not looking for a game." in page.html
    assert anna.press(page.button("seek-go"), game="dutchman", players="99").path == "/play/waiting"
    anna.press(anna.get("/play/waiting").button("seek-stop"))
    chess = {**page.button("seek-go").form.fields, "game": "chess"}
    assert anna.post("/play/together", chess).status == 404


def test_a_stranger_gives_a_name_first(stranger: Guest) -> None:
    assert stranger.get("/play/waiting").status == 403
    assert "seek-go" not in stranger.get("/").html


def test_programs_wait_as_people_do(served: Served) -> None:
    def program(name: str) -> httpx.Client:
        token = httpx.post(f"{served.address}/api/people", json={"name": name}).json()["token"]
        return httpx.Client(base_url=f"{served.address}/api/", headers={"authorization": f"Bearer {token}"})

    with program("Robota") as robota, program("Robert") as robert, served.guest("Anna") as anna:
        assert robota.get("me/seek").status_code == 404
        pace = {"kind": "slow", "seconds": 86400}
        status = robota.post("me/seek", json={"game": "shanghaien", "pace": pace}).json()
        assert (status["table"], status["others"], status["offered"]) == (None, 0, "")
        refused = robota.post("me/seek/computer")
        assert refused.status_code == 409
        assert robota.post("me/seek", json={"game": "chess"}).status_code in (404, 422)
        assert robota.post("me/seek", json={"game": "dutchman", "players": 9}).status_code == 422
        assert robert.post("me/seek", json={"game": "dutchman", "players": 3}).json()["table"] is None
        table = anna.press(anna.get("/").button("seek-go"), game="shanghaien", pace="slow-86400-0").path
        assert robota.get("me/seek").json()["table"] == table.rpartition("/")[2]
        assert robert.delete("me/seek").status_code == 204
        assert robert.get("me/seek").status_code == 404
        assert robota.get("tables").json()["mine"][0]["id"] == table.rpartition("/")[2]


def test_play_now_offers_and_seats_three_merchants(served: Served, anna: Guest, bernd: Guest, carla: Guest) -> None:
    form = '<select id="seek-players" name="players">'
    offered = anna.get("/").html.partition(form)[2].partition("</select>")[0]
    assert [size for size in range(1, 9) if f">{size}</option>" in offered] == [3, 4, 5, 6]
    some = anna.press(anna.get("/").button("seek-go"), game="dutchman", players="")
    assert "3 to 6 players" in some.html
    three = anna.press(anna.get("/").button("seek-go"), game="dutchman", players="3")
    assert "3 players" in three.html
    bernd.press(bernd.get("/").button("seek-go"), game="dutchman", players="3")
    table = carla.press(carla.get("/").button("seek-go"), game="dutchman", players="3")
    assert table.path.startswith("/tables/")
    assert anna.get("/play/waiting").path == bernd.get("/play/waiting").path == table.path
    assert len(served.service.tables.info(table.path.rpartition("/")[2]).seats) == 3


def test_a_program_that_wants_any_number_gets_what_the_game_allows(served: Served) -> None:
    made = httpx.post(f"{served.address}/api/people", json={"name": "Robota"}).json()
    headers = {"authorization": f"Bearer {made['token']}"}
    status = httpx.post(f"{served.address}/api/me/seek", json={"game": "dutchman"}, headers=headers).json()
    assert (status["seek"]["fewest"], status["seek"]["most"]) == (3, 6)
    assert httpx.delete(f"{served.address}/api/me/seek", headers=headers).status_code == 204
