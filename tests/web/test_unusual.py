"""Unusual rules of a table (Y1): shown before anybody sits down, and at the table itself."""

import re
from typing import Final

import httpx

from kontor.games.dutchman import words as dutchman_words
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.chart import OURS
from kontor.games.shanghaien import words as shanghaien_words
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.components import TrickCounts
from kontor.words import Words
from web.conftest import Served
from web.guests import Guest

WORDS: Final = Words("en")
CHANGED: Final = {
    "tricks-nudge": "8", "tricks-both": "0", "tricks-reroll": "0", "first_trick": "both", "starter": "1",
}  # fmt: skip
SAID: Final = (
    "Each player starts with a trick card of their own: the Both card.",
    "The eight trick cards are 8 × nudge.",
)


def open_tournament(host: Guest, game: str, **fields: str) -> str:
    page = host.press(host.get(f"/open/{game}").button("open-it"), **fields)
    assert page.path.startswith("/tables/"), page.text("refused")
    return page.path


def test_y1_the_lobby_tells_it_of_tables_with_a_free_chair(anna: Guest, bernd: Guest) -> None:
    table = open_tournament(anna, "shanghaien", **{"chair-2": "open"}, **CHANGED).removeprefix("/tables/")
    usual = open_tournament(anna, "shanghaien", **{"chair-2": "open"}).removeprefix("/tables/")
    lobby = bernd.get("/").html
    card, other = (re.findall(rf'id="open-{one}".*?</a>', lobby, re.DOTALL)[0] for one in (table, usual))
    for sentence in (*SAID, "Starting player: seat 2."):
        assert sentence in card
    assert "unusual" not in other
    for path in (table, usual):
        anna.press(anna.get(f"/tables/{path}").button("leave"))


def test_y1_the_invitation_tells_it_before_one_sits_down_and_the_table_to_the_end(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger:
        path = open_tournament(anna, "shanghaien", **CHANGED)
        for sentence in (*SAID, "Starting player: seat 2."):
            assert sentence in anna.get(path).text("unusual")
        waiting = anna.press(anna.get(path).button("invite-2"))
        link = httpx.URL(waiting.html.split('id="link-2" readonly value="')[1].split('"')[0]).path
        invitation = stranger.get(link)
        assert invitation.html.index('id="unusual"') < invitation.html.index('id="sit"')
        for sentence in (*SAID, "Starting player: seat 2."):
            assert sentence in invitation.text("unusual")
        table = stranger.press(invitation.button("sit"), name="Bernd")
        for sentence in (*SAID, "Starting player: Bernd."):
            assert sentence in table.text("unusual")


WAYS: Final = {
    "Seats are shuffled at the start.": {"order": "random"},
    "If someone runs out of time, a computer player takes over at once.": {"pace": "slow", "stand_in": "at once"},
    "If someone runs out of time, the others wait.": {"pace": "slow", "stand_in": "never"},
    "The dice are strict: not even the server and other players together can choose the rolls.": {"dice": "strict"},
    "The dice are simple: the server alone cannot choose the rolls.": {"pace": "live-60-600", "dice": "early"},
}
"""Agreements that any game allows, beside the terms that every table shows."""


def test_y1_what_any_game_can_be_agreed_on_is_told_too(anna: Guest, stranger: Guest) -> None:
    for sentence, fields in WAYS.items():
        path = open_tournament(anna, "shanghaien", **fields)
        assert anna.get(path).text("unusual") == f"Special at this table: {sentence}"
        waiting = anna.press(anna.get(path).button("invite-2"))
        link = httpx.URL(waiting.html.split('id="link-2" readonly value="')[1].split('"')[0]).path
        assert stranger.get(link).text("unusual") == f"Special at this table: {sentence}"
        anna.press(anna.get(path).button("leave"))
    assert not anna.get(open_tournament(anna, "shanghaien", stand_in="never")).has("unusual"), "nobody is ever late"


def test_y1_nothing_is_told_where_all_is_as_usual(anna: Guest) -> None:
    assert not anna.get(open_tournament(anna, "shanghaien")).has("unusual")
    assert not anna.get(open_tournament(anna, "dutchman")).has("unusual")


def test_y1_nothing_is_told_of_the_dice_where_only_the_pace_was_chosen(anna: Guest) -> None:
    table = anna.post("/play/friends", anna.get("/").button("friends-shanghaien").form.fields)
    live = anna.press(table.button("pace-live-60-600"))
    assert "Live: 1 minute per move" in live.text("waiting")
    assert not live.has("unusual")


def test_y1_a_rematch_tells_it_again(served: Served, anna: Guest, bernd: Guest) -> None:
    path = open_tournament(anna, "shanghaien", **{"chair-2": "open"}, **CHANGED)
    bernd.press(bernd.get(path).button("sit-2"))
    people = [served.service.people.holder_of_session(guest.client.cookies["kontor"]) for guest in (anna, bernd)]
    for _ in range(2000):
        info = served.service.tables.info(path.removeprefix("/tables/"))
        if info.mover is None:
            break
        look = served.service.tables.view(info.id).look(info.mover)
        served.service.moves.play(info.id, info.mover, look.number, look.moves[-1])
    assert people[0]
    rematch = served.service.opening.rematch(info.id, people[0].id)
    page = bernd.get(f"/tables/{rematch}")
    assert page.html.index('id="unusual"') < page.html.index('id="sit-2"')
    assert SAID[0] in page.text("unusual")


def test_y1_programs_read_all_options_of_a_table_before_they_sit_down(served: Served) -> None:
    with served.guest("Anna") as anna, httpx.Client(base_url=served.address) as program:
        table = open_tournament(anna, "shanghaien", **{"chair-2": "open"}, **CHANGED).removeprefix("/tables/")
        counts = {"nudge": 8, "both": 0, "reroll": 0}
        options = program.get(f"/api/tables/{table}").json()["options"]
        assert options == {"tricks": counts, "starter": 1, "first_trick": "both"}
        anna.press(anna.get(f"/tables/{table}").button("leave"))


def test_every_option_has_a_sentence() -> None:
    """Check all options, because a new one without a sentence would be agreed on in silence."""
    names = ("Anna", "Bernd", "Carla", "Dora")
    changed = {
        "tricks": ShanghaienOptions(tricks=TrickCounts(8, 0, 0)),
        "starter": ShanghaienOptions(starter=0),
        "first_trick": ShanghaienOptions(first_trick="both"),
    }
    assert set(changed) == set(ShanghaienOptions.__struct_fields__)
    for options in changed.values():
        assert len(shanghaien_words.unusual(WORDS, names, options)) == 1
    assert not shanghaien_words.unusual(WORDS, names, ShanghaienOptions())

    from msgspec.structs import replace

    other = replace(OURS, fields=tuple(reversed(OURS.fields)))
    of_the_dutchman = {
        "starter": DutchmanOptions(starter=0),
        "circles": DutchmanOptions(circles=0),
        "chart": DutchmanOptions(chart=other),
        "check": DutchmanOptions(check="on request"),
    }
    assert set(of_the_dutchman) | {"players"} == set(DutchmanOptions.__struct_fields__)
    for voyage in of_the_dutchman.values():
        assert len(dutchman_words.unusual(WORDS, names, voyage)) == 1
    assert not dutchman_words.unusual(WORDS, names, DutchmanOptions())
    (five,) = dutchman_words.unusual(WORDS, names, DutchmanOptions(circles=5))
    assert "5" in five
