"""What each game brings to the browser. A third game is added here, with a board of its own in ``games/``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kontor.dutchman import event_text as dutchman_telling
from kontor.dutchman import words as dutchman_words
from kontor.game import AnyGame, Event
from kontor.games import GAMES
from kontor.shanghaien import words as shanghaien_words
from kontor.web.games import dutchman, shanghaien, shanghaien_tale
from kontor.words import Words

Names = Sequence[str]
Seen = tuple[int, Event, Any, Any]
"""A step as one reader knows it: its number, the event, and the views before and after."""


@dataclass(frozen=True)
class WebAdapter:
    """A game in the browser. Every function is given views, never a state."""

    game: AnyGame
    title: str
    unusual: Callable[[Words, Names, Any], list[str]]
    """The options that are not the usual ones: ``unusual(words, names of the seats, options)``."""
    headline: Callable[[Words, Names, Any], str]
    """What matters now, in one line."""
    addressed: Callable[[Words, Names, Any], str]
    """The same, said to whoever sits on the seat that looks."""
    describe_event: Callable[[Words, Names, Any, Event, Any], list[str]]
    """What a step was: ``describe_event(words, names, view before, event, view after)``."""
    rules_now: Callable[[Any], tuple[str, ...]]
    """The numbers of the rules that matter now, the first one most."""
    rules: Mapping[str, str]
    """The rules in short, by number."""
    context: Callable[[Words, Names, Any, Sequence[Any], Sequence[Seen]], dict[str, Any]]
    """What the board's template needs: ``context(words, names, view, moves, events since)``."""
    move_of: Callable[[Mapping[str, str]], Any]
    """The move that a form means. Raises Refusal."""
    afterwards: Callable[[Words, Names, int | None, Sequence[Sequence[Seen]]], Any]
    """The ``tale`` of a game that is over: ``afterwards(words, names, seat, steps)``, with all steps by the eyes of
    each seat, for then nothing is hidden any more."""


SHANGHAIEN: Final = WebAdapter(
    game=GAMES["shanghaien"],
    title=shanghaien_words.TITLE,
    unusual=shanghaien_words.unusual,
    headline=shanghaien_words.headline,
    addressed=shanghaien_words.addressed,
    describe_event=shanghaien_words.describe_event,
    rules_now=shanghaien_words.rules_now,
    rules=shanghaien_words.RULES,
    context=shanghaien.context,
    move_of=shanghaien.move_of,
    afterwards=shanghaien_tale.afterwards,
)

DUTCHMAN: Final = WebAdapter(
    game=GAMES["dutchman"],
    title=dutchman_words.TITLE,
    unusual=dutchman_words.unusual,
    headline=dutchman_words.headline,
    addressed=dutchman_words.addressed,
    describe_event=dutchman_telling.describe_event,
    rules_now=dutchman_words.rules_now,
    rules=dutchman_words.RULES,
    context=dutchman.context,
    move_of=dutchman.move_of,
    afterwards=dutchman.afterwards,
)

WEB_ADAPTERS: Final[dict[str, WebAdapter]] = {adapter.game.name: adapter for adapter in (SHANGHAIEN, DUTCHMAN)}
