"""The values that pages of tournaments need: sentences, formatted numbers, and the form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

import msgspec
from markupsafe import Markup, escape

from kontor.game import BadOptions
from kontor.people.texts import name_said
from kontor.tables.pages.opening import PACES, GameOptions
from kontor.tables.pages.seating import describe_pace
from kontor.tables.values import Pace
from kontor.tournaments.numbers import number
from kontor.tournaments.tournaments import FURTHEST
from kontor.tournaments.values import (
    BoardInfo,
    Leavers,
    RoundInfo,
    StandingInfo,
    System,
    TournamentInfo,
    TournamentPlan,
    TournamentView,
)
from kontor.web.adapter import adapter_of
from kontor.web.forms import Form
from kontor.web.pages.moments import moment, zone_named
from kontor.web.pages.previews import Preview, image_of
from kontor.web.pages.render import Pages
from kontor.words import Words, mark

SYSTEMS: Final[dict[System, str]] = {
    "swiss": mark("Swiss: you meet people with as many points as you"),
    "all": mark("everyone plays everyone, once"),
    "all twice": mark("everyone plays everyone, twice"),
}
"""The systems of games for two."""

SIZES: Final[dict[str, tuple[int, ...]]] = {
    "4 3": (4, 3),
    "3": (3,),
    "4": (4,),
    "5": (5,),
    "6": (6,),
}
"""The numbers of players at a table, in games for more than two; the preferred number first."""

LEAVERS: Final[dict[Leavers, str]] = {
    "forfeit": mark("the game is forfeited"),
    "computer": mark("a computer player finishes the game"),
}

TOURNAMENT_PACES: Final = tuple(value for value in PACES if "-" in value)

SHOWS: Final = {"open": mark("to join"), "running": mark("running"), "over": mark("finished")}

_TIE_BREAKS: Final[dict[str, tuple[str, str]]] = {
    "buchholz_cut": (
        mark("BH−1"),
        mark("Buchholz without the lowest: the points of all opponents, but for the weakest."),
    ),
    "buchholz": (mark("BH"), mark("Buchholz: the points of all opponents.")),
    "sonneborn_berger": (
        mark("SB"),
        mark("Sonneborn–Berger: the points of each opponent, times what you won from them."),
    ),
    "direct": (mark("DE"), mark("Direct encounter: points from each other, if all who are level have met.")),
    "wins": (mark("W"), mark("Wins.")),
    "difference": (mark("±"), mark("Difference: your own scores in all games, less those of your opponents.")),
    "share": (mark("%"), mark("Share: your part of all scores at your tables.")),
}
"""The head of each column, and its meaning."""


def _tie_break(words: Words, kind: str, value: float) -> str:
    if kind == "difference":
        return f"{value:+.0f}".replace("-", "−") if value else "0"
    if kind == "share":
        return f"{100 * value:.0f}"
    return number(words, value)


# ------------------------------------------------------------------------------------------------------- in a list


@dataclass(frozen=True)
class TournamentCard:
    """A tournament in a list."""

    id: str
    name: str
    tone: str
    what: str
    how: str
    mine: bool


def describe_system(words: Words, info: TournamentInfo) -> str:
    """Return the system and the number of rounds, in few words."""
    rounds = words.count("1 round", "{n} rounds", info.rounds) if info.rounds else ""
    if info.system == "swiss":
        system = words.say("Swiss")
    elif info.system == "tables":
        system = words.say("tables of {sizes}", sizes=words.one_of([str(size) for size in info.sizes]))
    else:
        system = words.say("everyone plays everyone") if info.system == "all" else words.say("everyone twice")
    return words.in_row([system, rounds]) if rounds else system


def describe_state(words: Words, info: TournamentInfo) -> Markup:
    """Return the state of a tournament, in few words."""
    if info.status == "open":
        if info.starts is not None:
            return escape(words.say("begins {time}")).format(time=moment(words, info.starts))
        return escape(words.say("waiting for the start"))
    if info.status == "running" and not info.round:
        return escape(words.say("about to begin"))
    if info.status == "running":
        return escape(words.say("round {round} of {rounds}", round=info.round, rounds=info.rounds))
    return escape(words.say("finished") if info.status == "over" else words.say("cancelled"))


def card(words: Words, info: TournamentInfo) -> TournamentCard:
    """Return a tournament as lists show it."""
    adapter = adapter_of(info.game)
    players = words.count("1 player", "{n} players", info.entrants)
    return TournamentCard(
        id=info.id,
        name=info.name,
        tone=adapter.tone,
        what=words.in_row([adapter.title, describe_system(words, info)]),
        how=escape(words.say("{some}, {last}")).format(some=players, last=describe_state(words, info)),
        mine=info.mine,
    )


# ------------------------------------------------------------------------------------------------------- on its page


@dataclass(frozen=True)
class ResultShown:
    """The result of an entrant in a round: the ``points``, ``against`` the opponents in full."""

    points: str
    against: str


@dataclass(frozen=True)
class StandingShown:
    """A row of the standings."""

    place: int
    number: int
    name: str
    mine: bool
    gone: str
    points: str
    played: int
    tie_breaks: tuple[str, ...]
    results: tuple[ResultShown, ...]


@dataclass(frozen=True)
class PlayerShown:
    """A player at a table of a round."""

    number: int
    """The number of the entrant."""
    name: str
    mine: bool
    points: str
    score: str
    place: int
    """The place at the table, from 1; 0 while the game goes on."""


@dataclass(frozen=True)
class BoardShown:
    """A table of a round; ``bye`` if an entrant has no opponent."""

    players: tuple[PlayerShown, ...]
    table: str
    link_text: str
    bye: bool
    mine: bool
    over: bool
    number: int
    second: bool
    """True if it is the second game of a match."""
    corrected: bool


@dataclass(frozen=True)
class TournamentShown:
    """The content of a tournament's page."""

    standings: tuple[StandingShown, ...]
    columns: tuple[tuple[str, str], ...]
    """The tie-breaks: head and meaning."""
    boards: tuple[BoardShown, ...]
    rounds: tuple[int, ...]
    round: int
    """The round whose boards are shown."""


