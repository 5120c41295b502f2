"""Changes by organisers, forfeits, the points of byes, and waiting lists."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from guests import Clock, in_a_folder, query
from kontor.errors import BadPlan, BadText, NotAllowed, NotNow
from kontor.game import Result
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.ratings.rated_games import select_rated, started_games
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.values import TableInfo
from kontor.tournaments import POINT
from kontor.tournaments.pairing import Entrant, pairing_faults, swiss
from kontor.tournaments.scoring import TournamentGame, placed, played, played_early
from kontor.tournaments.values import BoardInfo, Correction, Swap, TournamentView
from tournaments.test_tournaments import (
    LIVE,
    check_sums,
    give_up,
    of_pairs,
    of_tables,
    people,
    play_out,
    play_round,
    start_tournament,
    tables_now,
)


def finish_round(service: KontorServer, tournament: str) -> TournamentView:
    """Let somebody give up at each table of two, and store the results."""
    for table in tables_now(service.tournaments.view(tournament)):
        give_up(service, table, Random(1))
    service.tournaments.go_on()
    return service.tournaments.view(tournament)


def boards_of(view: TournamentView, number: int) -> tuple[BoardInfo, ...]:
    """Return the boards of a round."""
    return next(round_.boards for round_ in view.rounds if round_.number == number)


def points_of(view: TournamentView, entrant: int) -> float:
    """Return an entrant's points."""
    return next(standing.points for standing in view.standings if standing.entrant == entrant)


# ------------------------------------------------------------------------------------------------------- corrections


@in_a_folder
def test_a_corrected_result_counts_and_all_can_read_why(service: KontorServer) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs())
    board = boards_of(finish_round(service, tournament), 1)[0]
    assert board.points is not None
    view = service.tournaments.view(tournament)
    winner, loser = sorted(board.entrants, key=lambda entrant: -points_of(view, entrant))
    places = tuple([2 if entrant == winner else 1 for entrant in board.entrants])
    correction = Correction(1, board.number, places, "The wrong one resigned.")
    service.tournaments.correct(tournament, persons[0], correction)
    view = service.tournaments.view(tournament)
    assert (points_of(view, loser), points_of(view, winner)) == (1, 0)
    assert boards_of(view, 1)[0].corrected
    (entry,) = view.log
    assert (entry.kind, entry.round, entry.board) == ("corrected", 1, board.number)
    assert (entry.name, entry.reason) == ("Player 1", "The wrong one resigned.")
    assert (entry.before, entry.after) == (board.points, board.points[::-1])
    service.tournaments.correct(tournament, persons[0], Correction(1, board.number, (1, 1), "They agreed to share."))
    view = service.tournaments.view(tournament)
    assert (points_of(view, loser), points_of(view, winner), len(view.log)) == (0.5, 0.5, 2)


def test_ratings_stay_those_of_the_game_as_it_was_played(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs(rounds=1))
    board = boards_of(play_out(service, clock, tournament), 1)[0]
    with service._transactions.reading() as db:
        (before,) = select_rated(started_games(db))
    assert board.points is not None
    places = tuple([1 if points < 1 else 2 for points in board.points])
    service.tournaments.correct(tournament, persons[0], Correction(1, board.number, places, "A slip."))
    with service._transactions.reading() as db:
        (after,) = select_rated(started_games(db))
    assert before == after


def test_only_the_host_corrects_and_only_recent_results(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 4, of_pairs(rounds=3))
    host = persons[0]
    with pytest.raises(NotNow, match="no result yet"):
        service.tournaments.correct(tournament, host, Correction(1, 1, (1, 1), "Why?"))
    for _ in range(2):
        finish_round(service, tournament)
        clock.tick(seconds=61)
        service.upkeep.apply_deadlines()
    with pytest.raises(NotAllowed):
        service.tournaments.correct(tournament, persons[1], Correction(2, 1, (1, 1), "Why?"))
    for refused, correction in (
        (NotNow, Correction(1, 1, (1, 1), "Too late")),
        (NotNow, Correction(2, 9, (1, 1), "No such board")),
        (BadText, Correction(2, 1, (1, 1), "  ")),
        (BadPlan, Correction(2, 1, (1, 3), "A place too many")),
        (BadPlan, Correction(2, 1, (1,), "A place too few")),
    ):
        with pytest.raises(refused):
            service.tournaments.correct(tournament, host, correction)
    finish_round(service, tournament)
    clock.tick(days=6)
    service.tournaments.correct(tournament, host, Correction(3, 1, (1, 1), "Seen late"))
    with pytest.raises(NotNow, match="already"):
        service.tournaments.correct(tournament, host, Correction(3, 1, (1, 1), "Again"))
    clock.tick(days=2)
    with pytest.raises(NotNow, match="until a week after"):
        service.tournaments.correct(tournament, host, Correction(3, 1, (2, 1), "Seen too late"))


