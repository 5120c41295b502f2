"""The archive: finished games that anybody may watch, and no others, found page by page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from guests import CARLA, MACHINE, ME, OPEN, Clock, as_of, dutchman, in_a_folder, play_out, query, shanghaien
from kontor.fair import new_seed
from kontor.ratings.fits import fit_ratings
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.stored_times import milliseconds_of
from kontor.tables import finished_games
from kontor.tables.finished_games import FinishedGame, GameFilter, PeopleFilter
from kontor.tables.game_states import FIRST
from kontor.tables.values import Plan
from profiles import scale_examples
from tables.test_duplicates import open_table, released


def guest(service: KontorServer, name: str) -> str:
    return service.people.guest(name)[0].id


def finish(service: KontorServer, plan: Plan, *people: str) -> str:
    """Open a table for people, and end its game at once because the first of them resigns; return its id."""
    host, *others = people
    table = service.opening.open(host, plan)
    for seat, other in enumerate(others, 1):
        service.opening.sit(table, seat, other)
    for person in people:
        info = service.tables.info(table, person)
        if info.status == "playing":
            service.early_endings.resign(table, info.mine[0], person)
    assert service.tables.info(table).status == "over"
    return table


def ids(service: KontorServer, wanted: GameFilter | None = None, reader: str | None = None) -> list[str]:
    games = service.finished_games.find(wanted or GameFilter(), reader, 1000).games
    return [finished.table.id for finished in games]


def test_found_are_finished_games_of_people_that_were_open_to_spectators(service: KontorServer, clock: Clock) -> None:
    anna, bernd = guest(service, "Anna"), guest(service, "Bernd")
    ended_early = finish(service, shanghaien(ME, OPEN), anna, bernd)
    clock.tick(hours=1)
    finish(service, shanghaien(ME, OPEN, watch=False), anna, bernd)
    played_out = service.opening.open(anna, shanghaien(ME, MACHINE))
    alone = service.opening.open(anna, shanghaien(MACHINE, MACHINE))
    play_out(service, played_out, alone)
    going_on = service.opening.open(anna, shanghaien(ME, OPEN))
    service.opening.sit(going_on, 1, bernd)
    service.opening.open(anna, shanghaien(ME, OPEN))
    assert ids(service) == [played_out, ended_early]
    assert ids(service, reader=anna) == [played_out, ended_early], "the same for everybody"


def test_games_with_the_same_dice_are_found_when_the_last_of_them_has_ended(service: KontorServer) -> None:
    seed = new_seed()
    (first, anna, _), (second, carla, _) = open_table(service, seed), open_table(service, seed)
    service.early_endings.resign(first, 0, anna)
    assert not released(service, seed)
    assert ids(service) == []
    service.early_endings.resign(second, 0, carla)
    assert released(service, seed)
    assert set(ids(service)) == {first, second}


def test_whether_a_game_is_rated_is_known_after_the_night(service: KontorServer, clock: Clock, place: Place) -> None:
    anna, bernd = guest(service, "Anna"), guest(service, "Bernd")
    rated = finish(service, shanghaien(ME, OPEN), anna, bernd)
    practice = finish(service, shanghaien(ME, OPEN, hints=True), anna, bernd)
    flags = {game.table.id: game.rated for game in service.finished_games.find(GameFilter()).games}
    assert flags == {rated: None, practice: None}
    for _ in range(2):  # the second night finds nothing new
        service.ratings.keep(fit_ratings(place, milliseconds_of(clock())), pause=0)
        assert ids(service, GameFilter(rated=True)) == [rated]
        assert ids(service, GameFilter(rated=False)) == [practice]
    fits = fit_ratings(place, milliseconds_of(clock()))
    assert fits.newly_rated == fits.newly_unrated == ()


def named(service: KontorServer, name: str, reader: str | None = None) -> list[str]:
    """Return the games that a reader finds by a name."""
    people = PeopleFilter(service.people_search.showing_games(name, reader), name)
    return ids(service, GameFilter(people=people), reader)


def test_a_name_finds_games_of_people_who_show_them_and_ones_own(service: KontorServer) -> None:
    anna, bernd, zoe = (guest(service, name) for name in ("Anna", "Bernd", "Zoë"))
    game = finish(service, shanghaien(ME, OPEN), anna, bernd)
    other = finish(service, shanghaien(ME, OPEN), zoe, bernd)
    for reader in (None, zoe):
        assert named(service, "anna", reader) == [], "Anna has not chosen to show her games"
    assert named(service, "ann", bernd) == [game], "Bernd was there"
    assert set(named(service, "BERND", bernd)) == {game, other}, "they are his own"
    assert named(service, "bernd", anna) == [game], "only those she was there"
    service.ratings.show(anna, listed=True, public=True)
    assert named(service, "anna", zoe) == [], "a page alone does not show games"
    service.ratings.show(anna, listed=False, public=False, parts=("games",))
    assert named(service, "anna", zoe) == [], "without a page nothing is shown"
    service.ratings.show(anna, listed=False, public=True, parts=("games",))
    assert named(service, "anna", zoe) == named(service, "Anna") == [game]
    service.operating.suspend(anna)
    assert named(service, "anna", zoe) == []


def test_games_follow_their_person_who_merges_or_leaves(service: KontorServer) -> None:
    anna, bernd = guest(service, "Anna"), guest(service, "Bernd")
    game = finish(service, shanghaien(ME, OPEN), anna, bernd)
    twin = guest(service, "Anna Two")
    code = service.recovery.new_code(anna)
    service.merging.merge(twin, code)
    assert ids(service, GameFilter(people=PeopleFilter((twin,)))) == [game]
    service.leaving.leave(twin, "Anna Two")
    assert ids(service, GameFilter(people=PeopleFilter((twin,)))) == []
    (finished,) = service.finished_games.find(GameFilter()).games
    assert [seat.name for seat in finished.table.seats] == ["someone who left", "Bernd"]


def test_a_deleted_game_is_not_found(service: KontorServer) -> None:
    anna = guest(service, "Anna")
    finish(service, shanghaien(ME, MACHINE), anna)
    service.leaving.leave(anna, "Anna")
    assert ids(service) == []


def test_a_result_is_that_of_the_person_and_a_game_without_a_result_is_not_won(service: KontorServer) -> None:
    anna, bernd, carla = (guest(service, name) for name in ("Anna", "Bernd", "Carla"))
    won = finish(service, shanghaien(ME, OPEN), bernd, anna)
    lost = finish(service, shanghaien(ME, OPEN), anna, bernd)
    no_result = finish(service, dutchman(ME, OPEN, OPEN), anna, bernd, carla)
    service.ratings.show(anna, listed=False, public=True, parts=("games",))

    def of_name(name: str, reader: str | None, has_won: bool) -> set[str]:
        people = PeopleFilter(service.people_search.showing_games(name, reader), name, has_won)
        return set(ids(service, GameFilter(people=people), reader))

    for reader in (None, bernd):
        assert of_name("anna", reader, True) == {won}
        assert of_name("anna", reader, False) == {lost, no_result}
    assert of_name("bernd", anna, True) == {lost}
    assert of_name("bernd", anna, False) == {won, no_result}
    assert of_name("bernd", carla, True) == set(), "Bernd does not show his games, and she was not there"
    assert of_name("bernd", carla, False) == {no_result}


def test_searches_of_all_games_read_only_the_index_of_the_archive(service: KontorServer) -> None:
    wanted = GameFilter(players=2, rated=True, early=False, min_steps=20, max_steps=80, game="shanghaien")
    with service._transactions.reading() as db:
        (found_by,) = finished_games._queries(wanted, None)
        if db.dialect.name == "sqlite":
            statement = found_by.compile(db, compile_kwargs={"literal_binds": True})
            plan = [row[3] for row in db.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")]
            assert [line for line in plan if "COVERING INDEX ix_tables_archived" in line] == plan


@pytest.mark.parametrize("won", [None, True, False])
def test_searches_of_people_read_no_other_seats_of_the_people(service: KontorServer, won: bool | None) -> None:
    wanted = GameFilter(people=PeopleFilter(("anna",), "Bernd", won), early=False)
    with service._transactions.reading() as db:
        for found_by in finished_games._queries(wanted, "carla") if db.dialect.name == "sqlite" else ():
            statement = found_by.compile(db, compile_kwargs={"literal_binds": True})
            plan = " ".join(row[3] for row in db.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}"))
            assert "ix_seats_archived (person=?" in plan
            assert "ix_seats_person" not in plan
            assert "TEMP B-TREE" not in plan


@in_a_folder
def test_games_of_an_older_server_are_found_too(service: KontorServer, place: Place) -> None:
    anna, bernd = guest(service, "Anna"), guest(service, "Bernd")
    finish(service, shanghaien(ME, OPEN), anna, bernd)
    finish(service, dutchman(ME, OPEN, MACHINE), anna, bernd)
    finish(service, shanghaien(ME, OPEN, watch=False), anna, bernd)
    play_out(service, service.opening.open(anna, shanghaien(ME, MACHINE)))
    service.opening.open(anna, shanghaien(ME, OPEN))
    service.close()

    def archived() -> list[tuple[Any, ...]]:
        games = query(place, "SELECT id, archived, players, length, ended_early FROM tables ORDER BY id")
        return games + query(place, "SELECT table_id, seat, archived, won FROM seats ORDER BY table_id, seat")

    before = archived()
    for revision in ("0041", "0030"):
        as_of(place, revision)
        KontorServer.open(place).close()
        assert archived() == before
    seats = [row for row in before if len(row) == 4]
    assert len([None for row in seats if row[2]]) == 7
    assert len([None for row in seats if row[3]]) >= 2, "winners of the game that a person resigned, and of another"


# ------------------------------------------------------------------------------------------------------------ pages


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[KontorServer, list[str]]]:
    """Yield a server with finished games of several kinds, some of which ended at the same time, and its people."""
    clock = Clock()
    folder: Path = tmp_path_factory.mktemp("many")
    with KontorServer.open(folder, clock) as service:
        people = [guest(service, name) for name in ("Anna", "Bernd", "Carla")]
        play_out(service, *[service.opening.open(people[0], shanghaien(ME, other)) for other in (CARLA, MACHINE)])
        for at in range(22):
            anna, bernd, carla = people[at % 3], people[(at + 1) % 3], people[(at + 2) % 3]
            if at % 4 == 0:
                finish(service, dutchman(ME, OPEN, OPEN), anna, bernd, carla)
            elif at % 4 == 1:
                finish(service, shanghaien(ME, MACHINE, hints=at % 8 == 1), anna)
            else:
                finish(service, shanghaien(ME, OPEN), anna, bernd)
            clock.tick(hours=at % 3)
        service.ratings.keep(fit_ratings(folder, milliseconds_of(clock())), pause=0)
        yield service, people


FILTERS = st.builds(
    GameFilter,
    game=st.sampled_from(("", "shanghaien", "dutchman")),
    players=st.sampled_from((0, 2, 3, 5)),
    rated=st.sampled_from((None, True, False)),
    early=st.sampled_from((None, True, False)),
    min_steps=st.integers(0, 40),
    max_steps=st.none() | st.integers(0, 90),
)


Seats = dict[str, dict[str, tuple[int, ...]]]
"""The seats of each person at each table."""


def winners(game: FinishedGame) -> tuple[int, ...]:
    """Return the seats that won a game, played to its end or not."""
    ending = game.table.early or game.table.result
    return ending.winners if ending else ()


def matches(wanted: GameFilter, game: FinishedGame, persons: set[str], sitting: Seats) -> bool:
    """Return True if a game matches a filter, as the words of the filter say."""
    assert game.table.ended
    players = [mine for person, mine in sitting[game.table.id].items() if person in persons and mine]
    have_won = [any(seat in winners(game) for seat in mine) for mine in players]
    ended = milliseconds_of(game.table.ended)
    return (
        wanted.game in ("", game.table.game)
        and wanted.players in (0, len(game.table.seats))
        and wanted.rated in (None, game.rated)
        and (wanted.since is None or ended >= wanted.since)
        and (wanted.until is None or ended < wanted.until)
        and (wanted.early in (None, game.table.early is not None))
        and wanted.min_steps <= game.table.number - FIRST
        and (wanted.max_steps is None or game.table.number - FIRST <= wanted.max_steps)
        and (wanted.people is None or any(wanted.people.won in (None, won) for won in have_won))
    )


@settings(max_examples=scale_examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FILTERS, st.integers(1, 9), st.data())
def test_pages_hold_each_game_that_fits_once_in_order_and_lead_back(
    many: tuple[KontorServer, list[str]], wanted: GameFilter, size: int, data: st.DataObject
) -> None:
    service, people = many
    every = service.finished_games.find(GameFilter(), None, 1000).games
    assert len(every) == 24
    sitting = {
        game.table.id: {person: service.tables.seats_of(game.table.id, person).mine for person in people}
        for game in every
    }
    times = st.none() | st.sampled_from([milliseconds_of(game.table.ended) for game in every if game.table.ended])
    persons = data.draw(st.none() | st.lists(st.sampled_from(people), max_size=3).map(tuple))
    wanted = replace(wanted, since=data.draw(times), until=data.draw(times))
    wanted = replace(
        wanted, people=None if persons is None else PeopleFilter(persons, won=data.draw(st.none() | st.booleans()))
    )
    expected = [game.table.id for game in every if matches(wanted, game, set(persons or ()), sitting)]
    pages, page = [], service.finished_games.find(wanted, None, size)
    assert page.newer is None
    while True:
        pages.append([game.table.id for game in page.games])
        assert len(pages[-1]) <= size
        if page.older is None:
            break
        page = service.finished_games.find(replace(wanted, older=page.older), None, size)
    assert [table for tables in pages for table in tables] == expected
    for before in reversed(pages[:-1]):
        assert page.newer is not None
        page = service.finished_games.find(replace(wanted, newer=page.newer), None, size)
        assert [game.table.id for game in page.games] == before
    assert page.newer is None
