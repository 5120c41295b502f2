"""Limits: nobody can crowd out others, by many requests, by many people, or by a false identity."""

import asyncio
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from guests import query
from kontor.server.app import openapi_document
from kontor.server.forwarded import LastHop
from kontor.web.addresses import network_of, networks_of, origin_of
from kontor.web.http import limits as kontor_limits
from kontor.web.http.limits import LIMITS, PACE, READING, SHARED, WORKING, Limit, Limits, RateLimited
from timeouts import HANG_TIMEOUT
from web.conftest import GENEROUS, Served
from web.guests import Guest, open_shanghaien, seat_friend


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),  # the form where one socket listens for both
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::1", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("", "unknown"),
        ("somewhere", "unknown"),
    ],
)
def test_whose_an_address_is(address: str, network: str) -> None:
    assert network_of(address) == network
    assert networks_of(network) == networks_of(address)


def test_networks_nest() -> None:
    line = (("2001:db8:1:2::", 1), ("2001:db8:1::/56", 4), ("2001:db8:1::/48", 16))
    assert networks_of("2001:db8:1:2:3:4:5:6") == line
    assert networks_of("192.0.2.7") == networks_of("::ffff:192.0.2.7") == (("192.0.2.7", 1), ("192.0.2.0/24", 16))
    assert origin_of("2001:db8:1:2::1") == origin_of("2001:db8:1:ff::1"), "one line"


def test_in_a_network_of_many_addresses_nobody_begins_anew() -> None:
    limits = Limits({"name": Limit(2, 0.01)})
    for number in range(2 * SHARED):
        limits.spend("name", f"2001:db8:1:2::{number:x}")
    with pytest.raises(RateLimited):
        limits.spend("name", "2001:db8:1:2:ffff::1")
    limits.spend("name", "2001:db8:1:3::1")


def let_in(limits: Limits, addresses: Iterable[str], each: int) -> int:
    """Return how many names are given at the addresses, where each tries ``each`` times."""
    served = 0
    for address in addresses:
        with suppress(RateLimited):
            for _ in range(each):
                limits.spend("name", address)
                served += 1
    return served


def test_a_line_of_many_networks_does_not_begin_anew_with_each() -> None:
    limits = Limits({"name": Limit(2, 0.01, shared=1)}, now=lambda: 0.0)
    assert let_in(limits, (f"2001:db8:1:{number:x}::1" for number in range(256)), 2) == 2 * 4, "a /56"
    assert let_in(limits, (f"2001:db8:1:{number:x}00::1" for number in range(1, 256)), 2) == 2 * 12, "of a /48"
    assert let_in(limits, ["2001:db8:2::1"], 9) == 2
    assert let_in(limits, (f"192.0.2.{number}" for number in range(256)), 2) == 2 * 16, "a /24"
    assert let_in(limits, ["192.0.3.1"], 9) == 2


def test_processor_time_of_a_line_is_charged_to_it_from_whichever_network() -> None:
    limits = Limits({**LIMITS, "pace": Limit(1, 60, shared=1), "read": Limit(1, 60, shared=1)}, now=lambda: 0.0)
    for number in range(8):
        limits.charge(READING, 0.9, f"2001:db8:1:{number:x}::1", estimated=0.0)
    assert limits.charge_request("2001:db8:1:ff::1") > 0
    assert limits.used("2001:db8:1:ff::") > 1
    with pytest.raises(RateLimited):
        limits.check(READING, "2001:db8:1:ff::1")
    assert limits.charge_refusal("2001:db8:1:ff::1", too_quick=False) >= 1
    assert limits.charge_request("2001:db8:1:100::1") == 0, "another line of the /48"
    limits.check(READING, "2001:db8:1:100::1")


@pytest.mark.long
def test_a_school_that_plays_an_evening_is_not_told_to_wait() -> None:
    """Check 250 people who each read thirty pages and make ten moves a minute."""
    now = [0.0]
    limits = Limits(now=lambda: now[0])
    for minute in range(3):
        for person in range(250):
            address = f"198.51.100.{person}"
            now[0] = 60 * (minute + person / 250)
            if not minute:
                limits.spend("name", address)
                limits.spend("join", address, f"{person}")
            for budget, times, seconds in ((READING, 30, 0.005), (WORKING, 10, 0.01)):
                for _ in range(times):
                    assert limits.charge_request(address) == 0
                    limits.check(budget, address, f"{person}")
                    limits.charge(budget, seconds, address, f"{person}", estimated=kontor_limits.REQUEST_ESTIMATE)
                    if budget == WORKING:
                        limits.spend("move", address, f"{person}")


