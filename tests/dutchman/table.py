"""A table of Der fliegende Holländer for the tests: positions in a few words, steps in plain sentences.

The seats are those of the rulebook's example, clockwise: Karin, Helga, Anne, Karl, Klaus, Reiner; with three players
the first three. A script is a list of steps, one a line, or with ``/`` between them::

    Karin starts                                    dice 30 + 1 / Karin rolls 30 + 1
    share Helga: 20 1; Anne: 10 2; left: 1          shuffle red blue green
    Karin plays a Kontor card                       Karin puts back blue red
    Helga plays a Smith card                        Karl lays 20 10
    Karl passes                                     Klaus sails to blue 1
    Karl asks for the check                         Karl waives the check
    Reiner names Curaçao                            Klaus proposes blue 1: Klaus -3, Reiner +3
    Klaus withholds                                 Reiner accepts / Reiner declines
    Klaus shows red                                 Klaus shows nothing

The deal alone goes on in the lines below it, and so stands in golden games only::

    deal
      Karin: blue red violet; 48 20 10 10 1 1 1 1 1
      …
      pile: red blue …
      middle: 10 10 1
      out: 47 46 …
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Final, Literal

import pytest
from msgspec.structs import replace

from kontor.game import CHANCE, OVER, Chance, IllegalMove
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State
from kontor.games.dutchman.rules.chart import OURS, Chart
from kontor.games.dutchman.rules.components import (
    CHESTS,
    COLOURS,
    HORSESHOES,
    ONES,
    TENS,
    Colour,
    Horseshoes,
    shares_in_play,
)
from kontor.games.dutchman.rules.horseshoes import heap_of, split
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Bankrupt,
    Check,
    Checked,
    Counts,
    Deal,
    Decline,
    Dice,
    Earned,
    Happening,
    Keep,
    Kontor,
    Lay,
    Merchant,
    Name,
    Outcome,
    Paid,
    Pass,
    Propose,
    Put,
    Revealed,
    RolledFor,
    Sail,
    Sailed,
    Share,
    Shared,
    Show,
    Shuffle,
    Smith,
    Starter,
    Undecided,
    Waive,
    Withhold,
)

NAMES: Final = ("Karin", "Helga", "Anne", "Karl", "Klaus", "Reiner")
KARIN, HELGA, ANNE, KARL, KLAUS, REINER = range(6)

Action = Move | Outcome

# ------------------------------------------------------------------------------------------------- positions


@dataclass(frozen=True)
class Seat:
    """The belongings of a player in a position."""

    shares: str = ""
    rack: str = ""
    cash: int = 25
    kontor: int = 3
    smith: int = 3
    bankrupt: int = 0


ANYBODY: Final = Seat()


def start(players: int = 3, **options: Any) -> State:
    """Return the state before the first shuffle; Karin starts."""
    return DUTCHMAN.start(Options(players=players, **{"starter": KARIN, **options}))


def deal(*seats: Seat, pile: str = "", middle: str = "") -> Deal:
    """Return a deal with the given things, filled up to a legal one.

    Shares that are not given are of colours that no seat is given, as long as there are any. Horseshoes that are not
    given are the small silver ones first.
    """
    players = len(seats)
    named = [list(colours(seat.shares)) for seat in seats]
    top = list(colours(pile))
    loose = Counter(shares_in_play(players))
    _take(loose, (share for hand in (*named, top) for share in hand), "share")
    spoken = {share for hand in named for share in hand}
    rest = sorted(loose.elements(), key=lambda share: (share in spoken, COLOURS.index(share)))
    hands = []
    for hand in named:
        missing = 3 - len(hand)
        hands.append(by_colour([*hand, *rest[:missing]]))
        rest = rest[missing:]
    racks = [list(numbers(seat.rack)) for seat in seats]
    heap = list(numbers(middle))
    shoes = Counter(HORSESHOES)
    _take(shoes, (shoe for part in (*racks, heap) for shoe in part), "horseshoe")
    spare = sorted(shoes.elements())
    for part, size in (*((rack, 9) for rack in racks), (heap, players)):
        while len(part) < size:
            part.append(spare.pop(0))
    return Deal(
        hands=tuple(hands),
        pile=(*top, *rest),
        racks=tuple(highest_first(rack) for rack in racks),
        middle=highest_first(heap),
        out=highest_first(spare),
    )


def deal_game(*seats: Seat, pile: str = "", middle: str = "", **options: Any) -> State:
    """Return a game after this deal; the lucky number is to be rolled."""
    return DUTCHMAN.play(start(len(seats), **options), deal(*seats, pile=pile, middle=middle))


def position(
    *seats: Seat,
    lucky: int | None = 31,
    starter: int = KARIN,
    dutchman: str = "Holland",
    came_from: str | None = None,
    stones: str = "",
    counter: int = 2,
    pile: str = "",
    middle: str = "",
    round_number: int = 1,
    circles: int = 2,
    chart: Chart = OURS,
    check: Literal["never", "on request"] = "never",
) -> State:
    """Return a position at the beginning of a round, after the lucky number was rolled (or before, without one).

    Racks and the middle hold exactly the given horseshoes; all others are out of the game. ``stones`` and ``counter``
    are the values of chests: ``stones="blue 7, red 11"``, all others on 2.
    """
    racks = [numbers(seat.rack) for seat in seats]
    heap = numbers(middle)
    out = Counter(HORSESHOES)
    _take(out, (shoe for part in (*racks, heap) for shoe in part), "horseshoe")
    plain = [Seat(shares=seat.shares) for seat in seats]
    state = deal_game(*plain, pile=pile, circles=circles, chart=chart, check=check)
    merchants, cards = [], list(state.pile)
    for seat, rack, merchant in zip(seats, racks, state.merchants, strict=True):
        if seat.bankrupt:
            cards += merchant.shares
            merchants.append(Merchant(cash=0, kontor=0, smith=0, at_most=(0,) * 6, bankrupt=seat.bankrupt))
        else:
            gold, silver = split(highest_first(rack))
            merchants.append(
                replace(merchant, gold=gold, silver=silver, cash=seat.cash, kontor=seat.kontor, smith=seat.smith)
            )
    state = replace(
        state,
        merchants=tuple(merchants),
        round=round_number,
        starter=starter,
        order=tuple(seat for seat in _clockwise(len(seats), starter) if not seats[seat].bankrupt),
        dutchman=dutchman,
        came_from=came_from,
        stones=on_chests(stones),
        counter=CHESTS.index(counter),
        pile=tuple(cards),
        put_by=(None,) * len(cards),
        middle_heap=heap_of(heap),
        out=highest_first(out.elements()),
    )
    return state if lucky is None else DUTCHMAN.play(state, dice(lucky))


def _clockwise(players: int, first: int) -> list[int]:
    return [(first + place) % players for place in range(players)]


def _take(box: Counter[Any], things: Iterator[Any], kind: str) -> None:
    for thing in things:
        box[thing] -= 1
        assert box[thing] >= 0, f"there are not so many in the box: {kind} {thing}"


def colours(words: str) -> tuple[Colour, ...]:
    """Return the colours of ``"red blue"``, in that order."""
    return tuple(colour(word) for word in words.split())


def colour(word: str) -> Colour:
    assert word in COLOURS, word
    return word


def numbers(words: str) -> Horseshoes:
    return tuple(int(word) for word in words.split())


def by_colour(shares: list[Colour]) -> tuple[Colour, ...]:
    return tuple(sorted(shares, key=COLOURS.index))


def highest_first(shoes: Any) -> Horseshoes:
    return tuple(sorted(shoes, reverse=True))


def on_chests(words: str) -> Counts:
    """Return the places of the stones for ``"blue 7, red 11"``; colours not given stand on the chest 2."""
    values = dict.fromkeys(COLOURS, 2)
    for part in filter(None, words.split(", ")):
        name, value = part.split()
        values[colour(name)] = int(value)
    blue, yellow, green, orange, red, violet = (CHESTS.index(value) for value in values.values())
    return (blue, yellow, green, orange, red, violet)


def dice(lucky: int) -> Dice:
    """Return a roll that makes this lucky number."""
    return next(Dice(tens, ones) for tens, ones in product(TENS, ONES) if tens + ones == lucky)


# -------------------------------------------------------------------------------------------------- notation


def say(state: State, action: Any) -> str:
    """Return the script's sentence for a move or an outcome in this state (the deal in several lines)."""
    if isinstance(action, Outcome):
        return _say_outcome(state, action)
    return f"{NAMES[state.mover]} {_say_move(state, action)}"


