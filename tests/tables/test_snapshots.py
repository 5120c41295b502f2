"""Snapshots: a table with a long log opens as fast as with a short one, by a snapshot and the lines after it.

The log remains authoritative.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from random import Random
from typing import Any

import msgspec
import pytest

from bench.haggling import PLAN as LONG
from bench.haggling import played
from guests import CARLA, ME, Clock, as_of, dutchman, in_a_folder, lines, play_one, play_out, query, shanghaien
from kontor import records
from kontor.errors import Unreadable
from kontor.game import OVER
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.plugins import game_named, games
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables import game_states as folding
from kontor.tables.cache import TableCache
from kontor.tables.game_states import STRIDE, TAIL, GameState, LogEntry, fold, load
from kontor.tables.rows import seat_rows, table_row
from random_steps import random_step

PLANS = [shanghaien(ME, CARLA), dutchman(ME, CARLA, CARLA, CARLA)]

GAMES_PLAYED = [
    ("shanghaien", ShanghaienOptions()),
    ("shanghaien", ShanghaienOptions(starter=1, first_trick="reroll")),
    *[("dutchman", DutchmanOptions(players=players)) for players in (3, 4, 5, 6)],
    ("dutchman", DutchmanOptions(players=6, circles=5)),
]


def states_of(game: str, options: Any, seed: int) -> Iterator[Any]:
    """Yield all states of a game of random players."""
    random, rules = Random(seed), game_named(game)
    state = rules.start(options)
    while state.mover != OVER:
        yield state
        action = random_step(rules, state, random)
        state = rules.play(state, action)
    yield state


@pytest.mark.parametrize(("game", "options"), GAMES_PLAYED)
@pytest.mark.parametrize("seed", range(4))
def test_a_state_that_was_packed_is_unpacked_as_it_was(game: str, options: Any, seed: int) -> None:
    rules = game_named(game)
    for state in states_of(game, options, seed):
        again = rules.deserialise(rules.serialise(state), options)
        assert again == state
        # Equality is not enough where a type stores more than it compares.
        assert repr(again) == repr(state)
        assert list(map(repr, rules.moves(again)[:50])) == list(map(repr, rules.moves(state)[:50]))


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("serialised", [b"", b"\xc1", b"nonsense", b"\x90", b"\x92\x90\x90"])
def test_what_is_no_packed_state_is_refused(game: str, serialised: bytes) -> None:
    rules = game_named(game)
    with pytest.raises(msgspec.DecodeError):
        rules.deserialise(serialised, rules.options())


# ----------------------------------------------------------------------------------------------------- at a table


def load_state(service: KontorServer, table: str) -> GameState:
    """Return the game state as loaded from the database."""
    with service._transactions.storage.reading() as db:
        return load(db, table_row(db, table), seat_rows(db, table))


def fold_log(service: KontorServer, table: str) -> tuple[LogEntry, ...]:
    """Return the log entries from the log alone."""
    with service._transactions.storage.reading() as db:
        return tuple(fold(db, table_row(db, table), seat_rows(db, table)))


def snapshots(place: Place) -> list[tuple[str, int, bytes]]:
    rows = query(place, "SELECT table_id, number, state FROM snapshots ORDER BY table_id")
    return [(table, number, bytes(state)) for table, number, state in rows]


def long_game(service: KontorServer, lines: int = 3 * TAIL) -> str:
    """Return a table with a log of at least ``lines`` lines, and a snapshot."""
    anna = service.people.guest("Anna")[0].id
    for _ in range(40):
        table = service.opening.open(anna, LONG)
        if played(service, table, lines) >= lines:
            return table
    raise AssertionError("no game was so long")


def first_seat_view(service: KontorServer, table: str) -> tuple[Any, ...]:
    """Return what the first seat sees and may do.

    Lazy sequences of moves have no equality: for them their length and their first moves are returned.
    """
    look = service.tables.view(table).look(0)
    return look.number, look.view, len(look.moves), tuple(look.moves[:50])


@pytest.mark.parametrize("plan", [shanghaien(ME, CARLA), LONG])
@in_a_folder
def test_a_snapshot_and_the_lines_after_it_give_the_fold_of_the_log_at_every_line(
    service: KontorServer, place: Place, plan: Any
) -> None:
    table, random = service.opening.open(service.people.guest("Anna")[0].id, plan), Random(2)
    begun = set()
    while service.tables.info(table).number < 3 * TAIL and service.tables.info(table).mover is not None:
        if plan == LONG:
            played(service, table, service.tables.info(table).number + 1)
        else:
            play_one(service, table, random)
        game_state, entries = load_state(service, table), fold_log(service, table)
        assert game_state.state == entries[-1].state
        assert game_state.number == entries[-1].number == service.tables.info(table).number
        # The loaded table has the last states in memory, like a process that has seen them come.
        assert game_state.tail[1:] == entries[-len(game_state.tail) + 1 :]
        assert game_state.tail[0].state == entries[-len(game_state.tail)].state
        assert len(game_state.tail) == min(TAIL, len(entries))
        begun.add(game_state.snapshot)
    assert len(begun) > 1
    assert len(snapshots(place)) == 1


def test_the_longest_game_is_opened_by_its_last_lines_only(service: KontorServer, place: Place) -> None:
    table = long_game(service, 400)
    (number,) = [number for of, number, _ in snapshots(place) if of == table]
    last = service.tables.info(table).number
    assert last - TAIL - STRIDE - 10 < number <= last - TAIL + 1  # a move can be several lines
    events = service.tables.view(table).events(0, last - 40)
    # The lines before the snapshot are never read, so that their damage is not noticed.
    query(place, "UPDATE steps SET step = 'nonsense' WHERE table_id = ? AND number < ?", table, number)
    assert load_state(service, table).state == service.tables.view(table).log.game_state.state
    with fresh(service):
        assert service.tables.view(table).events(0, last - 40) == events
        with pytest.raises(Unreadable):
            service.tables.view(table).events(0, 0, 10)


@contextmanager
def fresh(service: KontorServer) -> Iterator[None]:
    """Run with an empty cache of games."""
    cache = service._transactions.cache
    service._transactions.cache = TableCache()
    yield
    service._transactions.cache = cache


def by_another_program(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    monkeypatch.setattr(folding, "_PROGRAM", "0.0.1")


def rewrite(sql: str, *values: object) -> Any:
    return lambda monkeypatch, place: query(place, sql, *values)


def with_digest_of_nonsense(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    """Fake a snapshot of a state with other fields whose version was not raised."""
    ((table, number, _),) = snapshots(place)
    head = f"{folding._PROGRAM} dutchman 1 {table} {number}\n".encode()
    nonsense = msgspec.msgpack.encode([1, 2])
    query(place, "UPDATE snapshots SET state = ?", blake2b(head + nonsense, digest_size=16).digest() + nonsense)


def one_bit_off(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    ((_, _, state),) = snapshots(place)
    at = len(state) - 5
    query(place, "UPDATE snapshots SET state = ?", state[:at] + bytes([state[at] ^ 1]) + state[at + 1 :])


DAMAGES = (
    rewrite("DELETE FROM snapshots"),
    rewrite("UPDATE snapshots SET state = ?", b""),
    rewrite("UPDATE snapshots SET state = ?", b"nonsense" * 20),
    rewrite("UPDATE snapshots SET number = number - 1"),
    rewrite("UPDATE snapshots SET number = number + 1"),
    rewrite("UPDATE snapshots SET number = 100000"),
    one_bit_off,
    with_digest_of_nonsense,
    by_another_program,
)


def test_a_snapshot_that_is_lost_or_damaged_costs_time_only(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        table = long_game(service)
        before, events = first_seat_view(service, table), service.tables.view(table).events(0)
    for damage in DAMAGES:
        with pytest.MonkeyPatch.context() as monkeypatch:
            damage(monkeypatch, place)
            with KontorServer.open(place, clock) as service:
                assert first_seat_view(service, table) == before
                assert load_state(service, table).snapshot == 0
                assert service.tables.view(table).events(0) == events
                played(service, table, service.tables.info(table).number + 1)
                assert load_state(service, table).snapshot > 0  # a new one
                assert load_state(service, table).state == fold_log(service, table)[-1].state
                before, events = first_seat_view(service, table), service.tables.view(table).events(0)


def test_a_snapshot_of_another_table_is_none(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        one, other = long_game(service), long_game(service)
        before = first_seat_view(service, one)
    states = {table: state for table, _, state in snapshots(place)}
    query(place, "UPDATE snapshots SET number = (SELECT min(number) FROM snapshots), state = ?", states[other])
    with KontorServer.open(place, clock) as service:
        assert first_seat_view(service, one) == before


def test_a_table_of_before_has_no_snapshot_and_is_given_one(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        table = long_game(service)
        machine = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, CARLA))
    query(place, "UPDATE seats SET player = 'random', person = NULL WHERE table_id = ?", machine)
    as_of(place, "0003")
    with KontorServer.open(place, clock) as service:
        assert [turn.table for turn in service.listing.machine_turns()] == [machine]
        played(service, table, service.tables.info(table).number + 1)
    assert [of for of, _, _ in snapshots(place)] == [table]


@pytest.mark.parametrize("plan", PLANS)
@in_a_folder
def test_the_record_is_that_of_the_log(service: KontorServer, place: Place, plan: Any) -> None:
    """Check that no snapshot goes into it."""
    table = service.opening.open(service.people.guest("Anna")[0].id, plan)
    play_out(service, table)
    written = records.encode(service.tables.record(table)).decode().splitlines()
    assert [line for _, _, line in lines(place, table)] == written[1:-1]