def test_a_flood_of_addresses_frees_nobody_who_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kontor_limits, "_MOST_BUCKETS", 50)
    now = [0.0]
    limits = Limits({"name": Limit(2, 1)}, now=lambda: now[0])
    for _ in range(2 * SHARED):
        limits.spend("name", "192.0.2.7")
    for number in range(500):
        now[0] += 0.001
        limits.spend("name", f"198.{number // 250}.{number % 250}.1")
    assert len(limits._buckets) <= 50
    with pytest.raises(RateLimited):
        limits.spend("name", "192.0.2.7")


def test_whoever_is_refused_takes_nothing_from_the_others_at_their_address() -> None:
    limits = Limits({"chat": Limit(2, 1)}, now=lambda: 0.0)
    refused = 0
    for _ in range(100):
        try:
            limits.spend("chat", "192.0.2.7", "Mallory")
        except RateLimited:
            refused += 1
    assert refused == 98
    for friend in ("Anna", "Bernd", "Carla", "Dora"):
        limits.spend("chat", "192.0.2.7", friend)


def test_who_has_to_wait_for_two_reasons_is_told_the_longer() -> None:
    limits = Limits({"chat": Limit(1, 1, shared=2)}, now=lambda: 0.0)
    for person in ("Anna", "Bernd"):
        limits.spend("chat", "192.0.2.7", person)
    with pytest.raises(RateLimited) as anna:
        limits.spend("chat", "192.0.2.7", "Anna")
    with pytest.raises(RateLimited) as carla:
        limits.spend("chat", "192.0.2.7", "Carla")
    assert (anna.value.seconds, carla.value.seconds) == (60, 30)


def test_refusals_of_an_address_queue_once_it_has_had_many() -> None:
    now = [0.0]
    limits = Limits({"read": Limit(0.011, 0.6, shared=2)}, now=lambda: now[0])
    assert [limits.charge_refusal("192.0.2.7", too_quick=False) for _ in range(4)] == [0.0] * 4
    waited = [limits.charge_refusal("192.0.2.7", too_quick=False) for _ in range(3)]
    assert waited == pytest.approx([1.0, 1.05, 1.1]), "twenty a second, and the first after one"
    assert limits.charge_refusal("192.0.2.8", too_quick=False) == 0.0
    assert max(limits.charge_refusal("192.0.2.7", too_quick=False) for _ in range(1000)) == 20.0
    assert limits.charge_refusal("192.0.2.8", too_quick=True) == 1.0, "whoever is told to wait, waits for that, too"
    now[0] = 3600
    assert limits.charge_refusal("192.0.2.7", too_quick=False) == 0.0


@pytest.mark.parametrize(
    "refused_request",
    [
        b"GET /nothing HTTP/1.1",
        b"PUT / HTTP/1.1\r\nOrigin: http://localhost\r\nContent-Length: 0",
        b"POST /api/people HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{",
        b"POST /name HTTP/1.1\r\nOrigin: http://localhost\r\nContent-Length: 0",
        b"GET / HTTP/1.1\r\nHost: elsewhere.example",
    ],
    ids=["no such page", "no such method", "no JSON", "no token", "another host"],
)
def test_whoever_asks_for_refusals_without_end_waits_for_them_and_nobody_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused_request: bytes
) -> None:
    for name in ("REFUSAL_DELAY", "_LONGEST_DELAY"):
        monkeypatch.setattr(kontor_limits, name, 3600.0)
    host = b"" if b"Host" in refused_request else b"\r\nHost: localhost"
    first, _, rest = refused_request.partition(b"\r\n")
    request = first + host + b"\r\n" + rest + (b"" if b"\r\n\r\n" in rest else b"\r\n" * (2 if rest else 1))
    with Served(tmp_path, {**GENEROUS, "read": Limit(0.003, 0.001, shared=2)}) as served, ExitStack() as lines:

        def is_refused(source: str) -> bool:
            return send_request(served, lines, source, request).recv(65536).startswith(b"HTTP/1.1 4")

        assert is_refused("127.0.0.2")
        waiting = send_request(served, lines, "127.0.0.2", request)
        assert is_refused("127.0.0.3")
        assert is_silent(waiting)


