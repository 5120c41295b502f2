"""Records replayed by the rules, and verified: whether their outcomes follow from the seed."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import msgspec

from kontor.endings import EarlyEnd, is_possible
from kontor.fair import Dice, DuplicateDice, FairDice, SteppedDice, commitment, salt_commitment, sources
from kontor.game import CHANCE, OVER, BadOptions, Event, Refusal, Result, Value
from kontor.plugins import game_named
from kontor.records import sections
from kontor.records.checks import check_header, check_written_by
from kontor.records.format import (
    DUPLICATE_VERSION,
    STEPPED_VERSION,
    BadRecord,
    EarlyEnding,
    GameEnding,
    Header,
    Record,
)
from kontor.records.reading import at_line
from kontor.records.writing import digest
from kontor.visible_text import quoted
from kontor.words import Words, mark


def dice_of(header: Header, seed: bytes) -> Dice:
    """Return the dice that draw a game's outcomes."""
    if header.record == STEPPED_VERSION:
        return SteppedDice(seed)
    return DuplicateDice(seed) if header.record == DUPLICATE_VERSION else FairDice(seed, header.salts, header.streams)


class Verified(Value, frozen=True):
    """The findings of :func:`verify` about a record that is in order.

    It has a number of ``steps``; ``outcomes`` of these are by chance. ``dice`` says whether those were recomputed.
    ``result`` is set if the game was played to its end, ``early`` if it was ended early.
    """

    steps: int
    outcomes: int
    dice: bool
    result: Result | None
    early: EarlyEnd | None = None
    strict: bool = False
    """True if seats had committed to salts before any of those was revealed."""
    left_out: tuple[str, ...] = ()
    """The names of the seats that committed to a salt, but without whose salt the game began."""
    other_streams: int = 0
    """The number of outcomes that come from the stream of another line, because moves were taken back."""

    @property
    def finding(self) -> str:
        """Return an English sentence with ``{steps}`` and ``{outcomes}`` to be filled in."""
        if not self.dice:
            return (
                "All {steps} steps follow the rules. The game was abandoned: its {outcomes} outcomes of "
                "chance cannot be verified until the dealer reveals the seed."
            )
        if self.early is not None:
            return (
                "All {steps} steps follow the rules, and all {outcomes} outcomes of chance follow from the seed. "
                "The game was ended early."
            )
        if self.result is None:
            return (
                "All {steps} steps follow the rules, and all {outcomes} outcomes of chance follow from the seed. "
                "The game was abandoned."
            )
        return "All {steps} steps follow the rules, and all {outcomes} outcomes of chance follow from the seed."

    @property
    def sentence(self) -> str:
        """Return the finding in English, filled in, with the sentences about unusual dice."""
        finding = self.finding.format(steps=self.steps, outcomes=self.outcomes)
        return " ".join([finding, *describe_dice(Words("en"), self)])


def describe_dice(words: Words, checked: Verified) -> list[str]:
    """Return sentences about unusual dice: after moves were taken back, and with shares that were committed to."""
    sentences = []
    if checked.other_streams:
        sentences.append(
            words.count(
                "Moves were taken back: one outcome comes from the dice of another line.",
                "Moves were taken back: {n} outcomes come from the dice of other lines.",
                checked.other_streams,
            )
        )
    if checked.strict:
        sentences.append(words.say("Every contribution is the one that was promised."))
    if checked.left_out:
        sentences.append(
            words.count(
                "The game began without the contribution of {names}.",
                "The game began without the contributions of {names}.",
                len(checked.left_out),
                names=words.all_of(checked.left_out),
            )
        )
    return sentences


def replay(record: Record) -> Iterator[Any]:
    """Yield the states of the game: the first, and the one after each step.

    Raises BadRecord when it comes to the first line that breaks a rule. Needs no random numbers, and does not check
    the seed.
    """
    last = yield from _states(record)
    _check_ending(record, last)


def _states(record: Record) -> Generator[Any, None, Any]:
    """Yield the states like ``replay``, without a check of the ending; return the last one."""
    header = record.header
    try:
        game = check_header(header)
    except BadOptions as bad:
        raise at_line(1, bad) from bad

    def name(seat: int) -> str:
        return header.seats[seat] if 0 <= seat < len(header.seats) else str(seat)

    state = game.start(header.options)
    yield state
    for line, step in enumerate(record.steps, start=2):
        if step.seat != state.mover:
            raise BadRecord(
                line,
                sections.STEPS,
                _out_of_turn(state.mover, step.seat),
                due=name(state.mover),
                acts=name(step.seat),
            )
        try:
            state = game.play(state, step.action)
        except Refusal as refused:
            raise at_line(line, refused) from refused
        yield state
    return state


def _out_of_turn(due: int, acts: int) -> str:
    if due == OVER:
        return mark("The game is over: only its result can follow.")
    if due == CHANCE:
        return mark("It is chance that acts here, not {acts}.")
    if acts == CHANCE:
        return mark("It is {due} who acts here, not chance.")
    return mark("It is {due} who acts here, not {acts}.")


def _check_ending(record: Record, state: Any) -> None:
    check_written_by(record)
    line = len(record.steps) + 2
    result = game_named(record.header.game).result(state)
    ending = record.ending
    if ending is None:
        if result is not None:
            raise BadRecord(
                line, sections.ENDING, "The game is over, but the line with its seed and result is missing."
            )
    elif isinstance(ending, EarlyEnding):
        _check_early(line, ending.early, record.header, state)
    elif result is None:
        raise BadRecord(line, sections.ENDING, "The game is not over yet, so it cannot have a result.")
    elif ending.result != result:
        reason = "The result is {result}, not {told}."
        raise BadRecord(line, sections.ENDING, reason, result=_json(result), told=_json(ending.result))


