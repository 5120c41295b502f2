"""Properties of every game of Shanghaien: random games with every option, checked after each step.

A random game follows from its ``Plan``. A failing test prints the game as a script of ``table``.
"""
# ruff: noqa: N802  (tests bear the numbers of the rules)

import random
import re
from collections import Counter
from itertools import combinations_with_replacement
from typing import Any, get_args

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor.game import CHANCE, OVER, Event, IllegalMove
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State, View
from kontor.games.shanghaien.rules.components import NATIONS, TRICKS, TrickCounts, whole_deck
from kontor.games.shanghaien.rules.scoring import totals
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
from profiles import sample_cases, scale_examples

from .random_games import Plan, Step
from .referee import Referee
from .table import NAMES, all_cards, show, supply, word

READERS = (0, 1, None)
ENCODE = msgspec.json.encode

# ------------------------------------------------------------------------------------------------- random games


def _counts(draw: Any) -> TrickCounts:
    nudge = draw(st.integers(0, 8))
    both = draw(st.integers(0, 8 - nudge))
    return TrickCounts(nudge, both, 8 - nudge - both)


@st.composite
def options(draw: Any) -> Options:
    """Draw any playable options (S2, S3, S3a)."""
    return Options(
        tricks=_counts(draw),
        starter=draw(st.sampled_from([None, 0, 1])),
        first_trick=draw(st.sampled_from([None, *TRICKS])),
    )


plans = st.builds(
    Plan,
    options(),
    seed=st.integers(0, 2**32),
    shanghai=st.sampled_from([0.0, 0.1, 0.3, 0.9]),
    trick=st.sampled_from([0.1, 0.5, 1.0]),
)

ALL_OPTIONS = [
    Options(tricks=TrickCounts(nudge, both, 8 - nudge - both), starter=starter, first_trick=first)
    for nudge in range(9)
    for both in range(9 - nudge)
    for starter in (None, 0, 1)
    for first in (None, *TRICKS)
]


def quick(examples: int) -> settings:
    """Return settings for ``examples`` random games without a time limit."""
    return settings(max_examples=scale_examples(examples), deadline=None)


def states(game: list[Step]) -> list[State]:
    """Return every state of a game, including the last one."""
    return [step.before for step in game] + [game[-1].after]


# ---------------------------------------------------------------------------------------------------- conserved


def check_accounts(state: State) -> None:
    """Check S1, S3a: 48 cards (and two more) and 12 dice, none twice and none lost."""
    extra = [] if state.options.first_trick is None else [state.options.first_trick] * 2
    missing = Counter((*whole_deck(state.options.tricks), *extra))
    cards = all_cards(state)
    assert cards == missing, f"too many: {cards - missing}, missing: {missing - cards}\n{show(state)}"
    assert cards.total() == 48 + len(extra)
    for seat in (0, 1):
        placed = sum(state.placed[seat])
        rolled = 2 if state.roll and state.turn == seat else 0
        assert min(state.placed[seat]) >= 0
        assert placed + rolled <= 6, f"{NAMES[seat]} has {placed} dice placed and {rolled} rolled\n{show(state)}"
        assert supply(state, seat) + placed == 6
    assert len(state.row) in (0, 6)
    laid = state.round if state.row or state.mover == OVER else state.round - 1
    assert len(state.to_come) == 48 - 6 * laid, show(state)


def test_S1_all_cards_and_dice_are_accounted_for_with_every_combination_of_options() -> None:
    assert len(ALL_OPTIONS) == 540
    for number, chosen in sample_cases([*enumerate(ALL_OPTIONS)]):
        plan = Plan(chosen, seed=number, shanghai=(0.1, 0.5, 0.9)[number % 3])
        for step in plan.steps():
            check_accounts(step.before)
        check_accounts(step.after)


# --------------------------------------------------------------------------------------------- moves and refusals

ROLLS = tuple(Dice(low, high) for low, high in combinations_with_replacement(range(1, 7), 2))

UNIVERSE: tuple[Any, ...] = (
    Roll(),
    Shanghai(),
    Both(),
    Reroll(),
    *(Number(end) for end in ("left", "right", "middle", "", None)),  # type: ignore[arg-type]
    *(Place(die) for die in range(-1, 9)),
    *(Nudge(die, to) for die in range(-1, 9) for to in range(-1, 9)),
    *(Joker(trick, nation) for trick in (*TRICKS, "joker", "") for nation in (*NATIONS, "X", "")),  # type: ignore[arg-type]
)
"""Every conceivable move, and some absurd ones."""

