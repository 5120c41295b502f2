"""Every form of the server: a refusal or a missing response is shown beside the form, and nothing else changes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from kontor.web.http.limits import LIMITS, Limit
from timeouts import waited_for
from web.browsers import PHONE, Chromium, Pages, browsing, open_form, unfold
from web.conftest import Served
from web.guests import Guest, open_shanghaien, seat_friend

ONCE: Final = Limit(1, 1 / 60)
"""One at once, and then none for an hour."""


@pytest.fixture
def strict_server(tmp_path: Path) -> Iterator[Served]:
    """Yield a server whose limits allow only a few actions in a row."""
    limits = {**LIMITS, "chat": Limit(8, 1 / 60), "open": ONCE, "name": Limit(3, 1 / 60)}
    with Served(tmp_path, limits) as served:
        yield served


def notice(page: Page) -> Locator:
    """Return the notice beside a form."""
    return page.locator("#refused")


# ----------------------------------------------------------------------------------------------------- with scripts


def test_the_ninth_quick_line_of_talk_leaves_the_table_whole(strict_server: Served, chromium: Chromium) -> None:
    with strict_server.guest("Anna") as anna, strict_server.guest() as bernd:
        path = seat_friend(anna, bernd, starter="0")
        with browsing(chromium, strict_server.address, anna) as page:
            page.goto(path)
            for line in range(1, 9):
                page.locator("#text").fill(f"line {line}")
                page.keyboard.press("Enter")
                expect(page.locator("#chat .line").nth(line - 1)).to_contain_text(f"line {line}")
            page.locator("#text").fill("the ninth, which is a long one")
            page.keyboard.press("Enter")
            expect(page.locator("#say-it #refused")).to_contain_text("Too fast. Try again in")
            expect(notice(page)).to_have_attribute("role", "alert")
            expect(page.locator("#text")).to_have_value("the ninth, which is a long one")
            expect(page.locator("#text")).to_be_focused()
            expect(page.locator("#board")).to_be_visible()
            expect(page.locator("main .fault")).to_have_count(0)
            expect(page.locator("#chat .line")).to_have_count(8)

            bernd.press(bernd.get(path).button("say-go"), text="meanwhile")
            expect(page.locator("#chat .line")).to_have_count(9)
            expect(notice(page)).to_be_visible()
            expect(page.locator("#text")).to_have_value("the ninth, which is a long one")

            page.keyboard.type("!")
            expect(notice(page)).to_be_hidden()
            page.locator("#sh-do-roll").click()
            expect(page.locator("#now")).to_contain_text("Where is the 1?")


def fail_requests(page: Page, how: str, pattern: str) -> None:
    """Let each POST request to the pattern fail from now on."""

    def answer(route: Route) -> None:
        if route.request.method != "POST":
            route.fallback()
        elif how == "no answer":
            route.abort()
        else:
            route.fulfill(status=502, content_type="text/html", body="<html><body><h1>Bad Gateway</h1></body></html>")

    page.route(pattern, answer)


FAILURES: Final = ("no answer", "a proxy's page")
LOST: Final = "This was not sent. What you wrote is still here: try again."


@pytest.mark.parametrize("how", FAILURES)
def test_a_form_at_the_table_that_fails_changes_nothing_else(served: Served, pages: Pages, how: str) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger:
        path = seat_friend(anna, stranger, starter="0")
        with pages(anna) as page:
            page.goto(path)
            fail_requests(page, how, f"**{path}/*")
            board = page.locator("#board").inner_text()
            page.locator("#text").fill("Hello")
            page.locator("#say-go").click()
            expect(page.locator("#say-it #refused")).to_have_text(LOST)
            expect(page.locator("#text")).to_have_value("Hello")
            page.locator("#sh-do-roll").click()
            expect(page.locator("#sh-room #refused")).to_have_text(LOST)
            assert page.locator("#refused").count() == 1, "one notice at a time"
            page.locator("#mute").click()
            expect(page.locator("#chat form:has(#mute) #refused")).to_have_text(LOST)
            assert page.locator("#board").inner_text() == board.replace(LOST, "")
            page.unroute_all()
            page.locator("#say-go").click()
            expect(page.locator("#chat .line")).to_contain_text("Hello")
            expect(page.locator("#text")).to_have_value("")
            expect(notice(page)).to_be_hidden()


def test_a_form_that_is_never_answered_can_be_sent_again(served: Served, chromium: Chromium) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger:
        path = seat_friend(anna, stranger, starter="0")
        with browsing(chromium, served.address, anna) as page:
            page.clock.install()
            page.goto(path)
            held: list[Route] = []
            page.route("**/chat", lambda route: held.append(route))
            page.locator("#text").fill("Hello")
            with page.expect_request("**/chat"):
                page.locator("#say-go").click()
            page.clock.run_for(30_000)
            expect(page.locator("#say-it #refused")).to_have_text(LOST)
            expect(page.locator("#text")).to_have_value("Hello")
            page.unroute_all()
            page.locator("#say-go").click()
            expect(page.locator("#chat .line")).to_contain_text("Hello")


def test_what_is_written_while_something_is_said_stays(anna: Guest, stranger: Guest, pages: Pages) -> None:
    path = seat_friend(anna, stranger)
    with pages(anna) as page:
        page.goto(path)
        held: list[Route] = []
        page.route("**/chat", lambda route: held.append(route))
        page.locator("#text").fill("one")
        with page.expect_request("**/chat"):
            page.keyboard.press("Enter")
        page.locator("#text").fill("two")
        held[0].continue_()
        expect(page.locator("#chat .line")).to_contain_text("one")
        expect(page.locator("#text")).to_have_value("two")


Forms = dict[str, tuple[str, dict[str, str], str]]

PEOPLE_FORMS: Final[Forms] = {
    "another name": ("/you", {"#name": "Annabella"}, "#name-go"),
    "a device link": ("/you", {}, "#device-go"),
    "a token": ("/you", {"#label": "my little robot"}, "#program-go"),
    "forgetting": ("/you", {}, "#forget-here"),
    "a table of Shanghaien": ("/open/shanghaien", {"#name-2": "Bernd", "#tricks-nudge": "3"}, "#open-it"),
    "a table of the Holländer": ("/open/dutchman", {"#name-2": "Bernd"}, "#open-it"),
    "the light": ("/you", {}, "#theme-dark"),
}


@pytest.mark.parametrize(
    ("form", "how"), [*((form, "no answer") for form in PEOPLE_FORMS), ("another name", FAILURES[1])]
)
def test_every_form_away_from_the_table_keeps_what_was_written(
    served: Served, pages: Pages, form: str, how: str
) -> None:
    place, fields, button = PEOPLE_FORMS[form]
    with served.guest("Anna") as anna, pages(anna) as page:
        page.goto(place)
        unfold(page)
        fail_requests(page, how, "**/*")
        for field, text in fields.items():
            page.locator(field).fill(text)
        page.locator(button).click()
        expect(page.locator(f"form:has({button}) #refused")).to_have_text(LOST)
        assert page.url == served.address + place
        for field, text in fields.items():
            expect(page.locator(field)).to_have_value(text)
        expect(page.locator(button)).to_be_focused()
        page.unroute_all()
        with page.expect_response(lambda response: response.request.method == "POST") as answered:
            page.locator(button).click()
        assert answered.value.status < 400
        expect(notice(page)).to_be_hidden()


def test_who_follows_a_link_before_the_answer_is_not_called_back(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        page.goto("/you?open=showing")
        held: list[Route] = []
        page.route(re.compile("/you/profile$|/people/me$"), lambda route: held.append(route))
        page.locator("#profile-go").click()
        page.locator("#my-page").click(no_wait_after=True)
        waited_for(lambda: len(held) == 2, lambda: page.wait_for_timeout(10))
        sent, followed = held
        with page.expect_response("**/you?open=showing"):
            sent.continue_()
        page.wait_for_timeout(300)  # time to act on the response; a page that is being left doesn't show that it did
        followed.continue_()
        page.wait_for_url("**/people/me")


WAITING_FORMS: Final = ("#invite-2", "#fill-2", "#leave")


@pytest.mark.parametrize("button", WAITING_FORMS)
def test_forms_of_a_table_that_waits(anna: Guest, pages: Pages, button: str) -> None:
    path = open_shanghaien(anna)
    with pages(anna) as page:
        page.goto(path)
        if button == "#leave":
            page.locator("#leaving > summary").click()
        fail_requests(page, "no answer", "**/*")
        page.locator(button).click()
        expect(page.locator(f"form:has({button}) #refused")).to_have_text(LOST)
        expect(page.locator("#waiting")).to_be_visible()
        page.unroute_all()
        page.locator(button).click()
        expect(
            page.locator({"#invite-2": "#link-2", "#fill-2": "#board", "#leave": "#open-shanghaien"}[button])
        ).to_be_visible()


def test_an_invitation_that_is_refused_keeps_the_name_and_the_word(served: Served, anna: Guest, pages: Pages) -> None:
    path = open_shanghaien(anna)
    made = anna.press(anna.get(path).button("invite-2"))
    link = made.html.split('id="link-2" readonly value="')[1].split('"')[0].removeprefix(served.address)
    phone: dict[str, Any] = {**PHONE}
    with pages(**phone) as page:
        page.goto(link)
        page.locator("details.more summary").tap()
        page.locator("#salt").fill("a word\u202eof mine")
        page.locator("#name").fill("Bernd")
        page.locator("#sit").tap()
        expect(page.locator("form:has(#sit) #refused")).to_contain_text("characters")
        expect(page.locator("#name")).to_have_value("Bernd")
        expect(page.locator("#salt")).to_have_value("a word\u202eof mine")
        page.locator("#salt").fill("a word of mine")
        expect(notice(page)).to_be_hidden()
        page.locator("#sit").tap()
        expect(page.locator("#board")).to_be_visible()


def test_a_name_that_is_refused_at_the_door_stays(served: Served, pages: Pages) -> None:
    with pages() as page:
        page.goto("/")
        page.locator("#name").fill("\u2060\u2060")
        page.locator("#name-go").click()
        expect(page.locator("form.name #refused")).to_contain_text("A name cannot contain")
        assert page.url == served.address + "/"
        page.locator("#name").fill("Anna")
        page.keyboard.press("Enter")
        expect(page.locator("#mine")).to_be_visible()


def test_a_table_that_is_refused_keeps_all_that_was_chosen(strict_server: Served, chromium: Chromium) -> None:
    with strict_server.guest("Anna") as anna, browsing(chromium, strict_server.address, anna) as page:
        open_shanghaien(anna)
        open_form(page, "shanghaien")
        page.locator("#tricks-both").fill("3")
        page.locator("#tricks-nudge").fill("2")
        page.locator("#name-2").fill("Bernd")
        page.locator("#first_trick").select_option("both")
        page.locator("#open-it").click()
        expect(page.locator("form.opening #refused")).to_contain_text("Too fast. Try again in ")
        expect(page.locator("#tricks-both")).to_have_value("3")
        expect(page.locator("#name-2")).to_have_value("Bernd")
        expect(page.locator("#first_trick")).to_have_value("both")
        page.locator("#tricks-both").fill("4")
        expect(notice(page)).to_be_hidden()


def test_a_refusal_of_the_rules_comes_with_its_rule(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        open_form(page, "shanghaien")
        page.locator("#tricks-both").fill("8")
        with page.expect_response("**/tables") as response:
            page.locator("#open-it").click()
        assert response.value.status == 422
        assert len(response.value.body()) < 500, "a sentence, and not a page"
        expect(page.locator("form.opening #refused a")).to_have_attribute("href", "/rules/shanghaien#S2")
        expect(page.locator("#tricks-both")).to_have_value("8")


def test_the_links_of_ones_own_page_are_shown_where_they_were_asked_for(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        page.goto("/you")
        unfold(page)
        page.locator("#device-go").click()
        expect(page.locator("#device-link")).to_be_focused()
        assert page.locator("#device-link").input_value().startswith(f"{served.address}/device/")
        assert page.url == f"{served.address}/you", "to look again does not ask for another"
        expect(page.locator("button[data-copy='device-link']")).to_be_visible()
        unfold(page)
        page.locator("#label").fill("robot")
        page.locator("#program-go").click()
        expect(page.locator("#program-token")).to_be_focused()
        expect(page.locator(".known")).to_contain_text("robot")


PARTS: Final = (
    *(
        "rename", "device", "recovery", "join", "notifications", "holidays", "own-moves", "writers", "showing",
        "programs", "known", "own",
    ),
)  # fmt: skip


def test_ones_own_page_is_folded_but_for_what_one_is_at(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:

        def open_parts() -> list[str]:
            ids: list[str] = page.locator("main .part[open]").evaluate_all("parts => parts.map((part) => part.id)")
            return ids

        page.goto("/you")
        assert page.locator("main .part").evaluate_all("parts => parts.map((part) => part.id)") == [*PARTS]
        assert open_parts() == ["rename"]
        page.locator("#join > summary").click()
        page.locator("#join-code").fill("ABCD-EFGH")
        page.locator("#join-go").click()
        expect(page.locator("#join #refused")).to_contain_text("This code is wrong")
        assert open_parts() == ["rename", "join"]
        page.goto("/you?open=programs")
        assert open_parts() == ["programs"]
        page.locator("#program-go").click()
        expect(page.locator("#program-token")).to_be_visible()
        assert open_parts() == ["programs"]


# -------------------------------------------------------------------------------------------------- without scripts


def test_without_scripts_the_part_stays_open_in_which_something_was_refused(anna: Guest) -> None:
    refused = anna.press(anna.get("/you").button("join-go"), code="ABCD-EFGH")
    assert refused.status == 403
    assert re.findall(r'<details class="part" id="(\w+)" open>', refused.html) == ["join"]
    assert 'value="ABCD-EFGH"' in refused.html
    made = anna.press(anna.get("/you").button("recovery-go"))
    assert re.findall(r'<details class="part" id="(\w+)" open>', made.html) == ["recovery"]
    ended = anna.press(anna.get("/you").button("feed-go"))
    assert re.findall(r'<details class="part" id="(\w+)" open>', ended.html) == ["notifications"]


def test_talk_that_is_refused_stands_in_its_field_again(strict_server: Served) -> None:
    with strict_server.guest("Anna") as anna, strict_server.guest() as bernd:
        path = seat_friend(anna, bernd)
        for line in range(8):
            anna.press(anna.get(path).button("say-go"), text=f"line {line}")
        ninth = anna.press(anna.get(path).button("say-go"), text="the <ninth>")
        assert ninth.status == 429
        assert int(ninth.answer.headers["retry-after"]) > 0
        assert "Too fast." in ninth.text("refused")
        assert ninth.has("board")
        assert ninth.button("say-go").form.fields["text"] == "the <ninth>"
        empty = bernd.press(bernd.get(path).button("say-go"), text="\u2060 ")
        assert empty.status == 422
        assert empty.button("say-go").form.fields["text"] == "\u2060 "


def test_a_table_that_is_refused_comes_back_with_what_was_typed(strict_server: Served) -> None:
    with strict_server.guest("Anna") as anna:
        open_shanghaien(anna)
        form = anna.get("/open/shanghaien").button("open-it")
        refusal = anna.press(form, name__2="Bernd", tricks__both="3", salt="a word")
        assert refusal.status == 429
        assert "Try again in " in refusal.text("refused")
        fields = refusal.button("open-it").form.fields
        assert (fields["name-2"], fields["tricks-both"], fields["salt"]) == ("Bernd", "3", "a word")


def test_names_labels_and_words_come_back(strict_server: Served) -> None:
    with strict_server.guest("Anna") as anna:
        path = open_shanghaien(anna)
        made = anna.press(anna.get(path).button("invite-2"))
        link = made.html.split('id="link-2" readonly value="')[1].split('"')[0].removeprefix(strict_server.address)
        long = "N" * 41
        renamed = anna.press(anna.get("/you").button("name-go"), name=long)  # second use; entering was the first
        assert renamed.status == 422
        assert renamed.button("name-go").form.fields["name"] == long
        assert anna.press(anna.get("/you").button("device-go")).status in (200, 201)
        assert anna.press(anna.get("/you").button("program-go"), label="the first").status in (200, 201)
        token = anna.press(anna.get("/you").button("program-go"), label="robot")
        assert token.status == 429
        assert token.button("program-go").form.fields["label"] == "robot"
        assert "Too fast." in token.text("refused")
        again = anna.press(anna.get("/you").button("name-go"), name="Annabella")
        assert again.status == 429
        assert again.button("name-go").form.fields["name"] == "Annabella"
        assert anna.press(anna.get("/you").button("device-go")).status == 429
    with strict_server.guest() as carla:
        refusal = carla.press(carla.get(link).button("sit"), name=long, salt="a word")
        assert refusal.status == 422
        fields = refusal.button("sit").form.fields
        assert (fields["name"], fields["salt"]) == (long, "a word")


def test_what_was_chosen_in_the_chart_room_stays_chosen(anna: Guest) -> None:
    form = anna.get("/open/dutchman").button("open-it")
    page = anna.press(form, starter="0", chair__2="machine-random", chair__3="machine-random", chair__4="none")
    lay = page.button("df-lay")
    shoes = [line.split('value="')[1].split('"')[0] for line in page.html.split('name="shoe"')[1:]]
    golden = [shoe for shoe in shoes if int(shoe) > 20]
    chosen = golden[:2] if len(golden) > 1 else [shoes[0], "99"]
    refusal = anna.press(lay, shoe=" ".join(chosen))
    assert refusal.status == 422
    for shoe in chosen[:1]:
        assert f'name="shoe" value="{shoe}" checked' in refusal.html
    assert refusal.html.count(" checked>") == len([shoe for shoe in chosen if shoe in shoes])


def test_a_form_whose_page_cannot_be_shown_can_be_sent_once_more(
    served: Served, anna: Guest, stranger: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = seat_friend(anna, stranger)
    say = anna.get(path).button("say-go")
    with monkeypatch.context() as broken:
        broken.setattr(served.service.tables, "seats_of", lambda *_: 1 / 0)
        failure = anna.press(say, text="Is <anybody> there?")
    assert failure.status == 500
    assert "Is <anybody> there?" in failure.text("written")
    assert anna.press(failure.button("again")).path == path
    assert "Is &lt;anybody&gt; there?" in anna.get(path).html

    stale = anna.post(f"{path}/chat", {"text": "What a pity", "token": "0" * 48})
    assert stale.status == 403
    assert "What a pity" in stale.text("written")
    assert not stale.has("again"), "nobody knows whose form that was"


def test_a_script_is_told_a_sentence_and_not_a_page(anna: Guest, stranger: Guest, strict_server: Served) -> None:
    path = seat_friend(anna, stranger)
    token = anna.get(path).button("say-go").form.fields["token"]
    for where, fields in {
        f"{path}/moves": {"move": "jump", "number": "3"},
        f"{path}/chat": {"text": " "},
        "/tables": {"game": "shanghaien", "tricks-both": "8"},
        "/name": {"name": ""},
        f"{path}/fill": {"at": "9"},
        "/tables/nowhere/chat": {"text": "Hello"},
    }.items():
        refusal = anna.post(where, {**fields, "token": token}, **{"hx-request": "true"})
        assert refusal.status >= 400
        assert refusal.html.startswith('<p id="refused" class="refused" role="alert">'), where
        assert len(refusal.html) < 500
