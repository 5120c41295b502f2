"""A program that plays, and is killed. It records each acknowledged move."""

import os
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

import msgspec

from guests import CARLA, MACHINE, ME, dutchman, quick, shanghaien
from kontor.game import Value
from kontor.records import Step, encode_line
from kontor.server.composition import KontorServer
from kontor.storage import Place

PLANS = (shanghaien(ME, CARLA), shanghaien(ME, MACHINE), dutchman(ME, CARLA, MACHINE))


class Noted(Value, frozen=True):
    """An acknowledged move, and its place in the log."""

    table: str
    number: int
    seat: int
    line: str


def live(place: Place, notes: Path, seed: int) -> None:
    """Play several games at a time until it is killed, unfinished ones first."""
    notebook = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    service = KontorServer.open(place)
    person = service.people.guest("Anna")[0].id
    going_on = [table.id for table in service.listing.lobby().watchable]

    def play_for_ever(place: int) -> None:
        random = Random(seed * len(PLANS) + place)
        for table in going_on[place :: len(PLANS)]:
            _play(service, table, random, notebook)
        while True:
            _play(service, service.opening.open(person, PLANS[place]), random, notebook)

    with quick(service):
        players = [Thread(target=play_for_ever, args=(place,)) for place in range(len(PLANS))]
        for player in players:
            player.start()
        for player in players:
            player.join()


def _play(service: KontorServer, table: str, random: Random, notebook: int) -> None:
    while (info := service.tables.info(table)).mover is not None:
        seen = service.tables.view(table).look(info.mover)
        if info.seats[info.mover].player or not seen.moves:
            sleep(0.001)  # a computer player is to move, or has just moved
            continue
        move = seen.moves[random.randrange(len(seen.moves))]
        service.moves.play(table, info.mover, seen.number, move)
        line = encode_line(Step(info.mover, move)).decode().rstrip("\n")
        os.write(notebook, msgspec.json.encode(Noted(table, seen.number + 1, info.mover, line)) + b"\n")
