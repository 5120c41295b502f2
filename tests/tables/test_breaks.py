"""More time for others, and pauses. The clock of these servers is set by hand."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folders import with_database
from guests import MACHINE, ME, OPEN, Clock, as_of, dutchman, quick, shanghaien
from kontor.errors import NotAllowed, NotNow
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.clocks import MOST_GIFTS
from kontor.tables.pauses import LONGEST
from kontor.tables.values import Pace
from tables.test_clocks import DAY, LIVE, Two, run
from tournaments.test_tournaments import of_pairs, start_tournament, tables_now


def kinds(service: KontorServer, table: str) -> list[str]:
    return [line.kind for line in service.tables.view(table).chat_lines()]


def pause(two: Two) -> None:
    """Let both agree on a pause."""
    two.service.early_endings.propose(two.table, two.seat, two.mover, "pause")
    two.service.early_endings.agree(two.table, two.other, "pause")


# ------------------------------------------------------------------------------------------------------- more time


@pytest.mark.parametrize(
    ("pace", "more"), [(LIVE, timedelta(minutes=1)), (DAY, timedelta(days=1))], ids=["live", "over days"]
)
def test_a_player_gives_another_more_time_and_all_are_told(
    service: KontorServer, pace: Pace, more: timedelta
) -> None:
    two = Two(service, pace)
    before = service.tables.info(two.table, two.other)
    assert before.seats[two.seat].more_time == more.total_seconds()
    assert before.seats[1 - two.seat].more_time == 0
    service.clocks.give_time(two.table, two.seat, two.other)
    after = service.tables.info(two.table)
    assert before.deadline is not None
    assert after.deadline == before.deadline + more
    line = service.tables.view(two.table).chat_lines()[-1]
    assert (line.kind, line.seat, line.text) == ("more time", two.seat, str(1 - two.seat))


def test_time_given_over_days_is_used_up_once(service: KontorServer, clock: Clock) -> None:
    two = Two(service, DAY)
    service.clocks.give_time(two.table, two.seat, two.other)
    clock.tick(hours=30)
    two.roll()
    info = service.tables.info(two.table)
    assert info.seats[two.seat].reserve == timedelta(hours=18).total_seconds()
    assert info.seats[1 - two.seat].reserve is None


def test_more_time_rescues_even_a_person_who_is_late_already(service: KontorServer, clock: Clock) -> None:
    two = Two(service)
    clock.tick(minutes=20)
    assert service.tables.info(two.table).late == two.seat
    service.clocks.give_time(two.table, two.seat, two.other)
    info = service.tables.info(two.table)
    assert info.late is None
    assert info.deadline == clock.time + timedelta(minutes=1)
    two.roll()
    assert service.tables.info(two.table).seats[two.seat].reserve == 60


def test_more_time_for_a_person_who_is_not_to_move_waits_for_their_turn(service: KontorServer) -> None:
    two = Two(service)
    before = service.tables.info(two.table)
    service.clocks.give_time(two.table, 1 - two.seat, two.mover)
    after = service.tables.info(two.table)
    assert after.deadline == before.deadline
    assert after.seats[1 - two.seat].reserve == 120


def test_nobody_gives_time_to_themselves_to_computers_or_without_a_clock(service: KontorServer) -> None:
    two, free = Two(service), Two(service, Pace())
    with pytest.raises(NotAllowed, match="others"):
        service.clocks.give_time(two.table, two.seat, two.mover)
    with pytest.raises(NotAllowed, match="others"):
        service.clocks.give_time(two.table, two.seat, service.people.guest("Dora")[0].id)
    with pytest.raises(NotAllowed, match="no time limit"):
        service.clocks.give_time(free.table, free.seat, free.other)
    alone = service.opening.open(two.mover, shanghaien(ME, MACHINE, pace=LIVE))
    with pytest.raises(NotAllowed, match="Computer"):
        service.clocks.give_time(alone, 1, two.mover)


def test_a_seat_gets_more_time_only_so_often(service: KontorServer) -> None:
    two = Two(service)
    for _ in range(MOST_GIFTS):
        service.clocks.give_time(two.table, two.seat, two.other)
    assert service.tables.info(two.table, two.other).seats[two.seat].more_time == 0
    with pytest.raises(NotNow, match="10 times"):
        service.clocks.give_time(two.table, two.seat, two.other)


def test_time_given_right_after_a_move_is_not_lost_by_taking_the_move_back(service: KontorServer) -> None:
    two = Two(service)
    number = service.tables.info(two.table).number
    service.clocks.give_time(two.table, two.seat, two.other)
    two.roll()
    service.clocks.give_time(two.table, two.seat, two.other)
    with pytest.raises(NotNow):
        service.moves.undo(two.table, two.mover, number + 1, 0)
    assert service.tables.info(two.table).seats[two.seat].reserve == 180


# --------------------------------------------------------------------------------------------------------- pauses


def test_a_pause_begins_when_all_agree_and_stops_everything(service: KontorServer, clock: Clock) -> None:
    two = Two(service, LIVE, stand_in="at once")
    clock.tick(seconds=50)
    service.early_endings.propose(two.table, two.seat, two.mover, "pause")
    info = service.tables.info(two.table, two.other)
    assert (info.pause_proposed, info.proposed, info.paused) == (two.seat, None, False)
    service.early_endings.agree(two.table, two.other, "pause")
    info = service.tables.info(two.table, two.mover)
    assert info.paused
    assert (info.pause_proposed, info.deadline, info.late, info.my_turn) == (None, None, None, False)
    assert service.tables.view(two.table, two.mover).look(two.seat).moves == ()
    with pytest.raises(NotNow, match="paused"):
        two.roll()
    run(service, clock, 7200)
    assert not two.stood_in
    assert kinds(service, two.table)[-3:] == ["suggested", "accepted", "paused"]
    service.pauses.end(two.table, two.other)
    info = service.tables.info(two.table, two.mover)
    assert info.deadline == clock.time + timedelta(seconds=40)
    assert info.my_turn
    assert kinds(service, two.table)[-1] == "resumed"
    two.roll()


def test_without_agreement_the_game_goes_on(service: KontorServer) -> None:
    two = Two(service)
    service.early_endings.propose(two.table, two.seat, two.mover, "pause")
    with pytest.raises(NotNow, match="already proposed this"):
        service.early_endings.propose(two.table, 1 - two.seat, two.other, "pause")
    with pytest.raises(NotNow, match="something else"):
        service.early_endings.propose(two.table, 1 - two.seat, two.other)
    with pytest.raises(NotNow, match="Nobody has proposed to end"):
        service.early_endings.agree(two.table, two.other)
    two.roll()
    service.early_endings.decline(two.table, two.other, "pause")
    assert not service.tables.info(two.table).paused
    with pytest.raises(NotNow, match="Nobody has proposed a pause"):
        service.early_endings.agree(two.table, two.other, "pause")
    with pytest.raises(NotNow, match="not paused"):
        service.pauses.end(two.table, two.mover)


def test_an_answer_to_another_proposal_leaves_this_one(service: KontorServer) -> None:
    two = Two(service)
    service.early_endings.propose(two.table, two.seat, two.mover, "pause")
    with pytest.raises(NotNow, match="Nobody has proposed to end"):
        service.early_endings.decline(two.table, two.other)
    assert service.tables.info(two.table).pause_proposed == two.seat
    service.early_endings.decline(two.table, two.mover, "pause")
    service.early_endings.propose(two.table, two.seat, two.mover)
    with pytest.raises(NotNow, match="Nobody has proposed a pause"):
        service.early_endings.decline(two.table, two.other, "pause")
    assert service.tables.info(two.table).proposed == two.seat
    assert kinds(service, two.table)[-3:] == ["suggested", "withdrew", "proposed"]


def test_only_those_who_play_pause_and_go_on(service: KontorServer) -> None:
    two = Two(service)
    stranger = service.people.guest("Dora")[0].id
    with pytest.raises(NotAllowed):
        service.early_endings.propose(two.table, two.seat, stranger, "pause")
    pause(two)
    with pytest.raises(NotNow, match="already"):
        service.early_endings.propose(two.table, two.seat, two.mover, "pause")
    with pytest.raises(NotAllowed):
        service.pauses.end(two.table, stranger)


def test_computer_players_agree_at_once_and_wait(service: KontorServer, clock: Clock) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, dutchman(ME, MACHINE, MACHINE))
    machines = quick(service)
    service.early_endings.propose(table, 0, anna, "pause")
    assert service.tables.info(table).paused
    number = service.tables.info(table).number
    for _ in range(5):
        clock.tick(minutes=1)
        assert machines.one_round() == 0
    assert service.tables.info(table).number == number
    service.pauses.end(table, anna)
    assert not service.tables.info(table).paused


def test_a_computer_player_whose_turn_it_is_moves_after_the_pause(service: KontorServer, clock: Clock) -> None:
    anna = service.people.guest("Anna")[0].id
    tables = (service.opening.open(anna, shanghaien(ME, MACHINE)) for _ in count())
    table = next(table for table in tables if service.tables.info(table).mover == 1)
    service.early_endings.propose(table, 0, anna, "pause")
    machines = quick(service)
    clock.tick(minutes=1)
    assert machines.one_round() == 0
    service.pauses.end(table, anna)
    clock.tick(minutes=1)
    while service.tables.info(table).mover == 1:
        machines.one_round()


def test_a_pause_ends_by_itself_after_a_month(service: KontorServer, clock: Clock) -> None:
    two = Two(service, DAY)
    clock.tick(hours=20)
    service.upkeep.apply_deadlines()
    left = service.tables.info(two.table).deadline
    assert left is not None
    pause(two)
    assert service.tables.info(two.table).resumes == clock.time + timedelta(days=LONGEST)
    clock.tick(days=LONGEST)
    service.upkeep.apply_deadlines()
    assert service.tables.info(two.table).paused
    clock.tick(seconds=5)
    service.upkeep.apply_deadlines()
    info = service.tables.info(two.table)
    assert not info.paused
    assert info.deadline == left + timedelta(days=LONGEST, seconds=5)
    assert kinds(service, two.table)[-1] == "pause over"


def test_nobody_claims_a_game_without_a_clock_from_a_person_in_a_pause(service: KontorServer, clock: Clock) -> None:
    two = Two(service, Pace())
    pause(two)
    clock.tick(days=20)
    assert service.tables.info(two.table).claimable is None
    service.pauses.end(two.table, two.other)
    assert service.tables.info(two.table).claimable is None
    clock.tick(days=8)
    assert service.tables.info(two.table).claimable == two.seat


@pytest.mark.parametrize("leaver", [0, 2])
def test_a_pause_begins_when_the_last_who_has_not_agreed_resigns(service: KontorServer, leaver: int) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    table = service.opening.open(anna, dutchman(ME, MACHINE, OPEN, pace=LIVE))
    service.opening.sit(table, 2, bernd)
    seated = {0: anna, 2: bernd}
    stays = 2 - leaver
    service.early_endings.propose(table, stays, seated[stays], "pause")
    service.early_endings.resign(table, leaver, seated[leaver])
    assert service.tables.info(table).paused
    service.pauses.end(table, seated[stays])
    machines = quick(service)
    while service.tables.info(table).mover != stays:
        assert machines.one_round()


def test_a_game_can_be_ended_in_a_pause(service: KontorServer) -> None:
    two = Two(service)
    pause(two)
    service.early_endings.propose(two.table, two.seat, two.mover)
    service.early_endings.agree(two.table, two.other)
    info = service.tables.info(two.table)
    assert (info.status, info.paused, info.resumes) == ("over", False, None)


def test_time_in_which_the_program_did_not_run_is_no_more_than_the_pause(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        two = Two(service)
        run(service, clock, 50)
        pause(two)
    clock.tick(hours=30)
    with KontorServer.open(place, clock) as service:
        two.service = service
        service.upkeep.apply_deadlines()
        clock.tick(hours=-100)  # the clock is put back, too
        service.upkeep.apply_deadlines()
        service.pauses.end(two.table, two.other)
        assert service.tables.info(two.table).deadline == clock.time + timedelta(seconds=40)


Times = st.lists(
    st.tuples(st.just("closed"), st.integers(0, 300))
    | st.tuples(st.sampled_from(["think", "pause"]), st.integers(0, 60)),
    min_size=1,
    max_size=12,
)
"""Events with their seconds; few while the program runs, because each heartbeat takes a while."""


def _used(events: list[tuple[str, int]], place: Path, pace: Pace) -> None:
    """Let things happen one after the other; compare the clock with the sum of the seconds it ran."""
    clock = Clock()
    running = 0
    service = KontorServer.open(place, clock)
    two = Two(service, pace)
    for event, seconds in events:
        if event == "closed":
            service.close()
            clock.tick(seconds=seconds)
            two.service = service = KontorServer.open(place, clock)
        elif event == "pause":
            pause(two)
            run(service, clock, seconds)
            service.pauses.end(two.table, two.other)
        else:
            run(service, clock, seconds)  # as long as it runs, there are heartbeats
            running += seconds // 10 * 10
        deadline = service.tables.info(two.table).deadline
        assert deadline == clock.time + timedelta(seconds=pace.seconds + pace.reserve - running)
    service.close()


@pytest.mark.long
@settings(deadline=None)
@given(Times)
def test_a_clock_neither_loses_nor_gains_time_by_pauses(events: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        _used(events, with_database(Path(folder)), Pace("live", 3600, 3600))


def test_tables_of_an_older_kontor_get_pauses_but_not_in_tournaments(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        two = Two(service)
        tournament, _ = start_tournament(service, 2, of_pairs(pace=DAY, rounds=1, breaks=True))
        (paired,) = tables_now(service.tournaments.view(tournament))
    as_of(place, "0032")
    with KontorServer.open(place, clock) as service:
        two.service = service
        pause(two)
        assert service.tables.info(two.table).paused
        assert not service.tables.info(paired).breaks
        assert not service.tournaments.view(tournament).info.breaks
