"""API routes to look for a game with any opponents: programs wait and play among people."""

from __future__ import annotations

from litestar import delete, get, post
from litestar.params import JSONBody

from kontor.lobby.api_values import NewSeek
from kontor.lobby.pages import plan_together, plan_with_machines
from kontor.lobby.site import TheLobbySite
from kontor.lobby.values import Seek, SeekInfo
from kontor.plugins import game_named
from kontor.tables.api_values import Opened
from kontor.tables.pages.opening import sizes
from kontor.web.addresses import origin_of
from kontor.web.http.faults import NoPage, require_person_id
from kontor.web.http.programs import PLAY, REFUSED, TheProgram, spending
from kontor.web.http.site import in_acting_thread


@post("/api/me/seek", responses=REFUSED, security=PLAY)
@spending("join")
def look(site: TheLobbySite, program: TheProgram, data: JSONBody[NewSeek]) -> SeekInfo:
    """Look for a game, and end any earlier search. Ask again until the answer has a ``table``, where it has begun."""
    possible = sizes(game_named(data.game).name)
    fewest, most = (data.players, data.players) if data.players else (possible[0], possible[-1])
    seek = Seek(data.game, data.pace, fewest, most, data.near)
    return site.seeking.begin(require_person_id(program), seek, plan_together, data.salt, origin_of(program.address))


@get("/api/me/seek", responses=REFUSED, security=PLAY)
@in_acting_thread
def see(site: TheLobbySite, program: TheProgram) -> SeekInfo:
    """Return the state of the search, or 404 if there is none. It ends if nobody asks for half a minute."""
    seeking, person = site.seeking, require_person_id(program)
    info = seeking.of(person) if program.speculative else seeking.wait(person, plan_together)
    if info is None:
        raise NoPage
    return info


@delete("/api/me/seek", responses=REFUSED, security=PLAY)
@spending("join")
def stop(site: TheLobbySite, program: TheProgram) -> None:
    """Stop looking for a game."""
    site.seeking.stop(require_person_id(program))


@post("/api/me/seek/computer", responses=REFUSED, security=PLAY)
@spending("open")
def play_machines(site: TheLobbySite, program: TheProgram) -> Opened:
    """Accept the computer player that is ``offered``, or return the table that was found meanwhile."""
    return Opened(site.seeking.play_machines(require_person_id(program), plan_with_machines))


ROUTES = (look, see, stop, play_machines)
