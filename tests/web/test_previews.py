"""Previews of links in chats and on other sites: a robot asks without a cookie, and its request changes nothing."""

import re
import struct
from html import unescape

import pytest

from kontor.web.adapter import web_adapters
from web.conftest import Served
from web.guests import Guest, open_shanghaien, seat_friend

IN_GERMAN = {"accept-language": "de"}
GAME = "Recruit a crew in a Shanghai tavern. Two captains, a tavern, and dice. About twenty minutes."


def preview(guest: Guest, path: str, **headers: str) -> dict[str, str]:
    """Return the properties of a page, as a robot reads them."""
    html = guest.client.get(path, headers=headers).text
    tags = re.findall(r'<meta (?:property|name)="(og:[a-z]+|twitter:card)" content="([^"]*)">', html)
    assert len(tags) == len(dict(tags)), "each is told once"
    return {name: unescape(value) for name, value in tags}


def link_of(guest: Guest, table: str, seat: int = 2) -> str:
    made = guest.press(guest.get(table).button(f"invite-{seat}")).html
    return made.split('readonly value="')[1].split('"')[0]


def test_the_lobby_says_what_there_is(served: Served) -> None:
    with served.guest() as robot:
        tags = preview(robot, "/")
        assert tags == {
            "og:type": "website",
            "og:title": "Kontor: good games with friends",
            "og:description": "Shanghaien and Der fliegende Holländer in the browser: "
            "with friends or computer players, live or turn-based.",
            "og:url": f"{served.address}/",
            "og:image": tags["og:image"],
            "twitter:card": "summary_large_image",
        }
        assert preview(robot, "/", **IN_GERMAN)["og:title"] == "Kontor: gute Spiele unter Freunden"
        assert preview(robot, "/rules") == {}


def test_an_invitation_says_which_game_and_is_still_there_after_robots_have_looked(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger, served.guest("Bernd") as bernd:
        table = open_shanghaien(anna)
        link = link_of(anna, table)
        tags = preview(stranger, link)
        assert tags["og:title"] == "A seat for you – Shanghaien"
        assert tags["og:description"] == f"A seat is kept for you. {GAME}"
        assert tags["og:url"] == link
        assert "Shanghaien" in preview(stranger, link, **IN_GERMAN)["og:title"]
        assert "reserviert" in preview(stranger, link, **IN_GERMAN)["og:description"]
        assert stranger.client.head(link).status_code in (200, 405)
        assert not served.service.tables.info(table.removeprefix("/tables/")).seats[1].taken
        assert "Anna" not in " ".join(tags.values())
        assert bernd.press(bernd.get(link).button("sit")).path == table
        taken = preview(stranger, link)
        assert (taken["og:title"], taken["og:description"]) == ("Shanghaien – Kontor", GAME)


@pytest.mark.parametrize("watch", ["yes", "no"])
def test_a_table_says_how_it_stands_unless_it_is_not_to_be_watched(served: Served, watch: str) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        waits = open_shanghaien(anna, watch=watch)
        plays = seat_friend(anna, bernd, watch=watch)
        over = seat_friend(anna, bernd, watch=watch)
        anna.press(anna.get(f"{over}/end").button("resign"))
        previews = [preview(stranger, path) for path in (waits, plays, over)]
        assert {each["og:title"] for each in previews} == {"Shanghaien – Kontor"}
        assert [each["og:url"] for each in previews] == [served.address + path for path in (waits, plays, over)]
        first = (
            ["The game has not begun yet. ", "A game is being played here: you can watch. ", "The game is over. "]
            if watch == "yes"
            else ["", "", ""]
        )
        assert [each["og:description"] for each in previews] == [state + GAME for state in first]
        assert preview(anna, plays) == previews[1], "whoever asks"


def test_each_game_has_a_picture_that_is_small(stranger: Guest) -> None:
    common = preview(stranger, "/")["og:image"]
    for name in ["preview.png", *(f"{game}-preview.png" for game in web_adapters())]:
        answer = stranger.client.get(common.replace("preview.png", name))
        assert answer.headers["content-type"] == "image/png"
        assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
        assert len(answer.content) <= 60 * 1024
