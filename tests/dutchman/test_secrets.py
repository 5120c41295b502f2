"""Secrecy: hidden things change nothing that reaches a seat of Der fliegende Holländer (H4, H6, H14).

``imagine`` deals anew all that is hidden from a seat, and the seat must not be able to notice. A second part plays
two such games side by side; a third searches written data for planted secrets; a fourth tests ``imagine``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement, permutations
from random import Random
from typing import Any, NamedTuple, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.game import CHANCE, OVER, shuffled
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State, View, imagine
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import (
    Checked,
    Deal,
    Dice,
    Kontor,
    Lay,
    Paid,
    Put,
    Revealed,
    Share,
    Show,
    Shuffle,
)
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.players import player_named, players_of
from profiles import long_after, scale_examples

from .voyages import (
    BOX,
    GOLD,
    STYLES,
    Bystander,
    Leg,
    Table,
    check_state,
    choice,
    embark,
    encode_state,
    some_tables,
    tables,
    voyage,
)

hidden = settings(deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)

Reader = int | None
"""A seat, or a spectator."""


def readers(state: State) -> tuple[Reader, ...]:
    return (*range(len(state.merchants)), None)


def encode_view(state: State, reader: Reader) -> bytes:
    """Return all that a reader gets of a state."""
    return msgspec.json.encode(DUTCHMAN.view(state, reader))


def encode_step(leg: Leg, reader: Reader) -> bytes:
    """Return all that a reader gets of a step."""
    return msgspec.json.encode(DUTCHMAN.event(*leg, reader))


def encode_moves(state: State, random: Random) -> bytes:
    """Return the legal moves; of very many a sample that depends on ``random`` alone."""
    legal = DUTCHMAN.moves(state)
    many = len(legal)
    places = range(many) if many <= 200 else [0, many - 1, *[random.randrange(many) for _ in range(60)]]
    return msgspec.json.encode([many, [legal[place] for place in places]])


def other_deal(state: State, reader: Reader, random: Random) -> State:
    """Return a state that looks the same to the reader, with all else dealt anew."""
    return DUTCHMAN.imagine(DUTCHMAN.view(state, reader), random.randrange)


def same_to(reader: Reader, one: State, other: State, random: Random) -> None:
    """Check that the reader gets the same from both states."""
    assert encode_view(one, reader) == encode_view(other, reader)
    if reader == one.mover:
        seed = random.random()
        assert encode_moves(one, Random(seed)) == encode_moves(other, Random(seed))


# -------------------------------------------------------------------------------------- non-interference


@given(tables(), st.integers(0, 10**6))
@settings(hidden, max_examples=scale_examples(40))
def test_a_new_deal_of_what_a_seat_cannot_know_changes_nothing_for_it(table: Table, seed: int) -> None:
    random = Random(seed)
    for leg in voyage(table):
        if random.random() < 0.7:
            continue
        for reader in readers(leg.after):
            twin = other_deal(leg.after, reader, random)
            same_to(reader, leg.after, twin, random)
            check_state(twin)


@given(tables(), st.integers(0, 10**6))
@settings(hidden, max_examples=scale_examples(20))
def test_the_game_can_be_played_to_its_end_from_any_imagined_state(table: Table, seed: int) -> None:
    """Check that computer players can play on from imagined states as from any other."""
    random = Random(seed)
    legs = list(voyage(table))
    state = random.choice(legs).after
    state = other_deal(state, random.choice(readers(state)), random)
    while state.mover != OVER:
        if state.mover == CHANCE:
            action = DUTCHMAN.chance(state).draw(random.randrange)
        else:
            action = choice(state, STYLES[table.styles[state.mover]], random)
        state = DUTCHMAN.play(state, action)
        check_state(state)
    assert DUTCHMAN.result(state) is not None


@given(tables())
@settings(hidden, max_examples=scale_examples(20))
def test_what_was_the_same_for_all_is_what_a_spectator_sees(table: Table) -> None:
    """Check that a seat's view differs from a spectator's only by its own cards."""
    own = {"seat", "shares", "rack", "lay", "pile", "inspection"}
    for leg in voyage(table):
        public = DUTCHMAN.view(leg.after, None)
        assert (public.seat, public.shares, public.rack, public.lay) == (None, (), (), None)
        assert set(public.pile) <= {None}
        for seat, merchant in enumerate(leg.after.merchants):
            view = DUTCHMAN.view(leg.after, seat)
            assert replace(view, **{name: getattr(public, name) for name in own}) == public
            assert (view.seat, view.shares, view.rack, view.lay) == (
                seat,
                merchant.shares,
                merchant.rack,
                merchant.lay,
            )
            put = zip(leg.after.pile, leg.after.put_by, strict=True)
            assert view.pile == tuple(card if by == seat else None for card, by in put)
            if leg.after.inspection is None:
                assert view.inspection is None
                continue
            assert view.inspection is not None
            assert view.inspection.own == leg.after.inspection.drawn[seat]
            assert replace(view.inspection, own=()) == public.inspection


# ----------------------------------------------------------------------------------------------- lock-step


@dataclass
class Tally:
    """Counts of the steps that the twins went through."""

    together: int = 0
    """Steps after which both still looked the same to the reader, though they differed."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Those steps, by kind of action; hidden actions of other seats count separately."""
    parted: Counter[str] = field(default_factory=Counter)
    """Reasons why the twin was imagined anew."""


