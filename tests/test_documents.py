"""The generated pages: they are up to date."""

import pytest

from documents import DOCS, DOCUMENTS


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_file_is_what_the_program_writes(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == DOCUMENTS[name](), "run: .venv/bin/python tests/documents.py"