def send_request(served: Served, lines: ExitStack, source: str, request: bytes) -> socket.socket:
    """Return a connection on which someone at an address has just sent a request."""
    server = ("127.0.0.1", int(served.address.rpartition(":")[2]))
    line = lines.enter_context(socket.create_connection(server, HANG_TIMEOUT, (source, 0)))
    line.sendall(request)
    return line


def is_silent(line: socket.socket) -> bool:
    """Return True if nothing has come on a connection, though others who asked later have their responses."""
    line.setblocking(False)
    try:
        return not line.recv(1)
    except BlockingIOError:
        return True


def test_whoever_asks_without_end_is_answered_later_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits({**LIMITS, "request": Limit(2, 1, shared=2)}, now=lambda: 0.0)
    assert [limits.charge_request("192.0.2.7") for _ in range(6)] == pytest.approx([0, 0, 0, 0, 1.0, 1.05])
    assert limits.charge_request("192.0.2.8") == 0
    for name in ("REFUSAL_DELAY", "_LONGEST_DELAY"):
        monkeypatch.setattr(kontor_limits, name, 3600.0)
    request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with Served(tmp_path, {**GENEROUS, "request": Limit(2, 0.001, shared=1)}) as served, ExitStack() as lines:

        def is_answered(source: str) -> bool:
            return send_request(served, lines, source, request).recv(65536).startswith(b"HTTP/1.1 200")

        assert all(is_answered("127.0.0.2") for _ in range(2))
        waiting = send_request(served, lines, "127.0.0.2", request)
        assert is_answered("127.0.0.3")
        assert is_silent(waiting)


CLUB: Final = 20


@pytest.mark.long
def test_a_club_behind_one_address_opens_twenty_tables_in_an_evening(tmp_path: Path) -> None:
    """Play an evening with the real limits, in a few seconds.

    Twenty people name themselves, each opens a table, invites the next and accepts an invitation, and all follow two
    tables. Limits on processor time are not included: they depend on the load of the machine.
    """
    limits = LIMITS | {budget: GENEROUS[budget] for budget in (READING, WORKING, PACE)}
    with Served(tmp_path, limits) as served, ExitStack() as evening:
        club = [evening.enter_context(served.guest(f"Member {number}")) for number in range(CLUB)]
        tables = []
        for host, friend in zip(club, [*club[1:], club[0]], strict=True):
            tables.append(seat_friend(host, friend))
            for one in (host, friend):
                follows = evening.enter_context(one.client.stream("GET", f"{tables[-1]}/live"))
                assert follows.status_code == 200
                chat_page = one.press(one.get(tables[-1]).button("say-go"), text="Good luck!")
                assert chat_page.status == 200
        assert {served.service.tables.info(path.rpartition("/")[2]).status for path in tables} == {"playing"}
        assert served.hub.open == 2 * CLUB
        for guest in club:
            assert guest.get("/").status == 200


def names_given(served: Served, addresses: list[str]) -> list[int]:
    """Return the statuses for people who name themselves, each claiming another address."""
    with httpx.Client(base_url=served.address) as client:
        return [
            client.post("/api/people", json={"name": "Mallory"}, headers={"x-forwarded-for": address}).status_code
            for address in addresses
        ]


def test_nobody_is_believed_who_says_where_they_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check ``--proxy 10.9.9.9``: the server is behind another machine, and we are not it."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.9.9.9")
    with Served(tmp_path, {**GENEROUS, "name": Limit(1, 0.01)}) as served:
        statuses = names_given(served, [f"192.0.2.{number}" for number in range(SHARED + 2)])
    assert statuses == [201] * SHARED + [429] * 2


def test_behind_a_proxy_the_address_that_the_proxy_saw_counts(tmp_path: Path) -> None:
    """Check a forged header: the proxy has appended the address that it saw."""
    with Served(tmp_path, {**GENEROUS, "name": Limit(1, 0.01)}) as served:
        lying = [f"192.0.2.{number}, 203.0.113.9" for number in range(SHARED + 1)]
        assert names_given(served, lying) == [201] * SHARED + [429]
        assert names_given(served, ["192.0.2.1, 203.0.113.10"]) == [201]


def test_whoever_takes_a_new_name_does_not_begin_anew(tmp_path: Path) -> None:
    with Served(tmp_path, {**GENEROUS, "open": Limit(1, 0.01)}) as served:
        body = {"game": "shanghaien", "seats": [{"kind": "me"}, {"kind": "friend"}]}
        statuses = []
        for number in range(SHARED + 1):
            token = httpx.post(f"{served.address}/api/people", json={"name": f"Guest {number}"}).json()["token"]
            answer = httpx.post(
                f"{served.address}/api/tables", json=body, headers={"authorization": f"Bearer {token}"}
            )
            statuses.append(answer.status_code)
    assert statuses == [201] * SHARED + [429]


