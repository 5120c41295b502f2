"""Levels of computer players, as people meet them: in the lobby, at the table, and in the reader's language."""

import pytest

from kontor.players import players_of
from kontor.players.levels import LEVELS, level_name, levels, likeness, seat_name, usual
from kontor.plugins import plugins
from kontor.words import Words
from web.guests import Guest, open_shanghaien

ENGLISH = Words("en")


@pytest.mark.parametrize("game", plugins())
def test_people_are_offered_the_levels_and_no_other(anna: Guest, game: str) -> None:
    assert levels(game) == tuple(LEVELS) == ("casual", "keen", "steady", "strong", "expert")
    page = anna.get(f"/open/{game}")
    offered = [value for value in players_of(game) if f'value="machine-{value}"' in page.html]
    assert offered == list(LEVELS)
    for level in LEVELS:
        assert f"computer player, {likeness(ENGLISH, level)}" in page.html


def test_the_usual_one_is_the_one_that_a_newcomer_can_beat(anna: Guest) -> None:
    usual_seats = anna.get("/open/dutchman").button("open-it").form.fields
    assert [usual_seats[f"chair-{chair}"] for chair in (3, 4)] == [f"machine-{usual('dutchman')}"] * 2
    assert usual("dutchman") == "casual"
    path = open_shanghaien(anna)
    assert anna.get(path).button("fill-2").form.fields["player"] == "casual"


def test_programs_and_forms_can_still_ask_for_others(anna: Guest) -> None:
    path = open_shanghaien(anna, chair__2="machine-random", starter="0")
    assert "⚙ Kaspar computer player, random" in anna.get(path).text("players")


def test_a_computer_player_has_a_name_of_its_own_or_its_level_in_the_readers_language(anna: Guest) -> None:
    path = open_shanghaien(anna)
    page = anna.press(anna.get(path).button("fill-2"), player="steady")
    assert "⚙ Kaspar computer player, steady" in page.text("players")
    german = Words("de")
    assert seat_name(german, "expert 2", "expert") == f"{level_name(german, 'expert')} 2"
    assert seat_name(german, "expert", "expert") == level_name(german, "expert")
    for name, player in (("Kaspar", "expert"), ("expert", "steady"), ("greedy 2", "greedy"), ("expertise", "expert")):
        assert seat_name(german, name, player) == name
