"""Games by forms, without scripts: what is refused, and what comes too late."""

import re
from random import Random
from typing import Final

import pytest

from kontor.records import decode, verify
from kontor.tables.values import TableInfo
from timeouts import waited_for
from web.conftest import Served
from web.guests import Button, Guest, Page, open_shanghaien, seat_friend


def turn(page: Page) -> bool:
    """Return True if the reader of the page is to move."""
    return 'data-turn="mine"' in page.html


def played_to(served: Served, path: str, last: int, random: Random) -> None:
    """Play for the people at a table until this round begins or the game is over."""
    service, table = served.service, path.removeprefix("/tables/")

    def info_when_people_move() -> TableInfo | None:
        info = service.tables.info(table)
        return info if info.mover is None or not info.seats[info.mover].player else None

    while not (info := waited_for(info_when_people_move)).result:
        if info.mover is None or service.tables.view(table).look(None).view.round >= last:
            return
        look = service.tables.view(table).look(info.mover)
        service.moves.play(table, info.mover, look.number, random.choice(look.moves))


OVER: Final = 9
"""Round that never begins, because there are eight."""


def play_on(guests: list[Guest], path: str, random: Random, most: int = 2000) -> Page:
    """Press random buttons of the mover until the game is over; return the last page."""

    def next_page() -> tuple[Guest, Page] | None:
        pages = ((guest, guest.get(path)) for guest in guests)
        return next((each for each in pages if turn(each[1]) or each[1].has("ending")), None)

    mover = guests[0]
    page = mover.get(path)
    for _ in range(most):
        if page.has("ending"):
            return page
        if turn(page):
            page = mover.press(random.choice(page.moves))
            assert page.status == 200, page.text("refused")
        else:
            mover, page = waited_for(next_page)
    raise AssertionError("the game does not end")


@pytest.mark.long
def test_a_whole_game_of_shanghaien_by_forms(anna: Guest, stranger: Guest) -> None:
    path = seat_friend(anna, stranger)
    page = play_on([anna, stranger], path, Random(3))
    assert re.search(r"win by|wins by|A draw", page.text("now"))

    record = decode(anna.client.get(f"{path}/record.jsonl").content)
    checked = verify(record)
    assert checked.dice
    assert checked.result
    assert record.header.seats == ("Anna", "Bernd")
    fair = stranger.get(f"{path}/fair?verify=1")
    assert "The promise was kept." in fair.text("verified")
    assert record.ending
    assert record.ending.seed in fair.html

    log = anna.get(f"{path}/log")
    assert "Round 8" in log.html
    assert "calls “Shanghai!”: the round is over." in log.html
    then = anna.get(f"{path}/replay?at=20")
    assert "replay" in then.html
    assert not then.moves
    other = anna.get(f"{path}/replay?at=20&as=1")
    assert other.status == 200
    assert other.html != then.html

    again = anna.press(anna.get(path).button("rematch"))
    assert again.path != path
    assert again.path.startswith("/tables/")
    seated_page = stranger.press(stranger.get(again.path).button("sit-2"))
    assert seated_page.path == again.path
    assert seated_page.has("board")


def test_against_a_machine_player_the_game_begins_at_once(served: Served, anna: Guest) -> None:
    path = open_shanghaien(anna, chair__2="machine-random", name__2="Robota")
    assert anna.get(path).has("board")
    played_to(served, path, 8, Random(5))
    assert play_on([anna], path, Random(5)).has("ending")


def test_a_refusal_shows_the_rule_and_its_sentence_beside_the_board(anna: Guest, stranger: Guest) -> None:
    path = seat_friend(anna, stranger, starter="0")
    page = anna.get(path)
    roll = page.moves[0]
    refused = anna.press(Button(roll.form, "", "move", "shanghai"))
    assert refused.status == 422
    assert "You can call “Shanghai!” only after placing at least two of your own dice. Why? Rule S4" in refused.text(
        "refused"
    )
    assert 'href="/rules/shanghaien#S4"' in refused.html
    assert refused.moves, "the table is still there, and one can go on"
    assert 'id="S4"' in anna.get("/rules/shanghaien").html

    nonsense = anna.press(Button(roll.form, "", "move", "jump:over:board"))
    assert nonsense.status in (400, 422)
    assert nonsense.has("refused")
    bernds_page = stranger.get(path)
    assert not bernds_page.moves
    early = stranger.post(
        f"{path}/moves", {"move": "roll", "number": roll.form.fields["number"], "token": token(bernds_page)}
    )
    assert early.status == 409
    assert "It is not your turn." in early.text("refused")


def token(page: Page) -> str:
    return next(form.fields["token"] for form in page.forms if "token" in form.fields)


