"""The pictures in the rules of the games, which are the same for all readers of one language."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from markupsafe import Markup

from kontor.web.adapter import adapter_of
from kontor.web.pages.refused import rule_url
from kontor.web.pages.render import Pages
from kontor.web.pages.template_context import TemplateContext
from kontor.web.pages.visitor import Visitor


class Picture(TemplateContext, frozen=True, kw_only=True):
    """The context of a picture in a game's rules: one of its templates in ``pictures/``."""

    game: str
    picture: str
    """The name of the template."""
    scene: Any
    """The scene of the picture, as the game's ``WebAdapter.pictures`` returns it; None for pictures without one."""
    draws: str
    """The part of the scene to render; empty for all of it."""
    rule_url: Callable[[str], str]
    """A function that returns the address of a rule, given its number."""

    @property
    def template_name(self) -> str:
        """Return the name of the game's template."""
        return f"{self.game}/pictures/{self.picture}.html"


class BookPictures:
    """A cache of the pictures by language: rendering those of a book takes 50 milliseconds of processor time."""

    def __init__(self) -> None:
        self._scenes: dict[tuple[str, str], dict[str, Any]] = {}
        self._drawn: dict[tuple[str, ...], Markup] = {}

    def drawings(self, pages: Pages, game: str, visitor: Visitor) -> Markup:
        """Return the shared drawings that the pictures of a game's book use; empty for a book without pictures."""
        return self._picture(pages, game, visitor, "", "defs") if self._scenes_of(game, visitor) else Markup()

    def of_one_page(self, pages: Pages, game: str, visitor: Visitor) -> Callable[..., Markup]:
        """Return the function by which a page renders its pictures.

        It takes a template, a scene, and the part of the scene to render. Its ids are unique on the page.
        """
        numbers = count(1)

        def draw_picture(template: str, scene: str = "", draws: str = "") -> Markup:
            return self._picture(pages, game, visitor, f"f{next(numbers)}", template, scene, draws)

        return draw_picture

    def _picture(
        self, pages: Pages, game: str, visitor: Visitor, name: str, template: str, scene: str = "", draws: str = ""
    ) -> Markup:
        key = (game, visitor.language, name, template, scene, draws)
        if key not in self._drawn:
            picture = Picture(
                game=game,
                picture=template,
                scene=self._scenes_of(game, visitor).get(scene),
                draws=draws,
                rule_url=partial(rule_url, game),
            )
            self._drawn[key] = pages.figure(name, visitor, picture)
        return self._drawn[key]

    def _scenes_of(self, game: str, visitor: Visitor) -> dict[str, Any]:
        key = (game, visitor.language)
        if key not in self._scenes:
            self._scenes[key] = adapter_of(game).pictures(visitor.words)
        return self._scenes[key]
