"""Frames of a stream: put together, they are the page as it would be drawn as a whole at that moment."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Shanghai
from kontor.server.composition import KontorServer
from kontor.server.site import ServerSite, SiteOptions, server_site
from kontor.tables.pages.live import PageOfTable
from kontor.tables.pages.table_page import PageRequest
from kontor.tables.values import Plan, SeatPlan
from kontor.thinking import Thinkers
from kontor.web.http.limits import Limits
from kontor.web.live.hub import Hub
from kontor.web.live.watcher import Watcher
from kontor.web.pages.fragments import TOKEN
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor
from profiles import IS_USUAL
from web.streamed import Put

_TOKEN: Final = re.compile(r'(name="token" value=")[0-9a-f]+')
LANGUAGES: Final = ("en", "de", "fr")

MISSED: Final = 0.9 if IS_USUAL else 0.75
"""Share of the changes that a slow stream does not see."""


def choose_move(moves: Sequence[Any], random: Random) -> Any:
    """Return a random move.

    The row of Shanghaien is dealt out only when there is no other move, so that rounds are whole.
    """
    others = [move for place in range(min(30, len(moves))) if not isinstance(move := moves[place], Shanghai)]
    return random.choice(others) if others else moves[0]


def uncached_pages() -> Pages:
    """Return pages that cache no fragment."""
    pages = Pages()
    pages._fragment_cache._most = 0
    return pages


def plain(page: str) -> str:
    """Return the page without its tokens, which differ in each response."""
    return _TOKEN.sub(r"\1", page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("shanghaien", 2, ShanghaienOptions()), ("dutchman", 3, DutchmanOptions(players=3, circles=1))],
    ids=["shanghaien", "dutchman"],
)
def test_after_each_move_every_page_is_as_if_it_was_drawn_anew(
    tmp_path: Path, game: str, seats: int, options: Any
) -> None:
    with KontorServer.open(tmp_path) as service, Thinkers(1) as thinkers:

        def site_of(pages: Pages) -> ServerSite:
            return replace(server_site(service, thinkers, SiteOptions(), Limits(), Hub()), pages=pages)

        site, fresh = site_of(Pages()), uncached_pages()
        guests = [service.people.guest(f"Guest <{place}>") for place in range(seats + 1)]
        chairs = (SeatPlan("me"), *[SeatPlan("open")] * (seats - 1))
        table = service.opening.open(guests[0][0].id, Plan(game, options, chairs, hints=True))
        for seat in range(1, seats):
            service.opening.sit(table, seat, guests[seat][0].id)
        # Each person reads in another language, and in two windows; the last person has no seat.
        visitors = [
            Visitor(
                partial(service.people.holder_of_session, token), token, LANGUAGES[at % 3], "", "", False, "/", False
            )
            for at, (_, token) in enumerate((*guests, *guests))
        ]
        loaded = [
            site.table_pages.table(visitor, service.tables.view(table, visitor.id), PageRequest())
            for visitor in visitors
        ]
        screens, puts, contents = [], [], [page.html() for page in loaded]
        for at, (page, visitor) in enumerate(zip(loaded, visitors, strict=True)):
            late = at > seats  # something had happened before the stream began
            screens.append(
                PageOfTable(
                    service.tables,
                    site.table_pages,
                    Watcher(service.people, visitor),
                    table,
                    PageRequest(),
                    "" if late else page.state().digest,
                )
            )
            fragments = {} if late else page.fragments
            texts = {key: page.cache.text(fragment) for key, fragment in fragments.items()}
            puts.append(Put({key: text.replace(TOKEN, visitor.token) for key, text in texts.items()}))
        random, looks = Random(1), 0
        while True:
            mover = service.tables.info(table).mover
            is_over = mover is None
            for at, (screen, put) in enumerate(zip(screens, puts, strict=True)):
                if random.random() < MISSED and looks and not is_over:
                    continue  # this stream is slow, and sees only a later change
                event = screen.frame(screen.look())
                contents[at] = put.take(event) if event else contents[at]
                seen = service.tables.view(table, visitors[at].id)
                now = site_of(fresh).table_pages.table(visitors[at], seen, PageRequest())
                assert plain(contents[at]) == plain(now.html())
            looks += 1
            if mover is None:
                break
            if looks % 9 == 0:
                service.talk.say(table, guests[mover][0].id, f"<b>{looks}</b>")
            look = service.tables.view(table).look(mover)
            service.moves.play(table, mover, look.number, choose_move(look.moves, random))
        assert looks > 20
