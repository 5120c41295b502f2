"""The seats of a table, its terms, players who are late, and how a game may end early."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Final

from kontor.people.texts import name_said
from kontor.players.levels import LEVELS, level_name, marked, seat_name, usual
from kontor.tables.values import SHARED_DICE, ChatLine, Pace, SeatInfo, ShownRating, StandIn, TableInfo, Tempo
from kontor.web.adapter import adapter_of
from kontor.web.pages.moments import until_text
from kontor.words import Words, mark

_DAY: Final = 24 * 3600


def names_of(words: Words, info: TableInfo) -> tuple[str, ...]:
    """Return the names of the seats, with words for an empty one."""
    return tuple(_name(words, seat) for seat in info.seats)


def _name(words: Words, seat: SeatInfo) -> str:
    if not seat.name:
        return words.say("an empty seat")
    return marked(seat_name(words, seat.name, seat.player)) if seat.player else name_said(words, seat.name)


TEMPO_SAID: Final[dict[Tempo, str]] = {
    "calm": mark("Computer players take their time."),
    "at once": mark("Computer players move at once."),
}
"""Sentences for tempos other than the usual one."""

LATE_SAID: Final[dict[StandIn, str]] = {
    "at once": mark("If someone runs out of time, a computer player takes over at once."),
    "never": mark("If someone runs out of time, the others wait."),
}
"""Sentences for the cases in which the others are not asked."""


def terms(words: Words, info: TableInfo) -> str:
    """Return the terms of the table in sentences."""
    pace = describe_pace(words, info.pace)
    watch = words.say("Spectators are allowed.") if info.watch else words.say("No spectators.")
    text = words.say("{how} {watch}", how=pace, watch=watch)
    if info.takeover != usual(info.game):
        level = level_name(words, info.takeover)
        instead = words.say("A computer player ({level}) stands in for players who are away or resign.", level=level)
        text = words.say("{agreed} {more}", agreed=text, more=instead)
    if info.tempo in TEMPO_SAID and any(seat.kind == "machine" for seat in info.seats):
        text = words.say("{agreed} {more}", agreed=text, more=words.say(TEMPO_SAID[info.tempo]))
    if not info.hints:
        return text
    return words.say("{agreed} Practice table: the player to move may ask for a hint.", agreed=text)


def describe_pace(words: Words, pace: Pace) -> str:
    """Return the time limits as a sentence."""
    if pace.kind == "live":
        return words.say(
            "Live: {time} per move, {reserve} in reserve.",
            time=describe_length(words, pace.seconds),
            reserve=describe_length(words, pace.reserve),
        )
    if pace.kind == "slow" and pace.seconds % _DAY:
        return words.count("Turn-based: 1 hour per move.", "Turn-based: {n} hours per move.", pace.seconds // 3600)
    if pace.kind == "slow":
        return words.count("Turn-based: 1 day per move.", "Turn-based: {n} days per move.", pace.seconds // _DAY)
    return words.say("No time limit.")


def describe_length(words: Words, seconds: int) -> str:
    """Return a length of time in words, in minutes if they are whole."""
    if seconds % 60:
        return words.count("1 second", "{n} seconds", seconds)
    return words.count("1 minute", "{n} minutes", seconds // 60)


def describe_rating(words: Words, info: TableInfo) -> str:
    """Return whether the game counts for ratings, as far as that is known before the end."""
    helped = any(seat.kind == "here" or (seat.player and seat.player not in LEVELS) for seat in info.seats)
    return words.say("Not rated.") if info.hints or helped else words.say("Rated.")


def describe_rated_end(words: Words, info: TableInfo) -> str:
    """Return whether the finished game counts for ratings, or why it does not."""
    if info.hints:
        return words.say("Not rated: hints were allowed.")
    if any(seat.kind == "here" for seat in info.seats):
        return words.say("Not rated: people shared a device.")
    if any(seat.player and seat.player not in LEVELS for seat in info.seats):
        return words.say("Not rated: a computer player without a rating took part.")
    if info.early and info.early.how == "agreed":
        return words.say("Not rated: all agreed to end the game.")
    if info.early and not info.early.winners and not any(seat.player for seat in info.seats):
        return words.say("Not rated: everyone resigned.")
    if any(seat.stood_in for seat in info.seats) and not info.early:
        return words.say("Not rated: a computer player stood in for someone.")
    if sum(not seat.player for seat in info.seats) < 2:
        return words.say("Rated if it was today’s first against these computer players. Ratings change overnight.")
    return words.say("Rated. Ratings change overnight.")


def unusual_terms(words: Words, info: TableInfo) -> list[str]:
    """Return sentences on what is not as usual (Y1), except what ``terms`` says of every table.

    Before seats are drawn, or taken, they are named by number.
    """
    drawn = info.order == "given" or info.status != "waiting"
    names = [
        name if drawn and seat.taken else words.say("seat {number}", number=number)
        for number, (name, seat) in enumerate(zip(names_of(words, info), info.seats, strict=True), 1)
    ]
    return [*adapter_of(info.game).unusual(words, names, info.options), *_unusual_ways(words, info)]


def _unusual_ways(words: Words, info: TableInfo) -> Iterator[str]:
    """Yield sentences on what is unusual in any game."""
    if info.order == "random" and info.status == "waiting":
        yield words.say("Seats are shuffled at the start.")
    if info.pace.kind != "none" and info.stand_in in LATE_SAID:
        yield words.say(LATE_SAID[info.stand_in])
    if info.dice == "strict" and info.pace.kind != "live":
        yield words.say("The dice are strict: not even the server and other players together can choose the rolls.")
    # Tables of strangers, who chose nothing, begin at once: this tells only what a host has chosen.
    if info.dice == "simple" and info.status == "waiting":
        yield words.say("The dice are simple: the server alone cannot choose the rolls.")
    if info.dice in SHARED_DICE:
        yield words.say("Several tables have the same cards and dice.")


# ------------------------------------------------------------------------------------------------------- chairs


@dataclass(frozen=True)
class ChairShown:
    """A seat as the page shows it; ``number`` counts from 1."""

    seat: int
    number: int
    sitter: str
    rating: str
    """The person's rating; empty if they do not show it, or it is a computer player."""
    page: str
    """The address of the person's page; empty if they have none."""
    mark: str
    """A note on the person, beside the name: no name can imitate it."""
    holiday: str
    """Until when the person is on holiday; empty if they are not."""
    gift: str
    """The time that the reader can give to the seat at once; empty for none."""
    presence: str
    """True if the person has the table open, for the others at the table; empty if that is not shown."""
    taken: bool
    mine: bool
    may_sit: bool
    may_invite: bool
    may_fill: bool
    link: str
    clock: str
    until: str
    """The time when the mover is late, for programs that read pages; empty if never."""
    until_said: str


