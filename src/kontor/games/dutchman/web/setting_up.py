"""The form to set up a position of Der fliegende Holländer, as a round begins.

It holds what everybody sees, and what one seat knows. What that seat cannot know is dealt: the same form always means
the same position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from kontor.game import CHANCE, Refusal
from kontor.games.dutchman.analysis import setup_of
from kontor.games.dutchman.rules import DUTCHMAN, Options, View
from kontor.games.dutchman.rules.chance import in_order
from kontor.games.dutchman.rules.components import (
    CARDS,
    CASH,
    CHESTS,
    COLOURS,
    FEWEST_PLAYERS,
    FIRST_CHEST,
    HORSESHOES,
    LAST_CHEST,
    MOST_PLAYERS,
    MOST_SILVER,
    RACK,
    SHARES,
    Colour,
    Horseshoes,
    shares_in_play,
)
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.rules.state import MOST_CIRCLES, Counts, clockwise, start
from kontor.games.dutchman.rules.view import Player
from kontor.games.dutchman.rules.view import view as view_of
from kontor.games.dutchman.web.chart import key, numbered_fields
from kontor.games.dutchman.words import COLOUR_NAMES, colour, field, public_count
from kontor.web.adapter import PositionForm, SettingUp
from kontor.words import Words

_USUAL: Final = Options()
_GOLD: Final = tuple(shoe for shoe in HORSESHOES if shoe > MOST_SILVER)
_SILVER: Final = {shoe: HORSESHOES.count(shoe) for shoe in HORSESHOES if shoe <= MOST_SILVER}
_MOST_LETTERS: Final = 120
"""The most characters of a list of horseshoes."""

_SEATS: Final = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)


# ----------------------------------------------------------------------------------------------- what a form says


def _number(form: Mapping[str, str], name: str, usual: int, most: int) -> int:
    """Return a whole number of the form; an empty field means the usual one."""
    given = form.get(name, "").strip()
    if not given:
        return usual
    if not (given.isascii() and given.isdigit() and len(given) < 5 and int(given) <= most):
        raise Refusal(
            "", "“{given}” does not fit here: write a whole number up to {most}.", given=given[:20], most=most
        )
    return int(given)


def _players(form: Mapping[str, str]) -> int:
    given = form.get("players", "")
    return int(given) if given in map(str, _SEATS) else _USUAL.players


def _field(form: Mapping[str, str], name: str) -> str | None:
    """Return the name of a chart field, given its key in the form, or None."""
    given = form.get(name, "")
    return next((each.name for each in _USUAL.chart.fields if key(each) == given), None)


def _horseshoes(form: Mapping[str, str], name: str) -> Horseshoes:
    """Return the horseshoes of a text like ``45 20 1``."""
    shoes = []
    for given in form.get(name, "").replace(",", " ")[:_MOST_LETTERS].split():
        if not (given.isascii() and given.isdigit() and len(given) < 3 and int(given) in HORSESHOES):
            raise Refusal(
                "H1",
                "“{given}” is not a horseshoe: there are 21 to 48, and 20, 10, 2 and 1 of silver.",
                given=given[:20],
            )
        shoes.append(int(given))
    return highest_first(shoes)


def _rack(form: Mapping[str, str]) -> Horseshoes:
    gold = [shoe for shoe in _GOLD if form.get(f"gold{shoe}") == "yes"]
    silver = [shoe for shoe, most in _SILVER.items() for _ in range(_number(form, f"silver{shoe}", 0, most))]
    return highest_first([*gold, *silver])


def _hand(form: Mapping[str, str]) -> tuple[Colour, ...]:
    hand = in_order(which for which in COLOURS for _ in range(_number(form, f"share-{which}", 0, SHARES)))
    if len(hand) != SHARES:
        raise Refusal("H4", "The viewed player holds {count} shares, not three.", count=len(hand))
    return hand


def _limits(form: Mapping[str, str], seat: int, players: int) -> tuple[Counts, Counts]:
    """Return what everybody knows of a seat's shares, by colour: at least, and at most."""
    most = min(SHARES, players - 1)
    limits = []
    for which in COLOURS:
        low, _, high = form.get(f"knows{seat}-{which}", "").partition("-")
        small = {str(number): number for number in range(most + 1)}
        limits.append((small.get(low, 0), small.get(high, most)))
    return tuple(low for low, _ in limits), tuple(max(pair) for pair in limits)


