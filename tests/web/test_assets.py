"""Static files as they are served."""

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import pytest

from kontor.web.pages.assets import Assets, page_folders

MOST_LETTERS: Final = 118
"""Letters of a line, as in pyproject.toml."""


def test_a_style_sheet_is_served_without_white_space_but_its_strings_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Serve the style sheet of a game that is not ours: we know nothing of its strings."""
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "pig.css").write_text(
        """/* A list. */\n.pig li + li::before { content: ", "; color: red; }\n.pig :hover { content: '; : {'; }\n"""
        """.pig {\n  grid-template:\n    "roll" auto\n    "hold" 1fr;\n}\n"""
    )
    monkeypatch.setattr("kontor.web.pages.assets.page_folders", lambda: [tmp_path])
    style = Assets().get("pig.css")
    assert style is not None
    assert style.plain == (
        b""".pig li + li::before{content:", ";color:red}.pig :hover{content:'; : {'}"""
        b""".pig{grid-template:"roll" auto "hold" 1fr}"""
    )


def test_a_script_is_served_without_indentation_but_with_that_of_its_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "roll.js").write_text("// Rolls.\nfunction roll() {\n  return `${1}`;\n}\n")
    (tmp_path / "static" / "poem.js").write_text("if (rhymes) {\n  say(`pig,\n  fig`);\n}\n")
    monkeypatch.setattr("kontor.web.pages.assets.page_folders", lambda: [tmp_path])
    roll, poem = Assets().get("roll.js"), Assets().get("poem.js")
    assert roll is not None
    assert roll.plain == b"function roll() {\nreturn `${1}`;\n}\n"
    assert poem is not None
    assert poem.plain == b"if (rhymes) {\n  say(`pig,\n  fig`);\n}\n"


@pytest.mark.parametrize("folder", page_folders(), ids=str)
def test_a_line_of_a_style_sheet_is_no_longer_than_one_of_our_code(folder: Traversable) -> None:
    static = folder.joinpath("static")
    sheets = [file for file in static.iterdir() if file.name.endswith(".css")] if static.is_dir() else []
    lines = [(sheet.name, *line) for sheet in sheets for line in enumerate(sheet.read_text().splitlines(), start=1)]
    too_long = [f"{name}:{number}" for name, number, text in lines if len(text) > MOST_LETTERS]
    assert not too_long, f"more than {MOST_LETTERS} letters: {', '.join(too_long)}"
