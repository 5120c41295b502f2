"""Renewal of a browser's subscription: when the browser replaces it, and at each visit."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Worker

from kontor.notifying.values import Rhythm, Way
from notifying.test_push import Browser as Subscribed
from timeouts import waited_for
from web.browsers import Chromium, browsing
from web.conftest import Served
from web.guests import Guest
from web.test_installed import KEY

pytestmark = pytest.mark.browser

STUBS: Final = """([current, next]) => {
  // A browser without a push service stands in for one that has one.
  Object.assign(self, { current, next, subscribed: 0, visits: 0, told: 0 });
  const subscription = (given) => given && {
    endpoint: given.endpoint,
    options: { applicationServerKey: given.key ? new TextEncoder().encode(given.key).buffer : null },
    toJSON: () => given,
    unsubscribe: async () => { self.current = null; return true; },
  };
  Object.defineProperty(Notification, "permission", { get: () => self.permission ?? "granted", configurable: true });
  PushManager.prototype.getSubscription = async () => subscription(self.current);
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    self.subscribed += 1;
    self.key = applicationServerKey;
    self.current = self.next;
    return subscription(self.next);
  };
  const fetched = self.fetch;
  self.fetch = async (...given) => { const answer = await fetched(...given); self.told += 1; return answer; };
  self.handled = async (event) => {
    const work = [];
    event.waitUntil = (promise) => work.push(promise);
    self.dispatchEvent(event);
    await Promise.all(work);
  };
}"""

REPLACED: Final = """async ([old, current]) => {
  self.current = current;
  const event = new ExtendableEvent("pushsubscriptionchange");
  event.oldSubscription = old;
  await handled(event);
}"""

VISITS: Final = """() => handled(new ExtendableMessageEvent("message", { data: "visit" }))"""


@pytest.fixture(scope="module")
def served_with_push(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server whose operator offers push."""
    with Served(tmp_path_factory.mktemp("server"), ways=frozenset({"push"}), push_key=KEY) as served:
        yield served


def subscription(name: str, **more: Any) -> dict[str, Any]:
    point, auth = Subscribed().given
    return {"endpoint": f"https://push.example/{name}", "keys": {"p256dh": point, "auth": auth}, **more}


class Browsing:
    """Person whose browser has a service worker; at first it has the subscription ``one``."""

    def __init__(self, served: Served, guest: Guest, page: Page) -> None:
        self.served, self.guest, self.page = served, guest, page
        person = served.person_id(guest)
        self.person = person
        self.one, self.two = subscription("one"), subscription("two")
        self.subscribe(self.one)
        page.goto(f"{served.address}/offline")
        page.evaluate(
            "navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready)"
        )
        self.worker: Worker = waited_for(lambda: page.context.service_workers)[0]
        self.worker.evaluate(STUBS, [self.one, self.two])

    def subscribe(self, given: dict[str, Any]) -> None:
        token = self.guest.get("/you").button("forget-here").form.fields["token"]
        fields = {"endpoint": given["endpoint"], **given["keys"], "token": token}
        assert self.guest.post("/you/push", fields).status == 200

    @property
    def way(self) -> Way:
        (way,) = self.served.service.ways.of(self.person).ways
        return way

    def visit(self, answers: int = 1) -> None:
        """Have the worker compare the subscription; the server has to answer so many times until it has finished."""
        before = self.worker.evaluate("self.told")
        self.worker.evaluate(VISITS)
        assert self.worker.evaluate("self.told") - before == answers

    def end(self) -> None:
        """End the subscription, as if the push service had said that it is gone."""
        with self.served.service.outbox._transactions.changing() as change:
            change.db.exec_driver_sql(f"UPDATE ways SET dead = 1, failing = 1 WHERE id = '{self.way.id}'")  # noqa: S608
            change.count_ending()


@contextmanager
def subscribed(chromium: Chromium, served: Served, name: str) -> Iterator[Browsing]:
    with served.guest(name) as guest, browsing(chromium, served.address, guest) as page:
        yield Browsing(served, guest, page)


def test_what_the_browser_has_replaced_is_replaced_at_the_server(
    chromium: Chromium, served_with_push: Served
) -> None:
    with subscribed(chromium, served_with_push, "Anna") as anna:
        ways, way = served_with_push.service.ways, anna.way
        ways.choose(anna.person, {way.id: Rhythm("daily")}, "en", served_with_push.address)
        anna.worker.evaluate(REPLACED, [anna.one, anna.two])
        assert anna.way.address == "https://push.example/two"
        assert (anna.way.id, anna.way.rhythm.frequency) == (way.id, "daily"), "all else is as it was"
        assert anna.worker.evaluate("self.subscribed") == 0
        anna.worker.evaluate("() => { self.next = null; }")
        anna.worker.evaluate("(next) => { self.next = next; }", subscription("three"))
        anna.worker.evaluate(REPLACED, [anna.two, None])
        assert anna.way.address == "https://push.example/three"
        assert anna.worker.evaluate("[self.subscribed, self.key]") == [1, KEY]


