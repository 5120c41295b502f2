"""Pages to read: the rules of all games, linked to by number, and how programs play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import ClassVar, Final

from litestar import Response, get
from litestar.params import FromPath
from markupsafe import Markup

from kontor.lessons.site import TheLessonsSite
from kontor.web.adapter import adapter_of
from kontor.web.http.faults import require_game
from kontor.web.http.sessions import TheVisitor
from kontor.web.http.site import in_reading_thread
from kontor.web.pages.whole_page import WholePage
from kontor.web.rulebook import RuleBook

PLAYER: Final = files("kontor.lessons").joinpath("templates/api/player.txt").read_text("utf-8")
"""A sample program that plays, as the page for programs shows it."""


class ShelfPage(WholePage, frozen=True, kw_only=True):
    """The context of the list of all games' rules."""

    template: ClassVar = "rules/shelf.html"


@get("/rules")
@in_reading_thread
def shelf(site: TheLessonsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page that lists the rules of all games."""
    return site.page(visitor, ShelfPage())


class BookPage(WholePage, frozen=True, kw_only=True):
    """The context of the rules of a game."""

    template: ClassVar = "rules/book.html"

    game: str
    book: RuleBook
    styles: Sequence[str]
    """The names of the game's own files of styles."""
    drawn: Callable[..., Markup]
    """A function that draws a picture (``BookPictures.of_one_page``)."""
    drawings: Markup
    """The drawings that the pictures share."""


@get("/rules/{game:str}")
@in_reading_thread
def book(site: TheLessonsSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """Return the page with the rules of a game. Raises NoPage."""
    require_game(game)
    page = BookPage(
        game=game,
        styles=[name for name in (f"{game}.css", f"{game}-rules.css") if site.pages.has(name)],
        book=adapter_of(game).book,
        drawn=site.book_pictures.of_one_page(site.pages, game, visitor),
        drawings=site.book_pictures.drawings(site.pages, game, visitor),
    )
    return site.page(visitor, page)


class ProgramsPage(WholePage, frozen=True, kw_only=True):
    """The context of the page for those who write programs."""

    template: ClassVar = "api/api.html"

    player: str
    """A sample program."""


@get("/api")
@in_reading_thread
def programs(site: TheLessonsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page that explains how programs play."""
    return site.page(visitor, ProgramsPage(player=PLAYER))


ROUTES = (shelf, book, programs)
