"""The JSON Schema of records, and the document about them.

In ``tests``, ``python -m records.test_documents`` renews the schema, and the record in the document.
"""

import json
import re
import runpy
from datetime import UTC, datetime
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor import records
from kontor.game import AnyGame
from kontor.plugins import games
from kontor.records import EarlyEnding, GameEnding, Header, decode, encode
from profiles import scale_examples
from records.damages import DAMAGES
from records.made import EXAMPLE, LINES, PAGE, SCHEMA, SHOWN, each_game, random_record, shipped_schema, some


def json_schema() -> str:
    """Return the content of record.schema.json, made from the types."""
    defs: dict[str, Any] = {}
    lines = []
    kinds = [GameEnding, EarlyEnding, Header]
    (ending, early, _), parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    header = parts.pop("Header")
    defs |= parts
    texts = {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": records.LONGEST_NAME}}
    salts = {"type": "array", "items": {"type": "string", "maxLength": records.LONGEST_SALT}}
    for game in games().values():
        unions = [game.options, game.move, game.outcome]
        (options, moves, outcomes), parts = msgspec.json.schema_components(
            unions, ref_template=f"#/$defs/{game.name}.{{name}}"
        )
        defs |= {f"{game.name}.{name}": part for name, part in parts.items()}
        properties = header["properties"] | {
            "record": {"enum": records.VERSIONS},
            "game": {"const": game.name},
            "rules": {"const": game.version},
            "options": options,
            "seats": texts,
            "players": texts,
            "salts": salts,
        }
        defs[f"{game.name}.header"] = header | {"properties": properties}
        for move in moves["anyOf"]:
            made = defs[move["$ref"].removeprefix("#/$defs/")]
            made["properties"] = {"seat": {"type": "integer", "minimum": 0}} | made["properties"]
        defs[f"{game.name}.move"] = {"anyOf": moves["anyOf"]}
        defs[f"{game.name}.outcome"] = {"anyOf": outcomes["anyOf"]}
        lines += [{"$ref": f"#/$defs/{game.name}.{kind}"} for kind in ("header", "move", "outcome")]
    for part in defs.values():
        if "description" in part:
            part["description"] = cleandoc(part["description"])  # Python 3.13 does so itself, older ones do not
        if "properties" in part:  # every field is written, but for five, and there are no others
            optional = ("salt_commitments", "started", "streams", "undone", "check")
            part["required"] = [name for name in part["properties"] if name not in optional]
            part["additionalProperties"] = False
            for value in part["properties"].values():
                value.pop("default", None)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a record of Kontor",
        "description": "docs/record.md says what it means. The first line is a header, the last may be an ending.",
        "anyOf": [*lines, ending, early],
        "$defs": defs,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def test_the_schema_is_that_of_the_types() -> None:
    assert SCHEMA.read_text("utf-8") == json_schema(), "renew it with: cd tests; python -m records.test_documents"


@each_game
@settings(some, max_examples=scale_examples(8))
@given(data=st.data())
def test_every_line_of_every_record_keeps_the_schema(game: AnyGame, data: st.DataObject) -> None:
    schema = shipped_schema()
    record = random_record(data, game)
    started = replace(record.header, started=datetime(2026, 3, 1, 19, 30, tzinfo=UTC))
    seen = set()
    for line in (*encode(record).splitlines(), records.encode_line(started)):
        value = json.loads(line)
        shape = tuple((key, value[key] if key in ("move", "chance") else type(value[key])) for key in value)
        if shape not in seen:  # the validator is slow, and most lines are like others
            seen.add(shape)
            schema.validate(value)


@pytest.mark.parametrize(
    "damage",
    [
        "no object", "a newer format", "newer rules", "an unknown game", "an unknown option",
        "an unknown part of an option", "an unknown field", "a field missing", "no name", "a long salt",
        "a commitment in capitals", "neither move nor outcome nor ending", "chance as a seat",
        "a seat that is no number", "an unknown move", "an unknown field of a move", "a move of no kind",
        "a die that is no number", "an unknown outcome", "no result",
    ],
)  # fmt: skip
def test_lines_of_another_shape_do_not_keep_the_schema(damage: str) -> None:
    schema = shipped_schema()
    changed = [json.loads(line) for line in DAMAGES[damage][0].splitlines()]
    assert not all(schema.is_valid(line) for line in changed)


FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fenced_blocks(language: str) -> list[str]:
    return [text for kind, text in FENCED.findall(PAGE.read_text("utf-8")) if kind == language]


def test_the_record_beside_the_document_is_a_real_one_and_verifies() -> None:
    data = SHOWN.read_bytes()
    assert data == encode(EXAMPLE), "renew it with: cd tests; python -m records.test_documents"
    assert records.verify(decode(data)).dice
    assert "has 117 lines" in PAGE.read_text("utf-8")
    assert len(LINES) == 117


def test_the_lines_shown_in_the_document_are_of_that_record() -> None:
    *blocks, early = fenced_blocks("json")
    assert len(blocks) == 4
    assert "early" in early
    for text in blocks:
        for line in text.splitlines(keepends=True):
            assert line.encode() in LINES


def test_the_refusals_shown_in_the_document_are_real() -> None:
    sentences = {sentence for _, sentence in DAMAGES.values()}
    quoted = fenced_blocks("text")[0].splitlines()
    assert len(quoted) >= 5
    assert set(quoted) <= sentences


def test_the_example_in_the_document_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = fenced_blocks("python")
    (tmp_path / "example.py").write_text(code, "utf-8")
    records.write(tmp_path / "game.jsonl", EXAMPLE)
    monkeypatch.chdir(tmp_path)
    runpy.run_path("example.py")
    assert capsys.readouterr().out == fenced_blocks("text")[1]


def renew() -> None:
    """Write the generated files anew."""
    SCHEMA.write_text(json_schema(), "utf-8")
    SHOWN.write_bytes(encode(EXAMPLE))


if __name__ == "__main__":
    renew()
