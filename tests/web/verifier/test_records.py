"""Whole records and forgeries: the page and ``kontor verify`` say the same."""

import gzip
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from playwright.sync_api import Page, expect

from kontor import records
from kontor.records import decode, encode
from kontor.server.composition import KontorServer
from kontor.storage.sqlite import DATABASE
from records.made import SHOWN
from records.test_taken_back import forged_texts, streams, taken_back
from server.older import GOLDEN
from web.firefox import IN_FIREFOX, Firefox
from web.verifier.forgeries import forge
from web.verifier.verdicts import FILE, MADE, by_kontor, shared_verdicts, some_records

FORGED: Final = 300


def test_the_page_says_of_every_record_what_kontor_says(page: Page) -> None:
    texts = some_records(MADE)
    verdicts = shared_verdicts(page, texts)
    sorts = Counter(verdict for verdict, _ in verdicts)
    assert sorts["holds"] > sorts["open"] > 10
    assert len({text.split('"seats"')[0] for text in texts}) > MADE / 3, "with options of every kind"
    assert strict_sorts(texts) >= {
        (ending, left_out) for ending in ("result", "early", "none") for left_out in (0, 1)
    }


def strict_sorts(texts: Sequence[str]) -> set[tuple[str, int]]:
    """Return how the games with strict dice ended, and how many shares were left out."""
    verified = [records.verify(decode(text.encode())) for text in texts]
    return {
        ("result" if verification.result else "early" if verification.early else "none", len(verification.left_out))
        for verification in verified
        if verification.strict
    }


def test_both_say_whose_shares_were_left_out(page: Page) -> None:
    texts = [text for text in some_records(MADE) if '"salt_commitments"' in text]
    expected = [list(records.verify(decode(text.encode())).left_out) for text in texts]
    assert page.evaluate("texts => texts.map((text) => verify(text).leftOut)", texts) == expected
    for text, names in zip(texts, expected, strict=True):
        page.evaluate("text => show('game.jsonl', verify(text))", text)
        expect(page.locator("#found")).to_contain_text("Every contribution is the one that was promised.")
        assert [f"of {name}." for name in names] == re.findall(
            r"The game began without the contribution (of \w+\.)", page.locator("#found").inner_text()
        )


def test_both_say_the_same_of_games_in_which_moves_were_taken_back(page: Page) -> None:
    good = [encode(taken_back(streams(), strict=strict)).decode() for strict in (False, True)]
    verdicts = shared_verdicts(page, [*good, *forged_texts().values()])
    assert [verdict for verdict, _ in verdicts] == ["holds"] * 2 + ["wrong"] * len(forged_texts())


def test_records_of_older_programs_hold(page: Page, tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(gzip.decompress((GOLDEN / "house.db.gz").read_bytes()))
    tables = json.loads((GOLDEN / "house.json").read_text("utf-8"))["tables"]
    with KontorServer.open(tmp_path) as service:
        old = [encode(service.tables.record(tables[f"over {game}"])).decode() for game in ("shanghaien", "dutchman")]
    texts = [SHOWN.read_text("utf-8"), *old]
    assert shared_verdicts(page, texts) == [("holds", None)] * 3


def test_the_page_finds_the_line_of_every_forgery_that_kontor_finds(page: Page) -> None:
    """Check all forgeries, also with moves that the rules refuse.

    A harmless forgery passes in both programs: a changed name, or another legal move after the last outcome, with a
    new digest.
    """
    texts = list(forge(some_records(60), FORGED, Random(48)))
    verdicts = shared_verdicts(page, texts)
    assert sum(verdict == "wrong" for verdict, _ in verdicts) > 0.8 * FORGED


@IN_FIREFOX
def test_in_firefox_too(firefox: Firefox) -> None:
    firefox.go(FILE.as_uri())
    texts = [*some_records(20), *forge(some_records(20), 20, Random(5))]
    script = "arguments[0].map((text) => verify(text)).map(({ verdict, line }) => [verdict, line ?? null])"
    verdicts = [(verdict, line) for verdict, line in firefox.evaluate(script, texts)]
    assert verdicts == [by_kontor(text) for text in texts]
