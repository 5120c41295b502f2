"""Every sentence of Kontor, collected from its source, and the catalogues with their translations.

Each game has its own catalogues for the sentences used only in its folder; the common catalogues hold the others.

``python tests/catalogues.py`` updates the catalogues: it adds new sentences, drops those that are gone, and prints
those without a translation. A sentence that was changed keeps its old translation, marked ``fuzzy``: until somebody
corrects it and removes the mark, the sentence is said in English. ``./kontor`` and ``./test`` compile the catalogues.

``python tests/catalogues.py --check`` changes nothing, and fails if an update would, or if a translation is missing.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.shanghaien.rules.components import NATIONS
from kontor.words import DOMAIN

SOURCE: Final = Path(str(files("kontor")))
LANGUAGES: Final = ("de", "fr", "it", "ja")
"""All languages but English, in which the sentences themselves are written."""

COMMON: Final = ""
PARTS: Final[dict[str, Path]] = {COMMON: SOURCE} | {
    game.name: game for game in sorted(SOURCE.joinpath("games").iterdir()) if game.joinpath("plugin.py").is_file()
}
"""The folders of the catalogues: the common part, and each game."""

LETTERS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "nation": ("shanghaien", tuple(NATIONS)),
    "ship": ("dutchman", tuple(colour[0].upper() for colour in COLOURS)),
    "island": ("dutchman", tuple(field.name for field in OURS.fields if field.colour is None)),
}
"""Letters and names of things, with their game; listed here because code passes them in a variable."""

_SAID: Final = {"say": (0,), "say_html": (0,), "mark": (0,), "count": (0, 1), "count_tenths": (0, 1)}
"""Positions of the sentences among the arguments of a call."""

_REFUSED: Final = {"BadChart": 0, "BadRecord": 2}
"""Position of the sentence in these refusals; the others take it second, after the rule's number."""

Sentence = tuple[str, ...]
"""A sentence, or its singular and its plural."""


