"""Whole games in Firefox, by the mouse on the board, by the keyboard and by typing in turns.

The server plays the others.
"""

import re
from collections import Counter
from random import Random
from typing import Any, Final

import pytest

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.state import Kontor, Lay, Name, Pass, Propose, Put, Sail, Show, Smith
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Joker, Nudge, Number, Place, Shanghai
from kontor.players import player_named
from web.browsers import MOST_TABS, FirstFew
from web.conftest import Served
from web.firefox import IN_FIREFOX, Firefox
from web.tables import Table, open_known_table
from web.test_whole_shanghaien import KINDS, choice
from web.typist import words_for

ENTER: Final = "\ue007"
TAB: Final = "\ue004"
DOWN: Final = "\ue015"
KEYED: Final = re.compile(r"label:has\((#[\w-]+)\)")
"""Pattern of an element that the mouse presses, with the field in it that the keyboard goes to."""

LINE: Final = "document.getElementById('state').dataset.version.slice(0, -5)"
OUTSIDE: Final = "document.activeElement === document.body"


class Captain:
    """Person in Firefox who uses the mouse, types and presses keys in turns."""

    def __init__(self, firefox: Firefox, table: Table) -> None:
        self._firefox = firefox
        self._table = table
        self._moves = 0

    def make(self, move: Any) -> None:
        """Wait until the page shows the present table, and make the move."""
        before = str(self._table.number)
        self._firefox.wait_for(f"{LINE} === arguments[0]", before)
        way = (self._by_mouse, self._by_keys, self._by_typing)[self._moves % 3]
        (self._by_typing if isinstance(move, Propose) else way)(move)
        self._moves += 1
        self._firefox.wait_for(f"{LINE} !== arguments[0]", before)
        assert not self._firefox.evaluate(OUTSIDE) or self._moves < 3, "the focus goes on with the decisions"

    def _close(self) -> None:
        if self._firefox.evaluate("document.getElementById('typed').matches(':popover-open')"):
            self._firefox.evaluate("document.getElementById('typed').hidePopover()")

    def _by_keys(self, move: Any) -> None:
        self._close()
        for selector in elements_by_keys(move):
            self._to(wanted := KEYED.sub(r"\1", selector))
            is_field = self._firefox.evaluate("document.activeElement.matches('input')")
            self._firefox.type(" " if is_field else ENTER)
            self._firefox.wait_for(
                "!document.querySelector(arguments[0])?.matches('[popovertarget]') || "
                "document.querySelector('[popover]:popover-open') !== null",
                wanted,
            )

    def _to(self, wanted: str) -> None:
        """Move the focus to an element with the Tab key, and with the arrows within a radio group."""
        self._firefox.wait_for("document.querySelector(arguments[0])?.checkVisibility()", wanted)
        for _ in range(MOST_TABS):
            if self._firefox.evaluate("document.activeElement.matches(arguments[0])", wanted):
                return
            alike = "document.activeElement.name === document.querySelector(arguments[0]).name"
            among = f"document.activeElement.type === 'radio' && {alike}"
            self._firefox.type(DOWN if self._firefox.evaluate(among, wanted) else TAB)
        raise AssertionError(f"the keyboard does not lead to {wanted} in {MOST_TABS} steps")

    def _by_mouse(self, move: Any) -> None:
        self._close()
        for selector in pictures(move):
            box = self._firefox.box(selector)
            self._firefox.press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def _by_typing(self, move: Any) -> None:
        typed = words_for(self._table.service, self._table.id, move)
        if self._firefox.evaluate("!document.getElementById('typed').checkVisibility()"):
            self._firefox.evaluate("document.getElementById('typed').showPopover()")
        self._firefox.evaluate("document.getElementById('typed-field').focus()")
        self._firefox.type(typed + ENTER)
        if isinstance(move, Lay | Propose):
            self._firefox.wait_for("document.querySelector('#typed-form [name=asked]').value !== ''")
            self._firefox.type(ENTER)


