"""Clubs: who joins, sees, runs and leaves them, and what becomes of them with their people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from zipfile import ZipFile

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.test_leaving import find_rows
from following.test_following import show_page
from guests import ME, OPEN, Clock, query, shanghaien
from kontor.accounts.archive import pack_data
from kontor.clubs import store
from kontor.clubs.store import LONGEST_ABOUT
from kontor.clubs.values import ClubView
from kontor.errors import BadInvitation, BadName, BadPlan, BadText, NoClub, NotAllowed, NotNow, TooMany
from kontor.ratings.values import Fits, FittedGame, FittedPerson
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.words import Words
from messages.test_messages import people_named
from profiles import scale_examples
from races import race
from tournaments.test_tournaments import of_pairs


def founded(service: KontorServer, founder: str, *members: str, visible: bool = False) -> str:
    """Return a club that has a founder and other members."""
    club = service.clubs.create(founder, "Hafenrunde", "Dienstags in Altona", visible=visible)
    for member in members:
        service.clubs.join(invitation_to(service, club, founder), member)
    return club


def invitation_to(service: KontorServer, club: str, founder: str) -> str:
    return service.clubs.view(club, founder).invitation


def names_in(view: ClubView) -> list[str]:
    return sorted(member.name for member in view.members)


def handle_of(service: KontorServer, club: str, founder: str, name: str) -> str:
    (handle,) = (member.handle for member in service.clubs.view(club, founder).members if member.name == name)
    return handle


def runner_of(service: KontorServer, club: str, reader: str) -> str:
    """Return the name of the member who runs a club."""
    (name,) = (member.name for member in service.clubs.view(club, reader).members if member.founder)
    return name


# ---------------------------------------------------------------------------------------------- founding and joining


def test_a_club_is_founded_joined_by_its_link_and_left(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    club = founded(service, anna)
    link = invitation_to(service, club, anna)
    invited = service.clubs.invited(link, bernd)
    assert (invited.name, invited.about, invited.founder) == ("Hafenrunde", "Dienstags in Altona", "Anna")
    assert (invited.members, invited.member) == (1, False)
    assert service.clubs.join(link, bernd) == service.clubs.join(link, bernd) == club
    assert names_in(service.clubs.view(club, bernd)) == ["Anna", "Bernd"]
    assert [(info.name, info.members, info.founder) for info in service.clubs.of(bernd)] == [("Hafenrunde", 2, False)]
    service.clubs.leave(club, bernd)
    assert service.clubs.of(bernd) == ()
    with pytest.raises(NoClub):
        service.clubs.view(club, bernd)
    with pytest.raises(NoClub):
        service.clubs.leave(club, bernd)


def test_only_the_founder_gets_the_link_and_the_handles_of_members(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    club = founded(service, anna, bernd, visible=True)
    assert all(member.handle for member in service.clubs.view(club, anna).members)
    for reader in (bernd, *people_named(service, "Carla"), None):
        view = service.clubs.view(club, reader)
        assert (view.invitation, view.founder) == ("", False)
        assert not any(member.handle for member in view.members)
        assert anna not in msgspec.json.encode(view).decode()


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\u202eb"])
def test_the_name_of_a_club_is_one_that_a_person_could_have(service: KontorServer, name: str) -> None:
    (anna,) = people_named(service, "Anna")
    with pytest.raises(BadName):
        service.clubs.create(anna, name, "")
    club = founded(service, anna)
    with pytest.raises(BadName):
        service.clubs.change(club, anna, name, "", visible=False)


@settings(max_examples=scale_examples(50))
@given(about=st.text(max_size=60))
def test_the_line_about_a_club_is_one_line_without_hidden_characters(about: str) -> None:
    try:
        line = store.line_about(about)
    except BadText:
        return
    assert len(line.splitlines()) <= 1
    assert store.line_about(line) == line
    assert "\u202e" not in line


def test_a_long_line_about_a_club_is_refused(service: KontorServer) -> None:
    (anna,) = people_named(service, "Anna")
    with pytest.raises(BadText, match="at most 200 characters"):
        service.clubs.create(anna, "Club", "x" * (LONGEST_ABOUT + 1))
    assert service.clubs.of(anna) == ()


def test_clubs_founded_joined_and_their_members_are_limited(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    monkeypatch.setattr(store, "MOST_FOUNDED", 1)
    monkeypatch.setattr(store, "MOST_MEMBERS", 2)
    club = founded(service, anna, bernd)
    with pytest.raises(TooMany, match="already run 1 clubs"):
        service.clubs.create(anna, "Zweiter", "")
    with pytest.raises(NotNow, match="full"):
        service.clubs.join(invitation_to(service, club, anna), carla)
    monkeypatch.setattr(store, "MOST_JOINED", 1)
    other = founded(service, carla)
    with pytest.raises(TooMany, match="member of 1 clubs"):
        service.clubs.join(invitation_to(service, other, carla), bernd)


def test_of_many_who_join_at_once_no_more_get_in_than_fit(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, *others = people_named(service, "Anna", "Bernd", "Carla", "Dora", "Emil")
    monkeypatch.setattr(store, "MOST_MEMBERS", 3)
    club = founded(service, anna)
    link = invitation_to(service, club, anna)
    acts = [partial(service.clubs.join, link, other) for other in others]
    assert race(*acts, refused=(NotNow,)) == [club, club]
    assert len(service.clubs.view(club, anna).members) == 3


# --------------------------------------------------------------------------------------------------------- running


def test_a_new_invitation_ends_the_old_one(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    club = founded(service, anna)
    old = invitation_to(service, club, anna)
    service.clubs.renew_invitation(club, anna)
    for link in (old, "", "x" * 20, "x" * 500):
        with pytest.raises(BadInvitation):
            service.clubs.join(link, bernd)
    service.clubs.join(invitation_to(service, club, anna), bernd)


def test_the_founder_removes_members_who_cannot_come_back_by_the_old_link(service: KontorServer) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    club = founded(service, anna, bernd, carla)
    old = invitation_to(service, club, anna)
    tournament = service.tournaments.open(bernd, of_pairs(club=club))
    service.clubs.remove(club, anna, handle_of(service, club, anna, "Bernd"))
    assert names_in(service.clubs.view(club, anna)) == ["Anna", "Carla"]
    assert service.tournaments.of_club(club, anna) == ()
    assert service.tournaments.view(tournament, bernd).info.status == "open"
    with pytest.raises(BadInvitation):
        service.clubs.join(old, bernd)
    for handle in ("", "x" * 20, handle_of(service, club, anna, "Anna")):
        with pytest.raises(NotNow):
            service.clubs.remove(club, anna, handle)


def test_the_founder_hands_the_club_over_or_closes_it_but_does_not_leave(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    club = founded(service, anna, bernd)
    with pytest.raises(NotNow, match="Hand it over"):
        service.clubs.leave(club, anna)
    service.clubs.hand_over(club, anna, handle_of(service, club, anna, "Bernd"))
    assert runner_of(service, club, anna) == "Bernd"
    service.clubs.leave(club, anna)
    service.clubs.close(club, bernd)
    with pytest.raises(NoClub):
        service.clubs.view(club, bernd)


def test_nobody_else_runs_a_club(service: KontorServer) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    club = founded(service, anna, bernd)
    handle = handle_of(service, club, anna, "Bernd")
    for person, refusal in ((bernd, NotAllowed), (carla, NoClub)):
        acts: tuple[Callable[[], None], ...] = (
            partial(service.clubs.change, club, person, "Meiner", "", visible=True),
            partial(service.clubs.renew_invitation, club, person),
            partial(service.clubs.remove, club, person, handle),
            partial(service.clubs.hand_over, club, person, handle),
            partial(service.clubs.close, club, person),
        )
        for act in acts:
            with pytest.raises(refusal):
                act()


# ----------------------------------------------------------------------------------------------------- who sees it


def test_others_see_a_club_only_if_its_founder_chose_so(service: KontorServer) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    club = founded(service, anna, bernd)
    for reader in (carla, None):
        with pytest.raises(NoClub):
            service.clubs.view(club, reader)
    service.clubs.change(club, anna, "Alsterrunde", "", visible=True)
    for reader in (carla, None):
        assert service.clubs.view(club, reader).name == "Alsterrunde"
    with pytest.raises(NoClub):
        service.clubs.view("x" * 500, anna)


def test_others_see_by_name_only_members_who_show_themselves(service: KontorServer) -> None:
    anna, bernd, carla, dora = people_named(service, "Anna", "Bernd", "Carla", "Dora")
    club = founded(service, anna, bernd, carla, visible=True)
    page = show_page(service, bernd)
    service.ratings.show(carla, listed=True, public=False)
    view = service.clubs.view(club, dora)
    assert {(member.name, member.page) for member in view.members} == {("Bernd", page), ("Carla", "")}
    assert view.hidden == 1
    assert names_in(service.clubs.view(club, carla)) == ["Anna", "Bernd", "Carla"]


def test_somebody_whom_the_founder_blocks_neither_sees_the_club_nor_joins(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    club = founded(service, anna, visible=True)
    link = invitation_to(service, club, anna)
    table = service.opening.open(anna, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, bernd)
    service.blocking.put(table, anna, "seat-1", "block")
    with pytest.raises(NoClub):
        service.clubs.view(club, bernd)
    for attempt in (service.clubs.invited, service.clubs.join):
        with pytest.raises(BadInvitation, match="no longer valid"):
            attempt(link, bernd)


def test_suspended_members_are_not_shown_and_come_back(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    club = founded(service, anna, bernd)
    service.operating.suspend(bernd)
    assert names_in(service.clubs.view(club, anna)) == ["Anna"]
    assert service.clubs.of(anna)[0].members == 1
    service.operating.restore(bernd)
    assert names_in(service.clubs.view(club, anna)) == ["Anna", "Bernd"]


def test_the_best_of_a_club_are_members_who_show_their_ratings(service: KontorServer, clock: Clock) -> None:
    anna, bernd, carla, dora, stranger = people_named(service, "Anna", "Bernd", "Carla", "Dora", "Eva")
    club = founded(service, anna, bernd, carla, dora)
    now = int(clock().timestamp() * 1000)
    rated = ((anna, 1500, 20), (bernd, 1700, 20), (carla, 1600, 300), (dora, 1900, 20), (stranger, 2000, 20))
    fitted = tuple(FittedPerson(person, points, off, 9, now) for person, points, off in rated)
    service.ratings.keep(Fits(now, (FittedGame("shanghaien", 9, fitted),), 0.0, 0), pause=0)
    service.ratings.show(anna, listed=True, public=False)
    service.ratings.show(bernd, listed=False, public=True, parts=("rating",))
    service.ratings.show(carla, listed=True, public=False)
    service.ratings.show(dora, listed=False, public=True, parts=("results",))
    service.ratings.show(stranger, listed=True, public=True)
    rows = service.ratings.best_of_club("shanghaien", club, anna)
    assert [(row.rank, row.name, row.mine) for row in rows] == [
        (1, "Bernd", False),
        (2, "Anna", True),
        (0, "Carla", False),
    ]
    assert service.ratings.best_of_club("dutchman", club, anna) == ()
    ratings = {member.name: dict(member.ratings) for member in service.clubs.view(club, anna).members}
    assert ratings == {
        "Anna": {"shanghaien": "1500"},
        "Bernd": {"shanghaien": "1700"},
        "Carla": {"shanghaien": "1600?"},
        "Dora": {},
    }


# ------------------------------------------------------------------------------------------------------ tournaments


def test_a_member_opens_a_tournament_of_the_club_which_its_page_lists(service: KontorServer) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    club = founded(service, anna, bernd)
    assert service.tournaments.clubs_of(bernd) == {club: "Hafenrunde"}
    tournament = service.tournaments.open(bernd, of_pairs(club=club))
    service.tournaments.join(tournament, carla)
    assert [info.id for info in service.tournaments.of_club(club, anna)] == [tournament]
    of_member = service.tournaments.view(tournament, anna).info.club
    assert of_member
    assert (of_member.id, of_member.name, of_member.member, of_member.members_only) == (
        club,
        "Hafenrunde",
        True,
        False,
    )
    for reader in (carla, None):
        of_stranger = service.tournaments.view(tournament, reader).info.club
        assert of_stranger
        assert (of_stranger.id, of_stranger.name, of_stranger.member) == ("", "", False)
    with pytest.raises(NoClub):
        service.tournaments.open(carla, of_pairs(club=club))
    with pytest.raises(BadPlan, match="Choose the club"):
        service.tournaments.open(bernd, of_pairs(members_only=True))


def test_only_members_join_a_tournament_for_members_and_nobody_once_the_club_is_closed(service: KontorServer) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    club = founded(service, anna, bernd)
    tournament = service.tournaments.open(anna, of_pairs(club=club, members_only=True))
    assert not service.tournaments.view(tournament).info.public
    with pytest.raises(NotAllowed, match="Only members"):
        service.tournaments.join(tournament, carla)
    service.tournaments.join(tournament, bernd)
    service.clubs.close(club, anna)
    with pytest.raises(NotAllowed, match="Only members"):
        service.tournaments.join(tournament, anna)
    info = service.tournaments.view(tournament, bernd).info
    assert (info.entrants, info.mine, info.club and info.club.id) == (1, True, "")


# ----------------------------------------------------------------------------------- reports, and people who leave


def test_a_club_is_reported_and_the_operator_closes_it(service: KontorServer, place: Place) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    club = founded(service, anna, bernd)
    service.blocking.report_club(club, bernd, "unhöflich")
    (report,) = service.operating.reports()
    assert (report.club, report.table, report.about) == (club, "", anna)
    assert (report.line, report.reason) == ("Hafenrunde\nDienstags in Altona", "unhöflich")
    with pytest.raises(NoClub):
        service.blocking.report_club(club, carla, "neugierig")
    with pytest.raises(NotNow):
        service.blocking.report_club(club, anna, "ich selbst")
    for text in ("hafen", "Altona", club):
        (summary,) = service.operating.clubs(text)
        assert (summary.id, summary.founder, summary.members) == (club, anna, 2)
    assert service.operating.clubs("Alster") == ()
    service.operating.close_club(club)
    assert service.clubs.of(bernd) == ()
    assert ("close", anna) in [(act.act, act.person) for act in service.operating.acts()]
    assert query(place, "SELECT COUNT(*) FROM club_members") == [(0,)]
    for wrong in (club, "x" * 400):
        with pytest.raises(NoClub):
            service.operating.close_club(wrong)


def test_when_the_founder_leaves_the_longest_member_takes_over(
    service: KontorServer, clock: Clock, place: Place
) -> None:
    anna, bernd, carla, dora = people_named(service, "Anna", "Bernd", "Carla", "Dora")
    club = founded(service, anna)
    for member in (dora, carla, bernd):
        clock.tick(seconds=1)
        service.clubs.join(invitation_to(service, club, anna), member)
    service.operating.suspend(dora)
    service.leaving.leave(anna, "Anna")
    assert runner_of(service, club, bernd) == "Carla"
    service.leaving.leave(carla, "Carla")
    service.leaving.leave(bernd, "Bernd")
    service.operating.restore(dora)
    assert runner_of(service, club, dora) == "Dora"
    service.leaving.leave(dora, "Dora")
    assert not find_rows(place, "Hafenrunde")


def test_a_founder_and_the_heir_who_leave_at_once_leave_the_club_to_the_third(service: KontorServer) -> None:
    anna, bernd, carla = people_named(service, "Anna", "Bernd", "Carla")
    club = founded(service, anna, bernd, carla)
    race(lambda: service.leaving.leave(anna, "Anna"), lambda: service.leaving.leave(bernd, "Bernd"))
    assert names_in(service.clubs.view(club, carla)) == ["Carla"]
    assert runner_of(service, club, carla) == "Carla"


def test_two_who_become_one_have_the_memberships_of_both(service: KontorServer, place: Place) -> None:
    anna, phone, bernd = people_named(service, "Anna", "Anni", "Bernd")
    both, only = founded(service, phone, anna, bernd), founded(service, bernd, phone)
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert names_in(service.clubs.view(both, anna)) == ["Anna", "Bernd"]
    assert runner_of(service, both, anna) == "Anna"
    assert names_in(service.clubs.view(only, anna)) == ["Anna", "Bernd"]
    assert {table for table, _ in find_rows(place, phone)} <= {"acts"}


def test_the_data_of_a_person_name_their_clubs_and_no_other_member(service: KontorServer) -> None:
    anna, bernd = people_named(service, "Anna", "Bernd")
    founded(service, anna, bernd)
    with ZipFile(BytesIO(pack_data(Words("en"), service, bernd))) as archive:
        (own,) = msgspec.json.decode(archive.read("person.json"))["clubs"]
        contents = b"".join(archive.read(name) for name in archive.namelist())
    assert (own["name"], own["about"], own["founder"]) == ("Hafenrunde", "Dienstags in Altona", False)
    assert b"Anna" not in contents
