"""The list of actions at tables: each has the form and the call that it names, and no form is missing in it."""

from __future__ import annotations

from litestar.routes import HTTPRoute

from kontor.server.app import all_routes
from kontor.tables.routes.actions import TableAction

_ON_PAGE_ALONE = {
    "undo-choice", "tips", "mute", "seen", "review", "analysis", "people", "report", "note", "webhook",
    "webhook/remove",
}  # fmt: skip
"""Forms at a table that do nothing to it: settings of the page, and those of other features."""


def _routes(begin: str) -> set[str]:
    """Return the methods and paths, after ``begin``, of all routes that begin with it."""
    return {
        f"{method} {route.path.removeprefix(begin)}"
        for route in all_routes().routes
        if isinstance(route, HTTPRoute) and route.path.startswith(begin)
        for handler in route.route_handlers
        for method in handler.http_methods
    }


def test_each_action_has_its_form_and_a_page_for_those_who_load_its_address() -> None:
    forms = {path for path in _routes("/tables/{table:str}/") if path.startswith("POST ") and "{" not in path}
    named = {action.form for action in TableAction if action.form}
    assert {f"POST {name}" for name in named} == forms - {f"POST {name}" for name in _ON_PAGE_ALONE}
    assert {f"GET {name}" for name in named} <= _routes("/tables/{table:str}/")


def test_each_action_has_its_call_and_each_call_is_an_action() -> None:
    calls = {path for path in _routes("/api/tables/{table:str}") if path.startswith(("POST", "DELETE"))}
    assert {action.call for action in TableAction if action.call} == calls