def pictures(move: Any) -> list[str]:
    """Return the elements on the board that the mouse presses for a move, in order."""
    match move:
        case Place(die):
            return [f".stand:has(#sh-land-{die}) .place .face"]
        case Number(end):
            return [f".rail.{end} .captain"]
        case Shanghai():
            return ["#sh-end", "#sh-do-shanghai"]
        case Joker(trick, nation):
            return [f"#sh-joker-{trick}-open", f"#sh-do-joker-{trick}-{nation}"]
        case Nudge(die, to):
            return ["#sh-nudge-open", f"#sh-do-nudge-{die}-{to}"]
        case Lay(shoes):
            return [*_fields_of("shoe", shoes), "#df-lay"]
        case Put(shares):
            return [*_fields_of("put", shares), "#df-put"]
        case Show(colour):
            return [*_fields_of("colour", (colour,)), "#df-show"]
        case Sail(to) | Name(to):
            return [f'.df-berth[for="{KEY_OF[to]}"]', f"#df-{type(move).__name__.lower()}"]
        case Kontor() | Smith() | Pass():
            name = type(move).__name__.lower()
            return [f'.df-do [popovertarget="df-ask-{name}"]', f"#df-ask-{name}-yes"]
        case _:
            name = type(move).__name__.lower()
            return [f'#sh-do-{name}, .df-do [value="{name}"]']


def elements_by_keys(move: Any) -> list[str]:
    """Return the elements that the keyboard goes to for a move, in order."""
    match move:
        case Place(die):
            return [f"#sh-do-place-{die}"]
        case Number(end):
            return [f"#sh-do-number-{end}"]
        case Sail(to) | Name(to):
            return [f"#{KEY_OF[to]}", f"#df-{type(move).__name__.lower()}"]
        case _:
            return pictures(move)


def _fields_of(name: str, values: Any) -> list[str]:
    """Return the fields of these values; equal values have one field each."""
    nth: Counter[Any] = Counter()
    selectors = []
    for value in values:
        nth[value] += 1
        kind = "shoe" if name == "shoe" else "share"
        selectors.append(f"label:has(#df-{kind}-{value}-{nth[value]})")
    return selectors


KEY_OF: Final = {
    field.name: f"df-to-{field.at[0]}-{field.at[1]}" for field in DutchmanOptions(players=3).chart.fields
}


@IN_FIREFOX
@pytest.mark.extended  # push and lit cards are seen in Firefox in the usual run
@pytest.mark.parametrize("game", ["dutchman", "shanghaien"])
def test_a_whole_game_in_firefox(served: Served, firefox: Firefox, game: str) -> None:
    players = 2 if game == "shanghaien" else 3
    options = ShanghaienOptions(starter=0) if players == 2 else DutchmanOptions(players=3, starter=0, circles=1)
    table = open_known_table(served.service, game, options, players, 1)
    firefox.resize(1366, 800)
    firefox.known_as(served.address, table.tokens[0])
    firefox.go(f"{served.address}{table.path}")
    firefox.wait_for("document.getElementById('connection').dataset.is === 'live'")
    captain, random, first_few = Captain(firefox, table), Random(1), FirstFew()
    made: Counter[str] = Counter()
    while (mover := served.service.tables.info(table.id).mover) is not None:
        moves = table.moves
        move = choice(moves, made, random) if game == "shanghaien" else choose_likely(table, moves, random)
        if mover == 0:
            made[type(move).__name__] += 1
        if mover == 0 and first_few(0, move):
            captain.make(move)
        else:
            table.play(move)
    firefox.wait_for("document.getElementById('ending') !== null")
    assert set(made) >= (KINDS - {"Both", "Reroll", "Joker"} if game == "shanghaien" else {"Lay", "Sail", "Smith"})


def choose_likely(table: Table, moves: Any, random: Random) -> Any:
    """Return the move of a good player, or sometimes a random one."""
    shrewd = player_named("dutchman", "greedy")
    return shrewd(table.view, moves, random) if random.random() < 0.8 else moves[random.randrange(len(moves))]
