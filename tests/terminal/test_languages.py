"""The languages of the terminal: every sentence can be translated."""

import gettext
import re
from typing import Any

import pytest

from kontor.game import OVER
from kontor.games.dutchman.rules.chart import OURS
from kontor.terminal.adapter import ObservedStep, TerminalAdapter
from kontor.words import Words
from terminal.sessions import DUTCHMAN_ADAPTER, NAMES, SHANGHAIEN_ADAPTER, options_of, printed, steps_of


class Foreign(gettext.NullTranslations):
    """A language in which every letter is ж, so that untranslated text is noticed."""

    def gettext(self, message: str) -> str:
        return re.sub(r"[^{}]+(?![^{]*})", lambda match: re.sub(r"[^\W\d_]", "ж", match[0]), message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@pytest.mark.parametrize(("adapter", "seats"), [(SHANGHAIEN_ADAPTER, 2), (DUTCHMAN_ADAPTER, 4)], ids=["S", "H"])
def test_every_sentence_goes_through_the_words(
    adapter: TerminalAdapter, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert adapter.report
    assert adapter.ending
    monkeypatch.setattr("gettext.translation", lambda *_, **__: Foreign())
    words = Words("ж")
    names = NAMES[:seats]
    drawn: list[Any] = []
    steps: list[ObservedStep] = []
    for before, seen, after in steps_of(adapter, options_of(adapter, seats), seed=8, watcher=0):
        steps.append(seen)
        own = adapter.game.view(before, 0)
        drawn += adapter.describe_event(words, names, own, seen.event, seen.after)
        drawn.append(adapter.headline(words, names, own))
        drawn += [f"{number[1:]} {rule}" for number, rule in adapter.rules(words, own)]
        if seen.after.round != seen.before.round:
            drawn += [adapter.report(words, names, steps), adapter.board(words, names, own)]
            drawn += [draw(words, names, own) for draw in adapter.looks.values()]
            steps = []
        if after.mover == OVER:
            drawn.append(adapter.ending(words, names, adapter.game.view(after, None)))
    islands = "|".join(field.name for field in OURS.fields if not field.colour)
    text = re.sub(
        rf"\b({'|'.join(names)}|{islands}|Hol|Cey|Mad|Cur|Jav|Mau)\b|^\d\w? ", "", "\n".join(printed(*drawn))
    )
    assert "ж" in text
    assert set(re.findall(r"\w*[a-zA-Z]\w*", re.sub(r"(?m)^\d+[a-d] ", "", text))) == set()
