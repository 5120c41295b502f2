"""Play now: who waits, who is seated together, and who never is."""

from collections.abc import Sequence
from functools import partial

import pytest

from guests import Clock
from kontor.errors import NotNow, TooMany
from kontor.lobby.pages import plan_together, plan_with_machines, seek_of
from kontor.lobby.seeking import GATHER, LOST, NEAR, OFFER, OFFER_AGAIN, WIDER, _Seeker, find_group
from kontor.lobby.values import Seek
from kontor.ratings.values import Fits, FittedGame, FittedPerson
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.pages.opening import sizes
from kontor.tables.values import Pace
from kontor.web.forms import Form
from races import race

LIVE = Pace("live", 60, 600)
TWO = Seek("shanghaien", LIVE, 2, 2)
FREE = Seek("shanghaien", LIVE, 2, 2, near=False)
FOUR = Seek("dutchman", LIVE, 4, 4)
SOME = Seek("dutchman", LIVE, 3, 6)


def people(service: KontorServer, *names: str) -> list[str]:
    return [service.people.guest(name)[0].id for name in names]


def tables(service: KontorServer, persons: Sequence[str]) -> list[str | None]:
    """Return the table of each person, or None."""
    statuses = [service.seeking.of(person) for person in persons]
    return [info.table if info else None for info in statuses]


def seek(service: KontorServer, person: str, wanted: Seek) -> str | None:
    return service.seeking.begin(person, wanted, plan_together).table


def rate(service: KontorServer, clock: Clock, **points: int) -> None:
    """Store reliable ratings, by id."""
    at = int(clock().timestamp() * 1000)
    fitted = tuple([FittedPerson(person, mean, 20, 50, at) for person, mean in points.items()])
    service.ratings.keep(Fits(at, (FittedGame("shanghaien", 50, fitted),), 0.0, 0), pause=0)


def test_two_who_look_for_the_same_are_seated_at_once_and_no_third(service: KontorServer) -> None:
    anna, bernd, carla = people(service, "Anna", "Bernd", "Carla")
    assert seek(service, anna, TWO) is None
    table = seek(service, bernd, TWO)
    assert table is not None
    assert seek(service, carla, TWO) is None
    assert tables(service, [anna, bernd, carla]) == [table, table, None]
    info = service.tables.info(table)
    assert (info.status, info.pace, info.watch, info.order, info.hints) == ("playing", LIVE, True, "random", False)
    assert {seat.name for seat in info.seats} == {"Anna", "Bernd"}
    assert service.seeking.count_waiting() == {"shanghaien": 1}


def test_whoever_wants_another_game_or_pace_waits_on(service: KontorServer) -> None:
    anna, bernd, carla = people(service, "Anna", "Bernd", "Carla")
    assert seek(service, anna, TWO) is None
    assert seek(service, bernd, Seek("shanghaien", Pace(), 2, 2)) is None
    assert seek(service, carla, SOME) is None
    status = service.seeking.of(anna)
    assert status is not None
    assert (status.others, status.elsewhere) == (0, 1)
    assert seek(service, bernd, TWO) is not None, "they may think again, and look for one thing at a time"
    assert service.seeking.count_waiting() == {"dutchman": 1}


def test_a_number_that_was_asked_for_is_waited_for_and_any_number_begins_soon(
    service: KontorServer, clock: Clock
) -> None:
    some = people(service, "Anna", "Bernd", "Carla", "Dora")
    assert [seek(service, person, SOME) for person in some[:3]] == [None] * 3
    clock.tick(milliseconds=GATHER - 1)
    assert [service.seeking.wait(person, plan_together) is None for person in some[:3]] == [False] * 3
    assert tables(service, some[:3]) == [None] * 3
    table = seek(service, some[3], FOUR)
    assert table is not None, "a fourth, who wants four"
    assert tables(service, some) == [table] * 4
    more = people(service, "Emil", "Fritz", "Gerd")
    for person in more:
        seek(service, person, SOME)
    clock.tick(milliseconds=GATHER)
    status = service.seeking.wait(more[2], plan_together)
    assert status is not None
    assert status.table is not None
    assert len(service.tables.info(status.table).seats) == 3


def test_any_number_of_players_is_each_number_that_the_game_allows(service: KontorServer, clock: Clock) -> None:
    assert {game: list(sizes(game)) for game in ("dutchman", "shanghaien")} == {
        "dutchman": [3, 4, 5, 6],
        "shanghaien": [2],
    }
    wanted = seek_of("dutchman", Form([("players", "")]))
    three = people(service, "Anna", "Bernd", "Carla")
    assert [seek(service, person, wanted) for person in three] == [None] * 3
    clock.tick(milliseconds=GATHER)
    table = service.seeking.wait(three[0], plan_together)
    assert table is not None
    assert tables(service, three) == [table.table] * 3
    assert len(service.tables.info(table.table or "").seats) == 3


