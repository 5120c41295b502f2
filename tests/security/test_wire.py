"""Attacks on HTTP itself: two lengths for one request, heads and bodies without end, and odd connections."""

import logging
import random
import socket
from itertools import chain, repeat
from pathlib import Path
from threading import Event
from time import sleep

import httpx
import pytest

from kontor.server.connections import Connection
from kontor.web.operation import logs
from kontor.web.operation.metrics import REGISTRY
from security.wire import END, Line, get_statuses
from timeouts import HANG_TIMEOUT, waited_for
from web.conftest import Served
from web.guests import Guest, open_shanghaien

POST = b"POST /name HTTP/1.1\r\nHost: localhost\r\n"
GET = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"

UNCLEAR = {
    "length and chunks": POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked" + END + b"0" + END + GET + END,
    "chunks and something": POST + b"Transfer-Encoding: chunked, identity" + END + b"0" + END,
    "no such coding": POST + b"Transfer-Encoding: xchunked" + END + b"0" + END,
    "two lengths": POST + b"Content-Length: 5\r\nContent-Length: 6" + END + b"abcdef",
    "a negative length": POST + b"Content-Length: -1" + END + b"a",
    "a length with a sign": POST + b"Content-Length: +5" + END + b"abcde",
    "a length of letters": POST + b"Content-Length: five" + END,
    "a chunk of no length": POST + b"Transfer-Encoding: chunked" + END + b"z\r\nabc\r\n0" + END,
    "lines that end otherwise": b"GET /health HTTP/1.1\nHost: localhost\n\n",
    "a space before the colon": b"GET /health HTTP/1.1\r\nHost : kontor" + END,
    "a header over two lines": GET + b"A: b\r\n c" + END,
    "nothing in a header": GET + b"A: \x00" + END,
    "nothing in an address": b"GET /\x00 HTTP/1.1\r\nHost: localhost" + END,
    "an address that is no ASCII": b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost" + END,
    "another protocol": b"GET /health HTTP/9.9\r\nHost: localhost" + END,
    "a proxy’s method": b"CONNECT kontor:80 HTTP/1.1\r\nHost: localhost" + END,
}


@pytest.mark.parametrize("case", UNCLEAR)
def test_a_request_that_can_be_read_in_two_ways_is_not_read_at_all(served: Served, case: str) -> None:
    assert get_statuses(served, UNCLEAR[case]) == [400]
    with Line(served) as line:
        line.say(UNCLEAR[case])
        assert line.hear().count(b"HTTP/1.1 ") == 1, "one answer, and then the line is cut"


def test_requests_one_after_another_are_answered_in_their_order(served: Served) -> None:
    assert get_statuses(served, (GET + END) * 2 + POST + b"Content-Length: 0" + END + GET + END, 4) == [
        200,
        200,
        403,
        200,
    ]


def test_a_head_has_an_end(served: Served) -> None:
    fits = GET + b"A: " + b"x" * 30_000 + END
    assert get_statuses(served, fits) == [200]
    for long in (
        GET + b"A: " + b"x" * 40_000 + END,
        GET + b"".join(b"A%d: x\r\n" % number for number in range(6000)) + END,
        b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: localhost" + END,
    ):
        with Line(served) as line:
            line.say(long)
            assert b"200 OK" not in line.hear()
    never_ending = (b"A%d: %b\r\n" % (number, b"x" * 16_000) for number in range(2000))
    with Line(served) as line, pytest.raises(ConnectionError):
        line.say_on(chain([GET], never_ending))


def test_trailers_and_chunks_have_an_end(served: Served) -> None:
    """Check that trailers of a chunked body cannot exceed the limit of a body."""
    begun = POST + b"Sec-Fetch-Site: same-origin\r\nTransfer-Encoding: chunked" + END
    trailers = (b"A%d: %b\r\n" % (number, b"x" * 16_000) for number in range(2000))
    with Line(served) as line, pytest.raises(ConnectionError):
        line.say_on(chain([begun, b"0\r\n"], trailers))


