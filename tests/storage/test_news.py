"""Several processes at one database.

Each hears of the changes of the others, even when messages are lost, and one of them plays for the computer players.
"""

from collections.abc import Iterator
from functools import partial
from queue import SimpleQueue

import pytest

from guests import CARLA, MACHINE, ME, OPEN, Clock, end_sessions, quick, shanghaien
from kontor import records
from kontor.server.composition import KontorServer
from messages.test_messages import meet
from postgresql import execute
from timeouts import HANG_TIMEOUT, waited_for

QUICKLY = 0.1
"""Seconds between two looks at the counters, where a test waits for many."""


class Ear:
    """The changes that a listener of a server has received; ``watched`` are the tables that it watches."""

    def __init__(self, service: KontorServer) -> None:
        self.watched: tuple[str, ...] = ()
        self._looks = 0
        self._heard: SimpleQueue[str] = SimpleQueue()
        service.watch(self._look)
        service.listen(self._heard.put)

    def _look(self) -> tuple[str, ...]:
        self._looks += 1
        return self.watched

    def has_looked(self) -> None:
        """Wait until the counters have been read once from beginning to end."""
        begun = self._looks
        waited_for(lambda: self._looks > begun + 1)

    def next_table(self) -> str:
        return self._heard.get(timeout=HANG_TIMEOUT)

    def has_heard(self) -> list[str]:
        """Return the tables of the other changes up to now."""
        return [self._heard.get_nowait() for _ in range(self._heard.qsize())]


Services = tuple[KontorServer, KontorServer]