_SHOWS_NOTHING: Final = ShownRating("", "")
_NO_RATINGS: Final[Mapping[int, ShownRating]] = {}


def chairs(
    words: Words,
    info: TableInfo,
    invited: tuple[int, str] | None = None,
    ratings: Mapping[int, ShownRating] = _NO_RATINGS,
) -> list[ChairShown]:
    """Return all seats of a table.

    ``invited`` is a seat with the link that was made for it; ``ratings`` hold what people show of themselves.
    """
    waiting = info.status == "waiting"
    deadline = info.deadline and info.deadline.astimezone(UTC)
    until_said = until_text(words, deadline, info.since) if deadline else ""
    shown_chairs = []
    for place, seat in enumerate(info.seats):
        shows = ratings.get(place, _SHOWS_NOTHING)
        linked = invited and invited[0] == place and waiting and not seat.taken and bool(info.mine or info.host)
        shown_chairs.append(
            ChairShown(
                seat=place,
                number=place + 1,
                sitter=_sitter(words, info, place),
                rating=shows.rating,
                page=f"/people/{shows.handle}" if shows.handle else "",
                mark=_mark(words, seat),
                holiday=_holiday(words, seat),
                gift=_gift(words, seat),
                presence=_presence(words, seat),
                taken=seat.taken,
                mine=seat.mine,
                may_sit=seat.may_sit and not info.mine,
                may_invite=waiting and not seat.taken and bool(info.host or info.mine),
                may_fill=waiting and not seat.taken and info.host,
                link=invited[1] if linked and invited else "",
                clock=_clock(words, info, place),
                until=deadline.isoformat(timespec="seconds") if deadline and info.mover == place else "",
                until_said=until_said,
            )
        )
    return shown_chairs