def test_whoever_takes_long_to_ask_is_cut(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.server.connections.HEAD_TIMEOUT", 0.3)
    with Line(served) as silent:
        assert silent.is_cut()
    with Line(served) as slow:
        slow.say(b"GET / HTTP/1.1\r\n")
        assert slow.is_cut()
    with Line(served) as dribbling, pytest.raises(ConnectionError):
        dribbling.say_on(chain([GET, b"A: "], repeat(b"x", 20 * HANG_TIMEOUT)), pause=0.05)
    with Line(served) as again:  # a second request on the same connection has as long as the first
        again.say(GET + END)
        assert b"200 OK" in again.hear_of(b"well")
        again.say(b"GET /health")
        assert again.is_cut()


def test_a_request_that_came_in_time_is_answered_although_the_server_stood_still(served: Served) -> None:
    """Stop the server's loop until the time for a request is over, which has come meanwhile.

    It is stopped while it reads, as a process that is paused: uvloop looks at its timers next.
    """
    connections = served._server.server_state.connections
    others, has_stopped, has_come = set(connections), Event(), Event()
    reader, writer = socket.socketpair()
    with reader, writer, Line(served) as line:
        (connection,) = waited_for(lambda: set(connections) - others)
        assert isinstance(connection, Connection)
        loop = connection.loop

        def stand_still() -> None:
            loop.remove_reader(reader)
            connection._wait(0.01)
            has_stopped.set()
            has_come.wait(HANG_TIMEOUT)
            sleep(0.1)

        loop.call_soon_threadsafe(loop.add_reader, reader, stand_still)
        writer.send(b"now")
        assert has_stopped.wait(HANG_TIMEOUT)
        line.say(GET + END)
        has_come.set()
        assert b"200 OK" in line.hear_of(b"well")


def test_whoever_takes_long_to_send_a_form_is_cut_and_it_is_no_fault_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Use addresses that no other test here requests: earlier requests may be logged late."""
    monkeypatch.setattr("kontor.server.connections.BODY_TIMEOUT", 0.3)
    form = b"Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    begun = b"POST /settings HTTP/1.1\r\nHost: localhost\r\n" + form

    def own_records() -> list[logging.LogRecord]:
        others = ("/name", "/health")
        records = [record for record in caplog.records if record.name.startswith("kontor")]
        return [record for record in records if vars(record).get("route") not in others]

    with caplog.at_level(logging.INFO, "kontor"), Served(tmp_path) as served:
        with Line(served) as slow:
            slow.say(begun + b"Content-Length: 100" + END + b"name=A")
            assert slow.is_cut()
        with Line(served) as gone:
            gone.say(begun + b"Content-Length: 100" + END + b"name=A")
        assert get_statuses(served, b"GET /rules/shanghaien HTTP/1.1\r\nHost: localhost" + END) == [200]
        waited_for(lambda: len(own_records()) == 3)
    assert {record.getMessage() for record in own_records()} == {"answered"}
    assert sorted(vars(record)["status"] for record in own_records()) == [200, 400, 400]


def test_whoever_listens_is_not_cut(served: Served, anna: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_shanghaien(anna)
    button = anna.get(table).button("say-go")
    cookie = f"Cookie: kontor={anna.client.cookies['kontor']}".encode()
    with monkeypatch.context() as patch, Line(served) as line:
        patch.setattr("kontor.server.connections.HEAD_TIMEOUT", 0.2)
        patch.setattr("kontor.server.connections.BODY_TIMEOUT", 0.2)
        line.say(f"GET {table}/live HTTP/1.1\r\nHost: localhost\r\n".encode() + cookie + END)
        assert b"event-stream" in line.hear_of(b"data: ")
        assert not line.is_cut(0.6)
        patch.undo()
        anna.press(button, text="Still there?")
        assert b"Still there?" in line.hear_of(b"Still there?")


def test_methods_that_only_tell_what_was_asked_are_not_known(served: Served) -> None:
    for method in (b"TRACE", b"OPTIONS", b"PROPFIND"):
        with Line(served) as line:
            line.say(method + b" / HTTP/1.1\r\nHost: localhost\r\nX-Secret: 4711" + END)
            heard = line.hear_of(b"HTTP/1.1 ")
            assert b"4711" not in heard
            assert b" 200 " not in heard[:15] or method == b"OPTIONS"


def test_an_upgrade_to_something_else_is_not_taken(served: Served) -> None:
    for protocol in (b"websocket", b"h2c"):
        upgraded = get_statuses(served, GET + b"Connection: Upgrade\r\nUpgrade: " + protocol + END)
        assert upgraded == [200], "answered as if it had not been asked for"


@pytest.mark.parametrize(
    "origin", [b"http://[", b"http://]", b"[", b"null", b"", b"http://\xff", b"http://kontor@evil"]
)
def test_an_origin_that_is_none_is_elsewhere(served: Served, origin: bytes, caplog: pytest.LogCaptureFixture) -> None:
    for host, status in ((b"Host: localhost\r\n", 403), (b"Host: \r\n", 421), (b"", 403)):
        head = b"POST /name HTTP/1.1\r\n" + host + b"Origin: " + origin + b"\r\nContent-Length: 0" + END
        assert get_statuses(served, head) == [status]
    assert not caplog.records


def test_many_slow_ones_leave_room_for_the_others(served: Served) -> None:
    lines = [socket.create_connection(("127.0.0.1", int(served.address.rpartition(":")[2]))) for _ in range(200)]
    try:
        for line in lines:
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nA:")
        assert get_statuses(served, GET + END) == [200]
    finally:
        for line in lines:
            line.close()


TLS_HELLO = bytes.fromhex("160301006c010000680303") + b" " + bytes(32) + bytes.fromhex("00021301010000")
GARBAGE = {
    "TLS on the plain port": TLS_HELLO,
    "random bytes": random.Random(1729).randbytes(500),
    "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
    "half a request": b"GET\r\n\r\n",
    "a head without end": GET + b"A: " + b"x" * 40_000,
    "an address without end": b"GET /" + b"x" * 40_000,
}


@pytest.fixture
def fresh_log(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Return a log in which nothing was written in the last minute."""
    logs.ThrottledLine.write_all()
    for line in logs.ThrottledLine._all:
        monkeypatch.setattr(line, "_written", -logs.THROTTLE)
    caplog.set_level(logging.INFO, "kontor")
    caplog.clear()
    return caplog


def counts(fresh_log: pytest.LogCaptureFixture, event: str) -> list[int]:
    return [vars(record)["count"] for record in fresh_log.records if record.getMessage() == event]


def count_invalid() -> float:
    """Return the number of requests that were refused before they were read."""
    return REGISTRY.get_sample_value("kontor_invalid_requests_total") or 0


@pytest.mark.parametrize("case", GARBAGE)
def test_garbage_is_counted_and_told_once_a_minute(
    served: Served, fresh_log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    before = count_invalid()
    for _ in range(5):
        with Line(served) as line:
            line.say(GARBAGE[case])
            assert line.is_cut()
    assert count_invalid() == before + 5
    event = "requests are refused that are no HTTP, or too long"
    assert counts(fresh_log, event) == [1]
    logs.ThrottledLine.write_due()
    assert counts(fresh_log, event) == [1]
    monkeypatch.setattr(logs, "THROTTLE", 0.0)
    logs.ThrottledLine.write_due()
    assert counts(fresh_log, event) == [1, 4]
    assert {record.name.partition(".")[0] for record in fresh_log.records} == {"kontor"}, "uvicorn says nothing of it"


def test_what_is_not_here_is_told_once_a_minute(
    served: Served, fresh_log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        assert httpx.get(f"{served.address}/wp-login.php?{number}").status_code == 404
    assert get_statuses(served, b"GET / HTTP/1.1\r\nHost: elsewhere.example" + END) == [421]
    event = "answered without a route"
    assert counts(fresh_log, event) == [1]
    monkeypatch.setattr(logs, "THROTTLE", 0.0)
    logs.ThrottledLine.write_due()
    assert counts(fresh_log, event) == [1, 5]
    assert {record.getMessage() for record in fresh_log.records if record.name.startswith("kontor")} == {event}


def test_upgrades_are_not_told_at_all(served: Served, fresh_log: pytest.LogCaptureFixture) -> None:
    assert get_statuses(served, GET + b"Connection: Upgrade\r\nUpgrade: websocket" + END) == [200]
    assert {record.getMessage() for record in fresh_log.records} == {"answered"}


def test_in_a_flood_of_garbage_nobody_is_answered_and_all_are_cut(
    served: Served, fresh_log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontor.server.connections.MOST_INVALID", 3)
    monkeypatch.setattr("kontor.server.connections.FLOOD_DELAY", 0.1)
    heard = []
    for _ in range(6):  # the first is written, and then a new count begins
        with Line(served) as line:
            line.say(TLS_HELLO)
            heard.append(line.hear()[:12])
    assert heard == [b"HTTP/1.1 400"] * 4 + [b""] * 2
    assert get_statuses(served, GET + END) == [200]


FORM = POST + b"Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"


def form(fields: int) -> bytes:
    body = b"&".join(b"text%d=" % number for number in range(fields))
    return FORM + b"Content-Length: %d" % len(body) + END + body


@pytest.mark.parametrize(
    ("fits", "too_long", "status"),
    [
        (form(200), form(201), 413),
        (GET + b"Cookie: " + b"a=1;" * 199 + END, GET + b"Cookie: " + b"a=1;" * 200 + END, 431),
        (GET + b"Cookie: " + b"a" * 8192 + END, GET + b"Cookie: " + b"a" * 8193 + END, 431),
        (GET + b"Cookie: a\r\n" * 199 + END, GET + b"Cookie: a\r\n" * 201 + END, 431),
        (GET.replace(b"health", b"?" + b"&" * 199) + END, GET.replace(b"health", b"?" + b"&" * 200) + END, 431),
        (GET.replace(b"health", b"x" * 8191) + END, GET.replace(b"health", b"x" * 8192) + END, 431),
    ],
    ids=["fields", "cookies", "a cookie", "headers of cookies", "a query", "a path"],
)
def test_what_is_read_into_a_list_has_an_end(served: Served, fits: bytes, too_long: bytes, status: int) -> None:
    """Check fields, cookies and parameters: each costs a hundred times its bytes."""
    assert status not in get_statuses(served, fits)
    assert get_statuses(served, too_long) == [status]
