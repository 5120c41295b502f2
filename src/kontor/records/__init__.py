"""Records, games as files: read, write, replay and verify them. ``docs/record.md`` is the format in words.

A record is JSON Lines: a header, and one line for each move or outcome of chance. When the game is over, an ending
with the result and the seed follows. There is exactly one way to write a record, so reading and writing are mirror
images. Anything that :func:`decode` accepts, :func:`encode` writes again byte for byte, and nothing can be smuggled
in (a second ``"die"``, an unknown field).

Three questions are kept apart. :func:`decode`: is this a record? :func:`replay`: do the rules allow all its steps?
(This needs no random numbers.) :func:`verify`: do its outcomes also follow from the seed that was committed to? If
the answer is no, each raises a :class:`BadRecord`, which names the line and the rule.
"""

from kontor.records.format import (
    DUPLICATE_VERSION,
    LONGEST_NAME,
    LONGEST_SALT,
    MOST_BYTES,
    SHARED_VERSIONS,
    STEPPED_VERSION,
    STRICT_VERSION,
    TAKEN_BACK_VERSION,
    VERSION,
    VERSIONS,
    BadRecord,
    EarlyEnding,
    GameEnding,
    Header,
    Record,
    Step,
)
from kontor.records.reading import decode, read, step_of
from kontor.records.sections import UNFINISHED
from kontor.records.verifying import Verified, check_left, describe_dice, dice_of, events, replay, verify
from kontor.records.writing import encode, encode_line, ended, ended_early, new_header, write

__all__ = [
    "DUPLICATE_VERSION",
    "LONGEST_NAME",
    "LONGEST_SALT",
    "MOST_BYTES",
    "SHARED_VERSIONS",
    "STEPPED_VERSION",
    "STRICT_VERSION",
    "TAKEN_BACK_VERSION",
    "UNFINISHED",
    "VERSION",
    "VERSIONS",
    "BadRecord",
    "EarlyEnding",
    "GameEnding",
    "Header",
    "Record",
    "Step",
    "Verified",
    "check_left",
    "decode",
    "describe_dice",
    "dice_of",
    "encode",
    "encode_line",
    "ended",
    "ended_early",
    "events",
    "new_header",
    "read",
    "replay",
    "step_of",
    "verify",
    "write",
]
