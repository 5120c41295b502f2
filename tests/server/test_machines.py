"""Computer players: they play, pause, fail and go on, and never see hidden things of others."""

from collections.abc import Sequence
from concurrent.futures import Future
from random import Random
from threading import Event
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from guests import CARLA, MACHINE, ME, Clock, at_once, by, dutchman, lines, play_out, query, quick, shanghaien
from kontor import records
from kontor.fair import FairDice
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.state import Lay
from kontor.players import Choose
from kontor.players.uniform import choose as uniform
from kontor.server.composition import KontorServer
from kontor.server.machines import Machines, move_delay
from kontor.storage import Place
from kontor.tables import turn_inputs
from kontor.tables.tempos import Pauses, pauses
from kontor.tables.turn_inputs import luck_of
from kontor.tables.values import Pace, Tempo
from kontor.thinking import NoAnswer
from kontor.thinking.thinkers import NOBODY, Asker, Work
from kontor.thinking.turn_tasks import random_from
from timeouts import HANG_TIMEOUT, waited_for


def with_player(service: KontorServer, choose: Choose) -> Machines:
    return Machines(service, by(choose), pause=lambda *_: 0)


def run_out(machines: Machines) -> None:
    while machines.one_round():
        pass


@pytest.mark.long
def test_they_play_in_a_thread_of_their_own(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    with quick(service):
        tables = [
            service.opening.open(anna, plan) for plan in (shanghaien(MACHINE, MACHINE), dutchman(*[MACHINE] * 3))
        ]
        waited_for(lambda: all(service.tables.info(table).status == "over" for table in tables))
    for table in tables:
        assert records.verify(service.tables.record(table)).dice


def test_they_pause_by_the_pace_and_shortly_where_nothing_is_to_be_decided(
    service: KontorServer, clock: Clock
) -> None:
    table = service.opening.open(
        service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE, pace=Pace("live", 10, 0))
    )
    machines = Machines(service, at_once)
    (turn,) = service.listing.machine_turns()
    assert move_delay(turn, "a move") == 1
    for pace in (Pace("live", 60, 0), Pace("slow", 86400), Pace()):
        assert move_delay(replace(turn, pace=pace), "a move") == 1.5
    for choices, before, after in ((1, 0.2, 0.2), (2, 0.9, 0.2)):  # the first roll; then which end is the 1
        mover = service.tables.info(table).mover
        assert mover is not None
        assert len(service.tables.view(table).look(mover).moves) == choices
        assert machines.one_round() == 0
        clock.tick(seconds=before)
        assert machines.one_round() == 0
        clock.tick(seconds=after)
        assert machines.one_round() == 1
        assert machines.one_round() == 0
    assert service.tables.info(table).number > 4


def test_they_leave_time_to_read_how_a_round_ended(service: KontorServer, clock: Clock) -> None:
    """Check Y4: three seconds at the usual pace, even with a single legal move."""
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, MACHINE))
    machines = Machines(service, at_once)

    def waits_for_the_machine_to_begin_a_round() -> bool:
        view = service.tables.view(table).look(1).view
        return view.mover == 1 and view.round > 1 and not any(map(any, view.placed)) and view.step == "turn"

    while not waits_for_the_machine_to_begin_a_round():
        if service.tables.info(table).mover == 0:
            look = service.tables.view(table).look(0)
            service.moves.play(table, 0, look.number, look.moves[-1])
        else:
            clock.tick(seconds=5)
            machines.one_round()
    assert machines.one_round() == 0
    clock.tick(seconds=2.9)
    assert machines.one_round() == 0
    clock.tick(seconds=0.2)
    assert machines.one_round() == 1
    assert machines.one_round() == 0
    clock.tick(seconds=1.6)
    assert machines.one_round() == 1, "within the round it is as quick as ever"


def test_a_short_live_time_shortens_the_pause_after_a_move() -> None:
    usual = {tempo: pauses(tempo, Pace("slow", 5)) for tempo in get_args(Tempo)}
    assert usual == {"calm": Pauses(3, 4), "brisk": Pauses(1.5, 3), "at once": Pauses(0, 3)}
    assert pauses("calm", Pace("live", 35, 600)) == Pauses(3, 4)
    assert pauses("brisk", Pace("live", 10, 0)) == Pauses(1, 3)


def test_y4_they_move_calmly_briskly_or_at_once_but_a_round_can_always_be_read(service: KontorServer) -> None:
    """Check Y4: three seconds at least, also where moves are to be quick."""
    anna = service.people.guest("Anna")[0].id
    delays = {}
    for tempo in get_args(Tempo):
        table = service.opening.open(anna, shanghaien(MACHINE, MACHINE, tempo=tempo))
        assert service.tables.info(table).tempo == tempo
        (turn,) = [turn for turn in service.listing.machine_turns() if turn.table == table]
        delays[tempo] = [move_delay(turn, news) for news in ("a forced move", "a move", "a round")]
        short = [move_delay(replace(turn, pace=Pace("live", 5, 0)), news) for news in ("a move", "a round")]
        assert short == [min(0.5, delays[tempo][1]), 3]
    assert delays == {
        "calm": [pytest.approx(0.9), 3, 6],
        "brisk": [pytest.approx(0.45), 1.5, 3],
        "at once": [0, 0, 3],
    }


