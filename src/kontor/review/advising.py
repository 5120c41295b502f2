"""Advice on a turn: the value of each move, and why the best is better than the second."""

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
"""If the chances to win differ by less, the two moves count as equally good."""


class Advice(Appraisal, frozen=True):
    """A judge's appraisal of the moves, with outlooks for the second-best and the best move.

    The outlooks, in this order, were made by the game's own ``outlook`` from imagined rounds. They are missing if
    both moves are about equally good.
    """

    outlooks: tuple[Any, ...] = ()


def advise(matter: bytes) -> bytes:
    """Return the Advice on a turn, as msgpack; runs in the thinkers.

    Its input is made by ``turn_task``.
    """
    given, view, moves = decoded_task(matter)
    game = game_named(given.game)
    appraisal = judge_named(game.name).appraise(view, moves, random_from(given.luck))
    outlooks: tuple[Any, ...] = ()
    if len(appraisal.moves) > 1 and appraisal.best.chance - appraisal.moves[1].chance >= ALIKE:
        outlook = adapter_of(game.name).outlook
        outlooks = tuple(
            outlook(
                view,
                [
                    played_on(game, view, appraised.move, Random(f"kontor advice {given.luck.hex()} {number}"))
                    for number in range(IMAGINED_ROUNDS)
                ],
            )
            for appraised in (appraisal.moves[1], appraisal.best)
        )
    return msgspec.msgpack.encode(Advice(appraisal.moves, appraisal.exact, outlooks))


def advice_of(game: AnyGame, answer: bytes) -> Advice:
    """Decode what :func:`advise` returned. Raises msgspec.DecodeError.

    The answer of an older Kontor has no outlooks.
    """
    appraisal, advice = appraisal_of(game, answer), msgspec.msgpack.decode(answer, type=Advice)
    kind = adapter_of(game.name).outlook_type
    return Advice(appraisal.moves, appraisal.exact, tuple(msgspec.convert(each, kind) for each in advice.outlooks))
