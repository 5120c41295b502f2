"""Shanghaien: ``plugin`` names the parts, ``rules`` is the game itself."""
