"""Secrets on the wire: everything that each browser, program and onlooker receives of the table service.

Every byte has to pass two checks. Programs get exactly the view and the events of their seat, as the rules' own
``view`` and ``event`` give them from the record. The same bytes are sent if everything that the reader can't know is
different. For the second check, the hidden things are dealt anew on the server (``imagine``).

The secrets within the rules are tested in ``dutchman/test_secrets.py``, and those of programs that learn in
``environments/test_secrets.py``.
"""

import base64
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final, Self

import httpx
import msgspec
import pytest

from kontor.game import AnyGame
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.state import Accept, Kontor, Lay, Put, Sail, Show
from kontor.games.shanghaien.rules.state import Options
from kontor.plugins import game_named
from kontor.records import Record, replay
from kontor.server.composition import KontorServer
from kontor.tables.game_states import GameState
from kontor.tables.values import Plan, SeatPlan
from timeouts import HANG_TIMEOUT, waited_for
from web.conftest import Served
from web.guests import Guest
from web.prepared import (
    ANNA,
    BERND,
    NUMBER,
    PEOPLE,
    at_line,
    brought_to,
    lines,
    owned_seed,
    prepared,
    prepared_table,
    seed_of,
)

NAMED: Final = ("Anna", "Bernd", "Dora")
"""Names of two players and an onlooker."""

_ENDING: Final = rb"id=\"ending\""
"""Element in a page's stream, in JSON, that shows that the game is over."""

PAGES = ("", "/log", "/replay", "/fair", "/live")
ANSWERS = ("", "/view", "/moves", "/events", "/chat", "/fair", "/stream")
ATTEMPTS: Final = (Kontor(), Put(("red", "blue")), Lay((99,)), Lay((48, 47)), Sail("Holland"), Show("red"), Accept())
"""Moves that are tried when they are illegal: the rules know everything, and refuse by what the seat knows."""