def describe_tournament(words: Words, view: TournamentView, wanted: int) -> TournamentShown:
    """Return the tournament, with the boards of the round requested, or of the last one."""
    names = {entrant.number: name_said(words, entrant.name) for entrant in view.entrants}
    own = {entrant.number for entrant in view.entrants if entrant.mine}
    rounds = {round_.number: round_ for round_ in view.rounds}
    chosen = wanted if wanted in rounds else max(rounds, default=0)
    boards = rounds[chosen].boards if chosen else ()
    sealed = view.info.duplicate and chosen > 0 and not rounds[chosen].over
    return TournamentShown(
        standings=tuple([_standing(words, view, names, standing) for standing in view.standings]),
        columns=tuple([_column(words, kind) for kind in view.tie_breaks]),
        boards=tuple([_board(words, names, own, board, sealed=sealed) for board in boards]),
        rounds=tuple(rounds),
        round=chosen,
    )


def _column(words: Words, kind: str) -> tuple[str, str]:
    head, meaning = _TIE_BREAKS[kind]
    return words.say(head), words.say(meaning)


def _standing(words: Words, view: TournamentView, names: Mapping[int, str], standing: StandingInfo) -> StandingShown:
    entrant = next(entrant for entrant in view.entrants if entrant.number == standing.entrant)
    gone = ""
    if entrant.left:
        gone = words.say("removed") if entrant.removed else words.say("has left")
    return StandingShown(
        place=standing.place,
        number=standing.entrant,
        name=names[standing.entrant],
        mine=entrant.mine,
        gone=gone,
        points=number(words, standing.points),
        played=standing.played,
        tie_breaks=tuple(
            [_tie_break(words, kind, value) for kind, value in zip(view.tie_breaks, standing.tie_breaks, strict=True)]
        ),
        results=tuple([_result(words, names, round_, standing.entrant) for round_ in view.rounds]),
    )


