"""Verdicts of ``docs/verify.html`` and of ``kontor verify``, and records to judge."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec.structs import replace
from playwright.sync_api import Page

from kontor import records
from kontor.endings import How, early_end
from kontor.fair import salt_commitment
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.chart import OURS, Chart, Field
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.components import TRICKS, TrickCounts
from kontor.records import BadRecord, Record, decode, encode
from records.made import Chooser, at_random, choose_shortest, play_record

FILE: Final = Path(__file__).parents[3] / "docs" / "verify.html"
MADE: Final = 200

Verdict = tuple[str, int | None]
"""Verdict on a record, and the number of the faulty line."""


def by_kontor(text: str) -> Verdict:
    try:
        verified = records.verify(decode(text.encode()))
    except BadRecord as wrong:
        return "wrong", wrong.line
    return ("holds" if verified.dice else "open"), None


def by_page(page: Page, texts: Sequence[str]) -> list[Verdict]:
    script = "texts => texts.map((text) => verify(text)).map(({ verdict, line }) => [verdict, line ?? null])"
    return [(verdict, line) for verdict, line in page.evaluate(script, texts)]


def shared_verdicts(page: Page, texts: Sequence[str]) -> list[Verdict]:
    """Return the verdicts, after a check that the page and Kontor have the same on each text."""
    expected = [by_kontor(text) for text in texts]
    for text, kontors, by_the_page in zip(texts, expected, by_page(page, texts), strict=True):
        assert by_the_page == kontors, text[-2000:]
    return expected


def charts(random: Random) -> Chart:
    """Return our chart, or one with other names that is written in another order."""
    if random.random() < 0.7:
        return OURS
    names = {field.name: f"{field.name} “ö\\”" for field in OURS.fields}
    fields = tuple(Field(names[field.name], field.at, field.colour) for field in OURS.fields[::-1])
    short, long = (tuple((names[b], names[a]) for a, b in lines) for lines in (OURS.short, OURS.long))
    return Chart(names[OURS.holland], fields, short, long)


def make_record(random: Random, choose: Chooser | None = None) -> Record:
    """Return a game with any options, played to its end; the moves are random unless ``choose`` is given."""
    if random.random() < 0.5:
        kinds = Counter(random.choice(TRICKS) for _ in range(8))
        counts = TrickCounts(kinds["nudge"], kinds["both"], kinds["reroll"])
        options: Any = ShanghaienOptions(counts, random.choice((None, 0, 1)), random.choice((None, *TRICKS)))
        game: Any = SHANGHAIEN
    else:
        players = random.randint(3, 6)
        starter = random.choice((None, *range(players)))
        options = DutchmanOptions(players, starter, random.randint(0, 5), charts(random))
        options = replace(options, check=random.choice(("never", "on request")))
        game = DUTCHMAN
    words = ("", "zwölf Hufeisen", "幽霊船 ⚓", random.randbytes(16).hex())
    salts = tuple(random.choice(words) for _ in range(game.seats(options)))
    strict = random.random() < 0.4
    committed = tuple(salt_commitment(salt) if salt else "" for salt in salts) if strict else ()
    if strict and random.random() < 0.4:
        left_out = random.randrange(len(salts))
        salts = (*salts[:left_out], "", *salts[left_out + 1 :])
    if choose is None:
        choose = (
            choose_shortest if game is SHANGHAIEN and random.random() < 0.2 else at_random(random.getrandbits(32))
        )
    if random.random() < 0.3:
        return play_record(game, options, choose, random.randbytes(32), duplicate=True, stepped=random.random() < 0.5)
    return play_record(game, options, choose, random.randbytes(32), salts, committed)


def abandon_game(record: Record, random: Random) -> Record:
    """Return the same game, abandoned at some step."""
    return Record(record.header, record.steps[: random.randrange(len(record.steps))])


def early(record: Record, random: Random) -> Record:
    """Return the same game, ended by the people at the table while one of them was to move."""
    seats = len(record.header.seats)
    due = [place for place, step in enumerate(record.steps) if step.seat >= 0]
    ways: tuple[How, ...] = ("resigned", "agreed", "claimed") if seats == 2 else ("resigned", "agreed")
    ending = early_end(random.choice(ways), random.randrange(seats), seats)
    assert record.ending
    cut = Record(record.header, record.steps[: random.choice(due)])
    return records.ended_early(cut, bytes.fromhex(record.ending.seed), ending)


@cache
def some_records(count: int) -> tuple[str, ...]:
    """Return records of all sorts, as text; the games take a while to play."""
    random = Random(1729)
    sorts: tuple[Callable[[Record, Random], Record], ...] = (lambda record, _: record, early, abandon_game)
    sort = random.choices(sorts, (3, 2, 1), k=count)
    return tuple(encode(each(make_record(random), random)).decode() for each in sort)
