"""The sentences that each watcher of a game has been told, and those that are still news to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kontor.terminal.adapter import Names, ObservedStep, TerminalAdapter
from kontor.words import Words

Watcher = int | None
"""A seat, or None for a spectator, who sees only what is public."""


class Chronicle:
    """A log of a game in sentences, for several watchers; each is told only what their seat may know."""

    def __init__(self, adapter: TerminalAdapter, words: Words, names: Names, watchers: Iterable[Watcher]) -> None:
        self._adapter = adapter
        self._words = words
        self._names = names
        self._sentences: dict[Watcher, list[list[str]]] = {watcher: [[]] for watcher in (None, *watchers)}
        self._news: dict[Watcher, list[str]] = {watcher: [] for watcher in self._sentences}
        self.round: list[ObservedStep] = []
        """The steps of this round, as everybody could see them."""

    def follow(self, before: Any, action: Any, after: Any) -> bool:
        """Tell all watchers of a step; return True if it ended a round."""
        for watcher in self._sentences:
            observed = self._observe(watcher, before, action, after)
            sentences = self._adapter.describe_event(
                self._words, self._names, observed.before, observed.event, observed.after
            )
            self._sentences[watcher][-1] += sentences
            self._news[watcher] += sentences
            if watcher is None:
                self.round.append(observed)
        last = self.round[-1]
        return bool(last.after.round != last.before.round or last.after.result)

    def _observe(self, watcher: Watcher, before: Any, action: Any, after: Any) -> ObservedStep:
        game = self._adapter.game
        return ObservedStep(
            game.view(before, watcher), game.event(before, action, after, watcher), game.view(after, watcher)
        )

    def next_round(self) -> None:
        """Start a new round.

        If the game has a report, everybody has seen how the last round ended. Its public sentences are then dropped
        from the news.
        """
        public = set(self._sentences[None][-1]) if self._adapter.report else set()
        for watcher, news in self._news.items():
            self._news[watcher] = [sentence for sentence in news if sentence not in public]
            self._sentences[watcher].append([])
        self.round = []

    def news(self, watcher: Watcher) -> list[str]:
        """Return the sentences told to the watcher since the last call of :meth:`clear_news`."""
        return self._news[watcher]

    def clear_news(self, watcher: Watcher) -> None:
        """Empty the watcher's news."""
        self._news[watcher] = []

    def rounds(self, watcher: Watcher) -> list[list[str]]:
        """Return all sentences told to the watcher, round by round."""
        return self._sentences[watcher]
