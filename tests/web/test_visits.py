"""Tables of computer players only: they go on as soon as a page, a stream or a program looks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from guests import MACHINE, ME, OPEN, query, shanghaien
from timeouts import waited_for
from web.conftest import Served
from web.guests import Guest

LOOKS = {
    "a page": "/tables/{table}",
    "a program": "/api/tables/{table}",
    "a program that looks at the game": "/api/tables/{table}/view",
    "a program that looks at what happened": "/api/tables/{table}/events",
}

STREAMS = {"the stream of a page": "/tables/{table}/live", "the stream of a program": "/api/tables/{table}/stream"}


def left_alone(served: Served, folder: Path) -> str:
    """Return a table of computer players only at which nobody has looked for long."""
    table = served.service.opening.open(served.service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
    query(folder, "UPDATE tables SET visited = 0")
    assert served.service.listing.machine_turns() == ()
    return table


@pytest.mark.parametrize("path", LOOKS.values(), ids=list(LOOKS))
def test_whoever_looks_lets_them_go_on(tmp_path: Path, path: str) -> None:
    with Served(tmp_path) as served, served.guest() as stranger:
        table = left_alone(served, tmp_path)
        begun = served.service.tables.info(table).number
        assert stranger.client.get(path.format(table=table)).status_code == 200
        waited_for(lambda: served.service.tables.info(table).number > begun + 3)


@pytest.mark.parametrize("path", STREAMS.values(), ids=list(STREAMS))
def test_a_stream_lets_them_go_on(tmp_path: Path, path: str) -> None:
    with Served(tmp_path) as served, served.guest() as stranger:
        table = left_alone(served, tmp_path)
        begun = served.service.tables.info(table).number
        with stranger.client.stream("GET", path.format(table=table)) as stream:
            chunks = stream.iter_raw()  # httpx closes the connection when nothing holds them any more
            assert next(chunks)
            waited_for(lambda: served.service.tables.info(table).number > begun + 3)


@dataclass(frozen=True)
class Notified:
    """Anna, who hears of her turns by a webhook; a table where it is her turn, her browser and her program."""

    served: Served
    folder: Path
    table: str
    anna: Guest
    token: str

    def get(
        self, path: str, *, program: bool = False, method: str = "GET", headers: dict[str, str] | None = None
    ) -> int:
        by = {"authorization": f"Bearer {self.token}"} if program else {}
        return self.anna.client.request(
            method, path.format(table=self.table), headers=by | (headers or {})
        ).status_code

    def seen(self) -> tuple[int, bool]:
        """Return the number of recorded looks of hers, and whether the others see her at the table."""
        looks = query(self.folder, "SELECT COUNT(*) FROM looks")[0][0]
        visited = query(self.folder, "SELECT COUNT(*) FROM seats WHERE here OR visited IS NOT NULL")[0][0]
        return looks, bool(visited)


@pytest.fixture
def notified(tmp_path: Path) -> Iterator[Notified]:
    with Served(tmp_path, ways=frozenset({"webhook"})) as served, served.guest("Anna") as anna:
        person = served.person_id(anna)
        table = served.service.opening.open(served.service.people.guest("Bernd")[0].id, shanghaien(OPEN, ME))
        served.service.opening.sit(table, 0, person)
        served.service.ways.add(person, "webhook", "https://hooks.example/", "", "en", served.address)
        yield Notified(served, tmp_path, table, anna, served.service.people.api_token(person))


PROGRAMS = {**LOOKS, "its turns": "/api/me/turns", "its tables": "/api/tables"}
del PROGRAMS["a page"]


@pytest.mark.parametrize("path", PROGRAMS.values(), ids=list(PROGRAMS))
def test_a_program_that_looks_is_not_its_person(notified: Notified, path: str) -> None:
    assert notified.get(path, program=True) == 200
    assert notified.seen() == (0, False)
    assert notified.get("/tables/{table}") == 200
    assert notified.seen() == (1, True)


def test_a_stream_that_a_program_reads_is_not_its_person(notified: Notified) -> None:
    client, by = notified.anna.client, {"authorization": f"Bearer {notified.token}"}
    with client.stream("GET", f"/api/tables/{notified.table}/stream", headers=by) as stream:
        chunks = stream.iter_raw()
        assert next(chunks)
        assert (notified.served.hub.open, notified.served.hub.present()) == (1, set())
        notified.served.service.visits.note_watched()
        assert notified.seen() == (0, False)
    with client.stream("GET", f"/tables/{notified.table}/live") as stream:
        chunks = stream.iter_raw()
        assert next(chunks)
        notified.served.service.presence.note()  # as the server does every second
        waited_for(lambda: notified.seen() == (0, True))  # the page is open, and reports when she looks at it


@pytest.mark.parametrize(
    "purpose",
    [
        {"sec-purpose": "prefetch"},
        {"sec-purpose": "prefetch;prerender"},
        {"sec-purpose": "prefetch;anonymous-client-ip"},
        {"purpose": "prefetch"},
        {"x-purpose": "preview"},
        {"x-moz": "prefetch"},
    ],
    ids=str,
)
def test_a_page_that_is_fetched_in_case_it_is_wanted_is_no_look(notified: Notified, purpose: dict[str, str]) -> None:
    assert notified.get("/tables/{table}", headers=purpose) == 200
    assert notified.seen() == (0, False)


def test_neither_is_the_head_of_a_page_or_a_feed(notified: Notified) -> None:
    notified.get("/tables/{table}", method="HEAD")
    notified.get("/api/tables/{table}", method="HEAD", program=True)
    person = notified.served.service.people.holder_of_session(notified.anna.client.cookies["kontor"])
    assert person
    feed = notified.served.service.ways.new_feed(person.id, "en", notified.served.address)
    for kind in ("ics", "atom"):
        assert notified.get(f"/feed/{feed}/turns.{kind}") == 200
    assert notified.get("/you/waiting") == 200
    assert notified.seen() == (0, False)


def test_a_page_that_is_prefetched_keeps_no_computer_players_going(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.guest() as stranger:
        table = left_alone(served, tmp_path)
        assert stranger.client.get(f"/tables/{table}", headers={"sec-purpose": "prefetch"}).status_code == 200
        assert query(tmp_path, "SELECT visited FROM tables") == [(0,)]
