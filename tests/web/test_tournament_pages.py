"""Tournaments on pages and by the API: people open, join and begin them with and without scripts.

Everyone who looks sees the standings.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import httpx
import pytest
from playwright.sync_api import expect

from kontor.server.composition import KontorServer
from kontor.tournaments.pages import TOURNAMENT_PACES
from kontor.tournaments.values import TournamentInfo
from timeouts import HANG_TIMEOUT, waited_for
from tournaments.test_tournaments import LIVE, of_pairs, of_tables, people, person_moves, tables_now
from web.browsers import PHONE, Chromium, Pages, browsing
from web.conftest import Served
from web.guests import Guest, Page


def open_tournament(host: Guest, game: str = "shanghaien", **fields: str) -> str:
    """Open a tournament in which the host takes part; return its path."""
    given = {"name": "Winter Cup", "fewest": "2", **fields}
    page = host.press(host.get(f"/tournaments/new/{game}").button("open-it"), **given)
    assert page.status == 200, page.text("refused")
    assert re.fullmatch(r"/tournaments/\w{20}", page.path)
    return page.path


def id_of(path: str) -> str:
    return path.rpartition("/")[2]


def play_out(service: KontorServer, tournament: str) -> None:
    """Play all games at random, to the end of the tournament."""
    random = Random(2)
    while service.tournaments.view(tournament).info.status == "running":
        while sum(person_moves(service, table, random) for table in tables_now(service.tournaments.view(tournament))):
            pass
        service.tournaments.go_on()


def test_people_open_join_begin_and_look(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        path = open_tournament(anna)
        assert anna.get(path).has("start-go")
        assert "One more player is needed." in anna.get(path).text("too-few")
        assert not bernd.get(path).has("start-go")
        assert bernd.press(bernd.get(path).button("join-go")).status == 200
        assert stranger.get(path).has("name-go")
        begun = anna.press(anna.get(path).button("start-go"))
        assert "Your table is ready" in begun.text("ready")
        assert bernd.get(path).has("play-1")
        assert not stranger.get(path).has("play-1")
        table = re.search(r'href="(/tables/\w{20})"', begun.html)
        assert table
        at_it = anna.get(table[1])
        assert at_it.has("of-tournament")
        assert f'href="{path}"' in at_it.html
        assert "round 1 of 5" in stranger.get(path).text("state-now")
        assert found_on(stranger.get("/tournaments?show=running"), path)
        assert not found_on(stranger.get("/tournaments"), path)
        people_ids = [
            served.service.people.holder_of_session(guest.client.cookies["kontor"]) for guest in (anna, bernd)
        ]
        for person in people_ids:
            assert person
            assert person.id not in stranger.get(path).html


def found_on(page: Page, path: str) -> bool:
    return f'id="found-{id_of(path)}"' in page.html


def test_what_is_by_link_only_is_in_no_list(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger:
        path = open_tournament(anna, public="no")
        assert not found_on(stranger.get("/tournaments"), path)
        assert f'id="mine-{id_of(path)}"' in anna.get("/tournaments").html
        assert "By link only." in stranger.get(path).html
        assert 'property="og:title" content="Winter Cup' in stranger.get(path).html


def test_what_cannot_be_done_is_said_on_the_page(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        page = anna.press(anna.get("/tournaments/new/shanghaien").button("open-it"), name="  ", fewest="2")
        assert page.status == 422
        assert page.text("refused")
        path = open_tournament(anna)
        form = anna.get(path).button("cancel-go").form
        refused = bernd.post(form.action, bernd.get(path).button("join-go").form.fields)
        assert (refused.status, refused.has("refused")) == (403, True)
        assert bernd.get("/tournaments/nothing").status == 404
        assert bernd.get("/tournaments/new/chess").status == 404


def test_what_duplicate_over_days_cannot_hide_is_said(served: Served) -> None:
    hidden = "people at different tables can tell each other what was rolled"
    with served.guest("Anna") as anna:
        form = anna.get("/tournaments/new/shanghaien")
        assert hidden in form.html
        days = next(pace for pace in TOURNAMENT_PACES if pace.startswith("slow"))
        fields = {"name": "Winter Cup", "duplicate": "yes", "pace": days}
        refused = anna.press(form.button("open-it"), **fields, public="yes")
        assert "only for people who have the link" in refused.text("refused")
        assert hidden in anna.get(open_tournament(anna, **fields, public="no")).html
        assert hidden not in anna.get(open_tournament(anna, duplicate="yes")).html


def test_at_a_table_in_step_people_see_what_they_wait_for(served: Served) -> None:
    waiting = "Waiting until all tables have come this far."
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        path = open_tournament(anna, duplicate="yes")
        assert "all tables get the same roll at the same time" in anna.get(path).html
        bernd.press(bernd.get(path).button("join-go"))
        anna.press(anna.get(path).button("start-go"))
        first, second = tables_now(served.service.tournaments.view(id_of(path)))
        waited_for(lambda: all(served.service.tables.info(table).mover is not None for table in (first, second)))
        assert anna.get(f"/tables/{first}").text("now") != waiting
        assert person_moves(served.service, first, Random(1))
        for guest in (anna, bernd):
            page = guest.get(f"/tables/{first}")
            assert page.text("now") == waiting
            assert f'id="other-game" href="/tables/{second}"' in page.html
            assert guest.get(f"/tables/{first}/replay").status == 200
        assert not stranger.get(f"/tables/{first}").has("board")
        assert person_moves(served.service, second, Random(1))
        waited_for(lambda: served.service.tables.info(first).mover is not None)
        assert anna.get(f"/tables/{first}").text("now") != waiting


@pytest.mark.parametrize(
    "query", ["after=x", "after=-", "after=99999999999999999999-a", "game=chess&show=all", "name=%00%25_\\"]
)
def test_what_makes_no_sense_harms_nothing(served: Served, query: str) -> None:
    with served.guest("Anna") as anna:
        assert anna.get(f"/tournaments?{query}").status == 200
        assert anna.get(f"{open_tournament(anna)}?round=99&{query}").status == 200


def test_whoever_opened_it_can_close_it_leave_someone_out_and_cancel(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        path = open_tournament(anna)
        bernd.press(bernd.get(path).button("join-go"))
        closed = anna.press(anna.get(path).button("joining-go"))
        assert "Reopen registration" in closed.html
        out = anna.press(anna.get(path).button("remove-go"))
        assert out.status == 200
        assert bernd.get(path).text("cup-link") == ""
        assert not served.service.tournaments.view(id_of(path)).info.joining
        anna.press(anna.get(path).button("cancel-go"))
        assert "This tournament did not take place." in bernd.get(path).html


def test_when_it_is_over_all_results_are_there(served: Served) -> None:
    service = served.service
    with served.guest("Anna") as anna:
        path = open_tournament(anna, rounds="2", pace="slow-86400-0")
        for person in people(service, "Berta", "Cäsar", "Dora"):
            service.tournaments.join(id_of(path), person)
        anna.press(anna.get(path).button("start-go"))
        play_out(service, id_of(path))
        page = anna.get(path)
        assert "Final standings" in page.text("standings")
        assert page.has("round-2")
        assert page.html.count('class="board') >= 2
        assert "How points and tie-breaks work" in page.html
        first = anna.get(f"{path}?round=1")
        assert "round 1" in first.text("boards")


def test_programs_do_the_same(served: Served) -> None:
    def program(name: str) -> httpx.Client:
        account = httpx.post(f"{served.address}/api/people", json={"name": name}).json()
        headers = {"authorization": f"Bearer {account['token']}"}
        return httpx.Client(base_url=f"{served.address}/api/", headers=headers, timeout=HANG_TIMEOUT)

    with program("Robota") as anna, program("Robotb") as bernd:
        assert anna.post("tournaments", json={"game": "shanghaien", "name": "Bots", "rounds": 0}).status_code == 400
        assert anna.post("tournaments", json={"game": "dutchman", "name": "B", "system": "swiss"}).status_code == 422
        opened_ = anna.post("tournaments", json={"game": "shanghaien", "name": "Bots", "rounds": 1})
        assert opened_.status_code == 201, opened_.text
        tournament = opened_.json()["tournament"]
        assert tournament in [info["id"] for info in bernd.get("tournaments").json()["tournaments"]]
        for client in (anna, bernd):
            response = client.post(
                f"tournaments/{tournament}/entrants", json={"salt": client.headers["authorization"][-9:]}
            )
            assert response.status_code == 201, response.text
        assert bernd.post(f"tournaments/{tournament}/start").status_code == 403
        begun = anna.post(f"tournaments/{tournament}/start").json()
        (table,) = begun["my_tables"]
        assert begun["rounds"][0]["boards"][0]["table"] == table
        assert [info["id"] for info in bernd.get("tables").json()["mine"]] == [table]
        assert bernd.delete(f"tournaments/{tournament}/entrants").status_code == 204
        view = httpx.get(f"{served.address}/api/tournaments/{tournament}").json()
        assert [entrant["left"] for entrant in view["entrants"]] == [False, True]
        assert (view["info"]["host"], view["info"]["seed"]) == (False, None)
        assert anna.delete(f"tournaments/{tournament}").status_code == 409
        assert anna.get("tournaments/nowhere").status_code == 404


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_somebody_takes_part_on_a_phone(served: Served, pages: Pages, scripts: bool) -> None:
    service = served.service
    (host,) = people(service, "Host")
    tournament = service.tournaments.open(host, of_pairs(name="Phone Cup", pace=LIVE))
    service.tournaments.join(tournament, host)
    with served.guest("Anna") as anna, pages(anna, java_script_enabled=scripts, **PHONE) as page:
        page.goto("/")
        page.locator("#to-tournaments").tap()
        page.locator(f"#found-{tournament}").tap()
        with page.expect_navigation():
            page.locator("#join-go").tap()
        expect(page.get_by_text("You take part.")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        service.tournaments.start(tournament, host)
        if not scripts:
            page.reload()
        page.locator("#play-1").tap()
        expect(page).to_have_url(re.compile("/tables/"))
        page.locator("#of-tournament").tap()
        expect(page.locator("#ready")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.browser
def test_when_it_begins_is_told_by_the_readers_own_clock(served: Served, chromium: Chromium) -> None:
    with served.guest("Hanna") as host:
        path = open_tournament(host, starts=f"{datetime.now(UTC) + timedelta(hours=3):%Y-%m-%dT%H:%M}", zone="UTC")
        seen = host.get(path).text("state-now")
        match = re.fullmatch(r"begins .* (\d\d):(\d\d) UTC", seen)
        assert match, seen
        with browsing(chromium, served.address, timezone_id="Asia/Kolkata", locale="de") as page:
            for where, place in ((path, "#state-now"), ("/tournaments", f"#found-{id_of(path)} .how")):
                page.goto(served.address + where)
                minutes = int(match[1]) * 60 + int(match[2]) + 330
                expect(page.locator(place)).to_contain_text(f"{minutes // 60 % 24:02}:{minutes % 60:02}")
                expect(page.locator(place)).not_to_contain_text("UTC")


def test_somebody_opens_a_regatta(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        page.goto("/tournaments")
        page.locator("#new-dutchman").click()
        page.locator("#name").fill("Regatta")
        page.locator("#fewest").fill("3")
        page.locator("#starts").fill(f"{datetime.now().astimezone() + timedelta(days=20):%Y-%m-%dT18:30}")
        with page.expect_navigation():
            page.locator("#open-it").click()
        expect(page.locator("h1")).to_have_text("Regatta")
        expect(page.locator("#state-now")).to_contain_text("begins")
        tournament = service_tournament(served, page.url)
        assert tournament.system == of_tables().system
        assert tournament.sizes == (4, 3)


def service_tournament(served: Served, url: str) -> TournamentInfo:
    return served.service.tournaments.view(url.rpartition("/")[2]).info


# ---------------------------------------------------------------------------------- what organisers choose and change


def test_an_organiser_describes_it_and_chooses_options_and_an_hour(served: Served) -> None:
    starts = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=40)
    local = starts.astimezone(ZoneInfo("Asia/Tokyo"))
    with served.guest("Anna") as anna, served.guest() as stranger:
        fields = {"starts": f"{local:%Y-%m-%dT%H:%M}", "zone": "Asia/Tokyo", "description": "Bring <b>tea</b>."}
        path = open_tournament(anna, **fields, starter="1", leavers="computer", most="8")
        info = served.service.tournaments.view(id_of(path)).info
        assert (info.starts, info.leavers, info.most) == (starts, "computer", 8)
        page = stranger.get(path)
        assert "Bring &lt;b&gt;tea&lt;/b&gt;." in page.html
        assert "A computer player finishes the games of people who leave." in page.html
        assert "seat 2" in page.html
        button = anna.get("/tournaments/new/shanghaien").button("open-it")
        for wrong in ("yesterday", "2001-01-01T10:00", "9999-12-31T23:59"):
            refused = anna.press(button, name="Cup", fewest="2", starts=wrong, description="Bring tea.")
            assert refused.status == 422
            assert "Bring tea." in refused.html, "what was typed is still there"


def test_an_organiser_changes_a_pairing_and_a_result_and_all_can_read_it(served: Served) -> None:
    service = served.service
    with served.guest("Anna") as anna, served.guest() as stranger:
        path = open_tournament(anna, approval="yes", pace="slow-86400-0")
        for person in people(service, "Berta", "Carl"):
            service.tournaments.join(id_of(path), person)
        anna.press(anna.get(path).button("start-go"))
        proposed = stranger.get(path)
        assert "Proposed pairing" in proposed.text("proposal")
        assert not proposed.has("swap-go")
        proposal = service.tournaments.view(id_of(path)).proposal
        assert proposal
        (free,) = [board[0] for board in proposal.boards if len(board) == 1]
        chosen = {"one": str(free), "other": str(free % 3 + 1), "reason": "Berta asked."}
        assert anna.press(anna.get(path).button("swap-go"), **(chosen | {"other": str(free)})).has("refused")
        assert anna.press(anna.get(path).button("swap-go"), **chosen).status == 200
        anna.press(anna.get(path).button("round-go"))
        (table,) = tables_now(service.tournaments.view(id_of(path)))
        while person_moves(service, table, Random(1)):
            pass
        service.tournaments.go_on()
        assert not stranger.get(path).has("correct-go-1")
        shared = {"place-0": "1", "place-1": "1", "reason": "They agreed."}
        corrected = anna.press(anna.get(f"{path}?round=1").button("correct-go-1"), **shared)
        assert corrected.status == 200
        log = stranger.get(path).html
        assert "Changes by the organiser" in log
        assert "Anna has swapped" in log
        assert "They agreed." in log
        assert "½" in log


def test_who_comes_when_it_is_full_waits(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Carl") as carl:
        path = open_tournament(anna, most="2")
        bernd.press(bernd.get(path).button("join-go"))
        waits = carl.press(carl.get(path).button("join-go"))
        assert "You are on the waiting list." in waits.html
        assert "Waiting list" in anna.get(path).html
        bernd.press(bernd.get(path).button("leave-go"))
        assert "You take part." in carl.get(path).html


def test_programs_organise_as_well(served: Served) -> None:
    def program(name: str) -> httpx.Client:
        account = httpx.post(f"{served.address}/api/people", json={"name": name}).json()
        headers = {"authorization": f"Bearer {account['token']}"}
        return httpx.Client(base_url=f"{served.address}/api/", headers=headers, timeout=HANG_TIMEOUT)

    with program("Robota") as anna, program("Robotb") as bernd, program("Robotc") as carl:
        plan = {"game": "shanghaien", "name": "Bots", "most": 2, "approval": True, "options": {"starter": 0}}
        assert anna.post("tournaments", json={**plan, "options": {"stars": 0}}).status_code == 422
        tournament = anna.post("tournaments", json=plan).json()["tournament"]
        views = [client.post(f"tournaments/{tournament}/entrants", json={}).json() for client in (anna, bernd, carl)]
        assert [view["info"]["waits"] for view in views] == [False, False, True]
        begun = anna.post(f"tournaments/{tournament}/start").json()
        assert (begun["proposal"]["round"], begun["options"]["2"]["starter"]) == (1, 0)
        swap = {"entrants": [1, 2], "reason": "The other way round."}
        assert bernd.post(f"tournaments/{tournament}/pairing", json=swap).status_code == 403
        swapped = anna.post(f"tournaments/{tournament}/pairing", json=swap).json()
        assert swapped["proposal"]["boards"] == [begun["proposal"]["boards"][0][::-1]]
        paired = anna.post(f"tournaments/{tournament}/rounds").json()
        assert paired["info"]["round"] == 1
        assert bernd.delete(f"tournaments/{tournament}/entrants").status_code == 204
        served.service.tournaments.go_on()
        correction = {"round": 1, "board": 1, "places": [1, 1], "reason": "We both left."}
        corrected = anna.post(f"tournaments/{tournament}/results", json=correction).json()
        assert [entry["kind"] for entry in corrected["log"]] == ["swapped", "corrected"]
        assert corrected["rounds"][0]["boards"][0]["points"] == [0.5, 0.5]


def test_players_talk_on_a_page_of_their_own(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Mallory") as stranger:
        path = open_tournament(anna)
        bernd.press(bernd.get(path).button("join-go"))
        assert bernd.get(path).has("to-talk")
        assert not stranger.get(path).has("to-talk")
        assert stranger.get(f"{path}/chat").status == 403
        written = anna.press(anna.get(f"{path}/chat").button("talk-go"), text="See <you> at eight.")
        assert "See &lt;you&gt; at eight." in written.html
        assert not written.has("mute"), "nobody mutes themselves"
        empty = bernd.press(bernd.get(f"{path}/chat").button("talk-go"), text=" ")
        assert empty.status == 422
        assert empty.has("refused")
        refused = bernd.press(bernd.get(f"{path}/chat").button("report-go"), text=" ")
        assert refused.has("refused")
        assert "Thank you." in bernd.press(bernd.get(f"{path}/chat").button("report-go"), text="It is rude.").html
        assert "at eight" not in bernd.press(bernd.get(f"{path}/chat").button("mute")).html
        assert "at eight" in anna.get(f"{path}/chat").html


@pytest.mark.browser
def test_what_is_typed_stays_while_others_write(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        tournament = id_of(open_tournament(anna))
        page.goto(f"/tournaments/{tournament}/chat")
        (bernd,) = people(served.service, "Bernd")
        served.service.tournaments.join(tournament, bernd)
        served.service.entrants_talk.say(tournament, bernd, "First")
        expect(page.locator("#line-1")).to_contain_text("First", timeout=HANG_TIMEOUT * 1000)
        page.locator("#text").fill("Half a sen")
        page.locator("h1").click()
        served.service.entrants_talk.say(tournament, bernd, "Second")
        page.wait_for_timeout(9000)
        expect(page.locator("#text")).to_have_value("Half a sen")
        page.locator("#text").fill("")
        page.locator("h1").click()
        expect(page.locator("#line-2")).to_contain_text("Second", timeout=HANG_TIMEOUT * 1000)


def test_an_organiser_opens_a_season_and_everyone_reads_its_table(served: Served) -> None:
    service = served.service
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        assert stranger.get("/seasons").has("name-go")
        opened = anna.press(anna.get("/seasons").button("open-season"), name="Winter", points="10, 6 3", best="2")
        assert opened.path.startswith("/seasons/")
        for wrong in ("ten six", "3 6", ""):
            refused = anna.press(anna.get("/seasons").button("open-season"), name="Summer", points=wrong)
            assert (refused.status, refused.has("refused")) == (422, True)
        path = open_tournament(anna, rounds="1", pace="slow-86400-0")
        bernd.press(bernd.get(path).button("join-go"))
        season = opened.path.rpartition("/")[2]
        assert anna.press(anna.get(path).button("season-go"), season=season).has("to-season")
        assert "The table begins" in stranger.get(opened.path).html
        anna.press(anna.get(path).button("start-go"))
        play_out(service, id_of(path))
        table = stranger.get(opened.path)
        assert "The best 2 results of each player count." in table.html
        assert f'href="{path}"' in table.html
        assert ">10</td>" in table.html
        assert not table.has("delete-go")
        assert anna.press(anna.get(opened.path).button("delete-go")).path == "/seasons"
        assert stranger.get(opened.path).status == 404
        assert not stranger.get(path).has("to-season")


def test_programs_open_seasons(served: Served) -> None:
    account = httpx.post(f"{served.address}/api/people", json={"name": "Robota"}).json()
    headers = {"authorization": f"Bearer {account['token']}"}
    with httpx.Client(base_url=f"{served.address}/api/", headers=headers, timeout=HANG_TIMEOUT) as anna:
        season = anna.post("seasons", json={"name": "Winter", "points": [10, 6]}).json()["season"]
        tournament = anna.post("tournaments", json={"game": "shanghaien", "name": "Bots"}).json()["tournament"]
        put = anna.put(f"tournaments/{tournament}/season", json={"season": season})
        assert put.json()["season"]["name"] == "Winter"
        view = httpx.get(f"{served.address}/api/seasons/{season}").json()
        assert [each["name"] for each in view["tournaments"]] == ["Bots"]
        assert httpx.get(f"{served.address}/api/seasons/nowhere").status_code == 404
        assert anna.post(f"tournaments/{tournament}/chat", json={"text": "Beep"}).json()["number"] == 1
        assert [line["text"] for line in anna.get(f"tournaments/{tournament}/chat").json()] == ["Beep"]