class Reader:
    """Person at a table or beside it: a browser without scripts, and a program with a token."""

    def __init__(self, served: Served, seat: int | None, name: str) -> None:
        self.seat = seat
        self.service = served.service
        self.guest = Guest(served.address, name)
        person = served.person_id(self.guest)
        self.id = person
        self.token = served.service.people.api_token(person)
        self.program = httpx.Client(
            base_url=served.address, headers={"authorization": f"Bearer {self.token}"}, timeout=HANG_TIMEOUT
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.guest.close()
        self.program.close()

    @property
    def secrets(self) -> set[bytes]:
        """Return the identifiers of this reader that nobody else should get."""
        return {secret.encode() for secret in (self.id, self.token, self.guest.client.cookies["kontor"])}

    def everything(self, table: str) -> dict[str, bytes]:
        """Return everything that is sent to the reader at this moment, by page and call."""
        sent = {f"page{path}": _answer(self.guest.client, f"/tables/{table}{path}") for path in PAGES}
        sent |= {f"api{path}": _answer(self.program, f"/api/tables/{table}{path}") for path in ANSWERS}
        return sent | {f"refusal of {attempt}": refusal for attempt, refusal in self._refusals(table)}

    def _refusals(self, table: str) -> Iterator[tuple[Any, bytes]]:
        """Yield each illegal move with the response that refuses it."""
        look = self.service.tables.view(table).look(self.seat)
        for attempt in ATTEMPTS:
            if attempt not in look.moves:
                move = {"number": look.number, "move": as_json(attempt)}
                answer = self.program.post(f"/api/tables/{table}/moves", json=move)
                assert answer.is_client_error
                yield attempt, answer.content


def _answer(client: httpx.Client, path: str) -> bytes:
    """Return the whole response with its headers; of a stream, the first event."""
    with client.stream("GET", path) as answer:
        by_chance = (b"date", b"content-length")  # length padding makes responses a little longer
        heads = [header for header in answer.headers.raw if header[0].lower() not in by_chance]
        received = b"".join(b"%s: %s\n" % header for header in heads) + b"\n"
        if answer.headers["content-type"].startswith("text/event-stream"):
            for line in answer.iter_lines():
                received += line.encode() + b"\n"
                if not line and b"\ndata: " in received:
                    return received
        return received + answer.read()


class Stream:
    """Everything that comes by a stream until the server ends it."""

    def __init__(self, client: httpx.Client, path: str) -> None:
        self.received = b""
        self._thread = threading.Thread(target=self._listen, args=(client, path))
        self._thread.start()

    def _listen(self, client: httpx.Client, path: str) -> None:
        with client.stream("GET", path) as answer:
            for part in answer.iter_bytes():
                self.received += part

    def wait_for(self, number: int) -> None:
        """Wait until a line of the log has come.

        A stream sends only the present state, so without waiting it would leave out nearly all of a game.
        """
        waited_for(lambda: self._last() >= number)

    def _last(self) -> int:
        """Return the number of the last line that has come completely."""
        numbers = re.findall(rb"^id: (\d+)", self.received, re.MULTILINE)
        return int(numbers[-1]) if numbers else 0

    def messages(self) -> list[Any]:
        """Return the messages that programs read of the stream, once it has ended."""
        self._thread.join()
        assert self.received
        return [msgspec.json.decode(line[6:]) for line in self.received.splitlines() if line.startswith(b"data: ")]

    def pages(self) -> bytes:
        """Return the bytes that browsers read of the stream, once it has ended."""
        self._thread.join()
        assert b"data: " in self.received
        return self.received


# ------------------------------------------------------------------------------------------------- two whole games


def play_dutchman(served: Served, monkeypatch: pytest.MonkeyPatch, people: list[Reader]) -> Iterator[str]:
    """Play the prepared game; yield the table after each move of a person."""
    table = prepared_table(monkeypatch, served.service, people[0].id, people[1].id)
    yield table
    for number, step in lines():
        if step.seat in PEOPLE:
            at_line(served.service, table, number - 1)
            served.service.moves.play(table, step.seat, number - 1, step.action)
            yield table


def play_shanghaien(served: Served, monkeypatch: pytest.MonkeyPatch, people: list[Reader]) -> Iterator[str]:
    """Play a game of random moves; yield the table after each move."""
    plan = Plan("shanghaien", Options(), (SeatPlan("me"), SeatPlan("open")))
    owned_seed(monkeypatch, seed_of(0))
    table = served.service.opening.open(people[0].id, plan)
    served.service.opening.sit(table, 1, people[1].id)
    yield table
    random = Random(4)
    while (mover := served.service.tables.info(table).mover) is not None:
        look = served.service.tables.view(table).look(mover)
        served.service.moves.play(table, mover, look.number, random.choice(look.moves))
        yield table


OFTEN = 30
"""Number of moves after which everybody looks at everything."""

Play = Callable[[Served, pytest.MonkeyPatch, list[Reader]], Iterator[str]]


@pytest.mark.long
@pytest.mark.parametrize(
    ("play", "seats", "seed"),
    [(play_dutchman, PEOPLE, seed_of(NUMBER)), (play_shanghaien, (0, 1), seed_of(0))],
    ids=["dutchman", "shanghaien"],
)
def test_through_a_whole_game_everybody_is_told_what_their_seat_may_know_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, play: Play, seats: tuple[int, int], seed: bytes
) -> None:
    with ExitStack() as people:
        with Served(tmp_path) as served:
            eyes = (*seats, None)
            readers = [
                people.enter_context(Reader(served, seat, name)) for seat, name in zip(eyes, NAMED, strict=True)
            ]
            answers_of: list[tuple[Reader, dict[str, bytes]]] = []
            streams: list[tuple[Reader, Stream, Stream]] = []
            for number, table in enumerate(play(served, monkeypatch, readers)):
                for _, _, program in streams:
                    program.wait_for(served.service.tables.info(table).number)
                for reader in readers if number % OFTEN == 0 and not served.service.tables.info(table).result else ():
                    if len(streams) < len(readers):
                        live = Stream(reader.guest.client, f"/tables/{table}/live")
                        streams.append((reader, live, Stream(reader.program, f"/api/tables/{table}/stream")))
                    assert reader.guest.get(f"/tables/{table}/record.jsonl").status == 409
                    assert reader.program.get(f"/api/tables/{table}/record").status_code == 409
                    answers_of.append((reader, reader.everything(table)))
            record = served.service.tables.record(table)
            at_the_end = readers[-1].everything(table)["page/fair"]
        states = dict(enumerate(replay(record), 1))
        game = game_named(record.header.game)

        everything = {reader.seat: [*answers.values()] for reader, answers in answers_of}
        for reader, answers in answers_of:
            check_answers(game, states, record, reader.seat, answers)
            everything[reader.seat] += answers.values()
        for reader, live, program in streams:
            everything[reader.seat] += [live.pages(), program.received]
            messages = [message["seen"] for message in program.messages()]
            assert len({seen["number"] for seen in messages}) > len(record.steps) // 4
            for seen in messages:
                assert seen["view"] == as_json(game.view(states[seen["number"]], reader.seat))
            for part in everything[reader.seat]:
                before_the_end = part if part is not live.received else part[: part.index(_ENDING)]
                for secret in spellings(seed).union(*(other.secrets for other in readers)):
                    assert secret not in before_the_end
        assert seed.hex().encode() in at_the_end, "now everybody may know"


