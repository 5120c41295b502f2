"""Table views: a view of a moment never changes, and the cache agrees with the database."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import fields

from guests import (
    CARLA,
    FRIEND,
    MACHINE,
    ME,
    OPEN,
    Clock,
    dutchman,
    has_run,
    play_one,
    play_out,
    query,
    quick,
    shanghaien,
)
from kontor.errors import Conflict, NoSeat, NoTable, NotAllowed, NotNow
from kontor.game import IllegalMove
from kontor.games.shanghaien.rules.state import Shanghai
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.schema import SEAT_ROW, TABLE_ROW
from kontor.tables.cache import TableCache
from kontor.tables.game_states import TAIL
from kontor.tables.rows import SeatRow, TableRow
from kontor.tables.values import Pace, Share
from kontor.tables.views import TableView


def contents_of(now: TableView) -> list[Any]:
    """Return all contents of a view, for all readers."""
    eyes = (None, *range(len(now.info.seats)))
    looks = [now.look(eye) for eye in eyes]
    events = [(now.events(eye), now.events(eye, 3, 5)) for eye in eyes]
    return [now.info, now.chat_lines(), events, [(look.view, list(islice(look.moves, 30))) for look in looks]]


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_moment_stays_what_it_was(service: KontorServer, in_memory: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = service.people.guest("Anna")[0].id
    table, random = service.opening.open(anna, dutchman(ME, CARLA, CARLA)), Random(1)
    play_one(service, table, random)
    read, later = service.tables.view(table, anna), service.tables.view(table, anna)
    before = contents_of(read)
    for _ in range(2 * TAIL):
        play_one(service, table, random)
    service.talk.say(table, anna, "Good luck!")
    if not in_memory:
        monkeypatch.setattr(service._transactions, "cache", TableCache())
        monkeypatch.setattr(later.log, "_cache", TableCache())
    # It is read only now, after many changes.
    assert contents_of(later) == before
    assert contents_of(read) == before
    assert contents_of(service.tables.view(table, anna)) != before


def test_one_moment_tells_as_much_as_the_server(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, dutchman(ME, CARLA, CARLA))
    service.talk.say(table, anna, "Good luck!")
    now = service.tables.view(table, anna)
    assert now.info == service.tables.info(table, anna)
    assert now.chat_lines() == service.tables.view(table).chat_lines()
    for eye in (None, 0, 1, 2):
        assert now.look(eye).view == service.tables.view(table).look(eye).view
        assert now.events(eye, 1, 3) == service.tables.view(table).events(eye, 1, 3)


def test_a_moment_shows_no_more_than_the_server(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    waiting = service.tables.view(service.opening.open(anna, shanghaien(ME, OPEN)))
    for eye in (None, 0, 5):
        with pytest.raises(NotNow):
            waiting.look(eye)
        with pytest.raises(NotNow):
            waiting.events(eye)
    closed = service.tables.view(service.opening.open(anna, dutchman(ME, CARLA, CARLA, watch=False)))
    for ask in (closed.look, closed.events):
        with pytest.raises(NotAllowed):
            ask(None)
        for seat in (3, -1, 10**30):
            with pytest.raises(NoSeat):
                ask(seat)
        assert ask(2)
    for nothing in ("", "a" * 20, "../x", "a" * 10**5):
        with pytest.raises(NoTable):
            service.tables.view(nothing)


def test_what_was_said_is_told_in_part_as_the_database_would(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, CARLA))
    for number in range(230):
        service.talk.say(table, anna, f"{number}")
    assert service.tables.view(table).chat_lines()[-1].text == "229"
    lines = service.tables.view(table).chat_lines(limit=500)
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    last = lines[-1].number
    for since in (-5, 0, 1, last - 201, last - 200, last - 199, last - 1, last, last + 9, 10**30):
        for limit in (-1, 0, 1, 7, 199, 200, 201, 500, 10**30):
            after = [line for line in lines if line.number > since]
            wanted = after[max(0, len(after) - min(500, limit)) :] if limit > 0 else []
            assert list(service.tables.view(table).chat_lines(since, limit)) == wanted, (since, limit)


# ---------------------------------------------------------------------------------------- memory and the database


def test_rows_have_the_fields_of_their_tables() -> None:
    assert [field.name for field in fields(TableRow)] == [column.name for column in TABLE_ROW]
    assert [field.name for field in fields(SeatRow)] == [column.name for column in SEAT_ROW]


class Compared:
    """A server whose cache is compared with the database after each step."""

    def __init__(self, service: KontorServer, clock: Clock, place: Place) -> None:
        self.service, self.clock, self.place = service, clock, place
        self.anna, self.bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
        self.tables: list[str] = []

    def check(self) -> None:
        for table in self.tables:
            if not is_gone(self.service, table):
                with self.service._transactions.storage.reading() as db:
                    assert self.service._transactions.cache.snapshot(db, table) == TableCache().snapshot(db, table)


def a_life(of: Compared) -> Iterator[str]:
    """Run through all events of tables, and yield the name of each."""
    service, anna, bernd, clock = of.service, of.anna, of.bernd, of.clock
    live = Pace("live", 10, 60)
    table = service.opening.open(anna, shanghaien(ME, FRIEND, pace=live, stand_in="at once"))
    of.tables.append(table)
    yield "opened"
    token = service.opening.invitation(table, 1, anna)
    yield "invited"
    service.opening.sit(table, 1, bernd, token, Share("salt"))
    yield "sat, and begun"
    service.people.rename(bernd, "Bert")
    yield "renamed"
    service.talk.say(table, bernd, "Hello")
    yield "said"
    clock.tick(seconds=15)
    random = Random(3)
    play_one(service, table, random)
    yield "played, and used some of the reserve"
    info = service.tables.info(table)
    assert info.mover is not None
    with pytest.raises(IllegalMove):
        service.moves.play(table, info.mover, info.number, Shanghai())
    yield "refused"
    with pytest.raises(Conflict):
        service.moves.play(table, info.mover, info.number - 1, Shanghai())
    yield "too late"
    clock.tick(hours=-1)
    service.upkeep.apply_deadlines()
    yield "the clock was put back"
    clock.tick(minutes=2)
    service.upkeep.apply_deadlines()
    yield "stood in for"
    quick(service).one_round()
    yield "a computer player moved"
    for seat, person in enumerate((anna, bernd)):
        service.clocks.come_back(table, seat, person)
        yield "came back"
    clock.tick(days=1)
    service.upkeep.apply_deadlines()
    yield "the program did not run for a day"
    other = service.opening.open(anna, dutchman(ME, OPEN, OPEN, hints=True))
    of.tables.append(other)
    yield "another table"
    service.opening.sit(other, 1, bernd)
    yield "sat"
    service.opening.fill(other, 2, anna, "random")
    yield "filled, and begun"
    third = service.opening.open(anna, shanghaien(ME, OPEN))
    of.tables.append(third)
    service.opening.sit(third, 1, bernd)
    play_out(service, third)
    yield "over"
    again = service.opening.rematch(third, anna)
    of.tables.append(again)
    assert service.tables.info(third).rematch == again
    yield "a rematch"
    service.opening.leave(again, anna)
    assert is_gone(service, again)
    assert service.tables.info(third).rematch is None
    yield "nobody came"
    stale = service.opening.open(anna, shanghaien(ME, OPEN))
    of.tables.append(stale)
    yield "one more"
    clock.tick(days=32)
    has_run(of.place, clock)
    service.upkeep.apply_deadlines()
    assert is_gone(service, stale)
    yield "it was swept away"


def is_gone(service: KontorServer, table: str) -> bool:
    try:
        service.tables.info(table)
    except NoTable:
        return True
    return False


def test_whatever_happens_memory_is_what_the_database_holds(
    service: KontorServer, clock: Clock, place: Place
) -> None:
    of = Compared(service, clock, place)
    for _ in a_life(of):
        of.check()


def test_what_another_process_has_changed_is_seen_at_once(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock) as one, KontorServer.open(database, clock) as other:
        of = Compared(one, clock, database)
        for _ in a_life(of):
            for table in of.tables:
                if not is_gone(one, table):
                    assert other.tables.info(table, of.anna) == one.tables.info(table, of.anna)
                    assert other.tables.view(table).chat_lines() == one.tables.view(table).chat_lines()
                    if other.tables.info(table).status != "waiting":
                        assert other.tables.view(table).look(1).view == one.tables.view(table).look(1).view
                        assert other.tables.view(table).events(1) == one.tables.view(table).events(1)


def test_two_processes_play_one_game(database: str, clock: Clock) -> None:
    """Check that the other process's lines are added to the cache: earlier lines are not read again."""
    with KontorServer.open(database, clock) as one, KontorServer.open(database, clock) as other:
        table, random = one.opening.open(one.people.guest("Anna")[0].id, dutchman(ME, CARLA, CARLA)), Random(1)
        one.tables.view(table).look(0), other.tables.view(table).look(0)
        for moves in range(60):
            play_one(random.choice((one, other)), table, random)
            for eye in (None, 0, 2):
                assert one.tables.view(table).look(eye).view == other.tables.view(table).look(eye).view
                assert one.tables.view(table).events(eye, moves) == other.tables.view(table).events(eye, moves)
            query(database, "UPDATE steps SET step = 'nonsense' WHERE number = ?", moves + 2)


