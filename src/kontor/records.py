"""Records, games as files: read, write, replay and verify them. ``docs/record.md`` is the format in words.

A record is JSON Lines: a header, and one line for each move or outcome of chance. When the game is over, an ending
with the result and the seed follows. There is exactly one way to write a record, so reading and writing are mirror
images. Anything that :func:`decode` accepts, :func:`encode` writes again byte for byte, and nothing can be smuggled
in (a second ``"die"``, an unknown field).

Three questions are kept apart. :func:`decode`: is this a record? :func:`replay`: do the rules allow all its steps?
(This needs no random numbers.) :func:`verify`: do its outcomes also follow from the seed that was committed to? If
the answer is no, each raises a :class:`BadRecord`, which names the line and the rule.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Iterator, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec.structs import replace

from kontor.decoding import misfit
from kontor.endings import EarlyEnd, is_possible
from kontor.fair import Dice, DuplicateDice, FairDice, SteppedDice, commitment, salt_commitment, sources
from kontor.game import CHANCE, OVER, AnyGame, BadOptions, Event, Refusal, Result, Value
from kontor.plugins import game_named
from kontor.visible_text import quoted
from kontor.words import Words, mark

VERSION: Final = 1
"""The version of the format. A reader refuses newer ones."""

EARLY_VERSION: Final = 2
"""The version for games that were ended early, which readers of the first version cannot understand. It is used
for nothing else."""

STRICT_VERSION: Final = 3
"""The version for games with strict dice, with any ending: the header holds what the seats committed to."""

DUPLICATE_VERSION: Final = 4
"""The version for games that share their dice with others (``kontor.fair.DuplicateDice``), with any ending."""

STEPPED_VERSION: Final = 5
"""The version for games that are also played in step with those others (``kontor.fair.SteppedDice``)."""

VERSIONS: Final = (VERSION, EARLY_VERSION, STRICT_VERSION, DUPLICATE_VERSION, STEPPED_VERSION)
"""All versions that can be read."""

SHARED_VERSIONS: Final = (DUPLICATE_VERSION, STEPPED_VERSION)
"""The versions for games that share their dice with others."""

MOST_BYTES: Final = 16 * 1024 * 1024
MOST_BYTES_A_LINE: Final = 64 * 1024
"""The limits of a record and of its lines. A game is a few thousand short lines, so anything longer is refused
before it is parsed."""

LONGEST_NAME: Final = 60
LONGEST_SALT: Final = 60

_LENGTHS: Final = {
    "seats": (1, LONGEST_NAME),
    "players": (1, LONGEST_NAME),
    "salts": (0, LONGEST_SALT),
    "salt_commitments": (0, 64),
}
"""The shortest and the longest text, for each field of the header with one text for each seat."""

# A refusal of a record names a rule of the game (S4), or a section of docs/record.md or docs/fair-dice.md.
_LINES: Final = "record.md#lines"
_HEADER: Final = "record.md#header"
_STEPS: Final = "record.md#steps"
_ENDING: Final = "record.md#ending"
_VERSIONS: Final = "record.md#versions"
UNFINISHED: Final = "record.md#unfinished-games"
_COMMITMENT: Final = "fair-dice.md#the-commitment"
_OUTCOMES: Final = "fair-dice.md#the-outcomes"
_STRICT: Final = "fair-dice.md#strict-dice"
_DUPLICATE: Final = "fair-dice.md#duplicate-dice"

Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", min_length=64, max_length=64)]
"""32 bytes. (The lengths are needed: in Python a pattern's ``$`` lets a line feed pass.)"""

HexOrNone = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$", max_length=64)]
"""32 bytes, or nothing."""


class BadRecord(Refusal):
    """A record that is refused: damaged, cut off, forged, or from a newer Kontor.

    ``line`` is the number of the line, from 1; ``rule`` a rule of the game, or the section of the documentation.
    """

    def __init__(self, line: int, rule: str, reason: str, /, **details: object) -> None:
        super().__init__(rule, reason, **details)
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {super().__str__()}"


# ------------------------------------------------------------------------------------------------ what a record is


class Header(Value, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: what was played, by whom, and what the dealer committed to."""

    record: int
    """The version of the format."""
    game: str
    rules: int
    """The version of the game's rules."""
    options: Any
    """The game's own type, ``game.options``."""
    seats: tuple[str, ...]
    """The names of the seats."""
    players: tuple[str, ...]
    """Who sat there: ``person``, or the name of a computer player."""
    salts: tuple[str, ...]
    commitment: Hex
    salt_commitments: tuple[HexOrNone, ...] = ()
    """At a table with strict dice, what each seat committed to before any salt was revealed; empty for a seat that
    did not."""
    started: Annotated[datetime, msgspec.Meta(tz=True)] | None = None


class Step(Value, frozen=True):
    """A move of a seat, or an outcome of chance (the seat is CHANCE)."""

    seat: int
    action: Any


class GameEnding(Value, frozen=True, forbid_unknown_fields=True):
    """The last line of a game that is over. ``digest`` is the SHA-256 of all the lines before."""

    seed: Hex
    result: Result
    digest: Hex


class EarlyEnding(Value, frozen=True, forbid_unknown_fields=True):
    """The last line of a game that the people at the table ended before the rules did. No points were reckoned."""

    seed: Hex
    early: EarlyEnd
    digest: Hex


class Record(Value, frozen=True):
    """A game. The step ``steps[i]`` stands on line ``i + 2``; without an ending the game was left unfinished."""

    header: Header
    steps: tuple[Step, ...] = ()
    ending: GameEnding | EarlyEnding | None = None


def new_header(
    game: AnyGame,
    options: Any,
    *,
    seats: Sequence[str],
    players: Sequence[str],
    salts: Sequence[str],
    commitment: str,
    salt_commitments: Sequence[str] = (),
    started: datetime | None = None,
    duplicate: bool = False,
) -> Header:
    """Return the header of a new game. Raises BadOptions if it cannot be played like that.

    Its dice are strict if a seat has committed to a salt. If they are ``duplicate``, other games share them.
    """
    strict = any(salt_commitments)
    header = Header(
        record=DUPLICATE_VERSION if duplicate else STRICT_VERSION if strict else VERSION,
        game=game.name,
        rules=game.version,
        options=options,
        seats=tuple(seats),
        players=tuple(players),
        salts=tuple(salts),
        commitment=commitment,
        salt_commitments=tuple(salt_commitments) if strict else (),
        started=started,
    )
    _check_header(header)
    return header


def ended(record: Record, seed: bytes, result: Result) -> Record:
    """Return the record with its ending."""
    return replace(record, ending=GameEnding(seed.hex(), result, _digest(record)))


def ended_early(record: Record, seed: bytes, early: EarlyEnd) -> Record:
    """Return the record with an early ending; its version becomes EARLY_VERSION if it was VERSION."""
    if record.header.record == VERSION:
        record = replace(record, header=replace(record.header, record=EARLY_VERSION))
    return replace(record, ending=EarlyEnding(seed.hex(), early, _digest(record)))


def _digest(record: Record) -> str:
    """Return the SHA-256 of the lines before the ending, in hexadecimal digits."""
    return hashlib.sha256(encode(replace(record, ending=None))).hexdigest()


# --------------------------------------------------------------------------------------------------- writing


def encode(record: Record) -> bytes:
    """Return the record as the bytes of a file."""
    parts = (record.header, *record.steps, *([record.ending] if record.ending else ()))
    return b"".join([encode_line(part) for part in parts])


def encode_line(part: Header | Step | GameEnding | EarlyEnding) -> bytes:
    """Return one line, with its line feed.

    A move's fields stand beside the seat that made it: no move has a field ``seat``.
    """
    if isinstance(part, Step):
        seat = {} if part.seat == CHANCE else {"seat": part.seat}
        fields = {**seat, **msgspec.to_builtins(part.action, order="deterministic")}
    else:
        fields = msgspec.to_builtins(part, order="deterministic")
    return msgspec.json.encode(fields) + b"\n"


def write(path: Path, record: Record) -> None:
    """Write the whole record to a file.

    For a game in progress see :class:`kontor.recording.RecordWriter`.
    """
    path.write_bytes(encode(record))


# --------------------------------------------------------------------------------------------------- reading


def read(path: Path) -> Record:
    """Return the record in a file. Raises BadRecord, and OSError if the file itself cannot be read."""
    with path.open("rb") as file:
        return decode(file.read(MOST_BYTES + 1))


def decode(data: bytes) -> Record:
    """Return the record that these bytes hold. Raises BadRecord.

    The rules of the game are not applied: it does not check whether they allow the steps.
    """
    if len(data) > MOST_BYTES:
        too_far = data.count(b"\n", 0, MOST_BYTES) + 1
        raise BadRecord(too_far, _LINES, "A record can have at most {most} bytes.", most=MOST_BYTES)
    *lines, cut = data.split(b"\n")
    if not (lines or cut):
        raise BadRecord(1, _LINES, "The file is empty.")
    if not lines:
        raise _cut_off(1)
    header = _decode_header(lines[0])
    moves, outcomes = _decoders(header.game)
    steps: list[Step] = []
    ending = None
    for number, line in enumerate(lines[1:], start=2):
        if ending:
            raise BadRecord(number, _ENDING, "The game ended on line {last}: nothing can follow.", last=number - 1)
        fields = _fields(number, line)
        part: Step | GameEnding | EarlyEnding
        if "chance" in fields:  # checked first, because an outcome may have a field "seat"
            part = Step(CHANCE, _decoded(number, _STEPS, outcomes, line))
            steps.append(part)
        elif "seat" in fields:
            part = _decode_move(number, fields, moves, len(header.seats))
            steps.append(part)
        elif "seed" in fields:
            part = ending = _decoded(number, _ENDING, _EARLY_ENDINGS if "early" in fields else _ENDINGS, line)
        else:
            raise BadRecord(
                number, _STEPS, "This is neither a move of a “seat”, nor “chance”, nor an ending with a “seed”."
            )
        _check_spelling(number, line, part)
    if cut:
        raise _cut_off(len(lines) + 1)
    record = Record(header, tuple(steps), ending)
    _check_written_by(record)
    return record


def step_of(game: AnyGame, number: int, seat: int, line: str) -> Step:
    """Return a step from a line that this program has written and checked itself. Raises BadRecord.

    This is five times as fast as :func:`decode`.
    """
    moves, outcomes = _decoders(game.name)
    return Step(seat, _decoded(number, _STEPS, outcomes if seat == CHANCE else moves, line))


@cache
def _decoders(game: str) -> tuple[msgspec.json.Decoder[Any], msgspec.json.Decoder[Any]]:
    """Return the decoders of a game's moves and of its outcomes."""
    named = game_named(game)
    return msgspec.json.Decoder(named.move), msgspec.json.Decoder(named.outcome)


_FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_TEXT: Final = msgspec.json.Decoder(str)
_WHOLE: Final = msgspec.json.Decoder(int)
_HEADERS: Final = msgspec.json.Decoder(Header)
_ENDINGS: Final = msgspec.json.Decoder(GameEnding)
_EARLY_ENDINGS: Final = msgspec.json.Decoder(EarlyEnding)

_BYTE: Final = re.compile(r"\(byte (\d+)\)$")
"""The byte of a line at which it stops being JSON, counted from 0."""

_Bytes = bytes | str | msgspec.Raw


def _decode_header(line: bytes) -> Header:
    """Decode the first line. Raises BadRecord.

    The versions are checked first: nothing else from a newer Kontor can be understood.
    """
    fields = _fields(1, line)

    def value(name: str, decoder: msgspec.json.Decoder[Any]) -> Any:
        if name not in fields:
            raise BadRecord(1, _HEADER, "The header lacks “{name}”.", name=name)
        return _decoded(1, _HEADER, decoder, fields[name], name)

    try:
        _check_format(value("record", _WHOLE))
        game = game_named(value("game", _TEXT))
        _check_rules(game, value("rules", _WHOLE))
        options = value("options", msgspec.json.Decoder(game.options))
        header: Header = replace(_decoded(1, _HEADER, _HEADERS, line), options=options)
        _check_spelling(1, line, header)
        _check_header(header)
    except BadOptions as bad:
        raise _at_line(1, bad) from bad
    return header


def _decode_move(number: int, fields: dict[str, msgspec.Raw], moves: msgspec.json.Decoder[Any], seats: int) -> Step:
    seat = _decoded(number, _STEPS, _WHOLE, fields.pop("seat"), "seat")
    if not 0 <= seat < seats:
        raise BadRecord(
            number, _STEPS, "There is no seat {seat}; the seats are 0 to {last}.", seat=seat, last=seats - 1
        )
    return Step(seat, _decoded(number, _STEPS, moves, msgspec.json.encode(fields)))


def _fields(number: int, line: bytes) -> dict[str, msgspec.Raw]:
    """Return the fields of the JSON object in a line. Raises BadRecord."""
    if len(line) > MOST_BYTES_A_LINE:
        raise BadRecord(number, _LINES, "A line can have at most {most} bytes.", most=MOST_BYTES_A_LINE)
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise BadRecord(number, _LINES, "Byte {at} of the line is not UTF-8.", at=error.start + 1) from error
    fields: dict[str, msgspec.Raw] = _decoded(number, _LINES, _FIELDS, line)
    hidden = _HIDDEN.search(text)
    if hidden:
        reason = "Character {at} of the line is the control character U+{code:04X}."
        raise BadRecord(number, _LINES, reason, at=hidden.start() + 1, code=ord(hidden[0]))
    if any(escaped not in '"\\' for escaped in _ESCAPES.findall(text)):
        raise BadRecord(number, _LINES, 'The line contains an escape other than \\" and \\\\.')
    return fields


def _decoded(number: int, rule: str, decoder: msgspec.json.Decoder[Any], data: _Bytes, name: str = "") -> Any:
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise BadRecord(number, rule, "{error}.", error=misfit(error, name)) from error
    except msgspec.DecodeError as error:
        byte = _BYTE.search(str(error))
        if byte is None:
            raise BadRecord(number, _LINES, "The line is not JSON: it ends too early.") from error
        raise BadRecord(number, _LINES, "The line is not JSON from byte {at} on.", at=int(byte[1]) + 1) from error
    except RecursionError as error:
        raise BadRecord(number, _LINES, "The line is nested too deeply.") from error


def _cut_off(number: int) -> BadRecord:
    return BadRecord(number, _LINES, "The line is cut off: it does not end in a line feed.")


# ------------------------------------------------------------------------------------------- what lines can hold

_HIDDEN: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]"
)
"""Control characters, and others that change how the text around them looks. A record comes from strangers, and
ends up in terminals and web pages. Those hide more characters (``kontor.visible_text``), which today's records may
hold."""

