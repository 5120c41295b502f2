"""Advice to whoever is to decide: what the moves are worth, and why the best is better than the second."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import msgspec

from kontor.game import AnyGame
from kontor.players import Appraisal, judge_named
from kontor.plugins import game_named
from kontor.review.adapter import adapter_of
from kontor.review.explaining import IMAGINED_ROUNDS, played_on
from kontor.thinking.turn_tasks import appraisal_of, decoded_task, random_from

ALIKE: Final = 0.01
"""Two moves whose chances to win differ by less are not held against each other."""


class Advice(Appraisal, frozen=True):
    """What a judge thinks of the moves; and how rounds go on after the second and after the best, as the game's own
    ``outlook`` has counted it in imagined rounds: none where they are as good as alike."""

    outlooks: tuple[Any, ...] = ()


def advise(matter: bytes) -> bytes:
    """The Advice on a turn, as msgpack. For thinkers; what they are asked is made by ``turn_task``."""
    given, view, moves = decoded_task(matter)
    game = game_named(given.game)
    found = judge_named(game.name).appraise(view, moves, random_from(given.luck))
    outlooks: tuple[Any, ...] = ()
    if len(found.moves) > 1 and found.best.chance - found.moves[1].chance >= ALIKE:
        outlook = adapter_of(game.name).outlook
        outlooks = tuple(
            outlook(
                view,
                [
                    played_on(game, view, appraised.move, Random(f"kontor advice {given.luck.hex()} {number}"))
                    for number in range(IMAGINED_ROUNDS)
                ],
            )
            for appraised in (found.moves[1], found.best)
        )
    return msgspec.msgpack.encode(Advice(found.moves, found.exact, outlooks))


def advice_of(game: AnyGame, answer: bytes) -> Advice:
    """What :func:`advise` gave, or a Kontor before it, which gave no outlooks. Raises msgspec.DecodeError."""
    found, told = appraisal_of(game, answer), msgspec.msgpack.decode(answer, type=Advice)
    kind = adapter_of(game.name).outlook_type
    return Advice(found.moves, found.exact, tuple(msgspec.convert(each, kind) for each in told.outlooks))
