"""The talk of a tournament: its readers and writers, and its storage."""

from __future__ import annotations

import pytest

from guests import in_a_folder
from kontor.errors import BadText, NotAllowed
from kontor.server.composition import KontorServer
from kontor.tournaments import talk
from tournaments.test_tournaments import of_pairs, people


def lines_of(service: KontorServer, tournament: str, person: str) -> list[tuple[str, str]]:
    """Return the names and texts of the lines that a person reads."""
    return [(line.name, line.text) for line in service.entrants_talk.read(tournament, person)]


@in_a_folder
def test_players_those_who_wait_and_the_host_talk_and_nobody_else(service: KontorServer) -> None:
    host, anna, bernd, carla, stranger = people(service, "Host", "Anna", "Bernd", "Carla", "Mallory")
    tournament = service.tournaments.open(host, of_pairs(most=2))
    for person in (anna, bernd, carla):
        service.tournaments.join(tournament, person)
    for number, person in enumerate((host, anna, carla), 1):
        assert service.entrants_talk.say(tournament, person, f"Line {number}") == number
    assert lines_of(service, tournament, bernd) == [("Host", "Line 1"), ("Anna", "Line 2"), ("Carla", "Line 3")]
    service.tournaments.leave(tournament, carla)
    for outsider in (stranger, carla):
        with pytest.raises(NotAllowed):
            service.entrants_talk.say(tournament, outsider, "Me too")
        with pytest.raises(NotAllowed):
            service.entrants_talk.read(tournament, outsider)
    with pytest.raises(BadText):
        service.entrants_talk.say(tournament, anna, " ")
    service.tournaments.remove(tournament, host, 1)
    with pytest.raises(NotAllowed):
        service.entrants_talk.read(tournament, anna)


def test_who_mutes_an_author_does_not_read_them_and_reports_reach_the_operator(service: KontorServer) -> None:
    anna, bernd, carla = people(service, "Anna", "Bernd", "Carla")
    tournament = service.tournaments.open(anna, of_pairs())
    for person in (anna, bernd, carla):
        service.tournaments.join(tournament, person)
    number = service.entrants_talk.say(tournament, bernd, "Something foul")
    service.blocking.report_entrant(tournament, anna, number, "Foul language")
    (report,) = service.operating.reports()
    assert (report.about, report.line, report.reason) == (bernd, "Something foul", "Foul language")
    service.blocking.put_entrant(tournament, anna, number, "mute")
    assert lines_of(service, tournament, anna) == []
    for reader in (bernd, carla):
        assert lines_of(service, tournament, reader) == [("Bernd", "Something foul")]
    for own_or_none in (number, 99):
        with pytest.raises(NotAllowed):
            service.blocking.put_entrant(tournament, bernd, own_or_none, "mute")


@in_a_folder
def test_lines_go_with_their_author_into_their_own_data_and_when_they_leave(service: KontorServer) -> None:
    anna, again, bernd = people(service, "Anna", "Anna", "Bernd")
    tournament = service.tournaments.open(bernd, of_pairs())
    for person in (again, bernd):
        service.tournaments.join(tournament, person)
        service.entrants_talk.say(tournament, person, "Good luck")
    service.merging.merge(anna, service.recovery.new_code(again))
    (own,) = service.export.of(anna).tournaments
    assert [line.text for line in own.chat] == ["Good luck"]
    assert [line.own for line in service.entrants_talk.read(tournament, anna)] == [True, False]
    service.leaving.leave(anna, "Anna")
    assert lines_of(service, tournament, bernd) == [("Bernd", "Good luck")]


def test_only_the_last_lines_are_kept(service: KontorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "MOST_KEPT", 3)
    (anna,) = people(service, "Anna")
    tournament = service.tournaments.open(anna, of_pairs())
    for number in range(5):
        service.entrants_talk.say(tournament, anna, f"Line {number}")
    assert [text for _, text in lines_of(service, tournament, anna)] == ["Line 2", "Line 3", "Line 4"]
