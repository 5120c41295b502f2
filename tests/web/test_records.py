"""Pages of people's own records: brought, replayed, reviewed, analysed, shared, and taken back."""

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect

from kontor.game import AnyGame, BadOptions
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.own_records.checking import MOST_BYTES
from kontor.own_records.routes import MOST_BODY
from kontor.records import Record, decode, encode
from records.made import EXAMPLE, SEED, WHOLE, at_random, ended_early, play_record, stop_game
from web.browsers import Chromium, browsing
from web.conftest import Served
from web.guests import Guest, Page
from web.test_review_page import judge_simply, no_longer_in_progress

TEXT = WHOLE.decode()
DUTCHMAN_RECORD = play_record(DUTCHMAN, DUTCHMAN.options(players=3), at_random(1), SEED)


def bring(guest: Guest, record: Record) -> Page:
    """Return the page of a record that a guest has pasted."""
    page = guest.press(guest.get("/records").button("bring-go"), record=encode(record).decode())
    assert page.status == 200, page.text("main")
    return page


def send_file(guest: Guest, content: bytes, record: str = "") -> Page:
    """Send a file in the form, as a browser without scripts does."""
    fields = guest.get("/records").button("bring-go").form.fields
    answer = guest.client.post(
        "/records",
        data={"token": fields["token"], "record": record},
        files={"file": ("game.jsonl", content, "application/jsonl")},
        headers={"sec-fetch-site": "same-origin"},
    )
    return Page(answer)


def refusal_of(page: Page) -> str:
    """Return the sentence of the refusal; behind it the page has one more, for its script."""
    return page.text("refused").removesuffix("This was not sent. What you wrote is still here: try again.").strip()


def share(guest: Guest, page: Page) -> str:
    """Return the path of the link to a record that its owner shares."""
    shared = guest.press(guest.get(page.path).button("share-go"))
    link = re.search(r'id="link" class="wide" readonly value="([^"]*)"', shared.html)
    assert link
    return httpx.URL(link[1]).path


def test_a_pasted_record_is_checked_kept_and_listed_also_for_somebody_without_a_name(stranger: Guest) -> None:
    page = bring(stranger, EXAMPLE)
    assert "Anna" in page.text("seats")
    assert page.text("checked").startswith("All 115 steps follow the rules. All ")
    assert stranger.get("/you").status == 200, "a guest with a made-up name"
    assert f'href="{page.path}"' in stranger.get("/records").html
    assert stranger.client.get(f"{page.path}/record.jsonl").content == WHOLE


def test_a_file_is_taken_without_scripts_and_a_pasted_text_goes_first(anna: Guest) -> None:
    assert "All 115 steps" in send_file(anna, WHOLE).text("checked")
    assert "All 115 steps" in send_file(anna, b"rubbish", TEXT).text("checked")
    assert "Line 1:" in send_file(anna, b"\x89PNG\r\n\x1a\n").text("refused")
    assert refusal_of(send_file(anna, b"")) == "Paste a record, or choose its file."


def test_a_wrong_record_is_refused_with_its_line_and_stays_in_the_form(stranger: Guest) -> None:
    page = stranger.press(stranger.get("/records").button("bring-go"), record=TEXT.replace('"die":3', '"die":5', 1))
    assert (page.status, refusal_of(page)) == (422, "Line 7: You did not roll a 5. (S6)")
    assert "&#34;move&#34;:&#34;place&#34;" in page.html
    assert "kontor" not in stranger.client.cookies, "nobody gets a name by a refusal"


def test_what_is_too_large_is_refused_and_other_forms_stay_small(anna: Guest) -> None:
    form = anna.get("/records").button("bring-go")
    page = anna.press(form, record="x" * MOST_BYTES)
    assert (page.status, refusal_of(page)) == (422, "A record can have at most 256 KB here.")
    assert refusal_of(send_file(anna, b"x" * MOST_BYTES)) == "A record can have at most 256 KB here."
    assert anna.press(form, record="x" * MOST_BODY).status == 413
    assert anna.post("/name", {**form.form.fields, "name": "x" * 70_000}).status == 413


def test_a_record_without_the_forms_token_or_from_another_site_is_refused(anna: Guest) -> None:
    assert anna.post("/records", {"record": TEXT, "token": "x" * 48}).status == 403
    token = anna.get("/records").button("bring-go").form.fields["token"]
    foreign = {"sec-fetch-site": "cross-site"}
    assert anna.post("/records", {"record": TEXT, "token": token}, **foreign).status == 403
    files = {"file": ("game.jsonl", WHOLE)}
    assert anna.client.post("/records", files=files, headers={"sec-fetch-site": "same-origin"}).status_code == 403
    for kind in ("multipart/form-data", "multipart/form-data; boundary=x", "text/plain", "application/json"):
        headers = {"sec-fetch-site": "same-origin", "content-type": kind}
        assert anna.client.post("/records", content=WHOLE, headers=headers).status_code == 403
    assert not anna.get("/records").has("own-records")


