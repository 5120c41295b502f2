"""Pairs of games of Der fliegende Holländer side by side: those that look the same to a seat go on so (H4, H6)."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import DUTCHMAN, Move, State
from kontor.games.dutchman.rules.state import Checked, Deal, Kontor, Lay, Paid, Put, Revealed, Share, Show, Shuffle
from profiles import scale_examples

from .readers import Reader, encode_step, other_deal, same_to, smiths_of
from .second_rules import GOLD
from .voyages import WHOLE_GAMES, Leg, Table, embark, encode_state, some_tables, tables, voyage


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
    if smiths_of(leg) == [reader] and before.middle != other.middle:
        return "own horseshoes from the middle"
    if leg.after.mover == OVER:
        hands = [[merchant.shares for merchant in side.after.merchants] for side in (leg, twin)]
        return "shares shown at the end" if hands[0] != hands[1] else ""
    return ""


def lays_of(leg: Leg) -> list[Any]:
    """Return the lays in front of all seats just before they are revealed."""
    lays: list[Any] = [merchant.lay for merchant in leg.before.merchants]
    if isinstance(leg.action, Lay):
        lays[leg.before.mover] = leg.action.horseshoes
    return lays


@given(tables(), st.integers(0, 10**6))
@settings(WHOLE_GAMES, max_examples=scale_examples(25))
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
