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
