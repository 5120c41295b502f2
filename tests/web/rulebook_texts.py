"""Texts of a game's rules page beside the numbered rules, and the numbers in them."""

import re
from collections.abc import Iterator

from kontor.web.rulebook import Body, Callout, Figure, Points, RuleBook


def sentences(body: Body) -> Iterator[str]:
    """Yield all sentences of a body, with those of pictures and tables."""
    for part in body:
        match part:
            case str():
                yield part
            case Callout():
                yield part.callout
            case Figure():
                yield from filter(None, (part.shows, part.caption))
            case Points():
                yield from part.items
            case _:
                cells = [cell for row in part.rows for cell in row if cell.isalpha()]
                yield from filter(None, (part.caption, *part.head, *cells))


def every_sentence(book: RuleBook) -> Iterator[str]:
    """Yield every sentence of the page except the numbered rules."""
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
    """Return the numbers in a sentence, in order, without those of the name ``but``."""
    return [int(number) for number in re.findall(r"\d+", sentence.replace(but, "") if but else sentence)]