def _say_outcome(state: State, outcome: Outcome) -> str:
    match outcome:
        case Starter(seat=seat):
            return f"{NAMES[seat]} starts"
        case Deal(hands=hands, pile=pile, racks=racks, middle=middle, out=out):
            lines = [
                f"{name}: {' '.join(hand)}; {_shoes(rack)}"
                for name, hand, rack in zip(NAMES, hands, racks, strict=False)
            ]
            rest = (f"pile: {' '.join(pile)}", f"middle: {_shoes(middle)}", f"out: {_shoes(out)}")
            return "\n  ".join(("deal", *lines, *rest)).rstrip()
        case Dice(tens=tens, ones=ones):
            subject = f"{NAMES[state.queue[0]]} rolls" if state.step == "rolling" else "dice"
            return f"{subject} {tens} + {ones}"
        case Share(parts=parts, left=left):
            smiths = [NAMES[seat] for seat in _smiths(state)]
            shared = [f"{name}: {_shoes(part)}" for name, part in zip(smiths, parts, strict=True)]
            return "share " + "; ".join((*shared, f"left: {_shoes(left)}".rstrip()))
        case Shuffle(pile=pile):
            return f"shuffle {' '.join(pile)}"


def _say_move(state: State, move: Any) -> str:
    for text, plain in _PLAIN.items():
        if move == plain:
            return text
    match move:
        case Put(shares=shares):
            return f"puts back {' '.join(shares)}"
        case Lay(horseshoes=shoes):
            return f"lays {_shoes(shoes)}"
        case Sail(to=to):
            return f"sails to {to}"
        case Name(to=to):
            return f"names {to}"
        case Propose(to=to, ducats=ducats):
            return f"proposes {to}{_payments(_tied_seats(state), ducats)}"
        case Show(colour=shown):
            return f"shows {shown}"
    raise AssertionError(f"no move of Der fliegende Holländer: {move!r}")


