"""Streams of the dice after moves were taken back: no outcome is drawn anew, but those who saw one know it.

An outcome comes from the stream of its line. When outcomes are taken back, their streams are noted. If chance acts on
the same occasion again, perhaps on another line, it has the same stream, so the same dice fall. Any other outcome
comes from a stream that nobody has seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from kontor.fair import Occasion
from kontor.game import Value


class Streams(Value, frozen=True):
    """The streams of a table at which outcomes were taken back.

    ``reached`` is the greatest number of a stream that anything was drawn from. ``fallen`` are the outcomes taken
    back that have not come again, in order: occasion and stream. ``lines`` are the lines whose outcomes come from the
    stream of another line, in order, each with that stream.
    """

    reached: int = 0
    fallen: tuple[tuple[Occasion, int], ...] = ()
    lines: tuple[tuple[int, int], ...] = ()

    def stream_of(self, line: int) -> int:
        """Return the number of the stream that the outcome on a line comes from."""
        return dict(self.lines).get(line, line)

    def next_stream(self, line: int, occasion: Occasion) -> int:
        """Return the number of the stream for the next outcome, on this line and this occasion."""
        fallen = next((stream for before, stream in self.fallen if before == occasion), None)
        if fallen is not None:
            return fallen
        return line if line > self.reached else self.reached + 1

    def after_outcome(self, line: int, occasion: Occasion) -> Streams:
        """Return the streams after the outcome on this line and this occasion."""
        stream = self.next_stream(line, occasion)
        lines = self.lines if stream == line else (*self.lines, (line, stream))
        fallen = tuple(before for before in self.fallen if before[1] != stream)
        return Streams(max(self.reached, stream), fallen, lines)

    def after_undo(self, last: int, outcomes: Iterable[tuple[int, Occasion]]) -> Streams:
        """Return the streams after all lines beyond ``last`` were taken back, with these outcomes, in order."""
        fallen = tuple((occasion, self.stream_of(line)) for line, occasion in outcomes)
        reached = max([self.reached, *[stream for _, stream in fallen]])
        lines = tuple(pair for pair in self.lines if pair[0] <= last)
        return replace(self, reached=reached, fallen=(*fallen, *self.fallen), lines=lines)


NO_STREAMS: Final = Streams()
"""The streams of a table at which no outcome was taken back."""


def decode_streams(column: str | None) -> Streams:
    """Return the streams that a table's column holds."""
    return NO_STREAMS if column is None else msgspec.json.decode(column, type=Streams)


def encode_streams(streams: Streams) -> str | None:
    """Return the column for streams."""
    return None if streams == NO_STREAMS else msgspec.json.encode(streams).decode()


def other_streams(column: str | None) -> tuple[tuple[int, int], ...]:
    """Return the lines whose outcomes come from the stream of another line, each with that stream."""
    return () if column is None else decode_streams(column).lines