def test_an_older_snapshot_never_takes_the_place_of_a_newer_one(service: KontorServer) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, CARLA))
    older = service.tables.view(table).snapshot
    play_one(service, table, Random(1))
    newer = service.tables.view(table).snapshot
    assert newer.row.changes > older.row.changes
    service._transactions.cache.keep(older, None)
    assert service.tables.view(table).snapshot is newer


def test_a_bounded_number_of_tables_is_in_memory(service: KontorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service._transactions, "cache", TableCache(most=2))
    anna = service.people.guest("Anna")[0].id
    tables = [service.opening.open(anna, shanghaien(ME, CARLA)) for _ in range(5)]
    assert [service.tables.info(table).id for table in tables * 2] == tables * 2
    assert len(service._transactions.cache) == 2


def test_a_change_that_was_undone_is_not_in_memory(service: KontorServer, place: Place) -> None:
    """Check a line that the database refuses: the cached result is dropped."""
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, MACHINE))
    info = service.tables.info(table)
    while info.mover != 0:
        quick(service).one_round()
        info = service.tables.info(table)
    snapshot, seen = service.tables.view(table).snapshot, service.tables.view(table).look(0)
    query(place, "INSERT INTO steps VALUES (?, ?, 0, 'other', 0)", table, info.number + 1)
    with pytest.raises(Conflict):
        service.moves.play(table, 0, info.number, seen.moves[0])
    assert service.tables.view(table).snapshot is snapshot
    assert service.tables.view(table).look(0).view == seen.view
