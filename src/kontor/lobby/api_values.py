"""The JSON values of the API about seeks."""

from __future__ import annotations

from typing import Annotated

import msgspec

from kontor.game import Value
from kontor.tables.values import Pace


class NewSeek(Value, frozen=True, forbid_unknown_fields=True):
    """A search for a game.

    ``players`` is the number of players (0: any). With ``near``, the others must be about as strong.
    """

    game: str
    pace: Pace = Pace("live", 60, 600)
    players: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    near: bool = True
    salt: str = ""
