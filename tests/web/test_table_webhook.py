"""The page of a table's webhook, without scripts: set up, seen by all there, changed and removed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from folders import with_database
from kontor.notifying.public_https import Poster
from notifying.receiver import NAME
from web.conftest import Served
from web.guests import seat_friend


def resolve(host: str, port: int) -> list[str]:
    return ["8.8.8.8"] if host == NAME else ["10.0.0.1"]


@pytest.fixture
def chatting(tmp_path: Path) -> Iterator[Served]:
    """Return a server that offers webhooks."""
    with Served(
        with_database(tmp_path), ways=frozenset({"table", "webhook"}), check_url=Poster(resolve=resolve).check
    ) as served:
        yield served


def test_one_sets_it_up_at_the_table_and_the_other_sees_and_removes_it(chatting: Served) -> None:
    with chatting.guest("Anna") as anna, chatting.guest("Bernd") as bernd:
        table = seat_friend(anna, bernd)
        assert f'href="{table}/webhook"' in anna.get(table).html
        form = anna.get(f"{table}/webhook").button("webhook-go")
        fields = {"form": "discord", "webhook": f"https://{NAME}/secret-part", "mention-1": "123456789012345678"}
        page = anna.press(form, **fields)
        assert page.text("saved") == "Saved."
        assert {name: page.button("webhook-go").form.fields[name] for name in fields} == fields
        assert "Anna lets a chat outside Kontor know" in bernd.get(table).text("main")
        seen = bernd.get(f"{table}/webhook")
        assert f"Anna has set up a webhook: {NAME}" in seen.text("hook")
        assert "secret-part" not in seen.html
        assert "123456789012345678" not in seen.html
        assert "whsec_" not in seen.html
        removed = bernd.press(seen.button("remove-go"))
        assert not removed.has("hook")
        assert removed.has("webhook-go")


def test_what_was_written_stays_when_it_is_refused(chatting: Served) -> None:
    with chatting.guest("Anna") as anna, chatting.guest("Bernd") as bernd:
        table = seat_friend(anna, bernd)
        form = anna.get(f"{table}/webhook").button("webhook-go")
        for fields, reason in (
            ({"webhook": "https://intern.example/", "form": "slack"}, "public internet addresses only"),
            ({"webhook": f"https://{NAME}/", "form": "slack", "mention-0": "channel"}, "not the id of a person"),
        ):
            page = anna.press(form, **fields)
            assert page.status == 422
            assert reason in page.text("refused")
            assert {name: page.button("webhook-go").form.fields[name] for name in fields} == fields


def test_strangers_see_no_webhook_and_a_server_without_them_has_no_such_page(
    chatting: Served, served: Served
) -> None:
    with chatting.guest("Anna") as anna, chatting.guest("Bernd") as bernd, chatting.guest("Carla") as carla:
        table = seat_friend(anna, bernd)
        assert carla.get(f"{table}/webhook").status == 403
        assert "/webhook" not in carla.get(table).html
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        table = seat_friend(anna, bernd)
        assert anna.get(f"{table}/webhook").status == 404
        assert "/webhook" not in anna.get(table).html
