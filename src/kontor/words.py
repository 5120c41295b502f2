"""Words: every sentence that a person reads goes through one small object.

English is the source text. A sentence is always whole, with ``{names}`` to be filled in, and never glued together
from pieces. So a catalogue in another language can order its words freely. Catalogues are gettext's, in
``locale/<language>/LC_MESSAGES/kontor.mo`` of this package and of each game; sentences that they lack stay English.

Tools that collect the sentences find them as the first argument of ``say``, ``mark``, ``IllegalMove`` (its second)
and the like, and the first two of ``count`` and ``count_tenths``.
"""

from __future__ import annotations

import copy
import gettext
import struct
from collections.abc import Sequence
from datetime import date, tzinfo
from functools import lru_cache
from importlib.resources import files
from typing import Final

from kontor.game import Refusal
from kontor.plugins import leave_out, plugins

DOMAIN: Final = "kontor"


def mark(sentence: str) -> str:
    """Return the sentence unchanged: it is marked for the catalogues, and translated later."""
    return sentence


def _catalogue(package: str, languages: Sequence[str] | None) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, str(files(package).joinpath("locale")), languages, fallback=True)


class Words:
    """The sentences of one language."""

    zone: tzinfo | None = None
    """The time zone of the reader, where it is known."""

    def __init__(self, language: str | None = None) -> None:
        """Load the catalogues of a language, by default of the environment (LANGUAGE, LC_ALL, LC_MESSAGES, LANG)."""
        chosen = [language] if language else None
        self._catalogue = _catalogue("kontor", chosen)
        for plugin in tuple(plugins().values()):
            try:
                self._catalogue.add_fallback(_catalogue(plugin.package, chosen))
            except (OSError, ValueError, LookupError, struct.error) as error:  # not a gettext file, or a broken one
                leave_out(plugin, "locale", error)
        # gettext searches one catalogue after the other, so the results are cached.
        self._gettext = lru_cache(maxsize=4096)(self._catalogue.gettext)
        self._ngettext = lru_cache(maxsize=4096)(self._catalogue.ngettext)

    def __eq__(self, other: object) -> bool:
        """Return True for the same sentences, for readers in any time zone.

        So caches of texts without times are shared by all zones.
        """
        return isinstance(other, Words) and self._catalogue is other._catalogue

    def __hash__(self) -> int:
        """Return the hash of the catalogue."""
        return id(self._catalogue)

    def in_zone(self, zone: tzinfo | None) -> Words:
        """Return the same sentences for a reader in a time zone."""
        words = copy.copy(self)
        words.zone = zone
        return words

    def say(self, sentence: str, /, **details: object) -> str:
        """Return the sentence, translated and filled in."""
        translated = self._gettext(sentence)
        return translated.format(**details) if details else translated

    def count(self, singular: str, plural: str, n: int, /, **details: object) -> str:
        """Return the sentence for ``n`` things; the number itself is ``{n}``."""
        return self._ngettext(singular, plural, n).format(n=n, **details)

    def count_tenths(self, singular: str, plural: str, number: float, /, **details: object) -> str:
        """Return the sentence for a number with one decimal place; the number itself is ``{n}``.

        Below two it takes the form that zero has in the language, as CLDR's rules say for decimals: plural in
        English (“1.5 points”), singular in French (“1,5 point”).
        """
        rounded = abs(float(f"{number:.1f}"))
        form = 0 if rounded < 2 else int(rounded)
        return self._ngettext(singular, plural, form).format(n=self.tenths(number), **details)

    def letter(self, what: str, letter: str) -> str:
        """Return a letter that stands for a thing: ``B`` for a blue ship.

        ``what`` tells like letters apart (``"ship"``).
        """
        return self._catalogue.pgettext(what, letter)

    def all_of(self, things: Sequence[str]) -> str:
        """Return a list with “and”: ``Anna``; ``Anna and Bernd``; ``Anna, Bernd and Carla``."""
        return self._join_list(things, mark("{some} and {last}"))

    def one_of(self, things: Sequence[str]) -> str:
        """Return a list with “or”, as in ``left or right``."""
        return self._join_list(things, mark("{some} or {last}"))

    def in_row(self, things: Sequence[str]) -> str:
        """Return a list with commas, as in ``a program, may play, never used``."""
        return self._join_list(things, mark("{some}, {last}"))

    def day(self, day: date) -> str:
        """Return a date: ``2026-11-24``; ``24.11.2026`` in German."""
        year, month, day_of_month = day.isoformat().split("-")
        return self.say("{year}-{month}-{day}", year=year, month=month, day=day_of_month)

    def tenths(self, number: float) -> str:
        """Return a number with one decimal place: ``12.3``; ``12,3`` in German."""
        integer, tenths = f"{number:.1f}".split(".")
        return self.say("{whole}.{tenths}", whole=integer, tenths=tenths)

    def thousandths(self, number: float) -> str:
        """Return a number with three decimal places: ``0.213``; ``0,213`` in German."""
        integer, thousandths = f"{number:.3f}".split(".")
        return self.say("{whole}.{tenths}", whole=integer, tenths=thousandths)

    def _join_list(self, things: Sequence[str], sentence: str) -> str:
        if len(things) < 2:
            return "".join(things)
        first, *middle, last = things
        for thing in middle:
            first = self.say("{some}, {last}", some=first, last=thing)
        return self.say(sentence, some=first, last=last)

    def refuse(self, refusal: Refusal) -> str:
        """Return the reason of a refusal, with the number of the rule."""
        reason = self.reason(refusal)
        return self.say("{reason} ({rule})", reason=reason, rule=refusal.rule) if refusal.rule else reason

    def reason(self, refusal: Refusal) -> str:
        """Return the reason of a refusal.

        Rules name colours and tricks by their English words: those are translated too, and so is a refusal inside
        another.
        """
        translated = {
            name: self.say(str(word)) for name, word in refusal.details.items() if name in ("colour", "trick")
        }
        translated |= {name: self.reason(why) for name, why in refusal.details.items() if isinstance(why, Refusal)}
        return self.say(refusal.reason, **{**refusal.details, **translated})
