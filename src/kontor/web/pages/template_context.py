"""The variables of templates: each template has a class that declares all of them.

A page is drawn from such a context and nothing else, but for what every template has: the ``visitor``, the words of
their language, and the functions of ``Pages``.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec


class TemplateContext(msgspec.Struct, frozen=True, kw_only=True):
    """The context of a template: each field is a variable."""

    template: ClassVar[str]

    @property
    def template_name(self) -> str:
        """Return the name of the template to draw."""
        return self.template

    def variables(self) -> dict[str, Any]:
        """Return the variables by their names."""
        return msgspec.structs.asdict(self)


class GamePart(TemplateContext, frozen=True, kw_only=True):
    """The context of a game's own template, to which the game adds variables."""

    own: dict[str, Any]
    """The game's variables, each by its name. They cannot replace ours."""

    def variables(self) -> dict[str, Any]:
        """Return the variables by their names, the game's and ours."""
        variables = msgspec.structs.asdict(self)
        own: dict[str, Any] = variables.pop("own")
        return own | variables
