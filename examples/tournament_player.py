"""A player for tournaments of a server: it joins one and plays random legal moves in its games until the end.

Give it the address of the tournament, and a name:

    python tournament_player.py http://localhost:1729/tournaments/… Robota
"""

import json
import random
import re
import sys
import time
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

name, token = sys.argv[2], ""
server, tournament = re.split("/tournaments/|[?#]", sys.argv[1])[:2]


def ask(path: str, body: Any = None) -> Any:
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(f"{server}/api/{path}", data, headers), timeout=600)


def play(table: str) -> None:
    for line in ask(f"tables/{table}/stream"):  # the state of the game now, and again after every change
        now = json.loads(line[6:]) if line.startswith(b"data: ") else None
        if now and now["table"]["status"] == "over":
            return
        if now and now["table"]["my_turn"]:
            one = f"start={random.randrange(now['seen']['moves'])}&limit=1"
            try:
                legal = json.load(ask(f"tables/{table}/moves?{one}"))
                if not legal["moves"]:  # the event was old: the move has been made since
                    continue
                number = {key: legal[key] for key in ("number", "undone")}
                ask(f"tables/{table}/moves", number | {"move": legal["moves"][0]})
            except HTTPError as refused:
                if refused.code != 409:  # the game has changed since
                    raise


token = json.load(ask("people", {"name": name}))["token"]
ask(f"tournaments/{tournament}/entrants", {})
playing: set[str] = set()
while (now := json.load(ask(f"tournaments/{tournament}")))["info"]["status"] in ("open", "running"):
    for table in set(now["my_tables"]) - playing:  # several at once, in a live duplicate round
        playing.add(table)
        Thread(target=play, args=(table,), daemon=True).start()
    time.sleep(1)
(mine,) = [entrant["number"] for entrant in now["entrants"] if entrant["mine"]]
print(*[f"{one['place']}. with {one['points']} points" for one in now["standings"] if one["entrant"] == mine])
