"""Pages of clubs, without scripts: founded, joined by the link, run, left, reported."""

from __future__ import annotations

import re

import httpx

from web.conftest import Served
from web.guests import Guest, Page
from web.test_following import page_of

CLUB = re.compile(r"/clubs/[a-z0-9]{20}")


def found_club(guest: Guest, **fields: str) -> Page:
    """Return the page of a club that a guest has founded."""
    page = guest.press(
        guest.get("/clubs").button("found-go"), **{"name": "Hafenrunde", "about": "Dienstags"} | fields
    )
    assert CLUB.fullmatch(page.path), page.text("main")
    return page


def link_on(page: Page) -> str:
    """Return the path of the invitation link on the founder's page."""
    return httpx.URL(page.html.split('id="club-link" readonly value="')[1].split('"')[0]).path


def join(guest: Guest, link: str) -> Page:
    return guest.press(guest.get(link).button("join-go"))


def test_a_club_is_found_among_the_people_founded_and_joined_by_its_link(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        assert 'href="/clubs"' in anna.get("/people").html
        assert "You are in no club yet." in anna.get("/clubs").text("main")
        club = found_club(anna)
        assert "Dienstags" in club.text("main")
        link = link_on(club)
        assert "Anna runs it." in bernd.get(link).text("main")
        joined = join(bernd, link)
        assert joined.path == club.path
        assert joined.text("members") == "2 members"
        assert not joined.has("club-link")
        assert bernd.get(link).path == club.path, "members are led to the club"
        listed = bernd.get("/clubs")
        assert listed.text(f"club-{club.path.rpartition('/')[2]}") == "Hafenrunde"


def test_a_stranger_names_themselves_at_the_link_and_then_joins(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger:
        link = link_on(found_club(anna))
        page = stranger.press(stranger.get(link).button("name-go"), name="Carla")
        assert page.path == link
        assert join(stranger, link).text("members") == "2 members"


def test_without_a_name_nobody_founds_or_joins(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger:
        link = link_on(found_club(anna))
        assert stranger.get("/clubs").has("name-go")
        token = stranger.get(link).forms[0].fields["token"]
        for path in ("/clubs", link):
            assert stranger.post(path, {"token": token, "name": "Club"}).status == 403


def test_the_founder_changes_the_club_and_others_then_see_it(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        club = found_club(anna)
        hidden = bernd.get(club.path)
        assert (hidden.status, "only its members can see it" in hidden.text("main")) == (404, True)
        page = anna.press(club.button("about-go"), name="Alsterrunde", about="", visible="yes")
        assert "Alsterrunde" in page.text("main")
        seen = bernd.get(club.path)
        assert (seen.status, "Anna" in seen.text("main")) == (200, False)
        assert "1 member does not show their name to everyone." in seen.text("main")
        page_of(served, anna)
        assert "Anna" in bernd.get(club.path).text("main")


def test_what_was_written_stays_when_it_is_refused(served: Served) -> None:
    with served.guest("Anna") as anna:
        page = anna.press(anna.get("/clubs").button("found-go"), name="Club", about="x" * 201)
        assert page.status == 422
        assert "at most 200 characters" in page.text("refused")
        assert page.button("found-go").form.fields["name"] == "Club"
        club = found_club(anna)
        page = anna.press(club.button("about-go"), name="<b>", about="x" * 201)
        assert page.button("about-go").form.fields["name"] == "<b>"
        assert "<h1>Hafenrunde</h1>" in page.html


def test_the_founder_removes_a_member_renews_the_link_and_hands_over(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Carla") as carla:
        club = found_club(anna)
        link = link_on(club)
        for guest in (bernd, carla):
            join(guest, link)
        page = anna.get(club.path)
        handles = dict(re.findall(r'<option value="(\w{20})">(\w+)</option>', page.html))
        bernds, carlas = (next(key for key, name in handles.items() if name == one) for one in ("Bernd", "Carla"))
        page = anna.press(page.button("remove-go"), member=bernds)
        assert bernd.get(club.path).status == 404
        assert link_on(page) != link
        assert (bernd.get(link).status, "no longer valid" in bernd.get(link).text("main")) == (403, True)
        renewed = anna.press(page.button("renew-go"))
        assert link_on(renewed) != link_on(page)
        page = anna.press(renewed.button("founder-go"), member=carlas)
        assert not page.has("run")
        assert carla.get(club.path).has("run")
        assert anna.press(page.button("leave-go")).path == "/clubs"
        closed = carla.press(carla.get(club.path).button("close-go"))
        assert closed.path == "/clubs"
        assert carla.get(club.path).status == 404


def test_a_member_opens_a_tournament_for_members_from_the_page_of_the_club(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Carla") as carla:
        club = found_club(anna)
        join(bernd, link_on(club))
        address = bernd.get(club.path).html.split('id="new-shanghaien" class="button" href="')[1].split('"')[0]
        form = bernd.get(address).button("open-it")
        assert form.form.fields["club"] == club.path.rpartition("/")[2]
        cup = bernd.press(form, name="Ligapokal", members="yes")
        assert "For members of the club only." in cup.text("main")
        assert cup.text("club-there") == "Hafenrunde"
        assert "Ligapokal" in anna.get(club.path).text("main")
        assert anna.get(cup.path).has("join-go")
        stranger = carla.get(cup.path)
        assert stranger.text("members-only").startswith("Only members of the club")
        assert not stranger.has("join-go")
        assert "Hafenrunde" not in stranger.html
        assert "Ligapokal" not in carla.get("/tournaments").text("main")
        assert not carla.get("/tournaments/new/shanghaien").has("club")


def test_a_club_is_reported_to_the_operator(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        club = found_club(anna)
        join(bernd, link_on(club))
        assert not club.has("report")
        page = bernd.press(bernd.get(club.path).button("report-go"), text="unhöflich")
        assert "Whoever runs this server will read it." in page.text("main")
        (report,) = [report for report in served.service.operating.reports() if report.club]
        assert (report.club, report.reason) == (club.path.rpartition("/")[2], "unhöflich")
        refused = bernd.press(bernd.get(club.path).button("report-go"), text="x" * 501)
        assert (refused.status, refused.button("report-go").form.fields["text"]) == (422, "x" * 501)


def test_no_page_of_a_club_holds_the_id_of_a_person(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        club = found_club(anna, visible="yes")
        link = link_on(club)
        invited = bernd.get(link)
        join(bernd, link)
        pages = (anna.get(club.path), bernd.get(club.path), invited, anna.get("/clubs"))
        for person in (served.person_id(anna), served.person_id(bernd)):
            assert all(person not in page.html for page in pages)
