"""Programs that play by the API as fast as they can and record the replies; and what must be true then."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from random import Random
from threading import Event, Thread
from time import sleep
from typing import Any, Self

import msgspec
from sqlalchemy import select

from kontor import records
from kontor.fair import FairDice
from kontor.game import CHANCE, Value
from kontor.plugins import game_named
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.schema import tables
from kontor.tables.game_states import record_of
from kontor.tables.rows import seat_rows, seed_of, table_row
from timeouts import HANG_TIMEOUT, waited_for

ME = {"kind": "me"}
CARLA = {"kind": "here", "name": "Carla"}
MACHINE = {"kind": "machine", "player": "random"}


class Sent(Value, frozen=True):
    """A move that was sent, and the number of its line."""

    table: str
    number: int
    move: dict[str, Any]


class Cut(Exception):
    """A connection that was cut before there was a response.

    A missing response on a connection that stays is a TimeoutError instead.
    """


class Caller:
    """A person's program: after a cut connection it calls the next of the servers, as a proxy would."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports = cycle(ports)
        self._line: HTTPConnection | None = None
        self.token = ""
        self.refusals: Counter[tuple[int, str]] = Counter()
        """Counts of the refusals, by status and text."""

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Return the status of the response, and its body. Raises Cut."""
        if self._line is None:
            self._line = HTTPConnection("127.0.0.1", next(self._ports), timeout=HANG_TIMEOUT)
        headers = {"content-type": "application/json"} | (
            {"authorization": f"Bearer {self.token}"} if self.token else {}
        )
        try:
            self._line.request(method, f"/api/{path}", None if body is None else json.dumps(body), headers)
            answer = self._line.getresponse()
            status, text = answer.status, answer.read()
            if status in (502, 504):  # a proxy, whose own connection was cut
                raise HTTPException(answer.reason)
            content = json.loads(text)
        except TimeoutError:
            raise
        except (OSError, HTTPException) as error:
            self.hang_up()
            raise Cut from error
        if status not in (200, 201):
            self.refusals[status, content["reason"]] += 1
        return status, content

    def hang_up(self) -> None:
        """Close the connection, so that the next call opens a new one."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()

    def insist(self, method: str, path: str, body: Any = None) -> Any:
        """Repeat a request until it succeeds."""
        (answer,) = waited_for(lambda: self._try_once(method, path, body), pause=lambda: sleep(0.05))
        return answer

    def _try_once(self, method: str, path: str, body: Any) -> tuple[Any] | None:
        """Return the response in a tuple; None if the request has to be repeated."""
        try:
            status, answer = self.ask(method, path, body)
        except Cut:
            return None
        assert status in (200, 201, 429, 503), (method, path, status, answer)
        return (answer,) if status in (200, 201) else None

    def come_in(self, name: str) -> None:
        self.token = self.insist("POST", "people", {"name": name})["token"]

    def open(self, game: str, *seats: dict[str, str], **more: Any) -> str:
        """Open a new table, and return its id."""
        body = {"game": game, "seats": seats, **more}
        if game == "dutchman":
            body["options"] = {"players": len(seats)}
        table: str = self.insist("POST", "tables", body)["table"]
        return table


class Mover:
    """A program that plays at one table after the other, for as long as a ``with`` block lasts."""

    def __init__(
        self, ports: Sequence[int], name: str, game: str, *seats: dict[str, str], pause: float = 0.0, **more: Any
    ) -> None:
        """Set up the program; ``pause`` is in seconds after each move."""
        self._caller = Caller(ports)
        self._pause = pause
        self._about = name, game, seats, more
        self._random = Random(name)
        self._ending = Event()
        self._thread = Thread(target=self._play, daemon=True)
        self.acknowledged: list[Sent] = []
        self.unanswered: list[Sent] = []
        """Moves that may have been played: the connection was cut, or the server said that it does not know."""
        self.refusals = self._caller.refusals
        self.error: BaseException | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join(2 * HANG_TIMEOUT)
        assert not self._thread.is_alive()
        assert self.error is None, self.error

    def _play(self) -> None:
        name, game, seats, more = self._about
        try:
            self._caller.come_in(name)
            while not self._ending.is_set():
                table = self._caller.open(game, *seats, **more)
                while not self._ending.is_set() and self._move(table):
                    pass
        except BaseException as error:  # noqa: BLE001 (told when the block ends)
            self.error = error
        finally:
            self._caller.hang_up()

    def _move(self, table: str) -> bool:
        """Make one move, if it is the program's turn; return whether the game goes on."""
        seen = self._caller.insist("GET", f"tables/{table}/moves")
        if not seen["count"]:
            sleep(0.01)
            return bool(self._caller.insist("GET", f"tables/{table}")["status"] == "playing")
        sent = Sent(table, seen["number"] + 1, self._random.choice(seen["moves"]))
        try:
            status, answer = self._caller.ask(
                "POST", f"tables/{table}/moves", {"number": seen["number"], "move": sent.move}
            )
        except Cut:
            self.unanswered.append(sent)
            return True
        if status == 201:
            self.acknowledged.append(sent)
            sleep(self._pause)
            return True
        if "Check whether" in answer["reason"]:
            self.unanswered.append(sent)
        sleep(0.05)
        return True


def count_moves(movers: Sequence[Mover]) -> int:
    """Return the number of acknowledged moves."""
    return sum(len(mover.acknowledged) for mover in movers)


def all_go_on(movers: Sequence[Mover], moves: int = 5) -> None:
    """Wait until each has played some more moves."""
    before = [len(mover.acknowledged) for mover in movers]
    wait_until(
        lambda: all(len(mover.acknowledged) >= was + moves for mover, was in zip(movers, before, strict=True)), movers
    )


def wait_until(is_done: Callable[[], Any], movers: Sequence[Mover]) -> None:
    """Wait until a result of the moves is true; fail if a mover has failed."""

    def look() -> Any:
        errors = [mover.error for mover in movers if mover.error]
        assert not errors, errors
        return is_done()

    waited_for(look)


def check(place: Place, movers: Sequence[Mover]) -> int:
    """Check the logs against the sent moves; return the number of lines.

    Every acknowledged move stands on its line. No other move of a person is in a log, except those whose response was
    cut off. Every outcome of chance is the one of the seed.
    """
    acknowledged = [sent for mover in movers for sent in mover.acknowledged]
    sent = {(sent_move.table, sent_move.number): sent_move.move for mover in movers for sent_move in mover.unanswered}
    both = sent | {(sent_move.table, sent_move.number): sent_move.move for sent_move in acknowledged}
    assert len({(sent_move.table, sent_move.number) for sent_move in acknowledged}) == len(acknowledged)
    lines, in_logs = 0, set()
    with KontorServer.open(place) as service, service._transactions.storage.reading() as db:
        for table in db.scalars(select(tables.c.id)).all():
            row = table_row(db, table)
            record = record_of(db, row)
            assert row.number == len(record.steps) + 1
            records.check_left(record, FairDice(seed_of(db, table), record.header.salts))
            machines = {seat.seat for seat in seat_rows(db, table) if seat.player}
            game = game_named(row.game)
            for number, step in enumerate(record.steps, 2):
                if step.seat not in (CHANCE, *machines):
                    assert step.action == msgspec.convert(both[table, number], game.move)
                    in_logs.add((table, number))
            lines += len(record.steps)
    assert {(sent_move.table, sent_move.number) for sent_move in acknowledged} <= in_logs
    return lines