def test_tables_of_machine_players_only_are_opened_now_and_then(tmp_path: Path) -> None:
    with Served(tmp_path, {**GENEROUS, "machines": Limit(2, 0.01)}) as served:
        token = httpx.post(f"{served.address}/api/people", json={"name": "Mallory"}).json()["token"]
        machine = {"kind": "machine", "player": "random"}

        def open_table(*seats: dict[str, str]) -> int:
            body, headers = {"game": "shanghaien", "seats": seats}, {"authorization": f"Bearer {token}"}
            return httpx.post(f"{served.address}/api/tables", json=body, headers=headers).status_code

        assert [open_table(machine, machine) for _ in range(3)] == [201, 201, 429]
        assert open_table({"kind": "me"}, machine) == 201


def test_games_that_nobody_ends_are_so_many_for_a_person_and_for_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check tables of computer players too, and that the refusal says what to do."""
    monkeypatch.setattr("kontor.tables.opening.MOST_UNFINISHED", 2)
    monkeypatch.setattr("kontor.tables.opening.MOST_UNFINISHED_OF_ORIGIN", 3)
    machine = {"kind": "machine", "player": "random"}
    plan = {"game": "shanghaien", "seats": [machine, machine]}
    with Served(tmp_path) as served, ExitStack() as all_open:
        served.machines.stop()  # otherwise games of theirs could end meanwhile

        def open_table(person: str, address: str = "127.0.0.2") -> tuple[int, str]:
            transport = httpx.HTTPTransport(local_address=address)
            client = all_open.enter_context(httpx.Client(base_url=served.address, transport=transport))
            answer = client.post("/api/tables", json=plan, headers={"authorization": f"Bearer {person}"})
            return answer.status_code, answer.json().get("reason", "")

        mallory, anna, bernd = (
            httpx.post(f"{served.address}/api/people", json={"name": name}).json()["token"]
            for name in ("Mallory", "Anna", "Bernd")
        )
        assert [open_table(mallory)[0] for _ in range(2)] == [201, 201]
        sentence = "You already have 2 unfinished games: finish or end one first."
        assert [open_table(mallory), open_table(mallory, "127.0.0.3")] == [(429, sentence)] * 2
        assert open_table(anna)[0] == 201
        ours = "3 games are being played from your network: end one of yours first, or come back later."
        assert open_table(bernd) == (429, ours)
        assert open_table(bernd, "127.0.0.3")[0] == 201


def test_guessing_costs_as_much_as_knowing(tmp_path: Path) -> None:
    """Check that wrong invitations and links count like right ones; there are 2²⁵⁶ of them."""
    tight = {**GENEROUS, "name": Limit(2, 0.01), "join": Limit(2, 0.01)}
    with Served(tmp_path, tight) as served, Guest(served.address) as mallory:
        form = {"token": mallory.get("/").forms[0].fields["token"]}
        guesses = [mallory.post(f"/device/{'x' * 42}{digit}", form).status for digit in range(2 * SHARED + 1)]
        assert guesses == [410] * 2 * SHARED + [429]
        person, _ = served.service.people.guest("Anna")
        mallory.client.headers["authorization"] = f"Bearer {served.service.people.api_token(person.id)}"
        seats = [
            mallory.client.post("/api/tables/x/seats/1", json={"invitation": "x" * 43}).status_code for _ in range(4)
        ]
        assert seats == [404, 404, 429, 429]


def test_whoever_reads_for_too_long_reads_no_more_for_a_while_and_others_do(tmp_path: Path) -> None:
    """Check a second of processor time for a person, and five for all readers at an address."""
    now = [0.0]
    limits = Limits({**GENEROUS, "read": Limit(1, 60)}, now=lambda: now[0])
    limits.check("read", "192.0.2.7", "Anna")
    limits.charge("read", 1.5, "192.0.2.7", "Anna")
    with pytest.raises(RateLimited):
        limits.check("read", "192.0.2.7", "Anna")
    limits.check("read", "192.0.2.7", "Bernd")
    limits.charge("read", 11, "192.0.2.7", None)
    with pytest.raises(RateLimited) as refused:
        limits.check("read", "192.0.2.7")
    assert refused.value.seconds == 2, "it is overdrawn by 7.5 seconds, and five are refilled each second"
    limits.check("read", "192.0.2.8")
    limits.spend("move", "192.0.2.7", "Anna")
    now[0] = 2
    limits.check("read", "192.0.2.7", "Anna")


def test_pages_that_cost_much_are_refused_kindly_and_moves_are_not(tmp_path: Path) -> None:
    openapi_document.cache_clear()  # another server of this process may have made it
    with Served(tmp_path, {**GENEROUS, "read": Limit(0.002, 0.001)}) as served:
        answers = [httpx.get(f"{served.address}/openapi.json") for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 429]
        assert int(answers[1].headers["retry-after"]) > 0
        named = httpx.post(f"{served.address}/api/people", json={"name": "Bernd"})
        assert named.status_code == 201


def test_tables_opened_from_one_address_share_thinkers(tmp_path: Path) -> None:
    """Check that the database holds only a number for the address, from which nobody can derive it.

    A rematch has the same number.
    """
    with Served(tmp_path) as served, ExitStack() as all_open:
        for address in ("127.0.0.2", "127.0.0.3", "127.0.0.2"):
            transport = httpx.HTTPTransport(local_address=address)
            guest = all_open.enter_context(served.guest(address, transport=transport))
            open_shanghaien(guest)
            account = guest.client.post("/api/people", json={"name": "Robota"}).json()
            token = {"authorization": f"Bearer {account['token']}"}
            plan = {"game": "shanghaien", "seats": [{"kind": "me"}, {"kind": "here", "name": "Bernd"}]}
            guest.client.post("/api/tables", json=plan, headers=token).raise_for_status()
        origins = [origin for (origin,) in query(tmp_path, "SELECT origin FROM tables ORDER BY rowid")]
        assert all(origins)
        assert [origins[at] == origins[0] for at in range(6)] == [True, True, False, False, True, True]
        table = query(tmp_path, "SELECT id FROM tables ORDER BY rowid LIMIT 2")[1][0]
        anna = query(tmp_path, "SELECT person FROM seats WHERE table_id = ? LIMIT 1", table)[0][0]
        served.service.early_endings.resign(table, 0, anna)
        again = served.service.opening.rematch(table, anna)
        assert query(tmp_path, "SELECT origin FROM tables WHERE id = ?", again) == [(origins[1],)]


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        (("203.0.113.9",), "203.0.113.9"),
        (("198.51.100.1, 203.0.113.9",), "203.0.113.9"),  # the first was there before the proxy was asked
        (("198.51.100.1", "203.0.113.9"), "203.0.113.9"),
        (("2001:db8::1",), "2001:db8::1"),
        (("203.0.113.9, nonsense",), "127.0.0.9"),
        ((), "127.0.0.9"),
    ],
)
def test_where_whoever_connects_is_the_proxy_the_last_hop_is_believed(
    forwarded: tuple[str, ...], client: str
) -> None:
    scopes: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scopes.append(scope)

    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded] + [(b"x-forwarded-proto", b"https")]
    scope: Any = {"type": "http", "client": ("127.0.0.9", 4), "scheme": "http", "headers": headers}
    nothing: Any = None  # is received or sent
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, LastHop(app)(scope, nothing, nothing)).result()
    assert scopes[0]["client"][0] == client
    assert scopes[0]["scheme"] == "https"


def test_an_address_that_takes_much_processor_time_is_answered_later_and_nobody_else() -> None:
    now = [0.0]
    limits = Limits({**LIMITS, "pace": Limit(1, 30, shared=1)}, now=lambda: now[0])
    assert limits.charge_request("192.0.2.7") == 0
    limits.charge(WORKING, 2.0, "192.0.2.7", "Anna", estimated=kontor_limits.REQUEST_ESTIMATE)
    assert limits.charge_request("192.0.2.7") == pytest.approx(2 * (1.0 + kontor_limits.REQUEST_ESTIMATE))
    assert limits.charge_request("192.0.2.8") == 0
    now[0] = 4
    assert limits.charge_request("192.0.2.7") == 0


def test_everything_that_costs_something_is_limited() -> None:
    playing = {"name", "open", "join", "move", "hint", "chat", "live", "review", "bring", "machines"}
    elsewhere = {"code", "mail", "notify", "analysis", "export", "records", "read", "work", "request", "pace"}
    assert set(LIMITS) == playing | elsewhere
