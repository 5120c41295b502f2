"""The page of a table: what one visitor may see of it at one moment, as plain values for its templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import groupby
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup, escape
from msgspec.structs import replace

from kontor.endings import describe_early_end
from kontor.game import CHANCE, OVER
from kontor.players.levels import usual
from kontor.tables.hints import Hints
from kontor.tables.pages.breaks import describe_pause, may_pause
from kontor.tables.pages.commands import Answer
from kontor.tables.pages.confirming import Confirmation
from kontor.tables.pages.hints import HintShown, describe_hint
from kontor.tables.pages.log_text import BLOCK, PART, LogLine, LogTexts, TalkLine, talk_line
from kontor.tables.pages.opening import machines, name_of_pace, preset_paces
from kontor.tables.pages.seating import (
    ChairShown,
    chairs,
    describe_away,
    describe_late,
    describe_leaving,
    describe_proposal,
    describe_rated_end,
    describe_rating,
    describe_rematch,
    describe_revealing,
    describe_watching,
    meets_others,
    names_of,
    seats_still_mine,
    terms,
    unusual_terms,
)
from kontor.tables.pages.table_context import (
    Board,
    ChatShown,
    Endings,
    Heading,
    Log,
    PositionShown,
    Seats,
    TableContent,
    TableShown,
    UndoShown,
    Waiting,
)
from kontor.tables.pages.taking_back import describe_taking_back
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.tempos import pauses
from kontor.tables.values import AheadShown, SeatView, ShownRating, TableInfo, UndoChoice, VisibleStep
from kontor.tables.views import TableView, VisibleLog
from kontor.web.adapter import Seen, WebAdapter, adapter_of
from kontor.web.lessons import Tip
from kontor.web.pages.fragments import NUMBER, TOKEN, Page
from kontor.web.pages.refused import Refused, rule_url
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor
from kontor.words import Words, mark

Line = TypeVar("Line", LogLine, TalkLine)


MOST_RETOLD: Final = 20
"""Most steps from an event that must be known first to now."""


# ------------------------------------------------------------------------------------ the seat whose view is shown


def viewing_seat(now: TableView, requested: int | None) -> tuple[int | None, int | None]:
    """Return the seat whose view to show, and the seat to hand the device to, if any.

    A visitor with one seat sees its view. If one device has several seats, the mover's view is next. It is shown at
    once in a game without secrets between these seats, else after the device was handed on.
    """
    info = now.info
    if not info.mine:
        return None, None
    if len(info.mine) == 1:
        return info.mine[0], None
    chosen = requested if requested in info.mine else None
    if info.mover in info.mine and info.mover != chosen and info.status == "playing":
        return (None, info.mover) if _is_secret(now) else (info.mover, None)
    return chosen if chosen is not None else (None if _is_secret(now) else info.mine[0]), None


def _is_secret(now: TableView) -> bool:
    """Return True if seats at one device know what the others there do not."""
    first, second = (msgspec.to_builtins(now.look(seat).view) for seat in now.info.mine[:2])
    return {**first, "seat": None} != {**second, "seat": None}


# ------------------------------------------------------------------------------------------------- the whole page


@dataclass(frozen=True)
class PageRequest:
    """A request for a table page: the seat whose view to show, muted or not, and the latest refusal."""

    seat: int | None = None
    muted: bool = False
    undo: UndoChoice = "usual"
    """True if the reader's moves can be taken back."""
    refused: Refused | None = None
    base: str = ""
    """The server's address, for links that are sent to friends."""
    link: tuple[int | None, str] | None = None
    """A seat, and the invitation just made for it; None for an invitation to all seats of the table."""
    sent: Mapping[str, str] = field(default_factory=dict)
    """The fields of the form that was just refused: its page shows them again."""
    answer: Answer | None = None
    """The answer to a command that was just typed."""
    confirmation: Confirmation | None = None
    """The question about the move that was just sent."""
    tips: bool = False
    """True if things that are possible for the first time are explained."""


def _nobody(_: str) -> int:
    return 0


def _nothing_ahead(_: TableView) -> None:
    return None


