"""States that ``imagine`` deals: all that agree with a view, and no others."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, permutations
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from kontor.games.dutchman.rules import DUTCHMAN, Options, State, View, imagine
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import Dice, Lay

from .checks import check_state
from .readers import Reader, other_deal, readers, same_to
from .second_rules import BOX, GOLD
from .voyages import Table, some_tables, voyage


def some_states() -> Iterator[State]:
    """Yield states from all parts of some games."""
    for number, table in enumerate(some_tables(16)):
        legs = [leg.after for leg in voyage(table) if leg.after.step not in ("starter", "deal")]
        yield from Random(number).sample(legs, 3)


def test_imagine_reaches_different_states_wherever_there_are_any() -> None:
    """Check that every heap of horseshoes hidden from a seat, and every hidden share, takes several values."""
    several = 0
    for number, state in enumerate(some_states()):
        random = Random(number)
        reader = random.choice(readers(state))
        view = DUTCHMAN.view(state, reader)
        twins = [other_deal(state, reader, random) for _ in range(60)]
        loose = hidden_horseshoes(view)
        for seat, player in enumerate(view.players):
            held = [twin.merchants[seat].rack + (twin.merchants[seat].lay or ()) for twin in twins]
            values = {tuple(sorted(horseshoes)) for horseshoes in held}
            unknown = 0 if seat == reader else player.horseshoes + (player.laid or 0) - len(player.known)
            assert (len(values) > 1) == (0 < unknown < loose.total() and len(loose) > 1)
            if player.laid and seat != reader and unknown > 4:
                assert len({twin.merchants[seat].lay for twin in twins}) > 1
            several += len(values)
        unknown = view.middle - len(view.middle_known)
        assert (len({twin.middle for twin in twins}) > 1) == (0 < unknown < loose.total() and len(loose) > 1)
        assert (len({twin.out for twin in twins}) > 1) == (0 < view.out < loose.total() and len(loose) > 1)
    assert several > 2000


def hidden_horseshoes(view: View) -> Counter[int]:
    """Return the horseshoes whose place the reader does not know."""
    loose = Counter(BOX) - Counter(view.middle_known) - Counter(view.rack) - Counter(view.lay or ())
    for seat, player in enumerate(view.players):
        if seat != view.seat:
            loose -= Counter(player.known)
    return loose


def test_every_hidden_golden_horseshoe_can_lie_in_every_hidden_place() -> None:
    table = Table(Options(players=4, starter=0), ("any",) * 4, 25, 5)
    state = next(leg.after for leg in voyage(table) if leg.after.step == "sail" and leg.after.round == 2)
    view = DUTCHMAN.view(state, 1)
    gold = {horseshoe for horseshoe in hidden_horseshoes(view) if horseshoe in GOLD}
    random = Random(1)
    twins = [other_deal(state, 1, random) for _ in range(400)]
    heaps = {
        "out": [twin.out for twin in twins],
        **{str(seat): [twin.merchants[seat].rack for twin in twins] for seat in (0, 2, 3)},
    }
    assert len(gold) > 10
    for name, seen_there in heaps.items():
        assert {horseshoe for heap in seen_there for horseshoe in heap} >= gold, name


def test_a_hidden_lay_of_one_can_be_any_horseshoe_of_which_nobody_knows() -> None:
    state = DUTCHMAN.start(Options(players=3, starter=0))
    random = Random(3)
    for _ in range(2):
        state = DUTCHMAN.play(state, DUTCHMAN.chance(state).draw(random.randrange))
    state = DUTCHMAN.play(state, Lay(state.merchants[0].rack[:1]))
    unknown = hidden_horseshoes(DUTCHMAN.view(state, 2))
    lays = Counter(other_deal(state, 2, random).merchants[0].lay for _ in range(2000))
    assert lays.keys() == {(horseshoe,) for horseshoe in unknown}
    for horseshoe, count in unknown.items():  # about ten times each, if all are equally likely
        assert 1 <= lays[horseshoe,] <= 80 * count


def test_imagine_finds_a_deal_soon_however_unlikely_the_lays() -> None:
    """Check a rare case: three of six have laid all they have, nearly all silver.

    Less than one deal in a million is like that.
    """
    state = DUTCHMAN.start(Options(players=6, starter=0))
    drawn = DUTCHMAN.chance(state).draw(Random(1).randrange)
    gold = list(GOLD)
    silver = sorted((BOX - Counter(GOLD)).elements())
    racks = [(gold.pop(), *[silver.pop() for _ in range(8)]) for _ in range(3)]
    rest = (*gold, *silver)
    racks += [tuple(sorted(rest[at : at + 9], reverse=True)) for at in (0, 9, 18)]
    middle = tuple(sorted(rest[27:], reverse=True))
    state = DUTCHMAN.play(state, replace(drawn, racks=tuple(racks), middle=middle, out=()))
    for action in (Dice(40, 9), *[Lay(rack) for rack in racks[:3]]):
        state = DUTCHMAN.play(state, action)
    random = Random(1)
    drawn_numbers = 0

    def below(number: int) -> int:
        nonlocal drawn_numbers
        drawn_numbers += 1
        assert drawn_numbers < 20_000, "imagine is still looking for a deal"
        return random.randrange(number)

    for reader in (3, None):
        drawn_numbers = 0
        twin = DUTCHMAN.imagine(DUTCHMAN.view(state, reader), below)
        same_to(reader, state, twin, random)
        check_state(twin)


class ShareDeal(NamedTuple):
    """The places of the share cards."""

    hands: tuple[tuple[Colour, ...], ...]
    pile: tuple[Colour, ...]


def shares_of(state: State) -> ShareDeal:
    return ShareDeal(tuple(merchant.shares for merchant in state.merchants), state.pile)


def every_deal(view: View) -> set[ShareDeal]:
    """Return all deals of the shares that agree with this view, found by trying every one."""
    seats = len(view.players)
    stock = Counter(dict.fromkeys(COLOURS, seats - 1))
    deals: set[ShareDeal] = set()

    def give(seat: int, left: Counter[Colour], hands: tuple[tuple[Colour, ...], ...]) -> None:
        if seat == seats:
            _lay_out(view, left, hands, deals)
            return
        player = view.players[seat]
        for hand in combinations_with_replacement(COLOURS, player.shares):
            cards = Counter(hand)
            if cards <= left and agrees(view, seat, hand):
                give(seat + 1, left - cards, (*hands, hand))

    give(0, stock, ())
    return deals


def agrees(view: View, seat: int, hand: Sequence[Colour]) -> bool:
    player = view.players[seat]
    if seat == view.seat:
        return tuple(hand) == view.shares
    if player.held is not None:
        return tuple(hand) == player.held
    limits = zip(COLOURS, player.at_least, player.at_most, strict=True)
    return all(least <= hand.count(colour) <= most for colour, least, most in limits)


def _lay_out(view: View, left: Counter[Colour], hands: tuple[tuple[Colour, ...], ...], deals: set[ShareDeal]) -> None:
    own = Counter(card for card in view.pile if card)
    if not own <= left:
        return
    for order in set(permutations((left - own).elements())):
        rest = list(order)
        if view.inspection and not Counter(order[-view.put_by.count(None) :]) <= Counter(view.inspection.among):
            continue  # the rest of the checked cards is on top (H11a)
        deals.add(ShareDeal(hands, tuple(card or rest.pop() for card in view.pile)))


def late_states(most: int) -> Iterator[tuple[State, Reader, set[ShareDeal]]]:
    """Yield late states of three-player games with few deals left that agree with a reader's knowledge."""
    for table in some_tables(80, seed=4):
        if table.options.players != 3:
            continue
        legs = [leg.after for leg in voyage(replace_cash(table, 60)) if leg.after.step not in ("starter", "deal")]
        for reader in (0, 1, 2, None):
            state = legs[-2 - 7 * (reader or 0) % len(legs)]
            deals = every_deal(DUTCHMAN.view(state, reader))
            if 1 < len(deals) <= most:
                yield state, reader, deals


def replace_cash(table: Table, cash: int) -> Table:
    return Table(table.options, table.styles, cash, table.seed)


@pytest.mark.parametrize("patience", [imagine.MAX_RETRIES, 0], ids=["at random", "to fit"])
def test_imagine_deals_the_shares_in_every_way_that_agrees_with_the_view_and_in_no_other(
    patience: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check both methods: usually at random; constructed to fit, after too many tries."""
    monkeypatch.setattr(imagine, "MAX_RETRIES", patience)
    cases = 0
    for state, reader, deals in late_states(120):
        cases += 1
        random = Random(cases)
        assert shares_of(state) in deals
        view = DUTCHMAN.view(state, reader)
        reached: Counter[ShareDeal] = Counter()
        while len(reached) < len(deals) and reached.total() < 200 * len(deals):
            deal = shares_of(DUTCHMAN.imagine(view, random.randrange))
            assert deal in deals
            reached[deal] += 1
        assert set(reached) == deals
        if cases == 25:
            return
    raise AssertionError(f"only {cases} late states were found")