def _player(form: Mapping[str, str], seat: int, players: int, rack: Horseshoes | None) -> Player:
    """Return a merchant as everybody sees them; ``rack`` is that of the viewing player, else None."""
    if form.get(f"out{seat}"):
        round_ = _number(form, f"out{seat}", 1, 998)
        nothing = (0,) * len(COLOURS)
        return Player(0, 0, 0, 0, 0, None, None, nothing, nothing, (), max(1, round_), None)
    least, most = _limits(form, seat, players)
    seen = _horseshoes(form, f"known{seat}")
    shoes = len(rack) if rack is not None else _number(form, f"shoes{seat}", RACK, len(HORSESHOES))
    if len(seen) > shoes or (rack is not None and Counter(seen) - Counter(rack)):
        raise Refusal("H6b", "Seat {number}: more horseshoes are known than are in the rack.", number=seat + 1)
    if sum(least) > SHARES:
        raise Refusal("H11", "Seat {number}: more than three shares are known.", number=seat + 1)
    return Player(
        cash=_number(form, f"cash{seat}", CASH, 9999),
        kontor=_number(form, f"kontor{seat}", CARDS, CARDS),
        smith=_number(form, f"smith{seat}", CARDS, CARDS),
        shares=SHARES,
        horseshoes=shoes,
        laid=None,
        action=None,
        at_least=least,
        at_most=most,
        known=seen,
        bankrupt=0,
        held=None,
    )


def _pile(form: Mapping[str, str], seat: int, players: int, size: int) -> Iterator[tuple[Colour | None, int | None]]:
    """Yield the cards of the Kontor pile from its top: the colour, if this seat put it there, and who put it."""
    for place in range(size):
        given = form.get(f"pile{place}", "")
        by = next((other for other in range(players) if given == f"by{other}" and other != seat), None)
        which = next((which for which in COLOURS if which == given), None)
        yield which, seat if which else by


def _options(form: Mapping[str, str]) -> Options:
    return Options(
        players=_players(form),
        circles=_number(form, "circles", _USUAL.circles, MOST_CIRCLES),
        check="on request" if form.get("check") == "on request" else "never",
    )


def _position(form: Mapping[str, str]) -> PositionForm:
    options = _options(form)
    players = options.players
    seat = min(_number(form, "as", 0, MOST_PLAYERS - 1), players - 1)
    if form.get(f"out{seat}"):
        raise Refusal(
            "H11", "Someone bankrupt sees no more than others: choose the view of someone still in the game."
        )
    rack, hand = _rack(form), _hand(form)
    merchants = tuple(_player(form, each, players, rack if each == seat else None) for each in range(players))
    starter = _number(form, "starts", 0, players - 1)
    order = tuple(each for each in clockwise(players, starter) if not merchants[each].bankrupt)
    if len(order) < 2:
        raise Refusal("H13", "The game is over when fewer than two players are left.")
    if order[0] != starter:
        raise Refusal("H5", "The round is started by someone still in the game.")
    size = len(shares_in_play(players)) - SHARES * len(order)
    pile = tuple(_pile(form, seat, players, size))
    stones, counter = _stones(form)
    lies = _field(form, "lies") or options.chart.holland
    came_from = _field(form, "from")
    ahead = start(options).sea.ahead[lies]
    if came_from not in ahead:
        raise Refusal("H8", "No line leads from where the Dutchman lies to where it is said to come from.")
    view = View(
        seat=seat,
        mover=CHANCE,
        step="lucky",
        queue=(),
        players=merchants,
        shares=hand,
        rack=rack,
        lay=None,
        round=max(1, _number(form, "round", 1, 999)),
        starter=starter,
        order=order,
        lucky=None,
        dutchman=lies,
        came_from=came_from,
        ahead=ahead[came_from],
        stones=stones,
        counter=counter,
        pile=tuple(which for which, _ in pile),
        put_by=tuple(by for _, by in pile),
        middle=_number(form, "middle", players, len(HORSESHOES)),
        middle_known=_horseshoes(form, "middle-known"),
        out=0,
        revealed=(),
        bargain=None,
        rolls=(),
        happened=(),
        options=options,
        result=None,
    )
    _check_shares(view)
    _check_horseshoes(view)
    setup = setup_of(DUTCHMAN.imagine(view, Random(f"{view}").randrange))
    assert setup is not None
    return PositionForm(options, setup, seat)


