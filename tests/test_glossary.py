"""One word, one thing, in texts for players.

The words that `glossary.toml` has retired are in no sentence of any language. They are not in the documents, the
templates, the website, the examples and the description of the package either.
"""

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from babel.messages.catalog import Message

from catalogues import LANGUAGES, PARTS, catalogue

ROOT: Final = Path(__file__).parents[1]
DOCUMENTS: Final = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
PAGES: Final = [
    *sorted((ROOT / "src").rglob("*.html")),
    *sorted((ROOT / "website").rglob("*.html")),
    ROOT / "docs" / "verify.html",
]
PROGRAMS: Final = sorted((ROOT / "examples").rglob("*.py"))
SAID_ELSEWHERE: Final = {
    "someone": "documents say “somebody” as well",
    "bar": "a counter counts, in documents",
    "bargaining round": "imports run in a circle",
    "horseshoes played": "programs lay out and lay down",
    "a player's part of the dice": "records call it a salt",
    "plain": "documents may reckon",
    "take back": "programs undo",
}
"""Words checked in sentences only, and why."""


class Retired(NamedTuple):
    """A retired word, and the one that replaces it."""

    thing: str
    pattern: re.Pattern[str]
    better: str


def retired_words(language: str) -> list[Retired]:
    edge = "" if language == "ja" else r"(?<!\w)"
    end = "" if language == "ja" else r"(?!\w)"
    things = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text("utf-8"))
    return [
        Retired(thing, re.compile(f"{edge}(?:{word}){end}", re.IGNORECASE), languages[language]["word"])
        for thing, languages in things.items()
        for word in languages.get(language, {}).get("not", ())
    ]


def retired_uses(sentence: str, words: list[Retired]) -> list[str]:
    bare = re.sub(r"\{\w*[^{}]*\}", "{}", sentence)
    return [f"{sentence!r}: say “{word.better}”" for word in words if word.pattern.search(bare)]


def texts(message: Message) -> Iterator[tuple[str, str]]:
    """Yield each English text of a message, and each translation, in pairs whose other half is empty."""
    sources = [message.id] if isinstance(message.id, str) else list(message.id)
    translations = [message.string] if isinstance(message.string, str) else list(message.string or ())
    yield from ((source, "") for source in sources)
    yield from (("", text) for text in translations)


def prose(document: Path) -> Iterator[str]:
    """Yield the paragraphs of a document, without code and addresses."""
    text = re.sub(
        r"^```.*?^```|^(?: {4}|\t).*?$|`[^`\n]*`|\]\([^)]*\)", "", document.read_text("utf-8"), flags=re.M | re.S
    )
    yield from (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_a_retired_word(part: str, language: str) -> None:
    english, own = retired_words("en"), retired_words(language)
    wrong = []
    for message in catalogue(part, language):
        if message.id and not message.context:
            for source, translation in texts(message):
                wrong += retired_uses(source, english) + retired_uses(translation, own)
    assert wrong == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_no_document_has_a_retired_word(document: Path) -> None:
    words = [word for word in retired_words("en") if word.thing not in SAID_ELSEWHERE]
    wrong = [fault for paragraph in prose(document) for fault in retired_uses(paragraph, words)]
    assert wrong == []


def fixed_text(page: Path) -> str:
    """Return the text of a template or page that passes through no catalogue."""
    text = page.read_text("utf-8")
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", text, flags=re.S)
    text = re.sub(r"<!--.*?-->|<style.*?</style>|<script.*?</script>", " ", text, flags=re.S)
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def comments_and_strings(program: Path) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(program.read_text("utf-8")).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
        elif token.type == tokenize.STRING and not token.string.startswith(("f", "F")):
            text = ast.literal_eval(token.string)
            if isinstance(text, str):
                yield " ".join(text.split())


def in_no_catalogue() -> Iterator[tuple[str, str]]:
    """Yield every English text that passes through no catalogue, with its file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    yield "pyproject.toml", project["description"]
    yield from (("pyproject.toml", word) for word in project["keywords"])
    yield "CITATION.cff", " ".join((ROOT / "CITATION.cff").read_text("utf-8").split())
    yield from ((page.name, fixed_text(page)) for page in PAGES)
    yield from ((program.name, text) for program in PROGRAMS for text in comments_and_strings(program))


def test_no_template_example_or_description_has_a_retired_word() -> None:
    words = [word for word in retired_words("en") if word.thing not in SAID_ELSEWHERE]
    wrong = [(name, fault) for name, text in in_no_catalogue() for fault in retired_uses(text, words)]
    assert wrong == []


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_the_website_has_no_retired_word(language: str) -> None:
    texts = tomllib.loads((ROOT / "website" / "words.toml").read_text("utf-8"))
    assert [fault for text in texts.values() for fault in retired_uses(text[language], retired_words(language))] == []


RIDDLES: Final = (
    re.compile(r"(?<!\bthere) (is|are) no (?!longer\b|more\b)[a-z]", re.IGNORECASE),
    re.compile(r"^(Who|Whoever|Where) [^?]* (is|are) "),
    re.compile(r"\btold by\b"),
)
"""Shapes of sentences that were translated word by word: “is no position”, “Where the 1 is, is said”."""


def test_no_english_sentence_has_the_shape_of_a_riddle() -> None:
    messages = [message for part in PARTS for message in catalogue(part, LANGUAGES[0]) if message.id]
    sentences = [source for message in messages for source, _ in texts(message) if source]
    assert [sentence for sentence in sentences if any(riddle.search(sentence) for riddle in RIDDLES)] == []


def test_a_riddle_is_recognised() -> None:
    def is_riddle(sentence: str) -> bool:
        return any(riddle.search(sentence) for riddle in RIDDLES)

    assert is_riddle("This is no position: the link is cut off.")
    assert is_riddle("Where the 1 is, is said before the first die is placed.")
    assert not is_riddle("There is no such move.")
    assert not is_riddle("Where is the 1? After that, both dice are placed.")


def test_a_retired_word_is_found_and_the_better_one_is_named() -> None:
    assert retired_uses("Sit on a chair.", retired_words("en")) == ["'Sit on a chair.': say “seat”"]
    assert retired_uses("{chair} is free.", retired_words("en")) == []
    assert retired_uses("Armchairs", retired_words("en")) == []
    assert retired_uses("Un automate joue.", retired_words("fr")) == ["'Un automate joue.': say “ordinateur”"]
    assert retired_uses("楽しいおしゃべり", retired_words("ja")) == ["'楽しいおしゃべり': say “チャット”"]


def test_every_language_has_a_glossary() -> None:
    assert [language for language in ("en", *LANGUAGES) if not retired_words(language)] == []
