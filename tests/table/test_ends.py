"""Games that the people end before the rules do: resigning, agreeing, claiming where somebody stays away."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kontor import records
from kontor.endings import Early
from kontor.game import Refusal
from kontor.records import EarlyEnding
from kontor.table import BadPlan, House, NoSeat, NotAllowed, NotNow, Pace
from kontor.table.copies import move
from kontor.table.storage import Place

from .guests import CARLA, MACHINE, ME, OPEN, Clock, as_of, dutchman, play_one, play_out, query, quick, shanghaien


def seated(house: House, *names: str, machines: int = 0, **more: Any) -> tuple[str, list[str]]:
    """A table at which these people sit, and machine players behind them; two play Shanghaien."""
    people = [house.guest(name)[0].id for name in names]
    plan = shanghaien if len(names) + machines == 2 else dutchman
    seats = (ME, *[OPEN] * (len(names) - 1), *[MACHINE] * machines)
    table = house.open_table(people[0], plan(*seats, **more))
    for seat, person in enumerate(people[1:], 1):
        house.sit(table, seat, person)
    return table, people


def kinds(house: House, table: str) -> list[str]:
    return [said.kind for said in house.said(table)]


def ended(house: House, table: str) -> Early:
    """How the game ended early; its record tells the same, and verifies."""
    info = house.info(table)
    assert (info.status, info.result, info.mover, info.late, info.proposed) == ("over", None, None, None, None)
    assert info.early is not None
    record = house.record(table)
    assert isinstance(record.ending, EarlyEnding)
    assert record.ending.early == info.early
    assert record.ending.seed == house.fair(table).seed, "the seed is told at that moment"
    found = records.verify(records.decode(records.encode(record)))
    assert (found.dice, found.result, found.early) == (True, None, info.early)
    assert not any(house.moves(table, seat) for seat in range(len(info.seats))), "nobody can move any more"
    return info.early


# --------------------------------------------------------------------------------------------------------- resigning


@pytest.mark.parametrize("seat", [0, 1])
def test_of_two_the_other_wins_when_one_resigns(house: House, seat: int) -> None:
    table, people = seated(house, "Anna", "Bernd", pace=Pace("live", 30, 60))
    house.resign(table, seat, people[seat])
    assert ended(house, table) == Early("resigned", seat, (1 - seat,))
    assert kinds(house, table)[-2:] == ["resigned", "ended"]
    for person in people:
        (told,) = house.finished(person)
        assert (told.id, told.early) == (table, Early("resigned", seat, (1 - seat,)))
        assert not house.my_tables(person)


def test_against_a_machine_player_one_can_resign_too(house: House) -> None:
    table, (anna,) = seated(house, "Anna", machines=1)
    house.resign(table, 0, anna)
    assert ended(house, table) == Early("resigned", 0, (1,))
    assert house.machine_turns() == ()


@pytest.mark.parametrize("level", ["casual", "steady", "expert"])
def test_among_more_a_machine_player_of_the_agreed_level_plays_on_for_good(house: House, level: str) -> None:
    table, (anna, bernd) = seated(house, "Anna", "Bernd", machines=1, takeover=level)
    house.resign(table, 1, bernd)
    info = house.info(table, bernd)
    assert (info.status, info.seats[1].stood_in, info.seats[1].resigned) == ("playing", level, True)
    assert not info.my_turn
    assert [(said.kind, said.name, said.text) for said in house.said(table)[-2:]] == [
        ("resigned", "Bernd", ""),
        ("plays on", "Bernd", level),
    ]
    with pytest.raises(NotAllowed, match="keeps your seat"):
        house.come_back(table, 1, bernd)
    with pytest.raises(NotAllowed, match="Only those who play"):
        house.resign(table, 1, bernd)
    assert house.info(table, anna).seats[0].stood_in == ""


def test_who_resigned_does_not_move_any_more_and_the_game_is_played_to_its_end(house: House) -> None:
    table, (anna, bernd) = seated(house, "Anna", "Bernd", machines=1)
    house.resign(table, 1, bernd)
    random, machines = Random(3), quick(house)
    while house.info(table).mover != 1:
        assert play_one(house, table, random) or machines.one_round()
    seen = house.look(table, 1)
    with pytest.raises(NotAllowed, match="You have resigned"):
        house.play(table, 1, seen.number, seen.moves[0])
    while house.info(table).status == "playing":
        if not machines.one_round():
            assert house.info(table, anna).my_turn, "Bernd's seat waits for nobody"
            play_one(house, table, random)
    info = house.info(table)
    assert info.result is not None
    assert info.early is None
    record = house.record(table)
    assert record.header.record == 1, "written as ever"
    assert record.header.players == ("person", "person", "random")
    assert records.verify(record).result == info.result


def test_when_the_last_person_resigns_the_game_ends_without_a_result(house: House) -> None:
    table, (anna, bernd) = seated(house, "Anna", "Bernd", machines=1)
    house.resign(table, 0, anna)
    house.resign(table, 1, bernd)
    assert ended(house, table) == Early("resigned", 1, ())


def test_one_resigns_for_ones_own_seat_while_the_game_is_going_on(house: House) -> None:
    table, people = seated(house, "Anna", "Bernd")
    stranger = house.guest("Dora")[0].id
    for who, seat in ((people[0], 1), (stranger, 0), ("nobody", 0), (people[0], 7)):
        with pytest.raises(NotAllowed):
            house.resign(table, seat, who)
    waiting = house.open_table(people[0], shanghaien(ME, OPEN))
    with pytest.raises(NotNow, match="not begun"):
        house.resign(waiting, 0, people[0])
    play_out(house, table)
    with pytest.raises(NotNow, match="over"):
        house.resign(table, 0, people[0])
    assert house.info(table).early is None


def test_of_several_at_one_device_each_resigns_alone(house: House) -> None:
    anna = house.guest("Anna")[0].id
    table = house.open_table(anna, dutchman(ME, CARLA, MACHINE))
    house.resign(table, 1, anna)
    assert [seat.resigned for seat in house.info(table).seats] == [False, True, False]
    house.resign(table, 0, anna)
    assert ended(house, table) == Early("resigned", 0, ())


def test_a_move_that_comes_after_the_end_is_refused(house: House) -> None:
    table, people = seated(house, "Anna", "Bernd")
    mover = house.info(table).mover
    assert mover is not None
    seen = house.look(table, mover)
    house.resign(table, 1 - mover, people[1 - mover])
    number = house.info(table).number
    with pytest.raises(NotNow, match="over"):
        house.play(table, mover, seen.number, seen.moves[0])
    assert house.info(table).number == number


def test_a_level_that_is_none_is_refused(house: House) -> None:
    anna = house.guest("Anna")[0].id
    for level in ("random", "mcts:10", "", None):
        with pytest.raises(BadPlan):
            house.open_table(anna, shanghaien(ME, OPEN, takeover=level))


def test_a_rematch_keeps_the_level_and_everybodys_seat(house: House) -> None:
    table, (anna, bernd) = seated(house, "Anna", "Bernd", takeover="steady")
    house.resign(table, 0, anna)
    again = house.rematch(table, anna)
    house.rematch(table, bernd)
    info = house.info(again)
    assert (info.status, info.takeover, info.early) == ("playing", "steady", None)
    assert not any(seat.resigned or seat.stood_in for seat in info.seats)


# ---------------------------------------------------------------------------------------------------------- agreeing


def test_a_game_ends_when_all_agree(house: House) -> None:
    table, (anna, bernd, carla) = seated(house, "Anna", "Bernd", "Carla")
    house.propose_end(table, 1, bernd)
    assert house.info(table).proposed == 1
    assert [seat.agreed for seat in house.info(table).seats] == [False, True, False]
    with pytest.raises(NotNow, match="already"):
        house.propose_end(table, 0, anna)
    house.agree_to_end(table, carla)
    house.agree_to_end(table, carla)  # nothing more happens
    assert house.info(table).status == "playing"
    house.agree_to_end(table, anna)
    assert ended(house, table) == Early("agreed", 1, ())
    assert kinds(house, table)[-4:] == ["proposed", "agreed", "agreed", "ended"]


def test_machine_players_always_agree(house: House) -> None:
    table, (anna,) = seated(house, "Anna", machines=1)
    house.propose_end(table, 0, anna)
    assert ended(house, table) == Early("agreed", 0, ())


def test_who_has_resigned_or_is_sat_in_for_is_not_asked(house: House, clock: Clock) -> None:
    table, (anna, bernd, carla) = seated(house, "Anna", "Bernd", "Carla", pace=Pace("live", 30, 0))
    clock.tick(seconds=31)
    late = house.late(table)
    assert late is not None
    people = [anna, bernd, carla]
    one, other = (seat for seat in range(3) if seat != late)
    house.stand_in(table, late, people[one])
    house.resign(table, one, people[one])
    house.propose_end(table, other, people[other])
    assert ended(house, table) == Early("agreed", other, ())


def test_a_move_does_not_withdraw_a_proposal_and_a_refusal_does(house: House) -> None:
    table, (anna, bernd) = seated(house, "Anna", "Bernd")
    house.propose_end(table, 0, anna)
    play_one(house, table, Random(1))
    assert house.info(table).proposed == 0
    house.decline_end(table, bernd)
    assert house.info(table).proposed is None
    assert not any(seat.agreed for seat in house.info(table).seats)
    house.propose_end(table, 0, anna)
    house.decline_end(table, anna)
    assert kinds(house, table)[-4:] == ["proposed", "declined", "proposed", "withdrew"]
    for act in (house.agree_to_end, house.decline_end):
        with pytest.raises(NotNow, match="Nobody proposes"):
            act(table, bernd)
    house.propose_end(table, 1, bernd)
    assert house.info(table).status == "playing", "who agreed to another proposal has not agreed to this one"


def test_a_proposal_goes_with_whoever_resigns_and_is_agreed_to_without_them(house: House) -> None:
    table, (anna, bernd, carla) = seated(house, "Anna", "Bernd", "Carla")
    house.propose_end(table, 0, anna)
    house.resign(table, 0, anna)
    assert house.info(table).proposed is None
    house.propose_end(table, 1, bernd)
    house.resign(table, 2, carla)
    assert ended(house, table) == Early("agreed", 1, ())


def test_only_those_who_play_are_asked(house: House) -> None:
    table, (anna, *_) = seated(house, "Anna", "Bernd")
    stranger = house.guest("Dora")[0].id
    with pytest.raises(NotAllowed):
        house.propose_end(table, 1, anna)
    house.propose_end(table, 0, anna)
    for act in (house.agree_to_end, house.decline_end):
        with pytest.raises(NotAllowed):
            act(table, stranger)


# ---------------------------------------------------------------------------------------------------------- claiming


class Waiting:
    """A table without a clock where somebody is to move, and the others wait."""

    def __init__(self, house: House, *names: str, **more: Any) -> None:
        self.house = house
        self.table, self.people = seated(house, *names, **more)
        mover = house.info(self.table).mover
        assert mover is not None
        self.seat = mover
        self.other = (mover + 1) % len(names)

    def claim(self) -> None:
        self.house.claim(self.table, self.seat, self.people[self.other])

    def looks(self) -> None:
        """The mover looks at the table."""
        self.house.visit(self.house.moment(self.table, self.people[self.seat]))


def test_who_stays_away_for_seven_days_loses_to_whoever_claims(house: House, clock: Clock) -> None:
    two = Waiting(house, "Anna", "Bernd")
    clock.tick(days=7, seconds=-1)
    assert house.info(two.table).claimable is None
    with pytest.raises(NotNow, match="seven days"):
        two.claim()
    clock.tick(seconds=1)
    assert house.info(two.table).claimable == two.seat
    two.claim()
    assert ended(house, two.table) == Early("claimed", two.seat, (two.other,))
    assert kinds(house, two.table)[-2:] == ["claimed", "ended"]


def test_whoever_looked_at_the_table_has_not_stayed_away(house: House, clock: Clock) -> None:
    two = Waiting(house, "Anna", "Bernd")
    clock.tick(days=6)
    two.looks()
    clock.tick(days=7, seconds=-1)
    with pytest.raises(NotNow):
        two.claim()
    clock.tick(seconds=1)
    two.claim()
    ended(house, two.table)


def test_a_visit_is_written_once_an_hour_and_wakes_nobody(house: House, place: Place, clock: Clock) -> None:
    two = Waiting(house, "Anna", "Bernd")
    heard = list[str]()
    house.listen(heard.append)

    def changes() -> int:
        ((count,),) = query(place, "SELECT changes FROM tables WHERE id = ?", two.table)
        return int(count)

    before = changes()
    for _ in range(3):
        two.looks()
        clock.tick(minutes=25)
    assert changes() == before + 2 - 1
    two.looks()
    assert changes() == before + 2
    assert heard == []


def test_others_who_look_are_not_noted(house: House, place: Place) -> None:
    two = Waiting(house, "Anna", "Bernd")
    live, _ = seated(house, "Carla", "Dora", pace=Pace("live", 30, 60))
    for table, person in ((two.table, None), (two.table, house.guest("Emil")[0].id), (live, house.guest("E")[0].id)):
        house.visit(house.moment(table, person))
    assert query(place, "SELECT count(*) FROM seats WHERE visited IS NOT NULL") == [(0,)]


def test_a_wrong_clock_costs_nobody_the_game_and_keeps_nobody_waiting(house: House, clock: Clock) -> None:
    two = Waiting(house, "Anna", "Bernd")
    clock.tick(days=365)  # the clock is put forward, while nobody plays
    house.tend()
    assert house.info(two.table).claimable is None
    two.looks()
    clock.tick(days=-365)
    house.tend()
    for _ in range(8):
        for _ in range(24 * 60 * 2):
            clock.tick(seconds=30)
        house.tend()
    assert house.info(two.table).claimable is None, "eight days, in which the program did not run"


def test_among_more_a_machine_player_sits_in_and_the_person_can_come_back(house: House, clock: Clock) -> None:
    three = Waiting(house, "Anna", "Bernd", "Carla", takeover="steady")
    clock.tick(days=7)
    three.claim()
    assert house.info(three.table).seats[three.seat].stood_in == "steady"
    assert kinds(house, three.table)[-1] == "stood in"
    house.come_back(three.table, three.seat, three.people[three.seat])
    assert house.info(three.table).claimable is None
    clock.tick(days=7)
    assert house.info(three.table).claimable == three.seat


def test_who_may_claim_and_where(house: House, clock: Clock) -> None:
    two = Waiting(house, "Anna", "Bernd")
    never = Waiting(house, "Anna", "Bernd", "Carla", stand_in="never")
    clocked = Waiting(house, "Anna", "Bernd", pace=Pace("slow", 3600))
    clock.tick(days=8)
    stranger = house.guest("Dora")[0].id
    for who in (two.people[two.seat], stranger):
        with pytest.raises(NotAllowed):
            house.claim(two.table, two.seat, who)
    with pytest.raises(NotNow):
        house.claim(two.table, two.other, two.people[two.seat])
    with pytest.raises(NoSeat):
        house.claim(two.table, 9, two.people[two.other])
    for other in (never, clocked):
        assert house.info(other.table).claimable is None
        with pytest.raises(NotNow):
            other.claim()


# ---------------------------------------------------------------------------------------------------- all the rest


def test_a_game_that_ended_early_is_looked_at_from_all_sides_afterwards(house: House) -> None:
    table, (anna, bernd, carla) = seated(house, "Anna", "Bernd", "Carla")
    for _ in range(5):
        play_one(house, table, Random(2))
    house.resign(table, 0, anna)
    house.propose_end(table, 1, bernd)
    house.agree_to_end(table, carla)
    ended(house, table)
    number = house.info(table).number
    for seat in (None, 0, 1, 2):
        assert house.look(table, seat).moves == ()
        assert [told.number for told in house.events(table, seat)] == list(range(2, number + 1))
    with pytest.raises(Refusal):
        house.stand_in(table, 1, anna)


def test_a_house_with_games_that_ended_early_is_moved(
    house: House, place: Place, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table, (anna, _) = seated(house, "Anna", "Bernd")
    house.resign(table, 0, anna)
    house.close()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    moved = move(place, elsewhere)
    assert (moved.games, moved.unplayable) == (1, ())
    with House.open(elsewhere) as other:
        ended(other, table)


def test_tables_of_an_older_kontor_keep_what_they_were_promised(place: Place, clock: Clock) -> None:
    with House.open(place, clock) as house:
        two = Waiting(house, "Anna", "Bernd")
    as_of(place, "0005")
    with House.open(place, clock) as house:
        assert house.info(two.table).takeover == "expert"
        two.house = house
        clock.tick(days=7, seconds=-11)
        for _ in range(2):
            clock.tick(seconds=5)
            house.tend()
        assert house.info(two.table).claimable is None