def side_by_side(table: Table, reader: Reader, tally: Tally, seed: int) -> None:
    """Play a game beside a twin that differs in what the reader cannot know; both stay as alike as they can.

    They part where the public facts do: other lays are revealed, other shares shown; or where the rules let the
    reader see a difference. Then the twin is imagined anew.
    """
    random = Random(seed)
    twin = other_deal(embark(table), reader, random)
    for leg in voyage(table):
        action = follow(leg, twin, reader, random)
        if action is None:
            assert may_not_follow(leg, twin, reader)
            tally.parted[f"cannot follow {type(leg.action).__name__}"] += 1
            twin = other_deal(leg.after, reader, random)
            continue
        after = DUTCHMAN.play(twin, action)
        twin_leg = Leg(twin, action, after)
        difference = revealed_difference(leg, twin_leg, reader)
        if difference:
            tally.parted[difference] += 1
            twin = other_deal(leg.after, reader, random)
            continue
        assert encode_step(leg, reader) == encode_step(twin_leg, reader)
        assert encode_step(leg, None) == encode_step(twin_leg, None)
        same_to(reader, leg.after, after, random)
        if encode_state(leg.after) != encode_state(after):
            tally.together += 1
            tally.kinds[type(leg.action).__name__ + "*" * (leg.action != action)] += 1
        twin = after


def follow(leg: Leg, twin: State, reader: Reader, random: Random) -> Any:
    """Return the twin's action: the same, or one that looks the same to the reader; None if there is none."""
    before, action, after = leg
    mover = before.mover
    match action:
        case Deal():
            dealt = other_deal(after, reader, random)
            return Deal(
                tuple(merchant.shares for merchant in dealt.merchants),
                dealt.pile,
                tuple(merchant.rack for merchant in dealt.merchants),
                dealt.middle,
                dealt.out,
            )
        case Shuffle():
            return DUTCHMAN.chance(twin).draw(random.randrange)
        case Share(parts=parts):
            return _share(twin, parts, _smiths(before), reader, random)
        case Put() if mover != reader:
            legal = DUTCHMAN.moves(twin)
            return action if action in legal and random.random() < 0.5 else random.choice(legal)
        case Lay(horseshoes=horseshoes) if mover != reader:
            if action in DUTCHMAN.moves(twin) and random.random() < 0.8:
                return action
            return _lay_of(twin, len(horseshoes), random)
        case _ if mover == CHANCE:
            return action
    return action if action in DUTCHMAN.moves(twin) else None


def _smiths(state: State) -> list[int]:
    view = DUTCHMAN.view(state, None)
    return [seat for seat in view.order if view.players[seat].action == "smith"]


