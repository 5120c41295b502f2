"""Kontor as an app: notifications of turns while no page is open, and a clear page when there is no network."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from guests import ME, OPEN, play_one, shanghaien
from notifying.test_push import Browser as Subscribed
from timeouts import waited_for
from web.browsers import Chromium, browsing
from web.conftest import Served
from web.guests import Guest, seat_friend
from web.test_axe import LOOKS, complaints

KEY: Final = "BGEL7NDEWGNjUAdI5hMZYwi6jCnVgHOm_IVfVd4G8ZZN-IEtr1FdTKN-ZLMX5Cs-TO61z1DuCEyTNlv0IhGqJz8"


@pytest.fixture(scope="module")
def served_with_push(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server whose operator offers push."""
    with Served(tmp_path_factory.mktemp("server"), ways=frozenset({"push"}), push_key=KEY) as served:
        yield served


def replace_push_service(page: Page, key: str, auth: str, endpoint: str = "https://push.example/abc") -> None:
    """Replace the browser's push service, so that it subscribes with these keys."""
    subscription = {"endpoint": endpoint, "keys": {"p256dh": key, "auth": auth}}
    page.add_init_script(
        f"""
        Object.defineProperty(Notification, "permission", {{ get: () => "granted" }});
        Notification.requestPermission = async () => "granted";
        PushManager.prototype.subscribe = async (options) => {{
          window.asked = options;
          return {{ toJSON: () => ({json.dumps(subscription)}) }};
        }};"""
    )


@pytest.mark.browser
def test_a_browser_subscribes_is_shown_what_comes_and_says_when_it_is_offline(
    chromium: Chromium, served_with_push: Served
) -> None:
    with (
        served_with_push.guest("Anna") as anna,
        browsing(chromium, served_with_push.address, anna, locale="de") as page,
    ):
        replace_push_service(page, *Subscribed().given)
        page.goto(f"{served_with_push.address}/you?open=notifications")
        page.click("#push-go")
        expect(page.locator("#notifications li")).to_contain_text("in einem Browser")
        (worker,) = page.context.service_workers
        assert worker.url == f"{served_with_push.address}/service-worker.js"
        notifications: Any = worker.evaluate(
            """async (data) => {
              delete WorkerNavigator.prototype.setAppBadge;  // which this browser has, and dies of
              const shown = [];
              self.registration.showNotification = async (...given) => { shown.push(given); };
              self.dispatchEvent(new PushEvent("push", { data: JSON.stringify(data) }));
              await new Promise((done) => setTimeout(done, 50));
              return shown;
            }""",
            {"title": "Du bist am Zug", "body": "Bernd", "url": "/tables/x", "tag": "x"},
        )
        assert notifications == [["Du bist am Zug", {"body": "Bernd", "tag": "x", "data": {"url": "/tables/x"}}]]

        page.context.set_offline(True)
        page.goto(f"{served_with_push.address}/tables/xyz")
        expect(page.locator("h1")).to_have_text("Auf See ohne Verbindung")
        page.context.set_offline(False)
        page.goto(served_with_push.address)
        expect(page.locator("h1")).to_have_text("Die Lobby")
        manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
        assert (manifest["errors"], json.loads(manifest["data"])["start_url"]) == ([], "../../")


@pytest.mark.browser
def test_what_is_before_somebodys_eyes_is_told_to_the_server(chromium: Chromium, served_with_push: Served) -> None:
    with served_with_push.guest("Anna") as anna, served_with_push.guest("Bernd") as bernd:
        point, auth = Subscribed().given
        subscription = {"endpoint": "https://push.example/a", "p256dh": point, "auth": auth}
        page = anna.get("/you")
        token = page.button("forget-here").form.fields["token"]
        assert anna.post("/you/push", subscription | {"token": token}).status == 200
        path = seat_friend(anna, bernd)
        assert "data-seen" in anna.get(path).html
        assert "data-seen" not in bernd.get(path).html, (
            "he is not told of turns, so nothing need be known of his page"
        )

        def visible() -> int:
            with served_with_push.service.outbox._transactions.reading() as db:
                rows = db.exec_driver_sql(f"SELECT visible FROM looks WHERE table_id = '{path[8:]}'")  # noqa: S608
                return sum(row.visible for row in rows)

        with browsing(chromium, served_with_push.address, anna) as open_:
            open_.goto(served_with_push.address + path)
            waited_for(lambda: visible() > 0)
            open_.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
            open_.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            waited_for(lambda: visible() == 0)


BADGES: Final = """
  const media = window.matchMedia.bind(window);
  window.matchMedia = (query) => media(query === "(display-mode: standalone)" ? "all" : query);
  window.badges = [];
  navigator.setAppBadge = async (count) => { badges.push(count); };
  navigator.clearAppBadge = async () => { badges.push(0); };
"""


