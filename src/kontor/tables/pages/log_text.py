"""The log and the chat in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from kontor.lru_cache import LruCache
from kontor.people.texts import name_said
from kontor.players.levels import level_name
from kontor.tables.values import ChatLine, VisibleStep
from kontor.tables.views import TableView
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


def log_lines(words: Words, adapter: WebAdapter, names: Sequence[str], steps: Sequence[VisibleStep]) -> list[LogLine]:
    """Return the log in sentences, with a heading at the beginning of each round."""
    return _log_lines_from(words, adapter, names, steps, 0)[0]


def _log_lines_from(
    words: Words, adapter: WebAdapter, names: Sequence[str], steps: Sequence[VisibleStep], last_round: int
) -> tuple[list[LogLine], int]:
    """Return the log in sentences, and the round of the last one.

    ``last_round`` is the round of the sentences before.
    """
    lines = []
    for step in steps:
        for part, sentence in enumerate(sentences(words, adapter, names, step), 1):
            if step.before.round != last_round:
                last_round = step.before.round
                heading = words.say("Round {round}", round=last_round)
                lines.append(LogLine(step.number, 0, heading, head=True))
            lines.append(LogLine(step.number, part, sentence))
    return lines, last_round


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
        self._cache: LruCache[object, LogText] = LruCache(most, over, _is_over)

    def log_text(
        self, words: Words, adapter: WebAdapter, names: Sequence[str], now: TableView, seat: int | None
    ) -> tuple[LogText, list[VisibleStep]]:
        """Return the log text as the seat may know it, and the steps since the reader's last move.

        Raises what ``now.events`` raises.
        """
        key = now.info.id, now.info.undone, seat, words, tuple(names)
        cached = self._cache.get(key)
        if cached is None or cached.until > now.info.number:
            cached = LogText((), 0, 0, 0, over=False)
        steps = now.events(seat, since=cached.mine)
        new = [step for step in steps if step.number > cached.until]
        log_text = _extend(cached, words, adapter, names, new, seat)
        self._cache.keep(key, replace(log_text, over=now.info.status == "over"))
        return log_text, [step for step in steps if step.number > log_text.mine]


def _is_over(log_text: LogText) -> bool:
    return log_text.over


def _extend(
    cached: LogText,
    words: Words,
    adapter: WebAdapter,
    names: Sequence[str],
    new: Sequence[VisibleStep],
    seat: int | None,
) -> LogText:
    if not new:
        return cached
    lines, last_round = _log_lines_from(words, adapter, names, new, cached.round)
    return LogText(
        (*cached.lines, *lines), new[-1].number, last_round, last_move(new, seat, cached.mine), cached.over
    )


def last_move(steps: Sequence[VisibleStep], seat: int | None, before: int) -> int:
    """Return the number of the reader's last move, or ``before`` if there is none among these steps.

    For spectators it is the number before the last move of anybody, so that they see that move.
    """
    for step in reversed(steps):
        if seat is None and step.event.seat >= 0:
            return step.number - 1
        if step.event.seat == seat:
            return step.number
    return before


@dataclass(frozen=True)
class TalkLine:
    """A line of the chat, in parts of which some are links; or a notice."""

    number: int
    name: str
    parts: tuple[TextPart, ...]
    notice: bool
    onlooker: bool = False
    page: str = ""
    """The address of the speaker's page; empty if they show none."""


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
    "suggested": mark("{name} proposes a pause."),
    "accepted": mark("{name} agrees to the pause."),
    "paused": mark("The game is paused."),
    "resumed": mark("{name} ends the pause."),
    "pause over": mark("The pause is over."),
    "more time": mark("{giver} gives {name} more time."),
    "requested": mark("{name} asks to take back a move."),
    "consented": mark("{name} agrees to take it back."),
    "taken back": mark("All agreed: the game is back before {name}’s move."),
    "holiday": mark("{name} is on holiday until {day}."),
    "is back": mark("{name} is back from holiday."),
    "webhook": mark("{name} lets a chat outside Kontor know whose turn it is here (Webhook)."),
    "no webhook": mark("{name} removes the webhook."),
    "without": mark("The game begins without {name}’s contribution to the dice."),
}


def talk_line(words: Words, chat_line: ChatLine, names: Sequence[str], pages: Mapping[int, str]) -> TalkLine:
    """Return a line of the chat, as the page shows it.

    ``names`` are those of the seats, and ``pages`` the addresses of people's pages, by seat.
    """
    notice, name = _NOTICES.get(chat_line.kind), name_said(words, chat_line.name)
    if notice is None:
        page = "" if chat_line.seat is None else pages.get(chat_line.seat, "")
        onlooker = chat_line.kind == "onlooker"
        return TalkLine(chat_line.number, name, parts(chat_line.text), notice=False, onlooker=onlooker, page=page)
    text = words.say(notice, name=name, **_details(words, chat_line, names))
    return TalkLine(chat_line.number, name, (TextPart(text),), notice=True)


def _details(words: Words, chat_line: ChatLine, names: Sequence[str]) -> dict[str, str]:
    """Return what a notice tells beside the name, from the row's text."""
    match chat_line.kind:
        case "more time":
            return {"giver": names[int(chat_line.text)]}
        case "holiday":
            return {"day": words.day(date.fromisoformat(chat_line.text))}
        case _:
            return {"level": level_name(words, chat_line.text)}
