"""The JSON values of the API about people."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec

from kontor.game import Value
from kontor.people.values import Scope


class NewPerson(Value, frozen=True, forbid_unknown_fields=True):
    """A new person with the name they chose."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class Known(Value, frozen=True):
    """A person, and the token with which a program plays as them. The token is shown only once."""

    name: str
    token: str


class Me(Value, frozen=True):
    """The person as whom the program plays, and the rights of its token.

    ``scope`` is the widest of its ``scopes``. ``next_commitment`` is the commitment to the seed of the dice of the
    next table that it opens.
    """

    name: str
    scope: Scope
    next_commitment: str
    scopes: tuple[Scope, ...]


class NewToken(Value, frozen=True, forbid_unknown_fields=True):
    """A request for a token for another program, with some of one's own ``scopes``.

    ``play`` lets it see and do everything the person can but for messages, which need ``messages``. ``read`` lets it
    only see, ``notify`` only hear of turns.
    Without ``scopes``, it is for the one ``scope``.
    """

    label: Annotated[str, msgspec.Meta(max_length=200)] = ""
    scope: Scope = "play"
    scopes: Annotated[list[Scope], msgspec.Meta(max_length=4)] = msgspec.field(default_factory=list)


class Made(Value, frozen=True):
    """A new token. It is shown only once."""

    token: str
    scope: Scope
    scopes: tuple[Scope, ...]


class TokenInfo(Value, frozen=True):
    """A token of a program; ``used`` is the time of its last use, to the hour."""

    id: str
    label: str
    scope: Scope
    created: datetime
    expires: datetime
    used: datetime | None
    scopes: tuple[Scope, ...]


class Playable(Value, frozen=True):
    """A game of the server: its name, its title, the version of its rules, and its computer players."""

    name: str
    title: str
    rules: int
    players: tuple[str, ...]
