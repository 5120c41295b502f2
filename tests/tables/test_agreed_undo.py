"""Moves that are taken back because all agree: what is as before, what falls again, who may ask, and what is told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folders import with_database
from guests import (
    CARLA,
    ME,
    OPEN,
    Clock,
    as_of,
    at_once,
    dutchman,
    lines,
    play_one,
    play_out,
    query,
    quick,
    shanghaien,
)
from kontor import records
from kontor.errors import Conflict, NotAllowed, NotNow
from kontor.game import CHANCE
from kontor.games.shanghaien.rules.state import Number, Roll
from kontor.plugins import game_named
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.agreed_undo import SeenMoves, line_before
from kontor.tables.cache import TableCache
from kontor.tables.dice_streams import NO_STREAMS, Streams, decode_streams, encode_streams
from kontor.tables.hints import Hints
from kontor.tables.values import Pace, SeatPlan
from profiles import scale_examples
from tables.test_early_endings import kinds, seat_people
from tables.test_undo import at_a_die, place_a_die
from tables.test_views import contents_of
from tournaments.test_tournaments import of_pairs, start_tournament, tables_now


def ask(service: KontorServer, table: str, seat: int, person: str, *, turn: bool = False) -> None:
    """Ask to take back the seat's last move, or its last turn."""
    service.early_endings.propose(table, seat, person, "undo", turn=turn)


def take_back(service: KontorServer, table: str, seat: int, people: list[str], *, turn: bool = False) -> None:
    """Let all agree to take back the seat's last move, or its last turn."""
    ask(service, table, seat, people[seat], turn=turn)
    for person in people:
        if service.tables.info(table).undo_proposed is not None:
            service.early_endings.agree(table, person, "undo")
    assert service.tables.info(table).undo_proposed is None


def roll_for(service: KontorServer, table: str) -> None:
    """Roll for the seat to move."""
    info = service.tables.info(table)
    assert info.mover is not None
    service.moves.play(table, info.mover, info.number, Roll())


# -------------------------------------------------------------------------------------- as before, but for the clocks


def test_when_all_agree_the_game_is_as_it_was_before_the_move(
    service: KontorServer, clock: Clock, place: Place
) -> None:
    table, people, mover = at_a_die(service, pace=Pace("live", 30, 60))
    before, log = service.tables.info(table), lines(place, table)
    seen = [service.tables.view(table).look(seat) for seat in (0, 1, None)]
    clock.tick(seconds=40)
    place_a_die(service, table)
    roll_for(service, table)
    clock.tick(seconds=5)
    ask(service, table, mover, people[mover])
    proposed = service.tables.info(table)
    assert (proposed.undo_proposed, proposed.undo_to) == (mover, before.number)
    assert lines(place, table)[: len(log)] == log, "nothing goes before all have agreed"
    service.early_endings.agree(table, people[1 - mover], "undo")
    after = service.tables.info(table)
    assert (after.number, after.mover, after.undone, after.undo_proposed) == (before.number, mover, 3, None)
    assert lines(place, table) == log
    assert [service.tables.view(table).look(seat) for seat in (0, 1, None)] == seen
    assert after.since == clock.time, "the seat has the time of a new move"
    assert after.seats[mover].reserve == 50.0, "the time that was used is not given back"
    assert kinds(service, table)[-3:] == ["requested", "consented", "taken back"]
    assert service.tables.view(table).chat_lines()[-1].text == "3"
    play_out(service, table)
    assert records.verify(records.decode(records.encode(service.tables.record(table)))).result


def test_a_whole_turn_is_all_moves_between_those_of_others(service: KontorServer) -> None:
    table, people, mover = at_a_die(service)
    began = service.tables.info(table).number - 3
    place_a_die(service, table)
    roll_for(service, table)
    take_back(service, table, mover, people, turn=True)
    assert (service.tables.info(table).number, service.tables.info(table).mover) == (began, mover)


def test_the_line_before_a_move_and_before_a_turn() -> None:
    log = [(2, CHANCE), (3, 0), (4, CHANCE), (5, 0), (6, 1), (7, 0), (8, CHANCE), (9, 0), (10, 1), (11, CHANCE)]
    movers = log[::-1]
    assert [line_before(movers, seat, turn=False) for seat in (0, 1, 2)] == [8, 9, None]
    assert [line_before(movers, seat, turn=True) for seat in (0, 1, 2)] == [6, 9, None]
    assert line_before(log[3::-1], 0, turn=True) == 2


