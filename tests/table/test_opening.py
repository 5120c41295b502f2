"""Opening a table, sitting down, leaving, beginning, and once more."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

from kontor.dutchman import Options as DutchmanOptions
from kontor.dutchman.chart import Chart
from kontor.fair import FairDice, commitment
from kontor.game import BadOptions, shuffled
from kontor.shanghaien import Options as ShanghaienOptions
from kontor.table import (
    BadInvitation,
    BadName,
    BadText,
    House,
    NoSeat,
    NoTable,
    NotAllowed,
    NotNow,
    Pace,
    Plan,
    SeatPlan,
    SeatTaken,
    TooMany,
)
from kontor.table.storage import Place

from .guests import CARLA, FRIEND, MACHINE, ME, OPEN, Clock, dutchman, has_run, play_out, shanghaien


def kinds(house: House, table: str) -> list[tuple[str, str, bool]]:
    return [(seat.kind, seat.name, seat.taken) for seat in house.info(table).seats]


# --------------------------------------------------------------------------------------------------------- opening


def test_a_table_waits_for_those_who_are_missing(house: House, clock: Clock) -> None:
    anna, _ = house.guest("Anna")
    table = house.open_table(anna.id, dutchman(ME, replace(FRIEND, name="Bernd"), OPEN, MACHINE, watch=False))
    info = house.info(table, anna.id)
    assert kinds(house, table) == [
        ("me", "Anna", True),
        ("friend", "Bernd", False),
        ("open", "", False),
        ("machine", "random", True),
    ]
    assert (info.status, info.number, info.mover, info.since, info.result) == ("waiting", 0, None, None, None)
    assert (info.host, info.mine, info.my_turn, info.created, info.started) == (True, (0,), False, clock.time, None)
    for ask in (house.view, house.look, house.events):
        with pytest.raises(NotNow):
            ask(table, 0)
    with pytest.raises(NotNow):
        house.record(table)


def test_a_table_where_nobody_is_missing_begins_at_once(house: House, clock: Clock) -> None:
    anna, _ = house.guest("Anna")
    table = house.open_table(anna.id, shanghaien(ME, MACHINE))
    info = house.info(table)
    assert (info.status, info.started, info.since) == ("playing", clock.time, clock.time)
    assert info.number == 3  # the header, who starts, the first row
    assert info.mover in (0, 1)
    assert [said.kind for said in house.said(table)] == ["started"]


def test_several_can_play_at_one_device(house: House) -> None:
    anna, _ = house.guest("Anna")
    table = house.open_table(anna.id, dutchman(ME, CARLA, SeatPlan("here", "Anna")), salt="zwölf")
    assert house.seats_of(table, anna.id) == (0, 1, 2)
    assert [name for _, name, _ in kinds(house, table)] == ["Anna", "Carla", "Anna 2"]
    assert house.fair(table).salts == ("zwölf",) * 3
    assert house.info(table, anna.id).my_turn


def test_machine_players_of_one_name_are_told_apart(house: House) -> None:
    anna, _ = house.guest("Anna")
    table = house.open_table(anna.id, dutchman(ME, MACHINE, MACHINE, replace(MACHINE, name="Käpt'n")))
    assert [name for _, name, _ in kinds(house, table)] == ["Anna", "random", "random 2", "Käpt'n"]


@pytest.mark.parametrize(
    "plan",
    [
        shanghaien(ME),
        shanghaien(ME, OPEN, OPEN),
        shanghaien(ME, ME),
        shanghaien(CARLA, OPEN),
        shanghaien(ME, SeatPlan("here")),
        shanghaien(ME, SeatPlan("machine")),
        shanghaien(ME, SeatPlan("machine", player="nobody")),
        shanghaien(ME, SeatPlan("machine", player="mcts")),
        shanghaien(ME, SeatPlan("machine", player="mcts:60s")),
        shanghaien(ME, SeatPlan("open", player="random")),
        shanghaien(ME, OPEN, pace=Pace("live", 4)),
        shanghaien(ME, OPEN, pace=Pace("live", 60, -1)),
        shanghaien(ME, OPEN, pace=Pace("live", 60, 10**9)),
        shanghaien(ME, OPEN, pace=Pace("slow", 60)),
        shanghaien(ME, OPEN, pace=Pace("slow", 86400, 1)),
        shanghaien(ME, OPEN, pace=Pace("none", 1)),
        shanghaien(ME, OPEN, pace=Pace("soon")),  # type: ignore[arg-type]
        shanghaien(ME, OPEN, stand_in="perhaps"),
        shanghaien(ME, OPEN, watch="no"),
        shanghaien(ME, OPEN, order="by age"),
        shanghaien(ME, SeatPlan("king")),  # type: ignore[arg-type]
        shanghaien(ME, object()),  # type: ignore[arg-type]
        Plan("chess", ShanghaienOptions(), (ME, OPEN)),
        Plan("shanghaien", DutchmanOptions(), (ME, OPEN)),
        Plan("shanghaien", ShanghaienOptions(starter=7), (ME, OPEN)),
        Plan("shanghaien", ShanghaienOptions(starter="x"), (ME, OPEN)),  # type: ignore[arg-type]
        Plan("shanghaien", None, (ME, OPEN)),
        Plan("dutchman", DutchmanOptions(players=7), (ME,) + (OPEN,) * 6),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(house: House, plan: Plan) -> None:
    anna, _ = house.guest("Anna")
    with pytest.raises(BadOptions) as refused:
        house.open_table(anna.id, plan)
    assert str(refused.value)
    assert house.my_tables(anna.id) == ()


@pytest.mark.parametrize("text", ["\u202e", "\x00", "\ud800"])
def test_a_chart_whose_names_no_record_can_hold_is_refused(house: House, text: str) -> None:
    anna, _ = house.guest("Anna")
    options = msgspec.to_builtins(DutchmanOptions(players=3))
    renamed = eval(repr(options).replace(repr(options["chart"]["fields"][0]["name"]), repr(text)))  # noqa: S307
    game = DutchmanOptions(**{**renamed, "chart": msgspec.convert(renamed["chart"], Chart)})
    with pytest.raises(BadOptions):
        house.open_table(anna.id, Plan("dutchman", game, (ME, OPEN, OPEN)))


def test_bad_names_and_salts_open_no_table(house: House) -> None:
    anna, _ = house.guest("Anna")
    with pytest.raises(BadName):
        house.open_table(anna.id, shanghaien(ME, replace(CARLA, name="\u202e")))
    with pytest.raises(BadText):
        house.open_table(anna.id, shanghaien(ME, OPEN), salt="\n")
    with pytest.raises(NotAllowed):
        house.open_table("nobody", shanghaien(ME, OPEN))
    assert house.lobby().open == ()


def test_one_person_has_a_bounded_number_of_waiting_tables(house: House) -> None:
    anna, _ = house.guest("Anna")
    opened = [house.open_table(anna.id, shanghaien(ME, OPEN)) for _ in range(20)]
    assert len({*opened}) == 20
    assert {len(table) for table in opened} == {20}  # 96 bits
    with pytest.raises(TooMany):
        house.open_table(anna.id, shanghaien(ME, OPEN))
    house.leave(opened[0], anna.id)
    house.open_table(anna.id, shanghaien(ME, OPEN))


# --------------------------------------------------------------------------------------------------------- sitting


def test_the_game_begins_when_the_last_seat_is_taken(house: House) -> None:
    anna, bernd, dora = (house.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = house.open_table(anna.id, dutchman(ME, OPEN, OPEN), salt="a")
    assert house.info(table, bernd.id).seats[1].may_sit
    assert not house.info(table, anna.id).seats[1].may_sit
    house.sit(table, 2, bernd.id, salt="b")
    house.sit(table, 2, bernd.id)  # twice is once
    assert house.info(table).status == "waiting"
    house.sit(table, 1, dora.id)
    assert house.info(table).status == "playing"
    assert house.fair(table).salts == ("a", "", "b")
    assert [(said.kind, said.name) for said in house.said(table)] == [
        ("sat", "Bernd"),
        ("sat", "Dora"),
        ("started", ""),
    ]
    with pytest.raises(NotNow):
        house.leave(table, bernd.id)


def test_a_seat_is_taken_once_and_by_nobody_twice(house: House) -> None:
    anna, bernd, dora = (house.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = house.open_table(anna.id, dutchman(ME, OPEN, OPEN))
    house.sit(table, 1, bernd.id)
    for seat, person in ((1, dora), (0, dora), (2, bernd), (2, anna)):
        with pytest.raises(SeatTaken):
            house.sit(table, seat, person.id)
    for seat in (3, -1, 10**30):
        with pytest.raises(NoSeat):
            house.sit(table, seat, dora.id)
    with pytest.raises(NotAllowed):
        house.sit(table, 2, "nobody")


def test_two_of_one_name_can_sit_at_a_table(house: House) -> None:
    anna, other = house.guest("Anna")[0], house.guest("Anna")[0]
    table = house.open_table(anna.id, shanghaien(ME, OPEN))
    house.sit(table, 1, other.id)
    assert [seat.name for seat in house.info(table).seats] == ["Anna", "Anna 2"]
    assert house.info(table, other.id).mine == (1,)


def test_a_friends_seat_needs_an_invitation_for_it(house: House) -> None:
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    table = house.open_table(anna.id, dutchman(ME, FRIEND, FRIEND))
    elsewhere = house.open_table(anna.id, shanghaien(ME, FRIEND))
    first, second = house.invitation(table, 1, anna.id), house.invitation(table, 1, anna.id)
    other = house.invitation(table, 2, anna.id)
    strange = house.invitation(elsewhere, 1, anna.id)
    assert not house.info(table, bernd.id).seats[1].may_sit
    for wrong in (None, "", "x", other, strange, first[:-1], "\ud800"):
        with pytest.raises(BadInvitation):
            house.sit(table, 1, bernd.id, wrong)
    house.sit(table, 1, bernd.id, first)
    assert house.info(table).seats[1].name == "Bernd"
    house.leave(table, bernd.id)
    for used in (first, second):  # they went when the seat was taken
        with pytest.raises(BadInvitation):
            house.sit(table, 1, bernd.id, used)
    house.sit(table, 1, bernd.id, house.invitation(table, 1, anna.id))


def test_who_can_invite(house: House) -> None:
    anna, bernd, dora = (house.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = house.open_table(anna.id, dutchman(OPEN, FRIEND, OPEN))  # Anna opens it for others
    house.sit(table, 0, bernd.id)
    house.invitation(table, 1, anna.id)
    house.invitation(table, 1, bernd.id)
    with pytest.raises(NotAllowed):
        house.invitation(table, 1, dora.id)
    with pytest.raises(SeatTaken):
        house.invitation(table, 0, anna.id)
    with pytest.raises(NoSeat):
        house.invitation(table, 3, anna.id)
    with pytest.raises(NoTable):
        house.invitation("nowhere", 0, anna.id)


def test_the_host_can_fill_a_seat_with_a_machine_player(house: House) -> None:
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    table = house.open_table(anna.id, dutchman(ME, FRIEND, OPEN))
    token = house.invitation(table, 1, anna.id)
    with pytest.raises(NotAllowed):
        house.fill(table, 1, bernd.id, "random")
    with pytest.raises(BadOptions):
        house.fill(table, 1, anna.id, "nobody")
    with pytest.raises(SeatTaken):
        house.fill(table, 0, anna.id, "random")
    house.fill(table, 1, anna.id, "random")
    with pytest.raises(SeatTaken):
        house.sit(table, 1, bernd.id, token)
    house.fill(table, 2, anna.id, "random")
    assert kinds(house, table)[1:] == [("machine", "random", True), ("machine", "random 2", True)]
    assert house.info(table).status == "playing"


# --------------------------------------------------------------------------------------------------------- leaving


def test_whoever_leaves_makes_room(house: House) -> None:
    anna, bernd, dora = (house.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = house.open_table(anna.id, dutchman(ME, CARLA, OPEN, OPEN), salt="a")
    house.sit(table, 2, bernd.id)
    house.leave(table, anna.id)
    assert kinds(house, table) == [
        ("open", "", False),
        ("open", "", False),
        ("open", "Bernd", True),
        ("open", "", False),
    ]
    assert house.info(table, bernd.id).host
    assert not house.info(table, anna.id).host
    assert house.fair(table).salts == ("",) * 4
    house.sit(table, 0, dora.id)
    with pytest.raises(NotAllowed):
        house.leave(table, anna.id)


def test_a_table_without_a_host_goes(house: House) -> None:
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    table = house.open_table(anna.id, dutchman(ME, OPEN, MACHINE))
    house.chat(table, anna.id, "Anybody?")
    house.invitation(table, 1, anna.id)
    house.leave(table, anna.id)
    with pytest.raises(NoTable):
        house.info(table)
    with pytest.raises(NoTable):
        house.sit(table, 1, bernd.id)
    assert house.lobby().open == ()


def test_a_table_that_has_waited_for_a_month_goes(house: House, clock: Clock, place: Place) -> None:
    anna, _ = house.guest("Anna")
    table = house.open_table(anna.id, shanghaien(ME, OPEN))
    playing = house.open_table(anna.id, shanghaien(ME, MACHINE))
    clock.tick(days=29)
    has_run(place, clock)
    house.tend()
    assert house.info(table).status == "waiting"
    clock.tick(days=3)  # one of them for a clock that was wrong
    has_run(place, clock)
    house.tend()
    with pytest.raises(NoTable):
        house.info(table)
    assert house.info(playing).status == "playing"


# ---------------------------------------------------------------------------------------------------- random order


def test_seats_in_random_order_are_drawn_by_the_seed_and_the_salts(house: House) -> None:
    names = ("Anna", "Bernd", "Dora", "Emil")
    people = [house.guest(name)[0] for name in names]
    orders = Counter[tuple[int, ...]]()
    for _ in range(6):
        table = house.open_table(people[0].id, dutchman(ME, OPEN, OPEN, OPEN, order="random"), salt="salt 0")
        promised = house.fair(table)
        assert (promised.places, promised.seed) == (None, None)
        for place, person in enumerate(people[1:], 1):
            house.sit(table, place, person.id, salt=f"salt {place}")
        begun = house.fair(table)
        assert begun.places
        orders[begun.places] += 1
        assert tuple(seat.name for seat in house.info(table).seats) == tuple(names[place] for place in begun.places)
        assert begun.salts == tuple(f"salt {place}" for place in begun.places)
        for seat, place in enumerate(begun.places):
            assert house.seats_of(table, people[place].id) == (seat,)
    assert len(orders) > 1
    play_out(house, table)
    told = house.fair(table)
    assert told.seed
    seed = bytes.fromhex(told.seed)
    assert commitment(seed) == promised.commitment
    below = FairDice(seed, tuple(f"salt {place}" for place in range(4))).below(1)
    assert tuple(shuffled(range(4), below)) == begun.places


# --------------------------------------------------------------------------------------------------------- rematch


def test_a_rematch_has_the_same_seats(house: House, clock: Clock) -> None:
    anna, bernd, dora = (house.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    plan = dutchman(
        ME, CARLA, OPEN, MACHINE, pace=Pace("live", 30, 60), stand_in="never", order="random", watch=False
    )
    table = house.open_table(anna.id, plan)
    house.sit(table, 2, bernd.id)
    with pytest.raises(NotNow):
        house.rematch(table, anna.id)
    play_out(house, table)
    with pytest.raises(NotAllowed):
        house.rematch(table, dora.id)

    again = house.rematch(table, bernd.id, salt="b")
    assert house.info(table).rematch == again
    assert again in [waiting.id for waiting in house.my_tables(anna.id)]  # she is awaited
    old, new = house.info(table, anna.id), house.info(again, anna.id)
    assert [seat.name for seat in new.seats] == [seat.name for seat in old.seats]
    assert [seat.may_sit for seat in new.seats] == [seat.mine for seat in old.seats]
    assert (new.pace, new.stand_in, new.watch, new.options) == (old.pace, old.stand_in, old.watch, old.options)
    with pytest.raises(BadInvitation):
        house.sit(again, old.mine[0], dora.id)
    assert house.rematch(table, bernd.id) == again
    assert house.rematch(table, anna.id) == again
    assert house.info(again, anna.id).mine == old.mine
    assert house.info(again).status == "playing"
    assert house.fair(again).commitment != house.fair(table).commitment
    assert house.rematch(table, anna.id) == again


def test_a_rematch_that_is_declined_can_be_had_by_another(house: House) -> None:
    anna, bernd, dora = (house.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = house.open_table(anna.id, shanghaien(ME, OPEN))
    house.sit(table, 1, bernd.id)
    play_out(house, table)
    again = house.rematch(table, anna.id)
    house.leave(again, bernd.id)
    with pytest.raises(BadInvitation):
        house.sit(again, 1, bernd.id)
    house.sit(again, 1, dora.id, house.invitation(again, 1, anna.id))
    assert house.info(again).status == "playing"


def test_a_rematch_that_has_gone_can_be_asked_for_anew(house: House) -> None:
    anna, bernd = house.guest("Anna")[0], house.guest("Bernd")[0]
    table = house.open_table(anna.id, shanghaien(ME, OPEN))
    house.sit(table, 1, bernd.id)
    play_out(house, table)
    again = house.rematch(table, anna.id)
    house.leave(again, anna.id)
    assert house.info(table).rematch is None
    assert house.rematch(table, bernd.id) != again


def test_machine_players_alone_play_on_at_once(house: House) -> None:
    anna, _ = house.guest("Anna")
    table = house.open_table(anna.id, shanghaien(MACHINE, MACHINE))
    play_out(house, table)
    again = house.rematch(table, anna.id)
    assert house.info(again).status == "playing"
    play_out(house, again)