_ESCAPES: Final = re.compile(r"\\(.)")


def _check_spelling(number: int, line: bytes, part: Header | Step | GameEnding | EarlyEnding) -> None:
    """Raise BadRecord unless the line is written in the only valid way."""
    written = encode_line(part)[:-1]
    if written != line:
        alike = zip(written, line, strict=False)
        at = next((at for at, (one, other) in enumerate(alike) if one != other), min(len(written), len(line)))
        following = quoted(written[at:].decode(errors="replace"), 40)
        reason = "Kontor would write this line differently: from byte {at}, “{rest}”."
        if not following:
            reason = "Kontor would write this line differently: it ends before byte {at}."
        raise BadRecord(number, _LINES, reason, at=at + 1, rest=following)


def _check_format(version: int) -> None:
    if version not in VERSIONS:
        reason = "This is a record of version {version}; this Kontor knows {known}."
        raise BadOptions(_VERSIONS, reason, version=version, known=", ".join(map(str, VERSIONS)))


def _check_written_by(record: Record) -> None:
    """Raise BadRecord unless the version is the one in which a game with such an ending is written."""
    early = isinstance(record.ending, EarlyEnding)
    if early and record.header.record == VERSION:
        reason = "A game that was ended early is a record of version {version}."
        raise BadRecord(len(record.steps) + 2, _VERSIONS, reason, version=EARLY_VERSION)
    if not early and record.header.record == EARLY_VERSION:
        reason = "Only a game that was ended early is a record of version {version}."
        raise BadRecord(1, _VERSIONS, reason, version=EARLY_VERSION)