# --------------------------------------------------------------------------------------------------- pairing by hand


def test_a_proposed_pairing_waits_for_the_host_and_then_begins_by_itself(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 4, of_pairs(approval=True, rounds=2))
    view = service.tournaments.view(tournament)
    assert view.proposal is not None
    assert (view.info.round, view.proposal.round, len(view.proposal.boards), view.rounds) == (0, 1, 2, ())
    service.tournaments.begin_round(tournament, persons[0])
    view = service.tournaments.view(tournament)
    assert (view.info.round, view.proposal) == (1, None)
    assert [board.entrants for board in view.rounds[0].boards]
    finish_round(service, tournament)
    proposal = service.tournaments.view(tournament).proposal
    assert proposal is not None
    clock.tick(hours=23)
    service.upkeep.apply_deadlines()
    assert service.tournaments.view(tournament).info.round == 1
    clock.tick(hours=2)
    service.upkeep.apply_deadlines()
    view = service.tournaments.view(tournament)
    assert tuple([board.entrants for board in boards_of(view, 2)]) == proposal.boards


def test_the_host_swaps_two_players_and_all_can_read_why(service: KontorServer) -> None:
    tournament, persons = start_tournament(service, 5, of_pairs(approval=True))
    proposal = service.tournaments.view(tournament).proposal
    assert proposal is not None
    ((free,),) = [board for board in proposal.boards if len(board) == 1]
    chosen = proposal.boards[0][0]
    with pytest.raises(NotAllowed):
        service.tournaments.swap(tournament, persons[1], Swap((free, chosen), "I would rather rest."))
    with pytest.raises(BadText):
        service.tournaments.swap(tournament, persons[0], Swap((free, chosen), ""))
    with pytest.raises(NotNow):
        service.tournaments.swap(tournament, persons[0], Swap((free, free), "Twice the same"))
    service.tournaments.swap(tournament, persons[0], Swap((free, chosen), "They asked for it."))
    service.tournaments.begin_round(tournament, persons[0])
    view = service.tournaments.view(tournament)
    assert [board.entrants for board in boards_of(view, 1) if len(board.entrants) == 1] == [(chosen,)]
    (entry,) = view.log
    assert (entry.kind, entry.entrants, entry.reason) == ("swapped", (free, chosen), "They asked for it.")
    with pytest.raises(NotNow, match="No pairing"):
        service.tournaments.swap(tournament, persons[0], Swap((free, chosen), "Too late"))


def test_a_swap_that_breaks_a_rule_is_refused_unless_the_host_insists(service: KontorServer) -> None:
    tournament, persons = start_tournament(service, 4, of_pairs(approval=True))
    service.tournaments.begin_round(tournament, persons[0])
    one, opponent = boards_of(finish_round(service, tournament), 1)[0].entrants
    proposal = service.tournaments.view(tournament).proposal
    assert proposal is not None
    assert not proposal.faults
    neighbour = next(number for board in proposal.boards if one in board for number in board if number != one)
    again = Swap((opponent, neighbour), "They want a rematch.")
    with pytest.raises(NotNow, match="would meet again"):
        service.tournaments.swap(tournament, persons[0], again)
    service.tournaments.swap(tournament, persons[0], Swap(again.entrants, again.reason, anyway=True))
    view = service.tournaments.view(tournament)
    assert view.proposal is not None
    assert {fault.kind for fault in view.proposal.faults} >= {"met"}
    assert view.log[-1].faults


def test_a_pairing_is_proposed_anew_when_somebody_comes_or_goes(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 4, of_pairs(approval=True, pace=LIVE))
    service.tournaments.leave(tournament, persons[1])
    service.upkeep.apply_deadlines()
    (late,) = people(service, "Late")
    service.tournaments.join(tournament, late)
    clock.tick(seconds=1)
    service.upkeep.apply_deadlines()
    proposal = service.tournaments.view(tournament).proposal
    assert proposal is not None
    assert sorted(number for board in proposal.boards for number in board) == [1, 3, 4, 5]
    service.operating.suspend(persons[2])
    service.tournaments.begin_round(tournament, persons[0])
    seated = [number for board in boards_of(service.tournaments.view(tournament), 1) for number in board.entrants]
    assert sorted(seated) == [1, 4, 5], "who is gone is not paired, though they were proposed"


