"""Seeks: the choices of the form, and how a seek stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from kontor.lobby.site import LobbySite
from kontor.lobby.values import Seek, SeekInfo
from kontor.players.levels import level_name
from kontor.tables.pages.cards import Ratings
from kontor.tables.pages.opening import (
    MACHINES,
    PACES,
    SEEK_PACES,
    name_of_pace,
    pace_named,
    pace_of,
    sizes,
    usual_size,
)
from kontor.tables.values import Plan, SeatPlan, TableInfo
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.forms import Form
from kontor.words import Words, mark

_MINUTES: Final = 120
"""Seconds from which on the waiting time is shown in minutes."""

STRENGTHS: Final = {"yes": mark("about as strong as I am"), "no": mark("anyone")}


class SeekForm(msgspec.Struct, frozen=True, kw_only=True):
    """The form of a seek: ``seek``."""

    chosen: Mapping[str, str]
    """The fields as they were chosen before."""
    paces: Mapping[str, str]
    strengths: Mapping[str, str]
    sizes: Sequence[int]
    """The numbers of players that can be chosen."""
    several: str
    """The games in which they can be chosen."""
    waiting: int
    """The number of people who look for a game."""


def seek_form(words: Words, chosen: Mapping[str, str], waiting: Mapping[str, int]) -> SeekForm:
    """Return the form; ``waiting`` counts people by game. Earlier choices stay chosen."""
    several = {game: [size for size in sizes(game) if len(sizes(game)) > 1] for game in web_adapters()}
    return SeekForm(
        chosen=chosen,
        paces={pace: words.say(PACES[pace]) for pace in SEEK_PACES},
        strengths={value: words.say(label) for value, label in STRENGTHS.items()},
        sizes=sorted({size for counts in several.values() for size in counts}),
        several=words.all_of([adapter_of(game).title for game, counts in several.items() if counts]),
        waiting=sum(waiting.values()),
    )


@dataclass(frozen=True)
class Search:
    """State of a seek, in sentences."""

    game: str
    title: str
    wanted: str
    waited: str
    others: str
    elsewhere: str
    offered: str
    """The computer player offered, or empty."""
    table: str


def search(words: Words, info: SeekInfo) -> Search:
    """Return how a seek stands."""
    seek = info.seek
    return Search(
        game=seek.game,
        title=adapter_of(seek.game).title,
        wanted=words.in_row(list(_describe_wanted(words, seek))),
        waited=_describe_waited(words, info.waited),
        others=words.count(
            "One other person wants this game at this pace.", "{n} others want this game at this pace.", info.others
        )
        if info.others
        else words.say("Nobody else wants this game at this pace just now."),
        elsewhere=words.count(
            "One person wants it at another pace.", "{n} people want it at another pace.", info.elsewhere
        )
        if info.elsewhere
        else "",
        offered=level_name(words, info.offered) if info.offered else "",
        table=f"/tables/{info.table}" if info.table else "",
    )


def _describe_wanted(words: Words, seek: Seek) -> Iterator[str]:
    if pace := name_of_pace(seek.pace):
        yield words.say(PACES[pace])
    yield words.say(STRENGTHS["yes" if seek.near else "no"])
    if len(sizes(seek.game)) > 1:
        if seek.fewest == seek.most:
            yield words.count("{n} player", "{n} players", seek.most)
        else:
            yield words.say("{fewest} to {most} players", fewest=seek.fewest, most=seek.most)


def _describe_waited(words: Words, seconds: int) -> str:
    if seconds < _MINUTES:
        return words.count("You have been waiting for {n} second.", "You have been waiting for {n} seconds.", seconds)
    return words.count(
        "You have been waiting for {n} minute.", "You have been waiting for {n} minutes.", seconds // 60
    )


def shown_ratings(site: LobbySite, tables: Sequence[TableInfo]) -> Ratings:
    """Return the ratings that the people at tables show."""
    at_tables = site.ratings.at_tables([info.id for info in tables])
    return {place: each.rating for place, each in at_tables.items()}


def seek_of(game: str, form: Form) -> Seek:
    """Return the seek that a form means. Without a valid number of players it accepts any number."""
    possible = sizes(game)
    players = form.number("players")
    player_counts = range(players, players + 1) if players in possible else possible
    pace = pace_of(form) if form.get("pace") in SEEK_PACES else pace_named(SEEK_PACES[0])
    return Seek(game, pace, player_counts[0], player_counts[-1], form.get("near", "yes") == "yes")


def plan_together(seek: Seek, players: int, level: str) -> Plan:
    """Return the plan for people whose seeks fit: with the usual options, and in a random order.

    With a ``level`` computer players of it take the other seats.
    """
    adapter = adapter_of(seek.game)
    seats = [
        SeatPlan("machine", name=name, player=level) if level else SeatPlan("open")
        for name in MACHINES[: players - 1]
    ]
    return Plan(
        game=seek.game,
        options=adapter.opening.options(Form(()), players),
        seats=(SeatPlan("me"), *seats),
        pace=seek.pace,
        order="random",
        dice="early",
    )


def plan_with_machines(seek: Seek, level: str) -> Plan:
    """Return the plan with computer players of a level: of the usual size, if the seek allows it."""
    return plan_together(seek, min(max(usual_size(seek.game), seek.fewest), seek.most), level)
