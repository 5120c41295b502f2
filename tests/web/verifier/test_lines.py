"""Lines of a record: what may stand in them, and the one way to write it."""

import json
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from kontor import records
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.records import BadRecord, Record, decode, encode
from records.made import EXAMPLE, STRICT, WITHOUT, at_random, play_record
from web.verifier.forgeries import change_commitments, change_salt, change_version, write_lines
from web.verifier.verdicts import abandon_game, early, shared_verdicts

HIDDEN: Final = "\0\t\x1f\x7f\x9f\u061c\u200b\u200e\u200f\u2028\u202e\u2060\u206f\ufeff\ufff9\ufffb"
"""Characters that no line may hold."""


def test_the_page_knows_how_a_game_can_end_early(page: Page) -> None:
    random = Random(11)
    texts = []
    for seats, stepped in ((2, False), (3, False), (2, True)):
        options = ShanghaienOptions() if seats == 2 else DutchmanOptions(players=3)
        game: Any = SHANGHAIEN if seats == 2 else DUTCHMAN
        complete = play_record(game, options, at_random(1), bytes(32), duplicate=stepped, stepped=stepped)
        lines = [json.loads(line) for line in encode(early(complete, random)).splitlines()]
        for cut in (-1, next(at for at, line in enumerate(lines) if line.get("chance") == "dice")):
            for how in ("resigned", "agreed", "claimed", "abandoned"):
                for seat in range(-1, seats + 1):
                    for winners in ([], [0], [1], [0, 1]):
                        end = lines[-1] | {"early": {"how": how, "seat": seat, "winners": winners}}
                        texts.append(write_lines([*lines[:cut], end], anew=True))
    texts += [text.replace('{"record":2', '{"record":1') for text in texts[::9] if '{"record":2' in text]
    verdicts = shared_verdicts(page, texts)
    assert Counter(verdicts)["holds", None] == 6 + 6 + 2 * 6, (
        "three ways for each of two seats, and two for each of three; in step also where chance is to act"
    )


def test_the_page_knows_what_seats_can_have_committed_to(page: Page) -> None:
    random = Random(13)
    texts = []
    for record in (
        EXAMPLE,
        STRICT,
        WITHOUT,
        early(STRICT, random),
        early(EXAMPLE, random),
        abandon_game(WITHOUT, random),
    ):
        lines = [json.loads(line) for line in encode(record).splitlines()]
        for _ in range(40):
            forgery = deepcopy(lines)
            for change in random.sample((change_salt, change_commitments, change_version), random.randint(0, 2)):
                change(forgery, random)
            texts.append(write_lines(forgery, anew=True))
    verdicts = shared_verdicts(page, texts)
    assert min(Counter(verdict for verdict, _ in verdicts).values()) > 5


def test_the_page_knows_the_one_way_to_write_a_line(page: Page) -> None:
    texts = []
    for name in (*HIDDEN, *'"\\/é€😀', "\\n", "\\/", '\\"', "\\\\", "\\\\n", "\\\\\\n", "\\u00e9", "\\ud83d\\ude00"):
        line = encode(Record(EXAMPLE.header)).decode().replace("Anna", f"A{name}", 1)
        texts.append(line)
    verdicts = shared_verdicts(page, texts)
    assert len(set(verdicts)) == 2


MOMENTS: Final = (
    "2026-03-01T19:30:00Z", "2026-03-01T19:30:01+09:00", "2026-03-01T19:30:01.500000-05:30", "2024-02-29T23:59:59Z",
    "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-04-31T00:00:00Z",
    "2026-03-01T24:00:00Z", "2026-03-01T19:60:00Z", "2026-03-01T19:30:60Z", "2026-03-01T19:30:00",
    "2026-03-01T19:30:00+00:00", "2026-03-01T19:30:00-00:00", "2026-03-01T19:30:00+24:00", "2026-03-01T19:30:00.5Z",
    "2026-03-01T19:30:00.000000Z", "2026-03-01T19:30:00z", "2026-03-01 19:30:00Z", "0000-03-01T19:30:00Z",
    "0001-03-01T19:30:00Z", "",
)  # fmt: skip


def test_of_when_the_game_began_both_say_the_same(page: Page) -> None:
    lines = [json.loads(line) for line in encode(EXAMPLE).splitlines()]
    texts = [write_lines([lines[0] | {"started": moment}, *lines[1:]], anew=True) for moment in MOMENTS]
    verdicts = shared_verdicts(page, texts)
    assert Counter(verdicts) == {("holds", None): 5, ("wrong", 1): len(MOMENTS) - 5}


def test_what_is_no_text_is_no_record(page: Page) -> None:
    complete = encode(EXAMPLE)
    for data in (
        b"",
        b"\n",
        b"\0\1\2",
        complete[:-1],
        complete.replace(b"Anna", b"Ann\xff"),
        complete.replace(b"Anna", b"\xed\xa0\x80"),
    ):
        with pytest.raises(BadRecord) as caught:
            records.verify(decode(data))
        result = page.evaluate("bytes => verify(Uint8Array.from(bytes))", list(data))
        assert (result["verdict"], result["line"]) == ("wrong", caught.value.line)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"record": 7}, "This record has version 7, and this page knows 1 to 6: take the page"),
        ({"rules": 2}, "This game was played by version 2 of its rules, and this page knows 1: take the page"),
        ({"game": "chess"}, "This page does not know the game “chess”: take the page"),
    ],
)
def test_what_it_does_not_know_is_told_kindly(page: Page, changed: dict[str, Any], reason: str) -> None:
    lines = [json.loads(line) for line in encode(EXAMPLE).splitlines()]
    result = page.evaluate("text => verify(text)", write_lines([lines[0] | changed, *lines[1:]]))
    assert (result["verdict"], result["line"]) == ("wrong", 1)
    assert result["reason"].startswith(reason)
    page.evaluate("found => show('newer.jsonl', found)", result)
    expect(page.locator("#found")).to_contain_text(f"This page cannot judge it.newer.jsonl{reason}")
