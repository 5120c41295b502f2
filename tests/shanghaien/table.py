"""A table of Shanghaien for the tests: positions in a few words, moves in a compact notation, a picture of a state.

Seat 0 is Anna and seat 1 is Bernd, as in the rulebook's example. A script is a line of words (``/`` only makes it
readable)::

    Anna               chance names the starter         24                 roll, and the dice show 2 and 4
    row:A1,F2,…        chance lays the row              left, right        the 1 is at this end
    3                  place the 3                      3>4                Nudge: the 3 becomes a 4
    both               place both dice                  reroll:15          roll again, and the dice show 1 and 5
    joker:nudge:F      lay a nudge card with the        shanghai           end the round
                       own French                       roll, reroll, dice:24     each half of a roll alone
"""

from collections import Counter
from typing import Any, Final, get_args

import pytest
from msgspec.structs import replace

from kontor.game import CHANCE, OVER, Below, IllegalMove
from kontor.games.shanghaien.rules import SHANGHAIEN, Move, Options, State
from kontor.games.shanghaien.rules.components import End, Nation, Trick, TrickCounts, whole_deck
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker, totals
from kontor.games.shanghaien.rules.state import (
    Both,
    Dice,
    Joker,
    Nudge,
    Number,
    Numbers,
    Outcome,
    Place,
    Reroll,
    Roll,
    Row,
    Shanghai,
    Starter,
)

ANNA: Final = 0
BERND: Final = 1
NAMES: Final = ("Anna", "Bernd")
ANNA_STARTS: Final = Options(starter=ANNA)

Action = Move | Outcome

# ---------------------------------------------------------------------------------------------------- notation


def word(action: Any) -> str:
    """Return the word of a move or an outcome in the notation of the scripts."""
    match action:
        case Starter(seat=seat):
            return NAMES[seat]
        case Row(cards=cards):
            return "row:" + ",".join(cards)
        case Dice(low=low, high=high):
            return f"dice:{low}{high}"
        case Roll() | Shanghai() | Both() | Reroll():
            return type(action).__name__.lower()
        case Number(one_at=end):
            return end
        case Place(die=die):
            return str(die)
        case Nudge(die=die, to=to):
            return f"{die}>{to}"
        case Joker(trick=trick, nation=nation):
            return f"joker:{trick}:{nation}"
    raise AssertionError(f"no action of Shanghaien: {action!r}")


def actions(script: str) -> list[Action]:
    """Return the moves and outcomes of a script; the inverse of ``word``."""
    steps: list[Action] = []
    for step in script.replace("/", " ").split():
        steps += _actions(step)
    return steps


_PLAIN: Final[dict[str, tuple[Action, ...]]] = {
    "Anna": (Starter(ANNA),),
    "Bernd": (Starter(BERND),),
    "roll": (Roll(),),
    "shanghai": (Shanghai(),),
    "both": (Both(),),
    "reroll": (Reroll(),),
    "left": (Number("left"),),
    "right": (Number("right"),),
}


def _actions(step: str) -> tuple[Action, ...]:
    if step in _PLAIN:
        return _PLAIN[step]
    head, _, tail = step.partition(":")
    if head == "row":
        return (Row(tuple(tail.split(","))),)
    if head == "dice":
        return (_dice(tail),)
    if head == "reroll":
        return (Reroll(), _dice(tail))
    if head == "joker":
        card, letter = tail.split(":")
        return (Joker(trick(card), nation(letter)),)
    if ">" in step:
        die, to = step.split(">")
        return (Nudge(int(die), int(to)),)
    if len(step) == 2:
        return (Roll(), _dice(step))
    return (Place(int(step)),)


def _dice(digits: str) -> Dice:
    low, high = sorted(int(digit) for digit in digits)
    return Dice(low, high)


def trick(name: str) -> Trick:
    """Return a word as the name of a dice trick."""
    assert name in get_args(Trick), name
    return name  # type: ignore[return-value]


def nation(letter: str) -> Nation:
    """Return a word as the letter of a nation."""
    assert letter in get_args(Nation), letter
    return letter  # type: ignore[return-value]


# --------------------------------------------------------------------------------------------------- positions


def go(state: State, script: str) -> State:
    """Return the state after a script, played step by step under the rules."""
    done: list[str] = []
    for action in actions(script):
        try:
            state = SHANGHAIEN.play(state, action)
        except IllegalMove as refusal:
            pytest.fail(f"after “{' '.join(done)}”: “{word(action)}” was refused: {refusal}\n{show(state)}")
        done.append(word(action))
    return state


def open_game(script: str = "", *, row: str = "A1 F2 G3 C3 D4 T1", options: Options = ANNA_STARTS) -> State:
    """Return a game with its first row laid, after a script."""
    return go(SHANGHAIEN.start(options), f"row:{row.replace(' ', ',')} {script}")


