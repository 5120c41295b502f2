"""A server as an older Kontor left it, for the tests of today's.

``python -m table.older FOLDER`` (in ``tests``, with the checkout of the older program) fills one, and writes the
files of ``golden``: its database, packed; the same as a backup; and the facts that a test needs about it. A newer
program never makes them anew.
"""

import gzip
import json
import sqlite3
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

from guests import CARLA, FRIEND, MACHINE, ME, OPEN, Clock, at_once, dutchman, play_one, play_out, quick, shanghaien
from kontor.games.shanghaien.rules.state import Roll
from kontor.server.composition import KontorServer
from kontor.server.copies import back_up
from kontor.storage.sqlite import DATABASE
from kontor.tables.hints import Hints
from kontor.tables.values import Pace, Share

GOLDEN: Final = Path(__file__).parent / "golden"


def furnish(service: KontorServer, clock: Clock) -> dict[str, Any]:
    """Make people and tables in every state, with all possible details; return the facts about them."""
    (anna, session), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    api = service.people.api_token(anna.id, "robot")
    tables = {
        "over shanghaien": service.opening.open(anna.id, shanghaien(ME, CARLA), Share("zwölf Hufeisen")),
        "over dutchman": service.opening.open(anna.id, dutchman(ME, CARLA, MACHINE)),
    }
    play_out(service, *tables.values())
    service.talk.say(tables["over shanghaien"], anna.id, "Noch einmal?")
    tables["rematch"] = service.opening.rematch(tables["over dutchman"], anna.id)

    random, machines = Random(7), quick(service)
    tables["playing shanghaien"] = service.opening.open(anna.id, shanghaien(ME, OPEN, pace=Pace("slow", 24 * 3600)))
    service.opening.sit(tables["playing shanghaien"], 1, bernd.id)
    tables["playing dutchman"] = service.opening.open(anna.id, dutchman(ME, OPEN, MACHINE, pace=Pace("live", 30, 60)))
    service.opening.sit(tables["playing dutchman"], 1, bernd.id)
    for _ in range(14):
        play_one(service, tables["playing shanghaien"], random)
        play_one(service, tables["playing dutchman"], random)
        while machines.one_round():
            pass
    service.talk.say(tables["playing dutchman"], bernd.id, "Kurs auf Holland!")
    clock.tick(seconds=91)
    late = service.tables.info(tables["playing dutchman"]).late
    assert late is not None
    asks = bernd if service.opening.seats_of(tables["playing dutchman"], anna.id) == (late,) else anna
    service.clocks.stand_in(tables["playing dutchman"], late, asks.id)

    tables["practice"] = service.opening.open(anna.id, shanghaien(ME, OPEN, hints=True))
    service.opening.sit(tables["practice"], 1, bernd.id)
    mover = service.tables.info(tables["practice"]).mover
    assert mover is not None
    service.moves.play(tables["practice"], mover, service.tables.info(tables["practice"]).number, Roll())
    Hints(service.tables, service.hints, at_once).ask(tables["practice"], mover)

    tables["waiting shanghaien"] = service.opening.open(bernd.id, shanghaien(ME, FRIEND))
    invitation = service.opening.invitation(tables["waiting shanghaien"], 1, bernd.id)
    tables["waiting dutchman"] = service.opening.open(bernd.id, dutchman(ME, OPEN, OPEN))
    return {
        "people": {"Anna": anna.id, "Bernd": bernd.id},
        "session": session,
        "api": api,
        "invitation": invitation,
        "tables": tables,
        "late": late,
    }


def main(folder: Path) -> None:
    clock = Clock()
    with KontorServer.open(folder, clock) as service:
        facts = furnish(service, clock)
    back_up(folder, folder / "house.kontor", clock)
    with sqlite3.connect(folder / DATABASE) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("VACUUM")
    (GOLDEN / "house.db.gz").write_bytes(gzip.compress((folder / DATABASE).read_bytes(), 9, mtime=0))
    (GOLDEN / "house.kontor").write_bytes((folder / "house.kontor").read_bytes())
    (GOLDEN / "house.json").write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
