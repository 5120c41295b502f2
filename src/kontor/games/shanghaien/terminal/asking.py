"""Asking for a move of Shanghaien, and its adapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kontor.game import BadOptions
from kontor.games.shanghaien import words as phrases
from kontor.games.shanghaien.questions import question
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.games.shanghaien.rules.components import TRICKS, TrickCounts
from kontor.games.shanghaien.rules.view import View
from kontor.games.shanghaien.terminal import board as drawing
from kontor.terminal.adapter import Names, Setting, TerminalAdapter, asked_by, seat_named, whole_number
from kontor.words import Words, mark

# ------------------------------------------------------------------------------------------------------- options


def options(given: Mapping[str, str], names: Names) -> Options:
    """Return the options from the command line. Raises BadOptions."""
    starter = given.get("starter")
    first_trick: Any = given.get("first-trick")
    return Options(
        tricks=_trick_counts(given["tricks"]) if "tricks" in given else TrickCounts(),
        starter=None if starter is None else seat_named(starter, names, "S3"),
        first_trick=first_trick,
    )


def _trick_counts(given: str) -> TrickCounts:
    parts = given.replace(" ", "").split(",")
    if len(parts) != len(TRICKS):
        raise BadOptions(
            "S2",
            "For the trick cards give three numbers, Nudge, Both and Reroll, such as 3,2,3; not “{given}”.",
            given=given,
        )
    return TrickCounts(*(whole_number(part, "S2") for part in parts))


def rules(words: Words, view: View) -> list[tuple[str, str]]:
    """Return the numbers and texts of the rules that matter now."""
    return [(number, words.say(phrases.RULES[number])) for number in phrases.rules_now(view)]


SHANGHAIEN_ADAPTER: Final = TerminalAdapter(
    game=SHANGHAIEN,
    title=phrases.TITLE,
    secrets=False,
    settings=(
        Setting("tricks", "N,B,R", mark("How many trick cards are Nudge, Both and Reroll; eight together (S2).")),
        Setting(
            "first-trick", "TRICK", mark("Each player starts with one extra trick card: nudge, both or reroll (S3a).")
        ),
        Setting("starter", "NAME", mark("Who starts the first round (S3, H5); default: drawn at random.")),
    ),
    options=options,
    unusual=phrases.unusual,
    headline=phrases.headline,
    board=drawing.board,
    hand=None,
    describe_event=phrases.describe_event,
    rules=rules,
    looks={
        mark("crews"): drawing.crews,
        mark("cards"): drawing.to_come,
        mark("score"): drawing.ending,
    },
    ask=asked_by(question),
    report=drawing.report,
    ending=drawing.ending,
)
