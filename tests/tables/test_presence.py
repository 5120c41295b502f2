"""Presence at a table: told to those who sit there, sparingly."""

from __future__ import annotations

from guests import Clock, play_out
from kontor.server.composition import KontorServer
from kontor.tables.presence import GONE_AFTER
from tables.test_early_endings import seat_people


def test_the_others_at_the_table_are_told_who_is_here_and_how_long_others_are_away(
    service: KontorServer, clock: Clock
) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd")
    present: set[tuple[str, str]] = set()
    service.presence.attend(lambda: present)

    def presence(reader: str | None, seat: int) -> tuple[bool | None, int | None]:
        info = service.tables.info(table, reader).seats[seat]
        return info.here, info.away

    assert presence(anna, 1) == (False, None), "nobody has seen them yet"
    present.add((table, bernd))
    heard: list[str] = []
    service.listen(heard.append)
    for _ in range(200):
        service.presence.note()
        clock.tick(seconds=1)
    assert heard == [table], "once, not by the second"
    assert presence(anna, 1) == (True, None)
    outsider = service.people.guest("Dora")[0].id
    assert {presence(reader, 1) for reader in (None, outsider, bernd)} == {(None, None)}, "no one else's business"
    for _ in range(60):  # however long they stay
        service.presence.note()
        clock.tick(minutes=1)
        assert presence(anna, 1) == (True, None)
    # A page that is reloaded is no leaving; a minute later it is.
    present.clear()
    service.presence.note()
    clock.tick(seconds=GONE_AFTER / 1000 - 2)
    present.add((table, bernd))
    service.presence.note()
    present.clear()
    service.presence.note()
    assert presence(anna, 1) == (True, None)
    clock.tick(seconds=GONE_AFTER / 1000)
    service.presence.note()
    assert presence(anna, 1) == (False, 0)
    clock.tick(days=2, hours=1)
    assert presence(anna, 1) == (False, 49)


def test_what_a_process_wrote_that_died_is_not_believed_for_ever(service: KontorServer, clock: Clock) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd")
    service.presence.attend(lambda: {(table, bernd), ("a table that has gone", bernd)})
    service.presence.note()
    assert service.tables.info(table, anna).seats[1].here
    clock.tick(minutes=12)
    assert not service.tables.info(table, anna).seats[1].here
    play_out(service, table)
    service.presence.note()
    assert not service.tables.info(table, anna).seats[1].here, "who is at a table that is over is nobody's business"
