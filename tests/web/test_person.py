"""Page about a person: for themselves, and for others if they chose so; other people on it only if they chose so."""

from datetime import UTC, datetime, timedelta
from html import unescape
from unittest.mock import Mock

import pytest
from playwright.sync_api import expect

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options
from kontor.people.values import Scope
from kontor.players import Appraised
from kontor.ratings import shown_ratings
from kontor.ratings.values import Fits, FittedGame, FittedPerson
from kontor.review import Account, Decision, Review
from kontor.server.composition import KontorServer
from kontor.storage.stored_times import milliseconds_of
from kontor.tables.values import Plan, SeatPlan
from web.browsers import PHONE, Pages
from web.conftest import Served
from web.guests import Guest, open_shanghaien, seat_friend
from web.test_tournament_pages import open_tournament

ME, OPEN = SeatPlan("me"), SeatPlan("open")


def play_game(service: KontorServer, winner: str, loser: str) -> str:
    """Play a game of two that the first wins because the other resigns; return its table."""
    table = service.opening.open(winner, Plan("shanghaien", Options(), (ME, OPEN)))
    service.opening.sit(table, 1, loser)
    service.early_endings.resign(table, 1, loser)
    return table


def add_ratings(service: KontorServer, person: str) -> None:
    """Add ratings as if the person had become stronger from week to week."""
    for week in range(8):
        at = milliseconds_of(datetime.now(UTC) - timedelta(weeks=7 - week))
        fitted = (FittedPerson(person, 1480 + 25 * week, 120 - 9 * week, 6 * week + 3, at),)
        service.ratings.keep(Fits(at, (FittedGame("shanghaien", 99, fitted),), 0.0, 0), pause=0)


def prepared(served: Served, anna: str) -> dict[str, str]:
    """Let Anna have played with three people, and wait for a fourth; return the others' ids by name.

    Of the three, only Berta shows her page.
    """
    service = served.service
    others = {name: service.people.guest(name)[0].id for name in ("Berta", "Cäsar", "Dora")}
    for name, games in (("Berta", 3), ("Cäsar", 2), ("Dora", 1)):
        for _ in range(games):
            play_game(service, anna, others[name])
    play_game(service, others["Berta"], anna)
    service.opening.open(anna, Plan("dutchman", DutchmanOptions(players=3), (ME, OPEN, OPEN)))
    service.ratings.show(others["Berta"], listed=False, public=True)
    service.ratings.show(others["Cäsar"], listed=True, public=False)
    add_ratings(service, anna)
    return others


