"""Secrets on the wire: every byte that pages, streams and programs receive, held against what their seat may know."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.state import Kontor, Lay, Pass, Put
from kontor.table import Plan, SeatPlan
from web.conftest import Served
from web.guests import Guest

SEED = bytes(range(32))


class Reader:
    """Somebody who reads whatever a table tells them: its pages, its stream, and the answers for programs."""

    def __init__(self, served: Served, name: str) -> None:
        self.guest = Guest(served.address, name)
        self.id = self._person(served).id
        self.bearer = {"authorization": f"Bearer {served.service.people.api_token(self.id)}"}

    def _person(self, served: Served) -> Any:
        person = served.service.people.of_session(self.guest.client.cookies["kontor"])
        assert person is not None
        return person

    def everything(self, table: str) -> dict[str, bytes]:
        """All that is told just now, without what only tells tables, moments and pages apart."""
        client = self.guest.client
        found = {}
        for path in ("", "/log", "/replay", "/fair"):
            found[path] = client.get(f"/tables/{table}{path}").content
        for path in ("", "/view", "/moves", "/events", "/chat", "/fair"):
            found[f"api{path}"] = client.get(f"/api/tables/{table}{path}", headers=self.bearer).content
        found["live"] = first_event(client, f"/tables/{table}/live", {})
        found["stream"] = first_event(client, f"/api/tables/{table}/stream", self.bearer)
        return {where: plain(told, table) for where, told in found.items()}


def first_event(client: httpx.Client, path: str, headers: dict[str, str]) -> bytes:
    lines = []
    with client.stream("GET", path, headers=headers) as streaming:
        for line in streaming.iter_lines():
            lines.append(line)
            if not line and any(kept.startswith("data") for kept in lines):
                break
    return "\n".join(lines).encode()


def plain(told: bytes, table: str) -> bytes:
    told = told.replace(table.encode(), b"TABLE")
    told = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z", b"WHEN", told)
    told = re.sub(rb'(name=\\?"token\\?" value=\\?")[0-9a-f]+', rb"\1TOKEN", told)
    told = re.sub(rb"^:[0-9a-f]*$|<!-- [0-9a-f]* -->", b"HAZE", told, flags=re.MULTILINE)
    return re.sub(rb"(have=|id: )[0-9a-f]+", rb"\1DIGEST", told)


@pytest.fixture
def readers(served: Served) -> Any:
    people = [Reader(served, name) for name in ("Anna", "Bernd", "Carla", "Dora")]
    yield people
    for person in people:
        person.guest.close()


def open_table(served: Served, people: list[Reader], circles: int = 1) -> str:
    """Anna, Bernd and Carla sit down; Bernd starts. Dora watches."""
    seats = (SeatPlan("me"), SeatPlan("open"), SeatPlan("open"))
    plan = Plan("dutchman", Options(players=3, starter=1, circles=circles), seats)
    table = served.service.opening.open(people[0].id, plan)
    served.service.opening.sit(table, 1, people[1].id)
    served.service.opening.sit(table, 2, people[2].id)
    return table


def test_games_that_differ_only_in_hidden_things_send_identical_bytes_to_the_others(
    served: Served, readers: list[Reader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontor.table.opening.new_seed", lambda: SEED)
    anna, bernd, carla, dora = readers
    twins = [open_table(served, readers), open_table(served, readers)]
    service = served.service

    def same(*eyes: Reader) -> None:
        for reader in eyes:
            one, other = (reader.everything(table) for table in twins)
            for where, told in one.items():
                assert told == other[where], (reader.guest.name, where)

    def differ(reader: Reader) -> None:
        one, other = (reader.everything(table) for table in twins)
        assert one["api/view"] != other["api/view"], "what differs is not hidden from whoever did it"
        assert one["live"] != other["live"]

    same(anna, bernd, carla, dora)
    for table in twins:
        service.play(table, 1, service.table_view(table).look(1).number, Kontor())
    same(anna, bernd, carla, dora)
    shares = service.table_view(twins[0]).look(1).view.shares
    first, second = sorted(set(combinations(sorted(shares), 2)))[:2]
    legal = [move for move in service.table_view(twins[0]).look(1).moves if isinstance(move, Put)]
    pairs = [move for move in legal if sorted(move.shares) in (sorted(first), sorted(second))]
    for table, move in zip(twins, pairs, strict=True):
        service.play(table, 1, service.table_view(table).look(1).number, move)
    same(anna, carla, dora)
    differ(bernd)

    rack = service.table_view(twins[0]).look(2).view.rack
    for table, shoe in zip(twins, (rack[0], rack[-1]), strict=True):
        service.play(table, 2, service.table_view(table).look(2).number, Lay((shoe,)))
    same(anna, dora)
    differ(carla)


def test_nobody_is_told_more_than_their_view_through_a_whole_game(served: Served, readers: list[Reader]) -> None:
    table = open_table(served, readers)
    service = served.service
    random = Random(5)
    seed = None
    told: dict[str, list[bytes]] = {reader.guest.name: [] for reader in readers}
    while service.info(table).status != "over":
        seat = service.info(table).mover
        look = service.table_view(table).look(seat)
        moves = look.moves
        choice = moves[random.randrange(len(moves))]
        if random.random() < 0.5:
            choice = next((move for move in moves if isinstance(move, Pass)), choice)
        service.play(table, seat or 0, look.number, choice)
        if random.random() < 0.15 and service.info(table).status != "over":
            for at, reader in enumerate(readers):
                everything = reader.everything(table)
                told[reader.guest.name] += everything.values()
                seen = msgspec.json.decode(everything["api/view"])
                mine = at if at < 3 else None
                allowed = msgspec.json.encode({"view": service.table_view(table).look(mine).view})
                assert seen["view"] == msgspec.json.decode(allowed)["view"]
    record = service.record(table)
    assert record.ending is not None
    seed = record.ending.seed
    for reader in readers:
        others = [other for other in readers if other is not reader]
        secrets = [seed, *(other.id for other in others), *(other.bearer["authorization"][7:] for other in others)]
        secrets += [other.guest.client.cookies["kontor"] for other in others]
        for text in told[reader.guest.name]:
            for secret in secrets:
                assert secret.encode() not in text
    assert sum(len(text) for texts in told.values() for text in texts) > 500_000
    assert seed.encode() in readers[3].guest.client.get(f"/tables/{table}/fair").content, "now everybody may know"
