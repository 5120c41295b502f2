"""Servers with much data for tests of copies, and their contents."""

from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from guests import CARLA, FRIEND, MACHINE, ME, OPEN, dutchman, play_one, play_out, query, shanghaien
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.schema import METADATA
from kontor.tables.values import Share

from_each_to_each = pytest.mark.parametrize(
    ("furnished_place", "empty_place"),
    [("sqlite", "sqlite"), ("sqlite", "postgresql"), ("postgresql", "sqlite")],
    indirect=True,
)
"""Copies from each kind of database and into each kind; those from PostgreSQL into PostgreSQL show nothing else."""


def furnish(service: KontorServer) -> None:
    """Make people with sessions, and tables in every state, with all possible details."""
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd Österreicher 🂡"))
    service.people.api_token(anna, "robot")
    service.people.device_link(bernd)
    over = service.opening.open(anna, shanghaien(ME, CARLA), Share("salt"))
    play_out(service, over)
    service.talk.say(service.opening.rematch(over, anna), anna, "“Noch einmal?”\\ '")
    playing = service.opening.open(anna, dutchman(ME, CARLA, MACHINE, hints=True))
    random = Random(1)
    for _ in range(10):
        play_one(service, playing, random)
    waiting = service.opening.open(bernd, shanghaien(ME, FRIEND))
    service.opening.invitation(waiting, 1, bernd)
    service.opening.open(bernd, dutchman(ME, OPEN, OPEN))


def one_of(place: Place, status: str, game: str) -> str:
    ((table,),) = query(
        place, "SELECT id FROM tables WHERE status = ? AND game = ? AND rematch_of IS NULL", status, game
    )
    return str(table)


DRAWN_ANEW = ("next_seed", "next_commitment")
"""Columns that a copy leaves out: ``test_next_seeds.py`` says why."""


def rows(place: Place) -> dict[str, set[Any]]:
    """Return all other contents of a server's tables, read outside the server."""
    values = {
        name: query(place, str(select(*[column for column in table.c if column.name not in DRAWN_ANEW])))
        for name, table in METADATA.tables.items()
    }
    assert all(len(set(listed)) == len(listed) for listed in values.values())
    return {name: set(listed) for name, listed in values.items()}
