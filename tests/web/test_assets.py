"""Static files as they are served."""

from __future__ import annotations

from pathlib import Path

import pytest

from kontor.web.pages.assets import Assets


def test_a_style_sheet_is_served_without_white_space_but_its_strings_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Serve the style sheet of a game that is not ours: we know nothing of its strings."""
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "pig.css").write_text(
        """/* A list. */\n.pig li + li::before { content: ", "; color: red; }\n.pig :hover { content: '; : {'; }\n"""
    )
    monkeypatch.setattr("kontor.web.pages.assets.page_folders", lambda: [tmp_path])
    style = Assets().get("pig.css")
    assert style is not None
    assert style.plain == b""".pig li + li::before{content:", ";color:red}.pig :hover{content:'; : {'}"""


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
