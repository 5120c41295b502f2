"""Forms of other sites, and a token that cannot be guessed from the length of our responses."""

import re
import zlib

import httpx
import pytest

from kontor.web.pages.visitor import form_token, is_form_token
from web.conftest import Served
from web.guests import Guest, open_shanghaien


def tokens_in(text: str) -> set[str]:
    return set(re.findall(r'name="token" value="([0-9a-f]+)"', text))


def test_each_answer_has_a_token_of_its_own_and_all_are_good(anna: Guest) -> None:
    answers = [tokens_in(anna.get("/you").html) for _ in range(5)]
    assert [len(answer_tokens) for answer_tokens in answers] == [1] * 5, "one token an answer, in all of its forms"
    tokens = set.union(*answers)
    assert len(tokens) == 5
    for token in tokens:
        assert anna.post("/settings", {"token": token, "theme": "dark"}).status == 200


def test_a_token_is_good_for_its_session_alone(anna: Guest, bernd: Guest) -> None:
    (annas,) = tokens_in(anna.get("/").html)
    (bernds,) = tokens_in(bernd.get("/").html)
    assert anna.post("/settings", {"token": bernds}).status == 403
    mixed = annas[:16] + bernds[16:]
    for wrong in (mixed, annas[:-1], annas + "0", annas.upper(), "", "0" * 48, annas[:16], "é" * 48):
        assert anna.post("/settings", {"token": wrong}).status == 403, wrong
    assert anna.post("/settings", {"token": annas}).status == 200


def test_two_tokens_of_a_session_have_nothing_in_common() -> None:
    """Check that a guess that shortened one response says nothing of the next."""
    one, other = (form_token("session", occasion * 16) for occasion in "ab")
    assert is_form_token(one, "session")
    assert is_form_token(other, "session")
    pieces = [one[at : at + 6] for at in range(len(one) - 5)]
    assert not [piece for piece in pieces if piece in other]


def test_what_others_say_makes_no_answer_shorter_by_a_token_they_have_guessed(anna: Guest) -> None:
    """Check that a token of one response, sent in the chat, does not occur in the next response."""
    table = open_shanghaien(anna)
    for _ in range(3):
        (token,) = tokens_in(anna.get(table).html)
        page = anna.press(anna.get(table).button("say-go"), text=token)
        assert page.html.count(token) == 1, "in the chat, and in no form"


def test_packed_answers_are_of_no_certain_length(anna: Guest) -> None:
    table = open_shanghaien(anna, chair__2="machine-random")
    lengths = set()
    for _ in range(12):
        with anna.client.stream("GET", table, headers={"accept-encoding": "gzip"}) as answer:
            compressed = b"".join(answer.iter_raw())
        lengths.add(len(compressed))
        assert zlib.decompress(compressed, wbits=31)
    assert len(lengths) > 3


def test_a_stream_tells_nothing_anew_because_of_its_token(anna: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.web.live.stream.KEEP_ALIVE_INTERVAL", 0.1)
    table = open_shanghaien(anna)
    live = re.findall(r'data-live="([^"]+)"', anna.get(table).html)[0].replace("&amp;", "&")
    heard = []
    with anna.client.stream("GET", live) as streaming:
        for line in streaming.iter_lines():
            heard.append(line)
            if heard.count(": still here") > 4:
                break
    assert not [line for line in heard if line.startswith("data")]


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "https://elsewhere.example"},
        {},
    ],
    ids=str,
)
def test_nobody_is_signed_in_by_a_form_of_another_site(served: Served, headers: dict[str, str]) -> None:
    """Check that forms of other sites are refused without a session too.

    Then the token follows from nothing, so that another site can know it; but the form comes from that site.
    """
    with Guest(served.address) as stranger:
        (token,) = tokens_in(stranger.get("/").html)
    person, _ = served.service.people.guest("Mallory")
    for path in ("/name", f"/device/{served.service.people.device_link(person.id)}"):
        answer = httpx.post(served.address + path, data={"token": token, "name": "Mallory"}, headers=headers)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"])
def test_no_form_of_another_site_can_use_the_api(served: Served, anna: Guest, kind: str) -> None:
    table = open_shanghaien(anna, chair__2="here", name__2="Bernd").removeprefix("/tables/")
    before = served.service.tables.info(table)
    for path, body in (("moves", '{"number":2,"move":{"move":"roll"}}'), ("chat", '{"text":"Hello"}')):
        headers = {"content-type": kind, "origin": "https://elsewhere.example"}
        answer = anna.client.post(f"/api/tables/{table}/{path}", content=body, headers=headers)
        assert answer.status_code == 403
    assert served.service.tables.info(table) == before
    assert "access-control-allow-origin" not in answer.headers


def test_no_origin_may_read_what_it_asked_for(served: Served) -> None:
    for path in ("/", "/api/games", "/openapi.json", "/static/x/kontor.css"):
        headers = {"origin": "https://elsewhere.example", "access-control-request-method": "POST"}
        for method in ("GET", "OPTIONS"):
            answer = httpx.request(method, served.address + path, headers=headers)
            assert not [name for name in answer.headers if name.startswith("access-control")]
