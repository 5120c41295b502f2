"""The review of a game at the terminal: all decisions, the curve of chances, the costliest moves, luck and skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from kontor.records import Record
from kontor.review import Account, Decision, ExplainedDecision, Review, ReviewText, percent, signed
from kontor.terminal.screen import Picture, flowing, text
from kontor.terminal.seats import names_shown
from kontor.words import Words

_HEIGHT: Final = 4
"""Rows of a curve."""

_ACROSS: Final = 64
"""Columns of a curve."""

_BARS: Final = " ▁▂▃▄▅▆▇█"
_EIGHTHS: Final = 8

_SIDE: Final = 6
"""Columns for the scale beside a curve."""

_SEEN: Final = 0.0005
"""The least cost shown; a lower one would read 0.0."""

_MARKS: Final = ((0.1, "●"), (0.05, "◐"), (0.02, "○"))
"""The least cost for each mark beside a move."""

_NAME: Final = 8
"""Columns for a name in the table of decisions."""


_MOVE: Final = 24
"""Columns for the move that was played; most need no second row."""


class ReviewPage:
    """A review of some or all seats, as pictures and text."""

    def __init__(self, words: Words, record: Record, review: Review, seats: Sequence[int]) -> None:
        self._words = words
        self._names = names_shown(record.header.seats)
        self._review = review
        self._seats = seats
        self._teller = ReviewText(words, self._names, record, review)

    def picture(self) -> Picture:
        """Return the whole review as a picture."""
        return Group(*(text(part) for part in self._parts()))

    def _parts(self) -> Iterator[Picture | str]:
        """Yield the parts from top to bottom; the most important come last, where one looks first in a terminal."""
        yield self._decisions()
        yield self._legend()
        yield ""
        yield from self._courses()
        for account in self._accounts():
            yield from self._costliest_mistakes(account)
        yield self._sums()
        for account in self._accounts():
            yield flowing(self._teller.played_how(account))
        yield self._teller.sure()

    def _accounts(self) -> list[Account]:
        return [self._review.accounts[seat] for seat in self._seats]

    # ----------------------------------------------------------------------------------------- all decisions

    def _decisions(self) -> Table:
        say = self._words.say
        table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
        table.add_column(Text(say("step")), justify="right")
        table.add_column("", width=_NAME, no_wrap=True)
        table.add_column(Text(say("chance")), justify="right", no_wrap=True)
        table.add_column(Text(say("move")), width=_MOVE, overflow="fold")
        table.add_column(Text(say("cost")), justify="right", no_wrap=True)
        table.add_column(Text(say("better")), overflow="fold")
        for number, of_round in self._review.rounds():
            decisions = [decision for decision in of_round if decision.seat in self._seats]
            if not decisions:
                continue
            table.add_row("", "", "", Text(self._heading(number, decisions), "bold"))
            for decision in decisions:
                table.add_row(*self._row(decision))
        return table

    def _heading(self, number: int, decisions: Sequence[Decision]) -> str:
        if all(decision.exact for decision in decisions):
            return self._words.say("Round {round}: exact", round=number)
        return self._words.say("Round {round}", round=number)

    def _row(self, decision: Decision) -> tuple[str | Text, ...]:
        costs = decision.cost >= _SEEN
        mark = next((f"{sign} " for least, sign in _MARKS if decision.cost >= least), "")
        return (
            str(decision.step),
            Text(self._names[decision.seat], no_wrap=True, overflow="ellipsis"),
            percent(self._words, decision.best.chance),
            Text(self._teller.played(decision)),
            f"{mark}{self._words.tenths(100 * decision.cost)}" if costs else "",
            Text(self._teller.better(decision) if costs else ""),
        )

    def _legend(self) -> str:
        """Return the explanation of the columns and signs of the table."""
        (most, full), (more, half), (some, empty) = _MARKS
        return self._words.say(
            "Chance: of winning, before the move. Cost: how many percentage points the move gave away; "
            "{empty} {some} or more, {half} {more} or more, {full} {most} or more.",
            empty=empty,
            some=round(100 * some),
            half=half,
            more=round(100 * more),
            full=full,
            most=round(100 * most),
        )

    # ------------------------------------------------------------------------------------------- the curve

    def _courses(self) -> Iterator[Picture | str]:
        """Yield a curve for each seat; without hidden information only one, for the other seat's mirrors it."""
        accounts = self._accounts() if self._review.hidden else self._accounts()[:1]
        for account in accounts:
            name = self._names[account.seat]
            yield Text(self._words.say("{name}’s chance of winning, round by round", name=name), "bold")
            yield from self._curve(account)
            yield ""

    def _curve(self, account: Account) -> Iterator[str]:
        """Yield the rows of a bar chart of the chance, from 0 to 100 %, and a row with the rounds below."""
        last = max(1, self._review.steps)
        steps = [column * last // (_ACROSS - 1) for column in range(_ACROSS)]
        heights = [round(account.at(step) * _HEIGHT * _EIGHTHS) for step in steps]
        for row in range(_HEIGHT - 1, -1, -1):
            bars = "".join(_BARS[max(0, min(_EIGHTHS, height - row * _EIGHTHS))] for height in heights)
            side = {_HEIGHT - 1: percent(self._words, 1.0), 0: percent(self._words, 0.0)}.get(row, "")
            yield f"{side:>{_SIDE}} {bars}".rstrip()
        columns = [begin * (_ACROSS - 1) // last for begin in self._review.begins]
        yield " " * (_SIDE + 1) + _ruler(columns)

    # ----------------------------------------------------------------------------------- the dearest moves

    def _costliest_mistakes(self, account: Account) -> Iterator[Picture | str]:
        words, name = self._words, self._names[account.seat]
        explained = self._teller.dearest(account)
        if not explained:
            yield words.say("None of {name}’s moves cost as much as one percentage point.", name=name)
            yield ""
            return
        yield Text(words.say("The costliest mistakes of {name}", name=name), "bold")
        for mistake in explained:
            position = words.say(
                "Round {round}, step {step}:", round=mistake.decision.round, step=mistake.decision.step
            )
            instead = words.say("Played: {played}. Better: {better}.", played=mistake.played, better=mistake.better)
            yield flowing([position, instead, mistake.verdict, *mistake.reasons, *self._other_occurrences(mistake)])
        yield ""

    def _other_occurrences(self, mistake: ExplainedDecision) -> Iterator[str]:
        """Yield sentences about the other decisions where the same move would have been better."""
        if mistake.again:
            yield mistake.repeated
            steps = self._words.all_of([str(decision.step) for decision in mistake.again])
            yield self._words.say("Steps: {steps}.", steps=steps)

    # ------------------------------------------------------------------------------------- luck and skill

    def _sums(self) -> Table:
        say = self._words.say
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        table.add_column("")
        luck = say("everything else") if self._review.hidden else say("luck")
        heads = [say("start"), say("own moves"), luck, say("end")]
        if not self._review.hidden:
            heads.insert(2, say("opponent’s moves"))
            heads.insert(4, say("corrections"))
        for head in heads:
            table.add_column(Text(head), justify="right")
        for account in self._accounts():
            row = [
                percent(self._words, account.start),
                signed(self._words, -account.lost),
                signed(self._words, account.luck),
                percent(self._words, account.end),
            ]
            if not self._review.hidden:
                row.insert(2, signed(self._words, account.given))
                row.insert(4, signed(self._words, account.amended))
            table.add_row(Text(self._names[account.seat]), *row)
        return table


def _ruler(columns: Sequence[int]) -> str:
    """Return a line with each round's number below the column where the round begins, as far as there is room."""
    line = ""
    for number, column in enumerate(columns, 1):
        if column > len(line) or not line:
            line = f"{line:<{column}}{number}"
    return line
