"""Compiles the catalogues whenever the package is built or installed, also into a clone; Hatchling runs this file."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_NO_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
"""Replaces the dates of a catalogue, so that equal sentences give equal bytes."""


def compiled(written: Path) -> bytes:
    """Return a catalogue (``kontor.po``) as gettext reads it; sentences marked as fuzzy are left out."""
    with written.open("rb") as file:
        catalog = read_po(file, locale=written.parents[1].name, domain=written.stem, abort_invalid=True)
    catalog.creation_date = catalog.revision_date = _NO_MOMENT
    compiled_file = BytesIO()
    write_mo(compiled_file, catalog)
    return compiled_file.getvalue()


class CompiledCatalogues(BuildHookInterface[Any]):
    """Writes ``kontor.mo`` beside each ``kontor.po``; Git ignores it, the wheel contains it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile all catalogues before the wheel is built."""
        for written in Path(self.root, "src").rglob("LC_MESSAGES/*.po"):
            written.with_suffix(".mo").write_bytes(compiled(written))
        build_data["artifacts"].append("src/**/*.mo")
