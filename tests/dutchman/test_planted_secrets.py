"""Planted secrets of Der fliegende Holländer: only what those get who know them holds them (H6, H14)."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from kontor.game import OVER, shuffled
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.state import Kontor, Put, Revealed
from profiles import long_after, scale_examples
from random_steps import game_steps

from .bystander import Bystander
from .readers import encode_step, encode_view, readers, smiths_of
from .second_rules import BOX, GOLD
from .voyages import STYLES, WHOLE_GAMES, Leg, Table, choice, some_tables, tables, voyage

COUNTED = {"horseshoes", "laid", "count", "middle", "out", "each", "left", "cash", "lucky", "reading", "tens"}
"""Fields in which a single whole number is no horseshoe, but a count or a sum."""
DUCATS_AND_SUMS = {"rolls", "ducats", "paid", "points"}
"""Lists of numbers that are no horseshoes either."""


def horseshoes_in(value: Any) -> Iterator[int]:
    """Yield every whole number in a JSON value that may be a horseshoe."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in DUCATS_AND_SUMS and not (name in COUNTED and isinstance(inner, int)):
                yield from horseshoes_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from horseshoes_in(inner)
    elif isinstance(value, int):
        yield value


@given(tables())
@settings(WHOLE_GAMES, max_examples=scale_examples(25))
def test_a_golden_horseshoe_stands_nowhere_but_where_the_reader_saw_it(table: Table) -> None:
    """Check each golden number: it exists once, so it would reveal its rack."""
    bystander = Bystander(table.options, table.cash)
    for leg in voyage(table):
        bystander.take_in(DUTCHMAN.event(*leg, None))
        public = {
            *bystander.middle_known,
            *[horseshoe for shoes in bystander.known_shoes for horseshoe in shoes],
            *[shoe for revealed in bystander.revealed for lain in revealed.lays for shoe in lain.horseshoes],
            *[
                shoe
                for happened in leg.after.happened
                if isinstance(happened, Revealed)
                for lain in happened.lays
                for shoe in lain.horseshoes
            ],
        }
        for reader in readers(leg.after):
            own = set(public)
            for side in (leg.before, leg.after):
                if reader is not None:
                    own |= {*side.merchants[reader].rack, *(side.merchants[reader].lay or ())}
            for text in (encode_view(leg.after, reader), encode_step(leg, reader)):
                golden = {number for number in horseshoes_in(msgspec.json.decode(text)) if number in GOLD}
                assert golden <= own


class Marked(NamedTuple):
    """A game with many marked horseshoes: each golden number exists once, so it is a mark."""

    start: State
    random: Random


def deal_marked(players: int, seed: int) -> Marked:
    """Return a freshly dealt game with as many golden horseshoes in the racks as fit."""
    random = Random(seed)
    state = DUTCHMAN.start(Options(players=players, starter=0, circles=1))
    deal = DUTCHMAN.chance(state).draw(random.randrange)
    golden_first = sorted(BOX.elements(), reverse=True)
    shoes = shuffled(golden_first[: 9 * players], random.randrange)
    shoes += shuffled(golden_first[9 * players :], random.randrange)

    def take(count: int) -> tuple[int, ...]:
        heap = tuple(sorted(shoes[:count], reverse=True))
        del shoes[:count]
        return heap

    racks = tuple(take(9) for _ in range(players))
    deal = replace(deal, racks=racks, middle=take(players), out=take(60 - 10 * players))
    return Marked(DUTCHMAN.play(state, deal), random)


MARKED_STYLES = (STYLES["any"], STYLES["trader"], STYLES["idle"], STYLES["smith"]._replace(lays="any"))


@pytest.mark.parametrize("players", long_after(2, (3, 4, 5, 6)))
def test_marked_horseshoes_are_found_only_in_what_is_written_for_those_who_know_them(players: int) -> None:
    found_own, compared = 0, 0
    for seed in range(6):
        start, random = deal_marked(players, seed)
        public: set[int] = set()

        def choose(state: State, random: Random = random) -> Any:
            return choice(state, random.choice(MARKED_STYLES), random)

        for before, action, state in game_steps(DUTCHMAN, start, random, choose):
            leg = Leg(before, action, state)
            smiths = smiths_of(leg)
            if len(smiths) > 1:  # nobody saw who got which
                public -= set(before.middle)
            for happened in state.happened:
                if isinstance(happened, Revealed):
                    public |= {shoe for lain in happened.lays for shoe in lain.horseshoes}
            for reader in readers(state):
                texts = (encode_view(state, reader), encode_step(leg, reader))
                golden = {number for text in texts for number in horseshoes_in(msgspec.json.decode(text))}
                golden &= set(GOLD)
                may_know = set(public)
                if reader is not None:
                    may_know |= {*before.merchants[reader].rack, *(before.merchants[reader].lay or ())}
                    may_know |= {*state.merchants[reader].rack, *(state.merchants[reader].lay or ())}
                    assert {*state.merchants[reader].rack} & set(GOLD) <= golden
                    found_own += len(golden - public)
                assert golden <= may_know
                compared += 1
    assert compared > 500
    assert found_own > 500


def test_marked_shares_are_found_only_in_what_is_written_for_those_who_know_them() -> None:
    """Mark every share card with its place; views and events only copy the cards."""
    searched = 0
    for table in some_tables(24):
        for leg in voyage(table):
            if leg.after.mover == OVER or leg.before.step in ("starter", "deal"):
                continue
            for reader in readers(leg.after):
                before, after = (with_marks(state) for state in (leg.before, leg.after))
                action = leg.action
                if isinstance(action, Put):
                    mark: Any = f"secret of {before.mover}"
                    action = Put((mark, mark))
                texts = msgspec.json.encode(
                    [DUTCHMAN.view(after, reader), DUTCHMAN.event(before, action, after, reader)]
                ).decode()
                secrets = set(re.findall(r"secret of ([^\"]+)\"", texts))
                own = {str(reader)}
                if isinstance(action, Kontor) and leg.before.mover == reader:
                    own |= set(re.findall(r"secret of ([^']+)'", str(before.pile[:2])))
                assert secrets <= own
                assert reader is None or leg.after.merchants[reader].bankrupt or str(reader) in secrets
                searched += 1
    assert searched > 1000


def with_marks(state: State) -> State:
    """Return the state with each share replaced by the names of the seats that may know it."""

    def marks(name: str, count: int) -> Any:
        return (f"secret of {name}",) * count

    merchants = tuple(
        replace(merchant, shares=marks(str(seat), len(merchant.shares)))
        for seat, merchant in enumerate(state.merchants)
    )
    pile = [f"secret of {'the pile' if by is None else by}" for by in state.put_by]
    return replace(state, merchants=merchants, pile=msgspec.convert(tuple(pile), Any))
