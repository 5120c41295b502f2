"""The five languages: every sentence has a complete translation, with nothing missing and nothing extra."""

from __future__ import annotations

import re
from datetime import date

import pytest
from babel.messages.catalog import Message

from catalogues import (
    LANGUAGES,
    LETTERS,
    PARTS,
    SOURCE,
    catalogue,
    collected,
    compiled,
    folder,
    missing,
    typeset,
    up_to_date,
    written,
)
from kontor.web.pages.languages import NAMES, language_of, languages
from kontor.words import DOMAIN, Words

pytestmark = pytest.mark.xdist_group("sentences of the source")
"""One group, because collecting the sentences takes a while."""

RENEW = "run: .venv/bin/python tests/catalogues.py"


def texts(message: Message) -> list[str]:
    """Return the translations of a sentence: one text, or one for each plural."""
    said = message.string
    return [said] if isinstance(said, str) else list(said or ())


def sources(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def places(text: str) -> list[str]:
    """Return the placeholders of a text."""
    return sorted(set(re.findall(r"\{(\w*)[^{}]*\}", text)))


def test_the_server_speaks_five_languages() -> None:
    assert set(languages()) == {"de", "en", "fr", "it", "ja"} == set(NAMES)
    assert set(LANGUAGES) | {"en"} == set(languages())


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_exactly_the_sentences_of_the_source(part: str, language: str) -> None:
    assert (folder(part, language) / f"{DOMAIN}.po").read_bytes() == written(up_to_date(part, language)), RENEW


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated_in_all_its_plurals(part: str, language: str) -> None:
    assert missing(catalogue(part, language)) == []


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(part: str, language: str) -> None:
    assert (folder(part, language) / f"{DOMAIN}.mo").read_bytes() == compiled(part, language), RENEW


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_is_the_same(part: str, language: str) -> None:
    wrong = []
    for message in catalogue(part, language):
        wanted = places(" ".join(sources(message)))
        for text in texts(message) if message.id else ():
            # A plural may leave out its number: “one ducat”.
            if not set(places(text)) <= set(wanted) or (not message.pluralizable and places(text) != wanted):
                wrong.append((message.id, text))
    assert wrong == []


def marks(text: str) -> set[str]:
    """Return the control characters of a text (but line ends), and its backslashes with what follows them."""
    return set(re.findall(r"[\x00-\x09\x0b-\x1f]|\\.", text))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_control_characters_are_the_same(part: str, language: str) -> None:
    r"""Check ``\b``, which keeps the lines of an example apart in a help text; as two characters it is printed."""
    wrong = [
        (message.id, text)
        for message in catalogue(part, language)
        for text in (texts(message) if message.id else ())
        if marks(text) != marks(sources(message)[0])
    ]
    assert wrong == []


@pytest.mark.parametrize("part", PARTS)
def test_points_agree_with_their_number(part: str) -> None:
    """Check that a sentence that counts points has a plural, chosen by the number of points."""
    counted = re.compile(r"\{(\w+)\} (?:\w+ )?points?\b")
    wrong = [
        message.id
        for message in catalogue(part, LANGUAGES[0])
        if message.id
        for name in counted.findall(sources(message)[-1])
        if name != "n" or not message.pluralizable
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "below_one", "below_two", "two"),
    [
        ("en", "0.3 percentage points", "1.9 percentage points", "2.0 percentage points"),
        ("de", "0,3 Prozentpunkte", "1,9 Prozentpunkte", "2,0 Prozentpunkte"),
        ("fr", "0,3 point de pourcentage", "1,9 point de pourcentage", "2,0 points de pourcentage"),
        ("it", "0,3 punti percentuali", "1,9 punti percentuali", "2,0 punti percentuali"),
        ("ja", "0.3ポイント", "1.9ポイント", "2.0ポイント"),
    ],
)
def test_tenths_take_the_plural_of_their_language(language: str, below_one: str, below_two: str, two: str) -> None:
    words = Words(language)
    said = [
        words.count_tenths("{n} percentage point", "{n} percentage points", number) for number in (0.3, 1.94, 1.96)
    ]
    assert said == [below_one, below_two, two]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_in_english_by_mistake(part: str, language: str) -> None:
    """Check that no long translation equals the English sentence."""
    same = [
        message.id
        for message in catalogue(part, language)
        if message.id
        and texts(message)[0] == sources(message)[0]
        and len(re.findall(r"[a-z]{2,}", texts(message)[0])) > 3
    ]
    assert same == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_tell_all_ships_and_all_crews_apart(language: str) -> None:
    words = Words(language)
    for what, (_, letters) in LETTERS.items():
        assert len({words.letter(what, letter) for letter in letters}) == len(letters), what


@pytest.mark.parametrize(
    ("language", "day", "tenths", "row"),
    [
        ("en", "2026-03-01", "12.3", "a, b, c"),
        ("de", "01.03.2026", "12,3", "a, b, c"),
        ("fr", "01/03/2026", "12,3", "a, b, c"),
        ("it", "01/03/2026", "12,3", "a, b, c"),
        ("ja", "2026年03月01日", "12.3", "a、b、c"),
    ],
)
def test_days_numbers_and_rows_are_written_as_in_the_language(language: str, day: str, tenths: str, row: str) -> None:
    words = Words(language)
    assert (words.day(date(2026, 3, 1)), words.tenths(12.34), words.in_row("abc")) == (day, tenths, row)


def test_french_signs_stay_with_their_word() -> None:
    said = typeset("fr", "Prêt ? Oui ; « 62 % » : https://a.example, {n} %")
    assert said == "Prêt\u202f? Oui\u202f; «\xa062\xa0%\xa0»\xa0: https://a.example, {n}\xa0%"
    assert typeset("de", "Ja ?") == "Ja ?"


def test_the_collector_finds_all_ways_of_saying() -> None:
    known = {text for message in collected() if message.id for text in sources(message)}
    assert {
        "Kontor cards left",
        "{some} and {last}",
        "Something has changed at the table. Please look again.",
        "{option} takes a whole number from {least} on, not “{given}”.",
    } <= known


def test_no_text_for_people_stands_in_a_script() -> None:
    """Check that scripts get their texts from the page, which has them from the catalogues."""
    for script in sorted(SOURCE.rglob("static/*.js")):
        if script.name.startswith("htmx"):
            continue
        code = re.sub(r"//.*|/\*.*?\*/", "", script.read_text())
        said = [text for text in re.findall(r'"([^"\n]*)"', code) if re.match(r"[A-Z][a-z]+ [a-z]+", text)]
        assert said == [], script.name


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "de-AT,de;q=0.9,en;q=0.5", "de"),
        (None, "fr-CH;q=0.4, it;q=0.9", "it"),
        (None, "ja", "ja"),
        (None, "sv,da;q=0.8", "en"),
        (None, None, "en"),
        ("fr", "de", "fr"),
        ("xx", "de", "de"),
    ],
)
def test_the_language_is_the_one_chosen_or_the_browsers(
    chosen: str | None, accepted: str | None, language: str
) -> None:
    assert language_of(chosen, accepted) == language
