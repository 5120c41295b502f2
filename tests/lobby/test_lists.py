"""The lobby, my tables, finished games; and the chat of a table."""

from random import Random
from typing import Literal

import pytest

from guests import CARLA, FRIEND, MACHINE, ME, OPEN, Clock, dutchman, play_one, play_out, shanghaien
from kontor.errors import BadText, NoTable, NotAllowed
from kontor.server.composition import KontorServer
from kontor.tables import talking
from kontor.tables.values import Pace, SeatPlan, TableFilter


def test_the_lobby_shows_open_seats_and_games_to_watch(service: KontorServer, clock: Clock) -> None:
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    free = service.opening.open(anna.id, shanghaien(ME, OPEN))
    clock.tick(seconds=1)
    newer = service.opening.open(anna.id, shanghaien(ME, OPEN, watch=False))
    service.opening.open(anna.id, shanghaien(ME, FRIEND))
    public = service.opening.open(anna.id, shanghaien(ME, MACHINE))
    service.opening.open(anna.id, shanghaien(ME, MACHINE, watch=False))
    lobby = service.listing.lobby(bernd.id)
    assert [table.id for table in lobby.open] == [newer, free]
    assert [table.id for table in lobby.watchable] == [public]
    assert lobby.open[0].seats[1].may_sit
    assert not service.listing.lobby().open[0].seats[1].may_sit
    service.opening.sit(free, 1, bernd.id)
    play_out(service, public)
    assert [table.id for table in service.listing.lobby().open] == [newer]
    assert [table.id for table in service.listing.lobby().watchable] == [free]


def test_my_tables_have_those_first_where_it_is_my_turn(service: KontorServer, clock: Clock) -> None:
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    waiting = service.opening.open(anna.id, shanghaien(ME, OPEN))
    my_turn, others_turn = list[str](), list[str]()
    while len(my_turn) < 2 or len(others_turn) < 2:
        clock.tick(seconds=1)
        table = service.opening.open(anna.id, shanghaien(ME, OPEN))
        service.opening.sit(table, 1, bernd.id)
        (my_turn if service.tables.info(table, anna.id).my_turn else others_turn).append(table)
    clock.tick(seconds=1)
    over = service.opening.open(anna.id, shanghaien(ME, MACHINE))
    play_out(service, over)
    listed = service.listing.my_tables(anna.id)
    # The longest waiting for me; then the last moved; then those that have not begun.
    assert [table.id for table in listed] == [*my_turn, *reversed(others_turn), waiting]
    assert [table.my_turn for table in listed] == [True] * len(my_turn) + [False] * (len(others_turn) + 1)
    assert {table.id for table in service.listing.my_tables(bernd.id)} == {*my_turn, *others_turn}
    assert service.listing.my_tables(service.people.guest("Carla")[0].id) == ()


def test_finished_games_are_listed_page_by_page(service: KontorServer, clock: Clock) -> None:
    anna, _ = service.people.guest("Anna")
    tables = []
    for _ in range(3):
        tables.append(service.opening.open(anna.id, shanghaien(ME, MACHINE)))
        play_out(service, tables[-1])
        clock.tick(hours=1)
    first = service.listing.finished(anna.id, limit=2)
    assert [table.id for table in first] == [tables[2], tables[1]]
    assert first[0].result is not None
    assert first[0].ended == clock.time.replace(hour=clock.time.hour - 1)
    assert (first[0].mover, first[0].since, first[0].my_turn) == (None, None, False)
    (last,) = service.listing.finished(anna.id, before=first[-1].ended)
    assert last.id == tables[0]
    assert service.listing.finished(anna.id, limit=-1) == ()
    assert service.listing.my_tables(anna.id) == ()


