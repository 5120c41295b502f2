"""One word, one thing, in what players read: the words that `glossary.toml` has retired are in no sentence of any
language, nor in the documents."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from babel.messages.catalog import Message

from catalogues import LANGUAGES, PARTS, catalogue

ROOT: Final = Path(__file__).parents[1]
DOCUMENTS: Final = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
SAID_ELSEWHERE: Final = {
    "someone": "documents say “somebody” as well",
    "bar": "a counter counts, in documents",
    "bargaining round": "imports run in a circle",
    "horseshoes played": "programs lay out and lay down",
    "a player's part of the dice": "records call it a salt",
    "plain": "documents may reckon",
}
"""What is held against sentences only, and why."""


class Retired(NamedTuple):
    """A word that nobody reads any more, and the one that stands for it."""

    thing: str
    pattern: re.Pattern[str]
    better: str


def retired(language: str) -> list[Retired]:
    """The retired words of a language."""
    edge = "" if language == "ja" else r"(?<!\w)"
    end = "" if language == "ja" else r"(?!\w)"
    things = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text("utf-8"))
    return [
        Retired(thing, re.compile(f"{edge}(?:{word}){end}", re.IGNORECASE), said[language]["word"])
        for thing, said in things.items()
        for word in said.get(language, {}).get("not", ())
    ]


def found(sentence: str, words: list[Retired]) -> list[str]:
    """What is wrong with a sentence: itself, and the better word."""
    bare = re.sub(r"\{\w*[^{}]*\}", "{}", sentence)
    return [f"{sentence!r}: say “{word.better}”" for word in words if word.pattern.search(bare)]


def texts(message: Message) -> Iterator[tuple[str, str]]:
    """Each English text of a message with its translation, or with nothing where a plural has more."""
    sources = [message.id] if isinstance(message.id, str) else list(message.id)
    said = [message.string] if isinstance(message.string, str) else list(message.string or ())
    yield from ((source, "") for source in sources)
    yield from (("", text) for text in said)


def prose(document: Path) -> Iterator[str]:
    """The paragraphs of a document, without code and addresses."""
    text = re.sub(
        r"^```.*?^```|^(?: {4}|\t).*?$|`[^`\n]*`|\]\([^)]*\)", "", document.read_text("utf-8"), flags=re.M | re.S
    )
    yield from (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_a_retired_word(part: str, language: str) -> None:
    english, own = retired("en"), retired(language)
    wrong = []
    for message in catalogue(part, language):
        if message.id and not message.context:
            for source, said in texts(message):
                wrong += found(source, english) + found(said, own)
    assert wrong == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_no_document_has_a_retired_word(document: Path) -> None:
    words = [word for word in retired("en") if word.thing not in SAID_ELSEWHERE]
    wrong = [fault for paragraph in prose(document) for fault in found(paragraph, words)]
    assert wrong == []


def test_a_retired_word_is_found_and_the_better_one_is_named() -> None:
    assert found("Sit on a chair.", retired("en")) == ["'Sit on a chair.': say “seat”"]
    assert found("{chair} is free.", retired("en")) == []
    assert found("Armchairs", retired("en")) == []
    assert found("Un automate joue.", retired("fr")) == ["'Un automate joue.': say “ordinateur”"]
    assert found("楽しいおしゃべり", retired("ja")) == ["'楽しいおしゃべり': say “チャット”"]


def test_every_language_has_a_glossary() -> None:
    assert [language for language in ("en", *LANGUAGES) if not retired(language)] == []
