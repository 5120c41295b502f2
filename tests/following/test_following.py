"""Following people: whom one can follow, what is shown of them, and news of it at most once an hour."""

from collections.abc import Iterator

import pytest

from accounts.test_leaving import find_rows
from guests import FRIEND, ME, OPEN, Clock, dutchman, query, shanghaien
from kontor.errors import NotAllowed, TooMany
from kontor.following import store
from kontor.following.values import Doing
from kontor.lobby.pages import plan_together
from kontor.lobby.values import Seek
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.values import Pace
from notifying.mailbox import Mailbox
from notifying.test_notifications import BASE, Players, in_both, texts
from servers import one_place

place = one_place

LIVE = Pace("live", 60, 600)


def show_page(service: KontorServer, person: str, *, public: bool = True) -> str:
    return service.ratings.show(person, listed=False, public=public).handle


def doings(service: KontorServer, person: str) -> list[tuple[str, tuple[Doing, ...]]]:
    return [(other.name, other.doings) for other in service.following.followed_by(person)]


def test_only_people_with_a_page_that_one_may_see_can_be_followed(service: KontorServer) -> None:
    anna, bernd, carla = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla"))
    handle, hidden = show_page(service, bernd), show_page(service, carla, public=False)
    service.following.follow(anna, handle)
    service.following.follow(anna, handle)  # the request came twice
    assert doings(service, anna) == [("Bernd", ())]
    assert service.following.is_following(anna, bernd)
    assert not service.following.is_following(bernd, anna)
    for wrong in (hidden, show_page(service, anna), "", "x" * 20, anna):
        with pytest.raises(NotAllowed):
            service.following.follow(anna, wrong)
    service.following.unfollow(anna, handle)
    service.following.unfollow(anna, "x" * 400)
    assert doings(service, anna) == []


