"""``bench/load``: clients that drive a server, and their counts. Real servers, real sockets."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import zlib
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from bench.load.__main__ import app
from bench.load.driving import Checked, _Actor, _Line, compared, summed
from bench.load.pairs import comparison, describe_comparison, turns
from bench.load.report import Beforehand, Frames, Load, Memory, Run, times_of
from bench.load.screens import Nothing, Page
from bench.load.tables import Log
from bench.load.wire import Address, Frame, Turned, open_stream, request
from loops import run_in_thread
from timeouts import HANG_TIMEOUT

pytestmark = [pytest.mark.extended, pytest.mark.process]

ROOT = Path(__file__).parents[1]


def load(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the whole program, in a process of its own."""
    command = [sys.executable, "-m", "bench.load", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG_TIMEOUT)


# ------------------------------------------------------------------------------------------------- a real, short run


@pytest.mark.parametrize(
    ("crowd", "streams"),
    [
        (["--shanghaien", "0.6"], 10),
        (["--shanghaien", "0", "--browsers", "1", "--programs", "3"], 20),
        (["--shanghaien", "0.6", "--browsers", "0"], 0),
    ],
    ids=["two browsers", "a browser, programs and an onlooker", "nobody watches"],
)
def test_every_move_is_acknowledged_shown_and_there(crowd: list[str], streams: int) -> None:
    with nullcontext() if streams else chores():  # the load of other programs on the machine is reported
        result = load("--serve", "--tables", "5", "--rate", "15", "--seconds", "2", "--warm", "0", "--json", *crowd)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    (run,) = json.loads(result.stdout)
    (period,) = run["periods"]
    moves = period["answered"].get("all", period["answered"].get("API"))["count"]
    assert moves >= 10
    assert (run["tables"], run["streams"]) == (5, streams)
    assert period["events"]["sent"] == moves, "none was refused or lost"
    assert not [kind for kind in period["events"] if kind.startswith(("refused", "cut", "stream", "no", "table"))]
    times_shown: dict[str, Any] = period["shown"]
    if streams:
        assert sum(times["count"] for way, times in times_shown.items() if way != "all") == moves * streams // 5
        assert period["frames"]["count"] >= moves * streams // 5
        assert period["frames"]["mean"] < period["frames"]["plain"], "frames are packed"
    else:
        assert (times_shown, period["frames"]) == ({}, None)
    assert period["server_ms_a_move"] > 0 < period["client_ms_a_move"]
    assert 10 < run["memory"]["before_mb"] < 1000
    assert run["beforehand"]["load_average"] >= 0 <= period["load_average"]
    if not streams:
        assert run["beforehand"]["others_cores"] > 0.2 < period["others_cores"]
    busy = sum(period[f"{process}_ms_a_move"] for process in ("server", "thinkers", "client")) * moves / 1000
    others = period["others_cores"] * period["seconds"]
    assert busy + others == pytest.approx(period["machine_cores"] * period["seconds"], abs=0.3)
    checked = run["checked"]
    assert checked["acknowledged"] >= moves
    assert (checked["lost"], checked["doubled"], checked["unasked"], checked["unsure"]) == (0, 0, 0, 0)


