"""The parts of the first page beside its buttons: made-up names, recorded games, and lines about what is on."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from types import SimpleNamespace
from typing import Any, Final

import pytest

from kontor.lobby.first_page import NewsCache, pace_in_short, seek_rows
from kontor.lobby.living import LivingGames
from kontor.lobby.values import Seek, WaitingSeek
from kontor.people.made_up_names import made_up_name
from kontor.people.texts import name_of
from kontor.tables.values import Pace
from kontor.web.adapter import web_adapters
from kontor.web.pages.languages import words_in
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor, nobody

LANGUAGES: Final = ("en", "de", "fr", "it", "ja")

_LONGEST: Final = 90
"""Characters of the longest sentence for which the first page reserves room."""

LIVE: Final = Pace("live", 60, 600)


def reader(language: str) -> Visitor:
    return Visitor(nobody, session="", language=language, theme="", address="", secure=False, path="/", script=False)


def drawing(*numbers: int) -> Callable[[int], int]:
    """Return a function that draws these numbers, one after the other, below any limit."""
    drawn = iter(numbers)
    return lambda _: next(drawn)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_made_up_name_is_one_that_people_could_choose(language: str) -> None:
    words, limits = words_in(language), []

    def note(limit: int) -> int:
        limits.append(limit)
        return 0

    made_up_name(words, note)
    animals, ports = limits
    names = set()
    for animal in range(animals):
        for port in range(ports):
            names.add(made_up_name(words, drawing(animal, port)))
    assert len(names) == animals * ports > 500
    assert all(name_of(name) == name for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
def test_every_frame_of_a_recorded_game_has_a_picture_and_a_sentence_that_fits(game: str, language: str) -> None:
    living, pages = LivingGames(), Pages()
    frames = [living.frame(pages, reader(language), game, number) for number in range(living.count(game))]
    assert len(frames) >= 8
    for number, frame in enumerate(frames):
        assert 0 < len(frame.sentence) <= _LONGEST
        assert frame.next.startswith(f"/living/{game}/{(number + 1) % len(frames)}")
        assert "<svg" in frame.picture
        assert "<button" not in frame.picture
    assert living.frame(pages, reader(language), game, 0) is frames[0], "it is drawn once"


def test_those_who_want_the_same_game_of_several_are_one_row() -> None:
    numbers = count()

    def waiting(name: str, seek: Seek, *, own: bool = False) -> WaitingSeek:
        return WaitingSeek(f"s{next(numbers)}", seek, name, 1480, False, 61, own)

    some, two = Seek("dutchman", LIVE, 3, 6), Seek("shanghaien", LIVE, 2, 2)
    rows = seek_rows(
        words_in("en"),
        [
            waiting("Anna", some),
            waiting("Bernd", Seek("dutchman", LIVE, 3, 6, near=False), own=True),
            waiting("Carla", two),
            waiting("Dora", two),
        ],
    )
    assert [(row.names, row.rating, row.own) for row in rows] == [
        ("Anna and Bernd", "", True),
        ("Carla", "?", False),
        ("Dora", "?", False),
    ]
    assert rows[0].terms == "Der fliegende Holländer, 3 to 6 players, 10 minutes each"
    assert rows[0].since == "1 minute"


def test_each_pace_is_named_in_few_words() -> None:
    paces = (LIVE, Pace("live", 30, 0), Pace("slow", 86400), Pace("slow", 43200), Pace())
    names = [pace_in_short(words_in("en"), pace) for pace in paces]
    assert names == ["10 minutes each", "live", "a day a move", "turn-based", "no time limit"]


def test_news_are_looked_up_again_after_a_while() -> None:
    calls: list[str] = []

    def find(*_: Any, **__: Any) -> Any:
        calls.append("tournaments")
        return SimpleNamespace(tournaments=())

    def best(game: str, **_: Any) -> Any:
        calls.append(game)
        return SimpleNamespace(rows=())

    sources: Any = SimpleNamespace(find=find, best=best)
    cache, now = NewsCache(), datetime(2026, 12, 1, tzinfo=UTC)
    for later in (0, 5, 19):
        cache.get(now + timedelta(seconds=later), sources, sources)
    assert calls.count("tournaments") == 2, "those to join, and those that are running"
    assert set(web_adapters()) <= set(calls)
    cache.get(now + timedelta(seconds=21), sources, sources)
    assert calls.count("tournaments") == 4
    cache.get(now, sources, sources)
    assert calls.count("tournaments") == 6, "the clock was set back"