def _check_rules(game: AnyGame, version: int) -> None:
    if version != game.version:
        reason = "This record was played by version {version} of the rules of {game}; this Kontor knows {known}."
        raise BadOptions(_VERSIONS, reason, version=version, game=game.name, known=game.version)


def _check_header(header: Header) -> AnyGame:
    """Return the game of a header. Raises BadOptions if it cannot be played like that."""
    _check_format(header.record)
    game = game_named(header.game)
    _check_rules(game, header.rules)
    game.start(header.options)
    count = game.seats(header.options)
    strict = _is_strict(header)
    for name, (shortest, longest) in _LENGTHS.items():
        if name == "salt_commitments" and not strict:
            continue
        texts = getattr(header, name)
        if len(texts) != count:
            reason = "The game has {count} seats; “{name}” has {given}."
            raise BadOptions(_HEADER, reason, count=count, given=len(texts), name=name)
        for text in texts:
            if not shortest <= len(text) <= longest:
                reason = "In “{name}”, “{text}” has {given} characters; it should be {shortest} to {longest}."
                quotation = quoted(text, LONGEST_NAME)
                raise BadOptions(
                    _HEADER, reason, name=name, shortest=shortest, longest=longest, text=quotation, given=len(text)
                )
            if _HIDDEN.search(text):
                reason = "In “{name}”, “{text}” contains a control character."
                raise BadOptions(_HEADER, reason, name=name, text=quoted(text))
    if strict:
        _check_salts(header)
    if header.record in SHARED_VERSIONS and any(header.salts):
        raise BadOptions(_DUPLICATE, "Nobody contributes to dice that several games share.")
    return game


