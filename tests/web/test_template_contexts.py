"""Contexts of templates: each declares all variables that its template uses, and no others."""

import types
from collections.abc import Iterator
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import pytest
from jinja2 import ChoiceLoader, Environment, PackageLoader, meta, nodes

from kontor.analysis import Variations
from kontor.records import Record
from kontor.server.app import all_routes
from kontor.tables.game_states import GameState
from kontor.tables.views import GameLog, TableView
from kontor.web.pages.assets import page_packages
from kontor.web.pages.render import Pages
from kontor.web.pages.template_context import GamePart, TemplateContext

OF_ALL: Final = {"visitor", "fragment", "part"}
"""Names that every template has beside its context and the globals."""

TEMPLATES: Final = Environment(loader=ChoiceLoader([*map(PackageLoader, page_packages())]), autoescape=True)


def subclasses(base: type[Any]) -> Iterator[type[Any]]:
    for kind in base.__subclasses__():
        yield kind
        yield from subclasses(kind)


def contexts() -> list[type[TemplateContext]]:
    """Return the contexts of the templates of this package: those of games are not known here."""
    all_routes()
    return sorted(
        {kind for kind in subclasses(TemplateContext) if hasattr(kind, "template")}, key=lambda kind: kind.__name__
    )


def parsed(template: str) -> nodes.Template:
    assert TEMPLATES.loader
    return TEMPLATES.parse(TEMPLATES.loader.get_source(TEMPLATES, template)[0])


def parts_of(template: str) -> Iterator[nodes.Template]:
    """Yield a template, those that it extends, and those that it includes."""
    tree = parsed(template)
    yield tree
    for name in meta.find_referenced_templates(tree):
        if name is not None and name.endswith(".html"):
            yield from parts_of(name)


def bound_in(tree: nodes.Template) -> set[str]:
    """Return the names that a template gives to values itself."""
    names = {name.name for name in tree.find_all(nodes.Name) if name.ctx in ("store", "param")}
    names |= {macro.name for macro in tree.find_all(nodes.Macro)}
    return names | {imported.target for imported in tree.find_all(nodes.Import)}


def variables_of(template: str, fields: set[str]) -> set[str]:
    """Return the variables of a template, with those of the templates it is made of."""
    tree = parsed(template)
    variables = meta.find_undeclared_variables(tree)
    for name in meta.find_referenced_templates(tree):
        if name is not None and name.endswith(".html"):
            variables |= variables_of(name, fields)
    return variables - (bound_in(tree) - fields)


@pytest.mark.parametrize("context", contexts(), ids=lambda context: context.__name__)
def test_a_template_uses_the_fields_of_its_context_and_all_of_them(context: type[TemplateContext]) -> None:
    fields = {*context.__struct_fields__}
    given = set(Pages()._templates("en").globals) | OF_ALL
    assert not fields & given
    assert variables_of(context.template, fields) - given == fields


def kinds_in(annotation: Any) -> list[type[Any]]:
    """Return the classes of a value that is no collection, without None."""
    members = get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)
    return [member for member in members if isinstance(member, type) and member is not type(None)]


def kinds_of(node: nodes.Node, context: type[TemplateContext]) -> list[type[Any]]:
    """Return the possible classes of an expression such as ``position.table``; empty if they are not known."""
    if isinstance(node, nodes.Name):
        return kinds_in(get_type_hints(context)[node.name]) if node.name in context.__struct_fields__ else []
    if isinstance(node, nodes.Getattr):
        return [
            kind
            for owner in kinds_of(node.node, context)
            for kind in kinds_in(get_type_hints(owner).get(node.attr, Any))
        ]
    return []


@pytest.mark.parametrize("context", contexts(), ids=lambda context: context.__name__)
def test_what_a_template_reads_of_a_value_is_there(context: type[TemplateContext]) -> None:
    for tree in parts_of(context.template):
        for node in tree.find_all(nodes.Getattr):
            for kind in kinds_of(node.node, context):
                assert hasattr(kind, node.attr) or node.attr in get_type_hints(kind), (kind, node.attr, node.lineno)


def classes_in(annotation: Any) -> Iterator[type[Any]]:
    """Yield all classes that an annotation names."""
    yield from [annotation] if isinstance(annotation, type) else []
    for member in get_args(annotation):
        yield from classes_in(member)


def reachable(kind: type[Any], seen: set[type[Any]]) -> set[type[Any]]:
    """Return the classes of what a template can read, beginning with its context."""
    if kind not in seen and kind.__module__.startswith("kontor."):
        seen.add(kind)
        for annotation in get_type_hints(kind).values():
            for part in classes_in(annotation):
                reachable(part, seen)
    return seen


@pytest.mark.parametrize("context", contexts(), ids=lambda context: context.__name__)
def test_no_template_gets_a_state_or_what_holds_one(context: type[TemplateContext]) -> None:
    kinds = reachable(context, set())
    assert not {kind for kind in kinds if issubclass(kind, (GameState, GameLog, TableView, Record, Variations))}


def test_a_game_cannot_replace_our_variables() -> None:
    class Part(GamePart, frozen=True, kw_only=True):
        fields: str

    part = Part(own={"fields": "theirs", "view": "theirs"}, fields="ours")
    assert part.variables() == {"fields": "ours", "view": "theirs"}
