"""Questions that are answered by typing, at a terminal or at a table's page: what a person types is read leniently.

An answer is a number, a word, or the beginning of one, in upper or lower case, with or without accents. What the
rules refuse is still understood, so that the refusal can name the rule.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from kontor.words import Words

Value = TypeVar("Value")


@dataclass(frozen=True)
class Choice(Generic[Value]):
    """Something that can be chosen by typing one of its forms (or the beginning of one)."""

    value: Value
    forms: tuple[str, ...]


def at_once(value: Any) -> str:
    """Of answers that need no second thought."""
    return ""


@dataclass(frozen=True)
class Question(Generic[Value]):
    """``hint`` says what can be typed. ``refused`` are choices that are understood, though the rules refuse them;
    ``read`` understands what no list can hold: it gives an answer or None, or raises IllegalMove. ``confirm`` is the
    sentence by which somebody is asked once more before an answer counts, if it is to be. ``english`` is the same
    question in English, for what means nothing in the reader's language."""

    hint: str
    choices: Sequence[Choice[Value]] = ()
    refused: Sequence[Choice[Value]] = ()
    read: Callable[[str], Value | None] | None = None
    confirm: Callable[[Value], str] = at_once
    english: Question[Value] | None = None


def asked_in(words: Words, question: Callable[[Words], Question[Value]]) -> Question[Value]:
    """The question in the reader's language. English words are understood as well: the manual has them, and not every
    keyboard has the others."""
    return replace(question(words), english=question(Words("en")))


def listed(forms: Callable[[Words], Mapping[Any, str]]) -> Callable[[Words, Sequence[str], Any, Any], Question[Any]]:
    """Asks for a move in a game that has few: ``forms`` gives all there are, each with what is to be typed for it."""

    def question(words: Words, names: Sequence[str], view: Any, moves: Sequence[Any]) -> Question[Any]:
        known = forms(words)
        hint = words.one_of([form for move, form in known.items() if move in moves])
        return Question(hint, [Choice(move, (form,)) for move, form in known.items()])

    return question


_STOPS: Final = str.maketrans({",": " ", ";": " ", ":": " ", "−": "-", "–": "-"})


def plainly(typed: str) -> str:
    """In lower case, without accents and commas, with single spaces."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", typed) if not unicodedata.combining(c))
    return " ".join(bare.casefold().translate(_STOPS).split())


def matching(typed: str, choices: Iterable[Choice[Value]]) -> list[Choice[Value]]:
    """The choices that the text may mean: those with exactly this form, or else those with a form that begins so."""
    answer = plainly(typed)
    known = [(choice, [plainly(form) for form in choice.forms]) for choice in choices]
    exact = [choice for choice, forms in known if answer in forms]
    if exact or not answer:
        return exact
    return [choice for choice, forms in known if any(_begins(answer, form) for form in forms)]


def _begins(answer: str, form: str) -> bool:
    """Word by word; a number is never the beginning of another, and alone it is not the beginning of anything."""
    asked, words = answer.split(), form.split()
    if len(asked) > len(words) or (answer.isdigit() and len(words) > 1):
        return False
    return all(
        word == part or (word.startswith(part) and not part.isdigit())
        for part, word in zip(asked, words, strict=False)
    )


def meant(typed: str, question: Question[Value]) -> list[Choice[Value]]:
    """What the text may mean of what the question knows: nothing, one thing, or several. Raises IllegalMove."""
    value = question.read(typed) if question.read else None
    return matching(typed, question.choices) if value is None else [Choice(value, (typed,))]