@settings(max_examples=scale_examples(8), deadline=None)
@given(data=st.data(), count=st.sampled_from([2, 2, 3, 4]), strict=st.booleans())
def test_no_outcome_falls_anew_whatever_is_taken_back(data: st.DataObject, count: int, strict: bool) -> None:
    """Check that dice of the same occasion are always the same, and that the record of what counts verifies."""
    random, fallen = Random(data.draw(st.integers(0, 2**32))), dict[Any, Any]()
    with TemporaryDirectory() as folder, KontorServer.open(with_database(Path(folder)), Clock()) as service:
        names = ("Anna", "Bernd", "Carla", "Dora")[:count]
        table, people = seat_people(service, *names, dice="strict" if strict else "usual")
        for person in people if strict else ():
            service.salts.reveal(table, person, "")
        for _ in range(12):
            for _ in range(random.randrange(1, 14)):
                play_one(service, table, random)
            if service.tables.info(table).status == "over":
                break
            note_outcomes(service, table, fallen)
            seat = random.randrange(count)
            before = service.tables.info(table)
            try:
                take_back(service, table, seat, people, turn=random.random() < 0.5)
            except NotNow:
                continue
            now = service.tables.info(table)
            assert now.mover == seat
            assert now.number + 2 * now.undone > before.number + 2 * before.undone, "what pages show by grows"
            service._transactions.cache, cache = TableCache(), service._transactions.cache
            fresh = contents_of(service.tables.view(table))
            service._transactions.cache = cache
            assert contents_of(service.tables.view(table)) == fresh
        play_out(service, table)
        note_outcomes(service, table, fallen)
        record = records.decode(records.encode(service.tables.record(table)))
        verified = records.verify(record)
        assert verified.result
        assert verified.dice
        assert verified.other_streams == len(record.header.streams)


def note_outcomes(service: KontorServer, table: str, fallen: dict[Any, Any]) -> None:
    """Note the rolls of a game, and check them against those of the same occasions noted before."""
    game, times = game_named(service.tables.info(table).game), Counter[Any]()
    for before, after in zip(entries := service.tables.view(table).log.entries, entries[1:], strict=False):
        if before.state.mover != CHANCE:
            continue
        occasion = game.occasion(before.state)
        times[occasion] += 1
        assert after.step
        if occasion[0] in ("roll", "reroll", "lucky", "rolling", "starter"):
            assert fallen.setdefault((occasion, times[occasion]), after.step.action) == after.step.action


def test_a_roll_falls_again_on_another_line(service: KontorServer) -> None:
    """Check with a move before the roll that was not there the first time."""
    table, people, mover = at_a_die(service)
    place_a_die(service, table)
    other = 1 - mover
    roll_for(service, table)
    rolled = service.tables.view(table).look(None).view.roll
    line = service.tables.info(table).number
    take_back(service, table, mover, people, turn=True)
    roll_for(service, table)
    service.moves.play(table, mover, service.tables.info(table).number, Number("right"))
    trick = next(
        move
        for move in service.tables.view(table).look(mover).moves
        if type(move).__name__ in ("Nudge", "Both", "Reroll", "Place")
    )
    service.moves.play(table, mover, service.tables.info(table).number, trick)
    while service.tables.info(table).mover == mover:
        service.moves.play(
            table, mover, service.tables.info(table).number, service.tables.view(table).look(mover).moves[0]
        )
    roll_for(service, table)
    assert service.tables.info(table).mover == other
    assert service.tables.view(table).look(None).view.roll == rolled
    assert service.tables.info(table).number >= line


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3), st.integers(0, 8)), max_size=30))
def test_streams_are_never_used_twice(steps: list[tuple[int, int, int]]) -> None:
    """Check the streams alone: each step is some moves, outcomes, and an undo of some lines."""
    streams, log = NO_STREAMS, [0]
    for moves, outcomes, undone in steps:
        log += [0] * moves
        for outcome in range(outcomes):
            line, occasion = len(log) + 1, ("roll", outcome)
            streams = streams.after_outcome(line, occasion)
            log.append(outcome + 1)
        used = [streams.stream_of(line) for line, kind in enumerate(log, 1) if kind]
        assert len(set(used)) == len(used)
        assert not {stream for _, stream in streams.fallen} & set(used)
        last = max(1, len(log) - undone)
        gone = [(line, ("roll", kind - 1)) for line, kind in enumerate(log, 1) if kind and line > last]
        streams, log = streams.after_undo(last, gone), log[:last]
        assert decode_streams(encode_streams(streams)) == streams


