"""Tournaments: opened, joined, played round by round.

They end when people leave, come late or are gone, and when the program dies at any time, and each round is paired
once.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any

import pytest

from guests import Clock, has_run, in_a_folder, play_one, query, quick
from kontor.errors import BadPlan, NoTable, NotAllowed, NotNow, TooMany
from kontor.fair import commitment
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.ratings.rated_games import select_rated, started_games
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables import stepping
from kontor.tables.rows import seat_rows
from kontor.tables.values import Pace
from kontor.tournaments import tournament_rounds
from kontor.tournaments.values import TournamentFilter, TournamentPlan, TournamentView
from kontor.work.failing_items import FailingItems

LIVE = Pace("live", 30, 60)
SLOW = Pace("slow", 24 * 3600)


def of_pairs(**more: Any) -> TournamentPlan:
    """Return a plan of Shanghaien."""
    given = {"name": "Winter Cup", "game": "shanghaien", "system": "swiss", "sizes": (2,), "rounds": 3, "pace": SLOW}
    return TournamentPlan(options={2: ShanghaienOptions()}, **{**given, **more})


def of_tables(**more: Any) -> TournamentPlan:
    """Return a plan of Der fliegende Holländer."""
    given = {"name": "Regatta", "game": "dutchman", "system": "tables", "sizes": (4, 3), "rounds": 3, "pace": SLOW}
    options = {players: DutchmanOptions(players=players) for players in (3, 4, 5, 6)}
    return TournamentPlan(options=options, **{**given, **more})


def people(service: KontorServer, *names: str) -> list[str]:
    return [service.people.guest(name)[0].id for name in names]


def start_tournament(service: KontorServer, count: int, plan: TournamentPlan) -> tuple[str, list[str]]:
    """Return a started tournament of ``count`` people, and these people, the first of whom opened it."""
    persons = people(service, *(f"Player {number}" for number in range(1, count + 1)))
    tournament = service.tournaments.open(persons[0], plan)
    for person in persons:
        service.tournaments.join(tournament, person)
    service.tournaments.start(tournament, persons[0])
    return tournament, persons


def tables_now(view: TournamentView) -> list[str]:
    """Return the tables of the last round at which a game may be going on."""
    last = view.rounds[-1] if view.rounds else None
    return [board.table for board in last.boards if board.table and board.points is None] if last else []


def person_moves(service: KontorServer, table: str, random: Random) -> bool:
    """Make a random move if a person who still plays is to move; return whether a move was made."""
    info = service.tables.info(table)
    if info.mover is not None and info.seats[info.mover].stood_in:
        return False
    return play_one(service, table, random)


def chance_acts(service: KontorServer, tables: Sequence[str]) -> bool:
    """Let chance act at tables played in step; return whether any table changed."""
    before = [service.tables.info(table).number for table in tables]
    stepping.go_on(service._transactions, FailingItems("tables in step"))
    return before != [service.tables.info(table).number for table in tables]


def play_round(service: KontorServer, tournament: str, random: Random) -> None:
    """Play random moves for people, and those of computer players, until all tables of the round are over."""
    tables = tables_now(service.tournaments.view(tournament))
    machines = quick(service)
    while (
        sum(person_moves(service, table, random) for table in tables)
        or chance_acts(service, tables)
        or machines.one_round()
    ):
        pass
    assert {service.tables.info(table).status for table in tables} <= {"over"}


def give_up(service: KontorServer, table: str, random: Random) -> None:
    """Let one of the people who still play at a table of two resign, which ends the game."""
    with service._transactions.reading() as db:
        sitting = seat_rows(db, table)
    playing = [seat for seat in sitting if seat.person and not seat.resigned]
    if len(sitting) == 2 and playing and service.tables.info(table).status == "playing":
        gives_up = random.choice(playing)
        assert gives_up.person
        service.early_endings.resign(table, gives_up.seat, gives_up.person)


def play_out(service: KontorServer, clock: Clock, tournament: str, seed: int = 1) -> TournamentView:
    """Play the tournament to its end: of the games of two the first to theirs, in the others somebody gives up."""
    random = Random(seed)
    for _ in range(200):
        view = service.tournaments.view(tournament)
        if view.info.status != "running":
            return view
        for table in tables_now(view)[1:]:
            give_up(service, table, random)
        play_round(service, tournament, random)
        clock.tick(seconds=61)
        service.upkeep.apply_deadlines()
    raise AssertionError("the tournament does not end")


# ----------------------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize(("system", "count", "rounds"), [("swiss", 5, 3), ("all", 4, 3), ("all twice", 3, 6)])
@in_a_folder
def test_pairs_play_round_by_round(service: KontorServer, clock: Clock, system: Any, count: int, rounds: int) -> None:
    tournament, persons = start_tournament(service, count, of_pairs(system=system))
    view = play_out(service, clock, tournament)
    assert view.info.status == "over"
    assert (len(view.rounds), view.info.rounds) == (rounds, rounds)
    for round_ in view.rounds:
        seated = [number for board in round_.boards for number in board.entrants]
        assert sorted(seated) == list(range(1, count + 1)), "everybody plays once, or has a bye"
        assert all(sum(board.points or ()) == 1 for board in round_.boards)
    total = sum(standing.points for standing in view.standings)
    assert total == sum(len(round_.boards) for round_ in view.rounds)
    assert view.standings[0].place == 1
    assert view.info.seed is not None
    assert len(persons) == count


@in_a_folder
def test_at_larger_tables_all_sit_and_places_give_points(service: KontorServer, clock: Clock) -> None:
    tournament, _ = start_tournament(service, 7, of_tables(rounds=2))
    view = service.tournaments.view(tournament)
    assert sorted(len(board.entrants) for board in view.rounds[0].boards) == [3, 4]
    view = play_out(service, clock, tournament)
    assert view.info.status == "over"
    boards = [board for round_ in view.rounds for board in round_.boards]
    assert all(sum(board.points or ()) == pytest.approx(len(board.entrants) / 2) for board in boards)


def test_live_rounds_have_a_break_between_them(service: KontorServer, clock: Clock) -> None:
    tournament, _ = start_tournament(service, 2, of_pairs(pace=LIVE, rounds=2))
    play_round(service, tournament, Random(3))
    clock.tick(seconds=2)
    service.upkeep.apply_deadlines()
    info = service.tournaments.view(tournament).info
    assert info.round == 1
    assert info.next is not None
    assert clock.time < info.next <= clock.time + timedelta(seconds=60)
    clock.tick(seconds=61)
    service.upkeep.apply_deadlines()
    assert service.tournaments.view(tournament).info.round == 2


# --------------------------------------------------------------------------------------------- before it begins


def test_whoever_joined_can_leave_and_the_opener_begins_it(service: KontorServer) -> None:
    anna, bernd, carla, stranger = people(service, "Anna", "Bernd", "Carla", "Mallory")
    tournament = service.tournaments.open(anna, of_pairs(fewest=2))
    service.tournaments.join(tournament, bernd)
    service.tournaments.join(tournament, bernd)
    service.tournaments.join(tournament, carla)
    service.tournaments.leave(tournament, carla)
    view = service.tournaments.view(tournament, bernd)
    assert [(entrant.name, entrant.mine) for entrant in view.entrants] == [("Bernd", True)]
    assert (view.info.host, view.info.mine, view.info.opener) == (False, True, "Anna")
    with pytest.raises(NotNow, match="at least 2 players"):
        service.tournaments.start(tournament, anna)
    for act in (service.tournaments.start, service.tournaments.cancel):
        with pytest.raises(NotAllowed):
            act(tournament, stranger)
    with pytest.raises(NotAllowed):
        service.tournaments.remove(tournament, stranger, 1)
    service.tournaments.allow_joining(tournament, anna, joining=False)
    with pytest.raises(NotNow):
        service.tournaments.join(tournament, carla)
    service.tournaments.allow_joining(tournament, anna, joining=True)
    service.tournaments.join(tournament, carla)
    service.tournaments.start(tournament, anna)
    view = service.tournaments.view(tournament, carla)
    assert view.info.status == "running"
    assert len(view.my_tables) == 1
    for late in (service.tournaments.start, service.tournaments.cancel):
        with pytest.raises(NotNow):
            late(tournament, anna)


def test_it_begins_at_its_time_or_not_at_all(service: KontorServer, clock: Clock) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    full, empty = (
        service.tournaments.open(anna, of_pairs(name=name, starts=clock.time + timedelta(hours=1)))
        for name in ("Full", "Empty")
    )
    for person in (anna, bernd):
        service.tournaments.join(full, person)
    service.tournaments.join(empty, anna)
    clock.tick(minutes=59)
    service.upkeep.apply_deadlines()
    assert service.tournaments.view(full).info.status == "open"
    clock.tick(minutes=2)
    service.upkeep.apply_deadlines()
    assert service.tournaments.view(full).info.status == "running"
    assert service.tournaments.view(empty).info.status == "cancelled"


def test_what_cannot_be_played_is_not_opened(service: KontorServer) -> None:
    (anna,) = people(service, "Anna")
    unplayable: tuple[dict[str, Any], ...] = (
        {"rounds": 0},
        {"rounds": 31},
        {"pace": Pace()},
        {"sizes": (3,)},
        {"system": "tables"},
        {"fewest": 1},
        {"duplicate": True, "system": "tables", "sizes": (4,)},
        {"duplicate": True, "pace": SLOW, "public": True},
    )
    for wrong in unplayable:
        with pytest.raises(BadPlan):
            service.tournaments.open(anna, of_pairs(**wrong))


def test_nobody_has_too_many_and_who_is_blocked_stays_out(service: KontorServer) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    opened = [service.tournaments.open(anna, of_pairs()) for _ in range(5)]
    with pytest.raises(TooMany):
        service.tournaments.open(anna, of_pairs())
    service.tournaments.cancel(opened[0], anna)
    service.tournaments.open(anna, of_pairs())
    service.tournaments.join(opened[1], bernd)
    service.tournaments.remove(opened[1], anna, 1)
    with pytest.raises(NotAllowed):
        service.tournaments.join(opened[1], bernd)
    with pytest.raises(NoTable):
        service.tournaments.join("nowhere", bernd)


def test_lists_have_what_is_public(service: KontorServer) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    public = service.tournaments.open(anna, of_pairs(name="Grüner Pokal"))
    hidden = service.tournaments.open(anna, of_pairs(name="Among friends", public=False))
    assert [info.id for info in service.tournaments.find(TournamentFilter()).tournaments] == [public]
    assert [info.id for info in service.tournaments.find(TournamentFilter(name="POKAL")).tournaments] == [public]
    assert not service.tournaments.find(TournamentFilter(game="dutchman")).tournaments
    assert not service.tournaments.find(TournamentFilter(show="running")).tournaments
    service.tournaments.join(hidden, bernd)
    assert [info.id for info in service.tournaments.mine(bernd)] == [hidden]
    assert {info.id for info in service.tournaments.mine(anna)} == {public, hidden}
    page = service.tournaments.find(TournamentFilter(), limit=1)
    assert page.after is None


# ----------------------------------------------------------------------------------- people who leave, or are gone


def test_whoever_leaves_is_played_for_and_paired_no_more(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 4, of_pairs())
    leaver = persons[0]
    (table,) = service.tournaments.view(tournament, leaver).my_tables
    service.tournaments.leave(tournament, leaver)
    seat = next(seat for seat in service.tables.info(table).seats if seat.name == "Player 1")
    assert seat.resigned
    view = play_out(service, clock, tournament)
    assert view.info.status == "over"
    assert 1 in [number for board in view.rounds[0].boards for number in board.entrants]
    for round_ in view.rounds[1:]:
        assert 1 not in [number for board in round_.boards for number in board.entrants]
    assert {standing.entrant for standing in view.standings} == {1, 2, 3, 4}


def test_who_comes_late_plays_from_the_next_round_on(service: KontorServer, clock: Clock) -> None:
    tournament, _ = start_tournament(service, 3, of_pairs())
    (late,) = people(service, "Late")
    service.tournaments.join(tournament, late)
    assert service.tournaments.view(tournament, late).my_tables == ()
    view = play_out(service, clock, tournament)
    mine = [[number for board in round_.boards for number in board.entrants] for round_ in view.rounds]
    assert [4 in numbers for numbers in mine] == [False, True, True]
    assert next(entrant for entrant in view.entrants if entrant.number == 4).first == 2
    with pytest.raises(NotNow):
        service.tournaments.join(tournament, people(service, "Too late")[0])


def test_nobody_joins_for_the_round_that_is_the_last(service: KontorServer) -> None:
    tournament, _ = start_tournament(service, 2, of_pairs(rounds=1))
    assert not service.tournaments.view(tournament).info.joining
    with pytest.raises(NotNow):
        service.tournaments.join(tournament, people(service, "Late")[0])


@in_a_folder
def test_a_round_ends_though_nobody_comes(service: KontorServer, clock: Clock, place: Place) -> None:
    """Check a round without any people: computer players play for all, though nobody looks."""
    tournament, _ = start_tournament(service, 3, of_pairs(rounds=2))
    machines = quick(service)
    for _ in range(400):
        if service.tournaments.view(tournament).info.status == "over":
            break
        clock.tick(hours=25)
        has_run(place, clock)
        while machines.one_round():
            pass
    assert service.tournaments.view(tournament).info.status == "over"


def test_a_tournament_whose_people_have_left_for_good_ends(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 4, of_pairs())
    for number in (1, 2, 3):
        service.leaving.leave(persons[number - 1], f"Player {number}")
    view = service.tournaments.view(tournament, persons[3])
    assert view.info.host, "it has passed to who is left"
    names = [entrant.name for entrant in view.entrants]
    assert names == ["someone who left", "someone who left 2", "someone who left 3", "Player 4"]
    view = play_out(service, clock, tournament)
    assert (view.info.status, len(view.rounds)) == ("over", 1)


def test_it_goes_with_the_last_of_its_people(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs())
    for number, person in enumerate(persons, 1):
        service.leaving.leave(person, f"Player {number}")
    with pytest.raises(NoTable):
        service.tournaments.view(tournament)
    (lonely,) = people(service, "Lonely")
    tournament = service.tournaments.open(lonely, of_pairs())
    service.leaving.leave(lonely, "Lonely")
    with pytest.raises(NoTable):
        service.tournaments.view(tournament)


def test_who_is_suspended_is_not_paired(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 3, of_pairs())
    service.operating.suspend(persons[0])
    view = play_out(service, clock, tournament)
    for round_ in view.rounds[1:]:
        assert 1 not in [number for board in round_.boards for number in board.entrants]


def test_two_guests_who_are_one_are_so_in_tournaments_but_not_in_the_same(service: KontorServer) -> None:
    anna, again, bernd = people(service, "Anna", "Anna", "Bernd")
    tournament = service.tournaments.open(bernd, of_pairs())
    for person in (anna, again, bernd):
        service.tournaments.join(tournament, person)
    code = service.recovery.new_code(again)
    with pytest.raises(NotNow, match="same tournament"):
        service.merging.merge(anna, code)
    service.tournaments.leave(tournament, anna)
    service.merging.merge(anna, code)
    assert service.tournaments.view(tournament, anna).info.mine


# -------------------------------------------------------------------------------------------- kills of the program


def test_a_server_that_dies_while_it_pairs_pairs_once(place: Place, clock: Clock, monkeypatch: Any) -> None:
    with KontorServer.open(place, clock) as service:
        tournament, _ = start_tournament(service, 6, of_pairs(rounds=2))
        random, tables = Random(5), tables_now(service.tournaments.view(tournament))
        while sum(person_moves(service, table, random) for table in tables):
            pass
    made = tournament_rounds._make_table

    class Killed(BaseException):
        """An exception like a signal."""

    calls = []

    def dies(*given: Any) -> bool:
        calls.append(given)
        if len(calls) == 2:
            raise Killed
        return made(*given)

    monkeypatch.setattr(tournament_rounds, "_make_table", dies)
    with KontorServer.open(place, clock) as service, pytest.raises(Killed):
        service.upkeep.apply_deadlines()
    monkeypatch.undo()
    with KontorServer.open(place, clock) as service:
        assert service.tournaments.view(tournament).info.round == 1, "all of it or nothing"
        for _ in range(3):
            clock.tick(seconds=2)
            service.upkeep.apply_deadlines()
        view = service.tournaments.view(tournament)
        assert (view.info.round, len(view.rounds[1].boards)) == (2, 3)
        assert len({board.table for board in view.rounds[1].boards}) == 3
        assert play_out(service, clock, tournament).info.status == "over"


def test_several_workers_pair_a_round_once(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock) as service, KontorServer.open(database, clock) as other:
        tournament, _ = start_tournament(service, 8, of_pairs(rounds=3))
        for round_ in (1, 2):
            play_round(service, tournament, Random(round_))
            clock.tick(seconds=2)
            with ThreadPoolExecutor(4) as threads:
                both = [each._transactions for each in (service, other, service, other)]
                list(threads.map(partial(tournament_rounds.go_on, failing=FailingItems("tournaments")), both))
            view = service.tournaments.view(tournament)
            assert view.info.round == round_ + 1
            assert len(view.rounds[-1].boards) == 4
        tables = query(database, "SELECT COUNT(*) FROM tables")
        assert tables[0][0] == 12, "no table was made twice"


@pytest.mark.parametrize(
    ("place", "seed"),
    [("sqlite", 0), ("postgresql", 0), *(pytest.param("sqlite", seed, marks=pytest.mark.long) for seed in (1, 2))],
    indirect=["place"],
)
def test_whatever_happens_tournaments_end_and_add_up(place: Place, clock: Clock, seed: int) -> None:
    """Let people join, leave and be left out, and restart the server, at random."""
    random = Random(seed)
    service = KontorServer.open(place, clock)
    try:
        plan = of_pairs(rounds=4) if seed % 3 else of_tables(rounds=2)
        tournament, persons = start_tournament(service, random.randint(4, 7), plan)
        host = persons[0]
        for _ in range(200):
            view = service.tournaments.view(tournament, host)
            if view.info.status != "running":
                break
            check_sums(view)
            chosen = random.random()
            playing = [entrant.number for entrant in view.entrants if not entrant.left]
            if chosen < 0.15 and view.info.joining:
                persons += people(service, f"Player {len(persons) + 1}")
                service.tournaments.join(tournament, persons[-1])
            elif chosen < 0.3 and len(playing) > 4:
                service.tournaments.leave(tournament, persons[random.choice(playing) - 1])
            elif chosen < 0.4 and len(playing) > 4:
                service.tournaments.remove(tournament, host, random.choice(playing))
            elif chosen < 0.5:
                service.close()
                service = KontorServer.open(place, clock)
            else:
                for table in tables_now(view):
                    for _ in range(random.randint(0, 40)):
                        person_moves(service, table, random)
                if chosen > 0.8:
                    play_round(service, tournament, random)
            clock.tick(seconds=2)
            service.upkeep.apply_deadlines()
        assert play_out(service, clock, tournament, seed).info.status == "over"
        check_sums(service.tournaments.view(tournament))
    finally:
        service.close()


def check_sums(view: TournamentView) -> None:
    """Check that nobody sits twice in a round, and that all points come from finished boards."""
    given = 0.0
    for round_ in view.rounds:
        seated = [number for board in round_.boards for number in board.entrants]
        assert len(seated) == len(set(seated))
        given += sum(sum(board.points or ()) for board in round_.boards)
    assert sum(standing.points for standing in view.standings) == pytest.approx(given)
    assert {standing.entrant for standing in view.standings} == {entrant.number for entrant in view.entrants}


# --------------------------------------------------------------------------------------------------------- effects


def test_games_without_help_are_rated(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs(rounds=1))
    play_out(service, clock, tournament)
    with service._transactions.reading() as db:
        (game,) = select_rated(started_games(db))
    assert {person for person, _ in game.places} == set(persons)


def test_pairings_and_dice_follow_from_the_seed_that_was_promised(service: KontorServer, clock: Clock) -> None:
    tournament, _ = start_tournament(service, 2, of_pairs(rounds=1))
    info = service.tournaments.view(tournament).info
    assert info.seed is None
    view = play_out(service, clock, tournament)
    assert view.info.seed is not None
    seed = bytes.fromhex(view.info.seed)
    assert commitment(seed) == info.commitment
    (board,) = view.rounds[0].boards
    assert board.table is not None
    dice = hmac.digest(seed, b"kontor-tournament-1 dice 1 1", "sha256")
    assert service.tables.fair(board.table).seed == dice.hex()


def test_all_at_a_table_are_told_that_their_round_begins(service: KontorServer, place: Place) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    for person in (anna, bernd):
        service.ways.add(person, "webhook", "https://example.org/hook", "secret", "en", "http://localhost")
    tournament = service.tournaments.open(anna, of_pairs())
    for person in (anna, bernd):
        service.tournaments.join(tournament, person)
    service.tournaments.start(tournament, anna)
    waiting = query(place, "SELECT occasion, COUNT(*) FROM outbox GROUP BY occasion ORDER BY occasion")
    assert [tuple(row) for row in waiting if row[0] in ("round", "turn")] == [("round", 2)]


def test_a_tournament_that_cannot_be_read_stops_no_other(service: KontorServer, clock: Clock, place: Place) -> None:
    (spoilt, _), (sound, _) = start_tournament(service, 4, of_pairs()), start_tournament(service, 4, of_pairs())
    for tournament in (spoilt, sound):
        play_round(service, tournament, Random(1))
    query(place, "UPDATE tournaments SET sizes = 'no JSON', options = 'no JSON' WHERE id = ?", spoilt)
    clock.tick(seconds=61)
    service.upkeep.apply_deadlines()
    assert len(service.tournaments.view(sound).rounds) == 2
