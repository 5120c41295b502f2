"""Compiled templates: ours render what Jinja's own compiler makes of the same source."""

import re
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, StrictUndefined, TemplateNotFound, UndefinedError, nodes
from markupsafe import Markup

from kontor.web.pages.assets import page_folders
from kontor.web.pages.templates import Templates

SOURCES: Final = {
    "set": "{% set x = 1 %}{% include 'sets' %}{{ x }}",
    "sets": "{% set x = 2 %}{{ x }}",
    "with": "{% with x = 3 %}{% include 'sets' %}{{ x }}{% include 'shows' %}{% endwith %}{{ text }}",
    "shows": "[{{ x }} {{ text }}]",
    "loop": "{% for x in numbers %}{% include 'shows' %}{{ loop.index }}{% endfor %}",
    "nested": "{% for x in numbers %}{% include 'shows again' %}{% endfor %}",
    "shows again": "({% include 'shows' %}{% for x in numbers if x > 1 %}{% include 'shows' %}{% endfor %})",
    "tree": "{% include 'branch' %}{{ text }}",
    "branch": "<{% for tree in tree %}\n{% include 'branch' %}{% endfor %}>",
    "set later": "{% if x %}\n{% include 'shows' %}\n{% endif %}\n{% set x = 1 %}",
    "set below": "{% include 'set in it' %}{% include 'shows' %}",
    "set in it": "{% include 'shows' %}\n{% set x = 1 %}{% include 'shows' %}",
    "chosen": "{% if text %}{% include kind %}{% endif %}",
    "optional": "{% include 'nowhere' ignore missing %}{{ text }}",
    "alone": "{% set x = 9 %}{% include 'globals' without context %}",
    "globals": "{{ twice(4) }}",
    "macro": "{% macro bold(x, end='!') %}{{ x }}{{ end }}{% include 'shows' %}{% endmacro %}{{ bold(4, end='?') }}",
    "call": "{% macro box() %}{{ caller(1) }}{% endmacro %}{% call(x) box() %}\n{% include 'shows' %}{% endcall %}",
    "calls": "{{ twice(numbers[1]) }}{{ twice(*numbers[:1]) }}{{ twice(**named) }}{{ twice(number=2) }}",
    "keywords": "{{ keywords(class='a', number=1) }}{{ keywords(number=1) }}",
    "filters": "{{ numbers | map('string') | join(text) }}{% include 'tests' %}{{ (text ~ markup) | upper }}",
    "tests": "{{ numbers[0] is odd }}{{ text | length }}{{ missing is defined }}",
    "long": "{{ text * 99 }}{{ markup * 99 }}",
    "printed": "{{ text }}{{ markup }}{{ numbers }}{{ none }}{{ 1.5 }}{{ text ~ markup }}{{ text | safe }}",
    "raw": "{% autoescape false %}{{ text }}{% include 'shows' %}{% endautoescape %}{% set x = 1 %}",
    "block": "{% block a %}{% set x = 5 %}\n{% include 'shows' %}{% endblock %}",
    "child": "{% extends 'block' %}{% block a %}{% set x = 6 %}{{ super() }}{% include 'shows' %}{% endblock %}",
    "whole": "{% include 'child' %}{{ text }}",
    "imported": "{% import 'macros' as m %}{{ m.twice_of(x) }}{% from 'macros' import twice_of %}{{ twice_of(1) }}",
    "macros": "{% macro twice_of(x) %}{{ twice(x) }}{% endmacro %}",
}
"""Templates by their names; those that need a context of another one are rendered through it."""

VALUES: Final[Mapping[str, Any]] = {
    "text": "<&'\">",
    "markup": Markup("<i>"),
    "numbers": [1, 2, 3],
    "tree": [[[], []], [[[]]]],
    "kind": "shows",
    "named": {"number": 3},
    "x": 7,
}


def twice(number: Any = 1) -> Any:
    return number * 2


def keywords(**named: Any) -> str:
    return str(named)


def environments() -> tuple[Environment, Environment]:
    """Return our templates, and the same in Jinja's own environment."""
    loader = DictLoader(SOURCES)
    both = (
        Templates(loader),
        Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined),
    )
    for environment in both:
        environment.globals.update(twice=twice, keywords=keywords)
    return both


@pytest.mark.parametrize("name", SOURCES)
def test_a_template_renders_as_in_jinja(name: str) -> None:
    ours, jinjas = (environment.get_template(name).render(VALUES) for environment in environments())
    assert ours == jinjas


@pytest.mark.parametrize("name", ["with", "nested", "macro", "call", "block"])
def test_what_a_template_includes_becomes_part_of_its_code(name: str) -> None:
    ours, jinjas = (environment.compile(SOURCES[name], name, raw=True) for environment in environments())
    assert "get_template" in jinjas
    assert "get_template" not in ours


@given(st.text() | st.builds(Markup, st.text()) | st.integers() | st.booleans() | st.none() | st.lists(st.text()))
def test_any_value_is_printed_as_in_jinja(value: object) -> None:
    ours, jinjas = (environment.from_string("{{ x }}").render(x=value) for environment in environments())
    assert ours == jinjas


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("{{ unknown }}", UndefinedError),
        ("{{ unknown(1) }}", UndefinedError),
        ("{{ text.unknown }}", UndefinedError),
        ("{% include 'globals' %}{{ x.y(1) }}", UndefinedError),
        ("{% include 'nowhere' %}", TemplateNotFound),
    ],
)
def test_what_is_missing_is_an_error_as_in_jinja(source: str, error: type[Exception]) -> None:
    for environment in environments():
        with pytest.raises(error):
            environment.from_string(source).render(VALUES)


def _tree_of(node: object) -> object:
    """Return a template's tree as plain values, in which all white space is alike."""
    if isinstance(node, nodes.TemplateData):
        return re.sub(r"\s+", " ", node.data)
    if isinstance(node, nodes.Node):
        return type(node).__name__, [(name, _tree_of(value)) for name, value in node.iter_fields()]
    return [_tree_of(one) for one in node] if isinstance(node, (list, tuple)) else node


class _Indented(Templates):
    """Templates as they are written."""

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        return source


@pytest.mark.parametrize("folder", page_folders(), ids=str)
def test_pages_lose_no_space_with_their_indentation(folder: Traversable) -> None:
    ours, written = Templates(DictLoader({})), _Indented(DictLoader({}))
    templates = Path(str(folder)) / "templates"
    for path in templates.rglob("*.html"):
        source = path.read_text("utf-8")
        assert _tree_of(ours.parse(source)) == _tree_of(written.parse(source)), path
    assert ours.parse("<p>\n  x</p>") != written.parse("<p>\n  x</p>")


def test_indentation_is_left_out_but_where_spaces_are_seen() -> None:
    sources = {"list": "<ul>\n  <li>\n    {{ text }}</li>\n</ul>", "code": "<p>\n  <pre>\n  x = 1</pre></p>"}
    templates = Templates(DictLoader(sources))
    assert templates.get_template("list").render(text="  Anna") == "<ul>\n<li>\n  Anna</li>\n</ul>"
    assert templates.get_template("code").render() == sources["code"]