def test_where_nothing_was_taken_back_outcomes_have_the_stream_of_their_line() -> None:
    assert encode_streams(NO_STREAMS) is None
    assert NO_STREAMS.next_stream(7, ("row", 1)) == 7
    assert Streams(reached=9).next_stream(7, ("row", 1)) == 10
    assert Streams(reached=9, fallen=((("row", 1), 5),)).next_stream(7, ("row", 1)) == 5


# ------------------------------------------------------------------------------------------------ who may, and where


def test_a_move_by_a_person_means_that_they_play_on(service: KontorServer) -> None:
    table, people, mover = at_a_die(service)
    place_a_die(service, table)
    ask(service, table, mover, people[mover])
    roll_for(service, table)
    assert service.tables.info(table).undo_proposed is None
    with pytest.raises(NotNow, match="Nobody has asked to take back a move"):
        service.early_endings.agree(table, people[1 - mover], "undo")


def test_the_others_can_decline_and_the_proposer_can_withdraw(service: KontorServer) -> None:
    table, people, mover = at_a_die(service)
    number = place_a_die(service, table)
    for person, notice in ((people[mover], "withdrew"), (people[1 - mover], "declined")):
        ask(service, table, mover, people[mover])
        service.early_endings.decline(table, person, "undo")
        assert (kinds(service, table)[-1], service.tables.info(table).undo_proposed) == (notice, None)
    assert service.tables.info(table).number == number


def test_there_is_one_proposal_at_a_time(service: KontorServer) -> None:
    table, people, mover = at_a_die(service)
    service.early_endings.propose(table, 0, people[0], "pause")
    with pytest.raises(NotNow, match="answer that first"):
        ask(service, table, mover, people[mover])
    service.early_endings.decline(table, people[1], "pause")
    ask(service, table, mover, people[mover])
    for kind in ("end", "pause"):
        with pytest.raises(NotNow, match="answer that first"):
            service.early_endings.propose(table, 0, people[0], kind)
    with pytest.raises(NotNow, match="already proposed this"):
        ask(service, table, mover, people[mover])


def test_only_moves_of_ones_own_seat_are_taken_back(service: KontorServer) -> None:
    table, people, mover = at_a_die(service)
    stranger = service.people.guest("Eve")[0].id
    with pytest.raises(NotAllowed):
        ask(service, table, mover, stranger)
    with pytest.raises(NotAllowed):
        ask(service, table, mover, people[1 - mover])
    with pytest.raises(NotNow, match="You have not moved yet"):
        ask(service, table, 1 - mover, people[1 - mover])
    service.early_endings.propose(table, mover, people[mover], "pause")
    service.early_endings.agree(table, people[1 - mover], "pause")
    with pytest.raises(NotNow, match="The game is paused"):
        ask(service, table, mover, people[mover])
    service.early_endings.resign(table, mover, people[mover])
    with pytest.raises(NotNow, match="The game is over"):
        ask(service, table, 1 - mover, people[1 - mover])


def alone(service: KontorServer, player: str, **more: Any) -> tuple[str, str]:
    """Return a table with one computer player, at which both have moved, and the person."""
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, SeatPlan("machine", player=player), **more))
    machines, random = quick(service), Random(4)
    for _ in range(12):
        if not play_one(service, table, random):
            machines.one_round()
    return table, anna


def test_computer_players_at_an_unrated_table_agree_at_once(service: KontorServer) -> None:
    table, anna = alone(service, "random")
    before = service.tables.info(table).number
    ask(service, table, 0, anna)
    info = service.tables.info(table)
    assert (info.mover, info.undo_proposed, info.number < before) == (0, None, True)
    assert kinds(service, table)[-2:] == ["requested", "taken back"]
    play_out(service, table)
    assert records.verify(service.tables.record(table)).result


@pytest.mark.parametrize("hints", [False, True], ids=["rated", "practice"])
def test_in_a_rated_game_nothing_is_taken_back_from_computer_players(service: KontorServer, hints: bool) -> None:
    table, anna = alone(service, "casual", hints=hints)
    if hints:
        ask(service, table, 0, anna)
        assert service.tables.info(table).undone
        return
    with pytest.raises(NotAllowed, match="In a game that may be rated, moves against computer players stand"):
        ask(service, table, 0, anna)
    assert service.early_endings.refusal_to_undo(table, 0, anna)