def _result(words: Words, names: Mapping[int, str], round_: RoundInfo, entrant: int) -> ResultShown:
    """Return the result of an entrant in all boards of a round: two in a duplicate match."""
    mine = [board for board in round_.boards if entrant in board.entrants]
    if not mine:
        return ResultShown("–", words.say("did not play"))
    others = words.all_of([names[other] for other in mine[0].entrants if other != entrant])
    if not others:
        return ResultShown("+" if round_.over else "…", words.say("a bye: one point"))
    points = [
        number(words, board.points[board.entrants.index(entrant)]) for board in mine if board.points is not None
    ]
    return ResultShown(" ".join(points) or "…", words.say("against {names}", names=others))


def _board(words: Words, names: Mapping[int, str], own: set[int], board: BoardInfo, *, sealed: bool) -> BoardShown:
    over = board.points is not None
    players = []
    for seat, entrant in enumerate(board.entrants):
        points = number(words, board.points[seat]) if board.points is not None else ""
        score = str(board.scores[seat]) if board.scores is not None else ""
        place = 0 if board.points is None else 1 + sum(share > board.points[seat] for share in board.points)
        players.append(PlayerShown(entrant, names[entrant], entrant in own, points, score, place))
    bye = len(board.entrants) == 1
    link_text = words.say("bye") if bye else words.say("Look at it again") if over else words.say("Watch")
    mine = bool(own & set(board.entrants))
    if mine and not over:
        link_text = words.say("To the table")
    table = "" if sealed and not mine else board.table or ""  # others would see the coming dice there
    return BoardShown(
        players=tuple(players),
        table=table,
        link_text=link_text,
        bye=bye,
        mine=mine,
        over=over,
        number=board.number,
        second=board.second,
        corrected=board.corrected,
    )


# -------------------------------------------------------------------------------------------------------- the form


def is_of_pairs(game: str) -> bool:
    """Return True if the game is for two players."""
    return len(adapter_of(game).opening.chairs) == 1


def plan_of(game: str, form: Form) -> TournamentPlan:
    """Return the tournament that a form means. Raises BadOptions."""
    pairs = is_of_pairs(game)
    system: System = form.one_of("system", tuple(SYSTEMS), "swiss") if pairs else "tables"
    sizes = (2,) if pairs else SIZES[form.one_of("sizes", tuple(SIZES), "4 3")]
    pace = form.get("pace", TOURNAMENT_PACES[0])
    if pace not in TOURNAMENT_PACES:
        raise BadOptions("", "A tournament needs a time limit.")
    kind, seconds, reserve = pace.split("-")
    return TournamentPlan(
        name=form.text("name", 200),
        game=game,
        system=system,
        sizes=sizes,
        options=options_of(game, form),
        rounds=form.number("rounds", 5),
        pace=Pace("live" if kind == "live" else "slow", int(seconds), int(reserve)),
        duplicate=pairs and form.get("duplicate") == "yes",
        public=form.get("public", "yes") == "yes",
        fewest=form.number("fewest", 2 if pairs else 3),
        starts=_start_of(form),
        breaks=form.get("breaks") == "yes",
        description=form.get("description", ""),
        most=form.number("most") or None,
        leavers=form.one_of("leavers", tuple(LEAVERS), "forfeit"),
        approval=form.get("approval") == "yes",
        club=form.text("club", 40),
        members_only=form.get("members") == "yes",
    )


