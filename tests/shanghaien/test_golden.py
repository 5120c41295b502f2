"""Golden games: whole games of Shanghaien as a person would write them down, one line a step.

The files in ``golden/`` are data. A test reads the steps out of the text, plays them, writes the game down again, and
compares every line: rows, rolls, tricks, who got which card by which numbers (S9), totals (S11) and the end (S12).

``KONTOR_RENEW=1 pytest -n0 tests/shanghaien/test_golden.py`` writes the files again from their own steps; a file that
is missing, or whose steps are refused, is played anew from its seed. Read the difference before you keep it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from kontor.game import OVER
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.components import End, TrickCounts
from kontor.games.shanghaien.rules.scoring import comparisons, totals
from kontor.games.shanghaien.rules.state import (
    Both,
    Dice,
    Joker,
    Nudge,
    Number,
    Place,
    Reroll,
    Roll,
    Row,
    Shanghai,
    Starter,
)
from reports import check_golden_game

from .random_games import Plan
from .table import NAMES, Action, nation, show, trick

FOLDER: Final = Path(__file__).parent / "golden"

GAMES: Final = {
    "starter-by-lot.txt": Plan(Options(), seed=368, shanghai=0.25, trick=0.6),
    "first-trick-both.txt": Plan(Options(starter=1, first_trick="both"), seed=142, shanghai=0.1, trick=0.4),
    "a-draw.txt": Plan(Options(tricks=TrickCounts(5, 0, 3), starter=0), seed=453, shanghai=0.4, trick=0.8),
}


def write_game(options: Options, actions: list[Action]) -> str:
    """Return a game as text. Raises IllegalMove if a step is refused."""
    state = SHANGHAIEN.start(options)
    lines = [_options(options)]
    for action in actions:
        after = SHANGHAIEN.play(state, action)
        lines += _step(state, action, after)
        state = after
    lines += _end(state)
    return "\n".join(lines) + "\n"


def _options(options: Options) -> str:
    counts = options.tricks
    starter = "by lot" if options.starter is None else NAMES[options.starter]
    return (
        f"Tricks: nudge {counts.nudge}, both {counts.both}, reroll {counts.reroll}. Starter: {starter}. "
        f"First trick: {options.first_trick or 'none'}."
    )


def _step(before: State, action: Action, after: State) -> Iterator[str]:
    name = f"  {NAMES[before.turn]:<6}"
    match action:
        case Starter(seat=seat):
            yield f"{NAMES[seat]} is drawn as the starter."
        case Row(cards=cards):
            yield ""
            yield f"Round {after.round}, {NAMES[after.turn]} starts, {len(after.to_come)} cards to come"
            yield "  row   " + " ".join(cards)
        case Dice(low=low, high=high):
            again = " again" if before.step == "reroll" else ""
            yield f"{name}rolls{again} {low} {high}"
        case Number(one_at=end):
            yield f"{name}puts the 1 at the {end} end"
        case Place(die=die):
            yield f"{name}places {die}"
        case Nudge(die=die, to=to):
            yield f"{name}nudges {die} to {to}"
        case Both():
            yield f"{name}places both"
        case Joker(trick=card, nation=letter):
            yield f"{name}lays a {card} card as joker with {letter}"
        case Shanghai():
            yield f"{name}shanghais"
            yield from _shares(after)


def _shares(after: State) -> Iterator[str]:
    for number, award in enumerate(after.awards, 1):
        dice = f"{award.dice[0]}:{award.dice[1]}"
        pips = f"({award.pips[0]}:{award.pips[1]})" if award.pips else ""
        taker = "leaves the game" if award.taker is None else f"to {NAMES[award.taker]}"
        yield f"    {number}  {award.card:<7}{dice}  {pips:<8}{taker}"
    anna, bernd = totals(after.crews)
    yield f"  totals Anna {anna}, Bernd {bernd}"


def _end(state: State) -> Iterator[str]:
    result = SHANGHAIEN.result(state)
    assert result is not None, show(state)
    yield ""
    yield "End"
    for row in comparisons(state.crews):
        strengths, points = row.strengths, row.points
        yield f"  {row.nation}  {strengths[0]:>2}:{strengths[1]:<4}{points[0]:>2}:{points[1]:<4}{row.because}"
    yield f"  unused tricks: {' and '.join(str(len(crew.tricks)) for crew in state.crews)}"
    won = f"{NAMES[result.winners[0]]} wins" if len(result.winners) == 1 else "a draw"
    yield f"  Anna {result.points[0]}, Bernd {result.points[1]}: {won}"


def _end_named(name: str) -> End:
    assert name in ("left", "right")
    return "left" if name == "left" else "right"


READERS: Final[tuple[tuple[str, Callable[..., list[Action]]], ...]] = (
    (r"(\w+) is drawn as the starter\.", lambda name: [Starter(NAMES.index(name))]),
    (r"  row   (.*)", lambda cards: [Row(tuple(cards.split()))]),
    (r"  \w+ +rolls again (\d) (\d)", lambda low, high: [Reroll(), Dice(int(low), int(high))]),
    (r"  \w+ +rolls (\d) (\d)", lambda low, high: [Roll(), Dice(int(low), int(high))]),
    (r"  \w+ +puts the 1 at the (\w+) end", lambda end: [Number(_end_named(end))]),
    (r"  \w+ +places (\d)", lambda die: [Place(int(die))]),
    (r"  \w+ +nudges (\d) to (\d)", lambda die, to: [Nudge(int(die), int(to))]),
    (r"  \w+ +places both", lambda: [Both()]),
    (r"  \w+ +lays a (\w+) card as joker with (\w)", lambda card, letter: [Joker(trick(card), nation(letter))]),
    (r"  \w+ +shanghais", lambda: [Shanghai()]),
    (r"|Round .*|End|  totals .*|    [1-6] .*|  [A-Z]  .*|  unused tricks: .*|  Anna \d+, Bernd \d+: .*", list),
)
"""Lines that are steps, and last those that only give the results of steps."""


def read(text: str) -> tuple[Options, list[Action]]:
    """Return the options and the steps of a written game; the inverse of ``write_game``."""
    lines = text.splitlines()
    match = re.fullmatch(
        r"Tricks: nudge (\d), both (\d), reroll (\d)\. Starter: (.+)\. First trick: (\w+)\.", lines[0]
    )
    assert match, f"line 1 should be the options: {lines[0]!r}"
    nudge, both, reroll, starter, first = match.groups()
    options = Options(
        tricks=TrickCounts(int(nudge), int(both), int(reroll)),
        starter=None if starter == "by lot" else NAMES.index(starter),
        first_trick=None if first == "none" else trick(first),
    )
    steps: list[Action] = []
    for number, line in enumerate(lines[1:], 2):
        for pattern, reader in READERS:
            step = re.fullmatch(pattern, line)
            if step:
                steps += reader(*step.groups())
                break
        else:
            pytest.fail(f"line {number} cannot be read: {line!r}")
    return options, steps


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_played_as_it_was_written_down(name: str) -> None:
    plan = GAMES[name]
    check_golden_game(
        __file__, name, read, write_game, lambda: (plan.options, [step.action for step in plan.steps()])
    )


def test_the_golden_games_are_these() -> None:
    assert sorted(file.name for file in FOLDER.iterdir()) == sorted(GAMES)


def test_the_golden_games_show_every_trick_and_both_ends() -> None:
    seen: Counter[str] = Counter()
    for name in GAMES:
        options, actions = read((FOLDER / name).read_text(encoding="utf-8"))
        state = SHANGHAIEN.start(options)
        for action in actions:
            match action:
                case Number(one_at=end):
                    seen[f"{end} end"] += 1
                case Joker() | Nudge() | Both() | Reroll():
                    seen[type(action).__name__.lower() + (" before numbering" if not state.one_at else "")] += 1
                case Starter():
                    seen["lot"] += 1
            state = SHANGHAIEN.play(state, action)
            if action == Shanghai():
                for award in state.awards:
                    if award.pips:
                        seen["tie that stands" if award.taker is None else "tie decided"] += 1
        assert state.mover == OVER
        result = SHANGHAIEN.result(state)
        assert result is not None
        seen[" and ".join(NAMES[seat] for seat in result.winners)] += 1
    wanted = [
        *("left end", "right end", "lot", "tie that stands", "tie decided", "Anna", "Bernd", "Anna and Bernd"),
        *("joker", "nudge", "both", "reroll"),
        *("joker before numbering", "nudge before numbering", "both before numbering", "reroll before numbering"),
    ]
    assert [event for event in wanted if not seen[event]] == [], seen
