"""Programs that use the API: who calls, what their token has to allow, and how refusals are documented."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec

from kontor.people.values import Scope
from kontor.web.http.api_values import Trouble
from kontor.web.http.faults import require_person_id
from kontor.web.http.lanes import Lane
from kontor.web.http.sessions import TOKEN_SCHEME
from kontor.web.http.site import in_acting_thread, in_moving_thread
from kontor.web.pages.visitor import Visitor

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

TheProgram = NamedDependency[Visitor]
"""The caller, identified by the header ``Authorization: Bearer …``; without it, nobody, with a spectator's view."""

REFUSED: Final = {
    status: ResponseSpec(Trouble, description=reason, generate_examples=False)
    for status, reason in (
        (400, "It could not be understood."),
        (401, "A token is needed."),
        (403, "Not for this person; or the token lacks a `scope`."),
        (404, "There is nothing here."),
        (409, "Something has happened meanwhile, or it is not the time for it."),
        (413, "It is too much at once."),
        (415, "The body is not said to be JSON."),
        (422, "The rules refuse it."),
        (429, "Too often; Retry-After says when."),
        (503, "Not just now."),
    )
}


def _security(*scopes: Scope) -> list[dict[str, list[str]]]:
    return [{TOKEN_SCHEME: list(scopes)}]


PLAY: Final = _security("play")
READ: Final = _security("read")
NOTIFY: Final = _security("notify")
MESSAGES: Final = _security("messages")
ANY_TOKEN: Final = _security()
"""Security of routes that need a token, and the scope it needs; ``program_of`` checks it."""
READ_OR_NOBODY: Final = [*READ, {}]
"""Security of routes that also work without a token. A token decides whose view is returned."""
NOBODY: Final[list[dict[str, list[str]]]] = [{}]
"""Security of routes that need no token."""


def spending(
    action: str, lane: Lane = Lane.ACT
) -> Callable[[Callable[Given, Answer]], Callable[Given, Coroutine[Any, Any, Answer]]]:
    """Return a decorator for routes by which a program acts as its person.

    The route runs in a thread of its lane, within the limits of ``action``. Raises NoName, MissingScope, RateLimited.
    """

    def wrap(route: Callable[Given, Answer]) -> Callable[Given, Coroutine[Any, Any, Answer]]:
        @wraps(route)
        def act(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
            site: Any = kwargs["site"]
            program: Any = kwargs["program"]
            require_person_id(program)
            site.spend(action, program)
            return route(*args, **kwargs)

        return in_moving_thread(act) if lane is Lane.MOVE else in_acting_thread(act)

    return wrap