def _share(
    twin: State, parts: tuple[tuple[int, ...], ...], smiths: list[int], reader: Reader, random: Random
) -> Share | None:
    """Return a sharing that gives the reader the same part; the parts of others do not matter."""
    own = parts[smiths.index(reader)] if reader in smiths else ()
    if not Counter(own) <= Counter(twin.middle):
        return None
    rest = list((Counter(twin.middle) - Counter(own)).elements())
    random.shuffle(rest)
    heaps = []
    for seat in smiths:
        if seat == reader:
            heaps.append(own)
        else:
            heaps.append(tuple(sorted(rest[: len(parts[0])], reverse=True)))
            del rest[: len(parts[0])]
    return Share(tuple(heaps), tuple(sorted(rest, reverse=True)))


def _lay_of(twin: State, count: int, random: Random) -> Lay | None:
    """Return any lay of ``count`` horseshoes, or None."""
    rack = twin.merchants[twin.mover].rack
    gold = [horseshoe for horseshoe in rack if horseshoe in GOLD]
    silver = list(rack[len(gold) :])
    if count > len(silver) + bool(gold):
        return None
    golden = random.sample(gold, 1) if gold and (count > len(silver) or random.random() < 0.5) else []
    return Lay(tuple(sorted((*golden, *random.sample(silver, count - len(golden))), reverse=True)))


def may_not_follow(leg: Leg, twin: State, reader: Reader) -> bool:
    """Return True if the twin's hidden cards make the action impossible.

    The action may be a lay of so many horseshoes, the part of a smith, or a share shown.
    """
    seat = leg.before.mover
    match leg.action:
        case Lay(horseshoes=horseshoes):
            rack = twin.merchants[seat].rack
            golden = sum(horseshoe in GOLD for horseshoe in rack)
            return seat != reader and len(horseshoes) > len(rack) - golden + bool(golden)
        case Share(parts=parts):
            return not Counter(parts[_smiths(leg.before).index(reader or 0)]) <= Counter(twin.middle)
        case Show(colour=colour):
            return seat != reader and colour not in twin.merchants[seat].shares
        case _:
            return False


def revealed_difference(leg: Leg, twin: Leg, reader: Reader) -> str:
    """Return what the rules reveal of the hidden difference in this step, or an empty string."""
    before, other = leg.before, twin.before
    if isinstance(leg.action, Kontor) and before.mover == reader and before.pile[:2] != other.pile[:2]:
        return "own shares drawn"
    for happened, alike in zip(leg.after.happened, (*twin.after.happened, *[None] * 9), strict=False):
        if happened == alike:
            continue
        if isinstance(happened, Revealed):
            return "other lays revealed" if lays_of(leg) != lays_of(twin) else ""
        if isinstance(happened, Paid):
            colour = happened.colour
            counts = [[merchant.shares.count(colour) for merchant in side.merchants] for side in (before, other)]
            return "other shares in the ship" if counts[0] != counts[1] else ""
        if isinstance(happened, Checked):
            return "another pile" if Counter(before.pile) != Counter(other.pile) else ""
        return ""
    if _smiths_of(leg) == [reader] and before.middle != other.middle:
        return "own horseshoes from the middle"
    if leg.after.mover == OVER:
        hands = [[merchant.shares for merchant in side.after.merchants] for side in (leg, twin)]
        return "shares shown at the end" if hands[0] != hands[1] else ""
    return ""


def _smiths_of(leg: Leg) -> list[int]:
    """Return the seats that shared the middle in this step."""
    return [seat for happened in leg.after.happened for seat in getattr(happened, "smiths", ())]


def lays_of(leg: Leg) -> list[Any]:
    """Return the lays in front of all seats just before they are revealed."""
    lays: list[Any] = [merchant.lay for merchant in leg.before.merchants]
    if isinstance(leg.action, Lay):
        lays[leg.before.mover] = leg.action.horseshoes
    return lays


