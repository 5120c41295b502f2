"""Windows of readers, drawn at random: size, zoom, size of letters, language, light, and touch or mouse."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from playwright.sync_api import Page

from profiles import PROFILE
from web.auditor import LANGUAGES, SEED_VARIABLE
from web.browsers import Pages

WIDTHS: Final = (320, 2560)
HEIGHTS: Final = (480, 1440)
"""Pixels of a screen; a zoomed page has fewer of its own."""

LEAST: Final = (320, 360)
"""Pixels of the smallest page, where a small screen is zoomed in: that of a phone, and of one on its side."""

ZOOMS: Final = (1.0, 1.0, 1.0, 1.1, 1.25, 1.5, 2.0)
LETTERS: Final = (16, 16, 16, 18, 21)
"""Pixels of a letter as the reader has set it in the browser."""

COUNT_VARIABLE: Final = "KONTOR_WINDOW_COUNT"

NAMES: Final = ("Bartholomäus Iversen", "Jo", "Wilhelmina Mumm", "李", "Maximiliane", "Il")
"""Names of one to twenty letters, wide ones and narrow ones."""


@dataclass(frozen=True)
class Window:
    """Window in which a page is looked at; ``width`` and ``height`` are in pixels of the page."""

    width: int
    height: int
    letters: int
    language: str
    light: Literal["light", "dark"]
    touch: bool

    def __str__(self) -> str:
        letters = f", letters of {self.letters} px" if self.letters != LETTERS[0] else ""
        touch = ", touch" if self.touch else ""
        return f"{self.width}×{self.height}, {self.language}, {self.light}{letters}{touch}"


def draw_window(random: Random) -> Window:
    zoom = random.choice(ZOOMS)
    width, height = random.randint(*WIDTHS), random.randint(*HEIGHTS)
    return Window(
        max(LEAST[0], round(width / zoom)),
        max(LEAST[1], round(height / zoom)),
        random.choice(LETTERS),
        random.choice(LANGUAGES),
        random.choice(("light", "dark")),
        touch=width < 1100 and random.random() < 0.5,
    )


def windows_seed() -> int:
    """Return the seed of this run, 1 if none is asked for, so that the verdict of a usual run follows from the code.

    ``KONTOR_WINDOWS=<seed>`` draws from another one; ``KONTOR_WINDOWS=any`` and the thorough profile draw others each
    time.
    """
    chosen = os.environ.get(SEED_VARIABLE, "any" if PROFILE == "thorough" else "1")
    return Random().randrange(10**6) if chosen == "any" else int(chosen)


def drawn_count(usual: int) -> int:
    """Return how many windows are drawn in this run: ``usual``, or what ``KONTOR_WINDOW_COUNT`` says."""
    return int(os.environ.get(COUNT_VARIABLE, usual))


@contextmanager
def page_in(pages: Pages, window: Window, token: str | None) -> Iterator[Page]:
    """Yield a page in a window, signed in by a session token; windows with touch, and those without, share pages.

    Nobody touches or scrolls it, so it is not drawn.
    """
    with pages(token, has_touch=window.touch, draws=False) as page:
        page.set_viewport_size({"width": window.width, "height": window.height})
        page.emulate_media(color_scheme=window.light)
        page.set_extra_http_headers({"accept-language": window.language})
        page.context.new_cdp_session(page).send(
            "Page.setFontSizes", {"fontSizes": {"standard": window.letters, "fixed": round(window.letters * 13 / 16)}}
        )
        yield page
