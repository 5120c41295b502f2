"""Golden games: whole games of Der fliegende Holländer as a person would write them down, one line a step.

The files in ``golden/`` are data. A test reads the steps out of the text, plays them, writes the game down again, and
compares every line: the steps, their results (in lines with an arrow), the standings after each round, and the end
(H13). Steps are sentences as in ``table``.

``KONTOR_RENEW=1 pytest tests/dutchman/test_golden.py`` writes the files again from their own steps; a file that is
missing, or whose steps are refused, is played anew from its seed. Read the difference before you keep it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import pytest

from kontor.game import OVER
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.components import CHESTS
from kontor.games.dutchman.rules.horseshoes import reading
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Bankrupt,
    Decline,
    Happening,
    Keep,
    Kontor,
    Lay,
    Name,
    Pass,
    Propose,
    Put,
    Revealed,
    RolledFor,
    Sail,
    Shared,
    Show,
    Shuffle,
    Smith,
    Withhold,
)
from random_steps import game_steps
from reports import check_golden_game

from .table import NAMES, Action, hear, names, results, say, show, values

FOLDER: Final = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Plan:
    """The seed and options of a golden game, and how recklessly it is played (0 to 1)."""

    options: Options
    seed: int
    reckless: float = 0.1


GAMES: Final = {
    "three-players.txt": Plan(Options(players=3, starter=1), seed=31),
    "four-players-by-lot.txt": Plan(Options(players=4), seed=40, reckless=0.3),
    "six-players-one-circle.txt": Plan(Options(players=6, starter=0, circles=1), seed=18),
}

# ------------------------------------------------------------------------------------------------------- writing


def write_game(options: Options, steps: list[str]) -> str:
    """Return a game as text, from its sentences. Raises IllegalMove if a step is refused."""
    state = DUTCHMAN.start(options)
    lines = [_options(options), ""]
    for step in steps:
        action = hear(state, step)
        after = DUTCHMAN.play(state, action)
        lines += _step(state, say(state, action), after)
        state = after
    lines += _end(state)
    return "\n".join(lines) + "\n"


def _options(options: Options) -> str:
    starter = "by lot" if options.starter is None else NAMES[options.starter]
    return f"Players: {options.players}. Starter: {starter}. Circles: {options.circles}."


def _step(before: State, step: str, after: State) -> Iterator[str]:
    if before.step == "lucky":
        yield ""
        yield f"Round {before.round}, {NAMES[before.starter]} starts"
    yield step
    for happening in results(after):
        yield f"    → {happening}"
    if after.step == "lucky" or after.mover == OVER:
        yield from _describe_standing(after)


def _describe_standing(state: State) -> Iterator[str]:
    for name, merchant in zip(NAMES, state.merchants, strict=False):
        if merchant.bankrupt:
            yield f"    {name:<7}bankrupt"
            continue
        cards = f"{merchant.kontor} Kontor  {merchant.smith} Smith"
        rack = " ".join(map(str, merchant.rack))
        yield f"    {name:<7}{merchant.cash:>3} ducats  {cards}  {' '.join(merchant.shares):<21}{rack}".rstrip()
    yield "    stones " + ", ".join(f"{colour} {value}" for colour, value in values(state).items())
    yield f"    counter {CHESTS[state.counter]}, Dutchman at {state.dutchman} from {state.came_from or 'nowhere'}"
    yield f"    pile   {' '.join(state.pile)}"
    yield f"    middle {' '.join(map(str, state.middle))}".rstrip()


def _end(state: State) -> Iterator[str]:
    result = DUTCHMAN.result(state)
    assert result is not None, f"the game is not over\n{show(state)}"
    yield ""
    points = ", ".join(f"{name} {points}" for name, points in zip(NAMES, result.points, strict=False))
    won = f"{names(result.winners)} win{'s' if len(result.winners) == 1 else ''}"
    yield f"End: {points}: {won}"


# ------------------------------------------------------------------------------------------------------- reading


def read(text: str) -> tuple[Options, list[str]]:
    """Return the options and the sentences of a written game; the inverse of ``write_game``."""
    lines = text.splitlines()
    match = re.fullmatch(r"Players: (\d)\. Starter: (.+)\. Circles: (\d)\.", lines[0])
    assert match, f"line 1 should be the options: {lines[0]!r}"
    players, starter, circles = match.groups()
    options = Options(
        players=int(players), starter=None if starter == "by lot" else NAMES.index(starter), circles=int(circles)
    )
    steps: list[str] = []
    for line in lines[1:]:
        if re.fullmatch(r"|    .*|Round .*|End: .*", line):
            continue  # only the result of the steps
        if line.startswith("  "):
            steps[-1] += f"\n{line}"  # the deal goes on
        else:
            steps.append(line)
    return options, steps


# -------------------------------------------------------------------------------------------- playing a new one


def play_recklessly(plan: Plan) -> list[str]:
    """Return the steps of a game played as people might: not necessarily well, but with many kinds of events."""
    random = Random(plan.seed)
    played = game_steps(
        DUTCHMAN, DUTCHMAN.start(plan.options), random, lambda state: _choice(state, random, plan.reckless)
    )
    return [say(before, action) for before, action, _ in played]


def _choice(state: State, random: Random, reckless: float) -> Action:
    moves = DUTCHMAN.moves(state)
    merchant = state.merchants[state.mover]
    if random.random() < reckless:
        return random.choice(moves)
    if state.step in ("action", "again"):
        if Kontor() in moves and random.random() < 0.2:
            return Kontor()
        if Smith() in moves and len(merchant.rack) < 7 and random.random() < 0.5:
            return Smith()
        if Pass() in moves and random.random() < 0.3:
            return Pass()
        lays = [move for move in moves if isinstance(move, Lay)]
        if not lays:
            return random.choice(moves)
        best = max(lays, key=lambda move: (_distance(move, state), -len(move.horseshoes)))
        if _distance(best, state) > 10 or state.step == "again":
            return best
        return random.choice(moves)
    return max(moves[:400], key=lambda move: (_liking(state, move), random.random()))


def _distance(move: Lay, state: State) -> int:
    return reading(move.horseshoes, state.lucky or 0)


def _liking(state: State, move: Action) -> float:
    """Return roughly how much the mover gains by a move."""
    match move:
        case Put(shares=shares):
            return -sum(values(state)[share] for share in shares)
        case Sail(to=to) | Name(to=to):
            return _gain(state, state.mover, to)
        case Propose(to=to, ducats=ducats):
            assert state.bargain is not None
            tied = list(zip(state.bargain.tied, ducats, strict=True))
            fair = all(_gain(state, seat, to) + change >= -3 for seat, change in tied)
            own = dict(tied)[state.mover]
            return _gain(state, state.mover, to) + own if fair and -6 <= own < 0 else -50
        case Accept() | Decline():
            bargain = state.bargain
            assert bargain is not None
            assert bargain.proposal is not None
            change = dict(zip(bargain.tied, bargain.proposal.ducats, strict=True))[state.mover]
            gain = _gain(state, state.mover, bargain.proposal.to) + change
            return gain if move == Accept() else 2.0 if bargain.circle == 1 else -1.0
        case Show(colour=colour):
            return values(state)[colour]
    return 0


def _gain(state: State, seat: int, to: str) -> float:
    shares = state.merchants[seat].shares
    colour = state.sea.ship[to]
    if colour is None:
        return max(values(state)[share] for share in shares)
    return -2 * values(state)[colour] * shares.count(colour)


# --------------------------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_played_as_it_was_written_down(name: str) -> None:
    plan = GAMES[name]
    check_golden_game(__file__, name, read, write_game, lambda: (plan.options, play_recklessly(plan)))


def test_the_golden_games_are_these() -> None:
    assert sorted(file.name for file in FOLDER.iterdir()) == sorted(GAMES)


def test_the_golden_games_show_what_the_rules_are_about() -> None:
    seen: Counter[str] = Counter()
    for name in GAMES:
        options, steps = read((FOLDER / name).read_text(encoding="utf-8"))
        state = DUTCHMAN.start(options)
        for step in steps:
            action = hear(state, step)
            after = DUTCHMAN.play(state, action)
            if isinstance(action, Kontor | Keep | Show | Decline | Withhold | Shuffle):
                seen[type(action).__name__.lower()] += 1
            for happening in after.happened:
                seen.update(_describe_happening(state, happening))
            state = after
        assert state.mover == OVER
        seen[f"{options.players} players"] += 1
    wanted = {
        *("3 players", "4 players", "6 players", "kontor", "keep", "show", "decline", "withhold", "shuffle"),
        *("one smith", "several smiths", "horseshoes left by smiths", "all readings 0", "one nearest", "two nearest"),
        *("three nearest", "all the same", "a bargain", "a bargain with ducats", "a deciding round", "equal again"),
        *("rolling for it", "equal rolls", "bankrupt"),
    }
    assert wanted - set(seen) == set(), seen


def _describe_happening(before: State, happening: Happening) -> Iterator[str]:
    match happening:
        case Shared(smiths=smiths, left=left):
            yield "one smith" if len(smiths) == 1 else "several smiths"
            if left:
                yield "horseshoes left by smiths"
        case Revealed(lays=lays, nearest=nearest):
            yield ("", "one", "two", "three", "four", "five", "six")[len(nearest)] + " nearest"
            if not any(lay.reading for lay in lays):
                yield "all readings 0"
            if before.step == "again":
                yield "a deciding round" if len(nearest) == 1 else "equal again"
        case Agreed(ducats=ducats):
            yield "all the same" if before.step == "name" else "a bargain"
            if any(ducats):
                yield "a bargain with ducats"
        case RolledFor(highest=highest):
            yield "rolling for it" if len(highest) == 1 else "equal rolls"
        case Bankrupt():
            yield "bankrupt"
