"""Templates as Python code that does no more than ours need.

Jinja makes code for templates of any kind: each attribute, call and text goes through a function that would also know
what to do with dictionaries, with functions that ask for the context, and where nothing is escaped. Ours have none of
that, and a page of a table asks a thousand times.
"""

from __future__ import annotations

from functools import lru_cache
from keyword import iskeyword
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, optimizeconst
from markupsafe import Markup, escape

_escaped_text = lru_cache(maxsize=16_384)(escape)
"""Most of what is said on pages is said on many."""


def escaped(value: Any) -> str:
    """A value as it stands in a page."""
    if type(value) is Markup:
        return value
    return _escaped_text(value) if type(value) is str else escape(value)


class Code(CodeGenerator):
    """Code for an environment that always escapes, and has ``escaped`` as an attribute. What is looked up behind a
    dot is an attribute, never the key of a dictionary; one that is not there is an AttributeError. What is called
    is given its arguments and nothing else."""

    @optimizeconst
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 (as Jinja calls it)
        """``one.other``."""
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    @optimizeconst
    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """``one(…)``."""
        if node.dyn_args or node.dyn_kwargs or any(iskeyword(named.key) for named in node.kwargs):
            self.fail("Templates call with plain arguments.", node.lineno)
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        self.write("environment.escaped(")