def _start_of(form: Form) -> datetime | None:
    """Return the day and hour that a form gives in its time zone; None if it has none. Raises BadOptions."""
    text = form.get("starts", "").strip()
    if not text:
        return None
    try:
        local = datetime.fromisoformat(text)
        return local.replace(tzinfo=local.tzinfo or zone_named(form.get("zone", "")) or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadOptions("", "Give the start as a day and an hour.") from error


def options_of(game: str, form: Form) -> dict[int, Any]:
    """Return the options of the game that a form means, by the number of players. Raises BadOptions."""
    players = (2,) if is_of_pairs(game) else range(3, 7)
    return {count: adapter_of(game).opening.options(form, count) for count in players}


class TournamentChoices(msgspec.Struct, frozen=True, kw_only=True):
    """The choices of the form for a new tournament, by their values: ``choices``."""

    pairs: bool
    """True if two play at a table."""
    systems: Mapping[str, str]
    sizes: Mapping[str, str]
    paces: Mapping[str, str]
    leavers: Mapping[str, str]
    earliest: str
    """The earliest and the latest start, on the clock of the time zone."""
    latest: str
    zone: str
    """The name of the reader's time zone, or UTC."""
    options: GameOptions
    are_unusual: bool
    """True if the options of the game differ from the usual ones."""


def choices(words: Words, game: str, form: Form, now: datetime) -> TournamentChoices:
    """Return what can be chosen for a tournament of a game; ``form`` holds the fields chosen so far."""
    zone: tzinfo = words.zone or UTC
    try:
        are_unusual = options_of(game, form) != options_of(game, Form(()))
    except BadOptions:
        are_unusual = True
    return TournamentChoices(
        pairs=is_of_pairs(game),
        systems={value: words.say(label) for value, label in SYSTEMS.items()},
        sizes={value: _describe_sizes(words, sizes) for value, sizes in SIZES.items()},
        paces={value: words.say(PACES[value]) for value in TOURNAMENT_PACES},
        leavers={value: words.say(label) for value, label in LEAVERS.items()},
        earliest=_field_text(now, zone),
        latest=_field_text(now + FURTHEST, zone),
        zone=str(zone),
        options=GameOptions(game=game, form=form, own=adapter_of(game).opening.choices(words)),
        are_unusual=are_unusual,
    )


def _field_text(time: datetime, zone: tzinfo) -> str:
    """Return a time as a field for a day and an hour has it."""
    return time.astimezone(zone).strftime("%Y-%m-%dT%H:%M")


def _describe_sizes(words: Words, sizes: tuple[int, ...]) -> str:
    if len(sizes) == 1:
        return words.say("tables of {sizes}", sizes=sizes[0])
    return words.say("tables of {first}, else of {second}", first=sizes[0], second=sizes[1])


def may_take_more(info: TournamentInfo) -> bool:
    """Return True if there is a round that people could still join for, if the host allows it."""
    later = info.status == "running" and info.system in ("swiss", "tables") and info.round < info.rounds
    return info.status == "open" or later


def describe_terms(words: Words, view: TournamentView) -> list[str]:
    """Return the terms of a tournament, in sentences."""
    info = view.info
    sentences = [describe_system(words, info), describe_pace(words, info.pace), *_unusual_options(words, view)]
    if info.duplicate:
        sentences.append(words.say("Duplicate: all pairs play the same dice, from both sides."))
        if info.in_step:
            sentences.append(
                words.say("Each pair plays both games at once, and all tables get the same roll at the same time.")
            )
        if info.pace.kind == "slow":
            sentences.append(
                words.say(
                    "In turn-based play, people at different tables can tell each other what was rolled. That cannot "
                    "be hidden, so these games are not rated."
                )
            )
    if info.breaks:
        sentences.append(words.say("Holidays count, and games can be paused."))
    if info.approval:
        sentences.append(words.say("The organiser looks over each pairing before the round begins."))
    if info.leavers == "computer":
        sentences.append(words.say("A computer player finishes the games of people who leave."))
    if info.club is not None and info.club.members_only:
        sentences.append(words.say("For members of the club only."))
    elif not info.public:
        sentences.append(words.say("By link only."))
    return sentences


def _unusual_options(words: Words, view: TournamentView) -> list[str]:
    """Return sentences about the options of the game that differ from the usual ones."""
    adapter, size = adapter_of(view.info.game), view.info.sizes[0]
    names = [words.say("seat {number}", number=number_ + 1) for number_ in range(size)]
    options = msgspec.convert(view.options[str(size)], adapter.game.options)
    return adapter.unusual(words, names, options)


def preview_of(words: Words, pages: Pages, info: TournamentInfo, base: str) -> Preview:
    """Return the preview of a tournament: the game, and how it stands.

    Its name is shown: it was chosen for all to read.
    """
    title = words.say("{name} – a tournament of {game}", name=info.name, game=adapter_of(info.game).title)
    description = words.say("A tournament is over: see how it went.")
    if info.joining:
        description = words.say("Join in: everyone plays every round.")
    elif info.status == "running":
        description = words.say("A tournament is being played here: you can watch.")
    return Preview(title, description, f"{base}/tournaments/{info.id}", image_of(pages, base, info.game))
