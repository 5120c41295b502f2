"""The log in sentences, and the talk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kontor.table import Said, Told
from kontor.web.rooms import Room
from kontor.words import Words


@dataclass(frozen=True)
class LogLine:
    """A sentence of the log. ``part`` tells the sentences of one step apart."""

    number: int
    part: int
    text: str
    head: bool = False


def told_lines(words: Words, room: Room, names: Sequence[str], told: Sequence[Told]) -> list[LogLine]:
    """The log in sentences, with a heading where a round begins."""
    found = []
    round_told = 0
    for line in told:
        for part, sentence in enumerate(sentences(words, room, names, line), 1):
            if line.before.round != round_told:
                round_told = line.before.round
                heading = words.say("Round {round}", round=round_told)
                found.append(LogLine(line.number, 0, heading, head=True))
            found.append(LogLine(line.number, part, sentence))
    return found


def sentences(words: Words, room: Room, names: Sequence[str], line: Told) -> list[str]:
    """What one step was."""
    return room.told(words, names, line.before, line.event, line.after)


@dataclass(frozen=True)
class TalkLine:
    """Something said, or a notice."""

    number: int
    name: str
    text: str
    notice: bool


def talk_line(words: Words, said: Said) -> TalkLine:
    """A line of the talk, as the page shows it."""
    notices = {
        "sat": words.say("{name} sits down.", name=said.name),
        "left": words.say("{name} stands up.", name=said.name),
        "started": words.say("The game begins."),
        "stood in": words.say("A machine player sits in for {name}.", name=said.name),
        "came back": words.say("{name} is back.", name=said.name),
        "hint": words.say("{name} was given a hint.", name=said.name),
    }
    text = notices.get(said.kind)
    return TalkLine(said.number, said.name, said.text if text is None else text, text is not None)