def test_where_everyone_plays_everyone_nothing_is_paired_by_hand(service: KontorServer) -> None:
    (anna,) = people(service, "Anna")
    with pytest.raises(BadPlan, match="fixed"):
        service.tournaments.open(anna, of_pairs(system="all", approval=True))


@given(st.integers(2, 9), st.integers(0, 5), st.integers(0, 2**32))
def test_pairing_breaks_none_of_the_rules_that_are_checked_where_it_need_not(
    count: int, rounds: int, seed: int
) -> None:
    """Check that what pairing chose has faults only if all have met, or everybody had the bye."""
    entrants = [Entrant(str(number)) for number in range(count)]
    games: list[TournamentGame] = []
    free: list[str] = []
    for number in range(1, min(rounds, (count - 1) // 2) + 1):
        paired = swiss(entrants, games, free, seed + number)
        assert not [fault for fault in pairing_faults(paired, games, free) if fault.kind == "bye"]
        games += [placed(number, table, (1, 2)) for table in paired.tables]
        free += paired.byes
    if games:
        again = swiss(entrants, [], [], seed + 1)
        kinds = [fault.kind for fault in pairing_faults(again, games, free)]
        assert kinds.count("met") >= len(again.tables), "the first round again: all have met"


# -------------------------------------------------------------------------------------------------------- forfeiting


@in_a_folder
def test_a_leaver_loses_the_game_they_are_playing(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs(rounds=1))
    (table,) = service.tournaments.view(tournament, persons[0]).my_tables
    service.tournaments.leave(tournament, persons[0])
    assert service.tables.info(table).status == "over"
    service.tournaments.go_on()
    view = service.tournaments.view(tournament)
    assert (points_of(view, 1), points_of(view, 2)) == (0, 1)


def test_at_larger_tables_a_leaver_comes_last_however_the_game_goes_on(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 4, of_tables(rounds=1))
    service.tournaments.leave(tournament, persons[0])
    (table,) = tables_now(service.tournaments.view(tournament))
    info = service.tables.info(table)
    assert info.status == "playing"
    (seat,) = [number for number, sitter in enumerate(info.seats) if sitter.resigned]
    play_round(service, tournament, Random(1))
    service.tournaments.go_on()
    view = service.tournaments.view(tournament)
    board = boards_of(view, 1)[0]
    assert board.points is not None
    assert board.points[seat] == 0
    assert sum(board.points) == pytest.approx(2)


def test_the_host_can_let_computer_players_finish_the_games_of_leavers(service: KontorServer) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs(rounds=1, leavers="computer"))
    (table,) = service.tournaments.view(tournament, persons[0]).my_tables
    service.tournaments.leave(tournament, persons[0])
    assert service.tables.info(table).status == "playing"
    play_round(service, tournament, Random(1))
    service.tournaments.go_on()
    assert service.tournaments.view(tournament).info.status == "over"


def test_a_leaver_forfeits_both_games_of_a_match(service: KontorServer) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs(rounds=1, duplicate=True, public=False))
    service.tournaments.leave(tournament, persons[0])
    service.tournaments.go_on()
    view = service.tournaments.view(tournament)
    assert view.info.status == "over"
    assert [board.table is None for board in boards_of(view, 1)] == [False, True], "the second is not even begun"
    assert (points_of(view, 1), points_of(view, 2)) == (0, 1)


def test_who_deletes_their_account_forfeits_too(service: KontorServer) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs(rounds=1))
    (table,) = service.tournaments.view(tournament, persons[1]).my_tables
    service.leaving.leave(persons[1], "Player 2")
    info: TableInfo = service.tables.info(table)
    assert info.status == "over"
    service.tournaments.go_on()
    assert points_of(service.tournaments.view(tournament), 1) == 1


def test_in_tournaments_of_before_computer_players_go_on_for_leavers(service: KontorServer, place: Place) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs(rounds=1))
    query(place, "UPDATE tournaments SET leavers = 'computer'")
    service.tournaments.leave(tournament, persons[0])
    assert service.tables.info(tables_now(service.tournaments.view(tournament))[0]).status == "playing"


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=6), st.data())
def test_points_of_a_table_add_up_and_forfeits_come_last(points: list[int], data: st.DataObject) -> None:
    seats = tuple(map(str, range(len(points))))
    forfeits = data.draw(st.sets(st.integers(0, len(points) - 1)))
    winners = tuple([seat for seat in range(len(points)) if points[seat] == max(points)])
    places = tuple(data.draw(st.lists(st.integers(1, len(points)), min_size=len(points), max_size=len(points))))
    games = (
        played(1, seats, Result(tuple(points), winners), forfeits),
        played_early(1, seats, winners, forfeits),
        placed(1, seats, places),
    )
    for game in games:
        assert sum(game.points) == len(points) * POINT // 2
    for game in games[:2]:
        staying = [game.points[seat] for seat in range(len(points)) if seat not in forfeits]
        assert not staying or all(game.points[seat] <= min(staying) for seat in forfeits)
    for one in range(len(points)):
        for other in range(len(points)):
            assert (places[one] < places[other]) == (games[2].points[one] > games[2].points[other])


