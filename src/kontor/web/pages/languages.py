"""The language of a page: the visitor's choice, or the first of the browser's that has a catalogue."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from kontor.web.pages.moments import zone_named
from kontor.words import DOMAIN, Words

SOURCE: Final = "en"
"""The language of the sentences themselves; it needs no catalogue."""

NAMES: Final = {"de": "Deutsch", "en": "English", "fr": "Français", "it": "Italiano", "ja": "日本語"}
"""Each language by its own name."""


@cache
def languages() -> tuple[str, ...]:
    """Return the languages of the server: English, and those that have a catalogue."""
    folder = files("kontor").joinpath("locale")
    return tuple(
        code for code in NAMES if code == SOURCE or folder.joinpath(code, "LC_MESSAGES", f"{DOMAIN}.mo").is_file()
    )


@cache
def words_in(language: str, zone: str = "") -> Words:
    """Return the sentences of a language, for a reader in the time zone of a name."""
    return words_in(language).in_zone(zone_named(zone)) if zone else Words(language)


def language_of(chosen: str | None, accepted: str | None) -> str:
    """Return the visitor's own choice; else the best of the header Accept-Language; else English."""
    if chosen in languages():
        return str(chosen)
    for page_request in _accepted_languages(accepted or ""):
        short = page_request.split("-")[0]
        if short in languages():
            return short
    return SOURCE


def _accepted_languages(header: str) -> list[str]:
    """Return the languages of the header, the most wanted first; skip invalid parts."""
    weighted: list[tuple[float, int, str]] = []
    for place, part in enumerate(header[:500].split(",")):
        name, _, rest = part.strip().lower().partition(";")
        try:
            weight = float(rest.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if weight > 0:
            weighted.append((-weight, place, name.strip()))
    return [name for _, _, name in sorted(weighted)]