def test_names_at_a_table_are_links_with_ratings_as_far_as_people_show_them(
    served: Served, anna: Guest, bernd: Guest, stranger: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = served.service
    look_up = Mock(wraps=shown_ratings.shown_at_tables)
    monkeypatch.setattr(shown_ratings, "shown_at_tables", look_up)
    person = served.person_id(anna)
    add_ratings(service, person)
    path = seat_friend(anna, bernd)
    assert stranger.get(path).text("sitting").startswith("Anna ")
    assert not any(guest.get(path).has("person-1") for guest in (anna, bernd, stranger))
    handle = service.ratings.show(person, listed=False, public=True).handle
    look_up.reset_mock()
    for guest in (anna, bernd, stranger):
        page = guest.get(path)
        assert f'<a id="person-1" href="/people/{handle}">Anna</a>' in page.html
        assert page.text("sitting").startswith("Anna 1655 "), "she has shown it, and it is sure"
        assert not page.has("person-2"), "Bernd shows nothing"
    mover = anna if (at := anna.get(path)).moves else bernd
    mover.press((at if mover is anna else bernd.get(path)).moves[0])
    assert look_up.call_count == 1, "no move reads ratings"
    service.ratings.show(person, listed=True, public=False)
    assert not stranger.get(path).has("person-1"), "her page is gone at once"
    assert stranger.get(path).text("sitting").startswith("Anna 1655 ")
    shared = open_shanghaien(anna, **{"chair-2": "here", "name-2": "Cora"})
    assert anna.get(shared).text("sitting").count("1655") == 1, "Cora at her device is somebody else"


def test_from_a_table_one_goes_to_the_next_that_waits(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        assert stranger.get("/next").path == "/"
        assert anna.get("/next").path == "/", "no table waits"
        paths = [seat_friend(anna, bernd, starter="0") for _ in range(3)]
        waiting = [path for path in paths if anna.get(path).moves]
        assert anna.get("/next").path == waiting[0], "it has waited longest"
        link = anna.get(waiting[0]).html.partition('id="to-next" href="')[2].partition('"')[0]
        assert anna.get(link).path == waiting[1]
        table = waiting[1].split("/")[-1]
        served.service.early_endings.resign(table, 0, served.person_id(anna))
        assert anna.get(waiting[1]).has("next-there")
        assert stranger.get(waiting[1]).has("watch-there")


def test_a_page_is_seen_by_its_owner_alone_until_they_choose_otherwise(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Zoe") as zoe, served.guest() as nobody:
        person = served.person_id(anna)
        prepared(served, person)
        mine = anna.get("/people/me")
        assert mine.status == 200
        assert "Only you can see this page." in mine.html
        assert "/record.jsonl" in mine.html
        hidden = served.service.ratings.show(person, listed=True, public=False).handle
        assert anna.get(f"/people/{hidden}").status == 200
        for other in (zoe, nobody):
            for handle in (hidden, person, "nothing", "a" * 20):
                assert other.get(f"/people/{handle}").status == 404
        public = served.service.ratings.show(person, listed=True, public=True).handle
        assert public == hidden
        page = zoe.get(f"/people/{public}")
        assert page.status == 200
        assert "Anna" in page.html
        served.service.operating.suspend(person)
        assert zoe.get(f"/people/{public}").status == 404


def test_others_are_named_to_others_only_if_they_show_their_own_page(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Zoe") as zoe:
        person = served.person_id(anna)
        others = prepared(served, person)
        handle = served.service.ratings.show(person, listed=False, public=True).handle
        own_page, others_page = anna.get("/people/me").html, zoe.get(f"/people/{handle}").html
        for name in ("Berta", "Cäsar", "Dora"):
            assert name in own_page
            assert (name in others_page) == (name == "Berta")
        assert not [secret for secret in (person, *others.values()) if secret in others_page or secret in own_page]
        assert "/tables/" not in others_page, "which tables somebody sat at is nobody's business"
        assert "record.jsonl" not in others_page


def test_the_results_are_those_of_games_that_ended(served: Served, anna: Guest) -> None:
    person = served.person_id(anna)
    prepared(served, person)
    (history,) = served.service.histories.of(person, own=True).games
    assert [(tally.of, tally.games, tally.won) for tally in history.by_number] == [(2, 7, 6)]
    assert [(tally.of, tally.games, tally.won) for tally in history.by_seat] == [(1, 6, 6), (2, 1, 0)]


def add_reviews(served: Served, person: str, tables: int = 30) -> None:
    service = served.service
    for nth, info in enumerate(service.listing.finished(person, limit=tables)):
        mine = next(number for number, seat in enumerate(info.seats) if seat.mine)
        luck = (0.3, -0.2, 0.1)[nth % 3]
        accounts = [
            Account(seat, 0.5, float(seat == mine), 0.2, 0.1, luck if seat == mine else -luck, 0.0, (), ())
            for seat in (0, 1)
        ]
        move = Appraised(None, 0.5)
        decisions = tuple([Decision(step, 1, step % 2, move, move, 0.01, False) for step in range(40)])
        seats = ("Anna", "Berta")
        service.reviewed_seats.keep(info.id, Review("shanghaien", seats, False, 40, (0,), decisions, tuple(accounts)))


def test_each_part_is_shown_only_if_its_owner_chose_so(served: Served) -> None:
    words_of_part = {
        "results": "By seat",
        "rating": "Rating over time",
        "play": "Result without luck",
        "companions": "Berta",
    }
    with served.guest("Anna") as anna, served.guest("Zoe") as zoe:
        person = served.person_id(anna)
        prepared(served, person)
        add_reviews(served, person)
        mine = anna.get("/people/me").html
        assert all(words in mine for words in words_of_part.values())
        assert "From 7 reviewed games without hints." in mine
        fields = anna.get("/you").button("profile-go").form.fields
        other_fields = {name: value for name, value in fields.items() if name not in ("listed", "public", "part")}
        for part, words in words_of_part.items():
            assert anna.post("/you/profile", {**other_fields, "public": "yes", "part": part}).status == 200
            profile = served.service.ratings.profile(person)
            assert profile
            assert profile.parts == (part,)
            html = zoe.get(f"/people/{profile.handle}").html
            assert {one for one in words_of_part.values() if one in html} == {words}
            handle = profile.handle
        assert anna.post("/you/profile", {**other_fields, "part": "results"}).status == 200
        assert zoe.get(f"/people/{handle}").status == 404


def test_a_rating_stands_beside_the_name_where_its_person_shows_it(served: Served) -> None:
    service = served.service
    with served.guest("Anna") as anna, served.guest("Zoe") as zoe:
        person = served.person_id(anna)
        add_ratings(service, person)
        (rating,) = service.ratings.of(person)
        service.opening.open(person, Plan("shanghaien", Options(), (ME, OPEN)))
        cup = open_tournament(anna)
        for listed, public in ((False, False), (True, False), (False, True)):
            handle = service.ratings.show(person, listed=listed, public=public, parts=("rating",)).handle
            rated = f"Anna\xa0{rating.points}"
            assert (rated in unescape(zoe.get("/").html)) == (listed or public)
            assert (rated in unescape(zoe.get("/tables?name=Anna").html)) == (listed or public)
            page = zoe.get(cup)
            assert (f'href="/people/{handle}"' in page.html) == public
            assert (str(rating.points) in page.text("main")) == (listed or public)
        service.ratings.show(person, listed=False, public=True, parts=("results",))
        assert rated not in unescape(zoe.get("/").html)


def test_programs_are_told_the_same(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Zoe") as zoe:
        person = served.person_id(anna)
        prepared(served, person)
        add_reviews(served, person)
        profile = served.service.ratings.show(person, listed=True, public=True, parts=("results", "play"))
        scopes: tuple[Scope, ...] = ("read",)
        token = served.service.people.api_token(person, "reader", scopes)
        mine = zoe.client.get("/api/me/page", headers={"authorization": f"Bearer {token}"}).json()
        assert {companion["name"] for companion in mine["companions"]} == {"Berta", "Cäsar", "Dora"}
        assert mine["curve"]
        public = zoe.client.get(f"/api/people/{profile.handle}").json()
        assert public["parts"] == ["results", "play"]
        assert public["results"] == mine["results"]
        assert public["reviewed"] == mine["reviewed"]
        assert len(public["reviewed"]) == 7
        assert public["ratings"] == public["curve"] == public["companions"] == []
        assert zoe.client.get("/api/people/nothing").status_code == 404
        assert zoe.client.get("/api/me/page").status_code == 401
        best = zoe.client.get("/api/best/shanghaien").json()
        assert "Anna" in [row["name"] for row in best["rows"]]
        assert zoe.client.get("/api/best/chess").status_code == 404


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_somebody_shows_their_page_on_a_phone(served: Served, pages: Pages, scripts: bool) -> None:
    with served.guest("Anna") as anna, pages(anna, java_script_enabled=scripts, **PHONE) as page:
        prepared(served, served.person_id(anna))
        add_reviews(served, served.person_id(anna))
        page.goto("/you?open=showing")
        page.get_by_label("my page, with:").check()
        page.get_by_label("what I lose by my moves").check()
        with page.expect_navigation():
            page.locator("#profile-go").tap()
        page.locator("#my-page").tap()
        expect(page.locator("#public-page")).to_be_visible()
        for drawn in page.locator(".rating-curve svg").all():
            expect(drawn).to_be_visible()
        expect(page.locator(".rating-curve svg")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator("#public-page").tap()
        expect(page.locator("h1")).to_have_text("Anna")
        expect(page.locator("#companions")).to_be_visible()


def test_in_all_languages(served: Served, anna: Guest) -> None:
    prepared(served, served.person_id(anna))
    for language, words in {"de": "Nach Platz", "fr": "Selon la place", "it": "Per posto", "ja": "席別"}.items():
        answer = anna.client.get("/people/me", headers={"accept-language": language})
        assert words in answer.text