# --------------------------------------------------------------------------------------------------------------- byes


def test_a_bye_counts_when_its_round_ends(service: KontorServer) -> None:
    tournament, _ = start_tournament(service, 3, of_pairs(rounds=1))
    view = service.tournaments.view(tournament)
    (bye,) = [board for board in boards_of(view, 1) if len(board.entrants) == 1]
    assert bye.points is None
    assert {standing.points for standing in view.standings} == {0}
    check_sums(view)
    view = finish_round(service, tournament)
    assert points_of(view, bye.entrants[0]) == 1
    check_sums(view)


# ------------------------------------------------------------------------------------------------------- waiting list


@in_a_folder
def test_who_comes_when_it_is_full_waits_and_moves_up(service: KontorServer, place: Place) -> None:
    anna, bernd, carla, dora, emil = people(service, "Anna", "Bernd", "Carla", "Dora", "Emil")
    tournament = service.tournaments.open(anna, of_pairs(most=2))
    for person in (carla, dora):
        service.ways.add(person, "webhook", "https://example.org/hook", "secret", "en", "http://localhost")
    for person in (anna, bernd, carla, dora, emil):
        service.tournaments.join(tournament, person)
    view = service.tournaments.view(tournament, dora)
    assert (view.info.entrants, view.info.waiting, view.info.most) == (2, 3, 2)
    assert (view.info.mine, view.info.waits) == (False, True)
    assert [info.id for info in service.tournaments.mine(dora)] == [tournament]
    service.tournaments.leave(tournament, dora)
    service.tournaments.leave(tournament, bernd)
    view = service.tournaments.view(tournament, carla)
    assert (view.info.mine, view.info.waits, view.info.waiting) == (True, False, 1)
    notified = query(
        place, "SELECT ways.person, about FROM outbox JOIN ways ON ways.id = way WHERE occasion = 'place'"
    )
    assert [tuple(row) for row in notified] == [(carla, tournament)]
    service.tournaments.remove(tournament, anna, 1)
    assert service.tournaments.view(tournament, emil).info.mine
    service.tournaments.join(tournament, bernd)
    service.tournaments.start(tournament, anna)
    view = service.tournaments.view(tournament, bernd)
    assert (view.info.waiting, view.info.waits) == (0, False), "the list ends when it begins"
    assert sorted(number for board in boards_of(view, 1) for number in board.entrants) == [3, 5]
    with pytest.raises(NotNow, match="full"):
        service.tournaments.join(tournament, bernd)


def test_nobody_moves_up_who_has_left_for_good_or_is_suspended(service: KontorServer) -> None:
    anna, bernd, carla, dora, emil = people(service, "Anna", "Bernd", "Carla", "Dora", "Emil")
    tournament = service.tournaments.open(anna, of_pairs(most=2))
    for person in (anna, bernd, carla, dora, emil):
        service.tournaments.join(tournament, person)
    service.operating.suspend(carla)
    service.leaving.leave(dora, "Dora")
    service.leaving.leave(bernd, "Bernd")
    assert service.tournaments.view(tournament, emil).info.mine


def test_the_limit_is_not_below_the_players_needed(service: KontorServer) -> None:
    (anna,) = people(service, "Anna")
    with pytest.raises(BadPlan, match="fewer than"):
        service.tournaments.open(anna, of_pairs(fewest=4, most=3))


# ----------------------------------------------------------------------------------- description, options, one's data


def test_the_games_options_hold_at_each_table(service: KontorServer, clock: Clock) -> None:
    options = {players: DutchmanOptions(players=players, circles=1) for players in (3, 4, 5, 6)}
    tournament, _ = start_tournament(service, 3, replace(of_tables(), options=options))
    (table,) = tables_now(service.tournaments.view(tournament))
    assert service.tables.info(table).options.circles == 1
    tournament, _ = start_tournament(service, 2, replace(of_pairs(), options={2: ShanghaienOptions(starter=1)}))
    (table,) = tables_now(service.tournaments.view(tournament))
    assert service.tables.info(table).options.starter == 1
    assert service.tournaments.view(tournament).options["2"]["starter"] == 1


