"""The five languages: translations agree with their sentences; those that are missing are listed as a warning."""

import re
import warnings
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message

import catalogues
from catalogues import (
    LANGUAGES,
    LETTERS,
    PARTS,
    SOURCE,
    catalogue,
    collect,
    folder,
    typeset,
    untranslated_sentences,
    up_to_date,
    write_text,
)
from kontor.web.pages.languages import NAMES, language_of, languages
from kontor.words import DOMAIN, Words

pytestmark = pytest.mark.xdist_group("sentences of the source")
"""One group, because collecting the sentences takes a while."""


def texts(message: Message) -> list[str]:
    translation = message.string
    return [translation] if isinstance(translation, str) else list(translation or ())


def sources(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def places(text: str) -> list[str]:
    """Return the placeholders of a text."""
    return sorted(set(re.findall(r"\{(\w*)[^{}]*\}", text)))


def test_the_server_speaks_five_languages() -> None:
    assert set(languages()) == {"de", "en", "fr", "it", "ja"} == set(NAMES)
    assert set(LANGUAGES) | {"en"} == set(languages())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_without_a_translation_is_said_in_english_and_listed(language: str) -> None:
    """List what is left to translate; ``scripts/release.py`` refuses it."""
    words = Words(language)
    for part in PARTS:
        untranslated = untranslated_sentences(up_to_date(part, language))
        if untranslated:
            listed = "\n    ".join(["", *untranslated])
            warnings.warn(f"Not translated: {len(untranslated)} sentences in {language}:{listed}", stacklevel=1)
        # Letters and plurals are looked up by other functions.
        assert [text for text in untranslated if text in plain_sentences() and words.say(text) != text] == []


def plain_sentences() -> set[str]:
    return {str(message.id) for message in collect() if isinstance(message.id, str) and not message.context}


@pytest.fixture
def one_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the source of one module and its French catalogue in the place of Kontor's; return the folder."""
    monkeypatch.setattr(catalogues, "SOURCE", tmp_path)
    monkeypatch.setattr(catalogues, "PARTS", {catalogues.COMMON: tmp_path})
    monkeypatch.setattr(catalogues, "LANGUAGES", ("fr",))
    monkeypatch.setattr(catalogues, "LETTERS", {})
    # Caches of their own, so that the source of Kontor is not collected anew afterwards.
    monkeypatch.setattr(catalogues, "collect", cache(collect.__wrapped__))
    monkeypatch.setattr(catalogues, "_parse", cache(catalogues._parse.__wrapped__))
    return tmp_path


def update_from(folder: Path, *sentences: str) -> bool:
    (folder / "module.py").write_text("\n".join(f"say({sentence!r})" for sentence in sentences), "utf-8")
    catalogues.collect.cache_clear()
    catalogues._parse.cache_clear()
    return catalogues.update()


def translate(sentence: str, translation: str) -> None:
    catalog = catalogue(catalogues.COMMON, "fr")
    catalog[sentence].string = translation
    (folder(catalogues.COMMON, "fr") / f"{DOMAIN}.po").write_bytes(write_text(catalog))


def french(sentence: str) -> Message:
    message = catalogue(catalogues.COMMON, "fr").get(sentence)
    assert message
    return message


def test_an_update_adds_new_sentences_and_drops_those_that_are_gone(one_catalogue: Path) -> None:
    assert not update_from(one_catalogue, "Good day.", "A ship sails.")
    assert not catalogues.check()
    translate("Good day.", "Bonjour.")
    translate("A ship sails.", "Un navire part.")
    assert catalogues.check()
    assert update_from(one_catalogue, "Good day.")
    assert french("Good day.").string == "Bonjour."
    assert "A ship sails." not in catalogue(catalogues.COMMON, "fr")


def test_a_changed_sentence_keeps_its_translation_as_fuzzy_which_does_not_count(one_catalogue: Path) -> None:
    update_from(one_catalogue, "A ship sails to the island.")
    translate("A ship sails to the island.", "Un navire part vers l’île.")
    for _ in range(2):  # a second update forgets nothing
        assert not update_from(one_catalogue, "A ship sails to the islands.")
        changed = french("A ship sails to the islands.")
        assert (changed.string, changed.fuzzy) == ("Un navire part vers l’île.", True)
        assert untranslated_sentences(catalogue(catalogues.COMMON, "fr")) == ["A ship sails to the islands."]


def test_an_entirely_new_sentence_takes_over_no_translation(one_catalogue: Path) -> None:
    update_from(one_catalogue, "A ship sails to the island.")
    translate("A ship sails to the island.", "Un navire part vers l’île.")
    assert not update_from(one_catalogue, "Who wants to bargain?")
    assert french("Who wants to bargain?").string == ""


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_written_as_the_collector_writes_them(part: str, language: str) -> None:
    catalog = catalogue(part, language)
    for message in catalog:
        message.string = typeset(language, message.string)
    assert (folder(part, language) / f"{DOMAIN}.po").read_bytes() == write_text(catalog)


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
    sentences = [
        words.count_tenths("{n} percentage point", "{n} percentage points", number) for number in (0.3, 1.94, 1.96)
    ]
    assert sentences == [below_one, below_two, two]


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
    for kind, (_, letters) in LETTERS.items():
        assert len({words.letter(kind, letter) for letter in letters}) == len(letters), kind


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
    sentence = typeset("fr", "Prêt ? Oui ; « 62 % » : https://a.example, {n} %")
    assert sentence == "Prêt\u202f? Oui\u202f; «\xa062\xa0%\xa0»\xa0: https://a.example, {n}\xa0%"
    assert typeset("de", "Ja ?") == "Ja ?"


def test_the_collector_finds_all_ways_of_saying() -> None:
    sentences = {text for message in collect() if message.id for text in sources(message)}
    assert {
        "Kontor cards left",
        "{some} and {last}",
        "Something has changed at the table. Please look again.",
        "{option} takes a whole number from {least} on, not “{given}”.",
    } <= sentences


def test_no_text_for_people_stands_in_a_script() -> None:
    """Check that scripts get their texts from the page, which has them from the catalogues."""
    for script in sorted(SOURCE.rglob("static/*.js")):
        if script.name.startswith("htmx"):
            continue
        code = re.sub(r"//.*|/\*.*?\*/", "", script.read_text())
        texts_in_code = [text for text in re.findall(r'"([^"\n]*)"', code) if re.match(r"[A-Z][a-z]+ [a-z]+", text)]
        assert texts_in_code == [], script.name


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "de-AT,de;q=0.9,en;q=0.5", "de"), (None, "fr-CH;q=0.4, it;q=0.9", "it"), (None, "ja", "ja"),
        (None, "sv,da;q=0.8", "en"), (None, None, "en"), ("fr", "de", "fr"), ("xx", "de", "de"),
    ],
)  # fmt: skip
def test_the_language_is_the_one_chosen_or_the_browsers(
    chosen: str | None, accepted: str | None, language: str
) -> None:
    assert language_of(chosen, accepted) == language
