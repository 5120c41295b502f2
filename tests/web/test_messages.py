"""Pages and calls of messages: from a table to a conversation, live and without scripts."""

import re
from functools import partial
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from guests import play_out
from timeouts import waited_for
from web.browsers import Chromium, browsing
from web.conftest import Served
from web.guests import Guest, Page, seat_friend
from web.test_following import page_of

CONVERSATION = re.compile(r"/messages/[a-z0-9]{20}")


def begin(anna: Guest, bernd: Guest, text: str = "Ahoi") -> Page:
    """Let Anna write to Bernd, with whom she begins a game; return the page of their conversation."""
    table = seat_friend(anna, bernd)
    form = anna.get(f"/messages/to/{table.rpartition('/')[2]}/1")
    page = anna.press(form.button("message-go"), text=text)
    assert CONVERSATION.fullmatch(page.path), page.text("main")
    return page


def test_from_the_people_of_a_table_one_writes_and_the_other_reads_and_answers(anna: Guest, bernd: Guest) -> None:
    table = seat_friend(anna, bernd)
    people = anna.get(f"{table}/people")
    assert people.text("write-1") == "Write to Bernd"
    path = people.html.split('id="write-1" href="')[1].split('"')[0]
    page = anna.press(anna.get(path).button("message-go"), text="Ahoi\nBernd")
    assert page.text("message-1").endswith("Ahoi Bernd")
    assert anna.get(path).path == page.path, "the form leads to the conversation from now on"
    assert "Messages (1)" in bernd.get(table).html
    listed = bernd.get("/messages")
    row = f"conversation-{page.path.rpartition('/')[2]}"
    assert re.fullmatch(r"Anna 1 new .* Ahoi Bernd", listed.text(row))
    read = bernd.get(page.path)
    assert "Messages (1)" not in read.html
    bernd.press(read.button("message-go"), text="Moin")
    assert "You: Moin" in bernd.get("/messages").text(row)
    assert "Messages (1)" in anna.get("/").html
    missing = anna.get("/messages/" + "x" * 20)
    assert missing.path == "/messages"
    assert missing.text("missing").startswith("There is no such conversation.")


def test_a_prefetched_page_is_not_read(anna: Guest, bernd: Guest) -> None:
    page = begin(anna, bernd)
    bernd.client.get(page.path, headers={"sec-purpose": "prefetch"})
    bernd.client.head(page.path)
    assert "Messages (1)" in bernd.get("/").html