def _stones(form: Mapping[str, str]) -> tuple[Counts, int]:
    """Return the chests of the stones and of the counter.

    After n ships the counter has moved on by n chests. A stone is behind it only if its own ship was met, and each
    time it was another (H11).
    """
    counter = _number(form, "counter", FIRST_CHEST, LAST_CHEST - 1)
    stones = tuple(_number(form, f"stone-{which}", FIRST_CHEST, LAST_CHEST) for which in COLOURS)
    _check_stones(stones, counter)
    return stones, counter


def _check_stones(stones: Sequence[int], counter: int) -> None:
    for which, stone in zip(COLOURS, stones, strict=True):
        if not FIRST_CHEST <= stone <= counter:
            raise Refusal(
                "H11",
                "The {colour} marker is ahead of the black one, which moves on each time a marker does.",
                colour=COLOUR_NAMES[which],
            )
    behind = [stone for stone in stones if stone < counter]
    if len(set(behind)) < len(behind):
        raise Refusal("H11", "Two markers stand on one chest behind the black one: only one ship is met at a time.")
    if counter > FIRST_CHEST and FIRST_CHEST not in behind:
        raise Refusal("H11", "One marker must stand on the 2: that of the ship met last.")


def _check_shares(view: View) -> None:
    """Raise Refusal unless all that is known of the shares is consistent, so that the others can be dealt (H4)."""
    copies = len(view.players) - 1
    left = Counter(shares_in_play(len(view.players)))
    left.subtract([*view.shares, *(card for card in view.pile if card)])
    needs: list[int] = []
    most: list[list[int]] = []
    for seat, player in enumerate(view.players):
        counts = [view.shares.count(which) for which in COLOURS]
        if seat == view.seat:
            if any(
                not low <= count <= high
                for low, count, high in zip(player.at_least, counts, player.at_most, strict=True)
            ):
                raise Refusal("H11", "The shares that are public knowledge do not fit what this player holds.")
            continue
        left.subtract(dict(zip(COLOURS, player.at_least, strict=True)))
        needs.append(player.shares - sum(player.at_least))
        most.append([high - low for low, high in zip(player.at_least, player.at_most, strict=True)])
    for which in COLOURS:
        if left[which] < 0:
            raise Refusal(
                "H4", "There are only {n} shares of each ship in play, and more of {colour} are known.",
                n=copies, colour=COLOUR_NAMES[which],
            )  # fmt: skip
    if not _can_be_dealt(needs, most, [left[which] for which in COLOURS]):
        raise Refusal("H4", "What is known of the others’ shares leaves no way to deal them.")
    loose = [by is None for by in view.put_by]
    if loose != sorted(loose, reverse=True):
        raise Refusal("H6a", "Shares put back must lie below the rest of the pile.")


def _can_be_dealt(needs: Sequence[int], most: Sequence[Sequence[int]], left: Sequence[int]) -> bool:
    """Return True if each seat can get the cards that it needs, and of no colour more than it may have.

    Cards are given one by one, and passed on where another seat could have had another card.
    """
    given = [[0] * len(left) for _ in needs]
    free = list(left)

    def give(seat: int, seen: set[int]) -> bool:
        for place in range(len(free)):
            if place in seen or given[seat][place] >= most[seat][place]:
                continue
            seen.add(place)
            if not free[place]:
                other = next((o for o in range(len(needs)) if o != seat and given[o][place] and give(o, seen)), None)
                if other is None:
                    continue
                given[other][place] -= 1
                free[place] += 1
            free[place] -= 1
            given[seat][place] += 1
            return True
        return False

    return all(give(seat, set()) for seat, need in enumerate(needs) for _ in range(need))