def test_nobody_follows_more_than_the_most(service: KontorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_FOLLOWED", 2)
    anna, *others = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla", "Dora"))
    for other in others[:2]:
        service.following.follow(anna, show_page(service, other))
    with pytest.raises(TooMany, match="You follow 2 people"):
        service.following.follow(anna, show_page(service, others[2]))


def test_what_people_do_in_public_is_shown_and_nothing_else(service: KontorServer) -> None:
    anna, bernd, carla = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla"))
    handle = show_page(service, bernd)
    service.following.follow(anna, handle)
    service.opening.open(bernd, shanghaien(ME, FRIEND))
    unwatched = service.opening.open(bernd, shanghaien(ME, OPEN, watch=False))
    service.opening.sit(unwatched, 1, carla)
    assert doings(service, anna) == [("Bernd", ())], "tables by invitation and games without spectators are private"
    waiting = service.opening.open(bernd, dutchman(ME, OPEN, OPEN))
    watched = service.opening.open(bernd, shanghaien(ME, OPEN))
    service.opening.sit(watched, 1, carla)
    tables = (Doing("waits", "dutchman", waiting), Doing("plays", "shanghaien", watched))
    assert doings(service, anna) == [("Bernd", tables)]
    service.seeking.begin(bernd, Seek("dutchman", LIVE, 3, 6), plan_together)
    assert doings(service, anna) == [("Bernd", (Doing("seeks", "dutchman"), *tables))]
    show_page(service, bernd, public=False)
    (hidden,) = service.following.followed_by(anna)
    assert (hidden.name, hidden.public, hidden.doings) == ("", False, ())
    show_page(service, bernd)
    assert doings(service, anna)[0][0] == "Bernd"


def test_blocking_ends_following_in_both_directions(service: KontorServer) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    annas, bernds = show_page(service, anna), show_page(service, bernd)
    table = service.opening.open(anna, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, bernd)
    service.following.follow(anna, bernds)
    service.following.follow(bernd, annas)
    service.blocking.put(table, anna, "seat-1", "mute")
    assert service.following.is_following(bernd, anna)
    service.blocking.put(table, anna, "seat-1", "block")
    assert doings(service, anna) == doings(service, bernd) == []
    for person, handle in ((anna, bernds), (bernd, annas)):
        with pytest.raises(NotAllowed):
            service.following.follow(person, handle)


def test_what_belongs_to_two_who_become_one_is_theirs_and_nobody_follows_themselves(service: KontorServer) -> None:
    anna, phone, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Anni", "Bernd"))
    handles = {person: show_page(service, person) for person in (anna, phone, bernd)}
    for follower, followed in ((phone, bernd), (anna, bernd), (phone, anna), (bernd, phone)):
        service.following.follow(follower, handles[followed])
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert doings(service, anna) == [("Bernd", ())]
    assert doings(service, bernd) == [("Anna", ())]


@pytest.mark.parametrize("blocker", [0, 1])
def test_where_two_become_one_nobody_follows_whom_they_block_or_who_blocks_them(
    service: KontorServer, blocker: int
) -> None:
    anna, bernd, phone = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Anni"))
    table = service.opening.open(phone, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, bernd)
    service.blocking.put(table, (phone, bernd)[blocker], f"seat-{1 - blocker}", "block")
    service.early_endings.resign(table, 0, phone)
    service.following.follow(anna, show_page(service, bernd))
    service.following.follow(bernd, show_page(service, anna))
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert doings(service, anna) == doings(service, bernd) == []


def test_the_data_of_a_person_name_whom_they_follow_and_nothing_is_left_when_they_leave(
    service: KontorServer, place: Place
) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    service.following.follow(anna, show_page(service, bernd))
    service.following.follow(bernd, show_page(service, anna))
    assert [followed.name for followed in service.export.of(anna).following] == ["Bernd"]
    show_page(service, bernd, public=False)
    assert [followed.name for followed in service.export.of(anna).following] == [""]
    service.leaving.leave(anna, "Anna")
    assert doings(service, bernd) == []
    assert not [table for table, _ in find_rows(place, anna) if table == "follows"]


@pytest.fixture
def players(place: Place) -> Iterator[Players]:
    """Yield Anna, who is told by mail, and Bernd, whom she follows."""
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(place, clock) as service:
        both = Players(service, clock, mailbox)
        both.confirm_mail(both.anna, "anna@mail.example")
        service.following.follow(both.anna.id, show_page(service, both.bernd.id))
        yield both


@in_both
def test_a_table_open_to_all_is_told_and_another_after_an_hour(players: Players) -> None:
    table = players.service.opening.open(players.bernd.id, shanghaien(ME, OPEN))
    assert players.mails() == [], "perhaps somebody sits down at once"
    players.clock.tick(seconds=25)
    (mail,) = players.mails()
    assert mail["Subject"] == "Bernd has opened a table: Shanghaien"
    assert f"{BASE}/tables/{table}" in texts(mail)[0]
    players.service.opening.open(players.bernd.id, shanghaien(ME, OPEN))
    assert players.tell() == []
    players.clock.tick(hours=1)
    players.service.opening.open(players.bernd.id, dutchman(ME, OPEN, OPEN))
    assert players.tell() == ["Bernd has opened a table: Dutchman"]


def test_news_comes_again_after_the_clock_was_put_back(players: Players) -> None:
    players.clock.tick(days=30)
    players.service.opening.open(players.bernd.id, shanghaien(ME, OPEN))
    assert players.tell() == ["Bernd has opened a table: Shanghaien"]
    players.clock.tick(days=-30)
    players.service.opening.open(players.bernd.id, shanghaien(ME, OPEN))
    assert players.tell() == ["Bernd has opened a table: Shanghaien"]


def test_private_tables_and_those_that_are_full_by_then_are_not_told(players: Players) -> None:
    service, bernd = players.service, players.bernd.id
    service.opening.open(bernd, shanghaien(ME, FRIEND))
    assert players.tell() == []
    table = service.opening.open(bernd, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, service.people.guest("Carla")[0].id)
    assert players.tell() == []


@in_both
def test_a_search_for_a_game_is_told_while_it_lasts(players: Players) -> None:
    service, bernd = players.service, players.bernd.id
    service.seeking.begin(bernd, Seek("dutchman", LIVE, 3, 6), plan_together)
    players.clock.tick(seconds=25)
    (mail,) = players.mails()
    assert mail["Subject"] == "Bernd is looking for a game: Dutchman"
    assert f"{BASE}/" in texts(mail)[0]
    players.clock.tick(hours=2)
    service.seeking.begin(bernd, Seek("dutchman", LIVE, 3, 6), plan_together)
    service.seeking.stop(bernd)
    assert players.tell() == []


@pytest.mark.parametrize("how", ["switched off", "no page", "unfollowed", "blocked", "still followed though blocked"])
def test_those_who_do_not_want_it_or_may_not_know_it_are_told_nothing(
    players: Players, place: Place, how: str
) -> None:
    service, anna, bernd = players.service, players.anna.id, players.bernd.id
    met = service.opening.open(bernd, shanghaien(ME, FRIEND))
    service.opening.sit(met, 1, anna, service.opening.invitation(met, 1, bernd))
    service.opening.open(bernd, shanghaien(ME, OPEN))
    if how == "switched off":
        service.ways.choose_occasions(anna, followed=False, challenged=True)
    elif how == "no page":
        show_page(service, bernd, public=False)
    elif how == "unfollowed":
        service.following.unfollow(anna, show_page(service, bernd))
    elif how == "blocked":
        service.blocking.put(met, bernd, "seat-1", "block")
    else:
        ((*follow,),) = query(place, "SELECT person, other, at FROM follows")
        service.blocking.put(met, anna, "seat-0", "block")
        query(place, "INSERT INTO follows (person, other, at) VALUES (?, ?, ?)", *follow)
    assert [subject for subject in players.tell() if "table" in subject] == []
    players.clock.tick(hours=2)
    service.opening.open(bernd, shanghaien(ME, OPEN))
    assert query(place, "SELECT COUNT(*) FROM outbox WHERE occasion = 'followed'") == [(0,)]
