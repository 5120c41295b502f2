"""Duplicate rounds in step.

Outcomes at one table tell nobody what will come at another, and nobody can keep the others waiting. Tournaments of
earlier versions go on by their old rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from guests import Clock, in_a_folder, quick
from kontor import records
from kontor.errors import NotNow, NotYourTurn
from kontor.fair import DuplicateDice, Occasion, SteppedDice
from kontor.game import CHANCE
from kontor.plugins import game_named
from kontor.server.composition import KontorServer
from kontor.server.copies import move
from kontor.storage import Place
from kontor.storage.schema import tournaments
from kontor.tables import advance, stepping, turn_inputs
from kontor.tables.game_states import LogEntry
from kontor.work.failing_items import FailingItems
from tournaments.test_tournaments import (
    LIVE,
    chance_acts,
    of_pairs,
    people,
    person_moves,
    play_round,
    start_tournament,
    tables_now,
)

Drawn = tuple[Occasion, int]
"""The source of an outcome: its occasion, and its number there, as these dice count."""


def live(**more: Any) -> Any:
    return of_pairs(pace=LIVE, duplicate=True, rounds=1, **more)


def in_turns(service: KontorServer, count: int) -> str:
    """Return a tournament begun by an earlier version.

    Of two games with the same dice the second comes after the first, and nobody waits for other tables.
    """
    persons = people(service, *(f"Player {number}" for number in range(1, count + 1)))
    tournament = service.tournaments.open(persons[0], live())
    with service._transactions.changing() as change:
        change.db.execute(update(tournaments).where(tournaments.c.id == tournament).values(in_step=False))
    for person in persons:
        service.tournaments.join(tournament, person)
    service.tournaments.start(tournament, persons[0])
    return tournament


class Friends:
    """People at all tables who tell each other at once what they see."""

    def __init__(self, service: KontorServer) -> None:
        self._service = service
        self.now = 0
        self._seen: dict[str, int] = {}
        self._first: dict[Drawn, tuple[int, str, bytes]] = {}
        """Time when an outcome was first seen, its table, and its value."""
        self._decided: dict[str, int] = {}
        self.outcomes: dict[str, int] = {}
        self.predicted: dict[str, int] = {}

    def note_move(self, table: str) -> None:
        """Record that somebody has moved at the table, with the knowledge of all friends so far."""
        self.now += 1
        self._decided[table] = self.now
        self.look([table])

    def look(self, tables: Sequence[str]) -> None:
        """Record the new outcomes at some tables."""
        for table in tables:
            game_state = self._service.tables.view(table).log.game_state
            tail = game_state.tail
            for before, line in pairwise(tail):
                if line.number > self._seen.get(table, 1) and line.step and line.step.seat == CHANCE:
                    self._note_outcome(table, before, line)
            self._seen[table] = game_state.number

    def _note_outcome(self, table: str, before: LogEntry, line: LogEntry) -> None:
        game_state = self._service.tables.view(table).log.game_state
        assert isinstance(game_state.dice, DuplicateDice)
        assert line.step
        occasion = game_state.game.occasion(before.state)
        source = occasion, (before.occasions or {}).get(game_state.dice.series(occasion), 0)
        outcome = msgspec.json.encode(line.step.action)
        at, where, same = self._first.setdefault(source, (self.now, table, outcome))
        assert outcome == same
        self.outcomes[table] = self.outcomes.get(table, 0) + 1
        is_predicted = where != table and at < self._decided.get(table, 0)
        self.predicted[table] = self.predicted.get(table, 0) + is_predicted


def play_with_friends(service: KontorServer, tournament: str, random: Random) -> Friends:
    """Play with friends: at the first tables they move whenever they can; the others when nobody else can."""
    friends = Friends(service)
    while tables := tables_now(service.tournaments.view(tournament)):
        for table in tables:
            while person_moves(service, table, random):
                friends.note_move(table)
        service.tournaments.go_on()
        friends.look(tables)
    return friends


@in_a_folder
def test_nobody_knows_what_is_to_come_at_another_table(service: KontorServer) -> None:
    tournament, _ = start_tournament(service, 6, live())
    tables = tables_now(service.tournaments.view(tournament))
    assert len(tables) == 6, "both games of each pair at once"
    friends = play_with_friends(service, tournament, Random(1))
    assert min(friends.outcomes.values()) > 20
    assert sum(friends.predicted.values()) == 0
    lucks = [_outcomes_of(service, table) for table in tables]
    for one in lucks:
        assert len([source for source in one if source[0][0] == "row"]) == 8
    everywhere = set(lucks[0]).intersection(*lucks)
    assert len(everywhere) > 12
    assert all(len({luck[source] for luck in lucks}) == 1 for source in everywhere)


@in_a_folder
def test_in_turns_a_friend_at_another_table_knows_most_of_it(service: KontorServer) -> None:
    """Check tournaments of an earlier version: this is the reason why rounds are played in step now."""
    tournament = in_turns(service, 4)
    assert len(tables_now(service.tournaments.view(tournament))) == 2
    friends = play_with_friends(service, tournament, Random(1))
    assert len(friends.outcomes) == 4
    assert max(friends.predicted[table] / friends.outcomes[table] for table in friends.outcomes) > 0.7
    info = service.tournaments.view(tournament).info
    assert info.status == "over"
    for table in friends.outcomes:
        record = service.tables.record(table)
        assert record.header.record == records.DUPLICATE_VERSION
        assert records.verify(record).dice


def _outcomes_of(service: KontorServer, table: str) -> dict[Drawn, bytes]:
    """Return all outcomes of a finished game, by their sources."""
    record = service.tables.record(table)
    assert record.header.record == records.STEPPED_VERSION
    assert records.verify(records.decode(records.encode(record))).dice
    assert service.tables.fair(table).kind == "stepped"
    dice = SteppedDice(bytes(32))
    outcomes, times = dict[Drawn, bytes](), dict[Occasion, int]()
    game = game_named(record.header.game)
    for before, step in zip(records.replay(record), record.steps, strict=False):
        if step.seat == CHANCE:
            occasion = game.occasion(before)
            series = dice.series(occasion)
            times[series] = times.get(series, 0) + 1
            outcomes[occasion, times[series] - 1] = records.encode_line(step)
    return outcomes


def _waiting_tables(service: KontorServer, tables: Sequence[str]) -> list[str]:
    """Return the tables at which nobody can move."""
    return [
        table
        for table in tables
        if service.tables.info(table).mover is None and service.tables.info(table).status == "playing"
    ]


def test_who_is_late_is_played_for_and_the_others_go_on(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 4, live())
    tables = tables_now(service.tournaments.view(tournament))
    chance_acts(service, tables)
    *punctual, slow = tables
    random = Random(2)
    while any(person_moves(service, table, random) for table in punctual):
        pass
    assert _waiting_tables(service, punctual) == punctual
    assert not chance_acts(service, tables), "one of them can still choose"
    clock.tick(seconds=10)
    service.upkeep.apply_deadlines()
    assert _waiting_tables(service, punctual) == punctual
    for _ in range(12):
        clock.tick(seconds=10)
        service.upkeep.apply_deadlines()
    mover = service.tables.info(slow).mover
    assert mover is not None
    assert service.tables.info(slow).seats[mover].stood_in
    late = next(person for person in persons if service.tables.info(slow, person).mine == (mover,))
    with pytest.raises(NotNow, match="just moving for you"):
        service.clocks.come_back(slow, mover, late)
    assert quick(service).one_round()
    service.clocks.come_back(slow, mover, late)
    play_round(service, tournament, random)
    clock.tick(seconds=2)
    service.upkeep.apply_deadlines()
    assert service.tournaments.view(tournament).info.status == "over"


def test_while_a_table_waits_nobody_moves_nor_takes_back_and_no_clock_runs(service: KontorServer) -> None:
    tournament, persons = start_tournament(service, 4, live())
    tables = tables_now(service.tournaments.view(tournament))
    assert _waiting_tables(service, tables) == tables, "the lot for who starts"
    chance_acts(service, tables)
    assert not _waiting_tables(service, tables)
    mover = service.tables.info(tables[0]).mover
    assert mover is not None
    assert person_moves(service, tables[0], Random(1))
    info = service.tables.info(tables[0])
    assert info.mover is None
    assert info.deadline is None
    for person in persons:
        assert service.tables.info(tables[0], person).undo_until is None
    for seat in (0, 1):
        with pytest.raises(NotYourTurn):
            service.moves.play(tables[0], seat, info.number, None)
    for table in tables[1:]:
        assert person_moves(service, table, Random(1))
        assert not service.listing.is_for_people(table), "computer players look what has become due"
    service.upkeep.apply_deadlines()
    assert not _waiting_tables(service, tables), "at once"


@in_a_folder
def test_a_round_goes_on_where_it_was_after_each_restart(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        tournament, _ = start_tournament(service, 4, live())
        tables = tables_now(service.tournaments.view(tournament))
    random = Random(4)
    waited = 0
    for _ in range(8):
        with KontorServer.open(place, clock) as service:
            for table in tables[:3]:
                person_moves(service, table, random)
            waited += bool(_waiting_tables(service, tables))
        with KontorServer.open(place, clock) as service:
            person_moves(service, tables[3], random)
            service.tournaments.go_on()
    assert waited > 1
    with KontorServer.open(place, clock) as service:
        play_round(service, tournament, random)
        service.tournaments.go_on()
        assert service.tournaments.view(tournament).info.status == "over"
        assert {len(_outcomes_of(service, table)) > 20 for table in tables} == {True}


def test_a_server_that_ends_between_two_tables_opens_the_other_later(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, _ = start_tournament(service, 4, live())
    tables = tables_now(service.tournaments.view(tournament))
    drawn = 0

    def fail(*given: Any) -> None:
        nonlocal drawn
        drawn += 1
        if drawn == 2:
            raise KeyError
        draw(*given)

    draw = advance.draw
    monkeypatch.setattr(advance, "draw", fail)
    stepping.go_on(service._transactions, FailingItems("tables in step"))
    numbers = [service.tables.info(table).number for table in tables]
    assert len(set(numbers)) == 2, "one table has its outcome"
    stepping.go_on(service._transactions, FailingItems("tables in step"))
    assert not _waiting_tables(service, tables)
    assert len({service.tables.info(table).number for table in tables}) == 1


@in_a_folder
def test_whose_game_ends_early_is_waited_for_no_longer(service: KontorServer) -> None:
    tournament, persons = start_tournament(service, 4, live())
    tables = tables_now(service.tournaments.view(tournament))
    seats = {table: [service.tables.info(table, person).mine for person in persons] for table in tables}
    loser = next(person for person, mine in zip(persons, seats[tables[0]], strict=True) if mine)
    service.early_endings.resign(tables[0], service.tables.info(tables[0], loser).mine[0], loser)
    chance_acts(service, tables)
    assert not _waiting_tables(service, tables[1:])
    play_round(service, tournament, Random(5))
    service.tournaments.go_on()
    assert service.tournaments.view(tournament).info.status == "over"
    record = service.tables.record(tables[0])
    assert not record.steps
    assert records.verify(records.decode(records.encode(record))).early


def test_computer_players_of_tables_with_one_seed_choose_apart(service: KontorServer, clock: Clock) -> None:
    tournament, _ = start_tournament(service, 4, live())
    tables = tables_now(service.tournaments.view(tournament))
    chance_acts(service, tables)
    for _ in range(12):
        clock.tick(seconds=10)
        service.upkeep.apply_deadlines()
    lucks = set()
    for table in tables:
        mover = service.tables.info(table).mover
        assert mover is not None
        seen, luck = turn_inputs.think(service.tables.view(table), mover)
        lucks.add((seen.number, luck))
    assert len({number for number, _ in lucks}) == 1
    assert len(lucks) == len(tables)


def test_a_copy_knows_the_tables_that_wait(tmp_path: Path, clock: Clock) -> None:
    with KontorServer.open(tmp_path / "here", clock) as service:
        tournament, _ = start_tournament(service, 4, live())
        tables = tables_now(service.tournaments.view(tournament))
        chance_acts(service, tables)
        person_moves(service, tables[0], Random(1))
        assert _waiting_tables(service, tables)
    moved = move(tmp_path / "here", tmp_path / "there")
    assert (moved.games, moved.unplayable) == (4, ())
    with KontorServer.open(tmp_path / "there", clock) as service:
        assert tables_now(service.tournaments.view(tournament)) == tables
        assert _waiting_tables(service, tables) == tables[:1]
        for table in tables[1:]:
            assert person_moves(service, table, Random(1))
        assert chance_acts(service, tables)
        assert not _waiting_tables(service, tables)
