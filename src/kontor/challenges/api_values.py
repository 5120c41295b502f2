"""The JSON values of the API about challenges."""

from __future__ import annotations

from typing import Annotated

import msgspec

from kontor.challenges.values import DeclinedChallenge, OpenChallenge, PastOpponent
from kontor.game import Value
from kontor.tables.api_values import NewTable


class ChallengesInfo(Value, frozen=True):
    """The challenges of a person.

    ``open`` wait for their answer, the oldest first; ``declined`` are their own that were declined within a week.
    ``companions`` are people with whom they have finished a game, by the keys with which they can challenge them.
    """

    open: tuple[OpenChallenge, ...]
    declined: tuple[DeclinedChallenge, ...]
    companions: tuple[PastOpponent, ...]


class NewChallenge(Value, frozen=True, forbid_unknown_fields=True):
    """A challenge of the person of a page (``handle``), or at a seat of a common finished game.

    ``terms`` are a table as for ``POST /api/tables``, whose first seat is ``me``, and whose second is a ``friend``.
    """

    terms: NewTable
    handle: Annotated[str, msgspec.Meta(max_length=40)] = ""
    table: Annotated[str, msgspec.Meta(max_length=40)] = ""
    seat: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0


class CounterChallenge(Value, frozen=True, forbid_unknown_fields=True):
    """Other terms in answer to a challenge: a table as in ``NewChallenge``."""

    terms: NewTable
