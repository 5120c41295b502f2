"""Pig at a terminal."""

from collections.abc import Mapping
from typing import Final

from rich.console import Group
from rich.text import Text

from kontor.terminal.adapter import Names, Setting, TerminalAdapter, asked_by, seat_named, whole_number
from kontor.terminal.screen import Picture, padded
from kontor.words import Words, mark
from kontor_pig.questions import QUESTION
from kontor_pig.rules import PIG, Options, View
from kontor_pig.words import RULES, describe_event, headline, unusual


def board(words: Words, names: Names, view: View) -> Picture:
    """Return a line for each player, with a bar for their points; then the total of this turn."""
    lines = []
    for seat, (name, points) in enumerate(zip(names, view.points, strict=True)):
        bar = "█" * min(40, 40 * points // view.options.goal)
        lines.append(Text.assemble("▶ " if seat == view.turn else "  ", padded(name, 20), f"{points:4} {bar:░<40}"))
    return Group(*lines, Text(words.say("This turn: {total}", total=view.total), "bold"))


def options(given: Mapping[str, str], names: Names) -> Options:
    """Return the options from the command line. Raises BadOptions."""
    starter = seat_named(given["starter"], names, "P1") if "starter" in given else None
    return Options(len(names), whole_number(given.get("goal", "100"), "P1"), starter)


ADAPTER: Final = TerminalAdapter(
    game=PIG,
    title="Pig",
    settings=(
        Setting("goal", "POINTS", mark("How many points are played for (P1).")),
        Setting("starter", "NAME", mark("Who starts; at random if nobody is named.")),
    ),
    options=options,
    unusual=unusual,
    headline=headline,
    board=board,
    describe_event=describe_event,
    rules=lambda words, view: [(number, words.say(rule)) for number, rule in RULES.items() if number != "P1"],
    ask=asked_by(QUESTION),
)
