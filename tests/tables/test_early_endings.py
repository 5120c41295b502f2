"""Games that people end early: by resigning, by agreeing, by claiming where somebody stays away."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from guests import CARLA, MACHINE, ME, OPEN, Clock, as_of, dutchman, play_one, play_out, query, quick, shanghaien
from kontor import records
from kontor.endings import EarlyEnd
from kontor.errors import BadPlan, NoSeat, NoTable, NotAllowed, NotNow
from kontor.fair import commitment
from kontor.game import Refusal
from kontor.records import BadRecord, EarlyEnding
from kontor.server.composition import KontorServer
from kontor.server.copies import move
from kontor.storage import Place
from kontor.tables.values import Pace, Share


def seat_people(service: KontorServer, *names: str, machines: int = 0, **more: Any) -> tuple[str, list[str]]:
    """Return a table with these people, and computer players behind them; two play Shanghaien."""
    people = [service.people.guest(name)[0].id for name in names]
    plan = shanghaien if len(names) + machines == 2 else dutchman
    seats = (ME, *[OPEN] * (len(names) - 1), *[MACHINE] * machines)
    table = service.opening.open(people[0], plan(*seats, **more))
    for seat, person in enumerate(people[1:], 1):
        service.opening.sit(table, seat, person)
    return table, people


def kinds(service: KontorServer, table: str) -> list[str]:
    return [line.kind for line in service.tables.view(table).chat_lines()]


def end_of_game(service: KontorServer, table: str) -> EarlyEnd:
    """Return how the game ended early; check that its record says the same, and verifies."""
    info = service.tables.info(table)
    assert (info.status, info.result, info.mover, info.late, info.proposed) == ("over", None, None, None, None)
    assert info.early is not None
    record = service.tables.record(table)
    assert isinstance(record.ending, EarlyEnding)
    assert record.ending.early == info.early
    assert record.ending.seed == service.tables.fair(table).seed, "the seed is told at that moment"
    verified = records.verify(records.decode(records.encode(record)))
    assert (verified.dice, verified.result, verified.early) == (True, None, info.early)
    assert not any(service.tables.view(table).look(seat).moves for seat in range(len(info.seats))), (
        "nobody can move any more"
    )
    return info.early


# ---------------------------------------------------------------------------------------------------- the fair dice


@pytest.mark.parametrize("how", ["resigned", "agreed", "claimed"])
def test_however_a_game_ends_early_its_dice_can_be_recomputed(service: KontorServer, clock: Clock, how: str) -> None:
    """Check that the seed is the one committed to before the opening, and that the shares are those given."""
    anna, bernd = people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
    promised = service.opening.next_commitment(anna)
    table = service.opening.open(anna, shanghaien(ME, OPEN), Share("zwölf"), promised)
    service.opening.sit(table, 1, bernd, share=Share("Hufeisen"))
    for _ in range(3):
        play_one(service, table, Random(1))
    assert service.tables.fair(table).seed is None, "a secret while it goes on"
    mover = service.tables.info(table).mover
    assert mover is not None
    if how == "resigned":
        service.early_endings.resign(table, 0, anna)
    elif how == "agreed":
        service.early_endings.propose(table, 0, anna)
        service.early_endings.agree(table, bernd)
    else:
        clock.tick(days=7)
        service.early_endings.claim(table, mover, people[1 - mover])
    assert end_of_game(service, table).how == how
    dice, record = service.tables.fair(table), service.tables.record(table)
    assert dice.seed is not None
    assert commitment(bytes.fromhex(dice.seed)) == dice.commitment == record.header.commitment == promised
    assert dice.salts == record.header.salts == ("zwölf", "Hufeisen")
    assert records.verify(record).outcomes >= 3
    with pytest.raises(BadRecord, match="According to the seed"):
        records.verify(replace(record, header=replace(record.header, salts=("zwölf", "Hufeisen!"))))


def test_of_a_table_that_goes_before_its_game_begins_nothing_is_drawn_and_nothing_told(
    service: KontorServer, place: Place
) -> None:
    """Check that its seed is deleted with it, and that the next table has another."""
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    promised = service.opening.next_commitment(anna)
    table = service.opening.open(anna, dutchman(ME, OPEN, OPEN), Share("a"), promised)
    service.opening.sit(table, 1, bernd, share=Share("b"))
    assert query(place, "SELECT count(*) FROM steps") == [(0,)]
    assert service.tables.fair(table).seed is None
    with pytest.raises(NotNow, match="not begun"):
        service.tables.record(table)
    service.opening.leave(table, bernd)
    service.opening.leave(table, anna)
    for ask in (service.tables.fair, service.tables.record):
        with pytest.raises(NoTable):
            ask(table)
    assert service.opening.next_commitment(anna) != promised


# --------------------------------------------------------------------------------------------------------- resigning


@pytest.mark.parametrize("seat", [0, 1])
def test_of_two_the_other_wins_when_one_resigns(service: KontorServer, seat: int) -> None:
    table, people = seat_people(service, "Anna", "Bernd", pace=Pace("live", 30, 60))
    service.early_endings.resign(table, seat, people[seat])
    assert end_of_game(service, table) == EarlyEnd("resigned", seat, (1 - seat,))
    assert kinds(service, table)[-2:] == ["resigned", "ended"]
    for person in people:
        (finished,) = service.listing.finished(person)
        assert (finished.id, finished.early) == (table, EarlyEnd("resigned", seat, (1 - seat,)))
        assert not service.listing.my_tables(person)


def test_against_a_machine_player_one_can_resign_too(service: KontorServer) -> None:
    table, (anna,) = seat_people(service, "Anna", machines=1)
    service.early_endings.resign(table, 0, anna)
    assert end_of_game(service, table) == EarlyEnd("resigned", 0, (1,))
    assert service.listing.machine_turns() == ()


@pytest.mark.parametrize("level", ["casual", "steady", "expert"])
def test_among_more_a_machine_player_of_the_agreed_level_plays_on_for_good(service: KontorServer, level: str) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd", machines=1, takeover=level)
    service.early_endings.resign(table, 1, bernd)
    info = service.tables.info(table, bernd)
    assert (info.status, info.seats[1].stood_in, info.seats[1].resigned) == ("playing", level, True)
    assert not info.my_turn
    assert [(line.kind, line.name, line.text) for line in service.tables.view(table).chat_lines()[-2:]] == [
        ("resigned", "Bernd", ""),
        ("plays on", "Bernd", level),
    ]
    with pytest.raises(NotAllowed, match="keeps your seat"):
        service.clocks.come_back(table, 1, bernd)
    with pytest.raises(NotAllowed, match="Only the players"):
        service.early_endings.resign(table, 1, bernd)
    assert service.tables.info(table, anna).seats[0].stood_in == ""


def test_who_resigned_does_not_move_any_more_and_the_game_is_played_to_its_end(service: KontorServer) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd", machines=1)
    service.early_endings.resign(table, 1, bernd)
    random, machines = Random(3), quick(service)
    while service.tables.info(table).mover != 1:
        assert play_one(service, table, random) or machines.one_round()
    seen = service.tables.view(table).look(1)
    with pytest.raises(NotAllowed, match="You have resigned"):
        service.moves.play(table, 1, seen.number, seen.moves[0])
    while service.tables.info(table).status == "playing":
        if not machines.one_round():
            assert service.tables.info(table, anna).my_turn, "Bernd's seat waits for nobody"
            play_one(service, table, random)
    info = service.tables.info(table)
    assert info.result is not None
    assert info.early is None
    record = service.tables.record(table)
    assert record.header.record == 1, "written as ever"
    assert record.header.players == ("person", "person", "random")
    assert records.verify(record).result == info.result


def test_when_the_last_person_resigns_the_game_ends_without_a_result(service: KontorServer) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd", machines=1)
    service.early_endings.resign(table, 0, anna)
    service.early_endings.resign(table, 1, bernd)
    assert end_of_game(service, table) == EarlyEnd("resigned", 1, ())


def test_one_resigns_for_ones_own_seat_while_the_game_is_going_on(service: KontorServer) -> None:
    table, people = seat_people(service, "Anna", "Bernd")
    stranger = service.people.guest("Dora")[0].id
    for person, seat in ((people[0], 1), (stranger, 0), ("nobody", 0), (people[0], 7)):
        with pytest.raises(NotAllowed):
            service.early_endings.resign(table, seat, person)
    waiting = service.opening.open(people[0], shanghaien(ME, OPEN))
    with pytest.raises(NotNow, match="not begun"):
        service.early_endings.resign(waiting, 0, people[0])
    play_out(service, table)
    with pytest.raises(NotNow, match="over"):
        service.early_endings.resign(table, 0, people[0])
    assert service.tables.info(table).early is None


def test_of_several_at_one_device_each_resigns_alone(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, dutchman(ME, CARLA, MACHINE))
    service.early_endings.resign(table, 1, anna)
    assert [seat.resigned for seat in service.tables.info(table).seats] == [False, True, False]
    service.early_endings.resign(table, 0, anna)
    assert end_of_game(service, table) == EarlyEnd("resigned", 0, ())


def test_a_move_that_comes_after_the_end_is_refused(service: KontorServer) -> None:
    table, people = seat_people(service, "Anna", "Bernd")
    mover = service.tables.info(table).mover
    assert mover is not None
    seen = service.tables.view(table).look(mover)
    service.early_endings.resign(table, 1 - mover, people[1 - mover])
    number = service.tables.info(table).number
    with pytest.raises(NotNow, match="over"):
        service.moves.play(table, mover, seen.number, seen.moves[0])
    assert service.tables.info(table).number == number


def test_a_level_that_is_none_is_refused(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    for level in ("random", "steady:10", "", None):
        with pytest.raises(BadPlan):
            service.opening.open(anna, shanghaien(ME, OPEN, takeover=level))


def test_a_rematch_keeps_the_level_and_everybodys_seat(service: KontorServer) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd", takeover="steady")
    service.early_endings.resign(table, 0, anna)
    again = service.opening.rematch(table, anna)
    service.opening.rematch(table, bernd)
    info = service.tables.info(again)
    assert (info.status, info.takeover, info.early) == ("playing", "steady", None)
    assert not any(seat.resigned or seat.stood_in for seat in info.seats)


# ---------------------------------------------------------------------------------------------------------- agreeing


def test_a_game_ends_when_all_agree(service: KontorServer) -> None:
    table, (anna, bernd, carla) = seat_people(service, "Anna", "Bernd", "Carla")
    service.early_endings.propose(table, 1, bernd)
    assert service.tables.info(table).proposed == 1
    assert [seat.agreed for seat in service.tables.info(table).seats] == [False, True, False]
    with pytest.raises(NotNow, match="already"):
        service.early_endings.propose(table, 0, anna)
    service.early_endings.agree(table, carla)
    service.early_endings.agree(table, carla)  # nothing more happens
    assert service.tables.info(table).status == "playing"
    service.early_endings.agree(table, anna)
    assert end_of_game(service, table) == EarlyEnd("agreed", 1, ())
    assert kinds(service, table)[-4:] == ["proposed", "agreed", "agreed", "ended"]


def test_machine_players_always_agree(service: KontorServer) -> None:
    table, (anna,) = seat_people(service, "Anna", machines=1)
    service.early_endings.propose(table, 0, anna)
    assert end_of_game(service, table) == EarlyEnd("agreed", 0, ())


def test_who_has_resigned_or_is_sat_in_for_is_not_asked(service: KontorServer, clock: Clock) -> None:
    table, (anna, bernd, carla) = seat_people(service, "Anna", "Bernd", "Carla", pace=Pace("live", 30, 0))
    clock.tick(seconds=31)
    late = service.tables.info(table).late
    assert late is not None
    people = [anna, bernd, carla]
    one, other = (seat for seat in range(3) if seat != late)
    service.clocks.stand_in(table, late, people[one])
    service.early_endings.resign(table, one, people[one])
    service.early_endings.propose(table, other, people[other])
    assert end_of_game(service, table) == EarlyEnd("agreed", other, ())


def test_a_move_does_not_withdraw_a_proposal_and_a_refusal_does(service: KontorServer) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd")
    service.early_endings.propose(table, 0, anna)
    play_one(service, table, Random(1))
    assert service.tables.info(table).proposed == 0
    service.early_endings.decline(table, bernd)
    assert service.tables.info(table).proposed is None
    assert not any(seat.agreed for seat in service.tables.info(table).seats)
    service.early_endings.propose(table, 0, anna)
    service.early_endings.decline(table, anna)
    assert kinds(service, table)[-4:] == ["proposed", "declined", "proposed", "withdrew"]
    for act in (service.early_endings.agree, service.early_endings.decline):
        with pytest.raises(NotNow, match="Nobody has proposed"):
            act(table, bernd)
    service.early_endings.propose(table, 1, bernd)
    assert service.tables.info(table).status == "playing", "who agreed to another proposal has not agreed to this one"


def test_a_proposal_goes_with_whoever_resigns_and_is_agreed_to_without_them(service: KontorServer) -> None:
    table, (anna, bernd, carla) = seat_people(service, "Anna", "Bernd", "Carla")
    service.early_endings.propose(table, 0, anna)
    service.early_endings.resign(table, 0, anna)
    assert service.tables.info(table).proposed is None
    service.early_endings.propose(table, 1, bernd)
    service.early_endings.resign(table, 2, carla)
    assert end_of_game(service, table) == EarlyEnd("agreed", 1, ())


def test_only_those_who_play_are_asked(service: KontorServer) -> None:
    table, (anna, *_) = seat_people(service, "Anna", "Bernd")
    stranger = service.people.guest("Dora")[0].id
    with pytest.raises(NotAllowed):
        service.early_endings.propose(table, 1, anna)
    service.early_endings.propose(table, 0, anna)
    for act in (service.early_endings.agree, service.early_endings.decline):
        with pytest.raises(NotAllowed):
            act(table, stranger)


# ---------------------------------------------------------------------------------------------------------- claiming


class Waiting:
    """A table without a clock where one person is to move, and the others wait."""

    def __init__(self, service: KontorServer, *names: str, **more: Any) -> None:
        self.service = service
        self.table, self.people = seat_people(service, *names, **more)
        mover = service.tables.info(self.table).mover
        assert mover is not None
        self.seat = mover
        self.other = (mover + 1) % len(names)

    def claim(self) -> None:
        self.service.early_endings.claim(self.table, self.seat, self.people[self.other])

    def look(self) -> None:
        """Let the mover look at the table."""
        self.service.visits.note(self.service.tables.view(self.table).snapshot, self.people[self.seat])


def test_who_stays_away_for_seven_days_loses_to_whoever_claims(service: KontorServer, clock: Clock) -> None:
    two = Waiting(service, "Anna", "Bernd")
    clock.tick(days=7, seconds=-1)
    assert service.tables.info(two.table).claimable is None
    with pytest.raises(NotNow, match="seven days"):
        two.claim()
    clock.tick(seconds=1)
    assert service.tables.info(two.table).claimable == two.seat
    two.claim()
    assert end_of_game(service, two.table) == EarlyEnd("claimed", two.seat, (two.other,))
    assert kinds(service, two.table)[-2:] == ["claimed", "ended"]


def test_whoever_looked_at_the_table_has_not_stayed_away(service: KontorServer, clock: Clock) -> None:
    two = Waiting(service, "Anna", "Bernd")
    clock.tick(days=6)
    two.look()
    clock.tick(days=7, seconds=-1)
    with pytest.raises(NotNow):
        two.claim()
    clock.tick(seconds=1)
    two.claim()
    end_of_game(service, two.table)


def test_a_visit_is_written_once_an_hour_and_wakes_nobody(service: KontorServer, place: Place, clock: Clock) -> None:
    two = Waiting(service, "Anna", "Bernd")
    heard = list[str]()
    service.listen(heard.append)

    def changes() -> int:
        ((count,),) = query(place, "SELECT changes FROM tables WHERE id = ?", two.table)
        return int(count)

    before = changes()
    for _ in range(3):
        two.look()
        clock.tick(minutes=25)
    assert changes() == before + 2 - 1
    two.look()
    assert changes() == before + 2
    assert heard == []


def test_others_who_look_are_not_noted(service: KontorServer, place: Place) -> None:
    two = Waiting(service, "Anna", "Bernd")
    live, _ = seat_people(service, "Carla", "Dora", pace=Pace("live", 30, 60))
    for table, person in (
        (two.table, None),
        (two.table, service.people.guest("Emil")[0].id),
        (live, service.people.guest("E")[0].id),
    ):
        service.visits.note(service.tables.view(table).snapshot, person)
    assert query(place, "SELECT count(*) FROM seats WHERE visited IS NOT NULL") == [(0,)]


def test_a_wrong_clock_costs_nobody_the_game_and_keeps_nobody_waiting(service: KontorServer, clock: Clock) -> None:
    two = Waiting(service, "Anna", "Bernd")
    clock.tick(days=365)  # the clock is put forward, while nobody plays
    service.upkeep.apply_deadlines()
    assert service.tables.info(two.table).claimable is None
    two.look()
    clock.tick(days=-365)
    service.upkeep.apply_deadlines()
    for _ in range(8):
        for _ in range(24 * 60 * 2):
            clock.tick(seconds=30)
        service.upkeep.apply_deadlines()
    assert service.tables.info(two.table).claimable is None, "eight days, in which the program did not run"


def test_among_more_a_machine_player_sits_in_and_the_person_can_come_back(
    service: KontorServer, clock: Clock
) -> None:
    three = Waiting(service, "Anna", "Bernd", "Carla", takeover="steady")
    clock.tick(days=7)
    three.claim()
    assert service.tables.info(three.table).seats[three.seat].stood_in == "steady"
    assert kinds(service, three.table)[-1] == "stood in"
    service.clocks.come_back(three.table, three.seat, three.people[three.seat])
    assert service.tables.info(three.table).claimable is None
    clock.tick(days=7)
    assert service.tables.info(three.table).claimable == three.seat


def test_who_may_claim_and_where(service: KontorServer, clock: Clock) -> None:
    two = Waiting(service, "Anna", "Bernd")
    never = Waiting(service, "Anna", "Bernd", "Carla", stand_in="never")
    clocked = Waiting(service, "Anna", "Bernd", pace=Pace("slow", 3600))
    clock.tick(days=8)
    stranger = service.people.guest("Dora")[0].id
    for person in (two.people[two.seat], stranger):
        with pytest.raises(NotAllowed):
            service.early_endings.claim(two.table, two.seat, person)
    with pytest.raises(NotNow):
        service.early_endings.claim(two.table, two.other, two.people[two.seat])
    with pytest.raises(NoSeat):
        service.early_endings.claim(two.table, 9, two.people[two.other])
    for other in (never, clocked):
        assert service.tables.info(other.table).claimable is None
        with pytest.raises(NotNow):
            other.claim()


# ----------------------------------------------------------------------------------------------------- other tests


def test_a_game_that_ended_early_is_looked_at_from_all_sides_afterwards(service: KontorServer) -> None:
    table, (anna, bernd, carla) = seat_people(service, "Anna", "Bernd", "Carla")
    for _ in range(5):
        play_one(service, table, Random(2))
    service.early_endings.resign(table, 0, anna)
    service.early_endings.propose(table, 1, bernd)
    service.early_endings.agree(table, carla)
    end_of_game(service, table)
    number = service.tables.info(table).number
    for seat in (None, 0, 1, 2):
        assert service.tables.view(table).look(seat).moves == ()
        assert [event.number for event in service.tables.view(table).events(seat)] == list(range(2, number + 1))
    with pytest.raises(Refusal):
        service.clocks.stand_in(table, 1, anna)


def test_a_server_with_games_that_ended_early_is_moved(
    service: KontorServer, place: Place, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table, (anna, _) = seat_people(service, "Anna", "Bernd")
    service.early_endings.resign(table, 0, anna)
    service.close()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    moved = move(place, elsewhere)
    assert (moved.games, moved.unplayable) == (1, ())
    with KontorServer.open(elsewhere) as other:
        end_of_game(other, table)


def test_tables_of_an_older_kontor_keep_what_they_were_promised(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        two = Waiting(service, "Anna", "Bernd")
    as_of(place, "0005")
    with KontorServer.open(place, clock) as service:
        assert service.tables.info(two.table).takeover == "expert"
        two.service = service
        clock.tick(days=7, seconds=-11)
        for _ in range(2):
            clock.tick(seconds=5)
            service.upkeep.apply_deadlines()
        assert service.tables.info(two.table).claimable is None