@dataclass(frozen=True)
class TablePages:
    """The renderer of table pages."""

    pages: Pages
    hints: Hints
    log_texts: LogTexts
    ratings_beside_names: Callable[[TableSnapshot], Mapping[int, ShownRating]]
    """Returns what the people at a table show of themselves, by seat."""
    looking_on: Callable[[str], int] = _nobody
    """Returns the number of spectators of a table."""
    ahead_of: Callable[[TableView], AheadShown | None] = _nothing_ahead
    """Returns what the reader of a table sees of the moves that they have given ahead."""
    offers_webhooks: bool = False
    """True if tables can have webhooks."""

    def table(self, visitor: Visitor, now: TableView, page_request: PageRequest) -> Page:
        """Return the content of ``#table``. ``now`` is the table as the visitor sees it."""
        moment = moment_of(visitor.words, now, page_request)
        return self.render(visitor, moment, self.content(visitor, moment, page_request))

    def render(self, visitor: Visitor, moment: TableMoment, content: TableContent) -> Page:
        """Return the content of ``#table`` from its context."""
        head = _head(self.pages, moment, title_of(visitor.words, moment.table))
        return self.pages.build(visitor, content, head=head, number=moment.table.number)

    def content(self, visitor: Visitor, moment: TableMoment, page_request: PageRequest) -> TableContent:
        """Return the context of the content of ``#table``."""
        words, table, look = visitor.words, moment.table, moment.look
        info, adapter = table.info, adapter_of(table.game)
        seats = Seats(
            chairs=chairs(words, info, _link(page_request, info), self.ratings_beside_names(moment.now.snapshot)),
            terms=terms(words, info),
            unusual=unusual_terms(words, info),
            watching=describe_watching(words, info, self.looking_on(info.id)),
        )
        ahead = self.ahead_of(moment.now) if look and table.seat is not None else None
        log, steps = self._log(words, moment) if look else (Log(), ())
        return TableContent(
            table=table,
            heading=Heading(
                whereabouts=_whereabouts(words, info, look),
                looks_on=bool(info.may_watch and not info.mine and info.status != "waiting"),
                clocks=[chair for chair in seats.chairs if chair.until],
            ),
            seats=seats,
            waiting=_waiting(words, info, page_request) if info.status == "waiting" else None,
            endings=_endings(words, table, ahead),
            ahead=ahead,
            undo=_undoing(words, info, page_request.undo) if info.mine and info.status == "playing" else None,
            refused=page_request.refused,
            sent=page_request.sent,
            hint=describe_hint(words, self.hints, table.names, info, table.seat, look),
            board=_board(words, moment, look, steps, log, page_request) if look else None,
            log=log,
            rules_now=rules_now(words, adapter, look),
            chat=_chat(visitor, moment, seats.chairs, muted=page_request.muted),
            takes_commands=adapter.question is not None,
            offers_webhook=self.offers_webhooks,
            here=f"{table.address}{query_of(page_request, info)}",
        )

    def _log(self, words: Words, moment: TableMoment) -> tuple[Log, Sequence[VisibleStep]]:
        """Return the log, and the steps since the reader's last move."""
        table = moment.table
        log_text, steps = self.log_texts.log_text(words, adapter_of(table.game), table.names, moment.now, table.seat)
        happened = [line.text for line in log_text.lines if line.number > log_text.mine and not line.head]
        replay = ""
        if table.seat is not None and len(happened) > 1:
            replay = f"{table.address}/replay?{urlencode({'at': log_text.mine + 1, 'as': table.seat})}"
        return Log(parts=in_parts(log_text.lines), happened=happened, steps=replay), steps


@dataclass(frozen=True)
class TableMoment:
    """A table at a moment, as one reader sees it."""

    now: TableView
    table: TableShown
    look: SeatView | None
    """The view and the moves of the seat; None if no board is shown."""
    tips: Sequence[Tip]
    """The tips that could be shown now."""