@pytest.fixture
def services(database: str, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    """Yield one server opened twice, like in two processes."""
    monkeypatch.setattr("kontor.storage.notifications.POLL_INTERVAL", QUICKLY)
    with KontorServer.open(database, clock) as one, KontorServer.open(database, clock) as other:
        yield one, other


def listening(database: str) -> list[int]:
    """Return the connections that listen for changes."""
    statement = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    return [pid for (pid,) in execute(database, statement)]


@pytest.fixture
def ear(services: Services, database: str) -> Ear:
    """Return what the first of the servers hears of changes."""
    ear = Ear(services[0])
    waited_for(lambda: listening(database))
    return ear


def test_an_open_conversation_is_announced_for_each_message_alone(services: Services, database: str) -> None:
    one, other = services
    anna, bernd = (one.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    conversation = one.messages.write_to(anna, meet(one, anna, bernd), "Ahoi").conversation
    ear = Ear(other)
    ear.watched = (conversation,)
    waited_for(lambda: len(listening(database)) == 1)
    ear.has_looked()
    ear.has_heard()
    ear.has_looked()
    assert ear.has_heard() == [], "nothing has changed"
    execute(database, "INSERT INTO messages SELECT conversation, 2, author, text, at FROM messages")
    assert ear.next_table() == conversation, "its announcement was lost"
    ear.has_looked()
    assert ear.has_heard() == []


def test_each_hears_of_what_the_other_changes_and_once_of_its_own(services: Services, database: str) -> None:
    one, other = services
    ears = [Ear(service) for service in services]
    waited_for(lambda: len(listening(database)) == 2)
    table = one.opening.open(one.people.guest("Anna")[0].id, shanghaien(ME, CARLA))
    assert [ear.next_table() for ear in ears] == [table, table]
    seat = other.tables.info(table).mover
    assert seat is not None
    seen = other.tables.view(table).look(seat)
    other.moves.play(table, seat, seen.number, seen.moves[0])
    assert [ear.next_table() for ear in ears] == [table, table]
    assert one.tables.info(table).number == other.tables.info(table).number > seen.number
    assert one.tables.view(table).look(seat) == other.tables.view(table).look(seat)
    for ear in ears:
        ear.has_looked()
    assert [ear.has_heard() for ear in ears] == [[], []], "what has been heard is not told again"


def test_each_hears_when_the_other_has_ended_sessions(services: Services, database: str) -> None:
    one, other = services
    ears = [Ear(service) for service in services]
    waited_for(lambda: len(listening(database)) == 2)
    person, _ = one.people.guest("Anna")
    for ends in (partial(end_sessions, one), one.people.api_token, one.people.device_link):
        own_count, others_count = one.people.endings, other.people.endings
        ends(person.id)
        assert one.people.endings > own_count, "whoever did it knows at once"
        waited_for(partial(lambda last: other.people.endings > last, others_count))
    for ear in ears:
        ear.has_looked()
    before = one.people.endings, other.people.endings
    for ear in ears:
        ear.has_looked()
    assert (one.people.endings, other.people.endings) == before, "what has been heard is not told again"


def test_sessions_that_have_ended_are_found_out_where_nobody_told(
    services: Services, database: str, ear: Ear
) -> None:
    one, _ = services
    ear.has_looked()
    before = one.people.endings
    execute(database, "UPDATE pulse SET endings = endings + 1")  # as if the process died after its commit
    waited_for(lambda: one.people.endings > before)


def test_who_makes_up_a_counter_on_the_channel_silences_nobody(services: Services, database: str, ear: Ear) -> None:
    _, other = services
    table = other.opening.open(other.people.guest("Anna")[0].id, shanghaien(ME, CARLA))
    ear.watched = (table,)
    assert ear.next_table() == table
    execute(database, "SELECT pg_notify('kontor', ?)", f"stranger {table}:{10**17}")
    assert ear.next_table() == table
    ear.has_looked()
    ear.has_heard()
    seat = other.tables.info(table).mover
    assert seat is not None
    seen = other.tables.view(table).look(seat)
    other.moves.play(table, seat, seen.number, seen.moves[0])
    assert ear.next_table() == table


def test_whoever_has_lost_the_line_hears_of_it_all_the_same(services: Services, database: str, ear: Ear) -> None:
    _, other = services
    anna = other.people.guest("Anna")[0].id
    table = other.opening.open(anna, shanghaien(ME, OPEN))
    assert ear.next_table() == table
    ear.watched = (table,)
    for word in ("Ahoy", "Land"):
        for pid in listening(database):
            execute(database, "SELECT pg_terminate_backend(?)", pid)
        other.talk.say(table, anna, word)
        assert ear.next_table() == table
    waited_for(lambda: listening(database))


def test_news_that_nobody_told_are_found_out_where_somebody_looks(
    services: Services, database: str, ear: Ear
) -> None:
    _, other = services
    anna = other.people.guest("Anna")[0].id
    watched, unwatched = (other.opening.open(anna, shanghaien(ME, OPEN)) for _ in range(2))
    assert {ear.next_table(), ear.next_table()} == {watched, unwatched}
    ear.watched = (watched,)
    ear.has_looked()
    ear.has_heard()
    execute(database, "UPDATE tables SET changes = changes + 1")  # as if the process died after its commit
    assert ear.next_table() == watched
    ear.has_looked()
    assert ear.has_heard() == []
    execute(database, "DELETE FROM tables")
    assert ear.next_table() == watched, "that it has gone, too"


def test_many_changes_are_told_together(services: Services, ear: Ear) -> None:
    _, other = services
    tables = [f"{number:020}" for number in range(500)]
    other._transactions.storage.announce(dict.fromkeys(tables, 2**31 - 1))
    assert {ear.next_table() for _ in tables} == set(tables)


def test_one_leads_and_another_when_it_is_gone(services: Services, database: str, clock: Clock) -> None:
    one, other = services
    assert [one.leads(), other.leads()] == [True, False]
    assert [one.leads(), other.leads()] == [True, False]
    holders = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'"
    assert execute(database, holders) == [(True,)]
    assert not one.leads(), "the line was cut"
    waited_for(other.leads)
    assert not one.leads()
    other.close()
    waited_for(one.leads)
    with KontorServer.open(database, clock) as third:
        assert not third.leads()


def test_machine_players_of_two_processes_play_each_move_once(services: Services) -> None:
    """Use computer players in both that do not pause."""
    one, other = services
    anna = one.people.guest("Anna")[0].id
    with quick(one), quick(other):
        tables = [service.opening.open(anna, shanghaien(MACHINE, MACHINE)) for service in (one, other)]
        waited_for(lambda: all(one.tables.info(table).status == "over" for table in tables))
    for table in tables:
        assert records.verify(other.tables.record(table)).dice
