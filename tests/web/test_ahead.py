"""Moves given ahead as people give them, without scripts, and as programs do."""

from __future__ import annotations

from kontor.games.shanghaien.rules.state import Number, Place, Roll
from timeouts import waited_for
from web.conftest import Come, Served
from web.guests import seat_friend
from web.test_tokens import client_with_token, token_of


def anna_moves(served: Served, path: str) -> None:
    """Let Anna roll, number the row, and place the lower die."""
    moves, tables, table = served.service.moves, served.service.tables, path.rpartition("/")[2]
    for one in (Roll(), Number("left")):
        moves.play(table, 0, tables.info(table).number, one, choice="never")
    die = tables.view(table).look(0).view.roll[0]
    moves.play(table, 0, tables.info(table).number, Place(die), choice="never")


def test_without_scripts_moves_are_given_shown_to_their_owner_alone_and_deleted(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, starter="0")
    assert bernd.get(path).text("ahead-there") == "Moves ahead"
    page = bernd.get(f"{path}/ahead")
    refused = bernd.press(page.button("give-ahead"))
    assert (refused.status, "Choose at least one move." in refused.text("refused")) == (422, True)
    saved = bernd.press(page.button("give-ahead"), first="roll", die0="5", other0="2", die1="6")
    assert "If the dice are 5 and 2, place the 5." in saved.text("main")
    assert bernd.get(path).text("ahead-there") == "Moves ahead (given)"
    for reader in (anna, come(served, "Eve")):
        assert "given" not in reader.get(path).text("main").casefold()
    assert "place the 5" not in anna.get(f"{path}/ahead").text("main")
    assert come(served, "Eve").get(f"{path}/ahead").status == 403
    gone = bernd.press(saved.button("drop-ahead"))
    assert "place the 5" not in gone.text("main")
    assert bernd.get(path).text("ahead-there") == "Moves ahead"


def test_they_are_played_while_their_owner_is_away_who_is_told_if_they_do_not_fit(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, starter="0")
    never = {f"die{n}": "6" for n in range(1)} | {"other0": "6"}
    bernd.press(bernd.get(f"{path}/ahead").button("give-ahead"), first="roll", **never)
    anna_moves(served, path)
    table = path.rpartition("/")[2]
    waited_for(lambda: served.service.tables.view(table).look(1).view.step != "turn" or None)
    view = served.service.tables.view(table).look(1).view
    if view.roll != (6, 6) and view.turn == 1:
        assert "did not fit" in bernd.get(path).text("ahead-missed")
        assert "did not fit" in bernd.get(f"{path}/ahead").text("missed")
        assert "did not fit" not in anna.get(path).html


def test_programs_give_read_and_delete_them(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, starter="0")
    call = f"{path.removeprefix('/')}/ahead"
    with (
        client_with_token(served, token_of(bernd, "play")) as program,
        client_with_token(served, token_of(anna, "play")) as other,
    ):
        roll = {"ahead": "roll", "round": 1, "placed": 0}
        response = program.post(call, json={"moves": [roll]})
        assert (response.status_code, response.json()["moves"]) == (201, [roll])
        assert program.get(call).json()["sentences"] == ["At your next turn: roll."]
        assert other.get(call).json()["moves"] == []
        assert program.post(call, json={"moves": [{"ahead": "x"}]}).status_code == 400
        wrong = program.post(call, json={"moves": [roll | {"round": 3}]})
        assert (wrong.status_code, wrong.json()["rule"]) == (422, "S4")
        assert program.delete(call).status_code == 204
        assert program.get(call).json()["moves"] == []
