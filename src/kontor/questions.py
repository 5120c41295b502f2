"""Questions that a person answers by typing, at a terminal or at a table's page; typing is read leniently.

An answer is a number, a word, or the beginning of one, in upper or lower case, with or without accents. An answer
that the rules refuse is still understood, so that the refusal can name the rule.
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
    """Return an empty text: the answer needs no confirmation."""
    return ""


@dataclass(frozen=True)
class Question(Generic[Value]):
    """A question, and how its answers are read.

    ``hint`` says what can be typed. ``refused`` are choices that are understood, though the rules refuse them.
    ``read`` reads answers that no list can hold: it returns a value or None, or raises IllegalMove. ``confirm``
    returns the sentence that asks once more before an answer counts; it is empty if no confirmation is needed.
    ``english`` is the same question in English, for answers that mean nothing in the reader's language.
    """

    hint: str
    choices: Sequence[Choice[Value]] = ()
    refused: Sequence[Choice[Value]] = ()
    read: Callable[[str], Value | None] | None = None
    confirm: Callable[[Value], str] = at_once
    english: Question[Value] | None = None


def asked_in(words: Words, question: Callable[[Words], Question[Value]]) -> Question[Value]:
    """Return the question in the reader's language, which also understands English words.

    The manual uses those, and not every keyboard has the letters of other languages.
    """
    return replace(question(words), english=question(Words("en")))


def listed(forms: Callable[[Words], Mapping[Any, str]]) -> Callable[[Words, Sequence[str], Any, Any], Question[Any]]:
    """Return a function that asks for a move in a game with few moves.

    ``forms`` returns all moves, each with the text to type for it.
    """

    def question(words: Words, names: Sequence[str], view: Any, moves: Sequence[Any]) -> Question[Any]:
        form_of = forms(words)
        hint = words.one_of([form for move, form in form_of.items() if move in moves])
        return Question(hint, [Choice(move, (form,)) for move, form in form_of.items()])

    return question


_STOPS: Final = str.maketrans({",": " ", ";": " ", ":": " ", "−": "-", "–": "-"})


def plainly(typed: str) -> str:
    """Return the text in lower case, without accents and commas, with single spaces."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", typed) if not unicodedata.combining(c))
    return " ".join(bare.casefold().translate(_STOPS).split())


def matching(typed: str, choices: Iterable[Choice[Value]]) -> list[Choice[Value]]:
    """Return the choices with exactly this form, or if there are none, those with a form that begins so."""
    answer = plainly(typed)
    plain_forms = [(choice, [plainly(form) for form in choice.forms]) for choice in choices]
    exact = [choice for choice, forms in plain_forms if answer in forms]
    if exact or not answer:
        return exact
    return [choice for choice, forms in plain_forms if any(_begins(answer, form) for form in forms)]


def _begins(answer: str, form: str) -> bool:
    """Return True if an answer begins a form, word by word.

    A number never begins another number, and a number alone does not begin a form of several words.
    """
    typed_words, form_words = answer.split(), form.split()
    if len(typed_words) > len(form_words) or (answer.isdigit() and len(form_words) > 1):
        return False
    return all(
        word == part or (word.startswith(part) and not part.isdigit())
        for part, word in zip(typed_words, form_words, strict=False)
    )


def meant(typed: str, question: Question[Value]) -> list[Choice[Value]]:
    """Return the choices that the text may mean: none, one, or several. Raises IllegalMove."""
    value = question.read(typed) if question.read else None
    return matching(typed, question.choices) if value is None else [Choice(value, (typed,))]
