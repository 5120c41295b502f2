"""Misclicks: a move that revealed nothing is taken back, until another acts or three seconds are over."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any, Final

import pytest

from guests import ME, OPEN, Clock, at_once, lines, play_one, play_out, quick, shanghaien
from kontor import records
from kontor.errors import Conflict, NotAllowed, NotNow
from kontor.game import CHANCE, OVER, AnyGame
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as Merchants
from kontor.games.dutchman.rules.state import Kontor, Lay, Show
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as Captains
from kontor.games.shanghaien.rules.state import Number, Place, Roll
from kontor.players.uniform import choose as uniform
from kontor.server.composition import KontorServer
from kontor.server.machines import move_delay
from kontor.storage import Place as Where
from kontor.tables.cache import TableCache
from kontor.tables.hints import Hints
from kontor.tables.transactions import TableChange
from kontor.tables.undo import UNDO_TIME
from kontor.tables.values import Pace
from tables.test_early_endings import kinds, seat_people
from tables.test_views import contents_of

SECONDS: Final = UNDO_TIME / 1000


def at_a_die(service: KontorServer, **more: Any) -> tuple[str, list[str], int]:
    """Return a table, its people, and the seat that has rolled and is to place a die."""
    table, people = seat_people(service, "Anna", "Bernd", **more)
    mover = service.tables.info(table).mover
    assert mover is not None
    for move in (Roll(), Number("left")):
        service.moves.play(table, mover, service.tables.info(table).number, move)
    return table, people, mover


def place_a_die(service: KontorServer, table: str, **more: Any) -> int:
    """Place the first die of the seat to move; return the number of the line."""
    info = service.tables.info(table)
    assert info.mover is not None
    placing = next(move for move in service.tables.view(table).look(info.mover).moves if isinstance(move, Place))
    return service.moves.play(table, info.mover, info.number, placing, **more)


def test_the_table_is_as_it_was_and_the_clock_goes_on(service: KontorServer, clock: Clock, place: Where) -> None:
    table, people, mover = at_a_die(service, pace=Pace("live", 30, 60))
    before, log = service.tables.info(table), lines(place, table)
    seen = [service.tables.view(table).look(seat) for seat in (0, 1, None)]
    clock.tick(seconds=40)
    number = place_a_die(service, table)
    moved = service.tables.info(table, people[mover])
    assert (moved.mover, moved.seats[mover].reserve) == (1 - mover, 50.0)
    assert moved.undo_until is not None
    assert service.tables.info(table, people[1 - mover]).undo_until is None, "the other is not asked"
    clock.tick(seconds=2)
    service.moves.undo(table, people[mover], number, 0)
    after = service.tables.info(table)
    assert (after.number, after.mover, after.since, after.deadline) == (
        before.number,
        mover,
        before.since,
        before.deadline,
    )
    assert (after.seats[mover].reserve, after.undone, after.undo_until) == (60.0, 1, None)
    assert lines(place, table) == log
    assert [service.tables.view(table).look(seat) for seat in (0, 1, None)] == seen
    assert kinds(service, table)[-1] == "undone"
    # The record shows the move that counted.
    clock.tick(seconds=1)
    number = place_a_die(service, table)
    play_out(service, table)
    record = service.tables.record(table)
    assert records.verify(record).result
    assert len(record.steps) == service.tables.info(table).number - 1
    assert sum(step.seat == mover for step in record.steps[: number - 1]) == 3


def test_what_was_taken_back_twice_is_taken_back_once(service: KontorServer) -> None:
    table, people, mover = at_a_die(service)
    number = place_a_die(service, table)
    for _ in range(2):
        service.moves.undo(table, people[mover], number, 0)
    assert (service.tables.info(table).number, service.tables.info(table).undone) == (number - 1, 1)
    place_a_die(service, table)
    with pytest.raises(NotNow):
        service.moves.undo(table, people[mover], number, 0)  # a repeated press does not take back the moves after it
    assert service.tables.info(table).number == number
    service.moves.undo(table, people[mover], number, 1)
    assert (service.tables.info(table).number, service.tables.info(table).undone) == (number - 1, 2)


def test_a_move_stands(service: KontorServer, clock: Clock) -> None:
    """Check all cases: chance has acted, another has moved, time is over, other people, and no wish to undo."""
    table, people, mover = at_a_die(service)
    me, other = people[mover], people[1 - mover]
    number = place_a_die(service, table)
    with pytest.raises(NotAllowed):
        service.moves.undo(table, other, number, 0)
    clock.tick(seconds=SECONDS + 0.1)
    assert service.tables.info(table, me).undo_until is None
    with pytest.raises(NotNow, match="three seconds have passed"):
        service.moves.undo(table, me, number, 0)
    rolled = service.moves.play(table, 1 - mover, number, Roll())
    for person, line in ((me, number), (other, rolled)):
        with pytest.raises(NotNow, match="someone has acted since, or it revealed something"):
            service.moves.undo(table, person, line, 0)
    number = place_a_die(service, table, choice="never")
    assert service.tables.info(table, other).undo_until is None
    with pytest.raises(NotNow):
        service.moves.undo(table, other, number, 0)
    # A clock that is put back gives no more time.
    service.moves.play(table, mover, number, Roll())
    number = place_a_die(service, table)
    clock.tick(seconds=-1)
    with pytest.raises(NotNow):
        service.moves.undo(table, me, number, 0)
    service.early_endings.resign(table, mover, me)
    with pytest.raises(NotNow):
        service.moves.undo(table, me, number, 0)


def test_a_stale_window_does_not_answer_the_move_that_is_gone(service: KontorServer) -> None:
    """Check that another line with its number is distinguished by the count of undone moves."""
    table, people, mover = at_a_die(service)
    number = place_a_die(service, table)
    service.moves.undo(table, people[mover], number, 0)
    assert place_a_die(service, table) == number
    with pytest.raises(Conflict):
        service.moves.play(table, 1 - mover, number, Roll(), 0)
    service.moves.play(table, 1 - mover, number, Roll(), 1)


def test_a_hint_that_was_asked_for_lets_the_move_before_stand(service: KontorServer) -> None:
    table, people, mover = at_a_die(service, hints=True)
    number = place_a_die(service, table)
    Hints(service.tables, service.hints, at_once).ask(table, 1 - mover)
    with pytest.raises(NotNow):
        service.moves.undo(table, people[mover], number, 0)


def test_other_processes_see_a_line_less(database: str, clock: Clock) -> None:
    """Check with a clock that stands still: only the count distinguishes the new line from the undone one."""
    with KontorServer.open(database, clock) as first, KontorServer.open(database, clock) as second:
        table, people = seat_people(first, "Anna", "Bernd", "Carla")
        random, versions = Random(5), [0]
        for _ in range(60):
            if not play_one(first, table, random):
                break
            info = first.tables.info(table)
            assert contents_of(second.tables.view(table)) == contents_of(first.tables.view(table))
            me = next((person for person in people if first.tables.info(table, person).undo_until), None)
            if me is not None:
                second.moves.undo(table, me, info.number, info.undone)
                assert first.tables.info(table).number == info.number - 1
                if random.randrange(2):
                    assert contents_of(first.tables.view(table)) == contents_of(second.tables.view(table))
                play_one(second, table, random)
            first._transactions.cache, cache = TableCache(), first._transactions.cache
            fresh = contents_of(first.tables.view(table))
            first._transactions.cache = cache
            assert contents_of(second.tables.view(table)) == contents_of(first.tables.view(table)) == fresh
            now = first.tables.info(table)
            versions.append(now.number + 2 * now.undone)
        assert versions == sorted(set(versions)), "what pages show by grows"
        assert first.tables.info(table).undone > 5
        play_out(first, table)
        assert records.verify(second.tables.record(table)).result


def test_what_fails_halfway_changes_nothing(
    service: KontorServer, place: Where, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, people, mover = at_a_die(service)
    number, log = place_a_die(service, table), lines(place, table)
    before = contents_of(service.tables.view(table))

    def dies(*_: object, **__: object) -> int:
        raise RuntimeError

    with monkeypatch.context() as failing:
        failing.setattr(TableChange, "say", dies)
        with pytest.raises(RuntimeError):
            service.moves.undo(table, people[mover], number, 0)
    assert lines(place, table) == log
    assert contents_of(service.tables.view(table)) == before
    service.moves.undo(table, people[mover], number, 0)
    assert lines(place, table) == log[:-1]


def play_first_turn(service: KontorServer, table: str) -> None:
    """Let computer players move until it is the first seat's turn, and play that."""
    machines = quick(service)
    while service.tables.info(table).mover != 0:
        machines.one_round()
    service.moves.play(table, 0, service.tables.info(table).number, Roll())
    while service.tables.info(table).mover == 0:
        number = service.tables.info(table).number
        service.moves.play(table, 0, number, service.tables.view(table).look(0).moves[0])