def test_where_people_may_not_watch_only_those_who_sit_there_see_the_game(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    table = service.opening.open(anna.id, shanghaien(ME, MACHINE, watch=False))
    assert service.tables.info(table, anna.id).may_watch
    assert not service.tables.info(table, bernd.id).may_watch
    now = service.tables.view(table)
    for ask in (now.events, now.look):
        with pytest.raises(NotAllowed):
            ask(None)
    public = service.opening.open(anna.id, shanghaien(ME, MACHINE))
    assert service.tables.info(public, bernd.id).may_watch
    assert service.tables.view(public).look(None).view.seat is None


def test_those_who_sit_at_a_table_can_talk(service: KontorServer, clock: Clock) -> None:
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    table = service.opening.open(anna.id, dutchman(ME, CARLA, OPEN))
    service.talk.say(table, anna.id, " <b>Hello</b> \u202e")
    service.opening.sit(table, 2, bernd.id)
    clock.tick(seconds=5)
    number = service.talk.say(table, anna.id, "I'll pay\n5", seat=1)
    last = service.tables.view(table).chat_lines()[-1]
    assert (last.number, last.kind, last.seat, last.name, last.text) == (number, "said", 1, "Carla", "I'll pay\n5")
    assert last.at == clock.time
    assert [line.text for line in service.tables.view(table).chat_lines() if line.kind == "said"] == [
        "<b>Hello</b>",
        "I'll pay\n5",
    ]
    assert [line.number for line in service.tables.view(table).chat_lines(since=number - 1)] == [number]
    assert [line.number for line in service.tables.view(table).chat_lines(limit=1)] == [number]
    assert service.tables.view(table).chat_lines(since=10**30) == ()
    assert len(service.tables.view(table).chat_lines(since=-5)) == number


def test_strangers_and_empty_words_are_not_heard(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    table = service.opening.open(anna.id, shanghaien(ME, MACHINE))
    with pytest.raises(NotAllowed):
        service.talk.say(table, bernd.id, "Hello")
    with pytest.raises(NotAllowed):
        service.talk.say(table, anna.id, "Hello", seat=1)
    with pytest.raises(BadText):
        service.talk.say(table, anna.id, "\u202e")
    for ask in (service.tables.view, service.tables.info):
        for wrong in ("nowhere", "a" * 20, "\ud800", "x" * 100_000):
            with pytest.raises(NoTable):
                ask(wrong)


def test_a_table_keeps_a_bounded_history(service: KontorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talking, "MOST_KEPT", 3)
    anna, _ = service.people.guest("Anna")
    table = service.opening.open(anna.id, shanghaien(ME, MACHINE))
    for text in "abcdef":
        service.talk.say(table, anna.id, text)
    assert [line.text for line in service.tables.view(table).chat_lines()] == ["d", "e", "f"]
    assert service.tables.view(table).chat_lines()[-1].number == 7


def test_whoever_listens_hears_of_each_change(service: KontorServer) -> None:
    heard = list[str]()
    service.listen(heard.append)
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    assert heard == []
    table = service.opening.open(anna.id, shanghaien(ME, OPEN))
    service.talk.say(table, anna.id, "Hello")
    service.opening.sit(table, 1, bernd.id)
    play_one(service, table, Random(1))
    assert heard == [table] * 4
    with pytest.raises(BadText):
        service.talk.say(table, anna.id, "")
    assert heard == [table] * 4


def test_a_listener_that_fails_does_not_undo_what_happened(
    service: KontorServer, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(table: str) -> None:
        raise RuntimeError(f"secret {table}")

    heard = list[str]()
    service.listen(fail)
    service.listen(heard.append)
    anna, _ = service.people.guest("Anna")
    table = service.opening.open(anna.id, shanghaien(ME, OPEN))
    assert heard == [table]
    assert "RuntimeError" in caplog.text
    assert "secret" not in caplog.text


def named_tables(service: KontorServer, clock: Clock) -> dict[str, str]:
    opened = {}
    for name in ("Carla", "Özlem", "Bernd", "Anna"):
        person = service.people.guest(name)[0]
        pace = Pace("live", 60, 600) if name == "Bernd" else Pace()
        plan = dutchman(ME, OPEN, OPEN) if name == "Carla" else shanghaien(ME, OPEN, pace=pace)
        opened[name] = service.opening.open(person.id, plan)
        clock.tick(seconds=1)
    return dict(reversed(opened.items()))


FOUND: tuple[tuple[TableFilter, list[str]], ...] = (
    (TableFilter(), ["Anna", "Bernd", "Özlem", "Carla"]),
    (TableFilter(game="dutchman"), ["Carla"]),
    (TableFilter(pace="live"), ["Bernd"]),
    (TableFilter(pace="none", game="shanghaien"), ["Anna", "Özlem"]),
    (TableFilter(name="ann"), ["Anna"]),
    (TableFilter(free=2), ["Carla"]),
    (TableFilter(free=1, pace="none"), ["Anna", "Özlem"]),
    (TableFilter(rated=True), ["Anna", "Bernd", "Özlem", "Carla"]),
    (TableFilter(name="özl"), ["Özlem"]),
    (TableFilter(name="%"), []),
    (TableFilter(show="watch"), []),
)


def test_tables_are_found_by_game_pace_and_name(service: KontorServer, clock: Clock) -> None:
    opened = named_tables(service, clock)
    for wanted, names in FOUND:
        page = service.listing.find(wanted)
        assert [table.id for table in page.tables] == [opened[name] for name in names], wanted
        assert (page.number, page.more, page.after) == (len(names), False, None), wanted


def test_tables_for_practice_and_for_several_at_a_device_are_not_rated(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    service.opening.open(anna.id, shanghaien(ME, OPEN, hints=True))
    service.opening.open(anna.id, dutchman(ME, CARLA, OPEN))
    rated = service.opening.open(anna.id, dutchman(ME, OPEN, SeatPlan("machine", player="casual")))
    assert [table.id for table in service.listing.find(TableFilter(rated=True)).tables] == [rated]


def test_tables_are_found_page_by_page_though_others_come_meanwhile(service: KontorServer, clock: Clock) -> None:
    opened = list(named_tables(service, clock).values())
    first = service.listing.find(TableFilter(), limit=3)
    assert [table.id for table in first.tables] == opened[:3]
    service.opening.open(service.people.guest("Dora")[0].id, shanghaien(ME, OPEN))
    assert first.after
    second = service.listing.find(TableFilter(after=first.after), limit=3)
    assert [table.id for table in second.tables] == opened[3:]
    assert second.after is None
    assert second.number == 5


def test_tables_that_were_opened_in_one_moment_are_found_once_each(service: KontorServer) -> None:
    host = service.people.guest("Anna")[0]
    opened = {service.opening.open(host.id, shanghaien(ME, OPEN)) for _ in range(7)}
    listed, after = list[str](), None
    for _ in range(4):
        page = service.listing.find(TableFilter(after=after), limit=2)
        listed += [table.id for table in page.tables]
        after = page.after
    assert after is None
    assert sorted(listed) == sorted(opened)


def test_nobody_finds_tables_of_invited_players_alone(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0]
    service.opening.open(anna.id, shanghaien(ME, FRIEND))
    hidden = service.opening.open(anna.id, shanghaien(ME, MACHINE, watch=False))
    assert service.tables.info(hidden).status == "playing"
    shows: tuple[Literal["open", "watch"], ...] = ("open", "watch")
    for show in shows:
        assert service.listing.find(TableFilter(show=show, name="Anna")).tables == ()
