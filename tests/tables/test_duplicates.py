"""Tables with the same dice: nobody learns at one what will come at another, until all have ended."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from guests import ME, OPEN, Clock, in_a_folder, play_one, play_out, shanghaien
from kontor import records
from kontor.accounts.archive import pack_data
from kontor.errors import NotAllowed, NotNow
from kontor.fair import commitment, new_seed
from kontor.game import CHANCE
from kontor.games.shanghaien.rules import Move
from kontor.plugins import game_named
from kontor.ratings.rated_games import select_rated, started_games
from kontor.records import Record
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.schema import tables
from kontor.tables.duplicates import SEALED, release
from kontor.tables.values import Pace
from kontor.words import Words
from tournaments.test_tournaments import LIVE, SLOW, of_pairs, play_round, start_tournament, tables_now

Opened = tuple[str, str, str]
"""A table, and the people at it."""


def open_table(service: KontorServer, seed: bytes) -> Opened:
    """Return a table with these dice, at which two people begin."""
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    table = service.opening.open(anna, shanghaien(ME, OPEN))
    with service._transactions.changing() as change:
        change.take(table)
        dice: dict[str, Any] = {"seed": seed, "commitment": commitment(seed), **SEALED}
        change.db.execute(update(tables).where(tables.c.id == table).values(**dice))
        change.touch(table)
    service.opening.sit(table, 1, bernd)
    assert service.tables.info(table).status == "playing"
    return table, anna, bernd


def released(service: KontorServer, seed: bytes) -> bool:
    with service._transactions.changing() as change:
        return release(change, commitment(seed))


def move_on(service: KontorServer, opened: Opened, random: Random, moves: int) -> None:
    """Make random moves for the people who are to move, ``moves`` times or until the end."""
    table, *people = opened
    for _ in range(moves):
        mover = service.tables.info(table).mover
        if mover is None:
            return
        seen = service.tables.view(table, people[mover]).look(mover)
        service.moves.play(table, mover, seen.number, seen.moves[random.randrange(len(seen.moves))])


def luck(record: Record) -> dict[tuple[object, int], object]:
    """Return the outcomes of chance, by occasion and count."""
    game, times, outcomes = game_named(record.header.game), dict[object, int](), dict[tuple[object, int], object]()
    for before, step in zip(records.replay(record), record.steps, strict=False):
        if step.seat == CHANCE:
            occasion = game.occasion(before)
            times[occasion] = times.get(occasion, 0) + 1
            outcomes[occasion, times[occasion]] = step.action
    return outcomes


@in_a_folder
def test_all_tables_have_the_same_dice_and_anyone_can_recompute_them(service: KontorServer) -> None:
    seed = new_seed()
    several = [open_table(service, seed) for _ in range(4)]
    for number, one in enumerate(several):
        move_on(service, one, Random(number), 10**6)
    assert released(service, seed)
    played = [service.tables.record(table) for table, *_ in several]
    assert len({record.steps for record in played}) == 4, "they played otherwise"
    for record in played:
        assert record.header.record == records.DUPLICATE_VERSION
        assert records.verify(records.decode(records.encode(record))).dice
    lucks = [luck(record) for record in played]
    everywhere = set(lucks[0]).intersection(*lucks)
    rows = {occasion for occasion in everywhere if occasion[0][0] == "row"}  # type: ignore[index]
    assert len(rows) == 8
    assert len(everywhere) > 25
    for occasion in everywhere:
        assert len({msgspec.json.encode(one[occasion]) for one in lucks}) == 1
    assert {service.tables.fair(table).seed for table, *_ in several} == {seed.hex()}


def test_until_all_have_ended_only_those_who_sit_there_see_anything(service: KontorServer) -> None:
    seed = new_seed()
    (one, anna, _), other = several = [open_table(service, seed) for _ in range(2)]
    stranger = service.people.guest("Carla")[0].id
    move_on(service, several[0], Random(1), 10**6)
    move_on(service, other, Random(2), 5)
    assert service.tables.info(one).status == "over"
    assert not released(service, seed)

    for table, person in ((one, stranger), (other[0], anna), (other[0], stranger), (one, None)):
        now = service.tables.view(table, person)
        assert not now.info.may_watch
        with pytest.raises(NotAllowed):
            now.look(None)
        with pytest.raises(NotAllowed):
            now.events(None)
    with pytest.raises(NotNow, match="have the same dice"):
        service.tables.record(one)
    dice = service.tables.fair(one)
    assert (dice.kind, dice.seed, dice.commitment) == ("sealed", None, commitment(seed))
    assert seed.hex().encode() not in pack_data(Words("en"), service, anna)
    assert service.tables.view(one, anna).events(0), "what they saw they see"

    move_on(service, other, Random(2), 10**6)
    with pytest.raises(NotNow, match="have the same dice"):
        service.tables.record(one)  # there could be more of these tables
    assert released(service, seed)
    assert service.tables.fair(one).seed == seed.hex()
    assert records.verify(service.tables.record(one)).dice
    now = service.tables.view(other[0], stranger)
    assert now.info.may_watch
    assert now.events(None)


@in_a_folder
def test_a_game_goes_on_with_its_dice_after_a_restart(place: Place, clock: Clock) -> None:
    """Check that the number of draws for each occasion is counted anew from the log."""
    seed = new_seed()
    with KontorServer.open(place, clock) as service:
        several = [open_table(service, seed) for _ in range(3)]
    randoms = [Random(number) for number in range(3)]
    for _ in range(4):
        with KontorServer.open(place, clock) as service:
            for one, random in zip(several, randoms, strict=True):
                move_on(service, one, random, 12)
    with KontorServer.open(place, clock) as service:
        for one, random in zip(several, randoms, strict=True):
            move_on(service, one, random, 10**6)
        assert released(service, seed)
        assert all(records.verify(service.tables.record(table)).dice for table, *_ in several)


@in_a_folder
def test_a_move_that_was_taken_back_changes_no_roll(service: KontorServer) -> None:
    seed = new_seed()
    one = open_table(service, seed)
    random = Random(3)
    taken_back = 0
    while (mover := service.tables.info(one[0]).mover) is not None:
        person = one[1 + mover]
        seen = service.tables.view(one[0], person).look(mover)
        move: Move = seen.moves[random.randrange(len(seen.moves))]
        service.moves.play(one[0], mover, seen.number, move)
        now = service.tables.info(one[0], person)
        if random.random() < 0.5 and now.undo_until is not None:
            service.moves.undo(one[0], person, seen.number + 1, now.undone)
            taken_back += 1
    assert taken_back > 5
    assert released(service, seed)
    assert records.verify(service.tables.record(one[0])).dice


def test_whose_game_was_ended_early_is_sealed_too(service: KontorServer) -> None:
    seed = new_seed()
    one, other = open_table(service, seed), open_table(service, seed)
    move_on(service, one, Random(1), 20)
    service.early_endings.resign(one[0], 0, one[1])
    assert service.tables.info(one[0]).status == "over"
    with pytest.raises(NotNow, match="have the same dice"):
        service.tables.record(one[0])
    move_on(service, other, Random(2), 10**6)
    assert released(service, seed)
    record = service.tables.record(one[0])
    assert record.header.record == records.DUPLICATE_VERSION
    assert records.verify(record).early


@in_a_folder
def test_other_tables_are_drawn_as_ever(service: KontorServer) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    table = service.opening.open(anna, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, bernd)
    play_out(service, table)
    assert not play_one(service, table, Random(1))
    assert service.tables.record(table).header.record == records.VERSION
    assert service.tables.fair(table).kind == "early"


def test_a_duplicate_round_of_a_tournament_is_open_once_it_is_over(service: KontorServer, clock: Clock) -> None:
    tournament, _ = start_tournament(service, 4, of_pairs(rounds=2, duplicate=True, public=False))
    first = tables_now(service.tournaments.view(tournament))
    assert len(first) == 2, "the second game comes after the first"
    play_out(service, first[0])
    with pytest.raises(NotNow, match="have the same dice"):
        service.tables.record(first[0])
    clock.tick(seconds=2)
    service.upkeep.apply_deadlines()
    then = tables_now(service.tournaments.view(tournament))
    assert len(then) == 2, "one pair begins the other side while the others still play"
    play_round(service, tournament, Random(1))
    for _ in range(2):
        clock.tick(seconds=2)
        service.upkeep.apply_deadlines()
        play_round(service, tournament, Random(2))
    clock.tick(seconds=61)
    service.upkeep.apply_deadlines()
    boards = service.tournaments.view(tournament).rounds[0].boards
    tables_ = [board.table for board in boards if board.table]
    assert len(tables_) == 4
    assert len({service.tables.info(table).commitment for table in tables_}) == 1
    seats = [[seat.name for seat in service.tables.info(table).seats] for table in tables_]
    assert sorted(seats) == sorted(pair[::-1] for pair in seats), "each pair plays from both sides"
    played = [service.tables.record(table) for table in tables_]
    assert all(records.verify(record).dice for record in played)
    lucks = [luck(record) for record in played]
    same = set(lucks[0]).intersection(*lucks)
    assert len(same) > 20
    assert all(len({msgspec.json.encode(one[occasion]) for one in lucks}) == 1 for occasion in same)
    second = tables_now(service.tournaments.view(tournament))
    assert len(second) == 2
    assert service.tables.info(second[0]).commitment != played[0].header.commitment
    assert not service.tables.view(second[0], None).info.may_watch


@pytest.mark.parametrize(("pace", "count"), [(LIVE, 2), (SLOW, 0)])
def test_only_live_duplicate_games_are_rated(service: KontorServer, pace: Pace, count: int) -> None:
    """Check both paces: in slow games the players of one table can tell those of another what is to come."""
    tournament, _ = start_tournament(service, 2, of_pairs(rounds=1, duplicate=True, public=False, pace=pace))
    play_round(service, tournament, Random(1))
    with service._transactions.reading() as db:
        assert len(list(select_rated(started_games(db)))) == count