def dice_of(header: Header, seed: bytes) -> Dice:
    """Return the dice that draw a game's outcomes."""
    if header.record == STEPPED_VERSION:
        return SteppedDice(seed)
    return DuplicateDice(seed) if header.record == DUPLICATE_VERSION else FairDice(seed, header.salts)


def _is_strict(header: Header) -> bool:
    """Return True if seats have committed to salts. Raises BadOptions if the version says otherwise.

    In a record of STRICT_VERSION at least one seat has committed, in others none has.
    """
    strict = header.record == STRICT_VERSION
    if strict and not any(header.salt_commitments):
        reason = "In a record of version {version} at least one seat has committed to its contribution."
        raise BadOptions(_VERSIONS, reason, version=STRICT_VERSION)
    if header.salt_commitments and not strict:
        reason = "Only a record of version {version} contains “salt_commitments”."
        raise BadOptions(_VERSIONS, reason, version=STRICT_VERSION)
    return strict


def _check_salts(header: Header) -> None:
    """Raise BadOptions unless each salt is the one committed to, or was left out.

    A seat without a commitment gave its salt openly.
    """
    for name, salt, committed in zip(header.seats, header.salts, header.salt_commitments, strict=True):
        if salt and committed and salt_commitment(salt) != committed:
            raise BadOptions(_STRICT, "The contribution of {name} is not the one that line 1 commits to.", name=name)


