"""Rules as players read them, in five languages, compared with the program."""

import re
from typing import Final

import pytest

from documents import rules
from kontor.games.dutchman.rules.components import CARDS, CHESTS
from kontor.lessons.book_pictures import BookPictures
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor, nobody
from kontor.words import Words

TWELVE: Final = {"en": "Twelve", "de": "Zwölf", "fr": "Douze", "it": "Dodici", "ja": "12"}
GONE: Final = {"en": "is gone", "de": "weg", "fr": "perdue", "it": "persa", "ja": "戻"}
NOTHING: Final = {"en": "scores nothing", "de": "bekommt nichts", "fr": "ne marque rien", "it": "non segna nulla",
                  "ja": "弱いほうは0点"}  # fmt: skip
DICE: Final = {"en": "dice say", "de": "sagen die Würfel", "fr": "dés disent", "it": "dadi dicono", "ja": "ダイスで"}

RULINGS: Final = {
    "shanghaien": {"S2", "S3a", "S7", "S12"},
    "dutchman": {"H2", "H3", "H6a", "H6c", "H7", "H8", "H9", "H10a", "H10b", "H11", "H11a", "H13", "H14"},
}
"""Numbers of the rules in which we decided something."""

LANGUAGES: Final = ("en", "de", "fr", "it", "ja")


def texts(game: str, language: str) -> dict[str, str]:
    """Return the whole text of each rule by its number."""
    words = Words(language)
    return {
        rule.number: " ".join(words.say(part) for part in (rule.text, rule.ruling, rule.example) if part)
        for chapter in adapter_of(game).book.chapters
        for rule in chapter.rules
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_h2_there_are_as_many_chests_as_in_the_program(language: str) -> None:
    assert len(CHESTS) == 12
    assert texts("dutchman", language)["H2"].startswith(TWELVE[language]) or language == "ja"
    assert TWELVE[language] in texts("dutchman", language)["H2"].partition("。")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_h6_cards_that_were_played_are_gone_for_the_whole_game(language: str) -> None:
    assert CARDS == 3
    for rule in ("H6", "H6a", "H6b"):
        assert GONE[language] in texts("dutchman", language)[rule]


@pytest.mark.parametrize("language", LANGUAGES)
def test_s11_the_weaker_side_scores_nothing(language: str) -> None:
    assert NOTHING[language] in texts("shanghaien", language)["S11"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_s3_h5_nobody_rolls_for_who_starts(language: str) -> None:
    for game, rule in (("shanghaien", "S3"), ("dutchman", "H5")):
        assert DICE[language] not in texts(game, language)[rule]


@pytest.mark.parametrize("game", web_adapters())
def test_our_rulings_are_marked(game: str) -> None:
    """Check the page, and docs/rules.md, which is made from the same book (``tests/test_documents.py``)."""
    marked = {rule.number for chapter in adapter_of(game).book.chapters for rule in chapter.rules if rule.ruling}
    assert marked == RULINGS[game]
    paragraphs = re.findall(r"^\*\*([SH]\w+)\.\*\*(.*?)(?=\n\n|\Z)", rules(), re.DOTALL | re.MULTILINE)
    assert {number for number, text in paragraphs if "*Our ruling:*" in " ".join(text.split())} == RULINGS[
        "shanghaien"
    ] | RULINGS["dutchman"]


@pytest.mark.parametrize(
    ("game", "template", "scene"), [("shanghaien", "row", "dealt"), ("dutchman", "chart", "start")]
)
def test_pictures_are_drawn_once_for_all_who_read_a_language(game: str, template: str, scene: str) -> None:
    pictures, pages = BookPictures(), Pages()

    def read(language: str) -> tuple[str, str]:
        reader = Visitor(nobody, "", language, "", "", False, "/", False)
        drawn = pictures.of_one_page(pages, game, reader)
        return pictures.drawings(pages, game, reader), drawn(template, scene)

    english, german, again = read("en"), read("de"), read("en")
    assert all(first is second for first, second in zip(english, again, strict=True))
    assert english[1] != german[1]