@pytest.mark.parametrize("record", [EXAMPLE, DUTCHMAN_RECORD], ids=lambda record: record.header.game)
def test_a_game_is_replayed_like_that_of_a_table_and_leads_to_the_analysis_board(anna: Guest, record: Record) -> None:
    page = bring(anna, record)
    seats = record.header.seats
    last = anna.get(f"{page.path}/replay")
    assert last.status == 200
    assert all(seat in last.text("eyes") for seat in seats)
    first = anna.get(f"{page.path}/replay?place=1")
    assert "replay: 1 of" in first.text("which")
    middle = anna.get(f"{page.path}/replay?place=9&as=1")
    assert middle.status == 200
    analysis_link = re.search(
        rf'id="step-analyse" class="button" href="({page.path}/analysis\?at=\d+&(?:amp;)?as=1)"', middle.html
    )
    assert analysis_link
    board = anna.get(analysis_link[1].replace("&amp;", "&"))
    assert (board.status, board.path.partition("?")[0]) == (200, f"/analysis/{record.header.game}")
    assert anna.get(f"{page.path}/replay?as=17&at=x").status == 200
    assert anna.get(f"{page.path}/analysis?at=99999&as=88").status == 200


def test_the_end_of_a_game_that_was_ended_early_is_told(anna: Guest) -> None:
    page = bring(anna, ended_early(SHANGHAIEN))
    assert page.text("outcome").endswith("has resigned: Anna wins.")
    assert "has resigned" in anna.get(f"{page.path}/replay").text("now")


@pytest.mark.parametrize("game", [SHANGHAIEN, DUTCHMAN], ids=lambda game: game.name)
def test_of_a_game_that_is_not_over_only_what_is_public_is_shown(anna: Guest, stranger: Guest, game: AnyGame) -> None:
    options = game.options(players=3) if game is DUTCHMAN else game.options()
    left, _ = stop_game(play_record(game, options, at_random(1), SEED), 30)
    page = bring(anna, left)
    assert page.text("outcome") == "This game is not over: only what is public is shown."
    assert not page.has("review-there")
    replay = anna.get(f"{page.path}/replay?as=0")
    assert not replay.has("eyes")
    assert not replay.has("step-analyse")
    assert replay.html.count("data-part") == anna.get(f"{page.path}/replay").html.count("data-part")
    assert "replay" in replay.text("which")
    assert anna.get(f"{page.path}/review").status == 422
    assert anna.get(f"{page.path}/analysis?at=9").status == 409
    link = share(anna, page)
    assert stranger.get(f"{link}/replay").status == 200
    assert stranger.get(f"{link}/record.jsonl").status == 403, "it holds all that was hidden"
    assert decode(anna.client.get(f"{page.path}/record.jsonl").content) == left


