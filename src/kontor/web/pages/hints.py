"""A hint, as the page shows it to the one who asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from kontor.players import Appraisal, Appraised
from kontor.review.adapter import adapter_of
from kontor.review.review_text import percent
from kontor.table import Hints, SeatView, TableInfo
from kontor.words import Words, mark

_OTHERS: Final = 2
"""Moves told beside the best."""


@dataclass(frozen=True)
class HintShown:
    """How far a hint is: it can be asked for, is being thought about, or was found or not. ``others`` are a few more
    moves, and what chance each leaves."""

    stage: Literal["offered", "thinking", "failed", "given"]
    best: str = ""
    others: tuple[str, ...] = ()
    sure: str = ""


def hint_shown(
    words: Words, hints: Hints, names: Sequence[str], info: TableInfo, seat: int | None, look: SeatView | None
) -> HintShown | None:
    """What is shown to a seat: nothing where there are no hints, or where it is not to move."""
    if not info.hints or look is None or seat is None or look.view.mover != seat or info.seats[seat].stood_in:
        return None
    asked = hints.of(info.id, seat, look.number)
    if asked is None:
        return HintShown("offered")
    if asked.found is not None:
        return _given(words, info.game, names, look.view, asked.found)
    return HintShown("failed" if asked.failed else "thinking")


def _given(words: Words, game: str, names: Sequence[str], view: Any, found: Appraisal) -> HintShown:
    def said(sentence: str, appraised: Appraised) -> str:
        move = adapter_of(game).move(words, names, view, appraised.move)
        return words.say(sentence, move=move, chance=percent(words, appraised.chance))

    return HintShown(
        "given",
        best=said(mark("Best move: {move}. Chance of winning: {chance}."), found.best),
        others=tuple(said(mark("{move}: {chance}"), appraised) for appraised in found.moves[1 : 1 + _OTHERS]),
        sure=words.say("These chances are exact.") if found.exact else words.say("These chances are estimates."),
    )
