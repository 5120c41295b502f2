"""Reviews as bytes, to be stored."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from kontor.players import Appraised
from kontor.plugins import game_named
from kontor.review.adapter import adapter_of
from kontor.review.values import Account, Decision, Review, TurningPoint


def serialise(review: Review) -> bytes:
    """Return a whole review as bytes."""
    return msgspec.msgpack.encode(review)


def deserialise(data: bytes) -> Review:
    """Decode a serialised review. Raises msgspec.DecodeError if it is from another version of Kontor, or damaged."""
    review = msgspec.msgpack.decode(data, type=Review)
    game, outlook = game_named(review.game), adapter_of(review.game).outlook_type

    def move(appraised: Appraised) -> Appraised:
        return Appraised(msgspec.convert(appraised.move, game.move), appraised.chance)

    def decision(one: Decision) -> Decision:
        return replace(one, played=move(one.played), best=move(one.best))

    def seen(value: Any) -> Any:
        return msgspec.convert(value, outlook)

    def account(one: Account) -> Account:
        dearest = tuple(TurningPoint(turn.step, seen(turn.played), seen(turn.best)) for turn in one.dearest)
        return replace(one, dearest=dearest)

    return replace(
        review,
        decisions=tuple(map(decision, review.decisions)),
        accounts=tuple(map(account, review.accounts)),
    )