def test_people_who_follow_each_other_write_from_their_pages(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        annas, bernds = page_of(served, anna), page_of(served, bernd)
        assert not stranger.get(bernds).has("write")
        assert stranger.get(bernds.replace("/people/", "/messages/to/")).status == 403
        anna.press(anna.get(bernds).button("follow"))
        assert anna.get("/people/following").has(f"write-{bernds.rpartition('/')[2]}")
        form = anna.get(bernds.replace("/people/", "/messages/to/"))
        assert form.text("hindrance").startswith("You cannot write to Bernd.")
        assert not form.has("message-go")
        bernd.press(bernd.get(annas).button("follow"))
        form = anna.get(form.path)
        assert anna.press(form.button("message-go"), text="Ahoi").text("message-1").endswith("Ahoi")
        assert form.has("page-of-other")


def test_those_with_whom_one_has_played_are_at_hand(served: Served, anna: Guest, bernd: Guest) -> None:
    assert "No messages yet." in anna.get("/messages").text("main")
    table = seat_friend(anna, bernd, starter="1", first_trick="both").rpartition("/")[2]
    play_out(served.service, table)
    page = anna.get("/messages")
    assert page.text("write-1") == "Bernd"
    assert f'href="/messages/to/{table}/1"' in page.html


def test_a_refused_message_is_still_in_its_field(anna: Guest, bernd: Guest) -> None:
    page = begin(anna, bernd)
    for form in (page, anna.get(f"/messages/to/{seat_friend(anna, bernd).rpartition('/')[2]}/1")):
        refused = anna.press(form.button("message-go"), text="x" * 501)
        assert (refused.status, "at most 500 characters" in refused.text("refused")) == (422, True)
        assert f">{'x' * 501}</textarea>" in refused.html
        assert bernd.get(page.path).html.count('id="message-') == 2, "its form has a button"


def test_a_message_to_somebody_who_takes_none_any_more_is_not_lost(served: Served, anna: Guest, bernd: Guest) -> None:
    page = begin(anna, bernd)
    served.service.messages.choose_writers(served.person_id(bernd), "nobody")
    refused = anna.press(page.button("message-go"), text="Lange <Worte>")
    assert (refused.status, refused.text("written")) == (403, "Lange <Worte>")
    assert refused.text("main").count("You cannot write to Bernd.") == 1


def test_muting_blocking_and_reporting_are_those_of_the_table(served: Served, anna: Guest, bernd: Guest) -> None:
    page = begin(anna, bernd, "Unverschämtes")
    bernds = bernd.press(bernd.get(page.path).button("mute"))
    assert "You have muted Anna." in bernds.text("about")
    assert "Anna, muted" in bernd.get("/you?open=blocked").text("blocked")
    bernds = bernd.press(bernds.button("block"))
    assert bernds.text("hindrance") == "You have blocked Anna."
    refused = anna.press(page.button("message-go"), text="Warum?")
    assert (refused.status, "You cannot write to Bernd." in refused.text("refused")) == (403, True)
    assert "blocked" not in refused.text("refused")
    bernds = bernd.press(bernds.button("lift"))
    refused = bernd.press(bernds.button("report-go"), text="", number="1")
    assert (refused.status, "The message is empty." in refused.text("refused")) == (422, True)
    assert f'data-live="{page.path}"' in refused.html, "it listens where the conversation is"
    bernds = bernd.press(refused.button("report-go"), text="unhöflich", number="1")
    assert "Whoever runs this server will read it." in bernds.text("main")
    (report,) = [report for report in served.service.operating.reports() if report.line == "Unverschämtes"]
    assert (report.name, report.reason) == ("Anna", "unhöflich")


def test_who_may_write_is_chosen_on_ones_own_page(served: Served, anna: Guest, bernd: Guest) -> None:
    page = begin(anna, bernd)
    form = bernd.get("/you?open=writers").button("writers-go")
    assert form.form.fields["writers"] == "met"
    chosen = bernd.press(form, writers="nobody")
    assert chosen.button("writers-go").form.fields["writers"] == "nobody"
    assert anna.get(page.path).text("hindrance").startswith("You cannot write to Bernd.")
    assert bernd.get(page.path).text("hindrance").startswith("You have chosen that nobody may write to you.")
    assert served.service.messages.writers_to(served.person_id(bernd)) == "nobody"


def test_an_open_conversation_shows_new_messages_and_keeps_what_is_being_written(
    served: Served, anna: Guest, bernd: Guest, chromium: Chromium
) -> None:
    page = begin(anna, bernd)
    with browsing(chromium, served.address, anna) as seen:
        seen.goto(page.path)
        seen.fill("#text", "Ich schreibe gera")
        bernd.press(bernd.get(page.path).button("message-go"), text="Moin")
        expect(seen.locator("#messages li").first).to_contain_text("Moin")
        expect(seen.locator("#messages li")).to_have_count(2)
        expect(seen.locator("#text")).to_have_value("Ich schreibe gera")
        seen.click("#message-go")
        expect(seen.locator("#message-3")).to_contain_text("Ich schreibe gera")
        expect(seen.locator("#text")).to_have_value("")
    assert "Messages (1)" not in anna.get("/").html, "it was seen"


HELD = """
window.heard = 0;
window.EventSource = class extends EventSource {
  constructor(address) { super(address); this.addEventListener("message", () => { heard += 1; }); }
};
const really = window.fetch;
window.fetch = async (...asked) => {
  const answer = await really(...asked);
  await answer.clone().text();
  if (!window.released) await new Promise((resolve) => { window.release = resolve; });
  return answer;
};
"""
"""A script that counts the events of streams, and holds back the first answer until it is released."""


def test_a_message_that_comes_while_another_is_fetched_is_shown_too(served: Served, chromium: Chromium) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        page = begin(anna, bernd)
        with browsing(chromium, served.address, anna) as seen:
            seen.add_init_script(HELD)
            seen.goto(page.path)
            waited_for(partial(seen.evaluate, "heard === 1"))
            form = bernd.get(page.path).button("message-go")
            bernd.press(form, text="Eins")
            waited_for(partial(seen.evaluate, "Boolean(window.release)"))
            bernd.press(form, text="Zwei")
            waited_for(partial(seen.evaluate, "heard === 3"))
            seen.evaluate("released = true; release()")
            expect(seen.locator("#messages li").first).to_contain_text("Zwei")
            expect(seen.locator("#messages li")).to_have_count(3)


def test_after_a_bad_answer_an_open_conversation_listens_again(served: Served, chromium: Chromium) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        page = begin(anna, bernd)
        with browsing(chromium, served.address, anna) as seen:
            seen.route("**/live", lambda route: route.fulfill(status=502), times=1)
            seen.goto(page.path)
            bernd.press(bernd.get(page.path).button("message-go"), text="Moin")
            expect(seen.locator("#message-2")).to_contain_text("Moin")


def test_where_two_conversations_become_one_an_open_page_shows_each_message_once(
    served: Served, chromium: Chromium
) -> None:
    with served.guest("Anni") as phone, served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        ended, page = begin(phone, bernd, "Moin"), begin(anna, bernd, "Ahoi")
        with browsing(chromium, served.address, bernd) as seen:
            seen.goto(page.path)
            expect(seen.locator("#messages li")).to_have_count(1)
            code = served.service.recovery.new_code(served.person_id(phone))
            served.service.merging.merge(served.person_id(anna), code)
            expect(seen.locator("#messages .text")).to_have_text(["Ahoi", "Moin"])
        assert bernd.get(ended.path).path == "/messages"


def test_what_appears_after_a_refused_report_can_be_reported(served: Served, chromium: Chromium) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        page = begin(anna, bernd)
        bernd.press(bernd.get(page.path).button("message-go"), text="Moin")
        with browsing(chromium, served.address, anna) as seen:
            seen.goto(page.path)
            seen.click("#about summary")
            seen.select_option("#reported", "2")
            seen.fill("#report-text", " ")
            seen.click("#report-go")
            expect(seen.locator("#refused")).to_contain_text("The message is empty.")
            bernd.press(bernd.get(page.path).button("message-go"), text="Unverschämtes")
            expect(seen.locator("#message-3")).to_contain_text("Unverschämtes")
            expect(seen.locator("#reported")).to_have_value("2")
            seen.select_option("#reported", "3")


def test_a_conversation_is_streamed_to_its_two_people_alone(anna: Guest, bernd: Guest, carla: Guest) -> None:
    live = f"{begin(anna, bernd).path}/live"
    assert carla.get(live).status == 404
    with bernd.client.stream("GET", live) as stream:
        lines = (line for line in stream.iter_lines() if line.startswith("data: "))
        assert next(lines) == 'data: {"number":1}'
        anna.press(anna.get(live.removesuffix("/live")).button("message-go"), text="Geheime Worte")
        assert next(lines) == 'data: {"number":2}'


def program_of(served: Served, guest: Guest, *scopes: Any) -> httpx.Client:
    token = served.service.people.api_token(served.person_id(guest), "robot", scopes)
    return httpx.Client(base_url=f"{served.address}/api/", headers={"authorization": f"Bearer {token}"})


def test_programs_read_and_write_messages_with_their_scope_alone(served: Served, anna: Guest, bernd: Guest) -> None:
    table = seat_friend(anna, bernd).rpartition("/")[2]
    with program_of(served, anna, "messages") as annas, program_of(served, bernd, "play") as playing:
        assert playing.get("messages").json()["scope"] == "messages"
        sent = annas.post("messages", json={"table": table, "seat": 1, "text": "Ahoi"})
        assert (sent.status_code, sent.json()["number"]) == (201, 1)
        conversation = sent.json()["conversation"]
        read = annas.get(f"messages/{conversation}").json()
        assert [(one["own"], one["text"]) for one in read["messages"]] == [(True, "Ahoi")]
        assert annas.post(f"messages/{conversation}", json={"text": ""}).status_code == 422
        assert annas.post(f"messages/{conversation}", json={"text": "Na?"}).json()["number"] == 2
        assert annas.post("messages", json={"handle": "x" * 20, "text": "Ahoi"}).status_code == 403
        assert annas.get(f"messages/{'x' * 20}").status_code == 404
        assert playing.post(f"messages/{conversation}", json={"text": "Moin"}).status_code == 403
    with program_of(served, bernd, "messages") as bernds:
        (listed,) = bernds.get("messages").json()["conversations"]
        assert (listed["name"], listed["unread"], listed["last"]["text"]) == ("Anna", 2, "Na?")
        assert bernds.get(f"messages/{conversation}").json()["unread"] == 2, "programs read without reading"
        assert bernds.post(f"messages/{conversation}/read", json={"number": 2}).status_code == 204
        assert bernds.get("messages").json()["conversations"][0]["unread"] == 0
        older = bernds.get(f"messages/{conversation}", params={"before": 2}).json()
        assert [one["number"] for one in older["messages"]] == [1]


@pytest.mark.parametrize("language", ["de", "fr", "it", "ja"])
def test_all_sentences_of_the_pages_are_translated(anna: Guest, bernd: Guest, language: str) -> None:
    page = begin(anna, bernd)
    for path in ("/messages", page.path, "/you?open=writers"):
        answer = bernd.client.get(path, headers={"accept-language": language})
        for english in ("Write to", "Each conversation", "Who may write", "Mute, block", "No messages yet"):
            assert english not in answer.text, path


def test_what_people_write_is_in_no_log_and_no_metric(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, caplog.at_level(0):
        page = begin(anna, bernd, "Geheime Worte")
        anna.press(page.button("message-go"), text="Geheime Worte " * 60)
        bernd.press(bernd.get(page.path).button("report-go"), text="Geheimer Grund", number="1")
        logged = "".join(f"{record.getMessage()}{vars(record)}" for record in caplog.records)
        assert "Geheim" not in logged
