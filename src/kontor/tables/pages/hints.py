"""Hints, as the page shows them to the person who asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from kontor.players import Appraised
from kontor.review.adapter import adapter_of
from kontor.review.advising import Advice
from kontor.review.review_text import assumed_opponents, percent
from kontor.tables.hints import Hints
from kontor.tables.values import SeatView, TableInfo
from kontor.words import Words, mark

_OTHERS: Final = 2
"""Number of moves shown beside the best."""


@dataclass(frozen=True)
class HintShown:
    """A hint and its stage: it can be requested, is being computed, was found, or failed.

    ``others`` are a few more moves with the chance that each leaves. ``reasons`` say why the best is better than the
    second, which ``against`` names.
    """

    stage: Literal["offered", "thinking", "failed", "given"]
    best: str = ""
    others: tuple[str, ...] = ()
    sure: str = ""
    against: str = ""
    reasons: tuple[str, ...] = ()


def describe_hint(
    words: Words, hints: Hints, names: Sequence[str], info: TableInfo, seat: int | None, look: SeatView | None
) -> HintShown | None:
    """Return the hint for a seat; None if the table has no hints, or the seat is not to move."""
    if not info.hints or look is None or seat is None or look.view.mover != seat or info.seats[seat].stood_in:
        return None
    hint = hints.of(info.id, seat, look.number, info.undone)
    if hint is None:
        return HintShown("offered")
    if hint.advice is not None:
        return _describe_advice(words, info.game, names, look.view, hint.advice)
    return HintShown("failed" if hint.failed else "thinking")


def _describe_advice(words: Words, game: str, names: Sequence[str], view: Any, advice: Advice) -> HintShown:
    adapter = adapter_of(game)

    def move_name(appraised: Appraised) -> str:
        return adapter.move(words, names, view, appraised.move)

    def sentence_for(sentence: str, appraised: Appraised) -> str:
        return words.say(sentence, move=move_name(appraised), chance=percent(words, appraised.chance))

    against, reasons = "", list[str]()
    if advice.outlooks:
        second = advice.moves[1]
        pair = (second.move, advice.outlooks[0]), (advice.best.move, advice.outlooks[1])
        against, reasons = (
            words.say("Why not {move}?", move=move_name(second)),
            adapter.why(words, names, view, *pair),
        )
    sure = words.say("These chances are exact.") if advice.exact else words.say("These chances are estimates.")
    return HintShown(
        "given",
        best=sentence_for(mark("Best move: {move}. Chance of winning: {chance}."), advice.best),
        others=tuple(
            sentence_for(mark("{move}: {chance}"), appraised) for appraised in advice.moves[1 : 1 + _OTHERS]
        ),
        sure=f"{sure} {assumed_opponents(words, game)}".strip(),
        against=against,
        reasons=tuple(reasons),
    )
