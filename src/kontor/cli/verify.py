"""``kontor verify``: a record checked, and sentences about what was checked."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from kontor.cli.options import RecordFile
from kontor.endings import describe_early_end
from kontor.game import Refusal
from kontor.recording import load_seed
from kontor.records import Verified, describe_dice, read, verify
from kontor.terminal.screen import Screen
from kontor.terminal.seats import names_shown
from kontor.words import Words, mark


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        name="verify",
        help=mark("Check a record: every move against the rules, every shuffle and die against the committed seed."),
        epilog=mark("\b\nExample:\n  kontor verify game.jsonl"),
    )(verify_record)


def verify_record(context: typer.Context, file: RecordFile) -> None:
    """Verify a record and show what was checked."""
    words: Words = context.obj
    record = read(file)
    seed = None
    if not record.ending:
        try:
            seed = load_seed(file, record.header)
        except (Refusal, OSError):
            seed = None
    checked = verify(record, seed)
    Screen().show(*_verification_sentences(words, names_shown(record.header.seats), checked))


def _verification_sentences(words: Words, names: Sequence[str], checked: Verified) -> list[str]:
    """Return what was checked, one sentence for each line."""
    lines = [
        words.count("Moves: the one step follows the rules.", "Moves: all {n} steps follow the rules.", checked.steps)
    ]
    if checked.dice:
        lines.append(
            words.count(
                "Dice: the one outcome of chance follows from the seed.",
                "Dice: all {n} outcomes of chance follow from the seed.",
                checked.outcomes,
            )
        )
        lines.append(words.say("Commitment: the seed is the one that line 1 commits to."))
    else:
        lines.append(words.say("Dice: they can be checked only when the game is over and the seed is revealed."))
    lines += describe_dice(words, checked)
    if checked.result:
        points = [
            words.say("{name} has {points}", name=name, points=points)
            for name, points in zip(names, checked.result.points, strict=True)
        ]
        lines.append(words.say("Result: {points}.", points=words.all_of(points)))
    elif checked.early:
        lines.append(describe_early_end(words, names, checked.early))
    else:
        lines.append(words.say("The game was abandoned."))
    return lines
