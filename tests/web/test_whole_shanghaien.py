"""Whole games of Shanghaien between two real browsers, each of which is used in one way only."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.records import decode, replay, verify
from web.browsers import MOVING, FirstFew, Hand, Pages, come_in, table_of
from web.conftest import Served
from web.prepared import owned_seed
from web.typist import Typist

KINDS = {"Roll", "Number", "Place", "Shanghai", "Joker", "Nudge", "Both", "Reroll"}


def choice(moves: Any, made: Counter[str], random: Random) -> Any:
    """Return a move of the kind made least so far, so that all kinds are made.

    If the round can be ended, half of the time it is.
    """
    if any(type(move).__name__ == "Shanghai" for move in moves) and random.random() < 0.5:
        return moves[-1]
    return min(moves, key=lambda move: (made[type(move).__name__], random.random()))


def test_a_whole_game_of_shanghaien_between_two_browsers(
    served: Served, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play by the mouse on the board against typing."""
    owned_seed(monkeypatch, bytes(32))
    with pages(**MOVING) as hers, pages() as his:
        come_in(hers, "Anna")
        hers.locator("#open-shanghaien").click()
        hers.locator("#open-it").click()
        hers.locator("#invite-2").click()
        link = hers.locator("#link-2").input_value()
        his.goto(link)
        his.locator("#name").fill("Bernd")
        his.locator("#sit").click()
        expect(his.locator("#board")).to_be_visible()
        expect(hers.locator("#board")).to_be_visible()
        hers.evaluate("window.never_reloaded = true")

        table = table_of(hers)
        hands = [Hand(hers), Typist(his, served.service, table)]
        made: Counter[str] = Counter()
        random, first_few = Random(372), FirstFew()
        while (info := served.service.tables.info(table)).status == "playing":
            assert info.mover is not None
            look = served.service.tables.view(table).look(info.mover)
            move = choice(look.moves, made, random)
            if first_few(info.mover, move):
                hand = hands[info.mover]
                hand.wait_for_line(look.number)
                expect(hand.page.locator("#state")).to_have_attribute("data-turn", "mine")
                hand.make(move)
            else:
                served.service.moves.play(table, info.mover, look.number, move)
            made[type(move).__name__] += 1
        assert set(made) == KINDS
        assert hers.evaluate("window.never_reloaded"), "everything arrived live"

        with hers.expect_download() as downloading:
            hers.get_by_role("link", name="Download record").click()
        record = decode(Path(downloading.value.path()).read_bytes())
        assert verify(record).dice
        *_, last = replay(record)
        result = SHANGHAIEN.result(last)
        assert result
        points = {hers: result.points, his: result.points[::-1]}
        for page, (mine, theirs) in points.items():
            expect(page.locator("#ending")).to_be_visible()
            expect(page.locator("#sh-last tfoot .mine")).to_have_text(str(mine))
            expect(page.locator("#sh-last tfoot .theirs")).to_have_text(str(theirs))
