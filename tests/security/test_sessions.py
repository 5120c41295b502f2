"""Sessions: only their holder acts as the person, and only as long as the person wants."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import httpx
import pytest
from sqlalchemy import delete

from folders import with_database
from guests import end_sessions, query
from kontor.people import people
from kontor.people.people import SESSION_DAYS
from kontor.server.composition import KontorServer
from kontor.storage.schema import tokens
from kontor.web.http.sessions import SessionUse, cookie_name
from kontor.web.live.watcher import RECHECK_INTERVAL, Watcher
from kontor.web.pages.visitor import Visitor
from web.conftest import Served
from web.guests import Guest, open_shanghaien, seat_friend

HTTPS = {"x-forwarded-proto": "https"}
"""The header of the proxy in front of the server."""


def set_cookies(answer: httpx.Response) -> dict[str, str]:
    lines = [line.partition("=") for line in answer.headers.get_list("set-cookie")]
    return {name: rest.lower() for name, _, rest in lines}


def send_name(served: Served, name: str, **headers: str) -> httpx.Response:
    with Guest(served.address, headers=headers) as guest:
        form = guest.get("/").button("name-go").form
        return guest.client.post(
            form.action,
            data={**form.fields, "name": name},
            headers={"sec-fetch-site": "same-origin"},
            follow_redirects=False,
        )


def test_over_https_no_cookie_can_come_from_a_neighbour_or_go_in_the_clear(served: Served) -> None:
    cookies = set_cookies(send_name(served, "Anna", **HTTPS))
    assert list(cookies) == ["__Host-kontor"]
    (rest,) = cookies.values()
    assert {"secure", "httponly", "samesite=lax", "path=/"} <= {part.strip() for part in rest.split(";")}
    assert "domain" not in rest
    (rest,) = set_cookies(send_name(served, "Anna")).values()
    assert "secure" not in rest, "on plain HTTP at home a browser would not keep it"
    assert cookie_name("kontor-mute", secure=True, path="/tables/x") == "__Secure-kontor-mute"


LIFETIME: Final = SESSION_DAYS * 24 * 3600


def runs_out(folder: Path) -> list[float]:
    """Return when the sessions of a server expire, in seconds from now."""
    now = datetime.now(UTC).timestamp()
    return [expires / 1000 - now for (expires,) in query(folder, "SELECT expires FROM tokens WHERE kind = 'session'")]


def test_a_cookie_lasts_as_long_as_the_session_and_is_prolonged_with_it(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        answer = send_name(served, "Anna")
        assert f"max-age={LIFETIME};" in answer.headers["set-cookie"].lower()
        token = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
        brought = {"cookie": f"kontor={token}; kontor-theme=dark"}
        assert "set-cookie" not in httpx.get(served.address, headers=brought).headers, "not each time"
        for path in ("/", "/you", "/tables/x", "/nothing"):
            query(tmp_path, "UPDATE tokens SET expires = expires - 864000000")  # ten days pass
            cookies = set_cookies(httpx.get(served.address + path, headers=brought))
            assert list(cookies) == ["kontor", "kontor-theme"], path
            assert cookies["kontor"].startswith(token.lower())
            assert f"max-age={LIFETIME};" in cookies["kontor"]
            assert LIFETIME - 60 < runs_out(tmp_path)[0] <= LIFETIME
            assert "set-cookie" not in httpx.get(served.address, headers=brought).headers
        page = httpx.get(f"{served.address}/you", headers=brought).text
        assert f"for {SESSION_DAYS} days after your last visit" in page


def test_no_use_prolongs_the_session_without_the_cookie(tmp_path: Path) -> None:
    with KontorServer.open(with_database(tmp_path)) as service:
        anna, token = service.people.guest("Anna")
        use = SessionUse(service.people, token)
        assert use() == anna
        assert not use.begin_response(), "it was used today"
        query(tmp_path, "UPDATE tokens SET expires = expires - 864000000")
        assert use() == anna
        assert runs_out(tmp_path)[0] < LIFETIME - 800_000, "a stream goes on asking: no cookie can go with that"
        another = SessionUse(service.people, token)
        assert another() == anna
        assert another.begin_response()


def test_a_session_that_changes_hands_is_not_brought_back_by_the_prolonged_cookie(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        path = open_shanghaien(anna)
        link = anna.press(anna.get(path).button("invite-2")).html.split('id="link-2" readonly value="')[1]
        button = bernd.get(httpx.URL(link.split('"')[0]).path).button("sit")
        before = bernd.client.cookies["kontor"]
        query(tmp_path, "UPDATE tokens SET expires = expires - 864000000")
        assert bernd.press(button).path == path
        assert bernd.client.cookies["kontor"] != before
        assert bernd.get("/you").status == 200


def test_over_https_a_cookie_that_anybody_could_have_set_is_not_believed(served: Served) -> None:
    answer = send_name(served, "Anna", **HTTPS)
    token = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
    for cookie, status in ((f"__Host-kontor={token}", 200), (f"kontor={token}", 403)):
        assert httpx.get(f"{served.address}/you", headers={**HTTPS, "cookie": cookie}).status_code == status


def test_browsers_are_told_to_come_by_https_alone_once_they_did(served: Served) -> None:
    for path in ("/", "/nothing", "/api/games", "/openapi.json", "/tables/x"):
        policy = httpx.get(served.address + path, headers=HTTPS).headers["strict-transport-security"]
        assert "max-age=31536000" in policy
        assert "includeSubDomains" in policy
        assert "strict-transport-security" not in httpx.get(served.address + path).headers


def test_whoever_signs_out_is_nobody_at_once_and_leaves_nothing_in_the_browser(served: Served, anna: Guest) -> None:
    token = anna.client.cookies["kontor"]
    form = anna.get("/you").button("forget-here").form
    answer = anna.client.post(
        form.action, data=form.fields, headers={"sec-fetch-site": "same-origin"}, follow_redirects=False
    )
    assert answer.headers["clear-site-data"] == '"cache", "storage"'
    assert "max-age=0" in set_cookies(answer)["kontor"]
    with served.guest(headers={"cookie": f"kontor={token}"}) as thief:
        assert thief.get("/you").status == 403
        assert "Anna" not in thief.get("/").html


def test_what_is_revoked_hears_nothing_more(served: Served, anna: Guest, bernd: Guest) -> None:
    """Check that an open stream is closed before it sends anything new when its session ends."""
    table = seat_friend(anna, bernd)
    person = served.person_id(bernd)
    heard = []
    with bernd.client.stream("GET", f"{table}/live") as streaming:
        lines = streaming.iter_lines()
        for line in lines:
            if line.startswith("data"):
                break
        end_sessions(served.service, person)
        anna.press(anna.get(table).button("say-go"), text="Only between us")
        heard = list(lines)
    assert "Only between us" not in "\n".join(heard)


def test_a_session_that_has_run_out_hears_nothing_after_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("kontor.web.live.watcher.monotonic", lambda: now)
    with KontorServer.open(with_database(tmp_path)) as service:
        person, token = service.people.guest("Anna")
        visitor = Visitor(partial(service.people.holder_of_session, token), token, "en", "", "", False, "/", False)
        watcher = Watcher(service.people, visitor)
        with service._transactions.storage.writing() as db:  # without an event, as when time passes
            db.execute(delete(tokens).where(tokens.c.hash == people.hash_token(token)))
        now += RECHECK_INTERVAL - 0.1
        seen = watcher.now()
        assert seen is not None
        assert seen.person == person
        assert seen.token != visitor.token
        now += 0.1
        assert watcher.now() is None
        assert watcher.now() is None


def test_whoever_ends_any_session_has_all_streams_of_the_process_ask_at_once(tmp_path: Path) -> None:
    with KontorServer.open(with_database(tmp_path)) as service:
        watchers = {}
        for name in ("Anna", "Bernd"):
            person, token = service.people.guest(name)
            visitor = Visitor(
                partial(service.people.holder_of_session, token), token, "en", "", "", False, "/", False
            )
            watchers[person.id] = Watcher(service.people, visitor)
        anna, bernd = watchers
        end_sessions(service, anna)
        assert watchers[anna].now() is None
        assert watchers[bernd].now() is not None


def test_a_session_opens_no_api_and_a_programs_token_no_page(served: Served, anna: Guest) -> None:
    session = anna.client.cookies["kontor"]
    person = served.service.people.holder_of_session(session)
    assert person
    token = served.service.people.api_token(person.id)
    assert httpx.get(f"{served.address}/api/me", headers={"authorization": f"Bearer {session}"}).status_code == 401
    assert httpx.get(f"{served.address}/api/me", headers={"cookie": f"kontor={session}"}).status_code == 401
    assert httpx.get(f"{served.address}/you", headers={"cookie": f"kontor={token}"}).status_code == 403
    link = served.service.people.device_link(person.id)
    assert httpx.get(f"{served.address}/you", headers={"cookie": f"kontor={link}"}).status_code == 403


@pytest.mark.parametrize("scheme", ["Basic", "bearer", "BEARER", ""])
def test_a_program_is_known_by_the_scheme_and_the_token(served: Served, anna: Guest, scheme: str) -> None:
    person = served.person_id(anna)
    token = served.service.people.api_token(person)
    status = httpx.get(f"{served.address}/api/me", headers={"authorization": f"{scheme} {token}".strip()}).status_code
    assert status == (200 if scheme.lower() == "bearer" else 401)


def test_tokens_are_long_random_and_all_different(served: Served) -> None:
    person, session = served.service.people.guest("Anna")
    tokens = [
        session,
        *[served.service.people.api_token(person.id) for _ in range(50)],
        served.service.people.device_link(person.id),
    ]
    assert len(set(tokens)) == len(tokens)
    assert min(map(len, tokens)) >= 43, "256 bits, six a letter"


def test_nobody_becomes_somebody_by_looking(anna: Guest, stranger: Guest) -> None:
    """Check that no page starts a session: only a button does, after a name is given or a link followed."""
    table = open_shanghaien(anna)
    link = httpx.URL(
        anna.press(anna.get("/you").button("device-go")).html.split('readonly autofocus value="')[1].split('"')[0]
    )
    for path in ("/", "/rules", table, link.path, f"/invitations/{table.split('/')[-1]}/1/x", "/nothing"):
        assert not set_cookies(stranger.client.get(path)), path
    assert stranger.press(stranger.get(link.path).button("arrive")).status == 200
    assert stranger.get("/you").text("main").startswith("Anna")