def _check_early(line: int, early: EarlyEnd, header: Header, state: Any) -> None:
    """Raise BadRecord unless a game can end early in this state.

    Only a game in step can end while chance is to act, because it may wait there for others.
    """
    seats = len(header.seats)
    if state.mover == OVER or (state.mover == CHANCE and header.record != STEPPED_VERSION):
        raise BadRecord(line, sections.ENDING, "A game can end early only while it is someone’s turn.")
    if not is_possible(early, seats):
        reason = "A game with {seats} seats cannot end like this: {told}."
        raise BadRecord(line, sections.ENDING, reason, seats=seats, told=_json(early))


def verify(record: Record, seed: bytes | None = None) -> Verified:
    """Check everything that ``replay`` checks, and the seed, the outcomes and the digest. Raises BadRecord.

    Every outcome of chance must follow from the seed, and the seed must be the one committed to. The lines before the
    ending must match its digest.

    The record of an unfinished game does not contain its seed, so the caller can give it. Without it the outcomes are
    only checked against the rules.
    """
    ending = record.ending
    last = len(record.steps) + 2
    if ending:
        seed = bytes.fromhex(ending.seed)
    dice = None
    if seed is not None and commitment(seed) == record.header.commitment:
        dice = dice_of(record.header, seed)
    # A wrong seed is reported at the end: with its dice every line would be wrong, which would hide other faults.
    outcomes = _check_steps(record, replay(record), dice)
    if seed is not None and dice is None:
        raise BadRecord(last if ending else 1, sections.COMMITMENT, "The seed is not the one that line 1 commits to.")
    if ending and ending.digest != digest(record):
        raise BadRecord(
            last, sections.ENDING, "A line before this one has been changed: the digest belongs to other lines."
        )
    result = ending.result if isinstance(ending, GameEnding) else None
    early = ending.early if isinstance(ending, EarlyEnding) else None
    return Verified(
        steps=len(record.steps),
        outcomes=outcomes,
        dice=dice is not None,
        result=result,
        early=early,
        strict=bool(record.header.salt_commitments),
        other_streams=len(record.header.streams),
        left_out=_left_out(record.header),
    )


def _left_out(header: Header) -> tuple[str, ...]:
    """Return the names of the seats that committed to a salt and did not reveal it.

    The result is empty if the dice are not strict.
    """
    shares = zip(header.seats, header.salts, header.salt_commitments, strict=False)
    return tuple(name for name, salt, committed in shares if committed and committed != salt_commitment(salt))


def check_left(record: Record, dice: Dice) -> None:
    """Check all steps of a game that was left, and its outcomes against the dice. Raises BadRecord."""
    _check_steps(record, _states(record), dice)


def _check_steps(record: Record, states: Iterator[Any], dice: Dice | None) -> int:
    """Check all steps; return the number of outcomes of chance. Raises BadRecord.

    With dice, each outcome must be the one that they give there.
    """
    before = next(states)
    game = game_named(record.header.game)
    source = sources(game, dice) if dice else None
    _check_streams(record)
    outcomes = 0
    # The states come first in zip, so that their generator is run to its end, where it checks the ending.
    for line, (after, step) in enumerate(zip(states, record.steps, strict=True), start=2):
        if step.seat == CHANCE:
            outcomes += 1
            if source:
                drawn = game.chance(before).draw(source(before, line))
                if drawn != step.action:
                    reason = "According to the seed, {drawn} comes here, not {told}."
                    raise BadRecord(line, sections.OUTCOMES, reason, drawn=_json(drawn), told=_json(step.action))
        before = after
    return outcomes


def _check_streams(record: Record) -> None:
    """Raise BadRecord unless the streams of other lines are those of outcomes, and no two outcomes share one.

    Each line that was ever written can have begun one stream, so there is none beyond the number of all these lines.
    """
    streams, drawn = dict(record.header.streams), set[int]()
    if max(streams.values(), default=0) > len(record.steps) + 1 + record.header.undone:
        raise BadRecord(1, sections.TAKEN_BACK, "A stream is beyond all lines of the game, with those taken back.")
    for line, step in enumerate(record.steps if streams else (), start=2):
        stream = streams.pop(line, line)
        if step.seat == CHANCE:
            if stream in drawn:
                raise BadRecord(line, sections.TAKEN_BACK, "Two outcomes come from the same stream.")
            drawn.add(stream)
        elif stream != line:
            raise BadRecord(line, sections.TAKEN_BACK, "Only an outcome of chance has a stream.")
    if streams:
        raise BadRecord(1, sections.TAKEN_BACK, "A stream belongs to a line that is missing.")


def events(record: Record, seat: int | None) -> list[Event]:
    """Return what happened, as a seat (or a spectator) may know it. Raises BadRecord."""
    states = _states(record)
    before = next(states)
    game = game_named(record.header.game)
    visible_events = []
    for after, step in zip(states, record.steps, strict=True):
        visible_events.append(game.event(before, step.action, after, seat))
        before = after
    return visible_events


def _json(value: Any) -> str:
    return quoted(msgspec.json.encode(value).decode())
