"""Protection from strangers: forms from elsewhere, headers, sessions, limits, and nonsense of every kind."""

import re
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import httpx
import pytest
from playwright.sync_api import expect

from guests import query
from kontor.web.http.limits import LIMITS, Limit, Limits, RateLimited
from kontor.web.http.refusals import describe_refusal
from kontor.web.http.security_middleware import CONTENT_POLICY
from kontor.words import Words
from security.test_sessions import LIFETIME, runs_out
from web.browsers import Chromium
from web.conftest import GENEROUS, Served
from web.guests import Guest, open_shanghaien, seat_friend

POSTS = (
    "/name", "/settings", "/tables", "/you/device", "/you/program", "/you/forget", "/you/recovery",
    "/you/recovery/later", "/you/leave", "/you/blocked", "/return", "/you/join", "/people/x/follow", "/messages/x",
    "/messages/x/person", "/messages/x/report", "/messages/to/x", "/messages/to/{table}/1", "/you/writers",
    "/challenges/to/x", "/challenges/to/{table}/1", "/challenges/x/accept", "/challenges/x/decline",
    "/challenges/x/dismiss", "/challenges/x/counter", "/tables/{table}/people", "/tables/{table}/report",
    "/device/x", "/invitations/{table}/1/x", "/tables/{table}/moves", "/tables/{table}/chat",
    "/tables/{table}/mute", "/tables/{table}/sit", "/tables/{table}/fill", "/tables/{table}/leave",
    "/tables/{table}/invitations", "/tables/{table}/stand-in", "/tables/{table}/come-back",
    "/tables/{table}/rematch", "/tables/{table}/resign", "/tables/{table}/propose", "/tables/{table}/agree",
    "/tables/{table}/decline", "/tables/{table}/claim", "/tables/{table}/more-time",
    "/tables/{table}/propose-pause", "/tables/{table}/agree-pause", "/tables/{table}/decline-pause",
    "/tables/{table}/resume", "/tables/{table}/propose-undo", "/tables/{table}/agree-undo",
    "/tables/{table}/decline-undo", "/tables/{table}/note", "/you/holiday", "/you/holiday/end",
    "/you/moves",
)  # fmt: skip

PAGES = (
    "/", "/you", "/you/leave", "/return", "/rules", "/learn", "/people", "/people/following", "/messages", "/notes",
    "/games", "/rules/shanghaien", "/rules/dutchman", "/api", "/notices", "/open/shanghaien", "/open/dutchman",
    "{table}", "{table}/log", "{table}/replay", "{table}/fair", "{table}/end", "{table}/pause", "{table}/take-back",
    "{table}/note", "{table}/people", "/nothing/here", "/tables/nothing", "/device/x",
)  # fmt: skip


def test_every_form_is_refused_without_the_token_or_from_elsewhere(served: Served, anna: Guest) -> None:
    table = open_shanghaien(anna).removeprefix("/tables/")
    token = anna.get("/").forms[0].fields["token"]
    for path in POSTS:
        path = path.format(table=table)
        assert anna.post(path, {}).status == 403, f"{path} without its token"
        assert anna.post(path, {"token": "0" * 32}).status == 403, f"{path} with another token"
        for headers in (
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
            {"sec-fetch-site": "none"},
            {"origin": "https://elsewhere.example"},
            {"origin": "null"},
            {},
        ):
            foreign = anna.client.post(path, data={"token": token}, headers=headers)
            assert foreign.status_code == 403, f"{path} with {headers}"
            assert "another site" in foreign.text
    home = anna.client.post("/settings", data={"token": token, "theme": "dark"}, headers={"origin": served.address})
    assert home.status_code == 200
    assert 'data-theme="dark"' in home.text
    again = anna.client.post(
        "/settings", data={"theme": "light"}, headers={"origin": served.address, "x-kontor-token": token}
    )
    assert 'data-theme="light"' in again.text