@given(tables(), st.integers(0, 10**6))
@settings(hidden, max_examples=scale_examples(25))
def test_two_games_that_look_the_same_to_a_seat_go_on_looking_the_same(table: Table, seed: int) -> None:
    for reader in (None, *range(table.options.players)):
        side_by_side(table, reader, Tally(), seed)


def test_the_two_games_are_compared_often_while_they_differ() -> None:
    """Check that the test above compares often enough."""
    tally = Tally()
    steps = 0
    for number, table in enumerate(some_tables(36)):
        steps += sum(1 for _ in voyage(table))
        reader = None if number % 6 == 5 else number % table.options.players
        side_by_side(table, reader, tally, number)
    assert tally.together > steps * 0.6
    assert sum(tally.parted.values()) < steps * 0.2
    for kind in get_args(Move):
        assert tally.kinds[kind.__name__] > 2, f"{kind} was not compared: {tally}"
    for name in ("Dice", "Deal*", "Put*", "Lay*", "Share*", "Shuffle*"):
        assert tally.kinds[name] > 2, f"{name} was not compared: {tally}"


# --------------------------------------------------------------------------------------- planted secrets


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
@settings(hidden, max_examples=scale_examples(25))
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
        state, random = deal_marked(players, seed)
        public: set[int] = set()
        while state.mover != OVER:
            before = state
            if state.mover == CHANCE:
                action: Any = DUTCHMAN.chance(state).draw(random.randrange)
            else:
                action = choice(state, random.choice(MARKED_STYLES), random)
            state = DUTCHMAN.play(state, action)
            leg = Leg(before, action, state)
            smiths = _smiths_of(leg)
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


# ------------------------------------------------------------------------------------------------ imagine


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


# ---------------------------------------------------------------------------------------- computer players


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(players_of("dutchman")))
def test_a_machine_player_chooses_by_its_view_alone(name: str) -> None:
    choose = player_named("dutchman", name)
    steps: set[str] = set()
    for number, state in enumerate(scattered_turns()):
        random = Random(number)
        twin = other_deal(state, state.mover, random)
        choices = []
        for side in (state, twin):
            legal = DUTCHMAN.moves(side)
            choices.append(choose(DUTCHMAN.view(side, side.mover), legal, Random(number)))
            assert choices[-1] in legal
        assert choices[0] == choices[1]
        steps.add(state.step)
    assert steps == {"action", "put", "sail", "name", "propose", "answer", "again", "show", "check"}


@cache
def scattered_turns() -> tuple[State, ...]:
    """Return turns of seats, some of each step."""
    turns: dict[str, list[State]] = {}
    for table in some_tables(20):
        for leg in voyage(table):
            if leg.after.mover >= 0:
                turns.setdefault(leg.after.step, []).append(leg.after)
    return tuple(state for _, states in sorted(turns.items()) for state in Random(1).sample(states, 2))


# -------------------------------------------------------------------------------------------- Shanghaien


@pytest.mark.parametrize("seed", range(6))
def test_all_at_a_table_of_shanghaien_see_the_same(seed: int) -> None:
    """Check that all is open but the order of the pile, which nobody knows (S2 to S11)."""
    random = Random(seed)
    state = SHANGHAIEN.start(SHANGHAIEN.options())
    while state.mover != OVER:
        views = [SHANGHAIEN.view(state, reader) for reader in (0, 1, None)]
        assert [view.seat for view in views] == [0, 1, None]
        assert len({msgspec.json.encode(replace(view, seat=None)) for view in views}) == 1
        twin = SHANGHAIEN.imagine(views[0], random.randrange)
        assert msgspec.json.encode(SHANGHAIEN.view(twin, 0)) == msgspec.json.encode(views[0])
        assert list(SHANGHAIEN.moves(twin)) == list(SHANGHAIEN.moves(state))
        before = state
        if state.mover == CHANCE:
            action: Any = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            action = random.choice(SHANGHAIEN.moves(state))
        state = SHANGHAIEN.play(state, action)
        events = {msgspec.json.encode(SHANGHAIEN.event(before, action, state, reader)) for reader in (0, 1, None)}
        assert len(events) == 1
