"""The pages of the documentation that are generated from the program.

``python tests/documents.py`` writes them anew: the rules from the rule book that the browser shows, and the fields of
batches from the layouts of their rows. ``tests/test_documents.py`` checks that the files are up to date.
"""

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from textwrap import fill
from typing import Final

from kontor.batch import all_simulated
from kontor.web.adapter import web_adapters
from kontor.web.rulebook import Rule, RuleBook

DOCS: Final = Path(__file__).parents[1] / "docs"

_WIDTH: Final = 118
_HEAD: Final = (
    "# The rules",
    "Both games, as the browser shows them; made by `tests/documents.py`. Kontor cites the numbers where it refuses"
    " or explains something. *Our ruling* marks what the old rulebooks do not say, or say differently.",
)


def rules() -> str:
    """Return ``rules.md``: both rule books, one after the other."""
    parts = [part for adapter in web_adapters().values() for part in _book(adapter.book)]
    return "\n\n".join(_wrap(part) for part in (*_HEAD, *parts)) + "\n"


def _book(book: RuleBook) -> Iterator[str]:
    yield f"## {book.title}"
    yield f"*{book.players[0].upper()}{book.players[1:]}.*"
    yield book.lead
    for chapter in book.chapters:
        yield f"### {chapter.title}"
        for rule in chapter.rules:
            yield _rule(rule)


def _rule(rule: Rule) -> str:
    example = f"For example: {rule.example}" if rule.example else ""
    ruling = f"*Our ruling:* {rule.ruling}" if rule.ruling else ""
    return " ".join(part for part in (f"**{rule.number}.**", rule.text, example, ruling) if part)


def _wrap(part: str) -> str:
    if part.startswith(("#", "-")):
        return part
    return fill(part, _WIDTH, break_long_words=False, break_on_hyphens=False)


def batch_fields() -> str:
    """Return ``batch-fields.csv``: every field of a row and of an observation of the games in batches."""
    out = StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("game", "array", "at", "field", "shape", "most", "meaning"))
    for each in all_simulated():
        for array, layout in (("rows", each.layout), ("observe()", each.features)):
            for field in layout.fields:
                shape = " × ".join(map(str, field.shape)) or "1"
                table.writerow(
                    (each.game.name, array, layout.at(field.name), field.name, shape, field.most, field.meaning)
                )
    return out.getvalue()


DOCUMENTS: Final = {"rules.md": rules, "batch-fields.csv": batch_fields}
"""The generated pages, by the name of the file in ``docs``."""


def main() -> None:
    for name, made in DOCUMENTS.items():
        (DOCS / name).write_text(made(), encoding="utf-8")


if __name__ == "__main__":
    main()