def test_what_has_run_out_is_renewed_at_the_next_visit(chromium: Chromium, served_with_push: Served) -> None:
    with subscribed(chromium, served_with_push, "Bernd") as bernd:
        bernd.visit()
        assert bernd.worker.evaluate("self.subscribed") == 0, "nothing has run out"
        bernd.worker.evaluate("() => { self.current = null; }")
        bernd.visit(2)
        assert bernd.way.address == "https://push.example/two"
        bernd.worker.evaluate("(next) => { self.next = next; }", subscription("three"))
        bernd.end()
        assert served_with_push.service.ways.unreached(bernd.person) == ("push",)
        bernd.visit(2)
        assert (bernd.way.address, bernd.way.dead, bernd.way.failure) == ("https://push.example/three", False, None)
        assert served_with_push.service.ways.unreached(bernd.person) == ()


def test_one_that_another_key_was_used_for_is_renewed(chromium: Chromium, served_with_push: Served) -> None:
    with subscribed(chromium, served_with_push, "Carla") as carla:
        carla.worker.evaluate("(current) => { self.current = current; }", carla.one | {"key": "another"})
        carla.visit(2)
        assert carla.way.address == "https://push.example/two"
        assert carla.worker.evaluate("self.key") == KEY


def test_nobody_is_subscribed_who_has_it_off(chromium: Chromium, served_with_push: Served) -> None:
    with subscribed(chromium, served_with_push, "Dora") as dora:
        dora.visit()
        dora.worker.evaluate("() => { self.current = null; self.permission = 'default'; }")
        dora.worker.evaluate(VISITS)
        dora.worker.evaluate("() => { self.permission = 'granted'; }")
        served_with_push.service.ways.remove(dora.person, dora.way.id)
        dora.visit()
        assert served_with_push.service.ways.of(dora.person).ways == ()
        assert dora.worker.evaluate("self.subscribed") == 0


def test_nobody_takes_over_the_subscription_of_another_who_uses_the_browser(
    chromium: Chromium, served_with_push: Served
) -> None:
    with subscribed(chromium, served_with_push, "Emil") as emil, served_with_push.guest("Frida") as frida:
        emil.visit()
        emil.worker.evaluate("() => { self.current = null; }")
        session = frida.client.cookies["kontor"]
        emil.page.context.add_cookies([{"name": "kontor", "value": session, "url": served_with_push.address}])
        emil.visit()
        assert emil.worker.evaluate("self.subscribed") == 0
        token = frida.get("/you").button("forget-here").form.fields["token"]
        given = {"old": emil.one["endpoint"], "endpoint": emil.two["endpoint"], **emil.two["keys"], "token": token}
        assert frida.post("/you/push/renew", given).status == 403
        assert emil.way.address == emil.one["endpoint"]


def test_each_visit_compares_once(chromium: Chromium, served_with_push: Served) -> None:
    with subscribed(chromium, served_with_push, "Gerda") as gerda:
        page, worker = gerda.page, gerda.worker
        page.add_init_script('Object.defineProperty(Notification, "permission", { get: () => "granted" })')
        worker.evaluate("() => self.addEventListener('message', ({ data }) => { self.visits += data === 'visit'; })")
        for path in ("/rules", "/rules", "/"):
            page.goto(f"{served_with_push.address}{path}")
            waited_for(lambda: worker.evaluate("self.visits") == 1)


def test_where_push_is_not_offered_there_is_nothing_to_compare(served: Served) -> None:
    with served.guest("Hugo") as hugo:
        assert hugo.client.get("/you/push").status_code == 404
        token = hugo.get("/you").button("forget-here").form.fields["token"]
        assert hugo.post("/you/push/renew", {"token": token}).status == 404


def test_only_its_person_learns_of_a_subscription_and_nobody_its_address(served_with_push: Served) -> None:
    with served_with_push.guest("Ida") as ida, served_with_push.guest() as stranger:
        token = ida.get("/you").button("forget-here").form.fields["token"]
        given = subscription("secret")
        ida.post("/you/push", {"endpoint": given["endpoint"], **given["keys"], "token": token})
        response = ida.client.get("/you/push")
        assert len(response.json()["known"]) == 1
        assert "push.example" not in response.text
        assert stranger.client.get("/you/push").json()["known"] == {}
