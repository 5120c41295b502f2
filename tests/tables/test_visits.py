"""Computer players without spectators: where no person plays, they wait while nobody looks."""

from __future__ import annotations

from pathlib import Path

import pytest

from guests import MACHINE, ME, OPEN, Clock, as_of, at_once, dutchman, query, quick, shanghaien
from kontor.server.composition import KontorServer
from kontor.server.machines import Machines
from kontor.storage import Place
from kontor.tables.values import Pace, SeatPlan
from timeouts import waited_for


def look_at_table(service: KontorServer, table: str) -> None:
    """Look at the table without a name."""
    service.visits.note(service.tables.view(table).snapshot, None)


@pytest.fixture
def among_themselves(service: KontorServer) -> str:
    return service.opening.open(service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))


def test_among_themselves_they_wait_when_nobody_has_looked_for_five_minutes(
    service: KontorServer, among_themselves: str, clock: Clock
) -> None:
    machines = quick(service)
    clock.tick(minutes=5, seconds=-1)
    assert machines.one_round() == 1, "they begin as if whoever opened the table were looking"
    clock.tick(seconds=1)
    assert machines.one_round() == 0
    clock.tick(days=3)
    assert machines.one_round() == 0
    look_at_table(service, among_themselves)
    assert machines.one_round() == 1
    clock.tick(minutes=4)
    look_at_table(service, among_themselves)
    clock.tick(minutes=4)
    assert machines.one_round() == 1


def test_who_has_a_stream_open_looks_all_the_time(service: KontorServer, among_themselves: str, clock: Clock) -> None:
    machines, watched = quick(service), [among_themselves, "a table that has gone"]
    service.watch(lambda: watched)
    look_at_table(service, among_themselves)
    for _ in range(20):
        service.visits.note_watched()
        clock.tick(minutes=1)
        assert machines.one_round() == 1
    watched.clear()
    for _ in range(5):
        service.visits.note_watched()
        clock.tick(minutes=1)
    assert machines.one_round() == 0


def test_a_thread_of_theirs_notes_who_watches(service: KontorServer, place: Place, among_themselves: str) -> None:
    query(place, "UPDATE tables SET visited = 0")
    service.watch(lambda: [among_themselves])
    before = service.tables.info(among_themselves).number
    with quick(service):
        waited_for(lambda: service.tables.info(among_themselves).number > before)


def test_a_look_is_written_once_a_minute_and_is_no_change(
    service: KontorServer, place: Place, among_themselves: str, clock: Clock
) -> None:
    heard = list[str]()
    service.listen(heard.append)
    before = query(place, "SELECT visited, changes FROM tables")
    clock.tick(seconds=30)
    look_at_table(service, among_themselves)
    written = query(place, "SELECT visited, changes FROM tables")
    assert written == [(before[0][0] + 30_000, before[0][1])]
    clock.tick(seconds=59)
    look_at_table(service, among_themselves)
    assert query(place, "SELECT visited, changes FROM tables") == written
    clock.tick(seconds=1)
    look_at_table(service, among_themselves)
    assert query(place, "SELECT visited, changes FROM tables") == [(written[0][0] + 60_000, before[0][1])]
    assert heard == []


def test_whoever_looks_at_one_process_has_another_play(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock) as one, KontorServer.open(database, clock) as other:
        table = one.opening.open(one.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
        clock.tick(minutes=6)
        assert quick(one).one_round() == 0
        look_at_table(other, table)
        assert quick(one).one_round() == 1


def test_where_a_person_plays_they_move_until_it_is_the_persons_turn(service: KontorServer, clock: Clock) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, MACHINE, MACHINE))
    machines = quick(service)
    for _ in range(10):
        while service.tables.info(table).mover != 0:
            clock.tick(hours=1)
            assert machines.one_round() == 1
        look = service.tables.view(table).look(0)
        service.moves.play(table, 0, look.number, look.moves[0])


def test_they_wait_for_nobody_who_has_been_sat_in_for_until_one_of_them_is_back(
    service: KontorServer, clock: Clock
) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    table = service.opening.open(anna, dutchman(ME, OPEN, MACHINE, pace=Pace("live", 5, 0), stand_in="at once"))
    service.opening.sit(table, 1, bernd)
    machines = quick(service)
    while not all(seat.player or seat.stood_in for seat in service.tables.info(table).seats):
        clock.tick(seconds=6)
        machines.one_round()
    clock.tick(minutes=5)
    assert machines.one_round() == 0
    service.clocks.come_back(table, 1, bernd)
    while service.tables.info(table).mover != 1:
        clock.tick(minutes=6)
        assert machines.one_round() == 1, "a person plays, and waits for them"


def test_one_who_resigns_leaves_the_others_a_game_that_goes_on(service: KontorServer, clock: Clock) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    table = service.opening.open(anna, dutchman(ME, OPEN, MACHINE, pace=Pace("slow", 3600)))
    service.opening.sit(table, 1, bernd)
    service.early_endings.resign(table, 0, anna)
    machines = quick(service)
    while service.tables.info(table).mover != 1:
        clock.tick(minutes=6)
        assert machines.one_round() == 1


def test_a_wrong_clock_keeps_nobody_waiting(service: KontorServer, among_themselves: str, clock: Clock) -> None:
    machines = Machines(service, at_once, pause=lambda *_: 0)
    clock.tick(days=365)
    look_at_table(service, among_themselves)
    clock.tick(days=-365)
    look_at_table(service, among_themselves)
    service.upkeep.apply_deadlines()
    assert machines.one_round() == 1


def test_games_of_older_kontors_that_nobody_looks_at_wait_too(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        anna = service.people.guest("Anna")[0].id
        alone = service.opening.open(anna, shanghaien(MACHINE, MACHINE))
        played = service.opening.open(anna, shanghaien(SeatPlan("machine", player="steady"), ME))
    as_of(place, "0009")
    clock.tick(minutes=6)
    with KontorServer.open(place, clock) as service:
        moved = {turn.table for turn in service.listing.machine_turns()}
        assert alone not in moved
        look_at_table(service, alone)
        assert alone in {turn.table for turn in service.listing.machine_turns()}
        assert (service.tables.info(played).mover == 0) == (played in moved)


def test_thousands_of_tables_at_which_nobody_looks_are_not_looked_through(tmp_path: Path) -> None:
    """Check that the index finds the few tables without reading the many."""
    KontorServer.open(tmp_path).close()
    statement = "SELECT id FROM tables WHERE machine = 1 AND (visited IS NULL OR visited > ?)"
    steps = [row[3] for row in query(tmp_path, f"EXPLAIN QUERY PLAN {statement}", 0) if "SEARCH" in row[3]]
    assert steps == [
        "SEARCH tables USING INDEX ix_tables_visited_machine (visited=? AND machine=?)",
        "SEARCH tables USING INDEX ix_tables_visited_machine (visited>?)",
    ]