def test_every_page_has_a_strict_policy_and_no_inline_script_or_style(anna: Guest, stranger: Guest) -> None:
    assert "unsafe" not in CONTENT_POLICY
    assert CONTENT_POLICY.startswith("default-src 'none'")
    table = seat_friend(anna, stranger)
    for path in PAGES:
        answer = anna.client.get(path.format(table=table))
        assert answer.headers["content-security-policy"] == CONTENT_POLICY, path
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|<style|\son[a-z]+=|javascript:", answer.text), path
    static = anna.client.get(re.findall(r'href="(/static/[^"]*kontor\.css)"', anna.get("/").html)[0])
    assert "immutable" in static.headers["cache-control"]
    assert static.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert static.headers["x-content-type-options"] == "nosniff"
    assert "x-frame-options" not in static.headers, "files are light: only pages need it"
    missing = anna.client.get("/static/none/none.css")
    assert missing.headers["content-security-policy"] == CONTENT_POLICY
    assert missing.headers["x-frame-options"] == "DENY", "a page says that there is no such file"


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(served: Served) -> None:
    with served.guest() as anna:
        form = anna.get("/").button("name-go").form
        answer = anna.client.post(
            "/name",
            data={**form.fields, "name": "Anna"},
            headers={"sec-fetch-site": "same-origin"},
            follow_redirects=False,
        )
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "path=/" in cookie
        assert "secure" not in cookie
    with served.guest() as bernd:
        proxied = {"x-forwarded-proto": "https"}
        form = bernd.get("/").button("name-go").form
        answer = bernd.client.post(
            "/name",
            data={**form.fields, "name": "Bernd"},
            headers={"sec-fetch-site": "same-origin", **proxied},
            follow_redirects=False,
        )
        assert "secure" in answer.headers["set-cookie"].lower()


def test_a_session_that_somebody_else_chose_is_never_taken_over(served: Served, stranger: Guest) -> None:
    stranger.client.cookies.set("kontor", "chosen-by-somebody-else", domain="127.0.0.1")
    page = stranger.get("/")
    stranger.press(page.button("name-go"), name="Anna")
    values = [cookie.value for cookie in stranger.client.cookies.jar if cookie.name == "kontor"]
    assert any(value != "chosen-by-somebody-else" for value in values)
    with served.guest(headers={"cookie": "kontor=chosen-by-somebody-else"}) as thief:
        assert thief.get("/you").status == 403


def test_every_way_in_gives_a_session_of_its_own(served: Served, anna: Guest, bernd: Guest) -> None:
    """Check that a cookie from before an invitation, or before a link to this device, is no longer valid."""
    before = bernd.client.cookies["kontor"]
    seat_friend(anna, bernd)
    assert bernd.client.cookies["kontor"] != before
    with served.guest(headers={"cookie": f"kontor={before}"}) as thief:
        assert thief.get("/you").status == 403
    page = anna.press(anna.get("/you").button("device-go"))
    link = page.html.split('readonly autofocus value="')[1].split('"')[0]
    before = bernd.client.cookies["kontor"]
    bernd.press(bernd.get(httpx.URL(link).path).button("arrive"))
    assert bernd.client.cookies["kontor"] not in (before, anna.client.cookies["kontor"])
    assert bernd.get("/you").text("main").startswith("Anna")
    with served.guest(headers={"cookie": f"kontor={before}"}) as thief:
        assert thief.get("/you").status == 403


def test_a_session_can_be_ended_from_elsewhere(served: Served, anna: Guest) -> None:
    cookie = anna.client.cookies["kontor"]
    anna.press(anna.get("/you").button("forget-here"))
    with served.guest(headers={"cookie": f"kontor={cookie}"}) as thief:
        assert thief.get("/you").status == 403


def test_nobody_is_led_to_another_site(anna: Guest) -> None:
    token = anna.get("/").forms[0].fields["token"]
    for target in (
        "//elsewhere.example",
        "https://elsewhere.example",
        "/\\elsewhere.example",
        "javascript:x",
        "x\r\ny: z",
    ):
        answer = anna.client.post(
            "/settings",
            data={"token": token, "next": target},
            headers={"sec-fetch-site": "same-origin"},
            follow_redirects=False,
        )
        assert answer.headers["location"] == "/"


# ---------------------------------------------------------------------------------------------------------- limits


def test_whoever_is_too_quick_has_to_wait(tmp_path: Path) -> None:
    tight = {**GENEROUS, "open": Limit(2, 1), "chat": Limit(2, 1), "move": Limit(2, 1), "join": Limit(2, 1)}
    with Served(tmp_path, tight) as served, served.guest("Anna") as anna:
        path = open_shanghaien(anna, chair__2="machine-random", starter="0")
        open_shanghaien(anna)
        page = anna.press(anna.get("/open/shanghaien").button("open-it"))
        assert page.status == 429
        assert page.text("refused").startswith("Too fast. Try again in a minute.")
        assert 30 < int(page.answer.headers["retry-after"]) <= 60
        for action, button in (("chat", "say-go"), ("moves", "")):
            pressed = []
            for _ in range(3):
                page = anna.get(path)
                chosen = page.button(button) if button else next(iter(page.moves), None)
                if chosen is None:
                    form = page.button("say-go").form
                    pressed.append(anna.post(f"{path}/moves", {**form.fields, "move": "roll"}).status)
                else:
                    pressed.append(anna.press(chosen, **({"text": "Hello"} if button else {})).status)
            assert [status == 429 for status in pressed] == [False, False, True], (action, pressed)


