"""Pages of following and challenges, without scripts: from a person's page to a game, and from a game to another."""

from guests import ME, OPEN, play_out, shanghaien
from kontor.server.composition import KontorServer
from tournaments.test_tournaments import of_pairs
from web.conftest import Served
from web.guests import Guest, Page, open_shanghaien, seat_friend


def page_of(served: Served, guest: Guest) -> str:
    """Let a guest show their page; return its address."""
    handle = served.service.ratings.show(served.person_id(guest), listed=False, public=True).handle
    return f"/people/{handle}"


def only_challenge(service: KontorServer, person: str) -> str:
    (challenge,) = service.challenges.open_to(person)
    return challenge.id


def challenge(served: Served, guest: Guest, other: Guest, **fields: str) -> Page:
    """Return the page of the table that a guest has opened to challenge another."""
    form = guest.get(page_of(served, other).replace("/people/", "/challenges/to/"))
    page = guest.press(form.button("challenge-go"), **fields)
    assert (page.status, page.path[:8]) == (200, "/tables/"), page.text("main")
    return page


def test_a_person_is_followed_from_their_page_and_listed_with_what_they_do(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        bernds = page_of(served, bernd)
        assert "You follow nobody yet." in anna.get("/people/following").text("main")
        page = anna.press(anna.get(bernds).button("follow"))
        assert (page.path, page.text("follow")) == (bernds, "Unfollow")
        assert "Nothing to see just now." in anna.get("/people/following").text("main")
        assert "Anna" not in bernd.get("/people/me").text("main"), "the followed person is not told"
        table = open_shanghaien(bernd, **{"chair-2": "open"})
        listed = anna.get("/people/following")
        assert "Waits at a table with a free seat: Shanghaien" in listed.text("main")
        assert f'href="{table}"' in listed.html
        handle = bernds.rpartition("/")[2]
        served.service.ratings.show(served.person_id(bernd), listed=False, public=False)
        listed = anna.get("/people/following")
        assert "Someone who no longer shows a page" in listed.text("main")
        assert "Bernd" not in listed.html
        page = anna.press(listed.button(f"unfollow-{handle}"))
        assert page.path == "/people/following"
        assert "You follow nobody yet." in page.text("main")


def test_nobody_follows_without_a_name_or_themselves_and_a_hidden_page_is_no_page(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        bernds = page_of(served, bernd)
        assert not stranger.get(bernds).has("follow")
        assert stranger.get("/people/following").status == 403
        assert not bernd.get(bernds).has("follow")
        button = anna.get(bernds).button("follow")
        served.service.ratings.show(served.person_id(bernd), listed=False, public=False)
        refused = anna.press(button)
        assert refused.status == 403
        assert "people who have a page that you can see" in refused.text("refused")
        assert anna.get(bernds.replace("/people/", "/challenges/to/")).status == 404


def test_a_challenge_is_first_on_the_first_page_and_accepting_it_begins_the_game(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        table = challenge(served, anna, bernd, pace="none")
        assert "kept for Bernd" in table.text("chair-2")
        page = bernd.get("/")
        challenge_id = only_challenge(served.service, served.person_id(bernd))
        assert page.text(f"challenge-{challenge_id}") == "Anna challenges you: Shanghaien"
        assert not page.has(f"mine-{table.path.rpartition('/')[2]}"), "it is listed once"
        token = anna.get("/").forms[0].fields["token"]
        assert anna.post(f"/challenges/{challenge_id}/accept", {"token": token}).status == 409
        begun = bernd.press(page.button(f"accept-{challenge_id}"))
        assert begun.path == table.path
        assert served.service.tables.info(table.path.rpartition("/")[2]).status == "playing"
        assert not bernd.get("/").has("challenges")
        again = bernd.press(page.button(f"accept-{challenge_id}"))
        assert (again.status, "no longer open" in again.text("main")) == (409, True)


def test_a_declined_challenge_is_told_on_the_first_page_until_it_is_read(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        table = challenge(served, anna, bernd)
        challenge_id = only_challenge(served.service, served.person_id(bernd))
        bernd.press(bernd.get("/").button(f"decline-{challenge_id}"))
        assert anna.get(table.path).status == 404
        page = anna.get("/")
        assert "Bernd has declined your challenge: Shanghaien" in page.text("main")
        page = anna.press(page.button(f"dismiss-{challenge_id}"))
        assert "declined" not in page.text("main")


def test_other_terms_begin_with_those_of_the_challenge(served: Served, anna: Guest, bernd: Guest) -> None:
    fields = {
        "pace": "slow",
        "hours": "30",
        "watch": "no",
        "first_trick": "both",
        "starter": "1",
        "dice": "strict",
    }
    challenge(served, anna, bernd, **fields)
    challenge_id = only_challenge(served.service, served.person_id(bernd))
    form = bernd.get(f"/challenges/{challenge_id}/counter").button("challenge-go")
    assert {name: form.form.fields[name] for name in fields} == fields
    page = bernd.press(form, pace="none")
    assert page.path.startswith("/tables/")
    first = anna.get("/")
    countered = only_challenge(served.service, served.person_id(anna))
    assert first.text(f"challenge-{countered}") == "Bernd proposes other terms: Shanghaien"
    begun = anna.press(first.button(f"accept-{countered}"))
    assert begun.path == page.path


def test_a_refused_form_keeps_what_was_chosen(served: Served, anna: Guest, bernd: Guest) -> None:
    challenge(served, anna, bernd)
    form = anna.get(page_of(served, bernd).replace("/people/", "/challenges/to/")).button("challenge-go")
    refused = anna.press(form, pace="slow", hours="30")
    assert (refused.status, "already challenged Bernd" in refused.text("refused")) == (429, True)
    assert refused.button("challenge-go").form.fields["hours"] == "30"


def test_those_with_whom_one_has_played_are_at_hand_and_a_finished_game_is_played_again(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        table = seat_friend(anna, bernd, starter="1", first_trick="both").rpartition("/")[2]
        play_out(served.service, table)
        companion = anna.get("/open/dutchman")
        assert companion.text("companion-1") == "Challenge Bernd"
        assert f'href="/challenges/to/{table}/1?game=dutchman"' in companion.html
        rematch = f"/challenges/to/{table}/1?again=yes"
        for path in ("/people/me", "/games"):
            assert f'id="rematch-{table}" href="{rematch}"' in anna.get(path).html
        form = anna.get(rematch).button("challenge-go")
        assert (form.form.fields["starter"], form.form.fields["first_trick"]) == ("1", "both")
        page = anna.press(form)
        assert page.path.startswith("/tables/")
        assert only_challenge(served.service, served.person_id(bernd))
        with served.guest("Carla") as carla:
            assert carla.get(rematch).status == 404
            assert not carla.get("/games").has(f"rematch-{table}")


def test_a_game_against_the_computer_is_played_again_from_the_list(served: Served, anna: Guest) -> None:
    table = open_shanghaien(anna, **{"chair-2": "machine-casual"}).rpartition("/")[2]
    served.service.early_endings.resign(table, 0, served.person_id(anna))
    page = anna.press(anna.get("/people/me").button(f"rematch-{table}"))
    assert page.path.startswith("/tables/")
    assert page.path != f"/tables/{table}"


def test_a_blocked_person_sees_no_challenge_form_and_no_way_to_follow(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        table = served.service.opening.open(served.person_id(bernd), shanghaien(ME, OPEN))
        served.service.opening.sit(table, 1, served.person_id(anna))
        bernds = page_of(served, bernd)
        served.service.blocking.put(table, served.person_id(bernd), "seat-1", "block")
        for path in (bernds, bernds.replace("/people/", "/challenges/to/")):
            assert anna.get(path).status == 404


def test_names_in_the_chat_and_above_the_log_lead_to_pages(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        table = seat_friend(anna, bernd)
        for guest in (anna, bernd):
            guest.press(guest.get(table).button("say-go"), text="Ahoi")
        annas = page_of(served, anna)
        for guest in (anna, bernd, stranger):
            assert guest.get(table).html.count(f'href="{annas}">Anna</a></b>') == 1
            page = guest.get(f"{table}/log")
            assert f'<a id="person-1" href="{annas}">Anna</a>' in page.html
            assert not page.has("person-2"), "Bernd shows no page"


def test_names_at_the_tables_of_a_tournament_lead_to_pages(served: Served, anna: Guest, bernd: Guest) -> None:
    service, annas = served.service, page_of(served, anna)
    cup = service.tournaments.open(served.person_id(anna), of_pairs())
    for guest in (anna, bernd):
        service.tournaments.join(cup, served.person_id(guest))
    service.tournaments.start(cup, served.person_id(anna))
    boards = bernd.get(f"/tournaments/{cup}").html.partition('id="boards"')[2]
    assert boards.count(f'<a href="{annas}">Anna</a>') == 1