def test_after_a_refusal_a_seat_asks_again_once_another_line_was_written(service: KontorServer, clock: Clock) -> None:
    table, people, mover = at_a_die(service)
    place_a_die(service, table)
    ask(service, table, mover, people[mover])
    service.early_endings.decline(table, people[1 - mover], "undo")
    with pytest.raises(NotNow, match="You can ask again after the next move"):
        ask(service, table, mover, people[mover])
    assert service.early_endings.refusal_to_undo(table, mover, people[mover])
    service.early_endings.propose(table, mover, people[mover], "pause")
    service.early_endings.decline(table, people[1 - mover], "pause")
    clock.tick(seconds=1)
    roll_for(service, table)
    ask(service, table, mover, people[mover])
    assert service.tables.info(table).undo_proposed == mover


def test_a_request_sent_twice_acts_once(service: KontorServer) -> None:
    table, anna = alone(service, "random")
    seen = SeenMoves(service.tables.info(table).undone)
    service.early_endings.propose(table, 0, anna, "undo", seen=seen)
    once = service.tables.info(table)
    with pytest.raises(Conflict):
        service.early_endings.propose(table, 0, anna, "undo", seen=seen)
    again = service.tables.info(table)
    assert (again.number, again.undone) == (once.number, once.undone)
    other_moves = SeenMoves(once.undone, once.number + 1)
    with pytest.raises(Conflict):
        service.early_endings.propose(table, 0, anna, "undo", seen=other_moves)


def test_people_agree_only_to_the_moves_that_they_saw(service: KontorServer) -> None:
    table, people, mover = at_a_die(service)
    number = place_a_die(service, table)
    ask(service, table, mover, people[mover])
    seen = service.tables.info(table)
    service.early_endings.decline(table, people[mover], "undo")
    ask(service, table, mover, people[mover], turn=True)
    now = service.tables.info(table)
    assert now.undo_to != seen.undo_to
    for other in (SeenMoves(seen.undone, seen.undo_to), SeenMoves(now.undone + 1, now.undo_to)):
        with pytest.raises(Conflict):
            service.early_endings.agree(table, people[1 - mover], "undo", other)
    assert service.tables.info(table).number == number
    service.early_endings.agree(table, people[1 - mover], "undo", SeenMoves(now.undone, now.undo_to))
    assert service.tables.info(table).number == now.undo_to


def three_people(service: KontorServer, **more: Any) -> tuple[str, list[str], int, int]:
    """Return a table of three, its people, the seat to move, and another one that has moved."""
    table, people = seat_people(service, "Anna", "Bernd", "Carla", **more)
    random, moved = Random(5), set[int]()
    while True:
        mover = service.tables.info(table).mover
        assert mover is not None
        if moved - {mover}:
            return table, people, mover, min(moved - {mover})
        moved.add(mover)
        assert play_one(service, table, random)


@pytest.mark.parametrize("how", ["resigned", "stood in"])
def test_a_request_is_dropped_when_a_computer_player_goes_on_for_somebody(
    service: KontorServer, clock: Clock, how: str
) -> None:
    table, people, late, asking = three_people(service, pace=Pace("live", 30, 0))
    number = service.tables.info(table).number
    ask(service, table, asking, people[asking])
    service.early_endings.agree(table, people[3 - late - asking], "undo")
    if how == "resigned":
        service.early_endings.resign(table, late, people[late])
    else:
        clock.tick(seconds=31)
        service.clocks.stand_in(table, late, people[asking])
    info = service.tables.info(table)
    assert (info.undo_proposed, info.number, info.undone) == (None, number, 0)
    service.early_endings.propose(table, asking, people[asking], "pause")


def test_nothing_is_taken_back_without_somebody_who_is_away(service: KontorServer, clock: Clock) -> None:
    table, people, late, asking = three_people(service, pace=Pace("live", 30, 0), hints=True)
    number = service.tables.info(table).number
    clock.tick(seconds=31)
    service.clocks.stand_in(table, late, people[asking])
    ask(service, table, asking, people[asking])
    service.early_endings.agree(table, people[3 - late - asking], "undo")
    assert service.tables.info(table).number == number
    service.early_endings.agree(table, people[late], "undo")
    assert service.tables.info(table).number < number


@pytest.mark.parametrize("kind", ["end", "pause"])
def test_a_stand_in_agrees_to_an_end_and_a_pause(service: KontorServer, clock: Clock, kind: Any) -> None:
    table, people, late, one = three_people(service, pace=Pace("live", 30, 0))
    service.early_endings.propose(table, one, people[one], kind)
    service.early_endings.agree(table, people[3 - late - one], kind)
    clock.tick(seconds=31)
    service.clocks.stand_in(table, late, people[one])
    info = service.tables.info(table)
    assert (info.status, info.paused) == (("over", False) if kind == "end" else ("playing", True))


