"""The record of a game in progress, written to disk line by line, and its seed beside it (``docs/record.md``)."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

from kontor.fair import SEED_BYTES, FairDice, commitment
from kontor.game import Result
from kontor.records import (
    MOST_BYTES,
    SHARED_VERSIONS,
    TAKEN_BACK_VERSION,
    UNFINISHED,
    BadRecord,
    EarlyEnding,
    GameEnding,
    Header,
    Record,
    Step,
    check_left,
    decode,
    encode_line,
    ended,
)


def seed_path(path: Path) -> Path:
    """Return the path of an unfinished game's seed: beside its record, never in it."""
    return path.with_name(f"{path.name}.seed")


def save_seed(path: Path, seed: bytes) -> None:
    """Save the seed for the record at ``path``, readable by its owner only.

    Raises FileExistsError: no seed is ever overwritten.
    """
    with open(seed_path(path), "xb", opener=_private) as file:
        file.write(seed.hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    _sync_folder(path)


def load_seed(path: Path, header: Header) -> bytes:
    """Return the seed saved for the record at ``path``. Raises BadRecord if it is missing or wrong."""
    seed_file = seed_path(path)
    try:
        with seed_file.open("rb") as file:
            text = file.read(2 * SEED_BYTES + 2)  # the line, and one byte more to notice a longer file
    except FileNotFoundError as error:
        reason = "The game cannot go on without its seed, and {file} is missing."
        raise BadRecord(1, UNFINISHED, reason, file=seed_file) from error
    seed = b""
    with suppress(ValueError):
        seed = bytes.fromhex(text.decode())
    if len(seed) != SEED_BYTES or commitment(seed) != header.commitment:
        reason = "The game cannot go on: {file} does not hold the seed that line 1 commits to."
        raise BadRecord(1, UNFINISHED, reason, file=seed_file)
    return seed


def forget_seed(path: Path) -> None:
    """Delete the seed saved for the record at ``path``: the record reveals it by now, or the game is given up."""
    seed_path(path).unlink(missing_ok=True)


class RecordWriter:
    """The record of a game in progress. Every line is on the disk before :meth:`append` returns.

    ::

        with RecordWriter.begin(path, header, seed) as writer:
            outcome = game.chance(state).draw(writer.dice.below(writer.line))
            writer.append(Step(CHANCE, outcome))
            ...
            writer.finish(game.result(state))
    """

    def __init__(self, path: Path, file: BinaryIO, record: Record, seed: bytes, size: int) -> None:
        """Use :meth:`begin` or :meth:`resume`."""
        self._path = path
        self._file = file
        self._header = record.header
        self._steps = list(record.steps)
        self._seed = seed
        self._size = size
        self.dice = FairDice(seed, record.header.salts)

    @classmethod
    def begin(cls, path: Path, header: Header, seed: bytes) -> Self:
        """Create a new record, and its seed beside it. Raises FileExistsError if one of them exists.

        Until the end a record can hold what is hidden from the players, so it too is readable by its owner only.
        """
        if commitment(seed) != header.commitment:
            raise ValueError("the header does not commit to this seed")
        file = open(path, "xb", buffering=0, opener=_private)  # noqa: SIM115 (open as long as the game goes on)
        writer = cls(path, file, Record(header), seed, 0)
        try:
            save_seed(path, seed)
            writer._write(header)
        except OSError:
            writer.close()
            path.unlink()
            raise
        return writer

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Continue a game that was left. Raises BadRecord if that is impossible.

        A last line that was cut off was never confirmed to anybody: it is removed. If it was an outcome of chance,
        the same is drawn again, because it follows from the number of the line.
        """
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        size = data.rfind(b"\n") + 1
        record = decode(data[:size] if len(data) <= MOST_BYTES else data)
        if record.ending:
            raise BadRecord(len(record.steps) + 2, UNFINISHED, "The game is over: it cannot go on.")
        if record.header.record == TAKEN_BACK_VERSION:
            raise BadRecord(
                1, UNFINISHED, "Moves of this game were taken back at its table: it can only go on there."
            )
        if record.header.record in SHARED_VERSIONS:
            raise BadRecord(1, UNFINISHED, "Other games share the dice of this one: it cannot go on alone.")
        seed = load_seed(path, record.header)
        check_left(record, FairDice(seed, record.header.salts))
        if size < len(data):
            os.truncate(path, size)
        return cls(path, path.open("ab", buffering=0), record, seed, size)

    @property
    def record(self) -> Record:
        """Return the record as written so far."""
        return Record(self._header, tuple(self._steps))

    @property
    def line(self) -> int:
        """Return the number of the next line."""
        return len(self._steps) + 2

    def append(self, step: Step) -> None:
        """Write a move or outcome. Raises BadRecord if somebody else has written to the file meanwhile."""
        self._write(step)
        self._steps.append(step)

    def finish(self, result: Result) -> None:
        """Write the ending, which reveals the seed, and delete the file of the seed."""
        ending = ended(self.record, self._seed, result).ending
        assert ending
        self._write(ending)
        forget_seed(self._path)

    def close(self) -> None:
        """Close the file. The game can be resumed."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, part: Header | Step | GameEnding | EarlyEnding) -> None:
        line = encode_line(part)
        to = self._file.fileno()
        if os.fstat(to).st_size != self._size:
            reason = "Someone else has written to this record: is the game open twice?"
            raise BadRecord(self.line, UNFINISHED, reason)
        try:
            rest = line
            while rest:
                rest = rest[os.write(to, rest) :]
            os.fsync(to)
        except OSError:
            os.ftruncate(to, self._size)  # a full disk leaves no half line behind
            raise
        self._size += len(line)


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner can read. All writes go to its end, also those of several writers."""
    return os.open(path, flags | os.O_APPEND, 0o600)


def _sync_folder(path: Path) -> None:
    """Sync a file's folder, so that the new file is found after a crash."""
    if os.name == "posix":  # other systems cannot open a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