def test_a_shared_record_is_all_that_others_see_until_the_link_is_taken_back(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        page, other = bring(anna, EXAMPLE), bring(anna, ended_early(SHANGHAIEN))
        assert stranger.get(page.path).status == bernd.get(f"{page.path}/replay").status == 404
        link = share(anna, page)
        assert link != page.path
        for guest in (bernd, stranger):
            record_page = guest.get(link)
            assert record_page.status == 200
            for part in ("share-go", "share-none", "rename", "delete", "link"):
                assert not record_page.has(part)
            assert page.path not in record_page.html
            assert other.path not in record_page.html
            assert guest.get(f"{link}/replay").status == 200
            assert guest.client.get(f"{link}/record.jsonl").content == WHOLE
            assert guest.get(page.path).status == guest.get(other.path).status == 404
        token = bernd.get("/records").button("bring-go").form.fields["token"]
        for act in ("name", "link", "delete"):
            for path in (link, page.path):
                assert bernd.post(f"{path}/{act}", {"token": token, "name": "Meins", "link": "none"}).status == 404
        assert not bernd.get("/records").has("own-records")
        anna.press(anna.get(page.path).button("share-none"))
        gone = stranger.get(link)
        assert (gone.status, stranger.get(f"{link}/replay").status) == (404, 404)
        assert "no longer shared" in gone.html


def test_a_record_is_renamed_and_deleted(anna: Guest) -> None:
    page = bring(anna, EXAMPLE)
    assert "<h1>Anna and" in page.html
    assert (
        "<h1>Das Spiel vom &lt;Dienstag&gt;</h1>"
        in anna.press(page.button("name-go"), name="Das Spiel vom <Dienstag>").html
    )
    assert "<h1>Anna and" in anna.press(page.button("name-go"), name=" ").html
    assert anna.press(page.button("delete-go")).path == "/records"
    assert anna.get(page.path).status == 404


def test_names_in_a_record_are_those_of_strangers(anna: Guest) -> None:
    header = EXAMPLE.header
    text = TEXT.replace('"Anna","Bernd"', '"<b>⚙ expert</b>","<b>⚙ expert</b>"', 1)
    assert header.seats == ("Anna", "Bernd")
    page = anna.press(anna.get("/records").button("bring-go"), record=text)
    assert "Line 117: A line before this one has been changed" in page.text("refused")
    left = Record(decode(text.split("\n")[0].encode() + b"\n").header)
    assert "<b>" not in bring(anna, left).html


def test_a_record_that_this_kontor_cannot_replay_is_still_listed_downloaded_and_deleted(
    anna: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = bring(anna, EXAMPLE)
    monkeypatch.setattr("kontor.records.checks.check_rules", _refuse_rules)
    monkeypatch.setattr("kontor.records.reading.check_rules", _refuse_rules)
    assert f'href="{page.path}"' in anna.get("/records").html
    record_page = anna.get(page.path)
    assert record_page.text("unreadable").startswith(
        "This Kontor cannot replay the record: This record was played by version 7"
    )
    assert anna.get(f"{page.path}/replay").status == 503
    assert anna.press(record_page.button("delete-go")).status == 200


def _refuse_rules(game: AnyGame, version: int) -> None:
    reason = "This record was played by version {version} of the rules of {game}; this Kontor knows {supported}."
    raise BadOptions("", reason, version=7, game=game.name, supported=version)


def test_a_review_is_that_of_the_queue_of_tables(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    judge_simply(monkeypatch)
    with served.guest("Anna") as anna, served.guest() as stranger:
        page = bring(anna, EXAMPLE)
        link = share(anna, page)
        reviewed = no_longer_in_progress(anna, page.path)
        assert reviewed.has("review-sums")
        assert f'href="{page.path}/replay?at=' in reviewed.html
        moment = re.search(rf'href="({page.path}/review/\d+)"', reviewed.html)
        assert moment
        assert anna.get(moment[1]).has("step-analyse")
        assert stranger.get(f"{link}/review").has("review-sums"), "the review is kept"
        assert page.path not in stranger.get(f"{link}/review").html
        assert stranger.get(moment[1].replace(page.path, link)).status == 200
        assert anna.get(f"{page.path}/review/1").status == 404
        values = stranger.client.get(f"{link}/review.jsonl")
        assert values.headers["content-disposition"].endswith('-reviewed.jsonl"')
        assert bring(anna, EXAMPLE).path == page.path
        again = anna.press(anna.get("/records").button("bring-go"), record=values.text)
        assert again.path == page.path, "its comments are left out"


def chosen(page: BrowserPage, path: Path) -> None:
    page.locator("#file").set_input_files(path)
    expect(page.locator("#bring-go")).to_be_focused()
    page.locator("#bring-go").click()


def dropped(page: BrowserPage, path: Path) -> None:
    page.evaluate(
        """text => {
            const dragged = new DataTransfer();
            dragged.items.add(new File([text], "game.jsonl"));
            for (const kind of ["dragover", "drop"]) {
                document.querySelector("h1").dispatchEvent(
                    new DragEvent(kind, { dataTransfer: dragged, bubbles: true, cancelable: true }));
            }
        }""",
        path.read_text("utf-8"),
    )


def pasted(page: BrowserPage, path: Path) -> None:
    page.locator("#record").fill(path.read_text("utf-8"))
    page.locator("#bring-go").click()


@pytest.mark.parametrize("way", [chosen, dropped, pasted])
def test_in_a_browser_a_record_is_chosen_dropped_or_pasted(
    served: Served, chromium: Chromium, tmp_path: Path, way: Callable[[BrowserPage, Path], None]
) -> None:
    good, bad, large = (tmp_path / f"{name}.jsonl" for name in ("good", "bad", "large"))
    good.write_bytes(WHOLE)
    bad.write_text(TEXT.replace('"die":3', '"die":5', 1), "utf-8")
    large.write_bytes(b"x" * (MOST_BYTES + 1))
    with browsing(chromium, served.address) as page:
        page.goto("/records")
        if way is not pasted:
            page.locator("#file").set_input_files(large)
            expect(page.locator("#too-large")).to_be_visible()
        way(page, bad)
        expect(page.locator("#refused")).to_have_text("Line 7: You did not roll a 5. (S6)")
        way(page, good)
        expect(page.locator("#checked")).to_contain_text("All 115 steps follow the rules.")
        page.locator("#replay-there").click()
        expect(page.locator("#which")).to_contain_text("replay: 1 of")
        page.locator("#step-on").click()
        expect(page.locator("#which")).to_contain_text("replay: 2 of")
