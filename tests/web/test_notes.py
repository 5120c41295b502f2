"""Private notes about tables as people write them, without scripts."""

from web.conftest import Come, Served
from web.guests import seat_friend


def test_without_scripts_a_note_is_written_listed_and_changed(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd)
    assert anna.get(path).has("note-there")
    page = anna.get(f"{path}/note")
    saved = anna.press(page.button("note-save"), text="He waits for <b>Java</b>\nalways")
    assert saved.text("saved") == "Saved."
    listed = anna.get("/notes")
    assert "He waits for <b>Java</b>" in listed.text("main")
    assert "Shanghaien Bernd" in listed.text("main")
    assert "Java" not in bernd.get("/notes").html
    assert "Java" not in bernd.get(f"{path}/note").html
    assert "Java" not in bernd.get(path).html
    refused = anna.post(f"{path}/note", {**page.forms[0].fields, "text": "x" * 2001})
    assert refused.status == 422
    assert "A note can have at most 2000 characters." in refused.text("refused")
    assert come(served, "Carla").get(f"{path}/note").status == 403
