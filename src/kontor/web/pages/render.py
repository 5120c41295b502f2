"""Pages from templates. Templates only loop and print; Python decides before what is shown."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import SimpleNamespace
from typing import Any, Final

from jinja2 import ChoiceLoader, PackageLoader, PrefixLoader
from jinja2.environment import TemplateModule
from markupsafe import Markup, escape
from rich.cells import cell_len

from kontor.plugins import plugins
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages.assets import Assets, page_folders, page_packages
from kontor.web.pages.figures import with_own_ids
from kontor.web.pages.fragments import TOKEN, FragmentCache, Page, PageBuilder
from kontor.web.pages.game_parts import template_loaders
from kontor.web.pages.languages import NAMES, SOURCE, languages, words_in
from kontor.web.pages.length_padding import length_padding
from kontor.web.pages.menu import menu_entries
from kontor.web.pages.qr_code import qr_code
from kontor.web.pages.template_context import TemplateContext
from kontor.web.pages.templates import Templates
from kontor.web.pages.visitor import Visitor
from kontor.words import Words

_PICTURES: Final = 1024
"""Maximum number of cached pictures of one kind: cards, dice, and the like."""

_FORM_TOKEN: Final = Markup('<input type="hidden" name="token" value="{}">').format(TOKEN)


class Pages:
    """All templates, and the files they link to."""

    def __init__(self, base_path: str = "") -> None:
        of_games = template_loaders()
        self._base_path = base_path
        self.assets = Assets()
        self._loader = ChoiceLoader([*map(PackageLoader, page_packages()), PrefixLoader(of_games)])
        self._pictures = cache(self._pictures_of)
        self._templates = cache(self._templates_in)
        self._fragment_cache = FragmentCache(self._draw, _version())

    def has(self, name: str) -> bool:
        """Return True if there is a static file with this name."""
        return self.assets.get(name) is not None

    def text(self, visitor: Visitor, context: TemplateContext) -> str:
        """Return a template rendered for a visitor."""
        return self.build(visitor, context).html()

    def figure(self, name: str, visitor: Visitor, context: TemplateContext) -> Markup:
        """Return a template of a table as one of several pictures on a page.

        Its ids begin with ``name``, if that is given.
        """
        drawn = escape(self.build(visitor, context))
        return Markup(with_own_ids(drawn, name)) if name else drawn  # noqa: S704 (escaped when drawn)

    def build(self, visitor: Visitor, context: TemplateContext, *, head: str = "", number: int = 0) -> Page:
        """Return a template rendered for a visitor, in fragments.

        In it, ``part`` draws another context at its place, as a game's board on a page.
        """
        builder = PageBuilder(self._fragment_cache, visitor.language)
        templates = self._templates(visitor.language)

        def part(context: TemplateContext) -> TemplateModule:
            template = templates.get_template(context.template_name)
            return template.make_module({"visitor": visitor, "fragment": builder.fragment, **context.variables()})

        drawn = templates.get_template(context.template_name).render(
            visitor=visitor, fragment=builder.fragment, part=part, **context.variables()
        )
        cache, token = self._fragment_cache, lambda: visitor.token
        return Page(head, drawn, number, token, builder.fragments, cache, self._base_path)

    def _draw(self, template: str, language: str, about: Mapping[str, Any]) -> str:
        """Return a rendered fragment, which depends on no visitor."""
        return self._templates(language).get_template(template).render(**about)

    def _templates_in(self, language: str) -> Templates:
        """Return the templates in a language."""
        templates = Templates(self._loader)
        words = words_in(language)
        templates.globals.update(
            words=words,
            say=words.say,
            count=words.count,
            say_html=_with_links(words),
            form_token=_FORM_TOKEN,
            static=self.assets.address,
            base_path=self._base_path,
            languages={code: NAMES[code] for code in languages()},
            games=web_adapters(),
            link=_link,
            code=_code,
            length_padding=length_padding,
            menu_entries=partial(menu_entries, words),
            pictures=self._pictures,
            qr_code=qr_code,
            helpers=_helpers,
        )
        templates.filters["columns"] = cell_len  # letters, of which wide ones (漢字) count as two
        return templates

    def _pictures_of(self, template: str) -> Pictures:
        """Return the macros of a template of pictures. They hold no words, so they are the same in every language."""
        return Pictures(self._templates(SOURCE).get_template(template).module)


class Pictures:
    """The macros of a template that depend on their arguments alone: their results are cached."""

    def __init__(self, macros: Any) -> None:
        self._macros = macros

    def __getattr__(self, name: str) -> Callable[..., Markup]:
        """Return a macro with a cache."""
        drawn = lru_cache(maxsize=_PICTURES)(getattr(self._macros, name))
        setattr(self, name, drawn)
        return drawn


@cache
def _helpers(game: str) -> SimpleNamespace:
    """Return the functions that a game's templates call."""
    return SimpleNamespace(**adapter_of(game).helpers)


def _version() -> str:
    """Return a digest of templates, catalogues, and the code of the games, whose functions templates call.

    The look of a fragment follows from these and from its inputs.
    """
    digest = hashlib.sha256()
    for folder in page_folders():
        _digest(folder.joinpath("templates"), digest.update)
    _digest(files("kontor").joinpath("locale"), digest.update)
    for plugin in plugins().values():
        _digest(files(plugin.package), digest.update)
    return digest.hexdigest()


def _digest(folder: Traversable, update: Callable[[bytes], None]) -> None:
    """Add all files of a folder to a digest. The folder may be missing."""
    for entry in sorted(folder.iterdir() if folder.is_dir() else (), key=lambda entry: entry.name):
        if entry.is_dir():
            _digest(entry, update)
        elif entry.name.endswith((".html", ".svg", ".mo", ".py")):
            update(entry.name.encode() + b"\0" + entry.read_bytes())


def _link(address: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(address, text)


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


def _with_links(words: Words) -> Callable[..., Markup]:
    def say_html(sentence: str, /, **details: object) -> Markup:
        """Return a sentence with links put into it; text that is no markup is escaped."""
        return escape(words.say(sentence)).format(**details)

    return say_html
