"""Time limits, stand-ins, and clocks that jump. Nothing here waits: the clock of these servers is set by hand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from guests import CARLA, MACHINE, ME, OPEN, Clock, dutchman, play_out, query, quick, shanghaien
from kontor import records
from kontor.errors import NotAllowed, NotNow, NotYourTurn, StoodIn
from kontor.games.shanghaien.rules.state import Roll
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables import turn_inputs
from kontor.tables.values import Pace
from postgresql import execute
from timeouts import waited_for

LIVE = Pace("live", 30, 60)
DAY = Pace("slow", 24 * 3600)


class Two:
    """Anna and Bernd at a table: the mover, and the one who waits."""

    def __init__(self, service: KontorServer, pace: Pace = LIVE, **more: object) -> None:
        self.service = service
        self.people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
        self.table = service.opening.open(self.people[0], shanghaien(ME, OPEN, pace=pace, **more))
        service.opening.sit(self.table, 1, self.people[1])
        mover = service.tables.info(self.table).mover
        assert mover is not None
        self.seat = mover
        self.mover, self.other = self.people[mover], self.people[1 - mover]

    def roll(self) -> int:
        return self.service.moves.play(self.table, self.seat, self.service.tables.info(self.table).number, Roll())

    def stand_in(self) -> None:
        self.service.clocks.stand_in(self.table, self.seat, self.other)

    @property
    def stood_in(self) -> str:
        return self.service.tables.info(self.table).seats[self.seat].stood_in


def test_a_live_clock_runs_for_the_move_and_then_for_the_reserve(service: KontorServer, clock: Clock) -> None:
    two = Two(service)
    assert service.tables.info(two.table).deadline == clock.time + timedelta(seconds=90)
    clock.tick(seconds=90)
    assert service.tables.info(two.table).late is None
    clock.tick(seconds=1)
    assert service.tables.info(two.table).late == two.seat == service.tables.info(two.table).late


def test_what_a_move_takes_too_long_is_taken_from_the_reserve(service: KontorServer, clock: Clock) -> None:
    two = Two(service)
    clock.tick(seconds=30)
    two.roll()  # within the time of a move
    assert service.tables.info(two.table).seats[two.seat].reserve == 60
    clock.tick(seconds=70.5)
    seen = service.tables.view(two.table).look(two.seat)
    service.moves.play(two.table, two.seat, seen.number, seen.moves[0])
    seats = service.tables.info(two.table).seats
    assert (seats[two.seat].reserve, seats[1 - two.seat].reserve) == (19.5, 60)
    assert service.tables.info(two.table).deadline == clock.time + timedelta(seconds=30 + 19.5)


def test_a_late_move_still_counts(service: KontorServer, clock: Clock) -> None:
    two = Two(service)
    clock.tick(hours=1)
    assert service.tables.info(two.table).late == two.seat
    two.roll()
    assert service.tables.info(two.table).late is None
    info = service.tables.info(two.table)
    assert info.seats[two.seat].reserve == 0
    assert info.deadline == clock.time + timedelta(seconds=30)


def test_a_slow_game_gives_days_and_no_limit_gives_all_the_time(service: KontorServer, clock: Clock) -> None:
    slow, free = Two(service, DAY), Two(service, Pace())
    assert service.tables.info(slow.table).deadline == clock.time + timedelta(days=1)
    assert service.tables.info(free.table).deadline is None
    assert service.tables.info(slow.table).seats[0].reserve is None
    clock.tick(days=1, seconds=1)
    assert service.tables.info(slow.table).late == slow.seat
    clock.tick(days=1000)
    assert service.tables.info(free.table).late is None


def test_a_machine_player_is_never_late(service: KontorServer, clock: Clock) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE, pace=LIVE))
    clock.tick(days=1)
    assert service.tables.info(table).deadline is None
    assert service.tables.info(table).late is None


# ----------------------------------------------------------------------------------------------------- standing in


def test_others_can_let_a_machine_player_sit_in_for_who_is_late(service: KontorServer, clock: Clock) -> None:
    two = Two(service)
    stranger = service.people.guest("Dora")[0].id
    with pytest.raises(NotNow, match="still has time"):
        two.stand_in()
    clock.tick(seconds=91)
    for person in (two.mover, stranger, "nobody"):
        with pytest.raises(NotAllowed):
            service.clocks.stand_in(two.table, two.seat, person)
    with pytest.raises(NotNow):
        service.clocks.stand_in(two.table, 1 - two.seat, two.mover)
    two.stand_in()
    assert two.stood_in == "casual", "the level that was agreed on"
    assert service.tables.view(two.table).chat_lines()[-1].kind == "stood in"
    assert not service.tables.info(two.table, two.mover).my_turn
    with pytest.raises(NotNow):
        two.stand_in()
    with pytest.raises(StoodIn):
        two.roll()
    number = service.tables.info(two.table).number
    while quick(service).one_round():
        pass
    info = service.tables.info(two.table)
    assert info.number > number
    assert info.mover == 1 - two.seat


def test_the_person_can_come_back(service: KontorServer, clock: Clock) -> None:
    two = Two(service)
    clock.tick(seconds=91)
    two.stand_in()
    with pytest.raises(NotAllowed):
        service.clocks.come_back(two.table, two.seat, two.other)
    clock.tick(minutes=5)
    service.clocks.come_back(two.table, two.seat, two.mover)
    assert two.stood_in == ""
    assert service.tables.info(two.table, two.mover).my_turn
    assert service.tables.info(two.table).deadline == clock.time + timedelta(seconds=90)
    assert [line.kind for line in service.tables.view(two.table).chat_lines()][-2:] == ["stood in", "came back"]
    service.clocks.come_back(two.table, two.seat, two.mover)  # nothing more happens
    assert len(service.tables.view(two.table).chat_lines()) == 4
    two.roll()


def test_what_a_machine_player_thought_meanwhile_is_void(service: KontorServer, clock: Clock) -> None:
    two = Two(service)
    clock.tick(seconds=91)
    two.stand_in()
    seen, _ = turn_inputs.think(service.tables.view(two.table), two.seat)
    service.clocks.come_back(two.table, two.seat, two.mover)
    with pytest.raises(NotYourTurn):
        service.moves.play_machine(two.table, two.seat, seen.number, seen.moves[0])
    with pytest.raises(NotYourTurn):
        turn_inputs.think(service.tables.view(two.table), two.seat)
    two.roll()


def test_where_nobody_is_to_be_stood_in_for_nobody_is(service: KontorServer, clock: Clock) -> None:
    two = Two(service, stand_in="never")
    clock.tick(days=1)
    assert service.tables.info(two.table).late == two.seat
    with pytest.raises(NotAllowed):
        two.stand_in()
    service.upkeep.apply_deadlines()
    assert two.stood_in == ""


def test_where_it_is_to_happen_at_once_it_happens_by_itself(service: KontorServer, clock: Clock) -> None:
    at_once, ask = Two(service, stand_in="at once"), Two(service, stand_in="ask")
    heard = list[str]()
    service.listen(heard.append)
    for _ in range(10):
        clock.tick(seconds=9)
        service.upkeep.apply_deadlines()
    assert (at_once.stood_in, ask.stood_in) == ("", "")
    clock.tick(seconds=9)
    service.upkeep.apply_deadlines()
    assert at_once.stood_in
    assert ask.stood_in == ""
    assert heard == [at_once.table]
    service.clocks.come_back(at_once.table, at_once.seat, at_once.mover)
    at_once.roll()


def test_a_game_goes_on_without_those_who_stay_away(service: KontorServer, clock: Clock) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, dutchman(ME, CARLA, MACHINE, pace=Pace("live", 5, 0), stand_in="at once"))
    machines = quick(service)
    for _ in range(2000):
        clock.tick(seconds=6)
        machines.one_round()
        service.visits.note(service.tables.view(table).snapshot, None)  # somebody looks on
        if service.tables.info(table).status == "over":
            break
    assert records.verify(service.tables.record(table)).dice
    assert service.tables.record(table).header.players == ("person", "person", "random")


# ---------------------------------------------------------------------------------------------- clocks that jump


def test_a_clock_that_is_put_back_does_no_harm(service: KontorServer, clock: Clock) -> None:
    two = Two(service)
    clock.tick(hours=-5)
    assert service.tables.info(two.table).late is None
    service.upkeep.apply_deadlines()  # the present move counts from now
    info = service.tables.info(two.table)
    assert info.since == clock.time
    assert info.deadline == clock.time + timedelta(seconds=90)
    clock.tick(seconds=20)
    two.roll()
    clock.tick(hours=-1)
    seen = service.tables.view(two.table).look(two.seat)
    service.moves.play(two.table, two.seat, seen.number, seen.moves[0])
    assert service.tables.info(two.table).seats[two.seat].reserve == 60
    service.upkeep.apply_deadlines()
    play_out(service, two.table)
    assert records.verify(service.tables.record(two.table)).dice


def test_machine_players_do_not_wait_for_a_clock_that_was_put_back(service: KontorServer, clock: Clock) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
    clock.tick(days=-1)
    play_out(service, table)


def run(service: KontorServer, clock: Clock, seconds: int) -> None:
    """Let the program run for a while, with a pulse every ten seconds."""
    for _ in range(seconds // 10):
        clock.tick(seconds=10)
        service.upkeep.apply_deadlines()


def test_time_in_which_the_program_did_not_run_is_nobodys(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        two, slow = Two(service), Two(service, DAY)
        run(service, clock, 50)
        left = service.tables.info(two.table).deadline
        assert left == clock.time + timedelta(seconds=40)
    clock.tick(hours=30)
    with KontorServer.open(place, clock) as service:
        assert service.tables.info(two.table).deadline == clock.time + timedelta(seconds=40)
        assert service.tables.info(slow.table).deadline == clock.time + timedelta(days=1, seconds=-50)
        assert service.tables.info(two.table).late is None
        run(service, clock, 50)
        assert service.tables.info(two.table).late == two.seat


def test_nor_is_time_in_which_the_machine_slept_or_the_clock_was_put_forward(
    service: KontorServer, clock: Clock
) -> None:
    two = Two(service)
    run(service, clock, 50)
    clock.tick(seconds=1)
    young = Two(service)  # begun after the last pulse
    clock.tick(hours=30)
    service.upkeep.apply_deadlines()
    assert service.tables.info(two.table).late is None
    assert service.tables.info(two.table).deadline == clock.time + timedelta(seconds=40)
    assert service.tables.info(young.table).deadline == clock.time + timedelta(seconds=90)


def test_nor_is_time_by_which_it_is_put_forward_while_the_late_are_looked_for(place: Place, clock: Clock) -> None:
    """Check a jump between two readings of the clock.

    Another process whose clock is ahead makes us look for late games more closely.
    """
    jumps: list[timedelta] = []

    def reading() -> datetime:
        time = clock.time
        while jumps:
            clock.time += jumps.pop()
        return time

    with KontorServer.open(place, reading) as service:
        two = Two(service, stand_in="at once")
        clock.tick(seconds=5)
        Two(service)
        clock.tick(seconds=-2)
        jumps.append(timedelta(hours=30))
        service.upkeep.apply_deadlines()
        service.upkeep.apply_deadlines()
        info = service.tables.info(two.table)
        assert not any(seat.stood_in for seat in info.seats)
        assert service.tables.info(two.table).late is None


@pytest.mark.parametrize("closed", [1, 9, 19, 300])
def test_clocks_stand_still_while_the_server_is_closed(place: Place, clock: Clock, closed: int) -> None:
    with KontorServer.open(place, clock) as service:
        short, long = Two(service, Pace("live", 15, 0), stand_in="at once"), Two(service, Pace("slow", 3600))
        clock.tick(seconds=7)
    clock.tick(seconds=closed)
    with KontorServer.open(place, clock) as service:
        service.upkeep.apply_deadlines()
        assert service.tables.info(short.table).deadline == clock.time + timedelta(seconds=15 - 7)
        assert service.tables.info(long.table).deadline == clock.time + timedelta(seconds=3600 - 7)
        clock.tick(seconds=7)
        service.upkeep.apply_deadlines()
        assert not any(seat.stood_in for seat in service.tables.info(short.table).seats)
        clock.tick(seconds=2)
        service.upkeep.apply_deadlines()
        assert service.tables.info(short.table).seats[short.seat].stood_in


def test_after_a_kill_clocks_stand_still_since_the_last_heartbeat(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        two = Two(service)
        clock.tick(seconds=10)
        service.upkeep.apply_deadlines()
        clock.tick(seconds=4)
        young = Two(service)
        clock.tick(seconds=4)
    _kill(place, seconds=8)
    clock.tick(seconds=12)
    with KontorServer.open(place, clock) as service:
        assert service.tables.info(two.table).deadline == clock.time + timedelta(seconds=90 - 10)
        assert service.tables.info(young.table).deadline == clock.time + timedelta(seconds=90)


def _kill(place: Place, seconds: int) -> None:
    """Change a closed server into one that was killed this many seconds after its last heartbeat."""
    query(place, "UPDATE pulse SET at = at - ?", seconds * 1000)


def test_one_process_that_restarts_moves_no_clock_while_another_runs(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock) as running:
        two = Two(running)
        deadline = running.tables.info(two.table).deadline
        for seconds in (5, 12, 8):
            clock.tick(seconds=seconds)
            with KontorServer.open(database, clock) as restarted:
                assert restarted.tables.info(two.table).deadline == deadline
            clock.tick(seconds=1)
    clock.tick(seconds=9)
    with KontorServer.open(database, clock) as first, KontorServer.open(database, clock) as second:
        assert deadline is not None
        assert first.tables.info(two.table).deadline == deadline + timedelta(seconds=9)
        assert second.tables.info(two.table).deadline == deadline + timedelta(seconds=9)


def test_of_processes_that_start_together_one_moves_the_clocks(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock) as service:
        two = Two(service)
        deadline = service.tables.info(two.table).deadline
    clock.tick(seconds=9)
    with ThreadPoolExecutor(4) as threads:
        started = list(threads.map(lambda _: KontorServer.open(database, clock), range(4)))
    assert deadline is not None
    for service in started:
        assert service.tables.info(two.table).deadline == deadline + timedelta(seconds=9)
        service.close()


def test_a_process_that_lost_its_connections_is_known_to_run(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock) as running:
        two = Two(running)
        deadline = running.tables.info(two.table).deadline
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'kontor%'"
        execute(database, f"{cut} AND datname = current_database()")
        waited_for(running.leads)
        clock.tick(seconds=9)
        with KontorServer.open(database, clock) as restarted:
            assert restarted.tables.info(two.table).deadline == deadline
