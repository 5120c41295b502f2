"""Retention of games: those of people for ever or for the configured days, those of computer players a week."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from guests import CARLA, MACHINE, ME, OPEN, Clock, has_run, play_out, query, shanghaien
from kontor.errors import NoTable
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables import clearing
from kontor.tables.values import Plan

Opens = Callable[[int | None], KontorServer]


@pytest.fixture
def open_service(place: Place, clock: Clock) -> Iterator[Opens]:
    """Yield a function that opens the server anew, with the days for which games are kept."""
    opened = list[KontorServer]()

    def reopen(keep: int | None) -> KontorServer:
        for service in opened:
            service.close()
        opened.append(KontorServer.open(place, clock, keep))
        return opened[-1]

    yield reopen
    for service in opened:
        service.close()


def play_games(service: KontorServer, *plans: Plan) -> list[str]:
    anna = service.people.guest("Anna")[0].id
    tables = [service.opening.open(anna, plan) for plan in plans]
    play_out(service, *tables)
    return tables


def is_there(service: KontorServer, table: str) -> bool:
    try:
        service.tables.info(table)
    except NoTable:
        return False
    return True


class Days:
    """A helper that lets days pass while the server runs."""

    def __init__(self, place: Place, clock: Clock) -> None:
        self._place = place
        self._clock = clock

    def pass_(self, service: KontorServer, days: float) -> None:
        self._clock.tick(days=days)
        has_run(self._place, self._clock)
        service.upkeep.record_heartbeat()


@pytest.fixture
def days(place: Place, clock: Clock) -> Days:
    return Days(place, clock)


def test_games_of_people_are_kept_for_ever_and_those_of_machine_players_for_a_week(
    open_service: Opens, days: Days
) -> None:
    service = open_service(None)
    own, machines = play_games(service, shanghaien(ME, MACHINE), shanghaien(MACHINE, MACHINE))
    days.pass_(service, 7.9)  # expired games are deleted a day later
    assert is_there(service, machines)
    days.pass_(service, 0.2)
    assert not is_there(service, machines)
    days.pass_(service, 4000)
    assert is_there(service, own)


def test_games_of_people_are_kept_as_long_as_was_told(open_service: Opens, days: Days) -> None:
    service = open_service(90)
    (own,) = play_games(service, shanghaien(ME, CARLA))
    days.pass_(service, 90.9)
    assert is_there(service, own)
    days.pass_(service, 0.2)
    assert not is_there(service, own)


def test_less_than_a_week_is_for_machine_players_too(open_service: Opens, days: Days) -> None:
    service = open_service(2)
    tables = play_games(service, shanghaien(ME, MACHINE), shanghaien(MACHINE, MACHINE))
    days.pass_(service, 2.9)
    assert all(is_there(service, table) for table in tables)
    days.pass_(service, 0.2)
    assert not any(is_there(service, table) for table in tables)


def test_a_game_that_goes_on_is_kept_as_long_as_a_person_sits_there(open_service: Opens, days: Days) -> None:
    service = open_service(3)
    anna = service.people.guest("Anna")[0].id
    own = service.opening.open(anna, shanghaien(ME, CARLA))
    unwatched, watched = (service.opening.open(anna, shanghaien(MACHINE, MACHINE)) for _ in range(2))
    days.pass_(service, 2)
    service.visits.note(service.tables.view(watched).snapshot, None)
    days.pass_(service, 2.1)
    assert [is_there(service, table) for table in (own, unwatched, watched)] == [True, False, True], (
        "nobody saw its end"
    )
    days.pass_(service, 400)
    assert is_there(service, own)


def test_all_that_hangs_on_a_table_goes_with_it(open_service: Opens, days: Days, place: Place) -> None:
    service = open_service(1)
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, CARLA, hints=True))
    service.talk.say(table, anna, "Good luck!")
    service.hints.begin(table, 0, service.tables.info(table).number, 0)
    play_out(service, table, seed=Random(7).randrange(99))
    assert service.reviews.begin(table, anna)
    held = ("steps", "seats", "chat", "hints", "snapshots", "reviews", "tables")
    assert all(query(place, f"SELECT count(*) FROM {name}") != [(0,)] for name in held)  # noqa: S608
    heard = list[str]()
    service.listen(heard.append)
    days.pass_(service, 2.1)
    assert [query(place, f"SELECT count(*) FROM {name}") for name in held] == [[(0,)]] * len(held)  # noqa: S608
    assert heard == [table], "whoever has it open is told"
    for ask in (service.tables.info, service.tables.record, service.tables.fair):
        with pytest.raises(NoTable):
            ask(table)
    assert service.listing.finished(anna) == ()


def test_a_rematch_outlives_the_game_before(open_service: Opens, days: Days, clock: Clock) -> None:
    service = open_service(1)
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, MACHINE))
    play_out(service, table)
    clock.tick(days=1)
    again = service.opening.rematch(table, anna)
    days.pass_(service, 1.1)
    assert not is_there(service, table)
    play_out(service, again)
    assert service.tables.info(again).status == "over"
    later = service.opening.rematch(again, anna)
    assert service.tables.info(again).rematch == later


def test_many_go_in_small_portions(open_service: Opens, days: Days, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clearing, "_AT_ONCE", 2)
    service = open_service(None)
    tables = play_games(service, *[shanghaien(MACHINE, MACHINE)] * 5)
    for left in (3, 1, 0):
        days.pass_(service, 8.1 if left == 3 else 0.001)
        assert sum(is_there(service, table) for table in tables) == left


def test_a_clock_that_is_wrong_for_a_while_deletes_nothing(open_service: Opens, clock: Clock) -> None:
    service = open_service(1)
    tables = play_games(service, shanghaien(MACHINE, MACHINE), shanghaien(ME, MACHINE))
    clock.tick(days=1000)
    for _ in range(60):
        clock.tick(seconds=10)
        service.upkeep.apply_deadlines()
    assert all(is_there(service, table) for table in tables)


def test_what_somebody_is_changing_goes_another_time(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock, 1) as service, KontorServer.open(database, clock) as other:
        (table,) = play_games(service, shanghaien(ME, MACHINE))
        waiting = service.opening.open(service.people.guest("Bernd")[0].id, shanghaien(ME, OPEN))
        days = Days(database, clock)
        with other._transactions.changing() as change:
            change.take(table)
            days.pass_(service, 2.1)
            assert is_there(service, table)
        days.pass_(service, 0.001)
        assert not is_there(service, table)
        assert is_there(service, waiting)