def _at_line(line: int, refusal: Refusal) -> BadRecord:
    """Return a refusal of the game as a BadRecord for a line.

    If it names no rule, the header is at fault: it names an unknown game.
    """
    details = {name: quoted(value) if isinstance(value, str) else value for name, value in refusal.details.items()}
    return BadRecord(line, refusal.rule or _HEADER, refusal.reason, **details)


# ------------------------------------------------------------------------------------------- replaying, verifying


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
    """Whether seats had committed to salts before any of those was revealed."""
    left_out: tuple[str, ...] = ()
    """The names of the seats that committed to a salt, but without whose salt the game began."""

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
        """Return the finding in English, filled in, with the sentences about the shares."""
        finding = self.finding.format(steps=self.steps, outcomes=self.outcomes)
        return " ".join([finding, *describe_shares(Words("en"), self)])


def describe_shares(words: Words, checked: Verified) -> list[str]:
    """Return sentences about the players' shares of the dice (their salts); none unless the dice are strict."""
    if not checked.strict:
        return []
    sentences = [words.say("Every contribution is the one that was promised.")]
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
        game = _check_header(header)
    except BadOptions as bad:
        raise _at_line(1, bad) from bad

    def name(seat: int) -> str:
        return header.seats[seat] if 0 <= seat < len(header.seats) else str(seat)

    state = game.start(header.options)
    yield state
    for line, step in enumerate(record.steps, start=2):
        if step.seat != state.mover:
            raise BadRecord(
                line, _STEPS, _out_of_turn(state.mover, step.seat), due=name(state.mover), acts=name(step.seat)
            )
        try:
            state = game.play(state, step.action)
        except Refusal as refused:
            raise _at_line(line, refused) from refused
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
    _check_written_by(record)
    line = len(record.steps) + 2
    result = game_named(record.header.game).result(state)
    ending = record.ending
    if ending is None:
        if result is not None:
            raise BadRecord(line, _ENDING, "The game is over, but the line with its seed and result is missing.")
    elif isinstance(ending, EarlyEnding):
        _check_early(line, ending.early, record.header, state)
    elif result is None:
        raise BadRecord(line, _ENDING, "The game is not over yet, so it cannot have a result.")
    elif ending.result != result:
        reason = "The result is {result}, not {told}."
        raise BadRecord(line, _ENDING, reason, result=_json(result), told=_json(ending.result))


