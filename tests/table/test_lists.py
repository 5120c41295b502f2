"""The lobby, my tables, finished games; and the chat of a table."""

from __future__ import annotations

from random import Random

import pytest

from kontor.table import BadText, House, NoTable, NotAllowed, talking

from .guests import CARLA, FRIEND, MACHINE, ME, OPEN, Clock, dutchman, play_one, play_out, shanghaien


def test_the_lobby_shows_open_seats_and_games_to_watch(house: House, clock: Clock) -> None:
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    free = house.open_table(anna.id, shanghaien(ME, OPEN))
    clock.tick(seconds=1)
    newer = house.open_table(anna.id, shanghaien(ME, OPEN, watch=False))
    house.open_table(anna.id, shanghaien(ME, FRIEND))
    public = house.open_table(anna.id, shanghaien(ME, MACHINE))
    house.open_table(anna.id, shanghaien(ME, MACHINE, watch=False))
    lobby = house.lobby(bernd.id)
    assert [table.id for table in lobby.open] == [newer, free]
    assert [table.id for table in lobby.watchable] == [public]
    assert lobby.open[0].seats[1].may_sit
    assert not house.lobby().open[0].seats[1].may_sit
    house.sit(free, 1, bernd.id)
    play_out(house, public)
    assert [table.id for table in house.lobby().open] == [newer]
    assert [table.id for table in house.lobby().watchable] == [free]


def test_my_tables_have_those_first_where_it_is_my_turn(house: House, clock: Clock) -> None:
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    waiting = house.open_table(anna.id, shanghaien(ME, OPEN))
    mine, theirs = list[str](), list[str]()
    while len(mine) < 2 or len(theirs) < 2:
        clock.tick(seconds=1)
        table = house.open_table(anna.id, shanghaien(ME, OPEN))
        house.sit(table, 1, bernd.id)
        (mine if house.info(table, anna.id).my_turn else theirs).append(table)
    clock.tick(seconds=1)
    over = house.open_table(anna.id, shanghaien(ME, MACHINE))
    play_out(house, over)
    listed = house.my_tables(anna.id)
    # The longest waiting for me; then what moved last; then what has not begun.
    assert [table.id for table in listed] == [*mine, *reversed(theirs), waiting]
    assert [table.my_turn for table in listed] == [True] * len(mine) + [False] * (len(theirs) + 1)
    assert {table.id for table in house.my_tables(bernd.id)} == {*mine, *theirs}
    assert house.my_tables(house.guest("Carla")[0].id) == ()


def test_finished_games_are_listed_page_by_page(house: House, clock: Clock) -> None:
    anna, _ = house.guest("Anna")
    tables = []
    for _ in range(3):
        tables.append(house.open_table(anna.id, shanghaien(ME, MACHINE)))
        play_out(house, tables[-1])
        clock.tick(hours=1)
    first = house.finished(anna.id, limit=2)
    assert [table.id for table in first] == [tables[2], tables[1]]
    assert first[0].result is not None
    assert first[0].ended == clock.time.replace(hour=clock.time.hour - 1)
    assert (first[0].mover, first[0].since, first[0].my_turn) == (None, None, False)
    (last,) = house.finished(anna.id, before=first[-1].ended)
    assert last.id == tables[0]
    assert house.finished(anna.id, limit=-1) == ()
    assert house.my_tables(anna.id) == ()


def test_where_people_may_not_watch_only_those_who_sit_there_see_the_game(house: House) -> None:
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    table = house.open_table(anna.id, shanghaien(ME, MACHINE, watch=False))
    assert house.info(table, anna.id).may_watch
    assert not house.info(table, bernd.id).may_watch
    for ask in (house.view, house.events, house.look):
        with pytest.raises(NotAllowed):
            ask(table, None)
    public = house.open_table(anna.id, shanghaien(ME, MACHINE))
    assert house.info(public, bernd.id).may_watch
    assert house.view(public, None)[1].seat is None


# ------------------------------------------------------------------------------------------------------------ chat


def test_those_who_sit_at_a_table_can_talk(house: House, clock: Clock) -> None:
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    table = house.open_table(anna.id, dutchman(ME, CARLA, OPEN))
    house.chat(table, anna.id, " <b>Hello</b> \u202e")
    house.sit(table, 2, bernd.id)
    clock.tick(seconds=5)
    number = house.chat(table, anna.id, "I'll pay\n5", seat=1)
    last = house.said(table)[-1]
    assert (last.number, last.kind, last.seat, last.name, last.text) == (number, "said", 1, "Carla", "I'll pay\n5")
    assert last.at == clock.time
    assert [said.text for said in house.said(table) if said.kind == "said"] == ["<b>Hello</b>", "I'll pay\n5"]
    assert [said.number for said in house.said(table, since=number - 1)] == [number]
    assert [said.number for said in house.said(table, limit=1)] == [number]
    assert house.said(table, since=10**30) == ()
    assert len(house.said(table, since=-5)) == number


def test_strangers_and_empty_words_are_not_heard(house: House) -> None:
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    table = house.open_table(anna.id, shanghaien(ME, MACHINE))
    with pytest.raises(NotAllowed):
        house.chat(table, bernd.id, "Hello")
    with pytest.raises(NotAllowed):
        house.chat(table, anna.id, "Hello", seat=1)
    with pytest.raises(BadText):
        house.chat(table, anna.id, "\u202e")
    for ask in (house.said, house.info):
        for wrong in ("nowhere", "a" * 20, "\ud800", "x" * 100_000):
            with pytest.raises(NoTable):
                ask(wrong)


def test_a_table_keeps_a_bounded_history(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talking, "MOST_KEPT", 3)
    anna, _ = house.guest("Anna")
    table = house.open_table(anna.id, shanghaien(ME, MACHINE))
    for text in "abcdef":
        house.chat(table, anna.id, text)
    assert [said.text for said in house.said(table)] == ["d", "e", "f"]
    assert house.said(table)[-1].number == 7


# ------------------------------------------------------------------------------------------------------- listeners


def test_whoever_listens_hears_of_each_change(house: House) -> None:
    heard = list[str]()
    house.listen(heard.append)
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    assert heard == []
    table = house.open_table(anna.id, shanghaien(ME, OPEN))
    house.chat(table, anna.id, "Hello")
    house.sit(table, 1, bernd.id)
    play_one(house, table, Random(1))
    assert heard == [table] * 4
    with pytest.raises(BadText):
        house.chat(table, anna.id, "")
    assert heard == [table] * 4


def test_a_listener_that_fails_does_not_undo_what_happened(house: House, caplog: pytest.LogCaptureFixture) -> None:
    def deaf(table: str) -> None:
        raise RuntimeError(f"secret {table}")

    heard = list[str]()
    house.listen(deaf)
    house.listen(heard.append)
    anna, _ = house.guest("Anna")
    table = house.open_table(anna.id, shanghaien(ME, OPEN))
    assert heard == [table]
    assert "RuntimeError" in caplog.text
    assert "secret" not in caplog.text