def moment_of(words: Words, now: TableView, page_request: PageRequest) -> TableMoment:
    """Return the table as the page shows it."""
    info = now.info
    seat, curtain = viewing_seat(now, page_request.seat)
    hidden = info.status == "waiting" or not info.may_watch or curtain is not None
    look = None if hidden else now.look(seat)
    table = _table_shown(words, now, seat, curtain, look)
    tips = adapter_of(info.game).tips if page_request.tips and table.my_turn else ()
    return TableMoment(now, table, look, [tip for tip in tips if look and tip.when(look.view)])


def _table_shown(
    words: Words, now: TableView, seat: int | None, curtain: int | None, look: SeatView | None
) -> TableShown:
    """Return the table as templates see it."""
    info = now.info
    adapter = adapter_of(info.game)
    names = names_of(words, info)
    is_playing = info.status == "playing" and not info.paused
    return TableShown(
        id=info.id,
        game=info.game,
        title=adapter.title,
        subtitle=subtitle(words, adapter),
        info=info,
        number=info.number,
        version=(info.number + 2 * info.undone) * 100_000 + now.last_chat_number,
        seat=seat,
        curtain=curtain,
        my_turn=look is not None and seat is not None and look.view.mover == seat and is_playing,
        over=info.status == "over",
        names=names,
        headline=_headline(words, adapter, names, now, look, curtain),
    )


def _undoing(words: Words, info: TableInfo, choice: UndoChoice) -> UndoShown:
    """Return what the reader can take back."""
    return UndoShown(
        line=info.number if info.undo_until else 0,
        choice=choice,
        choices={value: words.say(label) for value, label in _UNDO_CHOICES.items()},
    )


def _waiting(words: Words, info: TableInfo, page_request: PageRequest) -> Waiting:
    """Return what can be done at a table where somebody or something is missing."""
    invites = bool(info.host or info.mine) and any(not seat.taken for seat in info.seats)
    alone = not any(seat.taken and not seat.player for place, seat in enumerate(info.seats) if place not in info.mine)
    return Waiting(
        link=_link_to_table(page_request, info) if invites else "",
        invites=invites,
        rated=describe_rating(words, info),
        free=sum(not seat.taken for seat in info.seats),
        pace=name_of_pace(info.pace),
        pace_url=f"/tables/{info.id}/pace{query_of(page_request, info)}",
        paces=preset_paces(words) if info.host and alone and info.dice == "early" else {},
        leaving=describe_leaving(words, info),
        revealing=describe_revealing(words, info),
        players=machines(words, info.game),
        usual_player=usual(info.game),
    )


def _endings(words: Words, table: TableShown, ahead: AheadShown | None) -> Endings:
    """Return who is late or away, and how the game can end or has ended early."""
    info = table.info
    own_seats = seats_still_mine(info)
    may_end = bool(info.status == "playing" and own_seats)
    return Endings(
        late=describe_late(words, info),
        away=describe_away(words, info),
        stood_in=[at for at in own_seats if info.seats[at].stood_in],
        proposal=describe_proposal(words, info),
        may_end=may_end,
        pause=describe_pause(words, info) if info.status == "playing" else None,
        may_pause=may_end and may_pause(info),
        ahead_missed=ahead is not None and ahead.missed,
        taking_back=describe_taking_back(words, info) if info.may_watch else None,
        early=describe_early_end(words, table.names, info.early) if info.early else "",
        rematch=describe_rematch(words, info),
        rated=describe_rated_end(words, info) if info.status == "over" else "",
    )


def _chat(visitor: Visitor, moment: TableMoment, sitting: Sequence[ChairShown], *, muted: bool) -> ChatShown:
    """Return the chat, and the address of the page about the people who were met."""
    table = moment.table
    info = table.info
    chat = moment.now.chat_lines() if info.may_watch or info.mine or info.host else ()
    pages = {chair.seat: chair.page for chair in sitting}
    may_talk = bool(info.mine or info.host or (table.over and info.watch and visitor.person))
    return ChatShown(
        parts=in_parts([talk_line(visitor.words, line, table.names, pages) for line in chat]),
        may_talk=may_talk,
        muted=muted,
        others=f"{table.address}/people" if may_talk and meets_others(info, chat) else "",
    )