def test_whoever_sits_down_or_invites_too_often_has_to_wait(tmp_path: Path) -> None:
    tight = {**GENEROUS, "join": Limit(2, 1)}
    with Served(tmp_path, tight) as served, served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        path = open_shanghaien(anna, chair__2="open")
        invite = open_shanghaien(anna)
        invited = [anna.press(anna.get(invite).button("invite-2")) for _ in range(3)]
        assert [page.status for page in invited] == [200, 200, 429]
        assert "retry-after" in invited[2].answer.headers
        form = bernd.get(path).button("sit-2").form
        assert [bernd.post(form.action, {**form.fields, "at": "9"}).status for _ in range(3)] == [404, 404, 429]


def test_programs_have_to_wait_too_and_are_told_how_long(tmp_path: Path) -> None:
    tight = {**GENEROUS, **dict.fromkeys(("open", "join", "move", "chat", "live"), Limit(1, 1))}
    tight["name"] = Limit(1, 1, shared=2)
    with Served(tmp_path, tight) as served, httpx.Client(base_url=f"{served.address}/api/") as client:
        token = client.post("people", json={"name": "Robota"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        seats = [{"kind": "me"}, {"kind": "friend"}]
        table = client.post("tables", json={"game": "shanghaien", "seats": seats}).json()["table"]
        for path, body in (
            ("people", {"name": "Robota"}),
            ("tables", {"game": "shanghaien", "seats": seats}),
            (f"tables/{table}/seats/1/invitation", {}),
            (f"tables/{table}/moves", {"number": 1, "move": {"move": "roll"}}),
            (f"tables/{table}/chat", {"text": "Hello"}),
        ):
            answers = [client.post(path, json=body) for _ in range(2)]
            assert answers[1].status_code == 429, path
            assert 30 < int(answers[1].headers["retry-after"]) <= 60
            assert answers[1].json()["reason"] == "Too fast. Try again in a minute."


def test_whoever_takes_too_many_names_has_to_wait(tmp_path: Path) -> None:
    with Served(tmp_path, {**GENEROUS, "name": Limit(1, 1, shared=2)}) as served:
        given = []
        for name in ("Anna", "Bernd", "Carla"):
            with served.guest() as guest:
                given.append(guest.press(guest.get("/").button("name-go"), name=name))
    assert [page.status for page in given] == [200, 200, 429]
    assert given[2].text("refused").startswith("Too fast. Try again in 30 seconds.")
    assert given[2].answer.headers["retry-after"] == "30"


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ("in a second.", "in 30 seconds.", "in a minute.", "in 2 minutes.")),
        ("de", ("in einer Sekunde noch", "in 30 Sekunden noch", "in einer Minute noch", "in 2 Minuten noch")),
        ("fr", ("dans 1 seconde.", "dans 30 secondes.", "dans 1 minute.", "dans 2 minutes.")),
        ("it", ("fra un secondo.", "fra 30 secondi.", "fra un minuto.", "fra 2 minuti.")),
        ("ja", ("1秒後に", "30秒後に", "1分後に", "2分後に")),
    ],
)
def test_how_long_to_wait_is_told_as_people_do(language: str, sentences: tuple[str, ...]) -> None:
    for seconds, words in zip((1, 30, 31, 61), sentences, strict=True):
        refusal = describe_refusal(Words(language), "", RateLimited("chat", seconds))
        assert words in refusal.sentence
        assert refusal.seconds == seconds


def test_buckets_fill_again_and_an_address_is_shared() -> None:
    now = [0.0]
    limits = Limits({"chat": Limit(2, 60)}, now=lambda: now[0])
    limits.spend("chat", "1.2.3.4", "anna")
    limits.spend("chat", "1.2.3.4", "anna")
    with pytest.raises(RateLimited) as limited:
        limits.spend("chat", "1.2.3.4", "anna")
    assert limited.value.seconds == 1
    now[0] += 1
    limits.spend("chat", "1.2.3.4", "anna")
    for number in range(9):
        limits.spend("chat", "1.2.3.4", f"guest {number}")
    with pytest.raises(RateLimited):
        limits.spend("chat", "1.2.3.4", "one guest too many")
    limits.spend("chat", "2001:db8:1:2:3::4", "berta")
    assert set(LIMITS) >= {"open", "join", "move", "chat"}


# -------------------------------------------------------------------------------------------------------- nonsense


FIELDS = ("number", "as", "at", "move", "text", "name", "next", "game", "pace", "chair-2", "theme", "salt")

