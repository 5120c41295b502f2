"""Pages of finished games: found, replayed, downloaded; and what of them stands on people's pages."""

import re
from html import unescape

import pytest

from kontor import records
from kontor.archive import downloads
from kontor.games.shanghaien.rules import Options
from kontor.people.values import Scope
from kontor.tables.values import Plan
from kontor.web.http.limits import Limit
from web.conftest import GENEROUS, Served
from web.guests import Guest
from web.test_person import ME, OPEN, play_game


def found_on(html: str) -> list[str]:
    return re.findall(r'id="game-(\w+)"', html)


def address_of(html: str, link: str) -> str:
    """Return where a link of a page leads, or an empty string without that link."""
    match = re.search(rf'id="{link}"[^>]*href="([^"]+)', html)
    return unescape(match[1]) if match else ""


@pytest.fixture
def apart(tmp_path_factory: pytest.TempPathFactory) -> Served:
    """Return a server of its own, for tests that count all games."""
    return Served(tmp_path_factory.mktemp("archive"))


def play_hidden(served: Served, winner: str, loser: str) -> str:
    """Play a game that spectators may not see; return its table."""
    plan = Plan("shanghaien", Options(), (ME, OPEN), watch=False)
    table = served.service.opening.open(winner, plan)
    served.service.opening.sit(table, 1, loser)
    served.service.early_endings.resign(table, 1, loser)
    return table


def test_each_game_stands_on_one_page_and_leads_to_its_replay(apart: Served) -> None:
    with apart as served, served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as nobody:
        ids = served.person_id(anna), served.person_id(bernd)
        hidden = play_hidden(served, *ids)
        games = [play_game(served.service, *ids) for _ in range(28)][::-1]
        page, seen = nobody.get("/games"), list[str]()
        assert not address_of(page.html, "page-newer")
        while True:
            seen += found_on(page.html)
            assert hidden not in page.html
            assert not [person for person in ids if person in page.html], "ids of people are secret"
            if not (older := address_of(page.html, "page-older")):
                break
            page = nobody.get(older)
        assert set(seen) == set(games)
        assert len(seen) == len(games)
        assert found_on(nobody.get(address_of(page.html, "page-newer")).html) == seen[:25]
        assert nobody.get(f"/tables/{games[0]}").status == 200
        assert hidden not in anna.get("/games").html, "not even for those who were there"
        assert found_on(nobody.get("/games?players=3").html) == []
        assert "No game fits" in nobody.get("/games?game=dutchman").html
        assert len(found_on(nobody.get("/games?players=2&game=shanghaien&rated=&since=2020-01-01").html)) == 25
        assert found_on(nobody.get("/games?until=2020-01-01").html) == []
        for query, number in {
            "end=early": 25, "end=rules": 0, "max_steps=0": 25, "min_steps=50": 0, "max_steps=9&end=early": 25,
            "name=anna&result=won": 0,
        }.items():  # fmt: skip
            assert len(found_on(nobody.get(f"/games?{query}").html)) == number, query
        assert len(found_on(anna.get("/games?name=anna&result=won").html)) == 25
        assert found_on(anna.get("/games?name=anna&result=not-won").html) == []
        assert found_on(anna.get("/games?name=bernd&result=won").html) == []
        assert len(found_on(anna.get("/games?name=bernd&result=not-won").html)) == 25
        assert nobody.get("/games?result=won").has("whose-result")
        assert not anna.get("/games?name=anna&result=won").has("whose-result")
        assert "result=won" in address_of(anna.get("/games?name=anna&result=won").html, "page-older")
        for odd in (
            "end=x",
            "result=x",
            "min_steps=-1",
            "max_steps=9999999999999",
            "players=x",
            "since=2020-13-45",
            "until=9999-12-31",
            "since=0001-01-01",
            "older=1-%00",
            "newer=1-x",
            "name=%00",
        ):
            assert nobody.get(f"/games?{odd}").status == 200, odd


def records_of(served: Served, tables: list[str]) -> bytes:
    return b"".join(records.encode(served.service.tables.record(table)) for table in tables)