ALIENS: tuple[Any, ...] = (
    None, True, 0, 1.5, "roll", b"roll", (), (3,), Roll, object(), Options(), TrickCounts(), {"move": "roll"}.items,
)  # fmt: skip
"""Things that are neither move nor outcome."""

OUTCOMES: tuple[Any, ...] = (
    *(Starter(seat) for seat in (-1, 0, 1, 2)),
    *(Dice(low, high) for low in range(8) for high in range(8)),
    Row(()),
    Row(("A1",) * 6),
    Row(("A1", "A2", "A3", "A3", "A4")),
)
RULE = re.compile(r"S([1-9]|1[0-2])[a-d]?")


def refused_by(state: State, action: object) -> str | None:
    """Return the rule that refuses an action, or None."""
    try:
        SHANGHAIEN.play(state, action)
    except IllegalMove as refusal:
        refused_move = refusal
    else:
        return None
    assert RULE.fullmatch(refused_move.rule), refused_move.rule
    assert refused_move.sentence.endswith(".")
    assert "{" not in refused_move.sentence
    return refused_move.rule


def check_moves(state: State) -> None:
    """Check that ``moves``, ``chance`` and ``play`` agree."""
    moves = SHANGHAIEN.moves(state)
    legal = set(moves)
    assert bool(legal) == (state.mover in (0, 1)), show(state)
    assert len(legal) == len(moves), f"a move twice: {moves}"
    assert legal <= set(UNIVERSE)
    results = set()
    for move in UNIVERSE:
        if move in legal:
            assert move in moves
            after = SHANGHAIEN.play(state, move)
            assert after != state, f"{word(move)} changes nothing\n{show(state)}"
            results.add(after)
        else:
            assert move not in moves
            assert refused_by(state, move), f"{move!r} was accepted\n{show(state)}"
    assert len(results) == len(legal), f"two moves do the same\n{show(state)}"
    for alien in ALIENS:
        assert refused_by(state, alien), f"{alien!r} was accepted\n{show(state)}"
    for outcome in OUTCOMES:
        possible = state.mover == CHANCE and SHANGHAIEN.chance(state).probability(outcome) > 0
        if state.mover == CHANCE:
            assert (outcome in SHANGHAIEN.chance(state)) == possible
        assert (refused_by(state, outcome) is None) == possible, f"{outcome!r}\n{show(state)}"


@quick(12)
@given(plans)
def test_a_move_is_legal_or_refused_with_its_rule_and_never_neither(plan: Plan) -> None:
    for state in states(plan.game()):
        check_moves(state)


@quick(40)
@given(plans)
def test_moves_are_empty_only_when_chance_acts_or_at_the_end(plan: Plan) -> None:
    game = plan.game()
    for state in states(game):
        assert (not SHANGHAIEN.moves(state)) == (state.mover in (CHANCE, OVER)), show(state)
        assert (state.mover == OVER) == (state is game[-1].after)
    assert len({step.before.round for step in game}) == 8  # S10


@quick(40)
@given(plans)
def test_S6_every_outcome_listed_can_happen_and_they_sum_to_one(plan: Plan) -> None:
    for step in plan.game():
        if step.before.mover != CHANCE:
            continue
        chance = SHANGHAIEN.chance(step.before)
        listed = chance.outcomes()
        assert (listed is None) == (step.before.step == "row")
        if listed is None:
            assert 0 < chance.probability(step.action) <= 1
            continue
        assert sum(probability for _, probability in listed) == 1
        after = {SHANGHAIEN.play(step.before, outcome) for outcome, _ in listed}
        assert len(after) == len(listed)


# ----------------------------------------------------------------------------------------------------- pure values


@quick(40)
@given(plans)
def test_past_states_never_change(plan: Plan) -> None:
    played, encoded = [], []
    for step in plan.steps():
        played.append(step.before)
        encoded.append(ENCODE(step.before))
        SHANGHAIEN.moves(step.before)
        for reader in READERS:
            SHANGHAIEN.view(step.before, reader)
    assert [ENCODE(state) for state in played] == encoded


