"""Strict dice: shares are committed to before any is revealed, and revealed when all sit (docs/fair-dice.md)."""

from __future__ import annotations

import pytest

from guests import CARLA, FRIEND, MACHINE, ME, OPEN, Clock, dutchman, play_out, shanghaien
from kontor import records
from kontor.errors import BadText, NotAllowed, NotNow
from kontor.fair import salt_commitment
from kontor.server.composition import KontorServer
from kontor.tables.values import DiceChoice, Pace, Share

LIVE = Pace("live", 60, 600)
DAYS = Pace("slow", 24 * 3600)


def promise_salt(salt: str) -> Share:
    return Share(commitment=salt_commitment(salt))


@pytest.fixture
def people(service: KontorServer) -> list[str]:
    return [service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Dora")]


def all_sit(service: KontorServer, people: list[str], *salts: str, **more: object) -> str:
    """Return a table of the Holländer, where each has committed to a salt."""
    plan = dutchman(ME, *[OPEN] * (len(salts) - 1), pace=LIVE, **more)
    table = service.opening.open(people[0], plan, promise_salt(salts[0]))
    for seat, salt in enumerate(salts[1:], 1):
        service.opening.sit(table, seat, people[seat], share=promise_salt(salt))
    return table


def test_the_game_begins_when_all_have_told_what_they_promised(service: KontorServer, people: list[str]) -> None:
    table = all_sit(service, people, "a", "b", "c")
    info = service.tables.info(table)
    assert (info.status, info.dice, info.revealing) == ("waiting", "strict", True)
    assert [seat.unrevealed for seat in info.seats] == [True, True, True]
    assert service.tables.fair(table).salts == ("", "", "")
    assert service.tables.fair(table).salt_commitments == tuple(map(salt_commitment, "abc"))
    service.salts.reveal(table, people[1], "b")
    assert [seat.unrevealed for seat in service.tables.info(table).seats] == [True, False, True]
    service.salts.reveal(table, people[0], "a")
    assert service.tables.info(table).status == "waiting"
    service.salts.reveal(table, people[2], "c")
    info = service.tables.info(table)
    assert (info.status, info.revealing, info.may_begin_without) == ("playing", False, False)
    assert service.tables.fair(table).salts == ("a", "b", "c")
    service.salts.reveal(table, people[2], "c")  # sent twice


def test_the_record_tells_the_promises_and_can_be_recomputed(service: KontorServer, people: list[str]) -> None:
    table = all_sit(service, people, "a", "b", "c", order="random")
    for person, salt in zip(people, "abc", strict=True):
        service.salts.reveal(table, person, salt)
    play_out(service, table)
    header = service.tables.record(table).header
    assert header.record == records.STRICT_VERSION
    assert header.salt_commitments == tuple(map(salt_commitment, header.salts))
    assert sorted(header.salts) == ["a", "b", "c"]
    assert records.verify(records.decode(records.encode(service.tables.record(table)))).outcomes > 3


def test_nothing_else_is_told_than_what_was_promised(service: KontorServer, people: list[str]) -> None:
    table = all_sit(service, people, "a", "b", "c")
    for salt in ("", "A", " a", "b"):
        with pytest.raises(BadText, match="not the contribution that was promised"):
            service.salts.reveal(table, people[0], salt)
    assert service.tables.fair(table).salts == ("", "", "")


def test_nothing_is_told_before_all_sit(service: KontorServer, people: list[str]) -> None:
    """Check that the last to sit down cannot have read the others' shares."""
    table = service.opening.open(people[0], shanghaien(ME, OPEN, pace=LIVE), promise_salt("a"))
    with pytest.raises(NotNow, match="when all seats are taken"):
        service.salts.reveal(table, people[0], "a")
    assert service.tables.fair(table).salts == ("", "")


def test_once_a_share_was_told_nobody_stands_up(service: KontorServer, people: list[str]) -> None:
    """Check that nobody who knows the dice can have them drawn anew."""
    table = all_sit(service, people, "a", "b", "c")
    service.opening.leave(table, people[2])
    assert not service.tables.info(table).revealing
    with pytest.raises(NotNow, match="when all seats are taken"):
        service.salts.reveal(table, people[0], "a")
    service.opening.sit(table, 2, people[2], share=promise_salt("d"))
    service.salts.reveal(table, people[0], "a")
    for person in people:
        with pytest.raises(NotNow, match="about to begin"):
            service.opening.leave(table, person)
    with pytest.raises(BadText):
        service.salts.reveal(table, people[2], "c")
    service.salts.reveal(table, people[1], "b")
    service.salts.reveal(table, people[2], "d")
    assert service.tables.fair(table).salts == ("a", "b", "d")


def test_without_a_share_that_is_missing_a_game_begins_after_a_minute_if_all_others_agree(
    service: KontorServer, people: list[str], clock: Clock
) -> None:
    table = all_sit(service, people, "a", "b", "c")
    service.salts.reveal(table, people[0], "a")
    service.salts.reveal(table, people[1], "b")
    clock.tick(seconds=59)
    with pytest.raises(NotNow, match="Wait a minute"):
        service.salts.begin_without(table, people[0])
    clock.tick(seconds=1)
    may_agree = [service.tables.info(table, person).asked_to_begin for person in people]
    assert (service.tables.info(table).may_begin_without, may_agree) == (True, [True, True, False])
    with pytest.raises(NotAllowed, match="Only players who have revealed"):
        service.salts.begin_without(table, people[2])
    with pytest.raises(NotAllowed):
        service.salts.begin_without(table, service.people.guest("Emil")[0].id)
    service.salts.begin_without(table, people[0])
    assert service.tables.info(table).status == "waiting"
    assert [seat.begins_without for seat in service.tables.info(table).seats] == [True, False, False]
    service.salts.begin_without(table, people[1])
    assert service.tables.info(table).status == "playing"
    assert [line.name for line in service.tables.view(table).chat_lines() if line.kind == "without"] == ["Dora"]
    with pytest.raises(NotNow, match="already begun"):
        service.salts.reveal(table, people[2], "c")
    play_out(service, table)
    header = service.tables.record(table).header
    assert header.salts == ("a", "b", "")
    assert header.salt_commitments == tuple(map(salt_commitment, "abc"))
    assert records.verify(service.tables.record(table)).outcomes > 3


def test_whoever_comes_in_time_after_all_is_not_left_out(
    service: KontorServer, people: list[str], clock: Clock
) -> None:
    table = all_sit(service, people, "a", "b", "c")
    service.salts.reveal(table, people[0], "a")
    service.salts.reveal(table, people[1], "b")
    clock.tick(minutes=5)
    service.salts.begin_without(table, people[0])
    service.salts.reveal(table, people[2], "c")
    assert service.tables.info(table).status == "playing"
    assert service.tables.fair(table).salts == ("a", "b", "c")


def test_where_nobody_has_told_theirs_all_must_agree(service: KontorServer, people: list[str], clock: Clock) -> None:
    """Check the case that all come back in other browsers than those in which they sat down."""
    table = all_sit(service, people, "a", "b", "c")
    clock.tick(minutes=1)
    for person in people:
        assert service.tables.info(table).status == "waiting"
        service.salts.begin_without(table, person)
    assert service.tables.info(table).status == "playing"
    assert service.tables.fair(table).salts == ("", "", "")


def test_what_was_told_at_once_is_not_waited_for(service: KontorServer, people: list[str]) -> None:
    """Check programs, and browsers without scripts; computer players add no share."""
    anna, bernd, _ = people
    table = service.opening.open(anna, dutchman(ME, OPEN, MACHINE, pace=LIVE), promise_salt("a"))
    service.opening.sit(table, 1, bernd, share=Share("told"))
    assert [seat.unrevealed for seat in service.tables.info(table).seats] == [True, False, False]
    service.salts.reveal(table, anna, "a")
    assert service.tables.fair(table).salts == ("a", "told", "")
    other = service.opening.open(anna, shanghaien(ME, OPEN, pace=LIVE))
    service.opening.sit(other, 1, bernd, share=Share("told"))
    assert service.tables.info(other).status == "playing"


def test_a_machine_player_may_be_the_last_to_sit(service: KontorServer, people: list[str]) -> None:
    anna = people[0]
    table = service.opening.open(anna, shanghaien(ME, FRIEND, pace=LIVE), promise_salt("a"))
    service.opening.fill(table, 1, anna, "random")
    assert service.tables.info(table).revealing
    service.salts.reveal(table, anna, "a")
    assert service.tables.info(table).status == "playing"


def test_all_who_play_at_one_device_promise_the_same(service: KontorServer, people: list[str]) -> None:
    table = service.opening.open(people[0], dutchman(ME, CARLA, MACHINE, pace=LIVE), promise_salt("a"))
    service.salts.reveal(table, people[0], "a")
    assert service.tables.fair(table).salts == ("a", "a", "")


def test_live_tables_have_strict_dice_and_others_where_they_are_asked_for(
    service: KontorServer, people: list[str]
) -> None:
    anna, bernd, _ = people
    for plan in (
        shanghaien(ME, OPEN, pace=LIVE),
        shanghaien(ME, OPEN, pace=DAYS, dice="strict"),
        shanghaien(ME, OPEN, dice="strict"),
    ):
        table = service.opening.open(anna, plan)
        assert service.tables.info(table).dice == service.tables.fair(table).kind == "strict", plan
        service.opening.sit(table, 1, bernd, share=promise_salt("b"))
        assert service.tables.info(table).revealing, plan
    for plan, kind in (
        (shanghaien(ME, OPEN), "early"),
        (shanghaien(ME, OPEN, pace=DAYS), "early"),
        (shanghaien(ME, OPEN, pace=LIVE, dice="early"), "simple"),
    ):
        table = service.opening.open(anna, plan)
        assert service.tables.info(table).dice == service.tables.fair(table).kind == kind, plan
        with pytest.raises(BadText, match="not strict"):
            service.opening.sit(table, 1, bernd, share=promise_salt("b"))


def test_a_promise_is_a_sha_256(service: KontorServer, people: list[str]) -> None:
    for text in ("x", "A" * 64, "a" * 63, "a" * 65, "a" * 64 + "\n"):
        with pytest.raises(BadText, match="64 hexadecimal digits"):
            service.opening.open(people[0], shanghaien(ME, OPEN, pace=LIVE), Share(commitment=text))
    with pytest.raises(BadText, match="not both"):
        service.opening.open(people[0], shanghaien(ME, OPEN, pace=LIVE), Share("a", salt_commitment("a")))


@pytest.mark.parametrize("dice", ["strict", "early"])
def test_a_rematch_has_the_dice_of_the_game_before(
    service: KontorServer, people: list[str], dice: DiceChoice
) -> None:
    anna, bernd, _ = people
    table = service.opening.open(anna, shanghaien(ME, OPEN, dice=dice))
    service.opening.sit(table, 1, bernd)
    play_out(service, table)
    again = service.opening.rematch(table, anna, promise_salt("a") if dice == "strict" else Share("a"))
    assert service.tables.info(again).dice == dice
    service.opening.rematch(table, bernd, Share("b"))
    assert service.tables.info(again).revealing == (dice == "strict")
