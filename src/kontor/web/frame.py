"""The page of a table: everything round the board. What one visitor may see of it, at one moment, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from markupsafe import Markup

from kontor.players import PLAYERS
from kontor.table import House, Look, Said, TableInfo, Told
from kontor.web.refusals import Refused, rule_url
from kontor.web.render import Pages
from kontor.web.rooms import ROOMS, Room
from kontor.web.sessions import Visitor
from kontor.words import Words

LINES_READ: Final = 60
LINES_SHOWN: Final = 40
"""Of the log beside the table; the whole log has a page of its own."""


@dataclass(frozen=True)
class Frame:
    """What the templates and the boards know of a table as ``table``."""

    id: str
    game: str
    title: str
    info: TableInfo
    number: int
    version: int
    """Grows with every change that somebody at the table can see: lines of the log, and what is said."""
    seat: int | None
    """Whose eyes; None is a spectator."""
    curtain: int | None
    """The seat that the device is to be handed to before anything is shown."""
    my_turn: bool
    over: bool
    names: tuple[str, ...]
    headline: str

    @property
    def address(self) -> str:
        """Of its page."""
        return f"/tables/{self.id}"


def names_of(words: Words, info: TableInfo) -> tuple[str, ...]:
    """What the seats are called; a seat that nobody has taken yet too."""
    return tuple(seat.name or words.say("an empty chair") for seat in info.seats)


# ------------------------------------------------------------------------------------------------------ whose eyes


def eyes(house: House, info: TableInfo, wished: int | None) -> tuple[int | None, int | None]:
    """By whose eyes somebody sees the table, and the seat that the curtain hides, if any.

    Whoever has one seat sees by it. Of several seats at one device the mover's is next: it is shown at once in a game
    where no seat knows more than the others, else after the device was handed on.
    """
    if not info.mine:
        return None, None
    if len(info.mine) == 1:
        return info.mine[0], None
    shown = wished if wished in info.mine else None
    if info.mover in info.mine and info.mover != shown and info.status == "playing":
        return (None, info.mover) if _secret(house, info) else (info.mover, None)
    return shown if shown is not None else (None if _secret(house, info) else info.mine[0]), None


def _secret(house: House, info: TableInfo) -> bool:
    """Whether seats at one device know what the others there do not."""
    mine, yours = (msgspec.to_builtins(house.look(info.id, seat).view) for seat in info.mine[:2])
    return {**mine, "seat": None} != {**yours, "seat": None}


# ------------------------------------------------------------------------------------------------- the whole page


@dataclass(frozen=True)
class Wish:
    """How a table page is asked for: by whose eyes, muted or not, and what was just refused."""

    seat: int | None = None
    muted: bool = False
    refused: Refused | None = None
    base: str = ""
    """The house's address, for links to be sent to friends."""
    link: tuple[int, str] | None = None
    """A seat, and the invitation just made for it."""


def context_of(house: House, pages: Pages, visitor: Visitor, table: str, wish: Wish) -> dict[str, Any]:
    """Everything that the templates of a table page need. Raises NoTable."""
    words = visitor.words
    info = house.info(table, visitor.id)
    room = ROOMS[info.game]
    names = names_of(words, info)
    seat, curtain = eyes(house, info, wish.seat)
    said = house.said(table) if info.may_watch or info.mine or info.host else ()
    playing = info.status != "waiting" and info.may_watch
    look = house.look(table, seat) if playing and curtain is None else None
    number = look.number if look else info.number
    my_turn = look is not None and seat is not None and look.view.mover == seat
    frame = Frame(
        id=info.id,
        game=info.game,
        title=room.title,
        info=info,
        number=number,
        version=number * 100_000 + (said[-1].number if said else 0),
        seat=seat,
        curtain=curtain,
        my_turn=my_turn,
        over=info.status == "over",
        names=names,
        headline=_headline(words, room, names, info, look, curtain),
    )
    asked = f"?as={wish.seat}" if wish.seat is not None else ""
    found: dict[str, Any] = {
        "table": frame,
        "title": _title(words, frame),
        "whereabouts": _whereabouts(words, info, look),
        "refused": wish.refused,
        "late": _late(words, frame),
        "stood_in": [at for at in info.mine if info.seats[at].stood_in],
        "players": tuple(PLAYERS[info.game]),
        "chairs": chairs(words, frame, wish),
        "terms": terms(words, info),
        "live_url": f"{frame.address}/live{asked}",
        "here": f"{frame.address}{asked}",
        "reload": 0 if my_turn or frame.over else 15,
        "rules_now": _rules_now(words, room, look),
        "said": [_line(words, line) for line in said],
        "may_talk": bool(info.mine or info.host),
        "muted": wish.muted,
        "log": (),
        "happened": (),
        "room": room,
        "board_css": file_of(pages, f"{info.game}.css"),
        "board_js": file_of(pages, f"{info.game}.js"),
    }
    if look:
        told = house.events(table, seat, since=number - LINES_READ)
        found |= board(visitor, room, frame, look, told)
        found["log"] = told_lines(words, room, names, told)[-LINES_SHOWN:]
    return found


