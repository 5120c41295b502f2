"""PNG files made smaller."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def pack(picture: Path) -> None:
    """Reduce a PNG file to a third of its size, with a palette of colours, if pngquant is installed."""
    if pngquant := shutil.which("pngquant"):
        subprocess.run([pngquant, "--force", "--ext", ".png", picture], check=True)  # noqa: S603