_PLAIN: Final[dict[str, Move]] = {
    "plays a Kontor card": Kontor(),
    "plays a Smith card": Smith(),
    "passes": Pass(),
    "withholds": Withhold(),
    "accepts": Accept(),
    "declines": Decline(),
    "shows nothing": Keep(),
    "asks for the check": Check(),
    "waives the check": Waive(),
}


def _shoes(shoes: Horseshoes) -> str:
    return " ".join(map(str, shoes))


def _payments(seats: tuple[int, ...], ducats: tuple[int, ...]) -> str:
    """Return ``": Klaus -3, Reiner +3"``, or an empty text where nothing is paid."""
    paid = [f"{NAMES[seat]} {change:+}" for seat, change in zip(seats, ducats, strict=False) if change]
    return f": {', '.join(paid)}" if paid else ""


def _tied_seats(state: State) -> tuple[int, ...]:
    return state.bargain.tied if state.bargain else ()


def _smiths(state: State) -> list[int]:
    players = DUTCHMAN.view(state, None).players
    return [seat for seat in _clockwise(len(players), state.starter) if players[seat].action == "smith"]


def hear(state: State, sentence: str) -> Action:
    """Return the move or outcome that a sentence means in this state; the inverse of ``say``.

    The name may be left out where it is clear whose turn it is.
    """
    first, _, rest = sentence.partition(" ")
    if first in NAMES and rest == "starts":
        return Starter(NAMES.index(first))
    if first in NAMES and rest.startswith("rolls "):
        assert NAMES.index(first) == state.queue[0], f"“{sentence}”: {NAMES[state.queue[0]]} rolls first"
        sentence = rest
        first = ""
    if first in NAMES:
        if NAMES.index(first) != state.mover:
            pytest.fail(f"“{sentence}”: it is not {first} to move\n{show(state)}")
        sentence = rest
    return _hear_outcome(sentence) or _hear_move(state, sentence)