def test_records_are_downloaded_a_file_at_a_time(apart: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "MOST_RECORDS", 2)
    with apart as served, served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as nobody:
        ids = served.person_id(anna), served.person_id(bernd)
        play_hidden(served, *ids)
        for _ in range(3):
            play_game(served.service, *ids)
        tables = found_on(nobody.get("/games").html)
        assert len(tables) == 3
        for first in (address_of(nobody.get("/games").html, "records"), "/api/games/finished/records"):
            answer = nobody.client.get(first)
            assert answer.headers["content-type"] == "application/jsonl"
            assert answer.content == records_of(served, tables[:2])
            rest = nobody.client.get(answer.links["next"]["url"])
            assert rest.content == records_of(served, tables[2:])
            assert not rest.links
        nothing = nobody.client.get("/games/records.jsonl?game=dutchman")
        assert (nothing.status_code, nothing.content) == (200, b"")


def test_a_download_has_the_games_of_the_page_and_older_ones(apart: Served) -> None:
    with apart as served, served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        ids = served.person_id(anna), served.person_id(bernd)
        for _ in range(27):
            play_game(served.service, *ids)
        second = anna.get(address_of(anna.get("/games?game=shanghaien").html, "page-older"))
        tables = found_on(second.html)
        assert len(tables) == 2
        address = address_of(second.html, "records")
        assert anna.client.get(address).content == records_of(served, tables)
        back = anna.get(address_of(second.html, "page-newer"))
        both = records_of(served, [*found_on(back.html), *tables])
        assert anna.client.get(address_of(back.html, "records")).content == both


