"""The only move of a person: played in their name where all can see that there is no other, and nowhere else."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from ahead.test_moves_ahead import move, three, two
from guests import CARLA, ME, Clock, as_of, in_a_folder, lines, play_one, query, quick
from kontor.accounts.archive import pack_data
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Number, Roll, Shanghai
from kontor.moving.values import MoveChoices
from kontor.plugins import game_named
from kontor.server.composition import KontorServer
from kontor.storage import Place as Storage
from kontor.tables.values import Plan
from kontor.words import Words
from security.test_own_data import unpack

IMAGINED = 30
"""States that a reader imagines, to find out what they can see."""


def play_due(service: KontorServer, table: str) -> list[tuple[int, Any]]:
    """Play all only moves that are due at a table; return who has moved, and how."""
    played = []
    service.only_moves.note_change(table)
    while turns := service.only_moves.due():
        for turn in turns:
            (only, *_) = service.tables.view(table).look(turn.seat).moves
            if service.only_moves.play(turn):
                played.append((turn.seat, only))
        service.only_moves.note_change(table)
    return played


def choose_all(service: KontorServer, people: list[str]) -> None:
    for person in people:
        service.own_moves.choose(person, (), only_move=True)


def move_counts(service: KontorServer, table: str, reader: int | None, random: Random) -> set[int]:
    """Return how many moves the seat on turn may have, as far as a reader knows; 2 stands for several."""
    now = service.tables.view(table)
    game = game_named(now.info.game)
    view = game.view(now.log.game_state.state, reader)
    return {min(2, len(game.moves(game.imagine(view, random.randrange)))) for _ in range(IMAGINED)}


def to_shanghai(service: KontorServer, table: str) -> None:
    """Play a game of Shanghaien until the seat on turn has fewer than two dice, and can do nothing but shanghai."""
    random = Random(3)
    while tuple(service.tables.view(table).look(service.tables.info(table).mover).moves) != (Shanghai(),):
        look = service.tables.view(table).look(service.tables.info(table).mover)
        others = [one for one in look.moves if one != Shanghai()]
        move(service, table, service.tables.info(table).mover or 0, random.choice(others))


def test_it_is_off_at_first_and_then_a_forced_move_is_played_at_once(service: KontorServer, place: Storage) -> None:
    table, people = two(service)
    to_shanghai(service, table)
    before = len(lines(place, table))
    quick(service).one_round()
    assert len(lines(place, table)) == before
    mover = service.tables.info(table).mover
    assert mover is not None
    service.own_moves.choose(people[1 - mover], (), only_move=True)
    assert play_due(service, table) == []
    service.own_moves.choose(people[mover], (), only_move=True)
    assert play_due(service, table)[0] == (mover, Shanghai())
    assert service.tables.view(table).look(mover).view.round == 2


def test_the_loop_of_the_computer_players_plays_it_also_after_a_crash(service: KontorServer, place: Storage) -> None:
    table, people = two(service)
    choose_all(service, people)
    to_shanghai(service, table)
    before = len(lines(place, table))
    quick(service).one_round()  # nothing was noted: the first look is at all tables
    assert len(lines(place, table)) > before


@in_a_folder
@pytest.mark.parametrize("seed", range(3))
def test_people_who_have_a_choice_keep_it_and_no_forced_move_stays(
    service: KontorServer, clock: Clock, seed: int
) -> None:
    table, people = two(service)
    choose_all(service, people)
    random, forced = Random(seed), 0
    for _ in range(60):
        clock.tick(seconds=5)
        forced += len(play_due(service, table))
        mover = service.tables.info(table).mover
        if mover is None:
            break
        assert len(service.tables.view(table).look(mover).moves) > 1
        play_one(service, table, random)
    assert forced


@in_a_folder
@pytest.mark.parametrize("seed", range(3))
def test_no_move_is_played_that_tells_of_a_hand(service: KontorServer, clock: Clock, seed: int) -> None:
    table, people = three(service)
    choose_all(service, people)
    random = Random(seed)
    for _ in range(80):
        clock.tick(seconds=5)
        mover = service.tables.info(table).mover
        if mover is None:
            break
        readers = [None, *(seat for seat in range(3) if seat != mover)]
        counts = [move_counts(service, table, reader, random) for reader in readers]
        is_single = len(service.tables.view(table).look(mover).moves) == 1
        service.only_moves.note_change(table)
        played = [service.only_moves.play(turn) for turn in service.only_moves.due()]
        if any(played):
            assert is_single
            assert counts == [{1}] * len(readers)
        else:
            assert not is_single or {1} not in counts
            play_one(service, table, random)


def test_a_move_before_is_waited_for_while_it_can_be_taken_back(service: KontorServer, clock: Clock) -> None:
    table, people = two(service)
    choose_all(service, people[:1])
    while True:
        move(service, table, 0, Roll())
        low, high = service.tables.view(table).look(0).view.roll
        if low == high:
            break
        table, people = two(service)
        choose_all(service, people[:1])
    number = service.tables.info(table).number
    service.moves.play(table, 0, number, Number("left"))
    service.only_moves.note_change(table)
    assert table not in [turn.table for turn in service.only_moves.due()]
    service.moves.undo(table, people[0], number + 1, 0)
    service.moves.play(table, 0, number, Number("right"))
    clock.tick(seconds=4)
    (turn,) = [turn for turn in service.only_moves.due() if turn.table == table]
    assert service.only_moves.play(turn)
    assert sum(service.tables.view(table).look(0).view.placed[0]) == 1


def test_nothing_is_played_in_a_pause_or_on_a_device_that_several_share(service: KontorServer) -> None:
    table, people = two(service)
    choose_all(service, people)
    to_shanghai(service, table)
    service.early_endings.propose(table, 0, people[0], "pause")
    service.early_endings.agree(table, people[1], "pause")
    assert service.tables.info(table).paused
    assert play_due(service, table) == []
    service.pauses.end(table, people[0])
    assert play_due(service, table)
    plan = Plan("shanghaien", ShanghaienOptions(starter=0), (ME, CARLA))
    shared = service.opening.open(people[0], plan)
    to_shanghai(service, shared)
    assert play_due(service, shared) == []


def test_the_choice_is_exported_and_of_two_accounts_that_become_one_both_must_have_made_it(
    service: KontorServer,
) -> None:
    (anna, phone) = (service.people.guest("Anna")[0].id for _ in range(2))
    service.own_moves.choose(anna, ["live"], only_move=True)
    service.own_moves.choose(phone, ["slow"])
    person = msgspec.json.decode(unpack(pack_data(Words("en"), service, anna))["person.json"])
    assert person["own_moves"] == {"confirms": ["live"], "only_move": True}
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert service.own_moves.of(anna) == MoveChoices(("live", "slow"))


def test_a_database_of_an_earlier_version_gets_both_choices_switched_off(place: Storage) -> None:
    with KontorServer.open(place) as service:
        anna, token = service.people.guest("Anna")
    as_of(place, "0040")
    with KontorServer.open(place) as service:
        assert service.own_moves.of(anna.id) == MoveChoices()
        assert service.people.holder_of_session(token) is not None
    assert query(place, "SELECT version_num FROM alembic_version") == [("0043",)]