@quick(40)
@given(plans)
def test_the_same_steps_give_an_equal_state(plan: Plan) -> None:
    game = plan.game()
    state = SHANGHAIEN.start(msgspec.json.decode(ENCODE(plan.options), type=Options))
    for step in game:
        assert state == step.before
        assert ENCODE(state) == ENCODE(step.before)
        state = SHANGHAIEN.play(state, msgspec.json.decode(ENCODE(step.action), type=type(step.action)))
    assert state == game[-1].after


@quick(40)
@given(plans)
def test_moves_and_outcomes_read_back_from_what_is_written(plan: Plan) -> None:
    for step in plan.game():
        kind = SHANGHAIEN.outcome if step.before.mover == CHANCE else SHANGHAIEN.move
        assert isinstance(step.action, get_args(kind))
        assert msgspec.json.decode(ENCODE(step.action), type=kind) == step.action


# ---------------------------------------------------------------------------------------------------------- views


@quick(40)
@given(plans)
def test_everything_is_open_so_all_see_the_same(plan: Plan) -> None:
    for state in states(plan.game()):
        written = []
        for reader in READERS:
            view = SHANGHAIEN.view(state, reader)
            assert view.seat == reader
            assert msgspec.json.decode(ENCODE(view), type=View) == view
            fields = msgspec.json.decode(ENCODE(view))
            assert list(fields) == list(View.__struct_fields__)
            del fields["seat"]
            written.append(ENCODE(fields))
        assert written[0] == written[1] == written[2], show(state)


@quick(40)
@given(plans)
def test_one_state_lies_behind_a_view(plan: Plan) -> None:
    draw = random.Random(plan.seed)
    for state in states(plan.game()):
        for reader in READERS:
            imagined = SHANGHAIEN.imagine(SHANGHAIEN.view(state, reader), draw.randrange)
            assert imagined == state
            assert ENCODE(imagined) == ENCODE(state)


@quick(40)
@given(plans, st.integers(0, 2**32))
def test_no_view_depends_on_what_chance_will_do(plan: Plan, seed: int) -> None:
    """Check that a view does not reveal the order of the pile, which does not exist before it is turned over.

    Cards to come are sorted, the state before a row admits every other row, and of a row laid only the row itself
    remembers the order.
    """
    draw = random.Random(seed)
    for step in plan.game():
        view = SHANGHAIEN.view(step.before, None)
        assert list(view.to_come) == sorted(view.to_come)
        if not isinstance(step.action, Row):
            continue
        other = SHANGHAIEN.chance(step.before).draw(draw.randrange)
        SHANGHAIEN.play(step.before, other)
        assert SHANGHAIEN.view(step.before, None) == view
        mixed = tuple(draw.sample(step.action.cards, 6))
        after = SHANGHAIEN.play(step.before, Row(mixed))
        assert msgspec.structs.replace(after, row=step.action.cards) == step.after


def test_a_view_holds_the_table_and_nothing_more() -> None:
    assert set(View.__struct_fields__) == set(State.__struct_fields__) | {"seat", "result"}


@quick(40)
@given(plans)
def test_an_event_tells_all_the_same_and_S9_after_shanghai(plan: Plan) -> None:
    for step in plan.game():
        shares = step.after.awards if step.action == Shanghai() else ()
        for reader in READERS:
            event = SHANGHAIEN.event(step.before, step.action, step.after, reader)
            assert event == Event(step.before.mover, step.action, shares), show(step.before)
            ENCODE(event)


# ---------------------------------------------------------------------------- a second implementation, in lock-step


def plain_state(state: State) -> dict[str, Any]:
    """Return a state as plain values, with dice at places of the row, as the referee sees a table."""

    def pips(place: int, seat: int) -> list[int]:
        number = place + 1 if state.one_at == "left" else 6 - place
        return [number] * state.placed[seat][number - 1]

    if not state.one_at:  # no die is placed before the row is numbered
        assert state.placed == ((0,) * 6, (0,) * 6)
    return {
        "mover": state.mover,
        "legal": sorted(word(move) for move in SHANGHAIEN.moves(state)),
        "round": state.round,
        "starter": state.starter if state.mover != OVER else None,
        "turn": state.turn if state.mover != OVER and state.starter is not None else None,
        "row": list(state.row),
        "dice": [tuple(pips(place, seat) for seat in (0, 1)) for place in range(len(state.row))],
        "rolled": sorted(state.roll or ()),
        "captains": list(state.spent),
        "one at": state.one_at,
        "sailors": [Counter(crew.sailors) for crew in state.crews],
        "tricks": [Counter(crew.tricks) for crew in state.crews],
        "jokers": [Counter((joker.trick, joker.nation) for joker in crew.jokers) for crew in state.crews],
        "to come": Counter(state.to_come),
        "gone": Counter(state.gone),
        "totals": totals(state.crews),
    }


