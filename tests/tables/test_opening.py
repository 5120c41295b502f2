"""Opening a table, taking a seat, leaving, beginning, and rematches."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

from guests import CARLA, FRIEND, MACHINE, ME, OPEN, Clock, dutchman, has_run, play_out, shanghaien
from kontor.errors import (
    BadInvitation,
    BadName,
    BadPlan,
    BadText,
    NoSeat,
    NoTable,
    NotAllowed,
    NotNow,
    SeatTaken,
    TooMany,
)
from kontor.fair import FairDice, commitment
from kontor.game import BadOptions, shuffled
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.chart import Chart
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.players import add_benchmark_player
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.values import Pace, Plan, SeatPlan, Share


def kinds(service: KontorServer, table: str) -> list[tuple[str, str, bool]]:
    return [(seat.kind, seat.name, seat.taken) for seat in service.tables.info(table).seats]


# --------------------------------------------------------------------------------------------------------- opening


def test_a_table_waits_for_those_who_are_missing(service: KontorServer, clock: Clock) -> None:
    anna, _ = service.people.guest("Anna")
    table = service.opening.open(anna.id, dutchman(ME, replace(FRIEND, name="Bernd"), OPEN, MACHINE, watch=False))
    info = service.tables.info(table, anna.id)
    assert kinds(service, table) == [
        ("me", "Anna", True),
        ("friend", "Bernd", False),
        ("open", "", False),
        ("machine", "random", True),
    ]
    assert (info.status, info.number, info.mover, info.since, info.result) == ("waiting", 0, None, None, None)
    assert (info.host, info.mine, info.my_turn, info.created, info.started) == (True, (0,), False, clock.time, None)
    now = service.tables.view(table)
    for ask in (now.look, now.events):
        with pytest.raises(NotNow):
            ask(0)
    with pytest.raises(NotNow):
        service.tables.record(table)


def test_a_table_where_nobody_is_missing_begins_at_once(service: KontorServer, clock: Clock) -> None:
    anna, _ = service.people.guest("Anna")
    table = service.opening.open(anna.id, shanghaien(ME, MACHINE))
    info = service.tables.info(table)
    assert (info.status, info.started, info.since) == ("playing", clock.time, clock.time)
    assert info.number == 3  # the header, the starter, the first row
    assert info.mover in (0, 1)
    assert [line.kind for line in service.tables.view(table).chat_lines()] == ["started"]


def test_several_can_play_at_one_device(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    table = service.opening.open(anna.id, dutchman(ME, CARLA, SeatPlan("here", "Anna")), share=Share("zwölf"))
    assert service.opening.seats_of(table, anna.id) == (0, 1, 2)
    assert [name for _, name, _ in kinds(service, table)] == ["Anna", "Carla", "Anna 2"]
    assert service.tables.fair(table).salts == ("zwölf",) * 3
    assert service.tables.info(table, anna.id).my_turn


def test_machine_players_of_one_name_are_told_apart(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    table = service.opening.open(anna.id, dutchman(ME, MACHINE, MACHINE, replace(MACHINE, name="Käpt'n")))
    assert [name for _, name, _ in kinds(service, table)] == ["Anna", "random", "random 2", "Käpt'n"]


UNPLAYABLE = (
    shanghaien(ME),
    shanghaien(ME, OPEN, OPEN),
    shanghaien(ME, ME),
    shanghaien(CARLA, OPEN),
    shanghaien(ME, SeatPlan("here")),
    shanghaien(ME, SeatPlan("machine")),
    shanghaien(ME, SeatPlan("machine", player="nobody")),
    shanghaien(ME, SeatPlan("machine", player="searching")),
    shanghaien(ME, SeatPlan("machine", player="searching:60s")),
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
)


def test_a_plan_that_cannot_be_played_is_refused(service: KontorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.players._added_players", {})
    add_benchmark_player("shanghaien", "searching", "players.searching")
    anna, _ = service.people.guest("Anna")
    for plan in UNPLAYABLE:
        with pytest.raises(BadOptions) as refused:
            service.opening.open(anna.id, plan)
        assert str(refused.value)
    assert service.listing.my_tables(anna.id) == ()


def test_a_chart_whose_names_no_record_can_hold_is_refused(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    options = msgspec.to_builtins(DutchmanOptions(players=3))
    for text in ("\u202e", "\x00", "\ud800"):
        renamed = eval(repr(options).replace(repr(options["chart"]["fields"][0]["name"]), repr(text)))  # noqa: S307
        game = DutchmanOptions(**{**renamed, "chart": msgspec.convert(renamed["chart"], Chart)})
        with pytest.raises(BadOptions):
            service.opening.open(anna.id, Plan("dutchman", game, (ME, OPEN, OPEN)))


def test_bad_names_and_salts_open_no_table(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    with pytest.raises(BadName):
        service.opening.open(anna.id, shanghaien(ME, replace(CARLA, name="\u202e")))
    with pytest.raises(BadText):
        service.opening.open(anna.id, shanghaien(ME, OPEN), share=Share("\n"))
    with pytest.raises(NotAllowed):
        service.opening.open("nobody", shanghaien(ME, OPEN))
    assert service.listing.lobby().open == ()


def test_one_person_has_a_bounded_number_of_waiting_tables(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    opened = [service.opening.open(anna.id, shanghaien(ME, OPEN)) for _ in range(20)]
    assert len({*opened}) == 20
    assert {len(table) for table in opened} == {20}  # 96 bits
    with pytest.raises(TooMany):
        service.opening.open(anna.id, shanghaien(ME, OPEN))
    service.opening.leave(opened[0], anna.id)
    service.opening.open(anna.id, shanghaien(ME, OPEN))


def test_one_person_has_a_bounded_number_of_games_that_are_not_over(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Count games of any players, and rematches too."""
    monkeypatch.setattr("kontor.tables.opening.MOST_UNFINISHED", 3)
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    among_machines = service.opening.open(anna, shanghaien(MACHINE, MACHINE))
    waiting = service.opening.open(anna, shanghaien(ME, OPEN))
    playing = service.opening.open(anna, shanghaien(ME, CARLA))
    refused = pytest.raises(TooMany, match="You already have 3 unfinished games: finish or end one")
    with refused:
        service.opening.open(anna, shanghaien(MACHINE, MACHINE))
    service.opening.open(bernd, shanghaien(ME, CARLA))
    service.opening.sit(waiting, 1, bernd)
    with refused:
        service.opening.open(anna, shanghaien(ME, CARLA))
    service.early_endings.resign(playing, 0, anna)
    again = service.opening.rematch(playing, anna)
    service.early_endings.resign(waiting, 0, anna)
    with refused:
        service.opening.open(anna, shanghaien(ME, CARLA)), service.opening.rematch(waiting, anna)
    service.early_endings.resign(again, 0, anna)
    service.opening.rematch(waiting, anna)
    assert service.tables.info(among_machines).status == "playing"


