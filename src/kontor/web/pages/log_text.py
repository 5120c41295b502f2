"""The log and the chat in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kontor.lru_cache import LruCache
from kontor.players.levels import level_name
from kontor.table import ChatLine, TableView, VisibleStep
from kontor.table.texts import name_said
from kontor.web.adapter import WebAdapter
from kontor.web.pages.links import TextPart, parts
from kontor.words import Words, mark

PART: Final = 8
"""Number of lines of the log, or of the chat, in one fragment of the page: those before the last part stay the same.
"""

BLOCK: Final = 64
"""Number of lines in one fragment once others follow: so a long log has few fragments."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A sentence of the log. ``part`` tells the sentences of one step apart."""

    number: int
    part: int
    text: str
    head: bool = False


def log_lines(words: Words, adapter: WebAdapter, names: Sequence[str], told: Sequence[VisibleStep]) -> list[LogLine]:
    """Return the log in sentences, with a heading at the beginning of each round."""
    return _log_lines_from(words, adapter, names, told, 0)[0]


def _log_lines_from(
    words: Words, adapter: WebAdapter, names: Sequence[str], told: Sequence[VisibleStep], round_told: int
) -> tuple[list[LogLine], int]:
    """Return the log in sentences, and the round of the last one.

    ``round_told`` is the round of the sentences before.
    """
    found = []
    for line in told:
        for part, sentence in enumerate(sentences(words, adapter, names, line), 1):
            if line.before.round != round_told:
                round_told = line.before.round
                heading = words.say("Round {round}", round=round_told)
                found.append(LogLine(line.number, 0, heading, head=True))
            found.append(LogLine(line.number, part, sentence))
    return found, round_told


def sentences(words: Words, adapter: WebAdapter, names: Sequence[str], line: VisibleStep) -> list[str]:
    """Return the sentences for one step."""
    return adapter.describe_event(words, names, line.before, line.event, line.after)


@dataclass(frozen=True, slots=True)
class LogText:
    """The log as one reader may know it: its ``lines`` up to the step numbered ``until``, in the round ``round``.

    Lines after the number ``mine`` are new to the reader. ``over`` says whether the game is over.
    """

    lines: tuple[LogLine, ...]
    until: int
    round: int
    mine: int
    over: bool


class LogTexts:
    """A cache of the log texts of the tables viewed last.

    So a line is put in words once, though it is shown again with every later line.
    """

    def __init__(self, most: int = 2048, over: int = 128) -> None:
        self._kept: LruCache[object, LogText] = LruCache(most, over, _is_over)

    def log_text(
        self, words: Words, adapter: WebAdapter, names: Sequence[str], now: TableView, seat: int | None
    ) -> tuple[LogText, list[VisibleStep]]:
        """Return the log text as the seat may know it, and the steps since the reader's last move.

        Raises what ``now.events`` raises.
        """
        key = now.info.id, now.info.undone, seat, words, tuple(names)
        known = self._kept.get(key)
        if known is None or known.until > now.info.number:
            known = LogText((), 0, 0, 0, over=False)
        told = now.events(seat, since=known.mine)
        new = [step for step in told if step.number > known.until]
        log_text = _extended(known, words, adapter, names, new, seat)
        self._kept.keep(key, replace(log_text, over=now.info.status == "over"))
        return log_text, [step for step in told if step.number > log_text.mine]


def _is_over(log_text: LogText) -> bool:
    return log_text.over


def _extended(
    known: LogText,
    words: Words,
    adapter: WebAdapter,
    names: Sequence[str],
    new: Sequence[VisibleStep],
    seat: int | None,
) -> LogText:
    if not new:
        return known
    lines, round_told = _log_lines_from(words, adapter, names, new, known.round)
    return LogText((*known.lines, *lines), new[-1].number, round_told, last_move(new, seat, known.mine), known.over)


def last_move(told: Sequence[VisibleStep], seat: int | None, before: int) -> int:
    """Return the number of the reader's last move, or ``before`` if there is none among these steps.

    For spectators it is the number before the last move of anybody, so that they see that move.
    """
    for line in reversed(told):
        if seat is None and line.event.seat >= 0:
            return line.number - 1
        if line.event.seat == seat:
            return line.number
    return before


@dataclass(frozen=True)
class TalkLine:
    """A line of the chat, in parts of which some are links; or a notice."""

    number: int
    name: str
    parts: tuple[TextPart, ...]
    notice: bool
    onlooker: bool = False


_NOTICES: Final = {
    "sat": mark("{name} takes a seat."),
    "left": mark("{name} leaves the table."),
    "started": mark("The game begins."),
    "stood in": mark("A computer player stands in for {name}."),
    "came back": mark("{name} is back."),
    "hint": mark("{name} asked for a hint."),
    "resigned": mark("{name} has resigned."),
    "plays on": mark("A computer player ({level}) plays on for {name}."),
    "proposed": mark("{name} proposes to end the game without a result."),
    "agreed": mark("{name} agrees to end the game."),
    "declined": mark("{name} would rather play on."),
    "withdrew": mark("{name} withdraws the proposal."),
    "claimed": mark("{name} has been away for seven days."),
    "ended": mark("The game is over."),
    "undone": mark("{name} takes back a move."),
    "removed": mark("{name}: this message was removed."),
    "rematch": mark("{name} offers a rematch."),
    "no rematch": mark("{name} would rather not play a rematch."),
    "without": mark("The game begins without {name}’s contribution to the dice."),
}


def talk_line(words: Words, said: ChatLine) -> TalkLine:
    """Return a line of the chat, as the page shows it."""
    notice, name = _NOTICES.get(said.kind), name_said(words, said.name)
    if notice is None:
        return TalkLine(said.number, name, parts(said.text), notice=False, onlooker=said.kind == "onlooker")
    told = words.say(notice, name=name, level=level_name(words, said.text))
    return TalkLine(said.number, name, (TextPart(told),), notice=True)