def _hear_outcome(sentence: str) -> Outcome | None:
    head, _, rest = sentence.partition(" ")
    if head.startswith("deal\n"):
        lines = [line.strip().partition(":") for line in sentence.splitlines()[1:]]
        texts = {name: text for name, _, text in lines}
        hands = [texts[name].split(";") for name in NAMES if name in texts]
        return Deal(
            hands=tuple(colours(shares) for shares, _ in hands),
            pile=colours(texts["pile"]),
            racks=tuple(numbers(rack) for _, rack in hands),
            middle=numbers(texts["middle"]),
            out=numbers(texts["out"]),
        )
    if head in ("dice", "rolls"):
        tens, ones = rest.split(" + ")
        return Dice(int(tens), int(ones))
    if head == "share":
        *parts, left = (numbers(part.partition(":")[2]) for part in rest.split(";"))
        return Share(tuple(parts), left)
    if head == "shuffle":
        return Shuffle(colours(rest))
    return None


def _hear_move(state: State, sentence: str) -> Move:
    if sentence in _PLAIN:
        return _PLAIN[sentence]
    verb, _, rest = sentence.partition(" ")
    if verb == "puts":
        return Put(colours(rest.removeprefix("back")))  # type: ignore[arg-type]  # of any length, to be refused
    if verb == "lays":
        return Lay(numbers(rest))
    if verb == "sails":
        return Sail(rest.removeprefix("to "))
    if verb == "names":
        return Name(rest)
    if verb == "shows":
        return Show(colour(rest))
    if verb == "proposes":
        to, _, payments = rest.partition(": ")
        payment_of = {name: int(ducats) for name, ducats in re.findall(r"(\w+) ([+-]\d+)", payments)}
        tied = [NAMES[seat] for seat in _tied_seats(state)]
        assert set(payment_of) <= set(tied), f"“{sentence}”: tied are {tied}"
        return Propose(to, tuple(payment_of.get(name, 0) for name in tied))
    raise AssertionError(f"no sentence of a script: {sentence!r}")


# --------------------------------------------------------------------------------------------------- playing


def go(state: State, script: str) -> State:
    """Return the state after a script, played step by step under the rules."""
    done: list[str] = []
    for sentence in filter(None, map(str.strip, re.split(r" / |\n", script))):
        action = hear(state, sentence)
        try:
            state = DUTCHMAN.play(state, action)
        except IllegalMove as refusal:
            pytest.fail(f"after “{' / '.join(done)}”: “{sentence}” was refused: {refusal}\n{show(state)}")
        done.append(sentence)
    return state


def legal(state: State) -> list[str]:
    """Return the legal moves, as sentences without the name."""
    return [_say_move(state, move) for move in DUTCHMAN.moves(state)]


def refusal(state: State, move: str | Any) -> str:
    """Return the refusal of a sentence (or any object) with its rule number; fail if it is accepted."""
    action = hear(state, move) if isinstance(move, str) else move
    assert action not in DUTCHMAN.moves(state), f"{move!r} is among the legal moves\n{show(state)}"
    with pytest.raises(IllegalMove) as refused:
        DUTCHMAN.play(state, action)
    sentence = refused.value.sentence
    assert sentence.endswith("."), f"no sentence: {sentence!r}"
    assert "{" not in sentence, f"not filled in: {sentence!r}"
    return str(refused.value)


def refused_by(state: State, move: str | Any) -> str:
    """Return the number of the rule by which something is refused."""
    return refusal(state, move).rpartition("(")[2].removesuffix(")")


def all_draws(chance: Chance[Any]) -> dict[Any, Fraction]:
    """Return every outcome that can be drawn with its probability, found by giving every answer to every question."""
    probabilities: dict[Any, Fraction] = {}
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        answers, probability = waiting.pop()
        left = list(answers)
        counts: list[int] = []

        def below(count: int, left: list[int] = left, counts: list[int] = counts) -> int:
            if left:
                return left.pop(0)
            counts.append(count)
            return 0

        outcome = chance.draw(below)
        if counts:
            waiting += [((*answers, answer), probability / counts[0]) for answer in range(counts[0])]
        else:
            probabilities[outcome] = probabilities.get(outcome, Fraction(0)) + probability
    return probabilities


# --------------------------------------------------------------------------------------- looking at a table


def cash(state: State) -> list[int]:
    return [merchant.cash for merchant in state.merchants]


def rack(state: State, seat: int) -> str:
    return _shoes(state.merchants[seat].rack)


def hand(state: State, seat: int) -> str:
    return " ".join(state.merchants[seat].shares)


