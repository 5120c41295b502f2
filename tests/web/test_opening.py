"""Opening a table: two steps lead to a first game, and only the parts that matter are unfolded in the form."""

import re
from importlib.resources import files

import pytest
from playwright.sync_api import expect

from web.browsers import Pages, come_in, table_of
from web.conftest import Served
from web.guests import Guest, Page

A_SHARE = re.compile("[0-9a-f]{32}")


def commitment_on(page: Page) -> str:
    return page.html.split('<code class="commitment">')[1].split("<")[0]


def unfolded_parts(page: Page) -> set[str]:
    """Return the parts of the form that are unfolded."""
    return {*re.findall(r'id="part-(\w+)" open', page.html)}


@pytest.mark.parametrize(("game", "players"), [("shanghaien", 1), ("dutchman", 3)])
def test_who_has_a_name_plays_after_a_choice(served: Served, stranger: Guest, game: str, players: int) -> None:
    door = stranger.get("/")
    assert "commitment" not in door.button(f"play-{game}").form.fields, "a stranger was promised nothing yet"
    assert "salt" not in door.button(f"play-{game}").form.fields
    lobby = stranger.press(door.button("name-go"), name="Anna")
    table = stranger.press(lobby.button(f"play-{game}"), level="steady")
    info = served.service.tables.info(table.path.removeprefix("/tables/"))
    assert (info.game, info.status) == (game, "playing")
    assert [seat.player for seat in info.seats] == ["", *["steady"] * players]
    assert served.service.tables.fair(info.id).commitment == commitment_on(lobby)
    digits = commitment_on(lobby)
    assert f"<summary>Fair dice: {digits[:4]} {digits[4:8]} …</summary>" in lobby.html, "the rest is folded"
    assert commitment_on(stranger.get("/")) != commitment_on(lobby), "each table has another"


def test_a_lobby_from_before_another_table_is_told_so_and_keeps_the_choice(anna: Guest) -> None:
    old = anna.get("/")
    anna.press(old.button("play-shanghaien"))
    refusal = anna.press(old.button("play-dutchman"), level="expert")
    assert refusal.status == 409
    assert "You have opened another table in the meantime" in refusal.text("refused")
    assert refusal.button("play-dutchman").form.fields["level"] == "expert"
    assert refusal.button("play-shanghaien").form.fields["level"] == "casual"
    assert anna.press(refusal.button("play-dutchman")).path.startswith("/tables/")
    token = refusal.button("play-dutchman").form.fields["token"]
    assert anna.post("/play", {"game": "chess", "token": token}).status == 404


def test_each_way_of_playing_fills_in_the_form(served: Served, anna: Guest) -> None:
    seats = {"friend": ["friend", "machine", "machine"], "machines": ["machine"] * 3, "days": ["friend"] * 3}
    for way, kinds in seats.items():
        page = anna.get(f"/open/dutchman?way={way}")
        assert re.search(f'id="way-{way}"[^>]* aria-current="true"', page.html)
        assert unfolded_parts(page) == ({"seats"} if way == "machines" else set())
        info = served.service.tables.info(anna.press(page.button("open-it")).path.removeprefix("/tables/"))
        assert [seat.kind for seat in info.seats] == ["me", *kinds]
        assert (info.pace.kind, info.pace.seconds) == (("slow", 86400) if way == "days" else ("none", 0))
    assert 'id="way-friend" href="/open/dutchman?way=friend" aria-current' in anna.get("/open/dutchman").html


@pytest.mark.parametrize(
    ("part", "fields"),
    [("options", {"tricks-both": "8"}), ("seats", {"name-2": "N" * 41}), ("pace", {"pace": "live", "seconds": "1"})],
)
def test_what_is_refused_or_unusual_does_not_lie_folded(anna: Guest, part: str, fields: dict[str, str]) -> None:
    form = anna.get("/open/shanghaien?way=days").button("open-it")
    refusal = anna.press(form, salt="tulip", **fields)
    assert refusal.status == 422
    assert unfolded_parts(refusal) == {part}
    values = refusal.button("open-it").form.fields
    assert fields.items() <= values.items()
    assert (values["way"], values["salt"]) == ("days", "tulip")


def test_scripts_add_a_share_and_unfold_what_is_refused(served: Served, pages: Pages) -> None:
    with pages() as page:
        come_in(page, "Anna")
        page.locator("#play-shanghaien").click()
        expect(page.locator("#board")).to_be_visible()
        assert A_SHARE.fullmatch(served.service.tables.fair(table_of(page)).salts[0])
        page.goto("/open/shanghaien")
        summary = page.locator("#part-options > summary")
        for count, selector in (("7", "#refused"), ("9", "#tricks-both:invalid")):
            summary.click()
            page.locator("#tricks-both").fill(count)
            summary.click()
            expect(page.locator("#tricks-both")).to_be_hidden()
            page.locator("#open-it").click()
            expect(page.locator("#tricks-both")).to_be_visible()
            expect(page.locator(selector)).to_have_count(1)
            expect(page.locator("#part-seats")).not_to_have_attribute("open", "")
            summary.click()


def test_the_sea_chart_that_the_rules_promise_can_be_brought_along(anna: Guest) -> None:
    """Check rule H3, by which people can bring a chart of their own: the form takes it, and the table plays on it."""
    ours = files("kontor.games.dutchman.rules").joinpath("chart.toml").read_text("utf-8")
    assert "Madeira" in ours
    assert "You can bring a chart of your own" in anna.client.get("/rules/dutchman").text
    opening = anna.get("/open/dutchman")
    assert '<textarea id="chart" name="chart"' in opening.html
    form = opening.button("open-it")
    others = {"chair__2": "machine-random", "chair__3": "machine-random", "chair__4": "none"}
    page = anna.press(form, **others, chart=ours.replace("Madeira", "Helgoland"))
    assert page.status == 200
    assert "Helgoland" in page.html
    assert "Madeira" not in page.html
