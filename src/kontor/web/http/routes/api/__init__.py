"""The API for programs: the same views and moves as on the pages, as JSON.

A program is identified by a token of its own, never by a cookie, so no page elsewhere can make a browser use it.
"""

from __future__ import annotations

from kontor.web.http.routes.api import moves, pages, people, seeks, streaming, tables, talk, tournaments, turns

ROUTES = (
    *people.ROUTES,
    *pages.ROUTES,
    *tables.ROUTES,
    *seeks.ROUTES,
    *moves.ROUTES,
    *streaming.ROUTES,
    *talk.ROUTES,
    *turns.ROUTES,
    *tournaments.ROUTES,
)