def seen_by(referee: Referee) -> dict[str, Any]:
    """Return the same values of the referee."""
    return {
        "mover": referee.mover,
        "legal": sorted(referee.legal()),
        "round": referee.round,
        "starter": referee.starter if referee.mover != OVER else None,
        "turn": referee.player if referee.mover != OVER else None,
        "row": referee.row,
        "dice": referee.dice,
        "rolled": sorted(referee.rolled),
        "captains": referee.captains,
        "one at": referee.one_at,
        "sailors": [Counter(hand.sailors) for hand in referee.hands],
        "tricks": [Counter(hand.tricks) for hand in referee.hands],
        "jokers": [Counter(hand.jokers) for hand in referee.hands],
        "to come": +referee.pile,
        "gone": +referee.gone,
        "totals": referee.totals(),
    }


@quick(100)
@given(plans)
def test_S3_to_S12_as_a_slow_referee_sees_it(plan: Plan) -> None:
    """Compare legal moves, effects, awards (S9) and the score (S11) with a second implementation of the rules."""
    counts = plan.options.tricks
    referee = Referee((counts.nudge, counts.both, counts.reroll), plan.options.starter, plan.options.first_trick)
    for step in plan.game():
        assert plain_state(step.before) == seen_by(referee), show(step.before)
        assert SHANGHAIEN.result(step.before) is None
        referee.do(word(step.action))
        if step.action == Shanghai():
            check_shares(step, referee)
    assert plain_state(step.after) == seen_by(referee), show(step.after)
    result = SHANGHAIEN.result(step.after)
    assert result is not None
    points = referee.totals()
    assert result.points == points
    best = [seat for seat in (0, 1) if points[seat] >= points[1 - seat]]
    assert list(result.winners) == best  # S12
    assert SHANGHAIEN.view(step.after, None).result == result


def check_shares(step: Step, referee: Referee) -> None:
    """Compare the awards (S9): the engine lists them by number, the referee by place."""
    shares = referee.shares if step.before.one_at == "left" else referee.shares[::-1]
    assert [(award.card, award.dice, award.pips, award.taker) for award in step.after.awards] == shares, show(
        step.before
    )
    for seat in (0, 1):
        got = Counter(card for card, _, _, taker in shares if taker == seat)
        own, then = step.after.crews[seat], step.before.crews[seat]
        assert Counter((*own.sailors, *own.tricks)) - Counter((*then.sailors, *then.tricks)) == got


def test_the_random_games_reach_what_they_are_meant_to_reach() -> None:
    """Check that the games above cover all cases; this is not a rule.

    They use every trick, both before and after numbering, both ends, empty supplies, ties decided by neighbours and
    ties that were not, and every way a game can end.
    """
    reached: Counter[str] = Counter()
    for seed in range(60):
        chosen = Options(tricks=(TrickCounts(), TrickCounts(0, 8, 0))[seed % 2], first_trick=(None, "both")[seed % 2])
        for step in Plan(chosen, seed, shanghai=(0.2, 0.0)[seed % 2], trick=(0.7, 0.2)[seed % 2]).steps():
            before, action = step.before, step.action
            reached[type(action).__name__.lower() + (" unnumbered" if before.row and not before.one_at else "")] += 1
            if isinstance(action, Number):
                reached[action.one_at] += 1
            if before.mover >= 0 and not supply(before, before.mover):
                reached["no dice left"] += 1
            if isinstance(action, Shanghai):
                for award in step.after.awards:
                    if award.pips:
                        reached["tie that stands" if award.taker is None else "tie decided"] += 1
        result = SHANGHAIEN.result(step.after)
        assert result is not None
        reached[" and ".join(NAMES[seat] for seat in result.winners)] += 1
    wanted = (
        *("left", "right", "no dice left", "tie that stands", "tie decided", "Anna", "Bernd", "Anna and Bernd"),
        *(half + when for half in ("joker", "nudge", "both", "reroll") for when in ("", " unnumbered")),
    )
    assert not [event for event in wanted if not reached[event]], dict(reached)