def test_machine_players_wait_where_that_was_chosen_and_think_anew(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, OPEN, tempo="at once"))
    service.opening.fill(table, 1, anna, "random")
    play_first_turn(service, table)
    number = service.tables.info(table).number
    (turn,) = service.listing.machine_turns()
    assert move_delay(turn, "a move") == 0.0
    slow = quick(service)
    slow._pause = lambda *_: 1.0
    slow.one_round()  # it thinks, and pauses
    service.moves.undo(table, anna, number, 0)
    assert service.listing.machine_turns() == ()
    place_a_die(service, table, choice="wait")
    (turn,) = service.listing.machine_turns()
    assert {move_delay(turn, news) for news in ("a forced move", "a move", "a round")} == {SECONDS}
    assert slow._thoughts[table].undone == 0
    slow._pause = lambda *_: 0.0
    assert slow.one_round() == 1
    assert records.encode_line(record_steps(service, table)[-1])


def test_machine_players_leave_the_time_to_take_back_unless_they_are_to_move_at_once(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    for tempo, delay in (("brisk", SECONDS), ("at once", 0.0)):
        table = service.opening.open(anna, shanghaien(ME, OPEN, tempo=tempo))
        service.opening.fill(table, 1, anna, "random")
        play_first_turn(service, table)
        (turn,) = [turn for turn in service.listing.machine_turns() if turn.table == table]
        assert move_delay(turn, "a move") == delay


def record_steps(service: KontorServer, table: str) -> list[Any]:
    return [line.event.action for line in service.tables.view(table).events(None)]


# -------------------------------------------------------------------------------------- moves that reveal nothing


@pytest.mark.parametrize(("game", "options"), [(SHANGHAIEN, Captains()), (DUTCHMAN, Merchants(players=4))])
def test_what_can_be_taken_back_told_nobody_anything(game: AnyGame, options: Any) -> None:
    """Check for each reader that the move revealed nothing.

    In all states that the reader could have imagined before, the move would have looked the same, and the view after
    it too.
    """
    random, free = Random(7), set[type]()
    for _ in range(6):
        state = game.start(options)
        while state.mover != OVER:
            if state.mover == CHANCE:
                state = game.play(state, game.chance(state).draw(random.randrange))
                continue
            moves = game.moves(state)
            move = uniform(None, moves, random)
            after = game.play(state, move)
            if after.mover not in (CHANCE, OVER) and not game.reveals(state, move, after):
                free.add(type(move))
                for eye in (None, *range(game.seats(options))):
                    assert_nothing_new(game, state, move, after, eye, random)
            state = after
    assert len(free) >= (4 if game is SHANGHAIEN else 8), free
    assert not free & {Kontor, Show}
    assert game is SHANGHAIEN or Lay in free


def assert_nothing_new(game: AnyGame, state: Any, move: Any, after: Any, eye: int | None, random: Random) -> None:
    event, seen = game.event(state, move, after, eye), game.view(after, eye)
    for _ in range(2):
        imagined = game.imagine(game.view(state, eye), random.randrange)
        moves = game.moves(imagined)
        thens = [(tried, game.play(imagined, tried)) for tried in ([move] if move in moves else islice(moves, 1000))]
        alike = [then for tried, then in thens if game.event(imagined, tried, then, eye) == event]
        # Laying so many horseshoes reveals that the seat has them.
        assert alike or isinstance(move, Lay), (move, eye)
        assert not alike or seen in [game.view(then, eye) for then in alike], (move, eye)