def test_a_rematch_keeps_the_tempo(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, MACHINE, tempo="calm"))
    service.early_endings.resign(table, 0, anna)
    assert service.tables.info(service.opening.rematch(table, anna)).tempo == "calm"


def test_thinking_counts_into_the_pause(service: KontorServer, clock: Clock) -> None:
    service.opening.open(service.people.guest("Anna")[0].id, dutchman(*[MACHINE] * 3))
    tasks = list[tuple[Future[bytes], Work, bytes]]()

    def ponder(work: Work, matter: bytes, asker: Asker = NOBODY) -> Future[bytes]:
        tasks.append((Future(), work, matter))
        return tasks[-1][0]

    def answer() -> None:
        future, work, matter = tasks.pop()
        future.set_result(at_once(work, matter).result())

    machines = Machines(service, ponder)
    assert machines.one_round() == 0
    clock.tick(seconds=1)
    answer()  # thought for a second: the rest of the pause is still to come
    assert machines.one_round() == 0
    clock.tick(seconds=0.5)
    assert machines.one_round() == 1
    assert machines.one_round() == 0
    clock.tick(seconds=5)
    assert machines.one_round() == 0
    answer()  # thought for long: no further pause
    assert machines.one_round() == 1


def test_while_one_thinks_the_others_play_and_it_is_asked_once(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    slow, quick_one = (service.opening.open(anna, dutchman(*[MACHINE] * 3)) for _ in range(2))
    futures = list[Future[bytes]]()

    def ponder(work: Work, matter: bytes, asker: Asker = NOBODY) -> Future[bytes]:
        if futures:
            return at_once(work, matter)
        futures.append(Future())
        return futures[0]

    machines = Machines(service, ponder, pause=lambda *_: 0)
    run_out(machines)
    infos = [service.tables.info(table) for table in (slow, quick_one)]
    assert sorted(info.status for info in infos) == ["over", "playing"]
    assert not futures[0].cancelled()


def test_whoever_has_many_tables_lets_those_of_others_be_thought_about(service: KontorServer) -> None:
    """Check that two tables of one host are thought about at a time; when one is done, the next."""
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    for _ in range(6):
        service.opening.open(anna, dutchman(*[MACHINE] * 3))
    futures = list[Future[bytes]]()

    def ponder(work: Work, matter: bytes, asker: Asker = NOBODY) -> Future[bytes]:
        futures.append(Future())
        return futures[-1]

    machines = Machines(service, ponder, pause=lambda *_: 0)
    run_out(machines)
    assert len(futures) == 2
    service.opening.open(bernd, dutchman(*[MACHINE] * 3))
    run_out(machines)
    assert len(futures) == 3
    futures[0].set_exception(NoAnswer())
    run_out(machines)
    assert len(futures) == 4


def test_it_is_told_for_whom_they_think(service: KontorServer) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    service.opening.open(anna, dutchman(*[MACHINE] * 3), origin=7)
    service.opening.open(bernd, dutchman(*[MACHINE] * 3))
    askers = list[Asker]()

    def ponder(work: Work, matter: bytes, asker: Asker = NOBODY) -> Future[bytes]:
        askers.append(asker)
        return at_once(work, matter)

    machines = Machines(service, ponder, pause=lambda *_: 0)
    while len(askers) < 4:
        machines.one_round()
    assert set(askers) == {Asker(7, anna), Asker(0, bernd)}


def test_what_was_thought_for_another_line_is_in_vain(service: KontorServer) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(*[MACHINE] * 3))
    futures = list[Future[bytes]]()

    def ponder(work: Work, matter: bytes, asker: Asker = NOBODY) -> Future[bytes]:
        futures.append(Future())
        return futures[-1]

    machines = Machines(service, ponder, pause=lambda *_: 0)
    machines.one_round()
    quick(service).one_round()  # another was quicker
    number = service.tables.info(table).number
    machines.one_round()
    assert [future.cancelled() for future in futures] == [True, False]
    assert service.tables.info(table).number == number


def test_they_see_their_own_view_and_moves_alone(service: KontorServer) -> None:
    service.opening.open(service.people.guest("Anna")[0].id, dutchman(*[MACHINE] * 3))
    seen = list[View]()

    def watching(view: View, moves: Sequence[Any], random: Random) -> Any:
        assert type(view) is View
        assert view.seat == view.mover
        seen.append(view)
        return uniform(view, moves, random)

    run_out(with_player(service, watching))
    assert {view.seat for view in seen} == {0, 1, 2}


