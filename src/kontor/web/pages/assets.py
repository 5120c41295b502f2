"""Static files: a handful, read once at the start, and served from memory, compressed.

Their addresses hold a digest of all of them (``/static/<digest>/kontor.css``). So browsers may cache them for ever
and still get the new ones after an update.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from kontor.plugins import plugins

_TYPES: Final = {
    "css": "text/css",
    "png": "image/png",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
"""Media types by suffix. The response adds the charset to each kind of text."""


_COMMENTS: Final = {
    "js": re.compile(rb"^[ \t]*//.*\n", re.MULTILINE),
    "css": re.compile(rb"[ \t]*/\*.*?\*/\n?", re.DOTALL),
}
"""Comments by the kind of file, which are not served; in scripts only comments on lines of their own."""

_INDENTATION: Final = re.compile(rb"^[ \t]+", re.MULTILINE)
_LITERAL: Final = re.compile(rb"`[^`]*`")
"""Template literals of scripts: in one of several lines, white space is part of the text."""

_SPACES: Final = re.compile(rb"""("[^"]*"|'[^']*')|\s*([{};,])\s*|(:)\s+""")
"""Strings, which stay as they are, and white space round the marks of a style sheet.

Before a colon it means something in a selector.
"""

_LINE_BREAKS: Final = re.compile(rb"\s*\n\s*")
"""Line breaks of a style sheet: within a value, such as the rows of a grid, each stands for a space."""


@dataclass(frozen=True)
class Asset:
    """A file as it is sent; ``compressed`` is None if compression gains nothing."""

    media_type: str
    plain: bytes
    compressed: bytes | None


def page_packages() -> list[str]:
    """Return our packages with templates: that of all pages, and those of the features."""
    rooms = [room.name for room in files("kontor").iterdir() if room.joinpath("templates").is_dir()]
    return ["kontor.web.pages", *[f"kontor.{room}" for room in sorted(rooms)]]


def page_folders() -> list[Traversable]:
    """Return the folders of templates and static files: ours, and each game's."""
    games = (files(plugin.package).joinpath("web") for plugin in plugins().values())
    return [*map(files, page_packages()), *games]


def _shortened(name: str, text: bytes) -> bytes:
    kind = name.rpartition(".")[2]
    comments = _COMMENTS.get(kind)
    bare = comments.sub(b"", text) if comments else text
    if kind == "js" and not any(b"\n" in literal for literal in _LITERAL.findall(bare)):
        return _INDENTATION.sub(b"", bare)
    return _without_spaces(bare) if kind == "css" else bare


def _without_spaces(style: bytes) -> bytes:
    """Return a style sheet without the white space that only its readers need."""
    return _SPACES.sub(rb"\1\2\3", _LINE_BREAKS.sub(b" ", style)).replace(b";}", b"}").strip()


def _asset(name: str, media_type: str, written: bytes) -> Asset:
    """Return a file as it is sent, from its name and its bytes alone; tests cache it."""
    plain = written if ".min." in name else _shortened(name, written)
    compressed = gzip.compress(plain, 9, mtime=0)
    return Asset(media_type, plain, compressed if len(compressed) < len(plain) * 0.9 else None)


class Assets:
    """All static files, ready to be sent."""

    def __init__(self) -> None:
        assets: dict[str, Asset] = {}
        digest = hashlib.sha256()
        folders = [folder.joinpath("static") for folder in page_folders()]
        everything = [file for folder in folders if folder.is_dir() for file in folder.iterdir()]
        for file in sorted(everything, key=lambda entry: entry.name):
            media_type = _TYPES.get(file.name.rpartition(".")[2])
            if media_type is None:
                continue
            asset = _asset(file.name, media_type, file.read_bytes())
            digest.update(file.name.encode() + b"\0" + asset.plain)
            assets[file.name] = asset
        self._assets = assets
        self.digest = digest.hexdigest()[:12]

    def get(self, name: str) -> Asset | None:
        """Return the file with this name, if there is one."""
        return self._assets.get(name)

    def address(self, name: str) -> str:
        """Return the address at which a browser gets the file."""
        return f"/static/{self.digest}/{name}"