def spellings(seed: bytes) -> set[bytes]:
    """Return the seed in every way in which it might be written.

    Endings that could be cut off are left out.
    """
    complete = {seed, repr(seed)[2:-1].encode(), seed.hex().encode(), seed.hex().upper().encode()}
    cut = {base64.b64encode(seed)[:40], base64.urlsafe_b64encode(seed)[:40], base64.b32encode(seed)[:48]}
    return complete | cut | {str(int.from_bytes(seed, order)).encode() for order in ("big", "little")}


def check_answers(
    game: AnyGame, states: dict[int, Any], record: Record, seat: int | None, answers: dict[str, bytes]
) -> None:
    """Check that a program got exactly what the rules let its seat know, without any field more."""
    seen = body(answers["api/view"])
    assert seen["view"] == as_json(game.view(states[seen["number"]], seat))
    if seat != seen["mover"]:
        assert body(answers["api/moves"])["moves"] == []
    for line in body(answers["api/events"]):
        at = line["number"]
        event = game.event(states[at - 1], record.steps[at - 2].action, states[at], seat)
        assert line["event"] == as_json(event)


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def body(answer: bytes) -> Any:
    return msgspec.json.decode(answer.partition(b"\n\n")[2])


# ------------------------------------------------------------------------------------------- hidden things dealt anew


def plain(data: bytes, table: str) -> bytes:
    """Return the bytes without those that only distinguish tables, moments and pages."""
    data = data.replace(table.encode(), b"TABLE")
    data = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z", b"WHEN", data)
    data = re.sub(rb'(name=\\?"token\\?" value=\\?")[0-9a-f]+', rb"\1TOKEN", data)
    data = re.sub(rb"^:[0-9a-f]*$|<!-- [0-9a-f]* -->", b"HAZE", data, flags=re.MULTILINE)
    return re.sub(rb"(have=|id: )[0-9a-f]+", rb"\1DIGEST", data)


@pytest.mark.long
def test_were_all_that_is_hidden_different_the_same_bytes_would_be_sent(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        Reader(served, ANNA, "Anna") as anna,
        Reader(served, BERND, "Bernd") as bernd,
        Reader(served, None, "Dora") as dora,
    ):
        table = prepared_table(monkeypatch, served.service, anna.id, bernd.id)
        tried = set()
        states = list(replay(prepared()))
        for number, step in lines():
            step_due = states[number - 2].step
            if step.seat in PEOPLE and step_due not in tried:
                tried.add(step_due)
                brought_to(served.service, table, number - 1)
                for reader in (anna, bernd, dora):
                    with clock_stopped(served.service, monkeypatch):
                        one = reader.everything(table)
                        with dealt_anew(served.service, table, reader.seat, Random(number)):
                            other = reader.everything(table)
                    for where, data in one.items():
                        assert plain(data, table) == plain(other[where], table), (step_due, reader.seat, where)
        assert tried >= {"action", "put", "sail", "name", "propose", "answer", "again", "show"}


@contextmanager
def clock_stopped(service: KontorServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stop the clock within the block, so that a move can still be taken back after it."""
    moment = service._transactions.clock()
    with monkeypatch.context() as patch:
        patch.setattr(service._transactions, "clock", lambda: moment)
        yield


@contextmanager
def dealt_anew(service: KontorServer, table: str, seat: int | None, random: Random) -> Iterator[None]:
    """Let the server hold another state within the block, in which the seat sees the same."""
    entries = service._transactions.cache._tables
    cached = entries.get(table)
    assert cached
    real = cached.game_state
    assert real
    dreamt = DUTCHMAN.imagine(DUTCHMAN.view(real.state, seat), random.randrange)
    assert dreamt.merchants != real.state.merchants, "others have something else in hand"

    def believe(standing: GameState) -> None:
        entries.forget(table)
        entries.keep(table, replace(cached, game_state=standing))

    believe(replace(real, tail=(*real.tail[:-1], replace(real.tail[-1], state=dreamt))))
    yield
    believe(real)