def test_several_workers_are_driven_behind_nginx(database: str) -> None:
    if shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") is None:
        assert not os.environ.get("CI")
        pytest.skip("nginx is not installed: workers are not driven behind it")
    words = ("--database", database, "--workers", "2", "--tables", "6", "--rate", "15", "--seconds", "2")
    result = load("--serve", *words, "--warm", "0", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    (run,) = json.loads(result.stdout)
    (period,) = run["periods"]
    assert period["proxy_ms_a_move"] > 0
    assert not [kind for kind in period["events"] if kind.startswith(("refused", "cut", "stream", "no", "table"))]
    assert run["checked"]["acknowledged"] >= 10
    assert (run["checked"]["lost"], run["checked"]["doubled"]) == (0, 0)


@contextmanager
def chores() -> Iterator[None]:
    """Run another program, which would take a whole core."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as program:
        try:
            yield
        finally:
            program.kill()


# ---------------------------------------------------------------------------------------------------- two versions


def test_two_versions_are_measured_in_turns(tmp_path: Path) -> None:
    """Use a second checkout, which leaves a trace when it is started."""
    other = tmp_path / "other"
    shutil.copytree(ROOT / "src", other / "src", ignore=shutil.ignore_patterns("kernels-*"))  # nobody simulates here
    trace = tmp_path / "trace"
    with (other / "src" / "kontor" / "__init__.py").open("a", encoding="utf-8") as package:
        package.write(f"\nopen({str(trace)!r}, 'w').close()\n")
    words = ("--tables", "3", "--rate", "10", "--seconds", "1", "--warm", "0", "--most-streams", "6", "--json")
    result = load("--serve", "--against", str(other), "--pairs", "1", *words)
    assert (result.returncode, result.stderr) == (0, "")
    assert trace.exists()
    compared = json.loads(result.stdout)
    assert (len(compared["this"]), len(compared["other"])) == (1, 1)
    figures = {figure["what"]: figure for figure in compared["figures"]}
    assert {"answer, p50 ms at 10/s", "server, ms a move at 10/s", "memory, MB at 10/s"} <= figures.keys()
    assert "nginx, ms a move at 10/s" not in figures
    for figure in figures.values():
        assert figure["least"] == pytest.approx(figure["ratio"]) == pytest.approx(figure["most"])
        assert figure["this"] / figure["other"] == pytest.approx(figure["ratio"])


def test_neither_version_is_always_the_later_one() -> None:
    assert list(turns(3)) == [True, False, False, True, True, False]


def run_with(server: float, nginx: float = 0.0) -> Run:
    """Return a run with these processor times; its other figures do not matter."""
    frames = msgspec.convert({"count": 9, "mean": 700, "p50": 600, "p99": 900, "plain": 4000}, Frames)
    load = msgspec.convert(
        {
            **dict.fromkeys(Load.__struct_fields__, 1.0),
            "shown": {},
            "answered": {},
            "frames": None,
            "events": {},
            "resident_mb": [90.0, 100.0],
            "asked_moves_a_second": 50.0,
            "server_ms_a_move": server,
            "proxy_ms_a_move": nginx,
        },
        Load,
    )
    memory = Memory(*[10.0] * 6)
    return Run(Beforehand(0.0, 0.5), 10, 20, 1.0, memory, (msgspec.structs.replace(load, frames=frames),), None)


def test_a_ratio_is_that_of_all_pairs_and_its_spread_is_told() -> None:
    compared = comparison([run_with(4), run_with(8), run_with(10), run_with(5)])  # this, other, other, this
    figure = next(each for each in compared.figures if each.what == "server, ms a move at 50/s")
    assert (figure.this, figure.other, figure.ratio, figure.least, figure.most) == (4.5, 9.0, 0.5, 0.5, 0.5)
    compared = comparison([run_with(4), run_with(2), run_with(5), run_with(10)])
    figure = next(each for each in compared.figures if each.what == "server, ms a move at 50/s")
    assert (figure.ratio, figure.least, figure.most) == (2.0, 2.0, 2.0)
    compared = comparison([run_with(2), run_with(8), run_with(1), run_with(4)])
    figure = next(each for each in compared.figures if each.what == "server, ms a move at 50/s")
    assert (figure.ratio, figure.least, figure.most) == (1.0, 0.25, 4.0)
    assert any("server, ms a move at 50/s" in line and "4.00" in line for line in describe_comparison(compared))
    assert not [each for each in compared.figures if each.what.startswith("nginx")], "what is 0 has no ratio"
    assert "nginx, ms a move at 50/s" in [each.what for each in comparison([run_with(4, 1), run_with(4, 2)]).figures]


# -------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "address",
    [
        "http://192.0.2.1:1729",
        "http://games.example",
        "https://127.0.0.1:1729",
        "http://[::1]:1729",
        "http://0.0.0.0:1",
    ],
)
def test_load_goes_nowhere_but_to_this_machine(address: str) -> None:
    result = CliRunner().invoke(app, [address])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "is no address of this machine" in result.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "Say either where the server is"),
        (["--serve", "http://127.0.0.1:1"], "Say either where the server is"),
        (["http://127.0.0.1:1"], "Nobody answers at 127.0.0.1:1."),
        (["--serve", "--tables", "20000"], "Tables are above 0 and at most 10000."),
        (["--serve", "--rate", "many"], "Moves a second are numbers with commas between, not “many”."),
        (["--serve", "--minutes", "61"], "A measurement takes at most 60 minutes."),
        (["--serve", "--with", "--url nowhere"], "The server did not start"),
        (["--serve", "--against", "nowhere"], "“nowhere” is no checkout of Kontor."),
        (["http://127.0.0.1:1", "--against", "."], "Versions are compared with --serve"),
        (["--serve", "--tables", "5,10", "--against", "."], "Versions are compared with --serve"),
        (["--serve", "--data", "there", "--against", "."], "Versions are compared with --serve"),
    ],
)
def test_what_cannot_be_measured_is_said(words: list[str], reason: str) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 1
    assert reason in result.stderr
    assert "Traceback" not in result.stderr


# ------------------------------------------------------------------------------------------------------- the check


def lines(*moves: int, others: tuple[int, ...] = ()) -> list[_Line]:
    """Return a log in which seats made these lines, and chance the others."""
    return [_Line(number, _Actor(0)) for number in moves] + [_Line(number, _Actor(-1)) for number in others]


def test_a_log_that_agrees_is_well() -> None:
    checked = compared(Log("t", [3, 5, 6]), lines(3, 5, 6, others=(2, 4)))
    assert checked == Checked(1, 3, 0, 0, 0, 0, 0)
    assert checked.well


def test_a_move_that_was_acknowledged_and_is_not_there_is_lost() -> None:
    checked = compared(Log("t", [3, 5, 6]), lines(3, 6, others=(2, 4, 5)))
    assert (checked.lost, checked.doubled, checked.unasked, checked.well) == (1, 0, 0, False)


def test_a_line_acknowledged_to_two_is_lost_to_one() -> None:
    assert compared(Log("t", [3, 3]), lines(3)).lost == 1


def test_a_move_that_nobody_sent_is_seen() -> None:
    checked = compared(Log("t", [3]), lines(3, 4))
    assert (checked.lost, checked.unasked, checked.well) == (0, 1, False)


def test_a_line_that_is_there_twice_is_seen() -> None:
    checked = compared(Log("t", [3]), lines(3, 3))
    assert (checked.doubled, checked.well) == (1, False)


def test_a_move_without_an_answer_may_be_there_or_not() -> None:
    checked = compared(Log("t", [3], unsure=[4, 7]), lines(3, 4))
    assert checked.well
    assert (checked.unsure, checked.unsure_there) == (2, 1)
    assert summed([checked, checked]) == Checked(2, 2, 0, 0, 0, 4, 2)


# ----------------------------------------------------------------------------------------------------------- pages


def frame(number: int, body: str, turn: str = "mine") -> bytes:
    return f'<div id="state" data-version="{number * 100_000 + 3}" data-turn="{turn}"></div>{body}'.encode()


def moves_of(page: Page) -> set[str]:
    random = Random(1)
    return {str(page.choose(random).fields["move"]) for _ in range(100)}


def test_a_browser_presses_a_button_that_is_there() -> None:
    page = Page("shanghaien")
    page.take(frame(4, '<button name="move" value="roll"><button name="move" value="shanghai">'))
    assert (page.number, page.mine, page.over) == (4, True, False)
    assert moves_of(page) == {"roll", "shanghai"}
    assert {page.choose(Random(1)).move, page.choose(Random(2)).move} <= {b'{"move":"roll"}', b'{"move":"shanghai"}'}


def event(
    number: int, fragments: dict[str, str], layout: tuple[str, ...] = (), elements: tuple[str, ...] = ()
) -> bytes:
    data: dict[str, Any] = {"head": frame(number, "").decode(), "number": number, "fragments": fragments}
    if layout:
        data["layout"] = {"between": layout, "elements": elements}
    return b"id: 1\ndata: " + json.dumps(data).encode()


def test_what_a_stream_does_not_tell_stays_as_it_was() -> None:
    page = Page("shanghaien")
    roll, shanghai = '<button name="move" value="roll">', '<button name="move" value="shanghai">'
    page.take(frame(4, f"<p>{roll}</p>{shanghai}"))
    page.take(event(5, {"p#a": roll, "p#b": "two"}, ("", "", shanghai), ("p#a", "p#b")))
    assert (page.number, moves_of(page)) == (5, {"roll", "shanghai"})
    page.take(event(6, {"p#b": "three"}))
    assert (page.number, moves_of(page)) == (6, {"roll", "shanghai"})
    page.take(event(7, {"p#a": "rolled"}))
    assert moves_of(page) == {"shanghai"}
    page.take(event(8, {}, ("", ""), ("p#b",)))
    with pytest.raises(Nothing):
        page.choose(Random(1))


def test_a_page_without_a_button_offers_nothing() -> None:
    page = Page("dutchman")
    page.take(frame(4, "", turn="theirs"))
    assert not page.mine
    with pytest.raises(Nothing):
        page.choose(Random(1))


def test_a_lay_takes_horseshoes_that_lie_there() -> None:
    page = Page("dutchman")
    page.take(frame(4, '<input name="shoe" value="20"><input name="shoe" value="2"><button name="move" value="lay">'))
    assert {page.choose(random).fields["shoe"] for random in map(Random, range(20))} == {"2", "20"}


# ------------------------------------------------------------------------------------------------------ the wire


def read_frames(reply: list[bytes], expected: bytes = b"GET") -> list[Frame]:
    """Return the frames of a stream whose response arrives in such fragments."""
    frames: list[Frame] = []

    async def run() -> None:
        ended = asyncio.Event()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(expected)
            for fragment in reply:
                writer.write(fragment)
                await writer.drain()
                await asyncio.sleep(0)
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            address = Address("127.0.0.1", server.sockets[0].getsockname()[1], "127.1.0.1")
            await open_stream(address, request("GET", "/live", address, ""), frames.append, ended.set)
            await asyncio.wait_for(ended.wait(), HANG_TIMEOUT)

    run_in_thread(run())
    return frames


def test_a_stream_is_read_however_it_is_cut() -> None:
    compressor = zlib.compressobj(6, wbits=31)
    body = b""
    for text in (b"retry: 1000\n\n", b"id: 1\ndata: one\ndata: more\n\n", b": still here\n\n", b"data: two\n\n"):
        fragment = compressor.compress(text) + compressor.flush(zlib.Z_SYNC_FLUSH)
        body += b"%x\r\n%s\r\n" % (len(fragment), fragment)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    response = head + body + b"0\r\n\r\n"
    at_once = read_frames([response])
    assert [frame.lines for frame in at_once] == [b"id: 1\ndata: one\ndata: more", b"data: two"]
    byte_by_byte = read_frames([response[at : at + 1] for at in range(len(response))])
    assert [frame.lines for frame in byte_by_byte] == [frame.lines for frame in at_once]
    assert sum(frame.wire for frame in byte_by_byte) < len(body), "each is counted for itself"


def test_a_stream_that_is_not_given_says_so() -> None:
    with pytest.raises(Turned) as refused:
        read_frames([b"HTTP/1.1 503 Full\r\nContent-Length: 4\r\n\r\nfull"])
    assert refused.value.status == 503


def test_percentiles_are_times_that_were_measured() -> None:
    times = times_of(array("d", [number / 1000 for number in range(100, 0, -1)]))
    assert (times.count, times.p50, times.p90, times.p99, times.longest) == (100, 50.0, 90.0, 99.0, 100.0)
    assert times_of(array("d", [0.002])).p999 == 2.0
