"""Thinking: at a table nobody waits for a computer player who thinks at another."""

from pathlib import Path

import pytest

from timeouts import waited_for
from web.conftest import Served
from web.slow_players import HELD_BY, Program, against_machines, awaited, held

PONDERING = 3
"""Number of tables at which a computer player is to move. One process thinks for all of them."""

MOVES = 20


def test_people_move_while_machine_players_ponder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play while a computer player is held: a request that waited for it would time out."""
    release = tmp_path / "release"
    monkeypatch.setenv(HELD_BY, str(release))
    with Served(tmp_path / "house", think=held) as served, Program(served.address, "Anna") as anna:
        pondering = against_machines(served.address, PONDERING)
        waited_for(awaited(release).exists)  # one of them thinks
        assert len(served.thinkers.processes()) == 1
        before = [anna.get(f"/tables/{table}")["number"] for table in pondering]
        seats = [{"kind": "me"}, {"kind": "here", "name": "Bernd"}]
        table = anna.post("/tables", game="shanghaien", seats=seats)["table"]
        for _ in range(MOVES):
            offered = anna.get(f"/tables/{table}/moves?limit=1")
            anna.post(f"/tables/{table}/moves", number=offered["number"], move=offered["moves"][0])
        assert [anna.get(f"/tables/{table}")["number"] for table in pondering] == before, "it ponders still"
        release.touch()
        for table, number in zip(pondering, before, strict=True):
            waited_for(lambda: anna.get(f"/tables/{table}")["number"] > number)  # noqa: B023 (called at once)
