"""Finding a table among many: the lobby shows a few, and a search by game, pace and name finds the others."""

import re
from pathlib import Path
from threading import current_thread

import pytest
from playwright.sync_api import expect
from sqlalchemy import Engine, event

from kontor.games.shanghaien.rules import Options
from kontor.server.composition import KontorServer
from kontor.tables.values import Plan, SeatPlan
from web.browsers import PHONE, Pages
from web.conftest import Served
from web.guests import Guest

MANY = 60


def open_many(service: KontorServer) -> list[str]:
    """Open tables of Shanghaien with a free seat, each by another person; return their ids, the newest first."""
    plan = Plan("shanghaien", Options(), (SeatPlan("me"), SeatPlan("open")))
    tables = [service.opening.open(service.people.guest(f"Host {at}")[0].id, plan) for at in range(MANY)]
    return tables[::-1]


@pytest.fixture(scope="session")  # for the server's life, because the tables stay on it
def tables(served: Served) -> list[str]:
    return open_many(served.service)


def found_on(html: str) -> list[str]:
    return re.findall(r'id="found-(\w+)"', html)


def test_the_lobby_shows_a_few_and_leads_to_all(anna: Guest, tables: list[str]) -> None:
    lobby = anna.get("/")
    assert len(re.findall(r'id="open-\w{20}"', lobby.html)) <= 8
    assert "search by game, pace or name" in lobby.html
    page, seen = anna.get("/tables"), list[str]()
    while True:
        seen += found_on(page.html)
        onward = re.search(r'id="page-next"[^>]*href="([^"#]+)', page.html)
        if not onward:
            break
        page = anna.get(onward[1].replace("&amp;", "&"))
    assert len(seen) == len(set(seen))
    assert set(tables) <= set(seen)


def test_a_table_is_found_by_the_name_of_who_sits_there(anna: Guest, tables: list[str]) -> None:
    assert set(found_on(anna.get("/tables?name=host+59").html)) == {tables[0]}
    assert found_on(anna.get("/tables?name=nobody+of+this+name").html) == []
    assert "No table fits" in anna.get("/tables?name=nobody+of+this+name").html


@pytest.mark.parametrize(
    "query", ["after=x", "after=-", "after=99999999999999999999-a", "game=chess&pace=fast&show=all", "name=%00%25_\\"]
)
def test_what_makes_no_sense_harms_nothing(anna: Guest, tables: list[str], query: str) -> None:
    assert anna.get(f"/tables?{query}").status == 200


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_somebody_searches_on_a_phone_and_sits_down(
    served: Served, pages: Pages, tables: list[str], scripts: bool
) -> None:
    with served.guest("Anna") as anna, pages(anna, java_script_enabled=scripts, **PHONE) as page:
        page.goto("/")
        page.locator("#find-open").tap()
        expect(page.locator("#find-go")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator("#name").fill("Host 7")
        page.locator("#find-go").tap()
        expect(page.locator("#found")).to_have_text("1 table")
        page.locator(".table-card").tap()
        expect(page).to_have_url(re.compile(rf"/tables/{tables[MANY - 8]}"))


def test_the_first_paint_is_no_heavier_with_many_tables(tmp_path: Path) -> None:
    """Compare the number of queries, and roughly that of bytes; a duration would depend on the machine."""
    costs: dict[str, list[tuple[int, int]]] = {}
    with Served(tmp_path) as served, served.guest("Anna") as anna:
        statements: list[str] = []

        def note(_c: object, _k: object, statement: str, *_: object) -> None:
            if current_thread().name.startswith("reading"):  # other threads look after clocks and computer players
                statements.append(statement)

        event.listen(Engine, "before_cursor_execute", note)
        for number in (30, 130):
            fill(served.service, number - served.service.listing.count_tables()["waiting"])
            for path in ("/", "/tables", "/tables?game=shanghaien&name=a&free=1&rated=yes"):
                anna.get(path)
                statements.clear()
                page = anna.get(path)
                costs.setdefault(path, []).append((len(statements), len(page.html)))
    event.remove(Engine, "before_cursor_execute", note)
    for path, ((few_asked, few_bytes), (many_asked, many_bytes)) in costs.items():
        assert many_asked == few_asked, path
        assert many_bytes <= 1.05 * few_bytes, path


def fill(service: KontorServer, number: int) -> None:
    """Open ``number`` more waiting tables, each by another person."""
    plan = Plan("shanghaien", Options(), (SeatPlan("me"), SeatPlan("open")))
    for at in range(number):
        service.opening.open(service.people.guest(f"Marta {at:03}")[0].id, plan)