def _check_horseshoes(view: View) -> None:
    """Raise Refusal if more horseshoes are known, or counted, than there are (H1)."""
    counted = Counter([*view.rack, *view.middle_known])
    for seat, player in enumerate(view.players):
        counted.update(player.known if seat != view.seat else ())
    twice = counted - Counter(HORSESHOES)
    if twice:
        raise Refusal("H1", "There are not so many horseshoes {shoe} in the box.", shoe=next(iter(twice)))
    if len(view.middle_known) > view.middle:
        raise Refusal("H8", "More horseshoes are known in the middle than lie there.")
    total = view.middle + sum(player.horseshoes for player in view.players)
    if total > len(HORSESHOES):
        raise Refusal("H1", "There are 60 horseshoes in all, not {count}.", count=total)


# --------------------------------------------------------------------------------------------- what a form shows


def _fields(view: View) -> dict[str, str]:
    """Return what the form shows for a seat's view as a round begins."""
    keys = {each.name: key(each) for each in view.options.chart.fields}
    fields = {
        "players": str(view.options.players),
        "as": str(view.seat or 0),
        "round": str(view.round),
        "starts": str(view.starter),
        "circles": str(view.options.circles),
        "check": "on request" if view.options.may_check else "",
        "lies": keys[view.dutchman],
        "from": keys.get(view.came_from or "", ""),
        "counter": str(view.counter),
        "middle": str(view.middle),
        "middle-known": " ".join(map(str, view.middle_known)),
        **{f"stone-{which}": str(stone) for which, stone in zip(COLOURS, view.stones, strict=True)},
        **{f"share-{which}": str(count) for which, count in Counter(view.shares).items()},
        **{f"gold{shoe}": "yes" for shoe in view.rack if shoe > MOST_SILVER},
        **{f"silver{shoe}": str(view.rack.count(shoe)) for shoe in _SILVER if shoe in view.rack},
    }
    for seat, player in enumerate(view.players):
        if player.bankrupt:
            fields[f"out{seat}"] = str(player.bankrupt)
            continue
        fields |= {
            f"cash{seat}": str(player.cash),
            f"kontor{seat}": str(player.kontor),
            f"smith{seat}": str(player.smith),
            f"shoes{seat}": str(player.horseshoes),
            f"known{seat}": " ".join(map(str, player.known)),
        }
        for which, low, high in zip(COLOURS, player.at_least, player.at_most, strict=True):
            fields[f"knows{seat}-{which}"] = f"{low}-{high}"
    for place, (card, by) in enumerate(zip(view.pile, view.put_by, strict=True)):
        fields[f"pile{place}"] = card or (f"by{by}" if by is not None else "")
    return fields


def _choices(words: Words, form: Mapping[str, str]) -> dict[str, Any]:
    players = _players(form)
    most = min(SHARES, players - 1)
    begun = start(Options(players=players, starter=0))
    out = sum(bool(form.get(f"out{seat}")) for seat in range(players))
    lies = _field(form, "lies") or begun.dutchman
    return {
        "players": players,
        "sizes": _SEATS,
        # The chart is drawn as the round begins. The Dutchman is drawn apart, at the chosen field.
        "view": view_of(begun, None),
        "lies": lies,
        "berths": [(key(each), each.name, field(words, begun.options.chart, each.name)) for each, _ in
                   numbered_fields(begun.options.chart)],
        "colours": {which: colour(words, which) for which in COLOURS},
        "worth_of": list(enumerate(CHESTS))[FIRST_CHEST:LAST_CHEST],
        "counts": [
            (f"{low}-{high}", public_count(low, high, players) or "–")
            for low, high in sorted(
                ((low, high) for low in range(most + 1) for high in range(low, most + 1)), key=_plainest_first(most)
            )
        ],
        "unknown": f"0-{most}",
        "gold": _GOLD,
        "silver": _SILVER,
        "pile_size": len(shares_in_play(players)) - SHARES * (players - out),
        "usual": {"cash": CASH, "rack": RACK, "cards": CARDS, "circles": _USUAL.circles},
        "circles": range(MOST_CIRCLES + 1),
    }  # fmt: skip


def _plainest_first(most: int) -> Any:
    """Return a sort key: nothing known, then exact numbers, then limits."""
    return lambda pair: (pair != (0, most), pair[0] != pair[1], pair)


def _seats(form: Mapping[str, str]) -> int:
    return _players(form)


SETTING_UP: Final = SettingUp(_position, _fields, _choices, _seats)
