"""Reviews in words: the costliest moves, what would have been better, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from kontor.game import Value
from kontor.players.levels import level_name
from kontor.plugins import game_named
from kontor.records import Record, replay
from kontor.review.adapter import adapter_of
from kontor.review.values import Account, Decision, Review, alike
from kontor.words import Words


class ExplainedDecision(Value, frozen=True):
    """One of the costliest decisions in words.

    ``verdict`` says what it cost, ``reasons`` why, a sentence each. ``again`` are the other decisions in which the
    same move would have been better, in the order of play; ``repeated`` says how many there were.
    """

    decision: Decision
    played: str
    better: str
    verdict: str
    reasons: tuple[str, ...]
    again: tuple[Decision, ...] = ()
    repeated: str = ""


def assumed_opponents(words: Words, game: str) -> str:
    """Return a sentence on how well the judge assumes opponents to play; empty if the game does not say."""
    level = adapter_of(game).opponents
    if not level:
        return ""
    return words.say("Opponents are assumed to play at level “{level}”.", level=level_name(words, level))


class ReviewText:
    """A review's sentences, in the language of ``words``."""

    def __init__(self, words: Words, names: Sequence[str], record: Record, review: Review) -> None:
        self._words = words
        self._names = names
        self._review = review
        self._game = game_named(review.game)
        self._adapter = adapter_of(review.game)
        self._states = list(replay(record))

    def _view(self, decision: Decision) -> Any:
        return self._game.view(self._states[decision.step - 1], decision.seat)

    def played(self, decision: Decision) -> str:
        """Return the move played, in a few words."""
        return self._adapter.move(self._words, self._names, self._view(decision), decision.played.move)

    def better(self, decision: Decision) -> str:
        """Return the best move, in a few words."""
        return self._adapter.move(self._words, self._names, self._view(decision), decision.best.move)

    def dearest(self, account: Account) -> list[ExplainedDecision]:
        """Return a seat's costliest decisions in words."""
        entries = []
        same = {one[0].best.move: one for one in alike(self._review.decisions, account.seat)}
        for turning in account.dearest:
            decision = self._review.decision(turning.step)
            repeated = same.pop(decision.best.move, [])
            if not repeated:
                continue  # a review of an older Kontor has the same better move more than once
            again = sorted((one for one in repeated if one is not decision), key=lambda one: one.step)
            entry = replace(self.explained(decision), again=tuple(again), repeated=self._describe_repeats(repeated))
            entries.append(entry)
        return entries

    def explained(self, decision: Decision) -> ExplainedDecision:
        """Return a decision in words, with the reasons if it is one of the costliest."""
        why: list[str] = []
        for turning in self._review.accounts[decision.seat].dearest:
            if turning.step == decision.step:
                played, best = (decision.played.move, turning.played), (decision.best.move, turning.best)
                why = self._adapter.why(self._words, self._names, self._view(decision), played, best)
        return ExplainedDecision(
            decision, self.played(decision), self.better(decision), self._verdict(decision), tuple(why)
        )

    def _verdict(self, decision: Decision) -> str:
        """Return a sentence on what the decision cost."""
        before, after = decision.best.chance, decision.played.chance
        return self._words.count(
            "The chance of winning fell from {before} to {after}: {n} percentage point.",
            "The chance of winning fell from {before} to {after}: {n} percentage points.",
            max(1, round(100 * before) - round(100 * after)),
            before=percent(self._words, before),
            after=percent(self._words, after),
        )

    def _describe_repeats(self, same: Sequence[Decision]) -> str:
        """Return a sentence on how often the same move would have been better, and the cost in all."""
        if len(same) == 1:
            return ""
        points = round(100 * sum(decision.cost for decision in same))
        return self._words.count(
            "The same move would have been better {n} more time; in all that cost {cost}.",
            "The same move would have been better {n} more times; in all that cost {cost}.",
            len(same) - 1,
            cost=self._words.count("{n} percentage point", "{n} percentage points", points),
        )

    def sure(self) -> str:
        """Return how far to trust the numbers, what luck means in them, and how opponents are assumed to play."""
        return f"{self._trust()} {assumed_opponents(self._words, self._game.name)}".strip()

    def _trust(self) -> str:
        if self._review.hidden:
            return self._words.say(
                "All numbers are estimates from what the player could know at the time. “Everything else” is what "
                "they could not control: dice, cards, what came to light, and the other players, whose mistakes are "
                "gifts."
            )
        return self._words.say(
            "Luck is how much better or worse dice and cards came than they do on average. Rounds marked “exact” "
            "are solved to the end of the game; the rounds before rest on estimates, and “corrections” are what "
            "later rounds changed in these."
        )

    def played_how(self, account: Account) -> list[str]:
        """Return sentences on a seat's average loss per decision, and on its result without luck if that is known."""
        decided = sum(decision.seat == account.seat for decision in self._review.decisions)
        each = 100 * account.lost / max(1, decided)
        average = self._words.count(
            "{name}: on average {each} lost, at {n} decision.",
            "{name}: on average {each} lost, at {n} decisions.",
            decided,
            name=self._names[account.seat],
            each=self._words.count_tenths("{n} percentage point", "{n} percentage points", each),
        )
        if self._review.hidden:
            return [average]
        adjusted = percent(self._words, account.adjusted)
        return [average, self._words.say("Result without luck: {adjusted}.", adjusted=adjusted)]


def percent(words: Words, chance: float) -> str:
    """Return a chance as a percentage: ``62%``, in German ``62 %``.

    A no-break space keeps the sign with the number.
    """
    text = words.say("{n}%", n=round(100 * chance)).replace(" ", "\N{NO-BREAK SPACE}")
    return text.replace("-", "\N{MINUS SIGN}")


def signed(words: Words, change: float) -> str:
    """Return a change in percentage points: ``+12.3``, ``−0.4``, ``0.0``."""
    points = round(abs(100 * change), 1)
    return f"{'' if not points else '+' if change > 0 else '−'}{words.tenths(points)}"
