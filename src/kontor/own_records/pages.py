"""The contents of the pages of people's own records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import ClassVar, Final

import msgspec
from markupsafe import Markup

from kontor.analysis import is_analysed
from kontor.endings import describe_early_end, describe_early_end_briefly
from kontor.game import OVER
from kontor.own_records.log import RecordLog
from kontor.own_records.values import BroughtRecord, OwnRecord, Summary
from kontor.people.texts import distinct, name_said
from kontor.players import has_judge
from kontor.players.levels import marked, seat_name
from kontor.records import Record, Verified, describe_dice
from kontor.studies.routes.reviews import ReviewPlace
from kontor.tables.pages.replay import Replayed, ReplayLinks, Stop, draw_stop, headline_of
from kontor.tables.pages.table_context import PositionShown
from kontor.tables.pages.table_page import subtitle
from kontor.visible_text import visible
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages.refused import Refused
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words

_PERSON: Final = "person"


class RecordCard(msgspec.Struct, frozen=True, kw_only=True):
    """A record in the list."""

    id: str
    title: str
    game: str
    """The title of its game."""
    tone: str
    """The background of the game's sign."""
    facts: str
    when: str
    """The day on which the game was played; if that is unknown, on which the record was brought."""


class RecordsPage(WholePage, frozen=True, kw_only=True):
    """The context of the list of one's own records, and of the form for another."""

    template: ClassVar = "own_records/list.html"

    cards: Sequence[RecordCard]
    typed: str
    """The text that was sent, and refused."""
    most: int
    """The greatest size of a record, in kilobytes."""
    most_records: int
    refused: Refused | None


class SeatResult(msgspec.Struct, frozen=True):
    """A seat with its result."""

    name: str
    points: int | None
    """None for a game that was not played to its end."""
    won: bool


class RecordPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a record."""

    template: ClassVar = "own_records/record.html"

    card: RecordCard
    address: str
    name: str
    """The name that its owner has given it."""
    seats: Sequence[SeatResult]
    outcome: str
    """A sentence on how the game ended."""
    checked: Sequence[str]
    """Sentences about the checks of the record."""
    fault: str
    """The reason why this Kontor can't replay it; else empty."""
    reviewable: bool
    mine: bool
    may_download: bool
    shared_link: str
    """The whole address for others; empty unless it is shared."""


def names_of(words: Words, game: str, summary: Summary) -> tuple[str, ...]:
    """Return the names of the seats as pages show them, each once."""
    names: list[str] = []
    for name, player in zip(summary.seats, summary.players, strict=True):
        clean = visible(name).strip() or words.say("Seat {number}", number=len(names) + 1)
        is_machine = player != _PERSON and game in web_adapters()
        display_name = marked(seat_name(words, clean, player)) if is_machine else name_said(words, clean)
        names.append(distinct(display_name, names))
    return tuple(names)


def card_of(words: Words, record: OwnRecord) -> RecordCard:
    """Return a record as the list shows it."""
    adapter = web_adapters().get(record.game)
    summary, names = record.summary, names_of(words, record.game, record.summary)
    return RecordCard(
        id=record.id,
        title=record.name or words.all_of(names),
        game=adapter.title if adapter else record.game,
        tone=adapter.tone if adapter else "",
        facts=_outcome(words, names, summary),
        when=words.day((summary.started or record.added).astimezone(words.zone or UTC).date()),
    )


def _outcome(words: Words, names: Sequence[str], summary: Summary) -> str:
    """Return a few words on how the game ended."""
    if summary.early is not None:
        return describe_early_end_briefly(words, names, summary.early)
    if summary.result is None:
        return words.say("Not finished")
    winners = [names[seat] for seat in summary.result.winners]
    if len(winners) > 1:
        return words.say("{names} share the win", names=words.all_of(winners))
    return words.say("{name} won", name=winners[0]) if winners else words.say("the game is over")


def describe_outcome(words: Words, record: OwnRecord) -> str:
    """Return how the game ended, in a sentence."""
    summary, names = record.summary, names_of(words, record.game, record.summary)
    if summary.early is not None:
        return describe_early_end(words, names, summary.early)
    if summary.result is None:
        return words.say("This game is not over: only what is public is shown.")
    return ""


def seats_of(words: Words, record: OwnRecord) -> list[SeatResult]:
    """Return the seats with their results."""
    summary = record.summary
    points = summary.result.points if summary.result else ()
    ending = summary.result or summary.early
    winners = ending.winners if ending else ()
    return [
        SeatResult(name, points[seat] if points else None, seat in winners)
        for seat, name in enumerate(names_of(words, record.game, summary))
    ]


def describe_checks(words: Words, checked: Verified) -> list[str]:
    """Return sentences about the checks of a record."""
    sentences = [words.count("The one step follows the rules.", "All {n} steps follow the rules.", checked.steps)]
    if checked.dice:
        sentences.append(
            words.count(
                "The one shuffle or roll follows from the seed.",
                "All {n} shuffles and rolls follow from the seed.",
                checked.outcomes,
            )
        )
    return [*sentences, *describe_dice(words, checked)]


def review_place(words: Words, brought: BroughtRecord) -> ReviewPlace:
    """Return a record whose game is reviewed."""
    address = address_of(brought)
    return ReviewPlace(
        game=brought.info.game,
        address=address,
        home_text=words.say("Back to the record"),
        analysis=f"{address}/analysis" if is_analysed(brought.info.game) else "",
        names=names_of(words, brought.info.game, brought.info.summary),
    )


def replay_links(words: Words, brought: BroughtRecord) -> ReplayLinks:
    """Return the addresses on the page of a record's replay."""
    address, game, is_over = address_of(brought), brought.info.game, brought.info.summary.is_over
    return ReplayLinks(
        here=f"{address}/replay",
        home=address,
        home_text=words.say("Back to the record"),
        review=f"{address}/review" if is_over and has_judge(game) else "",
        analysis=f"{address}/analysis" if is_over and is_analysed(game) else "",
        views=is_over,
    )


def address_of(brought: BroughtRecord) -> str:
    """Return the address of a record for its reader."""
    return f"/records/{brought.key}"


def record_at(
    pages: Pages, visitor: Visitor, brought: BroughtRecord, log: RecordLog, seat: int | None, stop: Stop
) -> Replayed:
    """Return the game of a record at a stop, with a seat's view."""
    words, info = visitor.words, brought.info
    adapter, names = adapter_of(info.game), names_of(words, info.game, info.summary)
    early = info.summary.early if stop.number == log.last else None
    position = PositionShown(
        game=info.game,
        title=adapter.title,
        subtitle=subtitle(words, adapter),
        address=address_of(brought),
        seat=seat,
        my_turn=False,
        over=early is not None or stop.lines[-1].after.mover == OVER,
        names=names,
        headline=describe_early_end(words, names, early) if early else headline_of(words, adapter, names, stop),
    )
    return draw_stop(pages, words, position, log, stop, Markup())


def file_name(brought: BroughtRecord, ending: str = "") -> str:
    """Return the name of the file in which a record is downloaded."""
    day: datetime = brought.info.summary.started or brought.info.added
    return f"{brought.info.game}-{day:%Y-%m-%d}-{brought.key[:6]}{ending}.jsonl"


def is_reviewable(record: Record) -> bool:
    """Return True if the game is over and can be judged."""
    return record.ending is not None and has_judge(record.header.game)