_UNDO_CHOICES: Final[dict[UndoChoice, str]] = {
    "usual": mark("for 3 seconds, until someone moves"),
    "wait": mark("for 3 seconds; computer players wait"),
    "never": mark("never"),
}


def _head(pages: Pages, moment: TableMoment, title: str) -> str:
    """Return the part of the page that is sent with every change."""
    table, tips = moment.table, moment.tips
    stays = _reading_pause(moment.now) if moment.look else 0
    tips_attribute = f' data-tips="{" ".join(tip.name for tip in tips)}"' if tips else ""
    turn, icon = "mine" if table.my_turn else "theirs", pages.assets.address("kontor.svg")
    return (
        f"<title>{escape(title)}</title>"
        f'<div id="state" data-version="{table.version}" data-turn="{turn}" data-icon="{icon}" data-stays="{stays}"'
        f"{tips_attribute} hidden></div>"
    )


def _reading_pause(now: TableView) -> int:
    """Return for how many milliseconds the end of a round stays readable, also if others go on at once."""
    return round(1000 * pauses(now.info.tempo, now.info.pace).ended) if now.log.begins_round else 0


def reload_after(table: TableShown, hint: HintShown | None) -> int:
    """Return after how many seconds a page without scripts reloads; 0 for never."""
    if hint is not None and hint.stage == "thinking":
        return 2
    return 0 if table.my_turn or table.over else 15


def _link(page_request: PageRequest, info: TableInfo) -> tuple[int, str] | None:
    """Return the seat of the invitation just made, and the link to send."""
    seat, token = page_request.link or (None, "")
    return None if seat is None else (seat, f"{page_request.base}/invitations/{info.id}/{seat}/{token}")


def _link_to_table(page_request: PageRequest, info: TableInfo) -> str:
    """Return the link to all seats of the table, if the invitation just made is for all; else an empty text."""
    if page_request.link is None or page_request.link[0] is not None:
        return ""
    return f"{page_request.base}/invitations/{info.id}/{page_request.link[1]}"


def query_of(page_request: PageRequest, info: TableInfo) -> str:
    """Return the query of the page's address; it names the seat only if there is a choice."""
    fields = {"as": str(page_request.seat)} if page_request.seat is not None and len(info.mine) > 1 else {}
    if page_request.link and info.status == "waiting":
        seat, token = page_request.link
        fields |= ({} if seat is None else {"seat": str(seat)}) | {"invitation": token}
    return f"?{urlencode(fields)}" if fields else ""


def _board(
    words: Words,
    moment: TableMoment,
    look: SeatView,
    steps: Sequence[VisibleStep],
    log: Log,
    page_request: PageRequest,
) -> Board:
    """Return the board; ``steps`` are the steps since the reader's last move."""
    table = moment.table
    moves = look.moves if table.my_turn else ()
    return Board(
        table=table,
        own=adapter_of(table.game).context(words, table.names, look.view, moves, seen_of(steps)),
        fields=table_fields(table.seat, table.info.undone),
        moves_url=f"{table.address}/moves",
        rule_url=partial(rule_url, table.game),
        sent=page_request.sent,
        confirmation=page_request.confirmation,
        happened=log.happened,
        steps=log.steps,
        tale=afterwards(words, table, moment.now) if look.view.mover == OVER else None,
    )


@cache
def table_fields(seat: int | None, undone: int) -> Markup:
    """Return the hidden fields of every form."""
    undone_field = Markup('<input type="hidden" name="undone" value="{}">').format(undone) if undone else Markup()
    return undone_field + Markup(
        '<input type="hidden" name="number" value="{}"><input type="hidden" name="as" value="{}">'
        '<input type="hidden" name="token" value="{}">'
    ).format(NUMBER, "" if seat is None else seat, TOKEN)


def afterwards(words: Words, table: TableShown | PositionShown, log: VisibleLog) -> Any:
    """Return what the game shows of itself at its end, when all views are open to everyone."""
    seen = [seen_of(log.events(at)) for at in range(len(table.names))]
    return adapter_of(table.game).afterwards(words, table.names, table.seat, seen)


