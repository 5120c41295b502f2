"""The compiler of templates: Jinja's, changed so that each page and each fragment has less to do.

A table's page is rendered for every reader after every move, and most of that time is spent in the code into which
Jinja compiles the templates. ``docs/decisions.md`` has the measurements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from functools import lru_cache
from keyword import iskeyword
from types import CodeType
from typing import Any, Final

from jinja2 import BaseLoader, BytecodeCache, Environment, StrictUndefined, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

_SHORT: Final = 200
"""Letters of the longest string that is cached: strangers choose some of them, and the cache must stay small."""

_INDENTATION: Final = re.compile(r"(?<![%#]\})\n[ \t]+")
"""Line breaks with indentation; not those after a tag, which Jinja leaves out: there the indentation is the space."""

_escape_short: Final = lru_cache(maxsize=4096)(escape)
"""Escapes a short string: most are printed again and again."""


class _CompiledTemplates(BytecodeCache):
    """A cache of compiled templates in this process: they are the same in every language."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in the code compiled for this name and source, if there is any."""
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Cache compiled code."""
        assert bucket.code
        self._code[bucket.key, bucket.checksum] = bucket.code


_COMPILED: Final = _CompiledTemplates()


class _Compiler(CodeGenerator):
    """Jinja's compiler, except that included templates become part of others, and that calls are direct."""

    def get_visitor(self, node: nodes.Node) -> Callable[..., Any] | None:
        """Return the method that writes the code for a node of this type."""
        if isinstance(node, nodes.Template):
            return self._write_template
        return self._write_call if isinstance(node, nodes.Call) else super().get_visitor(node)

    def _write_template(self, node: nodes.Template) -> None:
        """Write the code of a template and of those that it includes."""
        _insert_included(node, self.environment, (self.name,))
        self.visit_Template(node)

    def _write_call(self, node: nodes.Call, frame: Frame) -> None:
        """Write a call. Jinja would first ask each function whether it wants the context; none of ours does."""
        if node.dyn_args or node.dyn_kwargs or any(iskeyword(named.key) for named in node.kwargs):
            self.visit_Call(node, frame)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        """Write what stands before a value that is printed."""
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)


def _insert_included(template: nodes.Template, environment: Environment, including: tuple[str | None, ...]) -> None:
    """Replace each ``include`` of a template known by its name with that template, in a scope of its own.

    So no context is made for it. ``including`` are the names of this template and of those that include it: one that
    includes itself stays as it is.
    """
    assignments = (*template.find_all(nodes.Assign), *template.find_all(nodes.AssignBlock))
    names = [name for assignment in assignments for name in assignment.find_all(nodes.Name)]
    set_at = [(name.name, name.lineno) for name in names if name.ctx == "store"]

    def insert(node: nodes.Node) -> None:
        for _, value in node.iter_fields():
            for place, child in enumerate(value if isinstance(value, list) else ()):
                if isinstance(child, nodes.Include):
                    included = _included(child, environment, including)
                    set_later = {name for name, line in set_at if line >= child.lineno}
                    # A scope would not see what a variable was before it is set.
                    if included and set_later.isdisjoint(name.name for name in included.find_all(nodes.Name)):
                        value[place] = nodes.Scope(included.body).set_lineno(child.lineno)
        for child in node.iter_child_nodes():
            if not isinstance(child, nodes.Scope):
                insert(child)

    insert(template)


def _included(
    node: nodes.Include, environment: Environment, including: tuple[str | None, ...]
) -> nodes.Template | None:
    """Return the template that an ``include`` names, or None if it cannot become part of another one."""
    name = node.template.value if isinstance(node.template, nodes.Const) else None
    if not isinstance(name, str) or name in including or not node.with_context or node.ignore_missing:
        return None
    assert environment.loader is not None
    source, filename, _ = environment.loader.get_source(environment, name)
    template = environment.parse(source, name, filename)
    if template.find(nodes.Extends) or template.find(nodes.Block):
        return None
    _insert_included(template, environment, (*including, name))
    return template


class Templates(Environment):
    """Templates without their indentation, whose globals are a plain dictionary.

    Jinja's own globals are a chain of two, which it walks through key by key whenever a template is rendered or
    included.
    """

    code_generator_class = _Compiler

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(
            loader=loader,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
            auto_reload=False,
            bytecode_cache=_COMPILED,
            cache_size=-1,  # unlimited: an LRU cache would search a list for the last use
        )

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """Return the source of a template without indentation, unless it has elements in which spaces are seen."""
        return source if "<pre" in source or "<textarea" in source else _INDENTATION.sub("\n", source)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals and those in ``d`` as one dictionary."""
        return {**self.globals, **(d or {})}

    @staticmethod
    def escaped(value: object) -> str:
        """Return a value as HTML. Compiled templates call it; it makes no new string of what is markup already."""
        if type(value) is str and len(value) <= _SHORT:
            return _escape_short(value)
        return value if type(value) is Markup else escape(value)
