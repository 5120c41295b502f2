"""The page about a person: for themselves, and for others if they chose so; of others nobody who did not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options
from kontor.table import Plan, SeatPlan, TableService
from kontor.table.rating_values import Fits, FittedGame, FittedPerson
from kontor.table.rows import milliseconds_of
from web.browsers import PHONE, Pages
from web.conftest import Served
from web.guests import Guest

ME, OPEN = SeatPlan("me"), SeatPlan("open")


def id_of(served: Served, guest: Guest) -> str:
    person = served.service.people.holder_of_session(guest.client.cookies["kontor"])
    assert person
    return person.id


def played(service: TableService, winner: str, loser: str) -> str:
    """A game of two that the first wins: the other resigns."""
    table = service.opening.open(winner, Plan("shanghaien", Options(), (ME, OPEN)))
    service.opening.sit(table, 1, loser)
    service.early_endings.resign(table, 1, loser)
    return table


def grown(service: TableService, person: str) -> None:
    """As if the person had become stronger from week to week."""
    for week in range(8):
        at = milliseconds_of(datetime.now(UTC) - timedelta(weeks=7 - week))
        told = (FittedPerson(person, 1480 + 25 * week, 120 - 9 * week, 6 * week + 3, at),)
        service.ratings.keep(Fits(at, (FittedGame("shanghaien", 99, told),), 0.0, 0), pause=0)


def prepared(served: Served, anna: str) -> dict[str, str]:
    """Anna has played with three, of whom only Berta shows her page; and waits for a fourth."""
    service = served.service
    others = {name: service.people.guest(name)[0].id for name in ("Berta", "Cäsar", "Dora")}
    for name, games in (("Berta", 3), ("Cäsar", 2), ("Dora", 1)):
        for _ in range(games):
            played(service, anna, others[name])
    played(service, others["Berta"], anna)
    service.opening.open(anna, Plan("dutchman", DutchmanOptions(players=3), (ME, OPEN, OPEN)))
    service.ratings.show(others["Berta"], listed=False, public=True)
    service.ratings.show(others["Cäsar"], listed=True, public=False)
    grown(service, anna)
    return others


def test_a_page_is_seen_by_its_owner_alone_until_they_choose_otherwise(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Zoe") as zoe, served.guest() as nobody:
        person = id_of(served, anna)
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
        shown = served.service.ratings.show(person, listed=True, public=True).handle
        assert shown == hidden
        page = zoe.get(f"/people/{shown}")
        assert page.status == 200
        assert "Anna" in page.html
        served.service.operating.suspend(person)
        assert zoe.get(f"/people/{shown}").status == 404


def test_others_are_named_to_others_only_if_they_show_their_own_page(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Zoe") as zoe:
        person = id_of(served, anna)
        others = prepared(served, person)
        handle = served.service.ratings.show(person, listed=False, public=True).handle
        mine, theirs = anna.get("/people/me").html, zoe.get(f"/people/{handle}").html
        for name in ("Berta", "Cäsar", "Dora"):
            assert name in mine
            assert (name in theirs) == (name == "Berta")
        assert not [secret for secret in (person, *others.values()) if secret in theirs or secret in mine]
        assert "/tables/" not in theirs, "which tables somebody sat at is nobody's business"
        assert "record.jsonl" not in theirs


def test_the_results_are_those_of_games_that_ended(served: Served) -> None:
    with served.guest("Anna") as anna:
        person = id_of(served, anna)
        prepared(served, person)
        (history,) = served.service.histories.of(person, own=True).games
        assert [(tally.of, tally.games, tally.won) for tally in history.by_number] == [(2, 7, 6)]
        assert [(tally.of, tally.games, tally.won) for tally in history.by_seat] == [(1, 6, 6), (2, 1, 0)]


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_somebody_shows_their_page_on_a_phone(served: Served, pages: Pages, scripts: bool) -> None:
    with served.guest("Anna") as anna, pages(anna, java_script_enabled=scripts, **PHONE) as page:
        prepared(served, id_of(served, anna))
        page.goto("/you?open=showing")
        page.get_by_label("my page:").check()
        page.locator("#profile-go").tap()
        page.locator("#my-page").tap()
        expect(page.locator("#public-page")).to_be_visible()
        expect(page.locator(".rating-curve svg")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator("#public-page").tap()
        expect(page.locator("h1")).to_have_text("Anna")
        expect(page.locator("#companions")).to_be_visible()


def test_in_all_languages(served: Served) -> None:
    with served.guest("Anna") as anna:
        prepared(served, id_of(served, anna))
        for language, said in {"de": "Nach Platz", "fr": "Selon la place", "it": "Per posto", "ja": "席別"}.items():
            answer = anna.client.get("/people/me", headers={"accept-language": language})
            assert said in answer.text
