"""List of the best players of a game: only those who chose to be listed; with and without scripts, on a phone."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from kontor.ratings.values import Fits, FittedGame, FittedPerson
from kontor.server.composition import KontorServer
from kontor.storage.stored_times import milliseconds_of
from web.browsers import PHONE, Pages
from web.conftest import Served
from web.guests import Guest

POINTS = {"Berta": (1880, 48), "Cäsar": (1640, 55), "Dora": (1540, 70), "Emil": (1410, 62), "Fritz": (1500, 140)}


def rate(service: KontorServer, points: dict[str, tuple[int, int]]) -> None:
    """Store ratings as if fitted tonight: points and deviation by person, at both games."""
    now = milliseconds_of(datetime.now(UTC))
    people = tuple([FittedPerson(person_id, mean, wide, 40, now) for person_id, (mean, wide) in points.items()])
    fits = tuple([FittedGame(game, 400, people) for game in ("shanghaien", "dutchman")])
    service.ratings.keep(Fits(now, fits, 1.0, 100), pause=0)


def seeded(service: KontorServer, *more: str) -> dict[str, str]:
    """Add people with ratings; return their ids by name.

    All but Cäsar are listed, and Berta shows her page. ``more`` are ids of others.
    """
    ids = {name: service.people.guest(name)[0].id for name in POINTS}
    rate(service, {**{ids[name]: rating for name, rating in POINTS.items()}, **dict.fromkeys(more, (1600, 60))})
    for name, person in ids.items():
        service.ratings.show(person, listed=name != "Cäsar", public=name == "Berta")
    return ids


def test_only_who_chose_to_be_listed_is_named_and_nobody_by_their_id(served: Served, anna: Guest) -> None:
    ids = seeded(served.service)
    for visitor in (anna.get("/best/shanghaien"), anna.get("/best/dutchman?page=1")):
        assert "Berta" in visitor.html
        assert "Cäsar" not in visitor.html
        assert not [person for person in ids.values() if person in visitor.html]
    html = anna.get("/best/shanghaien").html
    assert re.findall(r'scope="row" class="named">(?:<a [^>]*>)?([^<]+)', html) == [
        "⚙\u00a0expert", "⚙\u00a0strong", "Berta", "⚙\u00a0steady", "⚙\u00a0keen", "Dora", "⚙\u00a0casual", "Emil",
        "Fritz",
    ]  # fmt: skip
    served.service.operating.suspend(ids["Berta"])
    assert "Berta" not in anna.get("/best/shanghaien").html


@pytest.mark.parametrize("path", ["/best/chess", "/best/%00", "/best/shanghaien/x"])
def test_of_a_game_that_there_is_not_there_are_no_best(anna: Guest, path: str) -> None:
    assert anna.get(path).status == 404


@pytest.mark.parametrize("query", ["page=0", "page=x", "page=99999", "page=-1", "page=1&page=2"])
def test_what_makes_no_sense_harms_nothing(anna: Guest, query: str) -> None:
    assert anna.get(f"/best/shanghaien?{query}").status == 200


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_somebody_chooses_to_be_listed_on_a_phone(served: Served, pages: Pages, scripts: bool) -> None:
    with served.guest("Anna") as anna, pages(anna, java_script_enabled=scripts, **PHONE) as page:
        person = served.person_id(anna)
        seeded(served.service, person)
        page.goto("/")
        page.locator("#best-shanghaien").tap()
        expect(page.locator("#own-rating")).to_contain_text("1600")
        expect(page.locator(".best .mine")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator("#show-me").tap()
        page.get_by_label("my name and rating among the best").check()
        with page.expect_navigation():
            page.locator("#profile-go").tap()
        expect(page.get_by_label("my name and rating among the best")).to_be_checked()
        page.goto("/best/shanghaien")
        expect(page.locator(".best .mine th")).to_contain_text("Anna")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
