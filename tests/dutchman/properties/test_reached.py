"""The random games reach every step, move, outcome and event."""

from collections import Counter
from collections.abc import Iterator
from typing import get_args

import pytest

from dutchman.bystander import Bystander
from dutchman.checks import check_state, check_step
from dutchman.voyages import Leg, some_tables, voyage
from kontor.game import OVER
from kontor.games.dutchman.rules import DUTCHMAN, Move
from kontor.games.dutchman.rules.state import (
    Agreed,
    Bankrupt,
    Happening,
    Kontor,
    Outcome,
    Paid,
    Pass,
    Revealed,
    RolledFor,
    Shared,
    Smith,
    Step,
    Undecided,
)


def landmarks(leg: Leg, drawn_before: int | None) -> Iterator[str]:
    """Yield the names of the rare events in a step that the voyages should reach."""
    before, action, after = leg
    seats = len(before.merchants)
    alive = sum(not merchant.bankrupt for merchant in after.merchants)
    for happened in after.happened:
        match happened:
            case Shared(smiths=smiths, left=left):
                yield f"{min(len(smiths), 3)} smiths"
                if left:
                    yield "horseshoes left by the smiths"
            case Revealed(lays=lays, nearest=nearest):
                if all(lain.reading == 0 for lain in lays):
                    yield "all readings 0"
                yield f"{len(nearest)} nearest"
                if before.step == "again":
                    yield "a deciding round" if len(nearest) == 1 else "equal in a deciding round"
                if len(after.revealed) > 3:
                    yield "three deciding rounds and more"
            case RolledFor(highest=highest):
                yield "rolled again" if len(highest) > 1 else "rolled"
                yield "rolled after a deciding round" if before.revealed else "rolled for the round"
            case Agreed(tied=tied, ducats=ducats):
                yield "agreed at once" if before.step == "name" else "agreed in a bargain"
                if any(ducats):
                    yield "ducats changed hands"
                if len(tied) > 2:
                    yield "three agreed"
            case Undecided():
                yield "undecided"
            case Paid(paid=paid):
                if sum(paid) > 30:
                    yield "a dear ship"
            case Bankrupt(seats=gone):
                yield "several bankrupt" if len(gone) > 1 else "one bankrupt"
                if before.merchants[gone[0]].known:
                    yield "known horseshoes of a bankrupt"
    if after.mover == OVER:
        yield f"{'all' if alive == seats else 'one' if alive == 1 else 'none' if alive == 0 else 'some'} lasted"
        yield "the counter reached the end" if after.counter == 11 else "all but one gone"
        yield f"{seats} players"
        result = DUTCHMAN.result(after)
        if result and len(result.winners) > 1:
            yield "shared victory"
    if isinstance(action, Kontor) and any(by not in (None, before.mover) for by in before.put_by[:2]):
        yield "a card was drawn that another put there"
    if isinstance(action, Kontor) and before.mover in before.put_by[:2]:
        yield "an own card was drawn again"
    if isinstance(action, Smith) and not before.middle:
        yield "a smith with nothing to take"
    if before.step == "action" and not before.merchants[before.mover].rack:
        yield "an empty rack"
    if before.step == "again" and isinstance(action, Pass):
        yield "passed in a deciding round"
    if before.bargain and before.bargain.circle == 5:
        yield "the fifth circle"
    if any(merchant.known for merchant in after.merchants):
        yield "known horseshoes"
    if any(merchant.known and merchant.lay for merchant in after.merchants):
        yield "known horseshoes, and a lay"
    if drawn_before is not None and before.step == "lucky" and (before.starter - drawn_before) % seats > 1:
        yield "a bankrupt starter passed over"


@pytest.mark.long
def test_the_voyages_reach_every_step_move_outcome_and_event() -> None:
    """Check that the properties above are tested on every case, and check them on this batch too."""
    steps: set[str] = set()
    kinds: set[type] = set()
    seen: Counter[str] = Counter()
    for table in some_tables(120):
        starter = None
        bystander = Bystander(table.options, table.cash)
        for leg in voyage(table):
            check_step(leg)
            check_state(leg.after)
            bystander.take_in(DUTCHMAN.event(*leg, None))
            bystander.agrees_with(DUTCHMAN.view(leg.after, None))
            steps |= {leg.before.step, leg.after.step}
            kinds |= {type(leg.action), *map(type, leg.after.happened)}
            seen.update(set(landmarks(leg, starter)))
            starter = leg.before.starter
    assert steps == set(get_args(Step))
    assert kinds == {*get_args(Move), *get_args(Outcome), *get_args(Happening)}
    expected = {
        *[f"{number} smiths" for number in (1, 2, 3)],
        *[f"{number} nearest" for number in (1, 2, 3, 4, 5, 6)],
        *[f"{number} players" for number in (3, 4, 5, 6)],
        *[f"{who} lasted" for who in ("all", "one", "none", "some")],
        "horseshoes left by the smiths",
        "a smith with nothing to take",
        "all readings 0",
        "a deciding round",
        "equal in a deciding round",
        "three deciding rounds and more",
        "passed in a deciding round",
        "rolled",
        "rolled again",
        "rolled after a deciding round",
        "rolled for the round",
        "agreed at once",
        "agreed in a bargain",
        "ducats changed hands",
        "three agreed",
        "undecided",
        "the fifth circle",
        "a dear ship",
        "one bankrupt",
        "several bankrupt",
        "known horseshoes of a bankrupt",
        "a bankrupt starter passed over",
        "the counter reached the end",
        "all but one gone",
        "shared victory",
        "a card was drawn that another put there",
        "an own card was drawn again",
        "an empty rack",
        "known horseshoes",
        "known horseshoes, and a lay",
    }
    assert expected - set(seen) == set()
    assert set(seen) - expected == set(), "give these their place in the list"