def board(visitor: Visitor, room: Room, frame: Frame, look: Look, told: Sequence[Told]) -> dict[str, Any]:
    """What the board's own template needs, and what happened since the reader's last move."""
    words = visitor.words
    since = since_my_move(told, frame.seat)
    seen = [(line.number, line.event, line.before, line.after) for line in since]
    moves = look.moves if frame.my_turn else ()
    fields = Markup(
        '<input type="hidden" name="number" value="{}"><input type="hidden" name="as" value="{}">'
        '<input type="hidden" name="token" value="{}">'
    ).format(frame.number, "" if frame.seat is None else frame.seat, visitor.token)
    return {
        **room.context(words, frame.names, look.view, moves, seen),
        "fields": fields,
        "moves_url": f"{frame.address}/moves",
        "rule_url": lambda rule: rule_url(frame.game, rule),
        "number": frame.number,
        "happened": [sentence for line in since for sentence in _sentences(words, room, frame.names, line)],
    }


def since_my_move(told: Sequence[Told], seat: int | None) -> Sequence[Told]:
    """The lines after the reader's last move; for spectators, what the last mover did."""
    for place in range(len(told) - 1, -1, -1):
        actor = told[place].event.seat
        if actor == seat if seat is not None else actor >= 0:
            return told[place + (seat is not None) :]
    return told


def file_of(pages: Pages, name: str) -> str:
    """The static file, where a game brings it; else empty."""
    return name if pages.has(name) else ""


# ---------------------------------------------------------------------------------------------------- sentences


def _headline(
    words: Words, room: Room, names: Sequence[str], info: TableInfo, look: Look | None, curtain: int | None
) -> str:
    if curtain is not None:
        return words.say("Hand the device to {name}.", name=names[curtain])
    if look:
        return room.headline(words, names, look.view)
    if info.status == "waiting":
        free = sum(not seat.taken for seat in info.seats)
        return words.count("One chair is still empty.", "{n} chairs are still empty.", free)
    return words.say("A game for its players only.")


def _title(words: Words, frame: Frame) -> str:
    """Of the page; it is all that a hidden tab shows."""
    if frame.curtain is not None:
        return words.say("Hand the device to {name} – {game}", name=frame.names[frame.curtain], game=frame.title)
    if frame.my_turn:
        return words.say("● Your turn – {game}", game=frame.title)
    return words.say("{headline} – {game}", headline=frame.headline.rstrip("."), game=frame.title)


def _whereabouts(words: Words, info: TableInfo, look: Look | None) -> str:
    if look and info.status == "playing":
        return words.say("Round {round}", round=look.view.round)
    if info.status == "over":
        return words.say("the game is over")
    return words.say("waiting for company") if info.status == "waiting" else ""


