"""Hints at practice tables: who may ask, what the judge gets, and who gets which answer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete

from guests import (
    CARLA,
    FRIEND,
    MACHINE,
    ME,
    OPEN,
    Clock,
    as_of,
    dutchman,
    play_one,
    play_out,
    query,
    quick,
    shanghaien,
)
from kontor.errors import Conflict, NoHint, NotAllowed, NotNow, NotYourTurn, StoodIn
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.state import Kontor, Smith
from kontor.games.shanghaien.rules.state import Roll
from kontor.players import Appraisal, Appraised
from kontor.plugins import game_named
from kontor.puzzles.collection import puzzles_of
from kontor.puzzles.values import PuzzlePosition
from kontor.review import adapter_of
from kontor.review.advising import Advice, advice_of, advise
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.schema import hints as stored_hints
from kontor.tables import turn_inputs
from kontor.tables.hints import Hints
from kontor.tables.turn_inputs import luck_of
from kontor.tables.values import Pace
from kontor.thinking import NoAnswer
from kontor.thinking.thinkers import NOBODY, Asker, Work
from kontor.thinking.turn_tasks import appraisal_of, decoded_task, random_from, turn_task
from kontor.words import Words
from tables.test_agreed_undo import take_back
from tables.test_undo import at_a_die, place_a_die

JUDGED = Advice((Appraised(Smith(), 0.5), Appraised(Kontor(), 0.25)), exact=False)
ROLLED = Advice((Appraised(Roll(), 0.5),), exact=False)


class Judge:
    """A judge that takes as long as the test wants, and records its tasks."""

    def __init__(self) -> None:
        self.tasks: list[tuple[Any, Random, Future[bytes]]] = []
        self.askers: list[Asker] = []

    def __call__(self, work: Work, matter: bytes, asker: Asker = NOBODY) -> Future[bytes]:
        assert work is advise
        given, view, _ = decoded_task(matter)
        assert given.player == ""
        self.tasks.append((view, random_from(given.luck), Future()))
        self.askers.append(asker)
        return self.tasks[-1][2]

    def answer(self, judged: Advice = JUDGED) -> None:
        self.tasks[-1][2].set_result(msgspec.msgpack.encode(judged))


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def hints(service: KontorServer, judge: Judge) -> Hints:
    return Hints(service.tables, service.hints, judge)


def mover(service: KontorServer, table: str) -> int:
    seat = service.tables.info(table).mover
    assert seat is not None
    return seat


def notices(service: KontorServer, table: str) -> list[tuple[str, int | None, str, str]]:
    return [
        (line.kind, line.seat, line.name, line.text)
        for line in service.tables.view(table).chat_lines()
        if line.kind == "hint"
    ]


def test_it_is_told_for_whom_a_hint_is_thought(service: KontorServer, hints: Hints, judge: Judge) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, dutchman(ME, CARLA, CARLA, hints=True), origin=7)
    mover = service.tables.info(table).mover
    assert mover is not None
    hints.ask(table, mover)
    assert judge.askers == [Asker(7, anna)]


def test_a_hint_is_what_the_judge_thinks_by_the_view_of_who_asks(
    service: KontorServer, hints: Hints, judge: Judge
) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, CARLA, MACHINE, hints=True))
    machines = quick(service)
    while mover(service, table) == 2:  # the dice decide how often the computer player moves before a person does
        machines.one_round()
    seat = mover(service, table)
    look = service.tables.view(table).look(seat)
    hint = hints.ask(table, seat)
    assert (hint.number, hint.advice, hint.failed) == (look.number, None, False)
    (view, _, _) = judge.tasks[0]
    assert type(view) is View
    assert view == look.view
    assert notices(service, table) == []
    judge.answer()
    assert hint.advice == hint.answer.result() == JUDGED
    current = hints.of(table, seat, look.number, 0)
    assert current
    assert (current.number, current.advice, current.failed) == (look.number, JUDGED, False)
    name = service.tables.info(table).seats[seat].name
    assert notices(service, table) == [("hint", seat, name, "")], "that there was a hint is told, not what it said"
    assert hints.of(table, 1 - seat, look.number, 0) is None


def test_asked_twice_it_is_thought_and_told_once(service: KontorServer, hints: Hints, judge: Judge) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, CARLA, CARLA, hints=True))
    seat = mover(service, table)
    hint = hints.ask(table, seat)
    assert hints.ask(table, seat) is hint
    judge.answer()
    assert hints.ask(table, seat).answer.result() == JUDGED
    assert len(judge.tasks) == len(notices(service, table)) == 1
    look = service.tables.view(table).look(seat)
    service.moves.play(table, seat, look.number, Smith())
    next_one = hints.ask(table, mover(service, table))
    assert next_one is not hint
    assert next_one.advice is None


def test_the_judge_draws_the_same_again_for_a_line_and_nothing_that_machine_players_draw(
    service: KontorServer, judge: Judge, place: Place
) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, CARLA, CARLA, hints=True))
    seat = mover(service, table)
    for hints in (
        Hints(service.tables, service.hints, judge),
        Hints(service.tables, service.hints, judge),
    ):  # as after a restart
        hints.ask(table, seat)
    one, two = (random.getstate() for _, random, _ in judge.tasks)
    assert one == two
    luck = turn_inputs.practise(service.tables.view(table), seat)[1]
    ((seed,),) = query(place, "SELECT seed FROM tables")
    assert luck != luck_of(seed, service.tables.info(table).number + 1)


def test_a_hint_for_a_move_that_has_been_made_is_neither_shown_nor_told(
    service: KontorServer, hints: Hints, judge: Judge
) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, CARLA, CARLA, hints=True))
    seat = mover(service, table)
    hint = hints.ask(table, seat)
    service.moves.play(table, seat, hint.number, Smith())
    judge.answer()
    with pytest.raises(Conflict):
        hint.answer.result()
    assert hint.advice is None
    assert notices(service, table) == []


@pytest.mark.parametrize("nonsense", [b"", b"\xc1", msgspec.msgpack.encode({"moves": [{"move": 7}], "exact": True})])
def test_where_the_judge_fails_it_can_be_asked_again(
    service: KontorServer, hints: Hints, judge: Judge, caplog: pytest.LogCaptureFixture, nonsense: bytes
) -> None:
    heard = list[str]()
    service.listen(heard.append)
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, CARLA, CARLA, hints=True))
    seat = mover(service, table)
    fails: list[Callable[[Future[bytes]], object]] = [
        lambda future: future.set_result(nonsense),
        lambda future: future.set_exception(NoAnswer("ValueError at judge.py:7")),
        lambda future: future.cancel(),
    ]
    for fail in fails:
        hint = hints.ask(table, seat)
        heard.clear()
        fail(judge.tasks[-1][2])
        assert hint.failed
        assert heard == [table], "pages are told"
        with pytest.raises(NoHint):
            hint.answer.result()
    assert "The judge of dutchman failed: ValueError at judge.py:7" in caplog.text
    assert notices(service, table) == []
    hint = hints.ask(table, seat)
    judge.answer()
    assert hint.advice == JUDGED


def test_who_may_not_ask_is_told_why(service: KontorServer, hints: Hints, judge: Judge, clock: Clock) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    waiting = service.opening.open(anna, shanghaien(ME, FRIEND, hints=True))
    serious = service.opening.open(anna, shanghaien(ME, CARLA))
    for table, kind in ((waiting, NotNow), (serious, NotAllowed)):
        with pytest.raises(kind):
            hints.ask(table, 0)
    table = service.opening.open(anna, shanghaien(ME, OPEN, hints=True, pace=Pace("live", 10, 0), stand_in="at once"))
    service.opening.sit(table, 1, bernd)
    seat = mover(service, table)
    with pytest.raises(NotYourTurn):
        hints.ask(table, 1 - seat)
    clock.tick(seconds=20)
    service.upkeep.apply_deadlines()
    with pytest.raises(StoodIn):
        hints.ask(table, seat)
    against = service.opening.open(anna, shanghaien(MACHINE, MACHINE, hints=True))
    with pytest.raises(NotAllowed):
        hints.ask(against, mover(service, against))
    play_out(service, against)
    with pytest.raises(NotNow):
        hints.ask(against, 0)
    assert judge.tasks == []


def test_of_each_seat_one_hint_is_kept(service: KontorServer, hints: Hints, judge: Judge, place: Place) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, CARLA, CARLA, hints=True))
    random = Random(1)
    for _ in range(8):
        hints.ask(table, mover(service, table))
        judge.answer()
        assert play_one(service, table, random)
    assert len(judge.tasks) == 8
    assert query(place, "SELECT count(*) FROM hints WHERE found IS NOT NULL") == [(3,)]


def test_a_hint_that_was_thought_is_there_after_a_restart(service: KontorServer, hints: Hints, judge: Judge) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, CARLA, CARLA, hints=True))
    seat = mover(service, table)
    hint = hints.ask(table, seat)
    elsewhere = Hints(service.tables, service.hints, judge)
    thinking = elsewhere.of(table, seat, hint.number, 0)
    assert thinking
    assert (thinking.advice, thinking.failed) == (None, False), "that another thinks is seen"
    judge.answer()
    afterwards = elsewhere.ask(table, seat)
    assert afterwards.answer.result() == afterwards.advice == JUDGED
    assert len(judge.tasks) == len(notices(service, table)) == 1


def test_nobody_waits_for_one_who_has_died_over_a_hint(service: KontorServer, judge: Judge, clock: Clock) -> None:
    table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, CARLA, CARLA, hints=True))
    seat = mover(service, table)
    number = Hints(service.tables, service.hints, judge).ask(table, seat).number
    afterwards = Hints(service.tables, service.hints, judge)
    assert afterwards.of(table, seat, number, 0)
    clock.tick(minutes=2)
    assert afterwards.of(table, seat, number, 0) is None
    hint = afterwards.ask(table, seat)
    judge.answer()
    assert hint.advice == JUDGED


def test_that_a_table_is_for_practice_is_seen_from_outside_and_kept_in_a_rematch(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, OPEN, hints=True))
    assert [info.hints for info in service.listing.lobby().open] == [True]
    service.opening.fill(table, 1, anna, "random")
    play_out(service, table)
    assert service.tables.info(service.opening.rematch(table, anna)).hints


def test_tables_of_before_are_no_tables_for_practice(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, CARLA, hints=True))
    as_of(place, "0001")
    with KontorServer.open(place, clock) as service:
        assert service.tables.info(table).hints is False
        assert service.tables.view(table).look(mover(service, table)).moves


@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
def test_an_appraisal_comes_through_as_it_was_thought(game: str) -> None:
    played = game_named(game)
    state = played.start(played.options())
    random = Random(3)
    for _ in range(40):
        if state.mover < 0:
            state = played.play(state, played.chance(state).draw(random.randrange))
            continue
        moves = played.moves(state)
        judged = Appraisal(tuple(Appraised(moves[at], at / 10) for at in range(min(5, len(moves)))), exact=True)
        assert appraisal_of(played, msgspec.msgpack.encode(judged)) == judged
        state = played.play(state, moves[random.randrange(len(moves))])


@pytest.mark.parametrize("game", [pytest.param("shanghaien", marks=pytest.mark.long), "dutchman"])
def test_a_hint_tells_why_the_best_move_is_better_than_the_second(game: str) -> None:
    explained = 0
    for puzzle in list(puzzles_of(game).values())[:5]:
        position = PuzzlePosition(puzzle)
        matter = turn_task(position.game, position.view, b"of this line")
        advice = advice_of(position.game, advise(matter))
        assert explained or advice == advice_of(position.game, advise(matter)), "it is always the same"
        if advice.best.chance - advice.moves[1].chance < 0.01:
            assert not advice.outlooks
            continue
        second = advice.moves[1]
        pair = (second.move, advice.outlooks[0]), (advice.best.move, advice.outlooks[1])
        names = [f"Seat {seat}" for seat in range(6)]
        explained += bool(adapter_of(game).why(Words("en"), names, position.view, *pair))
    assert explained >= 3, explained


def test_a_hint_that_an_older_kontor_kept_is_read() -> None:
    game = game_named("dutchman")
    data = msgspec.msgpack.encode(Appraisal(JUDGED.moves, JUDGED.exact))
    assert advice_of(game, data) == JUDGED
    assert appraisal_of(game, msgspec.msgpack.encode(JUDGED)) == Appraisal(JUDGED.moves, JUDGED.exact)


def test_a_hint_is_not_for_another_line_of_the_same_number(service: KontorServer, hints: Hints, judge: Judge) -> None:
    table, people, seat = at_a_die(service, hints=True)
    number = place_a_die(service, table)
    other = 1 - seat
    first = hints.ask(table, other)
    take_back(service, table, seat, people)
    assert place_a_die(service, table) == number
    second = hints.ask(table, other)
    assert second is not first
    judge.tasks[0][2].set_result(msgspec.msgpack.encode(ROLLED))
    assert first.failed
    assert isinstance(first.answer.exception(), Conflict)
    assert notices(service, table) == []
    current = hints.of(table, other, number, service.tables.info(table).undone)
    assert current is second
    judge.answer(ROLLED)
    assert second.advice == ROLLED
    assert len(notices(service, table)) == 1


def test_a_hint_that_can_not_be_stored_fails(service: KontorServer, hints: Hints, judge: Judge, place: Place) -> None:
    table, _, seat = at_a_die(service, hints=True)
    hint = hints.ask(table, seat)
    look = service.tables.view(table)
    with service._transactions.changing() as change:
        change.db.execute(delete(stored_hints).where(stored_hints.c.table_id == look.info.id))
    judge.answer(ROLLED)
    assert hint.failed
    assert notices(service, table) == []
