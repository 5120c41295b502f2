"""QR codes of links."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import segno
from markupsafe import Markup

_QUIET: Final = 4
"""Modules left free around it, as the standard requires."""


@lru_cache(maxsize=256)
def qr_code(link: str) -> Markup:
    """Return the link as a QR code in SVG, drawn with attributes alone.

    Screen readers skip it: the link stands beside it as text.
    """
    code = segno.make(link, error="m", micro=False)
    svg = code.svg_inline(border=_QUIET, omitsize=True, svgclass=None, lineclass=None, dark="#000", light="#fff")
    return Markup(svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))  # noqa: S704 (ours)