def test_downloads_are_limited(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = {**GENEROUS, "records": Limit(1, 0.01, shared=1)}
    with Served(tmp_path_factory.mktemp("limited"), limits=limits) as served, served.guest() as nobody:
        assert nobody.client.get("/games/records.jsonl").status_code == 200
        assert nobody.client.get("/games/records.jsonl").status_code == 429
        answer = nobody.client.get("/api/games/finished/records")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert nobody.get("/games").status == 200


def test_programs_find_the_same_games(apart: Served) -> None:
    with apart as served, served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as nobody:
        ids = served.person_id(anna), served.person_id(bernd)
        for _ in range(26):
            play_game(served.service, *ids)
        page = nobody.client.get("/api/games/finished?game=shanghaien&players=2").json()
        tables = [game["table"]["id"] for game in page["games"]]
        assert tables == found_on(nobody.get("/games").html)
        assert {game["rated"] for game in page["games"]} == {None}
        assert page["newer"] == ""
        second = nobody.client.get("/api/games/finished", params={"older": page["older"]}).json()
        assert len(second["games"]) == 1
        assert second["older"] == ""
        back = nobody.client.get("/api/games/finished", params={"newer": second["newer"]}).json()
        assert [game["table"]["id"] for game in back["games"]] == tables
        assert nobody.client.get("/api/games/finished?name=anna").json()["games"] == []
        scopes: tuple[Scope, ...] = ("read",)
        token = served.service.people.api_token(ids[0], "reader", scopes)
        own = nobody.client.get("/api/games/finished?name=bernd", headers={"authorization": f"Bearer {token}"})
        assert len(own.json()["games"]) == 25
        assert nobody.client.get("/api/games/finished?game=chess").status_code == 404
        assert nobody.client.get("/api/games/finished?name=%00").status_code == 200
        assert len(nobody.client.get("/api/games/finished?end=early&max_steps=50").json()["games"]) == 25
        assert nobody.client.get("/api/games/finished?end=rules").json()["games"] == []
        lost = "/api/games/finished?name=bernd&result=not-won"
        assert len(nobody.client.get(lost, headers={"authorization": f"Bearer {token}"}).json()["games"]) == 25
        for wrong in (
            "end=x",
            "result=won",
            "min_steps=-1",
            "max_steps=1000000",
            "rated=perhaps",
            "players=-1",
            "since=yesterday",
            "older=x",
        ):
            assert nobody.client.get(f"/api/games/finished?{wrong}").status_code == 400, wrong
        assert nobody.client.get("/api/games/finished?person=nobody").status_code == 404


def show(served: Served, guest: Guest, *parts: str) -> str:
    """Choose what a person shows on a public page; return the page's address."""
    fields = guest.get("/you").button("profile-go").form.fields
    chosen = {name: value for name, value in fields.items() if name not in ("listed", "public", "part")}
    assert guest.post("/you/profile", {**chosen, "public": "yes", "part": " ".join(parts)}).status == 200
    profile = served.service.ratings.profile(served.person_id(guest))
    assert profile
    return f"/people/{profile.handle}"


def test_a_person_chooses_whether_their_page_leads_to_their_games(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Zoe") as zoe:
        game = play_game(served.service, served.person_id(anna), served.person_id(bernd))
        hidden = play_hidden(served, served.person_id(anna), served.person_id(bernd))
        path = show(served, anna, "results")
        handle = path.rpartition("/")[2]
        assert not zoe.get(path).has("shown-games")
        assert zoe.get(f"/games?person={handle}").status == 404
        assert found_on(anna.get(f"/games?person={handle}").html) == [game], "they are her own"
        assert show(served, anna, "results", "games") == path
        page = zoe.get(path)
        assert f'href="/tables/{game}/replay"' in page.html
        assert hidden not in page.html
        archive = zoe.get(address_of(page.html, "archive"))
        assert "Finished games of Anna" in archive.text("main")
        assert found_on(archive.html) == [game]
        assert found_on(zoe.get(f"/games?person={handle}&game=dutchman").html) == []
        assert f'<a href="{path}">Anna</a>' in archive.html
        assert "Bernd" in archive.text("main")
        served.service.operating.suspend(served.person_id(anna))
        assert zoe.get(f"/games?person={handle}").status == 404


def test_whoever_is_blocked_finds_no_games_of_a_person(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Mallory") as mallory:
        play_game(served.service, served.person_id(anna), served.person_id(mallory))
        path = show(served, anna, "games")
        assert mallory.get(path).status == 200
        table = found_on(anna.get("/games?name=anna").html)[0]
        page = anna.get(f"/tables/{table}/people")
        anna.press(page.button("block-1"))
        assert mallory.get(path).status == 404
        assert mallory.get(path.replace("/people/", "/games?person=")).status == 404
        assert "Anna" not in mallory.get("/people?name=anna").text("people-found")


def test_two_people_see_how_they_fared_with_each_other(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Zoe") as zoe:
        ids = served.person_id(anna), served.person_id(bernd)
        for _ in range(3):
            play_game(served.service, *ids)
        play_hidden(served, ids[1], ids[0])
        path = show(served, anna, "companions")
        assert "Shanghaien: 4 games. You won 1, Anna won 3." in bernd.get(path).text("main")
        for other in (zoe, anna):
            assert not other.get(path).has("meetings")
        scopes: tuple[Scope, ...] = ("read",)
        token = served.service.people.api_token(ids[1], "reader", scopes)
        page = bernd.client.get(f"/api{path}", headers={"authorization": f"Bearer {token}"}).json()
        assert page["meetings"] == [{"game": "shanghaien", "games": 4, "won": 3, "reader_won": 1}]
        assert bernd.client.get(f"/api{path}").json()["meetings"] == []


def test_people_are_found_by_name_if_they_have_a_public_page(served: Served) -> None:
    with served.guest("Ottilie Öhm") as ottilie, served.guest("Ottilie Hidden") as _, served.guest() as nobody:
        path = show(served, ottilie)
        for name in ("ottilie", "öhm", "ÖHM", "tili"):
            page = nobody.get(f"/people?name={name}")
            assert f'<a href="{path}">Ottilie Öhm</a>' in page.html, name
            assert "Hidden" not in page.html
        assert "Nobody of this name" in nobody.get("/people?name=%25").html, "signs of SQL are letters"
        assert not nobody.get("/people").has("people-found")
        served.service.operating.suspend(served.person_id(ottilie))
        assert path not in nobody.get("/people?name=ottilie").html


def test_in_all_languages(served: Served, anna: Guest, bernd: Guest) -> None:
    play_game(served.service, served.person_id(anna), served.person_id(bernd))
    expected = {
        "de": "Beendete Partien",
        "fr": "Parties terminées",
        "it": "Partite finite",
        "ja": "終わったゲーム",
    }
    for language, words in expected.items():
        answer = anna.client.get("/games", headers={"accept-language": language})
        assert f"<h1>{words}</h1>" in answer.text