def test_from_one_network_come_more(service: KontorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.tables.opening.MOST_UNFINISHED_OF_ORIGIN", 4)
    people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla")]
    opened = [service.opening.open(people[number % 2], shanghaien(ME, CARLA), origin=7) for number in range(4)]
    with pytest.raises(TooMany, match="4 games are being played from your network"):
        service.opening.open(people[2], shanghaien(ME, CARLA), origin=7)
    service.opening.open(people[2], shanghaien(ME, CARLA), origin=8)
    service.opening.open(people[2], shanghaien(ME, CARLA))
    service.early_endings.resign(opened[0], 0, people[0])
    service.opening.open(people[2], shanghaien(ME, CARLA), origin=7)


# --------------------------------------------------------------------------------------------------------- sitting


def test_the_game_begins_when_the_last_seat_is_taken(service: KontorServer) -> None:
    anna, bernd, dora = (service.people.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = service.opening.open(anna.id, dutchman(ME, OPEN, OPEN), share=Share("a"))
    assert service.tables.info(table, bernd.id).seats[1].may_sit
    assert not service.tables.info(table, anna.id).seats[1].may_sit
    service.opening.sit(table, 2, bernd.id, share=Share("b"))
    service.opening.sit(table, 2, bernd.id)  # repeating it changes nothing
    assert service.tables.info(table).status == "waiting"
    service.opening.sit(table, 1, dora.id)
    assert service.tables.info(table).status == "playing"
    assert service.tables.fair(table).salts == ("a", "", "b")
    assert [(line.kind, line.name) for line in service.tables.view(table).chat_lines()] == [
        ("sat", "Bernd"),
        ("sat", "Dora"),
        ("started", ""),
    ]
    with pytest.raises(NotNow):
        service.opening.leave(table, bernd.id)


def test_a_seat_is_taken_once_and_by_nobody_twice(service: KontorServer) -> None:
    anna, bernd, dora = (service.people.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = service.opening.open(anna.id, dutchman(ME, OPEN, OPEN))
    service.opening.sit(table, 1, bernd.id)
    for seat, person in ((1, dora), (0, dora), (2, bernd), (2, anna)):
        with pytest.raises(SeatTaken):
            service.opening.sit(table, seat, person.id)
    for seat in (3, -1, 10**30):
        with pytest.raises(NoSeat):
            service.opening.sit(table, seat, dora.id)
    with pytest.raises(NotAllowed):
        service.opening.sit(table, 2, "nobody")


def test_two_of_one_name_can_sit_at_a_table(service: KontorServer) -> None:
    anna, other = service.people.guest("Anna")[0], service.people.guest("Anna")[0]
    table = service.opening.open(anna.id, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, other.id)
    assert [seat.name for seat in service.tables.info(table).seats] == ["Anna", "Anna 2"]
    assert service.tables.info(table, other.id).mine == (1,)


def test_a_friends_seat_needs_an_invitation_for_it(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    table = service.opening.open(anna.id, dutchman(ME, FRIEND, FRIEND))
    elsewhere = service.opening.open(anna.id, shanghaien(ME, FRIEND))
    first, second = service.opening.invitation(table, 1, anna.id), service.opening.invitation(table, 1, anna.id)
    other = service.opening.invitation(table, 2, anna.id)
    strange = service.opening.invitation(elsewhere, 1, anna.id)
    assert not service.tables.info(table, bernd.id).seats[1].may_sit
    for wrong in (None, "", "x", other, strange, first[:-1], "\ud800"):
        with pytest.raises(BadInvitation):
            service.opening.sit(table, 1, bernd.id, wrong)
    service.opening.sit(table, 1, bernd.id, first)
    assert service.tables.info(table).seats[1].name == "Bernd"
    service.opening.leave(table, bernd.id)
    for used in (first, second):  # they were deleted when the seat was taken
        with pytest.raises(BadInvitation):
            service.opening.sit(table, 1, bernd.id, used)
    service.opening.sit(table, 1, bernd.id, service.opening.invitation(table, 1, anna.id))


def test_who_can_invite(service: KontorServer) -> None:
    anna, bernd, dora = (service.people.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = service.opening.open(anna.id, dutchman(OPEN, FRIEND, OPEN))  # Anna opens it for others
    service.opening.sit(table, 0, bernd.id)
    service.opening.invitation(table, 1, anna.id)
    service.opening.invitation(table, 1, bernd.id)
    with pytest.raises(NotAllowed):
        service.opening.invitation(table, 1, dora.id)
    with pytest.raises(SeatTaken):
        service.opening.invitation(table, 0, anna.id)
    with pytest.raises(NoSeat):
        service.opening.invitation(table, 3, anna.id)
    with pytest.raises(NoTable):
        service.opening.invitation("nowhere", 0, anna.id)


def test_the_host_can_fill_a_seat_with_a_machine_player(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    table = service.opening.open(anna.id, dutchman(ME, FRIEND, OPEN))
    token = service.opening.invitation(table, 1, anna.id)
    with pytest.raises(NotAllowed):
        service.opening.fill(table, 1, bernd.id, "random")
    with pytest.raises(BadOptions):
        service.opening.fill(table, 1, anna.id, "nobody")
    with pytest.raises(SeatTaken):
        service.opening.fill(table, 0, anna.id, "random")
    service.opening.fill(table, 1, anna.id, "random")
    with pytest.raises(SeatTaken):
        service.opening.sit(table, 1, bernd.id, token)
    service.opening.fill(table, 2, anna.id, "random")
    assert kinds(service, table)[1:] == [("machine", "random", True), ("machine", "random 2", True)]
    assert service.tables.info(table).status == "playing"


# --------------------------------------------------------------------------------------------------------- leaving


def test_whoever_leaves_makes_room(service: KontorServer) -> None:
    anna, bernd, dora = (service.people.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = service.opening.open(anna.id, dutchman(ME, CARLA, OPEN, OPEN), share=Share("a"))
    service.opening.sit(table, 2, bernd.id)
    service.opening.leave(table, anna.id)
    assert kinds(service, table) == [
        ("open", "", False),
        ("open", "", False),
        ("open", "Bernd", True),
        ("open", "", False),
    ]
    assert service.tables.info(table, bernd.id).host
    assert not service.tables.info(table, anna.id).host
    assert service.tables.fair(table).salts == ("",) * 4
    service.opening.sit(table, 0, dora.id)
    with pytest.raises(NotAllowed):
        service.opening.leave(table, anna.id)


def test_a_table_without_a_host_goes(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    table = service.opening.open(anna.id, dutchman(ME, OPEN, MACHINE))
    service.talk.say(table, anna.id, "Anybody?")
    service.opening.invitation(table, 1, anna.id)
    service.opening.leave(table, anna.id)
    with pytest.raises(NoTable):
        service.tables.info(table)
    with pytest.raises(NoTable):
        service.opening.sit(table, 1, bernd.id)
    assert service.listing.lobby().open == ()


def test_a_table_that_has_waited_for_a_month_goes(service: KontorServer, clock: Clock, place: Place) -> None:
    anna, _ = service.people.guest("Anna")
    table = service.opening.open(anna.id, shanghaien(ME, OPEN))
    playing = service.opening.open(anna.id, shanghaien(ME, MACHINE))
    clock.tick(days=29)
    has_run(place, clock)
    service.upkeep.apply_deadlines()
    assert service.tables.info(table).status == "waiting"
    clock.tick(days=3)  # one of them for a clock that was wrong
    has_run(place, clock)
    service.upkeep.apply_deadlines()
    with pytest.raises(NoTable):
        service.tables.info(table)
    assert service.tables.info(playing).status == "playing"


# ---------------------------------------------------------------------------------------------------- random order


def test_seats_in_random_order_are_drawn_by_the_seed_and_the_salts(service: KontorServer) -> None:
    names = ("Anna", "Bernd", "Dora", "Emil")
    people = [service.people.guest(name)[0] for name in names]
    orders = Counter[tuple[int, ...]]()
    for _ in range(6):
        table = service.opening.open(
            people[0].id, dutchman(ME, OPEN, OPEN, OPEN, order="random"), share=Share("salt 0")
        )
        promised = service.tables.fair(table)
        assert (promised.places, promised.seed) == (None, None)
        for place, person in enumerate(people[1:], 1):
            service.opening.sit(table, place, person.id, share=Share(f"salt {place}"))
        begun = service.tables.fair(table)
        assert begun.places
        orders[begun.places] += 1
        assert tuple(seat.name for seat in service.tables.info(table).seats) == tuple(
            names[place] for place in begun.places
        )
        assert begun.salts == tuple(f"salt {place}" for place in begun.places)
        for seat, place in enumerate(begun.places):
            assert service.opening.seats_of(table, people[place].id) == (seat,)
    assert len(orders) > 1
    play_out(service, table)
    dice = service.tables.fair(table)
    assert dice.seed
    seed = bytes.fromhex(dice.seed)
    assert commitment(seed) == promised.commitment
    below = FairDice(seed, tuple(f"salt {place}" for place in range(4))).below(1)
    assert tuple(shuffled(range(4), below)) == begun.places


# --------------------------------------------------------------------------------------------------------- rematch


def test_a_rematch_has_the_same_seats(service: KontorServer, clock: Clock) -> None:
    anna, bernd, dora = (service.people.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    plan = dutchman(
        ME, CARLA, OPEN, MACHINE, pace=Pace("live", 30, 60), stand_in="never", order="random", watch=False
    )
    table = service.opening.open(anna.id, plan)
    service.opening.sit(table, 2, bernd.id)
    with pytest.raises(NotNow):
        service.opening.rematch(table, anna.id)
    play_out(service, table)
    with pytest.raises(NotAllowed):
        service.opening.rematch(table, dora.id)

    again = service.opening.rematch(table, bernd.id, share=Share("b"))
    assert service.tables.info(table).rematch == again
    assert again in [waiting.id for waiting in service.listing.my_tables(anna.id)]  # it waits for her
    old, new = service.tables.info(table, anna.id), service.tables.info(again, anna.id)
    assert [seat.name for seat in new.seats] == [seat.name for seat in old.seats]
    assert [seat.may_sit for seat in new.seats] == [seat.mine for seat in old.seats]
    assert (new.pace, new.stand_in, new.watch, new.options) == (old.pace, old.stand_in, old.watch, old.options)
    with pytest.raises(BadInvitation):
        service.opening.sit(again, old.mine[0], dora.id)
    assert service.opening.rematch(table, bernd.id) == again
    assert service.opening.rematch(table, anna.id) == again
    assert service.tables.info(again, anna.id).mine == old.mine
    assert service.tables.info(again).status == "playing"
    assert service.tables.fair(again).commitment != service.tables.fair(table).commitment
    assert service.opening.rematch(table, anna.id) == again


def test_a_rematch_that_is_declined_can_be_had_by_another(service: KontorServer) -> None:
    anna, bernd, dora = (service.people.guest(name)[0] for name in ("Anna", "Bernd", "Dora"))
    table = service.opening.open(anna.id, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, bernd.id)
    play_out(service, table)
    again = service.opening.rematch(table, anna.id)
    service.opening.leave(again, bernd.id)
    with pytest.raises(BadInvitation):
        service.opening.sit(again, 1, bernd.id)
    service.opening.sit(again, 1, dora.id, service.opening.invitation(again, 1, anna.id))
    assert service.tables.info(again).status == "playing"


def test_a_rematch_that_has_gone_can_be_asked_for_anew(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0], service.people.guest("Bernd")[0]
    table = service.opening.open(anna.id, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, bernd.id)
    play_out(service, table)
    again = service.opening.rematch(table, anna.id)
    service.opening.leave(again, anna.id)
    assert service.tables.info(table).rematch is None
    assert service.opening.rematch(table, bernd.id) != again


def test_machine_players_alone_play_on_at_once(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    table = service.opening.open(anna.id, shanghaien(MACHINE, MACHINE))
    play_out(service, table)
    again = service.opening.rematch(table, anna.id)
    assert service.tables.info(again).status == "playing"
    play_out(service, again)


# ------------------------------------------------------------------------------------------ one link for all seats


def test_one_invitation_leads_to_all_seats_in_their_order(service: KontorServer) -> None:
    anna, bernd, carla, dora = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla", "Dora"))
    table = service.opening.open(anna, dutchman(ME, FRIEND, FRIEND))
    link = service.opening.invitation_to_table(table, anna)
    service.opening.sit_anywhere(table, bernd, link)
    service.opening.sit_anywhere(table, bernd, link)
    assert [seat.name for seat in service.tables.info(table).seats] == ["Anna", "Bernd", ""]
    service.opening.leave(table, bernd)
    service.opening.sit_anywhere(table, carla, link)
    assert [seat.name for seat in service.tables.info(table).seats] == ["Anna", "Carla", ""], "the link still works"
    service.opening.sit_anywhere(table, bernd, link)
    assert service.tables.info(table).status == "playing"
    with pytest.raises(SeatTaken):
        service.opening.sit_anywhere(table, dora, link)


def test_an_invitation_to_a_table_is_none_to_a_seat_or_another_table(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0].id, service.people.guest("Bernd")[0].id
    table = service.opening.open(anna, dutchman(ME, FRIEND, FRIEND))
    elsewhere = service.opening.open(anna, dutchman(ME, FRIEND, FRIEND))
    link, seat_link = service.opening.invitation_to_table(table, anna), service.opening.invitation(table, 2, anna)
    for wrong in ("", "x", seat_link, link[:-1], "\ud800", service.opening.invitation_to_table(elsewhere, anna)):
        with pytest.raises(BadInvitation):
            service.opening.sit_anywhere(table, bernd, wrong)
    with pytest.raises(BadInvitation):
        service.opening.sit(table, 1, bernd, link)
    service.opening.sit(table, 2, bernd, seat_link)
    with pytest.raises(NotAllowed):
        service.opening.invitation_to_table(elsewhere, bernd)


def test_a_host_without_a_seat_can_invite_to_the_whole_table(service: KontorServer) -> None:
    anna, bernd, carla = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla"))
    table = service.opening.open(anna, shanghaien(OPEN, FRIEND))
    link = service.opening.invitation_to_table(table, anna)
    service.opening.sit_anywhere(table, bernd, link)
    service.opening.sit_anywhere(table, carla, link)
    assert [seat.name for seat in service.tables.info(table).seats] == ["Bernd", "Carla"]


def test_the_host_can_change_the_pace_until_somebody_has_sat_down(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0].id, service.people.guest("Bernd")[0].id
    table = service.opening.open(anna, dutchman(ME, FRIEND, FRIEND))
    service.opening.change_pace(table, anna, Pace("live", 60, 600))
    assert service.tables.info(table).pace == Pace("live", 60, 600)
    assert {seat.reserve for seat in service.tables.info(table).seats} == {600}
    with pytest.raises(NotAllowed):
        service.opening.change_pace(table, bernd, Pace())
    with pytest.raises(BadPlan):
        service.opening.change_pace(table, anna, Pace("live", 1, 600))
    service.opening.sit_anywhere(table, bernd, service.opening.invitation_to_table(table, anna))
    with pytest.raises(NotNow):
        service.opening.change_pace(table, anna, Pace())


def test_the_host_can_fill_all_seats_that_friends_leave_empty(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0].id, service.people.guest("Bernd")[0].id
    table = service.opening.open(anna, dutchman(ME, FRIEND, FRIEND, OPEN))
    service.opening.sit_anywhere(table, bernd, service.opening.invitation_to_table(table, anna))
    with pytest.raises(NotAllowed):
        service.opening.fill_rest(table, bernd, "casual")
    service.opening.fill_rest(table, anna, "casual", ("Kaspar", "Melchior"))
    info = service.tables.info(table)
    assert info.status == "playing"
    assert [(seat.name, seat.player) for seat in info.seats] == [
        ("Anna", ""),
        ("Bernd", ""),
        ("Kaspar", "casual"),
        ("Melchior", "casual"),
    ]
