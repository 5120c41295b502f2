"""Pictures in files."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def pack(picture: Path) -> None:
    """Makes a PNG file a third as large, in colours of a palette, where pngquant is installed."""
    if pngquant := shutil.which("pngquant"):
        subprocess.run([pngquant, "--force", "--ext", ".png", picture], check=True)  # noqa: S603
