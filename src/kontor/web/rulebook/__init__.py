"""The rules as players read them: in our own words, numbered as refusals cite them. A chapter is a heading and rules;
each sentence is marked for the catalogues, and said in the reader's language when the page is made."""

from __future__ import annotations

from typing import Final

from kontor.web.rulebook.book import Chapter, Rule, RuleBook
from kontor.web.rulebook.dutchman import BOOK as DUTCHMAN
from kontor.web.rulebook.shanghaien import BOOK as SHANGHAIEN

BOOKS: Final[dict[str, RuleBook]] = {"shanghaien": SHANGHAIEN, "dutchman": DUTCHMAN}

__all__ = ["BOOKS", "Chapter", "Rule", "RuleBook"]