def position(
    *,
    anna: str = "",
    bernd: str = "",
    dice: tuple[str, str] = ("", ""),
    row: str = "",
    one_at: End | None = "left",
    turn: int = ANNA,
    starter: int = ANNA,
    spent: tuple[bool, bool] = (False, False),
    round_number: int = 0,
    tricks: TrickCounts | None = None,
) -> State:
    """Return a position at the beginning of a turn.

    Crews are sailors, unused tricks and laid jokers: ``"S3 S1 nudge joker:both:S"``. Dice are the numbers placed.
    Every card not given is at a legal place: in the row, gone, or to come. Without a round, it is the first one in
    which so many cards can have been won.
    """
    counts = tricks or TrickCounts()
    crews = (_crew(anna), _crew(bernd))
    laid = row.split()
    left = Counter(whole_deck(counts))
    won: Counter[str] = Counter()
    for crew in crews:
        won.update((*crew.sailors, *crew.tricks, *(joker.trick for joker in crew.jokers)))
    for card, count in (won + Counter(laid)).items():
        left[card] -= count
        assert left[card] >= 0, f"there are not so many {card} in the box"
    spare = sorted(left.elements())
    while len(laid) < 6:
        laid.append(spare.pop(0))
    number = round_number or -(-won.total() // 6) + 1
    to_come = 48 - 6 * number
    gone = len(spare) - to_come
    assert gone >= 0, f"so many cards cannot have been won before round {number}"
    return replace(
        SHANGHAIEN.start(Options(tricks=counts, starter=ANNA)),
        mover=turn,
        step="turn",
        turn=turn,
        placed=(_numbers(dice[0]), _numbers(dice[1])),
        spent=spent,
        one_at=one_at,
        row=tuple(laid),
        crews=crews,
        round=number,
        starter=starter,
        to_come=tuple(spare[gone:]),
        gone=tuple(spare[:gone]),
    )


def _crew(words: str) -> Crew:
    sailors, jokers, tricks = [], [], []
    for card in words.split():
        if card.startswith("joker:"):
            _, kind, letter = card.split(":")
            jokers.append(LaidJoker(trick(kind), nation(letter)))
        elif len(card) == 2:
            sailors.append(card)
        else:
            tricks.append(trick(card))
    return Crew(tuple(sailors), tuple(jokers), tuple(sorted(tricks)))


def _numbers(words: str) -> Numbers:
    dice = [int(die) for die in words.split()]
    one, two, three, four, five, six = (dice.count(number) for number in range(1, 7))
    return (one, two, three, four, five, six)


# ------------------------------------------------------------------------------------------- looking at a table


def legal(state: State) -> str:
    """Return the legal moves, as words."""
    return " ".join(word(move) for move in SHANGHAIEN.moves(state))


def refusing_rule(state: State, move: object, *, a_word: bool = True) -> str:
    """Return the rule by which a move (a word of the notation, or any object) is refused.

    Fails if it is not refused, or if the refusal has no sentence.
    """
    action = actions(move)[0] if a_word and isinstance(move, str) else move
    try:
        SHANGHAIEN.play(state, action)
    except IllegalMove as refusal:
        refused_move = refusal
    else:
        pytest.fail(f"{action!r} was not refused\n{show(state)}")
    assert refused_move.sentence.endswith("."), f"no sentence: {refused_move.sentence!r}"
    assert "{" not in refused_move.sentence, f"not filled in: {refused_move.sentence!r}"
    assert str(refused_move) == f"{refused_move.sentence} ({refused_move.rule})"
    return refused_move.rule


def below_from(*numbers: int) -> Below:
    """Return a ``below`` that gives these numbers, one after the other."""
    left = iter(numbers)

    def below(n: int) -> int:
        number = next(left)
        assert 0 <= number < n
        return number

    return below


def crew(state: State, seat: int) -> str:
    """Return a crew as words, sailors sorted: ``"F1 F4 joker:nudge:F both"``."""
    its = state.crews[seat]
    jokers = sorted(f"joker:{joker.trick}:{joker.nation}" for joker in its.jokers)
    return " ".join((*sorted(its.sailors), *jokers, *its.tricks))


def awards(state: State) -> str:
    """Return the last awards, a line for each number: the card, the dice, deciding pips, and the taker."""
    lines = []
    for number, award in enumerate(state.awards, 1):
        pips = f" ({award.pips[0]}:{award.pips[1]})" if award.pips else ""
        taker = "leaves" if award.taker is None else NAMES[award.taker]
        lines.append(f"{number} {award.card} {award.dice[0]}:{award.dice[1]}{pips} {taker}")
    return "\n".join(lines)


def all_cards(state: State) -> Counter[str]:
    """Return every card: to come, in the row, in a crew (unused, or laid as a joker), or gone."""
    cards = Counter((*state.to_come, *state.row, *state.gone))
    for its in state.crews:
        cards.update((*its.sailors, *its.tricks, *(joker.trick for joker in its.jokers)))
    return cards


def supply(state: State, seat: int) -> int:
    """Return the number of dice that a player has left, including those just rolled."""
    return 6 - sum(state.placed[seat])


def show(state: State) -> str:
    mover = {CHANCE: "chance", OVER: "nobody"}.get(state.mover) or NAMES[state.mover]
    end = f"the 1 is at the {state.one_at}" if state.one_at else "not numbered"
    numbers = range(1, 7) if state.one_at != "right" else range(6, 0, -1)

    def own_things(seat: int) -> str:
        return "".join(f"{str(number) * state.placed[seat][number - 1] or '.':>8}" for number in numbers)

    lines = [
        f"round {state.round}, to act: {mover} ({state.step}), rolled: {state.roll}, {end}, "
        f"captains at the row: {[name for name, at in zip(NAMES, state.spent, strict=True) if at]}",
        f"  Bernd {own_things(BERND)}",
        "  row   " + "".join(f"{card:>8}" for card in state.row),
        f"  Anna  {own_things(ANNA)}",
        *(f"  {name}'s crew: {crew(state, seat) or '-'}" for seat, name in enumerate(NAMES)),
        f"  to come: {len(state.to_come)}, gone: {len(state.gone)}, totals {totals(state.crews)}",
        f"  legal: {legal(state) or '-'}",
    ]
    return "\n".join(lines)