def _check_early(line: int, early: EarlyEnd, header: Header, state: Any) -> None:
    """Raise BadRecord unless a game can end early in this state.

    Only a game in step can end while chance is to act, because it may wait there for others.
    """
    seats = len(header.seats)
    if state.mover == OVER or (state.mover == CHANCE and header.record != STEPPED_VERSION):
        raise BadRecord(line, _ENDING, "A game can end early only while it is someone’s turn.")
    if not is_possible(early, seats):
        reason = "A game with {seats} seats cannot end like this: {told}."
        raise BadRecord(line, _ENDING, reason, seats=seats, told=_json(early))


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
        raise BadRecord(last if ending else 1, _COMMITMENT, "The seed is not the one that line 1 commits to.")
    if ending and ending.digest != _digest(record):
        raise BadRecord(last, _ENDING, "A line before this one has been changed: the digest belongs to other lines.")
    result = ending.result if isinstance(ending, GameEnding) else None
    early = ending.early if isinstance(ending, EarlyEnding) else None
    return Verified(
        steps=len(record.steps),
        outcomes=outcomes,
        dice=dice is not None,
        result=result,
        early=early,
        strict=record.header.record == STRICT_VERSION,
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
    outcomes = 0
    # The states come first in zip, so that their generator is run to its end, where it checks the ending.
    for line, (after, step) in enumerate(zip(states, record.steps, strict=True), start=2):
        if step.seat == CHANCE:
            outcomes += 1
            if source:
                drawn = game.chance(before).draw(source(before, line))
                if drawn != step.action:
                    reason = "According to the seed, {drawn} comes here, not {told}."
                    raise BadRecord(line, _OUTCOMES, reason, drawn=_json(drawn), told=_json(step.action))
        before = after
    return outcomes


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
