"""Tournaments: opened, joined, played round by round; whoever leaves, comes late or is gone, and whenever the program
dies, they end, and each round was paired once."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.table import Pace, TableService
from kontor.table.tournament_values import TournamentPlan, TournamentView

from .guests import Clock, play_one, quick

LIVE = Pace("live", 30, 60)
SLOW = Pace("slow", 24 * 3600)


def of_pairs(**more: Any) -> TournamentPlan:
    """Of Shanghaien."""
    given = {"name": "Winter Cup", "game": "shanghaien", "system": "swiss", "sizes": (2,), "rounds": 3, "pace": SLOW}
    return TournamentPlan(options={2: ShanghaienOptions()}, **{**given, **more})


def of_tables(**more: Any) -> TournamentPlan:
    """Of Der fliegende Holländer."""
    given = {"name": "Regatta", "game": "dutchman", "system": "tables", "sizes": (4, 3), "rounds": 3, "pace": SLOW}
    options = {players: DutchmanOptions(players=players) for players in (3, 4, 5, 6)}
    return TournamentPlan(options=options, **{**given, **more})


def people(service: TableService, *names: str) -> list[str]:
    return [service.people.guest(name)[0].id for name in names]


def begun(service: TableService, count: int, plan: TournamentPlan) -> tuple[str, list[str]]:
    """A tournament that so many have joined, the first of whom has opened it."""
    found = people(service, *(f"Player {number}" for number in range(1, count + 1)))
    tournament = service.tournaments.open(found[0], plan)
    for person in found:
        service.tournaments.join(tournament, person)
    service.tournaments.start(tournament, found[0])
    return tournament, found


def tables_now(view: TournamentView) -> list[str]:
    """Those of the last round at which a game may be going on."""
    last = view.rounds[-1] if view.rounds else None
    return [board.table for board in last.boards if board.table and board.points is None] if last else []


def play_round(service: TableService, tournament: str, random: Random) -> None:
    """People move at random, computer players theirs, until all tables of the round are over."""
    tables = tables_now(service.tournaments.view(tournament))
    machines = quick(service)
    while sum(play_one(service, table, random) for table in tables) or (machines.one_round()):
        pass
    assert {service.info(table).status for table in tables} <= {"over"}


def play_out(service: TableService, clock: Clock, tournament: str, seed: int = 1) -> TournamentView:
    """The tournament to its end."""
    random = Random(seed)
    for _ in range(200):
        view = service.tournaments.view(tournament)
        if view.info.status != "running":
            return view
        play_round(service, tournament, random)
        clock.tick(seconds=61)
        service.upkeep.apply_deadlines()
    raise AssertionError("the tournament does not end")


# -------------------------------------------------------------------------------------------------- how it is played


@pytest.mark.parametrize(("system", "count", "rounds"), [("swiss", 5, 3), ("all", 4, 3), ("all twice", 3, 6)])
def test_pairs_play_round_by_round(service: TableService, clock: Clock, system: Any, count: int, rounds: int) -> None:
    tournament, found = begun(service, count, of_pairs(system=system))
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
    assert len(found) == count


def test_at_larger_tables_all_sit_and_places_give_points(service: TableService, clock: Clock) -> None:
    tournament, _ = begun(service, 7, of_tables(rounds=2))
    view = service.tournaments.view(tournament)
    assert sorted(len(board.entrants) for board in view.rounds[0].boards) == [3, 4]
    view = play_out(service, clock, tournament)
    assert view.info.status == "over"
    assert all(max(board.points or ()) == 1.0 for round_ in view.rounds for board in round_.boards)


def test_live_rounds_have_a_break_between_them(service: TableService, clock: Clock) -> None:
    tournament, _ = begun(service, 2, of_pairs(pace=LIVE, rounds=2))
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