def _sitter(words: Words, info: TableInfo, place: int) -> str:
    seat = info.seats[place]
    if not seat.taken:
        if seat.kind == "friend":
            return words.say("kept for {name}", name=seat.name) if seat.name else words.say("kept for a friend")
        return words.say("open to anyone")
    return _name(words, seat)


def _mark(words: Words, seat: SeatInfo) -> str:
    if seat.stood_in:
        level = level_name(words, seat.stood_in)
        if seat.resigned:
            return words.say("resigned: a computer player, {level}, plays on", level=level)
        return words.say("away: a computer player, {level}, stands in", level=level)
    if seat.player:
        return words.say("computer player, {level}", level=level_name(words, seat.player))
    if seat.taken and seat.mine and seat.kind != "here":
        return words.say("you")
    return ""


def _presence(words: Words, seat: SeatInfo) -> str:
    """Return how long the person of a seat has been away, in hours or days."""
    if seat.here is None or seat.stood_in or seat.resigned:
        return ""
    if seat.here:
        return words.say("here")
    hours = seat.away or 0
    if hours < 1:
        return words.say("away")
    if hours < _DAY // 3600:
        return words.count("away for one hour", "away for {n} hours", hours)
    return words.count("away for one day", "away for {n} days", hours * 3600 // _DAY)


def _holiday(words: Words, seat: SeatInfo) -> str:
    """Return until when the person of a seat is on holiday; empty if they are not."""
    if seat.holiday is None:
        return ""
    last_day = (seat.holiday - timedelta(seconds=1)).date()
    return words.say("on holiday until {day}", day=words.day(last_day))


def _gift(words: Words, seat: SeatInfo) -> str:
    """Return the time that the reader can give to a seat at once; empty for none."""
    match seat.more_time:
        case 0:
            return ""
        case seconds if seconds < 3600:
            return words.count("+ 1 minute", "+ {n} minutes", seconds // 60)
        case seconds:
            return words.count("+ 1 day", "+ {n} days", seconds // 86_400)


def _minutes(seconds: int) -> str:
    """Return a time as clocks show it: minutes and seconds."""
    return f"{seconds // 60}:{seconds % 60:02}"


def _clock(words: Words, info: TableInfo, place: int) -> str:
    """Return the reserve that a seat has left; empty without one."""
    seat = info.seats[place]
    if seat.reserve and info.pace.kind == "slow":
        hours = max(1, int(seat.reserve) // 3600)
        if hours < 2 * _DAY // 3600:
            return words.count("{n} hour in reserve", "{n} hours in reserve", hours)
        return words.count("{n} day in reserve", "{n} days in reserve", hours * 3600 // _DAY)
    if seat.reserve is not None and (info.pace.reserve or seat.reserve):
        return words.say("{time} in reserve", time=_minutes(round(seat.reserve)))
    return ""


# -------------------------------------------------------------------------------------------------------- leaving


@dataclass(frozen=True)
class StandingUp:
    """The consequence of leaving a table that waits, for the question before. ``closes``: the table is deleted."""

    sentence: str
    closes: bool


def describe_leaving(words: Words, info: TableInfo) -> StandingUp:
    """Return the consequence if the reader leaves.

    A host hands the table on; with its last person it is deleted.
    """
    others = [
        name
        for name, seat in zip(names_of(words, info), info.seats, strict=True)
        if seat.taken and not (seat.mine or seat.player)
    ]
    if info.host and not others:
        return StandingUp(words.say("The table goes, and its invitations with it."), closes=True)
    if info.host:
        return StandingUp(
            words.say("Your seat becomes free, and {name} hosts the table.", name=others[0]), closes=False
        )
    return StandingUp(words.say("Your seat becomes free."), closes=False)


# ---------------------------------------------------------------------------------------------------- late players


@dataclass(frozen=True)
class Late:
    """A seat that is out of time."""

    seat: int
    sentence: str
    may_stand_in: bool
    giving: str
    """The button by which the reader gives them more time; empty if they cannot."""


def describe_late(words: Words, info: TableInfo) -> Late | None:
    """Return the seat that is out of time, if there is one."""
    if info.late is None:
        return None
    others, name = bool(info.mine) and info.late not in info.mine, names_of(words, info)[info.late]
    return Late(
        info.late,
        words.say("You are out of time.")
        if info.late in info.mine
        else words.say("{name} is out of time.", name=name),
        others and info.stand_in == "ask" and not info.seats[info.late].stood_in,
        words.say("Give {name} more time", name=name) if info.seats[info.late].more_time else "",
    )


# --------------------------------------------------------------------------------------------------- strict dice


@dataclass(frozen=True)
class Revealing:
    """The state of a table with all seats taken that waits for salts to be revealed.

    ``promises`` are the commitments of the server and of the seats, as scripts take them. ``mine`` is the reader's
    commitment, if their salt is not revealed yet.
    """

    missing: str
    promises: str
    mine: str
    may_begin: bool


def describe_revealing(words: Words, info: TableInfo) -> Revealing | None:
    """Return which salts are missing, while the game waits for them."""
    if not info.revealing:
        return None
    missing = [name for name, seat in zip(names_of(words, info), info.seats, strict=True) if seat.unrevealed]
    mine = [seat.salt_commitment for seat in info.seats if seat.mine and seat.unrevealed]
    must_agree = any(seat.mine and not seat.begins_without for seat in info.seats)
    return Revealing(
        words.say("Still missing: {names}.", names=words.all_of(missing)),
        promises_of(info.commitment, [seat.salt_commitment for seat in info.seats]),
        mine[0] if mine else "",
        info.may_begin_without and info.asked_to_begin and must_agree,
    )


def promises_of(commitment: str, salt_commitments: Sequence[str]) -> str:
    """Return the commitments of the server and of the seats, in their order, as scripts take them."""
    return ",".join((commitment, *salt_commitments))


# ------------------------------------------------------------------------------------------------- ending the game


@dataclass(frozen=True)
class Away:
    """A person who has been away for a week, and what the others can do about it."""

    seat: int
    sentence: str
    ask: str
    may_claim: bool


def describe_away(words: Words, info: TableInfo) -> Away | None:
    """Return the person who has been away for a week, if there is one."""
    if info.claimable is None:
        return None
    name = names_of(words, info)[info.claimable]
    return Away(
        info.claimable,
        words.say("{name} has been away for seven days.", name=name),
        words.say("Claim the win") if len(info.seats) == 2 else words.say("Bring in a computer player"),
        info.claimable not in info.mine and bool(seats_still_mine(info)),
    )


@dataclass(frozen=True)
class Proposal:
    """A proposal to end the game."""

    sentence: str
    missing: str
    """The people who have not answered yet."""
    own: bool
    must_answer: bool
    """True if the reader must answer."""


def describe_proposal(words: Words, info: TableInfo) -> Proposal | None:
    """Return the proposal to end the game, if there is one."""
    if info.proposed is None:
        return None
    names = names_of(words, info)
    return Proposal(
        sentence=words.say("{name} proposes to end the game without a result.", name=names[info.proposed]),
        missing=describe_missing_answers(words, info),
        own=info.proposed in info.mine,
        must_answer=any(not info.seats[seat].agreed for seat in seats_still_mine(info)),
    )


def is_something_proposed(info: TableInfo) -> bool:
    """Return True if something is proposed to all at the table."""
    return any(seat is not None for seat in (info.proposed, info.pause_proposed, info.undo_proposed))


def describe_missing_answers(words: Words, info: TableInfo) -> str:
    """Return a sentence on who has not yet agreed to a proposal; empty if all have."""
    away = info.undo_proposed is not None
    missing = [name for name, seat in _people_playing(words, info, away=away) if not seat.agreed]
    return words.say("Still to answer: {names}.", names=words.all_of(missing)) if missing else ""


def others_to_ask(words: Words, info: TableInfo, *, away: bool = False) -> list[str]:
    """Return the names of the other people who must agree to a proposal of the reader, those ``away`` too if so."""
    return [name for name, seat in _people_playing(words, info, away=away) if not seat.mine]


def _people_playing(words: Words, info: TableInfo, *, away: bool) -> list[tuple[str, SeatInfo]]:
    """Return the names and seats of people who still play, perhaps also of those ``away`` for whom stand-ins move."""
    named_seats = [pair for pair in zip(names_of(words, info), info.seats, strict=True) if not pair[1].player]
    return [(name, seat) for name, seat in named_seats if not seat.resigned and (away or not seat.stood_in)]


def seats_still_mine(info: TableInfo) -> list[int]:
    """Return the reader's seats that they have not resigned."""
    return [seat for seat in info.mine if not info.seats[seat].resigned]


def describe_resigning(words: Words, info: TableInfo, seat: int) -> str:
    """Return the consequence if the seat resigns."""
    names = names_of(words, info)
    if len(info.seats) == 2:
        return words.say("The game ends at once, and {name} wins.", name=names[1 - seat])
    left = [
        at
        for at, seat_info in enumerate(info.seats)
        if at != seat and not seat_info.player and not seat_info.resigned
    ]
    if not left:
        return words.say("Nobody else is left to play on: the game ends at once, without a result.")
    return words.say(
        "A computer player ({level}) plays on in your place to the end. "
        "You cannot come back, and for ratings you are last.",
        level=level_name(words, info.takeover),
    )


def describe_agreeing(words: Words, info: TableInfo) -> str:
    """Return the consequence if the reader proposes to end the game."""
    others = others_to_ask(words, info)
    if not others:
        return words.say("Computer players always agree: the game ends at once, without a result.")
    return words.count(
        "If {names} agrees, the game ends without a result. Until then it goes on.",
        "If {names} agree, the game ends without a result. Until then it goes on.",
        len(others),
        names=words.all_of(others),
    )


# -------------------------------------------------------------------------------------- spectators and rematches


def describe_watching(words: Words, info: TableInfo, onlookers: int) -> str:
    """Return a sentence on the number of spectators; a spectator who reads it is counted among them."""
    if info.status == "waiting" or not info.watch:
        return ""
    if info.mine:
        return words.count("One person is watching.", "{n} people are watching.", onlookers) if onlookers else ""
    if onlookers < 2:
        return words.say("You are watching.")
    return words.count("You and one other are watching.", "You and {n} others are watching.", onlookers - 1)


@dataclass(frozen=True)
class RematchShown:
    """A rematch that waits for players; ``must_answer``: the reader has not answered; ``own``: they offered it."""

    sentence: str
    must_answer: bool
    own: bool


def describe_rematch(words: Words, info: TableInfo) -> RematchShown | None:
    """Return what the finished table shows of its rematch; None without an offer, or for spectators."""
    offer = info.rematch_offer
    if offer is None or not info.mine:
        return None
    if offer.asked:
        sentence = words.say("{name} offers a rematch.", name=offer.by or words.say("Someone"))
    elif offer.missing:
        sentence = words.say("The rematch waits for {names}.", names=words.all_of(offer.missing))
    else:
        sentence = words.say("The rematch waits for players.")
    if offer.declined:
        declined = words.say("Not playing: {names}.", names=words.all_of(offer.declined))
        sentence = words.say("{first} {second}", first=sentence, second=declined)
    return RematchShown(sentence, offer.asked, offer.own)


def meets_others(info: TableInfo, chat: Sequence[ChatLine]) -> bool:
    """Return True if other people are at the table, or spectators have written in the chat."""
    sitting = any(seat.taken and not seat.player and not seat.mine for seat in info.seats)
    return sitting or any(line.kind == "onlooker" for line in chat)
