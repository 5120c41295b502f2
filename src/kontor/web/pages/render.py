"""Pages from templates. The templates loop and say; what is shown is decided in Python before."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, MutableMapping
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import SimpleNamespace
from typing import Any, Final, cast

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from markupsafe import Markup, _escape_inner, escape  # type: ignore[attr-defined]

from kontor.plugins import plugins
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages.assets import Assets, page_folders
from kontor.web.pages.figures import with_own_ids
from kontor.web.pages.fragments import TOKEN, FragmentCache, Page, PageBuilder
from kontor.web.pages.languages import NAMES, SOURCE, languages, words_in
from kontor.web.pages.length_padding import length_padding
from kontor.web.pages.qr_code import qr_code
from kontor.web.pages.visitor import Visitor
from kontor.words import Words

_PICTURES: Final = 1024
"""Of one kind that are kept: cards, dice, and the like."""


_FORM_TOKEN: Final = Markup('<input type="hidden" name="token" value="{}">').format(TOKEN)


class _Code(CodeGenerator):
    """Templates as Python. Jinja's own hands each call and each value to functions written in Python, for the sake of
    what our templates do not do; a page has some hundred of both."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """Calls directly: nothing that our templates call asks for their context."""
        self.visit(node.node, frame)
        self.write("(")
        for given in (*node.args, *node.kwargs):
            self.visit(given, frame)
            self.write(", ")
        for stars, several in (("*", node.dyn_args), ("**", node.dyn_kwargs)):
            if several is not None:
                self.write(stars)
                self.visit(several, frame)
                self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.escaped(")


def _escaped(value: object) -> str:
    """What is no markup, escaped; as a plain string, for it is joined at once: to make markup of it takes ten times
    as long."""
    return value if isinstance(value, Markup) else _escape_inner(str(value))


_PLAIN_SENTENCE: Final = re.compile(r"""\{\{ say\(("[^"\\]*"|'[^'\\]*')\) \}\}""")
_INCLUDE: Final = re.compile(r'\{% include "([^"]*)" %\}')


class _Preparation(Extension):
    """What is the same each time is done when a template is compiled. Sentences without details are said, for each
    language has templates of its own: three of four are such, and a page has a hundred. And what is included stands
    in its place: Jinja would make a context of its own for it, and hand on each piece of it by itself."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """A template's source, before it is compiled."""
        words = cast("Words", self.environment.globals["words"])
        return _PLAIN_SENTENCE.sub(lambda found: escape(words.say(found[1][1:-1])), self._whole(source))

    def _whole(self, source: str) -> str:
        return _INCLUDE.sub(lambda found: f"{{% with %}}{self._included(found[1])}{{% endwith %}}", source)

    def _included(self, name: str) -> str:
        assert self.environment.loader
        return self._whole(self.environment.loader.get_source(self.environment, name)[0].removesuffix("\n"))


class _Templates(Environment):
    """Templates whose globals are a plain dictionary: Jinja's chain of two is walked through anew, key by key, for
    every template that is included."""

    code_generator_class = _Code
    escaped = staticmethod(_escaped)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


class Pages:
    """All templates, and the files they link to."""

    def __init__(self) -> None:
        self.assets = Assets()
        self._loader = ChoiceLoader(
            [
                PackageLoader("kontor.web.pages"),
                PrefixLoader({name: PackageLoader(f"{plugin.package}.web") for name, plugin in plugins().items()}),
            ]
        )
        self._pictures = cache(self._pictures_of)
        self._templates = cache(self._templates_in)
        self._fragment_cache = FragmentCache(self._draw, _version())

    def has(self, name: str) -> bool:
        """Whether there is a static file with this name."""
        return self.assets.get(name) is not None

    def text(self, template: str, visitor: Visitor, /, **context: Any) -> str:
        """A template, filled in for a visitor."""
        return self.build(template, visitor, **context).html()

    def figure(self, name: str, template: str, visitor: Visitor, /, **context: Any) -> Markup:
        """A template of a table as a picture on a page with others: its ids begin with ``name``, if it has one."""
        drawn = self.text(template, visitor, **context)
        return Markup(with_own_ids(drawn, name) if name else drawn)  # noqa: S704 (escaped when drawn)

    def build(
        self,
        template: str,
        visitor: Visitor,
        /,
        *,
        head: str = "",
        number: int = 0,
        **context: Any,
    ) -> Page:
        """The same, in fragments."""
        builder = PageBuilder(self._fragment_cache, visitor.language)
        templates = self._templates(visitor.language)
        drawn = templates.get_template(template).render(visitor=visitor, fragment=builder.fragment, **context)
        return Page(head, drawn, number, lambda: visitor.token, builder.fragments, self._fragment_cache)

    def _draw(self, template: str, language: str, about: Mapping[str, Any]) -> str:
        """A fragment: nobody's in particular."""
        return self._templates(language).get_template(template).render(**about)

    def _templates_in(self, language: str) -> _Templates:
        """The templates in a language."""
        templates = _Templates(
            loader=self._loader,
            extensions=[_Preparation],
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
            auto_reload=False,
            cache_size=-1,  # all of them: which was used last is looked up in a line otherwise
        )
        words = words_in(language)
        templates.globals.update(
            words=words,
            say=words.say,
            count=words.count,
            say_html=_with_links(words),
            form_token=_FORM_TOKEN,
            static=self.assets.address,
            languages={code: NAMES[code] for code in languages()},
            games=web_adapters(),
            link=_link,
            code=_code,
            length_padding=length_padding,
            pictures=self._pictures,
            qr_code=qr_code,
            helpers=_helpers,
        )
        return templates

    def _pictures_of(self, template: str) -> Pictures:
        """They say nothing, so they are the same in every language."""
        return Pictures(self._templates(SOURCE).get_template(template).module)


class Pictures:
    """The macros of a template which draw from their details alone: what is drawn is kept for the next who asks."""

    def __init__(self, macros: Any) -> None:
        self._macros = macros

    def __getattr__(self, name: str) -> Callable[..., Markup]:
        """A macro."""
        drawn = lru_cache(maxsize=_PICTURES)(getattr(self._macros, name))
        setattr(self, name, drawn)
        return drawn


@cache
def _helpers(game: str) -> SimpleNamespace:
    """What a game's templates call."""
    return SimpleNamespace(**adapter_of(game).helpers)


def _version() -> str:
    """Of templates, catalogues, and what the games' templates call: what a fragment looks like follows from them, and
    from its inputs."""
    whole = hashlib.sha256()
    for folder in page_folders():
        _digest(folder.joinpath("templates"), whole.update)
    _digest(files("kontor").joinpath("locale"), whole.update)
    for plugin in plugins().values():
        _digest(files(plugin.package), whole.update)
    return whole.hexdigest()


def _digest(folder: Traversable, update: Callable[[bytes], None]) -> None:
    """Of all that is in a folder, which a game may lack."""
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
        """A sentence into which links are put; whatever is no markup is escaped."""
        return escape(words.say(sentence)).format(**details)

    return say_html