def test_each_table_has_its_turn_in_every_round(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    tables = [service.opening.open(anna, shanghaien(MACHINE, MACHINE)) for _ in range(3)]
    before = [service.tables.info(table).number for table in tables]
    assert quick(service).one_round() == 3
    assert all(service.tables.info(table).number > number for table, number in zip(tables, before, strict=True))


def test_they_leave_people_alone(service: KontorServer) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, CARLA))
    number = service.tables.info(table).number
    assert quick(service).one_round() == 0
    assert service.tables.info(table).number == number


# ----------------------------------------------------------------------------------------------- random numbers


def test_their_random_numbers_follow_from_the_seed_and_the_line(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
        mover = service.tables.info(table).mover
        assert mover is not None
        first = turn_inputs.think(service.tables.view(table), mover)[1]
        assert turn_inputs.think(service.tables.view(table), mover)[1] == first
    with KontorServer.open(place, clock) as service:  # after a crash they get the same random numbers
        assert turn_inputs.think(service.tables.view(table), mover)[1] == first
        quick(service).one_round()
        seat = service.tables.info(table).mover
        assert seat is not None
        assert turn_inputs.think(service.tables.view(table), seat)[1] != first


def test_their_random_numbers_are_none_of_the_dice() -> None:
    seed = bytes(range(32))
    drawn = {luck_of(seed, line) for line in range(50)}
    assert len(drawn) == 50
    assert drawn.isdisjoint({FairDice(seed, ()).block(line, 0) for line in range(50)})
    # This fails to remind you that a change also changes games which are going on.
    assert random_from(luck_of(seed, 7)).randrange(10**9) == 556252354


# ---------------------------------------------------------------------------------------------------------- failures


def test_one_that_fails_is_replaced_by_random_and_tells_no_secret(
    service: KontorServer, caplog: pytest.LogCaptureFixture
) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(*[MACHINE] * 3))

    def fail(view: View, moves: Sequence[Any], random: Random) -> Any:
        random.random()
        raise ValueError(f"My rack is {view.rack}, and {table} is on fire")

    run_out(with_player(service, fail))
    assert records.verify(service.tables.record(table)).dice
    assert "The computer player random of dutchman failed: ValueError at test_machines.py:" in caplog.text
    assert "rack" not in caplog.text
    assert table not in caplog.text


def test_one_that_chooses_what_is_no_move_is_replaced_too(service: KontorServer) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
    chosen: list[Any] = [None, "roll", Lay(("x",)), [], 7]  # type: ignore[arg-type]
    machines = with_player(service, lambda view, moves, random: chosen.pop())
    while chosen:
        assert machines.one_round() == 1
    assert service.tables.info(table).number > 7


def test_one_that_is_not_known_any_more_is_replaced_too(service: KontorServer, place: Place) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
    query(place, "UPDATE seats SET player = 'of yore'")
    play_out(service, table)
    assert service.tables.record(table).header.players == ("of yore",) * 2


def test_a_table_that_cannot_be_played_does_not_stop_the_others(
    place: Place, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    with KontorServer.open(place, clock) as service:
        anna = service.people.guest("Anna")[0].id
        bad, good = (service.opening.open(anna, shanghaien(MACHINE, MACHINE)) for _ in range(2))
        query(place, "UPDATE tables SET rules = 999 WHERE id = ?", bad)
    with KontorServer.open(place, clock) as service:
        run_out(quick(service))
        assert service.tables.info(good).status == "over"
        assert service.tables.info(bad).status == "playing"
    # It is left alone for a while, not retried in every round.
    assert caplog.text.count("A turn at a table of shanghaien failed, next try in 30 s: Unreadable") == 1


@pytest.mark.long
def test_the_thread_lives_on_when_a_round_fails(service: KontorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = Event()

    def fail() -> None:
        failed.set()
        raise OSError

    with quick(service):
        monkeypatch.setattr(service.upkeep, "apply_deadlines", fail)
        assert failed.wait(HANG_TIMEOUT)
        monkeypatch.undo()
        table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
        waited_for(lambda: service.tables.info(table).status == "over")


def test_one_that_thinks_for_ever_does_not_hold_up_the_end(service: KontorServer, place: Place) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
    futures = list[Future[bytes]]()
    thinking = Event()

    def ponder(work: Work, matter: bytes, asker: Asker = NOBODY) -> Future[bytes]:
        futures.append(Future())
        thinking.set()
        return futures[-1]

    machines = Machines(service, ponder, pause=lambda *_: 0).start()
    assert thinking.wait(HANG_TIMEOUT)
    before = lines(place, table)
    machines.stop()
    assert [future.cancelled() for future in futures] == [True]
    assert lines(place, table) == before