@pytest.mark.parametrize("kind", ["end", "pause", "undo"])
def test_a_person_with_two_seats_who_leaves_is_answered_for_once(service: KontorServer, kind: Any) -> None:
    anna, bernd, carla = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla"))
    table = service.opening.open(anna, dutchman(ME, CARLA, OPEN, OPEN))
    for seat, person in ((2, bernd), (3, carla)):
        service.opening.sit(table, seat, person)
    random = Random(5)
    while not any(step.event.seat == 2 for step in service.tables.view(table).events(None)):
        assert play_one(service, table, random)
    number = service.tables.info(table).number
    service.early_endings.propose(table, 2, bernd, kind)
    service.early_endings.agree(table, carla, kind)
    service.leaving.leave(anna, "Anna")
    counted = Counter(kinds(service, table))
    assert counted["plays on"] == 2
    assert (counted["ended"], counted["paused"], counted["taken back"]) == (kind == "end", kind == "pause", 0)
    assert service.tables.info(table).number == number


def test_the_turn_that_is_broken_off_costs_its_time(service: KontorServer, clock: Clock) -> None:
    table, people, mover = at_a_die(service, pace=Pace("live", 30, 60))
    place_a_die(service, table)
    clock.tick(seconds=50)
    take_back(service, table, mover, people)
    assert [service.tables.info(table).seats[seat].reserve for seat in (mover, 1 - mover)] == [60.0, 40.0]
    clock.tick(seconds=45)
    take_back(service, table, mover, people)
    info = service.tables.info(table)
    assert info.seats[mover].reserve == 45.0
    assert info.late is None
    assert info.deadline is not None
    assert (info.deadline - clock.time).total_seconds() == 75


def test_nor_from_somebody_for_whom_a_computer_player_stands_in(service: KontorServer, clock: Clock) -> None:
    table, people, mover = at_a_die(service, pace=Pace("live", 30, 0))
    place_a_die(service, table)
    clock.tick(seconds=31)
    service.clocks.stand_in(table, 1 - mover, people[mover])
    with pytest.raises(NotAllowed, match="computer players"):
        ask(service, table, mover, people[mover])


def test_in_tournaments_every_move_stands(service: KontorServer) -> None:
    tournament, people = start_tournament(service, 2, of_pairs(rounds=1))
    (table,) = tables_now(service.tournaments.view(tournament))
    info = service.tables.info(table)
    assert info.mover is not None
    roll_for(service, table)
    person = next(one for one in people if info.mover in service.tables.info(table, one).mine)
    with pytest.raises(NotAllowed, match="In tournaments every move stands"):
        ask(service, table, info.mover, person)


def test_a_stale_window_does_not_answer_the_moves_that_are_gone(service: KontorServer) -> None:
    table, people, mover = at_a_die(service)
    number = place_a_die(service, table)
    take_back(service, table, mover, people)
    assert place_a_die(service, table) == number
    with pytest.raises(Conflict):
        service.moves.play(table, 1 - mover, number, Roll(), 0)
    service.moves.play(table, 1 - mover, number, Roll(), 1)


def test_a_hint_for_a_line_that_is_gone_is_not_shown_for_another(service: KontorServer, place: Place) -> None:
    table, people, mover = at_a_die(service, hints=True)
    place_a_die(service, table)
    Hints(service.tables, service.hints, at_once).ask(table, 1 - mover)
    assert query(place, "SELECT count(*) FROM hints") == [(1,)]
    take_back(service, table, mover, people)
    assert query(place, "SELECT count(*) FROM hints") == [(0,)]


def test_a_snapshot_of_a_state_that_is_gone_is_not_read(service: KontorServer, place: Place) -> None:
    table, people = seat_people(service, "Anna", "Bernd")
    random = Random(8)
    while not query(place, "SELECT number FROM snapshots"):
        assert play_one(service, table, random)
    ((stored,),) = query(place, "SELECT number FROM snapshots")
    while service.tables.info(table).number >= stored:
        take_back(service, table, random.randrange(2), people, turn=True)
    assert not query(place, "SELECT number FROM snapshots")
    while service.tables.info(table).number < stored + 10:
        assert play_one(service, table, random)
    service._transactions.cache = TableCache()
    view = service.tables.view(table)
    assert view.log.game_state.state == view.log.entries[-1].state


def test_a_database_of_before_opens_and_its_games_can_go_back(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        table, people, mover = at_a_die(service)
        place_a_die(service, table)
    as_of(place, "0034")
    with KontorServer.open(place, clock) as service:
        take_back(service, table, mover, people)
        play_out(service, table)
        assert records.verify(service.tables.record(table)).result