def test_a_move_that_comes_too_late_is_answered_with_the_table_as_it_stands(anna: Guest, stranger: Guest) -> None:
    path = seat_friend(anna, stranger, starter="0")
    old = anna.get(path)
    rolled = anna.press(old.moves[0])
    late = anna.press(old.moves[0])
    assert late.status == 409
    assert "Something has changed at the table" in late.text("refused")
    assert late.text("now") == rolled.text("now")
    assert [button.value for button in late.moves] == [button.value for button in rolled.moves]


def test_a_seat_is_shown_by_get_and_claimed_by_post_with_a_fresh_session(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Carla") as carla:
        path = open_shanghaien(anna)
        page = anna.press(anna.get(path).button("invite-2"))
        link = page.html.split('id="link-2" readonly value="')[1].split('"')[0].removeprefix(served.address)
        for _ in range(3):
            assert "A seat is kept for you." in bernd.get(link).html
        assert not anna.get(path).has("board"), "nobody sits there yet"
        before = bernd.client.cookies["kontor"]
        open_still = carla.get(link)
        sat = bernd.press(bernd.get(link).button("sit"))
        assert sat.path == path
        assert sat.has("board")
        assert bernd.client.cookies["kontor"] != before
        with served.guest(headers={"cookie": f"kontor={before}"}) as thief:
            assert thief.get("/you").status == 403, "the old session is gone"
        late = carla.press(open_still.button("sit"))
        assert late.status == 409
        assert "This seat is taken." in late.text("refused")


def test_two_people_at_one_device(served: Served, anna: Guest) -> None:
    path = open_shanghaien(anna, chair__2="here", name__2="Bernd", starter="0")
    played_to(served, path, 8, Random(8))
    assert play_on([anna], path, Random(8)).has("ending")


def test_a_curtain_falls_between_two_people_at_one_device(anna: Guest) -> None:
    form = anna.get("/open/dutchman").button("open-it")
    chairs = {"chair__2": "here", "name__2": "Bernd", "chair__3": "here", "name__3": "Carla", "chair__4": "none"}
    page = anna.press(form, starter="0", **chairs)
    for name in ("Anna", "Bernd", "Carla"):
        assert f"Hand the device to {name}." in page.text("curtain")
        assert not page.has("board"), "nothing is shown before the curtain is lifted"
        assert f"Hand the device to {name}." in anna.get(page.path).text("curtain")
        assert not anna.get(f"{page.path}/replay").has("board")
        page = anna.press(page.button("lift"))
        assert page.has("board")
        page = anna.press(next(button for button in page.moves if button.value == "smith"))
        assert page.status == 200, page.text("refused")


def test_spectators_see_the_game_and_cannot_touch_it(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as bernd, served.guest("Carla") as carla:
        path = seat_friend(anna, bernd, starter="0")
        page = carla.get(path)
        assert page.has("board")
        assert not page.moves
        assert not page.has("say-it")
        touched = carla.post(f"{path}/moves", {"move": "roll", "number": "3", "token": token(page)})
        assert touched.status == 403
        assert "You have no seat at this table." in touched.text("refused")
        assert carla.post(f"{path}/chat", {"text": "Hello", "token": token(page)}).status == 403
    with served.guest("Anna") as anna, served.guest() as bernd, served.guest("Carla") as carla:
        path = seat_friend(anna, bernd, watch="no")
        page = carla.get(path)
        assert not page.has("board")
        assert "for its players only" in page.html
        for place in ("log", "replay", "fair", "record.jsonl"):
            assert carla.get(f"{path}/{place}").status == 403


def test_what_is_said_is_escaped_and_can_be_muted(served: Served) -> None:
    with served.guest("Anna <i>") as anna, served.guest() as bernd:
        path = seat_friend(anna, bernd)
        message = "<script>alert(1)</script> & “hello”"
        anna.press(anna.get(path).button("say-go"), text=message)
        heard = bernd.get(path)
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; “hello”" in heard.html
        assert "<script>alert" not in heard.html
        assert "Anna <i>" not in heard.html
        muted = bernd.press(heard.button("mute"))
        assert "alert(1)" not in muted.html
        assert "alert(1)" in bernd.press(muted.button("mute")).html
        empty = anna.press(anna.get(path).button("say-go"), text="  ")
        assert empty.status == 422
        assert empty.has("refused")


def test_the_lobby_lists_what_there_is(served: Served) -> None:
    with served.guest("Olga") as olga, served.guest("Pia") as pia:
        path = open_shanghaien(olga, chair__2="open")
        assert f'id="open-{path.removeprefix("/tables/")}"' in pia.get("/").html
        page = pia.press(pia.get(path).button("sit-2"))
        assert page.has("board")
        mover = olga if turn(olga.get(path)) else pia
        assert "(1) Your turn" in mover.get("/").html
        assert " to move" in (pia if mover is olga else olga).get("/").html
        path = open_shanghaien(olga, chair__2="open")
        left_page = olga.press(olga.get(path).button("leave"))
        assert left_page.path == "/"
        assert pia.get(path).status == 404


def test_the_host_can_let_a_machine_player_take_an_empty_chair(anna: Guest) -> None:
    path = open_shanghaien(anna)
    assert anna.press(anna.get(path).button("fill-2")).has("board")


def test_the_same_person_on_another_device(served: Served, anna: Guest, stranger: Guest) -> None:
    path = open_shanghaien(anna)
    made = anna.press(anna.get("/you").button("device-go"))
    link = made.html.split('id="device-link" class="wide" readonly autofocus value="')[1].split('"')[0]
    link = link.removeprefix(served.address)
    assert stranger.get(link).status == 200
    stranger.press(stranger.get(link).button("arrive"))
    assert "Anna" in stranger.get("/").html
    assert f'id="mine-{path.removeprefix("/tables/")}"' in stranger.get("/").html
    with served.guest() as late:
        used = late.press(late.get(link).button("arrive"))
        assert used.status == 410
        assert "already used" in used.text("refused")
    anna.press(anna.get("/you").button("forget-here"))
    assert "Continue" in anna.get("/").html


def test_a_clock_of_ones_own(anna: Guest) -> None:
    live = anna.get(open_shanghaien(anna, pace="live", seconds="90", reserve="7"))
    assert "Live: 90 seconds per move, 7 minutes in reserve." in live.html
    minute = anna.get(open_shanghaien(anna, pace="live-60-600"))
    assert "Live: 1 minute per move, 10 minutes in reserve." in minute.html
    slow = anna.get(open_shanghaien(anna, pace="slow", hours="36"))
    assert "Turn-based: 36 hours per move." in slow.html
    days = anna.get(open_shanghaien(anna, pace="slow", hours="48"))
    assert "Turn-based: 2 days per move." in days.html
    hasty = anna.press(anna.get("/open/shanghaien").button("open-it"), pace="live", seconds="1")
    assert hasty.status == 422
    assert "At this pace a move can take 5 to 3600 seconds, not 1." in hasty.text("refused")
    assert 'name="seconds" type="number" min="5" max="3600" inputmode="numeric" value="1"' in hasty.html


def test_an_invitation_says_what_happens_and_where_somebody_sits_already(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as bernd, served.guest() as carla:
        path = open_shanghaien(anna)
        page = anna.press(anna.get(path).button("invite-2"))
        link = page.html.split('id="link-2" readonly value="')[1].split('"')[0].removeprefix(served.address)
        invitation = bernd.get(link)
        assert "Shanghaien with Anna." in invitation.html
        assert "The game begins as soon as you sit down." in invitation.html
        bernd.press(invitation.button("sit"), name="Bernd")
        assert "Go to your table" in bernd.get(link).html
        late = carla.get(link)
        assert "This seat is already taken." in late.html
        assert not [button for form in late.forms for button in form.buttons if button.id == "sit"]
        assert f'href="{path}"' in late.html, "who comes late may watch"
        beyond = link.replace(f"{path.removeprefix('/tables/')}/1/", f"{path.removeprefix('/tables/')}/9/")
        assert carla.get(beyond).status == 404


def test_the_lobby_says_who_won_and_who_waits(served: Served) -> None:
    with served.guest("Quirin") as quirin, served.guest() as rosa:
        path = seat_friend(quirin, rosa)
        played_to(served, path, OVER, Random(4))
        page = quirin.get(path)
        names = [page.text("sh-name-mine"), page.text("sh-name-theirs")]
        row = quirin.get("/").text(f"over-{path.removeprefix('/tables/')}")
        assert any(sentence in row for sentence in ("You won", "share the win", *[f"{name} won" for name in names]))
        waiting = open_shanghaien(quirin, chair__2="open")
        row = rosa.get("/").text(f"open-{waiting.removeprefix('/tables/')}")
        assert row == "Shanghaien Quirin Waiting for one more. No time limit. Spectators are allowed."


def test_the_end_and_its_replay_tell_how_the_game_went(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as bernd, served.guest() as carla:
        path = seat_friend(anna, bernd)
        assert not anna.get(path).has("sh-tale")
        played_to(served, path, OVER, Random(6))
        page = anna.get(path)
        for reader in (anna, bernd, carla):
            assert reader.get(path).has("sh-tale")
            assert reader.get(f"{path}/replay").text("sh-tale") == reader.get(path).text("sh-tale")
            assert not reader.get(f"{path}/replay?at=60").has("sh-tale")
        assert page.text("sh-outcome")
        assert page.text("sh-outcome") not in page.text("sh-tale")