def heap(state: State) -> str:
    """Return the horseshoes in the middle."""
    return _shoes(state.middle)


def values(state: State) -> dict[str, int]:
    """Return what a share of each colour is worth."""
    return {name: CHESTS[stone] for name, stone in zip(COLOURS, state.stones, strict=True)}


def whose(state: State) -> str:
    """Return who is to act and the step: ``"Karin: action"``."""
    mover = {CHANCE: "chance", OVER: "nobody"}.get(state.mover) or NAMES[state.mover]
    return f"{mover}: {state.step}"


def names(seats: tuple[int, ...]) -> str:
    return " and ".join(NAMES[seat] for seat in seats)


def results(state: State) -> list[str]:
    """Return the results of the last step, a sentence for each."""
    return [_TELL[type(happening)](happening) for happening in state.happened]


def _tell_shared(shared: Shared) -> str:
    return f"{names(shared.smiths)} {_verb(shared.smiths, 'get')} {shared.each} from the middle, {shared.left} stay"


def _tell_revealed(revealed: Revealed) -> str:
    lays = ", ".join(f"{NAMES[lay.seat]} {_shoes(lay.horseshoes)} = {lay.reading}" for lay in revealed.lays)
    return f"revealed: {lays}; nearest: {names(revealed.nearest)}"


def _tell_rolled(rolled: RolledFor) -> str:
    rolls = ", ".join(f"{NAMES[seat]} {total}" for seat, total in rolled.rolls)
    return f"rolled: {rolls}; highest: {names(rolled.highest)}"


def _tell_agreed(agreed: Agreed) -> str:
    return f"{names(agreed.tied)} agree{_payments(agreed.tied, agreed.ducats)}"


def _tell_paid(paid: Paid) -> str:
    payers = [
        f"{NAMES[seat]} has {shares} and pays {ducats}"
        for seat, (shares, ducats) in enumerate(zip(paid.shares, paid.paid, strict=True))
        if shares
    ]
    return f"{paid.colour} at {paid.value}: {', '.join(payers) or 'nobody has any'}"


def _verb(seats: tuple[int, ...], verb: str) -> str:
    return verb if len(seats) > 1 else f"{verb}s"


_TELL: Final[dict[type, Callable[[Any], str]]] = {
    Shared: _tell_shared,
    Revealed: _tell_revealed,
    RolledFor: _tell_rolled,
    Undecided: lambda happening: f"no agreement: {names(happening.tied)} decide",
    Agreed: _tell_agreed,
    Sailed: lambda happening: f"from {happening.start} to {happening.to}, moved by {names(happening.by)}",
    Paid: _tell_paid,
    Bankrupt: lambda happening: f"bankrupt: {names(happening.seats)}",
    Earned: lambda happening: f"{NAMES[happening.seat]} earns {happening.ducats}",
    Checked: lambda happening: f"the pile is shown: {' '.join(happening.shares)}",
}
assert set(_TELL) == set(Happening.__args__)


def show(state: State) -> str:
    lines = [
        f"round {state.round}, to act: {whose(state)}, lucky number {state.lucky}, "
        f"Dutchman at {state.dutchman} from {state.came_from}"
    ]
    for name, merchant in zip(NAMES, state.merchants, strict=False):
        lay = "" if merchant.lay is None else f"; laid: {_shoes(merchant.lay)}"
        lines.append(
            f"  {name:6} {merchant.cash:3} ducats, {merchant.kontor} Kontor, {merchant.smith} Smith"
            f"; {' '.join(merchant.shares) or '-'}; {_shoes(merchant.rack) or '-'}{lay}"
            + (f"; bankrupt in round {merchant.bankrupt}" if merchant.bankrupt else "")
        )
    stones = ", ".join(f"{name} {value}" for name, value in values(state).items())
    lines += [
        f"  stones: {stones}; counter {CHESTS[state.counter]}",
        f"  pile: {' '.join(state.pile) or '-'}",
        f"  middle: {heap(state) or '-'}",
    ]
    if state.bargain:
        lines.append(f"  bargain: {state.bargain}")
    some = [_say_move(state, move) for move in DUTCHMAN.moves(state)[:12]]
    lines.append(f"  legal ({len(DUTCHMAN.moves(state))}): {'; '.join(some) or '-'}")
    return "\n".join(lines)
