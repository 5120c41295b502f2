"""A player for a server: it takes a seat at a table and plays random legal moves until the game is over.

Give it the address of the table, or the link of an invitation, and a name:

    python api_player.py http://localhost:1729/tables/… Robota
"""

import json
import random
import re
import sys
from typing import Any
from urllib.request import Request, urlopen

link, name, token = re.split("[?#]", sys.argv[1])[0], sys.argv[2], ""
# <server>/tables/<table>, <server>/invitations/<table>/<seat>/<invitation>, or the same without a seat
server, place = re.split("/(?:tables|invitations)/", link, maxsplit=1)
table, *invited = place.split("/")


def ask(path: str, body: Any = None) -> Any:
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(f"{server}/api/{path}", data, headers), timeout=60)


token = json.load(ask("people", {"name": name}))["token"]
if invited:
    *seat, invitation = invited
    ask("/".join(["tables", table, "seats", *seat]), {"invitation": invitation})
else:
    seats = json.load(ask(f"tables/{table}"))["seats"]
    ask(f"tables/{table}/seats/{[seat['may_sit'] for seat in seats].index(True)}", {})
for line in ask(f"tables/{table}/stream"):  # how the game stands now, and again after every change
    now = json.loads(line[6:]) if line.startswith(b"data: ") else None
    if now and now["table"]["status"] == "over":
        print(now["table"]["result"] or now["table"]["early"])
        break
    if now and now["table"]["my_turn"]:
        one = f"start={random.randrange(now['seen']['moves'])}&limit=1"
        legal = json.load(ask(f"tables/{table}/moves?{one}"))
        ask(f"tables/{table}/moves", {key: legal[key] for key in ("number", "undone")} | {"move": legal["moves"][0]})
