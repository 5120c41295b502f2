"""Records of many games as one file, sent game by game: it is in memory one record at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from litestar.response import Stream
from msgspec.structs import replace

from kontor.errors import NoTable, NotNow, Unreadable
from kontor.ratings.site import RatingsSite
from kontor.records import encode
from kontor.tables.finished_games import GameFilter
from kontor.web.cursors import cursor_text
from kontor.web.http.limits import RateLimited
from kontor.web.pages.visitor import Visitor

MOST_RECORDS: Final = 100
"""Games in one file."""

MEDIA_TYPE: Final = "application/jsonl"

_READING: Final = ThreadPoolExecutor(1, thread_name_prefix="records")
"""Reads records one after the other, for all downloads together: they must not delay readers or players."""


def records_response(site: RatingsSite, visitor: Visitor, tables: Sequence[str], onward: str) -> Stream:
    """Return a response with the records of these tables, and the address of the next file, if there is one."""
    headers = {"content-disposition": 'attachment; filename="games.jsonl"'}
    if onward:
        headers["link"] = f'<{onward}>; rel="next"'
    return Stream(_records(site, visitor, tables), media_type=MEDIA_TYPE, headers=headers)


def tables_of_file(site: RatingsSite, visitor: Visitor, wanted: GameFilter) -> tuple[list[str], str]:
    """Return the tables of one file, and the cursor of the next file, or an empty one.

    A file goes on to older games only, so that a cursor of newer ones does not count.
    """
    site.spend("records", visitor)
    table_ids, older = site.finished_games.ids(replace(wanted, newer=None), visitor.id, MOST_RECORDS)
    return table_ids, cursor_text(older)


async def _records(site: RatingsSite, visitor: Visitor, tables: Sequence[str]) -> AsyncIterator[bytes]:
    """Yield the records of tables; those deleted or unreadable meanwhile are left out."""
    for table in tables:
        while True:
            try:
                yield await site.run_for(visitor, partial(_record, site, table), apart=_READING)
                break
            except RateLimited as limited:  # a file that has begun gets slower; it does not break off
                await asyncio.sleep(limited.seconds)


def _record(site: RatingsSite, table: str) -> bytes:
    try:
        return encode(site.tables.record(table))
    except (NoTable, NotNow, Unreadable):
        return b""