def seen_of(steps: Sequence[VisibleStep]) -> list[Seen]:
    """Return steps in the form that games take."""
    return [(step.number, step.event, step.before, step.after) for step in steps]


def in_parts(lines: Sequence[Line]) -> list[tuple[int, list[Line]]]:
    """Return the lines in numbered parts, so that a new line changes only the last part.

    A part has ``PART`` lines in the last block, and ``BLOCK`` lines before it.
    """
    last = lines[-1].number // BLOCK if lines else 0

    def part_of(line: Line) -> int:
        block = line.number // BLOCK
        return line.number // PART if block == last else block * (BLOCK // PART)

    return [(part, list(alike)) for part, alike in groupby(lines, part_of)]


def file_of(pages: Pages, name: str) -> str:
    """Return the name of a static file if the game has it, else an empty string."""
    return name if pages.has(name) else ""


# ---------------------------------------------------------------------------------------------------- sentences


def _headline(
    words: Words,
    adapter: WebAdapter,
    names: Sequence[str],
    now: TableView,
    look: SeatView | None,
    curtain: int | None,
) -> str:
    info = now.info
    if curtain is not None:
        return words.say("Hand the device to {name}.", name=names[curtain])
    if info.early:
        return describe_early_end(words, names, info.early)
    if info.paused:
        return words.say("The game is paused.")
    if look and look.view.mover == CHANCE and info.status == "playing":
        return words.say("Waiting until all tables have come this far.")
    retold = _retell(words, adapter, names, now, look) if look and info.status == "playing" else ""
    if look and len(info.mine) <= 1:
        if retold:
            return retold
        if adapter.addressed:
            return adapter.addressed(words, names, look.view)
    if look:
        # If several people share the device, the headline names the player.
        headline = retold or adapter.headline(words, names, look.view)
        mine = look.view.seat is not None and look.view.mover == look.view.seat
        return words.say("Your turn. {headline}", headline=headline) if mine else headline
    if info.status == "waiting":
        free = sum(not seat.taken for seat in info.seats)
        if info.revealing:
            if info.pace.kind == "live":
                return words.say("The game is about to begin.")
            return words.say("The contributions to the dice are being revealed.")
        return words.count("One seat is still empty.", "{n} seats are still empty.", free)
    return words.say("A game for its players only.")


def _retell(words: Words, adapter: WebAdapter, names: Sequence[str], now: TableView, look: SeatView) -> str:
    """Return what has just happened, if it must be known first. To several at one device it says no "you"."""
    seat, number = look.view.seat, now.info.number
    view = look.view if len(now.info.mine) <= 1 else replace(look.view, seat=None)
    return adapter.retell(words, names, view, lambda: seen_of(now.events(seat, number - MOST_RETOLD)))


def subtitle(words: Words, adapter: WebAdapter) -> str:
    """Return a translation of the title of a game; empty if it is the same."""
    meaning = words.say(adapter.meaning) if adapter.meaning else ""
    return "" if meaning == adapter.title else meaning


def title_of(words: Words, table: TableShown) -> str:
    """Return the title of the page, which is all that a hidden tab shows."""
    if table.curtain is not None:
        return words.say("Hand the device to {name} – {game}", name=table.names[table.curtain], game=table.title)
    if table.my_turn:
        return words.say("● Your turn – {game}", game=table.title)
    return words.say("{headline} – {game}", headline=table.headline.rstrip(".。"), game=table.title)


def _whereabouts(words: Words, info: TableInfo, look: SeatView | None) -> str:
    if look and info.status == "playing":
        return words.say("Round {round}", round=look.view.round)
    if info.status == "over":
        return words.say("the game is over")
    return words.say("waiting for players") if info.status == "waiting" and not info.revealing else ""


def rules_now(words: Words, adapter: WebAdapter, look: SeatView | None) -> list[tuple[str, str]]:
    """Return the rules that matter now, with their numbers."""
    return [(number, words.say(adapter.rules[number])) for number in adapter.rules_now(look.view)] if look else []