def test_three_merchants_who_ask_for_three_begin_at_once(service: KontorServer) -> None:
    three = people(service, "Anna", "Bernd", "Carla")
    wanted = seek_of("dutchman", Form([("players", "3")]))
    assert (wanted.fewest, wanted.most) == (3, 3)
    assert [seek(service, person, wanted) for person in three[:2]] == [None] * 2
    table = seek(service, three[2], wanted)
    assert table is not None
    assert tables(service, three) == [table] * 3


def test_a_table_against_computer_players_is_of_the_usual_size_or_the_chosen_one(
    service: KontorServer, clock: Clock
) -> None:
    for players, seats in (("", 4), ("3", 3), ("5", 5), ("6", 6)):
        (anna,) = people(service, "Anna")
        seek(service, anna, seek_of("dutchman", Form([("players", players)])))
        clock.tick(milliseconds=OFFER)
        service.seeking.wait(anna, plan_together)
        assert len(service.tables.info(service.seeking.play_machines(anna, plan_with_machines)).seats) == seats


def test_who_blocks_another_is_never_seated_with_them(service: KontorServer, clock: Clock) -> None:
    anna, bernd, carla = people(service, "Anna", "Bernd", "Carla")
    seek(service, anna, TWO)
    table = seek(service, bernd, TWO)
    assert table is not None
    (meant,) = service.blocking.other_people(table, bernd)
    service.blocking.put(table, bernd, meant.where, "block")
    service.early_endings.resign(table, service.opening.seats_of(table, anna)[0], anna)
    for first, second in ((anna, bernd), (bernd, anna)):
        assert seek(service, first, TWO) is None
        assert seek(service, second, TWO) is None
        service.seeking.stop(first)
        service.seeking.stop(second)
    seek(service, anna, TWO)
    clock.tick(seconds=1)
    seek(service, bernd, TWO)
    other = seek(service, carla, TWO)
    assert tables(service, [anna, bernd, carla]) == [other, None, other]


def test_whose_page_is_gone_waits_no_longer(service: KontorServer, clock: Clock) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    seek(service, anna, TWO)
    clock.tick(milliseconds=LOST)
    assert service.seeking.wait(anna, plan_together) is not None
    clock.tick(milliseconds=LOST + 1)
    assert seek(service, bernd, TWO) is None
    assert service.seeking.wait(anna, plan_together) is None
    assert tables(service, [bernd]) == [None]
    service.upkeep.record_heartbeat()
    assert service.seeking.count_waiting() == {"shanghaien": 1}


