"""People who play before they have given a name: they get one, and can change it at any time."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from litestar import Response

from kontor.people.made_up_names import made_up_name
from kontor.web.http.sessions import session_cookie
from kontor.web.http.site import Site, redirect
from kontor.web.pages.visitor import Visitor


class Player(NamedTuple):
    """Someone who plays, and the token of their new session; that is empty for people who came with a session."""

    person: str
    token: str


def player_of(site: Site, visitor: Visitor) -> Player:
    """Return the visitor as a player; a visitor without a name becomes a guest with a made-up one.

    Raises RateLimited.
    """
    if visitor.id is not None:
        return Player(visitor.id, "")
    site.spend("name", visitor)
    guest, token = site.people.guest(made_up_name(visitor.words, secrets.randbelow))
    return Player(guest.id, token)


def redirect_player(visitor: Visitor, player: Player, path: str) -> Response[Any]:
    """Return a redirect of the player, with their new session if they got one."""
    return redirect(path, [session_cookie(visitor, player.token)] if player.token else None)


def drop_new_session(site: Site, player: Player | None) -> None:
    """End the session of a newcomer whose form was refused; their page knows nothing of it."""
    if player is not None and player.token:
        site.people.end_session(player.token)
