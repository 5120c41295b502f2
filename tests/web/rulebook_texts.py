"""What the rules page of a game says beside the numbered rules, and the numbers in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontor.web.rulebook import Body, Callout, Figure, Points, RuleBook


def sentences(body: Body) -> Iterator[str]:
    """All that is said there, by pictures and tables, too."""
    for it in body:
        match it:
            case str():
                yield it
            case Callout():
                yield it.callout
            case Figure():
                yield from filter(None, (it.shows, it.caption))
            case Points():
                yield from it.items
            case _:
                cells = [cell for row in it.rows for cell in row if cell.isalpha()]
                yield from filter(None, (it.caption, *it.head, *cells))


def every_sentence(book: RuleBook) -> Iterator[str]:
    """All that the page says beside the numbered rules."""
    yield from sentences(book.about)
    for step in book.steps:
        yield from (step.title, step.text)
    for part in (*book.examples, *book.here):
        yield from (part.title, *sentences(part.body))
    for signs in book.signs:
        yield from filter(None, (signs.title, signs.text))
        for sign in signs.signs:
            yield from filter(None, (sign.name, sign.text))


def numbers(sentence: str, but: str = "") -> list[int]:
    """The numbers in a sentence, in order; ``but`` is a name that has one and is none."""
    return [int(number) for number in re.findall(r"\d+", sentence.replace(but, "") if but else sentence)]