def test_the_strengths_of_two_may_differ_the_more_the_longer_they_wait(service: KontorServer, clock: Clock) -> None:
    anna, bernd, carla = people(service, "Anna", "Bernd", "Carla")
    rate(service, clock, **{anna: 1500, bernd: 1800})
    apart = 300 - 1.96 * (2 * 20**2) ** 0.5
    seconds = (apart - NEAR) / WIDER
    seek(service, anna, TWO)
    assert seek(service, bernd, TWO) is None
    for _ in range(int(seconds) // 20):
        clock.tick(seconds=20)
        assert [service.seeking.wait(person, plan_together) for person in (anna, bernd)][1]
    assert tables(service, [anna, bernd]) == [None, None]
    clock.tick(seconds=20)
    service.seeking.wait(anna, plan_together)
    (table, same) = tables(service, [anna, bernd])
    assert table is not None
    assert table == same
    service.early_endings.resign(table, service.opening.seats_of(table, anna)[0], anna)
    seek(service, anna, TWO)
    assert seek(service, carla, TWO) is not None, "of whom nothing is known fits anybody"
    strong = people(service, "Dora")[0]
    rate(service, clock, **{strong: 2400, bernd: 1800})
    seek(service, strong, FREE)
    assert seek(service, bernd, FREE) is not None, "who wants anyone gets anyone"


def test_a_computer_player_of_ones_strength_is_offered_after_a_while(service: KontorServer, clock: Clock) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    rate(service, clock, **{anna: 1960})
    for person, level in ((anna, "strong"), (bernd, "casual")):
        assert seek(service, person, TWO) is None
        clock.tick(milliseconds=OFFER - 1)
        with pytest.raises(NotNow):
            service.seeking.play_machines(person, plan_with_machines)
        clock.tick(milliseconds=1)
        status = service.seeking.wait(person, plan_together)
        assert status is not None
        assert status.offered == level
        service.seeking.go_on(person)
        clock.tick(milliseconds=OFFER_AGAIN // 3)
        status = service.seeking.wait(person, plan_together)
        assert status is not None
        assert status.offered == ""
        clock.tick(milliseconds=OFFER_AGAIN // 3)
        service.seeking.wait(person, plan_together)
        clock.tick(milliseconds=OFFER_AGAIN // 3 + 1)
        table = service.seeking.play_machines(person, plan_with_machines)
        assert service.seeking.play_machines(person, plan_with_machines) == table, "pressed twice"
        info = service.tables.info(table, person)
        assert (info.status, len(info.mine)) == ("playing", 1)
        assert [seat.player for seat in info.seats if seat.player] == [level]
        service.early_endings.resign(table, info.mine[0], person)


def test_who_plays_live_does_not_look_and_is_not_seated_elsewhere(service: KontorServer) -> None:
    anna, bernd, carla = people(service, "Anna", "Bernd", "Carla")
    seek(service, anna, TWO)
    table = seek(service, bernd, TWO)
    assert table is not None
    with pytest.raises(NotNow):
        seek(service, anna, TWO)
    seek(service, carla, TWO)
    assert tables(service, [carla]) == [None]


def test_one_network_cannot_fill_the_queue(service: KontorServer) -> None:
    *crowd, last = people(service, *(f"P{number}" for number in range(41)))
    for number, person in enumerate(crowd):
        wanted = Seek("shanghaien", Pace("live", 30 + number, 300), 2, 2)
        assert service.seeking.begin(person, wanted, plan_together, origin=7).table is None
    with pytest.raises(TooMany):
        service.seeking.begin(last, SOME, plan_together, origin=7)
    assert service.seeking.begin(last, SOME, plan_together, origin=8).table is None


def test_many_who_come_at_once_by_two_processes_are_seated_once_each(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        crowd = people(service, *(f"P{number}" for number in range(12)))
        others = service if not isinstance(place, str) else KontorServer.open(place, clock)
        coming = [(service, others)[number % 2].seeking.begin for number in range(len(crowd))]
        race(*[partial(begin, who, TWO, plan_together) for begin, who in zip(coming, crowd, strict=True)])
        seated = tables(service, crowd)
        assert None not in seated
        assert all(seated.count(table) == 2 for table in seated)
        for person, table in zip(crowd, seated, strict=True):
            assert table is not None
            assert len(service.opening.seats_of(table, person)) == 1
            assert len(service.listing.my_tables(person)) == 1
        if others is not service:
            others.close()


def test_groups_are_cliques_and_the_longest_waiting_comes_first() -> None:
    def seeker(name: str, since: int, points: int, near: bool = True) -> _Seeker:
        return _Seeker(name, name, Seek("dutchman", LIVE, 3, 3, near), "", 0, since, points, 0)

    waiting = [seeker("a", 0, 1500), seeker("b", 1, 1900), seeker("c", 2, 1510), seeker("d", 3, 1490)]
    assert [one.person for one in find_group(waiting, frozenset(), 10)] == ["a", "c", "d"]
    assert find_group(waiting, frozenset({frozenset(("c", "d"))}), 10) == []
    assert find_group(waiting[:2], frozenset(), 10) == []


def test_who_waits_is_listed_for_others_but_not_for_people_they_have_blocked(
    service: KontorServer, clock: Clock
) -> None:
    anna, bernd, carla = people(service, "Anna", "Bernd", "Carla")
    seek(service, anna, TWO)
    clock.tick(seconds=5)
    seek(service, bernd, SOME)
    listed = service.seeking.waiting(carla)
    assert [(each.name, each.waited, each.own) for each in listed] == [("Bernd", 0, False), ("Anna", 5, False)]
    assert [each.own for each in service.seeking.waiting(anna)] == [False, True]
    table = service.opening.open(anna, plan_together(TWO, 2, ""))
    service.opening.sit(table, 1, carla)
    (meant,) = service.blocking.other_people(table, carla)
    service.blocking.put(table, carla, meant.where, "block")
    assert [each.name for each in service.seeking.waiting(carla)] == ["Bernd"]
    assert [each.name for each in service.seeking.waiting()] == ["Bernd", "Anna"]
    clock.tick(milliseconds=LOST + 1)
    assert service.seeking.waiting() == ()


def test_a_rating_is_listed_only_where_its_owner_shows_it(service: KontorServer, clock: Clock) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    rate(service, clock, **{anna: 1612})
    seek(service, anna, TWO)
    assert [each.points for each in service.seeking.waiting(bernd)] == [None]
    service.ratings.show(anna, listed=True, public=False)
    assert [(each.points, each.sure) for each in service.seeking.waiting(bernd)] == [(1612, True)]
    service.ratings.show(anna, listed=False, public=True, parts=("results",))
    assert [each.points for each in service.seeking.waiting(bernd)] == [None]


def test_joining_means_to_look_for_the_same(service: KontorServer) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    seek(service, anna, TWO)
    (listed,) = service.seeking.waiting(bernd)
    assert service.seeking.like(listed.id) == FREE
    assert seek(service, bernd, service.seeking.like(listed.id)) is not None
    for ended in (listed.id, "", "nobody"):
        with pytest.raises(NotNow):
            service.seeking.like(ended)
