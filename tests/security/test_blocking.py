"""People who are muted or blocked: they cannot evade it, and are not told of it."""

import httpx

from web.conftest import Served
from web.guests import Guest, Page, open_shanghaien, seat_friend


def people_page(guest: Guest, table: str) -> Page:
    return guest.get(f"{table}/people")


def test_what_a_muted_person_says_is_on_no_page_and_in_no_stream_of_the_one_who_muted(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        table = seat_friend(anna, bernd)
        bernd.press(bernd.get(table).button("say-go"), text="Erstens")
        assert "Erstens" in anna.get(table).html
        link = anna.get(table)
        assert link.has("others")
        page = anna.press(people_page(anna, table).button("mute-1"))
        assert "You have muted Bernd." in page.text("main")
        person = served.person_id(anna)
        program = {"authorization": f"Bearer {served.service.people.api_token(person)}"}
        heard = []
        with anna.client.stream("GET", f"{table}/live") as streaming:
            lines = streaming.iter_lines()
            for line in lines:
                heard.append(line)
                if line.startswith("data"):
                    break
            bernd.press(bernd.get(table).button("say-go"), text="Zweitens")
            anna.press(anna.get(table).button("say-go"), text="Drittens")
            for line in lines:
                heard.append(line)
                if "Drittens" in line:
                    break
        received = "\n".join(
            (*heard, anna.get(table).html, anna.client.get(f"/api{table}/chat", headers=program).text)
        )
        assert "Drittens" in received
        assert "Erstens" not in received
        assert "Zweitens" not in received
        seen = bernd.get(table).html
        assert all(text in seen for text in ("Erstens", "Zweitens", "Drittens"))
        assert bernd.get("/you").has("blocked") is False
        assert anna.get("/you").has("blocked")
        assert "You have muted" not in people_page(bernd, table).html


def test_a_blocked_person_is_told_what_everybody_is_told(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Carla") as carla:
        anna.press(people_page(anna, seat_friend(anna, bernd)).button("block-1"))
        reserved = open_shanghaien(anna)
        free = open_shanghaien(anna, chair__2="open")
        link = (
            anna.press(anna.get(reserved).button("invite-2"))
            .html.split('id="link-2" readonly value="')[1]
            .split('"')[0]
        )
        refused = bernd.press(bernd.get(httpx.URL(link).path).button("sit"))
        assert refused.status == 403
        assert "This seat is kept for someone who was invited." in refused.text("refused")
        refused = bernd.press(bernd.get(free).button("sit-2"))
        assert refused.status == 403
        assert "block" not in refused.text("refused")
        person = served.person_id(bernd)
        program = {"authorization": f"Bearer {served.service.people.api_token(person)}"}
        assert bernd.client.post(f"/api{free}/seats/1", json={}, headers=program).status_code == 403
        assert served.service.opening.seats_of(free.split("/")[-1], person) == ()
        assert carla.press(carla.get(free).button("sit-2")).status == 200


def test_nobody_does_anything_about_others_for_somebody_else(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Dora") as stranger:
        table = seat_friend(anna, bernd)
        form = people_page(anna, table).button("block-1").form
        fields = {**form.fields, "do": "block"}
        for guest, sent, site, status in (
            (anna, {"who": "seat-1", "do": "block"}, "same-origin", 403),
            (anna, fields, "cross-site", 403),
            (stranger, {**fields, "token": stranger.get("/").forms[0].fields["token"]}, "same-origin", 403),
        ):
            answer = guest.client.post(form.action, data=sent, headers={"sec-fetch-site": site})
            assert answer.status_code == status
        assert people_page(stranger, table).status == 403
        assert "You have blocked" not in people_page(anna, table).html
        anna.press(people_page(anna, table).button("block-1"))
        person = served.person_id(anna)
        (blocked,) = served.service.blocking.blocked_people(person)
        token = bernd.get("/you").forms[0].fields["token"]
        bernd.client.post(
            "/you/blocked", data={"token": token, "other": blocked.handle}, headers={"sec-fetch-site": "same-origin"}
        )
        assert served.service.blocking.blocked_people(person) == (blocked,)
        anna.press(anna.get("/you").button(f"lift-{blocked.handle}"))
        assert served.service.blocking.blocked_people(person) == ()


def test_a_report_reaches_the_operator_and_nobody_else(served: Served, anna: Guest, bernd: Guest) -> None:
    table = seat_friend(anna, bernd)
    bernd.press(bernd.get(table).button("say-go"), text="<b>Frechheit</b>")
    page = people_page(anna, table)
    line = page.html.split('<option value="')[2].split('"')[0]
    done = anna.press(page.button("report-1"), line=line, text="So nicht.")
    assert "will read it" in done.text("main")
    (report,) = served.service.operating.reports()
    assert (report.name, report.line, report.reason) == ("Bernd", "<b>Frechheit</b>", "So nicht.")
    assert anna.press(people_page(anna, table).button("report-1"), text=" ").status == 422
    for guest in (anna, bernd):
        for path in (table, f"{table}/people", "/you"):
            assert "So nicht." not in guest.get(path).html