def terms(words: Words, info: TableInfo) -> str:
    """What was agreed on when the table was opened."""
    pace = info.pace
    if pace.kind == "live":
        how = words.say(
            "Live: {seconds} seconds a move, {reserve} in reserve.", seconds=pace.seconds, reserve=pace.reserve
        )
    elif pace.kind == "slow" and pace.seconds < _DAY:
        how = words.count("Over days: an hour a move.", "Over days: {n} hours a move.", pace.seconds // 3600)
    elif pace.kind == "slow":
        how = words.count("Over days: a day a move.", "Over days: {n} days a move.", pace.seconds // _DAY)
    else:
        how = words.say("No clock.")
    watch = words.say("Others may watch.") if info.watch else words.say("Nobody else may watch.")
    return words.say("{how} {watch}", how=how, watch=watch)


_DAY = 24 * 3600


def _rules_now(words: Words, room: Room, look: Look | None) -> list[tuple[str, str]]:
    return [(number, words.say(room.rules[number])) for number in room.rules_now(look.view)] if look else []


# ------------------------------------------------------------------------------------------------------- chairs


@dataclass(frozen=True)
class ChairShown:
    """A seat as the page shows it; ``number`` counts from 1."""

    seat: int
    number: int
    said: str
    taken: bool
    mine: bool
    may_sit: bool
    may_invite: bool
    may_fill: bool
    link: str
    clock: str


def chairs(words: Words, frame: Frame, wish: Wish) -> list[ChairShown]:
    """All seats of a table."""
    info = frame.info
    waiting = info.status == "waiting"
    found = []
    for place, seat in enumerate(info.seats):
        invited = wish.link and wish.link[0] == place
        found.append(
            ChairShown(
                seat=place,
                number=place + 1,
                said=_sitter(words, frame, place),
                taken=seat.taken,
                mine=seat.mine,
                may_sit=seat.may_sit and not info.mine,
                may_invite=waiting and not seat.taken and bool(info.host or info.mine),
                may_fill=waiting and not seat.taken and info.host,
                link=f"{wish.base}/invitations/{info.id}/{place}/{wish.link[1]}" if invited and wish.link else "",
                clock=_clock(words, info, place),
            )
        )
    return found


def _sitter(words: Words, frame: Frame, place: int) -> str:
    seat = frame.info.seats[place]
    if not seat.taken:
        if seat.kind == "friend":
            return words.say("kept for {name}", name=seat.name) if seat.name else words.say("kept for a friend")
        return words.say("free for whoever comes")
    if seat.stood_in:
        return words.say("{name} (away: {player} sits in)", name=seat.name, player=seat.stood_in)
    if seat.player:
        return words.say("{name} (machine player, {player})", name=seat.name, player=seat.player)
    if seat.mine and seat.kind != "here":
        return words.say("{name} (me)", name=seat.name)
    return seat.name


def _clock(words: Words, info: TableInfo, place: int) -> str:
    """What is left of the time, for whoever is to move."""
    seat = info.seats[place]
    if seat.reserve is not None:
        return words.say("{seconds} s in reserve", seconds=round(seat.reserve))
    return ""


# ---------------------------------------------------------------------------------------------- those who are late


@dataclass(frozen=True)
class Late:
    """Somebody's time is over."""

    seat: int
    sentence: str
    may_stand_in: bool


def _late(words: Words, frame: Frame) -> Late | None:
    info = frame.info
    if info.late is None:
        return None
    others = bool(info.mine) and info.late not in info.mine
    return Late(
        info.late,
        words.say("{name} is late.", name=frame.names[info.late]),
        others and info.stand_in == "ask" and not info.seats[info.late].stood_in,
    )


# ------------------------------------------------------------------------------------------------ the log, the talk


@dataclass(frozen=True)
class LogLine:
    """A sentence of the log. ``part`` tells the sentences of one step apart."""

    number: int
    part: int
    text: str
    head: bool = False


def told_lines(words: Words, room: Room, names: Sequence[str], told: Sequence[Told]) -> list[LogLine]:
    """The log in sentences, with a heading where a round begins."""
    found = []
    round_told = 0
    for line in told:
        for part, sentence in enumerate(_sentences(words, room, names, line), 1):
            if line.before.round != round_told:
                round_told = line.before.round
                heading = words.say("Round {round}", round=round_told)
                found.append(LogLine(line.number, 0, heading, head=True))
            found.append(LogLine(line.number, part, sentence))
    return found


def _sentences(words: Words, room: Room, names: Sequence[str], line: Told) -> list[str]:
    return room.told(words, names, line.before, line.event, line.after)


@dataclass(frozen=True)
class TalkLine:
    """Something said, or a notice."""

    number: int
    name: str
    text: str
    notice: bool


def _line(words: Words, said: Said) -> TalkLine:
    notices = {
        "sat": words.say("{name} sits down.", name=said.name),
        "left": words.say("{name} stands up.", name=said.name),
        "started": words.say("The game begins."),
        "stood in": words.say("A machine player sits in for {name}.", name=said.name),
        "came back": words.say("{name} is back.", name=said.name),
    }
    text = notices.get(said.kind)
    return TalkLine(said.number, said.name, said.text if text is None else text, text is not None)
