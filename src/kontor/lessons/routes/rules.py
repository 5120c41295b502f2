"""Pages to read: the rules of all games, linked to by number, and how programs play."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from litestar import Response, get
from litestar.params import FromPath

from kontor.analysis import is_analysed
from kontor.lessons.site import TheLessonsSite
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.http.faults import NoPage
from kontor.web.http.sessions import TheVisitor
from kontor.web.http.site import in_reading_thread

PLAYER: Final = files("kontor.lessons").joinpath("templates/api/player.txt").read_text("utf-8")
"""A sample program that plays, as the page for programs shows it."""


@get("/rules")
@in_reading_thread
def shelf(site: TheLessonsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page that lists the rules of all games."""
    return site.page("rules/shelf.html", visitor, analysed=[game for game in web_adapters() if is_analysed(game)])


@get("/rules/{game:str}")
@in_reading_thread
def book(site: TheLessonsSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """Return the page with the rules of a game. Raises NoPage."""
    if game not in web_adapters():
        raise NoPage
    return site.page(
        "rules/book.html",
        visitor,
        game=game,
        styles=[name for name in (f"{game}.css", f"{game}-rules.css") if site.pages.has(name)],
        book=adapter_of(game).book,
        drawn=site.book_pictures.of_one_page(site.pages, game, visitor),
        drawings=site.book_pictures.drawings(site.pages, game, visitor),
    )


@get("/api")
@in_reading_thread
def programs(site: TheLessonsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page that explains how programs play."""
    return site.page("api/api.html", visitor, player=PLAYER)


ROUTES = (shelf, book, programs)