@pytest.mark.browser
def test_the_badge_of_the_app_follows_moves_and_pushes(chromium: Chromium, served_with_push: Served) -> None:
    service, random = served_with_push.service, Random(1)
    with served_with_push.guest("Anna") as anna, browsing(chromium, served_with_push.address, anna) as page:
        person = service.people.holder_of_session(anna.client.cookies["kontor"])
        assert person
        bernd = service.people.guest("Bernd")[0].id

        def until(table: str, seat: int) -> None:
            while service.tables.info(table).mover != seat:
                assert play_one(service, table, random)

        shown_table, other = (service.opening.open(bernd, shanghaien(OPEN, ME)) for _ in range(2))
        for table in (shown_table, other):
            service.opening.sit(table, 0, person.id)
            until(table, 0)
        page.add_init_script(BADGES)

        def badge() -> Any:
            return page.evaluate("badges.at(-1)")

        page.goto(f"{served_with_push.address}/")
        waited_for(lambda: badge() == 2)
        page.goto(f"{served_with_push.address}/tables/{shown_table}")
        waited_for(lambda: badge() == 2)
        until(shown_table, 1)
        waited_for(lambda: badge() == 1)
        until(shown_table, 0)
        waited_for(lambda: badge() == 2)
        for table in (shown_table, other):
            until(table, 1)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # she comes back to the page
        waited_for(lambda: badge() == 0)

        worker = waited_for(lambda: page.context.service_workers)[0]
        counted = worker.evaluate(
            """async () => {
              const badges = [];
              for (const name of ["setAppBadge", "clearAppBadge"]) delete WorkerNavigator.prototype[name];
              self.navigator.setAppBadge = async (...count) => { badges.push(["set", ...count]); };
              self.navigator.clearAppBadge = async () => { badges.push(["clear"]); };
              self.registration.showNotification = async () => {};
              for (const waiting of [3, 0, undefined]) {
                const data = JSON.stringify({ title: "t", body: "b", url: "/", tag: "x", waiting });
                self.dispatchEvent(new PushEvent("push", { data }));
                await new Promise((done) => setTimeout(done, 50));
              }
              return badges;
            }"""
        )
        assert counted == [["set", 3], ["clear"], ["set"]]


def test_only_what_a_browser_gives_is_taken_and_only_where_it_is_offered(
    served_with_push: Served, served: Served
) -> None:
    point, auth = Subscribed().given
    good = {"endpoint": "https://push.example/a", "p256dh": point, "auth": auth}
    for server, fields, status in (
        (served_with_push, good | {"endpoint": "http://push.example/a"}, 422),
        (served_with_push, good | {"p256dh": "x"}, 422),
        (served, good, 404),
    ):
        with Guest(server.address, "Carla") as carla:
            token = carla.get("/you").button("forget-here").form.fields["token"]
            assert carla.post("/you/push", fields | {"token": token}).status == status


@pytest.mark.browser
def test_a_browser_that_remembers_a_no_says_how_that_is_changed(chromium: Chromium, served_with_push: Served) -> None:
    with served_with_push.guest("Dora") as dora, browsing(chromium, served_with_push.address, dora) as page:
        page.add_init_script(
            """
            let answer = sessionStorage.getItem("answer") ?? "default";
            Object.defineProperty(Notification, "permission", { get: () => answer });
            Notification.requestPermission = async () => {
              sessionStorage.setItem("answer", answer = "denied");
              return answer;
            };
            """
        )
        page.goto("/you?open=notifications")
        advice, button = page.locator("#push-denied"), page.locator("#push-go")
        expect(advice).to_be_hidden()
        button.click()
        expect(advice).to_contain_text("allow notifications there")
        expect(button).to_be_hidden()
        page.reload()
        expect(advice).to_be_visible()
        page.evaluate("sessionStorage.setItem('answer', 'granted')")
        page.reload()
        expect(button).to_be_visible()
        expect(advice).to_be_hidden()


@pytest.mark.browser
def test_summaries_go_by_the_clock_of_the_browser_until_another_is_chosen(
    chromium: Chromium, served_with_push: Served
) -> None:
    point, auth = Subscribed().given
    for zone, preset in (("Asia/Tokyo", "Asia/Tokyo"), ("Asia/Calcutta", "Asia/Kolkata")):
        with (
            served_with_push.guest("Emil") as emil,
            browsing(chromium, served_with_push.address, emil, timezone_id=zone) as page,
        ):
            token = emil.get("/you").button("forget-here").form.fields["token"]
            emil.post(
                "/you/push",
                {"endpoint": f"https://push.example/{zone}", "p256dh": point, "auth": auth, "token": token},
            )
            page.goto("/you?open=notifications")
            expect(page.locator("#zone")).to_have_value(preset)
            page.locator("[id^=hour-]").select_option("7")
            page.locator("#zone").select_option("Europe/Rome")
            page.locator("#notifications-go").click()
            expect(page.locator("#zone[data-chosen]")).to_be_attached()
            expect(page.locator("#zone")).to_have_value("Europe/Rome")
            expect(page.locator("[id^=hour-]")).to_have_value("7")


@pytest.mark.browser
def test_axe_has_nothing_to_say_of_ways_and_of_a_browser_that_remembers_a_no(
    chromium: Chromium, served_with_push: Served
) -> None:
    point, auth = Subscribed().given
    with served_with_push.guest("Fritz") as fritz, browsing(chromium, served_with_push.address, fritz) as page:
        token = fritz.get("/you").button("forget-here").form.fields["token"]
        for name in "ab":
            given = {"endpoint": f"https://push.example/{name}", "p256dh": point, "auth": auth, "token": token}
            fritz.post("/you/push", given)
        page.add_init_script('Object.defineProperty(Notification, "permission", { get: () => "denied" })')
        for looks in LOOKS:
            assert complaints(page, "/you?open=notifications", *looks) == []
        expect(page.locator("#push-denied")).to_be_visible()