ODD_PATHS = (
    "/tables/%00", "/tables/%ff%fe", "/rules/../../etc/passwd", "/static/x/..%2f..%2fapp.py",
    "/tables/" + "x" * 5000, "/invitations/x/y/z", "/invitations/x/99999999999999999999/z", "/open/%F0%9F%98%80",
    "/device/" + "é" * 400 + "/x",
)  # fmt: skip

ODD_HEADERS: tuple[dict[str, str], ...] = (
    {"accept-language": "q=,;;q=x,\xff"},
    {"cookie": "kontor=\xff\xfe; kontor-theme=<b>"},
    {"accept-encoding": "zzz"},
    {"last-event-id": "x" * 3000},
)


@pytest.mark.long
def test_nonsense_is_answered_with_four_hundred_and_something(served: Served, anna: Guest) -> None:
    random = Random(1)
    table = open_shanghaien(anna, chair__2="machine-random")
    token = anna.get("/").forms[0].fields["token"]
    odd = ["", "0", "-1", "99999999999999999999", "\x00", "ü" * 1000, "%00", "<b>", "[[", "move:move", "٣", "1 2"]
    for path in POSTS:
        path = path.format(table=table.removeprefix("/tables/"))
        if path.endswith(("forget", "leave")):
            continue
        for _ in range(6):
            data = {name: random.choice(odd) for name in random.sample(FIELDS, 5)}
            status = anna.post(path, {"token": token, **data}).status
            assert status < 500, (path, data)
    for path in PAGES:
        for value in odd:
            where = path.format(table=table)
            answer = anna.client.get(where, params={"as": value, "at": value, "verify": value, "have": value})
            assert answer.status_code < 500, (path, value)
    for path in ODD_PATHS:
        assert 400 <= anna.client.get(path).status_code < 500, path
    for headers in ODD_HEADERS:
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        assert httpx.get(served.address + "/", headers=raw).status_code == 200


def test_too_much_at_once_and_bodies_that_are_no_forms(anna: Guest) -> None:
    table = open_shanghaien(anna)
    token = anna.get("/").forms[0].fields["token"]
    home = {"sec-fetch-site": "same-origin"}
    big = anna.client.post(f"{table}/chat", data={"token": token, "text": "x" * 200_000}, headers=home)
    assert big.status_code == 413

    def endless_body() -> object:
        for _ in range(100):
            yield b"text=" + b"x" * 5000

    chunked = anna.client.post(
        f"{table}/chat",
        content=endless_body(),  # type: ignore[arg-type]
        headers={**home, "content-type": "application/x-www-form-urlencoded"},
    )
    assert chunked.status_code == 413
    many = "&".join(f"f{number}=1" for number in range(5000))
    for body, kind in (
        (b"\xff\xfe=%zz&token=\xff", "application/x-www-form-urlencoded"),
        (many.encode(), "application/x-www-form-urlencoded"),
        (b"{" * 3000, "application/json"),
        (b"--x\r\n\r\n", "multipart/form-data; boundary=x"),
        (b"--x", "multipart/form-data"),
        (b"<a/>", "application/xml"),
        (b"", "x" * 500),
    ):
        answer = anna.client.post(
            f"{table}/chat", content=body, headers={**home, "content-type": kind, "x-kontor-token": token}
        )
        assert 400 <= answer.status_code < 500, (kind, answer.status_code)
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "BREW"):
        assert 400 <= anna.client.request(method, table, headers=home).status_code < 500, method


def test_a_browser_in_daily_use_never_forgets(tmp_path: Path, chromium: Chromium) -> None:
    """Check that a visit after a day prolongs both cookie and row, which expire together."""
    with Served(tmp_path) as served, chromium.new_context() as context:
        page = context.new_page()
        page.goto(served.address)
        page.fill("#name", "Anna")
        page.press("#name", "Enter")
        expect(page.locator("#mine")).to_be_visible()
        (cookie,) = [each for each in context.cookies() if each["name"] == "kontor"]
        query(tmp_path, "UPDATE tokens SET expires = expires - 86500000")
        context.clear_cookies()
        again = cookie["expires"] - 86500
        context.add_cookies(
            [{"name": cookie["name"], "value": cookie["value"], "url": served.address, "expires": again}]
        )
        page.goto(f"{served.address}/you")
        (cookie,) = [each for each in context.cookies() if each["name"] == "kontor"]
        assert abs(cookie["expires"] - datetime.now(UTC).timestamp() - runs_out(tmp_path)[0]) < 60
        assert runs_out(tmp_path)[0] > LIFETIME - 60