def test_a_description_is_kept_in_its_lines_and_has_its_limits(service: KontorServer) -> None:
    (anna,) = people(service, "Anna")
    text = "Bring tea.\r\n\r\n\r\n\r\nSee https://example.org\u202e  "
    tournament = service.tournaments.open(anna, of_pairs(description=text))
    assert service.tournaments.view(tournament).info.description == "Bring tea.\n\nSee https://example.org"
    for wrong in ("x" * 2001, "a\n" * 100):
        with pytest.raises(BadText):
            service.tournaments.open(anna, of_pairs(description=wrong))


def test_a_host_who_leaves_takes_their_name_and_words_along(service: KontorServer) -> None:
    tournament, persons = start_tournament(service, 4, of_pairs())
    board = boards_of(finish_round(service, tournament), 1)[0]
    service.tournaments.correct(tournament, persons[0], Correction(1, board.number, (1, 1), "Anna told me so."))
    own = service.export.of(persons[0])
    (mine,) = own.tournaments
    assert [entry.reason for entry in mine.changes] == ["Anna told me so."]
    service.leaving.leave(persons[0], "Player 1")
    (entry,) = service.tournaments.view(tournament).log
    assert (entry.name, entry.reason, entry.after) == ("someone who left", "", (0.5, 0.5))


def test_it_can_begin_weeks_ahead(service: KontorServer, clock: Clock) -> None:
    (anna,) = people(service, "Anna")
    starts = clock.time + timedelta(days=80)
    tournament = service.tournaments.open(anna, of_pairs(starts=starts))
    assert service.tournaments.view(tournament).info.starts == starts
    for wrong in (clock.time, clock.time + timedelta(days=91)):
        with pytest.raises(BadPlan):
            service.tournaments.open(anna, of_pairs(starts=wrong))


@pytest.mark.parametrize("how", ["removed", "suspended"])
def test_where_everybody_plays_everybody_nobody_is_drawn_who_does_not_begin(
    service: KontorServer, clock: Clock, how: str
) -> None:
    persons = people(service, *"ABCDE")
    tournament = service.tournaments.open(persons[0], of_pairs(system="all", rounds=1))
    for person in persons:
        service.tournaments.join(tournament, person)
    if how == "removed":
        service.tournaments.remove(tournament, persons[0], 3)
    else:
        service.operating.suspend(persons[2])
    service.tournaments.start(tournament, persons[0])
    view = play_out(service, clock, tournament)
    boards = [board.entrants for round_ in view.rounds for board in round_.boards]
    assert len(boards) == 6, "each of the four meets each other, and nobody has a bye"
    assert {frozenset(board) for board in boards} == {
        frozenset((one, other)) for one in (1, 2, 4, 5) for other in (1, 2, 4, 5) if one < other
    }


def test_a_suspended_entrant_gives_their_place_to_who_waits(service: KontorServer) -> None:
    anna, bernd, carla, dora = people(service, "Anna", "Bernd", "Carla", "Dora")
    tournament = service.tournaments.open(anna, of_pairs(most=2))
    for person in (anna, bernd, carla, dora):
        service.tournaments.join(tournament, person)
    service.operating.suspend(bernd)
    service.tournaments.start(tournament, anna)
    view = service.tournaments.view(tournament, carla)
    assert view.info.status == "running"
    assert view.info.mine
    assert not service.tournaments.view(tournament, dora).info.mine


def test_who_was_removed_while_they_waited_cannot_come_back(service: KontorServer) -> None:
    anna, bernd, carla = people(service, "Anna", "Bernd", "Carla")
    tournament = service.tournaments.open(anna, of_pairs(most=2))
    for person in (anna, bernd, carla):
        service.tournaments.join(tournament, person)
    service.tournaments.remove(tournament, anna, 3)
    service.tournaments.start(tournament, anna)
    with pytest.raises(NotAllowed):
        service.tournaments.join(tournament, carla)


def test_who_is_no_longer_a_member_of_the_club_does_not_move_up(service: KontorServer) -> None:
    anna, bernd, carla, dora = people(service, "Anna", "Bernd", "Carla", "Dora")
    club = service.clubs.create(anna, "Hafenrunde", "", visible=False)
    link = service.clubs.view(club, anna).invitation
    for person in (bernd, carla, dora):
        service.clubs.join(link, person)
    tournament = service.tournaments.open(anna, of_pairs(most=2, club=club, members_only=True))
    for person in (anna, bernd, carla, dora):
        service.tournaments.join(tournament, person)
    service.clubs.leave(club, carla)
    service.tournaments.leave(tournament, bernd)
    assert not service.tournaments.view(tournament, carla).info.mine
    assert service.tournaments.view(tournament, dora).info.mine