def refusals() -> set[str]:
    names = {"Refusal"}
    classes = [
        (node.name, {base.id for base in node.bases if isinstance(base, ast.Name)})
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(_parse(path))
        if isinstance(node, ast.ClassDef)
    ]
    while True:
        more = {name for name, bases in classes if bases & names} - names
        if not more:
            return names
        names |= more


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def _called_name(call: ast.Call) -> str:
    """Return the name of the called function: ``say`` for ``words.say(…)`` and ``say(…)``."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield a text, or both texts of ``a if … else b``."""
    if isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _in_python(path: Path, refusal_names: set[str]) -> Iterator[Sentence]:
    for node in ast.walk(_parse(path)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "reason":
            yield from ((text,) for text in _texts(node.value))  # the sentence of a refusal that is made further down
        if not isinstance(node, ast.Call):
            continue
        name = _called_name(node)
        if name in ("count", "count_tenths") and len(node.args) > 2:
            yield from zip(_texts(node.args[0]), _texts(node.args[1]), strict=True)
        elif name in _SAID and len(_SAID[name]) == 1 and node.args:
            yield from ((text,) for text in _texts(node.args[0]))
        elif name in refusal_names:
            place = _REFUSED.get(name, 1)
            if len(node.args) > place:
                yield from ((text,) for text in _texts(node.args[place]))
        elif name == "__init__" and len(node.args) > 1:  # the constructor of a refusal with a sentence of its own
            yield from ((text,) for text in _texts(node.args[1]))


def _in_template(path: Path) -> Iterator[Sentence]:
    for call in Environment(autoescape=True).parse(path.read_text()).find_all(nodes.Call):
        name = getattr(call.node, "attr", None) or getattr(call.node, "name", "")
        if name not in _SAID:
            continue
        texts = [
            [branch.value for branch in _branches(call.args[place])]
            for place in _SAID[name]
            if place < len(call.args)
        ]
        yield from zip(*texts, strict=True)


def _branches(node: nodes.Expr) -> Iterator[nodes.Const]:
    if isinstance(node, nodes.CondExpr):
        yield from _branches(node.expr1)
        if node.expr2 is not None:
            yield from _branches(node.expr2)
    elif isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node


@cache
def collect() -> Catalog:
    """Return all sentences of the source with the files that use them, cached because the source does not change."""
    catalog = Catalog(domain=DOMAIN, fuzzy=False)
    refusal_names = refusals()
    for path in sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.html")]):
        sentences = _in_template(path) if path.suffix == ".html" else _in_python(path, refusal_names)
        for sentence in sentences:
            if any(sentence):
                catalog.add(
                    sentence if len(sentence) > 1 else sentence[0],
                    locations=[(path.relative_to(SOURCE).as_posix(), 0)],
                )
    for kind, (game, letters) in LETTERS.items():
        for letter in letters:
            catalog.add(
                letter,
                context=kind,
                locations=[(f"games/{game}/words.py", 0)],
                auto_comments=[f"A letter that stands for a {kind}."] if len(letter) == 1 else ["A name."],
            )
    # The trees of all files would make each later collection of garbage take a second.
    _parse.cache_clear()
    return catalog


def part_of(message: Message) -> str:
    """Return the part whose catalogue has the sentence: a game if only that game uses it."""
    saying = {next((game for game in PARTS if f"games/{game}/" in path), COMMON) for path, _ in message.locations}
    return saying.pop() if len(saying) == 1 else COMMON


def _is_of(part: str, path: str) -> bool:
    return path.startswith(f"games/{part}/") if part else not path.startswith("games/")


def folder(part: str, language: str) -> Path:
    """Return the folder of a catalogue of a language."""
    return PARTS[part] / "locale" / language / "LC_MESSAGES"


def catalogue(part: str, language: str) -> Catalog:
    """Return the catalogue as it is written; empty if there is none."""
    path = folder(part, language) / f"{DOMAIN}.po"
    if not path.is_file():
        return Catalog(locale=language, domain=DOMAIN, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN, abort_invalid=True)


def catalogue_sentences() -> set[str]:
    """Return all sentences of the catalogues with their plurals, without reading the source."""
    return {text for part in PARTS for message in catalogue(part, LANGUAGES[0]) for text in _texts_of(message)}


def source_sentences() -> set[str]:
    """Return all sentences of the source with their plurals."""
    return {text for message in collect() for text in _texts_of(message)}


def _texts_of(message: Message) -> Sequence[str]:
    return [message.id] if isinstance(message.id, str) else message.id


_FRENCH: Final = (
    (re.compile(r" (?=[;!?](?!\w))"), "\N{NARROW NO-BREAK SPACE}"),
    (re.compile(r"(?<=«) | (?=»)| (?=:(?!\w))|(?<=\d) (?=%)|(?<=\}) (?=%)"), "\N{NO-BREAK SPACE}"),
)


def typeset(language: str, text: Any) -> Any:
    """Return the translation with non-breaking spaces before French signs that stand apart from their word.

    Other languages, and empty translations, stay as they are.
    """
    if language != "fr" or not text:
        return text
    if not isinstance(text, str):
        return tuple(typeset(language, one) for one in text)
    for space, fixed_space in _FRENCH:
        text = space.sub(fixed_space, text)
    return text


def up_to_date(part: str, language: str) -> Catalog:
    """Return the catalogue with exactly its sentences of the source.

    A sentence that has moved from another catalogue keeps its translation. A new one takes over the translation of
    the most similar sentence that is gone, marked as fuzzy: it waits for a person, and is not used.
    """
    updated = Catalog(locale=language, domain=DOMAIN, fuzzy=False)
    former = [catalogue(name, language) for name in (part, *PARTS)]
    gone = {_text(message): message for message in former[0] if message.id and not _is_collected(message)}
    for message in collect():
        if message.id and part_of(message) == part:
            before = next((match for each in former if (match := each.get(message.id, message.context))), None)
            guess = None if before else next(iter(get_close_matches(_text(message), gone, 1)), None)
            # The forms of a plural can't be those of a sentence without one.
            if guess and gone[guess].pluralizable == message.pluralizable:
                before = gone[guess]
                before.flags.add("fuzzy")
            updated.add(
                message.id,
                typeset(language, before.string) if before else None,
                [place for place in message.locations if _is_of(part, place[0])],
                flags={"fuzzy"} & before.flags if before else (),
                auto_comments=message.auto_comments,
                user_comments=before.user_comments if before else (),
                context=message.context,
            )
    return updated


def _text(message: Message) -> str:
    return _texts_of(message)[0]


def _is_collected(message: Message) -> bool:
    return collect().get(message.id, message.context) is not None


def write_text(catalog: Catalog) -> bytes:
    """Return the text of a catalogue's file: without dates and line numbers, which would change without need."""
    text = BytesIO()
    write_po(text, catalog, width=118, sort_by_file=True, include_lineno=False)
    lines = text.getvalue().decode().lstrip("\n").splitlines(keepends=True)
    idle = ("#, fuzzy", '"POT-', '"PO-R', '"Last-', '"Language-Team', '"Report', '"Generated', '"Project')
    head = lines.index("\n")
    content = [line for line in lines[:head] if not line.startswith(("#", *idle))] + lines[head:]
    return "".join(content).encode()


def untranslated_sentences(catalog: Catalog) -> list[str]:
    """Return the sentences that have no translation, not in all their plurals, or one that is marked as fuzzy."""
    return [
        _text(message)
        for message in catalog
        if message.id
        if message.fuzzy or not _is_complete(message.string, catalog.num_plurals if message.pluralizable else 1)
    ]


def _is_complete(translation: str | Sequence[str] | None, plurals: int) -> bool:
    texts = [translation] if isinstance(translation, str) else translation or []
    return len(texts) == plurals and all(texts)


def _print_missing(language: str, part: str, catalog: Catalog) -> None:
    untranslated = untranslated_sentences(catalog)
    print(f"{language} {part}: {len(catalog)} sentences, {len(untranslated)} to translate")
    for sentence in untranslated[:20]:
        print(f"    {sentence}")


def update() -> bool:
    """Write the catalogues anew; return False if a translation is missing."""
    # All are made before the first is written: a sentence may move from one to another.
    catalogs = {(language, part): up_to_date(part, language) for language in LANGUAGES for part in PARTS}
    for (language, part), catalog in catalogs.items():
        folder(part, language).mkdir(parents=True, exist_ok=True)
        (folder(part, language) / f"{DOMAIN}.po").write_bytes(write_text(catalog))
        _print_missing(language, part, catalog)
    return not any(map(untranslated_sentences, catalogs.values()))


def check() -> bool:
    """Return False if a catalogue is not up to date, or a translation is missing; print which."""
    is_complete = True
    for language in LANGUAGES:
        for part in PARTS:
            catalog = up_to_date(part, language)
            if untranslated_sentences(catalog):
                _print_missing(language, part, catalog)
                is_complete = False
            elif (folder(part, language) / f"{DOMAIN}.po").read_bytes() != write_text(catalog):
                print(f"{language} {part}: not up to date; run: .venv/bin/python tests/catalogues.py")
                is_complete = False
    return is_complete


def main() -> int:
    """Run the command; return 1 if a translation is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail if something is to be done")
    return 0 if (check() if parser.parse_args().check else update()) else 1


if __name__ == "__main__":
    sys.exit(main())
