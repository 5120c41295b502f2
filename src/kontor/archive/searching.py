"""Searches for finished games, from what a person or a program gives: a form, or the parameters of a call."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, Literal

import msgspec

from kontor.ratings.site import RatingsSite
from kontor.storage.stored_times import milliseconds_of
from kontor.tables.finished_games import GameFilter, GamesCursor, PeopleFilter
from kontor.web.adapter import web_adapters
from kontor.web.cursors import parse_cursor
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, require_game

LONGEST_NAME: Final = 40

_FIRST_DAY: Final = date(1970, 1, 2)
_LAST_DAY: Final = date(9998, 12, 31)
"""The first and the last day that are looked up; others mean the nearest of these."""

RatedChoice = Literal["", "yes", "no"]
EndChoice = Literal["", "rules", "early"]
ResultChoice = Literal["", "won", "not-won"]

MOST_STEPS: Final = 999_999
"""The greatest number of steps that can be asked for; more than the longest game has."""


class GameSearch(msgspec.Struct, frozen=True, kw_only=True):
    """A search for finished games, as it is asked for.

    ``name`` is part of a person's name, ``person`` the handle of a page. Games end from the beginning of the day
    ``since`` to the end of the day ``until``. ``end`` says whether the rules ended them. ``result`` is that of the
    person or of somebody with the name; without these, it is ignored. ``max_steps`` 0 means any number. ``older`` and
    ``newer`` are cursors as text.
    """

    game: str = ""
    name: str = ""
    person: str = ""
    players: int = 0
    since: date | None = None
    until: date | None = None
    rated: RatedChoice = ""
    end: EndChoice = ""
    result: ResultChoice = ""
    min_steps: int = 0
    max_steps: int = 0
    older: str = ""
    newer: str = ""

    def fields(self) -> dict[str, str]:
        """Return the fields of a form that asks for the same, without a place in the list."""
        fields = {
            "game": self.game,
            "name": self.name,
            "person": self.person,
            "players": str(self.players or ""),
            "since": str(self.since or ""),
            "until": str(self.until or ""),
            "rated": self.rated,
            "end": self.end,
            "result": self.result,
            "min_steps": str(self.min_steps or ""),
            "max_steps": str(self.max_steps or ""),
        }
        return {name: value for name, value in fields.items() if value}

    def lacks_person(self) -> bool:
        """Return True if a result is asked for, but nobody whose result it is."""
        return bool(self.result) and not (self.person or self.name)


def search_of(form: Form) -> GameSearch:
    """Return the search that a form describes; invalid fields are ignored."""
    rated: tuple[RatedChoice, ...] = ("yes", "no")
    empty: Literal[""] = ""
    ends: tuple[EndChoice, ...] = ("rules", "early")
    results: tuple[ResultChoice, ...] = ("won", "not-won")
    return GameSearch(
        game=form.one_of("game", tuple(web_adapters()), ""),
        name=form.text("name", LONGEST_NAME),
        person=form.text("person", LONGEST_NAME),
        players=min(form.number("players"), 99),
        since=_day(form.get("since", "")),
        until=_day(form.get("until", "")),
        rated=form.one_of("rated", rated, empty),
        end=form.one_of("end", ends, empty),
        result=form.one_of("result", results, empty),
        min_steps=min(form.number("min_steps"), MOST_STEPS),
        max_steps=min(form.number("max_steps"), MOST_STEPS),
        older=form.get("older", ""),
        newer=form.get("newer", ""),
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


class PreparedSearch(msgspec.Struct, frozen=True):
    """A search in the terms of the database. ``owner`` is the name of the person whose page leads to it, or empty."""

    wanted: GameFilter
    owner: str = ""


def prepare(site: RatingsSite, search: GameSearch, reader: str | None, zone: tzinfo | None = None) -> PreparedSearch:
    """Return the search in the terms of the database, with days in a time zone (UTC if it is None).

    Raises NoPage if there is no such game, or if the person does not show their games to the reader.
    """
    people, owner = None, ""
    won = {"won": True, "not-won": False}.get(search.result)
    if search.game:
        require_game(search.game)
    if search.person:
        page_owner = site.people_search.shown_games_of(search.person, reader)
        if page_owner is None:
            raise NoPage
        person, owner = page_owner
        people = PeopleFilter((person,), won=won)
    elif search.name:
        people = PeopleFilter(site.people_search.showing_games(search.name, reader), search.name, won)
    wanted = GameFilter(
        game=search.game,
        players=search.players,
        since=_midnight(search.since, zone) if search.since else None,
        until=_midnight(search.until, zone, timedelta(days=1)) if search.until else None,
        rated={"yes": True, "no": False}.get(search.rated),
        early={"early": True, "rules": False}.get(search.end),
        min_steps=search.min_steps,
        max_steps=search.max_steps or None,
        people=people,
        older=_cursor(search.older),
        newer=_cursor(search.newer),
    )
    return PreparedSearch(wanted, owner)


def _cursor(text: str) -> GamesCursor | None:
    """Return the cursor that a text holds; None for other text, with signs that no table's id has."""
    cursor = parse_cursor(text)
    return cursor if cursor and cursor[1].isascii() and cursor[1].isalnum() else None


def _midnight(day: date, zone: tzinfo | None, later: timedelta = timedelta(0)) -> int:
    bounded = min(max(day, _FIRST_DAY), _LAST_DAY)
    return milliseconds_of(datetime.combine(bounded + later, time(), zone or UTC))
